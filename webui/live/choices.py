"""Which camera each game has, whether its turns are taken hands-free, and corners that were given: kept on disk."""

from __future__ import annotations

import base64
import json
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.atomic_file import write_atomically
from vision.video.motion import Thumbnail

_LOG = logging.getLogger(__name__)

FILE_NAME = "cameras.json"

Share = tuple[float, float]


@dataclass(frozen=True)
class GivenCorners:
    """Corners that a person gave: TL, TR, BR, BL with the letters upright, as shares of the picture's width and height.

    `view` is what the camera saw then; they hold for as long as it sees the same.
    """

    corners: tuple[Share, Share, Share, Share]
    view: Thumbnail = field(compare=False)


@dataclass(frozen=True)
class Choice:
    """What a game's table chose: its camera's label, and whether turns are taken by themselves."""

    camera: str = ""
    hands_free: bool = False


class CameraChoices:
    """The choices, in a file beside the games; a file that cannot be read counts as none, for nothing hangs on it."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / FILE_NAME
        self._lock = threading.Lock()
        self._games: dict[int, Choice] = {}
        self._corners: dict[str, GivenCorners] = {}
        try:
            self._load(json.loads(self._path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            _LOG.warning("%s is left aside: %s", self._path, error)

    def of(self, game_id: int) -> Choice:
        """What the table of a game chose."""
        return self._games.get(game_id, Choice())

    def choose(self, game_id: int, choice: Choice) -> None:
        """Keep what the table of a game chose."""
        with self._lock:
            self._games[game_id] = choice
            self._save()

    def games(self) -> Mapping[int, Choice]:
        """The choices of all games."""
        return dict(self._games)

    def corners(self, camera: str, size: int) -> GivenCorners | None:
        """The corners that were given for a board of `size` rows under a camera."""
        return self._corners.get(f"{camera}/{size}")

    def give(self, camera: str, size: int, corners: GivenCorners | None) -> None:
        """Keep corners for such a board under a camera, or forget them."""
        with self._lock:
            if corners is None:
                self._corners.pop(f"{camera}/{size}", None)
            else:
                self._corners[f"{camera}/{size}"] = corners
            self._save()

    def _load(self, data: dict[str, Any]) -> None:
        games = {
            int(key): Choice(str(c["camera"]), bool(c["hands_free"])) for key, c in data["games"].items()
        }
        corners = {key: _loaded(value) for key, value in data["corners"].items()}
        self._games, self._corners = games, corners

    def _save(self) -> None:
        games = {
            str(at): {"camera": choice.camera, "hands_free": choice.hands_free}
            for at, choice in self._games.items()
        }
        corners = {key: _dumped(given) for key, given in self._corners.items()}
        try:
            write_atomically(
                self._path, json.dumps({"games": games, "corners": corners}).encode(), mode=0o600
            )
        except OSError as error:
            _LOG.warning("%s cannot be written, so what was chosen is not kept: %s", self._path, error)


def _dumped(given: GivenCorners) -> dict[str, Any]:
    _, png = cv2.imencode(".png", given.view)
    return {"corners": given.corners, "view": base64.b64encode(png.tobytes()).decode("ascii")}


def _loaded(data: dict[str, Any]) -> GivenCorners:
    top_left, top_right, bottom_right, bottom_left = ((float(x), float(y)) for x, y in data["corners"])
    png = np.frombuffer(base64.b64decode(data["view"]), dtype=np.uint8)
    view = cv2.imdecode(png, cv2.IMREAD_GRAYSCALE)
    if view is None:
        raise ValueError("a view that is no picture")
    return GivenCorners((top_left, top_right, bottom_right, bottom_left), np.asarray(view, dtype=np.uint8))
