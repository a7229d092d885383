"""One letter of the newest play corrected in three taps, without a scroll."""

from __future__ import annotations

import pytest
from browserkit import PHONE, BrowserSite, Look, click, find, unreachable, until
from webkit import EXAMPLE, after_plays

from engine import parse_play

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("size", [PHONE, (360, 640), (740, 360)])
def test_a_letter_is_corrected_in_three_taps(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    after_plays(site.services, site.now(), EXAMPLE[0])
    browser = look(site.url, size)
    click(browser, '[data-square="b4"] .tile')
    until(browser, lambda: "/turns/1/correct" in browser.current_url and find(browser, ".cursor"))
    assert unreachable(browser, '[data-letter="W"], #play-it, [data-square="b4"]') == []
    click(browser, '[data-letter="W"]')
    click(browser, "#play-it")
    until(browser, lambda: browser.current_url == site.url)
    assert site.now().game.turns[0].play == parse_play("W@b4 O@c4 O@d4 D@e4")
    assert browser.execute_script("return scrollY") == 0
