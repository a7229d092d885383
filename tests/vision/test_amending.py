"""A play that goes on after it was committed: what of the second look's reasons to ask still holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from presencekit import there

from engine import EDITIONS, Board, Lexicon, parse_play
from vision import Finding, GameSettings, Outcome
from vision.turn.reasons import Doubt, Reason
from vision.turn.story import Story
from vision.turn.withdrawn import doubt_lift
from vision.video.tracker import Committed, amend_finding, perhaps_whole, whole_play

CONTEXT = GameSettings(EDITIONS["8x8"], Lexicon.from_words(["CAT"]))
EMPTY = Board.empty(8)
FIRST, REST, WHOLE = (parse_play(text) for text in ("C@c4 A@d4", "T@e4", "C@c4 A@d4 T@e4"))
LAST = Committed(10.0, EMPTY, FIRST)


def make_finding(confidence: float, reason: Doubt | None, doubt: Doubt | None) -> Finding:
    """Return the finding of T beside CA, which seemed to be the whole play."""
    outcome = Outcome(Story((FIRST, REST)), 1, 0, confidence)
    before = EMPTY.with_play(FIRST)
    return Finding("play", (outcome,), confidence, reason is not None, None, reason, before, REST, doubt=doubt)


def amend(finding: Finding) -> Finding:
    whole = there(whole_play(LAST, 12.0, finding, CONTEXT))
    made, board = amend_finding(finding, whole)
    assert made.play == WHOLE
    assert board == EMPTY.with_play(WHOLE)
    return made


def test_a_play_that_goes_on_is_entered_whole() -> None:
    made = amend(make_finding(0.99, None, None))
    assert not made.needs_review
    assert made.reason is None


@pytest.mark.parametrize("reason", [Doubt(Reason.REVISED), Doubt(Reason.RULE, ("The tiles do not lie in one line.",))])
def test_what_the_whole_play_explains_is_not_asked(reason: Doubt) -> None:
    assert not amend(make_finding(0.99, reason, None)).needs_review


@pytest.mark.parametrize("doubt", [Doubt(Reason.HIGHER_NEIGHBOUR, ("d4",)), Doubt(Reason.BORDER), Doubt(Reason.DOUBT)])
def test_what_the_picture_leaves_in_doubt_is_asked_of_the_whole_play(doubt: Doubt) -> None:
    made = amend(make_finding(0.97, doubt, doubt))
    assert made.needs_review
    assert made.reason == doubt


def test_a_doubt_of_the_picture_stays_where_a_part_breaks_a_rule_as_well() -> None:
    assert amend(make_finding(0.99, Doubt(Reason.RULE, ("A foul.",)), Doubt(Reason.BORDER))).reason == Doubt(
        Reason.BORDER
    )


def test_tiles_that_may_still_lie_there_are_asked_about() -> None:
    made = amend(doubt_lift(make_finding(0.99, None, None), parse_play("X@b4")))
    assert made.needs_review


def test_little_confidence_is_asked_about() -> None:
    assert amend(make_finding(0.9, None, None)).reason == Doubt(Reason.DOUBT)


ONE, TWO_TURNS = [WHOLE], [REST]


@pytest.mark.parametrize("seconds", [0.0, 5.9])
@pytest.mark.parametrize(("words", "asked"), [(["CAT"], False), (["CA", "CAT"], True)])
def test_it_is_asked_soon_after_only_if_the_first_half_is_a_play_by_itself(
    seconds: float, words: list[str], asked: bool
) -> None:
    settings = replace(CONTEXT, lexicon=Lexicon.from_words(words, name="test"))
    time, finding = LAST.time + seconds, make_finding(0.99, None, None)
    whole = whole_play(LAST, time, finding, settings)
    assert whole == (None if asked else replace(LAST, play=WHOLE))
    assert perhaps_whole(LAST, time, finding, settings) is not None


def test_what_is_no_lawful_play_together_is_another_turn() -> None:
    apart = replace(CONTEXT, lexicon=Lexicon.from_words(["CA"], name="test"))
    assert whole_play(LAST, 11.0, make_finding(0.99, None, None), apart) is None
    assert perhaps_whole(LAST, 20.0, make_finding(0.99, None, None), apart) is None


@pytest.mark.parametrize(("time", "asked"), [(20.0, True), (29.9, True), (30.1, False)])
def test_later_it_is_asked_for_a_while(time: float, asked: bool) -> None:
    finding = perhaps_whole(LAST, time, make_finding(0.99, None, None), CONTEXT)
    assert (finding is not None) == asked
    if finding is not None:
        assert (finding.needs_review, finding.reason) == (True, Doubt(Reason.GOES_ON))
        assert [list(outcome.changes) for outcome in finding.outcomes] == [TWO_TURNS, ONE]
        assert [outcome.replaces for outcome in finding.outcomes] == [0, 1]
