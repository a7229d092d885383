"""The cameras of the house: which there are, which game has which, and what watches through each."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine import UpscoreError
from vision.images import Image
from vision.video.motion import MOVED_SHARE, view_shift, view_thumbnail
from webui.errors import CameraError, Outdated, WebError
from webui.live.camera import Camera, PhoneCamera, Source
from webui.live.choices import CameraChoices, Choice, GivenCorners, Share
from webui.live.frames import CameraStatus, Watched
from webui.live.hands_free import HandsFree
from webui.live.table_state import TableState
from webui.ports import Corners
from webui.table.games import Tables

PHONE = "phone"
"""The label of a game's own camera: a phone that sends its pictures."""
_NO_CAMERA = "This game has no camera: start 'upscore serve' with --camera, or use a photograph."


@dataclass(frozen=True)
class CameraView:
    """What the page of a game shows of its camera.

    `label` is the chosen one's, `labels` those to choose from, empty where there is nothing to choose.
    """

    label: str
    labels: tuple[str, ...]
    name: str
    status: CameraStatus
    state: TableState
    followed: bool
    dropped: int


class Watch:
    """One camera and the one who watches through it."""

    def __init__(self, camera: Watched, hands_free: HandsFree) -> None:
        self.camera, self.hands_free = camera, hands_free

    def close(self) -> None:
        """Stop looking, and the camera."""
        self.hands_free.close()
        self.camera.close()


class Cameras:
    """The cameras that were given, and a phone's for each game that wants one. `start` them, `close` them when done.

    `watcher` makes the one who watches through a camera of a label.
    """

    def __init__(
        self, sources: tuple[Source, ...], choices: CameraChoices, tables: Tables,
        watcher: Callable[[str, Watched], HandsFree], on_status: Callable[[], None],
    ) -> None:  # fmt: skip
        self._choices, self._tables, self._watcher, self._on_status = choices, tables, watcher, on_status
        self._lock = threading.Lock()
        self._choosing = threading.RLock()
        self._phones: dict[int, tuple[PhoneCamera, Watch]] = {}
        self._given: dict[str, Watch] = {}
        for source in sources:
            camera = Camera(source, on_status=on_status)
            self._given[source.label] = Watch(camera, watcher(source.label, camera))

    def start(self) -> None:
        """Begin to read the cameras, and go on with the games that were followed when the program stopped."""
        for watch in self._given.values():
            watch.camera.start()
            watch.hands_free.start()
        for game_id, choice in self._choices.games().items():
            chosen = self.of(game_id)
            if choice.hands_free and chosen is not None and self._is_under_way(game_id):
                chosen.hands_free.follow(game_id)

    def close(self) -> None:
        """Stop them all."""
        for watch in (*self._given.values(), *(watch for _, watch in self._phones.values())):
            watch.close()

    def of(self, game_id: int) -> Watch | None:
        """The camera of a game: the one its table chose, or the first; None where there is none."""
        label = self._choices.of(game_id).camera
        if label == PHONE:
            phone = self._phones.get(game_id)
            return None if phone is None else phone[1]
        return self._given.get(label) or next(iter(self._given.values()), None)

    def needed(self, game_id: int) -> Watch:
        """The camera of a game; raises CameraError where it has none."""
        watch = self.of(game_id)
        if watch is None:
            raise CameraError(_NO_CAMERA)
        return watch

    def choose(self, game_id: int, label: str) -> None:
        """The game has this camera from now on; hands-free play goes on with it. Raises WebError for none such."""
        if label != PHONE and label not in self._given:
            raise WebError("There is no such camera: choose one from the list.")
        with self._choosing:
            before = self.of(game_id)
            followed = before is not None and before.hands_free.game_id == game_id
            if before is not None and followed:
                before.hands_free.follow(None)
            if label == PHONE:
                self._phone(game_id)
            self._choices.choose(game_id, Choice(label, followed))
            if followed:
                self._take_over(self.needed(game_id).hands_free, game_id)

    def follow(self, game_id: int, *, on: bool) -> None:
        """Turns of a game are taken hands-free from now on, or no longer."""
        with self._choosing:
            hands_free = self.needed(game_id).hands_free
            self._choices.choose(game_id, replace(self._choices.of(game_id), hands_free=on))
            if on:
                self._take_over(hands_free, game_id)
            elif hands_free.game_id == game_id:
                hands_free.follow(None)

    def phone_begins(self, game_id: int) -> str:
        """A phone is the game's camera from now on, whatever was before; it sends under the name that this gives."""
        with self._choosing:
            camera = self._phone_in_use(game_id)
            camera.sender = secrets.token_hex(8)
            return camera.sender

    def phone_sends(self, game_id: int, image: Image, sender: str | None = None) -> None:
        """A phone has sent a picture, (h, w, 3) BGR, of a game's board; one that comes back goes on as it was.

        Raises Outdated where the table has chosen another camera since, or another phone was begun with.
        """
        with self._lock:
            camera = self._phones[game_id][0] if game_id in self._phones else None
        if camera is None or self._choices.of(game_id).camera != PHONE:
            with self._choosing:  # not for every picture: this waits while boards are being read
                if self._choices.of(game_id).camera not in ("", PHONE):
                    raise Outdated("The table uses another camera now.")
                camera = self._phone_in_use(game_id)
        if camera.sender is None:
            camera.sender = sender
        if camera.sender != sender:
            raise Outdated("Another phone is the camera now.")
        camera.put(image)

    def leave_phones(self) -> None:
        """Close the phones' cameras of games that are over or gone; one that sends again is made anew."""
        with self._lock:
            over = [game_id for game_id in self._phones if not self._is_under_way(game_id)]
            left = [self._phones.pop(game_id) for game_id in over]
        for _, watch in left:
            watch.close()

    def corners(self, game_id: int, image: Image) -> Corners | None:
        """The corners that were given for a game's board under its camera; None where `image`, (h, w, 3) BGR, shows
        that it stands elsewhere by now."""
        given = self._choices.corners(*self._place(game_id))
        moved = given is not None and view_shift(given.view, view_thumbnail(image)) > MOVED_SHARE
        return None if given is None or moved else given.corners

    def give_corners(self, game_id: int, corners: tuple[Share, Share, Share, Share] | None) -> None:
        """Have corners hold until the camera moves; None: the board is found without."""
        watch = self.needed(game_id)
        given = None if corners is None else GivenCorners(corners, view_thumbnail(watch.camera.newest()))
        self._choices.give(*self._place(game_id), given)
        if watch.hands_free.game_id == game_id:
            watch.hands_free.follow(game_id)

    def view(self, game_id: int) -> CameraView | None:
        """What the page of a game shows of its camera, None where it has none."""
        watch = self.of(game_id)
        if watch is None:
            return None
        chosen = self._choices.of(game_id).camera
        label = chosen if chosen == PHONE or chosen in self._given else next(iter(self._given))
        followed = watch.hands_free.game_id == game_id
        state = watch.hands_free.state if followed else TableState()
        labels = (*self._given, *((PHONE,) if label == PHONE else ()))
        return CameraView(
            label, labels if len(labels) > 1 else (), watch.camera.name, watch.camera.status, state, followed,
            watch.camera.dropped,
        )  # fmt: skip

    def _take_over(self, hands_free: HandsFree, game_id: int) -> None:
        """One who watches follows this game now, so that after a restart no other is followed in its place."""
        other = hands_free.game_id
        if other is not None and other != game_id:
            self._choices.choose(other, replace(self._choices.of(other), hands_free=False))
        hands_free.follow(game_id)

    def _phone_in_use(self, game_id: int) -> PhoneCamera:
        """The phone's camera of a game, which is the game's from now on."""
        chosen, comes = self._choices.of(game_id), game_id not in self._phones
        if comes:
            self.leave_phones()
        if chosen.camera != PHONE:
            self.choose(game_id, PHONE)
        camera = self._phone(game_id)
        if comes and chosen == Choice(PHONE, hands_free=True):
            self.needed(game_id).hands_free.follow(game_id)
        return camera

    def _phone(self, game_id: int) -> PhoneCamera:
        with self._lock:
            if game_id not in self._phones:
                camera = PhoneCamera(self._on_status)
                watch = Watch(camera, self._watcher(f"{PHONE}-{game_id}", camera))
                watch.hands_free.start()
                self._phones[game_id] = camera, watch
            return self._phones[game_id][0]

    def _place(self, game_id: int) -> tuple[str, int]:
        """The camera's label, and how many rows the game's board has."""
        view = self.view(game_id)
        label = "" if view is None else view.label
        label = f"{PHONE}-{game_id}" if label == PHONE else label
        return label, self._tables.open(game_id).game.setup.edition.size

    def _is_under_way(self, game_id: int) -> bool:
        try:
            return self._tables.open(game_id).game.ended is None
        except UpscoreError:
            return False
