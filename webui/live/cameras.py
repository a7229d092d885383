"""The cameras of the house: which game has which, who watches through each, and what tables chose, kept on disk."""

from __future__ import annotations

import base64
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine import UpscoreError
from engine.wording import phrase
from vision.images import Image
from vision.video.motion import view_thumbnail
from webui.errors import CameraError, Outdated, WebError
from webui.live.camera import BaseCamera, Camera, CameraStatus, PhoneCamera, Source
from webui.live.hands_free import GivenCorners, HandsFree, Share
from webui.live.table_state import TableState
from webui.ports import Corners
from webui.storage.data_folder import load_side_file, save_side_file
from webui.table.games import Games

PHONE = "phone"
"""The label of a phone that sends its pictures to one game."""
_NO_CAMERA = phrase("This game has no camera. Start 'upscore serve' with --camera, or take a photo.")


FILE_NAME = "cameras.json"


@dataclass(frozen=True)
class CameraChoice:
    """The choice of a game's table: its camera's label, and whether play is hands-free."""

    camera: str = ""
    hands_free: bool = False


class CameraChoices:
    """The choices of all tables, in a file beside the games.

    An unreadable file is ignored, since no game depends on it.
    """

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


@dataclass(frozen=True)
class CameraView:
    """A game's camera as its page shows it. `labels` are those to choose from, empty if there is no choice."""

    label: str
    labels: tuple[str, ...]
    name: str
    status: CameraStatus
    state: TableState
    followed: bool
    dropped: int


class Cameras:
    """The cameras given to `serve`, and a phone's for each game that uses one. `start` them, `close` them when done.

    `watcher` makes the hands-free watcher for a camera with a label.
    """

    def __init__(
        self,
        sources: tuple[Source, ...],
        choices: CameraChoices,
        games: Games,
        watcher: Callable[[str, BaseCamera], HandsFree],
        on_status: Callable[[], None],
    ) -> None:
        self._choices, self._games, self._watcher, self._on_status = choices, games, watcher, on_status
        self._lock = threading.Lock()
        self._choosing = threading.RLock()
        self._phones: dict[int, tuple[PhoneCamera, HandsFree]] = {}
        self._watchers = {each.label: watcher(each.label, Camera(each, on_status=on_status)) for each in sources}

    def start(self) -> None:
        """Begin to read the cameras, and again follow the games that were followed when the program stopped."""
        for each in self._watchers.values():
            each.camera.start()
            each.start()
        for game_id, choice in self._choices.games().items():
            chosen = self.of(game_id)
            if choice.hands_free and chosen is not None and self._is_under_way(game_id):
                chosen.follow(game_id)

    def close(self) -> None:
        """Stop all cameras and watchers."""
        for each in (*self._watchers.values(), *(each for _, each in self._phones.values())):
            each.close()
            each.camera.close()

    def of(self, game_id: int) -> HandsFree | None:
        """Return the watcher of a game, with the camera that its table chose, or the first; None if there is none."""
        label = self._choices.of(game_id).camera
        if label == PHONE:
            phone = self._phones.get(game_id)
            return None if phone is None else phone[1]
        return self._watchers.get(label) or next(iter(self._watchers.values()), None)

    def require(self, game_id: int) -> HandsFree:
        """Return the watcher of a game with its camera; raises CameraError if it has none."""
        watcher = self.of(game_id)
        if watcher is None:
            raise CameraError(_NO_CAMERA)
        return watcher

    def choose(self, game_id: int, label: str) -> None:
        """Give a game this camera; hands-free play goes on with it. Raises WebError for an unknown label."""
        if label != PHONE and label not in self._watchers:
            raise WebError(phrase("There is no such camera: choose one from the list."))
        with self._choosing:
            before = self.of(game_id)
            followed = before is not None and before.game_id == game_id
            if before is not None and followed:
                before.follow(None)
            if label == PHONE:
                self._phone(game_id)
            self._choices.choose(game_id, CameraChoice(label, followed))
            if followed:
                self._take_over(self.require(game_id), game_id)

    def follow(self, game_id: int, *, on: bool) -> None:
        """Begin or end hands-free play in a game."""
        with self._choosing:
            watcher = self.require(game_id)
            self._choices.choose(game_id, replace(self._choices.of(game_id), hands_free=on))
            if on:
                self._take_over(watcher, game_id)
            elif watcher.game_id == game_id:
                watcher.follow(None)

    def phone_begins(self, game_id: int) -> str:
        """Make a phone the game's camera, and return the name under which it has to send frames."""
        with self._choosing:
            camera = self._phone_in_use(game_id)
            camera.sender = secrets.token_hex(8)
            return camera.sender

    def phone_sends(self, game_id: int, image: Image, sender: str | None = None) -> None:
        """Take a picture, (h, w, 3) BGR, that a phone has sent of a game's board.

        A phone that comes back after a break goes on as the game's camera.

        :raises Outdated: if the table has chosen another camera or another phone since.
        """
        with self._lock:
            camera = self._phones[game_id][0] if game_id in self._phones else None
        if camera is None or self._choices.of(game_id).camera != PHONE:
            with self._choosing:  # not for every picture, since this waits while boards are being read
                if self._choices.of(game_id).camera not in ("", PHONE):
                    raise Outdated(phrase("The table uses another camera now."))
                camera = self._phone_in_use(game_id)
        if camera.sender is None:
            camera.sender = sender
        if camera.sender != sender:
            raise Outdated(phrase("Another phone is the camera now."))
        camera.put(image)

    def leave_phones(self) -> None:
        """Close the phones' cameras of games that are over or deleted. A phone that sends again gets a new one."""
        with self._lock:
            ended = [game_id for game_id in self._phones if not self._is_under_way(game_id)]
            phones = [self._phones.pop(game_id) for game_id in ended]
        for camera, watcher in phones:
            watcher.close()
            camera.close()

    def corners(self, game_id: int, image: Image) -> Corners | None:
        """Return the corners that a person gave for a game's board; None without any, or if the camera has moved."""
        given = self._choices.corners(*self._label_and_size(game_id))
        return None if given is None or given.is_elsewhere(image) else given.corners

    def give_corners(self, game_id: int, corners: tuple[Share, Share, Share, Share] | None) -> None:
        """Keep corners that a person gave until the camera moves; None forgets them."""
        watcher = self.require(game_id)
        given = None if corners is None else GivenCorners(corners, view_thumbnail(watcher.camera.newest()))
        self._choices.give(*self._label_and_size(game_id), given)
        if watcher.game_id == game_id:
            watcher.follow(game_id)

    def view(self, game_id: int) -> CameraView | None:
        """Return a game's camera as its page shows it; None if it has none."""
        watcher = self.of(game_id)
        if watcher is None:
            return None
        label, camera = self._label(game_id), watcher.camera
        followed = watcher.game_id == game_id
        state = watcher.state if followed else TableState()
        labels = (*self._watchers, *((PHONE,) if label == PHONE else ()))
        choices = labels if len(labels) > 1 else ()
        return CameraView(label, choices, camera.name, camera.status, state, followed, camera.dropped)

    def _take_over(self, watcher: HandsFree, game_id: int) -> None:
        """Let a watcher follow this game. Note that it left its old game, so that a restart doesn't go back to that."""
        other = watcher.game_id
        if other is not None and other != game_id:
            self._choices.choose(other, replace(self._choices.of(other), hands_free=False))
        watcher.follow(game_id)

    def _phone_in_use(self, game_id: int) -> PhoneCamera:
        """Make the phone's camera the game's, and return it."""
        chosen, is_new = self._choices.of(game_id), game_id not in self._phones
        if is_new:
            self.leave_phones()
        if chosen.camera != PHONE:
            self.choose(game_id, PHONE)
        camera = self._phone(game_id)
        if is_new and chosen == CameraChoice(PHONE, hands_free=True):
            self.require(game_id).follow(game_id)
        return camera

    def _phone(self, game_id: int) -> PhoneCamera:
        with self._lock:
            if game_id not in self._phones:
                camera = PhoneCamera(self._on_status)
                watcher = self._watcher(f"{PHONE}-{game_id}", camera)
                watcher.start()
                self._phones[game_id] = camera, watcher
            return self._phones[game_id][0]

    def _label(self, game_id: int) -> str:
        chosen = self._choices.of(game_id).camera
        return chosen if chosen == PHONE or chosen in self._watchers else next(iter(self._watchers), "")

    def _label_and_size(self, game_id: int) -> tuple[str, int]:
        """Return the label under which corners are kept, and the number of rows of the game's board."""
        label = self._label(game_id)
        return f"{PHONE}-{game_id}" if label == PHONE else label, self._games.open(game_id).game.setup.edition.size

    def _is_under_way(self, game_id: int) -> bool:
        try:
            return self._games.open(game_id).game.ended is None
        except UpscoreError:
            return False
