"""Does anything fall over? Mutated pictures, every address with anything sent to it, many viewers, slow clients."""

from __future__ import annotations

import io
import random
import re
import selectors
import socket
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from PIL import Image

from bench.campaigns.served import Report, Served, percentile
from upscore.commands.serve import Shelf, judge
from vision.errors import ImageError
from webui.app import create_app, services_of
from webui.decoder import Decoder
from webui.errors import Busy
from webui.live.vision_reader import VisionReader
from webui.ports import AppConfig

KINDS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF", "PPM")


def pictures(times: int, rng: random.Random) -> Report:
    """Pictures with bytes changed, cut off, repeated: each is a picture or one line, in bounded time and memory."""
    report = Report("mutated pictures", f"{times}")
    seeds = [_encoded(kind) for kind in KINDS]
    decoder = Decoder()
    read = refused = 0
    slowest = 0.0
    try:
        decoder.decode(io.BytesIO(seeds[0]), name="It")
        for _ in range(times):
            data = _mutated(rng.choice(seeds), rng)
            began = time.monotonic()
            try:
                decoder.decode(io.BytesIO(data), name="It")
                read += 1
            except (ImageError, Busy) as error:
                refused += 1
                if "\n" in str(error):
                    report.wrong.append("more than one line")
            slowest = max(slowest, time.monotonic() - began)
        report.figures = {"read": read, "one line": refused, "slowest": f"{slowest:.2f} s", **_peak(decoder)}
    finally:
        decoder.close()
    if slowest > 6.0:
        report.late.append(f"{slowest:.1f} s for one")
    return report


def _encoded(kind: str) -> bytes:
    data = io.BytesIO()
    Image.radial_gradient("L").convert("RGB").save(data, kind)
    return data.getvalue()


def _mutated(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    reach = len(changed) if rng.random() < 0.5 else min(200, len(changed))
    for _ in range(rng.randrange(1, 9)):
        changed[rng.randrange(reach)] = rng.choice((0, 255, 127, 128, rng.randrange(256)))
    if rng.random() < 0.2:
        del changed[rng.randrange(len(changed)) :]
    if rng.random() < 0.1:
        at = rng.randrange(len(changed) + 1)
        changed[at:at] = changed[at : at + rng.randrange(2000)] * rng.randrange(1, 50)
    return bytes(changed)


def _peak(decoder: Decoder) -> dict[str, object]:
    process = decoder._process
    if process is None:
        return {}
    text = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+)", text)
    return {"memory": f"{int(found[1]) // 1024} MB"} if found else {}


def every_address(times: int) -> Report:
    """Every address there is, with anything that its description allows sent to it, and more."""
    report = Report("every address", f"{times} rounds of all")
    statuses: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        numbers = count(1)
        config = AppConfig(Path(folder), VisionReader(), Shelf(), judge, new_game_id=lambda: next(numbers))
        app = create_app(config)
        try:
            client = app.test_client()
            client.post("/api/v1/games", json={"edition": "8x8", "players": ["Red", "Blue"]})
            document = client.get("/api/v1/openapi.json").get_json()
            calls = st.one_of(*_described(document), *_routes(app.url_map.iter_rules()))

            @settings(
                max_examples=times,
                deadline=None,
                database=None,
                derandomize=True,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(calls)
            def fuzz(call: tuple[str, str, Any, str]) -> None:
                status = _called(client, *call)
                statuses[status] = statuses.get(status, 0) + 1
                if status >= 500 and status not in (503, 507):
                    report.wrong.append(f"{status}: {call[0]} {call[1]} {str(call[2])[:80]}")

            fuzz()
        finally:
            services_of(app).close()
    report.figures = {str(status): number for status, number in sorted(statuses.items())}
    return report


def _called(client: FlaskClient, method: str, path: str, sent: Any, kind: str) -> int:
    more = {"json": {"json": sent}, "form": {"data": sent}, "bytes": {"data": sent}}.get(kind, {})
    with client.open(path, method=method, **more) as answer:
        return answer.status_code


def _described(document: dict[str, Any]) -> Iterator[st.SearchStrategy[tuple[str, str, Any, str]]]:
    """A strategy for each call that the description has: its own kind of body, or any."""
    for path, item in document["paths"].items():
        for method in set(item) & {"get", "post"}:
            if path.endswith("/events"):
                continue  # a stream has no end
            body = item[method].get("requestBody", {}).get("content", {}).get("application/json")
            sent = _of(body["schema"], document) if body else st.none()
            at = st.builds(lambda number, path=path: "/api/v1" + path.replace("{id}", number), _NUMBERS)
            yield st.tuples(st.just(method.upper()), at, st.one_of(sent, _ANYTHING), st.just("json"))
            yield st.tuples(st.just(method.upper()), at, st.binary(max_size=80), st.just("bytes"))


_NUMBERS = st.sampled_from(["1", "2", "0", "-1", "9" * 30, "x", "1.5", "%00", "१"])
_TEXTS = st.one_of(
    st.text(max_size=12), st.sampled_from(["N@d7", "8x8", "standard", "Red", "on", "1", "2", ""])
)
_ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), _TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_TEXTS, inner, max_size=4)),
    max_leaves=8,
)
_NAMES = (
    *(
        "version",
        "tiles",
        "choice",
        "face",
        "accept",
        "reason",
        "player0",
        "player1",
        "edition",
        "lexicon",
        "rules",
    ),
    *(
        "position",
        "photo_key",
        "first",
        "score0",
        "left0",
        "on",
        "which",
        "player",
        "to",
        "rule-passing_rounds",
    ),
)
_FIELDS = st.dictionaries(st.sampled_from(_NAMES), _TEXTS, max_size=8)


def _filled(holes: list[str], fill: list[str]) -> str:
    """An address whose variable parts are filled in."""
    return "".join(a + b for a, b in zip(holes, [*fill[1:], ""], strict=True))


def _routes(rules: Any) -> Iterator[st.SearchStrategy[tuple[str, str, Any, str]]]:
    """A strategy for each address that the application has."""
    for rule in rules:
        if rule.endpoint.endswith("events") or rule.endpoint in (
            "static",
            "keeping.backup",
            "keeping.delete",
        ):
            continue
        holes = re.split(r"<[^>]*>", rule.rule)
        at = st.lists(_NUMBERS, min_size=len(holes), max_size=len(holes)).map(partial(_filled, holes))
        asked = st.builds(lambda path, tail: f"{path}?{tail}", at, st.sampled_from(
            ["", "place=1", "before=x", "turn=99999999999999999999", "rack=ABCDEFG", "word=x", "to=pass", "show=-1"]
        ))  # fmt: skip
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            yield st.tuples(st.just(method), asked, _FIELDS, st.just("form" if method == "POST" else ""))


def _of(schema: dict[str, Any], document: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values by a schema of the description."""
    if "$ref" in schema:
        return _of(document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], document)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return st.one_of(*(_of(one, document) for one in schema[key]))
    match schema.get("type"):
        case "integer":
            return st.one_of(st.integers(0, 5), st.integers())
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(_of(schema["items"], document), max_size=schema.get("maxItems", 9))
        case "object":
            known = {name: _of(one, document) for name, one in schema.get("properties", {}).items()}
            needed = set(schema.get("required", ()))
            return st.fixed_dictionaries(
                {name: known[name] for name in known if name in needed},
                optional={name: known[name] for name in known if name not in needed},
            )
        case _:
            return _TEXTS


def viewers(folder: Path, *, each: int, tables: int, seconds: float) -> Report:
    """Many watch several tables at which play goes on: each must hear of every version, and the page stay quick."""
    report = Report("viewers", f"{tables} tables, {each * tables} viewers, {seconds:.0f} s")
    with Served(folder) as served:
        games = [served.new_game() for _ in range(tables)]
        versions = {int(game["id"]): int(game["version"]) for game in games}
        watching = _Watching(served.port, [number for number in versions for _ in range(each)])
        before = served.memory()
        pages: list[float] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for number in list(versions):
                status, state = served.turn(number, versions[number])
                if status == 200:
                    versions[number] = int(state["version"])
                    watching.said[number, versions[number]] = time.monotonic()
                began = time.monotonic()
                served.ask(f"/games/{number}")
                pages.append(time.monotonic() - began)
                watching.hear(0.05)
        watching.hear_out(versions)
        report.figures = {
            "events": len(watching.said),
            "missed": watching.missed(versions),
            "event p99": f"{1000 * percentile(watching.delays, 0.99):.0f} ms",
            "page p99": f"{1000 * percentile(pages, 0.99):.0f} ms",
            "memory": f"{before:.0f} to {served.memory():.0f} MB",
        }
        watching.close()
    if report.figures["missed"]:
        report.wrong.append(f"{report.figures['missed']} events missed")
    return report


class _Watching:
    """Streams of events, read side by side; those that find no place ask again, as browsers do."""

    def __init__(self, port: int, games: list[int]) -> None:
        self._port = port
        self._ready = selectors.DefaultSelector()
        self.said: dict[tuple[int, int], float] = {}
        self.delays: list[float] = []
        self._last: dict[int, int] = {}
        self._games = dict(enumerate(games))
        self._again: dict[int, float] = {}
        for viewer in self._games:
            self._open(viewer)

    def _open(self, viewer: int) -> None:
        stream = socket.create_connection(("127.0.0.1", self._port), 30)
        last = f"Last-Event-ID: {self._last[viewer]}\r\n" if viewer in self._last else ""
        path = f"/api/v1/games/{self._games[viewer]}/events"
        stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{last}\r\n".encode())
        stream.setblocking(False)
        self._ready.register(stream, selectors.EVENT_READ, viewer)

    def hear(self, seconds: float) -> None:
        """Read what comes within that time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for viewer in [one for one, due in self._again.items() if due <= time.monotonic()]:
                del self._again[viewer]
                self._open(viewer)
            for key, _ in self._ready.select(left):
                stream = key.fileobj
                assert isinstance(stream, socket.socket)
                data = stream.recv(65_536)
                for found in re.finditer(rb"^id: (\d+)\n", data, re.MULTILINE):
                    self._heard(key.data, int(found[1]))
                if not data:
                    self._ready.unregister(stream)
                    stream.close()
                    self._again[key.data] = time.monotonic() + 2.0

    def _heard(self, viewer: int, version: int) -> None:
        self._last[viewer] = version
        when = self.said.get((self._games[viewer], version))
        if when is not None:
            self.delays.append(time.monotonic() - when)

    def hear_out(self, versions: dict[int, int]) -> None:
        """Read on until all have heard of the last, or three seconds have gone by."""
        end = time.monotonic() + 3.0
        while time.monotonic() < end and self.missed(versions):
            self.hear(0.1)

    def missed(self, versions: dict[int, int]) -> int:
        """How many viewers have not heard of the newest version of their table."""
        return sum(self._last.get(viewer) != versions[game] for viewer, game in self._games.items())

    def close(self) -> None:
        """Leave."""
        for key in list(self._ready.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._ready.close()


def slow_clients(folder: Path, idle: int) -> Report:
    """Connections that say nothing, and some that say a byte now and then, beside somebody who wants a page."""
    report = Report("slow clients", f"{idle} idle connections")
    with Served(folder) as served:
        game = served.new_game()
        held = [socket.create_connection(("127.0.0.1", served.port), 30) for _ in range(idle)]
        for one in held[-20:]:
            one.sendall(b"GET / HT")
        times = []
        for _ in range(20):
            began = time.monotonic()
            status, _ = served.ask(f"/games/{game['id']}")
            times.append(time.monotonic() - began)
            if status != 200:
                report.wrong.append(f"{status} beside them")
        for one in held:
            one.close()
    report.figures = {"page, slowest": f"{1000 * max(times):.0f} ms"}
    if max(times) > 3.0:
        report.late.append("the page kept somebody waiting")
    return report
