"""Reasons to ask: their sentences, and how stored ones are read."""

from __future__ import annotations

import pytest

from vision import GridDoubt
from vision.turn.reasons import Doubt, Reason, doubt_of_sentence, grid_doubt, is_about

OWN_TEXT = {Reason.CUT_OFF, Reason.GRID, Reason.NOT_READ, Reason.OTHER}
DETAILS = ("d4", "3", "2")
TEMPLATES = [reason for reason in Reason if reason not in OWN_TEXT]


def doubt_for(reason: Reason) -> Doubt:
    return Doubt(reason, DETAILS[: reason.value.count("{}")])


@pytest.mark.parametrize("reason", TEMPLATES, ids=lambda reason: reason.name)
def test_a_stored_sentence_is_read_as_its_reason(reason: Reason) -> None:
    """Earlier versions stored sentences."""
    assert doubt_of_sentence(str(doubt_for(reason))) == doubt_for(reason)


@pytest.mark.parametrize("doubt", GridDoubt, ids=lambda doubt: doubt.name)
def test_a_stored_sentence_on_the_grid_is_read_as_its_doubt(doubt: GridDoubt) -> None:
    assert str(grid_doubt(doubt)) == doubt.value
    assert doubt_of_sentence(doubt.value) == grid_doubt(doubt)


def test_an_unknown_sentence_is_kept() -> None:
    kept = doubt_of_sentence("R or P?")
    assert (kept.reason, str(kept)) == (Reason.OTHER, "R or P?")


def test_every_reason_has_a_value_of_its_own() -> None:
    """Two with one value would be one reason."""
    assert len(Reason.__members__) == len({reason.value for reason in Reason}) == len(list(Reason))


def test_no_doubt_is_about_no_reason() -> None:
    assert not is_about(None, *Reason)
    assert is_about(Doubt(Reason.TWO), Reason.ONE_OR_TWO, Reason.TWO)
    assert not is_about(Doubt(Reason.TWO), Reason.ONE_OR_TWO)


def test_sentences_are_made_from_details() -> None:
    assert str(Doubt(Reason.LETTER, ("O", "Qu", "d4"))) == "O or Qu at d4?"
    assert str(Doubt(Reason.NOT_READ, ("No {} board.",))) == "No {} board."
