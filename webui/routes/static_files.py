"""The static files: compressed, and asked for only once. The offline page and its manifest hold nothing of games."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Flask, Response, render_template, request, url_for

from engine.wording import phrase
from webui.access.gate import Permission, needs
from webui.errors import NotThere
from webui.language import ENGLISH, LANGUAGES, language, script_texts

STATIC = Path(__file__).parents[1] / "static"
_MIN_BYTES = 600
"""Texts shorter than this are not compressed: they fit in one packet as they are. [by eye]"""
_GZIP_LEVEL = 6
_TEXT_TYPES = ("application/json", "application/manifest+json", "image/svg+xml")
_CACHE_FOREVER = "private, max-age=31536000, immutable"


@lru_cache(maxsize=1)
def static_path() -> str:
    """Return the path of the static files. It changes whenever any of them does, since they import one another."""
    digest = hashlib.blake2s(digest_size=6)
    for path in sorted(STATIC.iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return f"/static/{digest.hexdigest()}"


def install_compression(app: Flask) -> None:
    """Compress the answers of an application, and let browsers keep the static files at `static_path`.

    Static files are also at `/static/NAME`, where browsers don't keep them.
    """
    compressed_once = lru_cache(maxsize=256)(_pack)
    app.add_url_rule("/static/<path:filename>", "static_by_name", app.send_static_file)

    @app.after_request
    def _compress(response: Response) -> Response:
        lasting = request.endpoint == "static" and response.status_code == 200
        if lasting:
            response.headers["Cache-Control"] = _CACHE_FOREVER
        kind = response.mimetype or ""
        is_text = kind.startswith("text/") or kind in _TEXT_TYPES
        if response.status_code != 200 or not is_text or (response.is_streamed and not lasting):
            return response
        response.headers.add("Vary", "Accept-Encoding")
        if not request.accept_encodings["gzip"] or response.headers.get("Content-Encoding"):
            return response
        response.direct_passthrough = False
        data = response.get_data()
        if len(data) >= _MIN_BYTES:
            response.set_data(compressed_once(data) if lasting else _pack(data))
            response.headers["Content-Encoding"] = "gzip"
            response.headers.pop("ETag", None)
        return response


def _pack(data: bytes) -> bytes:
    return gzip.compress(data, _GZIP_LEVEL, mtime=0)


offline = Blueprint("offline", __name__)

OFFLINE_FILES = ("style.css", "unreachable.js", "texts.js", "waiting.js", "icon.svg")
"""The static files that the offline page needs, which browsers keep."""


@offline.get("/manifest.webmanifest")
@needs(Permission.NONE)
def manifest() -> Response:
    """Send the manifest with which a browser installs the page as an app."""
    return Response(render_template("manifest.json"), mimetype="application/manifest+json")


@offline.get("/service-worker.js")
@needs(Permission.NONE)
def service_worker() -> Response:
    """Send the script that shows the offline page when there is no connection.

    It changes whenever the offline page or its language does.
    """
    files = [url_for("offline.unreachable"), *(url_for("static", filename=name) for name in OFFLINE_FILES)]
    code = language()
    if code != ENGLISH:
        files.append(texts_url(code))
    script = render_template("service-worker.js", files=files, name=f"upscore-{_digest()}-{code}")
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
    return Response(script, mimetype="text/javascript", headers=headers)


def texts_url(code: str) -> str:
    """Return the address of the texts of the page's scripts in a language. It changes whenever any of them does."""
    digest = hashlib.blake2s(script_texts(code).encode(), digest_size=6).hexdigest()
    return url_for("offline.texts", code=code, digest=digest)


@offline.get("/texts/<code>/<digest>.js")
@needs(Permission.NONE)
def texts(code: str, digest: str) -> Response:
    """Send the texts of the page's scripts in a language, as a script that the others find them by."""
    if (
        code not in LANGUAGES
        or code == ENGLISH
        or url_for("offline.texts", code=code, digest=digest) != texts_url(code)
    ):
        raise NotThere(phrase("There is no such page. Go back to the games."))
    script = f"window.upscoreTexts = {script_texts(code)};\n"
    return Response(script, mimetype="text/javascript", headers={"Cache-Control": _CACHE_FOREVER})


@offline.get("/unreachable")
@needs(Permission.NONE)
def unreachable() -> str:
    """Show the offline page, which a browser keeps for times when the scoresheet can't be reached."""
    return render_template("unreachable.html")


@lru_cache(maxsize=1)
def _digest() -> str:
    """Return a digest that changes whenever the offline page or its files do."""
    paths = [STATIC / name for name in OFFLINE_FILES]
    paths += [STATIC.parent / "templates" / name for name in ("service-worker.js", "unreachable.html")]
    return hashlib.blake2s(b"".join(path.read_bytes() for path in paths), digest_size=8).hexdigest()
