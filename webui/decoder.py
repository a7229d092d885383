"""Decoding of uploads, one at a time and in a separate process, so that no picture can crash the page."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO

import numpy as np

import vision
from engine.wording import phrase, text_data, text_from_data
from vision import ImageError
from vision.decoding.worker import ANSWER, JOB, MEMORY
from vision.images import MAX_BYTES, Image
from vision.system import memory_of, start_worker
from webui.errors import Busy

TIME_S = 5.0
"""Seconds for decoding a picture. 12 megapixels take 0.1 s on the slower of two measured computers. [by eye]"""
WAIT_S = 2 * TIME_S
"""Seconds that a picture may wait for those before it: for the worst one, and the next start. [by eye]"""
_START_S = 30.0
"""Seconds for starting the process, on a computer that is just waking up. [by eye]"""
_LOOK_S = 0.05
"""Seconds between two looks at the memory of the process. A look takes 0.1 ms. [by hand]"""
_SETTINGS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
"""Environment that keeps the address space of numpy and the C library small: every thread would reserve its own."""


class Decoder:
    """The process that decodes. It stays alive, and is started again after a picture that killed it."""

    def __init__(
        self,
        command: tuple[str, ...] = (sys.executable, "-m", "vision.decoding.worker"),
        *,
        time_s: float = TIME_S,
        wait_s: float = WAIT_S,
        start_s: float = _START_S,
    ) -> None:
        self._command = command
        self._time_s, self._wait_s, self._start_s = time_s, wait_s, start_s
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._fresh = True

    def start(self) -> None:
        """Start the process if none runs. It gets ready in the background."""
        with self._turn:
            self._running()

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()

    def decode(self, file: IO[bytes], *, name: str, own: bool = False) -> tuple[Image, bytes]:
        """Return the picture in a file, upright, (h, w, 3) BGR, and the bytes of the file.

        A picture that Upscore made, its `own`, isn't searched for damage.

        :raises ImageError: in one line, if it is no picture, or takes too long or too much memory.
        :raises Busy: if other pictures are still being decoded after `WAIT_S`.
        """
        if not self._turn.acquire(timeout=self._wait_s):
            raise Busy(phrase("Other photos are being read. Send this one again in a moment."))
        try:
            data = file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise ImageError(
                    phrase(
                        "%(name)s is larger than %(most)s MB: give a photograph in a smaller size.",
                        name=name,
                        most=MAX_BYTES // 2**20,
                    )
                )
            process = self._running()
            if self._fresh:
                with suppress(ImageError):  # so that the limit is that of decoding alone
                    self._ask_in_time(process, b"", name, own, self._start_s)
                process = self._running()
                self._fresh = False
            return self._ask_in_time(process, data, name, own, self._time_s), data
        finally:
            self._turn.release()

    def _ask_in_time(self, process: subprocess.Popen[bytes], data: bytes, name: str, own: bool, time_s: float) -> Image:
        late, answered = threading.Event(), threading.Event()
        deadline = time.monotonic() + time_s

        def watch() -> None:
            while not answered.wait(_LOOK_S):
                if time.monotonic() > deadline:
                    late.set()
                if late.is_set() or memory_of(process.pid) > MEMORY:
                    process.kill()
                    return

        threading.Thread(target=watch, name="decoder's watch", daemon=True).start()
        try:
            return self._ask(process, data, name, own)
        except (OSError, ValueError):
            self._end()
            self._running()  # get ready for the next picture
            if late.is_set():
                raise ImageError(
                    phrase("%(name)s takes too long to decode: save it as a plain JPEG, or take it again.", name=name)
                ) from None
            raise ImageError(
                phrase(
                    "%(name)s takes more memory than a photograph may: save it as a plain JPEG, or take it again.",
                    name=name,
                )
            ) from None
        finally:
            answered.set()

    def _ask(self, process: subprocess.Popen[bytes], data: bytes, name: str, own: bool) -> Image:
        """Return the picture from the process; raises OSError or ValueError if the process does not answer."""
        assert process.stdin is not None
        assert process.stdout is not None
        title = json.dumps(text_data(name)).encode()
        process.stdin.write(JOB.pack(own, len(title), len(data)) + title)
        process.stdin.write(data)
        process.stdin.flush()
        is_picture, height, width, _ = ANSWER.unpack(_read_exactly(process.stdout, ANSWER.size))
        if not is_picture:
            raise ImageError(text_from_data(json.loads(_read_exactly(process.stdout, height))))
        rows = _read_exactly(process.stdout, height * width * 3)
        return np.frombuffer(bytearray(rows), dtype=np.uint8).reshape(height, width, 3)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = start_worker(self._command, Path(vision.__file__).parents[1], _SETTINGS)
            self._fresh = True
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()


@lru_cache(maxsize=1)
def shared_decoder() -> Decoder:
    """Return the decoder that all applications of this program share."""
    decoder = Decoder()
    atexit.register(decoder.close)
    return decoder


def _read_exactly(source: IO[bytes], count: int) -> bytes:
    data = source.read(count)
    if len(data) < count:
        raise ValueError("the decoder ended")
    return data
