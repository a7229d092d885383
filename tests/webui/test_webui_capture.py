"""Cameras: their sources, the newest frame, those that stall, are lost and come back, and films on their own clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from clockkit import Clock
from presencekit import there
from webkit import picture, until

from vision import Video
from vision.images import Image
from webui.errors import CameraError, WebError
from webui.live import camera as reading
from webui.live.background import RestartingThread
from webui.live.camera import (
    BaseCamera,
    Camera,
    Frame,
    PhoneCamera,
    Source,
    camera_names,
    open_source,
    parse_source,
    parse_sources,
)
from webui.live.network import NoFilm


class Fake:
    """A capture that gives the frames it was made with, then none; `blocks` makes it go on with grey ones instead."""

    def __init__(self, images: list[Image], *, opens: bool = True, blocks: bool = False) -> None:
        self.images, self.opens, self.blocks, self.released = images, opens, blocks, False

    def isOpened(self) -> bool:
        return self.opens

    def grab(self) -> bool:
        if not self.images and self.blocks:
            time.sleep(0.01)
        return bool(self.images) or self.blocks

    def retrieve(self) -> tuple[bool, Image]:
        return True, self.images.pop(0) if self.images else np.full((4, 4, 3), 9, np.uint8)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def started() -> Iterator[Callable[..., Camera]]:
    cameras: list[Camera] = []

    def start(source: str, **settings: object) -> Camera:
        camera = Camera(parse_source(source), pace_s=0.0, **settings)  # type: ignore[arg-type]
        cameras.append(camera)
        camera.start()
        return camera

    yield start
    for camera in cameras:
        camera.close()


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Thirty frames at a hundred a second, (48, 64), each of another grey."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 100.0, (64, 48))
    for number in range(30):
        writer.write(np.full((48, 64, 3), 8 * number, np.uint8))
    writer.release()
    return path


def test_sources(film: Path) -> None:
    assert (parse_source("0").address, parse_source("0").name) == (0, "the webcam")
    stream = parse_source("rtsp://user:secret@10.0.0.2/live")
    assert (stream.address, stream.name) == ("rtsp://user:secret@10.0.0.2/live", "the network camera")
    assert (parse_source(str(film)).kind, parse_source(str(film)).name) == ("film", "the film")
    labelled = parse_source("B=http://10.0.0.3/?stream=1")
    assert (labelled.label, labelled.address, labelled.name) == ("B", "http://10.0.0.3/?stream=1", "camera B")
    assert parse_source("http://10.0.0.3/?stream=1").label == ""
    plugged = parse_source("A=/dev/v4l/by-id/usb-Webcam_C920-video-index0")
    assert (plugged.kind, plugged.address) == ("webcam", "/dev/v4l/by-id/usb-Webcam_C920-video-index0")
    with pytest.raises(WebError, match="isn't a camera source"):
        parse_source("/nowhere/video.mp4")
    with pytest.raises(WebError) as refused:
        parse_source("ftp://user:secret@host/x")
    assert "secret" not in str(refused.value)


def test_a_webcam_is_found_by_its_name(tmp_path: Path) -> None:
    for number, name in ((10, "Desk Cam"), (0, "HD Pro Webcam C920"), (1, "HD Pro Webcam C920")):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(f"{name}\n")
    names = camera_names(tmp_path)
    assert names == {0: "HD Pro Webcam C920", 1: "HD Pro Webcam C920", 10: "Desk Cam"}
    assert parse_source("Table=c920", names, "linux") == Source("Table", "webcam", "HD Pro Webcam C920")
    assert parse_source("desk", names, "linux") == Source("", "webcam", "Desk Cam")
    with pytest.raises(WebError, match="fits several cameras"):
        parse_source("cam", names, "linux")
    for unknown in ("Kitchen Cam", "A=", ""):
        with pytest.raises(WebError, match="upscore doctor"):
            parse_source(unknown, names, "linux")


def test_a_webcam_given_by_its_name_is_found_again_when_it_was_replugged(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged = {0: "Desk Cam", 2: "HD Pro Webcam C920"}
    opened: list[int] = []
    statuses: list[str] = []

    def open_number(number: int) -> Fake:
        opened.append(number)
        return Fake([np.full((4, 4, 3), 5, np.uint8)])

    def note() -> None:
        statuses.append(camera.status.text)
        if statuses[-1].startswith("The webcam sends no more pictures: "):
            del plugged[2]
        elif statuses[-1].startswith("The webcam cannot be opened. Upscore keeps trying"):
            plugged[3] = "HD Pro Webcam C920"

    monkeypatch.setattr(reading, "camera_names", lambda: plugged)
    monkeypatch.setattr(cv2, "VideoCapture", open_number)
    camera = Camera(
        parse_source("c920", system="linux"),
        opener=lambda address: open_source(address, "linux"),
        pauses_s=(0.01, 0.02),
        on_status=note,
    )
    camera.start()
    until = time.monotonic() + 30.0
    while len(opened) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    camera.close()
    assert opened[:2] == [2, 3]
    assert any("The webcam cannot be opened" in text for text in statuses)


@pytest.mark.parametrize(
    ("system", "opened"), [("win32", ("video=Desk Cam", "dshow")), ("darwin", ("Desk Cam:none", "avfoundation"))]
)
def test_windows_and_macos_open_a_webcam_by_its_name(
    monkeypatch: pytest.MonkeyPatch, system: str, opened: tuple[str, str]
) -> None:
    asked: list[tuple[str, object]] = []

    def open_device(address: str, **more: object) -> None:
        asked.append((address, more["format"]))
        raise av.error.ExitError(1, "no such camera")

    monkeypatch.setattr(av, "open", open_device)
    source = parse_source("Desk Cam", {}, system)
    assert source == Source("", "webcam", "Desk Cam")
    with pytest.raises(NoFilm, match="gives no pictures"):
        open_source(source.address, system)
    assert asked == [opened]
    with pytest.raises(WebError, match="isn't a camera source"):
        parse_source("no/film.mp4", {}, system)


def test_a_webcam_is_opened_by_the_path_that_it_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[object, ...]] = []
    monkeypatch.setattr(cv2, "VideoCapture", lambda *source: opened.append(source))
    open_source("/dev/v4l/by-id/usb-Webcam_C920-video-index0")
    assert opened == [("/dev/v4l/by-id/usb-Webcam_C920-video-index0", cv2.CAP_V4L2)]


def test_several_cameras_have_a_name_each() -> None:
    assert [source.label for source in parse_sources(("A=0", "B=1"))] == ["A", "B"]
    assert [source.label for source in parse_sources(("0",))] == [""]
    for wrong in (("0", "1"), ("A=0", "A=1"), ("A=0", "1")):
        with pytest.raises(WebError, match="need a name each"):
            parse_sources(wrong)


def test_the_newest_frame_is_given(started: Callable[..., Camera]) -> None:
    camera = started("0", opener=lambda _: Fake([picture()], blocks=True))
    until(lambda: camera.status.state == "live")
    until(lambda: camera.newest().shape == (4, 4, 3))


def test_a_grey_picture_is_taken_as_one_in_colour(started: Callable[..., Camera]) -> None:
    camera = started("0", opener=lambda _: Fake([np.zeros((4, 6), np.uint8)]), pauses_s=(30.0, 30.0))
    until(lambda: camera.status.state == "lost")
    assert camera.newest().shape == (4, 6, 3)


def test_a_camera_that_cannot_be_opened_says_so_and_is_tried_again(started: Callable[..., Camera]) -> None:
    tries: list[Fake] = []

    def opener(_: object) -> Fake:
        tries.append(Fake([], opens=len(tries) >= 3, blocks=True))
        return tries[-1]

    told: list[str] = []
    camera = started("0", opener=opener, pauses_s=(0.01, 0.02), on_status=lambda: told.append(""))
    until(lambda: camera.status.state == "live")
    assert len(tries) == 4
    until(lambda: len(told) >= 3)
    assert len(told) == 3, "the page hears once that it is lost, once that it is tried again, and once that it is live"
    assert all(tried.released for tried in tries[:3])


def test_what_breaks_a_decoder_or_a_driver_is_survived(started: Callable[..., Camera]) -> None:
    troubles: list[Exception] = [cv2.error("bad picture"), RuntimeError("driver")]

    class Breaking(Fake):
        def retrieve(self) -> tuple[bool, Image]:
            if troubles:
                raise troubles.pop(0)
            return super().retrieve()

    camera = started("0", opener=lambda _: Breaking([], blocks=True), pauses_s=(0.01, 0.02))
    until(lambda: camera.status.state == "live")
    assert troubles == []


def test_a_damaged_film_says_at_its_end_how_much_could_not_be_seen(
    started: Callable[..., Camera], film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def frames(video: Video) -> Iterator[tuple[float, Image]]:
        yield 0.0, picture()
        video.length, video.unseen = 142.2, 31.4

    monkeypatch.setattr(Video, "frames", frames)
    camera = started(str(film))
    until(lambda: camera.status.state == "ended")
    fault = "The film is damaged: of 142 s, 31 s could not be seen. Copy it again, or check the turns."
    assert camera.status.fault == fault
    assert camera.status.text == f"The film has ended; its last picture stays. {fault}"


class Damaged(Fake):
    """A capture of which only each `every`-th picture is whole, none if that is 0."""

    def __init__(self, every: int) -> None:
        super().__init__([], blocks=True)
        self.every, self.count = every, 0

    def retrieve(self) -> tuple[bool, Image]:
        self.count += 1
        is_whole = bool(self.every) and self.count % self.every == 0
        return is_whole, np.full((4, 4, 3), 9 if is_whole else 0, np.uint8)


def test_damaged_pictures_are_dropped_and_the_camera_goes_on(started: Callable[..., Camera]) -> None:
    tries: list[Fake] = []

    def opener(_: int | str) -> Fake:
        tries.append(Damaged(every=3))
        return tries[-1]

    camera = started("0", opener=opener)
    camera.watch(True)
    frames = [frame for _ in range(9) if (frame := camera.next(1.0)) is not None]
    assert {int(frame.image[0, 0, 0]) for frame in frames} == {9}
    assert len(tries) == 1


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            "0",
            "The webcam cannot be opened. Upscore keeps trying: check that it is plugged in, and not in use elsewhere.",
        ),
        (
            "http://10.0.0.3/film",
            "The network camera sends damaged pictures. Upscore keeps trying: check its cable or its Wi-Fi, or switch "
            "it off and on.",
        ),
    ],
)
def test_a_camera_that_sends_no_whole_picture_is_told_by_its_kind(
    started: Callable[..., Camera], source: str, told: str
) -> None:
    camera = started(source, opener=lambda _: Damaged(every=0), pauses_s=(0.01, 0.02))
    until(lambda: camera.status.state == "reconnecting")
    assert camera.status.text == told


def test_no_turn_is_taken_from_a_stale_frame(started: Callable[..., Camera]) -> None:
    camera = started("0", opener=lambda _: Fake([picture()]), pauses_s=(30.0, 30.0), stalled_s=0.02)
    until(lambda: camera.status.state == "lost")
    time.sleep(0.03)
    with pytest.raises(CameraError, match="seconds old"):
        camera.newest()


class Stuck(Fake):
    """A capture that hangs after its frames, until it is let go."""

    def __init__(self, images: list[Image]) -> None:
        super().__init__(images)
        self.let_go = threading.Event()

    def grab(self) -> bool:
        if not self.images:
            self.let_go.wait(5)
            self.images.append(picture())
        return super().grab()


def test_a_camera_that_hangs_is_lost_until_it_sends_again(started: Callable[..., Camera]) -> None:
    device = Stuck([picture()])
    told: list[int] = []
    camera = started("0", opener=lambda _: device, stalled_s=0.02, on_status=lambda: told.append(1))
    until(lambda: len(told) == 1)
    time.sleep(0.03)
    assert camera.status.state == "lost", "nobody has asked for a frame"
    with pytest.raises(CameraError, match="No picture from"):
        camera.newest()
    with pytest.raises(CameraError, match="No picture from"):
        camera.next(0.0)
    device.let_go.set()
    until(lambda: len(told) >= 3)


def test_a_stalled_stream_is_noticed_within_three_seconds() -> None:
    assert reading.STALLED_S + 0.5 < 3.0, "with the time between two looks at it"


def test_before_the_first_frame_there_is_none(started: Callable[..., Camera]) -> None:
    camera = started("0", opener=lambda _: Fake([], opens=False), pauses_s=(30.0, 30.0))
    until(lambda: camera.status.state == "lost")
    with pytest.raises(CameraError, match="no picture"):
        camera.newest()


def test_late_frames_of_a_live_camera_give_way_and_are_counted() -> None:
    camera = BaseCamera("the webcam", lambda: None)
    camera.put_frame(Frame(picture(), 0.0))
    assert camera.dropped == 0, "nobody watches"
    camera.watch(True)
    for number in range(4):
        camera.put_frame(Frame(picture(), float(number)))
    frame = there(camera.next(0.0))
    assert (frame.time, camera.dropped) == (3.0, 3)
    assert camera.next(0.0) is None


def test_while_one_is_slow_a_few_frames_wait_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(0.0)
    monkeypatch.setattr(time, "monotonic", clock)
    camera = BaseCamera("the webcam", lambda: None)
    camera.watch(True)
    for number in range(6):
        clock.now = float(number)
        camera.put_frame(Frame(picture(), float(number)))
    assert [there(camera.next(0.0)).time for _ in range(4)] == [2.0, 3.0, 4.0, 5.0]
    assert (camera.next(0.0), camera.dropped) == (None, 2)


def test_of_a_phones_many_pictures_some_wait_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone sends each of them decoded already, more often than one may wait."""
    clock = Clock(0.0)
    monkeypatch.setattr(time, "monotonic", clock)
    camera = PhoneCamera()
    camera.watch(True)
    for number in range(9):
        clock.now = 0.2 * number
        camera.put(picture())
    assert [there(camera.next(0.0)).time for _ in range(3)] == pytest.approx([0.4, 1.0, 1.6])
    assert (camera.next(0.0), camera.dropped) == (None, 6)


def test_what_nobody_could_look_at_is_not_decoded(started: Callable[..., Camera]) -> None:
    capture = Fake([picture()] * 20_000)
    camera = started("0", opener=lambda _: capture)
    camera.watch(True)
    left = len(capture.images)
    until(lambda: camera.dropped > 100)
    assert left > 0
    assert left - len(capture.images) < camera.dropped / 10


def test_the_last_frame_of_a_film_stays(film: Path, started: Callable[..., Camera]) -> None:
    camera = started(str(film))
    until(lambda: camera.status.state == "ended")
    assert camera.newest().shape == (48, 64, 3)
    assert abs(float(camera.newest().mean()) - 8 * 29) < 5
    assert "table.avi" not in camera.status.text


def test_one_who_is_slow_sees_every_frame_of_a_film_at_its_own_time(film: Path, started: Callable[..., Camera]) -> None:
    camera = started(str(film))
    until(lambda: camera.status.state == "ended")
    camera.watch(True)
    seen: list[Frame] = []
    while len(seen) < 30:
        frame = camera.next(0.5)
        if frame is not None:
            seen.append(frame)
            time.sleep(0.03 if len(seen) % 7 == 0 else 0.0)
    assert [frame.time for frame in seen] == pytest.approx([number / 100 for number in range(30)])
    shades = [float(frame.image.mean()) for frame in seen]
    assert shades == pytest.approx([8.0 * number for number in range(30)], abs=5)
    assert camera.dropped == 0
    camera.watch(False)
    camera.watch(True)
    until(lambda: camera.status.state == "ended")
    with pytest.raises(CameraError, match="has ended"):  # it starts again only for the first watcher
        camera.next(0.05)


def test_a_file_that_is_no_film_says_so(tmp_path: Path, started: Callable[..., Camera]) -> None:
    (tmp_path / "notes.mp4").write_text("not a video")
    camera = started(str(tmp_path / "notes.mp4"))
    until(lambda: camera.status.state == "lost")
    assert "has no pictures" in camera.status.text
    assert "notes" not in camera.status.text


def test_a_phone_is_live_while_it_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(0.0)
    monkeypatch.setattr("webui.live.camera.time.monotonic", clock)
    phone = PhoneCamera()
    states: list[str] = [phone.status.state]
    phone.watch(True)
    phone.put(picture())
    states.append(phone.status.state)
    assert phone.next(0.0) is not None
    clock.now += reading.STALLED_S + 0.01
    assert [*states, phone.status.state] == ["connecting", "live", "lost"]


def test_a_thread_goes_on_after_any_failure() -> None:
    troubles: list[Exception] = [OSError("disk"), KeyError("x"), ValueError("y")]
    told: list[str] = []
    done = threading.Event()

    def body() -> None:
        if troubles:
            raise troubles.pop(0)
        done.set()

    def tell(error: Exception) -> None:
        told.append(type(error).__name__)
        raise RuntimeError("telling fails, too")

    thread = RestartingThread("test", body, tell, pauses_s=(0.001, 0.002))
    thread.start()
    assert done.wait(5)
    thread.close()
    assert told == ["OSError", "KeyError", "ValueError"]
