"""The scoresheet of a replay: whose points, which turn, and what later sight corrects."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from clikit import EXAMPLE, EXAMPLE_POINTS, boards_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.board import Board
from engine.editions import edition_named
from engine.play import Play, parse_play
from engine.revision import play_between
from upscore.ledger import NOTHING, REVISED, Ledger
from vision.infer import Alternative, Kind, TurnInference
from vision.session import Observation

BOARDS = boards_of(EXAMPLE)


def ledger(players: str = "Red Blue", start: Board = BOARDS[0]) -> Ledger:
    return Ledger(tuple(players.split()), start, edition=edition_named("8x8"), lexicon=None)


def seen(
    before: Board,
    play: str = "",
    *,
    kind: Kind = "play",
    asked: bool = False,
    earlier: str = "",
    others: Sequence[str] = (),
) -> Observation:
    """An observation of a play, or of another kind."""
    tiles = parse_play(play) if play else NOTHING
    first = parse_play(earlier) if earlier else None
    alternatives = tuple(Alternative(parse_play(other), 0.1) for other in others)
    inference = TurnInference(
        kind, tiles, 0.9, asked, alternatives, None, "Why?" if asked else None, first, 0.0
    )
    return Observation(None, before, inference, before, False)


def test_the_sheets_game() -> None:
    book = ledger()
    lines = [book.enter(seen(before, play))[0] for before, play in zip(BOARDS, EXAMPLE, strict=False)]
    assert [line["points"] for line in lines] == list(EXAMPLE_POINTS)
    assert [line["turn"] for line in lines] == [1, 2, 3, 4, 5, 6, 7]
    assert [line["player"] for line in lines[:3]] == ["Red", "Blue", "Red"]
    assert lines[4]["tiles"] == [
        {"row": 3, "col": 4, "letter": "L", "height": 2},
        {"row": 6, "col": 4, "letter": "P", "height": 2},
    ]
    assert lines[4]["words"] == [{"word": "LEAP", "points": 6}, {"word": "WOOL", "points": 6}]
    assert lines[-1]["totals"] == {"Red": 46, "Blue": 27}
    assert book.final() == {"final": {"Red": 46, "Blue": 27}, "turns": 7, "review": 0}


def test_an_illegal_play_scores_and_says_why() -> None:
    line, verdict = ledger().enter(seen(BOARDS[0], "a1-CAT"))
    assert (line["legal"], line["points"]) == (False, 6)
    assert line["reasons"][0]["rule"] == "3"
    assert verdict is not None
    assert not verdict.legal


@pytest.mark.parametrize("kind", ["none", "unclear"])
def test_a_turn_without_a_play_passes_to_the_next_player(kind: Kind) -> None:
    book = ledger("Red Blue Green")
    book.enter(seen(BOARDS[0], EXAMPLE[0]))
    line, verdict = book.enter(seen(BOARDS[1], kind=kind, asked=True))
    assert (line["kind"], line["tiles"], line["words"], line["points"]) == (kind, [], [], 0)
    assert (line["needs_review"], line["reason"], line["legal"]) == (True, "Why?", True)
    assert verdict is None
    assert book.enter(seen(BOARDS[1], EXAMPLE[1]))[0]["player"] == "Green"
    assert book.final() == {"final": {"Red": 8, "Blue": 0, "Green": 8}, "turns": 3, "review": 1}


def test_tiles_taken_back_undo_their_turn_which_is_played_again() -> None:
    book = ledger("Red Blue Green")
    book.enter(seen(BOARDS[0], EXAMPLE[0]))
    book.enter(seen(BOARDS[1], EXAMPLE[1]))
    line, _ = book.enter(seen(BOARDS[2], EXAMPLE[1], kind="removed"))
    assert (line["kind"], line["turn"], line["player"], line["points"]) == ("removed", 2, "Blue", 0)
    assert line["tiles"][0] == {"row": 4, "col": 4, "letter": "E", "height": 1}
    assert line["totals"] == {"Red": 8, "Blue": 0, "Green": 0}
    again, _ = book.enter(seen(BOARDS[1], "W@b4"))
    assert (again["turn"], again["player"], again["points"]) == (2, "Blue", 5)


def test_tiles_taken_back_after_a_photograph_in_which_nothing_happened() -> None:
    book = ledger()
    book.enter(seen(BOARDS[0], EXAMPLE[0]))
    book.enter(seen(BOARDS[1], kind="none"))
    line, _ = book.enter(seen(BOARDS[1], EXAMPLE[0], kind="removed"))
    assert (line["turn"], line["player"], line["totals"]) == (1, "Red", {"Red": 0, "Blue": 0})


def test_a_covered_tile_taken_back_is_named_at_the_height_it_had() -> None:
    book = ledger(start=BOARDS[3])
    book.enter(seen(BOARDS[3], "W@b4"))
    line, _ = book.enter(seen(BOARDS[4], "W@b4", kind="removed"))
    assert line["tiles"] == [{"row": 3, "col": 1, "letter": "W", "height": 2}]


def test_an_amended_play_replaces_the_one_before() -> None:
    book = ledger()
    book.enter(seen(BOARDS[0], "b4-MO", asked=True))
    line, _ = book.enter(seen(BOARDS[0], "b4-MOOD"), amends=True)
    assert (line["turn"], line["player"], line["points"]) == (1, "Red", 8)
    assert "revised" not in line
    assert book.final() == {"final": {"Red": 8, "Blue": 0}, "turns": 1, "review": 0}


def test_a_play_hidden_at_its_turn_is_that_turns_when_it_is_seen() -> None:
    book = ledger()
    book.enter(seen(BOARDS[0], kind="unclear", asked=True))
    line, _ = book.enter(seen(BOARDS[0], EXAMPLE[1], earlier=EXAMPLE[0], asked=True, others=[EXAMPLE[0]]))
    assert (line["turn"], line["player"], line["points"]) == (2, "Blue", 8)
    assert line["earlier"]["turn"] == 1
    assert line["earlier"]["player"] == "Red"
    assert line["earlier"]["words"] == [{"word": "MOOD", "points": 8}]
    assert line["alternatives"][0]["tiles"][3]["height"] == 1
    assert line["totals"] == {"Red": 8, "Blue": 8}


def test_two_turns_between_looks_are_two_turns() -> None:
    book = ledger("Red Blue Green")
    book.enter(seen(BOARDS[0], EXAMPLE[0]))
    line, _ = book.enter(seen(BOARDS[1], EXAMPLE[2], earlier=EXAMPLE[1]))
    assert (line["turn"], line["player"], line["earlier"]["player"]) == (3, "Green", "Blue")
    assert line["totals"] == {"Red": 8, "Blue": 8, "Green": 10}


def test_a_letter_misread_is_corrected_when_later_sight_shows_it() -> None:
    book = ledger()
    book.enter(seen(BOARDS[0], "b4-MOOQu", asked=True, others=["b4-MOOD"]))
    assert book.totals()["Red"] == 10  # a Qu in a flat word is worth two more
    line, _ = book.enter(seen(BOARDS[1], EXAMPLE[1]))
    assert line["revised"]["turn"] == 1
    assert line["revised"]["words"] == [{"word": "MOOD", "points": 8}]
    assert line["totals"] == {"Red": 8, "Blue": 8}
    assert line["needs_review"] is False


def test_a_correction_of_a_turn_that_was_taken_for_sure_is_asked_about() -> None:
    book = ledger()
    book.enter(seen(BOARDS[0], "b4-MOOQu"))
    line, _ = book.enter(seen(BOARDS[1], EXAMPLE[1]))
    assert line["revised"]["words"] == [{"word": "MOOD", "points": 8}]
    assert (line["needs_review"], line["reason"]) == (True, REVISED)
    assert book.final()["review"] == 1


def test_what_cannot_be_explained_is_asked_about() -> None:
    book = ledger()
    book.enter(seen(BOARDS[0], "b4-MOOD"))
    other = boards_of(["b5-CAT", "b5-B", "b5-R"])[-1]
    line, _ = book.enter(seen(other, "E@e5"))
    assert (line["needs_review"], line["reason"]) == (True, REVISED)
    assert "revised" not in line
    assert book.final()["review"] == 1


def after_two_questions() -> Ledger:
    """A turn that was told, and two that were asked about."""
    book = ledger()
    book.enter(seen(BOARDS[0], EXAMPLE[0]))
    book.enter(seen(BOARDS[1], kind="unclear", asked=True))
    book.enter(seen(BOARDS[1], "E@e5", asked=True))
    return book


def test_several_turns_that_were_asked_about_may_have_been_others() -> None:
    book = after_two_questions()
    really = boards_of([EXAMPLE[0], EXAMPLE[1], "b5-B"])[-1]
    line, _ = book.enter(seen(really, "S@h5"))
    assert line["needs_review"] is False
    assert book.final()["review"] == 2


def test_what_was_told_before_the_turns_asked_about_still_stands() -> None:
    other = boards_of(["b4-WOOD", EXAMPLE[1], "b5-B"])[-1]
    line, _ = after_two_questions().enter(seen(other, "S@h5"))
    assert (line["needs_review"], line["reason"]) == (True, REVISED)


@settings(deadline=None)
@given(st.data())
def test_a_mistake_that_is_corrected_leaves_the_scores_of_one_that_was_never_made(
    data: st.DataObject,
) -> None:
    """Whatever turn was misread, and however much later that is seen."""
    wrong = data.draw(st.integers(0, 5), label="the turn misread")
    until = data.draw(st.integers(wrong + 1, 6), label="the turn at which it shows")
    plays = [parse_play(text) for text in EXAMPLE]
    at = data.draw(st.integers(0, len(plays[wrong].tiles) - 1), label="the tile misread")
    square = plays[wrong].tiles[at].square
    # what hides the misread tile hides that it was misread
    assume(not any(square in play.squares for play in plays[wrong + 1 : until]))
    misread = Play(
        tuple(type(t)(t.square, "Z" if t.square == square else t.face) for t in plays[wrong].tiles)
    )
    mistaken, right = ledger(), ledger()
    board = BOARDS[0]
    for number, play in enumerate(plays):
        right.enter(observed(BOARDS[number], play))
        taken = misread if number == wrong else play
        before = board if number < until else BOARDS[number]
        line, _ = mistaken.enter(observed(before, taken))
        board = before.with_play(taken)
        assert ("revised" in line) == (number == until)
    assert mistaken.final() == {**right.final(), "review": 1}


def observed(before: Board, play: Play) -> Observation:
    inference = TurnInference("play", play, 0.99, False, (), None, None, None, 0.0)
    return Observation(None, before, inference, before, False)


def test_the_play_between_two_boards() -> None:
    assert play_between(BOARDS[4], BOARDS[5]) == parse_play("L@e4 P@e7")
    assert play_between(BOARDS[2], BOARDS[2]) == NOTHING
    assert play_between(BOARDS[2], BOARDS[1]) is None
    two_high = boards_of(["a1-A", "a1-B"])
    assert play_between(two_high[0], two_high[2]) is None
