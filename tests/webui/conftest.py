"""A running application over a fresh data folder, with a scripted reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from webkit import ScriptedReader, config, empty_position

from webui.app import create_app, services_of
from webui.services import Services
from webui.table.games import OpenGame


@pytest.fixture
def reader() -> ScriptedReader:
    return ScriptedReader(position=empty_position())


@pytest.fixture
def app(tmp_path: Path, reader: ScriptedReader) -> Iterator[Flask]:
    made = create_app(config(tmp_path, reader))
    yield made
    services_of(made).close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def made(app: Flask) -> Services:
    return services_of(app)


@pytest.fixture
def game(made: Services) -> OpenGame:
    """A game of Red and Blue on 8x8, before its first turn."""
    return made.tables.start(
        edition="8x8", players=("Red", "Blue"), rules=made.config.rules, lexicon="standard"
    )
