"""The request for a game as a file: CSV for spreadsheets, text or JSON (docs/notation.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

from flask import Blueprint, Response

from engine.formats.csv_text import game_csv
from engine.formats.game_json import game_to_dict
from engine.formats.notation import format_game
from engine.game.game import Game
from webui.errors import NotThere
from webui.services import services

exports = Blueprint("exports", __name__)


def _json(game: Game) -> str:
    return json.dumps(game_to_dict(game), ensure_ascii=False, indent=1) + "\n"


FORMATS: Mapping[str, tuple[str, Callable[[Game], str]]] = MappingProxyType(
    {
        "csv": ("text/csv", game_csv),
        "txt": ("text/plain", format_game),
        "json": ("application/json", _json),
    }
)
"""The file formats of a game by the ending of the file's name: the media type, and the function that writes it."""


@exports.get("/games/<int:game_id>/export.<ending>")
def export(game_id: int, ending: str) -> Response:
    """Send a game as a file, finished or not."""
    if ending not in FORMATS:
        raise NotThere(f"There is no such format: choose one of {', '.join(FORMATS)}.")
    kind, write = FORMATS[ending]
    response = Response(write(services().tables.open(game_id).game), content_type=f"{kind}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="upscore-{game_id}.{ending}"'
    response.headers["Cache-Control"] = "no-store"
    return response
