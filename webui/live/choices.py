"""The choices about cameras, kept on disk: each game's camera, hands-free play, and corners that people gave."""

from __future__ import annotations

import base64
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.video.motion import Thumbnail
from webui.storage.data_folder import load_side_file, save_side_file

FILE_NAME = "cameras.json"

Share = tuple[float, float]
"""A place in a picture: x as a share of its width, y of its height."""


@dataclass(frozen=True)
class GivenCorners:
    """Corners that a person gave: TL, TR, BR, BL with the letters upright, as shares of the picture's width and height.

    `view` is what the camera saw then. The corners hold while it sees the same.
    """

    corners: tuple[Share, Share, Share, Share]
    view: Thumbnail = field(compare=False)


@dataclass(frozen=True)
class CameraChoice:
    """The choice of a game's table: its camera's label, and whether play is hands-free."""

    camera: str = ""
    hands_free: bool = False


class CameraChoices:
    """The choices, in a file beside the games. A file that cannot be read is ignored, since no game depends on it."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / FILE_NAME
        self._lock = threading.Lock()
        stored = load_side_file(self._path, _load, "cameras have to be chosen again")
        self._games, self._corners = stored or ({}, {})

    def of(self, game_id: int) -> CameraChoice:
        """Return the choice of a game's table."""
        return self._games.get(game_id, CameraChoice())

    def choose(self, game_id: int, choice: CameraChoice) -> None:
        """Keep the choice of a game's table."""
        with self._lock:
            self._games[game_id] = choice
            self._save()

    def games(self) -> Mapping[int, CameraChoice]:
        """Return the choices of all games."""
        return dict(self._games)

    def corners(self, camera: str, size: int) -> GivenCorners | None:
        """Return the corners that a person gave for a board of `size` rows under a camera, or None."""
        return self._corners.get(f"{camera}/{size}")

    def give(self, camera: str, size: int, corners: GivenCorners | None) -> None:
        """Keep corners for a board of `size` rows under a camera; None forgets them."""
        with self._lock:
            if corners is None:
                self._corners.pop(f"{camera}/{size}", None)
            else:
                self._corners[f"{camera}/{size}"] = corners
            self._save()

    def _save(self) -> None:
        games = {str(at): asdict(choice) for at, choice in self._games.items()}
        corners = {key: _dump_corners(given) for key, given in self._corners.items()}
        lost = "choices about cameras are lost at a restart"
        save_side_file(self._path, {"games": games, "corners": corners}, lost)


def _load(data: dict[str, Any]) -> tuple[dict[int, CameraChoice], dict[str, GivenCorners]]:
    games = {int(key): CameraChoice(str(c["camera"]), bool(c["hands_free"])) for key, c in data["games"].items()}
    return games, {key: _load_corners(value) for key, value in data["corners"].items()}


def _dump_corners(given: GivenCorners) -> dict[str, Any]:
    _, png = cv2.imencode(".png", given.view)
    return {"corners": given.corners, "view": base64.b64encode(png.tobytes()).decode("ascii")}


def _load_corners(data: dict[str, Any]) -> GivenCorners:
    top_left, top_right, bottom_right, bottom_left = ((float(x), float(y)) for x, y in data["corners"])
    png = np.frombuffer(base64.b64decode(data["view"]), dtype=np.uint8)
    view = cv2.imdecode(png, cv2.IMREAD_GRAYSCALE)
    if view is None:
        raise ValueError("a view that is no picture")
    return GivenCorners((top_left, top_right, bottom_right, bottom_left), np.asarray(view, dtype=np.uint8))
