"""Films: whole ones, and those with wrong bytes in them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).parent.parent.parent
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


WATCH = """
import sys
from pathlib import Path
from vision.video.film import Video
video = Video(Path(sys.argv[1]), listen=True)
count = sum(1 for _ in video.frames())
print(count, video.unseen, video.missing, video.length)
"""


def watched(film: Path) -> tuple[int, float, float, float]:
    """Return how many frames are seen, and the seconds unseen, missing and in all.

    A process of its own watches, as `replay` does: the decoder's log is set up once a process. It must write nothing.
    """
    done = subprocess.run([sys.executable, "-c", WATCH, str(film)], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    count, unseen, missing, length = map(float, done.stdout.split())
    return int(count), unseen, missing, length


def test_of_a_whole_film_every_frame_is_seen(film: Path) -> None:
    count, unseen, missing, length = watched(film)
    assert (count, unseen, missing) == (RATE * SECONDS, 0.0, 0.0)
    assert length == pytest.approx(SECONDS, abs=0.2)


def test_frames_that_the_decoder_complains_of_are_left_out(film: Path) -> None:
    count, unseen, _, _ = watched(damaged(film))
    assert 0.0 < unseen < SECONDS
    assert count + round(unseen * RATE) == pytest.approx(RATE * SECONDS, abs=3)
