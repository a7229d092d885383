"""Phones that join: by QR code to watch, by PIN to keep the score, and out again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from browserkit import GUESTS_HOST, LAPTOP, PHONE, BrowserSite, Look, click, find, says, tap, unreachable, until
from guestkit import leads_to, read_qr
from presencekit import there
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from webkit import EXAMPLE, doubt, picture, start_game, sure

from webui.access.invitations import Invitation
from webui.access.sessions import Role
from webui.table.announcer import HOUSE

pytestmark = pytest.mark.slow

SMALL = """
  return [...document.querySelectorAll("button, .button, summary, input:not([type=hidden]), main a, footer a")]
    .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 44)
    .map((e) => e.outerHTML.slice(0, 120));
"""
CHANGING = """
  const changes = "form[method=post]:not([action$='/seat']), input[type=file], [data-phone], [data-grid]";
  return [...document.querySelectorAll(changes)]
    .map((e) => e.outerHTML.slice(0, 120));
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[BrowserSite]:
    """A site that has a name for guests, too."""
    served = BrowserSite(tmp_path, names=(GUESTS_HOST,))
    leads_to(served.services.gate, f"{served.guests}/")
    yield served
    served.stop()


@pytest.fixture(autouse=True)
def no_cookies(chromium: WebDriver) -> None:
    """Every test begins with a browser that nobody let in."""
    chromium.execute_cdp_cmd("Network.clearBrowserCookies", {})


def scan(browser: WebDriver, which: str = "to-watch") -> str:
    """Return the text of one of the QR codes on the page, as a phone's camera would read it."""
    code = find(browser, f"[aria-labelledby={which}] .code svg")
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", code)
    png = code.screenshot_as_png
    shown = there(cv2.imdecode(np.frombuffer(png, dtype=np.uint8), cv2.IMREAD_GRAYSCALE))
    return read_qr(shown)


def listening(browser: WebDriver, site: BrowserSite, *, pages: int = 1) -> None:
    """Wait until this many pages have opened their streams."""
    until(browser, lambda: site.services.announcer.streams == pages)


def leave(browser: WebDriver, site: BrowserSite) -> None:
    """Close the page, and wait until the server notices that its stream is over, for which it must write to it."""
    browser.get("about:blank")

    def is_gone() -> bool:
        site.services.announcer.announce_all()
        return site.services.announcer.streams == 0

    until(browser, is_gone)


def watching(site: BrowserSite, look: Look) -> WebDriver:
    """A phone that scanned the QR code of the game, and listens."""
    laptop = look(f"{site.url}/join", LAPTOP)
    address = scan(laptop)
    leave(laptop, site)
    phone = look(address, PHONE)
    listening(phone, site)
    return phone


def play_a_turn(site: BrowserSite) -> None:
    site.take(sure(EXAMPLE[0]), source="camera", image=picture(480, 640))


def test_a_player_passes_and_challenges_on_a_phone_and_the_scorekeeper_sees_who_did(
    site: BrowserSite, look: Look, new_browser: Callable[[], WebDriver]
) -> None:
    phone, laptop = watching(site, look), new_browser()
    laptop.get(site.url)
    tap(phone, "Red", then="Asking the scorekeeper")
    until(laptop, "“I am Red.” Right?")
    tap(laptop, "Yes")
    until(phone, lambda: says(phone, "You are Red now.") and says(phone, "Your turn"))
    phone.execute_script("scrollTo(0, document.body.scrollHeight)")
    assert unreachable(phone, ".doing button, .doing a, .toast button") == []
    tap(phone, "Pass", then="Blue's turn")
    until(laptop, "Red passed on")
    site.enter(EXAMPLE[0])
    until(phone, lambda: phone.title.startswith("Your turn"))
    tap(phone, "Challenge", "a", then="Challenge MOOD?")
    assert not says(phone, "playable")
    tap(phone, "Challenge", then="MOOD stands")
    until(laptop, "Red challenged on")
    tap(laptop, "Undo")
    until(laptop, lambda: not says(laptop, "Red challenged on"))


def test_a_phone_scans_the_code_and_sees_a_turn_arrive(site: BrowserSite, look: Look) -> None:
    browser = watching(site, look)
    assert urlsplit(browser.current_url).path == f"/games/{site.game.row.id}", "the code has left the address"
    assert says(browser, "This device only watches.")
    assert browser.execute_script(CHANGING) == []
    play_a_turn(site)
    until(browser, "MOOD")
    assert browser.execute_script(CHANGING) == []
    click(browser, ".sheet summary")
    assert not says(browser, "correct it")
    assert not says(browser, "Challenge")
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_the_large_code_first_shown_is_the_one_that_keeps_the_score(site: BrowserSite, look: Look) -> None:
    laptop = look(f"{site.url}/join", LAPTOP)
    sizes = [code.size["width"] for code in laptop.find_elements(By.CSS_SELECTOR, ".code svg")]
    assert len(sizes) == 2
    assert sizes[0] > 1.5 * sizes[1]
    assert says(laptop, f"open {site.guests}/ on the phone and type this PIN")
    address = scan(laptop, "to-score")
    leave(laptop, site)
    phone = look(address, PHONE)
    until(phone, "Keeps the score:")
    assert says(phone, "Photograph")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCORER])
def test_a_phone_that_joins_before_the_game_begins_goes_to_it_by_itself(
    site: BrowserSite, look: Look, role: Role
) -> None:
    site.services.games.change(site.game, lambda game: game.end("agreed", (0, 0)))
    phone = look(f"{site.guests}/join/{site.services.gate.invitations.code(Invitation(role))}", PHONE)
    assert says(phone, "It opens here as soon as it begins.")
    assert phone.execute_script(SMALL) == []
    listening(phone, site)
    begun = start_game(site.services, "Ada", "Ben")
    until(phone, lambda: urlsplit(phone.current_url).path == f"/games/{begun.row.id}")
    until(phone, "Ada")


def test_a_question_is_shown_to_those_who_watch(site: BrowserSite, look: Look) -> None:
    browser = watching(site, look)
    site.take(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 N@e4"), source="camera", image=picture(480, 640))
    until(browser, "The scorekeeper answers.")
    assert says(browser, "MOOD")
    assert browser.execute_script(CHANGING) == []


def test_the_pin_makes_it_a_scorer(site: BrowserSite, look: Look) -> None:
    browser = watching(site, look)
    tap(browser, "Keep the score", "a")
    assert browser.execute_script(SMALL) == []
    find(browser, "#pin").send_keys(site.services.gate.pin.digits, Keys.ENTER)
    until(browser, lambda: urlsplit(browser.current_url).path == f"/games/{site.game.row.id}")
    tap(browser, "Pass")
    until(browser, lambda: len(site.now().game.turns) == 1)
    assert says(browser, "Keeps the score:")


def test_a_stranger_is_asked_for_code_or_pin_and_waits_for_guessing(site: BrowserSite, look: Look) -> None:
    wrong = "111111" if site.services.gate.pin.digits != "111111" else "222222"
    browser = look(f"{site.guests}/games/{site.game.row.id}")
    assert says(browser, "Scan the QR code or type the PIN")
    assert not says(browser, "Red")
    assert browser.execute_script(SMALL) == []

    def expect_told(text: str) -> None:
        until(browser, text)

    for answer in ("2 tries left", "1 try left", "Try again in 30 seconds"):
        find(browser, "#pin").clear()
        find(browser, "#pin").send_keys(wrong)
        if answer.startswith("2"):
            find(browser, "#name").send_keys("Anna's phone")
        tap(browser, "Join")
        expect_told(answer)
    assert find(browser, "#name").get_attribute("value") == "Anna's phone"
    find(browser, "#pin").send_keys(site.services.gate.pin.digits)
    tap(browser, "Join")
    expect_told("Too many wrong PINs")
    browser.get(f"{site.guests}/games/{site.game.row.id}")
    assert says(browser, "Join the table")


def test_who_keeps_the_score_makes_a_scorer_and_sends_a_device_out(site: BrowserSite, look: Look) -> None:
    browser = watching(site, look)
    phone = browser.current_window_handle
    browser.switch_to.new_window("tab")
    laptop = browser.current_window_handle
    try:
        browser.get(f"{site.url}/join")
        assert says(browser, "Linux computer")
        listening(browser, site, pages=2)
        find(browser, "[data-device] button").send_keys(Keys.ENTER)
        until(browser, "keeps the score of this table")
        until(browser, lambda: browser.switch_to.active_element.text == "Watch only")
        browser.switch_to.window(phone)
        until(browser, lambda: browser.find_elements(By.XPATH, "//button[contains(., 'Pass')]"))
        until(browser, "This device keeps the score now.")
        browser.switch_to.window(laptop)
        tap(browser, "Watch only", then="only watches now")
        browser.switch_to.window(phone)
        until(browser, "This device only watches now.")
        browser.switch_to.window(laptop)
        tap(browser, "Remove", then="Nobody has joined yet.")
        browser.switch_to.window(phone)
        until(browser, "This device was removed. Ask the scorekeeper")
    finally:
        browser.switch_to.window(laptop)
        browser.close()
        browser.switch_to.window(phone)


def test_the_list_shows_who_joins_and_takes_new_codes(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/join", PHONE)
    assert browser.execute_script(SMALL) == []
    before = scan(browser)
    listening(browser, site)
    site.services.gate.sessions.begin("Anna's phone", Role.VIEWER)
    site.services.announcer.announce(HOUSE)
    until(browser, "Anna's phone")
    tap(browser, "New codes and a new PIN", "summary")
    tap(browser, "Make new ones")
    until(browser, lambda: scan(browser) not in ("", before))
    assert says(browser, site.services.gate.pin.digits[:3])
    look(before)
    assert says(browser, "This QR code was replaced by a new one")
    assert says(browser, "Join the table")


def test_other_pages_show_new_codes_too_and_what_was_opened_stays_open(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/join", PHONE)
    listening(browser, site)
    before = scan(browser)
    tap(browser, "New codes and a new PIN", "summary")
    fold = find(browser, "#codes details")
    site.services.announcer.announce(HOUSE)
    until(browser, "Nobody has joined yet.")
    site.services.gate.invitations.renew()
    site.services.gate.pin.renew()
    site.services.announcer.announce_all()
    until(browser, site.services.gate.pin.digits[:3])
    until(browser, lambda: scan(browser) not in ("", before))
    assert find(browser, "#codes details").get_attribute("open")
    assert fold != find(browser, "#codes details")
    assert browser.switch_to.active_element.text == "New codes and a new PIN"


def test_a_scorer_who_shows_the_code_for_viewers_shows_the_new_one(site: BrowserSite, look: Look) -> None:
    browser = look(code_to_score(site), PHONE)
    leave(browser, site)
    look(f"{site.guests}/games/{site.game.row.id}/join", PHONE)
    before = scan(browser)
    listening(browser, site)
    site.services.gate.invitations.renew()
    site.services.announcer.announce_all()
    until(browser, lambda: scan(browser) not in ("", before))


def code_to_score(site: BrowserSite) -> str:
    """Return the address at which a phone joins to keep the score of the game."""
    return f"{site.guests}/join/{site.services.gate.invitations.code(Invitation(Role.SCORER, site.game.row.id))}"


def test_a_device_that_only_watches_can_be_one_on_a_television(site: BrowserSite, look: Look) -> None:
    browser = watching(site, look)
    leave(browser, site)
    browser.get(f"{site.guests}/games/{site.game.row.id}/tv")
    listening(browser, site)
    play_a_turn(site)
    until(browser, "MOOD")
    site.services.gate.sessions.end(site.services.gate.sessions.all()[0].id)
    site.services.announcer.announce_all()
    until(browser, "This device was removed")
