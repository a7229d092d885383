"""Settles challenges: is a word playable, what does it mean, and if it is not playable, why.

The command line, the page and a challenge in a game all ask `judge_word`, so that they say the same in the same words.

The family switch keeps words that wound or are coarse out of play, hints and meanings where a table wants it so.
Whether a word wounds does not decide whether it is a word: the lists have what dictionaries have, since they settle
challenges. With the switch on, the marked words (``data/family.tsv``) and their forms are not playable and not
explained. Best plays never show them, whatever the switch says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from engine import Lexicon
from engine.lexicon.lexicon import WordVerdict
from engine.wording import join_names, join_texts, phrase
from upscore.words.gcide import find_gcide
from upscore.words.languages import LANGUAGES
from upscore.words.list_text import fold
from upscore.words.loader import lexicon_names, list_info, load_lexicon
from upscore.words.meanings import Meanings
from upscore.words.packaged import affixes, data_lines, load_excluded, not_inflections, not_plurals
from upscore.words.wordforms import undo_inflection


@cache
def _marks() -> Mapping[str, frozenset[str]]:
    """Return the words of each kind of ``family.tsv``, in capitals, without their forms."""
    rows = (line.split("\t") for line in data_lines("family.tsv"))
    return {kind: frozenset(words.upper().split()) for kind, words in rows}


def is_marked(word: str) -> bool:
    """Return whether a word, in capitals, is left out for families, or is a form of a word that is."""
    marked = _marks()["slur"] | _marks()["coarse"]
    if word in _marks()["harmless"]:
        return False
    return word in marked or any(form.base in marked for form in undo_inflection(word))


@cache
def family_lexicon(lexicon: Lexicon) -> Lexicon:
    """Return the list without the words left out for families, under the same name.

    Use it for referee, solver and hints alike. Another language's list stays whole, since the words left out are
    English.
    """
    if lexicon.name in LANGUAGES:
        return lexicon
    kept = [word for word in lexicon if not is_marked(word)]
    return Lexicon.from_words(
        kept,
        name=lexicon.name,
        not_plurals=not_plurals(),
        not_inflections=not_inflections(),
        rare=(word for word in kept if lexicon.is_rare(word)),
    )


KINDS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "A": lambda form: phrase("it is an abbreviation, %(form)s", form=form),
        "C": lambda form: phrase("it is written with a capital letter, %(form)s", form=form),
        "D": lambda form: phrase("it is left out of the word lists (%(form)s)", form=form),
        "H": lambda form: phrase("it is written with a hyphen, %(form)s", form=form),
        "P": lambda form: phrase("it is written with an apostrophe, %(form)s", form=form),
        "W": lambda form: phrase("it is two words, %(form)s", form=form),
        "X": lambda form: phrase("it cannot stand alone: %(form)s", form=form),
    }
)
"""Why a form is in no list (Rule 7), by the letter that stands for it in the data."""


def judge_word(word: str, lexicon: Lexicon, meanings: Meanings, *, for_family: bool = False) -> WordVerdict:
    """Judge a word, given in any case and with or without accents.

    With `for_family`, words left out for families are neither playable nor explained. If `meanings` lacks a word, GCIDE
    is asked, if it is installed. With another language's list no meaning is shown, since ours are English.
    """
    language = LANGUAGES.get(lexicon.name)
    alphabet = lexicon.alphabet
    text = language.fold(word.strip(), alphabet) if language else fold(word.strip(), alphabet)
    if for_family and not language and text.isalpha() and is_marked(text):
        return _refuse(text, phrase("it is one of the words that this table leaves out"), None)
    if text in lexicon:
        meaning = None if language else _meaning(text, meanings)
        return WordVerdict(text, True, phrase("%(word)s is playable.", word=text), None, meaning)
    if not text or not alphabet.letters.issuperset(text):
        return _refuse(text, _odd_sign(text), None)
    if len(text) == 1:
        return _refuse(text, phrase("a word has two letters or more"), None)
    reason = phrase("it is not in %(list)s", list=list_info(lexicon.name).spoken)
    if language:
        return _refuse(text, reason, None)
    elsewhere = _elsewhere(text, lexicon)
    if elsewhere:
        return _refuse(text, join_texts((reason, elsewhere), ", "), _meaning(text, meanings))
    known = load_excluded().get(text)
    return _refuse(text, KINDS[known[0]](known[1:]) if known else reason, None)


def _refuse(text: str, reason: str, meaning: str | None) -> WordVerdict:
    word = text or phrase("That")
    return WordVerdict(
        text, False, phrase("%(word)s is not playable: %(reason)s.", word=word, reason=reason), reason, meaning
    )


def _elsewhere(text: str, lexicon: Lexicon) -> str | None:
    """Return a clause that says which shipped lists have a word, or None.

    It names the large list only if no smaller has it. A word is "only" in another list if a shipped list lacks it. A
    table's own list is not compared with these.
    """
    lists = [name for name in ("standard", "standard-british") if text in load_lexicon(name)]
    if not lists and text in load_lexicon("large"):
        lists = ["large"]
    if not lists:
        return None
    named = join_names([list_info(name).spoken for name in lists])
    if lexicon.name in lexicon_names():
        return phrase("only in %(lists)s", lists=named)
    return phrase("but in %(lists)s", lists=named)


def _meaning(word: str, meanings: Meanings) -> str | None:
    known = meanings.meaning(word)
    gcide = find_gcide() if known is None else None
    return gcide.meaning(word) if gcide else known


def _odd_sign(text: str) -> str:
    if not text:
        return phrase("there is no word")
    if "'" in text or "\N{RIGHT SINGLE QUOTATION MARK}" in text:
        return phrase("it has an apostrophe")
    if affix := affixes().get(text.lower()):
        return KINDS["X"](f"{text.lower()}, {affix}")
    if "-" in text:
        return phrase("it has a hyphen")
    if " " in text:
        return phrase("it is more than one word")
    return phrase("it has characters that no tile has")
