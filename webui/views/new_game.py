"""The choices on the form for a new game: players, and boards with pictures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from engine import EDITIONS, FACES, Alphabet, Edition, UpscoreError
from engine.editions import edition_data, edition_from_data
from engine.json_reading import load_own_json
from engine.squares import centre_squares, square_names
from engine.wording import capitalize, join_names, join_texts, phrase, points_text
from vision.letters.eyes import unreadable_faces
from webui.storage.database import GameRow
from webui.views.finish import likely_faces
from webui.views.games import players_of

if TYPE_CHECKING:
    from vision.letters.loose_tiles import LooseTile

MAX_NAMES_OFFERED = 12
"""The most players of earlier games that the form offers. [by eye]"""
MAX_GAMES_SEARCHED = 60
"""The number of newest games whose players the form knows. [by eye]"""

MAX_SETS_OFFERED = 6
"""The most sets of people's own that the form offers. [by eye]"""

_SAMPLE_WORDS = {2: "", 4: "UPON", 10: "UPWARD", 11: "UPWARDS"}
"""The word on the picture of a board, from this size on: it shows how large the squares are."""

_NOTES = {"rules not confirmed": phrase("rules not confirmed")}
"""The notes of the editions that Upscore knows, so that they can be translated."""


@dataclass(frozen=True)
class EditionView:
    """A board to choose: its picture, and a line about it. `sent` is what the form sends for it.

    `tiles` are those on the picture, each with its column, its row and its face.
    """

    edition: Edition
    label: str
    sent: str
    summary: str
    tiles: tuple[tuple[int, int, str], ...]


def list_remembered_players(rows: Iterable[GameRow]) -> tuple[str, ...]:
    """Return the players of the newest games, the most frequent first. `rows` begin with the newest game."""
    games = islice((row for row in rows if not row.demo), MAX_GAMES_SEARCHED)
    counted = Counter(name for row in games for name in players_of(row))
    return tuple(name for name, _ in counted.most_common(MAX_NAMES_OFFERED))


def own_sets(rows: Iterable[GameRow]) -> tuple[Edition, ...]:
    """Return the custom sets that the newest games were played with, the newest first."""
    found: dict[str, Edition] = {}
    for row in islice(rows, MAX_GAMES_SEARCHED):
        if '"edition":{' in row.log and (edition := _edition_of(row)) is not None:
            found.setdefault(edition.name, edition)
    return tuple(found.values())[:MAX_SETS_OFFERED]


def last_board(rows: Iterable[GameRow]) -> str:
    """Return what the form sends for the board of the newest game that people played, "" if there is none."""
    editions = (_edition_of(row) for row in rows if not row.demo)
    return next((edition_field(edition) for edition in editions if edition is not None), "")


def _edition_of(row: GameRow) -> Edition | None:
    """Return the edition of a stored game, None if it can't be read: people see why when they open that game."""
    with suppress(UpscoreError, ValueError, KeyError, TypeError):
        return edition_from_data(load_own_json(row.log)["edition"])
    return None


def edition_field(edition: Edition) -> str:
    """Return what the form sends for an edition: the name of one that Upscore knows, otherwise its table as JSON."""
    data = edition_data(edition)
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)


def nearest_counts(size: int) -> Mapping[str, int]:
    """Return the number of tiles by face of the edition nearest in size whose tiles are known."""
    counted = [edition for edition in EDITIONS.values() if edition.distribution is not None]
    return min(counted, key=lambda edition: abs(edition.size - size)).distribution or {}


def name_laid_tiles(tiles: Sequence[LooseTile], alphabet: Alphabet, given: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the face of each certain tile of a set laid out, or the faces to ask about, the likeliest first.

    Beyond A to Z a set has the faces that were `given`, and those that a tile shows for certain. Others are hardly
    believed, but a tile that looks most like one of them is never certain.
    """
    read = [likely_faces(tile, None, alphabet) for tile in tiles]
    own = Counter([*FACES, *given, *(first for first, *others in read if not others)])
    return [
        likely_faces(tile, own, alphabet) if faces[0] in own else faces for tile, faces in zip(tiles, read, strict=True)
    ]


def view_editions(editions: Iterable[Edition]) -> tuple[EditionView, ...]:
    """Return the boards to choose from."""
    return tuple(map(_view_edition, editions))


def _differences(edition: Edition) -> Iterator[str]:
    """Yield the differences between a custom set and the rule sheets."""
    sheet = EDITIONS["8x8"]
    if edition.start != centre_squares(edition.size):
        yield phrase("first word on %(squares)s", squares=square_names(sorted(edition.start)))
    if edition.stack_limit != sheet.stack_limit:
        yield phrase("stacks up to %(number)s", number=edition.stack_limit)
    if edition.rack_size != sheet.rack_size:
        yield phrase("%(number)s on a rack", number=edition.rack_size)
    if edition.full_rack_bonus != sheet.full_rack_bonus:
        yield phrase("%(points)s for a full rack", points=points_text(edition.full_rack_bonus))
    if edition.qu_bonus != sheet.qu_bonus:
        yield phrase("%(points)s for a Qu", points=points_text(edition.qu_bonus))
    if not edition.plural_rule:
        yield phrase("no plural rule")


_MAX_UNREAD = 6
"""Letters that the note on a set names at most. [by eye]"""


def unread_text(edition: Edition) -> str:
    """Return the sentence on the letters of a set that can't be read in photographs, "" if all can."""
    faces = unreadable_faces(edition.alphabet)
    if not faces:
        return ""
    return phrase(
        "Photographs of %(faces)s can't be read before “upscore calibrate tiles” has learned them: type such turns.",
        faces=join_names(faces[:_MAX_UNREAD])
        if len(faces) <= _MAX_UNREAD
        else join_texts((*faces[:_MAX_UNREAD], "..."), ", "),
    )


def _view_edition(edition: Edition) -> EditionView:
    sent, square = edition_field(edition), f"{edition.size} × {edition.size}"
    is_own = sent != edition.name
    parts = [
        *([square] if is_own else ()),
        phrase("%(number)s tiles", number=edition.tile_total),
        *_differences(edition),
    ]
    summary = join_texts(parts, ", ")
    if edition.note:
        note = capitalize(_NOTES.get(edition.note, edition.note.rstrip(".")))
        summary = join_texts((summary, ". ", note, "."), "")
    if unread := unread_text(edition):
        summary = join_texts((summary, ". ", unread), "")
    word = _SAMPLE_WORDS[max(size for size in _SAMPLE_WORDS if size <= edition.size)]
    row = (edition.size - 1) // 2
    left = (edition.size - len(word)) // 2
    tiles = tuple((left + at, row, face) for at, face in enumerate(word))
    return EditionView(edition, edition.name if is_own else square, sent, summary, tiles)
