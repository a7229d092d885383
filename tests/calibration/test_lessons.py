"""What games teach of their set, and how it is kept and joined."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from calibkit import logs_of, windows_of
from enginekit import board_of
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples

from calibration import lessons as games
from calibration.errors import ProfileError
from calibration.lessons import Lessons, dump_lessons, join_lessons, learn_calibration, learn_templates, load_lessons
from engine import FACES
from vision import NO_CALIBRATION, BoardReading, Camera, Finding
from vision.geometry.camera import corners_of
from vision.heights.plane_sweep import SLICE_STEP, SLICES
from vision.heights.thickness import THICKNESSES
from vision.letters.classifier import REJECT
from vision.letters.templates import SetFaces

BOARD = board_of(8, "b4-MOOD; b4-W.LF")
TOPS = ["W", "O", "L", "F"]
PICTURE = np.zeros((400, 400, 3), np.uint8)
SURE = Finding("play", (), 1.0, False, None, None, BOARD, None)


def observe(finding: Finding = SURE, tilt: float = 0.6, **changes: Any) -> Finding:
    """BOARD as it was seen: layers of a quarter of a square."""
    heights, elevations = np.full((8, 8, 6), 0.001), np.full((8, 8, SLICES), -9.0)
    for square in BOARD.squares():
        tiles = BOARD.height(square)
        heights[square.row, square.col, tiles] = 0.99
        at = tiles * 0.25 / SLICE_STEP
        for k, share in ((int(at), 1 - at % 1), (int(at) + 1, at % 1)):
            elevations[square.row, square.col, k] = np.log(share + 1e-4)
    c, s = np.cos(tilt), np.sin(tilt)
    lean = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    view = Camera(300.0, (199.5, 199.5), 0.0, lean, np.array([0, 0, 12.0]) - lean @ np.array([4.0, 4.0, 0.0]))
    reading = BoardReading(
        size=8, corners=corners_of(view, 8), camera=view, layer_thickness=0.25, base_offset=0.0,
        elevations=elevations, height_probs=heights,
        face_probs=np.full((8, 8, 26), 1 / 26), hidden=np.zeros((8, 8)), covered=np.zeros((8, 8)),
        upright=1.0, lone_q=False, seconds=0.1,
    )  # fmt: skip
    return replace(finding, reading=replace(reading, **changes))


@pytest.fixture(autouse=True)
def shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "cut_faces", lambda *_: windows_of(TOPS))
    monkeypatch.setattr(games, "read_faces", lambda windows, *_: logs_of(TOPS)[: len(windows)])


def after(*seen: Finding) -> Lessons:
    lessons = Lessons()
    for one in seen:
        lessons = lessons.after(PICTURE, one, BOARD)
    return lessons


def test_turns_that_needed_no_question_are_learned_from() -> None:
    lessons = after(*[observe()] * 4)
    assert (lessons.turns, lessons.examples) == (4, 16)
    assert lessons.faces is not None
    assert lessons.faces.letters == "FLOW"
    layers = there(lessons.thickness())
    assert THICKNESSES[int(layers.argmax())] == pytest.approx(0.25, abs=0.02)


def test_the_thickness_takes_some_tilted_pictures() -> None:
    assert after(*[observe()] * 3).thickness() is None
    assert after(*[observe(tilt=0.1)] * 6).thickness() is None
    known = np.linspace(-1.0, 0.0, len(THICKNESSES))
    assert after().thickness(known) is known
    joined = there(after(*[observe()] * 4).thickness(known))
    assert joined.max() == 0.0


@pytest.mark.parametrize(
    "seen",
    [
        observe(replace(SURE, needs_review=True)),
        observe(replace(SURE, kind="unclear")),
        observe(replace(SURE, kind="removed")),
        observe(upright=0.6),
        replace(observe(), reading=None),
    ],
)
def test_others_are_not(seen: Finding) -> None:
    assert after(seen) == Lessons()
    assert Lessons().thickness() is None


ALL = list(FACES) * 3
FULL = Lessons(learn_templates(None, windows_of(ALL), ALL), (), 9, len(ALL), len(ALL))


def test_what_a_game_taught_comes_back() -> None:
    again = load_lessons(dump_lessons(FULL))
    assert replace(again, faces=None) == replace(FULL, faces=None)
    assert again.faces is not None
    assert FULL.faces is not None
    assert (again.faces.counts == FULL.faces.counts).all()
    assert np.allclose(again.faces.templates, FULL.faces.templates, atol=1e-3)
    nothing = load_lessons(dump_lessons(Lessons()))
    assert nothing == Lessons()


@given(st.data())
@examples(60)
def test_damaged_lessons_are_refused_in_one_line(data: st.DataObject) -> None:
    text = dump_lessons(FULL)
    at = data.draw(st.integers(0, len(text) - 1))
    bad = data.draw(st.sampled_from([text[:at], text[:at] + "\0" + text[at + 1 :], "null", "[]", "{}", "1"]))
    with pytest.raises(ProfileError, match=r"^[^\n]+$"):
        load_lessons(bad)


@pytest.mark.parametrize("change", [{"version": 2}, {"named": 999}, {"faces": {"side": 3}}])
def test_lessons_that_cannot_be_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ProfileError):
        load_lessons(json.dumps(json.loads(dump_lessons(FULL)) | change))


def test_games_are_joined_by_how_much_each_taught() -> None:
    some = replace(FULL, faces=learn_templates(None, windows_of(["A"] * 3, seed=90), ["A"] * 3), examples=3, named=3)
    both = join_lessons([FULL, some])
    assert both.faces is not None
    assert both.faces.counts[0] == 6
    assert both.examples == len(ALL) + 3
    assert np.allclose(np.linalg.norm(both.faces.templates.reshape(26, -1), axis=1), 1.0)
    many = join_lessons([FULL] * 30)
    assert many.faces is not None
    assert many.faces.counts.max() == 40
    assert join_lessons([]) == Lessons()
    assert learn_calibration(join_lessons([])) is NO_CALIBRATION


def test_letters_seen_once_are_not_known_yet() -> None:
    seen = ["A"] * 3 + ["B"]
    known = learn_calibration(Lessons(learn_templates(None, windows_of(seen), seen), (), 1, 4))
    assert known.faces is not None
    assert known.faces.letters == "A"


@given(st.lists(st.sampled_from(FACES), min_size=1, max_size=3), st.floats(0.5, 0.999), st.integers(0, 99))
@examples(40)
def test_what_was_learned_wrongly_never_makes_sure(named: list[str], sure: float, seed: int) -> None:
    """The network names one letter, the set's own faces, learned from a sheet that was wrong, another."""
    known = there(learn_calibration(FULL).faces)
    shown = [FACES[(FACES.index(face) + 1) % 26] for face in named]
    told = logs_of(named, sure=sure)
    after = told + known.log_odds(windows_of(shown, seed=seed), told)
    assert np.allclose(np.exp(after).sum(axis=1), np.exp(told).sum(axis=1))
    left = np.exp(after[:, :REJECT]) / np.exp(told[:, :REJECT])
    assert (left >= known.doubt - 1e-9).all()


def test_games_are_joined_however_their_windows_were_cut() -> None:
    own = there(FULL.faces)
    moved = replace(FULL, faces=SetFaces(np.roll(own.templates, (1, -2), axis=(1, 2)), own.counts))
    both = there(join_lessons([FULL, moved]).faces)
    assert (both.templates * own.templates).sum(axis=(1, 2)).min() > 0.98
    assert moved.faces is not None
    assert not moved.faces.is_other_than(own)


@pytest.mark.parametrize("named", [0.5, 1.0])
def test_the_network_is_believed_as_far_as_it_named_the_set_s_faces(named: float) -> None:
    known = there(learn_calibration(replace(FULL, named=round(named * FULL.examples))).faces)
    assert known.named == pytest.approx(named, abs=0.01)
    told = logs_of(["G"], sure=0.999)
    after = np.exp(told + known.log_odds(windows_of(["C"], seed=31), told))[0]
    assert bool(after[FACES.index("C")] > 0.1) is (named < 1.0)
    alike = np.exp(logs_of(["C"]) + known.log_odds(windows_of(["C"], seed=31), logs_of(["C"])))[0]
    assert alike[FACES.index("C")] > 0.9


def test_another_set_is_told_from_this_one() -> None:
    def faces(inverted: bool, seed: int) -> Lessons:
        windows = windows_of(ALL, seed=seed)
        return replace(FULL, faces=learn_templates(None, 255 - windows if inverted else windows, ALL))

    known, same, other = (faces(*each).faces for each in ((False, 0), (False, 700), (True, 700)))
    assert known is not None
    assert same is not None
    assert other is not None
    assert not same.is_other_than(known)
    assert other.is_other_than(known)
    few = learn_templates(None, 255 - windows_of(["A"] * 3), ["A"] * 3)
    assert not few.is_other_than(known)
