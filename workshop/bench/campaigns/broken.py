"""Is any request answered with a fault of ours? Whole requests with one to three places broken, from all sides."""

from __future__ import annotations

import random
import re
import socket
from collections import Counter
from contextlib import suppress
from pathlib import Path

from workshop.bench.campaigns.guests import DEVICE, ONLY_HERE, join, new_game
from workshop.bench.campaigns.served import Report, Served

STRANGER = "127.5.0.1"
_HEAD = b"Host: localhost\r\nUser-Agent: Mozilla/5.0\r\nAccept: text/html, application/json;q=0.9\r\n"
_FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
_JSON = b"Content-Type: application/json\r\nContent-Length: 40\r\n\r\n" + b'{"version": 1, "kind": "exchange"}      '
_PARTS = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\nnone\r\n--x--\r\n'
REQUESTS = [
    b"GET /games/1 HTTP/1.1\r\n"
    + _HEAD
    + b'If-None-Match: W/"1"\r\nIf-Modified-Since: Sat, 29 Nov 2026 10:00:00 GMT\r\n\r\n',
    b"GET /static/page.css HTTP/1.0\r\n" + _HEAD + b"Range: bytes=0-99\r\nAccept-Encoding: gzip, br;q=0.5\r\n\r\n",
    b"GET /join/k-0123456789abcdef?next=/games/1&a=%20b HTTP/1.1\r\n" + _HEAD + b"\r\n",
    b"GET /api/v1/games/1/events HTTP/1.1\r\n" + _HEAD + b"Last-Event-ID: 3\r\n\r\n",
    b"GET /pictures/0123456789abcdef-photo.jpg?size=2 HTTP/1.1\r\n" + _HEAD + b"\r\n",
    b"POST /join HTTP/1.1\r\n" + _HEAD + _FORM + b"Content-Length: 24\r\n\r\npin=123456&name=Anna%C3%A9",
    b"POST /join HTTP/1.1\r\n" + _HEAD + _FORM + b"Transfer-Encoding: chunked\r\n\r\na\r\npin=123456\r\n0\r\n\r\n",
    b"POST /games/1/photo HTTP/1.1\r\n" + _HEAD + b"Content-Type: multipart/form-data; boundary=x\r\n"
    b"Content-Length: %d\r\n\r\n" % len(_PARTS) + _PARTS,
    b"POST /api/v1/games/1/turns HTTP/1.1\r\n" + _HEAD + _JSON,
    b"POST /games HTTP/1.1\r\n" + _HEAD + _FORM + b"Origin: http://localhost\r\nContent-Length: 31\r\n\r\n"
    b"edition=8x8&player0=A&player1=B",
    b"OPTIONS * HTTP/1.1\r\n" + _HEAD + b"Forwarded: for=1;proto=https\r\nX-Forwarded-Proto: https\r\n\r\n",
]  # fmt: skip
"""Requests of pages and programs, as they are meant to be."""
_PIECES = [
    *(bytes([each]) for each in b"\r\n\0 \t:;,/%[]?#=&\"'\xff0"), b"\r\n", b"//", b"..", b"%00", b"%ff", b"%0d%0a",
    b"\xc3\xa9", "🎲".encode(), b"-1", b"99999999999999999999", b"1e9", b"+5", b"HTTP/2.0", b"HTTP/0.9", b"GET", b"PRI",
    b"x" * 2000, b"http://[::1", b"http://localhost:99999/", b"Host: evil.example\r\n", b"Content-Length: 5\r\n",
    b" folded\r\n", b"Transfer-Encoding: gzip, chunked\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Expect: 200-ok\r\n",
    b'Cookie: upscore=\xff; a="; =;;\r\n', b"Upgrade: h2c\r\nConnection: upgrade\r\n",
]  # fmt: skip
_QUOTED = 60
"""Letters that are quoted of a request that went wrong."""


def send_broken_requests(folder: Path, times: int, rng: random.Random) -> Report:
    """Send broken requests as strangers, as a device that is in and at the computer. None may get a 500 or a log."""
    report = Report("broken requests", f"{times} of strangers, of a device that is in, and at the computer")
    answers: Counter[str] = Counter()
    with Served(folder / "data", before=ONLY_HERE) as served:
        game = new_game(served.port, https=False)
        token = join(served.port, https=False)
        cookie = f"Cookie: upscore-{served.port}={token}\r\nHost: ".encode()
        host = f"Host: localhost:{served.port}".encode()
        for _ in range(times):
            whole = rng.choice(REQUESTS).replace(b"games/1", b"games/%d" % game).replace(b"Host: localhost", host)
            source = rng.choice((STRANGER, STRANGER, DEVICE, "127.0.0.1"))
            sent = _break(whole.replace(b"Host: ", cookie) if source == DEVICE else whole, rng)
            status = _status(served.port, sent, source)
            answers[status] += 1
            if status.startswith("5") and status != "505":  # a version of HTTP that nobody speaks
                report.wrong.append(f"{status} for {sent[:_QUOTED]!r} from {source}")
        served.process.terminate()
        written = served.process.communicate(timeout=60)[1]
    if "Traceback" in written or " ERROR " in written:
        report.wrong.append(f"wrote {written[-2000:]}")
    report.figures = {**dict(sorted(answers.items())), "bytes written": len(written)}
    return report


def _break(whole: bytes, rng: random.Random) -> bytes:
    data = bytearray(whole)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data) + 1)
        if rng.random() < 0.3:
            at = rng.choice([found.end() for found in re.finditer(rb"\r\n|: ", data)] or [at])  # where headers begin
        until = at + rng.choice((0, 0, 1, 3, 20))
        data[at:until] = rng.choice(_PIECES) if rng.random() < 0.8 else rng.randbytes(rng.randint(1, 30))
    return bytes(data)


def _status(port: int, sent: bytes, source: str) -> str:
    """Return the status of the last answer, or "none"."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5.0, (source, 0)) as one:
        one.sendall(sent)
        one.shutdown(socket.SHUT_WR)
        one.settimeout(2.0)
        found = re.findall(rb"HTTP/1\.[01] (\d\d\d)", one.recv(65_536))
        return found[-1].decode() if found else "none"
    return "none"
