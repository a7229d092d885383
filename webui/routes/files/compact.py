"""How little is sent: text is compressed, and what never changes at its address is asked for once."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, request

STATIC = Path(__file__).parents[2] / "static"
_LEAST = 600
"""Bytes from which compressing gains anything: less goes in one packet as it is."""
_LEVEL = 6
_TEXTS = ("application/json", "application/manifest+json", "image/svg+xml")
_FOREVER = "private, max-age=31536000, immutable"


@lru_cache(maxsize=1)
def static_path() -> str:
    """Where static files are found: another address whenever one of them changes, those that they import with them."""
    digest = hashlib.blake2s(digest_size=6)
    for path in sorted(STATIC.iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return f"/static/{digest.hexdigest()}"


def install(app: Flask) -> None:
    """Compress the answers of an application whose static files are at `static_path`, and let browsers keep those.

    Static files are found by their plain names as well, for as long as nobody keeps them.
    """
    kept = lru_cache(maxsize=256)(_compressed)
    app.add_url_rule("/static/<path:filename>", "static_by_name", app.send_static_file)

    @app.after_request
    def _compact(response: Response) -> Response:
        lasting = request.endpoint == "static" and response.status_code == 200
        if lasting:
            response.headers["Cache-Control"] = _FOREVER
        if response.status_code != 200 or not _is_text(response) or (response.is_streamed and not lasting):
            return response
        response.headers.add("Vary", "Accept-Encoding")
        if not request.accept_encodings["gzip"] or response.headers.get("Content-Encoding"):
            return response
        response.direct_passthrough = False
        data = response.get_data()
        if len(data) >= _LEAST:
            response.set_data(kept(data) if lasting else _compressed(data))
            response.headers["Content-Encoding"] = "gzip"
            response.headers.pop("ETag", None)
        return response


def _is_text(response: Response) -> bool:
    kind = response.mimetype or ""
    return (kind.startswith("text/") and kind != "text/event-stream") or kind in _TEXTS


def _compressed(data: bytes) -> bytes:
    return gzip.compress(data, _LEVEL, mtime=0)
