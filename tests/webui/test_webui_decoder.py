"""Uploads are decoded in a process of its own, which no picture takes the page down with."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from PIL import Image as PillowImage
from presencekit import there
from webkit import jpeg, picture

from vision import ImageError
from vision.images import decode_image
from webui.decoder import Decoder
from webui.errors import Busy

SLOW = "import sys, time; sys.stdin.buffer.read(1); time.sleep(600)"
SLOW_WITH_PICTURES = """
import sys, time
from vision.decoding.worker import ANSWER, JOB, _job
while job := _job(sys.stdin.buffer):
    if job[-1]:
        time.sleep(600)
    sys.stdout.buffer.write(ANSWER.pack(False, 5, 0, 0.0) + b"empty")
    sys.stdout.buffer.flush()
"""
HUNGRY = """
import sys
from vision.decoding.worker import MEMORY
from vision.system import bound_process
bound_process(MEMORY)
sys.stdin.buffer.read(16)
try:
    kept = bytearray(700 * 1024 * 1024)
except MemoryError:
    sys.exit(9)
sys.stdout.buffer.write(b"x" * 25)
"""

GREEDY = HUNGRY.replace("bound_process(MEMORY)", "").replace("bytearray(700 * 1024 * 1024)", "b'x' * (700 << 20)")
"""A program that fills the memory without an end, for systems that bound no process."""
GREEDY += "sys.stdin.buffer.read()"


@pytest.fixture
def decoder() -> Iterator[Decoder]:
    made = Decoder()
    yield made
    made.close()


def decode(decoder: Decoder, data: bytes) -> np.ndarray:
    return decoder.decode(io.BytesIO(data), name="The photograph")[0]


def test_it_gives_what_decoding_here_gives(decoder: Decoder) -> None:
    data = jpeg(300, 400)
    image, read = decoder.decode(io.BytesIO(data), name="The photograph")
    assert np.array_equal(image, decode_image(data)[0])
    assert image.flags.writeable
    assert read == data


def test_it_stays_warm(decoder: Decoder) -> None:
    decoder.start()
    process = decoder._process
    for _ in range(3):
        decode(decoder, jpeg())
    with pytest.raises(ImageError, match="damaged"):
        decode(decoder, jpeg()[:200])
    assert decoder._process is process


def test_what_is_wrong_is_told_in_the_same_words(decoder: Decoder) -> None:
    with pytest.raises(ImageError, match=r"^The photograph is not a picture that can be read"):
        decode(decoder, b"%!PS-Adobe-3.0")
    with pytest.raises(ImageError, match=r"^The photograph is empty"):
        decode(decoder, b"")


def test_the_warning_of_a_decoder_is_heard_there_too(decoder: Decoder) -> None:
    whole = io.BytesIO()
    PillowImage.fromarray(picture(600, 800)).save(whole, "JPEG", progressive=True)
    data = whole.getvalue()
    at = len(data) // 2
    assert decode(decoder, data).shape == (600, 800, 3)
    with pytest.raises(ImageError, match="damaged or cut off"):
        decode(decoder, data[:at] + bytes(100) + data[at + 100 :])


def test_one_that_dies_is_replaced(decoder: Decoder) -> None:
    decode(decoder, jpeg())
    process = there(decoder._process)
    process.kill()
    process.wait()
    assert decode(decoder, jpeg()).shape == (120, 160, 3)


def test_one_that_takes_too_long_is_ended_and_replaced() -> None:
    slow = Decoder((sys.executable, "-c", SLOW), time_s=0.2, start_s=0.2)
    try:
        slow.start()
        process = there(slow._process)
        with pytest.raises(ImageError, match="takes too long to decode"):
            decode(slow, jpeg())
        assert process.poll() is not None
        assert slow._process is not process
    finally:
        slow.close()


def test_a_picture_has_no_more_time_after_a_start_than_at_any_other() -> None:
    slow = Decoder((sys.executable, "-c", SLOW_WITH_PICTURES), time_s=0.2, start_s=3600.0)
    told: list[str] = []

    def send() -> None:
        for _ in range(2):  # the second one comes to a process that was just started again
            with pytest.raises(ImageError) as error:
                decode(slow, jpeg())
            told.append(str(error.value))

    sending = threading.Thread(target=send, daemon=True)
    sending.start()
    sending.join(60)
    assert [("takes too long" in line) for line in told] == [True, True]
    slow.close()


@pytest.mark.parametrize(
    "program", [pytest.param(HUNGRY, id="bounded"), pytest.param(GREEDY, id="watched", marks=pytest.mark.slow)]
)
def test_one_that_takes_too_much_memory_is_told(program: str) -> None:
    hungry = Decoder((sys.executable, "-c", program), time_s=60.0)  # a busy computer needs long to fill its memory
    try:
        with pytest.raises(ImageError, match="more memory than a photograph may"):
            decode(hungry, jpeg())
    finally:
        hungry.close()


def test_while_one_is_decoded_another_is_asked_to_come_back() -> None:
    with closing(Decoder(wait_s=0.05)) as decoder:
        reading, go_on = threading.Event(), threading.Event()

        class Held(io.BytesIO):
            def read(self, size: int | None = -1, /) -> bytes:
                reading.set()
                go_on.wait(30)
                return super().read(size)

        first = threading.Thread(target=lambda: decoder.decode(Held(jpeg()), name="The photograph"))
        first.start()
        assert reading.wait(30)
        with pytest.raises(Busy):
            decode(decoder, jpeg())
        go_on.set()
        first.join(30)
        assert decode(decoder, jpeg()).shape == (120, 160, 3)


def test_it_ends_with_the_program_that_started_it(decoder: Decoder) -> None:
    decode(decoder, jpeg())
    process = there(decoder._process)
    assert process.stdin is not None
    process.stdin.close()  # as the system does when a program is killed
    assert process.wait(timeout=30) == 0
    if hasattr(os, "getpgid"):  # Windows has none
        assert os.getpgid(0) != process.pid
