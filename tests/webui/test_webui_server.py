"""The server as a process: its address, its pages over a socket, its end."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from webui.certificate import is_valid, tls_context

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from pathlib import Path
from webkit import ScriptedReader, config, empty_position
from engine.errors import UpscoreError
from webui.server import ServeConfig, serve
try:
    if "moving" in sys.argv:
        import webui.security
        address = Path(sys.argv[1]) / "address"
        webui.security.network_addresses = lambda: [
            webui.security.NetworkAddress(ip, "wlan0", True) for ip in address.read_text().split()
        ]
    app = config(Path(sys.argv[1]), ScriptedReader(position=empty_position()))
    host = "0.0.0.0" if "everywhere" in sys.argv else "127.0.0.1"
    ready = (lambda url: print("ready", url, flush=True)) if "ready" in sys.argv else None
    serve(ServeConfig(app, host=host, port=int(sys.argv[2]), https="https" in sys.argv, on_ready=ready))
except UpscoreError as error:
    sys.exit(f"refused: {error}")
"""


def start(tmp_path: Path, port: int, *more: str) -> subprocess.Popen[str]:
    path = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "kits")))
    command = [sys.executable, "-c", SCRIPT, str(tmp_path), str(port), *more]
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = start(tmp_path, 0)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert found, line
    yield process, found[0]
    process.kill()
    process.communicate()


def test_it_prints_its_address_serves_and_stops_when_told(server: tuple[subprocess.Popen[str], str]) -> None:
    process, address = server
    with urllib.request.urlopen(f"{address}new", timeout=10) as response:
        assert b"New game" in response.read()
        assert response.headers["Server"].startswith("Upscore")
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate(timeout=10)
    assert process.returncode == 0
    assert log.endswith("Stopped; the games are kept.\n")


@pytest.mark.parametrize("more", [(), ("everywhere",)])
def test_it_tells_this_computers_address_once_it_is_ready(tmp_path: Path, more: tuple[str, ...]) -> None:
    process = start(tmp_path, 0, "ready", *more)
    try:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        url = next(line for line in lines if line.startswith("ready ")).split()[1]
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(f"{url}new", timeout=10) as response:
            assert response.status == 200
    finally:
        process.kill()
        process.communicate()


def test_many_open_pages_leave_room_for_more(server: tuple[subprocess.Popen[str], str]) -> None:
    _, address = server
    form = b"player0=Red&edition=8x8&lexicon=standard"
    urllib.request.urlopen(f"{address}games", data=form, timeout=10).close()
    streams = [urllib.request.urlopen(f"{address}games/1/events", timeout=10) for _ in range(20)]
    assert all(stream.readline() == b"retry: 2000\n" for stream in streams)
    with urllib.request.urlopen(f"{address}games/1", timeout=10) as response:
        assert response.status == 200
    for stream in streams:
        stream.close()


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = start(tmp_path, taken.getsockname()[1])
        _, log = process.communicate(timeout=20)
    assert process.returncode == 1
    assert re.fullmatch(r"refused: Port \d+ is in use: give another with --port\.\n", log)


def https_server(tmp_path: Path) -> tuple[subprocess.Popen[str], int, str]:
    """A server that speaks TLS: its process, its port and what it said of its certificate."""
    process = start(tmp_path, 0, "https")
    assert process.stdout is not None
    found = re.search(r"https://127\.0\.0\.1:(\d+)/", process.stdout.readline())
    assert found
    assert process.stderr is not None
    process.stderr.readline()
    return process, int(found[1]), process.stderr.readline()


def test_https_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    process, port, told = https_server(tmp_path)
    try:
        certificate = ssl.get_server_certificate(("127.0.0.1", port))
    finally:
        process.terminate()
        process.communicate(timeout=30)
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).hexdigest().upper()
    assert told.strip().replace(":", "").endswith(digest)
    for name in ("certificate.key", "certificate.crt"):
        assert (tmp_path / "data" / name).stat().st_mode & 0o777 == 0o600
    again, port, _ = https_server(tmp_path)
    try:
        assert ssl.get_server_certificate(("127.0.0.1", port)) == certificate, "a browser need ask only once"
    finally:
        again.terminate()
        again.communicate(timeout=30)


def test_connections_that_say_nothing_keep_nobody_waiting(tmp_path: Path) -> None:
    process, port, _ = https_server(tmp_path)
    trusting = ssl.create_default_context(cafile=tmp_path / "data" / "certificate.crt")
    silent = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(20)]
    try:
        with urllib.request.urlopen(f"https://127.0.0.1:{port}/new", timeout=30, context=trusting) as page:
            assert page.status == 200
    finally:
        for one in silent:
            one.close()
        process.kill()
        process.communicate(timeout=30)


def test_a_second_server_on_the_same_games_is_told_so(
    tmp_path: Path, server: tuple[subprocess.Popen[str], str]
) -> None:
    second = start(tmp_path, 0)
    _, log = second.communicate(timeout=30)
    assert second.returncode == 1
    assert re.fullmatch(
        rf"refused: Another Upscore serves the games in \S+ already \(process {server[0].pid}\): "
        r"use its page, stop it first, or give another --data\.\n",
        log,
    )


def test_what_is_under_way_is_finished_before_it_stops(server: tuple[subprocess.Popen[str], str]) -> None:
    process, address = server
    port = int(address.rstrip("/").rpartition(":")[2])
    body = b"player0=Red&edition=8x8&lexicon=standard"
    with socket.create_connection(("127.0.0.1", port), timeout=30) as slow:
        head = f"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        kind = "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        slow.sendall((head + kind).encode() + body[:10])
        urllib.request.urlopen(f"{address}games", timeout=30).close()  # by now the server knows about the first request
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.readline() == "Finishing what is under way (Ctrl+C again stops at once).\n"
        slow.sendall(body[10:])
        assert slow.recv(100).startswith(b"HTTP/1.1 303")
    _, log = process.communicate(timeout=30)
    assert (process.returncode, log) == (0, "Stopped; the games are kept.\n")


def test_what_belongs_to_the_games_is_for_their_owner_alone(
    tmp_path: Path, server: tuple[subprocess.Popen[str], str]
) -> None:
    form = b"player0=Red&edition=8x8&lexicon=standard"
    urllib.request.urlopen(f"{server[1]}games", data=form, timeout=30).close()
    data = tmp_path / "data"
    assert data.stat().st_mode & 0o777 == 0o700
    for path in data.rglob("*"):
        with suppress(FileNotFoundError):  # the page makes copies of its games meanwhile
            assert path.stat().st_mode & 0o077 == 0, path


def read_until(process: subprocess.Popen[str], wanted: str) -> str:
    """Return the first line of its output that has some text in it."""
    assert process.stdout is not None
    for line in process.stdout:
        if wanted in line:
            return line
    raise AssertionError(f"it never said {wanted}")


def test_an_address_that_comes_later_or_changes_is_shown_and_certified(tmp_path: Path) -> None:
    address = tmp_path / "address"
    address.write_text("")
    process = start(tmp_path, 0, "https", "everywhere", "moving")
    try:
        found = re.search(r"https://127\.0\.0\.1:(\d+)/ ", read_until(process, "Upscore is at"))
        assert found
        port = int(found[1])
        read_until(process, "No network yet")
        for ip in ("192.0.2.40", "192.0.2.77"):
            new = tmp_path / "new"
            new.write_text(ip)
            new.replace(address)
            read_until(process, f"https://{ip}:{port}/join/v-")
            trusting = ssl.create_default_context(cafile=tmp_path / "data" / "certificate.crt")
            trusting.check_hostname = True
            with (
                socket.create_connection(("127.0.0.1", port), timeout=30) as plain,
                trusting.wrap_socket(plain, server_hostname=ip) as one,
            ):
                one.sendall(b"GET /devices HTTP/1.1\r\nHost: localhost\r\n\r\n")
                page = b"".join(iter(lambda: one.recv(65_536), b"")).decode()
            assert f"https://{ip}:{port}/join/v-" in page
        for before in ("192.0.2.40", "127.0.0.1"):  # back home, browsers still know it
            with socket.create_connection(("127.0.0.1", port), timeout=30) as plain:
                trusting.wrap_socket(plain, server_hostname=before).close()
    finally:
        process.kill()
        process.communicate(timeout=30)


def fetch_status(opener: urllib.request.OpenerDirector, url: str, form: bytes | None = None) -> int:
    """The status of an answer."""
    try:
        with opener.open(url, form, timeout=10) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_others_in_the_network_join_first_and_the_computer_need_not(tmp_path: Path) -> None:
    process = start(tmp_path, 0, "everywhere")
    try:
        assert process.stdout is not None
        first = re.findall(r"http://[^ ]+/", process.stdout.readline())
        if len(first) < 2:
            pytest.skip("this computer is in no network: nobody can come from it")
        here, there = first
        lines = [process.stdout.readline() for _ in range(6)]
        watch, keep = re.findall(rf"{there}join/\S+", "".join(lines))
        assert any(re.search(r"the PIN \d{3} \d{3}\.", line) for line in lines)
        local, phone = (urllib.request.build_opener(), urllib.request.build_opener())
        phone.add_handler(urllib.request.HTTPCookieProcessor())
        form = b"player0=Red&player1=Blue&edition=8x8&lexicon=standard"
        assert fetch_status(local, f"{here}games", form) == 200
        assert fetch_status(phone, f"{there}games/1") == 401
        assert fetch_status(phone, f"{there}api/v1/games") == 401
        assert fetch_status(phone, watch) == 200, "it is led on to the game"
        assert fetch_status(phone, f"{there}games/1") == 200
        assert fetch_status(phone, f"{there}games/1/pass", b"version=1") == 403
        assert fetch_status(phone, keep) == 200
        assert fetch_status(phone, f"{there}games/1/pass", b"version=1") == 200
        assert fetch_status(local, f"{here}games/1/pass", b"version=2") == 200
        assert fetch_status(local, f"{there}games/1") == 401, "by its address in the network it is one of many"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("days", [-900, 40, 700])
def test_a_certificate_that_is_not_valid_now_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    class Wrong(datetime):
        """A clock that is wrong by this many days."""

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Wrong:
            return cls.fromtimestamp(time.time() + 86_400 * days, tz)

    with monkeypatch.context() as patch:
        patch.setattr("webui.certificate.datetime", Wrong)
        assert is_valid(tmp_path) is None
        _, made, _ = tls_context(tmp_path, ["localhost"])
        assert is_valid(tmp_path) is True
    assert is_valid(tmp_path) is False
    _, again, is_new = tls_context(tmp_path, ["localhost"])
    assert is_new
    assert again != made
    assert tls_context(tmp_path, ["localhost"])[1:] == (again, False)
