"""The offline page, the script that shows it, and the manifest for installing the page. They hold nothing of games."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify, render_template, url_for

from webui.access.permissions import Permission, needs

offline = Blueprint("offline", __name__)

OFFLINE_FILES = ("style.css", "unreachable.js", "waiting.js", "icon.svg")
"""The static files that the offline page needs, which browsers keep."""


@offline.get("/manifest.webmanifest")
@needs(Permission.NONE)
def manifest() -> Response:
    """Send the manifest with which a browser installs the page among a phone's apps."""
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


@offline.get("/service-worker.js")
@needs(Permission.NONE)
def service_worker() -> Response:
    """Send the script that shows the offline page without a connection. It changes whenever the offline page does."""
    files = [url_for("offline.unreachable"), *(url_for("static", filename=name) for name in OFFLINE_FILES)]
    script = render_template("service-worker.js", files=files, name=f"upscore-{_digest()}")
    return Response(script, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


@offline.get("/unreachable")
@needs(Permission.NONE)
def unreachable() -> str:
    """Show the offline page, which a browser keeps for when the scoresheet can't be reached."""
    return render_template("unreachable.html")


@lru_cache(maxsize=1)
def _digest() -> str:
    """Return a digest that changes whenever the offline page or its files do."""
    folders = (current_app.static_folder or "", Path(current_app.root_path) / "templates")
    names = [Path(folders[0]) / name for name in OFFLINE_FILES]
    names += [Path(folders[1]) / name for name in ("service-worker.js", "unreachable.html")]
    return hashlib.blake2s(b"".join(path.read_bytes() for path in names), digest_size=8).hexdigest()
