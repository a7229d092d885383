"""Reading the fields of forms, and plays as people write them. Each error is one line that says what to correct."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from werkzeug.datastructures import FileStorage, Headers

from engine import (
    EDITIONS,
    FACES,
    Alphabet,
    Board,
    Edition,
    HouseRules,
    PlacedTile,
    Play,
    Square,
    parse_play,
    parse_square,
)
from engine.editions import MAX_FILE, MAX_PLAYERS, edition_from_data
from engine.editions import parse_edition as parse_edition_file
from engine.errors import NotationError, quote
from engine.faces import MAX_FACES, as_face, is_face
from engine.game.records import MAX_SCORE
from engine.json_reading import load_json
from engine.rules.house_rules import HOUSE_RULES, house_rules_from
from engine.wording import board_name, number_word, phrase
from vision.images import Image
from vision.turn.prior import MOST_PLAYS, shows_round
from webui.errors import Outdated, WebError
from webui.language import translate
from webui.services import app
from webui.table.games import OpenGame
from webui.views.new_game import edition_field
from webui.views.rules import rule_sentence

_MAX_TILES, _MAX_TILES_TEXT = 49, 600
"""Tiles of a play, seven times a rack, and letters of their notation. [by eye]"""


@cache
def _compile_spoken_play(across: str, down: str, origin: str) -> re.Pattern[str]:
    """Return the pattern of a play in words, in English or with the words of another language."""
    way, at = f"across|down|{across}|{down}", f"from|at|on|{origin}"
    return re.compile(
        rf"(?P<word>[^\W\d_]+)\s+(?:(?P<way>{way})\s+(?:(?:{at})\s+)?(?P<square>[a-z]\d+)"
        rf"|(?:(?:{at})\s+)?(?P<square2>[a-z]\d+)\s+(?P<way2>{way}))",
        re.IGNORECASE,
    )


def parse_notation(text: str, alphabet: Alphabet) -> Play:
    """Parse the notation of a play (`engine.play.parse_play`) with no more tiles than a play can have.

    Raises NotationError, or WebError for a text that is longer than any play, which it doesn't parse.
    """
    if len(text) > _MAX_TILES_TEXT or len((play := parse_play(text, alphabet=alphabet)).tiles) > _MAX_TILES:
        raise WebError(phrase("That isn't a play: send at most %(most)s tiles.", most=_MAX_TILES))
    return play


def parse_typed(text: str, board: Board) -> Play:
    """Parse the text of a play on a board.

    The text is a notation (`engine.play.parse_play`), or a word with its direction and its first square:
    ``"NATURE across from c4"``, ``"nature c4 down"``. Letters of the word that already lie on top are not played.

    Raises NotationError for an unreadable text, a word that runs off the board, or a word that already lies there, and
    WebError for a text that is longer than any play.
    """
    if len(text) > _MAX_TILES_TEXT:
        raise WebError(phrase("That isn't a play: send at most %(most)s tiles.", most=_MAX_TILES))
    across, down, origin = (re.escape(translate(word)) for word in (phrase("across"), phrase("down"), phrase("from")))
    text = normalize("NFC", text)
    match = _compile_spoken_play(across, down, origin).fullmatch(text.strip().rstrip("."))
    if match is None:
        return parse_notation(text, board.alphabet)
    start = parse_square(match["square"] or match["square2"])
    is_down = (match["way"] or match["way2"]).lower() in ("down", down.lower())
    tiles = []
    for step, face in enumerate(_typed_faces(match["word"], board.alphabet)):
        square = Square(start.row + step * is_down, start.col + step * (not is_down))
        if not board.holds(square):
            raise NotationError(phrase("%(word)s runs off the board: begin it nearer to a1", word=quote(text.strip())))
        if board.top(square) != face:
            tiles.append(PlacedTile(square, face))
    if not tiles:
        raise NotationError(phrase("%(word)s lies there already: no tile would be played", word=match["word"].upper()))
    return Play(tuple(tiles))


def _typed_faces(word: str, alphabet: Alphabet) -> tuple[str, ...]:
    """Return the faces of a typed word. In a word all of capitals a tile of several letters counts, if there is one."""
    return (word.isupper() and alphabet.tiles_of(word)) or alphabet.parse_faces(word)


@dataclass(frozen=True)
class NewGame:
    """The set-up of a new game. `every_round` says that the table photographs once a round, not after every turn."""

    edition: Edition
    players: tuple[str, ...]
    rules: HouseRules
    lexicon: str
    every_round: bool = False


def parse_new_game(form: Mapping[str, str], lexicons: tuple[str, ...]) -> NewGame:
    """Read the set-up of a new game from its form. Raises UpscoreError, which names the wrong field."""
    names = tuple(name for name in (form.get(f"player{at}", "").strip() for at in range(MAX_PLAYERS)) if name)
    if not names:
        raise WebError(phrase("Who plays? Give one to four names."))
    edition, rules = parse_edition(form), parse_rules(form)
    lexicon = form.get("lexicon", "")
    if lexicon not in lexicons:
        raise WebError(phrase("Which word list is agreed on? Choose one of %(names)s.", names=", ".join(lexicons)))
    return NewGame(edition, names, rules, lexicon, parse_every_round(form.get("photographed", "turn"), len(names)))


def parse_every_round(photographed: object, players: int) -> bool:
    """Parse when a table of so many players photographs: return True for "round", False for "turn".

    Raises WebError for anything else, and for a round that no photograph can show.
    """
    if photographed not in ("turn", "round"):
        raise WebError('When do you photograph? Choose "turn" (after every turn) or "round" (after every round).')
    if photographed == "round" and not shows_round(players):
        raise WebError(
            phrase(
                "One photo can show up to %(most)s turns: with %(players)s players, photograph after every turn.",
                most=number_word(MOST_PLAYS),
                players=number_word(players),
            )
        )
    return photographed == "round"


OTHER_SET = "other"
"""What the form sends for a set whose size and letters are typed."""


def parse_edition(form: Mapping[str, str]) -> Edition:
    """Read the board from a form: an edition, a custom set, or one that is typed. Raises UpscoreError."""
    chosen = form.get("edition", "")
    if chosen == OTHER_SET:
        return _read_typed_set(form)
    if chosen.startswith("{"):
        return edition_from_data(load_json(chosen, phrase("the set")))
    if chosen not in EDITIONS:
        raise WebError(
            phrase("Which board is it? Choose one of %(names)s.", names=", ".join(map(board_name, EDITIONS)))
        )
    return EDITIONS[chosen]


def _read_typed_set(form: Mapping[str, str]) -> Edition:
    table: dict[str, object] = {
        "name": form.get("set-name", ""),
        "size": _number(form.get("set-size", ""), phrase("Squares a side")),
        "stack_limit": _number(form.get("set-stack", ""), phrase("Highest stack")),
        "tiles": _typed_counts(form),
    }
    start = form.get("set-start", "").replace(",", " ").split()
    return edition_from_data({**table, "start": start} if start else table)


def _typed_counts(form: Mapping[str, str]) -> dict[str, int]:
    """Read how many tiles have each face: the letters A to Z and, from the field `set-others`, any others.

    A set with others has only the faces of which it has tiles. Raises WebError.
    """
    counts = {face: _number(form.get(f"set-{face}", ""), phrase("Tiles with %(face)s", face=face)) for face in FACES}
    words = _other_tiles(form)
    if not words:
        return counts
    if len(words) % 2:
        raise WebError(phrase("Other tiles: write each with its number, as in Ä 2, CH 1."))
    counts = {face: count for face, count in counts.items() if count}
    for face, count in zip(map(as_face, words[::2]), words[1::2], strict=True):
        if face in counts:
            raise WebError(phrase("the tile %(face)s appears twice: count it once", face=face))
        counts[face] = _number(count, phrase("Tiles with %(face)s", face=face))
    return {face: count for face, count in counts.items() if count}


def parse_other_faces(form: Mapping[str, str]) -> tuple[str, ...]:
    """Read the faces that are typed in the field `set-others` so far. What is no face, or one too many, is left out."""
    faces = dict.fromkeys(face for face in map(as_face, _other_tiles(form)) if is_face(face))
    return tuple(faces)[:MAX_FACES]


def _other_tiles(form: Mapping[str, str]) -> list[str]:
    """Split the field `set-others` into its faces and numbers."""
    return normalize("NFC", form.get("set-others", "")).replace(",", " ").replace("=", " ").split()


def with_set_file(form: Mapping[str, str], file: FileStorage | None) -> dict[str, str]:
    """Return a form for a new game with the custom set from its file, if a file was chosen.

    Raises UpscoreError, in one line, if the file doesn't describe a set.
    """
    if form.get("edition") != OTHER_SET or file is None or not file.filename:
        return dict(form)
    data = file.stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise WebError(phrase("That file is far too large for a set: choose the TOML file that describes it."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise WebError(
            phrase("That file is not a text in UTF-8: choose the TOML file that describes the set.")
        ) from None
    return {**form, "edition": edition_field(parse_edition_file(text))}


def parse_rules(form: Mapping[str, str]) -> HouseRules:
    """Read the house rules from the form for a new game. Raises UpscoreError.

    Switches are check boxes, so a missing one is off. A form without the field `rules` has the default rules.
    """
    if "rules" not in form:
        return HouseRules()
    values: dict[str, object] = {}
    for rule in HOUSE_RULES:
        text = form.get(f"rule-{rule.name}", "")
        values[rule.name] = text == "on" if rule.kind == "bool" else _number(text, rule_sentence(rule))
    return house_rules_from(values)


def form_like(open_game: OpenGame) -> dict[str, str]:
    """Return the fields of the form for a new game with this game's players, board, word list and rules."""
    setup = open_game.game.setup
    form = {"edition": edition_field(setup.edition), "lexicon": open_game.judged_by, "rules": "1"}
    form |= {f"player{at}": name for at, name in enumerate(setup.players)}
    form["photographed"] = "round" if open_game.every_round else "turn"
    for rule in HOUSE_RULES:
        value = getattr(setup.rules, rule.name)
        form[f"rule-{rule.name}"] = ("on" if value else "") if rule.kind == "bool" else str(value)
    return form


def parse_scores(form: Mapping[str, str], players: tuple[str, ...]) -> tuple[int, ...]:
    """Read each player's points so far. Empty points are 0. Raises WebError, which names the wrong field."""
    texts = [form.get(f"score{at}", "").strip() or "0" for at in range(len(players))]
    for name, text in zip(players, texts, strict=True):
        if not _is_number(text, len(str(MAX_SCORE))):
            raise WebError(
                phrase("Points so far, %(name)s: give a whole number from 0 to %(most)s.", name=name, most=MAX_SCORE)
            )
    return tuple(map(int, texts))


def parse_first(form: Mapping[str, str], players: tuple[str, ...]) -> int:
    """Read the number (from 0) of the next player, the first without a choice. Raises WebError for anything else."""
    first = form.get("first", "0")
    if first not in map(str, range(len(players))):
        raise WebError(phrase("Who is next? Choose one of %(names)s.", names=", ".join(players)))
    return int(first)


def parse_version(form: Mapping[str, str]) -> int:
    """Read the version of the game that the page showed. Raises Outdated if the page sent none."""
    try:
        return int(form.get("version", ""))
    except ValueError:
        raise Outdated(phrase("This page is out of date. Reload it.")) from None


def parse_index(text: str, what: str) -> int:
    """Parse the number from 0 to 99 that a button sends. Raises WebError, which asks `what`, for anything else."""
    if not _is_number(text, 2):
        raise WebError(phrase("%(question)s Look at the page again.", question=what))
    return int(text)


def parse_player(text: str, players: Sequence[str], what: str) -> str:
    """Parse the number (from 0) of a player that a button sends. Raises WebError, which asks `what`."""
    number = parse_index(text, what)
    if number >= len(players):
        raise WebError(phrase("%(question)s Choose one of %(names)s.", question=what, names=", ".join(players)))
    return players[number]


def parse_tiles(form: Mapping[str, str], board: Board) -> Play:
    """Read the tiles of a play on a board. Raises NotationError, or WebError if there are none."""
    text = form.get("tiles", "").strip()
    if not text:
        raise WebError(phrase("There is no tile on the board yet. Tap a square and choose a letter."))
    return parse_typed(text, board)


def parse_left(form: Mapping[str, str], players: tuple[str, ...]) -> tuple[int, ...]:
    """Read how many tiles each player has left. Raises WebError for anything but a number."""
    return tuple(
        _number(form.get(f"left{at}", "").strip() or "0", phrase("Tiles left: %(name)s", name=name))
        for at, name in enumerate(players)
    )


KEY_HEADER = "Idempotency-Key"
"""The header that names a photograph, so that the page recognises it when it is sent again."""
_SENT_AS_PATTERN = re.compile(r"[A-Za-z0-9-]{8,64}")


def parse_sent_as(headers: Headers) -> str | None:
    """Read the sender's key of a photograph, None if there is none. Raises WebError for an invalid key."""
    sent = headers.get(KEY_HEADER)
    if sent is not None and not _SENT_AS_PATTERN.fullmatch(sent):
        raise WebError(f"{KEY_HEADER}: send 8 to 64 letters, digits or hyphens, or leave it out.")
    return sent


AGE_HEADER = "Photo-Age"
"""The header that says how many seconds ago a photograph was taken."""
_AGE_PATTERN = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")


def parse_age(headers: Headers) -> float:
    """Read how long ago a photograph was taken, s; 0 without the header. Raises WebError if it isn't a number."""
    age = headers.get(AGE_HEADER, "0")
    if not _AGE_PATTERN.fullmatch(age):
        raise WebError(f"{AGE_HEADER}: send the seconds since the photo was taken, such as 12.5, or leave it out.")
    return float(age)


def parse_one_photo(files: Sequence[FileStorage]) -> tuple[Image, str]:
    """Decode the photograph of a form, as `parse_photo`. Raises WebError for several."""
    if len(files) > 1:
        raise WebError(
            phrase("This browser sends all photos at once. Send them one by one, in the order of the turns.")
        )
    return parse_photo(files[0] if files else None)


def parse_photo(file: FileStorage | None) -> tuple[Image, str]:
    """Decode an uploaded photograph, upright, (h, w, 3) BGR, with the digest of its file.

    Raises ImageError, or WebError for none.
    """
    if file is None or not file.filename:
        raise WebError(phrase("Choose a photo, or take one with the camera."))
    image, data = app.decoder.decode(file.stream, name=phrase("The photo"))
    return image, hashlib.blake2b(data, digest_size=16).hexdigest()


def _is_number(text: str, digits: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= digits


def _number(text: str, what: str) -> int:
    if not _is_number(text, 3):
        raise WebError(phrase("%(field)s: give a whole number.", field=what))
    return int(text)
