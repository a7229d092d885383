"""Every source of evidence of a reading, in the order in which the reader asks them.

The plane sweep isn't listed: without it there is nothing to weigh evidence against. Words help to find which way up the
letters stand; leave them out by giving no word list.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace

from vision.heights.apparent_size import apparent_sizes
from vision.heights.colour import colour_log_odds
from vision.heights.comparison import compared_heights
from vision.heights.elevations import SliceState, Source, overlap_log_odds
from vision.heights.walls import seam_log_odds, wall_heights
from vision.letters.faces import WindowState, own_faces_log_odds
from vision.letters.joining import LetterState, unclaimed_letter_log_odds, upright_letter_log_odds
from vision.letters.second_look import TesseractCheck, second_look_log_odds
from vision.stopwatch import Stopwatch


@dataclass(frozen=True)
class Sources:
    """The sources of evidence, by what they speak about.

    Attributes:
        slices: the slice in which each face lies, (n, n, SLICES).
        thickness: how thick a layer is, (m,) over THICKNESSES.
        sizes: how large each face looks, (n, n, 2): a measure and its error, not log odds.
        walls: how high each face lies by two of its walls, (n, n, 2, 2): measures and their errors, not log odds.
        compared: the height of each stack by all others, for each of the COMPARED_THICKNESSES, (n, n, K, 5).
        windows: the letter in a window, (m, 27).
        heights: the height of each stack, (n, n, 6).
        faces: the face on each square, (n, n, 26).
    """

    slices: tuple[Source[SliceState], ...]
    thickness: tuple[Source[SliceState], ...]
    sizes: tuple[Source[SliceState], ...]
    walls: tuple[Source[SliceState], ...]
    compared: tuple[Source[SliceState], ...]
    windows: tuple[Source[WindowState], ...]
    heights: tuple[Source[LetterState], ...]
    faces: tuple[Source[LetterState], ...]

    def names(self) -> tuple[str, ...]:
        """Return the names of the sources, for leaving out and timing, in the order in which they are asked."""
        return tuple(source.name for each in fields(self) for source in getattr(self, each.name))

    @property
    def from_above(self) -> dict[str, tuple[Source[SliceState], ...]]:
        """The sources that speak only of boards seen from above, by what they tell."""
        return {"sizes": self.sizes, "walls": self.walls, "compared": self.compared}

    def without(self, names: Collection[str]) -> Sources:
        """Return the sources less those of the given names. Raises ValueError if no source has such a name."""
        unknown = sorted(set(names) - set(self.names()))
        if unknown:
            raise ValueError(f"no source of evidence: {', '.join(unknown)}; there are {', '.join(self.names())}")
        kept = {
            each.name: tuple(source for source in getattr(self, each.name) if source.name not in names)
            for each in fields(self)
        }
        return replace(self, **kept)

    def timed(self, watch: Stopwatch) -> Sources:
        """Return these sources, so that a stopwatch measures each of them."""
        timed = {each.name: tuple(source.timed(watch) for source in getattr(self, each.name)) for each in fields(self)}
        return replace(self, **timed)


def all_sources() -> Sources:
    """Make all sources of evidence. Tesseract's remembers whether it is installed, so callers don't share it."""
    return Sources(
        slices=(Source("colour", colour_log_odds), Source("overlap", overlap_log_odds, between_squares=True)),
        thickness=(Source("seams", seam_log_odds),),
        sizes=(Source("apparent size", apparent_sizes),),
        walls=(Source("walls", wall_heights),),
        compared=(Source("comparison", compared_heights),),
        windows=(Source("second look", second_look_log_odds), Source("own faces", own_faces_log_odds)),
        heights=(
            Source("upright letter", upright_letter_log_odds),
            Source("unclaimed letters", unclaimed_letter_log_odds),
        ),
        faces=(Source("tesseract", TesseractCheck().log_odds),),
    )
