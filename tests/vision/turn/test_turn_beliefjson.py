"""Beliefs as JSON: equal ones come back, and what is damaged is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples
from readings import reading_of
from turnkit import COMMON, DEAR, EMPTY, MOOD, SMALL, Record, look_from, records, sharp, spoilt

from engine import parse_square
from vision import Belief, certain
from vision.errors import BeliefError
from vision.heights.thickness import LayeredHeights
from vision.turn.belief import VERSION, dump_belief, load_belief
from vision.turn.observe import hints_of
from vision.turn.prior import UNWATCHED, Gap, Pace
from vision.turn.steps import assume, decide, take_look, unseen


def through_json(belief: Belief) -> Belief:
    return load_belief(json.loads(json.dumps(dump_belief(belief))))


@examples(8)
@given(records(most=2), st.data())
def test_a_belief_comes_back_equal_at_every_step_and_goes_on_the_same(game: Record, data: st.DataObject) -> None:
    belief = certain(EMPTY)
    for number, board in enumerate(game.boards):
        reading = data.draw(spoilt(board))
        back = through_json(belief)
        assert back == belief
        after, finding = take_look(belief, reading, SMALL)
        assert take_look(back, reading, SMALL) == (after, finding)
        step = data.draw(st.sampled_from(["", "assumed", "shown", "decided", "unseen"]))
        if step == "assumed" and finding.needs_review:
            after = assume(after, data.draw(st.sampled_from(finding.outcomes)))
        elif step in ("shown", "decided"):
            after = decide(after, board, game.plays[number - 1] if number else None, shown=step == "shown")
        elif step == "unseen":
            after = unseen(after)
        belief = after
    assert through_json(belief) == belief


def test_a_belief_keeps_the_heights_for_each_thickness_and_loads_looks_without_them() -> None:
    heights = np.full((3, 8, 8, 5), 0.2)
    reading = replace(sharp(DEAR), layered=LayeredHeights(np.array([0.0, -2.0, -40.0]), heights))
    belief, _ = look_from(MOOD, reading)
    back = through_json(belief)
    assert back == belief
    assert back.looks[0].layers[0].tolist() == [0.0, -2.0, -25.0]
    data = dump_belief(belief)
    data["looks"] = [look[:2] for look in data["looks"]]
    assert load_belief(data).looks[0].layers[0].tolist() == [0.0]


@pytest.mark.parametrize(("stored", "rested"), [(True, UNWATCHED), (False, 0.0), (0.61, 0.61)])
def test_a_gap_of_earlier_versions_says_only_whether_hands_paused(stored: object, rested: float) -> None:
    belief = replace(certain(MOOD), gap=Gap(rested=0.5))
    assert through_json(belief) == belief
    data = dump_belief(belief)
    data["gaps"][-1][4] = stored
    assert load_belief(data).gap == Gap(rested=rested)


def test_the_pace_comes_back_and_earlier_versions_counted_no_repeated_pictures() -> None:
    belief = replace(certain(MOOD), knowledge=replace(certain(MOOD).knowledge, pace=Pace(5, 2, 3)))
    assert through_json(belief) == belief
    data = dump_belief(belief)
    data["pace"] = [5, 2]
    assert load_belief(data).knowledge.pace == Pace(5, 2)


def test_earlier_versions_assumed_no_heights() -> None:
    belief = replace(certain(MOOD), assumed=frozenset(map(parse_square, ("b4", "e4"))))
    assert through_json(belief) == belief
    data = dump_belief(belief)
    del data["assumed"]
    assert load_belief(data) == certain(MOOD)


def make_belief() -> Belief:
    """A belief with something of everything."""
    boards = MOOD, DEAR, play_all(DEAR, "L@e4"), play_all(DEAR, "L@e4", "W@b4")
    colours = np.full((8, 8, 3), 90.0)
    belief, _ = look_from(EMPTY, *(replace(sharp(board), colours=colours) for board in boards))
    assert belief.knowledge.bare is not None
    assert belief.reference is not None
    assert belief.knowledge.camera is not None
    assert belief.entered
    assert belief.start.last_play is not None
    return replace(belief, assumed=frozenset({parse_square("b4")}))


KEPT = make_belief()
DATA: dict[str, Any] = json.loads(json.dumps(dump_belief(KEPT)))


def test_the_camera_comes_back() -> None:
    before, after = KEPT.knowledge.camera, load_belief(DATA).knowledge.camera
    assert before is not None
    assert after is not None
    points = np.array([[0.0, 0.0, 0.0], [3.0, 5.0, 1.0], [8.0, 8.0, 0.5]])
    assert (before.project(points) == after.project(points)).all()
    layers = there(hints_of(load_belief(DATA)).thickness)
    assert tuple(layers) == KEPT.knowledge.thickness_weights


def test_a_belief_is_small() -> None:
    belief, _ = look_from(EMPTY, reading_of(MOOD), reading_of(DEAR))
    assert len(json.dumps(dump_belief(belief))) < 40_000


def test_what_is_loaded_is_not_what_was_written_to() -> None:
    data = copy.deepcopy(DATA)
    belief = load_belief(data)
    data["stories"].clear()
    data["board"].clear()
    assert belief == KEPT


@pytest.mark.parametrize("version", [None, 0, VERSION + 1, "1", [VERSION], {}])
def test_another_version_is_refused(version: object) -> None:
    with pytest.raises(BeliefError, match="another version"):
        load_belief({**DATA, "version": version})


@pytest.mark.parametrize("data", [None, 3, "", "belief", [], [1], {}, True])
def test_what_is_no_belief_at_all_is_refused(data: object) -> None:
    with pytest.raises(BeliefError):
        load_belief(data)


@pytest.mark.parametrize(
    "key", sorted({*DATA} - {"to_lift", "bare", "other_set", "answered", "typed", "pace", "assumed"})
)
def test_nothing_may_be_missing(key: str) -> None:
    with pytest.raises(BeliefError):
        load_belief({name: value for name, value in DATA.items() if name != key})


def paths(data: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The place of everything within data, of long lists the first few."""
    if path:
        yield path
    items: list[tuple[str | int, object]] = []
    if isinstance(data, dict):
        items = list(data.items())
    elif isinstance(data, list):
        items = list(enumerate(data[:3]))
    for key, value in items:
        yield from paths(value, (*path, key))


def with_value(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """The data with another value in one place."""
    data = copy.deepcopy(DATA)
    inner: Any = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return data


def usable(data: object) -> None:
    """Fails unless the data is refused as it should be, or gives a belief with which everything can be done."""
    try:
        belief = load_belief(data)
    except BeliefError:
        return
    assert belief.board.size == belief.sheet_board.size
    assert len(belief.looks) == len(belief.gaps)
    if belief.board.size == 8:
        take_look(belief, sharp(DEAR), COMMON)


PATHS = list(paths(DATA))
JUNK: list[object] = [
    None, True, 0, -1, 3.5, 99, float("inf"), float("nan"), 10**30, "", "x", "A@a1", "Z@h9", "ü", [], [[]],
    [None], [0], [[1, 2]], [["A@a1", 0]], {}, {"a": 1}, [["A@a1", 99]], [None, None],
]  # fmt: skip


@examples(150)
@given(st.sampled_from(PATHS), st.sampled_from(JUNK))
def test_a_wrong_value_anywhere_is_refused_or_does_no_harm(path: tuple[str | int, ...], value: object) -> None:
    usable(with_value(path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("last",), 5),
        (("stories", 0, 0), ["A@a1"]),
        (("gaps", 0, 1), float("inf")),
        (("stories",), []),
        (("gaps",), [[False, 0]]),
        (("reference", 1, 0), 9),
        (("reference", 0), [[[], []], [[], []]]),
        (("layers",), [0.0]),
        (("layers", 0), float("nan")),
        (("entered", 0, 1), 99),
        (("board", 0), []),
        (("board", 0, 0), ["A"] * 6),
        (("board", 0, 0), ["AB"]),
        (("board", 0, 0), 7),
        (("entered", 0, 0), "A@k20"),
        (("entered", 0, 0), "nothing"),
        (("stories", 0), ["A@a1"] * 6),
        (("stories", 0), [None] * 9),
        (("stories", 0), ["A@m1"]),
        (("last",), "A@a8"),
        (("looks", 0, 0), 7),
        (("reference", 1, 1), "!"),
        (("camera", "rotation"), [[1.0]]),
        (("assumed", 0), "k9"),
    ],
)
def test_damage_of_every_kind_is_refused(path: tuple[str | int, ...], value: object) -> None:
    with pytest.raises(BeliefError):
        load_belief(with_value(path, value))


@examples(60)
@given(st.data())
def test_what_was_cut_off_is_refused(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(KEPT.looks) - 1))
    text = DATA["looks"][number][1]
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(BeliefError):
        load_belief(with_value(("looks", number, 1), text[:cut]))
