"""The benchmarks measure what the program does today: every stage that they time is one that a reading goes through."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from vision.evidence import all_sources
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


def test_every_stage_and_source_is_timed(times: dict[str, float]) -> None:
    read = bench("bench_read")
    assert set(times) == {*read.STAGES, *read.WITHIN, "other", "all"}
    assert set(read.WITHIN) - {"locate"} == set(all_sources().names())
    assert all(times[stage] > 0.0 for stage in read.STAGES)


def test_parts_take_no_longer_than_their_stage(times: dict[str, float]) -> None:
    read = bench("bench_read")
    for stage in read.STAGES:
        assert sum(times[part] for part, whole in read.WITHIN.items() if whole == stage) <= times[stage]
    assert times["other"] > 0.0
