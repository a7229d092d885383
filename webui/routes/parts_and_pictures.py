"""The requests of the pages' scripts: events, parts, verdicts, words, pictures."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, jsonify, request, send_file
from flask.typing import ResponseReturnValue

from engine.play import format_play
from webui.access.gate import principal
from webui.errors import WebError
from webui.routes.editors import correcting_editor
from webui.routes.forms import parse_terms, parse_tiles
from webui.services import services
from webui.views.evening.solo import record_to_beat
from webui.views.game.answers import words_text
from webui.views.game.validity import verdict_on
from webui.views.parts import render_parts

api = Blueprint("api", __name__)

MAX_WORD_LETTERS = 40


@api.get("/games/<int:game_id>/events")
def events(game_id: int) -> Response:
    """Stream the events of a game: one at once, then one for each change."""
    app = services()
    app.store.game(game_id)
    last = request.headers.get("Last-Event-ID", "")
    last_version = int(last) if last.isascii() and last.isdigit() and len(last) < 19 else None
    stream: Iterator[str] = app.announcer.stream(game_id, last_version)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream, mimetype="text/event-stream", headers=headers)


@api.get("/games/<int:game_id>/parts")
def parts(game_id: int) -> Response:
    """Send the HTML of every part of a game's page."""
    app = services()
    view, rendered = render_parts(app, app.tables.open(game_id))
    sent = {name: {"html": part.html, "digest": part.digest} for name, part in rendered.items()}
    scores = "yes" if principal().scores(game_id) else "no"
    response = jsonify({"version": view.version, "title": view.title, "parts": sent, "scores": scores})
    response.headers["Cache-Control"] = "no-store"
    return response


@api.post("/games/<int:game_id>/verdict")
def verdict(game_id: int) -> Response:
    """Send the referee's verdict on tiles.

    They are judged for the turn that is due, for the one on line `place` of the sheet, or for one missed `before` that
    line. With the answers to a correction so far (`said`), they are judged for the next turn that no longer fits.
    """
    opened = services().tables.open(game_id)
    place, before = (request.args.get(name, type=int) for name in ("place", "before"))
    game, said = opened.game, request.args.getlist("said")
    if place is not None:
        game = correcting_editor(opened, place, "correct", said).game
    elif before is not None:
        game = correcting_editor(opened, before, "insert", said).game
    play = parse_tiles(request.form, game.board)
    judged = verdict_on(game, play)
    return jsonify(
        {
            "tiles": format_play(play),
            "legal": judged.legal,
            "words": words_text(judged),
            "points": judged.points,
            "reasons": [violation.text for violation in judged.violations],
        }
    )


@api.get("/api/word")
def word() -> Response:
    """Tell whether a word may be played, and what it means."""
    app = services()
    typed = request.args.get("word", "").strip()
    if not typed or len(typed) > MAX_WORD_LETTERS:
        raise WebError("Which word? Type one to look it up.")
    names = app.config.lexicons.names()
    lexicon = request.args.get("lexicon", "")
    checked = app.config.judge(typed, lexicon if lexicon in names else names[0])
    return jsonify(
        {
            "word": checked.word,
            "playable": checked.playable,
            "meaning": checked.meaning,
            "reason": checked.reason,
            "sentence": checked.sentence,
        }
    )


@api.get("/api/solo-record")
def solo_record() -> Response:
    """Tell the record that a solo game with this form's edition and house rules has to beat."""
    edition, rules = parse_terms(request.args)
    return jsonify({"text": record_to_beat(edition, services().solo_totals(edition, rules))})


@api.get("/pictures/<key>-<kind>.jpg")
def picture(key: str, kind: str) -> ResponseReturnValue:
    """Send a picture of a turn."""
    return send_file(services().shelf.path(key, kind), mimetype="image/jpeg", max_age=31_536_000)
