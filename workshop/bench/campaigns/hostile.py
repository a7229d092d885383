"""What do the worst pictures cost? Bombs sent to the page, three at once, and what somebody else waits meanwhile."""

from __future__ import annotations

import io
import struct
import subprocess
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PIL import Image

from workshop.bench.campaigns.served import Report, Served, percentile

AT_ONCE = 3
MOST_MB = 600.0
"""Memory that an upload may cost above that of the idle page, all its processes together. [by eye]"""
_PAUSE_S = 0.02


def hostile_uploads(folder: Path, *, times: int) -> Report:
    """Send three of each bomb at once, repeatedly.

    Return the memory of all processes above idle, and how long other pages take.
    """
    report = Report("hostile uploads", f"{len(BOMBS)} kinds, {AT_ONCE} at once, {times} times")
    with Served(folder) as served:
        game = int(served.new_game()["id"])
        send(served, game, _plain())  # the decoder and the reader are loaded
        time.sleep(1.0)
        idle = measure_held_mb(served)
        statuses: set[int] = set()
        slowest = 0.0
        with Watch(served, game) as watch:
            for make in BOMBS.values():
                data = make()
                for _ in range(times):
                    took, answered = _all_at_once(served, game, data)
                    slowest = max(slowest, took)
                    statuses |= answered
    report.figures = {
        "idle MB": round(idle),
        "above idle MB": round(watch.peak - idle),
        "slowest s": round(slowest, 2),
        "page p99 ms": round(1000 * percentile(watch.pages, 0.99)),
    }
    report.wrong += watch.wrong
    report.wrong += [f"answered {status}" for status in sorted(statuses) if status >= 500 and status != 503]
    if watch.peak - idle > MOST_MB:
        report.wrong.append(f"{watch.peak - idle:.0f} MB above idle")
    return report


class Watch:
    """Looks at the page's memory, and asks for a page now and then: a context manager.

    `wrong` says of each page that didn't come why.
    """

    def __init__(self, served: Served, game: int) -> None:
        self.peak, self.pages = 0.0, [0.0]
        self.wrong: list[str] = []
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._weigh, args=(served,)),
            threading.Thread(target=self._ask, args=(served, game)),
        ]

    def __enter__(self) -> Watch:
        for one in self._threads:
            one.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        for one in self._threads:
            one.join()

    def _weigh(self, served: Served) -> None:
        while not self._ended.wait(_PAUSE_S):
            self.peak = max(self.peak, measure_held_mb(served))

    def _ask(self, served: Served, game: int) -> None:
        while not self._ended.wait(5 * _PAUSE_S):
            began = time.monotonic()
            try:
                status, _ = served.ask(f"/games/{game}")
                if status != 200:
                    self.wrong.append(f"{status} for a page")
            except OSError as problem:
                self.wrong.append(f"no page after {time.monotonic() - began:.1f} s: {problem}")
            self.pages.append(time.monotonic() - began)


def measure_held_mb(served: Served) -> float:
    """Return the megabytes held by the page and the processes that it started."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True)
    rows = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    own = {served.process.pid}
    own |= {pid for pid, parent, _ in rows if parent in own}
    return sum(rss for pid, _, rss in rows if pid in own) / 1024


def _all_at_once(served: Served, game: int, data: bytes) -> tuple[float, set[int]]:
    """Send all of them at once. Return how long the last one took, and the answers, 504 for none."""
    answers: list[int] = []

    def one_of_them() -> None:
        try:
            answers.append(send(served, game, data))
        except OSError:
            answers.append(504)

    threads = [threading.Thread(target=one_of_them) for _ in range(AT_ONCE)]
    began = time.monotonic()
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return time.monotonic() - began, set(answers)


def send(served: Served, game: int, data: bytes) -> int:
    """Send a picture as the page does. Return the status of the answer."""
    return served.upload(f"/api/v1/games/{game}/photos", "photo", data)[0]


def _plain() -> bytes:
    return _encode(Image.radial_gradient("L").convert("RGB"), "JPEG")


def _encode(image: Image.Image, kind: str, **more: bool) -> bytes:
    data = io.BytesIO()
    image.save(data, kind, **more)
    return data.getvalue()


def _small_webp() -> bytes:
    """Return a picture of one colour and 16,383 pixels a side."""
    bits = (16382 | 16382 << 14).to_bytes(4, "little")
    body = b"\x2f" + bits + b"\x07\x10\x11\x11\x88\x88\x88\xfe\x07\x00"
    return b"RIFF" + struct.pack("<I", len(body) + 12) + b"WEBPVP8L" + struct.pack("<I", len(body)) + body


def _png(side: int) -> bytes:
    """Return a square of zeros with transparency, written row by row, as large as it may be or larger."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(9)
    row = bytes(4 * side + 1)
    packed = b"".join([*(packer.compress(row) for _ in range(side)), packer.flush()])
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def _jpeg_of_120_megapixels() -> bytes:
    return _encode(Image.new("L", (12000, 9990), 128), "JPEG", progressive=True)


def _noise_of_48_megapixels() -> bytes:
    return _encode(Image.effect_noise((8000, 6000), 90).convert("RGB"), "JPEG")


BOMBS: dict[str, Callable[[], bytes]] = {
    "WebP of 35 bytes": _small_webp,
    "PNG of 49 megapixels": lambda: _png(7000),
    "PNG of 400 megapixels": lambda: _png(20000),
    "progressive JPEG of 120 megapixels": _jpeg_of_120_megapixels,
    "noise of 48 megapixels": _noise_of_48_megapixels,
}
