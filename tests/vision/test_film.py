"""Films: whole ones, and those with wrong bytes in them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.video.film import Video

RATE, SECONDS = 15, 6


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A film of something that moves before a ground with much to see in it."""
    path = tmp_path / "film.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), RATE, (320, 240))  # type: ignore[attr-defined]
    ground = np.random.default_rng(5).integers(0, 255, (240, 320, 3)).astype(np.uint8)
    for k in range(RATE * SECONDS):
        frame = ground.copy()
        cv2.circle(frame, (3 * k % 320, 120), 40, (20, 200, 90), -1)
        writer.write(frame)
    writer.release()
    return path


def damaged(film: Path) -> Path:
    """The film with wrong bytes in its middle, as when packets were lost."""
    data = bytearray(film.read_bytes())
    for at in range(len(data) // 2, len(data) // 2 + 2000, 40):
        data[at] ^= 0x5A
    film.write_bytes(bytes(data))
    return film


def test_of_a_whole_film_every_frame_is_seen(film: Path) -> None:
    video = Video(film, listen=True)
    times = [time for time, _ in video.frames()]
    assert len(times) == RATE * SECONDS
    assert (video.unseen, video.missing) == (0.0, 0.0)
    assert video.length == pytest.approx(SECONDS, abs=0.2)


def test_frames_of_a_broken_picture_are_left_out(film: Path, capfd: pytest.CaptureFixture[str]) -> None:
    video = Video(damaged(film), listen=True)
    times = [time for time, _ in video.frames()]
    assert 0.0 < video.unseen < SECONDS
    assert len(times) + round(video.unseen * RATE) == pytest.approx(RATE * SECONDS, abs=3)
    assert capfd.readouterr().err == ""
