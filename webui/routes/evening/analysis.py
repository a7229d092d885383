"""The requests that look back at a finished game. Each searches for one turn, so that none is slow."""

from __future__ import annotations

from flask import Blueprint, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.analysis.missed_plays import searchable
from engine.errors import UpscoreError
from engine.faces import format_faces
from webui.routes.editors import turn_at
from webui.services import services
from webui.views.evening.analysis import PossiblePlay, check_over, turn_labels, view_hints, view_missed
from webui.views.game.board import view_board
from webui.views.game.game import board_before

analysis = Blueprint("analysis", __name__)


@analysis.get("/games/<int:game_id>/turns/<int:place>/missed")
def missed(game_id: int, place: int) -> ResponseReturnValue:
    """Send the page's script the best play that a turn missed, null if it missed none."""
    game = services().tables.open(game_id).game
    turn_at(game, place)
    check_over(game)
    missed_play = view_missed(game, place)
    if missed_play is None:
        return jsonify({"missed": None})
    to = url_for("analysis.look_back", game_id=game_id, turn=place, rack=missed_play.rack)
    return jsonify(
        {
            "missed": {
                "words": missed_play.best.words,
                "told": missed_play.summary,
                "gain": missed_play.gain,
                "to": to,
            }
        }
    )


@analysis.get("/games/<int:game_id>/analysis")
def look_back(game_id: int) -> ResponseReturnValue:
    """Show what a rack could have played on the board before a turn, or on the final board."""
    game = services().tables.open(game_id).game
    check_over(game)
    searchable(game)
    place = request.args.get("turn", 0, type=int)
    record = turn_at(game, place) if place else None
    board = board_before(game, place) if place else game.board
    played = record.play.faces if record is not None and record.play is not None else ()
    rack = request.args.get("rack", format_faces(played)).strip()
    plays: tuple[PossiblePlay, ...] = ()
    problem = None
    try:
        plays = view_hints(game, board, rack) if rack else ()
    except UpscoreError as error:
        problem = str(error)
    shown = min(max(request.args.get("show", 0, type=int), 0), max(len(plays) - 1, 0))
    if plays:
        board = board.with_play(plays[shown].play)
    page = render_template(
        "analysis.html",
        problem=problem,
        game_id=game_id,
        labels=turn_labels(game),
        place=place,
        record=record,
        rack=rack,
        plays=plays,
        shown=shown,
        view=view_board(board, new=plays[shown].play.squares if plays else ()),
    )
    return page, 400 if problem else 200
