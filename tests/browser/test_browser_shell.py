"""The installable shell: kept over https and on the computer itself, never with anything of a game in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browserkit import GUESTS_HOST, PHONE, Look, Site, find, forget_complaints, says, until, wire_is_up
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from webkit import EXAMPLE, jpeg, picture, play_of, sure

from webui.access.permissions import Role
from webui.routes.files.compact import static_path
from webui.routes.files.shell import KEPT

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
INSTALLED = "return navigator.serviceWorker?.controller?.state === 'activated'"


@pytest.fixture(autouse=True)
def complaints_of_lost_connections(look: Look) -> Iterator[None]:
    """The tests cut connections, and the browser says so."""
    yield
    forget_complaints(look("about:blank"))


def comes_up(look: Look, url: str) -> bool:
    """Whether an address opens: a browser short of time asks the network where its worker has not woken yet."""
    try:
        look(url)
    except WebDriverException:
        return False
    return True


def installed(browser: Chrome) -> bool:
    return bool(browser.execute_script(INSTALLED))


def test_the_shell_is_kept_and_nothing_of_the_game(site: Site, look: Look) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    site.made.intake.take(site.game.row.id, picture(480, 640), "upload")
    browser = look(site.url)
    until(browser, lambda: installed(browser))
    look(f"{site.url}/turns/1")
    assert look(site.address).current_url == site.url
    site.made.intake.enter(site.now(), play_of(EXAMPLE[1]), site.now().row.version)
    until(browser, lambda: says(browser, "DEAR"))
    kept = browser.execute_async_script(CACHED)
    assert kept == sorted(["/unreachable", *(f"{static_path()}/{name}" for name in KEPT)])


def test_when_nothing_answers_it_says_so_shows_what_waits_and_goes_on_by_itself(
    site: Site, look: Look, tmp_path: Path
) -> None:
    (tmp_path / "turn.jpg").write_bytes(jpeg(480, 640))
    site.reader.say([sure(EXAMPLE[0])])
    browser = look(site.url)
    until(browser, lambda: installed(browser))
    wire_is_up(browser, site)
    site.stop()
    find(browser, 'input[type="file"][capture="environment"]').send_keys(str(tmp_path / "turn.jpg"))
    until(browser, lambda: says(browser, "The photograph is kept here"))
    until(browser, lambda: comes_up(look, site.url))
    until(browser, lambda: says(browser, "Upscore's table is not reachable"))
    until(browser, lambda: says(browser, "1 photograph waits"))
    assert find(browser, ".waiting canvas").size["width"] >= 100
    assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
    site.start()
    until(browser, lambda: says(browser, "MOOD"))
    assert len(site.now().game.turns) == 1


def test_over_plain_http_from_another_device_nothing_is_installed_and_photographs_go(
    tmp_path: Path, look: Look, site: Site
) -> None:
    (tmp_path / "turn.jpg").write_bytes(jpeg(480, 640))
    served = Site(tmp_path / "named", names=(GUESTS_HOST,))
    try:
        served.reader.say([sure(EXAMPLE[0])])
        token, _ = served.made.gate.sessions.begin("Phone", Role.SCORER, None)
        browser = look(served.guests)
        browser.add_cookie({"name": f"upscore-{urlsplit(served.guests).port}", "value": token})
        look(served.url.replace(f"http://127.0.0.1:{urlsplit(served.url).port}", served.guests))
        assert not browser.execute_script("return isSecureContext || 'serviceWorker' in navigator")
        find(browser, 'input[type="file"][capture="environment"]').send_keys(str(tmp_path / "turn.jpg"))
        until(browser, lambda: says(browser, "MOOD"))
        look("about:blank")
    finally:
        served.stop()


def test_the_browser_finds_nothing_wrong_with_the_manifest(site: Site, look: Look) -> None:
    browser = look(site.url)
    told = browser.execute_cdp_cmd("Page.getAppManifest", {})
    assert told["errors"] == []
    assert told["url"].endswith("/manifest.webmanifest")
    until(browser, lambda: installed(browser))
    assert browser.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"] == []
