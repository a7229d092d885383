"""The page as people run it: a process of its own over a data folder, and what one asks of it."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[3]
_MAIN = "import sys; from upscore.cli import main; sys.exit(main())"
NEW = {"edition": "8x8", "players": ["Red", "Blue"]}


@dataclass
class Report:
    """The result of a campaign. Nothing may be `wrong`, and nothing `late` on an otherwise idle computer."""

    name: str
    did: str
    figures: dict[str, object] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        figures = "; ".join(f"{name} {value}" for name, value in self.figures.items())
        missed = "; ".join((*self.wrong, *self.late)[:5])
        return f"| {self.name} | {self.did} | {figures} | {missed or 'held'} |"


class Served:
    """`upscore serve` on a free port; a context manager that ends it at once.

    Python runs the statements `before` first.
    """

    def __init__(self, data: Path, *more: str, before: str = "") -> None:
        # users' Python keeps compiled code, whatever this process was told
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-c", before + _MAIN, "serve", "--port", "0", "--data", str(data), *more],
            cwd=ROOT,
            env={**kept, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"https?://[^/]+:(\d+)/", line)
        if not found:
            raise RuntimeError(f"it did not start: {self.process.communicate(timeout=30)[1]}")
        self.port = int(found[1])

    def __enter__(self) -> Served:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """Kill it as kill -9 does."""
        self.process.kill()
        self.process.communicate(timeout=30)

    def ask(self, path: str, sent: object = None) -> tuple[int, Any]:
        """Return the status and the JSON of an answer; raises OSError if there is none.

        Bytes are sent as they are, as a form's; anything else as JSON.
        """
        data = sent if isinstance(sent, bytes) or sent is None else json.dumps(sent).encode()
        return self._answer(urllib.request.Request(self._url(path), data, {"Accept": "application/json"}))

    def upload(self, path: str, field: str, file: bytes, **headers: str) -> tuple[int, Any]:
        """Send a file as a page's form does. Return the status and the JSON of the answer; raises OSError as above."""
        head = f'--x\r\nContent-Disposition: form-data; name="{field}"; filename="a"\r\n\r\n'
        kind = {"Accept": "application/json", "Content-Type": "multipart/form-data; boundary=x", **headers}
        return self._answer(urllib.request.Request(self._url(path), head.encode() + file + b"\r\n--x--\r\n", kind))

    def fetch(self, path: str) -> bytes:
        """Return the bytes of an answer; raises OSError if it is refused."""
        with urllib.request.urlopen(self._url(path), timeout=30) as answer:
            return bytes(answer.read())

    def _url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def _answer(self, request: urllib.request.Request) -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                status, body = answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            with refused:
                status, body = refused.code, refused.read()
        except http.client.HTTPException as error:
            raise ConnectionError("the answer was cut off") from error
        try:
            return status, json.loads(body)
        except ValueError:
            return status, None

    def new_game(self) -> dict[str, Any]:
        """Return a game, before its first turn."""
        status, state = self.ask("/api/v1/games", NEW)
        assert status == 201, state
        return dict(state)

    def turn(self, game: int, version: int) -> tuple[int, Any]:
        """Return one more entry: an exchange."""
        return self.ask(f"/api/v1/games/{game}/turns", {"version": version, "kind": "exchange"})

    def new_games(self, count: int) -> None:
        """Begin games, each with one turn."""
        for _ in range(count):
            game = self.new_game()
            self.turn(game["id"], int(game["version"]))

    def memory(self) -> float:
        """Return the megabytes that it holds."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+)", text)
        return int(found[1]) / 1024 if found else 0.0


def percentile(values: list[float], share: float) -> float:
    """Return the value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
