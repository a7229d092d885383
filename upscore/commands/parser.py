"""The words that the commands take. What carries a command out is imported only when it is called for."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from engine.editions import EDITIONS
from upscore.commands.console import MISUSED, say


class Parser(argparse.ArgumentParser):
    """argparse with errors of one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: {message}. See '{self.prog} --help'.")
        raise SystemExit(MISUSED)


if TYPE_CHECKING:  # argparse's class is generic for type checkers only
    Commands: TypeAlias = argparse._SubParsersAction[Parser]


def build_parser() -> Parser:
    """The parser of all commands; each sets `run` to the "module:function" that carries it out."""
    parser = Parser(prog="upscore", description="Watches an Upwords board, referees it and keeps the score.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    adders = (
        _add_read, _add_replay, _add_judge, _add_score, _add_solve, _add_calibrate, _add_serve, _add_keeping, _add_demo,
    )  # fmt: skip
    for add in adders:
        add(commands)
    return parser


def _command(commands: Commands, name: str, run: str, told: str) -> Parser:
    described = f"{told[0].upper()}{told[1:]}."
    parser = commands.add_parser(name, help=told, description=described, allow_abbrev=False)
    parser.set_defaults(run=run)
    return parser


def _add_read(commands: Commands) -> None:
    parser = _command(commands, "read", "read:run", "read photographs of boards, each on its own")
    parser.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help="a photograph: JPEG, PNG, WebP, HEIC"
    )
    _add_json(parser, "one line of JSON for each photograph")
    _add_seeing(parser)


def _add_replay(commands: Commands) -> None:
    parser = _command(
        commands,
        "replay",
        "replay.command:run",
        "score a game from photographs of its turns, or from a video",
    )
    parser.add_argument(
        "source",
        type=Path,
        metavar="FOLDER_OR_VIDEO",
        help="photographs in the order of their names, or a video",
    )
    parser.add_argument(
        "--players", default="Red,Blue", metavar="NAMES", help="one to four, separated by commas"
    )
    parser.add_argument("--start", type=Path, metavar="POSITION.json", help="the board before the first turn")
    _add_json(parser, "one line of JSON for each turn, and one for the end")
    _add_seeing(parser)
    _add_judging(parser)


def _add_judge(commands: Commands) -> None:
    parser = _command(
        commands,
        "judge",
        "judge:judge",
        "settle a challenge: may these words be played, and what do they mean",
    )
    parser.add_argument("words", nargs="+", metavar="WORD", help="a word in question")
    _add_json(parser, "JSON instead of text")
    _add_judging(parser)


def _add_score(commands: Commands) -> None:
    parser = _command(commands, "score", "judge:score", "check and score one play")
    _add_position(parser)
    parser.add_argument(
        "--tiles", required=True, metavar="'N@d7 A@e7'", help="the tiles played, each with its square"
    )
    parser.add_argument(
        "--rack", metavar="AEINSTQu", help="the tiles that were held; asked for by a house rule alone"
    )
    _add_json(parser, "JSON instead of text")
    _add_judging(parser)


def _add_solve(commands: Commands) -> None:
    parser = _command(commands, "solve", "judge:solve", "find every legal play for a rack, best first")
    _add_position(parser)
    parser.add_argument("--rack", metavar="AEINSTQu", help="the tiles on the rack")
    parser.add_argument(
        "--squares", metavar="b4,c4,d4", help="only plays on just these squares; the rack may then be unknown"
    )
    parser.add_argument("--top", type=int, metavar="N", help="only the N best")
    _add_json(parser, "JSON instead of text")
    _add_judging(parser)


def _add_calibrate(commands: Commands) -> None:
    parser = commands.add_parser(
        "calibrate",
        help="measure a camera's lens, or learn a set of tiles",
        description="Measures a camera's lens, or learns a set of tiles, and keeps it in a profile.",
        allow_abbrev=False,
    )
    what = parser.add_subparsers(
        required=True, metavar="WHAT", help="target, camera or tiles; each has a --help of its own"
    )
    target = _command(what, "target", "calibrate:target", "write the target that cameras are calibrated with")
    target.add_argument("output", type=Path, metavar="OUT.png", help="the picture to print or to show")
    camera = _command(
        what, "camera", "calibrate:camera", "measure a camera's lens from pictures of the target"
    )
    camera.add_argument(
        "sources", nargs="+", type=Path, metavar="PICTURES", help="photographs, folders of them, or a video"
    )
    tiles = _command(what, "tiles", "calibrate:tiles", "learn a set's letters and how thick its tiles are")
    tiles.add_argument(
        "photos", nargs="*", type=Path, metavar="PHOTO", help="all tiles face up, one on each square"
    )
    _add_board(tiles)
    tiles.add_argument(
        "--from-game",
        type=Path,
        metavar="FOLDER",
        help="learn from a game's photographs, as replay takes them",
    )
    tiles.add_argument(
        "--stack", metavar="HEIGHT,SIDE", help="height of five stacked tiles, and side of the grid, in mm"
    )
    for kind in (camera, tiles):
        kind.add_argument(
            "--profile", type=Path, required=True, metavar="FILE", help="the profile to write, or to add to"
        )


def _add_serve(commands: Commands) -> None:
    parser = _command(commands, "serve", "serve:run_serve", "serve the scoresheet page")
    _add_address(parser)
    parser.add_argument("--https", action="store_true", help="over https, with a certificate of its own")
    parser.add_argument(
        "--camera",
        action="append",
        default=[],
        metavar="SOURCE",
        help="a device number, a file, or an http or rtsp address; several as A=SOURCE, each game with its own",
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="where games are kept")
    parser.add_argument(
        "--family",
        action="store_true",
        help="leave out words that wound or are coarse: from play, hints and meanings",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a name or address under which the page is reached besides its own (may be given again)",
    )
    _add_profile(parser)
    _add_judging(parser)


def _add_keeping(commands: Commands) -> None:
    backup = _command(commands, "backup", "backup:run_backup", "all games and their pictures in one file")
    backup.add_argument("file", type=Path, metavar="FILE", help="the file to write, such as games.zip")
    backup.add_argument("--data", type=Path, metavar="DIR", help="where games are kept")
    restore = _command(commands, "restore", "backup:run_restore", "games from a backup, in a new folder")
    restore.add_argument("file", type=Path, metavar="FILE", help="what backup wrote")
    restore.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder to put them in")


def _add_demo(commands: Commands) -> None:
    parser = _command(
        commands,
        "demo",
        "serve:run_demo",
        "serve the page with a sample game that plays itself, no camera needed",
    )
    _add_address(parser)
    parser.add_argument("--pace", type=float, default=6.0, metavar="SECONDS", help="time between turns (6)")
    _add_profile(parser)


def _add_position(parser: Parser) -> None:
    parser.add_argument("position", type=Path, metavar="POSITION.json", help="the board as it stands")


def _add_json(parser: Parser, told: str) -> None:
    parser.add_argument("--json", action="store_true", help=told)


def _add_judging(parser: Parser) -> None:
    """Options of the commands that judge."""
    parser.add_argument(
        "--lexicon", default="both", metavar="NAME_OR_FILE", help="a shipped list, or a file of words"
    )
    parser.add_argument("--rules", type=Path, metavar="FILE", help="house rules")


def _add_seeing(parser: Parser) -> None:
    """Options of the commands that read pictures."""
    _add_board(parser)
    _add_profile(parser)
    parser.add_argument("--overlay", type=Path, metavar="DIR", help="write pictures to check the reading by")


def _add_board(parser: Parser) -> None:
    """Options that say which board it is, and where."""
    parser.add_argument("--edition", metavar="E", help=_editions())
    parser.add_argument("--grid", type=int, metavar="N", help="any other N x N letter-tile board (2 to 21)")
    parser.add_argument(
        "--corners", metavar='"x,y x,y x,y x,y"', help="corners of the grid: TL TR BR BL, letters upright"
    )


def _editions() -> str:
    """The editions, each with what of it is not refereed."""
    return "; ".join(f"{name} ({known.note})" if known.note else name for name, known in EDITIONS.items())


def _add_profile(parser: Parser) -> None:
    parser.add_argument("--profile", type=Path, metavar="FILE", help="your camera and tiles, from calibrate")


def _add_address(parser: Parser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="0.0.0.0 lets other devices in (127.0.0.1)"
    )
    parser.add_argument(
        "--port", type=int, default=8000, metavar="P", help="port, 0 for any that is free (8000)"
    )
