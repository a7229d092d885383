"""A running application over a fresh data folder, with a scripted reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import CodeType
from typing import ClassVar

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache
from webkit import Lobby, OpenPage, ScriptedReader, Site, config, empty_position, start_game
from werkzeug.routing import Rule

from webui.app import create_app, services_of
from webui.services import Services
from webui.table.games import OpenGame


class TemplatesInMemory(BytecodeCache):
    """The compiled templates of every application of this process."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        self._compiled[bucket.key, bucket.checksum] = bucket.code


class RuleCompiledOnce(Rule):
    """A route, compiled once for all applications of this process."""

    made: ClassVar[dict[tuple[object, ...], dict[str, object]]] = {}

    def compile(self) -> None:
        key = (self.rule, self.subdomain, self.endpoint, str(self.defaults), self.merge_slashes)
        if key not in self.made:
            before = dict(vars(self))
            super().compile()
            self.made[key] = {name: made for name, made in vars(self).items() if before.get(name) is not made}
            self.made[key]["arguments"] = self.arguments
        vars(self).update(self.made[key])


@pytest.fixture(scope="session", autouse=True)
def _compiled_once() -> Iterator[None]:
    """Compile each template and each route once: that takes most of the time of making an application."""
    templates = TemplatesInMemory()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webui.app.TemplateCache", lambda _: templates)
        patch.setattr(Flask, "url_rule_class", RuleCompiledOnce)
        yield


@pytest.fixture
def reader() -> ScriptedReader:
    return ScriptedReader(position=empty_position())


@pytest.fixture
def open_page(tmp_path: Path, reader: ScriptedReader) -> Iterator[OpenPage]:
    """Opens the page, as often as wanted, and closes it after the test."""
    with ExitStack() as opened:

        def start(**settings: object) -> Flask:
            app = create_app(config(tmp_path, reader, **settings))
            opened.callback(services_of(app).close)
            return app

        yield start


@pytest.fixture
def app(open_page: OpenPage) -> Flask:
    return open_page()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def services(app: Flask) -> Services:
    return services_of(app)


@pytest.fixture
def game(services: Services) -> OpenGame:
    """A game of Red and Blue on 8x8, before its first turn."""
    return start_game(services)


@pytest.fixture
def lobby(app: Flask, client: FlaskClient, services: Services, reader: ScriptedReader) -> Lobby:
    return Lobby(app, client, services, reader)


@pytest.fixture
def site(lobby: Lobby, game: OpenGame) -> Site:
    return Site(lobby.app, lobby.client, lobby.services, lobby.reader, game)
