"""The benchmarks measure what the program does today: every stage that they time is one that a reading goes through."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from vision.images import load_image
from vision.pipeline import BoardReader

ROOT = Path(__file__).parent.parent


def bench(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "bench" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def times() -> dict[str, float]:
    picture = sorted((ROOT / "sample_images").glob("*8x8*/03.jpg"))[0]
    measured = bench("bench_read").read_once(BoardReader(), load_image(picture)[0], 8)
    assert measured is not None
    return dict(measured)


def test_every_stage_takes_time(times: dict[str, float]) -> None:
    stages = {stage for stage, _, _ in bench("bench_read").STAGES}
    assert {stage for stage in stages if times.get(stage, 0.0) > 0.0} == stages


def test_the_stages_are_parts_of_the_whole(times: dict[str, float]) -> None:
    assert sum(times.values()) == pytest.approx(2 * times["all"])
    assert times["other"] > 0.0
