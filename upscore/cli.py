"""The `upscore` command: how it runs and ends, then the options of every command.

What carries a command out is imported only when it is called for. Each option's help is written once and serves --help
and docs/commands.md.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from engine import EDITIONS, UpscoreError
from engine.wording import did_you_mean
from upscore.commands.console import DONE, MISUSED, UsageError, incomplete, say, tell
from vision.system import never_fail_at_signs

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[Parser]"

STOPPED = 130
"""Exit status of a command that was stopped from the keyboard, as in shells."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 partly, 2 misused. Raises SystemExit as argparse does.

    No failure shows a traceback, unless the environment sets UPSCORE_DEBUG.
    """
    never_fail_at_signs()
    # OpenCV and FFmpeg complain on stderr in words of their own. They read these when they are imported.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    words = sys.argv[1:] if argv is None else argv
    try:
        if "COMP_LINE" in os.environ and words[:1] == ["--complete"]:  # the shell asks, after Tab
            for name in completions(os.environ["COMP_LINE"]):
                tell(name)
            return DONE
        check_hyphens(words)
        args = build_parser().parse_args(words)
        status: int = _runner(args.run)(args)
        sys.stdout.flush()
        return status
    except UpscoreError as error:
        return _fail(str(error))
    except BrokenPipeError:
        _drop_output()  # the program that read our output has closed it
        return DONE
    except KeyboardInterrupt:
        say("Stopped.")
        return STOPPED
    except Exception as error:
        if os.environ.get("UPSCORE_DEBUG"):
            raise
        if isinstance(error, OSError):
            _drop_output()
            where = f"{error.filename}: " if error.filename else ""
            return _fail(f"{where}{error.strerror or error}. Check the disk, and names and permissions.")
        what = f"{type(error).__name__}: {error}".split("\n")[0]
        return _fail(f"something went wrong ({what}). Please report it, and say what you did.")


def completions(line: str) -> list[str]:
    """Return what may stand in place of the last word of a command line: a command, or an option of its command.

    >>> completions("upscore solve --thi")
    ['--think']
    """
    *before, begun = re.split(r"\s+", line)
    parser = build_parser()
    if before[1:3] == ["service", "install"]:  # takes the options of serve
        before = ["upscore", "serve"]
    for word in before[1:]:
        if parser.commands is not None and word in parser.commands.choices:
            parser = parser.commands.choices[word]
    known = parser.commands.choices if parser.commands is not None else ()
    options = [name for name in parser.option_names() if name.startswith("--")] if begun.startswith("-") else []
    return [name for name in (*known, *options) if name.startswith(begun)]


def _runner(name: str) -> Callable[..., int]:
    """Return the function that carries a command out, "module:function" of upscore.commands."""
    module, _, function = name.partition(":")
    try:
        runner: Callable[..., int] = getattr(import_module(f"upscore.commands.{module}"), function)
    except ImportError as error:
        raise incomplete(error) from None
    return runner


def _fail(why: str) -> int:
    say(f"upscore: {why}")
    return MISUSED


def _drop_output() -> None:
    """Throw away output that isn't written yet, so that Python doesn't complain about it at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


class Parser(argparse.ArgumentParser):
    """argparse with errors of one line that suggest what the user may have meant."""

    commands: Commands | None = None

    def option(self, name: str, metavar: str, help: str, **more: Any) -> None:
        """Add an option or an argument with a value, which usage and help show as `metavar`."""
        self.add_argument(name, metavar=metavar, help=help, **more)

    def flag(self, name: str, help: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=help)

    def option_names(self) -> list[str]:
        """Return every option, in the order of --help."""
        return [name for action in self._actions for name in action.option_strings]

    def error(self, message: str) -> NoReturn:
        wrong = re.match(
            r"argument .*: invalid choice: '(.*?)' \(choose from (.*)\)|unrecognized arguments: (\S+)", message
        )
        if wrong and wrong[1] is not None:
            message = message.partition(" (choose")[0] + did_you_mean(wrong[1], re.findall(r"[\w-]+", wrong[2]))
        elif wrong and self.commands is not None:
            usages = " ".join(each.format_usage() for each in self.commands.choices.values())
            message += did_you_mean(wrong[3], re.findall(r"--[\w-]+", usages))
        say(f"{self.prog}: {message}. See '{self.prog} --help'.")
        raise SystemExit(MISUSED)


class ShowVersion(argparse.Action):
    """Prints which version is installed and exits with 0. The version is looked up only when somebody asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            tell(f"upscore {version('upscore')}")
        except PackageNotFoundError:
            tell("upscore, run from its folder, not installed")
        raise SystemExit(DONE)


def _add_command(commands: Commands, name: str, run: str, purpose: str) -> Parser:
    """Add a command that "module:function" of upscore.commands carries out; `purpose` says in a clause what it does."""
    described = f"{purpose[0].upper()}{purpose[1:]}."
    parser = commands.add_parser(name, help=purpose, description=described, allow_abbrev=False)
    parser.set_defaults(run=run)
    return parser


def _add_position(parser: Parser) -> None:
    parser.option(
        "position", "POSITION.json", "the board as it stands: a position file, a diagram, or a game", type=Path
    )


def _add_judging(parser: Parser, lexicon: str = "the word list that was agreed on", rules: str = "house rules") -> None:
    """Add the word list and the house rules; `lexicon` and `rules` say whose."""
    parser.option(
        "--lexicon",
        "NAME_OR_FILE",
        f"{lexicon}: its name, a language such as nl, or a file of words; both when not given",
    )
    parser.option("--rules", "FILE", f"{rules}: a file", type=Path)


def _add_seeing(parser: Parser, overlay: str) -> None:
    """Add the options of the commands that read pictures; `overlay` says what --overlay draws."""
    _add_board(parser)
    _add_profile(parser)
    parser.option(
        "--overlay", "DIR", f"also write a picture {overlay}; DIR must not be the folder of the photographs", type=Path
    )


def _add_board(parser: Parser) -> None:
    known = ", ".join(f"{name} ({each.note})" if each.note else name for name, each in EDITIONS.items())
    parser.option("--edition", "E", f"which board: {known}, or the file of a set of your own")
    parser.option(
        "--grid",
        "N",
        "in place of --edition, any other N x N board of letter tiles, 2 to 21. Its Q is a lone Q, and read "
        "expects flat tiles",
        type=int,
    )
    parser.option(
        "--corners",
        '"x,y x,y x,y x,y"',
        "the corners of the playing grid, in pixels of the photograph: top left, top right, bottom right, bottom left, "
        "with the letters upright. They may lie outside it",
    )


def _add_profile(parser: Parser) -> None:
    parser.option(
        "--profile",
        "FILE",
        "the file that calibrate wrote about your camera and your tiles; used for pictures of that shape and edition",
        type=Path,
    )


def _add_address(parser: Parser) -> None:
    parser.option(
        "--host",
        "H",
        "the address to serve at: this computer alone (127.0.0.1) when not given, 0.0.0.0 for the phones in the "
        "room too",
        default="127.0.0.1",
    )
    parser.option("--port", "P", "the port, 8000 when not given; 0 takes any that is free", type=int, default=8000)
    parser.flag(
        "--no-browser",
        "don't open a browser. Otherwise one opens, if the command runs in a terminal on this computer's own screen",
    )


def _add_name(parser: Parser) -> None:
    parser.option(
        "--name",
        "HOST",
        "a name or address under which the page is reached, besides this computer's own; may be given again",
        action="append",
        default=[],
    )


def _add_data(parser: Parser, purpose: str) -> None:
    """Add --data for the commands that find the folder as `serve` does; `purpose` says what is in it."""
    parser.option("--data", "DIR", purpose, type=Path)


_SERVED_DATA = (
    "where games and photographs are kept; when not given, ~/.local/share/upscore on Linux, ~/Library/Application "
    "Support/upscore on a Mac, and AppData\\Local\\upscore on Windows. One server at a time serves a folder"
)
_GAMES_DATA = "the folder that the games are in; as for serve when not given"


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
    parser.commands = what
    target = _add_command(what, "target", "calibrate:target", "write the target that cameras are calibrated with")
    target.option("output", "OUT.png", "the picture to print or to show", type=Path)
    camera = _add_command(what, "camera", "calibrate:camera", "measure a camera's lens from pictures of the target")
    camera.option("sources", "PICTURES", "photographs, folders of them, or a video", nargs="+", type=Path)
    tiles = _add_command(what, "tiles", "calibrate:tiles", "learn a set's letters and how thick its tiles are")
    tiles.option("photos", "PHOTO", "all tiles face up, one on each square", nargs="*", type=Path)
    _add_board(tiles)
    tiles.option(
        "--from-game",
        "FOLDER",
        "learn from a game's photographs, as replay takes them, the first of the empty board: every turn that "
        "needs no question",
        type=Path,
    )
    tiles.option(
        "--stack",
        "HEIGHT,SIDE",
        "how high five tiles stand on top of each other and how long a side of the playing grid is, in "
        "millimetres, by a ruler",
    )
    for kind in (camera, tiles):
        kind.option(
            "--profile",
            "FILE",
            "the profile to write; what it already holds of the other (camera or tiles) stays in it",
            type=Path,
            required=True,
        )


def build_parser() -> Parser:
    """Return the parser of all commands; each sets `run` to the "module:function" that carries it out."""
    parser = Parser(prog="upscore", description="Watches an Upwords board, referees it and keeps the score.")
    parser.add_argument("-V", "--version", action=ShowVersion, nargs=0, help="say which version this is")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    adders = (
        _add_read, _add_replay, _add_judge, _add_score, _add_solve, _add_review, _add_calibrate, _add_serve,
        _add_keeping, _add_service, _add_tables, _add_doctor, _add_demo,
    )  # fmt: skip
    parser.commands = commands
    for add in adders:
        add(commands)
    return parser


def check_hyphens(words: Sequence[str]) -> None:
    """Raise UsageError if a word to judge begins with a hyphen and would be taken for an option."""
    asked = words[1 : words.index("--")] if "--" in words else words[1:]
    for word in asked if words and words[0] == "judge" else ():
        if word.startswith("-") and not word.startswith("--") and word not in ("-", "-h"):
            raise UsageError(f"{word} looks like an option: write 'upscore judge -- {word}' to ask about it.")


def _add_read(commands: Commands) -> None:
    parser = _add_command(commands, "read", "read:run", "read photographs of boards, each on its own")
    parser.option("images", "IMAGE", "a photograph: JPEG, HEIC, AVIF, PNG, WebP, BMP or TIFF", nargs="+", type=Path)
    parser.flag("--json", "one line of JSON for each photograph")
    _add_seeing(parser, "of each photograph, with grid, letters, heights and doubts")


def _add_replay(commands: Commands) -> None:
    parser = _add_command(
        commands, "replay", "replay.command:run", "score a game from photographs of its turns, or from a video"
    )
    parser.option(
        "source",
        "FOLDER_OR_VIDEO",
        "a video, or a folder of photographs, the first of the start. Their times order them if all have one, or else "
        "their names (2 before 10)",
        type=Path,
    )
    parser.option(
        "--players",
        "NAMES",
        "one to four names, separated by commas, in the order of their turns; Red,Blue when not given",
        default="Red,Blue",
    )
    parser.option("--start", "POSITION.json", "the board before the first turn, where it is not empty", type=Path)
    parser.option(
        "--photographed",
        "WHEN",
        "turn if the photographs of a folder were taken after every turn, round if every round; turn when not given",
        choices=("turn", "round"),
        default="turn",
    )
    parser.flag("--by-name", "take the photographs in the order of their names, whatever their times say")
    parser.flag("--json", "one line of JSON for each turn, and one for the end")
    _add_seeing(parser, "of each turn, with its tiles framed and its points below")
    _add_judging(parser)


def _add_judge(commands: Commands) -> None:
    parser = _add_command(
        commands, "judge", "judge:judge", "settle a challenge: may these words be played, and what do they mean"
    )
    parser.option("words", "WORD", "a word in question", nargs="+")
    parser.flag("--json", "JSON instead of text")
    _add_judging(parser)


def _add_score(commands: Commands) -> None:
    parser = _add_command(commands, "score", "judge:score", "check and score one play")
    _add_position(parser)
    parser.option(
        "--tiles", "'N@d7 A@e7'", "the tiles played, each with its square; or runs such as 'c4-MOOD'", required=True
    )
    parser.option(
        "--rack", "AEINSTQu", "the tiles that were held; only the house rule bonus_for_short_rack asks for them"
    )
    parser.flag("--json", "JSON instead of text")
    _add_judging(parser)


def _add_solve(commands: Commands) -> None:
    parser = _add_command(commands, "solve", "judge:solve", "find every legal play for a rack, best first")
    _add_position(parser)
    parser.option(
        "--rack",
        "AEINSTQu",
        "the tiles held, seven at most; Qu is one tile (two on another game's board). --squares works without it",
    )
    parser.option(
        "--squares", "b4,c4,d4", "only plays on exactly these squares: one to seven of one row or column, in any order"
    )
    parser.option("--top", "N", "only the N best", type=int)
    parser.flag(
        "--think", "weigh the best plays, a pass and exchanges by what the next player can answer and by the tiles kept"
    )
    parser.option(
        "--seconds",
        "S",
        "stop thinking after this time, and tell the best so far; all is weighed when not given",
        type=float,
    )
    parser.flag("--json", "JSON instead of text")
    _add_judging(parser)


def _add_review(commands: Commands) -> None:
    parser = _add_command(
        commands, "review", "review:run", "look back at a game: what each turn could have done better"
    )
    parser.option("game", "GAME", "a game that the page saved as text or JSON", type=Path)
    parser.option("--lexicon", "NAME_OR_FILE", "the word list to judge by, when not the one that the game names")
    parser.flag("--json", "one line of JSON for each turn")


def _add_serve(commands: Commands) -> None:
    parser = _add_command(commands, "serve", "serve:run_serve", "serve the scoresheet page")
    _add_address(parser)
    parser.flag(
        "--https",
        "serve over https, with a certificate for this computer's names and addresses and those of --name. Compare the "
        "fingerprint (SHA-256) that is printed with the one that the browser shows",
    )
    parser.option(
        "--camera",
        "SOURCE",
        "a camera to take turns from: its number, its name or a part of it, a path such as /dev/v4l/by-id/..., a video "
        "file, or an http or rtsp address of a film or of single pictures. Label several, A=SOURCE: each game chooses",
        action="append",
        default=[],
    )
    _add_data(parser, _SERVED_DATA)
    parser.flag(
        "--family",
        "leave out slurs and coarse words: they are not playable, not shown as plays missed, and not explained",
    )
    _add_name(parser)
    parser.flag(
        "--behind-proxy",
        "a reverse proxy passes requests on. Nobody has the rights of the person at this computer: "
        "the terminal shows the link to manage the page, and no browser opens",
    )
    _add_profile(parser)
    _add_judging(
        parser, "the word list that a new game is offered first", "the house rules that a new game begins with"
    )


def _add_keeping(commands: Commands) -> None:
    backup = _add_command(commands, "backup", "backup:run_backup", "all games and their pictures in one file")
    backup.option("file", "FILE", "the file to write, such as games.zip", type=Path)
    _add_data(backup, _GAMES_DATA)
    restore = _add_command(commands, "restore", "backup:run_restore", "games from a backup, in a new folder")
    restore.option("file", "FILE", "what backup wrote, or the folder that it was unpacked to", type=Path)
    restore.option("--data", "DIR", "the folder to put the games in, one without games", type=Path, required=True)


def _add_service(commands: Commands) -> None:
    parser = _add_command(
        commands, "service", "service:run", "serve the page whenever the computer is on, as a service of systemd"
    )
    parser.option(
        "action",
        "WHAT",
        "install, remove, or status, which prints the address, the PIN and the QR code",
        choices=("install", "remove", "status"),
    )
    parser.option(
        "options",
        "OPTION...",
        "of install: options of serve, such as --port 8080; phones are let in unless --host says otherwise",
        nargs=argparse.REMAINDER,
    )


def _add_tables(commands: Commands) -> None:
    parser = _add_command(
        commands, "tables", "serve:run_tables", "serve one page with the games of any number of Upscores, to watch"
    )
    parser.option(
        "addresses",
        "ADDRESS",
        "the page of an Upscore, or its link to watch if it asks for one; NAME=ADDRESS also gives it a name",
        nargs="+",
    )
    _add_address(parser)
    _add_name(parser)
    _add_data(parser, "the folder that keeps which Upscores have let this page in; as for serve when not given")


def _add_demo(commands: Commands) -> None:
    parser = _add_command(
        commands, "demo", "serve:run_demo", "serve the page with a sample game that explains itself, no camera needed"
    )
    _add_address(parser)
    parser.option("--pace", "SECONDS", "time between two steps, 0.2 to 3600; 8 when not given", type=float, default=8.0)
    _add_data(parser, _SERVED_DATA)
    _add_profile(parser)


def _add_doctor(commands: Commands) -> None:
    parser = _add_command(
        commands, "doctor", "doctor:run", "say what works on this computer, to send to somebody who helps"
    )
    parser.option("--port", "P", "the port of the page, 8000 when not given", type=int, default=8000)
    parser.option("--pictures", "DIR", "also write a picture of what each camera sees", type=Path)
    _add_data(parser, _GAMES_DATA)
