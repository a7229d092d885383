"""Positions: an edition and its board, and the JSON that writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from engine.board import Board
from engine.editions import MAX_PLAYERS, Edition, edition_from_data
from engine.errors import NotationError, PositionError, quoted
from engine.faces import FACES, parse_face
from engine.json_reading import as_int, as_list, as_mapping, as_text, load_json
from engine.rules.referee import oddities

POSITION_KEYS = ("edition", "stacks", "remaining", "players")
"""The names that a position in JSON may hold."""


@dataclass(frozen=True)
class Position:
    """A board of an edition; `remaining` counts the tiles not yet played, by face, where that is known.

    Raises RulesError for a board that is not the edition's, PositionError for impossible counts, NotationError for
    more than four players.
    """

    edition: Edition
    board: Board
    remaining: Mapping[str, int] | None = None
    players: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.edition.check_size(self.board.size)
        for face, count in (self.remaining or {}).items():
            if face not in FACES or count < 0:
                raise PositionError(f"{count} tiles {quoted(face)} cannot remain: count them again")
        if len(self.players) > MAX_PLAYERS:
            raise NotationError(f"{len(self.players)} players: a game has one to {MAX_PLAYERS}")

    @property
    def oddities(self) -> tuple[str, ...]:
        """A sentence for each oddity of the board; see `engine.rules.referee.oddities`."""
        return oddities(self.edition, self.board)


def load_position(text: str) -> Position:
    """Read a position from JSON text; raise as `parse_position` does, and NotationError for text that is no JSON."""
    return parse_position(load_json(text, "the position"))


def parse_position(data: object) -> Position:
    """Read a position from decoded JSON: ``{"edition": "10x10", "stacks": [[[], ["M", "W"], ...], ...]}``.

    The edition may also be a table, as `edition_data` writes it. "remaining" counts tiles by face, or lists them;
    "players" lists names. It ignores other names.

    Raises NotationError, PositionError or RulesError, one line about the first fault: an unexpected value, a grid that
    is not the edition's, an unknown letter, a stack of six. It accepts a board on which a table may have insisted,
    such as tiles that are not joined; `Position.oddities` reports those.
    """
    fields = as_mapping(data, "the position")
    for key in ("edition", "stacks"):
        if key not in fields:
            raise NotationError(f'the position has no "{key}": add it')
    edition = edition_from_data(fields["edition"])
    edition.check_size(len(as_list(fields["stacks"], "the board")))
    board = parse_stacks(fields["stacks"])
    remaining, named = _parse_remaining(fields), fields.get("players")
    players = () if named is None else tuple(as_text(name, "a player") for name in as_list(named, '"players"'))
    return Position(edition, board, remaining, players)


def stacks_json(board: Board) -> list[list[list[str]]]:
    """Return the board's stacks as nested lists, row by row."""
    return [[list(stack) for stack in row] for row in board.stacks]


def parse_stacks(value: object) -> Board:
    """Read a board from nested lists of faces, row by row, and check each square."""
    rows = (as_list(row, "a row of the board") for row in as_list(value, "the board"))
    return Board.of(
        [[parse_face(as_text(face, "a tile")) for face in as_list(stack, "a stack")] for stack in row] for row in rows
    )


def _parse_remaining(fields: Mapping[str, object]) -> Mapping[str, int] | None:
    value = fields.get("remaining")
    if value is None:
        return None
    counts: Counter[str] = Counter()
    if isinstance(value, list):
        counts.update(parse_face(as_text(face, "a tile")) for face in value)
    else:
        for name, count in as_mapping(value, '"remaining"').items():
            counts[parse_face(name)] += as_int(count, f'"remaining" of {name}', 0, 999)
    return {face: counts[face] for face in FACES if face in counts}
