"""A game's camera: its picture, the grid that is found in it, corners that a person gives, a phone's pictures."""

from __future__ import annotations

import io
import math

import numpy as np
from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from vision.geometry.rectify import resize
from vision.images import Image, encode_jpeg
from vision.video.flat_view import flat_view
from webui.access.permissions import Permission, needs, takes
from webui.errors import WebError
from webui.live.cameras.choices import Share
from webui.routes.actions import done, game_url
from webui.services import services

cameras = Blueprint("cameras", __name__)

SIDE = 960
"""Longest side of the camera's picture on the page, px."""
FRAME_BYTES = 4 * 1024 * 1024
_FAR = 1.0
"""How far, in pictures, corners may lie outside of the picture: a board may reach beyond it."""
_FLAT = 0.02
"""Least share of the picture that the board between given corners must fill."""


@cameras.get("/games/<int:game_id>/camera.jpg")
def picture(game_id: int) -> Response:
    """What the game's camera sees now."""
    image = _newest(game_id)
    return _jpeg(resize(image, min(1.0, SIDE / max(image.shape[:2]))))


@cameras.post("/games/<int:game_id>/camera")
def choose(game_id: int) -> ResponseReturnValue:
    """The game has another camera from now on."""
    made = services()
    made.tables.open(game_id)
    made.cameras.choose(game_id, request.form.get("camera", ""))
    made.announcer.announce(game_id)
    return done(game_url(game_id))


@cameras.get("/games/<int:game_id>/grid")
@needs(Permission.SCORE)
def grid(game_id: int) -> Response:
    """Where the board's grid lies in the camera's picture: as given, or else as it is found."""
    made = services()
    opened = made.tables.open(game_id)
    image = _newest(game_id)
    given = made.cameras.corners(game_id, image)
    corners = given or made.config.reader.find_grid(image, made.intake.query(opened))
    response = jsonify(
        {"corners": corners, "given": given is not None, "size": opened.game.setup.edition.size}
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@cameras.get("/games/<int:game_id>/flat.jpg")
@needs(Permission.SCORE)
def flat(game_id: int) -> Response:
    """The board between the corners of the query, seen from straight above, to check them by eye."""
    image = _newest(game_id)
    corners = np.array(parse_shares(request.args.get("corners", ""))) * (image.shape[1], image.shape[0])
    return _jpeg(flat_view(image, corners, services().tables.open(game_id).game.setup.edition.size))


@cameras.post("/games/<int:game_id>/grid")
def give_grid(game_id: int) -> ResponseReturnValue:
    """Corners are given, which hold until the camera moves; none: the board is found by itself again."""
    text = request.form.get("corners", "")
    services().cameras.give_corners(game_id, parse_shares(text) if text else None)
    services().announcer.announce(game_id)
    return done(game_url(game_id), "The corners are kept until the camera moves." if text else None)


@cameras.post("/games/<int:game_id>/phone")
def begin_phone(game_id: int) -> ResponseReturnValue:
    """A phone's camera is the game's from now on; it sends its pictures under the name that is answered."""
    made = services()
    _check_under_way(game_id)
    sender = made.cameras.phone_begins(game_id)
    made.announcer.announce(game_id)
    return jsonify({"sender": sender})


@cameras.post("/games/<int:game_id>/frame")
@takes(FRAME_BYTES)
def frame(game_id: int) -> ResponseReturnValue:
    """A phone sends what its camera sees: a JPEG as the body."""
    made = services()
    _check_under_way(game_id)
    image, _ = made.decoder.decode(io.BytesIO(request.get_data()), name="The picture")
    made.cameras.phone_sends(game_id, image, request.args.get("sender"))
    return jsonify({"to": None, "message": None})


def _check_under_way(game_id: int) -> None:
    if services().tables.open(game_id).game.ended is not None:
        raise WebError("The game is over: take back its end to go on.")


def parse_shares(text: str) -> tuple[Share, Share, Share, Share]:
    """Corners ``"x,y x,y x,y x,y"`` as shares of width and height; raises WebError for what is no board."""
    try:
        points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]
        top_left, top_right, bottom_right, bottom_left = points
    except ValueError:
        raise WebError("Four corners are needed: put each on a corner of the board's squares.") from None
    near = all(math.isfinite(value) and -_FAR <= value <= 1 + _FAR for point in points for value in point)
    turned = [_turn(*(points[(at + step) % 4] for step in range(3))) for at in range(4)]
    if not near or min(turned) <= 0.0 or sum(turned) / 4 < _FLAT:
        raise WebError(
            "These corners make no board: put them on a1's corner and on, the way round a clock goes."
        )
    return top_left, top_right, bottom_right, bottom_left


def _turn(before: Share, at: Share, after: Share) -> float:
    """How far a corner turns to the right: the area of the parallelogram it spans, as a share of the picture."""
    (x0, y0), (x1, y1), (x2, y2) = before, at, after
    return (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)


def _newest(game_id: int) -> Image:
    return services().cameras.needed(game_id).camera.newest()


def _jpeg(image: Image) -> Response:
    return Response(encode_jpeg(image, 80), mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
