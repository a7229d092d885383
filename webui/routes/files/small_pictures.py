"""The request for pictures of turns in the sizes that pages show, so that pages load fast."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
from flask import Blueprint, Response

from vision.geometry.rectify import resize
from vision.images import load_image
from vision.picture_quality.brightness import lightened
from webui.errors import NotThere
from webui.services import services

pictures = Blueprint("pictures", __name__)

SIDES_PX = (480, 960)
"""The longest sides that pictures are offered with, px."""
_WEBP_QUALITY = 72
"""The quality of the WebP pictures, of 100. [by eye]"""
_MAX_PICTURES_KEPT = 32


@pictures.get("/pictures/<key>-<kind>-<int:side>.webp")
def small(key: str, kind: str, side: int) -> Response:
    """Send a picture of a turn, made smaller until its longest side is `side` pixels."""
    if side not in SIDES_PX:
        raise NotThere("There is no picture of this size.")
    data = _small_webp(services().shelf.path(key, kind), side)
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(data, mimetype="image/webp", headers=headers)


@lru_cache(maxsize=_MAX_PICTURES_KEPT)
def _small_webp(path: Path, side: int) -> bytes:
    """Return a picture as WebP, lightened if it is dark. It is cached, since a key's picture never changes."""
    image = lightened(load_image(path)[0]).image
    image = resize(image, min(1.0, side / max(image.shape[:2])))
    _, data = cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, _WEBP_QUALITY])
    return data.tobytes()
