"""The sample game explains itself in the browser, and everybody who looks sees the same step."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, click, find, says, tap, until
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from webkit import EXAMPLE, sample_tour, sure

from upscore.commands.serve import TOUR, Shelf, judge
from webui.table.reader import VisionReader

pytestmark = pytest.mark.slow


def expect_shown(browser: WebDriver, *texts: str) -> None:
    """Wait until the page shows these texts, one after another, since each step can be slow on a busy machine."""
    for text in texts:
        until(browser, partial(says, browser, text))


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_whole_tour_in_two_windows(tmp_path: Path, look: Look, size: tuple[int, int]) -> None:
    site = BrowserSite(
        *(tmp_path / "tour", VisionReader()),  # type: ignore[arg-type]
        tour=TOUR,
        demo_pace_s=0.3,
        lexicons=Shelf(),
        judge=judge,
    )
    browser = look(f"{site.address}/games", size)
    try:
        tap(browser, "Watch the sample game")
        expect_shown(browser, "BATIK", "BEHOLD", "AHA", "SHAG", "WHIT", "CHIMPS", "tap that answer")
        first, page = browser.current_window_handle, browser.current_url
        browser.switch_to.new_window("tab")
        browser.get(page)
        until(browser, "tap that answer")
        answers = browser.find_elements(By.CSS_SELECTOR, ".ask .answers button")
        assert [" ".join(answer.text.split()[:3]) for answer in answers] == ["first Ada QUEUE", "first Ada LYNX"]
        click(browser, answers[0])
        expect_shown(browser, "LOONY", "CLOMPS", "Ada wins", "That\u2019s the sample game.")
        browser.switch_to.window(first)
        until(browser, "That\u2019s the sample game.")
        assert says(browser, "Ada wins")
        assert says(browser, "challenged by Ben, stands")
        assert find(browser, ".tour a").get_attribute("href") == f"{site.address}/new"
        tap(browser, "Watch again")
        until(browser, lambda: not says(browser, "LOONY"))
        expect_shown(browser, "BATIK", "BEHOLD", "AHA", "SHAG", "WHIT", "CHIMPS", "tap that answer")
        assert browser.current_url == page
        browser.switch_to.window(next(each for each in browser.window_handles if each != first))
        until(browser, "tap that answer")
    finally:
        for each in browser.window_handles[1:]:
            browser.switch_to.window(each)
            browser.close()
        browser.switch_to.window(browser.window_handles[0])
        look("about:blank")
        site.stop()


def test_the_tour_pauses_goes_on_and_skips_ahead(tmp_path: Path, look: Look) -> None:
    tour = sample_tour(tmp_path, "turn", "turn")
    site = BrowserSite(tmp_path / "tour", tour=tour, demo_pace_s=3600)
    try:
        site.reader.say(map(sure, EXAMPLE[:2]))
        assert site.services.demo is not None
        browser = look(f"{site.address}/games/{site.services.demo.start()}")
        tap(browser, "Pause", then="paused")
        tap(browser, "Go on")
        until(browser, lambda: not says(browser, "paused"))
        tap(browser, "Next", then="Red put down MOOD. Upscore read the photo and scored 8.")
        until(browser, lambda: find(browser, ".tour img").get_attribute("naturalWidth") != "0")
        look("about:blank")
    finally:
        site.stop()
