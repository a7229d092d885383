"""Beginning a game, from an empty board or from a photograph of one that is under way."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from engine.editions import edition_named
from engine.errors import UpscoreError
from engine.faces import FACES
from webui.actions import done, game_url
from webui.boardview import view_tops
from webui.forms import NewGame, parse_new_game, parse_photo
from webui.gameview import view_photo
from webui.pages import render_new_game
from webui.provenance import START
from webui.services import services
from webui.startboard import dump_seen, fill_under, parse_seen, seen_from
from webui.store import PhotoRow, utc_now

starting = Blueprint("starting", __name__)

_OWN_FIELDS = ("photo_key", "position")


@starting.post("/games")
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
    made = services()
    edition = edition_named(new.edition)
    image = parse_photo(request.files.get("photo"))
    sighting = made.config.reader.read_position(
        image, edition=edition, lexicon=made.tables.lexicon(new.lexicon)
    )
    key = made.shelf.keep(image, sighting.overlay)
    return render_template(
        "position.html",
        view=view_tops(sighting.tops, sighting.heights, doubt=sighting.doubtful),
        doubtful=sighting.doubtful,
        border_in_doubt=sighting.border_in_doubt,
        seen=dump_seen(seen_from(sighting)),
        photo=view_photo(key, 0, made.shelf.kinds),
        fields=[(name, value) for name, value in request.form.items() if name not in _OWN_FIELDS],
        faces=FACES,
    )


def _begin(new: NewGame) -> ResponseReturnValue:
    made = services()
    board = None
    key = request.form.get("photo_key", "")
    if "position" in request.form:
        edition = edition_named(new.edition)
        board = fill_under(parse_seen(request.form["position"], edition), edition)
        made.shelf.path(key, "photo")
    opened = made.tables.start(
        edition=new.edition, players=new.players, rules=new.rules, lexicon=new.lexicon, board=board
    )
    if board is not None:
        made.store.add_photo(
            PhotoRow(key, opened.row.id, utc_now(), "upload", START, "the board that the game starts from")
        )
    return done(game_url(opened.row.id))
