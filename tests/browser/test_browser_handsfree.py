"""Hands-free play in a browser: turned on with a tap, watched without a touch, stopped with another tap."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import pytest
from browserkit import LAPTOP, PHONE, Look, Site, find, says, tap, unreachable, until, wire_is_up
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from webkit import EXAMPLE, ScriptedReader, doubt, picture, really, sure

from engine.squares import parse_square
from vision.images import Image
from webui.ports import Facts, Followed, Sighting

PLAY_ON = "Play on: a turn is taken"
ANSWER = "Answer the question, then play on."


@dataclass
class Table(ScriptedReader):
    """Follows a game by what is put on the table: each frame settles the next thing, if there is one."""

    settled: deque[Followed] = field(default_factory=deque)

    def put(self, sighting: Sighting) -> None:
        self.settled.append(Followed(sighting, picture()))

    def follow(self, facts: Facts) -> Table:
        return self

    def feed(self, frame: Image, time: float) -> Followed | None:
        return self.settled.popleft() if self.settled else None


class Lens:
    """A camera's device, which gives new frames for as long as it is plugged in."""

    def __init__(self) -> None:
        self.plugged = threading.Event()
        self.plugged.set()

    def isOpened(self) -> bool:
        return self.plugged.is_set()

    def read(self) -> tuple[bool, Image]:
        time.sleep(0.02)
        return self.plugged.is_set(), picture(480, 640)

    def get(self, prop: int) -> float:
        return 30.0

    def release(self) -> None:
        pass


@pytest.fixture
def lens(monkeypatch: pytest.MonkeyPatch) -> Lens:
    device = Lens()
    monkeypatch.setattr(cv2, "VideoCapture", lambda source: device)
    return device


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def site(tmp_path: Path, table: Table, lens: Lens) -> Iterator[Site]:
    """The application, with a camera over the table."""
    served = Site(tmp_path, table, camera="0")
    yield served
    served.stop()


def open_page(site: Site, look: Look, size: tuple[int, int] = PHONE) -> WebDriver:
    """The page of the game, listening, with a camera that is live; marked, so that a reload would show."""
    browser = look(site.url, size)
    wire_is_up(browser, site)
    until(browser, lambda: says(browser, "is live"))
    browser.execute_script("window.stayed = true")
    return browser


def pressed(browser: WebDriver) -> bool:
    """Whether the button says that hands-free play is on."""
    return find(browser, "[aria-pressed]").get_attribute("aria-pressed") == "true"


def focused(browser: WebDriver) -> bool:
    """Whether the button is the one that a key would press."""
    return bool(browser.switch_to.active_element == find(browser, "[aria-pressed]"))


def turn_on(browser: WebDriver) -> None:
    tap(browser, "Hands free")
    until(browser, lambda: pressed(browser) and says(browser, PLAY_ON))


def look_again(browser: WebDriver, site: Site) -> None:
    """Have new frames of the camera looked at, for certain."""
    camera, hands = site.made.camera, site.made.hands_free
    assert camera is not None
    assert hands is not None
    for _ in range(3):
        seen = camera.newest()
        until(browser, lambda seen=seen: camera.newest() is not seen)  # type: ignore[misc]
        hands.look()


def test_a_tap_starts_it_and_turns_appear_by_themselves(site: Site, table: Table, look: Look) -> None:
    table.put(sure(EXAMPLE[0]))
    browser = open_page(site, look)
    assert (pressed(browser), says(browser, PLAY_ON), says(browser, "MOOD")) == (False, False, False)
    turn_on(browser)
    until(browser, lambda: says(browser, "MOOD"))
    table.put(sure(EXAMPLE[1]))
    until(browser, lambda: says(browser, "DEAR"))
    assert [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, ".sheet .got")] == ["8", "8"]
    assert find(browser, "#said").get_attribute("textContent") == (
        "Turn 3: Red to play. Blue played DEAR for 8 points."
    )
    assert pressed(browser)
    assert browser.execute_script("return window.stayed")


def test_a_play_that_goes_on_takes_the_place_of_what_was_shown(site: Site, table: Table, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    table.put(sure("M@b4 O@c4"))
    until(browser, lambda: says(browser, "Turn 2: Blue to play."))
    table.put(really(EXAMPLE[0], asked=False))
    until(browser, lambda: says(browser, "MOOD"))
    assert len(browser.find_elements(By.CSS_SELECTOR, ".sheet .made")) == 1
    assert says(browser, "Turn 2: Blue to play.")


def test_a_question_is_shown_and_holds_everything_up(site: Site, table: Table, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    table.put(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4")))
    table.put(sure(EXAMPLE[1]))
    until(browser, lambda: says(browser, "Is this D or B at e4?") and says(browser, ANSWER))
    look_again(browser, site)
    assert (says(browser, PLAY_ON), says(browser, "DEAR")) == (False, False)
    assert site.now().game.turns == ()
    tap(browser, "MOOD")
    until(browser, lambda: says(browser, "DEAR") and says(browser, PLAY_ON))
    assert not says(browser, "Is this D or B")
    assert [turn.points for turn in site.now().game.turns] == [8, 8]
    assert browser.execute_script("return window.stayed")


def test_an_earlier_turn_read_wrongly_is_shown_and_put_right_with_a_tap(
    site: Site, table: Table, look: Look
) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    table.put(sure("M@b4 O@c4 O@d4 N@e4"))
    until(browser, lambda: says(browser, "MOON"))
    table.put(really(EXAMPLE[0], EXAMPLE[1]))
    until(browser, lambda: says(browser, "An earlier turn looks like another now"))
    assert says(browser, "Turn 1 was MOOD 8, not MOON 8, then DEAR 8")
    assert len(site.now().game.turns) == 1
    tap(browser, "DEAR")
    until(browser, lambda: says(browser, "Turn 3: Red to play."))
    assert says(browser, "MOOD")
    assert not says(browser, "MOON")
    assert [turn.points for turn in site.now().game.turns] == [8, 8]


def test_a_second_tap_stops_it(site: Site, table: Table, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    tap(browser, "Hands free")
    until(browser, lambda: not pressed(browser))
    assert not says(browser, PLAY_ON)
    table.put(sure(EXAMPLE[0]))
    look_again(browser, site)
    assert site.now().game.turns == ()
    turn_on(browser)
    until(browser, lambda: says(browser, "MOOD"))


def test_it_is_turned_on_and_off_with_the_keyboard(site: Site, look: Look) -> None:
    browser = open_page(site, look, LAPTOP)
    find(browser, "[aria-pressed]").send_keys(Keys.SPACE)
    until(browser, lambda: pressed(browser) and focused(browser))
    browser.switch_to.active_element.send_keys(Keys.SPACE)
    until(browser, lambda: not pressed(browser) and focused(browser))


def test_following_another_game_is_seen_on_the_page_of_this(site: Site, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    other = site.made.tables.start(
        edition="8x8", players=("Ann", "Bob"), rules=site.made.config.rules, lexicon="standard"
    )
    assert site.made.hands_free is not None
    site.made.hands_free.follow(other.row.id)
    until(browser, lambda: not pressed(browser))
    assert not says(browser, PLAY_ON)


def test_a_game_that_ends_is_followed_no_longer(site: Site, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    site.made.tables.change(site.now(), lambda game: game.end("agreed", (0, 0)))
    until(browser, lambda: says(browser, "The game is over"))
    assert browser.find_elements(By.CSS_SELECTOR, "[aria-pressed], .camera") == []


def test_a_lost_camera_is_told_until_it_is_back(site: Site, table: Table, lens: Lens, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    lens.plugged.clear()
    until(browser, lambda: says(browser, "check that it is on"))
    assert (pressed(browser), says(browser, PLAY_ON)) == (True, False)
    table.put(sure(EXAMPLE[0]))
    lens.plugged.set()
    until(browser, lambda: says(browser, PLAY_ON))
    until(browser, lambda: says(browser, "MOOD"))


def test_the_camera_is_shown_and_stays_open_as_turns_come(site: Site, table: Table, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    tap(browser, "is live", "summary")
    until(browser, lambda: find(browser, "[data-camera]").is_displayed())
    table.put(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4")))
    until(browser, lambda: says(browser, ANSWER))
    until(browser, lambda: find(browser, "[data-camera]").is_displayed())
    tap(browser, "is live", "summary")
    until(browser, lambda: not find(browser, "[data-camera]").is_displayed())


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_every_button_is_within_reach(site: Site, table: Table, look: Look, size: tuple[int, int]) -> None:
    doing = ".doing > .button, .doing > form > button, .doing > .more > summary"
    browser = open_page(site, look, size)
    assert len(browser.find_elements(By.CSS_SELECTOR, doing)) == 5
    assert unreachable(browser, doing) == []
    turn_on(browser)
    assert unreachable(browser, doing) == []
    find(browser, ".more > summary").click()
    assert unreachable(browser, ".menu button, .menu .button, .menu .file") == []
    find(browser, ".more > summary").click()
    table.put(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4")))
    until(browser, lambda: says(browser, ANSWER))
    browser.execute_script("document.querySelector('.ask').scrollIntoView({block: 'center'})")
    assert unreachable(browser, ".ask button, .ask .button, .ask .file") == []
    assert unreachable(browser, doing) == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
