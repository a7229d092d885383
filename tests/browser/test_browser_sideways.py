"""Phones on their side, and pages at twice their size: every control shows its words, and words stay whole."""

from __future__ import annotations

import pytest
from browserkit import BrowserSite, Look, click, until
from webkit import EXAMPLE, after_plays, start_game

pytestmark = pytest.mark.slow

SIZES = [(740, 360), (640, 400), (600, 320), (320, 480)]
PAGES = (
    "",
    "/play",
    "/turns/3/correct",
    "/turns/3/challenge",
    "/turns/3",
    "/end",
    "/rules",
    "/charts",
    "/replay?at=3",
    "/keep",
    "/../../new",
    "/../../games",
    "/../../all-time",
)
CUT_OFF = """
  return [...document.querySelectorAll("button, .button, .file, summary, .word, .judged .word")]
    .filter((e) => e.checkVisibility() && !e.closest(".unseen"))
    .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth
      || e.getBoundingClientRect().right > innerWidth + 1
      || e.matches(".word") && e.getBoundingClientRect().height > 3 * parseFloat(getComputedStyle(e).fontSize))
    .map((e) => e.textContent.trim());
"""
"""The controls and words that are cut off, or stand a letter a line."""


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    after_plays(site.services, site.now(), *EXAMPLE[:3])
    for page in PAGES:
        browser = look(f"{site.url}{page}", size)
        assert browser.execute_script(CUT_OFF) == [], page
        assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0], page


@pytest.mark.parametrize("size", [*SIZES, (320, 640)])
def test_the_card_of_the_last_play_has_the_whole_name_and_undo(
    site: BrowserSite, look: Look, size: tuple[int, int]
) -> None:
    after_plays(site.services, site.now(), *EXAMPLE[:2])
    browser = look(site.url, size)
    name = "return [...document.querySelectorAll('.open-play .by > :first-child, .open-play .undo-last')]"
    shown = f"{name}.map((e) => [e.textContent, e.clientWidth > 0 && e.scrollWidth <= e.clientWidth])"
    assert browser.execute_script(shown) == [["Blue", True], ["Undo", True]]


@pytest.mark.parametrize("size", [*SIZES, (320, 640)])
@pytest.mark.parametrize("players", [("Wilhelmina", "Bartholomew"), ("Wilhelmina", "Bartholomew", "Cleo", "Dan")])
def test_four_players_and_long_words_fit(
    site: BrowserSite, look: Look, players: tuple[str, ...], size: tuple[int, int]
) -> None:
    open_game = after_plays(
        site.services, start_game(site.services, *players, edition="10x10"), "b5-STATEMENT", "f1|REST"
    )
    browser = look(f"{site.address}/games/{open_game.row.id}", size)
    assert browser.execute_script(CUT_OFF) == []
    lines = browser.execute_script(
        "return [...document.querySelectorAll('.sheet .word')].map((e) => {"
        "const range = document.createRange(); range.selectNodeContents(e.firstChild);"
        "return range.getClientRects().length; })"
    )
    assert lines == [1, 1], "no word is split"
    tops = browser.execute_script(
        "return [...document.querySelectorAll('.doing .file, .doing .button, .doing > form > button:not(.menu *)')]"
        ".filter((e) => e.checkVisibility()).map((e) => Math.round(e.getBoundingClientRect().top))"
    )
    assert size[0] in (600, 640) or len(set(tops)) == 1, "the buttons stand in a row"


@pytest.mark.parametrize("size", [*SIZES, (360, 640)])
def test_a_rule_that_a_play_breaks_is_seen_whole(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    browser = look(f"{site.url}/play?tiles=M@b4+O@d4+S@h8", size)
    until(browser, "are not in one row or one column")
    note = browser.execute_script(
        "const note = document.querySelector('#verdict .note');"
        "const { top, bottom, left, width } = note.getBoundingClientRect();"
        "const seen = (y) => note.contains(document.elementFromPoint(left + width / 2, y));"
        "return [seen(top + 4), seen(bottom - 4), note.parentElement.scrollHeight - note.parentElement.clientHeight]"
    )
    assert note == [True, True, 0]


@pytest.mark.parametrize("size", SIZES[:3])
def test_a_challenge_shows_its_words_beside_the_buttons(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    after_plays(site.services, site.now(), *EXAMPLE[:3])
    browser = look(f"{site.url}/turns/3/challenge", size)
    boxes = browser.execute_script(
        "return [...document.querySelectorAll('.judged .word, .huge')].map((e) => e.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 4
    assert all(box["top"] >= 0 and box["bottom"] <= size[1] for box in boxes)
    words, buttons = boxes[:2], boxes[2:]
    assert all(word["right"] <= button["left"] for word in words for button in buttons)


@pytest.mark.parametrize("size", SIZES[:3])
def test_the_menu_opens_within_the_window(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    after_plays(site.services, site.now(), *EXAMPLE[:3])
    browser = look(site.url, size)
    click(browser, "details.more > summary")
    box = browser.execute_script("return document.querySelector('.menu').getBoundingClientRect().toJSON()")
    assert box["top"] >= 0
    assert box["left"] >= 0
    assert box["bottom"] <= size[1]
    assert box["right"] <= size[0]
