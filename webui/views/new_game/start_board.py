"""A board to start from in the middle of a game: tops and heights are seen, what lies under is not."""

from __future__ import annotations

import json
from collections import Counter

from engine.board import MAX_HEIGHT, Board
from engine.editions import Edition
from engine.errors import UpscoreError
from engine.faces import FACES, parse_face
from engine.json_reading import as_int, as_list, as_text, load_json
from webui.errors import WebError
from webui.ports import PositionReading

Seen = tuple[tuple[tuple[str, int], ...], ...]
"""Face on top ("" where there is none) and height of each square, by row."""


def parse_seen(text: str, edition: Edition) -> Seen:
    """What the page sends back of a board that was looked over: ``[[["W", 2], ["", 0], ...], ...]``.

    Raises WebError when it is no board of the edition.
    """
    try:
        data = as_list(load_json(text, "the board"), "the board")
        rows = tuple(tuple(_square(entry) for entry in as_list(row, "a row")) for row in data)
    except UpscoreError:
        raise WebError("The board was not sent as it should be: load the page again.") from None
    if len(rows) != edition.size or any(len(row) != edition.size for row in rows):
        size = f"{edition.size} by {edition.size}"
        raise WebError(f"The board is not one of {size} squares: choose its edition.")
    return rows


def dump_seen(seen: Seen) -> str:
    """The text that `parse_seen` reads."""
    return json.dumps([[[face, height] for face, height in row] for row in seen], separators=(",", ":"))


def seen_from(sighting: PositionReading) -> Seen:
    """The tops and heights of a reading."""
    return tuple(
        tuple(zip(tops, heights, strict=True))
        for tops, heights in zip(sighting.tops, sighting.heights, strict=True)
    )


def fill_under(seen: Seen, edition: Edition) -> Board:
    """A board with these tops and heights; under them go the letters that the set has most left of.

    Nothing scores by the letters underneath, so any will do; these leave the count of what is still to come
    nearest to the truth. No letter is put under the same letter.
    """
    left = Counter(edition.distribution or dict.fromkeys(FACES, 4))
    left.subtract(face for row in seen for face, _ in row if face)

    def stack(face: str, height: int) -> tuple[str, ...]:
        faces = [face] if face else []
        while face and len(faces) < height:
            under = max(FACES, key=lambda other: (other != faces[0], left[other]))
            left[under] -= 1
            faces.insert(0, under)
        return tuple(faces)

    return Board(tuple(tuple(stack(face, height) for face, height in row) for row in seen))


def _square(entry: object) -> tuple[str, int]:
    fields = as_list(entry, "a square")
    if len(fields) != 2:
        raise WebError("a square is a face and a height")
    face, height = as_text(fields[0], "a face"), as_int(fields[1], "a height", 0, MAX_HEIGHT)
    if bool(face) != (height > 0):
        raise WebError("a tile has a face and a height, an empty square neither")
    return (parse_face(face), height) if face else ("", 0)
