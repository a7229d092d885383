"""The camera thread: the newest frame, a lost camera, a video that ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from webkit import picture

from vision.images import Image
from webui.errors import CameraError, WebError
from webui.live import camera as capture
from webui.live.camera import Camera, parse_source, shown_source


class Fake:
    """A capture that gives the frames it was made with, then none; `blocks` makes it wait after them instead."""

    def __init__(self, frames: list[Image], *, opens: bool = True, blocks: bool = False) -> None:
        self.frames, self.opens, self.blocks, self.released = frames, opens, blocks, False

    def isOpened(self) -> bool:
        return self.opens

    def read(self) -> tuple[bool, Image]:
        if self.frames:
            return True, self.frames.pop(0)
        if self.blocks:
            time.sleep(0.01)
            return True, np.full((4, 4, 3), 9, np.uint8)
        return False, np.empty(0, np.uint8)

    def get(self, prop: int) -> float:
        return 30.0

    def release(self) -> None:
        self.released = True


@pytest.fixture
def started() -> Iterator[Callable[..., Camera]]:
    cameras: list[Camera] = []

    def start(source: str, **settings: object) -> Camera:
        camera = Camera(source, **settings)  # type: ignore[arg-type]
        cameras.append(camera)
        camera.start()
        return camera

    yield start
    for camera in cameras:
        camera.close()


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline, "it did not come about within 5 seconds"
        time.sleep(0.005)


def test_sources() -> None:
    assert parse_source("0") == 0
    assert parse_source("rtsp://user:secret@10.0.0.2/live") == "rtsp://user:secret@10.0.0.2/live"
    assert shown_source("rtsp://user:secret@10.0.0.2/live") == "rtsp://10.0.0.2/live"
    with pytest.raises(WebError, match="no camera source"):
        parse_source("/nowhere/video.mp4")
    with pytest.raises(WebError) as refused:
        parse_source("ftp://user:secret@host/x")
    assert "secret" not in str(refused.value)


def test_the_newest_frame_is_given(started: Callable[..., Camera]) -> None:
    camera = started("0", opener=lambda _: Fake([picture()], blocks=True))
    until(lambda: camera.status.state == "live")
    until(lambda: camera.newest().shape == (4, 4, 3))


def test_a_camera_that_cannot_be_opened_says_so_and_is_tried_again(started: Callable[..., Camera]) -> None:
    tries: list[Fake] = []

    def opener(_: int | str) -> Fake:
        tries.append(Fake([], opens=len(tries) >= 2, blocks=True))
        return tries[-1]

    told: list[int] = []
    camera = started("0", opener=opener, retry_s=(0.01, 0.02), on_status=lambda: told.append(1))
    until(lambda: camera.status.state == "live")
    assert len(tries) == 3
    assert len(told) == 2, "it is told once that the camera is lost, and once that it is live"
    assert all(tried.released for tried in tries[:2])


def test_no_turn_is_taken_from_a_stale_frame(
    started: Callable[..., Camera], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "MAX_AGE_S", 0.02)
    camera = started("0", opener=lambda _: Fake([picture()]), retry_s=(30.0, 30.0))
    until(lambda: camera.status.state == "lost")
    time.sleep(0.03)
    with pytest.raises(CameraError, match="seconds old"):
        camera.newest()


class Stuck(Fake):
    """A capture whose read hangs after its frames, until it is let go."""

    def __init__(self, frames: list[Image]) -> None:
        super().__init__(frames)
        self.let_go = threading.Event()

    def read(self) -> tuple[bool, Image]:
        if not self.frames:
            self.let_go.wait(5)
            self.frames.append(picture())
        return super().read()


def test_a_camera_that_hangs_is_lost_until_it_sends_again(
    started: Callable[..., Camera], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "MAX_AGE_S", 0.02)
    device = Stuck([picture()])
    told: list[int] = []
    camera = started("0", opener=lambda _: device, on_status=lambda: told.append(1))
    until(lambda: camera.status.state == "live")
    time.sleep(0.03)
    with pytest.raises(CameraError, match="stopped sending"):
        camera.newest()
    assert camera.status.state == "lost"
    device.let_go.set()
    until(lambda: camera.status.state == "live")
    assert len(told) >= 3, "live, lost, live"


def test_before_the_first_frame_there_is_none(started: Callable[..., Camera]) -> None:
    camera = started("0", opener=lambda _: Fake([], opens=False), retry_s=(30.0, 30.0))
    until(lambda: camera.status.state == "lost")
    with pytest.raises(CameraError, match="no picture"):
        camera.newest()


def test_the_last_frame_of_a_video_stays(tmp_path: Path, started: Callable[..., Camera]) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 100.0, (64, 48))
    for shade in (0, 120, 240):
        writer.write(np.full((48, 64, 3), shade, np.uint8))
    writer.release()
    camera = started(str(path))
    until(lambda: camera.status.state == "ended")
    assert camera.newest().shape == (48, 64, 3)
    assert abs(float(camera.newest().mean()) - 240) < 5


def test_a_file_that_is_no_video_says_so(tmp_path: Path, started: Callable[..., Camera]) -> None:
    (tmp_path / "notes.mp4").write_text("not a video")
    camera = started(
        str(tmp_path / "notes.mp4"), opener=lambda _: Fake([], opens=False), retry_s=(30.0, 30.0)
    )
    until(lambda: camera.status.state == "lost")
    assert "has no pictures in it" in camera.status.text
