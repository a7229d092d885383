"""Every stage and source of evidence that is timed is one that a reading goes through, and no time counts twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from presencekit import there

import sample_images
from vision import BoardReader, load_image
from vision.evidence import all_sources, source_names
from workshop.bench.speed.stages import STAGES, read_once

WITHIN = {
    "locate": "lattice",
    **dict.fromkeys(("colour", "overlap", "apparent size", "walls", "comparison", "seams"), "elevations"),
    **dict.fromkeys(("second look", "own faces", "upright letter", "unclaimed letters", "tesseract"), "letters"),
}
"""What is timed by itself, and the stage that it is a part of."""


@pytest.fixture(scope="module")
def times() -> dict[str, float]:
    picture = Path(sample_images.__file__).parent / "classic_8x8" / "03.jpg"
    measured = there(read_once(BoardReader(), load_image(picture)[0], 8))
    return dict(measured)


def test_every_stage_and_source_is_timed(times: dict[str, float]) -> None:
    assert set(times) == {*STAGES, *WITHIN, "other", "all"}
    assert set(WITHIN) - {"locate"} == set(source_names(all_sources()))
    assert all(times[stage] > 0.0 for stage in STAGES)


def test_parts_take_no_longer_than_their_stage(times: dict[str, float]) -> None:
    for stage in STAGES:
        assert sum(times[part] for part, whole in WITHIN.items() if whole == stage) <= times[stage]
    assert times["other"] > 0.0
