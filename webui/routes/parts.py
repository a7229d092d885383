"""The requests of the pages' scripts: events, the parts of a game's page, verdicts, words, and small pictures."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from functools import lru_cache

import cv2
from flask import Blueprint, Response, jsonify, render_template, request, send_file
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from engine import format_play
from engine.wording import phrase
from vision.geometry.rectify import resize
from vision.images import encode_jpeg
from vision.picture_quality import lighten
from webui.access.gate import principal
from webui.errors import NotThere, WebError
from webui.live.turn_clock import MINUTES
from webui.routes.editors import CorrectionKind, correcting_editor
from webui.routes.forms import parse_edition, parse_rules, parse_tiles
from webui.services import app
from webui.storage.photo_shelf import PhotoShelf, read_turns
from webui.table.announcer import HOUSE
from webui.table.games import OpenGame
from webui.views.analysis import view_hooks
from webui.views.answers import score_text
from webui.views.game import GameView, view_board_after
from webui.views.games import record_to_beat
from webui.views.sheet import bonus_text

PARTS = {
    "players": "_players.html",
    "demo": "_demo.html",
    "state": "_state.html",
    "look": "_look.html",
    "open": "_open_play.html",
    "camera": "_camera.html",
    "board": "_board_part.html",
    "photo": "_photo_part.html",
    "actions": "_actions.html",
    "sheet": "_sheet.html",
    "tiles": "_tiles.html",
    "after": "_after.html",
    "timer": "_timer.html",
}


def render_parts(open_game: OpenGame) -> tuple[GameView, dict[str, dict[str, str]]]:
    """Return the view of an open game, and each part of its page by name.

    Each part has a digest, which tells the script whether the page shows it already.
    """
    view = app.view(open_game)
    context = {
        "view": view,
        "demo": app.demo_status(open_game.row.id),
        "bonus_text": bonus_text(open_game.game.setup.edition),
        "clock_minutes": MINUTES,
        "seats": app.seats(open_game),
        "phone_entry": app.phone_entry(open_game),
    }
    parts = {name: Markup(render_template(file, **context).strip()) for name, file in PARTS.items()}
    digests = {name: hashlib.blake2s(html.encode(), digest_size=8).hexdigest() for name, html in parts.items()}
    return view, {name: {"html": html, "digest": digests[name]} for name, html in parts.items()}


parts = Blueprint("parts", __name__)

SIDES_PX = (480, 960)
"""The longest sides that pictures are offered with, px. [by eye]"""
_WEBP_QUALITY = 72
"""The quality of the WebP pictures, of 100. [by eye]"""
_MAX_PICTURES_KEPT = 32


@parts.get("/pictures/<key>-<kind>-<int:side>.webp")
def small(key: str, kind: str, side: int) -> Response:
    """Send a picture of a turn, made smaller until its longest side is `side` pixels."""
    if side not in SIDES_PX:
        raise NotThere(phrase("There is no picture in this size."))
    data = _small_webp(app.shelf, key, kind, side)
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(data, mimetype="image/webp", headers=headers)


@lru_cache(maxsize=_MAX_PICTURES_KEPT)
def _small_webp(shelf: PhotoShelf, key: str, kind: str, side: int) -> bytes:
    """Return a picture as WebP, lightened if it is dark. It is cached, since a key's picture never changes."""
    image = lighten(shelf.load_upright(key, kind)).image
    image = resize(image, min(1.0, side / max(image.shape[:2])))
    _, data = cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, _WEBP_QUALITY])
    return data.tobytes()


MAX_WORD_LETTERS = 40


@parts.get("/games/<int:game_id>/events")
def events(game_id: int) -> Response:
    """Stream the events of a game: one at once, then one for each change."""
    app.store.game(game_id)
    return answer_stream(app.announcer.stream(game_id, last_event()))


def last_event() -> int | None:
    """Return the number of the last event that a browser or program has received, or None."""
    last = request.headers.get("Last-Event-ID", "")
    return int(last) if last.isascii() and last.isdigit() and len(last) < 19 else None


def answer_stream(stream: Iterator[str]) -> Response:
    """Answer with a stream of events."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream, mimetype="text/event-stream", headers=headers)


@parts.get("/events")
def house_events() -> Response:
    """Stream an event whenever a game begins, or a device joins or leaves."""
    return answer_stream(app.announcer.stream(HOUSE, last_event()))


@parts.get("/games/<int:game_id>/parts")
def game_parts(game_id: int) -> Response:
    """Send the HTML of every part of a game's page."""
    view, sent = render_parts(app.games.open(game_id))
    rights = {
        "scores": "yes" if principal().scores(game_id) else "no",
        "mine": principal().player(game_id, [player.name for player in view.players]),
    }
    response = jsonify({"version": view.version, "title": view.title, "parts": sent, **rights})
    response.headers["Cache-Control"] = "no-store"
    return response


@parts.get("/games/<int:game_id>/board/<int:place>")
def past_board(game_id: int, place: int) -> str:
    """Send the HTML of the board after line `place` of the sheet, 0 for the start, or after the newest one."""
    game = app.games.open(game_id).game
    place = min(place, len(game.turns))
    number = game.turns[place - 1].number if place else 0
    return render_template("_past_board.html", number=number, view=view_board_after(game, place))


@parts.post("/games/<int:game_id>/verdict")
def verdict(game_id: int) -> Response:
    """Send the referee's verdict on tiles.

    They are judged for the turn that is due, or for the turn on line `place` of the sheet that `correcting_editor`
    corrects.
    """
    open_game = app.games.open(game_id)
    game, place = open_game.game, request.args.get("place", type=int)
    if place is not None:
        way: CorrectionKind = "insert" if request.args.get("way") == "insert" else "correct"
        game = correcting_editor(open_game, place, way, request.args.getlist("said")).game
    play = parse_tiles(request.form, game.board)
    judged = game.shown_verdict(play)
    return jsonify(
        {
            "tiles": format_play(play),
            "legal": judged.legal,
            "told": score_text(judged),
            "reasons": [violation.text for violation in judged.violations],
        }
    )


@parts.get("/api/word")
def word() -> Response:
    """Say whether a word may be played, and what it means."""
    typed = request.args.get("word", "").strip()
    if not typed or len(typed) > MAX_WORD_LETTERS:
        raise WebError(phrase("Type a word to look it up."))
    names = app.config.lexicons.names()
    lexicon = request.args.get("lexicon", "")
    name = lexicon if lexicon in names else names[0]
    checked = app.config.judge(typed, name)
    answer: dict[str, object] = {
        "word": checked.word,
        "playable": checked.playable,
        "meaning": checked.meaning,
        "reason": checked.reason,
        "sentence": checked.sentence,
    }
    if "hooks" in request.args:
        near = view_hooks(checked.word, app.games.lexicon(name), app.config.suggest)
        answer["hooks"] = [{"name": each.name, "words": each.words, "text": each.text} for each in near]
    return jsonify(answer)


@parts.get("/api/solo-record")
def solo_record() -> Response:
    """Send the record that a solo game with this form's edition and house rules has to beat."""
    edition = parse_edition(request.args)
    return jsonify({"text": record_to_beat(edition, app.solo_totals(edition, parse_rules(request.args)))})


@parts.get("/pictures/<key>-<kind>.jpg")
def picture(key: str, kind: str) -> ResponseReturnValue:
    """Send a picture of a turn. A photograph has its board upright."""
    shelf = app.shelf
    path = shelf.path(key, kind)
    turned = read_turns(path.read_bytes())
    source = io.BytesIO(encode_jpeg(shelf.load_upright(key, kind))) if turned else path
    return send_file(source, mimetype="image/jpeg", max_age=31_536_000)
