"""What is taken without a question, what is asked, and which answers are offered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples
from readings import flat, letters, reading_of, run_out, tear, veil, write_over
from turnkit import (
    CLASSIC,
    COMMON,
    DEAR,
    EAR,
    EMPTY,
    MOOD,
    NO_LIST,
    SMALL,
    Record,
    at,
    bleach,
    context_of,
    look_again,
    look_from,
    notate,
    records,
    sharp,
    spoilt,
    texts,
)

from engine import FACES, Board, Lexicon, Square, format_play, parse_play, parse_square
from vision import Belief, BoardReading, Finding, GameSettings, GridDoubt, Look, Outcome, certain
from vision.board.grid_doubt import SPOILED
from vision.hidden.occlusion import CutOff
from vision.turn import review
from vision.turn.prior import FRESH, Gap, Pace
from vision.turn.reasons import SURE, Doubt, Reason, grid_doubt, is_about
from vision.turn.review import SURE_OF_REMOVAL, ReviewInput, review_look, what_hides
from vision.turn.steps import decide, with_room
from vision.turn.story import Story, WeighedStory
from vision.turn.story_search import Explained


def list_letters(outcome: Outcome, which: int = 0) -> dict[tuple[int, int], str]:
    """The tiles of one of an outcome's changes, a play."""
    play = there(outcome.changes[which])
    return letters(play)


def find(
    board: Board, *readings: BoardReading | None, settings: GameSettings = COMMON, last: str | None = None
) -> Finding:
    return look_again(certain(board, parse_play(last) if last else None), *readings, settings=settings)[1]


# plays


def test_the_first_play_is_read_without_a_question() -> None:
    finding = find(EMPTY, reading_of(MOOD))
    assert (finding.kind, finding.needs_review, finding.reason) == ("play", False, None)
    assert finding.play == parse_play("M@b4 O@c4 O@d4 D@e4")
    assert finding.before == EMPTY


@pytest.mark.parametrize("play", ["W@b4", EAR, "L@e4", "W@b4 L@e4", "F@b4 L@e4"])
def test_plays_on_and_beside_tiles(play: str) -> None:
    finding = find(
        MOOD, reading_of(play_all(MOOD, play)), settings=context_of("MOOD", "DEAR", "WOOD", "MOOL", "WOOL", "FOOL")
    )
    assert (finding.kind, finding.play, finding.needs_review) == ("play", parse_play(play), False)


def test_stacking_seen_from_above_is_told_by_the_letter() -> None:
    finding = find(DEAR, flat(reading_of(play_all(DEAR, "W@b4"), sure=0.9999)))
    assert not finding.needs_review
    assert finding.play == parse_play("W@b4")


def test_nothing_changed() -> None:
    for reading in (flat(reading_of(DEAR)), reading_of(DEAR)):
        finding = find(DEAR, reading)
        assert (finding.kind, finding.needs_review, finding.play) == ("none", False, None)


def test_two_letters_alike_are_asked_about_with_the_square_and_both_are_answers() -> None:
    after = play_all(MOOD, "N@d5 Z@d6")
    finding = find(MOOD, tear(reading_of(after), *at("d6"), Z=0.5, N=0.48), settings=NO_LIST)
    assert finding.needs_review
    assert finding.square == Square(*at("d6"))
    assert {list_letters(o)[at("d6")] for o in finding.outcomes[:2]} == {"N", "Z"}
    assert str(finding.reason) in ("N or Z at d6?", "Z or N at d6?")


def test_the_list_of_words_is_only_a_soft_prior() -> None:
    after = play_all(MOOD, "E@e5 A@e6 Z@e7")
    finding = find(MOOD, sharp(after))
    assert finding.play == parse_play("E@e5 A@e6 Z@e7")
    assert not finding.needs_review


def test_a_word_in_no_list_is_asked_about_unless_it_is_read_very_surely() -> None:
    after = play_all(MOOD, "E@e5 A@e6 Z@e7")
    finding = find(MOOD, tear(reading_of(after), *at("e7"), Z=0.9, R=0.001, N=0.05))
    assert finding.needs_review
    assert finding.reason


def test_a_list_of_words_decides_between_letters_and_without_one_they_are_asked_about() -> None:
    smudged = tear(reading_of(DEAR), *at("e7"), R=0.94, P=0.055)
    assert not find(MOOD, smudged).needs_review
    finding = find(MOOD, smudged, settings=NO_LIST)
    assert finding.play == parse_play(EAR)
    assert 0.85 < finding.confidence < SURE
    assert (finding.needs_review, str(finding.reason)) == (True, "R or P at e7?")
    assert not find(MOOD, sharp(DEAR), settings=NO_LIST).needs_review


def test_a_letter_that_has_run_out_counts_against_itself() -> None:
    with_j = play_all(EMPTY, "J@d4 O@d5 B@d6")
    blurred = tear(reading_of(play_all(with_j, "U@e5 T@f5")), *at("f5"), J=0.52, T=0.46)
    assert find(with_j, blurred, settings=NO_LIST).play == parse_play("U@e5 T@f5")
    assert find(with_j, blurred, settings=replace(NO_LIST, count_tiles=False)).play == parse_play("U@e5 J@f5")


def test_a_foul_is_asked_about_with_the_rule_however_surely_it_is_read() -> None:
    finding = find(MOOD, sharp(play_all(MOOD, "A@a1")))
    assert finding.kind == "play"
    assert finding.play == parse_play("A@a1")
    assert finding.reason is not None
    assert str(finding.reason).startswith("Rule 4")
    assert str(finding.reason).endswith("Is that what was played?")


# hands


@pytest.mark.parametrize(("sure", "kind"), [(0.5, "unclear"), (0.9999, "play")])
def test_more_faint_letters_than_a_rack_holds_are_print_and_no_play(sure: float, kind: str) -> None:
    printed = play_all(EMPTY, "T@a3 E@b3 H@c3 T@e3 T@f3 E@g3 H@h3 T@a6 E@b6 H@c6")
    reading = reading_of(printed)
    faces = reading.face_probs * sure + (1.0 - sure) / reading.face_probs.shape[-1]
    finding = find(EMPTY, replace(reading, face_probs=faces))
    assert (finding.kind, finding.needs_review) == (kind, True)
    assert bool(finding.outcomes) == (kind == "play")


def test_a_hand_far_from_the_play_does_no_harm() -> None:
    finding = find(MOOD, veil(reading_of(DEAR), (0, 0), (0, 1)))
    assert (finding.kind, finding.needs_review, finding.play) == ("play", False, parse_play(EAR))


def test_a_hand_over_the_end_of_a_play_is_asked_about() -> None:
    finding = find(MOOD, veil(reading_of(play_all(MOOD, "E@e5 A@e6")), at("e7")))
    assert finding.needs_review
    assert finding.square == Square(*at("e7"))
    assert {list_letters(o).get(at("e7")) for o in finding.outcomes[:2]} == {"L", "R"}


def test_where_a_hidden_end_would_be_another_word_both_are_answers() -> None:
    settings = context_of("MATTE", "MATTED")
    finding = find(EMPTY, veil(reading_of(play_all(EMPTY, "b4-MATTE")), at("g4")), settings=settings)
    assert finding.needs_review
    assert str(finding.reason) == "Was D played at g4?"
    assert {o.changes for o in finding.outcomes} == {(parse_play("b4-MATTE"),), (parse_play("b4-MATTED"),)}


def test_where_no_word_goes_on_under_the_hand_nothing_is_asked() -> None:
    finding = find(EMPTY, veil(reading_of(play_all(EMPTY, "b4-MATTE")), at("g4")), settings=context_of("MATTE"))
    assert (finding.needs_review, finding.play) == (False, parse_play("b4-MATTE"))


def test_a_hand_and_no_change_is_unclear() -> None:
    finding = find(MOOD, veil(reading_of(MOOD), (0, 0), (0, 1), (1, 0), (1, 1)))
    assert (finding.kind, finding.reason) == ("unclear", Doubt(Reason.HAND))


@pytest.mark.parametrize(
    ("after", "fault"),
    [
        pytest.param(MOOD, GridDoubt.BLURRED, id="the board as before, blurred"),
        *(
            pytest.param(DEAR, each, id=f"a play, {each.name.lower()}", marks=pytest.mark.slow)
            for each in sorted(SPOILED, key=str)
        ),
    ],
)
def test_a_picture_in_which_next_to_nothing_shows_is_to_be_taken_again(after: Board, fault: GridDoubt) -> None:
    soft = replace(reading_of(after, sure=0.08, height_sure=0.6), grid_doubt=fault)
    finding = find(MOOD, soft, settings=NO_LIST)
    assert (finding.kind, str(finding.reason), finding.outcomes) == ("unclear", fault.value, ())


def test_a_sharp_picture_after_a_blurred_one_tells_the_turn() -> None:
    soft = replace(reading_of(DEAR, sure=0.3, height_sure=0.6), grid_doubt=GridDoubt.BLURRED)
    _, finding = look_from(MOOD, soft, reading_of(DEAR))
    assert (finding.kind, finding.needs_review, finding.play) == ("play", False, parse_play(EAR))


def test_what_a_hand_hides_is_not_guessed_at() -> None:
    finding = find(MOOD, veil(reading_of(MOOD), *map(at, ("e5", "e6", "e7", "e8"))))
    assert (finding.kind, finding.reason, finding.play) == ("unclear", Doubt(Reason.HAND), None)
    assert [o for o in finding.outcomes if o.changes] == []


# tiles gone


def test_tiles_taken_back() -> None:
    finding = find(DEAR, reading_of(MOOD), last=EAR)
    assert (finding.kind, finding.play, finding.needs_review) == ("removed", parse_play(EAR), False)
    assert finding.outcomes[0].changes == (None,)


def test_that_all_tiles_are_gone_is_asked_about_before_points_are_taken_off() -> None:
    finding = find(MOOD, reading_of(EMPTY), last="b4-MOOD")
    assert (finding.kind, finding.needs_review, finding.reason) == ("removed", True, Doubt(Reason.BACK))


def test_another_play_in_the_place_of_one_taken_back() -> None:
    finding = find(DEAR, sharp(play_all(MOOD, "W@b4")), last=EAR)
    assert finding.needs_review
    assert notate(finding.outcomes[0]) == [None, "W@b4"]
    assert finding.reason == Doubt(Reason.AGAIN)


def test_a_tile_knocked_askew_keeps_its_place() -> None:
    reading = bleach(reading_of(DEAR), ["b4"])
    reading.height_probs[at("b4")] = [0.4, 0.3, 0.1, 0.1, 0.05, 0.05]
    finding = find(MOOD, reading)
    assert (finding.play, finding.needs_review) == (parse_play(EAR), False)


MISSING = "The tile on b4 is gone. Put it back and photograph again."


@pytest.mark.parametrize(
    ("names", "told"),
    [(["b4", "e7"], "The tiles on b4 and e7 are gone. Put them back and photograph again."), (["b4"], MISSING)],
    ids=["two", "one"],
)
def test_tiles_knocked_off_are_named(names: list[str], told: str) -> None:
    finding = find(DEAR, sharp(DEAR.without_top([Square(*at(name)) for name in names])))
    assert (finding.kind, finding.needs_review, finding.unexplained) == ("unclear", True, True)
    assert str(finding.reason) == told


def test_one_tile_knocked_off_is_named_and_the_play_beside_it_kept() -> None:
    now = play_all(DEAR.without_top([Square(*at("b4"))]), "L@e4")
    finding = find(DEAR, sharp(now))
    assert (finding.kind, finding.needs_review, str(finding.reason)) == ("unclear", True, MISSING)
    assert notate(finding.outcomes[0]) == ["L@e4"]


def test_a_tile_gone_and_others_where_none_may_come_are_not_called_knocked() -> None:
    finding = find(DEAR, sharp(play_all(DEAR.without_top([Square(*at("b4"))]), "Z@a1 Z@h8")))
    assert finding.needs_review
    assert not is_about(there(finding.reason), Reason.TILE_GONE)


def test_a_board_that_lies_a_square_beside_is_inexplicable() -> None:
    finding = find(DEAR, sharp(Board.of([[(), *row[:-1]] for row in DEAR.stacks])))
    assert (finding.kind, finding.reason, finding.unexplained) == ("unclear", Doubt(Reason.INEXPLICABLE), True)
    assert finding.play is None


def test_the_letter_two_below_looks_like_a_tile_taken_back_and_is_not() -> None:
    before = play_all(MOOD, "T@d4")
    reading = reading_of(play_all(before, "O@d4 N@d5"), sure=0.9999)
    reading.height_probs[at("d4")] = [0.0, 0.4, 0.1, 0.45, 0.03, 0.02]
    finding = find(before, reading, last="T@d4")
    assert notate(finding.outcomes[0]) == ["O@d4 N@d5"]


# several turns


def test_two_turns_since_the_last_look_are_asked_about_in_order() -> None:
    finding = find(MOOD, reading_of(play_all(DEAR, "W@b4")))
    assert finding.needs_review
    assert str(finding.reason) == "Was a turn missed? Which of the two words came first?"
    answers = [notate(outcome) for outcome in finding.outcomes[:2]]
    assert [EAR, "W@b4"] in answers
    assert ["W@b4", EAR] in answers


@pytest.mark.parametrize("plays_between", [1, 3])
@pytest.mark.parametrize("more", [(), ("T@g7",)])
def test_a_tile_that_is_left_over_after_three_plays_is_more_than_turns_explain(
    plays_between: int, more: tuple[str, ...]
) -> None:
    words = ("MOOD", "DEAR", "AN", "ANT", "DO", "ODO", "AT", "NO", "NOD", "RAN", "TO", "TOO", "ODE")
    settings = context_of(*words, plays_between=plays_between)
    now = play_all(MOOD, EAR, "A@f6 N@g6", *more, "D@c5 O@c6")
    _, finding = look_from(MOOD, sharp(now), settings=settings)
    assert finding.unexplained == is_about(finding.reason, Reason.INEXPLICABLE) == bool(more)
    assert len(finding.outcomes[0].changes) == 3, "three plays are still an answer"
    _, again = look_from(MOOD, sharp(now), sharp(now), settings=settings)
    assert again.unexplained == bool(more), "the same photograph explains no more"


@pytest.mark.parametrize(
    ("plays_between", "told"),
    [
        (1, "Was a turn missed? Which of the three words came first?"),
        (2, "Was a turn missed? Which of the three words came first?"),
        (3, "It looks like three words were played. Which came first?"),
    ],
)
def test_turns_are_counted_and_missed_where_fewer_were_expected(plays_between: int, told: str) -> None:
    settings = replace(context_of("MOOD", "WOOD", "DEAR", "ON"), plays_between=plays_between)
    finding = find(MOOD, sharp(play_all(DEAR, "W@b4", "N@c5")), settings=settings)
    assert (finding.needs_review, str(finding.reason)) == (True, told)


def test_a_stack_two_higher_with_a_letter_that_no_picture_showed_is_asked_about() -> None:
    settings = context_of("DEAR", "BEAR", "PEAR", "GEAR")
    before = play_all(EMPTY, "d4-DEAR")
    finding = find(before, None, reading_of(play_all(before, "B@d4", "P@d4")), settings=settings)
    assert finding.needs_review
    hidden, shown = notate(finding.outcomes[0])
    assert (hidden in ("B@d4", "G@d4"), shown) == (True, "P@d4")


@pytest.mark.parametrize("name", ["c4", "d4"])
def test_a_stack_that_grew_beside_a_play_though_its_letter_is_as_it_was_is_asked_about(name: str) -> None:
    reading = sharp(play_all(MOOD, "W@b4 L@e4"))
    reading.height_probs[at(name)] = [0.0, 0.02, 0.95, 0.01, 0.01, 0.01]
    finding = find(MOOD, reading, settings=context_of("MOOD", "WOOL"))
    assert finding.needs_review
    assert finding.square == Square(*at(name))
    without, *others = (at(name) in list_letters(outcome, -1) for outcome in finding.outcomes)
    assert not without
    assert any(others)


def test_an_earlier_turn_that_looks_like_another_now_is_asked_about() -> None:
    settings = context_of("WOOD", "FOOD", "MOOD", "DEAR")
    reading = tear(reading_of(play_all(MOOD, "W@b4")), *at("b4"), F=0.96, W=0.03)
    belief, first = look_from(MOOD, reading, settings=settings)
    assert not first.needs_review
    _, finding = look_again(belief, sharp(play_all(MOOD, "W@b4", EAR)), settings=settings)
    assert (finding.needs_review, finding.reason) == (True, Doubt(Reason.REVISED))
    assert notate(finding.outcomes[0]) == ["W@b4", EAR]
    assert (finding.outcomes[0].kept, finding.outcomes[0].replaces) == (0, 1)


# pictures that are not to be trusted


@pytest.mark.parametrize(
    ("doubt", "told"),
    [(GridDoubt.BORDER, str(Doubt(Reason.BORDER))), (GridDoubt.PRINTED, GridDoubt.PRINTED.value)],
    ids=["its border", "it looks printed"],
)
def test_a_first_play_on_a_grid_in_doubt_is_asked_about_and_tiles_that_are_known_bear_it_out(
    doubt: GridDoubt, told: str
) -> None:
    finding = find(EMPTY, replace(reading_of(MOOD), grid_doubt=doubt))
    assert (finding.kind, finding.needs_review, str(finding.reason)) == ("play", True, told)
    assert not find(MOOD, replace(reading_of(DEAR), grid_doubt=doubt)).needs_review


def test_a_play_on_a_grid_that_is_hardly_made_out_is_asked_about_whatever_is_known() -> None:
    finding = find(MOOD, replace(reading_of(DEAR), grid_doubt=GridDoubt.FAINT))
    assert (finding.kind, finding.needs_review, str(finding.reason)) == ("play", True, GridDoubt.FAINT.value)


def white(face_sure: float, *names: str) -> Finding:
    """L@e4 on DEAR, its own letter so sure, and letters gone white that are known."""
    reading = bleach(sharp(play_all(DEAR, "L@e4")), names)
    rest = (1.0 - face_sure) / 25
    reading.face_probs[at("e4")] = np.where(np.array(FACES) == "L", face_sure, rest)
    words = context_of("MOOD", "DEAR", "LEAR", "MOOL", "MOOT", "TEAR", "HEAR", "MOOH", "NEAR", "MOON")
    return find(DEAR, reading, settings=words)


ALL_WHITE = ["b4", "c4", "d4", "e5", "e6", "e7"]


def test_the_more_known_letters_are_white_the_less_a_new_one_is_believed() -> None:
    shares = [white(0.6, *ALL_WHITE[:count]).outcomes[0].share for count in (0, 1, 3, 6)]
    assert shares[0] == shares[1] > shares[2] > shares[3]


def test_a_picture_gone_white_is_asked_about() -> None:
    assert not white(0.9999).needs_review
    assert white(0.6, *ALL_WHITE).needs_review


# what a finding is, whatever is seen


def test_a_ring_printed_on_an_empty_board_is_asked_about_at_most_and_named() -> None:
    reading = tear(reading_of(EMPTY), *at("d4"), O=0.975)
    reading.height_probs[at("d4")] = [0.02, 0.98, 0.0, 0.0, 0.0, 0.0]
    finding = find(EMPTY, reading)
    assert finding.needs_review
    assert finding.reason == Doubt(Reason.NOTHING_SURE)
    assert (finding.kind, finding.play) == ("play", parse_play("O@d4"))
    assert any(notate(o) == ["O@d4"] for o in finding.outcomes)


def test_a_faint_ring_on_an_empty_board_is_no_play() -> None:
    reading = tear(reading_of(EMPTY), *at("d4"), O=0.975)
    reading.height_probs[at("d4")] = [0.1, 0.9, 0.0, 0.0, 0.0, 0.0]
    finding = find(EMPTY, reading)
    assert (finding.kind, finding.needs_review) == ("none", False)


@pytest.mark.parametrize("doubt", [None, GridDoubt.UNLETTERED])
def test_tiles_without_letters_are_asked_about_however_sure_it_is_that_nothing_was_played(
    doubt: GridDoubt | None,
) -> None:
    """A lamp in the lens washes the letters out: the picture may hide a turn."""
    reading = replace(reading_of(MOOD), grid_doubt=doubt)
    reading.height_probs[at("a8")] = [0.45, 0.55, 0.0, 0.0, 0.0, 0.0]
    finding = find(MOOD, reading)
    assert (finding.kind, finding.needs_review) == ("none", doubt is not None)
    assert finding.reason == (None if doubt is None else grid_doubt(doubt))


def review_after(
    entered: str, stories: dict[str, float], now: Board, settings: GameSettings = COMMON, hidden: Sequence[str] = ()
) -> Finding:
    """What is found on MOOD where these plays are entered and these stories have those shares; `now` is seen."""
    reading = veil(reading_of(now), *map(at, hidden))
    look = Look.of(reading)
    weighed = [
        WeighedStory(Story(tuple(map(parse_play, story.split(", ")))), np.log(share))
        for story, share in stories.items()
    ]
    explained = Explained(tuple(weighed), lost=-20.0, unexplained=-20.0, ruled_out=frozenset())
    plays = tuple(map(parse_play, filter(None, entered.split(", "))))
    belief = replace(certain(MOOD), entered=tuple((play, 0) for play in plays))
    return review_look(ReviewInput(belief, explained, look, look.table, reading, settings))


@pytest.mark.parametrize(("other", "kept"), [(0.3, True), (0.1, False)])
def test_what_the_sheet_says_stays_where_all_that_may_be_buried_is_likelier_together(other: float, kept: bool) -> None:
    story, changed, revising = f"F@b4, W@b4, {EAR}", f"G@b4, W@b4, {EAR}", f"W@b4, {EAR}"
    stories = {revising: 0.7 - other, story: 0.3, changed: other}
    finding = review_after("F@b4, W@b4", stories, play_all(play_all(play_all(MOOD, "F@b4"), "W@b4"), EAR))
    assert finding.outcomes[0].revises != kept
    assert finding.play == parse_play(EAR)
    assert finding.play_share == pytest.approx(1.0)
    assert finding.confidence == pytest.approx(0.3 + other if kept else 0.7 - other)
    assert finding.needs_review


def test_the_share_of_a_play_is_that_of_its_points_too() -> None:
    stories = {f"W@b4, {EAR}": 0.6, f"F@b4, W@b4, {EAR}": 0.2, "W@b4, L@e4": 0.2}
    finding = review_after("W@b4", stories, play_all(play_all(MOOD, "W@b4"), EAR))
    assert finding.play_share == pytest.approx(0.8)
    through = {"W@b4, L@e4": 0.6, "F@b4, W@b4, L@e4": 0.4}
    assert review_after("W@b4", through, play_all(play_all(MOOD, "W@b4"), "L@e4")).play_share == pytest.approx(0.6)


def forgetful(pictures: int, missed: int, reading: BoardReading, *words: str) -> Finding:
    """Look at a board after MOOD, at a table that missed so many turns; `words` are in its list, else `COMMON`'s."""
    belief = certain(MOOD)
    belief = replace(belief, knowledge=replace(belief.knowledge, pace=Pace(pictures, missed)))
    return look_again(belief, reading, settings=context_of(*words) if words else COMMON)[1]


@pytest.mark.parametrize(
    ("gap", "changes", "asked"),
    [
        (FRESH, {}, False),
        (FRESH, {"plays_between": 2}, True),
        (Gap(rested=0.4), {"watched": True}, False),
        (Gap(rested=2.0), {"watched": True}, True),
    ],
    ids=["every turn is photographed", "every round is", "a camera watched", "nobody watched for long"],
)
def test_one_lawful_play_is_asked_about_where_two_are_likelier(gap: Gap, changes: dict[str, Any], asked: bool) -> None:
    settings = replace(context_of("MOOD", "MOODY", "YE"), **changes)
    finding = look_again(replace(certain(MOOD), gap=gap), sharp(play_all(MOOD, "Y@f4 E@f5")), settings=settings)[1]
    assert finding.needs_review is asked
    assert is_about(finding.reason, Reason.MISSED) is asked
    ways = [notate(outcome) for outcome in finding.outcomes]
    assert ways[0] == ["Y@f4 E@f5"]
    assert (["Y@f4", "E@f5"] in ways) is asked


ACROSS = [f"{column}{row}" for column in "abcd" for row in (2, 3, 5, 6)]
"""Squares above and below MOOD, where other words may have been put across it."""


@pytest.mark.parametrize(
    ("pictures", "missed", "hidden", "asked"),
    [
        (6, 2, ACROSS, True),
        (6, 2, ["b3"], False),
        (6, 2, [], False),
        (60, 0, ACROSS, False),
        (6, 4, ["b4", "c4", "d4"], True),  # few squares, but a word lies there, and people play on words
        (6, 4, ["b3", "c3", "d3"], False),
    ],
)
def test_a_turn_that_may_lie_out_of_sight_is_asked_about_at_a_table_that_forgets_some(
    pictures: int, missed: int, hidden: list[str], asked: bool
) -> None:
    finding = forgetful(pictures, missed, veil(sharp(DEAR), *map(at, hidden)))
    assert finding.play == parse_play(EAR)
    assert is_about(finding.doubt, Reason.OUT_OF_SIGHT) == asked
    assert finding.needs_review == asked


@pytest.mark.parametrize(("bare", "asked"), [(0.999, False), (0.8, True)], ids=["bare board", "tiles"])
def test_a_turn_of_which_slivers_show_at_the_edge_of_the_picture_is_asked_about(bare: float, asked: bool) -> None:
    outside = np.zeros((8, 8))
    seen = sharp(DEAR)
    for name in ("b1", "b2", "b3"):
        outside[at(name)] = 0.7
        seen.height_probs[at(name)] = (bare, *[(1.0 - bare) / 5] * 5)
    seen = run_out(replace(seen, hidden=outside), 0.7, at("b1"), at("b2"), at("b3"))
    finding = forgetful(6, 2, seen)
    assert finding.play == parse_play(EAR)
    assert is_about(finding.reason, Reason.OUT_OF_SIGHT) == asked
    assert finding.needs_review == asked


@pytest.mark.parametrize(
    ("by", "asked"),
    [(1, True), (2, True), (3, False)],
    ids=["it may have grown by one", "it may have grown by two", "no table forgets two turns at once"],
)
def test_a_play_is_asked_about_beside_a_stack_that_may_have_grown_out_of_the_picture(by: int, asked: bool) -> None:
    """MOON and then TEAR may have been played instead of DEAR, and neither the N nor the T can be seen."""
    words = "MOOD", "DEAR", "MOON", "TEAR", "MOOT"
    finding = forgetful(60, 0, run_out(sharp(DEAR), 0.9, at("e4"), by=by), *words)
    assert finding.needs_review is asked
    assert finding.play is not None
    assert set(finding.play.squares) >= {*parse_play(EAR).squares}


@pytest.mark.parametrize(("by", "reason"), [(3, Doubt(Reason.OUT_OF_SIGHT)), (5, None)], ids=["cut off", "in view"])
def test_a_play_that_makes_no_word_beside_a_stack_that_may_leave_the_picture_is_asked_about(
    by: int, reason: Doubt | None
) -> None:
    finding = forgetful(60, 0, run_out(sharp(DEAR), 0.9, at("e4"), by=by), "MOOD", "MOON", "TEAR", "MOOT")
    assert finding.confidence > SURE
    assert finding.reason == reason


@pytest.mark.parametrize(
    ("hidden", "reason"),
    [("e6", Doubt(Reason.PLAYED_AT, ("A", "e6"))), ("e3", None)],
    ids=["a tile of the play", "a bare square"],
)
def test_no_play_is_entered_of_which_a_tile_was_never_seen(hidden: str, reason: Doubt | None) -> None:
    """However sure the words make it: that DEAR alone fits under a hand does not say that DEAR was played."""
    finding = review_after("", {EAR: 1.0}, DEAR, hidden=[hidden])
    assert finding.confidence > SURE
    assert (finding.reason, finding.needs_review) == (reason, reason is not None)
    assert finding.square == (None if reason is None else Square(*at(hidden)))


@pytest.mark.parametrize(
    ("entered", "stories", "reason"),
    [
        ("", {EAR: 0.995, "W@b4, " + EAR: 0.005}, Doubt(Reason.PLAYED_AT, ("A", "e6"))),
        ("F@b4", {"F@b4, " + EAR: 0.6, "W@b4, E@e5 A@e6 L@e7": 0.4}, Doubt(Reason.DOUBT)),
        ("", {EAR: 0.6, "W@b4, " + EAR: 0.4}, Doubt(Reason.MISSED)),
    ],
    ids=["an unseen tile", "another turn before", "another turn"],
)
def test_whether_a_turn_was_missed_is_asked_only_where_that_is_the_doubt(
    entered: str, stories: dict[str, float], reason: Doubt
) -> None:
    now, hidden = (play_all(MOOD, entered, EAR) if entered else DEAR), ["e6"] if "A" in reason.details else []
    finding = review_after(entered, stories, now, hidden=hidden)
    assert (finding.reason, finding.needs_review) == (reason, True)


def test_a_tile_that_was_hidden_is_entered_once_a_look_shows_it() -> None:
    belief, finding = look_again(certain(MOOD), veil(sharp(DEAR), at("e6")))
    assert finding.needs_review
    belief, finding = look_again(belief, sharp(DEAR))
    assert (texts(belief.events), finding.needs_review) == ([EAR], False)


def test_of_two_words_that_a_letter_tells_apart_the_one_in_use_is_likelier() -> None:
    smudged = tear(reading_of(DEAR), *at("e7"), R=0.6, N=0.38)
    alike = GameSettings(CLASSIC, Lexicon.from_words(["MOOD", "DEAR", "DEAN"]))
    graded = GameSettings(CLASSIC, Lexicon.from_words(["MOOD", "DEAR", "DEAN"], rare=["DEAR"]))
    assert find(MOOD, smudged, settings=alike).play == parse_play(EAR)
    rather = find(MOOD, smudged, settings=graded)
    assert rather.play == parse_play("E@e5 A@e6 N@e7")
    assert rather.needs_review
    assert find(MOOD, sharp(DEAR), settings=graded).needs_review is False


@examples(20)
@given(records(), st.data())
def test_shares_are_probabilities_and_a_question_has_a_reason(game: Record, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(game.plays)))
    before = game.boards[number]
    last = game.plays[number - 1] if number and data.draw(st.booleans()) else None
    after = data.draw(st.sampled_from(game.boards[max(0, number - 1) :]))
    _, finding = look_again(certain(before, last), data.draw(spoilt(after)), settings=SMALL)
    shares = [outcome.share for outcome in finding.outcomes]
    assert all(0.0 <= share <= 1.0 + 1e-9 for share in shares)
    assert sum(shares) <= 1.0 + 1e-6
    assert all(one >= other for one, other in pairwise(shares))
    assert 0.0 <= finding.confidence <= 1.0 + 1e-6
    assert finding.needs_review == (finding.reason is not None)
    assert finding.square is None or finding.needs_review
    assert finding.outcomes or finding.kind == "unclear"
    if not finding.needs_review:
        assert finding.kind != "unclear"
        assert finding.outcomes[0].share >= shares[-1]
        assert (finding.play is None) == (finding.kind == "none")


@examples(20)
@given(records())
def test_lawful_plays_that_are_seen_clearly_are_told_without_a_question(game: Record) -> None:
    for before, play, after in zip(game.boards, game.plays, game.boards[1:], strict=False):
        finding = find(before, sharp(after), settings=SMALL)
        assert (finding.kind, finding.play, finding.needs_review) == ("play", play, False)


@examples(20)
@given(records())
def test_a_play_taken_back_is_told(game: Record) -> None:
    _, finding = look_again(certain(game.boards[-1], game.plays[-1]), sharp(game.boards[-2]), settings=SMALL)
    assert (finding.kind, finding.play) == ("removed", game.plays[-1])
    kept = [square for square in game.boards[-2].list_occupied() if square not in game.plays[-1].squares]
    assert finding.needs_review or (len(kept) >= 3 and finding.confidence >= SURE_OF_REMOVAL)
    assert not finding.needs_review or finding.reason == Doubt(Reason.BACK)


def test_what_is_offered_breaks_no_rule_but_that_of_words() -> None:
    finding = find(MOOD, None, reading_of(play_all(DEAR, "W@b4"), sure=0.6, height_sure=0.8))
    assert len(finding.outcomes) > 1
    for outcome in finding.outcomes:
        boards = outcome.story.boards(certain(MOOD).start)
        for board, play in zip(boards, outcome.events, strict=False):
            assert play is not None
            assert all(v.of_words for v in GameSettings(CLASSIC, COMMON.lexicon).verdict(board, play).violations)


def test_what_lies_beyond_the_pictures_edge_is_to_be_brought_in() -> None:
    hidden = tuple((0, col) for col in range(8))
    reading, cut = veil(reading_of(MOOD), *hidden), np.zeros((8, 8), dtype=bool)
    assert what_hides(reading) == Doubt(Reason.HAND)
    cut[0] = True
    assert str(what_hides(replace(reading, cut_off=CutOff(cut, ("top",))))).startswith(
        "Row 1 of the board is beyond the top"
    )
    few = cut & (np.arange(8) < 2)
    assert what_hides(replace(reading, cut_off=CutOff(few, ("top",)))) == Doubt(Reason.HAND)


def test_what_the_cameras_clock_hides_is_not_waited_for() -> None:
    """The clock never goes away. A play in the rest of the picture is as sure as ever."""
    clock = tuple((0, col) for col in range(8))
    finding = find(MOOD, write_over(sharp(DEAR), *clock))
    assert (finding.kind, finding.needs_review) == ("play", False)
    same, under_a_hand = (find(MOOD, hide(sharp(MOOD), *clock)) for hide in (write_over, veil))
    assert is_about(under_a_hand.reason, Reason.HAND)
    assert not is_about(same.reason, Reason.HAND)
    assert (same.kind, same.needs_review) == ("none", False), "no play reaches the first row from the fourth"
    over_the_word = find(MOOD, write_over(sharp(MOOD), *((3, col) for col in range(8))))
    assert over_the_word.needs_review


# stacks of another height than a play makes them


def test_a_letter_that_was_under_a_tile_knocked_off_is_no_play() -> None:
    stacked = play_all(DEAR, "F@b4")
    assert find(stacked, sharp(DEAR)).needs_review


def test_a_play_whose_stacks_look_of_another_height_is_asked_about() -> None:
    seen = sharp(MOOD)
    for name in ("b4", "c4", "d4", "e4"):
        seen.height_probs[at(name)] = (0.0004, 0.0002, 0.0002, 0.9988, 0.0002, 0.0002)
    finding = find(EMPTY, seen, settings=context_of("MOOD"))
    assert finding.needs_review
    assert str(finding.reason) == "The stack on b4 looks 3 high, but this play makes it 1. Was this really the play?"
    assert finding.doubt == finding.reason


@pytest.mark.parametrize("under", ["A@c4", ""])
def test_a_play_that_counts_a_stack_of_another_height_is_asked_about(under: str) -> None:
    """A game that began from a photograph may count a stack that was misread then."""
    start = play_all(EMPTY, *filter(None, [under]), "M@b4 O@c4 O@d4 D@e4")
    finding = look_again(certain(start), sharp(play_all(MOOD, "Y@f4")))[1]
    assert finding.play == parse_play("Y@f4")
    assert finding.needs_review == bool(under)
    assert finding.reason == (Doubt(Reason.COUNTED_HEIGHT, ("c4", "1", "2")) if under else None)


def test_a_stack_of_another_height_that_no_word_counts_is_no_doubt() -> None:
    start = play_all(EMPTY, "A@b4", "M@b4 O@c4 O@d4 D@e4")
    assert not look_again(certain(start), sharp(DEAR))[1].needs_review, "DEAR doesn't count the M"


MOODY = play_all(MOOD, "Y@f4")


def see_higher(likely: float, *names: str, board: Board = MOODY) -> BoardReading:
    """The board, on which the heights on these squares are `likely` one, and two high otherwise."""
    seen = sharp(board)
    for name in names:
        seen.height_probs[at(name)] = (0.0, likely, 1.0 - likely, 0.0, 0.0, 0.0)
    return seen


def begun(*names: str) -> Belief:
    """A game that began from a photograph of MOOD that left these squares in doubt."""
    return replace(certain(MOOD), assumed=frozenset(map(parse_square, names)))


@pytest.mark.parametrize(
    ("assumed", "likely", "asked"),
    [
        ([], 0.2, None),
        (["e4"], 0.2, None),
        (["b4"], 0.2, Doubt(Reason.OPEN_STACK, ("b4",))),
        (["b4"], 0.94, Doubt(Reason.OPEN_STACK, ("b4",))),
        (["b4"], 0.03, Doubt(Reason.COUNTED_HEIGHT, ("b4", "2", "1"))),
        (["b4"], 0.96, None),
    ],
)
def test_an_assumed_stack_that_a_play_counts_is_asked_about_unless_the_look_is_sure(
    assumed: list[str], likely: float, asked: Doubt | None
) -> None:
    finding = look_again(begun(*assumed), see_higher(likely, "b4"))[1]
    assert (finding.play, finding.needs_review) == (parse_play("Y@f4"), asked is not None)
    assert finding.reason == asked


def test_assumed_stacks_are_asked_about_together_and_until_somebody_answers() -> None:
    seen = see_higher(0.7, "b4", "d4")
    belief, finding = look_again(begun("b4", "d4", "e4"), seen, seen)
    assert str(finding.reason) == "Please check what lies on b4 and d4. This play counts it."
    assert belief.assumed == {*map(parse_square, ("b4", "d4"))}, "e4 was surely seen"


def test_an_assumed_stack_that_no_word_counts_waits() -> None:
    belief, finding = look_again(begun("b4"), see_higher(0.7, "b4", board=DEAR))
    assert not finding.needs_review
    assert belief.assumed == {parse_square("b4")}


def test_an_assumed_stack_on_which_a_tile_is_put_is_asked_about() -> None:
    seen = sharp(play_all(MOOD, "W@b4"))
    seen.height_probs[at("b4")] = (0.0, 0.0, 0.8, 0.2, 0.0, 0.0)
    assert look_again(begun("b4"), seen)[1].reason == Doubt(Reason.OPEN_STACK, ("b4",))


def test_a_sure_look_settles_an_assumed_stack_for_the_plays_to_come() -> None:
    belief, finding = look_again(begun("b4"), sharp(MOOD), see_higher(0.5, "b4"))
    assert (finding.play, finding.needs_review) == (parse_play("Y@f4"), False)
    assert not belief.assumed


def test_a_hidden_stack_and_a_grid_in_doubt_settle_nothing() -> None:
    hidden = sharp(MOOD).hidden.copy()
    hidden[at("b4")] = 0.97
    for seen in (replace(sharp(MOOD), hidden=hidden), replace(sharp(MOOD), grid_doubt=GridDoubt.BORDER)):
        assert look_again(begun("b4"), seen)[0].assumed == {parse_square("b4")}


def test_a_decision_and_older_looks_that_are_dropped_leave_stacks_assumed() -> None:
    belief, _ = look_again(begun("b4"), see_higher(0.7, "b4", board=DEAR))
    assert decide(belief, MOODY, parse_play("Y@f4"), shown=False).assumed == belief.assumed
    assert with_room(with_room(with_room(belief))).assumed == belief.assumed


def test_a_tile_that_no_picture_shows_is_asked_about_in_a_second_picture_too() -> None:
    reading = sharp(DEAR)
    hidden = reading.hidden.copy()
    hidden[at("e6")] = 0.974
    glare = replace(reading, hidden=hidden)
    for looks in ([glare], [glare, glare], [None, glare]):
        finding = look_from(MOOD, *looks)[1]
        assert (finding.needs_review, finding.reason) == (True, Doubt(Reason.PLAYED_AT, ("A", "e6"))), looks
    assert not look_from(MOOD, glare, reading)[1].needs_review


def test_an_earlier_look_at_a_bare_square_shows_no_tile() -> None:
    partly = veil(sharp(play_all(MOOD, "E@e5 R@e7")), at("e7"), at("f7"), at("g7"))  # nothing lies on e6 yet
    reading = sharp(DEAR)
    hidden = reading.hidden.copy()
    hidden[at("e6")] = 0.974
    finding = look_from(MOOD, partly, replace(reading, hidden=hidden))[1]
    assert finding.needs_review


@pytest.mark.parametrize(
    ("covered", "read", "asked"), [(0.7, 0.3, False), (0.7, 0.1, True), (0.8, 0.3, True), (0.95, 0.3, True)]
)
def test_a_letter_that_a_stack_hides_is_not_entered_because_two_words_fit(
    covered: float, read: float, asked: bool
) -> None:
    settings = context_of("MOOD", "DEAR", "AN", "FAN", "EAR")
    start = play_all(MOOD, "F@d6 N@f6")
    reading = tear(bleach(sharp(play_all(start, EAR)), ["e6"]), *at("e6"), A=read)
    shares = reading.covered.copy()
    shares[at("e6")] = covered
    finding = look_again(certain(start), replace(reading, covered=shares), settings=settings)[1]
    assert finding.play == parse_play(EAR)
    assert finding.needs_review is asked
    assert finding.reason == (Doubt(Reason.PLAYED_AT, ("A", "e6")) if asked else None)


def test_heights_that_one_picture_leaves_open_speak_against_no_play() -> None:
    seen = sharp(MOOD)
    for name in ("b4", "c4", "d4", "e4"):
        seen.height_probs[at(name)] = (0.0004, 0.3, 0.6, 0.0994, 0.0001, 0.0001)
    assert not find(EMPTY, flat(seen), settings=context_of("MOOD")).needs_review


@pytest.mark.parametrize(
    ("hidden", "asked"),
    [(["WOOF"], False), (["WOOF", "BOOK", "LOOK", "ROOF", "HOOP", "NOON", "POOL", "SOON", "TOOK", "ZOOM"], True)],
    ids=["one word fits", "many words fit"],
)
def test_a_table_is_asked_about_a_turn_that_many_words_may_have_made(hidden: list[str], asked: bool) -> None:
    """Each stack may be 2 or 3 high, and errs with the other: FOOT may lie on a word that nobody photographed."""
    settings = context_of("MOOD", "FOOT", *hidden)
    seen = sharp(play_all(MOOD, "F@b4 T@e4"))
    for name in ("b4", "e4"):
        seen.height_probs[at(name)] = (0.0, 0.01, 0.065, 0.905, 0.01, 0.01)
    finding = find(MOOD, seen, settings=settings)
    assert finding.needs_review == asked
    assert finding.reason == (Doubt(Reason.MISSED) if asked else None)
    assert [len(outcome.changes) for outcome in finding.outcomes] == [1, 2]
    if not asked:
        again = find(MOOD, seen, seen, settings=settings)
        assert (again.kind, again.needs_review) == ("none", False), "the same picture tells nothing more"


@pytest.mark.parametrize(("word", "on_its_head"), [("d4-ON", "d5-NO"), ("d4-IS", "d5-SI"), ("d4-MIX", None)])
def test_a_first_word_that_can_be_read_either_way_up_is_asked_about(word: str, on_its_head: str | None) -> None:
    settings = context_of("ON", "NO", "IS", "SI", "MIX")
    reading = replace(sharp(play_all(EMPTY, word)), upright=0.49)
    belief, finding = look_again(certain(EMPTY), reading, settings=settings)
    assert (finding.needs_review, finding.reason) == (True, Doubt(Reason.EITHER_WAY_UP))
    assert finding.confidence < 0.5
    answers = [notate(outcome) for outcome in finding.outcomes]
    assert answers[0] == [format_play(parse_play(word))]
    assert len(answers) == 2
    if on_its_head is not None:
        assert answers[1] == [format_play(parse_play(on_its_head))]
    # the answer may be that the picture was read upside down: it is no witness of how any square looks
    assert belief.looks[-1].is_blank
    upright, finding = look_again(certain(EMPTY), replace(reading, upright=0.9), settings=settings)
    assert not finding.needs_review
    assert not upright.looks[-1].is_blank


def test_a_word_that_cannot_stand_on_its_head_has_no_second_answer() -> None:
    finding = look_from(EMPTY, replace(sharp(MOOD), upright=0.5))[1]
    assert finding.reason == Doubt(Reason.EITHER_WAY_UP)
    assert len(finding.outcomes) == 1


def test_letters_that_lie_as_before_tell_which_way_up_a_board_is() -> None:
    assert not look_from(MOOD, replace(sharp(DEAR), upright=0.5))[1].needs_review


@pytest.mark.parametrize("name", ["d6", "c4"])
def test_of_two_plays_neither_may_build_on_a_stack_that_looks_of_another_height(name: str) -> None:
    words = context_of("HOST", "OAT", "TEN")
    host = play_all(EMPTY, "b3|HOST")
    first = veil(sharp(play_all(host, "A@c4 T@d4")), *map(at, ("c4", "d4", "e4", "f4", "g4")))
    both = sharp(play_all(host, "A@c4 T@d4", "E@d5 N@d6"))
    asked, _ = look_from(host, first, settings=words)
    assert look_again(asked, both, settings=words)[1].needs_review is False
    both.height_probs[at(name)] = [0, 0.02, 0.95, 0.01, 0.01, 0.01]
    assert look_again(asked, both, settings=words)[1].needs_review is True


def test_tiles_that_are_gone_from_a_grid_that_is_hardly_made_out_are_asked_about() -> None:
    before = certain(DEAR, parse_play(EAR))
    assert not look_again(before, reading_of(MOOD))[1].needs_review
    faint = replace(reading_of(MOOD), grid_doubt=GridDoubt.FAINT)
    assert look_again(before, faint)[1].reason == Doubt(Reason.BACK)


@pytest.mark.parametrize(("start", "asked"), [("b3|TO", True), ("b3|HOST", False)])
def test_two_plays_on_a_board_that_may_stand_on_its_head_are_asked_about(start: str, asked: bool) -> None:
    words = context_of("TO", "HOST", "OAT", "TEN")
    known = play_all(EMPTY, start)
    first = veil(sharp(play_all(known, "A@c4 T@d4")), *map(at, ("c4", "d4", "e4", "f4", "g4")))
    both = sharp(play_all(known, "A@c4 T@d4", "E@d5 N@d6"))
    doubtful, _ = look_from(known, first, settings=words)
    assert look_again(doubtful, both, settings=words)[1].needs_review is False
    # the letters of the first play tell nothing: they were read in the same picture
    assert look_again(doubtful, replace(both, upright=0.7), settings=words)[1].needs_review is asked


@pytest.mark.parametrize("watched", [True, False])
def test_plays_that_a_camera_saw_one_by_one_while_a_question_waited_are_certain(watched: bool) -> None:
    settings = replace(context_of("MOOD", "WOOD", "FOOD", "DEAR", "ON", "NO"), watched=watched)
    first, second = play_all(MOOD, "W@b4"), play_all(MOOD, "W@b4", EAR)
    doubtful = tear(sharp(first), *at("b4"), W=0.6, F=0.39)
    belief, asked = look_from(MOOD, doubtful, doubtful, settings=settings)
    assert str(asked.reason) == "W or F at b4?"
    _, finding = look_again(belief, sharp(second), settings=settings)
    assert notate(finding.outcomes[0]) == ["W@b4", EAR]
    assert finding.needs_review is not watched
    # the third of these was never seen after the second
    _, finding = look_again(belief, sharp(play_all(second, "N@c5")), settings=settings)
    assert finding.needs_review


def test_of_plays_seen_one_by_one_every_tile_must_have_been_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "_SURE_OF_TWO", 0.9)  # a tile that nobody saw keeps the confidence at 0.95
    settings = replace(context_of("MOOD", "WOOD", "DEAR"), watched=True)
    first, second = (veil(sharp(board), at("e7")) for board in (DEAR, play_all(DEAR, "W@b4")))
    doubtful = tear(first, *at("e5"), E=0.6, O=0.39)
    belief, _ = look_from(MOOD, doubtful, doubtful, settings=settings)
    _, finding = look_again(belief, second, settings=settings)
    assert notate(finding.outcomes[0]) == [EAR, "W@b4"]
    assert finding.needs_review
