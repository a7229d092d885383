"""What a decision of the table leaves in doubt: each picture that was not understood may have been of a turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from enginekit import play_all
from presencekit import there
from readings import reading_of, tear, veil
from turnkit import DEAR, EAR, EMPTY, MOOD, at, context_of, look_again, look_from, notate, sharp, texts

from engine import Board, Lexicon, find_edition, parse_play
from upscore.words.loader import load_lexicon
from vision import Belief, BoardReading, GameSettings, Look, certain
from vision.turn.alternatives import higher_neighbour
from vision.turn.prior import FRESH, Gap, Pace
from vision.turn.reasons import Doubt, Reason
from vision.turn.steps import decide, unseen

FIRST = "M@b4 O@c4 O@d4 D@e4"
WORDS = context_of("MOOD", "GOOD", "DEAR", "DEAL", "DEARS")
GOOD = "G@b4"
BESIDE = tuple(map(at, ["b3", "b4", "b5"]))
"""Squares where GOOD would be made of MOOD."""


def fail_to_see(sheet: Board, pictures: int) -> Belief:
    """Return the belief after this many pictures without a board."""
    belief = certain(sheet)
    for _ in range(pictures):
        belief = unseen(belief)
    return belief


@pytest.mark.parametrize(("pictures", "left"), [(1, 0), (2, 1), (3, 2)])
def test_a_typed_play_answers_one_picture(pictures: int, left: int) -> None:
    after = decide(fail_to_see(MOOD, pictures), DEAR, parse_play(EAR), shown=False)
    assert after.gap == Gap(unseen=left)


@pytest.mark.parametrize(("hand", "asked"), [((), False), (BESIDE, True)])
def test_after_a_doubt_a_turn_may_lie_under_a_hand_beside_a_play_that_is_sure(
    hand: tuple[tuple[int, int], ...], asked: bool
) -> None:
    belief, finding = look_again(fail_to_see(MOOD, 1), veil(sharp(DEAR), *hand), settings=WORDS)
    assert (finding.play, finding.needs_review) == (parse_play(EAR), asked)
    belief, finding = look_again(belief, sharp(DEAR), settings=WORDS)
    assert (texts(belief.events), finding.needs_review, belief.gap) == ([EAR], False, FRESH)


def test_without_a_doubt_before_a_hand_beside_a_sure_play_leaves_none() -> None:
    belief, _ = look_from(MOOD, veil(sharp(DEAR), *BESIDE), settings=WORDS)
    assert (texts(belief.events), belief.gap) == ([EAR], FRESH)


def test_an_older_turn_that_gets_a_tile_more_answers_nothing() -> None:
    short = play_all(EMPTY, "M@b4 O@c4 O@d4")
    assert decide(fail_to_see(short, 1), MOOD, parse_play(FIRST), shown=False).gap == Gap(unseen=1)


def test_the_first_of_two_plays_in_view_leaves_the_other_open() -> None:
    """Or its tiles would pass for something printed on the board."""
    both = sharp(play_all(DEAR, GOOD))
    belief, finding = look_from(MOOD, both, settings=WORDS)
    assert finding.reason == Doubt(Reason.WHICH_FIRST, ("two",))
    first = there(finding.outcomes[0].events[0])
    after = decide(belief, MOOD.with_play(first), first, shown=True)
    assert (len(after.looks), after.gap.open) == (1, True)
    assert after.reference == belief.reference
    _, then = look_again(after, both, settings=WORDS)
    assert then.kind == "play"
    assert notate(then.outcomes[0]) == texts(finding.outcomes[0].events[1:])


LARGE = GameSettings(find_edition("10x10"), Lexicon.from_words(["MOOD", "DEAR", "DEARER"], name="test"))
LARGE_MOOD = play_all(Board.empty(10), "M@b5 O@c5 O@d5 D@e5")
DEARER = sharp(play_all(LARGE_MOOD, "E@e6 A@e7 R@e8", "E@e9 R@e10"))
LOST = veil(
    sharp(play_all(LARGE_MOOD, "E@e6 A@e7 R@e8")), *(at(f"{col}{row}") for col in "defg" for row in range(6, 11))
)


@pytest.mark.parametrize("before", [None, LOST], ids=["no board", "a hand"])
@pytest.mark.parametrize("again", [1, 2])
def test_whether_it_was_one_turn_or_two_no_further_photograph_tells(before: BoardReading | None, again: int) -> None:
    _, finding = look_from(LARGE_MOOD, before, DEARER, *[DEARER] * again, settings=LARGE)
    assert (finding.needs_review, finding.reason) == (True, Doubt(Reason.ONE_OR_TWO))


def test_a_letter_that_was_never_seen_is_not_guessed_where_the_next_play_buries_it() -> None:
    """A hand hides the first letter of a new word, and the next player covers it."""
    settings = context_of("HO", "SLOT", "PLOT", "PA")
    ho = play_all(EMPTY, "H@c4 O@d4")
    under = veil(sharp(play_all(ho, "B@d2 L@d3 T@d5")), *map(at, ["c2", "d2", "c3", "d3", "c4", "d4"]))
    belief, _ = look_from(ho, under, settings=settings)
    belief = replace(belief, knowledge=replace(belief.knowledge, pace=Pace(pictures=30)))
    _, finding = look_again(belief, sharp(play_all(ho, "B@d2 L@d3 T@d5", "P@d2 A@e2")), settings=settings)
    assert finding.needs_review
    assert finding.confidence > 0.96


@pytest.mark.parametrize("more", ["E@e5", "A@e5 E@e5"])
def test_a_stack_on_the_line_that_has_grown_is_noticed_with_the_same_letter_on_top(more: str) -> None:
    before = play_all(MOOD, "E@e5 A@e6 R@e7")
    table = Look.of(sharp(play_all(before, more, "S@e8"))).table
    doubt = there(higher_neighbour(table, before, parse_play("S@e8")))
    assert doubt.square.row == 4


def test_a_reference_is_learned_of_what_the_table_denies() -> None:
    """A mark that passes for a letter of the play is no letter, once somebody says so."""
    seen = tear(sharp(play_all(DEAR, "S@e8")), *at("e8"), S=0.6, Z=0.35)
    belief, _ = look_from(MOOD, seen, settings=WORDS)
    after = decide(replace(belief, entered=()), DEAR, parse_play(EAR), shown=True)
    assert (after.looks, after.gap) == ((), FRESH)
    assert after.reference is not None


def from_above(board: Board) -> BoardReading:
    """A reading that tells every letter, and nothing of how high the stacks are."""
    seen = sharp(board)
    heights = seen.height_probs.copy()
    heights[heights[..., 0] < 0.5] = (0.0001, 0.5, 0.3, 0.1, 0.06, 0.0399)
    return replace(seen, height_probs=heights)


def test_a_letter_on_a_play_that_was_typed_may_be_a_slip_of_the_finger() -> None:
    typed = decide(certain(MOOD), play_all(MOOD, "E@e5 A@e6 R@e7"), parse_play(EAR), shown=False)
    assert typed.typed == parse_play(EAR)
    _, finding = look_again(typed, from_above(play_all(MOOD, "E@e5 A@e6 L@e7")), settings=WORDS)
    assert (finding.needs_review, finding.reason) == (True, Doubt(Reason.TYPED))
    assert [(texts(o.changes), o.replaces) for o in finding.outcomes[:2]] == [(["L@e7"], 0), (["E@e5 A@e6 L@e7"], 1)]


def test_so_it_is_not_where_it_plainly_lies_a_tile_higher() -> None:
    typed = decide(certain(MOOD), DEAR, parse_play(EAR), shown=False)
    _, finding = look_again(typed, sharp(play_all(DEAR, "L@e7")), settings=WORDS)
    assert (finding.needs_review, texts(finding.outcomes[0].changes)) == (False, ["L@e7"])


def test_nor_of_a_play_that_was_photographed() -> None:
    belief, _ = look_from(EMPTY, sharp(MOOD), sharp(DEAR), settings=WORDS)
    assert decide(belief, MOOD, parse_play(FIRST), shown=False).typed is None


def test_nor_where_the_typed_play_was_seen_since() -> None:
    typed = decide(certain(MOOD), DEAR, parse_play(EAR), shown=False)
    belief, _ = look_again(typed, sharp(DEAR), settings=WORDS)
    assert belief.typed is None
    _, finding = look_again(belief, sharp(play_all(DEAR, "L@e7")), settings=WORDS)
    assert not finding.needs_review


def test_plays_beside_tiles_to_lift_stay_two_once_these_are_lifted() -> None:
    """S came off the L of ALL and lies there still, while one makes LO of that and the other OI."""
    settings = GameSettings(find_edition("10x10"), load_lexicon("standard"))
    sheet = play_all(Board.empty(10), "F@f6 E@f7", "L@g7", "A@g6 L@g8")
    lies = play_all(sheet, "S@g8")
    boards = (play_all(Board.empty(10), "F@f6 E@f7"), play_all(Board.empty(10), "F@f6 E@f7", "L@g7"), sheet, lies)
    belief, _ = look_from(Board.empty(10), *map(sharp, boards), settings=settings)
    belief = decide(belief, sheet, shown=False)
    dim = reading_of(play_all(lies, "O@h8"), sure=0.98, height_sure=0.97)
    for seen in (dim, sharp(play_all(lies, "O@h8", "I@h9"))):
        belief, finding = look_again(belief, seen, settings=settings)
        assert finding.lying == parse_play("S@g8")
    _, finding = look_again(belief, sharp(play_all(sheet, "O@h8", "I@h9")), settings=settings)
    assert notate(finding.outcomes[0]) == ["O@h8", "I@h9"]


def test_an_answer_of_two_turns_tells_that_the_table_forgets_photographs() -> None:
    settings = context_of("MOOD", "GOOD", "WOOD", "DEAR")
    both = play_all(MOOD, GOOD, EAR)
    belief, finding = look_from(MOOD, sharp(both), settings=settings)
    assert finding.needs_review
    assert decide(belief, both, parse_play(EAR), shown=True).knowledge.pace.missed == 1
    assert decide(belief, both, parse_play(EAR), shown=False).knowledge.pace.missed == 0


def test_turns_entered_by_hand_tell_it_too_but_for_the_one_that_a_picture_left_in_doubt() -> None:
    settings = context_of("MOOD", "GOOD", "WOOD", "DEAR")
    belief, finding = look_from(MOOD, sharp(play_all(MOOD, GOOD, EAR)), settings=settings)
    assert finding.needs_review
    for play in (GOOD, EAR):
        belief = decide(belief, play_all(belief.sheet_board, play), parse_play(play), shown=False)
    assert belief.knowledge.pace == Pace(pictures=1, missed=1)


def test_turns_entered_by_hand_without_a_picture_in_doubt_tell_nothing_of_photographs() -> None:
    belief = certain(MOOD)
    for play in (GOOD, EAR):
        belief = decide(belief, play_all(belief.sheet_board, play), parse_play(play), shown=False)
    assert belief.knowledge.pace == Pace()


def test_a_play_that_is_put_back_on_the_sheet_is_no_missed_turn() -> None:
    settings = context_of("MOOD", "GOOD")
    belief, _ = look_from(MOOD, sharp(play_all(MOOD, GOOD)), settings=settings)
    back = decide(belief, MOOD, shown=False)
    again = decide(back, play_all(MOOD, GOOD), parse_play(GOOD), shown=False)
    assert again.knowledge.pace == belief.knowledge.pace
