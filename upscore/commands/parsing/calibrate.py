"""The words that `upscore calibrate` takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from upscore.commands.parsing.options import add_board, add_command

if TYPE_CHECKING:
    from upscore.commands.parsing.options import Commands, Parser


def add_calibrate(commands: Commands) -> None:
    """Add it, with its three kinds."""
    parser = commands.add_parser(
        "calibrate",
        help="measure a camera's lens, or learn a set of tiles",
        description="Measures a camera's lens, or learns a set of tiles, and keeps it in a profile.",
        allow_abbrev=False,
    )
    what = parser.add_subparsers(
        required=True, metavar="WHAT", help="target, camera or tiles; each has a --help of its own"
    )
    target = add_command(
        what, "target", "calibrate:target", "write the target that cameras are calibrated with"
    )
    target.add_argument("output", type=Path, metavar="OUT.png", help="the picture to print or to show")
    camera = add_command(
        what, "camera", "calibrate:camera", "measure a camera's lens from pictures of the target"
    )
    camera.add_argument(
        "sources", nargs="+", type=Path, metavar="PICTURES", help="photographs, folders of them, or a video"
    )
    tiles = _add_tiles(what)
    for kind in (camera, tiles):
        kind.add_argument(
            "--profile",
            type=Path,
            required=True,
            metavar="FILE",
            help="the profile to write; what it already holds of the other (camera or tiles) stays in it",
        )


def _add_tiles(what: Commands) -> Parser:
    tiles = add_command(what, "tiles", "calibrate:tiles", "learn a set's letters and how thick its tiles are")
    tiles.add_argument(
        "photos", nargs="*", type=Path, metavar="PHOTO", help="all tiles face up, one on each square"
    )
    add_board(tiles)
    tiles.add_argument(
        "--from-game",
        type=Path,
        metavar="FOLDER",
        help="learn from a game's photographs, as replay takes them, the first of the empty board: every turn that "
        "needs no question",
    )
    tiles.add_argument(
        "--stack",
        metavar="HEIGHT,SIDE",
        help="how high five tiles stand on top of each other and how long a side of the playing grid is, in "
        "millimetres, by a ruler",
    )
    return tiles
