"""Does any call fall it over? Every address with anything sent to it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from upscore.commands.serve import Shelf, judge
from webui.app import create_app, services_of
from webui.ports import AppConfig
from webui.table.reader import VisionReader
from workshop.bench.campaigns.served import Report


def every_address(times: int) -> Report:
    """Return every address there is, with anything that its description allows sent to it, and more."""
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
            calls = st.one_of(*_describe(document), *_routes(app.url_map.iter_rules()))

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
                status = _call(client, *call)
                statuses[status] = statuses.get(status, 0) + 1
                if status >= 500 and status not in (503, 507):
                    report.wrong.append(f"{status}: {call[0]} {call[1]} {str(call[2])[:80]}")

            fuzz()
        finally:
            services_of(app).close()
    report.figures = {str(status): number for status, number in sorted(statuses.items())}
    return report


def _call(client: FlaskClient, method: str, path: str, sent: Any, kind: str) -> int:
    more = {"json": {"json": sent}, "form": {"data": sent}, "bytes": {"data": sent}}.get(kind, {})
    with client.open(path, method=method, **more) as answer:
        return answer.status_code


def _describe(document: dict[str, Any]) -> Iterator[st.SearchStrategy[tuple[str, str, Any, str]]]:
    """Yield a strategy for each call that the description has: its own kind of body, or any."""
    for path, item in document["paths"].items():
        for method in sorted(set(item) & {"get", "post"}):
            if path.endswith("/events"):
                continue  # a stream has no end
            body = item[method].get("requestBody", {}).get("content", {}).get("application/json")
            sent = _of(body["schema"], document) if body else st.none()
            at = st.builds(lambda number, path=path: "/api/v1" + path.replace("{id}", number), _NUMBERS)
            yield st.tuples(st.just(method.upper()), at, st.one_of(sent, _ANYTHING), st.just("json"))
            yield st.tuples(st.just(method.upper()), at, st.binary(max_size=80), st.just("bytes"))


_NUMBERS = st.sampled_from(["1", "1", "1", "1", "2", "0", "-1", "9" * 30, "x", "1.5", "%00", "१"])
_TEXTS = st.one_of(st.text(max_size=12), st.sampled_from(["N@d7", "8x8", "standard", "Red", "on", "1", "2", ""]))
_ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), _TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_TEXTS, inner, max_size=4)),
    max_leaves=8,
)
_NAMES = (
    *("version", "tiles", "choice", "face", "accept", "reason", "player0", "player1", "edition", "lexicon", "rules"),
    *("position", "photo_key", "first", "score0", "left0", "on", "which", "player", "to", "rule-passing_rounds"),
)
_FIELDS = st.dictionaries(st.sampled_from(_NAMES), _TEXTS, max_size=8)


def _fill(holes: list[str], fill: list[str]) -> str:
    """Return an address whose variable parts are filled in."""
    return "".join(a + b for a, b in zip(holes, [*fill[1:], ""], strict=True))


def _routes(rules: Any) -> Iterator[st.SearchStrategy[tuple[str, str, Any, str]]]:
    """Yield a strategy for each address that the application has."""
    for rule in rules:
        if rule.endpoint.endswith("events") or rule.endpoint in ("static", "files.backup", "files.delete"):
            continue
        holes = re.split(r"<[^>]*>", rule.rule)
        at = st.lists(_NUMBERS, min_size=len(holes), max_size=len(holes)).map(partial(_fill, holes))
        asked = st.builds(lambda path, tail: f"{path}?{tail}", at, st.sampled_from(
            ["", "place=1", "before=x", "turn=99999999999999999999", "rack=ABCDEFG", "word=x", "to=pass", "show=-1"]
        ))  # fmt: skip
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            yield st.tuples(st.just(method), asked, _FIELDS, st.just("form" if method == "POST" else ""))


def _of(schema: dict[str, Any], document: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for values by a schema of the description."""
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
