"""The board after an earlier turn on the page of the game: by a tap on the scoresheet, or the arrow keys."""

from __future__ import annotations

import pytest
from browserkit import LAPTOP, PHONE, SHIFTS, BrowserSite, Look, click, find, tap, unreachable, until, until_still
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from webkit import EXAMPLE, after_plays, doubt, picture

pytestmark = pytest.mark.slow


@pytest.fixture
def played(site: BrowserSite) -> BrowserSite:
    """The game after five plays."""
    after_plays(site.services, site.now(), *EXAMPLE[:5])
    return site


def title(browser: WebDriver) -> str:
    """Return the label of an earlier board, "" if the board of now is shown."""
    shown = browser.find_elements(By.CSS_SELECTOR, ".past strong")
    return shown[0].text if shown else ""


def letters(browser: WebDriver) -> str:
    """The letters of the board that is shown."""
    return "".join(
        tile.text for tile in browser.find_elements(By.CSS_SELECTOR, ".board .tile b") if tile.is_displayed()
    )


def press(browser: WebDriver, key: str, then: str) -> None:
    """Press a key wherever the focus is, and wait for a board."""
    ActionChains(browser).send_keys(key).perform()
    until(browser, lambda: title(browser) == then)


@pytest.mark.parametrize("size", [PHONE, LAPTOP, (740, 360)])
def test_a_tap_on_a_turn_shows_its_board_and_nothing_moves(
    played: BrowserSite, look: Look, size: tuple[int, int]
) -> None:
    browser = look(played.url, size, live=True)
    now = letters(browser)
    height = browser.execute_script("return document.querySelector('[data-part=board]').offsetHeight")
    tap(browser, "DEAR", "summary")
    until(browser, lambda: title(browser) == "Board after turn 2")
    assert letters(browser) == "MOODEAR"
    newest = browser.find_elements(By.CSS_SELECTOR, ".past .tile.new")
    assert "".join(tile.text for tile in newest) == "EAR"
    assert find(browser, "#told").get_attribute("textContent") == "Board after turn 2"
    tap(browser, "MOOD", "summary")
    until(browser, lambda: title(browser) == "Board after turn 1")
    part = browser.execute_script("return document.querySelector('[data-part=board]').offsetHeight")
    assert part == height
    last = find(browser, ".past").rect
    assert last["height"] <= part + 1, "it covers nothing below"
    until_still(browser)
    browser.execute_script("scrollTo(0, 0)")
    assert unreachable(browser, ".past button") == []
    click(browser, ".past button")
    until(browser, lambda: not title(browser))
    assert letters(browser) == now
    assert browser.switch_to.active_element == find(browser, '[data-keep="turn-1"] summary')


def test_closing_the_turn_or_tapping_the_newest_shows_the_board_of_now(played: BrowserSite, look: Look) -> None:
    browser = look(played.url, LAPTOP, live=True)
    for text in ("DEAR", "LEAP"):
        tap(browser, "DEAR", "summary")
        until(browser, lambda: title(browser) == "Board after turn 2")
        tap(browser, text, "summary")
        until(browser, lambda: not title(browser))
        browser.execute_script("document.querySelector('[data-keep=turn-2]').open = false")


def test_arrow_keys_step_through_the_turns_and_escape_goes_back_to_now(played: BrowserSite, look: Look) -> None:
    browser = look(played.url, LAPTOP, live=True)
    browser.execute_script(SHIFTS)
    press(browser, Keys.ARROW_RIGHT, "")
    for number in (4, 3, 2, 1):
        press(browser, Keys.ARROW_LEFT, f"Board after turn {number}")
    press(browser, Keys.ARROW_LEFT, "Board at the start")
    assert letters(browser) == ""
    press(browser, Keys.ARROW_LEFT, "Board at the start")
    press(browser, Keys.ARROW_RIGHT, "Board after turn 1")
    find(browser, ".past button").send_keys("")
    press(browser, Keys.ARROW_RIGHT, "Board after turn 2")
    assert browser.switch_to.active_element.text == "Back to now", "a key still finds it"
    find(browser, "#word").send_keys("A")
    ActionChains(browser).send_keys(Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    assert title(browser) == "Board after turn 2", "keys in a field are the field's"
    click(browser, "details.more > summary")
    press(browser, Keys.ESCAPE, "Board after turn 2")
    press(browser, Keys.ESCAPE, "")
    assert find(browser, "#told").get_attribute("textContent") == "The board now"
    assert browser.execute_script("return window.shifted") == 0


@pytest.mark.parametrize("what", ["a turn", "a question"])
def test_the_page_goes_back_to_now_when_the_game_goes_on(played: BrowserSite, look: Look, what: str) -> None:
    browser = look(played.url, live=True)
    tap(browser, "DEAR", "summary")
    until(browser, lambda: title(browser) == "Board after turn 2")
    played.services.games.rename(played.game.row.id, "Friday")
    until(browser, lambda: browser.title.startswith("Friday"))
    assert title(browser) == "Board after turn 2"
    if what == "a turn":
        played.enter(EXAMPLE[5])
    else:
        played.reader.say([doubt(EXAMPLE[5], "T@d7 N@e7 A@f7 C@g7 K@h7")])
        played.services.intake.take(played.game.row.id, picture(480, 640), "upload")
    until(browser, lambda: not title(browser))
    assert "SNACK" in letters(browser)
    ActionChains(browser).send_keys(Keys.ARROW_LEFT).perform()
    until(browser, lambda: title(browser) == ("Board after turn 5" if what == "a turn" else "Board after turn 4"))
