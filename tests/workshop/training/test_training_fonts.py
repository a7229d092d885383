"""Which typefaces networks are trained with, and how their letters are drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")

from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable
from trainingkit import write_font, write_typefaces

from workshop.training.faces.fonts import UNSEEN_FAMILIES, usable_fonts
from workshop.training.faces.typeface import FontFace, render_glyph

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sans(tmp_path_factory: pytest.TempPathFactory) -> FontFace:
    folder = write_typefaces(tmp_path_factory.mktemp("fonts"))
    return next(font for font in usable_fonts(folders=(folder,)) if font.family == "Made Up 1")


def families(folder: Path) -> set[str]:
    return {font.family for font in usable_fonts(folders=(folder,))}


def test_families_kept_for_validation_are_never_taken(tmp_path: Path) -> None:
    write_typefaces(tmp_path)
    for number, family in enumerate(UNSEEN_FAMILIES):
        write_font(tmp_path / f"unseen{number}.ttf", family + " Bold", bend=(0.86, 1.2)[number % 2])
    assert families(tmp_path) == {"Made Up 0", "Made Up 1", "Made Up 2"}


def test_copies_of_a_family_kept_for_validation_are_not_taken_either(tmp_path: Path) -> None:
    write_typefaces(tmp_path)
    write_font(tmp_path / "unseen.ttf", UNSEEN_FAMILIES[0])  # drawn like "Made Up 1"
    assert families(tmp_path) == {"Made Up 0", "Made Up 2"}


def test_one_of_two_names_for_a_drawing_is_enough(tmp_path: Path) -> None:
    write_typefaces(tmp_path)
    write_font(tmp_path / "again.ttf", "Made Up Again")
    assert len(families(tmp_path)) == 3


def test_typefaces_with_a_few_odd_letters_are_not_taken(tmp_path: Path) -> None:
    write_typefaces(tmp_path)
    write_font(tmp_path / "fourth.ttf", "Fourth", bend=1.8)
    assert "Fourth" in families(tmp_path)
    write_font(tmp_path / "fourth.ttf", "Fourth", bend=1.8, bars="CSXZ")
    assert families(tmp_path) == {"Made Up 0", "Made Up 1", "Made Up 2"}


def test_damaged_files_are_passed_over(tmp_path: Path) -> None:
    write_typefaces(tmp_path)
    (tmp_path / "torn.ttf").write_bytes((tmp_path / "0.ttf").read_bytes()[:3000])
    (tmp_path / "text.otf").write_text("no typeface")
    with TTFont(tmp_path / "1.ttf") as font:
        data = bytearray(font.getTableData("OS/2")) if "OS/2" in font else bytearray(96)
        data[:2] = (5).to_bytes(2, "big")  # a version whose table is longer than this one
        table = DefaultTable("OS/2")
        table.data = bytes(data)
        font["OS/2"] = table
        font.save(tmp_path / "short.ttf")
    assert families(tmp_path) == {"Made Up 0", "Made Up 1", "Made Up 2"}


def test_the_survey_is_kept_and_read_again(tmp_path: Path) -> None:
    folder, cache = tmp_path / "fonts", tmp_path / "cache"
    folder.mkdir()
    first = usable_fonts(cache, (write_typefaces(folder),))
    for file in folder.iterdir():
        file.unlink()
    assert len(first) == 3
    assert usable_fonts(cache, (folder,)) == first


def test_capitals_have_the_size_asked_for_and_stand_in_the_middle(sans: FontFace) -> None:
    mask = render_glyph("H", sans, 40)
    rows = np.flatnonzero(mask.max(axis=1) > 127)
    assert abs(len(rows) - 40) <= 1
    assert abs((rows[0] + rows[-1]) / 2 - (len(mask) - 1) / 2) <= 1
    assert mask[:, 0].max() > 8
    assert mask[:, -1].max() > 8


@pytest.mark.parametrize("form", ["small", "text", "caps", "low"])
def test_qu_is_a_q_with_something_behind_it(sans: FontFace, form: str) -> None:
    q, qu = render_glyph("Q", sans, 40), render_glyph("Qu", sans, 40, form)
    assert qu.shape[1] > q.shape[1] + 10
    assert (np.abs(qu[:, : q.shape[1]].astype(int) - q) > 60).mean() < 0.02
