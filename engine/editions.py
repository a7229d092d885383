"""Editions of the game: grid, tiles and their distribution (the rule sheets, "Equipment").

Upscore knows some by name. People describe others as tables of a TOML file or of JSON, checked key by key
(docs/editions.md).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Any
from unicodedata import normalize

from engine.board import MAX_HEIGHT, MIN_SIZE
from engine.errors import NotationError, RulesError, quote
from engine.faces import ENGLISH, FACES, LONGEST_FACE, MAX_FACES, Alphabet, alphabetical, as_face, is_face, is_vowel
from engine.json_reading import as_bool, as_int, as_list, as_mapping, as_text
from engine.squares import MAX_SIZE, Square, centre_squares, parse_square, square_name
from engine.wording import did_you_mean, is_one_line, join_names, phrase

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MAX_PLAYERS = 4
QU_BONUS = 2
"""Points of the rule sheets for a Qu in a word of single tiles (6C)."""


@dataclass(frozen=True)
class Edition:
    """A board and its tiles. The defaults are those of the rule sheets.

    Attributes:
        distribution: the number of tiles by face, all 26 in English. It is None if the numbers are unknown, and counts
            go unchecked.
        tile_total: the number of tiles, 0 if even that is unknown.
        note: which parts of the edition the referee doesn't cover, "" if it covers everything. Show it wherever
            people choose the edition.
        start: the squares of which the first play covers one (Rule 3). None given means those in the middle.
        stack_limit: the most tiles on a square (5-five).
        rack_size: tiles on a full rack.
        full_rack_bonus: points for a whole rack in one turn (6D).
        qu_bonus: points for a Qu in a word of single tiles (6C).
        plural_rule: whether a turn that just adds S for a plural is refused (5-plural), if the house rules say so too.
        lexicon: the word list to use if nobody names one, "" for the usual one.
    """

    name: str
    size: int
    distribution: Mapping[str, int] | None
    tile_total: int
    note: str = ""
    start: frozenset[Square] = frozenset()
    stack_limit: int = 5
    rack_size: int = 7
    full_rack_bonus: int = 20
    qu_bonus: int = QU_BONUS
    plural_rule: bool = True
    lexicon: str = ""

    def __post_init__(self) -> None:
        if not (2 <= self.size <= MAX_SIZE and self.name):
            raise RulesError(
                phrase("an edition has a name and 2 to %(most)s rows, not %(size)s", most=MAX_SIZE, size=self.size)
            )
        tiles = self.distribution
        if tiles is None:
            if self.tile_total < 0:
                raise RulesError(
                    phrase("edition %(name)s cannot have %(total)s tiles", name=self.name, total=self.tile_total)
                )
        elif not _is_whole(tiles) or min(tiles.values()) < 0 or sum(tiles.values()) != self.tile_total:
            raise RulesError(
                phrase(
                    "the tiles of edition %(name)s do not add up to %(total)s: count again",
                    name=self.name,
                    total=self.tile_total,
                )
            )
        if not self.start:
            object.__setattr__(self, "start", centre_squares(self.size))

    @cached_property
    def alphabet(self) -> Alphabet:
        """The faces of its tiles in alphabetical order: A to Z with Qu, unless the set has others."""
        faces = set(self.distribution or FACES)
        return ENGLISH if faces == set(FACES) else Alphabet(tuple(sorted(faces, key=alphabetical)))

    def check_size(self, rows: int) -> None:
        """Check that a board has the edition's number of rows; raise RulesError if not."""
        if rows != self.size:
            raise RulesError(
                phrase(
                    "the board has %(rows)s rows, and edition %(name)s has %(size)s: use its edition",
                    rows=rows,
                    name=self.name,
                    size=self.size,
                )
            )


def _is_whole(tiles: Mapping[str, int]) -> bool:
    """Return whether these are the faces of a set: all 26 in English, otherwise any."""
    beyond = set(tiles) - set(FACES)
    return 0 < len(tiles) <= MAX_FACES and all(map(is_face, beyond)) and bool(beyond or len(tiles) == len(FACES))


MAX_FILE = 1 << 16
"""The most bytes that the file of an edition takes. [by eye]"""
MAX_NAME = 40
"""The longest name of an edition, in letters. [by eye]"""
MAX_RACK = 10
"""The most tiles on a rack. The solver takes too long for larger ones. [by eye]"""
MAX_OF_A_FACE = 99
"""The most tiles of one letter. [by eye]"""
_MAX_TILES = 9999
NUMBERS = {"stack_limit": (1, MAX_HEIGHT), "rack_size": (2, MAX_RACK), "full_rack_bonus": (0, 200), "qu_bonus": (0, 50)}
"""The keys with numbers that may be left out, each with its bounds. [by eye]"""
KEYS = ("name", "size", "start", *NUMBERS, "plural_rule", "lexicon", "note", "tile_total", "tiles")
"""The keys of an edition, in the order in which they are written."""


def toml_table(text: str) -> Mapping[str, object]:
    """Return the table that TOML `text` writes; raise NotationError, with line and column where they are known."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = phrase("it is nested too deeply") if isinstance(error, RecursionError) else str(error)
        raise NotationError(phrase("the edition is not readable TOML (%(why)s): correct it there", why=why)) from None


def edition_from_table(data: object) -> Edition:
    """Return the edition that a table describes; raise NotationError or RulesError, one line about the first fault."""
    table = as_mapping(data, phrase("the edition"))
    if not table:
        raise NotationError(phrase("the edition is empty: give at least its name, its size and its tiles"))
    for key in table:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) or phrase(": use %(names)s", names=", ".join(KEYS))
            raise NotationError(phrase("an edition has no %(key)s%(hint)s", key=quote(key), hint=hint))
    for key in ("name", "size"):
        if key not in table:
            raise NotationError(
                phrase("the edition has no %(key)s: add it, as in %(example)s", key=key, example=_EXAMPLES[key])
            )
    size = _size(table["size"])
    tiles = _tiles(table["tiles"]) if "tiles" in table else None
    numbers = {key: as_int(table[key], key, *bounds) for key, bounds in NUMBERS.items() if key in table}
    return Edition(
        _name(table["name"]),
        size,
        tiles,
        _total(table, tiles),
        _line(table, "note"),
        _start(table["start"], size) if "start" in table else frozenset(),
        **numbers,
        plural_rule=as_bool(table.get("plural_rule", True), "plural_rule"),
        lexicon=_line(table, "lexicon"),
    )


_EXAMPLES = {"name": 'name = "Our 9 x 9 set"', "size": "size = 9 for nine rows of nine squares"}


def edition_table(edition: Edition) -> dict[str, Any]:
    """Return the table that describes an edition, the inverse of `edition_from_table`; what is empty is left out."""
    table: dict[str, Any] = {key: getattr(edition, key) for key in KEYS if key not in ("start", "tiles")}
    table["start"] = [square_name(square) for square in sorted(edition.start)]
    if edition.distribution is not None:
        table["tiles"] = dict(edition.distribution)
        del table["tile_total"]
    return {key: table[key] for key in KEYS if table.get(key, "") != ""}


def _name(value: object) -> str:
    name = as_text(value, "name").strip()
    if not is_one_line(name) or len(name) > MAX_NAME or set(name) & set(",;{"):
        raise NotationError(
            phrase(
                "the name %(name)s cannot be used: write 1 to %(most)s letters on one line, without , ; or {",
                name=quote(name),
                most=MAX_NAME,
            )
        )
    return name


def _size(value: object) -> int:
    try:
        return as_int(value, "size", MIN_SIZE, MAX_SIZE)
    except NotationError:
        raise NotationError(
            phrase(
                "size %(value)s isn't a square board: write one number from %(least)s to %(most)s, as in size = 9",
                value=quote(value),
                least=MIN_SIZE,
                most=MAX_SIZE,
            )
        ) from None


def _start(value: object, size: int) -> frozenset[Square]:
    names = [as_text(name, phrase("a start square")) for name in as_list(value, "start")]
    if not names:
        raise NotationError(
            phrase('start has no squares: write them as in start = ["e5"], or leave start out for the middle')
        )
    squares = frozenset(map(parse_square, names))
    for square in sorted(squares):
        if max(square.row, square.col) >= size:
            raise NotationError(
                phrase(
                    "start square %(square)s is outside the board of %(size)s × %(size)s squares",
                    square=square_name(square),
                    size=size,
                )
            )
    return squares


def _tiles(value: object) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for text, count in as_mapping(value, "tiles").items():
        face = _face(text)
        if face in counts:
            raise NotationError(phrase("the tile %(face)s appears twice: count it once", face=face))
        counts[face] = as_int(count, phrase("the number of %(face)s tiles", face=face), 0, MAX_OF_A_FACE)
    english = all(face in FACES for face in counts)
    lacking = [face for face in FACES if english and face not in counts]
    if lacking:
        raise NotationError(
            phrase(
                "tiles says nothing about %(lacking)s: write 0 for a letter that the set lacks",
                lacking=join_names(lacking),
            )
        )
    if len(counts) > MAX_FACES:
        raise NotationError(
            phrase("tiles names %(count)s faces: a set has at most %(most)s", count=len(counts), most=MAX_FACES)
        )
    if not any(count and _has_vowel(face) for face, count in counts.items()):
        raise NotationError(phrase("the set has no vowels, and words need some: count A, E, I, O and U again"))
    return MappingProxyType({face: counts[face] for face in (FACES if english else sorted(counts, key=alphabetical))})


def _has_vowel(face: str) -> bool:
    """Return whether a face shows a vowel, with or without a mark; other scripts than Latin always do."""
    return is_vowel(face) or normalize("NFD", face)[0] > "Z"


def _face(text: str) -> str:
    face = as_face(normalize("NFC", text))
    if not is_face(face):
        shown = text if is_one_line(text) and len(text) <= 12 else quote(text)
        raise NotationError(
            phrase(
                "%(shown)s is not a tile: write one to %(most)s letters, as in Ä or CH", shown=shown, most=LONGEST_FACE
            )
        )
    return face


def _total(table: Mapping[str, object], tiles: Mapping[str, int] | None) -> int:
    if tiles is None and "tile_total" not in table:
        raise NotationError(
            phrase("the edition has no [tiles]: count each letter, or give tile_total if they are unknown")
        )
    total = sum((tiles or {}).values())
    given = as_int(table.get("tile_total", total), "tile_total", 1, _MAX_TILES)
    if tiles is not None and given != total:
        raise RulesError(
            phrase("tile_total is %(given)s, but the tiles add up to %(total)s: count again", given=given, total=total)
        )
    return given


def _line(table: Mapping[str, object], key: str) -> str:
    text = as_text(table.get(key, ""), key)
    if text and not (is_one_line(text) and len(text) <= 200):
        raise NotationError(phrase("%(key)s must be one line of at most 200 characters", key=key))
    return text


_SHIPPED = ("8x8", "10x10", "11x11")


def _load_shipped(name: str) -> Edition:
    return edition_from_table(toml_table((files("engine.sets") / f"{name}.toml").read_text(encoding="utf-8")))


EDITIONS: Mapping[str, Edition] = MappingProxyType({name: _load_shipped(name) for name in _SHIPPED})
"""The editions with names of their own: ``8x8``, ``10x10`` and ``11x11``, as the files in engine/sets describe them."""

_GRID_NAME = re.compile(r"([0-9]{1,2})x([0-9]{1,2})(-grid)?")


def find_edition(name: str) -> Edition:
    """Return the edition of that name, or the grid edition for any other ``NxN``; raise RulesError for other names."""
    if name in EDITIONS:
        return EDITIONS[name]
    match = _GRID_NAME.fullmatch(name)
    if match and match[1] == match[2] and 2 <= int(match[1]) <= MAX_SIZE:
        edition = grid_edition(int(match[1]))
        if edition.name == name:
            return edition
    raise RulesError(
        phrase(
            "%(name)s is not an edition: choose %(names)s, or a grid such as 15x15",
            name=quote(name),
            names=", ".join(EDITIONS),
        )
    )


def grid_edition(size: int) -> Edition:
    """Return an edition of `size` rows and columns whose tiles are unknown.

    Where a named edition has this size, the name ends in ``-grid`` to keep the two apart. Raises RulesError outside 2
    to 21.
    """
    if not 2 <= size <= MAX_SIZE:
        raise RulesError(phrase("a grid has 2 to %(most)s rows and columns, not %(size)s", most=MAX_SIZE, size=size))
    name = f"{size}x{size}"
    return Edition(f"{name}-grid" if name in EDITIONS else name, size, None, 0)


def edition_data(edition: Edition) -> str | dict[str, Any]:
    """Return an edition as JSON data: the name of one that Upscore knows, otherwise a copy of its table."""
    return edition.name if _GRID_NAME.fullmatch(edition.name) else edition_table(edition)


def edition_from_data(data: object) -> Edition:
    """Return the edition that `edition_data` wrote.

    Raises RulesError or NotationError, one line, for an unknown name, a faulty table, and a table that takes the name
    of one of Upscore's own.
    """
    if isinstance(data, str):
        return find_edition(data)
    if not isinstance(data, Mapping):
        raise NotationError(phrase("the edition must be a text, its name, or a table, not %(data)s", data=quote(data)))
    edition = edition_from_table(data)
    if _GRID_NAME.fullmatch(edition.name):
        raise RulesError(
            phrase("%(name)s is the name of an edition of Upscore's own: give this set another name", name=edition.name)
        )
    return edition


def parse_edition(text: str) -> Edition:
    """Return the edition that a TOML file describes; raise as `edition_from_data` does."""
    return edition_from_data(toml_table(text))
