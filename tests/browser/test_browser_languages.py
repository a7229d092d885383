"""The page in every language: nothing overflows on a small phone, axe-core finds nothing, and scripts speak it, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from axekit import COMMON, LIVE, complaints
from browserkit import LAPTOP, PHONE, BrowserSite, Look, click, find, tap, until, wire_is_up
from selenium.webdriver import Chrome
from webkit import EXAMPLE, doubt, picture

from engine import parse_square
from vision.turn.reasons import Doubt, Reason
from webui.language import COOKIE, ENGLISH, LANGUAGES

pytestmark = pytest.mark.slow

OTHERS = [code for code in LANGUAGES if code != ENGLISH]
TOO_WIDE = """
  const shown = (element) => element.checkVisibility?.() ?? element.offsetParent;
  const wide = (element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
  const scrolls = (element) => element.closest(".wide, .board, svg, .sheet table, [data-part=tiles] ul");
  const hides = (element) => element.closest(".own-device, .unseen");
  const clipped = (element) => element.scrollWidth > element.clientWidth + 1 && !hides(element);
  const all = [...document.querySelectorAll("h1, h2, p, label, button, .button, summary, legend, a")].filter(shown);
  const found = all.filter((element) => (wide(element) || clipped(element)) && !scrolls(element));
  return found.map((element) => `${element.tagName} ${element.className}: ${element.textContent.trim().slice(0, 80)}`);
"""
"""What stands out of the page, or is cut off in its box."""


def open_in(look: Look, url: str, code: str, size: tuple[int, int] = PHONE) -> Chrome:
    """Open a page in a language, and check that it speaks it."""
    browser = look(url, size)
    browser.add_cookie({"name": COOKIE, "value": code})
    browser.get(url)
    assert browser.execute_script("return document.documentElement.lang") == code
    return browser


@pytest.fixture(autouse=True)
def english_again(look: Look) -> Iterator[None]:
    """Let the browser forget the language: it sends a host's cookies to all ports, and tests share a browser."""
    yield
    look("about:blank").execute_cdp_cmd("Network.clearBrowserCookies", {})


@pytest.fixture
def busy(site: BrowserSite) -> BrowserSite:
    """Return a site whose game goes on, with a play that breaks a rule and a question."""
    site.enter(*EXAMPLE[:-1], "X@a1")
    site.take(doubt(EXAMPLE[-1], "P@g2 L@g3 U@g4 N@g5"), source="camera", image=picture(480, 640))
    return site


def pages(site: BrowserSite) -> dict[str, str]:
    return {page: f"{site.url}{page}" for page in LIVE} | {page: f"{site.address}{page}" for page in COMMON}


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_overflows_on_a_small_phone(busy: BrowserSite, look: Look, code: str) -> None:
    found = {}
    for name, url in pages(busy).items():
        browser = open_in(look, url, code)
        width = browser.execute_script("return document.documentElement.scrollWidth")
        if (told := browser.execute_script(TOO_WIDE)) or width > PHONE[0]:
            found[name] = (width, told)
    assert found == {}


@pytest.mark.parametrize("code", OTHERS)
def test_axe_finds_nothing(busy: BrowserSite, look: Look, code: str) -> None:
    found = {name: complaints(open_in(look, url, code)) for name, url in pages(busy).items()}
    assert {name: told for name, told in found.items() if told} == {}


def test_the_switch_at_the_foot_of_a_page(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.address}/games", PHONE)
    tap(browser, "Deutsch", "a", then="Alle Partien")
    browser.get(f"{site.address}/new")
    assert re.fullmatch(r"\d+ Steine", str(find(browser, "#set-total").get_attribute("textContent")))
    assert not find(browser, ".languages").is_displayed()  # it would lift the bar, and what was typed would be lost
    browser.get(f"{site.address}/games")
    tap(browser, "English", "a", then="All games")


def test_scripts_speak_the_language_of_the_page(site: BrowserSite, look: Look) -> None:
    browser = open_in(look, f"{site.url}/play", "de", LAPTOP)
    click(browser, '[data-square="d4"]')
    click(browser, '[data-letter="X"]')
    until(browser, "Regel 3, erster Zug")
    assert "Regel 3" in find(browser, "#verdict a").text
    assert find(browser, '[data-square="d4"]').get_attribute("aria-label") == "d4: X, neu"


SPOKEN = """
  window.spoken = [];
  speechSynthesis.speak = ({ text, lang }) => window.spoken.push([lang, text]);
  localStorage.setItem("upscore-speech", "on");
"""
"""Writes down what is said, and in which language."""


def test_words_and_letters_are_spoken_in_the_language_of_the_game(tmp_path: Path, look: Look) -> None:
    site = BrowserSite(tmp_path / "spanish", word_language=lambda _: "es")
    try:
        browser = open_in(look, site.url, "de", LAPTOP)
        browser.execute_script(SPOKEN)
        wire_is_up(browser, site)
        site.enter(EXAMPLE[0])
        until(browser, lambda: browser.execute_script("return window.spoken.length"))
        assert browser.execute_script("return window.spoken") == [["de", "Red:"], ["es", "mood"], ["de", ", 8 Punkte."]]
        browser.execute_script("window.spoken = []")
        letter = doubt("E@e5 A@e6 R@e7", "E@e5 A@e6 B@e7", question=parse_square("e7"))
        site.take(replace(letter, reason=Doubt(Reason.LETTER, ("R", "B", "e7"))), image=picture(480, 640))
        until(browser, lambda: browser.execute_script("return window.spoken.length"))
        asked = browser.execute_script("return window.spoken")
        assert asked == [["de", "Ist das"], ["es", "R"], ["de", "oder"], ["es", "B"], ["de", "auf e7?"]]
        assert find(browser, '[name="face"][value="Z"]').get_attribute("lang") == "es"
        browser.execute_script("localStorage.clear()")
    finally:
        look("about:blank")
        site.stop()
