"""Builds every packaged data file, byte for byte the same from the same sources.

    python -m workshop.words [--scowl FOLDER] [--wordnet FOLDER] [--popular FOLDER] [--show-short | --check]

The sources are Debian's packages ``scowl`` and ``wordnet-base`` and npm's ``popular-english-words``;
``tables/sources.tsv`` records their digests.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import upscore.words
from upscore.words.wordforms import undo_inflection
from workshop.words.closure import (
    Grammar,
    close_words,
    inconsistent,
    of_one_country,
    pool_of,
    with_plurals_on_ses,
    without_forms,
)
from workshop.words.decisions import (
    Decision,
    Lists,
    Recent,
    apply_decisions,
    list_dropped,
    read_decisions,
    read_recent,
    with_recent,
)
from workshop.words.excluded import list_excluded_forms
from workshop.words.growth import Known, grown
from workshop.words.meanings import find_parts, irregular_of, not_plurals, own_senses, senses_of
from workshop.words.popular import Popular, words_in_use
from workshop.words.scowl import Scowl, letters_of
from workshop.words.wordnet import WordNet

DATA = Path(upscore.words.__file__).parent / "data"

TABLES = Path(__file__).parent / "tables"
"""The tables written by hand, which the build alone reads."""

SHARED = ("english", "variant_1", "variant_2")
"""SCOWL keeps one spelling of a word in its main lists, as a spelling checker wants; a referee takes what a
dictionary has, so the variants that it counts as equal or acceptable are in."""

AMERICAN = (*SHARED, "american")

BRITISH = ("british", "british_z", "british_variant_1")

EVERY = (*AMERICAN, *BRITISH, "british_variant_2", "variant_3")

AMERICAN_ALONE = frozenset({"ANOXEMIA", "CALK", "DOWNDRAFT", "JEWELRY", "LEUKORRHEA", "LICORICE"})
"""American words whose British spelling no rule finds: ANOXAEMIA, CAULK, DOWNDRAUGHT, JEWELLERY, LEUCORRHOEA,
LIQUORICE."""

USUAL, RARER, ALL = 70, 80, 95
"""SCOWL's sizes: what most dictionaries have, what people like to use in word games, and nearly everything, which only
vouches for the regular forms of words that are in. [by eye]"""

EVERYDAY = 50
"""SCOWL's size up to which words are in everyday use: its "medium" list, what spelling checkers begin with."""

LEARNED = 3
"""Letters up to which people who play word games know a word, in everyday use or not. [by eye]"""


def raw_lists(scowl: Scowl) -> Lists:
    """Return the lists before any manual decision and any growth."""
    american, british = scowl.words(AMERICAN, USUAL), british_words(scowl, USUAL)
    large = american | british | scowl.words(EVERY, RARER)
    return Lists(frozenset(american), frozenset(british), frozenset(large))


def british_words(scowl: Scowl, size: int) -> set[str]:
    """Return the words spelled as in Britain: SCOWL's variants hold American spellings, which are theirs alone."""
    return scowl.words(BRITISH, size) | (scowl.words(SHARED, size) - scowl.words(("american",), size))


@dataclass(frozen=True)
class Sources:
    """What the lists are built from."""

    scowl: Scowl
    wordnet: WordNet
    popular: Popular
    decisions: tuple[Decision, ...]
    recent: tuple[Recent, ...]


def final_lists(sources: Sources) -> Lists:
    """Return the lists as they are shipped: decided, then grown by rule from SCOWL's rarer words, then closed."""
    scowl, never, grammar = sources.scowl, list_dropped(sources.decisions), grammar_of(sources.wordnet)
    lists = with_recent(apply_decisions(raw_lists(scowl), sources.decisions), sources.recent)
    known = Known(grammar.parts, irregular_verbs(sources.wordnet))
    by_themselves = {*grammar.parts, *grammar.irregular, *read_written_by_hand(sources)}
    popular, otherwise = sources.popular.words(), find_written_otherwise(scowl, sources.wordnet)

    def complete(words: frozenset[str], rarer: set[str], every: set[str]) -> frozenset[str]:
        used = words_in_use(rarer - never, words, popular, otherwise)
        pool = pool_of(rarer - never, every - never, grammar.parts)
        return frozenset(close_words(grown(words | used, rarer - never, known), pool, grammar))

    american = complete(lists.american, scowl.words(AMERICAN, RARER), scowl.words(AMERICAN, ALL))
    british = complete(lists.british, british_words(scowl, RARER), british_words(scowl, ALL))
    both = close_words(american | british, pool_of_all(sources, never), grammar)
    every = scowl.words(EVERY, ALL)
    both = with_plurals_on_ses(without_forms(both, never, by_themselves), every)
    american, british = (
        frozenset(of_one_country(with_plurals_on_ses(words, every) & both, frozenset(both), grammar, foreign))
        for words, foreign in ((american, frozenset[str]()), (british, AMERICAN_ALONE))
    )
    never_at_all = list_dropped(sources.decisions, "all")
    large = close_words(lists.large | both, pool_of_all(sources, never_at_all), grammar)
    large = without_forms(large, never_at_all, by_themselves)
    return Lists(american, british, frozenset(with_plurals_on_ses(large, every)))


def pool_of_all(sources: Sources, without: Collection[str] = ()) -> frozenset[str]:
    """Return SCOWL's words of every spelling that may join a list as a regular sister."""
    rarer, every = (sources.scowl.words(EVERY, size) - {*without} for size in (RARER, ALL))
    return pool_of(rarer, every, parts_of(sources.wordnet))


def read_written_by_hand(sources: Sources) -> set[str]:
    """Return the words that a person added to a list."""
    added = (word for each in sources.decisions if each.action == "add" for word in each.words)
    return {*added, *(form for each in sources.recent for form in (each.word, *each.forms))}


def find_written_otherwise(scowl: Scowl, wordnet: WordNet) -> frozenset[str]:
    """Return the letters of names, and of what WordNet writes as two words or with a hyphen."""
    names = {letters_of(entry) for entry in scowl.entries(EVERY, ("upper", "proper-names"), ALL) if "'" not in entry}
    lemmas = {entry.lemma for entry in wordnet.entries()}
    return frozenset(names | {letters_of(lemma) for lemma in lemmas if not (lemma.isalpha() and lemma.islower())})


def parts_of(wordnet: WordNet) -> dict[str, frozenset[str]]:
    """Return the parts of speech of each word that WordNet has in small letters."""
    parts: dict[str, set[str]] = {}
    for entry in wordnet.entries():
        if entry.lemma.isalpha() and entry.lemma.islower():
            parts.setdefault(entry.lemma.upper(), set()).add(entry.part)
    return {word: frozenset(found) for word, found in parts.items()}


def grammar_of(wordnet: WordNet) -> Grammar:
    """Return the parts of speech and the irregular forms. WordNet calls ZIGZAGGED irregular, too; we don't."""
    irregular: dict[str, set[tuple[str, str]]] = {}
    for form, part, base in wordnet.irregular():
        word, stem = form.upper(), base.upper()
        if not any(origin.base == stem and origin.part == part for origin in undo_inflection(word)):
            irregular.setdefault(word, set()).add((part, stem))
    return Grammar(parts_of(wordnet), {form: frozenset(bases) for form, bases in irregular.items()})


def irregular_verbs(wordnet: WordNet) -> dict[str, frozenset[str]]:
    """Return the bases of each form of a verb that WordNet calls irregular."""
    forms: dict[str, set[str]] = {}
    for form, part, base in wordnet.irregular():
        if part == "v":
            forms.setdefault(form.upper(), set()).add(base.upper())
    return {form: frozenset(bases) for form, bases in forms.items()}


def short_words(lists: Lists) -> list[str]:
    """Return the words of two and three letters, as the reviewed file has them: list, length, words."""
    names = (("both", lists.both), ("large only", lists.large - lists.both))
    return [
        f"{name}\t{length}\t{' '.join(sorted(word for word in words if len(word) == length)).lower()}"
        for name, words in names
        for length in (2, 3)
    ]


def check_short_words(lists: Lists, path: Path) -> None:
    """Raises ValueError when a word of two or three letters is not as it was reviewed."""
    reviewed = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for was, now in zip(reviewed, short_words(lists), strict=True):
        changed = set(was.split("\t")[2].split()) ^ set(now.split("\t")[2].split())
        if changed:
            raise ValueError(f"{path.name} has not been reviewed for: {' '.join(sorted(changed))}")


def everyday_words(scowl: Scowl, lists: Lists, recent: Iterable[Recent] = ()) -> list[str]:
    """Return the words of the lists that are in everyday use, or that people who play word games know."""
    written = (each for each in recent if not each.is_known_from_games)
    used = scowl.words(EVERY, EVERYDAY) | {form for each in written for form in (each.word, *each.forms)}
    return sorted(word for word in lists.large if word in used or len(word) <= LEARNED)


def forms_of_recent(sources: Sources) -> dict[str, str]:
    """Return the recent words that SCOWL's usual sizes lack, each with the forms that were written down."""
    usual = raw_lists(sources.scowl).both
    forms: dict[str, list[str]] = {}
    for each in sources.recent:
        if each.word not in usual:
            forms.setdefault(each.word, []).extend(each.forms)
    return {word: " ".join(dict.fromkeys(found)) for word, found in forms.items()}


def write_packed(name: str, lines: Iterable[str]) -> None:
    """Writes lines to an ``.xz`` file of the data folder."""
    text = "\n".join(lines).encode()
    packed = lzma.compress(text, preset=9 | lzma.PRESET_EXTREME)
    (DATA / f"{name}.xz").write_bytes(packed)
    print(f"{name}.xz  {len(packed):>9,} bytes  ({len(text):,} unpacked)")


def write_sources(folders: Sequence[Path]) -> None:
    """Records a digest over the files of each source folder."""
    lines = ["# Digests of the sources that the data was built from: folder, files, SHA-256 of their contents."]
    for folder in folders:
        digest = hashlib.sha256()
        files = sorted(path for path in folder.iterdir() if path.is_file())
        for path in files:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        lines.append(f"{folder.name}\t{len(files)}\t{digest.hexdigest()}")
    (TABLES / "sources.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def build(sources: Sources) -> None:
    """Builds and writes everything."""
    scowl, wordnet, decisions = sources.scowl, sources.wordnet, sources.decisions
    lists = final_lists(sources)
    check_short_words(lists, TABLES / "short_words.txt")
    write_packed("shared.txt", sorted(lists.american & lists.british))
    write_packed("american.txt", sorted(lists.american - lists.british))
    write_packed("british.txt", sorted(lists.british - lists.american))
    write_packed("large.txt", sorted(lists.large - lists.both))
    everyday = everyday_words(scowl, lists, sources.recent)
    write_packed("everyday.txt", everyday)
    own = own_senses(TABLES / "own_meanings.tsv", sources.recent)
    senses = senses_of(wordnet, lists.large, own, frozenset(everyday))
    irregular = irregular_of(wordnet, lists.large, senses, own)
    write_packed("meanings.txt", (f"{word}\t{senses[word]}" for word in sorted(senses)))
    write_packed("irregular.txt", (f"{form}\t{irregular[form]}" for form in sorted(irregular)))
    recent = forms_of_recent(sources)
    write_packed("recent.txt", (f"{word}\t{recent[word]}" for word in sorted(recent)))
    write_packed("not_plurals.txt", sorted(not_plurals(lists.large, find_parts(wordnet, own))))
    forms = list_excluded_forms(scowl, wordnet, DATA / "affixes.tsv", decisions)
    refused = (f"{form}\t{forms[form]}" for form in sorted(forms) if form not in lists.large)
    write_packed("excluded.txt", refused)
    write_sources((scowl.folder, wordnet.folder, sources.popular.folder))


def show_inconsistent(sources: Sources) -> None:
    """Print each word of a list that lacks a regular form which SCOWL has, with the recorded reason."""
    lists, pool, grammar = final_lists(sources), pool_of_all(sources), grammar_of(sources.wordnet)
    reasons = {word: each.reason for each in sources.decisions if each.action != "add" for word in each.words}
    for name, words, others in (
        ("both", lists.both, pool),
        ("standard", lists.american, lists.both | reasons.keys() & pool),
        ("standard-british", lists.british, lists.both | reasons.keys() & pool),
        ("large", lists.large, pool),
    ):
        pairs = sorted(inconsistent(words, others, grammar))
        print(f"{name}: {len(pairs)} words lack a regular sister")
        for word, lacking in pairs:
            print(f"  {word.lower()} without {lacking.lower()}: {reasons.get(lacking, 'NO REASON')}")


def main() -> None:
    """Run the command line; see the module's description."""
    parser = argparse.ArgumentParser(prog="python -m workshop.words", description=__doc__)
    parser.add_argument("--scowl", type=Path, default=Path("/usr/share/dict/scowl"))
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--popular", type=Path, default=Path("node_modules/popular-english-words"))
    parser.add_argument("--check", action="store_true", help="print the words that lack a regular form")
    parser.add_argument("--show-short", action="store_true", help="print the words of two and three letters")
    call = parser.parse_args()
    sources = Sources(
        Scowl(call.scowl),
        WordNet(call.wordnet),
        Popular(call.popular),
        read_decisions(TABLES / "decisions.tsv"),
        read_recent(TABLES / "recent.tsv"),
    )
    if call.show_short:
        print("\n".join(short_words(final_lists(sources))))
    elif call.check:
        show_inconsistent(sources)
    else:
        build(sources)


if __name__ == "__main__":
    main()
