"""Pictures of turns no larger than a page shows them, so that a page weighs little."""

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

SIDES = (480, 960)
"""The longest sides, px, that there are."""
_QUALITY = 72
_KEPT = 32


@pictures.get("/pictures/<key>-<kind>-<int:side>.webp")
def small(key: str, kind: str, side: int) -> Response:
    """A picture of a turn, its longest side shortened to `side`."""
    if side not in SIDES:
        raise NotThere("There is no such picture.")
    data = _shortened(services().shelf.path(key, kind), side)
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(data, mimetype="image/webp", headers=headers)


@lru_cache(maxsize=_KEPT)
def _shortened(path: Path, side: int) -> bytes:
    """The file as WebP, lightened where it is dark; a key's file never changes."""
    image = lightened(load_image(path)[0]).image
    image = resize(image, min(1.0, side / max(image.shape[:2])))
    _, data = cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])
    return data.tobytes()
