"""Why forms that people try are not playable: capitalised, an abbreviation, an apostrophe, an affix ..."""

from __future__ import annotations

from pathlib import Path

from workshop.words.decisions import Decision, rows
from workshop.words.scowl import Scowl, letters_of
from workshop.words.wordnet import WordNet

LONGEST = 15
"""Longer forms fit on no board, whatever they are."""

_SPELLINGS = ("english", "american", "british", "british_z", "variant_1", "variant_2")


def list_excluded_forms(
    scowl: Scowl, wordnet: WordNet, affixes: Path, decisions: tuple[Decision, ...]
) -> dict[str, str]:
    """Return each form in plain capitals and why it is out: a kind's letter and how the form is written.

    The kinds are those of `upscore.words.judging.KINDS`; where several fit, the first that is listed below stays.
    """
    forms: dict[str, str] = {}

    def put(kind: str, entry: str, note: str = "") -> None:
        letters = letters_of(entry)
        if 1 < len(letters) <= LONGEST:
            forms.setdefault(letters, f"{kind}{entry}{note}")

    for affix, meaning in rows(affixes):
        put("X", affix, f", {meaning}")
    for decision in decisions:
        if decision.action != "add" and decision.place == "all":
            for word in decision.words:
                forms.setdefault(word, f"D{decision.reason}")
    for entry in scowl.entries(_SPELLINGS, ("abbreviations",), 80):  # beyond it are THI and other unheard ones
        if "'" not in entry:
            put("A", entry)
    for entry in scowl.entries(_SPELLINGS, ("contractions",), 95):
        put("P", entry)
    for entry in scowl.entries(_SPELLINGS, ("upper", "proper-names"), 80):
        if "'" not in entry:
            put("C", entry)
    for lemma in sorted({entry.lemma for entry in wordnet.entries()}):
        parts = lemma.split("_")
        if lemma.islower() and "-" in lemma and len(parts) == 1:
            put("H", lemma)
        elif lemma.islower() and len(parts) == 2 and lemma.replace("_", "").isalpha():
            put("W", lemma.replace("_", " "))
    return forms
