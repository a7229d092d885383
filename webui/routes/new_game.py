"""The requests that begin a game, from an empty board or from a photograph of a game that is under way."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from engine import FACES, Board, Square, UpscoreError, edition_named
from engine.editions import MAX_PLAYERS
from engine.game.records import MAX_SCORE, make_setup
from webui.access.gate import add_begun_game, principal
from webui.access.permissions import Permission, needs, takes
from webui.errors import NotThere, WebError
from webui.routes.actions import done, game_url
from webui.routes.forms import NewGame, SoFar, parse_new_game, parse_photo, parse_so_far
from webui.routes.pages import render_new_game
from webui.services import services
from webui.storage.database import PhotoRow, utc_now
from webui.table.games import START
from webui.table.start_board import TopsAndHeights, dump_tops, fill_under, parse_tops, tops_from
from webui.views.board import view_tops
from webui.views.game import view_photo

starting = Blueprint("starting", __name__)

_POSITION_FIELDS = ("photo_key", "position", "first", *(f"score{at}" for at in range(MAX_PLAYERS)))


@starting.post("/games")
@needs(Permission.BEGIN)
@takes()
def create() -> ResponseReturnValue:
    """Begin a new game. If a photograph comes with it, show what was read in it first, for people to check."""
    try:
        new = parse_new_game(request.form, services().config.lexicons.names())
        photo = request.files.get("photo")
        if photo is not None and photo.filename:
            return _position_to_check(new)
        return _begin(new)
    except UpscoreError as error:
        return render_new_game(dict(request.form), str(error)), 400


def _position_to_check(new: NewGame) -> str:
    """Show the board that was read in the photograph, for people to check it and enter the points so far."""
    app = services()
    edition = edition_named(new.edition)
    make_setup(edition, new.players, new.rules)
    image = parse_photo(request.files.get("photo")).image
    reading = app.config.reader.read_position(image, edition=edition, lexicon=app.tables.lexicon(new.lexicon))
    return _position_page(
        new,
        tops_from(reading),
        app.shelf.keep(image, reading.overlay),
        doubtful=reading.doubtful,
        border_in_doubt=reading.border_in_doubt,
        notice=reading.notice,
    )


def _position_page(
    new: NewGame,
    position: TopsAndHeights,
    key: str,
    *,
    doubtful: Collection[Square] = (),
    border_in_doubt: bool = False,
    notice: str | None = None,
    problem: str | None = None,
) -> str:
    tops = tuple(tuple(face for face, _ in row) for row in position)
    heights = tuple(tuple(height for _, height in row) for row in position)
    form = request.form
    return render_template(
        "position.html",
        problem=problem,
        view=view_tops(tops, heights, doubt=doubtful),
        doubtful=doubtful,
        border_in_doubt=border_in_doubt,
        notice=notice,
        position=dump_tops(position),
        photo=view_photo(key, 0, services().shelf.kinds),
        fields=[(name, value) for name, value in form.items() if name not in _POSITION_FIELDS],
        players=[(at, name, form.get(f"score{at}", "0")) for at, name in enumerate(new.players)],
        most=MAX_SCORE,
        first=form.get("first", "0"),
        faces=FACES,
    )


def _begin(new: NewGame) -> ResponseReturnValue:
    if "position" in request.form:
        return _begin_from_position(new)
    return done(game_url(services().once.game(_form_digest(), lambda: _start_game(new))))


def _form_digest() -> str | None:
    """Return a digest by which a form that a device sends again is recognised.

    It is None for a form without the field `once`, which tells one form that was handed out from another.
    """
    if "once" not in request.form:
        return None
    session = principal().session
    sent = (session and session.id, sorted(request.form.items(multi=True)))
    return hashlib.blake2b(repr(sent).encode()).hexdigest()


def _begin_from_position(new: NewGame) -> ResponseReturnValue:
    """Begin a game from a board that people checked. Show the page again if the points so far are wrong."""
    app = services()
    edition = edition_named(new.edition)
    position = parse_tops(request.form["position"], edition)
    key = request.form.get("photo_key", "")
    app.shelf.path(key, "photo")
    try:
        so_far = parse_so_far(request.form, new.players)
    except UpscoreError as error:
        return _position_page(new, position, key, problem=str(error)), 400

    def begin() -> int:
        started = _game_started_from(key)
        if started is not None:
            return started
        game_id = _start_game(new, fill_under(position, edition), so_far)
        app.store.add_photo(
            PhotoRow(key, game_id, utc_now(), "upload", START, "the board that the game starts from")
        )
        return game_id

    return done(game_url(app.once.game(f"photograph {key}", begin)))


def _start_game(new: NewGame, board: Board | None = None, so_far: SoFar | None = None) -> int:
    """Start a game whose score this device keeps, and return its number."""
    app = services()
    opened = app.tables.start(
        edition=new.edition,
        players=new.players,
        rules=new.rules,
        lexicon=new.lexicon,
        board=board,
        scores=None if so_far is None else so_far.scores,
        first=0 if so_far is None else so_far.first,
    )
    add_begun_game(app.gate, opened.row.id)
    return opened.row.id


def _game_started_from(key: str) -> int | None:
    """Return the game whose start a photograph shows, None if it belongs to no game.

    Raises WebError if the photograph shows a turn.
    """
    try:
        photo = services().store.photo(key)
    except NotThere:
        return None
    if photo.entry != START:
        raise WebError("That photo belongs to another game. Take a new one of this board.")
    return photo.game_id
