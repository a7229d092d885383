"""A served page and a headless browser to look at it with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browserkit import CHROMIUM, DRIVER, FLAGS, PHONE, BrowserSite, wire_is_up
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webdriver import WebDriver

NO_FAULTS = ("the server responded with a status of 4", "An unknown error occurred when fetching the script")
"""What the browser's console says of an answer that a test asks for, and of a service worker whose page was left while
it was fetched."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[BrowserSite]:
    served = BrowserSite(tmp_path)
    yield served
    served.stop()


def start_browser(profile: Path) -> WebDriver:
    """Start a browser with its profile in a folder. Skip the test if there is no browser."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("chromium and chromedriver are not installed: the page is not looked at in a browser")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(DRIVER))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """Return one browser for all tests. Each site has its own port, so pages share no stored data."""
    browser = start_browser(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.quit()


@pytest.fixture
def new_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], WebDriver]]:
    """Start browsers with empty profiles, and end them."""
    browsers: list[WebDriver] = []

    def start() -> WebDriver:
        browsers.append(start_browser(tmp_path_factory.mktemp("chromium")))
        return browsers[-1]

    yield start
    for browser in browsers:
        browser.quit()


@pytest.fixture
def look(chromium: WebDriver, site: BrowserSite) -> Iterator[Callable[..., WebDriver]]:
    """Open an address in a window of a size, and wait for its stream if it is to be `live`.

    :return: The browser, which leaves before the site is stopped.
    """

    def open_(url: str, size: tuple[int, int] = PHONE, *, live: bool = False) -> WebDriver:
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        chromium.get(url)
        if live:
            wire_is_up(chromium, site)
        return chromium

    yield open_
    chromium.get("about:blank")


@pytest.fixture(autouse=True)
def quiet_console(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check that no page complains in the browser's console, except about answers that a test asked for."""
    yield
    if "chromium" in request.fixturenames:
        browser = request.getfixturevalue("chromium")
        complaints = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
        assert [text for text in complaints if not any(each in text for each in NO_FAULTS)] == []
