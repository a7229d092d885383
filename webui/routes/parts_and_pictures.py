"""What the pages' scripts ask for: events, parts, verdicts, words, pictures."""

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
from webui.views.evening.solo import to_beat
from webui.views.game.answers import words_text
from webui.views.game.validity import judged
from webui.views.parts import render_parts

api = Blueprint("api", __name__)

MAX_WORD = 40


@api.get("/games/<int:game_id>/events")
def events(game_id: int) -> Response:
    """The stream of events of a game."""
    made = services()
    made.store.game(game_id)
    last = request.headers.get("Last-Event-ID", "")
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 19 else None
    stream: Iterator[str] = made.announcer.stream(game_id, seen)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream, mimetype="text/event-stream", headers=headers)


@api.get("/games/<int:game_id>/parts")
def parts(game_id: int) -> Response:
    """The HTML of every part of a game's page."""
    made = services()
    view, rendered = render_parts(made, made.tables.open(game_id))
    sent = {name: {"html": part.html, "digest": part.digest} for name, part in rendered.items()}
    scores = "yes" if principal().scores(game_id) else "no"
    response = jsonify({"version": view.version, "title": view.title, "parts": sent, "scores": scores})
    response.headers["Cache-Control"] = "no-store"
    return response


@api.post("/games/<int:game_id>/verdict")
def verdict(game_id: int) -> Response:
    """The referee's verdict on tiles, for the turn that is due.

    Or for one on the sheet, with its `place`, or for one that was missed `before` it; or else, with what was `said` of
    that one, for the next one that can't stand then.
    """
    opened = services().tables.open(game_id)
    place, before = (request.args.get(name, type=int) for name in ("place", "before"))
    game, said = opened.game, request.args.getlist("said")
    if place is not None:
        game = correcting_editor(opened, place, "correct", said).game
    elif before is not None:
        game = correcting_editor(opened, before, "insert", said).game
    play = parse_tiles(request.form, game.board)
    found = judged(game, play)
    return jsonify(
        {
            "tiles": format_play(play),
            "legal": found.legal,
            "words": words_text(found),
            "points": found.points,
            "reasons": [violation.text for violation in found.violations],
        }
    )


@api.get("/api/word")
def word() -> Response:
    """Whether a word may be played, and what it means."""
    made = services()
    asked = request.args.get("word", "").strip()
    if not asked or len(asked) > MAX_WORD:
        raise WebError("Which word? Type one to look it up.")
    names = made.config.lexicons.names()
    lexicon = request.args.get("lexicon", "")
    found = made.config.judge(asked, lexicon if lexicon in names else names[0])
    return jsonify(
        {
            **{"word": found.word, "playable": found.playable, "meaning": found.meaning},
            **{"reason": found.reason, "sentence": found.sentence},
        }
    )


@api.get("/api/solo-record")
def solo_record() -> Response:
    """What a solo game with the edition and the house rules of a form for a new game has to beat."""
    edition, rules = parse_terms(request.args)
    return jsonify({"text": to_beat(edition, services().solo_totals(edition, rules))})


@api.get("/pictures/<key>-<kind>.jpg")
def picture(key: str, kind: str) -> ResponseReturnValue:
    """A picture of a turn."""
    return send_file(services().shelf.path(key, kind), mimetype="image/jpeg", max_age=31_536_000)
