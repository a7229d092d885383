"""Reads the packaged data files, which ``workshop.words`` makes."""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from engine import LexiconError


def read_packed_lines(name: str) -> list[str]:
    """Return the lines of a packed file, ``name.xz``; raise LexiconError if it is missing or damaged."""
    path = files("upscore.words") / "data" / f"{name}.xz"
    try:
        return lzma.decompress(path.read_bytes()).decode().split("\n")
    except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise LexiconError(f"the packaged word data {name} cannot be read: install upscore again") from error


def data_lines(name: str) -> list[str]:
    """Return the lines of a data file that can be read as it is, without its comments."""
    text = (files("upscore.words") / "data" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def read_packed_table(name: str) -> dict[str, str]:
    """Return a packed file of two columns with a tab between them."""
    columns = (line.partition("\t") for line in read_packed_lines(name))
    return {key: value for key, _, value in columns}


@cache
def not_plurals() -> frozenset[str]:
    """Return the words in S of all lists that aren't plurals of nouns, as far as WordNet knows."""
    return frozenset(read_packed_lines("not_plurals.txt"))


@cache
def not_inflections() -> frozenset[str]:
    """Return the words that add an S to a shorter word but aren't its plural or verb form: HIS, BESIDES."""
    return frozenset(word.upper() for line in data_lines("not_inflections.txt") for word in line.split())


@cache
def affixes() -> Mapping[str, str]:
    """Return the prefixes and suffixes, with their hyphens, and what each is."""
    return dict(line.split("\t") for line in data_lines("affixes.tsv"))


@cache
def everyday() -> frozenset[str]:
    """Return the words of all lists that are in everyday use, and the short ones that word games teach."""
    return frozenset(read_packed_lines("everyday.txt"))


@cache
def load_excluded() -> Mapping[str, str]:
    """Return the forms that are in no list, each with the letter of the reason's kind and a remark."""
    return read_packed_table("excluded.txt")
