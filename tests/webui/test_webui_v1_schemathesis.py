"""Schemathesis sends what the interface allows and what it forbids: all answers are as described."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from guestkit import SERVER
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from propertykit import examples
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance
from webkit import EXAMPLE, ScriptedReader, config, doubt, empty_position, jpeg, sure, upload

from webui.access.sessions import Role
from webui.app import create_app, services_of

pytestmark = pytest.mark.slow

WHO = {"stranger": (100, {401}), "viewer": (300, {200, 400, 403, 404}), "computer": (600, {200, 201, 400, 404, 409})}
"""Who calls: how many calls, and the statuses that must be among the answers."""
STREAM = r"/events$"
"""Has no end: other tests read it."""
ASKED, PLAYED = 1, 2
"""Two games: one whose question waits, and one with a turn."""


class Caller:
    """A client of the application: its requests come from one caller's address, with that caller's cookie."""

    def __init__(self, app: Flask, who: str) -> None:
        self._app = app
        self._more = {"REMOTE_ADDR": "127.0.0.1", "HTTP_ACCEPT_ENCODING": "identity"}
        if who != "computer":
            self._more |= {"REMOTE_ADDR": "192.168.1.77", "HTTP_HOST": f"{SERVER}:8000", "upscore.own_address": SERVER}
        if who == "viewer":
            token, _ = services_of(app).gate.sessions.begin("Phone", Role.VIEWER, None)
            self._more["HTTP_COOKIE"] = f"upscore-8000={token}"

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        return self._app.wsgi_app({**environ, **self._more}, start)


def serve(folder: Path) -> Flask:
    """Return a page with both games."""
    reader = ScriptedReader(position=empty_position())
    reader.say([doubt(EXAMPLE[0], "M@b4 O@c4"), sure(EXAMPLE[0])])
    app = create_app(config(folder, reader))
    client = app.test_client()
    for game in (ASKED, PLAYED):
        client.post("/api/v1/games", json={"edition": "8x8", "players": ["Red", "Blue"]})
        assert upload(client, f"/api/v1/games/{game}/photos", jpeg(100 + game)).status_code == 200
    return app


def aim(case: Any, app: Flask) -> None:
    """Let half of the valid calls name an existing game and its version.

    Players get names that are short enough.
    """
    if isinstance(case.body, dict) and isinstance(players := case.body.get("players"), list):
        case.body["players"] = [f"P{at}" if isinstance(name, str) else name for at, name in enumerate(players)]
    game = case.path_parameters.get("id")
    if type(game) is not int or game % 2:
        return
    case.path_parameters["id"] = game = ASKED if game % 4 else PLAYED
    if isinstance(case.body, dict) and type(case.body.get("version")) is int:
        case.body["version"] = services_of(app).games.version(game)


@pytest.mark.parametrize("who", WHO)
def test_every_answer_is_described_whatever_is_sent(tmp_path: Path, who: str) -> None:
    app = serve(tmp_path)
    caller = Caller(app, who)
    count, wanted = WHO[who]
    schema = schemathesis.openapi.from_dict(app.test_client().get("/api/v1/openapi.json").get_json())
    calls = schema.exclude(path_regex=STREAM)
    wrong: list[str] = []
    statuses: set[int] = set()

    # failures are gathered, not raised: the games go on, so no example could be repeated
    @settings(examples(count), database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(st.one_of(*(calls.as_strategy(mode) for mode in GenerationMode)))
    def send(case: Any) -> None:
        aim(case, app)
        response = case.call(app=caller)
        statuses.add(response.status_code)
        try:
            case.validate_response(response, excluded_checks=[positive_data_acceptance])
        except FailureGroup as failures:
            wrong.append(str(failures))

    try:
        send()
    finally:
        services_of(app).close()
    assert not wrong, "\n".join(wrong[:5])
    assert statuses >= wanted
