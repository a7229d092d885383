"""Uploads are decoded one at a time in a process of its own, so that no picture can take the page down with it."""

from __future__ import annotations

import atexit
import fcntl
import os
import subprocess
import sys
import threading
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO

import numpy as np

import vision
from vision import ImageError
from vision.decoding.worker import ANSWER, JOB
from vision.images import MAX_BYTES, Image
from webui.errors import Busy

TIME_S = 5.0
"""How long one picture may take; a photograph of 12 megapixels takes 0.1 s on the slower of two measured computers."""
WAIT_S = 5.0
"""How long a picture waits for those before it."""
_START_S = 30.0
"""How long the process may take to start, on a computer that is just waking up."""
_PIPE = 1 << 20
_SETTINGS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
"""What keeps the address space of numpy and the C library small: every thread would reserve its own."""


class Decoder:
    """The process that decodes, kept warm: started once, and anew after a picture that it did not survive."""

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "vision.decoding.worker")) -> None:
        self._command = command
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._fresh = True

    def start(self) -> None:
        """Start the process, if none runs; it gets ready while the page goes on."""
        with self._turn:
            self._running()

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()

    def decode(self, file: IO[bytes], *, name: str) -> tuple[Image, bytes]:
        """The picture in a file, upright, (h, w, 3) BGR, and the bytes that it was read from.

        Raises ImageError, one line, for what is no picture, takes too long or too much memory; Busy when others are
        being decoded still.
        """
        if not self._turn.acquire(timeout=WAIT_S):
            raise Busy("Other photographs are being looked at: send this one again in a moment.")
        try:
            data = file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise ImageError(
                    f"{name} is larger than {MAX_BYTES // 2**20} MB: give a photograph in a smaller size."
                )
            return self._decode(data, name), data
        finally:
            self._turn.release()

    def _decode(self, data: bytes, name: str) -> Image:
        process = self._running()
        late = threading.Event()

        def give_up() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(_START_S if self._fresh else TIME_S, give_up)
        timer.daemon = True
        timer.start()
        try:
            image = self._ask(process, data, name)
        except (OSError, ValueError):
            self._end()
            self._running()  # ready for the next one
            why = "takes too long to decode" if late.is_set() else "takes more memory than a photograph may"
            raise ImageError(f"{name} {why}: save it as a plain JPEG, or take it again.") from None
        finally:
            timer.cancel()
        self._fresh = False
        return image

    def _ask(self, process: subprocess.Popen[bytes], data: bytes, name: str) -> Image:
        """What the process answers; raises OSError or ValueError where it does not."""
        assert process.stdin is not None
        assert process.stdout is not None
        title = name.encode()
        process.stdin.write(JOB.pack(len(title), len(data)) + title)
        process.stdin.write(data)
        process.stdin.flush()
        is_picture, height, width, _ = ANSWER.unpack(_exactly(process.stdout, ANSWER.size))
        if not is_picture:
            raise ImageError(_exactly(process.stdout, height).decode())
        rows = _exactly(process.stdout, height * width * 3)
        return np.frombuffer(bytearray(rows), dtype=np.uint8).reshape(height, width, 3)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = self._spawn()
            self._fresh = True
        return self._process

    def _spawn(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=Path(vision.__file__).parents[1],
            env={**os.environ, **_SETTINGS},
            start_new_session=True,  # Ctrl+C is for the page, which lets the process finish
        )
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError, AttributeError):
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)  # type: ignore[arg-type]
        return process

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
    """The one decoder of this program, however many applications it serves."""
    made = Decoder()
    atexit.register(made.close)
    return made


def _exactly(source: IO[bytes], count: int) -> bytes:
    data = source.read(count)
    if len(data) < count:
        raise ValueError("the decoder ended")
    return data
