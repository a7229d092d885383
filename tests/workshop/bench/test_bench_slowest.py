"""Where the time of slow pictures goes."""

from __future__ import annotations

from pathlib import Path
from shutil import copy
from typing import Any

import pytest

import sample_images
from vision import BoardNotFound, BoardReader
from workshop.bench.data.truth import games_in
from workshop.bench.documents.figures import document
from workshop.bench.record import Record, Stamp
from workshop.bench.speed.slowest import PARTS, SHOWN, slowest_pictures, time_picture

GAME = Path(sample_images.__file__).parent / "classic_8x8"


class Refusing(BoardReader):
    def read(self, *args: Any, **more: Any) -> Any:
        raise BoardNotFound("No board.")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a game of three pictures."""
    game = tmp_path / "game"
    game.mkdir()
    for name in ("00", "01", "02"):
        for ending in ("jpg", "json"):
            copy(GAME / f"{name}.{ending}", game)
    return tmp_path


@pytest.mark.slow
def test_the_slowest_come_first_and_their_parts_are_all_of_it(folder: Path) -> None:
    figures = slowest_pictures(folder)
    told = figures["slowest"]
    assert figures["pictures"] == 3
    assert sorted(each["picture"] for each in told) == ["game/00.jpg", "game/01.jpg", "game/02.jpg"]
    assert [each["all"] for each in told] == sorted((each["all"] for each in told), reverse=True)
    assert figures["median"] == told[1]["all"]
    for each in told:
        assert each["read"]
        assert sum(each[part] for part in (*PARTS, "other")) == pytest.approx(each["all"])


def test_of_a_refused_picture_only_the_whole_time_is_told(folder: Path) -> None:
    told = time_picture(Refusing(), games_in(folder)[0][0])
    assert not told["read"]
    assert told["all"] > 0.0
    assert not set(PARTS) & set(told)


def test_the_table_names_the_pictures_that_were_refused() -> None:
    record = Record()
    pictures = [{"picture": f"a/{k:02}.jpg", "all": 900.0 - k, "read": bool(k)} for k in range(SHOWN)]
    record.put(
        "slowest",
        "sets",
        {"median": 90.0, "nine in ten": 300.0, "slowest": pictures},
        Stamp("1a2b3c4d", "a machine", "2026-11-23", None),
    )
    text = document(record)
    assert "| median | 90.0 ms | - | - | - |" in text
    assert "| a/00.jpg, refused | 900 ms | - | - | - |" in text
    assert "| a/01.jpg | 899 ms |" in text
