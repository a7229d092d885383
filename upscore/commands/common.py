"""What several commands share: options, and turning their texts into what the parts work with."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.editions import Edition, edition_named, grid_edition
from engine.errors import UpscoreError
from engine.houserules import SHEET_RULES, HouseRules, parse_house_rules
from engine.tiles import excess_letters

DONE, PARTLY, MISUSED = 0, 1, 2
"""Exit statuses: done; done but some input could not be read or some word is not playable; the call's words are off."""


class UsageError(UpscoreError):
    """The words of the call are off."""


class Parser(argparse.ArgumentParser):
    """argparse with errors of one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: {message}. See '{self.prog} --help'.")
        raise SystemExit(MISUSED)


if TYPE_CHECKING:  # argparse's class is generic for type checkers only
    Commands: TypeAlias = argparse._SubParsersAction[Parser]


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Options of the commands that judge."""
    parser.add_argument(
        "--lexicon", default="standard", metavar="NAME_OR_FILE", help="a shipped list, or a file of words"
    )
    parser.add_argument("--rules", type=Path, metavar="FILE", help="house rules")


def add_seeing(parser: argparse.ArgumentParser) -> None:
    """Options of the commands that look at pictures."""
    parser.add_argument("--edition", metavar="E", help="8x8, 10x10 or 11x11")
    parser.add_argument("--grid", type=int, metavar="N", help="any other N x N letter-tile board (2 to 21)")
    parser.add_argument(
        "--corners", metavar='"x,y x,y x,y x,y"', help="corners of the grid: TL TR BR BL, letters upright"
    )
    parser.add_argument("--profile", type=Path, metavar="FILE", help="what 'upscore calibrate' wrote")
    parser.add_argument("--overlay", type=Path, metavar="DIR", help="write pictures to check the reading by")


def chosen_edition(args: argparse.Namespace) -> Edition:
    """The edition of --edition or --grid."""
    if args.grid is not None and args.edition is not None:
        raise UsageError("Give --edition or --grid, not both.")
    if args.grid is not None:
        return grid_edition(args.grid)
    if args.edition is None:
        raise UsageError(
            "Say which board it is: --edition 8x8, --edition 10x10, or --grid N for another game's."
        )
    return edition_named(args.edition)


def house_rules(args: argparse.Namespace) -> HouseRules:
    """The house rules of --rules, or the sheets'."""
    if args.rules is None:
        return SHEET_RULES
    return parse_house_rules(read_text(args.rules))


def read_text(path: Path) -> str:
    """A text file's contents; raises UsageError with one line that says what to do."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"There is no file {path}: check the name.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text file in UTF-8: save it as one.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): check its permissions.") from None


def parse_corners(text: str | None) -> npt.NDArray[np.float64] | None:
    """Four corners (4, 2) px from "x,y x,y x,y x,y"."""
    if text is None:
        return None
    try:
        corners = np.array([[float(v) for v in pair.split(",")] for pair in text.split()], dtype=np.float64)
    except ValueError:
        corners = np.zeros(0)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise UsageError('--corners takes four points, "x,y x,y x,y x,y": TL TR BR BL of the playing grid.')
    away = np.roll(corners, -1, axis=0) - corners
    turns = away[:, 0] * np.roll(away[:, 1], -1) - away[:, 1] * np.roll(away[:, 0], -1)
    if not (np.all(turns > 0) or np.all(turns < 0)):
        raise UsageError(
            "--corners do not go around a board: give TL TR BR BL of the playing grid, letters upright."
        )
    return corners


def overlay_folder(path: Path | None) -> Path | None:
    """The folder for overlays, made if need be."""
    if path is None:
        return None
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be made a folder ({error.strerror}): give another for --overlay."
        ) from None
    return path


def warn_of_excess(edition: Edition, board: Board) -> None:
    """A line on stderr for every letter of which the position has more than the edition."""
    for line in excess_letters(edition, board.counts()):
        say(f"warning: {line}")


def say(line: str) -> None:
    """A line of log or progress, on stderr."""
    print(line, file=sys.stderr, flush=True)
