"""A board to start from in the middle of a game. A photograph shows tops and heights, not the tiles underneath."""

from __future__ import annotations

import json
from collections import Counter

from engine import FACES, MAX_HEIGHT, Board, Edition, UpscoreError
from engine.faces import parse_face
from engine.json_reading import as_int, as_list, as_text, load_json
from webui.errors import WebError
from webui.ports import PositionReading

TopsAndHeights = tuple[tuple[tuple[str, int], ...], ...]
"""The face on top ("" for an empty square) and the height of each square, by row."""


def parse_tops(text: str, edition: Edition) -> TopsAndHeights:
    """Parse the checked board as the page sends it, ``[[["W", 2], ["", 0], ...], ...]``; raises WebError."""
    try:
        data = as_list(load_json(text, "the board"), "the board")
        rows = tuple(tuple(_square(entry) for entry in as_list(row, "a row")) for row in data)
    except UpscoreError:
        raise WebError("The board arrived damaged. Reload the page.") from None
    if len(rows) != edition.size or any(len(row) != edition.size for row in rows):
        size = f"{edition.size} × {edition.size}"
        raise WebError(f"The board doesn't have {size} squares. Choose the right board.")
    return rows


def dump_tops(position: TopsAndHeights) -> str:
    """Return the JSON text that `parse_tops` reads."""
    return json.dumps([[[face, height] for face, height in row] for row in position], separators=(",", ":"))


def tops_from(reading: PositionReading) -> TopsAndHeights:
    """Return the tops and heights of a reading."""
    return tuple(
        tuple(zip(tops, heights, strict=True)) for tops, heights in zip(reading.tops, reading.heights, strict=True)
    )


def fill_under(position: TopsAndHeights, edition: Edition, known: Board | None = None) -> Board:
    """Return a board with these tops and heights. Underneath lie the tiles of the board `known` from before, as far as
    it goes, and then the letters of which the set has most left.

    Letters underneath never score, so any will do. These keep the count of the tiles still to come nearest to the
    truth. A letter never goes directly under the same letter if another will do.
    """
    before = Board.empty(edition.size) if known is None else known
    under = [
        [_known_under(stack, face, height) for stack, (face, height) in zip(*rows, strict=True)]
        for rows in zip(before.stacks, position, strict=True)
    ]
    left = Counter(edition.distribution or dict.fromkeys(FACES, 4))
    left.subtract(face for row in position for face, _ in row if face)
    left.subtract(face for row in under for stack in row for face in stack)

    def stack(below: tuple[str, ...], face: str, height: int) -> tuple[str, ...]:
        above = [face] if face else []
        while face and len(below) + len(above) < height:
            avoided = (above[0], *below[-1:])
            chosen = max(FACES, key=lambda other: (other not in avoided, left[other]))
            left[chosen] -= 1
            above.insert(0, chosen)
        return (*below, *above)

    rows = zip(under, position, strict=True)
    return Board(
        tuple(tuple(stack(below, *top) for below, top in zip(belows, tops, strict=True)) for belows, tops in rows)
    )


def _known_under(stack: tuple[str, ...], face: str, height: int) -> tuple[str, ...]:
    """Return the tiles of a stack from before that lie under the face now on top, which is `height` tiles high.

    The tile directly under the top is never the same letter: there the stack from before was another.
    """
    under = stack[: max(height - 1, 0)]
    return under[:-1] if len(under) == height - 1 and under[-1:] == (face,) else under


def _square(entry: object) -> tuple[str, int]:
    fields = as_list(entry, "a square")
    if len(fields) != 2:
        raise WebError("a square is a face and a height")
    face, height = as_text(fields[0], "a face"), as_int(fields[1], "a height", 0, MAX_HEIGHT)
    if bool(face) != (height > 0):
        raise WebError("a tile has a face and a height, an empty square neither")
    return (parse_face(face), height) if face else ("", 0)
