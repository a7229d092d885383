"""What one photograph says of every square: likelihoods of heights and letters, and nothing where nothing is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from readings import along_columns, camera, flat, reading_of, run_out, veil
from turnkit import CLASSIC, DEAR, EMPTY, MOOD, at, bleach, sharp

from engine import FACES, MAX_HEIGHT, Board
from vision import BoardReading, Look
from vision.heights.thickness import STACK_PRIOR, LayeredHeights
from vision.turn.look import FACE_FLOOR, MISLED, measure_garbled, weigh_heights
from vision.turn.story import state_of

STACKS = play_all(DEAR, "W@b4", "N@d5 T@d6", "F@b4", "L@e4")


def spread(look: Look, name: str) -> float:
    """Return how much the look says about a square: the log likelihood of the best state over that of the worst."""
    here = look.table[at(name)]
    return float(here.max() - here.min())


def covering(reading: BoardReading, name: str, share: float) -> BoardReading:
    """The reading with a share of a square's face behind nearer stacks."""
    covered = reading.covered.copy()
    covered[at(name)] = share
    return replace(reading, covered=covered)


def shading(reading: BoardReading, name: str, chance: float) -> BoardReading:
    """The reading with a hand on a square with some probability."""
    hidden = reading.hidden.copy()
    hidden[at(name)] = chance
    return replace(reading, hidden=hidden)


@pytest.mark.parametrize("board", [EMPTY, MOOD, STACKS])
def test_what_lies_there_is_the_likeliest_state_of_every_square(board: Board) -> None:
    table = Look.of(sharp(board)).table
    for square in board.squares():
        here = table[square.row, square.col]
        height, face = np.unravel_index(int(here.argmax()), here.shape)
        assert (int(height), int(face)) == state_of(board, square)


def test_an_empty_square_has_no_letter() -> None:
    table = Look.of(sharp(STACKS)).table
    assert (np.ptp(table[:, :, 0, :], axis=-1) == 0.0).all()


def behind_a_stack(tilt: float) -> Look:
    """A look from beyond the last row at a board on which d4 lies behind a stack of five."""
    reading = replace(sharp(play_all(EMPTY, *["A@d5", "B@d5"] * 2, "A@d5")), camera=along_columns(tilt))
    return Look.of(covering(covering(reading, "d4", 1.0), "d6", 1.0))


def test_what_lies_behind_other_stacks_says_nothing_at_all() -> None:
    look = behind_a_stack(tilt=1.1)
    assert spread(look, "d4") == 0.0
    assert look.placed[at("d4")] == look.legible[at("d4")] == 0.0
    assert spread(look, "d6") > 8.0


def test_a_tile_that_would_rise_above_what_hides_its_square_is_told() -> None:
    assert 0.5 < behind_a_stack(tilt=0.6).placed[at("d4")] < 1.0


def test_mostly_behind_a_stack_the_letter_is_doubtful_and_the_tile_is_not() -> None:
    look = Look.of(covering(sharp(MOOD), "c4", 0.75))
    clear = Look.of(sharp(MOOD))
    assert look.placed[at("c4")] == clear.placed[at("c4")] == 1.0
    assert 0.0 < look.legible[at("c4")] < clear.legible[at("c4")] == 1.0
    o, x = FACES.index("O"), FACES.index("X")
    letters = look.table[at("c4")][1, o] - look.table[at("c4")][1, x]
    assert 0.0 < letters < clear.table[at("c4")][1, o] - clear.table[at("c4")][1, x]
    assert look.table[at("c4")][1, o] - look.table[at("c4")][0, o] > 3.0


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_more_is_hidden_the_less_is_told(one: float, other: float) -> None:
    low, high = sorted((one, other))
    for hide in (covering, shading):
        less, more = (Look.of(hide(sharp(MOOD), "c4", share)) for share in (low, high))
        assert less.placed[at("c4")] >= more.placed[at("c4")]
        assert less.legible[at("c4")] >= more.legible[at("c4")]
        assert spread(less, "c4") >= spread(more, "c4") - 1e-9
        assert spread(less, "b4") == spread(more, "b4")


@pytest.mark.parametrize("chance", [0.5, 0.7, 0.9])
def test_a_tile_seen_where_a_hand_may_hide_it_is_believed_sooner_than_a_bare_square(chance: float) -> None:
    tile, bare = (shading(sharp(MOOD), name, chance) for name in ("c4", "c6"))
    at_tile, at_bare = spread(Look.of(tile), "c4"), spread(Look.of(bare), "c6")
    assert at_bare < 4.5 < 5.0 < at_tile
    o, x = FACES.index("O"), FACES.index("X")
    assert Look.of(tile).table[at("c4")][1, o] - Look.of(tile).table[at("c4")][1, x] > 2.0


def test_a_hand_leaves_little_to_be_told() -> None:
    look = Look.of(veil(sharp(STACKS), at("d4")))
    assert spread(look, "d4") < 0.5 < 8.0 < spread(look, "c4")


def test_what_lies_over_a_bare_square_hides_it_as_a_hand_would() -> None:
    odd = np.zeros((8, 8))
    odd[at("h8")] = 0.95
    covered = Look.of(replace(reading_of(MOOD), altered=odd))
    hidden = Look.of(shading(reading_of(MOOD), "h8", 0.95))
    assert covered.placed[at("h8")] == pytest.approx(hidden.placed[at("h8")])
    assert covered.placed[at("h7")] == Look.of(reading_of(MOOD)).placed[at("h7")]


def test_nothing_is_taken_for_impossible() -> None:
    reading = reading_of(STACKS, sure=1.0, height_sure=1.0)
    table = Look.of(reading).table
    assert np.isfinite(table).all()
    square = at("c4")
    one, another = table[square][1, FACES.index("O")], table[square][1, FACES.index("X")]
    assert one - another == pytest.approx(-np.log(FACE_FLOOR) + np.log(len(FACES)), abs=0.1)


def test_heights_read_from_above_are_believed_as_those_read_from_the_side() -> None:
    slanting, above = sharp(STACKS), replace(sharp(STACKS), camera=camera(8, tilt=0.05))
    told, also = (weigh_heights(reading)[at("b4")] for reading in (slanting, above))
    assert told[3] > 20 * told[1]
    assert also == pytest.approx(told)


def test_stacks_as_high_as_stacks_are_say_nothing_of_heights() -> None:
    reading = sharp(MOOD)
    reading.height_probs[at("c4")] = [0.001, *(0.999 * np.exp(STACK_PRIOR))]
    here = weigh_heights(reading)[at("c4")]
    assert np.allclose(here[1:], here[1], rtol=0.05)
    assert here[1] > 100 * here[0]


def test_a_letter_that_is_plain_to_see_counts_however_much_seems_to_cover_it() -> None:
    plain = covering(sharp(MOOD), "c4", 1.0)
    vague = replace(plain, face_probs=np.full_like(plain.face_probs, 1 / 26))
    for reading, counts in ((plain, True), (vague, False)):
        look = Look.of(reading)
        assert bool(look.legible[at("c4")] > 0.8) is counts


def test_a_square_whose_next_tile_would_leave_the_picture_tells_at_most_that_something_lies_there() -> None:
    flat = np.tile(np.exp(STACK_PRIOR) / np.exp(STACK_PRIOR).sum(), (1, 8, 8, 1))
    layered = LayeredHeights(np.zeros(1), flat)
    seen = run_out(run_out(sharp(MOOD), 0.7, at("c4"), at("a1")), 0.1, at("d4"))
    look = Look.of(replace(seen, layered=layered))
    for table in (look.table, look.layers[1][0]):
        tile, bare = table[at("c4")], table[at("a1")]
        assert np.ptp(tile[1:]) == pytest.approx(0.0, abs=1e-3)
        assert 0.5 < tile[1, 0] - tile[0, 0] < 1.5
        assert np.ptp(bare) == pytest.approx(0.0, abs=1e-3)
    assert spread(look, "d4") == spread(Look.of(sharp(MOOD)), "d4")


@pytest.mark.parametrize(
    ("by", "plays", "seen"), [(1, 1, False), (2, 1, True), (2, 2, False), (3, 2, True), (3, 3, False)]
)
def test_a_stack_is_hidden_that_would_leave_the_picture_after_as_many_plays_as_the_look_may_show(
    by: int, plays: int, seen: bool
) -> None:
    look = Look.of(run_out(sharp(MOOD), 1.0, at("c4"), by=by), plays=plays)
    assert (look.placed[at("c4")] > 0.9) == seen
    assert (np.ptp(look.table[at("c4")][1:]) > 1e-3) == seen


def test_a_look_tells_heights_for_each_thickness() -> None:
    thick, thin = np.full((2, 8, 8, MAX_HEIGHT), 0.02)
    thick[..., 0], thin[..., 1] = 0.92, 0.92
    layered = LayeredHeights(np.array([0.0, -1.0]), np.stack([thick, thin]))
    weights, tables = Look.of(replace(sharp(MOOD), layered=layered)).layers
    assert weights == pytest.approx([0.0, -1.0])
    face = FACES.index("O")
    one, two = (tables[(number, *at("c4"))][1:3, face] for number in (0, 1))
    assert one[0] > one[1]
    assert two[1] > two[0]
    weights, tables = Look.of(sharp(MOOD)).layers
    assert weights.tolist() == [0.0]
    assert (tables[0] == Look.of(sharp(MOOD)).table).all()


def test_letters_that_are_not_to_be_believed_say_nothing_and_heights_still_do() -> None:
    table = Look.of(sharp(MOOD), garbled=1.0).table
    assert np.ptp(table[at("c4")][1]) < 1e-3
    assert table[at("c4")][1].min() - table[at("c4")][0].max() > 5.0
    half = Look.of(sharp(MOOD), garbled=0.5).table[at("c4")][1]
    assert 0.5 < np.ptp(half) < np.ptp(Look.of(sharp(MOOD)).table[at("c4")][1])


def test_looks_at_the_same_reading_are_equal_and_at_another_are_not() -> None:
    look = Look.of(flat(reading_of(STACKS)))
    assert look == Look.of(flat(reading_of(STACKS)))
    assert hash(look) == hash(Look.of(flat(reading_of(STACKS))))
    assert look != Look.of(reading_of(STACKS))


def test_a_blanked_look_says_nothing_of_any_square() -> None:
    look = Look.of(reading_of(STACKS))
    assert not look.is_blank
    assert look.blank().is_blank
    assert np.ptp(look.blank().table) == pytest.approx(0.0)
    look.blank().check(Board.empty(CLASSIC.size))


@pytest.mark.parametrize("size", [2, 7, 9])
def test_a_look_at_a_board_of_another_size_is_refused(size: int) -> None:
    look = Look.of(reading_of(MOOD))
    look.check(Board.empty(CLASSIC.size))
    with pytest.raises(ValueError, match="no look"):
        look.check(Board.empty(size))


@pytest.mark.parametrize("cut", [0, 2, 100, 4350])
def test_a_look_that_was_cut_off_is_refused(cut: int) -> None:
    look = Look.of(reading_of(MOOD))
    assert len(look.data) == 8 * 8 * (MAX_HEIGHT + 1 + len(FACES) + 2) * 2
    with pytest.raises(ValueError):  # noqa: PT011
        Look(8, look.data[:cut]).check(Board.empty(8))


NAMES = ["b4", "c4", "d4", "e5", "e6", "e7"]


@pytest.mark.parametrize(("count", "share"), [(0, 0.0), (1, 0.0), (3, 2 / 6), (6, 5 / 6)])
def test_letters_are_mistrusted_by_the_share_of_known_ones_that_cannot_be_read(count: int, share: float) -> None:
    changed = {square for square in DEAR.list_occupied() if (square.row, square.col) == at("e4")}
    reading = bleach(reading_of(DEAR), ["e4", *NAMES[:count]])
    assert measure_garbled(reading, DEAR, changed) == pytest.approx(MISLED * share)


def test_few_tiles_in_view_tell_nothing() -> None:
    reading = reading_of(DEAR)
    reading.face_probs[:] = 1 / len(FACES)
    assert measure_garbled(reading, DEAR, ()) > 0.8 * MISLED
    reading.hidden[4:7] = 0.9
    assert measure_garbled(reading, DEAR, ()) == pytest.approx(MISLED * 3 / 4)
    reading.covered[at("b4")] = 0.9
    assert measure_garbled(reading, DEAR, ()) == 0.0
