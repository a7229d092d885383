"""Reasons to ask: their sentences, and how stored ones are read."""

from __future__ import annotations

import pytest

from vision import GridDoubt
from vision.turn.reasons import Doubt, Reason, doubt_of_sentence, grid_doubt, is_about, read_stored_doubt

OWN_TEXT = {Reason.CUT_OFF, Reason.GRID, Reason.NOT_READ, Reason.OTHER_BOARD, Reason.OTHER}
DETAILS = ("d4", "3", "2")
STORED: dict[Reason | GridDoubt, str] = {
    Reason.HAND: "A hand, a glare or something else hides part of the board: take it away and look again.",
    Reason.INEXPLICABLE: "More has changed than turns can explain: look again, or enter the play by hand.",
    Reason.TILE_GONE: "A tile is missing at b4: if knocked off, put it back and look again.",
    Reason.TILES_GONE: "Tiles are missing at b4 and e7: if knocked off, put them back and look again.",
    GridDoubt.FAINT: "The grid can hardly be made out: check the squares.",
    Reason.BORDER: (
        "The border of the board cannot be made out: check the squares, or photograph the whole board again."
    ),
    GridDoubt.GIVEN: "The corners that were given do not fit the squares in the picture: check all four.",
    GridDoubt.PRINTED: ("That looks like a grid printed on paper: check that the board itself is in the picture."),
    GridDoubt.UNLETTERED: (
        "Hardly a letter can be made out: check that it is this game's board that is in the picture."
    ),
    GridDoubt.DARK: "The picture is too dark: switch on a light, and take it again.",
    GridDoubt.BLURRED: "The picture is blurred: hold the camera still, let it focus, and take it again.",
    GridDoubt.DAZZLED: "The picture is so bright that letters fade: take it again with less light on the board.",
    GridDoubt.SCATTERED: "The letters lie apart: check that it is this game's board that is in the picture.",
    Reason.REVISED: "An earlier turn looks like another now than the one on the scoresheet.",
    Reason.MISSED: "Was a turn missed? Two plays fit this picture, and so does one.",
    Reason.OUT_OF_SIGHT: "Part of the board is hidden: was another word played there?",
    Reason.SEVERAL: "It looks like three words were played. Was a turn missed?",
    Reason.WHICH_FIRST: "Was a turn missed? Which of the two words came first?",
    Reason.TWO: "Two plays seem to have been made since the last look: check which came first.",
    Reason.ONE_OR_TWO: "One turn or two? The picture before did not show what was played.",
    Reason.GOES_ON: "One turn or two? This may be the rest of the last play.",
    Reason.TYPED: ("Was this played on the tiles that were entered by hand, or was one of those another letter?"),
    Reason.HIGHER_NEIGHBOUR: "The stack at j10 looks higher than it was: was a tile put there, too?",
    Reason.OTHER_HEIGHT: ("The stack at b4 looks 3 high, and with this play it would be 1: was this played?"),
    Reason.COUNTED_HEIGHT: "The stack on b4 looks 1 high, but this play counts it as 2. Which is right?",
    Reason.BACK: "It is not certain whether these tiles were taken back.",
    Reason.AGAIN: "The last play seems to have been taken back, and another made: is that so?",
    Reason.PASSED: (
        "A pass or an exchange was entered while the last photograph was not understood: was this played after it? "
        "If not, put this aside, undo that, and look again."
    ),
    Reason.DOUBT: "It is not certain what was played: check the play.",
    Reason.LETTER: "Qu or O at d6?",
    Reason.PLAYED_AT: "Was D played at g4?",
    Reason.RULE: "Rule 5, stacking: the S on b4 covers another S. Was it read rightly?",
    Reason.EITHER_WAY_UP: "These letters can be read either way up: which was played?",
    Reason.NOTHING_SURE: "It is not certain whether something was played.",
    Reason.STILL_THERE: "Still on the board: E on e5 and A on e6. Lift them, then look again.",
    Reason.OTHERS_TOO: (
        "Tiles that came off still lie there, and others with them: X on b4. Lift it, or say what was played."
    ),
    Reason.PERHAPS_THERE: "It cannot be seen whether X on b4 came off the board: is this what was played?",
    Reason.NOT_ON_SHEET: "What was played does not fit the scoresheet: enter the play by hand.",
    Reason.MISFIT: "What is seen does not fit the turns so far: check them.",
    Reason.SHORT_ROUND: "This round has fewer words than players. Who passed?",
    Reason.PERHAPS_PASSED: (
        "Fewer words than players this round. If d4 passed, tap Skip, enter the pass, then photograph again."
    ),
    Reason.PASS_OR_AGAIN: "A pass, or the same turn again?",
    Reason.OPEN_STACK: "Nobody has said what lies at e4 and e5, and this play counts it: check it.",
    Reason.OTHER: "No board was found in the picture: show the whole board.",
}
"""Sentences as earlier versions stored them. Change none. When you reword one, add the old template to
`_EARLIER_SENTENCES`."""
TEMPLATES = [reason for reason in Reason if reason not in OWN_TEXT]


def doubt_for(reason: Reason) -> Doubt:
    return Doubt(reason, DETAILS[: reason.value.template.count("%(")])


@pytest.mark.parametrize("reason", TEMPLATES, ids=lambda reason: reason.name)
def test_a_stored_sentence_is_read_as_its_reason(reason: Reason) -> None:
    """Earlier versions stored sentences."""
    assert doubt_of_sentence(str(doubt_for(reason))) == doubt_for(reason)


@pytest.mark.parametrize("doubt", GridDoubt, ids=lambda doubt: doubt.name)
def test_a_stored_sentence_on_the_grid_is_read_as_its_doubt(doubt: GridDoubt) -> None:
    assert str(grid_doubt(doubt)) == doubt.value
    assert doubt_of_sentence(doubt.value) == grid_doubt(doubt)


@pytest.mark.parametrize("known", STORED, ids=lambda known: known.name)
def test_a_sentence_of_an_earlier_version_is_read(known: Reason | GridDoubt) -> None:
    doubt = doubt_of_sentence(STORED[known])
    assert doubt.reason is (known if isinstance(known, Reason) else Reason.GRID)


@pytest.mark.parametrize(
    "told",
    [
        "A hand or something else lies over the board: take it away and look again.",
        "Part of the board is hidden, by a hand or glare. Clear it and photograph again.",
    ],
)
def test_a_sentence_that_is_worded_otherwise_today_is_read(told: str) -> None:
    assert doubt_of_sentence(told) == Doubt(Reason.HAND)


@pytest.mark.parametrize(
    "stored",
    [
        doubt_of_sentence("It looks like two words were played. Which came first?"),
        doubt_of_sentence("Two plays seem to have been made since the last look: check which came first."),
        read_stored_doubt("TWO", []),
    ],
    ids=["sentence", "earlier sentence", "name"],
)
def test_a_question_about_several_words_from_before_they_were_counted_is_about_two(stored: Doubt) -> None:
    assert stored == Doubt(Reason.TWO, ("two",))
    assert str(stored) == "It looks like two words were played. Which came first?"


def test_stored_sentences_are_of_every_template() -> None:
    assert {*TEMPLATES, Reason.OTHER} == {known for known in STORED if isinstance(known, Reason)}


def test_another_spelling_changes_what_a_sentence_names_alone() -> None:
    without_u = Doubt(Reason.LETTER, ("O", "Qu", "d4")).spelt(lambda text: text.replace("Qu", "Q"))
    assert str(without_u) == "O or Q at d4?"
    assert grid_doubt(GridDoubt.FAINT).spelt(str.lower) == grid_doubt(GridDoubt.FAINT)


@pytest.mark.parametrize("doubt", [*(Doubt(each, DETAILS) for each in TEMPLATES), *map(grid_doubt, GridDoubt)])
def test_a_reason_asks_where_its_sentence_does(doubt: Doubt) -> None:
    """Words and property change together, or a page has two questions or none."""
    assert doubt.asks == str(doubt).endswith("?")


def test_an_unknown_sentence_is_kept() -> None:
    kept = doubt_of_sentence("R or P?")
    assert (kept.reason, str(kept)) == (Reason.OTHER, "R or P?")


def test_every_reason_has_a_value_of_its_own() -> None:
    """Two reasons with the same value would be one."""
    assert len(Reason.__members__) == len({reason.value for reason in Reason}) == len(list(Reason))


def test_no_doubt_is_about_no_reason() -> None:
    assert not is_about(None, *Reason)
    assert is_about(Doubt(Reason.TWO), Reason.ONE_OR_TWO, Reason.TWO)
    assert not is_about(Doubt(Reason.TWO), Reason.ONE_OR_TWO)


def test_sentences_are_made_from_details() -> None:
    assert str(Doubt(Reason.LETTER, ("O", "Qu", "d4"))) == "O or Qu at d4?"
    assert str(Doubt(Reason.NOT_READ, ("No {} board.",))) == "No {} board."
