"""A play: the tiles that one turn puts on the board, and its notation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import NotationError, quote
from engine.faces import ENGLISH, Alphabet
from engine.squares import MAX_SIZE, SQUARES, Square, parse_square, square_name
from engine.wording import phrase


class PlacedTile(NamedTuple):
    """One tile of a play and the square it goes on."""

    square: Square
    face: str


@dataclass(frozen=True, slots=True)
class Play:
    """The tiles of one turn, sorted by square. Tiles on one square keep their order, the last on top."""

    tiles: tuple[PlacedTile, ...]

    def __post_init__(self) -> None:
        if len(self.tiles) > 1:
            in_order = sorted(self.tiles, key=lambda tile: tile.square.row * 64 + tile.square.col)
            object.__setattr__(self, "tiles", tuple(in_order))

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares played on, in order."""
        return tuple(tile.square for tile in self.tiles)

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces played, in the order of their squares."""
        return tuple(tile.face for tile in self.tiles)

    def with_tiles(self, more: Iterable[PlacedTile]) -> Play:
        """Return the play with more tiles."""
        return Play((*self.tiles, *more))


def parse_play(text: str, *, lone_q: bool = False, alphabet: Alphabet = ENGLISH) -> Play:
    """Parse a play: tiles on squares, or runs of tiles, separated by spaces or commas.

    A tile on a square is ``N@d7``. A run is a first square, ``-`` (across) or ``|`` (down), and the tiles. A full stop
    in a run skips a square: ``e6-N.T`` is ``N@e6 T@g6``.

    >>> format_play(parse_play("N@d7, A@e7"))
    'N@d7 A@e7'

    `lone_q` is as for `parse_faces`. Raises NotationError that quotes the unreadable part.
    """
    tiles: list[PlacedTile] = []
    for token in text.replace(",", " ").split():
        if "@" in token:
            face, _, square = token.partition("@")
            tiles.append(PlacedTile(parse_square(square), alphabet.parse_face(face)))
        else:
            tiles.extend(_parse_run(token, alphabet, lone_q=lone_q))
    if not tiles:
        raise NotationError(phrase("no tiles: write a play as in N@d7 A@e7"))
    return Play(tuple(tiles))


def format_play(play: Play) -> str:
    """Write a play as tiles on squares, sorted by square: ``"N@d7 A@e7"``."""
    return " ".join(f"{tile.face}@{square_name(tile.square)}" for tile in play.tiles)


def format_run(play: Play) -> str:
    """Write a play as one run, ``"e6-N.T"``, the shortest notation, or as `format_play` does if it isn't in a line."""
    places = {tile.square: tile.face for tile in play.tiles}
    rows, cols = len({square.row for square in places}), len({square.col for square in places})
    if len(places) < len(play.tiles) or 1 not in (rows, cols):
        return format_play(play)
    first, last = play.squares[0], play.squares[-1]
    between = (SQUARES[row][col] for row in range(first.row, last.row + 1) for col in range(first.col, last.col + 1))
    run = "".join(places.get(square, ".") for square in between)
    return f"{square_name(first)}{'-' if first.row == last.row else '|'}{run}"


def _parse_run(token: str, alphabet: Alphabet, *, lone_q: bool) -> list[PlacedTile]:
    sign = next((mark for mark in token if mark in "-|"), None)
    if sign is None:
        raise NotationError(
            phrase(
                "%(token)s is not a tile on a square: write the tile, @ and the square, as in N@d7", token=quote(token)
            )
        )
    start, _, run = token.partition(sign)
    square = parse_square(start)
    down, across = (1, 0) if sign == "|" else (0, 1)
    tiles: list[PlacedTile] = []
    step = 0
    for gap, part in enumerate(run.split(".")):
        step += gap > 0
        for face in alphabet.parse_faces(part, lone_q=lone_q):
            row, col = square.row + down * step, square.col + across * step
            if row >= MAX_SIZE or col >= MAX_SIZE:
                raise NotationError(
                    phrase("%(token)s runs off the board: start it nearer to a1, or shorten it", token=quote(token))
                )
            tiles.append(PlacedTile(SQUARES[row][col], face))
            step += 1
    if not tiles:
        raise NotationError(
            phrase("%(token)s puts no tile down: write its tiles, as in e6-N.T, or leave it out", token=quote(token))
        )
    return tiles
