"""A whole game in one zip file: its log for programs, its notation for people, and its photographs."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import IO

from engine import Game, UpscoreError
from engine.errors import NotationError
from engine.formats.game_json import FORMAT as GAME_FORMAT
from engine.formats.game_json import game_to_dict
from engine.formats.notation import HEADING, format_game, parse_game
from engine.json_reading import as_int, as_list, as_mapping, as_text, load_json
from engine.wording import phrase
from webui.errors import WebError
from webui.storage.database import GameRow, PhotoRow
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.zip_parts import check_size, read_part, restore_names

GAME, NOTATION, PHOTOGRAPHS = "game.json", "game.txt", "photographs.json"
FORMAT = "upscore-photographs"
VERSION = 1
BACKUP_MANIFEST = "manifest.json"
"""A file that only a backup of all games has."""
MAX_UNPACKED = 512 * 2**20
"""Bytes that a file may have when it is unpacked. [by eye]"""
MAX_FILE = MAX_UNPACKED + 2**20
"""Bytes of a file that we accept. Pictures hardly pack smaller, and the zip needs some bytes for its own lists."""
MAX_LOG = 8 * 2**20
MAX_ENTRIES = 1000
"""Entries of a game that we take in. One to the last tile, with every turn corrected twice, has 300. [by eye]"""
NO_GAME = phrase("That isn't an Upscore game file. Choose a zip, JSON or text file that Upscore saved.")
_ANY_HEADING = HEADING.rpartition(" ")[0]
"""The first words of a game's notation, whatever its version."""
_SOURCES = ("upload", "camera", "demo")


@dataclass(frozen=True)
class PhotoEntry:
    """A photograph in a game's file: the names of its picture and overlay ("" if there is none), and its data."""

    photo: str
    overlay: str
    entry: int
    taken_at: str
    source: str
    summary: str


@dataclass(frozen=True)
class GameFile:
    """The contents of a game's file: the log as JSON data, the title ("" if there is none), the photographs.

    `every_round` says that the table photographs once a round, not after every turn.
    """

    game: object
    title: str
    photos: tuple[PhotoEntry, ...]
    every_round: bool = False


def write_game_file(
    out: IO[bytes], game: Game, row: GameRow, photos: Mapping[int, PhotoRow], shelf: PhotoShelf
) -> None:
    """Write a game and its row as a zip file. `photos` are the photographs by log entry; `shelf` has their pictures."""
    entries = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(GAME, json.dumps(game_to_dict(game), indent=1))
        archive.writestr(NOTATION, format_game(game))
        for number, (entry, photo) in enumerate(sorted(photos.items())):
            kinds = [kind for kind in shelf.kinds(photo.key) if kind in ("photo", "overlay")]
            names = {kind: f"photographs/{number:03}-{kind}.jpg" for kind in kinds}
            if "photo" not in names:
                continue
            for kind, name in names.items():
                archive.write(shelf.path(photo.key, kind), name, zipfile.ZIP_STORED)
            told = entry, photo.taken_at, photo.source, photo.summary
            entries.append(PhotoEntry(names["photo"], names.get("overlay", ""), *told))
        kept = {"title": row.title, "photographed": "round" if row.every_round else "turn"}
        listing = {"format": FORMAT, "version": VERSION, **kept, "photographs": [*map(asdict, entries)]}
        archive.writestr(PHOTOGRAPHS, json.dumps(listing, indent=1))


def read_log(data: bytes) -> GameFile:
    """Read a game from a file of text or JSON.

    :raises WebError: if it is neither, or too long, or other JSON.
    :raises UpscoreError: in one line, if the format does not allow its contents.
    """
    try:
        text = data.decode("utf-8-sig") if len(data) <= MAX_LOG else ""
    except UnicodeDecodeError:
        text = ""
    if not text:
        raise WebError(NO_GAME)
    if text.lstrip().startswith(_ANY_HEADING):
        _check_length(text.count("\n") // 2)
        return GameFile(game_to_dict(parse_game(text, None)), "", ())
    try:
        game = load_json(text, phrase("the game"))
    except NotationError:
        cut = text.lstrip().startswith("{")
        raise WebError(phrase("This game file is damaged. Use a whole copy.") if cut else NO_GAME) from None
    if not isinstance(game, dict) or game.get("format") not in (GAME_FORMAT, FORMAT):
        raise WebError(NO_GAME)
    if isinstance(log := game.get("log"), list):
        _check_length(len(log))
    return GameFile(game, "", ())


def _check_length(entries: int) -> None:
    if entries > MAX_ENTRIES:
        raise WebError(
            phrase(
                "That isn't an Upscore game file: it has %(entries)s entries, more than a game can have.",
                entries=entries,
            )
        )


def read_game_file(archive: zipfile.ZipFile, most: int = MAX_UNPACKED) -> GameFile:
    """Read a game from a zip file, of at most `most` bytes once it is unpacked.

    :raises WebError: or NotationError, in one line, if Upscore did not write it.
    """
    restore_names(archive, GAME)
    check_size(archive, "game", most)
    names = set(archive.namelist())
    if GAME not in names and any(f"/{name}".endswith(f"/{BACKUP_MANIFEST}") for name in names):
        raise WebError(
            phrase(
                "This is a backup of all games, not the file of one. "
                "Put it back with: upscore restore FILE --data NEW_FOLDER"
            )
        )
    if GAME not in names:
        raise WebError(NO_GAME)
    game = read_log(read_part(archive, GAME, MAX_LOG)).game
    if PHOTOGRAPHS not in names:
        return GameFile(game, "", ())
    listing = as_mapping(read_log(read_part(archive, PHOTOGRAPHS, MAX_LOG)).game, phrase("the list of photographs"))
    if as_int(listing.get("version"), phrase("the version of the list of photographs"), 1, 1_000_000) > VERSION:
        raise WebError(phrase("This file was written by a newer Upscore: update this one, then import it again."))
    listed = as_list(listing.get("photographs"), phrase("the photographs"))
    photos = tuple(_photo(each, names) for each in listed)
    files = [name for each in photos for name in (each.photo, each.overlay) if name]
    if len({each.entry for each in photos}) < len(photos) or len(set(files)) < len(files):
        raise WebError(phrase("Upscore did not write this zip file: it shows an entry or a picture twice."))
    every_round = listing.get("photographed") == "round"  # earlier versions didn't say
    return GameFile(game, as_text(listing.get("title", ""), phrase("the title")), photos, every_round)


def _photo(data: object, names: set[str]) -> PhotoEntry:
    fields = as_mapping(data, phrase("a photograph"))
    texts = {key: as_text(fields.get(key, ""), phrase("a photograph's %(key)s", key=key)) for key in _TEXTS}
    if texts["photo"] not in names or texts["overlay"] not in names | {""}:
        raise UpscoreError(phrase("%(name)s is not in the zip file: use a whole copy.", name=texts["photo"]))
    source = texts["source"] if texts["source"] in _SOURCES else "upload"
    entry = as_int(fields.get("entry"), phrase("a photograph's entry"), -1, 10_000)
    return PhotoEntry(**{**texts, "source": source}, entry=entry)


_TEXTS = ("photo", "overlay", "taken_at", "source", "summary")
