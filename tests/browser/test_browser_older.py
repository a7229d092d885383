"""Browsers as they were with iOS 15: without shares of containers, without what says how a form is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, click, find, tap, until, wire_is_up
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import Select
from tablekit import Lens, Table
from webkit import EXAMPLE, doubt, picture

from engine import parse_play, parse_square

pytestmark = pytest.mark.slow

OLDER = """
  delete HTMLFormElement.prototype.requestSubmit;
  Object.defineProperty(SubmitEvent.prototype, "submitter", { get: () => undefined });
"""
WITHOUT_SHARES = """
  document.querySelector(".board").style.containerType = "normal";
  for (const sheet of document.styleSheets) {
    for (const rule of [...sheet.cssRules]) {
      if (!(rule instanceof CSSSupportsRule) || !rule.conditionText.includes("cqw")) continue;
      for (const each of rule.cssRules) sheet.insertRule(each.cssText, sheet.cssRules.length);
    }
  }
  const board = document.querySelector(".board").getBoundingClientRect();
  const squares = document.querySelector(".squares [data-square=a1]").getBoundingClientRect().width;
  return [squares * 8.86, board.width];
"""
"""What holds without them is made to hold; how wide the board's squares are then with their names, and the board."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BrowserSite]:
    """The application with two cameras."""
    device = Lens()
    monkeypatch.setattr(cv2, "VideoCapture", lambda *source: device)
    served = BrowserSite(tmp_path, Table(), cameras=("A=0", "B=1"))
    yield served
    served.stop()


@pytest.fixture
def older(site: BrowserSite, look: Look) -> Iterator[WebDriver]:
    """The browser, in which the page of the game is opened as an older one would have it."""
    browser = look("about:blank")
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OLDER})
    yield browser
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_another_camera_is_chosen(site: BrowserSite, look: Look, older: WebDriver) -> None:
    look(site.url)
    wire_is_up(older, site)
    until(older, "Camera on")
    tap(older, "Camera on", "summary")
    Select(find(older, "#which")).select_by_visible_text("B")

    def label() -> str | None:
        view = site.services.cameras.view(site.game.row.id)
        return view.label if view else None

    until(older, lambda: label() == "B")
    assert older.current_url == site.url


def test_the_button_that_was_tapped_is_the_answer(site: BrowserSite, look: Look, older: WebDriver) -> None:
    site.take(doubt("M@b4 O@c4 O@d4 B@e4", "M@b4 O@c4 O@d4 P@e4", question=parse_square("e4")), image=picture(480, 640))
    look(site.url)
    wire_is_up(older, site)
    tap(older, "Another letter at e4", "summary")
    click(older, '.ask .pad [value="D"]')
    until(older, lambda: site.now().game.turns)
    assert [turn.play for turn in site.now().game.turns] == [parse_play(EXAMPLE[0])]


@pytest.mark.parametrize("size", [PHONE, (820, 1180), (1024, 768), LAPTOP])
@pytest.mark.parametrize("page", ["", "/play", "/turns/1", "/replay", "/tv"])
def test_boards_fill_their_place_and_are_no_wider(
    site: BrowserSite, look: Look, page: str, size: tuple[int, int]
) -> None:
    site.enter(EXAMPLE[0])
    browser = look("about:blank", size)
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": True}  # no bars to scroll by
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(f"{site.url}{page}")
    if page == "/tv" and not find(browser, ".board").is_displayed():
        return
    squares, board = browser.execute_script(WITHOUT_SHARES)
    assert 0.7 * board < squares <= board + 1
