"""Looking for stories: two turns in either order, what lies under other tiles, what was taken for something else."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from readings import reading_of, tear, veil
from turnkit import COMMON, DEAR, EAR, EMPTY, MOOD, SMALL, Record, at, context_of, records, sharp, spoilt, texts

from engine import Board, parse_play
from vision import BoardReading, GameSettings, Look
from vision.turn.look import LookHistory
from vision.turn.prior import FRESH, Gap
from vision.turn.story import CertainBoard, Story, StoryModel
from vision.turn.story_search import KEPT, Explained, explain


def explain_looks(
    board: Board, *readings: BoardReading, settings: GameSettings = COMMON, last: str | None = None,
    believed: tuple[Story, ...] = (Story(),), gap: Gap = FRESH,
) -> Explained:  # fmt: skip
    gaps = [FRESH] * (len(readings) - 1) + [gap]
    looks = LookHistory([Look.of(reading) for reading in readings], gaps)
    start = CertainBoard(board, None if last is None else parse_play(last))
    return explain(StoryModel(start, looks, settings), believed, believed[0])


def stories(found: Explained, least: float = 1e-4) -> list[list[str | None]]:
    """The stories with a share of more than `least`, in notation."""
    return [texts(each.story.events) for each in found.stories if each.log > found.total + np.log(least)]


def test_nothing_and_a_play() -> None:
    assert stories(explain_looks(MOOD, sharp(MOOD)))[0] == []
    assert stories(explain_looks(MOOD, sharp(DEAR)))[0] == [EAR]


def test_a_play_taken_back_and_another_in_its_place() -> None:
    assert stories(explain_looks(DEAR, sharp(MOOD), last=EAR))[0] == [None]
    assert stories(explain_looks(DEAR, sharp(play_all(MOOD, "W@b4")), last=EAR))[0] == [None, "W@b4"]


def test_two_turns_are_told_in_either_order() -> None:
    found = stories(explain_looks(MOOD, sharp(play_all(DEAR, "W@b4"))))
    assert [EAR, "W@b4"] in found[:2]
    assert ["W@b4", EAR] in found[:2]


def test_two_turns_of_which_one_needs_the_other_are_told_in_order() -> None:
    settings = context_of("MOOD", "DEAR", "ROE")
    found = stories(explain_looks(MOOD, sharp(play_all(DEAR, "O@f7 E@g7")), settings=settings), least=0.02)
    assert found[0] == [EAR, "O@f7 E@g7"]
    assert ["O@f7 E@g7", EAR] not in found


def test_a_tile_that_no_picture_showed_lies_under_the_one_that_is_seen() -> None:
    settings = context_of("DEAR", "BEAR", "PEAR", "GEAR")
    before = play_all(EMPTY, "D@d4 E@e4 A@f4 R@g4")
    found = explain_looks(before, sharp(play_all(before, "B@d4", "P@d4")), settings=settings, gap=Gap(unseen=1))
    hidden, shown = stories(found)[0]  # one letter stands for all possible ones
    assert (hidden in ("B@d4", "G@d4"), shown) == (True, "P@d4")


def test_stacks_that_stand_where_nothing_stood_are_two_turns() -> None:
    settings = context_of("DEAR", "DON", "DES", "ON", "ES")
    before = play_all(EMPTY, "D@d4 E@e4 A@f4 R@g4")
    plays = "O@d5 N@d6", "E@d5 S@d6"
    found = explain_looks(before, sharp(play_all(before, *plays)), settings=settings, gap=Gap(unseen=1))
    assert stories(found)[0] == list(plays)


def test_the_tile_on_a_crossing_is_of_either_play() -> None:
    settings = context_of("MOOD", "DO", "DON", "ON", "MOO")
    found = stories(
        explain_looks(MOOD, sharp(play_all(MOOD, "O@e5 N@e6", "O@d6")), settings=settings, gap=Gap(unseen=1))
    )
    assert ["O@e5 N@e6", "O@d6"] in found
    assert ["O@e5", "O@d6 N@e6"] in found


def test_the_tile_on_a_crossing_lies_on_one_that_no_picture_showed() -> None:
    settings = context_of("COPED", "COWED", "WOOD", "FOOD", "REFER")
    board = play_all(EMPTY, "a4-COPED")
    plays = ["W@c4 O@c5 O@c6 D@c7", "R@a4 E@b4 F@c4 R@e4"]
    assert stories(explain_looks(board, sharp(play_all(board, *plays)), settings=settings))[0] == plays


def test_a_play_that_leaves_a_gap_is_weighed_as_two_even_if_these_make_no_words() -> None:
    board, plays = play_all(EMPTY, "e1|AQIT", "M@f1 C@f2"), ["U@c3 Y@d3", "I@g3 X@h3"]
    found = explain_looks(board, sharp(play_all(board, *plays)), settings=context_of("AUGST"))
    assert plays in stories(found)[:2]


def test_an_end_that_a_hand_hid_is_put_right_when_it_is_seen() -> None:
    settings = context_of("WOOD", "WOODY", "ON", "NO")
    wood, woody = "W@d3 O@d4 O@d5 D@d6", "W@d3 O@d4 O@d5 D@d6 Y@d7"
    hand = veil(sharp(play_all(EMPTY, wood)), at("d7"), at("d8"))
    believed = (Story((parse_play(wood),)),)
    found = explain_looks(EMPTY, hand, sharp(play_all(EMPTY, woody, "N@e4")), settings=settings, believed=believed)
    assert stories(found)[0] == [woody, "N@e4"]


def test_a_letter_that_was_misread_is_put_right_when_it_is_seen_again() -> None:
    blurred = tear(reading_of(play_all(MOOD, "W@b4")), *at("b4"), W=0.4, F=0.5)
    believed = (Story((parse_play("F@b4"),)), Story((parse_play("W@b4"),)))
    found = explain_looks(MOOD, blurred, sharp(play_all(MOOD, "W@b4", EAR)), believed=believed)
    assert stories(found)[0] == ["W@b4", EAR]


@examples(15)
@given(records(most=2), st.data())
def test_what_is_kept_is_ranked_and_all_of_it_is_one(game: Record, data: st.DataObject) -> None:
    reading = data.draw(spoilt(game.boards[-1]))
    found = explain_looks(game.boards[-2], reading, settings=SMALL)
    assert 1 <= len(found.stories) <= KEPT
    assert len({each.story for each in found.stories}) == len(found.stories)
    assert all(one.log >= other.log for one, other in pairwise(found.stories))
    logs = [*(each.log for each in found.stories), found.lost, found.unexplained, found.out_of_sight]
    assert sum(np.exp(log - found.total) for log in logs) == pytest.approx(1.0)
    for each in found.stories:
        assert each.story.board(CertainBoard(game.boards[-2])).size == 8


@examples(10)
@given(records(least=2, most=3))
def test_two_plays_of_any_game_lead_to_the_board_that_is_seen(game: Record) -> None:
    if len(game.plays) < 2:
        return
    found = explain_looks(game.boards[-3], sharp(game.boards[-1]), settings=SMALL, gap=Gap(unseen=1))
    boards = [each.story.board(CertainBoard(game.boards[-3])) for each in found.stories[:3]]
    assert any(board.tops() == game.boards[-1].tops() for board in boards)


def test_the_more_is_odd_the_likelier_is_something_else() -> None:
    odds = []
    for names in ((), ("a1",), ("a1", "h8", "a8")):
        reading = sharp(MOOD)
        for name in names:
            reading.height_probs[at(name)] = [0.0001, 0.0001, 0.9996, 0.0001, 0.0, 0.0001]
        found = explain_looks(MOOD, reading)
        odds.append(found.unexplained - found.total)
    assert odds[0] < -8.0
    assert odds[0] < odds[1] < odds[2]


def test_two_tiles_on_one_square_are_never_one_turn() -> None:
    reading = sharp(DEAR.without_top(parse_play(EAR).squares))
    found = explain_looks(DEAR, reading, gap=Gap(unseen=1))
    plays = [event for each in found.stories for event in each.story.events if event is not None]
    assert [texts([play]) for play in plays if len({*play.squares}) < len(play.squares)] == []


def test_a_hidden_end_is_weighed_with_every_word_that_fits() -> None:
    settings = context_of("MATTE", "MATTED", "MATTER")
    seen = veil(sharp(play_all(EMPTY, "b4-MATTE")), at("g4"))
    whole = [texts([parse_play(run)]) for run in ("b4-MATTE", "b4-MATTED", "b4-MATTER")]
    assert sorted(map(str, stories(explain_looks(EMPTY, seen, settings=settings), 0.05))) == sorted(map(str, whole))
