"""What people send: the fields of forms, checked, with one clear line for whatever is wrong."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from werkzeug.datastructures import FileStorage, Headers

from engine.board import Board
from engine.editions import EDITIONS, MAX_PLAYERS, Edition
from engine.game.records import MAX_SCORE
from engine.play import Play
from engine.rules.house_rules import HOUSE_RULES, HouseRules, house_rules_from
from vision.images import Image
from webui.errors import Outdated, WebError
from webui.routes.typed_play import parse_typed
from webui.services import services
from webui.storage.open_games import OpenGame


@dataclass(frozen=True)
class NewGame:
    """What a new game is set up with."""

    edition: str
    players: tuple[str, ...]
    rules: HouseRules
    lexicon: str


def parse_new_game(form: Mapping[str, str], lexicons: tuple[str, ...]) -> NewGame:
    """The set-up that the form for a new game sends; raises UpscoreError, naming the field that is wrong."""
    names = tuple(name for name in (form.get(f"player{at}", "").strip() for at in range(MAX_PLAYERS)) if name)
    if not names:
        raise WebError("Who plays? Give one to four names.")
    edition, rules = parse_terms(form)
    lexicon = form.get("lexicon", "")
    if lexicon not in lexicons:
        raise WebError(f"Which word list is agreed on? Choose one of {', '.join(lexicons)}.")
    return NewGame(edition.name, names, rules, lexicon)


def parse_terms(form: Mapping[str, str]) -> tuple[Edition, HouseRules]:
    """The edition and the house rules of a form for a new game; raises UpscoreError for what is wrong."""
    edition = form.get("edition", "")
    if edition not in EDITIONS:
        raise WebError(f"Which board is it? Choose one of {', '.join(EDITIONS)}.")
    return EDITIONS[edition], parse_rules(form)


def parse_rules(form: Mapping[str, str]) -> HouseRules:
    """The house rules of such a form.

    Switches are check boxes, so one left out is off, unless the form has none of the rules at all.
    """
    if "rules" not in form:
        return HouseRules()
    values: dict[str, object] = {}
    for rule in HOUSE_RULES:
        text = form.get(f"rule-{rule.name}", "")
        values[rule.name] = text == "on" if rule.kind == "bool" else _number(text, rule.question)
    return house_rules_from(values)


def form_like(opened: OpenGame) -> dict[str, str]:
    """What the form for a new game would send for a game of the same players, board, word list and rules."""
    setup = opened.game.setup
    form = {"edition": setup.edition.name, "lexicon": opened.judged_by, "rules": "1"}
    form |= {f"player{at}": name for at, name in enumerate(setup.players)}
    for rule in HOUSE_RULES:
        value = getattr(setup.rules, rule.name)
        form[f"rule-{rule.name}"] = ("on" if value else "") if rule.kind == "bool" else str(value)
    return form


@dataclass(frozen=True)
class SoFar:
    """How a game stands that is under way: each player's points, and the number (from 0) of who is next."""

    scores: tuple[int, ...]
    first: int


def parse_so_far(form: Mapping[str, str], players: tuple[str, ...]) -> SoFar:
    """How a game stands, by the form that goes with its board; what is left empty is 0, and the first player.

    Raises WebError, naming the field that is wrong.
    """
    texts = [form.get(f"score{at}", "").strip() or "0" for at in range(len(players))]
    for name, text in zip(players, texts, strict=True):
        if not text.isascii() or not text.isdigit() or len(text) > len(str(MAX_SCORE)):
            raise WebError(f"Points so far, {name}: give a whole number from 0 to {MAX_SCORE}.")
    first = form.get("first", "0")
    if first not in map(str, range(len(players))):
        raise WebError(f"Who is next? Choose one of {', '.join(players)}.")
    return SoFar(tuple(map(int, texts)), int(first))


def parse_version(form: Mapping[str, str]) -> int:
    """The version of the game that the person saw; raises Outdated when the page did not send one."""
    try:
        return int(form.get("version", ""))
    except ValueError:
        raise Outdated("The page is out of date: load it again.") from None


def parse_index(text: str, what: str) -> int:
    """A number from 0 to 99 that a button sends; raises WebError, asking `what`, for anything else."""
    if not text.isascii() or not text.isdigit() or len(text) > 2:
        raise WebError(f"{what} Look at the page again.")
    return int(text)


def parse_tiles(form: Mapping[str, str], board: Board) -> Play:
    """The tiles of a play on a board; raises NotationError, or WebError when there are none."""
    text = form.get("tiles", "").strip()
    if not text:
        raise WebError("No tile is on the board yet: tap a square and choose a letter.")
    return parse_typed(text, board)


def parse_left(form: Mapping[str, str], players: tuple[str, ...]) -> tuple[int, ...]:
    """How many tiles each player has left; raises WebError for what is not a number."""
    return tuple(
        _number(form.get(f"left{at}", "").strip() or "0", f"Tiles left: {name}")
        for at, name in enumerate(players)
    )


KEY_HEADER = "Idempotency-Key"
"""The header that names a photograph, so that one sent again is known whatever happened since."""
_SENT_AS = re.compile(r"[A-Za-z0-9-]{8,64}")


@dataclass(frozen=True)
class Upload:
    """An uploaded photograph, upright, (h, w, 3) BGR, and the digest of the file that it came in."""

    image: Image
    digest: str


def parse_sent_as(headers: Headers) -> str | None:
    """The key of a photograph, None where it has none; raises WebError for what is no key."""
    sent = headers.get(KEY_HEADER)
    if sent is not None and not _SENT_AS.fullmatch(sent):
        raise WebError(f"{KEY_HEADER}: send 8 to 64 letters, digits or hyphens, or leave it out.")
    return sent


def parse_photo(file: FileStorage | None) -> Upload:
    """The uploaded photograph; raises ImageError or WebError, one line."""
    if file is None or not file.filename:
        raise WebError("No photograph was sent: choose one, or take one with the camera.")
    image, data = services().decoder.decode(file.stream, name="The photograph")
    return Upload(image, hashlib.blake2b(data, digest_size=16).hexdigest())


def _number(text: str, what: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise WebError(f"{what.rstrip('?')}: give a whole number.")
    return int(text)
