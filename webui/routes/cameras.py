"""The requests about a game's camera: its picture, the grid found in it, corners given by hand, a phone's frames."""

from __future__ import annotations

import io

import numpy as np
from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from engine.wording import join_texts, phrase
from vision.geometry.rectify import resize
from vision.images import Image, encode_jpeg
from vision.overlay import flat_view
from webui.access.gate import Permission, needs, takes
from webui.errors import WebError
from webui.live.hands_free import Share
from webui.routes.actions import game_url, report_done
from webui.services import app

cameras = Blueprint("cameras", __name__)

MAX_SIDE_PX = 960
"""The longest side of the camera's picture on the page. [by eye]"""
MAX_FRAME_BYTES = 4 * 1024 * 1024
"""The size of the largest frame that a phone may send. [by eye]"""
MAX_OUTSIDE_SHARE = 1.0
"""How far corners may lie outside the picture, as a share of its width or height: a board may reach beyond it.
[by eye]"""
MIN_BOARD_SHARE = 0.02
"""The least share of the picture that the board between given corners must fill. [by eye]"""


@cameras.get("/games/<int:game_id>/camera.jpg")
def picture(game_id: int) -> Response:
    """Send what the game's camera sees now, as a JPEG."""
    image = _newest(game_id)
    return _jpeg(resize(image, min(1.0, MAX_SIDE_PX / max(image.shape[:2]))))


@cameras.post("/games/<int:game_id>/camera")
def choose(game_id: int) -> ResponseReturnValue:
    """Give the game another camera."""
    app.games.open(game_id)
    app.cameras.choose(game_id, request.form.get("camera", ""))
    app.announcer.announce(game_id)
    return report_done(game_url(game_id))


@cameras.get("/games/<int:game_id>/grid")
@needs(Permission.SCORE)
def grid(game_id: int) -> Response:
    """Return the corners of the board in the camera's picture: those given by hand, or else those found."""
    open_game = app.games.open(game_id)
    image = _newest(game_id)
    given = app.cameras.corners(game_id, image)
    corners = given or app.config.reader.find_grid(image, app.intake.query(open_game))
    response = jsonify({"corners": corners, "given": given is not None, "size": open_game.game.setup.edition.size})
    response.headers["Cache-Control"] = "no-store"
    return response


@cameras.get("/games/<int:game_id>/flat.jpg")
@needs(Permission.SCORE)
def flat(game_id: int) -> Response:
    """Show the board between the corners of the query from straight above, so that people can check them by eye."""
    image = _newest(game_id)
    corners = np.array(parse_shares(request.args.get("corners", ""))) * (image.shape[1], image.shape[0])
    return _jpeg(flat_view(image, corners, app.games.open(game_id).game.setup.edition.size))


@cameras.post("/games/<int:game_id>/grid")
def give_grid(game_id: int) -> ResponseReturnValue:
    """Keep the corners that a person gives until the camera moves. Without corners, find the board again.

    Corners that the picture contradicts are kept, too, since people may see more. The answer says so.
    """
    text = request.form.get("corners", "")
    corners, doubt = (parse_shares(text) if text else None), None
    if corners is not None:
        query = app.intake.query(app.games.open(game_id), corners)
        doubt = app.config.reader.check_corners(_newest(game_id), query)
    app.cameras.give_corners(game_id, corners)
    app.announcer.announce(game_id)
    if corners is None:
        return report_done(game_url(game_id))
    return report_done(game_url(game_id), join_texts((phrase("Corners saved until the camera moves."), doubt or "")))


@cameras.post("/games/<int:game_id>/phone")
def begin_phone(game_id: int) -> ResponseReturnValue:
    """Make a phone's camera the game's. Answer with the name under which the phone sends its frames."""
    app.games.open(game_id).check_under_way()
    sender = app.cameras.phone_begins(game_id)
    app.announcer.announce(game_id)
    return jsonify({"sender": sender})


@cameras.post("/games/<int:game_id>/frame")
@takes(MAX_FRAME_BYTES)
def frame(game_id: int) -> ResponseReturnValue:
    """Take a frame from a phone's camera: the body is a JPEG."""
    app.games.open(game_id).check_under_way()
    image, _ = app.decoder.decode(io.BytesIO(request.get_data()), name=phrase("The picture"))
    app.cameras.phone_sends(game_id, image, request.args.get("sender"))
    return jsonify({"to": None, "message": None})


@cameras.post("/games/<int:game_id>/aim")
@takes(MAX_FRAME_BYTES)
def aim(game_id: int) -> Response:
    """Say whether the view of a hand-held phone, the JPEG in the body, is good for a photograph, and what to do if not.

    In the query, `before` are the corners of the last answer.
    """
    open_game = app.games.open(game_id)
    open_game.check_under_way()
    image, _ = app.decoder.decode(io.BytesIO(request.get_data()), name=phrase("The picture"))
    text = request.args.get("before", "")
    advice = app.config.reader.aim(image, app.intake.query(open_game), parse_shares(text) if text else None)
    return jsonify({"corners": advice.corners, "hint": advice.hint, "size": open_game.game.setup.edition.size})


def parse_shares(text: str) -> tuple[Share, Share, Share, Share]:
    """Parse corners ``"x,y x,y x,y x,y"``, given as shares of the picture's width and height.

    They go round clockwise from the corner of a1. Raises WebError if they can't be a board.
    """
    try:
        points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]
        top_left, top_right, bottom_right, bottom_left = points
    except ValueError:
        raise WebError(phrase("Put one mark on each of the four corners of the squares.")) from None
    corners = np.array(points)
    if (np.abs(corners - 0.5) <= 0.5 + MAX_OUTSIDE_SHARE).all():
        # how far each corner turns right: the area of the parallelogram it spans, as a share of the picture
        (x, y), (far_x, far_y) = ((np.roll(corners, -step, axis=0) - corners).T for step in (1, 2))
        turned = x * far_y - y * far_x
        if turned.min() > 0.0 and turned.mean() >= MIN_BOARD_SHARE:
            return top_left, top_right, bottom_right, bottom_left
    raise WebError(phrase("These corners don't make a board. Start at a1's corner and go clockwise."))


def _newest(game_id: int) -> Image:
    return app.cameras.require(game_id).camera.newest()


def _jpeg(image: Image) -> Response:
    return Response(encode_jpeg(image, 80), mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
