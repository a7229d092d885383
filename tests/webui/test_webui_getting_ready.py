"""What the first page does not wait for: the reader, made later, and templates that need not be compiled again."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest
from jinja2 import Environment, FileSystemLoader
from webkit import OpenPage, ScriptedReader, empty_position, picture
from werkzeug.local import LocalProxy

from engine import UpscoreError, find_edition
from upscore.commands import serve as serving
from upscore.commands.serve import lazy
from webui import server
from webui.app import TemplateCache, services_of
from webui.ports import TurnReader


def test_many_who_ask_at_once_wait_for_one_reader() -> None:
    made: list[ScriptedReader] = []

    def make() -> TurnReader:
        time.sleep(0.05)
        made.append(ScriptedReader(position=empty_position()))
        return cast(TurnReader, made[0])

    reader = lazy(make)
    assert made == []
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda _: reader(), range(8)))
    assert len(made) == 1
    assert set(map(id, given)) == {id(made[0])}
    later = cast(TurnReader, LocalProxy(reader))
    assert later.read_position(picture(), edition=find_edition("8x8"), lexicon=None) == empty_position()


def test_a_reader_that_could_not_be_made_is_tried_again() -> None:
    tries: list[str] = []

    def make() -> TurnReader:
        tries.append("once more")
        if len(tries) == 1:
            raise UpscoreError("The weights are missing: install Upscore again.")
        return cast(TurnReader, ScriptedReader(position=empty_position()))

    reader = lazy(make)
    with pytest.raises(UpscoreError, match="install Upscore again"):
        reader()
    assert reader() is reader()
    assert len(tries) == 2


def test_a_library_that_is_missing_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "webui.table.reader", None)
    with pytest.raises(UpscoreError, match="install upscore again"):
        serving._vision_reader()


def test_the_reader_is_loaded_once_the_page_is_served(open_page: OpenPage) -> None:
    loaded = threading.Event()
    services = services_of(open_page(get_ready=loaded.set))
    server._get_ready_behind(services, threading.Event(), head_start_s=0.0)
    assert loaded.wait(20)


def test_nothing_is_loaded_for_a_page_that_has_ended(open_page: OpenPage) -> None:
    loaded, ended = threading.Event(), threading.Event()
    ended.set()
    server._get_ready_behind(services_of(open_page(get_ready=loaded.set)), ended, head_start_s=0.0)
    assert not loaded.wait(0.2)


@pytest.fixture
def render(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Writes what the template says now, as a program that has just started does."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "hello.html").write_text("Hello {{ name }}")

    def render_page() -> str:
        page = Environment(loader=FileSystemLoader(tmp_path), bytecode_cache=TemplateCache(tmp_path), autoescape=True)
        return page.get_template("hello.html").render(name="<Ada>")

    return render_page


def list_kept(folder: Path) -> list[Path]:
    return sorted((folder / "__pycache__").glob("*.cache"))


def test_a_compiled_template_is_kept_and_used_for_its_own_text_alone(
    render: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert render() == "Hello &lt;Ada&gt;"
    assert len(list_kept(tmp_path)) == 1
    with monkeypatch.context() as without:
        without.setattr(Environment, "compile", None)
        assert render() == "Hello &lt;Ada&gt;"
    (tmp_path / "hello.html").write_text("Good evening {{ name }}")
    assert render() == "Good evening &lt;Ada&gt;"


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"j2"])
def test_a_damaged_one_is_compiled_anew(render: Callable[[], str], tmp_path: Path, damage: bytes) -> None:
    render()
    list_kept(tmp_path)[0].write_bytes(damage)
    assert render() == "Hello &lt;Ada&gt;"


def test_where_nothing_can_be_kept_pages_are_there_all_the_same(
    render: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "__pycache__").write_text("a file in the way")
    assert render() == "Hello &lt;Ada&gt;"
    (tmp_path / "__pycache__").unlink()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert render() == "Hello &lt;Ada&gt;"
    assert list_kept(tmp_path) == []
