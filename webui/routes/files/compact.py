"""Compression of text, and static files that browsers ask for only once."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, request

STATIC = Path(__file__).parents[2] / "static"
_MIN_BYTES = 600
"""Texts shorter than this are not compressed: they fit in one packet as they are."""
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
    """Compress the answers of an application, and let browsers keep its static files, which lie at `static_path`.

    Static files are also at `/static/NAME`, where browsers don't keep them.
    """
    compressed_once = lru_cache(maxsize=256)(_compressed)
    app.add_url_rule("/static/<path:filename>", "static_by_name", app.send_static_file)

    @app.after_request
    def _compress(response: Response) -> Response:
        lasting = request.endpoint == "static" and response.status_code == 200
        if lasting:
            response.headers["Cache-Control"] = _CACHE_FOREVER
        if response.status_code != 200 or not _is_text(response) or (response.is_streamed and not lasting):
            return response
        response.headers.add("Vary", "Accept-Encoding")
        if not request.accept_encodings["gzip"] or response.headers.get("Content-Encoding"):
            return response
        response.direct_passthrough = False
        data = response.get_data()
        if len(data) >= _MIN_BYTES:
            response.set_data(compressed_once(data) if lasting else _compressed(data))
            response.headers["Content-Encoding"] = "gzip"
            response.headers.pop("ETag", None)
        return response


def _is_text(response: Response) -> bool:
    kind = response.mimetype or ""
    return (kind.startswith("text/") and kind != "text/event-stream") or kind in _TEXT_TYPES


def _compressed(data: bytes) -> bytes:
    return gzip.compress(data, _GZIP_LEVEL, mtime=0)
