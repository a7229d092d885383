"""The request that reads a photograph of a player's leftover tiles. It changes nothing: people confirm the tiles."""

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
    """Send the tiles found in a photograph, each with its possible faces and its place."""
    app = services()
    game = app.tables.open(game_id).game
    tiles = app.config.reader.read_rack(parse_photo(request.files.get("photo")).image)
    if not tiles:
        raise WebError(
            "No tile was found: lay the tiles in a row on something plain, letters up, and photograph them from above."
        )
    return jsonify({"tiles": [asdict(tile) for tile in view_rack(tiles, game.tiles_left())]})
