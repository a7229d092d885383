"""Every source of evidence of a reading, in the order in which the reader asks them.

The plane sweep isn't listed: without it there is nothing to weigh evidence against. Words help to find which way up the
letters stand; leave them out by giving no word list.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from vision.heights.colour import colour_log_odds
from vision.heights.comparison import apparent_sizes, compare_heights
from vision.heights.elevations import Source, overlap_log_odds
from vision.heights.walls import seam_log_odds, wall_heights
from vision.letters.faces import own_faces_log_odds
from vision.letters.joining import upright_letter_log_odds, weigh_unclaimed_letters
from vision.letters.second_look import second_look_log_odds, tesseract_log_odds
from vision.stopwatch import Stopwatch

Sources: TypeAlias = Mapping[str, tuple[Source[Any], ...]]
"""Sources of evidence, by what they speak about."""


def all_sources(without: Collection[str] = ()) -> Sources:
    """Return all sources of evidence except those named in `without`. Raises ValueError for an unknown name.

    Keys:
        slices: the slice in which each face lies, (n, n, SLICES).
        thickness: how thick a layer is, (m,) over THICKNESSES.
        sizes: the apparent size of each face, (n, n, 2): a measure and its error, not log odds.
        walls: how high each face lies by two of its walls, (n, n, 2, 2): measures and their errors, not log odds.
        compared: the height of each stack by all others, for each of the COMPARED_THICKNESSES, (n, n, K, 5).
        windows: the letter in a window, (m, F + 1).
        heights: the height of each stack, (n, n, 6).
        faces: the face on each square, (n, n, F).
    """
    sources: Sources = {
        "slices": (Source("colour", colour_log_odds), Source("overlap", overlap_log_odds, between_squares=True)),
        "thickness": (Source("seams", seam_log_odds),),
        "sizes": (Source("apparent size", apparent_sizes),),
        "walls": (Source("walls", wall_heights),),
        "compared": (Source("comparison", compare_heights),),
        "windows": (Source("second look", second_look_log_odds), Source("own faces", own_faces_log_odds)),
        "heights": (
            Source("upright letter", upright_letter_log_odds),
            Source("unclaimed letters", weigh_unclaimed_letters),
        ),
        "faces": (Source("tesseract", tesseract_log_odds),),
    }
    names = source_names(sources)
    if unknown := sorted(set(without) - set(names)):
        raise ValueError(f"no source of evidence: {', '.join(unknown)}; there are {', '.join(names)}")
    return {about: tuple(each for each in asked if each.name not in without) for about, asked in sources.items()}


def source_names(sources: Sources) -> tuple[str, ...]:
    """Return the names of the sources, by which they are left out and timed, in the order in which they are asked."""
    return tuple(source.name for each in sources.values() for source in each)


def time_sources(sources: Sources, watch: Stopwatch) -> Sources:
    """Return the sources, so that a stopwatch measures each of them."""
    return {
        about: tuple(replace(each, log_odds=watch.wrap(each.name, each.log_odds)) for each in asked)
        for about, asked in sources.items()
    }
