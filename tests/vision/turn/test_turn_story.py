"""Stories: what boards they lead to, and how well they explain the looks."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from readings import reading_of, tear, veil
from turnkit import COMMON, DEAR, EAR, EMPTY, MOOD, SMALL, Record, at, records, sharp, spoilt

from engine import FACES, Board, PlacedTile, Square, parse_play
from engine.errors import PositionError
from vision import BoardReading, Look
from vision.heights.thickness import LayeredHeights
from vision.turn.look import LookHistory
from vision.turn.prior import FRESH, MOST_PLAYS, TAKEN_BACK, Gap, play_prior, plays_prior
from vision.turn.story import IMPOSSIBLE, CertainBoard, Story, StoryModel, differing, state_of

LAST = parse_play(EAR)


def story(*plays: str | None) -> Story:
    return Story(tuple(None if text is None else parse_play(text) for text in plays))


def looks_of(*readings: BoardReading, gaps: list[Gap] | None = None, bias: np.ndarray | None = None) -> LookHistory:
    looks = [Look.of(reading) for reading in readings]
    return LookHistory(looks, gaps or [FRESH] * len(looks), bias)


def blind(reading: BoardReading) -> Look:
    """A look in which nothing can be seen."""
    look = Look.of(reading)
    parts = np.frombuffer(look.data, np.float16).reshape(reading.size, reading.size, -1).copy()
    parts[..., -2:] = 0.0
    return Look(look.size, parts.tobytes())


def in_two_layers(board: Board, *, thick: Board) -> BoardReading:
    """A reading of `board` if layers are thin; if they are thick it shows the heights of another board."""
    heights = np.full((2, 8, 8, 5), 0.02)
    for number, shown in enumerate((thick, board)):
        for square in shown.list_occupied():
            heights[number, square.row, square.col, shown.height(square) - 1] = 0.92
    return replace(sharp(board), layered=LayeredHeights(np.array([0.0, 0.0]), heights))


def test_one_thickness_explains_all_stacks_of_a_picture() -> None:
    """What lay there before says which thickness is right, and that says how high the new stacks are."""
    before, after = play_all(EMPTY, "M@c4 O@d4 O@e4 D@f4"), play_all(EMPTY, "M@c4 O@d4 O@e4 D@f4", "W@c4", "B@c4")
    higher = Board.of([[[*stack, "A"] if stack else [] for stack in row] for row in before.stacks])
    thin = in_two_layers(after, thick=higher)
    seen = thin.layered.heights[:, 3, 2]  # type: ignore[union-attr]
    assert seen[0].argmax() != seen[1].argmax()
    model = StoryModel(CertainBoard(before), looks_of(thin), COMMON)
    once = play_all(before, "B@c4")
    assert model.weights_of_heights(0, after).max() > model.weights_of_heights(0, once).max() + 2.0
    weights, _ = model.ways_of_heights(0)
    assert weights[1] > weights[0] + 5.0


# boards


@given(records())
def test_a_story_leads_from_board_to_board(game: Record) -> None:
    told = Story(game.plays)
    assert told.boards(CertainBoard(EMPTY)) == game.boards
    assert told.board(CertainBoard(EMPTY)) == game.boards[-1]
    back = told.then(None)
    assert back.board(CertainBoard(EMPTY)) == game.boards[-2]


def test_the_play_before_the_start_may_be_taken_back_once() -> None:
    start = CertainBoard(DEAR, LAST)
    assert start.before == MOOD
    assert story(None).board(start) == MOOD
    assert story(None, "W@b4").boards(start) == (DEAR, MOOD, play_all(MOOD, "W@b4"))


def test_where_no_play_may_be_taken_back_there_is_no_board_before() -> None:
    assert CertainBoard(DEAR).before is None


@pytest.mark.parametrize(
    ("told", "start"),
    [
        pytest.param(story(None, None), CertainBoard(DEAR, LAST), id="the play before the start taken back twice"),
        pytest.param(story(None), CertainBoard(DEAR), id="taken back where none may be"),
        pytest.param(story("W@b4", "M@b4", "W@b4", "M@b4", "W@b4"), CertainBoard(MOOD), id="a sixth tile"),
    ],
)
def test_a_story_that_cannot_be_leads_to_no_board(told: Story, start: CertainBoard) -> None:
    with pytest.raises(PositionError):
        told.board(start)


@given(records(), records())
def test_the_squares_on_which_boards_differ(one: Record, other: Record) -> None:
    mine, its = one.boards[-1], other.boards[-1]
    expected = [square for square in mine.squares() if mine.stack(square) != its.stack(square)]
    assert differing(mine, its) == expected
    assert differing(mine, mine) == []


def test_the_state_of_a_square() -> None:
    board = play_all(MOOD, "W@b4")
    assert state_of(board, Square(*at("b4"))) == (2, FACES.index("W"))
    assert state_of(board, Square(*at("a1"))) == (0, 0)


# several looks at a square


def test_one_look_counts_as_it_is_against_the_likeliest_state() -> None:
    looks = looks_of(reading_of(MOOD))
    table = looks.looks[0].table
    assert np.allclose(looks.span(0, 0), table - table.max(axis=(2, 3), keepdims=True))


@examples(20)
@given(st.data())
def test_a_look_that_shows_nothing_changes_no_odds(data: st.DataObject) -> None:
    seen = [Look.of(data.draw(spoilt(DEAR))) for _ in range(data.draw(st.integers(1, 3)))]
    place = data.draw(st.integers(0, len(seen)))
    more = [*seen[:place], blind(sharp(DEAR)), *seen[place:]]
    without = LookHistory(seen, [FRESH] * len(seen)).span(0, len(seen) - 1)
    with_it = LookHistory(more, [FRESH] * len(more)).span(0, len(seen))
    odds = without - without[..., :1, :1]
    assert np.allclose(with_it - with_it[..., :1, :1], odds, atol=1e-9)


def test_a_hand_over_a_letter_leaves_what_was_read_of_it_before() -> None:
    smudged = tear(reading_of(DEAR), *at("e7"), R=0.94, P=0.055)
    r, p = FACES.index("R"), FACES.index("P")
    before = looks_of(smudged).span(0, 0)[at("e7")][1]
    after = looks_of(smudged, veil(smudged, at("e7"))).span(0, 1)[at("e7")][1]
    assert after[r] - after[p] == pytest.approx(before[r] - before[p], rel=0.1)


def test_the_same_look_again_tells_more_and_less_than_twice_as_much() -> None:
    smudged = tear(reading_of(DEAR), *at("e7"), R=0.94, P=0.055)
    start, odds = CertainBoard(DEAR.without_top([Square(*at("e7"))])), []
    for count in (1, 2, 3):
        told = StoryModel(start, looks_of(*[smudged] * count), SMALL)
        right, wrong = (told.weigh(story(f"{face}@e7")).log for face in ("R", "P"))
        odds.append(right - wrong)
    assert odds[0] < odds[1] < odds[2]
    assert odds[1] < 2 * odds[0]


def test_what_is_taken_off_every_look_is_taken_off() -> None:
    bias = np.zeros((8, 8, 6, 26))
    bias[(*at("d4"), 2)] = 3.0
    plain, biased = (looks_of(reading_of(MOOD), bias=each).span(0, 0)[at("d4")] for each in (None, bias))
    assert np.allclose((plain[2] - plain[0]) - (biased[2] - biased[0]), 3.0)


# stories


def model(
    *readings: BoardReading, board: Board = MOOD, last: str | None = None, gaps: list[Gap] | None = None
) -> StoryModel:
    start = CertainBoard(board, None if last is None else parse_play(last))
    return StoryModel(start, looks_of(*readings, gaps=gaps), COMMON)


@pytest.mark.parametrize("gap", [FRESH, Gap(open=True), Gap(unseen=1)])
def test_that_nothing_happened_is_as_likely_as_it_is_beforehand(gap: Gap) -> None:
    weighed = model(sharp(MOOD), gaps=[gap]).weigh(Story())
    assert weighed.log == pytest.approx(plays_prior(gap)[0])


def test_a_play_that_no_look_can_see_is_as_likely_as_it_is_beforehand() -> None:
    told = StoryModel(CertainBoard(MOOD), LookHistory([blind(sharp(MOOD))], [FRESH]), COMMON)
    expected = play_prior(parse_play("W@b4"), MOOD, COMMON) + plays_prior(FRESH)[1]
    assert told.weigh(story("W@b4")).log == pytest.approx(expected)


def test_taking_back_has_its_own_likelihood() -> None:
    told = StoryModel(CertainBoard(DEAR, LAST), LookHistory([blind(sharp(DEAR))], [FRESH]), COMMON)
    assert told.weigh(story(None)).log == pytest.approx(np.log(TAKEN_BACK))


def test_what_cannot_be_is_impossible() -> None:
    assert model(sharp(MOOD)).weigh(story(None)).log == IMPOSSIBLE
    six = story("W@b4", "M@b4", "W@b4", "M@b4", "W@b4")
    assert model(sharp(MOOD), sharp(MOOD)).weigh(six).log == IMPOSSIBLE


def test_more_plays_than_a_gap_can_have_are_hardly_possible() -> None:
    plays = ["W@b4", "F@b4", "G@b4", "M@b4"]
    assert len(plays) > MOST_PLAYS
    board = play_all(MOOD, *plays)
    assert model(sharp(board)).weigh(story(*plays)).log < IMPOSSIBLE / 2
    assert model(sharp(board), sharp(board)).weigh(story(*plays)).log > IMPOSSIBLE / 2


@examples(20)
@given(records(), st.data())
def test_what_was_played_explains_a_clear_look_best(game: Record, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(game.plays) - 1))
    before, play = game.boards[number], game.plays[number]
    told = StoryModel(CertainBoard(before), looks_of(reading_of(game.boards[number + 1])), SMALL)
    true = told.weigh(Story((play,))).log
    shorter = replace(play, tiles=play.tiles[:-1])
    tile = play.tiles[-1]
    face = "A" if tile.face != "A" else "E"
    other = replace(play, tiles=(*play.tiles[:-1], PlacedTile(tile.square, face)))
    wrong = [Story(), Story((other,)), Story((play, shorter)) if shorter.tiles else Story()]
    assert all(told.weigh(each).log < true - 2.0 for each in wrong)


def test_which_look_came_before_a_play_matters() -> None:
    after = play_all(MOOD, "W@b4")
    both = story(EAR, "W@b4")
    then = model(sharp(DEAR), sharp(play_all(DEAR, "W@b4"))).weigh(both).log
    other = model(sharp(after), sharp(play_all(DEAR, "W@b4"))).weigh(both).log
    assert then > other + 10.0


def weigh_board(table: np.ndarray, board: Board) -> float:
    """The log likelihood of a look at a board, (n, n, 6, 26), whose stacks may all seem a layer lower or higher."""

    def off(layers: int) -> float:
        total = 0.0
        for square in board.squares():
            height, face = state_of(board, square)
            total += table[square.row, square.col, min(max(height + layers, 1), 5) if height else 0, face]
        return total

    return float(np.logaddexp.reduce([np.log(0.98) + off(0), np.log(0.01) + off(-1), np.log(0.01) + off(1)]))


def lower(reading: BoardReading) -> BoardReading:
    """The reading of a picture in which all stacks of two and more seem a layer lower."""
    heights = reading.height_probs.copy()
    heights[..., 1:5] = reading.height_probs[..., 2:]
    heights[..., 5] = 0.0
    heights[..., 1] += reading.height_probs[..., 1]
    return replace(reading, height_probs=heights / heights.sum(axis=-1, keepdims=True))


def test_a_picture_in_which_all_stacks_seem_lower_shows_the_play_nevertheless() -> None:
    high = play_all(MOOD, "W@b4 A@c4 R@d4 D@e4")
    after = play_all(high, "C@b4 O@d4 S@e4")
    told = StoryModel(CertainBoard(high), looks_of(lower(reading_of(after, height_sure=0.95))), COMMON)
    true = told.weigh(story("C@b4 O@d4 S@e4")).log
    assert true > told.weigh(Story()).log + 5.0
    assert true > told.weigh(story("C@b4 O@d4")).log + 5.0


def gap_by_gap(told: StoryModel, story: Story) -> float:
    """The log probability of a story, by trying all ways in which its events may fall between the looks."""
    boards, last = story.boards(told.start), told.looks.last
    tables = [told.looks.span(number, number) for number in range(last + 1)]
    prior = sum(
        float(np.log(TAKEN_BACK)) if event is None else play_prior(event, board, SMALL)
        for event, board in zip(story.events, boards, strict=False)
    )
    parts = []
    for places in combinations_with_replacement(range(last + 1), len(story.events)):
        total = prior
        for number, table in enumerate(tables):
            events = tuple(event for event, at_gap in zip(story.events, places, strict=True) if at_gap == number)
            plays = sum(event is not None for event in events)
            if plays > MOST_PLAYS:
                total = -np.inf
                break
            if plays or not events:
                first = number == 0 and told.start.board.is_empty
                total += plays_prior(told.looks.gaps[number], is_first=first)[plays]
            total += told.weigh_any_letters(events, boards[sum(place < number for place in places)])
            board = boards[sum(place <= number for place in places)]
            was = boards[sum(place < number for place in places)]
            total += weigh_board(table, board) - weigh_board(table, told.start.board)
            for square in board.squares() if number else ():
                state, start = state_of(board, square), state_of(told.start.board, square)
                again = told.looks.discount_repeated(number)[square.row, square.col]
                total += (again[state] if state == state_of(was, square) else 0.0) - again[start]
        parts.append(total)
    return float(np.logaddexp.reduce(parts))


GAPS = [FRESH, Gap(open=True), Gap(unseen=1)]


@examples(12)
@given(records(most=3), st.data())
def test_a_story_is_weighed_over_every_way_it_may_fall_between_the_looks(game: Record, data: st.DataObject) -> None:
    shown = sorted(data.draw(st.lists(st.integers(0, len(game.plays)), min_size=1, max_size=3)))
    readings = [data.draw(spoilt(game.boards[number])) for number in shown]
    gaps = [data.draw(st.sampled_from(GAPS)) for _ in shown]
    told = StoryModel(CertainBoard(EMPTY), looks_of(*readings, gaps=gaps), SMALL)
    events = (*game.plays, None) if data.draw(st.booleans()) else game.plays
    for length in range(len(events) + 1):
        story = Story(events[:length])
        assert told.weigh(story).log == pytest.approx(gap_by_gap(told, story), abs=1e-6)


def test_weighing_again_gives_the_same() -> None:
    told = model(sharp(DEAR), sharp(play_all(DEAR, "W@b4")))
    first = [told.weigh(each).log for each in (story(EAR), story(EAR, "W@b4"), story("W@b4", EAR))]
    assert first == [told.weigh(each).log for each in (story(EAR), story(EAR, "W@b4"), story("W@b4", EAR))]
