"""Can strangers keep the page from those who are in? Bodies that drip, large headers and forms, from 400 connections.

The whole load stays on this computer. Strangers come from loopback addresses of their own. The server knows 127.0.0.1
alone.
"""

from __future__ import annotations

import http.client
import multiprocessing
import os
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from workshop.bench.campaigns.guests import ONLY_HERE, ask, join, new_game
from workshop.bench.campaigns.hostile import measure_held_mb
from workshop.bench.campaigns.served import Report, Served, percentile

CONNECTIONS = 400
MEDIAN_S, WORST_S = 1.0, 3.0
MOST_MB, MOST_FILES_MB = 500.0, 100.0
_JOIN = b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
_PHOTO = b"POST /games/1/photo HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
_LONG = b"Content-Length: 60000000\r\n\r\n"
_SHORT = b"Content-Length: 3900\r\n\r\n"
_GET = b"GET /join HTTP/1.1\r\nHost: localhost\r\n"
_FILE = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\n'
_TEN_MB = b"x" * 10_000_000

SHAPES = {
    "short body": (_JOIN + _SHORT, b"x"),
    "long body": (_PHOTO + _LONG + _FILE, b"x"),
    "chunks": (_JOIN + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    "endless chunk line": (_JOIN + b"Transfer-Encoding: chunked\r\n\r\n" + b"0" * 10_000_000, b"0"),
    "HTTP/1.0": (_JOIN.replace(b"1.1", b"1.0") + _SHORT, b"x"),
    "Expect": (_JOIN + b"Expect: 100-continue\r\n" + _SHORT, b"x"),
    "GET with a body": (_GET + _SHORT, b"x"),
    "pipelining": (_GET + b"\r\n" + _JOIN + _SHORT, b"x"),
    "dripping headers": (_GET, b"a: b\r\n"),
    "6 MB of headers": (_GET + b"a: b\r\n" * 1_000_000, b"a: b\r\n"),
    "form of 10 MB": (_JOIN + b"Content-Length: 10000000\r\n\r\n" + _TEN_MB, b""),
    "file of 10 MB": (_PHOTO + b"Content-Length: 10000080\r\n\r\n" + _FILE + _TEN_MB, b""),
}
"""What a connection sends at first, and every second from then on."""


@dataclass(frozen=True)
class Attack:
    """One kind of request, from this many addresses (0: from ::1), until `seconds` have passed."""

    shape: str
    addresses: int
    https: bool
    seconds: float

    def __str__(self) -> str:
        where = f"{self.addresses} addresses" if self.addresses else "IPv6"
        return f"{self.shape}, http{'s' if self.https else ''}, {where}"


def attacks(seconds: float) -> Iterator[Attack]:
    """Yield each shape over both protocols, from one address and from 200, and some over IPv6."""
    for shape in SHAPES:
        for https in (False, True):
            for addresses in (1, 200):
                yield Attack(shape, addresses, https, seconds)
    for shape in ("short body", "chunks", "6 MB of headers"):
        yield Attack(shape, 0, False, seconds)


def strangers(folder: Path, chosen: Sequence[Attack]) -> Report:
    """Measure how long the computer and a device that is in wait for pages during attacks, and the server's memory."""
    report = Report("strangers", f"{len(chosen)} attacks of {CONNECTIONS} connections")
    medians, slowest, most_mb, most_files, pages = 0.0, 0.0, 0.0, 0.0, 0
    for at, attack in enumerate(chosen):
        more = [*(("--https",) if attack.https else ()), *(() if attack.addresses else ("--host", "::"))]
        with Served(folder / str(at), *more, before=ONLY_HERE) as served:
            game = new_game(served.port, https=attack.https)
            device = join(served.port, https=attack.https)
            attacker = multiprocessing.get_context("spawn").Process(target=_attack, args=(served.port, attack))
            attacker.start()
            time.sleep(2.0)
            found = _beside(served, game, device, attack)
            attacker.join(60)
            served.process.terminate()
            written = served.process.communicate(timeout=60)[1]
        medians = max(medians, found.median)
        slowest, pages = max(slowest, found.slowest), pages + found.pages
        most_mb, most_files = max(most_mb, found.mb), max(most_files, found.files_mb)
        print(f"{attack}: {found}", file=sys.stderr, flush=True)
        report.wrong += [f"{attack}: {line}" for line in found.failed[:2]]
        if "Traceback" in written or len(written) > 1_000_000:
            report.wrong.append(f"{attack}: wrote {written[-200:]}")
        if found.mb > MOST_MB or found.files_mb > MOST_FILES_MB:
            report.wrong.append(f"{attack}: held {found.mb:.0f} MB, {found.files_mb:.0f} MB of files")
        if found.median > MEDIAN_S or found.slowest > WORST_S:
            report.late.append(f"{attack}: {found.median:.2f} s, at worst {found.slowest:.2f} s")
    report.figures = {
        "pages": pages,
        "slowest median s": round(medians, 2),
        "slowest s": round(slowest, 2),
        "MB": round(most_mb),
        "temporary files MB": round(most_files, 1),
    }
    return report


@dataclass(frozen=True)
class Beside:
    """The experience of somebody who asks for pages during an attack, and the most memory that the server held."""

    times: list[float]
    failed: list[str]
    mb: float
    files_mb: float

    @property
    def pages(self) -> int:
        """The number of pages asked for."""
        return len(self.times)

    @property
    def median(self) -> float:
        """Half of the pages took longer, in seconds."""
        return percentile(self.times, 0.5)

    @property
    def slowest(self) -> float:
        """The longest wait, in seconds."""
        return max(self.times)

    def __str__(self) -> str:
        return (
            f"{self.pages} pages, {len(self.failed)} failed, median {self.median:.2f} s, slowest {self.slowest:.2f} s, "
            f"{self.mb:.0f} MB, {self.files_mb:.1f} MB of files"
        )


def _beside(served: Served, game: int, device: str, attack: Attack) -> Beside:
    times, failed, mb, files = [], [], 0.0, 0.0
    end = time.monotonic() + attack.seconds - 2.0
    while time.monotonic() < end:
        for token in ("", device):
            began = time.monotonic()
            try:
                status, _, _ = ask(served.port, "GET", f"/games/{game}", https=attack.https, token=token)
                if status != 200:
                    failed.append(f"{status} for {'the device' if token else 'the computer'}")
            except (OSError, http.client.HTTPException) as error:
                failed.append(f"{type(error).__name__} for {'the device' if token else 'the computer'}")
            times.append(time.monotonic() - began)
        mb, files = max(mb, measure_held_mb(served)), max(files, _temporary_mb(served.process.pid))
        time.sleep(0.1)
    return Beside(times, failed, mb, files)


def _temporary_mb(pid: int) -> float:
    """Return the megabytes of files that a process holds open and that are already deleted."""
    size = 0
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            if entry.readlink().name.endswith("(deleted)"):
                size += entry.stat().st_size
    return size / 1e6


def _attack(port: int, attack: Attack) -> None:
    """Keep all connections open, each from its own thread. One that is cut comes again after two seconds.

    Strangers have computers of their own, so this process gives way to the server.
    """
    os.nice(10)
    end = time.monotonic() + attack.seconds
    threads = [threading.Thread(target=_nag, args=(port, attack, at, end), daemon=True) for at in range(CONNECTIONS)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(max(0.0, end + 10.0 - time.monotonic()))


def _nag(port: int, attack: Attack, at: int, end: float) -> None:
    opening, drip = SHAPES[attack.shape]
    number = at % attack.addresses if attack.addresses else 0
    here, there = (f"127.1.{number // 250}.{number % 250 + 1}", "127.0.0.1") if attack.addresses else ("::1", "::1")
    context = ssl._create_unverified_context() if attack.https else None
    while time.monotonic() < end:
        with (
            suppress(OSError, ValueError),
            socket.create_connection((there, port), 5.0, (here, 0)) as plain,
            context.wrap_socket(plain) if context else plain as sent,
        ):
            sent.sendall(opening)
            while time.monotonic() < end:
                time.sleep(1.0)
                sent.sendall(drip)
                if not drip and not sent.recv(65_536):
                    break
        time.sleep(2.0)
