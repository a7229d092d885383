"""The parts of a game's page, which the page's script renews one by one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from flask import render_template
from markupsafe import Markup

from webui.services import Services
from webui.storage.open_games import OpenGame
from webui.views.game.game import GameView
from webui.views.game.sheet import BONUS_TEXT

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
}


@dataclass(frozen=True)
class Part:
    """A part of the page, with a digest by which the script knows whether the page shows it already."""

    html: Markup
    digest: str


def render_parts(app: Services, opened: OpenGame) -> tuple[GameView, dict[str, Part]]:
    """Return the view of an open game, and each part of its page by name."""
    view = app.view(opened)
    context = {"view": view, "demo": app.demo_status(opened.row.id), "bonus_text": BONUS_TEXT}
    return view, {name: _part(render_template(file, **context).strip()) for name, file in PARTS.items()}


def _part(html: str) -> Part:
    return Part(Markup(html), hashlib.blake2s(html.encode(), digest_size=8).hexdigest())
