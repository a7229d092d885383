"""Films: whole ones, and those with wrong bytes in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import av
import cv2
import numpy as np
import pytest
from av.video.frame import PictureType, VideoFrame

from vision import Video
from vision.video.film import _referring, _upright

RATE, SECONDS, KEYS = 15, 6, 15
"""Frames a second, seconds, and frames from one that needs no other to the next."""


def write_film(path: Path, times: list[float]) -> Path:
    """Write a film with a frame at each of these times: something moves in front of a detailed background."""
    ground = np.random.default_rng(5).integers(0, 255, (240, 320, 3)).astype(np.uint8)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        stream.codec_context.options = {"g": str(KEYS), "bf": "2", "qscale": "3", "sc_threshold": "1000000000"}
        for number, time in enumerate(times):
            picture = ground.copy()
            picture[80:160, 3 * number % 240 : 3 * number % 240 + 80] = (20, 200, 90)
            frame = VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = round(time * 1000), Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return write_film(tmp_path / "film.mp4", [k / RATE for k in range(RATE * SECONDS)])


def damage(film: Path, offset: int) -> Path:
    """Return a copy with five wrong bytes somewhere in the middle, as when packets were lost."""
    data = bytearray(film.read_bytes())
    for at in range(len(data) // 2 + offset, len(data) // 2 + offset + 100, 20):
        data[at] ^= 0x5A
    copy = film.with_name(f"damaged-{offset}.mp4")
    copy.write_bytes(bytes(data))
    return copy


def test_of_a_whole_film_every_frame_is_seen(film: Path) -> None:
    video = Video(film)
    times = [time for time, _ in video.frames()]
    assert times == pytest.approx([k / RATE for k in range(RATE * SECONDS)], abs=0.002)
    assert (video.unseen, video.missing) == (0.0, 0.0)
    assert video.length == pytest.approx(SECONDS, abs=0.1)


@pytest.mark.parametrize("offset", [0, *(pytest.param(at, marks=pytest.mark.slow) for at in (5000, 10000))])
def test_no_picture_of_a_damaged_film_differs_from_that_of_the_whole_film(
    film: Path, offset: int, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = {round(time, 2): image for time, image in Video(film).frames()}
    video, count = Video(damage(film, offset)), 0
    for time, image in video.frames():
        count += 1
        assert np.array_equal(image, whole[round(time, 2)])
    assert count < len(whole)
    assert video.unseen == pytest.approx((len(whole) - count) / RATE, abs=0.1)
    assert video.unseen <= 2 * KEYS / RATE + 0.1
    assert video.missing == 0.0
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", ["film.mp4", "film.mkv"])
def test_a_film_whose_frame_rate_varies_is_not_cut_off(tmp_path: Path, name: str) -> None:
    times = [k / RATE for k in range(RATE * SECONDS) if k < 45 or not k % 3]
    video = Video(write_film(tmp_path / name, times))
    assert [time for time, _ in video.frames()] == pytest.approx(times, abs=0.002)
    assert (video.unseen, video.missing) == (0.0, 0.0)
    assert video.length == pytest.approx(SECONDS, abs=0.3)


def motion_jpeg(path: Path, pictures: list[bytes]) -> Path:
    """Write a film of these JPEGs."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mjpeg", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = 640, 480, "yuvj420p"
        for number, data in enumerate(pictures):
            packet = av.Packet(data)
            packet.stream, packet.pts, packet.dts = stream, number, number
            packet.time_base = Fraction(1, RATE)
            container.mux(packet)
    return path


def jpegs(count: int, *, lamp: int = 0) -> list[bytes]:
    """Return pictures of a noisy camera: a hand comes and goes, and a lamp lights the lower half of every other one."""
    random = np.random.default_rng(7)
    ground = cv2.resize(random.integers(40, 200, (24, 32, 3)).astype(np.uint8), (640, 480))
    noise = random.integers(-6, 7, (520, 680, 3))
    pictures = []
    for number in range(count):
        picture = ground + noise[number % 40 :, number % 37 :][:480, :640]
        picture[150:, 12 * number % 400 : 12 * number % 400 + 150] = (60, 90, 160)
        picture[240:] += lamp * (number % 2)
        _, data = cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8))
        pictures.append(data.tobytes())
    return pictures


def flip(data: bytes, at: int) -> bytes:
    """Return a JPEG with a wrong byte."""
    return data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :]


@pytest.mark.slow
def test_frames_of_motion_jpeg_that_decode_without_an_error_though_they_are_spoilt_are_left_out(tmp_path: Path) -> None:
    pictures = jpegs(40)
    whole = {round(time, 2): image for time, image in Video(motion_jpeg(tmp_path / "whole.avi", pictures)).frames()}
    pictures[3] = pictures[3][:5000]  # the decoder says so
    for number in range(8, 36, 4):
        pictures[number] = flip(pictures[number], 4000 + 700 * number % 12000)
    video = Video(motion_jpeg(tmp_path / "spoilt.avi", pictures))
    shown = {round(time, 2): image for time, image in video.frames()}
    for time, image in shown.items():
        assert np.mean(np.abs(image.astype(int) - whole[time]) > 30) < 0.01
    assert 32 <= len(shown) < 40
    assert video.unseen == pytest.approx((40 - len(shown)) / RATE, abs=0.01)


@pytest.mark.parametrize("lamp", [0, 25])
def test_of_a_whole_film_of_motion_jpeg_every_frame_is_seen(tmp_path: Path, lamp: int) -> None:
    video = Video(motion_jpeg(tmp_path / "whole.avi", jpegs(20, lamp=lamp)))
    assert len(list(video.frames())) == 20
    assert (video.unseen, video.missing) == (0.0, 0.0)


@pytest.mark.parametrize(
    "sent",
    [
        lambda data: data + bytes(700),
        lambda data: data.removesuffix(b"\xff\xd9"),
        lambda data: data.removesuffix(b"\xff\xd9") + bytes(700),
    ],
    ids=["padded", "no end mark", "no end mark, padded"],
)
def test_motion_jpeg_as_webcams_send_it_loses_no_frame(tmp_path: Path, sent: Callable[[bytes], bytes]) -> None:
    video = Video(motion_jpeg(tmp_path / "webcam.avi", list(map(sent, jpegs(8)))))
    assert len(list(video.frames())) == 8
    assert video.unseen == 0.0


KEY, P, B = PictureType.I, PictureType.P, PictureType.B


def picture(number: int, kind: PictureType = P, *, corrupt: bool = False) -> Any:
    return SimpleNamespace(number=number, pict_type=kind, key_frame=kind == KEY, is_corrupt=corrupt)


def numbers(*decoded: Any) -> list[int | None]:
    """Return the numbers of the pictures that are shown, None for each stretch without any."""
    shown: Iterator[Any] = _referring(iter(decoded))
    return [None if each is None else each.number for each in shown]


def test_what_is_broken_spreads_up_to_the_next_picture_that_refers_to_no_other() -> None:
    broken = picture(3, corrupt=True)
    assert numbers(picture(1, KEY), picture(2), broken, picture(4), picture(5, KEY), picture(6)) == [1, 2, None, 5, 6]
    assert numbers(picture(1, KEY), None, None, picture(4), picture(5, KEY)) == [1, None, 5]
    assert numbers(picture(1, KEY, corrupt=True), picture(2), picture(3, KEY, corrupt=True), picture(4)) == [None]


def test_pictures_that_refer_to_a_later_one_are_as_broken_as_it_is() -> None:
    between = [picture(2, B), picture(3, B)]
    assert numbers(picture(1, KEY), *between, picture(4)) == [1, 2, 3, 4]
    assert numbers(picture(1, KEY), *between, picture(4, corrupt=True), picture(5, KEY)) == [1, None, 5]
    assert numbers(picture(1, KEY), *between) == [1, 2, 3], "the film ends with them"
    many = [picture(k, B) for k in range(2, 40)]
    assert len(numbers(picture(1, KEY), *many, None)) > 10, "they do not wait for ever"


@pytest.mark.parametrize(("rotation", "corner"), [(0, (0, 0)), (90, (3, 0)), (-90, (0, 2)), (180, (2, 3))])
def test_a_picture_is_turned_as_the_phone_was_held(rotation: int, corner: tuple[int, int]) -> None:
    image = np.zeros((3, 4, 3), dtype=np.uint8)
    image[0, 0] = 255
    frame: Any = SimpleNamespace(rotation=rotation, to_ndarray=lambda format: image)
    assert _upright(frame)[corner].tolist() == [255, 255, 255]
