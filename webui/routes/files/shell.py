"""What lets the page be installed, and say itself that the scoresheet cannot be reached; nothing of games."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify, render_template, url_for

from webui.access.permissions import Permission, needs

shell = Blueprint("shell", __name__)

KEPT = ("style.css", "unreachable.js", "waiting.js", "icon.svg")
"""The static files that a browser keeps: what the page needs that says that the scoresheet cannot be reached."""


@shell.get("/manifest.webmanifest")
@needs(Permission.NONE)
def manifest() -> Response:
    """What a browser wants to know before it puts the page among a phone's programs."""
    icon = {"src": url_for("static", filename="icon-512.png"), "sizes": "512x512", "type": "image/png"}
    response = jsonify(
        {
            "id": "/",
            "name": "Upscore",
            "short_name": "Upscore",
            "description": "Keeps the score of Upwords from photographs of the board.",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#f7f2e8",
            "theme_color": "#7b1e2e",
            "icons": [{**icon, "purpose": "any"}, {**icon, "purpose": "maskable"}],
        }
    )
    response.mimetype = "application/manifest+json"
    return response


@shell.get("/service-worker.js")
@needs(Permission.NONE)
def service_worker() -> Response:
    """The script that browsers keep for when there is no connection; a new one with every change of the shell."""
    files = [url_for("shell.unreachable"), *(url_for("static", filename=name) for name in KEPT)]
    script = render_template("service-worker.js", files=files, name=f"upscore-{_digest()}")
    return Response(script, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


@shell.get("/unreachable")
@needs(Permission.NONE)
def unreachable() -> str:
    """The page that a browser shows when nothing answers."""
    return render_template("unreachable.html")


@lru_cache(maxsize=1)
def _digest() -> str:
    """Changes whenever something of the shell does."""
    folders = (current_app.static_folder or "", Path(current_app.root_path) / "templates")
    names = [Path(folders[0]) / name for name in KEPT]
    names += [Path(folders[1]) / name for name in ("service-worker.js", "unreachable.html")]
    return hashlib.blake2s(b"".join(path.read_bytes() for path in names), digest_size=8).hexdigest()
