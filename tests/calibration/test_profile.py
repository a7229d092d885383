"""Profiles: written whole, read back, refused with one line."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from calibkit import windows_of
from presencekit import there

from calibration import CalibrationError, Profile, load_profile, save_profile
from calibration.errors import ProfileError
from calibration.lessons import learn_templates, most_probable_thickness, thickness_from_pictures, thickness_from_stack
from calibration.profile import Tiles
from engine import EDITIONS
from vision import Lens
from vision.heights.thickness import THICKNESSES

LENS = Lens(1234.5, (640.25, 355.0), -0.071, (1280, 720))
WHOLE = Profile(
    LENS,
    Tiles(
        EDITIONS["8x8"],
        learn_templates(None, windows_of(["A", "Qu"]), ["A", "Qu"]),
        thickness_from_stack(26.0, 165.0, 8),
    ),
)


@pytest.mark.parametrize(
    "held", [WHOLE, Profile(LENS), Profile(replace(LENS, stretch=0.75)), Profile(None, WHOLE.tiles), Profile()]
)
def test_what_is_written_is_read(tmp_path: Path, held: Profile) -> None:
    path = tmp_path / "mine.json"
    save_profile(held, path)
    back = load_profile(path)
    assert back.lens == held.lens
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine.json"]
    assert (back.tiles is None) == (held.tiles is None)
    if held.tiles is not None and back.tiles is not None:
        assert back.tiles.edition == EDITIONS["8x8"]
        assert held.tiles.faces is not None
        assert back.tiles.faces is not None
        assert np.allclose(back.tiles.faces.templates, held.tiles.faces.templates, atol=1e-3)
        assert (back.tiles.faces.counts == held.tiles.faces.counts).all()
        assert held.tiles.thickness is not None
        assert back.tiles.thickness is not None
        assert np.allclose(back.tiles.thickness, held.tiles.thickness, atol=1e-2)


def test_tiles_are_for_their_own_edition() -> None:
    assert WHOLE.calibration_for(EDITIONS["8x8"]).lens == LENS
    with pytest.raises(ProfileError, match="tiles of edition 8x8, not 10x10"):
        WHOLE.calibration_for(EDITIONS["10x10"])
    assert Profile(LENS).calibration_for(EDITIONS["10x10"]).faces is None


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.json"
    save_profile(Profile(LENS), path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ProfileError, match=r"cannot be written .No space left on device.: make room"):
        save_profile(WHOLE, path)
    assert load_profile(path).tiles is None
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine.json"]


def write_changed(path: Path, **changes: object) -> Path:
    """WHOLE with some of its entries changed."""
    save_profile(WHOLE, path)
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return path


def test_files_that_are_no_profiles(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    with pytest.raises(ProfileError, match="There is no profile"):
        load_profile(path)
    with pytest.raises(ProfileError, match="cannot be read"):
        load_profile(tmp_path)
    for text in ("", "hello", "[1]", '{"edition": "8x8"}', "[" * 100_000):
        path.write_text(text)
        with pytest.raises(ProfileError, match="isn't a profile"):
            load_profile(path)
    save_profile(WHOLE, path)
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(ProfileError, match="is cut off or damaged: calibrate again"):
        load_profile(path)


def test_other_versions(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="written by a newer Upscore"):
        load_profile(write_changed(tmp_path / "newer.json", version=2))
    with pytest.raises(ProfileError, match="is damaged"):
        load_profile(write_changed(tmp_path / "odd.json", version="one"))


@pytest.mark.parametrize(
    "changes",
    [
        {"camera": {}},
        {"camera": {"size": [1280, 720], "focal": -5, "centre": [640, 360], "k1": 0}},
        {"camera": {"size": [1280, 720], "focal": 1e999, "centre": [640, 360], "k1": 0}},
        {"camera": {"size": [0, 0], "focal": 900, "centre": [640, 360], "k1": 0}},
        {"tiles": {"edition": "9 by 9"}},
        {"tiles": {"edition": "8x8", "side": 22, "counts": {}, "templates": "AAAA"}},
        {"tiles": {"edition": "8x8", "layers": {"thickness": [0.2, 0.3], "log_weight": [1]}}},
        {"tiles": [1, 2]},
    ],
)
def test_damaged_entries(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(ProfileError, match="is damaged: calibrate again"):
        load_profile(write_changed(tmp_path / "mine.json", **changes))


def test_a_ruler_tells_the_thickness() -> None:
    logs = thickness_from_stack(26.0, 165.0, 8)
    assert most_probable_thickness(logs) == pytest.approx(26.0 / 5 / (165.0 / 8), rel=0.01)
    with pytest.raises(CalibrationError, match="measure both in the same unit"):
        thickness_from_stack(2.6, 165.0, 8)


def test_pictures_tell_the_thickness_as_surely_as_they_agree() -> None:
    assert thickness_from_pictures([0.25, 0.25, 0.25]) is None
    agreed, divided = (thickness_from_pictures([0.25] * 5), thickness_from_pictures([0.18, 0.22, 0.25, 0.3, 0.33]))
    assert agreed is not None
    assert divided is not None
    assert most_probable_thickness(agreed) == pytest.approx(0.25, rel=0.02)
    assert most_probable_thickness(divided) == pytest.approx(0.25, rel=0.02)
    far = int(np.abs(THICKNESSES - 0.3).argmin())
    assert agreed[far] < -4 < divided[far] < -0.5


def test_one_picture_that_is_far_off_changes_little() -> None:
    logs = there(thickness_from_pictures([0.24, 0.25, 0.25, 0.26, 0.34]))
    assert most_probable_thickness(logs) == pytest.approx(0.25, rel=0.02)
