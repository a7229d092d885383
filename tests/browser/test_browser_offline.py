"""The offline page: kept over https and on the computer itself, never with anything of a game in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browserkit import (
    GUESTS_HOST,
    PHONE,
    BrowserSite,
    Look,
    find,
    forget_complaints,
    until,
    until_worker_is_ready,
    wire_is_up,
)
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from webkit import EXAMPLE, jpeg, picture, sure

from webui.access.sessions import Role
from webui.routes.static_files import OFFLINE_FILES, static_path

pytestmark = pytest.mark.slow

CACHED = """
  const done = arguments[arguments.length - 1];
  (async () => {
    const urls = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname);
    }
    done(urls.sort());
  })();
"""
PHONE_METRICS = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True}
INSTALLED = "return navigator.serviceWorker?.controller?.state === 'activated'"


@pytest.fixture(autouse=True)
def complaints_of_lost_connections(look: Look) -> Iterator[None]:
    """The tests cut connections, and the browser says so."""
    yield
    forget_complaints(look("about:blank"))


def wait_for_worker(browser: Chrome) -> None:
    """Wait until the service worker is active and has the page. A page without it is loaded once more."""
    until_worker_is_ready(browser)
    if not browser.execute_script(INSTALLED):
        browser.refresh()
    until(browser, lambda: browser.execute_script(INSTALLED))


def test_the_offline_page_is_kept_and_nothing_of_the_game(site: BrowserSite, look: Look) -> None:
    site.take(sure(EXAMPLE[0]), image=picture(480, 640))
    browser = look(site.url)
    wait_for_worker(browser)
    look(f"{site.url}/turns/1")
    assert look(site.address).current_url == site.url
    site.enter(EXAMPLE[1])
    until(browser, "DEAR")
    kept = browser.execute_async_script(CACHED)
    assert kept == sorted(["/unreachable", *(f"{static_path()}/{name}" for name in OFFLINE_FILES)])


def opens_without_a_server(browser: Chrome, site: BrowserSite, photo: Path) -> bool:
    """Return whether a page with which somebody photographed opens after its server has gone.

    Chromium goes past its worker now and then, to find that nobody answers: in two of some twenty runs of all tests,
    and then as long as it was asked, though the worker was active; nothing was found that would bring it about.
    """
    browser.get(site.url)
    wait_for_worker(browser)
    wire_is_up(browser, site)
    site.stop()
    find(browser, 'input[type="file"][capture="environment"]').send_keys(str(photo))
    until(browser, "The photo is kept here")
    try:
        browser.get(site.url)
    except WebDriverException as error:
        if "ERR_CONNECTION_REFUSED" not in str(error):
            raise
        browser.get("about:blank")
        return False
    return True


def test_when_nothing_answers_it_says_so_shows_what_waits_and_goes_on_by_itself(
    site: BrowserSite, new_browser: Callable[[], Chrome], tmp_path: Path
) -> None:
    (tmp_path / "turn.jpg").write_bytes(jpeg(480, 640))
    site.reader.say([sure(EXAMPLE[0])])
    for _ in range(3):
        browser = new_browser()
        if opens_without_a_server(browser, site, tmp_path / "turn.jpg"):
            break
        site.start()
    else:
        pytest.fail("three browsers went past the worker")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE_METRICS)
    until(browser, "reach Upscore")
    until(browser, "1 photo waits")
    assert find(browser, ".waiting canvas").size["width"] >= 100
    assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
    site.start()
    until(browser, "MOOD")
    assert len(site.now().game.turns) == 1


def test_over_plain_http_from_another_device_nothing_is_installed_and_photographs_go(
    tmp_path: Path, look: Look, site: BrowserSite
) -> None:
    (tmp_path / "turn.jpg").write_bytes(jpeg(480, 640))
    served = BrowserSite(tmp_path / "named", names=(GUESTS_HOST,))
    try:
        served.reader.say([sure(EXAMPLE[0])])
        token, _ = served.services.gate.sessions.begin("Phone", Role.SCORER, None)
        browser = look(served.guests)
        browser.add_cookie({"name": f"upscore-{urlsplit(served.guests).port}", "value": token})
        look(served.url.replace(f"http://127.0.0.1:{urlsplit(served.url).port}", served.guests))
        assert not browser.execute_script("return isSecureContext || 'serviceWorker' in navigator")
        find(browser, 'input[type="file"][capture="environment"]').send_keys(str(tmp_path / "turn.jpg"))
        until(browser, "MOOD")
        look("about:blank")
    finally:
        served.stop()


def test_the_browser_finds_nothing_wrong_with_the_manifest(site: BrowserSite, look: Look) -> None:
    browser = look(site.url)
    told = browser.execute_cdp_cmd("Page.getAppManifest", {})
    assert told["errors"] == []
    assert told["url"].endswith("/manifest.webmanifest")
    wait_for_worker(browser)
    assert browser.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"] == []
