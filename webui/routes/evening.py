"""The requests that look back at a game: possible plays, charts, replay, television, paper, and leftover tiles.

Each searches for one turn at most, so none is slow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from flask import Blueprint, Response, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine import Game, UpscoreError
from engine.analysis.missed_plays import searchable_lexicon
from engine.faces import format_faces
from webui.access.gate import takes
from webui.errors import WebError
from webui.routes.editors import turn_at
from webui.routes.forms import parse_photo
from webui.services import app
from webui.views.analysis import PossiblePlay, check_over, turns_to_look_back, view_hints, view_missed
from webui.views.board import view_board, view_board_3d
from webui.views.charts import view_charts, view_step
from webui.views.finish import ResultView, likely_faces, view_result
from webui.views.game import board_before, photo_at
from webui.views.rules import view_house_rules
from webui.views.sheet import view_sheet
from webui.views.souvenir import draw_film, draw_result

evening = Blueprint("evening", __name__)


@evening.get("/games/<int:game_id>/turns/<int:place>/missed")
def missed(game_id: int, place: int) -> ResponseReturnValue:
    """Send the page's script the best play that a turn missed, null if it missed none."""
    game = app.tables.open(game_id).game
    turn_at(game, place)
    check_over(game)
    missed_play = view_missed(game, place, app.config.suggest)
    if missed_play is None:
        return jsonify({"missed": None})
    to = url_for("evening.look_back", game_id=game_id, turn=place, rack=missed_play.rack)
    return jsonify(
        {"missed": {"play": missed_play.best.where, "told": missed_play.summary, "gain": missed_play.gain, "to": to}}
    )


@evening.get("/games/<int:game_id>/analysis")
def look_back(game_id: int) -> ResponseReturnValue:
    """Show what a rack could have played on the board before a turn, or on the final board."""
    game = app.tables.open(game_id).game
    check_over(game)
    searchable_lexicon(game)
    place = request.args.get("turn", 0, type=int)
    record = turn_at(game, place) if place else None
    board = board_before(game, place) if place else game.board
    played = record.play.faces if record is not None and record.play is not None else ()
    rack = request.args.get("rack", format_faces(played)).strip()
    plays: tuple[PossiblePlay, ...] = ()
    problem = None
    try:
        plays = view_hints(game, board, rack, app.config.suggest) if rack else ()
    except UpscoreError as error:
        problem = str(error)
    shown = min(max(request.args.get("show", 0, type=int), 0), max(len(plays) - 1, 0))
    new = plays[shown].play if plays else None
    if new:
        board = board.with_play(new)
    page = render_template(
        "analysis.html",
        problem=problem,
        game_id=game_id,
        labels=turns_to_look_back(game),
        place=place,
        record=record,
        rack=rack,
        plays=plays,
        shown=shown,
        view=view_board(board, new=new.squares if new else ()),
    )
    return page, 400 if problem else 200


@evening.get("/games/<int:game_id>/charts")
def charts(game_id: int) -> str:
    """Show the game in charts."""
    opened = app.tables.open(game_id)
    game = opened.game
    return render_template(
        "charts.html",
        game_id=game_id,
        title=opened.row.title,
        ended=game.ended is not None,
        view=view_charts(game),
        board_3d=view_board_3d(game.board),
    )


@evening.get("/games/<int:game_id>/replay")
def replay(game_id: int) -> str:
    """Show the game turn by turn. `at` is the line of the sheet, 0 for the start."""
    opened = app.tables.open(game_id)
    step = view_step(opened.game, request.args.get("at", 0, type=int))
    photo = photo_at(opened.game, step.at, app.photos(opened), app.shelf.kinds)
    return render_template("replay.html", game_id=game_id, title=opened.row.title, step=step, photo=photo)


@evening.get("/games/<int:game_id>/result.png")
def result_picture(game_id: int) -> Response:
    """Send a picture of the final board with the scores."""
    return _souvenir(game_id, draw_result, "image/png")


@evening.get("/games/<int:game_id>/replay.gif")
def film(game_id: int) -> Response:
    """Send the game turn by turn as an animated picture."""
    return _souvenir(game_id, draw_film, "image/gif")


def _souvenir(game_id: int, draw: Callable[[Game, ResultView], bytes], kind: str) -> Response:
    game = app.tables.open(game_id).game
    result = view_result(game)
    if result is None:
        raise WebError("The game isn't over yet.")
    name = kind.replace("image/", "upscore.")  # without the game's number, which opens its page
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(draw(game, result), mimetype=kind, headers=headers)


@evening.get("/games/<int:game_id>/tv")
def television(game_id: int) -> str:
    """Show the totals, the last play and whose turn it is, large enough to read across the room."""
    return render_template("tv.html", view=app.view(app.tables.open(game_id)))


@evening.get("/games/<int:game_id>/print")
def on_paper(game_id: int) -> str:
    """Show the scoresheet and the board for printing."""
    opened = app.tables.open(game_id)
    game, photos = opened.game, app.photos(opened)
    return render_template(
        "print.html",
        row=opened.row,
        view=app.view(opened),
        sheet=view_sheet(game),
        rules=[each for each in view_house_rules(asdict(game.setup.rules)) if each.changed],
        photo=photo_at(game, max(photos, default=0), photos, app.shelf.kinds),
    )


@evening.post("/games/<int:game_id>/end/rack")
@takes()
def rack(game_id: int) -> Response:
    """Send the tiles found in a photograph, each with its possible faces and its place."""
    game = app.tables.open(game_id).game
    image, _ = parse_photo(request.files.get("photo"))
    tiles = app.config.reader.read_rack(image)
    if not tiles:
        raise WebError(
            "No tiles found. Lay them in a row on a plain surface, letters up, and photograph them from above."
        )
    left = game.tiles_left()
    views = [
        {"faces": likely_faces(tile, left), "x": tile.x, "y": tile.y, "side": tile.side, "turn": tile.turn}
        for tile in tiles
    ]
    return jsonify({"tiles": views})
