"""Settles challenges: is a word playable, what does it mean, and if it is not playable, why.

The command line, the page and a challenge in a game all ask `judge_word`, so that they say the same in the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine import Lexicon
from engine.lexicon.lexicon import WordVerdict
from engine.wording import listed
from upscore.words import family
from upscore.words.catalogue import list_info
from upscore.words.gcide import installed_gcide
from upscore.words.loader import lexicon_names, load_lexicon
from upscore.words.meanings import Meanings
from upscore.words.packaged import affixes, excluded
from upscore.words.wordfile import fold

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "A": "it is an abbreviation, {}",
        "C": "it is written with a capital letter, {}",
        "D": "it is left out of the word lists ({})",
        "H": "it is written with a hyphen, {}",
        "P": "it is written with an apostrophe, {}",
        "W": "it is two words, {}",
        "X": "it cannot stand alone: {}",
    }
)
"""Why a form is in no list (Rule 7), by the letter that stands for it in the data."""


def judge_word(word: str, lexicon: Lexicon, meanings: Meanings, *, for_family: bool = False) -> WordVerdict:
    """Judge a word, given in any case and with or without accents.

    With `for_family` the words of `upscore.words.family` are not playable and not explained. Where `meanings` has
    nothing on a word, GCIDE is asked, if the system has that installed.
    """
    text = fold(word.strip())
    if for_family and text.isalpha() and family.is_marked(text):
        return _refused(text, family.REASON, None)
    if text in lexicon:
        return WordVerdict(text, True, f"{text} is playable.", None, _meaning(text, meanings))
    if not (text.isascii() and text.isalpha()):
        return _refused(text, _odd_sign(text), None)
    if len(text) == 1:
        return _refused(text, "a word has two letters or more", None)
    elsewhere = _elsewhere(text, lexicon)
    reason = f"it is not in {list_info(lexicon.name).spoken}"
    if elsewhere:
        return _refused(text, f"{reason}, {elsewhere}", _meaning(text, meanings))
    known = excluded().get(text)
    return _refused(text, KINDS[known[0]].format(known[1:]) if known else reason, None)


def _refused(text: str, reason: str, meaning: str | None) -> WordVerdict:
    return WordVerdict(text, False, f"{text or 'That'} is not playable: {reason}.", reason, meaning)


def _elsewhere(text: str, lexicon: Lexicon) -> str | None:
    """Return a clause that says which shipped lists have a word, the large one only where no smaller has it; None for
    none.

    One shipped list lacks a word that it is "only" in another; a table's own list is no rival of theirs.
    """
    lists = [name for name in ("standard", "standard-british") if text in load_lexicon(name)]
    if not lists and text in load_lexicon("large"):
        lists = ["large"]
    if not lists:
        return None
    but = "only in" if lexicon.name in lexicon_names() else "but in"
    return f"{but} {listed([list_info(name).spoken for name in lists])}"


def _meaning(word: str, meanings: Meanings) -> str | None:
    known = meanings.meaning(word)
    gcide = installed_gcide() if known is None else None
    return gcide.meaning(word) if gcide else known


def _odd_sign(text: str) -> str:
    if not text:
        return "there is no word"
    if "'" in text or "\N{RIGHT SINGLE QUOTATION MARK}" in text:
        return "it has an apostrophe"
    if affix := affixes().get(text.lower()):
        return KINDS["X"].format(f"{text.lower()}, {affix}")
    if "-" in text:
        return "it has a hyphen"
    if " " in text:
        return "it is more than one word"
    return "it has signs that no tile has"
