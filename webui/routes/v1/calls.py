"""The page's interface for programs, version 1: what a button does, a call does (docs/api.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress

from flask import Blueprint, Response, request, url_for

from engine.game.game import Game
from webui.access.gate import begun
from webui.access.permissions import Permission, needs, takes
from webui.errors import NotThere, WebError
from webui.routes.forms import parse_photo, parse_sent_as
from webui.routes.v1.body import (
    ANSWER_FIELDS,
    NEW_GAME_FIELDS,
    TURN_FIELDS,
    UNDO_FIELDS,
    check_placing,
    choice_in,
    new_game_in,
    parse_body,
    play_in,
    turn_in,
    version_in,
)
from webui.routes.v1.openapi import describe
from webui.routes.v1.state import listed_json, state_json
from webui.services import services
from webui.storage.open_games import OpenGame

PREFIX = "/api/v1"

v1 = Blueprint("v1", __name__, url_prefix=PREFIX)


@v1.get("/openapi.json")
def openapi() -> Response:
    """The description of everything here."""
    return _json(describe(services().config.lexicons.names()))


@v1.get("/games")
def games() -> Response:
    """All games, the newest first."""
    return _json([listed_json(row, standing) for row, standing in services().tables.standings()])


@v1.post("/games")
@needs(Permission.BEGIN)
def create() -> Response:
    """A new game."""
    made = services()
    fields = parse_body(request.get_data(), NEW_GAME_FIELDS)
    new, board = new_game_in(fields, made.config.lexicons.names(), made.config.rules)
    opened = made.tables.start(
        edition=new.edition, players=new.players, rules=new.rules, lexicon=new.lexicon, board=board
    )
    begun(made.gate, opened.row.id)
    answer = _state(opened)
    answer.status_code = 201
    answer.headers["Location"] = url_for("v1.game", game_id=opened.row.id)
    return answer


@v1.get("/games/<int:game_id>")
def game(game_id: int) -> Response:
    """The state of a game."""
    return _state(services().tables.open(game_id))


@v1.post("/games/<int:game_id>/photos")
@takes()
def photos(game_id: int) -> Response:
    """A turn taken from an uploaded photograph."""
    made = services()
    file = request.files.get("photo")
    made.tables.open(game_id)
    if file is None:
        raise WebError('No photograph was sent: send it as the file "photo" of a multipart form.')
    sent_as, upload = parse_sent_as(request.headers), parse_photo(file)
    taken = made.intake.take(game_id, upload.image, "upload", upload.digest, sent_as=sent_as)
    return _state(taken.opened)


@v1.post("/games/<int:game_id>/answer")
def answer(game_id: int) -> Response:
    """The question about a photograph is answered, or put aside."""
    made = services()
    fields = parse_body(request.get_data(), ANSWER_FIELDS)
    opened = made.tables.open(game_id)
    version, choice = version_in(fields), choice_in(fields)
    if choice is None:
        return _state(made.intake.dismiss(opened, version))
    return _state(made.intake.answer(opened, choice, version))


@v1.post("/games/<int:game_id>/turns")
def turns(game_id: int) -> Response:
    """A turn told by hand, a challenge or the end; it settles a question that waits."""
    made = services()
    fields = parse_body(request.get_data(), TURN_FIELDS)
    opened = made.tables.open(game_id)
    version, play = version_in(fields), play_in(fields)
    if play is not None:
        if opened.row.version == version:
            check_placing(opened.game, play, fields)
        return _state(made.intake.enter(opened, play, version))
    return _state(made.tables.change(opened, turn_in(fields), version=version))


@v1.post("/games/<int:game_id>/undo")
def undo(game_id: int) -> Response:
    """The last entry is taken back, be it a turn, a correction or the end; it settles a question that waits."""
    tables = services().tables
    version = version_in(parse_body(request.get_data(), UNDO_FIELDS))
    return _state(tables.change(tables.open(game_id), Game.undo, version=version))


@v1.get("/games/<int:game_id>/events")
def events(game_id: int) -> Response:
    """The stream of events of a game, each with the version that a change left."""
    made = services()
    made.tables.version(game_id)
    last = request.headers.get("Last-Event-ID", "")
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 19 else None
    stream = made.announcer.versions(game_id, lambda: made.tables.version(game_id), seen)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(_while_there(stream), mimetype="text/event-stream", headers=headers)


def _while_there(stream: Iterator[str]) -> Iterator[str]:
    """The stream, which ends when its game is deleted."""
    with suppress(NotThere):
        yield from stream


def _state(opened: OpenGame) -> Response:
    return _json(state_json(opened))


def _json(data: object) -> Response:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Response(text, mimetype="application/json", headers={"Cache-Control": "no-store"})
