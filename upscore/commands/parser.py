"""The words that the commands take. What carries a command out is imported only when it is called for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from upscore.commands.parsing.calibrate import add_calibrate
from upscore.commands.parsing.options import (
    Parser,
    ShowVersion,
    add_address,
    add_command,
    add_data,
    add_json,
    add_judging,
    add_offers,
    add_position,
    add_profile,
    add_seeing,
)
from upscore.errors import UsageError

if TYPE_CHECKING:
    from upscore.commands.parsing.options import Commands


def build_parser() -> Parser:
    """The parser of all commands; each sets `run` to the "module:function" that carries it out."""
    parser = Parser(prog="upscore", description="Watches an Upwords board, referees it and keeps the score.")
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="say which version this is")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    adders = (
        _add_read, _add_replay, _add_judge, _add_score, _add_solve, add_calibrate, _add_serve, _add_keeping, _add_demo,
    )  # fmt: skip
    for add in adders:
        add(commands)
    return parser


def check_hyphens(words: Sequence[str]) -> None:
    """Raises UsageError where a word to judge begins with a hyphen: as an option it would be said to be missing."""
    asked = words[1 : words.index("--")] if "--" in words else words[1:]
    for word in asked if words and words[0] == "judge" else ():
        if word.startswith("-") and not word.startswith("--") and word not in ("-", "-h"):
            raise UsageError(f"{word} looks like an option: write 'upscore judge -- {word}' to ask about it.")


def _add_read(commands: Commands) -> None:
    parser = add_command(commands, "read", "read:run", "read photographs of boards, each on its own")
    parser.add_argument(
        "images",
        nargs="+",
        type=Path,
        metavar="IMAGE",
        help="a photograph: JPEG, HEIC, PNG, WebP, BMP or TIFF",
    )
    add_json(parser, "one line of JSON for each photograph")
    add_seeing(parser, "for each photograph, with the grid, letters, heights and doubts drawn in")


def _add_replay(commands: Commands) -> None:
    parser = add_command(
        commands,
        "replay",
        "replay.command:run",
        "score a game from photographs of its turns, or from a video",
    )
    parser.add_argument(
        "source",
        type=Path,
        metavar="FOLDER_OR_VIDEO",
        help="a folder of photographs, the first of the start, in the order in which they were taken: by their times "
        "where all tell one, or else by their names (2 before 10); or a video",
    )
    parser.add_argument(
        "--players",
        default="Red,Blue",
        metavar="NAMES",
        help="one to four names, separated by commas, in the order of their turns; Red,Blue when not given",
    )
    parser.add_argument(
        "--start",
        type=Path,
        metavar="POSITION.json",
        help="the board before the first turn, where it is not empty",
    )
    parser.add_argument(
        "--by-name",
        action="store_true",
        help="take the photographs in the order of their names, whatever their times say",
    )
    add_json(parser, "one line of JSON for each turn, and one for the end")
    add_seeing(parser, "for each turn, with the new tiles framed and words and points below")
    add_judging(parser)


def _add_judge(commands: Commands) -> None:
    parser = add_command(
        commands,
        "judge",
        "judge:judge",
        "settle a challenge: may these words be played, and what do they mean",
    )
    parser.add_argument("words", nargs="+", metavar="WORD", help="a word in question")
    add_json(parser, "JSON instead of text")
    add_judging(parser)


def _add_score(commands: Commands) -> None:
    parser = add_command(commands, "score", "judge:score", "check and score one play")
    add_position(parser)
    parser.add_argument(
        "--tiles",
        required=True,
        metavar="'N@d7 A@e7'",
        help="the tiles played, each with its square; runs such as 'c4-MOOD' do too",
    )
    parser.add_argument(
        "--rack",
        metavar="AEINSTQu",
        help="the tiles that were held; only the house rule bonus_for_short_rack asks for them",
    )
    add_json(parser, "JSON instead of text")
    add_judging(parser)


def _add_solve(commands: Commands) -> None:
    parser = add_command(commands, "solve", "judge:solve", "find every legal play for a rack, best first")
    add_position(parser)
    parser.add_argument(
        "--rack",
        metavar="AEINSTQu",
        help="the tiles held, seven at most; Qu is one tile (two, Q and U, on another game's board). It may be left "
        "out where --squares is given",
    )
    parser.add_argument(
        "--squares",
        metavar="b4,c4,d4",
        help="only plays that put a tile on each of these squares and on no other: one to seven squares of one row or "
        "column, in any order",
    )
    parser.add_argument("--top", type=int, metavar="N", help="only the N best")
    add_json(parser, "JSON instead of text")
    add_judging(parser)


def _add_serve(commands: Commands) -> None:
    parser = add_command(commands, "serve", "serve:run_serve", "serve the scoresheet page")
    add_address(parser)
    parser.add_argument(
        "--https",
        action="store_true",
        help="serve over https, with a certificate for this computer's names and addresses and those of --name, made "
        "anew when a name or address is new; its fingerprint (SHA-256) is printed, to compare with the one that the "
        "browser shows",
    )
    parser.add_argument(
        "--camera",
        action="append",
        default=[],
        metavar="SOURCE",
        help="a camera to take turns from, by a button or hands-free: a device number such as 0, a video file, or an "
        "http or rtsp address; several as A=SOURCE, and each game chooses its own",
    )
    add_data(parser)
    parser.add_argument(
        "--family",
        action="store_true",
        help="leave out words that wound or are coarse: they are not playable, never shown as the best play missed, "
        "and not explained",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a name or address under which the page is reached, besides this computer's own; may be given again",
    )
    add_profile(parser)
    add_offers(parser)


def _add_keeping(commands: Commands) -> None:
    backup = add_command(commands, "backup", "backup:run_backup", "all games and their pictures in one file")
    backup.add_argument("file", type=Path, metavar="FILE", help="the file to write, such as games.zip")
    backup.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="the folder that the games are in; as for serve when not given",
    )
    restore = add_command(commands, "restore", "backup:run_restore", "games from a backup, in a new folder")
    restore.add_argument("file", type=Path, metavar="FILE", help="what backup wrote")
    restore.add_argument(
        "--data",
        type=Path,
        required=True,
        metavar="DIR",
        help="the folder to put the games in, one without games",
    )


def _add_demo(commands: Commands) -> None:
    parser = add_command(
        commands,
        "demo",
        "serve:run_demo",
        "serve the page with a sample game that plays itself, no camera needed",
    )
    add_address(parser)
    parser.add_argument(
        "--pace",
        type=float,
        default=6.0,
        metavar="SECONDS",
        help="time between two turns, 0.2 to 3600; 6 when not given",
    )
    add_data(parser)
    add_profile(parser)
