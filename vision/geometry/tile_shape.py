"""The usual shape of a letter tile, in cells: every stage takes a tile's measures from here.

Tiles of the classic sets are 0.93 to 0.97 of the pitch wide, those of many others 0.86. The flat face is raised on a
lower shelf and spans 0.75 to 0.8 (measured on photographs of sets on sale). Whatever is sampled from a tile keeps
inside the smallest of these, so that it meets no set's rim or neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats


@dataclass(frozen=True)
class TileShape:
    """Sides and distances of a tile that lies in the middle of its square, cells.

    Attributes:
        footprint: side of the area that a tile covers, for the smallest usual tile. Letting tiles be 0.86 in training,
            not 0.90 and more, corrected stacks of small tiles that were read a layer too low. [by hand]
        letter: side of the part of a face that its letter may fill. [by eye]
        wall: distance from the middle of the square to the wall on which colours are sampled. It is a little inside the
            outermost edge, so that it meets the wall of a small tile too. [by eye]
        seam_wall: distance from the middle to the wall on which seams are searched, a little further out. The phase
            absorbs its error. [by eye]
        middling_wall: distance from the middle to the wall of a tile of middling size, for how wide walls look; sets
            measure 0.43 to 0.48.
        ground: distances, both ways, from the middle to the four corners of a face that letters and prints leave free.
            [by eye]
        wall_span: half the length of wall that is clear of the corners, for colours. [by eye]
        seam_span: half the length of wall for seams, which need more of it. [by eye]
    """

    footprint: float = 0.86
    letter: float = 0.72
    wall: float = 0.42
    seam_wall: float = 0.47
    middling_wall: float = 0.45
    ground: tuple[float, ...] = (-0.32, -0.24, 0.24, 0.32)
    wall_span: float = 0.25
    seam_span: float = 0.28

    @property
    def half(self) -> float:
        """Half the footprint's side."""
        return self.footprint / 2

    def corners(self) -> Floats:
        """Return the footprint's corners (4, 2) from its middle, clockwise."""
        return self.half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float64)


TILE = TileShape()
