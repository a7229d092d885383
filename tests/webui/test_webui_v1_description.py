"""What is told of the interface for programs, in its description and in docs/api.md, is what it does."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from webkit import (
    EXAMPLE,
    EXAMPLE_WORDS,
    OpenPage,
    ScriptedReader,
    SearchableShelf,
    doubt,
    jpeg,
    make_finding,
    sure,
    upload,
)
from werkzeug.test import TestResponse

from engine import EDITIONS, parse_square
from engine.editions import KEYS, edition_table

ROOT = "/api/v1"
DOCS = Path(__file__).parents[2] / "docs" / "api.md"
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": float,
}


def check(value: Any, schema: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    """Assert that a value is as a schema has it, as far as the description makes use of schemas."""
    while "$ref" in schema:
        schema = resolve(schema["$ref"], document)
    if "anyOf" in schema:  # a type or null
        return check(value, schema["anyOf"][value is None], document)
    if "oneOf" in schema:  # distinguished by their required names
        schema = next(one for one in schema["oneOf"] if set(one["required"]) == set(value))
    if "enum" in schema:
        assert value in schema["enum"]
    if "const" in schema:
        assert value == schema["const"]
    if "type" in schema:
        kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        assert type(value) in [TYPES[kind] for kind in kinds], (value, schema)
    if isinstance(value, list) and "items" in schema:
        for item in value:
            check(item, schema["items"], document)
    if isinstance(value, dict):
        assert set(schema.get("required", ())) <= set(value)
        for name, item in value.items():
            other = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            assert other is not False, f"{name} is not described"
            check(item, other, document)


def resolve(reference: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found  # type: ignore[no-any-return]


@pytest.fixture
def document(client: FlaskClient) -> Any:
    return client.get(f"{ROOT}/openapi.json").get_json()


def test_every_address_is_described_and_every_description_has_an_address(app: Flask, document: Any) -> None:
    served = {
        (re.sub(r"<(?:int:game_)?(id|word)>", r"{\1}", rule.rule.removeprefix(ROOT)), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(f"{ROOT}/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {
        (path, method) for path, calls in document["paths"].items() for method in calls if method != "parameters"
    }
    assert served == described
    assert (document["openapi"], document["servers"]) == ("3.1.0", [{"url": ROOT}])


def references(part: Any) -> set[str]:
    if isinstance(part, list):
        return set().union(*map(references, part))
    if not isinstance(part, dict):
        return set()
    own = {part["$ref"]} if "$ref" in part else set()
    return own.union(*map(references, part.values()))


def test_what_the_description_refers_to_is_there_and_used(document: Any) -> None:
    used = references(document)
    for reference in used:
        resolve(reference, document)
    there = {f"#/components/{kind}/{name}" for kind, parts in document["components"].items() for name in parts}
    assert there == used


@dataclass
class Caller:
    """Calls, and checks against the description what it sends and what it is told."""

    client: FlaskClient
    document: Any
    called: set[str] = field(default_factory=set)

    def get(self, path: str) -> Any:
        return self._check_told(path, "get", self.client.get(ROOT + path))

    def post(self, path: str, body: dict[str, object]) -> Any:
        check(body, self._call(path, "post")["requestBody"]["content"]["application/json"]["schema"], self.document)
        return self._check_told(path, "post", self.client.post(ROOT + path, data=json.dumps(body)))

    def photograph(self, height: int) -> Any:
        path = "/games/1/photos"
        return self._check_told(path, "post", upload(self.client, ROOT + path, jpeg(height)))

    def _call(self, path: str, method: str) -> Any:
        template = re.sub(r"/words/\w+", "/words/{word}", re.sub(r"/games/\d+", "/games/{id}", path.partition("?")[0]))
        self.called.add(template)
        return self.document["paths"][template][method]

    def _check_told(self, path: str, method: str, response: TestResponse) -> Any:
        responses = self._call(path, method)["responses"]
        told = responses["4XX" if 400 <= response.status_code < 500 else str(response.status_code)]
        told = resolve(told["$ref"], self.document) if "$ref" in told else told
        check(response.get_json(), told["content"]["application/json"]["schema"], self.document)
        return response.get_json()


def test_the_answers_of_a_game_are_as_described(client: FlaskClient, document: Any, reader: ScriptedReader) -> None:
    reader.say([sure(EXAMPLE[0]), doubt(EXAMPLE[1], "E@e5 A@e6", question=parse_square("e7"))])
    reader.say([make_finding("removed"), make_finding("none"), make_finding("unclear", "A hand.")])
    calls = Caller(client, document)
    calls.post("/games", {"edition": "8x8", "players": ["Red", "Blue"], "rules": {"passing_rounds": 2}})
    calls.photograph(101)
    asked = calls.photograph(102)
    calls.post("/games/1/answer", {"version": asked["version"], "choice": 0})
    for height in (103, 104, 105):
        asked = calls.photograph(height)
    told = calls.post("/games/1/answer", {"version": asked["version"], "dismiss": True})
    calls.post("/games/1/turns", {"version": 1, "kind": "pass"})
    for body in (
        {"kind": "challenge", "upheld": True, "by": "Red"},
        {"kind": "play", "tiles": EXAMPLE[1]},
        {"kind": "pass"},
        {"kind": "exchange"},
        {"kind": "end", "racks": {"Red": 1, "Blue": 2}, "reason": "agreed"},
    ):
        told = calls.post("/games/1/turns", {"version": told["version"], **body})
    assert told == calls.get("/games/1")
    calls.post("/games/1/undo", {"version": told["version"]})
    calls.get("/games")
    calls.get("/openapi.json")
    assert calls.get("/words/mood")["playable"]
    assert calls.get(f"/words/{'A' * 41}")["error"]
    assert set(document["paths"]) - calls.called == {"/games/{id}/events", "/games/{id}/solve"}


def test_the_answers_about_a_rack_are_as_described(open_page: OpenPage) -> None:
    client = open_page(lexicons=SearchableShelf()).test_client()
    calls = Caller(client, client.get(f"{ROOT}/openapi.json").get_json())
    calls.post("/games", {"edition": "8x8", "players": ["Red", "Blue"]})
    calls.post("/games/1/turns", {"version": 1, "kind": "play", "tiles": "O@d4 N@e4"})
    assert "Hints come after the game" in calls.get("/games/1/solve?rack=TOEXXXX")["error"]
    calls.post("/games/1/turns", {"version": 2, "kind": "end", "racks": {"Red": 7, "Blue": 7}})
    told = calls.get("/games/1/solve?rack=TOEXXXX")
    assert len(told) == 10
    assert any("exchange" in choice for choice in told)


def test_the_table_of_a_set_is_described(client: FlaskClient, document: Any) -> None:
    table = edition_table(replace(EDITIONS["8x8"], name="Ours", lexicon="large", note="home-made"))
    check(table, document["components"]["schemas"]["Set"], document)
    assert set(document["components"]["schemas"]["Set"]["properties"]) == set(KEYS)
    answer = client.post(f"{ROOT}/games", json={"edition": table, "players": ["Ada"]})
    assert answer.get_json()["edition"] == "Ours"


# docs/api.md


def matches(shown: Any, actual: Any) -> bool:
    """Return whether a value matches the one shown; "..." in a list stands for any number of items."""
    if isinstance(shown, dict) and isinstance(actual, dict):
        return set(shown) == set(actual) and all(matches(shown[name], actual[name]) for name in shown)
    if not isinstance(shown, list) or not isinstance(actual, list):
        return bool(shown == actual)
    if "..." not in shown:
        return len(shown) == len(actual) and all(map(matches, shown, actual))
    first = shown.index("...")
    last = len(shown) - first - 1
    whole = len(actual) >= first + last
    return whole and all(
        map(matches, shown[:first] + shown[first + 1 :], actual[:first] + actual[len(actual) - last :])
    )


def run(command: str, client: FlaskClient, photos: dict[str, bytes]) -> TestResponse:
    """Run a curl command of the docs and return the answer."""
    words = shlex.split(command.replace("$page", ROOT))
    assert words[0] == "curl"
    path = next(word for word in words if word.startswith(ROOT))
    if "-F" in words:
        field, _, file = words[words.index("-F") + 1].partition("=@")
        form = {field: (io.BytesIO(photos[file]), file)}
        return client.post(path, data=form, content_type="multipart/form-data")
    if "-d" in words:
        kind = "application/x-www-form-urlencoded"
        return client.post(path, data=words[words.index("-d") + 1], content_type=kind)
    return client.get(path)


def test_the_examples_of_the_docs_do_what_they_show(open_page: OpenPage, reader: ScriptedReader) -> None:
    ids = dict.fromkeys(map(int, re.findall(r'"id": (\d+)', DOCS.read_text(encoding="utf-8"))))
    assert len(ids) == 2
    assert min(ids) >= 2**40, "as they are drawn"
    lexicons = SearchableShelf(EXAMPLE_WORDS)
    client = open_page(new_game_id=iter(ids).__next__, lexicons=lexicons).test_client()
    reader.say([sure(EXAMPLE[0]), doubt(EXAMPLE[1], "E@e5 A@e6 P@e7", question=parse_square("e7"))])
    photos = {"turn1.jpg": jpeg(120), "turn2.jpg": jpeg(130)}
    blocks = re.findall(r"```(\w*)\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    response: TestResponse | None = None
    shown = 0
    for language, block in blocks:
        if language == "sh":
            for command in block.splitlines():
                if "$page/" in command:  # what another device sends is not sent here
                    response = run(command, client, photos)
        elif language == "json":
            assert response is not None
            expected = json.loads(re.sub(r"(?<!\")\.\.\.", '"..."', block))
            assert matches(expected, response.get_json()), f"{block}{response.get_data(as_text=True)}"
            shown += 1
        else:
            assert response is not None
            chunks = response.iter_encoded()
            assert (next(chunks) + next(chunks)).decode().strip() == block.strip()
            response.close()
    assert shown == 7
