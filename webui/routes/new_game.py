"""Beginning a game, from an empty board or from a photograph of one that is under way."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from engine.board import Board
from engine.editions import MAX_PLAYERS, edition_named
from engine.errors import UpscoreError
from engine.faces import FACES
from engine.game.records import MAX_SCORE, make_setup
from engine.squares import Square
from webui.access.gate import begun, principal
from webui.access.permissions import Permission, needs, takes
from webui.errors import NotThere, WebError
from webui.routes.actions import done, game_url
from webui.routes.forms import NewGame, SoFar, parse_new_game, parse_photo, parse_so_far
from webui.routes.pages import render_new_game
from webui.services import services
from webui.storage.provenance import START
from webui.storage.store import PhotoRow, utc_now
from webui.views.game.board import view_tops
from webui.views.game.game import view_photo
from webui.views.new_game.start_board import Seen, dump_seen, fill_under, parse_seen, seen_from

starting = Blueprint("starting", __name__)

_OWN_FIELDS = ("photo_key", "position", "first", *(f"score{at}" for at in range(MAX_PLAYERS)))


@starting.post("/games")
@needs(Permission.BEGIN)
@takes()
def create() -> ResponseReturnValue:
    """A new game; one with a photograph first shows what was read in it, to be looked over."""
    try:
        new = parse_new_game(request.form, services().config.lexicons.names())
        photo = request.files.get("photo")
        if photo is not None and photo.filename:
            return _look_over(new)
        return _begin(new)
    except UpscoreError as error:
        return render_new_game(dict(request.form), str(error)), 400


def _look_over(new: NewGame) -> str:
    """The page on which the board read in the photograph is looked over, and told how the game stands."""
    made = services()
    edition = edition_named(new.edition)
    make_setup(edition, new.players, new.rules)
    image = parse_photo(request.files.get("photo")).image
    sighting = made.config.reader.read_position(
        image, edition=edition, lexicon=made.tables.lexicon(new.lexicon)
    )
    return _position_page(
        new,
        seen_from(sighting),
        made.shelf.keep(image, sighting.overlay),
        doubtful=sighting.doubtful,
        border_in_doubt=sighting.border_in_doubt,
        notice=sighting.notice,
    )


def _position_page(
    new: NewGame,
    seen: Seen,
    key: str,
    *,
    doubtful: Collection[Square] = (),
    border_in_doubt: bool = False,
    notice: str | None = None,
    problem: str | None = None,
) -> str:
    tops = tuple(tuple(face for face, _ in row) for row in seen)
    heights = tuple(tuple(height for _, height in row) for row in seen)
    form = request.form
    return render_template(
        "position.html",
        problem=problem,
        view=view_tops(tops, heights, doubt=doubtful),
        doubtful=doubtful,
        border_in_doubt=border_in_doubt,
        notice=notice,
        seen=dump_seen(seen),
        photo=view_photo(key, 0, services().shelf.kinds),
        fields=[(name, value) for name, value in form.items() if name not in _OWN_FIELDS],
        players=[(at, name, form.get(f"score{at}", "0")) for at, name in enumerate(new.players)],
        most=MAX_SCORE,
        first=form.get("first", "0"),
        faces=FACES,
    )


def _begin(new: NewGame) -> ResponseReturnValue:
    if "position" in request.form:
        return _begin_in_the_middle(new)
    return done(game_url(services().once.game(_form_digest(), lambda: _started(new))))


def _form_digest() -> str | None:
    """Tells a form that a device sends again from others; None for one that does not say when it was handed out."""
    if "once" not in request.form:
        return None
    session = principal().session
    sent = (session and session.id, sorted(request.form.items(multi=True)))
    return hashlib.blake2b(repr(sent).encode()).hexdigest()


def _begin_in_the_middle(new: NewGame) -> ResponseReturnValue:
    """A game that starts from a board that was looked over; how it stands is asked for again where it can't be."""
    made = services()
    edition = edition_named(new.edition)
    seen = parse_seen(request.form["position"], edition)
    key = request.form.get("photo_key", "")
    made.shelf.path(key, "photo")
    try:
        so_far = parse_so_far(request.form, new.players)
    except UpscoreError as error:
        return _position_page(new, seen, key, problem=str(error)), 400

    def begin() -> int:
        begun_already = _started_from(key)
        if begun_already is not None:
            return begun_already
        game_id = _started(new, fill_under(seen, edition), so_far)
        made.store.add_photo(
            PhotoRow(key, game_id, utc_now(), "upload", START, "the board that the game starts from")
        )
        return game_id

    return done(game_url(made.once.game(f"photograph {key}", begin)))


def _started(new: NewGame, board: Board | None = None, so_far: SoFar | None = None) -> int:
    """The number of a game that is begun now, and whose score this device keeps."""
    made = services()
    opened = made.tables.start(
        edition=new.edition,
        players=new.players,
        rules=new.rules,
        lexicon=new.lexicon,
        board=board,
        scores=None if so_far is None else so_far.scores,
        first=0 if so_far is None else so_far.first,
    )
    begun(made.gate, opened.row.id)
    return opened.row.id


def _started_from(key: str) -> int | None:
    """The game whose start a photograph shows, None where it is no game's; raises WebError for that of a turn."""
    try:
        photo = services().store.photo(key)
    except NotThere:
        return None
    if photo.entry != START:
        raise WebError("That photograph is one of another game: photograph the board anew to begin from it.")
    return photo.game_id
