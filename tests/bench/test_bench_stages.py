"""Every stage that is timed is one that a reading goes through, and no time counts twice."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

import sample_images
from bench.speed import stages
from bench.speed.stages import STAGES, read_once
from vision.images import load_image
from vision.pipeline import BoardReader


@pytest.fixture(scope="module")
def times() -> dict[str, float]:
    """One reading by a clock that goes on by one whenever it is looked at."""
    picture = Path(sample_images.__file__).parent / "classic_8x8" / "03.jpg"
    ticks = count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))
        measured = read_once(BoardReader(), load_image(picture)[0], 8)
    assert measured is not None
    return dict(measured)


def test_every_stage_takes_time(times: dict[str, float]) -> None:
    named = {stage for stage, _, _ in STAGES}
    assert {stage for stage in named if times.get(stage, 0.0) > 0.0} == named


def test_no_stage_is_timed_inside_another(times: dict[str, float]) -> None:
    # a call of a stage looks at the clock twice: one tick inside it, one between it and the next; were one
    # inside another, its ticks would count for both
    calls = sum(times.get(stage, 0.0) for stage in {stage for stage, _, _ in STAGES})
    assert times["all"] == 2 * calls + 1
