"""The requests that show a game in charts, step by step, on a television or on paper."""

from __future__ import annotations

from dataclasses import asdict

from flask import Blueprint, render_template, request

from webui.services import services
from webui.views.evening.charts import view_charts
from webui.views.evening.relief import view_board_3d
from webui.views.evening.replay import view_step
from webui.views.evening.television import view_television
from webui.views.game.game import newest_photo
from webui.views.game.sheet import view_sheet
from webui.views.new_game.house_rules import view_house_rules

looking = Blueprint("looking", __name__)


@looking.get("/games/<int:game_id>/charts")
def charts(game_id: int) -> str:
    """Show the game in charts."""
    opened = services().tables.open(game_id)
    game = opened.game
    return render_template(
        "charts.html",
        game_id=game_id,
        title=opened.row.title,
        ended=game.ended is not None,
        view=view_charts(game),
        board_3d=view_board_3d(game.board),
    )


@looking.get("/games/<int:game_id>/replay")
def replay(game_id: int) -> str:
    """Show the game turn by turn. `at` is the line of the sheet, 0 for the start."""
    app = services()
    opened = app.tables.open(game_id)
    at = request.args.get("at", 0, type=int)
    step = view_step(opened.game, at, app.photos(opened), app.shelf.kinds)
    return render_template("replay.html", game_id=game_id, title=opened.row.title, step=step)


@looking.get("/games/<int:game_id>/tv")
def television(game_id: int) -> str:
    """Show the totals, the last play and whose turn it is, large enough to read across the room."""
    app = services()
    opened = app.tables.open(game_id)
    return render_template("tv.html", view=view_television(app.view(opened)))


@looking.get("/games/<int:game_id>/print")
def on_paper(game_id: int) -> str:
    """Show the scoresheet and the board for printing."""
    app = services()
    opened = app.tables.open(game_id)
    game = opened.game
    return render_template(
        "print.html",
        row=opened.row,
        view=app.view(opened),
        sheet=view_sheet(game),
        rules=[each for each in view_house_rules(asdict(game.setup.rules)) if each.changed],
        photo=newest_photo(game, app.photos(opened), app.shelf.kinds),
    )
