"""The data that figures are of: what ships is what the manifest says, and what is missing or other is said to be."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import sample_images
from workshop.bench.data.manifest import count_of, digest_of, find_dataset, manifest
from workshop.bench.data.truth import games_in

SAMPLES = Path(sample_images.__file__).parent


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """One sample game in a folder of data."""
    shutil.copytree(SAMPLES / "classic_8x8", tmp_path / "dataset" / "classic_8x8")
    return tmp_path


def test_what_ships_is_what_the_manifest_says() -> None:
    place = find_dataset(manifest()["samples"], [])
    assert place.state == "found"
    assert len(games_in(SAMPLES)) == place.dataset.games


def test_the_manifest_tells_of_every_lot_whose_it_is_and_whether_it_was_tuned_on() -> None:
    for dataset in manifest().values():
        assert dataset.use in ("tuned on", "validation", "held out")
        assert dataset.what
        assert dataset.source
        assert len(dataset.digest) == 64
    assert {dataset.use for dataset in manifest().values()} >= {"tuned on", "validation"}


def test_a_lot_is_known_by_all_its_files(copied: Path) -> None:
    folder = copied / "dataset"
    dataset = replace(manifest()["sets"], folder="dataset", count=count_of(folder, "games"), digest=digest_of(folder))
    assert find_dataset(dataset, [copied]).state == "found"
    truth = folder / "classic_8x8" / "03.json"
    truth.write_text(truth.read_text().replace('"height": 1', '"height": 2', 1))
    assert find_dataset(dataset, [copied]).state == "other"
    assert "NOT MEASURED" in find_dataset(dataset, [copied]).status


def test_a_renamed_or_missing_file_makes_it_another_dataset(copied: Path) -> None:
    folder = copied / "dataset"
    before = digest_of(folder)
    (folder / "classic_8x8" / "03.jpg").rename(folder / "classic_8x8" / "93.jpg")
    assert digest_of(folder) != before
    (folder / "classic_8x8" / "93.jpg").unlink()
    assert count_of(folder, "games") == 15


def test_a_lot_that_is_nowhere_is_said_to_be_missing(tmp_path: Path) -> None:
    place = find_dataset(manifest()["own2613"], [tmp_path])
    assert place.state == "missing"
    assert "MISSING" in place.status
    assert "--seed 2613" in place.status
