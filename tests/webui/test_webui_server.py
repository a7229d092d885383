"""The server as a process: its address, its pages over a socket, its end."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from webui.server import addresses

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from pathlib import Path
from webkit import ScriptedReader, config, empty_position
from engine.errors import UpscoreError
from webui.server import ServeConfig, serve
try:
    app = config(Path(sys.argv[1]), ScriptedReader(position=empty_position()))
    serve(ServeConfig(app, port=int(sys.argv[2]), https=len(sys.argv) > 3))
except UpscoreError as error:
    sys.exit(f"refused: {error}")
"""


def start(tmp_path: Path, port: int, *more: str) -> subprocess.Popen[str]:
    path = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "kits")))
    command = [sys.executable, "-c", SCRIPT, str(tmp_path), str(port), *more]
    return subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
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
    assert log == "Stopped; the games are kept.\n"


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


def test_https_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("cryptography", reason="the https extra is not installed")
    process = start(tmp_path, 0, "https")
    assert process.stdout is not None
    line = process.stdout.readline()
    process.terminate()
    process.communicate(timeout=10)
    assert "https://127.0.0.1:" in line
    key = tmp_path / "data" / "certificate.key"
    assert key.stat().st_mode & 0o077 == 0


def test_addresses() -> None:
    assert addresses("127.0.0.1", 80, https=False) == ("http://127.0.0.1:80/",)
    assert addresses("::1", 80, https=True) == ("https://[::1]:80/",)
    assert addresses("0.0.0.0", 80, https=False)[0] == "http://127.0.0.1:80/"
