"""A connection that dies in silence: the pages say so, and are right again once it is back."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browserkit import (
    ASLEEP,
    LAPTOP,
    BrowserSite,
    Look,
    find,
    forget_complaints,
    later,
    says,
    until,
    until_worker_is_ready,
)
from flask import Flask, request
from selenium.webdriver import Chrome
from webkit import EXAMPLE, jpeg, sure

pytestmark = pytest.mark.slow

LOST = "Connection lost, trying again"
AN_HOUR_LATER = """
  const now = Date.now;
  Date.now = () => now() + 4_000_000;
  const fetched = window.fetch;
  let asked = 0;
  window.fetch = (...what) => { asked += 1; return fetched(...what); };
"""
"""Lets more than an hour pass, and counts from then on what the page asks for."""


class Wired(BrowserSite):
    """A served page whose connections can die without being closed. Until it `works` new ones get no answer."""

    def start(self) -> None:
        super().start()
        self.works, self._over, self._deaths, self._answering = threading.Event(), threading.Event(), 0, 0
        self.works.set()
        assert isinstance(self._server.app, Flask)
        self._server.app.before_request_funcs.setdefault(None, []).insert(0, self._wait)
        self._server.app.teardown_request_funcs.setdefault(None, []).append(self._answered)
        whole = self.services.announcer.stream

        def stream(game_id: int, seen: int | None = None) -> Iterator[str]:
            born = self._deaths
            for text in whole(game_id, seen):
                if born < self._deaths:
                    self._over.wait(60)
                    return
                yield text

        self.services.announcer.stream = stream  # type: ignore[method-assign]

    def _wait(self) -> None:
        self.works.wait(60)
        self._answering += 1

    def _answered(self, _: BaseException | None) -> None:
        self._answering -= 1

    def until_answered(self) -> None:
        """Wait until every request that came before has its answer: it may tell what is entered next."""
        time.sleep(0.05)
        while self._answering:
            time.sleep(0.05)

    def cut(self) -> None:
        """Let every connection die."""
        self.works.clear()
        self.kill_streams()
        self.until_answered()

    def stop(self) -> None:
        self.works.set()
        self._over.set()
        super().stop()

    def kill_streams(self) -> None:
        """Let the open streams say nothing any more. Those opened later do."""
        self._deaths += 1


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Wired]:
    served = Wired(tmp_path)
    yield served
    served.stop()


@pytest.fixture(autouse=True)
def complaints_of_lost_connections(look: Look) -> Iterator[None]:
    """The pages give up what is not answered, and the browser says so."""
    yield
    forget_complaints(look("about:blank"))


def stays_shown(browser: Chrome, text: str) -> bool:
    """Let eight seconds pass; return whether the page shows a text."""
    later(browser, 8)
    return says(browser, text)


@pytest.mark.parametrize("page", ["", "/tv"])
def test_a_page_says_that_the_connection_is_lost_and_is_right_when_it_is_back(
    site: Wired, look: Look, page: str
) -> None:
    browser = look(site.url + page, LAPTOP, live=True)
    site.cut()
    site.enter(EXAMPLE[0])
    until(browser, lambda: stays_shown(browser, LOST))
    assert not says(browser, "MOOD")
    site.works.set()
    until(browser, "MOOD")
    until(browser, lambda: not find(browser, "#offline").is_displayed())


@pytest.mark.parametrize("page", ["", "/tv"])
def test_a_stream_that_alone_died_is_opened_anew_without_a_word(site: Wired, look: Look, page: str) -> None:
    browser = look(site.url + page, LAPTOP, live=True)
    site.kill_streams()
    site.enter(EXAMPLE[0])
    later(browser, 8)
    until(browser, "MOOD")
    assert not find(browser, "#offline").is_displayed()


@pytest.mark.parametrize("page", ["", "/tv"])
def test_a_page_that_is_looked_at_again_is_right_at_once(site: Wired, look: Look, page: str) -> None:
    browser = look(site.url + page, LAPTOP, live=True)
    site.kill_streams()
    browser.execute_script("Date.now = () => 0")  # its stream is never found silent
    site.enter(EXAMPLE[0])
    browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
    until(browser, "MOOD")


def test_a_phone_on_a_dead_connection_says_so_within_15_seconds(site: Wired, look: Look) -> None:
    browser = look(site.url, live=True)
    browser.execute_script("window.clock = Date.now(); Date.now = () => window.clock")
    site.cut()
    for _ in range(5):
        assert not says(browser, LOST)
        # its timer checks every second; only this moves its clock
        browser.execute_async_script("window.clock += 3000; setTimeout(arguments[0], 1200)")
        if says(browser, LOST):
            break
    assert says(browser, LOST)


@pytest.mark.parametrize("page", ["", "/tv"])
def test_a_page_that_slept_for_over_an_hour_checks_at_once_and_is_right_again(
    site: Wired, look: Look, page: str
) -> None:
    browser = look(site.url + page, live=True)
    # its clock stands still meanwhile: on a busy computer it could find its stream silent before it is taken up
    browser.execute_script(f"const asleep = Date.now(); Date.now = () => asleep; {ASLEEP}", True)
    site.kill_streams()
    site.enter(EXAMPLE[0])
    # in one piece, since the page's timer checks every second; what was asked before the sleep is first given up
    given_up = "for (let k = 0; k < 100; k++) await null;"
    asks = f"const done = arguments[1]; {AN_HOUR_LATER} {ASLEEP} (async () => {{ {given_up} done(asked); }})()"
    assert browser.execute_async_script(asks, False) > 0
    until(browser, "MOOD")
    assert not find(browser, "#offline").is_displayed()
    site.enter(EXAMPLE[1])
    until(browser, "DEAR")


def test_a_photograph_on_a_dead_connection_goes_again_and_is_taken_once(
    site: Wired, look: Look, tmp_path: Path
) -> None:
    (tmp_path / "turn.jpg").write_bytes(jpeg(480, 640))
    site.reader.say([sure(EXAMPLE[0])])
    browser = look(site.url, live=True)
    # what the service worker fetches would take all six connections that a browser opens
    until_worker_is_ready(browser)
    site.cut()
    find(browser, 'input[type="file"][capture="environment"]').send_keys(str(tmp_path / "turn.jpg"))
    until(browser, "Sending …")
    later(browser, 8)
    until(browser, "Can't reach the computer. The photo is kept here")
    site.works.set()
    until(browser, "MOOD")
    until(browser, lambda: not find(browser, ".sending").is_displayed())
    assert (len(site.now().game.turns), len(site.reader.images)) == (1, 1)


def test_what_could_not_be_fetched_is_fetched_again(site: Wired, look: Look) -> None:
    browser = look(site.url, live=True)
    failing = ["parts"]
    assert isinstance(site._server.app, Flask)
    site._server.app.before_request_funcs[None].append(
        lambda: "no JSON" if request.path.endswith("/parts") and failing else None
    )
    site.until_answered()
    site.enter(EXAMPLE[0])
    browser.execute_async_script("setTimeout(arguments[0], 300)")
    assert not says(browser, "MOOD")
    failing.clear()
    until(browser, "MOOD")
