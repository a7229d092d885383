"""Builds every packaged data file, byte for byte the same from the same sources.

    python -m workshop.words [--scowl FOLDER] [--wordnet FOLDER] [--show-short]

The sources are Debian's packages ``scowl`` and ``wordnet-base``; ``sources.tsv`` records their digests.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
from collections.abc import Iterable, Sequence
from pathlib import Path

import upscore.words
from workshop.words.decisions import Decision, Lists, decided, dropped, read_decisions
from workshop.words.excluded import excluded_forms
from workshop.words.growth import Known, grown
from workshop.words.meanings import irregular_of, not_plurals, senses_of
from workshop.words.scowl import Scowl
from workshop.words.wordnet import WordNet

DATA = Path(upscore.words.__file__).parent / "data"

SHARED = ("english", "variant_1", "variant_2")
"""SCOWL keeps one spelling of a word in its main lists, as a spelling checker wants; a referee takes what a
dictionary has, so the variants that it counts as equal or acceptable are in."""

AMERICAN = (*SHARED, "american")

BRITISH = ("british", "british_z", "british_variant_1")

EVERY = (*AMERICAN, *BRITISH, "british_variant_2", "variant_3")

USUAL, RARER = 70, 80
"""SCOWL's sizes: what most dictionaries have, and what people like to use in word games. [by eye]"""

EVERYDAY = 50
"""SCOWL's size up to which words are in everyday use: its "medium" list, what spelling checkers begin with."""

LEARNED = 3
"""Letters up to which words are known to whoever plays word games, in everyday use or not. [by eye]"""


def raw_lists(scowl: Scowl) -> Lists:
    """Return the lists before any manual decision and any growth."""
    american, british = scowl.words(AMERICAN, USUAL), british_words(scowl, USUAL)
    large = american | british | scowl.words(EVERY, RARER)
    return Lists(frozenset(american), frozenset(british), frozenset(large))


def british_words(scowl: Scowl, size: int) -> set[str]:
    """Return the words spelled as in Britain: SCOWL's variants hold American spellings, which are theirs alone."""
    return scowl.words(BRITISH, size) | (scowl.words(SHARED, size) - scowl.words(("american",), size))


def final_lists(scowl: Scowl, wordnet: WordNet, decisions: tuple[Decision, ...]) -> Lists:
    """Return the lists as they are shipped: decided, then grown by rule from SCOWL's rarer words."""
    lists, never = decided(raw_lists(scowl), decisions), dropped(decisions)
    known = Known(parts_of(wordnet), irregular_forms(wordnet))
    american = grown(lists.american, scowl.words(AMERICAN, RARER) - never, known)
    british = grown(lists.british, british_words(scowl, RARER) - never, known)
    return Lists(frozenset(american), frozenset(british), lists.large | american | british)


def parts_of(wordnet: WordNet) -> dict[str, frozenset[str]]:
    """Return the parts of speech of each word that WordNet has in small letters."""
    parts: dict[str, set[str]] = {}
    for entry in wordnet.entries():
        if entry.lemma.isalpha() and entry.lemma.islower():
            parts.setdefault(entry.lemma.upper(), set()).add(entry.part)
    return {word: frozenset(found) for word, found in parts.items()}


def irregular_forms(wordnet: WordNet) -> dict[str, frozenset[str]]:
    """Return the bases of each irregular form of a verb."""
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


def everyday_words(scowl: Scowl, lists: Lists) -> list[str]:
    """Return the words of the lists that are in everyday use, or known to whoever plays word games."""
    used = scowl.words(EVERY, EVERYDAY)
    return sorted(word for word in lists.large if word in used or len(word) <= LEARNED)


def write_packed(name: str, lines: Iterable[str]) -> None:
    """Writes lines to an ``.xz`` file of the data folder."""
    text = "\n".join(lines).encode()
    packed = lzma.compress(text, preset=9 | lzma.PRESET_EXTREME)
    (DATA / f"{name}.xz").write_bytes(packed)
    print(f"{name}.xz  {len(packed):>9,} bytes  ({len(text):,} unpacked)")


def write_sources(folders: Sequence[Path]) -> None:
    """Records a digest over the files of each source folder."""
    lines = [
        "# Digests of the sources that the data was built from: folder, files, SHA-256 of their contents."
    ]
    for folder in folders:
        digest = hashlib.sha256()
        files = sorted(path for path in folder.iterdir() if path.is_file())
        for path in files:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        lines.append(f"{folder.name}\t{len(files)}\t{digest.hexdigest()}")
    (DATA / "sources.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def build(scowl: Scowl, wordnet: WordNet) -> None:
    """Builds and writes everything."""
    decisions = read_decisions(DATA / "decisions.tsv")
    lists = final_lists(scowl, wordnet, decisions)
    check_short_words(lists, DATA / "short_words.txt")
    write_packed("shared.txt", sorted(lists.american & lists.british))
    write_packed("american.txt", sorted(lists.american - lists.british))
    write_packed("british.txt", sorted(lists.british - lists.american))
    write_packed("large.txt", sorted(lists.large - lists.both))
    write_packed("everyday.txt", everyday_words(scowl, lists))
    senses = senses_of(wordnet, lists.large, DATA / "own_meanings.tsv")
    irregular = irregular_of(wordnet, lists.large, senses, DATA / "own_meanings.tsv")
    write_packed("meanings.txt", (f"{word}\t{senses[word]}" for word in sorted(senses)))
    write_packed("irregular.txt", (f"{form}\t{irregular[form]}" for form in sorted(irregular)))
    write_packed("not_plurals.txt", sorted(not_plurals(lists.large, senses)))
    forms = excluded_forms(scowl, wordnet, DATA / "affixes.tsv", decisions)
    refused = (f"{form}\t{forms[form]}" for form in sorted(forms) if form not in lists.large)
    write_packed("excluded.txt", refused)
    write_sources((scowl.folder, wordnet.folder))


def main() -> None:
    """Run the command line; see the module's description."""
    parser = argparse.ArgumentParser(prog="python -m workshop.words", description=__doc__)
    parser.add_argument("--scowl", type=Path, default=Path("/usr/share/dict/scowl"))
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--show-short", action="store_true", help="print the words of two and three letters")
    call = parser.parse_args()
    scowl, wordnet = Scowl(call.scowl), WordNet(call.wordnet)
    if call.show_short:
        lists = final_lists(scowl, wordnet, read_decisions(DATA / "decisions.tsv"))
        print("\n".join(short_words(lists)))
        return
    build(scowl, wordnet)


if __name__ == "__main__":
    main()
