"""`upscore serve` and `demo`: what the page is given."""

from __future__ import annotations

import socket
import sys
import webbrowser
from pathlib import Path
from queue import Queue
from threading import Event
from types import SimpleNamespace

import pytest
from clikit import Caller
from presencekit import there

from engine import LexiconError
from upscore.commands import serve as serving
from upscore.commands.serve import open_browser
from upscore.words.judging import judge_word
from upscore.words.languages import list_languages
from upscore.words.loader import load_lexicon, load_meanings
from vision.system import has_screen
from webui.server import ServeConfig


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[ServeConfig]:
    """Return the application that would have been served. Nothing is."""
    configs: list[ServeConfig] = []

    def keep(config: ServeConfig) -> None:
        configs.append(config)

    monkeypatch.setattr(serving, "serve", keep)
    return configs


def test_serve(upscore: Caller, served: list[ServeConfig], tmp_path: Path) -> None:
    words, rules = tmp_path / "own.txt", tmp_path / "rules.json"
    words.write_text("wool\n")
    rules.write_text('{"passing_rounds": 3}')
    upscore(
        "serve", "--host", "0.0.0.0", "--port", "0", "--https", "--camera", "rtsp://camera/1", "--data", tmp_path,
        "--lexicon", words, "--rules", rules,
    )  # fmt: skip
    assert (upscore.status, upscore.out) == (0, "")
    (config,) = served
    assert (config.host, config.port, config.https, config.play_demo) == ("0.0.0.0", 0, True, False)
    assert (config.app.cameras, config.app.data_dir) == (("rtsp://camera/1",), tmp_path)
    assert config.app.rules.passing_rounds == 3
    shelf = config.app.lexicons
    assert shelf.names() == (str(words), "both", "standard", "standard-british", "large", *list_languages())
    assert "WOOL" in shelf.load(str(words))
    assert [config.app.list_label(name) for name in shelf.names()[:2]] == ["own.txt", "American and British"]
    assert config.app.judge("wool", str(words)).playable
    assert not config.app.judge("quiet", str(words)).playable
    with pytest.raises(LexiconError):
        shelf.load("nowhere")


def test_a_tables_own_list_is_known_by_its_whole_path(
    upscore: Caller, served: list[ServeConfig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.txt").write_text("wool\n")
    monkeypatch.chdir(tmp_path)
    upscore("serve", "--port", "0", "--data", tmp_path, "--lexicon", "own.txt")
    shelf, own = served[0].app.lexicons, str(tmp_path / "own.txt")
    assert shelf.names()[0] == own
    monkeypatch.chdir("/")
    assert "WOOL" in shelf.load(own)


def test_a_word_list_that_changes_under_a_running_page_is_not_asked(tmp_path: Path) -> None:
    words = tmp_path / "ours.txt"
    words.write_text("wool\n")
    assert serving.judge("wool", str(words)).playable
    words.write_text("wool\nquiet\n")
    with pytest.raises(
        LexiconError, match=r"The word list ours.txt has changed since the page was started: put the old file back"
    ):
        serving.judge("quiet", str(words))
    words.unlink()
    with pytest.raises(LexiconError, match="cannot be read: put the file back"):
        serving.judge("quiet", str(words))
    assert serving.judge("wool", "standard").playable


@pytest.mark.parametrize(
    ("terminal", "system", "environment", "opens"),
    [
        (True, "linux", {"DISPLAY": ":0"}, True),
        (True, "linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        (True, "linux", {}, False),
        (True, "win32", {}, True),
        (True, "darwin", {}, True),
        (False, "darwin", {}, False),
        (False, "linux", {"DISPLAY": ":0"}, False),
        (True, "linux", {"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "10.0.0.2 50000 10.0.0.1 22"}, False),
        (True, "win32", {"CI": "true"}, False),
    ],
)
def test_a_browser_opens_where_somebody_sits_before_a_screen(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, system: str, environment: dict[str, str], opens: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: terminal))
    assert has_screen(environment, system) == opens


def test_no_browser_opens_where_none_is_wanted(
    upscore: Caller, served: list[ServeConfig], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(serving, "has_screen", lambda: True)
    for command in ("serve", "demo"):
        upscore(command, "--data", tmp_path)
        upscore(command, "--data", tmp_path, "--no-browser")
    assert [config.on_ready for config in served] == [open_browser, None] * 2
    upscore("serve", "--data", tmp_path, "--behind-proxy")
    assert served[-1].on_ready is None, "it would show how to join"


def test_a_browser_that_would_take_the_terminal_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: Queue[tuple[str, str]] = Queue()

    class Windowed(webbrowser.BackgroundBrowser):
        def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
            shown.put(("windowed", url))
            return True

    monkeypatch.setattr(webbrowser.GenericBrowser, "open", lambda self, url: shown.put(("text", url)))
    for browser in (webbrowser.GenericBrowser("lynx"), Windowed("firefox")):
        found = Event()
        monkeypatch.setattr(webbrowser, "get", lambda browser=browser, found=found: found.set() or browser)
        open_browser("http://127.0.0.1:8000/")
        assert found.wait(30)
    assert shown.get(timeout=30) == ("windowed", "http://127.0.0.1:8000/")


def test_games_are_kept_in_the_users_data_folder(
    upscore: Caller, served: list[ServeConfig], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    upscore("serve")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    upscore("serve")
    assert [config.app.data_dir for config in served] == [
        tmp_path / "upscore",
        tmp_path / "home" / ".local" / "share" / "upscore",
    ]
    assert (served[0].host, served[0].port) == ("127.0.0.1", 8000)
    assert served[0].app.list_labels["both"][0] == "American and British"
    assert served[0].app.lexicons.names()[0] == "both"


def test_demo_plays_the_tour_where_people_keep_theirs(
    upscore: Caller, served: list[ServeConfig], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    upscore("serve")
    upscore("demo", "--pace", "2.5", "--port", "8123")
    upscore("demo", "--data", tmp_path / "mine")
    usual, config, mine = served
    assert config.app.data_dir == usual.app.data_dir == tmp_path / "upscore"
    assert mine.app.data_dir == tmp_path / "mine"
    assert (config.play_demo, config.app.demo_pace_s, config.port) == (True, 2.5, 8123)
    tour = there(config.app.tour)
    assert [step.does for step in tour.steps if not (tour.folder / step.does).is_file()] == ["challenge", "end"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("demo", "--pace", "0"), "--pace takes seconds"),
        (("demo", "--pace", "nan"), "--pace takes seconds"),
        (("serve", "--lexicon", "nowhere"), "there is no word list 'nowhere'"),
        (("serve", "--rules", "nowhere"), "There is no file nowhere"),
        (("serve", "--port", "high"), "--port"),
        (("serve", "--port", "70000"), "--port takes 0 to 65535"),
        (("demo", "--port", "-1"), "--port takes 0 to 65535"),
    ],
)
def test_words_that_are_off(upscore: Caller, served: list[ServeConfig], words: tuple[str, ...], told: str) -> None:
    upscore(*words)
    upscore.expect_refusal(told)
    assert served == []


def test_a_port_in_use(upscore: Caller, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        upscore("serve", "--data", tmp_path, "--port", str(taken.getsockname()[1]))
    upscore.expect_refusal("is in use: give another with --port")


@pytest.mark.parametrize("word", ["wool", "xood", "nasa", "e-mail", "colour", "qi"])
@pytest.mark.parametrize("name", ["standard", "both"])
def test_the_page_says_of_a_word_what_the_command_says(word: str, name: str) -> None:
    page, command = serving.judge(word, name), judge_word(word, load_lexicon(name), load_meanings())
    assert (page.word, page.playable, page.meaning) == (command.word, command.playable, command.meaning)
    assert page.sentence == command.sentence


@pytest.mark.slow
def test_a_family_leaves_words_out_of_play_and_of_meanings(
    served: list[ServeConfig], upscore: Caller, tmp_path: Path
) -> None:
    upscore("serve", "--family", "--data", tmp_path)
    upscore("serve", "--data", tmp_path)
    for config, playable in zip(served, (False, True), strict=True):
        assert ("SHIT" in config.app.lexicons.load("both")) is playable
        verdict = config.app.judge("shit", "both")
        assert verdict.playable is playable
        assert (verdict.meaning is not None) is playable
        assert config.app.judge("wool", "both").playable
        assert config.app.suggest is not None
        assert (config.app.suggest("SHIT"), config.app.suggest("WOOL")) == (False, True)
