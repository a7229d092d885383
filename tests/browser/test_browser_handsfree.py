"""Hands-free play in a browser: turned on with a tap, watched without a touch, stopped with another tap."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from browserkit import (
    LAPTOP,
    PHONE,
    SHIFTS,
    TELEVISION,
    BrowserSite,
    Look,
    click,
    find,
    forget_complaints,
    later,
    says,
    tap,
    unreachable,
    until,
    until_still,  # fmt: skip
)
from presencekit import there
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from tablekit import HAND, SETTLED, STILL, Lens, Table
from webkit import EXAMPLE, because, doubt, really, start_game, sure

from engine import parse_square
from vision.video.watch_state import IN_DOUBT
from webui.ports import Corners

pytestmark = pytest.mark.slow

PLAY_ON = "Play, then take your hands away."
WAITS = "Question waiting"


@pytest.fixture
def lens(monkeypatch: pytest.MonkeyPatch) -> Lens:
    device = Lens()
    monkeypatch.setattr(cv2, "VideoCapture", lambda *source: device)
    return device


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def site(tmp_path: Path, table: Table, lens: Lens) -> Iterator[BrowserSite]:
    """The application, with a camera over the table."""
    served = BrowserSite(tmp_path, table, cameras=("0",))
    yield served
    served.stop()


def open_page(site: BrowserSite, look: Look, size: tuple[int, int] = PHONE) -> WebDriver:
    """The page of the game, listening, with a camera that is live; marked, so that a reload would show."""
    browser = look(site.url, size, live=True)
    until(browser, "Camera on")
    browser.execute_script("window.stayed = true")
    return browser


def is_pressed(browser: WebDriver) -> bool:
    """Return whether the button says that hands-free play is on."""
    return find(browser, "[aria-pressed]").get_attribute("aria-pressed") == "true"


def has_focus(browser: WebDriver) -> bool:
    """Return whether the button has the focus."""
    return bool(browser.switch_to.active_element == find(browser, "[aria-pressed]"))


LISTENING = """
  window.tones = 0; window.spoken = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { window.tones += 1; return start.apply(this, at); };
  speechSynthesis.speak = (said) => window.spoken.push(said.text);
"""


def list_heard(browser: WebDriver) -> tuple[int, list[str]]:
    """Return how many tones sounded, and what was spoken."""
    tones, spoken = browser.execute_script("return [window.tones, window.spoken]")
    return int(tones), list(spoken)


def switches(browser: WebDriver) -> dict[str, bool]:
    """Return the state of the switches in the camera's part."""
    found = browser.find_elements(By.CSS_SELECTOR, "[data-switch]")
    return {str(box.get_attribute("data-switch")): box.is_selected() for box in found}


def switch(browser: WebDriver, name: str) -> None:
    """Throw one of the switches, out of the way of the bar at the bottom."""
    until_still(browser)
    box = find(browser, f"[data-switch='{name}']")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
    click(browser, box)


def read_announcement(browser: WebDriver) -> str:
    """Return the latest announcement about hands-free play for screen readers."""
    return str(find(browser, "#told").get_attribute("textContent"))


def wide(browser: WebDriver, selector: str) -> int:
    """Return the width of a loaded picture on the page, px."""
    return int(browser.execute_script(f"return document.querySelector('{selector}').naturalWidth"))


def turn_on(browser: WebDriver) -> None:
    tap(browser, "Hands free")
    until(browser, lambda: is_pressed(browser) and says(browser, PLAY_ON))
    later(browser, 1)  # otherwise another tap would count as one for this


def look_again(browser: WebDriver, site: BrowserSite) -> None:
    """Make sure that new frames of the camera are looked at."""
    camera = site.services.cameras.require(site.game.row.id).camera
    for _ in range(3):
        seen = camera.newest()
        until(browser, lambda seen=seen: camera.newest() is not seen)  # type: ignore[misc]


def test_a_tap_starts_it_and_turns_appear_by_themselves(site: BrowserSite, table: Table, look: Look) -> None:
    table.put(sure(EXAMPLE[0]))
    browser = open_page(site, look)
    assert (is_pressed(browser), says(browser, PLAY_ON), says(browser, "MOOD")) == (False, False, False)
    turn_on(browser)
    until(browser, "MOOD")
    table.put(sure(EXAMPLE[1]))
    until(browser, "DEAR")
    assert [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, ".sheet .got")] == ["8", "8"]
    assert find(browser, "#said").get_attribute("textContent") == (
        "Turn 3: Red to play. Blue played DEAR for 8 points."
    )
    assert is_pressed(browser)
    assert browser.execute_script("return window.stayed")


def test_a_play_that_goes_on_takes_the_place_of_what_was_shown(site: BrowserSite, table: Table, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    table.put(sure("M@b4 O@c4"))
    until(browser, "Turn 2: Blue to play.")
    table.put(really(EXAMPLE[0], asked=False))
    until(browser, "MOOD")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".sheet .made")) == 1
    assert says(browser, "Turn 2: Blue to play.")


def test_a_question_is_shown_and_what_is_played_meanwhile_joins_it(site: BrowserSite, table: Table, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    table.put(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4")))
    until(browser, lambda: says(browser, "Is this D or B at e4?") and says(browser, WAITS))
    assert not says(browser, PLAY_ON)
    table.put(replace(really(*EXAMPLE[:2], replaces=0), reason=because("Two plays.")))
    until(browser, lambda: says(browser, "Question waiting: two turns") and says(browser, "Two plays."))
    assert site.now().game.turns == ()
    tap(browser, "DEAR")
    until(browser, lambda: says(browser, "DEAR") and says(browser, PLAY_ON))
    assert [turn.points for turn in site.now().game.turns] == [8, 8]
    assert browser.execute_script("return window.stayed")


def test_a_question_sounds_once_and_is_read_out_where_that_is_wished_for(
    site: BrowserSite, table: Table, look: Look
) -> None:
    browser = open_page(site, look)
    browser.execute_script(LISTENING)
    turn_on(browser)
    tap(browser, "Camera on", "summary")
    assert switches(browser) == {"beep": True, "speech": False, "chime": False}
    table.put(sure(EXAMPLE[0]))
    until(browser, "MOOD")
    table.put(doubt(EXAMPLE[1], "E@e5 A@e6", question=parse_square("e7")))
    until(browser, WAITS)
    assert list_heard(browser) == (2, []), "two tones of one sound, and nothing spoken"
    switch(browser, "speech")
    tap(browser, "DEAR", then=PLAY_ON)
    assert list_heard(browser) == (2, ["Turns are read out.", "Blue: dear, 8 points."])
    switch(browser, "beep")
    table.put(doubt(EXAMPLE[2], "N@d5", question=parse_square("f5")))
    until(browser, WAITS)
    tones, spoken = list_heard(browser)
    assert tones == 2
    assert spoken[2:] == ["Was T put on f5 this turn?"]
    browser.refresh()
    until(browser, lambda: switches(browser) == {"beep": False, "speech": True, "chime": False})
    browser.execute_script("localStorage.clear()")


def test_each_state_is_shown_large_and_only_what_matters_is_announced(
    site: BrowserSite, table: Table, look: Look
) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    table.watch_state = HAND
    until(browser, "Hand over the board")
    assert read_announcement(browser) == ""
    table.watch_state = replace(SETTLED, board="lost")
    until(browser, "The board is out of view")
    until(browser, lambda: read_announcement(browser).startswith("The board is out of view. Point the camera"))
    size = browser.execute_script("return getComputedStyle(document.querySelector('.table-state h2')).fontSize")
    assert float(size.removesuffix("px")) >= 27
    table.watch_state = SETTLED
    until(browser, PLAY_ON)


CARD = """
  const card = document.querySelector(".table-state");
  const [headline, whole] = [card.querySelector("h2"), card].map((each) => each.getBoundingClientRect());
  return [card.offsetHeight, headline.right <= whole.right];
"""
"""How high the card of the state is, and whether its headline lies within it."""


@pytest.mark.parametrize("size", [PHONE, (320, 568), (600, 320), LAPTOP])
def test_states_that_come_and_go_are_as_high_as_each_other_and_no_headline_is_cut(
    site: BrowserSite, table: Table, look: Look, size: tuple[int, int]
) -> None:
    browser = open_page(site, look, size)
    turn_on(browser)
    cards = []
    for watch_state, headline in (
        (SETTLED, "Watching"),
        (HAND, "Hand over the board"),
        (replace(SETTLED, board="sought"), "Looking for the board"),
        (replace(SETTLED, board="lost"), "The board is out of view"),
    ):
        table.watch_state = watch_state
        until(browser, lambda headline=headline: find(browser, ".table-state h2").text == headline)  # type: ignore[misc]
        cards.append(browser.execute_script(CARD))
    assert all(within for _, within in cards)
    assert len({high for high, _ in cards[:3]}) == 1


FITS = "[...document.querySelectorAll('.table-state h2')].every((line) => line.scrollWidth <= line.clientWidth)"


def score(browser: WebDriver) -> tuple[str, bool]:
    """The score that is shown beside the state, "" if there is none, and whether it is provisional."""
    shown = browser.find_elements(By.CSS_SELECTOR, ".table-state .score")
    return (shown[0].text, "provisional" in str(shown[0].get_attribute("class"))) if shown else ("", False)


def test_a_notice_is_shown_while_a_question_waits_and_no_answer_moves(
    site: BrowserSite, table: Table, look: Look
) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    table.put(doubt())
    until(browser, "You can keep playing.")
    until_still(browser)
    answers = "return document.querySelector('#question').getBoundingClientRect().top"
    for scrolled in (0, 100):
        browser.execute_script(f"scrollTo(0, {scrolled})")
        before = browser.execute_script(answers)
        for notice, sentence in ((IN_DOUBT, IN_DOUBT), ("", "You can keep playing.")):
            table.watch_state = replace(SETTLED, notice=notice)
            until(browser, sentence)
            until_still(browser)
            assert browser.execute_script(answers) == pytest.approx(before, abs=1.0)


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_score_is_shown_at_once_and_nothing_moves(
    site: BrowserSite, table: Table, look: Look, size: tuple[int, int]
) -> None:
    browser = open_page(site, look, size)
    turn_on(browser)
    browser.execute_script("scrollTo(0, 0)")
    browser.execute_script(SHIFTS)
    for play, shown in zip(EXAMPLE[:2], ("MOOD 8", "DEAR 8"), strict=True):
        table.watch_state = HAND
        until(browser, "Hand over the board")
        assert browser.execute_script(f"return {FITS}")
        table.watch_state, table.seen = STILL, sure(play)
        until(browser, lambda shown=shown: score(browser) == (f"{shown} …", True))  # type: ignore[misc]
        until(browser, lambda: find(browser, ".table-state h2").text == "Reading")
        table.watch_state = SETTLED
        table.put(sure(play))
        until(browser, lambda shown=shown: score(browser) == (shown, False))  # type: ignore[misc]
        until(browser, lambda: says(browser, "Watching") and score(browser) == ("", False))
    assert browser.execute_script("return window.shifted") <= 0.1


def test_a_television_shows_the_score_at_once_and_what_goes_on(site: BrowserSite, table: Table, look: Look) -> None:
    table.watch_state, table.seen = HAND, sure(EXAMPLE[0])
    site.services.cameras.follow(site.game.row.id, on=True)
    browser = look(f"{site.url}/tv", TELEVISION)
    until(browser, lambda: says(browser, "MOOD 8 …") and says(browser, "Hand over the board"))
    before = find(browser, ".telling .last").rect
    assert "provisional" in str(find(browser, ".telling .last").get_attribute("class"))
    table.watch_state = SETTLED
    table.put(sure(EXAMPLE[0]))
    until(browser, lambda: says(browser, "+8") and says(browser, "Watching"))
    assert find(browser, ".telling .last").rect == before


def test_what_breaks_is_said_and_play_goes_on(
    site: BrowserSite, table: Table, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    keep, locked = site.services.store.save_game, iter([True])

    def save(*args: object, **changes: object) -> object:
        if next(locked, False):
            table.put(sure(EXAMPLE[0]))
            raise sqlite3.OperationalError("database is locked")
        return keep(*args, **changes)  # type: ignore[arg-type]

    monkeypatch.setattr(site.services.store, "save_game", save)
    table.put(sure(EXAMPLE[0]))
    until(browser, lambda: says(browser, "Started again") and says(browser, "no turn is lost"))
    until(browser, "MOOD")


def test_the_space_bar_or_a_tap_on_the_picture_takes_a_turn(site: BrowserSite, table: Table, look: Look) -> None:
    browser = open_page(site, look, LAPTOP)
    table.say([sure(EXAMPLE[0]), sure(EXAMPLE[1])])
    find(browser, "body").send_keys(Keys.SPACE)
    until(browser, "MOOD")
    tap(browser, "Camera on", "summary")
    until(browser, lambda: find(browser, "[data-camera]").is_displayed())
    later(browser, 1)  # otherwise the tap would count as one with the key
    click(browser, ".camera .picture")
    until(browser, "DEAR")


def find_corners(site: BrowserSite) -> Corners | None:
    """The corners that were given for the game's camera."""
    cameras, game_id = site.services.cameras, site.game.row.id
    return cameras.corners(game_id, cameras.require(game_id).camera.newest())


def test_the_grid_is_shown_put_right_with_the_keyboard_and_kept(site: BrowserSite, table: Table, look: Look) -> None:
    table.grid = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
    browser = open_page(site, look, LAPTOP)
    tap(browser, "Camera on", "summary")
    until(browser, lambda: find(browser, "[data-camera]").is_displayed())
    tap(browser, "Check the grid", then="This grid was found.")
    tap(browser, "Move the corners")
    corner = browser.switch_to.active_element
    assert corner.get_attribute("aria-label") == "TL: corner at the top left of the letters"
    corner.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.SHIFT + Keys.ARROW_DOWN)
    click(browser, '[data-do="check"]')
    until(browser, lambda: says(browser, "from straight above") and wide(browser, "#grid-flat") > 200)
    tap(browser, "Yes, keep these corners", then="Corners saved until the camera moves.")
    given = there(find_corners(site))
    assert given[0] == pytest.approx((0.204, 0.22))
    tap(browser, "Check the grid", then="These corners were given.")
    tap(browser, "Find it automatically")
    until(browser, lambda: find_corners(site) is None)


def test_corners_are_dragged_where_no_board_is_found(site: BrowserSite, table: Table, look: Look) -> None:
    browser = open_page(site, look)
    tap(browser, "Camera on", "summary")
    until(browser, lambda: find(browser, "[data-camera]").is_displayed())
    tap(browser, "Check the grid", then="Drag each mark")
    assert says(browser, "No board was found")
    before = find(browser, "[data-corner='2']").location
    ActionChains(browser).drag_and_drop_by_offset(find(browser, "[data-corner='2']"), -30, -20).perform()
    after = find(browser, "[data-corner='2']").location
    assert (after["x"] - before["x"], after["y"] - before["y"]) == (
        pytest.approx(-30, abs=2),
        pytest.approx(-20, abs=2),
    )
    assert unreachable(browser, "#grid-moving button") == []
    click(browser, '#grid-moving [data-do="close"]')
    assert find_corners(site) is None
    forget_complaints(browser)  # type: ignore[arg-type]


def test_an_earlier_turn_read_wrongly_is_shown_and_put_right_with_a_tap(
    site: BrowserSite, table: Table, look: Look
) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    table.put(sure("M@b4 O@c4 O@d4 N@e4"))
    until(browser, "MOON")
    table.put(really(EXAMPLE[0], EXAMPLE[1]))
    until(browser, "An earlier turn may be wrong")
    assert says(browser, "Turn 1 was MOOD 8, not MOON 8, then DEAR: 8 points")
    assert len(site.now().game.turns) == 1
    tap(browser, "DEAR", then="Turn 3: Red to play.")
    assert says(browser, "MOOD")
    assert not says(browser, "MOON")
    assert [turn.points for turn in site.now().game.turns] == [8, 8]


def test_a_second_tap_stops_it(site: BrowserSite, table: Table, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    tap(browser, "Hands free")
    until(browser, lambda: not is_pressed(browser))
    later(browser, 1)
    assert not says(browser, PLAY_ON)
    table.put(sure(EXAMPLE[0]))
    look_again(browser, site)
    assert site.now().game.turns == ()
    turn_on(browser)
    until(browser, "MOOD")


def test_it_is_turned_on_and_off_with_the_keyboard(site: BrowserSite, look: Look) -> None:
    browser = open_page(site, look, LAPTOP)
    find(browser, "[aria-pressed]").send_keys(Keys.SPACE)
    until(browser, lambda: is_pressed(browser) and has_focus(browser))
    later(browser, 1)
    browser.switch_to.active_element.send_keys(Keys.SPACE)
    until(browser, lambda: not is_pressed(browser) and has_focus(browser))


def test_following_another_game_is_seen_on_the_page_of_this(site: BrowserSite, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    other = start_game(site.services, "Ann", "Bob")
    site.services.cameras.follow(other.row.id, on=True)
    until(browser, lambda: not is_pressed(browser))
    assert not says(browser, PLAY_ON)


def test_a_game_that_ends_is_followed_no_longer(site: BrowserSite, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    site.services.games.change(site.now(), lambda game: game.end("agreed", (0, 0)))
    until(browser, "Game over")
    assert browser.find_elements(By.CSS_SELECTOR, "[aria-pressed], .camera") == []


def test_a_lost_camera_is_told_until_it_is_back(site: BrowserSite, table: Table, lens: Lens, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    lens.plugged.clear()
    until(browser, lambda: says(browser, "No picture from the camera") or says(browser, "Reconnecting"))
    assert says(browser, "check that it is on")
    assert (is_pressed(browser), says(browser, PLAY_ON)) == (True, False)
    table.put(sure(EXAMPLE[0]))
    lens.plugged.set()
    until(browser, PLAY_ON)
    until(browser, "MOOD")


def test_the_camera_is_shown_and_stays_open_as_turns_come(site: BrowserSite, table: Table, look: Look) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    tap(browser, "Camera on", "summary")
    until(browser, lambda: find(browser, "[data-camera]").is_displayed())
    table.put(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4")))
    until(browser, WAITS)
    until(browser, lambda: find(browser, "[data-camera]").is_displayed())
    tap(browser, "Camera on", "summary")
    until(browser, lambda: not find(browser, "[data-camera]").is_displayed())


CENTRED = """
  const { top, bottom } = document.querySelector(".ask").getBoundingClientRect();
  scrollBy(0, (top + bottom - innerHeight) / 2);
"""


GLIDING = """
  for (const card of document.querySelectorAll("[data-part], .words")) {
    card.animate({ transform: ["translateY(1px)", "none"] }, { duration: 60000 });
  }
"""
"""Lets every card glide, as when a turn comes in."""

DOING = ".doing > .button, .doing > form > button, .doing > .more > summary"


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_every_button_is_within_reach(site: BrowserSite, table: Table, look: Look, size: tuple[int, int]) -> None:
    browser = open_page(site, look, size)
    assert len(browser.find_elements(By.CSS_SELECTOR, DOING)) == 5
    assert unreachable(browser, DOING) == []
    turn_on(browser)
    assert unreachable(browser, DOING) == []
    click(browser, ".more > summary")
    browser.execute_script(GLIDING)
    assert unreachable(browser, ".menu button, .menu .button, .menu .file") == []
    browser.execute_script("document.getAnimations().forEach((glide) => glide.finish())")
    click(browser, ".more > summary")
    table.put(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4")))
    until(browser, WAITS)
    until_still(browser)
    browser.execute_script(CENTRED)
    until(browser, lambda: not find(browser, ".waits").is_displayed())
    assert unreachable(browser, ".ask button, .ask .button, .ask .file") == []
    assert unreachable(browser, DOING) == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]


def test_what_points_to_a_question_out_of_sight_lies_over_no_button(
    site: BrowserSite, table: Table, look: Look
) -> None:
    browser = open_page(site, look)
    turn_on(browser)
    table.put(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4")))
    until(browser, "Is this D or B at e4?")
    browser.execute_script("scrollTo(0, document.body.scrollHeight)")
    until(browser, lambda: find(browser, ".waits").is_displayed())
    assert unreachable(browser, f".waits, {DOING}") == []


def test_a_picture_whose_connection_died_is_asked_for_again(site: BrowserSite, look: Look) -> None:
    ended = threading.Event()
    site.hold("/camera.jpg", ended)
    browser = open_page(site, look)
    tap(browser, "Camera on", "summary")
    until(browser, lambda: find(browser, "[data-camera]").is_displayed())
    look("about:blank")
    ended.set()
