"""What the parsers of the commands share: how a command is added, and the options that several of them take.

What an option is for is said once, for --help and for docs/commands.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from engine.editions import EDITIONS
from upscore.commands.console import DONE, MISUSED, say, tell


class Parser(argparse.ArgumentParser):
    """argparse with errors of one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: {message}. See '{self.prog} --help'.")
        raise SystemExit(MISUSED)


class ShowVersion(argparse.Action):
    """Prints which version is installed, looked up only when it is asked for, and ends with 0."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            tell(f"upscore {version('upscore')}")
        except PackageNotFoundError:
            tell("upscore, run from its folder, not installed")
        raise SystemExit(DONE)


if TYPE_CHECKING:  # argparse's class is generic for type checkers only
    Commands: TypeAlias = argparse._SubParsersAction[Parser]


def add_command(commands: Commands, name: str, run: str, purpose: str) -> Parser:
    """A command that "module:function" of upscore.commands carries out; `purpose` is what it does, a clause."""
    described = f"{purpose[0].upper()}{purpose[1:]}."
    parser = commands.add_parser(name, help=purpose, description=described, allow_abbrev=False)
    parser.set_defaults(run=run)
    return parser


def add_position(parser: argparse.ArgumentParser) -> None:
    """The board of the commands that judge plays."""
    parser.add_argument(
        "position", type=Path, metavar="POSITION.json", help="the board as it stands: a position file"
    )


def add_json(parser: argparse.ArgumentParser, purpose: str) -> None:
    """--json, with what it prints."""
    parser.add_argument("--json", action="store_true", help=purpose)


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Options of the commands that judge."""
    _add_lists(parser, "the word list that was agreed on", "house rules")


def add_offers(parser: argparse.ArgumentParser) -> None:
    """What a new game of a page is offered."""
    _add_lists(
        parser, "the word list that a new game is offered first", "the house rules that a new game is offered"
    )


def _add_lists(parser: argparse.ArgumentParser, lexicon: str, rules: str) -> None:
    parser.add_argument(
        "--lexicon",
        default="both",
        metavar="NAME_OR_FILE",
        help=f"{lexicon}: one that is shipped, or a file of words; both when not given",
    )
    parser.add_argument("--rules", type=Path, metavar="FILE", help=f"{rules}: a file")


def add_seeing(parser: argparse.ArgumentParser, overlay: str) -> None:
    """Options of the commands that read pictures; `overlay` is what --overlay draws."""
    add_board(parser)
    add_profile(parser)
    parser.add_argument(
        "--overlay",
        type=Path,
        metavar="DIR",
        help=f"also write a picture {overlay}; DIR must not be the folder of the photographs",
    )


def add_board(parser: argparse.ArgumentParser) -> None:
    """Options that say which board it is, and where."""
    parser.add_argument("--edition", metavar="E", help=f"which board: {_editions()}")
    parser.add_argument(
        "--grid",
        type=int,
        metavar="N",
        help="in place of --edition, any other N x N board of letter tiles, 2 to 21; its Q is a lone Q",
    )
    parser.add_argument(
        "--corners",
        metavar='"x,y x,y x,y x,y"',
        help="where the playing grid is, when it need not be searched for: its top left, top right, bottom right and "
        "bottom left corner with the letters upright, in pixels of the photograph (which they may lie outside)",
    )


def add_profile(parser: argparse.ArgumentParser) -> None:
    """--profile of the commands that only use one."""
    parser.add_argument(
        "--profile",
        type=Path,
        metavar="FILE",
        help="what calibrate knows of your camera and your tiles; used for pictures of that shape and that edition",
    )


def add_address(parser: argparse.ArgumentParser) -> None:
    """Where a page is served."""
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="H",
        help="the address to serve at: this computer alone (127.0.0.1) when not given, 0.0.0.0 for the phones in the "
        "room too",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=8000,
        metavar="P",
        help="the port, 8000 when not given; 0 takes any that is free",
    )


def add_data(parser: argparse.ArgumentParser) -> None:
    """Add where games are kept."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="where games and photographs are kept; ~/.local/share/upscore when not given. One server at a time serves "
        "a folder",
    )


def _editions() -> str:
    """The editions, each with what of it is not refereed."""
    return ", ".join(f"{name} ({known.note})" if known.note else name for name, known in EDITIONS.items())
