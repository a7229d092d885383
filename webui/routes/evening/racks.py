"""A photograph of the tiles that a player has left: read, and shown to be confirmed; it changes nothing."""

from __future__ import annotations

from dataclasses import asdict

from flask import Blueprint, Response, jsonify, request

from webui.access.permissions import takes
from webui.errors import WebError
from webui.routes.forms import parse_photo
from webui.services import services
from webui.views.evening.rack import view_rack

racks = Blueprint("racks", __name__)


@racks.post("/games/<int:game_id>/end/rack")
@takes()
def rack(game_id: int) -> Response:
    """The tiles in a photograph, each with what it may be and where it is."""
    app = services()
    game = app.tables.open(game_id).game
    tiles = app.config.reader.read_rack(parse_photo(request.files.get("photo")).image)
    if not tiles:
        raise WebError(
            "No tile was found: lay the tiles in a row on something plain, letters up, and photograph them from above."
        )
    return jsonify({"tiles": [asdict(tile) for tile in view_rack(tiles, game.tiles_left())]})
