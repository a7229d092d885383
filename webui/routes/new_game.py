"""The requests that begin a game, from an empty board or from a photograph of a game that is under way.

A game that goes on may start again from a photograph, too, if turns were missed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine import MAX_HEIGHT, Alphabet, Board, Edition, Square, UpscoreError, parse_square, square_name
from engine.editions import MAX_PLAYERS
from engine.game.records import MAX_SCORE, make_setup
from engine.game.seen_board import TopsAndHeights, fill_under
from engine.game.turns import player_due
from engine.json_reading import as_int, as_list, as_text, load_json
from engine.wording import phrase
from webui.access.gate import Permission, needs, principal, takes
from webui.errors import NotThere, WebError
from webui.ports import PositionReading
from webui.routes import forms
from webui.routes.actions import game_url, report_done
from webui.routes.pages import render_new_game
from webui.services import app
from webui.storage.database import PhotoRow, utc_now
from webui.table.games import START
from webui.views.board import view_tops
from webui.views.game import view_photo
from webui.views.new_game import edition_field

starting = Blueprint("starting", __name__)

_POSITION_FIELDS = ("photo_key", "position", "assumed", "first", *(f"score{at}" for at in range(MAX_PLAYERS)))


@starting.post("/games")
@needs(Permission.BEGIN)
@takes()
def create() -> ResponseReturnValue:
    """Begin a new game. If a photograph comes with it, first show what was read in it, for people to check."""
    try:
        form = forms.with_set_file(request.form, request.files.get("set-file"))
        new = forms.parse_new_game(form, app.config.lexicons.names())
        photo = request.files.get("photo")
        if photo is not None and photo.filename:
            return _position_to_check(new)
        if "position" in form:
            return _begin_from_position(new)
        return report_done(game_url(app.one_time_forms.game(_form_digest(new), lambda: _start_game(new))))
    except UpscoreError as error:
        return render_new_game(dict(request.form), str(error)), int(getattr(error, "status", WebError.status))


def _position_to_check(new: forms.NewGame) -> str:
    """Show the board that was read in the photograph, for people to check it and enter the points so far."""
    edition = new.edition
    make_setup(edition, new.players, new.rules)
    image, _ = forms.parse_photo(request.files.get("photo"))
    words = app.games.lexicon(new.lexicon, edition.alphabet)
    reading = app.config.reader.read_position(image, edition=edition, lexicon=words)
    key = app.shelf.keep(image, reading.overlay, turns=reading.turns)
    return _position_page(new, reading, key)


def _position_page(new: forms.NewGame, reading: PositionReading, key: str, problem: str | None = None) -> str:
    form = request.form
    again = {name: value for name, value in form.items() if name not in _POSITION_FIELDS and name[:4] != "set-"}
    return _board_page(
        reading,
        key,
        new.edition,
        title=phrase("Starting board"),
        action=url_for("starting.create"),
        begin=phrase("Begin from here"),
        back=url_for("pages.new_game"),
        problem=problem,
        fields=[*{**again, "edition": edition_field(new.edition), "photo_key": key}.items()],
        players=[(at, name, form.get(f"score{at}", "0")) for at, name in enumerate(new.players)],
        first=form.get("first", "0"),
    )


def _board_page(reading: PositionReading, key: str, edition: Edition, **page: object) -> str:
    """Return the page on which people check a board, with the doubts of its reading."""
    return render_template(
        "position.html",
        view=view_tops(reading.squares, start=edition.start, doubt=reading.doubtful),
        faces=edition.alphabet.faces,
        doubtful=reading.doubtful,
        assumed=" ".join(map(square_name, reading.doubtful)),
        border_in_doubt=reading.border_in_doubt,
        notice=reading.notice,
        position=json.dumps(reading.squares, separators=(",", ":")),
        photo=view_photo(key, 0, app.shelf.kinds),
        most=MAX_SCORE,
        **page,
    )


@starting.get("/games/<int:game_id>/start-again")
@needs(Permission.SCORE)
def start_again(game_id: int) -> str:
    """Show the board in the photograph of the question, for people to check before the game goes on from it."""
    open_game = app.games.open(game_id)
    if open_game.question is None or not app.shelf.has(open_game.question.photo):
        raise WebError(phrase("Photograph the board first. Then you can start again from it."))
    game, key = open_game.game, open_game.question.photo
    image = app.shelf.load(key)
    reading = app.config.reader.read_position(image, edition=game.setup.edition, lexicon=game.lexicon)
    return _board_page(
        reading,
        key,
        game.setup.edition,
        title=phrase("Start again from this board"),
        action=url_for("starting.take_board", game_id=game_id),
        begin=phrase("Go on from here"),
        back=game_url(game_id),
        fields=[("version", open_game.row.version)],
        players=[(at, name, 0) for at, name in enumerate(game.players)],
        first=str(player_due(game.setup, game.state)),
        totals=game.totals,
    )


@starting.post("/games/<int:game_id>/start-again")
def take_board(game_id: int) -> ResponseReturnValue:
    """Take the board that people checked for the game's board; all totals stay."""
    open_game = app.games.open(game_id)
    version, game = forms.parse_version(request.form), open_game.game
    position = parse_tops(request.form.get("position", ""), game.setup.edition)
    board = fill_under(position, game.setup.edition, game.board)
    first, assumed = forms.parse_first(request.form, game.players), _stacks_on(board, _parse_assumed())
    app.intake.take_board(open_game, board, assumed, first, version)
    return report_done(game_url(game_id), phrase("The board was taken as it lies. The scores stay."))


@starting.post("/games/<int:game_id>/height")
def say_height(game_id: int) -> ResponseReturnValue:
    """Take the height of a stack that the play in question counts, with that play. The question stays."""
    open_game, version = app.games.open(game_id), forms.parse_version(request.form)
    square, which = parse_square(request.form.get("square", "")), phrase("Which answer was meant?")
    height, question = forms.parse_index(request.form.get("height", ""), which), open_game.question
    played = question is not None and bool(question.outcomes) and question.outcomes[0].face_at(square) != ""
    if not 1 + played <= height <= MAX_HEIGHT:
        raise WebError(which)
    app.intake.say_height(open_game, square, height - played, version)
    return report_done(game_url(game_id))


def _form_digest(new: forms.NewGame) -> str | None:
    """Return a digest by which a form that a device sends again is recognised.

    It is None for a form without the field `once`, which identifies each form that was handed out.
    """
    if "once" not in request.form:
        return None
    session = principal().session
    sent = (session and session.id, edition_field(new.edition), sorted(request.form.items(multi=True)))
    return hashlib.blake2b(repr(sent).encode()).hexdigest()


def _begin_from_position(new: forms.NewGame) -> ResponseReturnValue:
    """Begin a game from a board that people checked. Show the page again if the points so far are wrong."""
    edition = new.edition
    position, doubtful = parse_tops(request.form["position"], edition), _parse_assumed()
    key = request.form.get("photo_key", "")
    app.shelf.path(key, "photo")
    try:
        scores, first = forms.parse_scores(request.form, new.players), forms.parse_first(request.form, new.players)
    except UpscoreError as error:
        return _position_page(new, PositionReading(position, doubtful), key, str(error)), 400

    def begin() -> int:
        started = _find_game_started_from(key)
        if started is not None:
            return started
        board = fill_under(position, edition)
        game_id = _start_game(new, board=board, assumed=_stacks_on(board, doubtful), scores=scores, first=first)
        app.store.add_photo(PhotoRow(key, game_id, utc_now(), "upload", START, "the board that the game starts from"))
        return game_id

    return report_done(game_url(app.one_time_forms.game(f"photograph {key}", begin)))


def _start_game(new: forms.NewGame, **going: Any) -> int:
    """Start a game whose score this device keeps, and return its number."""
    open_game = app.games.start(**vars(new), **going)
    app.add_begun_game(open_game.row.id)
    return open_game.row.id


def _find_game_started_from(key: str) -> int | None:
    """Return the game whose start a photograph shows, or None if it belongs to no game.

    Raises WebError if the photograph shows a turn.
    """
    try:
        photo = app.store.photo(key)
    except NotThere:
        return None
    if photo.entry != START:
        raise WebError(phrase("That photo belongs to another game. Take a new one of this board."))
    return photo.game_id


def parse_tops(text: str, edition: Edition) -> TopsAndHeights:
    """Parse the checked board as the page sends it, ``[[["W", 2], ["", 0], ...], ...]``; raises WebError."""
    try:
        data = as_list(load_json(text, phrase("the board")), phrase("the board"))
        rows = tuple(tuple(_square(entry, edition.alphabet) for entry in as_list(row, phrase("a row"))) for row in data)
    except UpscoreError:
        raise WebError(phrase("The board arrived damaged. Reload the page.")) from None
    if len(rows) != edition.size or any(len(row) != edition.size for row in rows):
        size = f"{edition.size} × {edition.size}"
        raise WebError(phrase("The board doesn't have %(size)s squares. Choose the right board.", size=size))
    return rows


def _parse_assumed() -> tuple[Square, ...]:
    """Return the squares of the checked board that were in doubt, and that nobody looked at."""
    return tuple(map(parse_square, request.form.get("assumed", "").split()))


def _stacks_on(board: Board, squares: Iterable[Square]) -> frozenset[Square]:
    """Return those of the squares that hold tiles."""
    return frozenset({*squares} & {*board.list_occupied()})


def _square(entry: object, alphabet: Alphabet) -> tuple[str, int]:
    fields = as_list(entry, phrase("a square"))
    if len(fields) != 2:
        raise WebError(phrase("a square is a face and a height"))
    face, height = as_text(fields[0], phrase("a face")), as_int(fields[1], phrase("a height"), 0, MAX_HEIGHT)
    if bool(face) != (height > 0):
        raise WebError(phrase("a tile has a face and a height, an empty square neither"))
    return (alphabet.parse_face(face), height) if face else ("", 0)
