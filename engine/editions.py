"""The editions that Upscore knows by name, and those that people describe themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from engine.edition import Edition
from engine.edition_file import edition_from_table, edition_table, toml_table
from engine.errors import NotationError, RulesError, quoted
from engine.squares import MAX_SIZE

MAX_PLAYERS = 4

_SHIPPED = ((files("engine.sets") / f"{name}.toml").read_text(encoding="utf-8") for name in ("8x8", "10x10", "11x11"))
EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {edition.name: edition for edition in map(edition_from_table, map(toml_table, _SHIPPED))}
)
"""The editions with names of their own: ``8x8``, ``10x10`` and ``11x11``, as the files in engine/sets describe them."""

_GRID_NAME = re.compile(r"([0-9]{1,2})x([0-9]{1,2})(-grid)?")


def edition_named(name: str) -> Edition:
    """Return the edition of that name, or the grid edition for any other ``NxN``; raise RulesError for other names."""
    if name in EDITIONS:
        return EDITIONS[name]
    match = _GRID_NAME.fullmatch(name)
    if match and match[1] == match[2] and 2 <= int(match[1]) <= MAX_SIZE:
        edition = grid_edition(int(match[1]))
        if edition.name == name:
            return edition
    raise RulesError(f"{quoted(name)} is not an edition: choose {', '.join(EDITIONS)}, or a grid such as 15x15")


def grid_edition(size: int) -> Edition:
    """Return an edition of `size` rows and columns whose tiles are unknown.

    Where a named edition has this size, the name ends in ``-grid`` to keep the two apart. Raises RulesError outside 2
    to 21.
    """
    if not 2 <= size <= MAX_SIZE:
        raise RulesError(f"a grid has 2 to {MAX_SIZE} rows and columns, not {size}")
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
        return edition_named(data)
    if not isinstance(data, Mapping):
        raise NotationError(f"the edition must be a text, its name, or a table, not {quoted(data)}")
    edition = edition_from_table(data)
    if _GRID_NAME.fullmatch(edition.name):
        raise RulesError(f"{edition.name} is the name of an edition of Upscore's own: give this set another name")
    return edition


def parse_edition(text: str) -> Edition:
    """Return the edition that a TOML file describes; raise as `edition_from_data` does."""
    return edition_from_data(toml_table(text))
