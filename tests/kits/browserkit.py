"""A served page for tests in a browser, and the browser's settings."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

from flask import Flask, request
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    NoSuchElementException,
    StaleElementReferenceException,
    TimeoutException,
    WebDriverException,
)
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from webkit import Hosted, ScriptedReader, config, empty_position, start_game
from werkzeug.serving import make_server

from webui.app import create_app, services_of
from webui.services import Services

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
GUESTS_HOST = "table.example"
"""A name of the server that is not the computer's own. A browser that asks by it is a guest, like a phone.
Over plain http it is no secure context to the browser."""
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-back-forward-cache",  # otherwise a page that was left goes on sending
    f"--host-resolver-rules=MAP {GUESTS_HOST} 127.0.0.1",
)
_ANOTHER_PAGE = "does not belong to the document"
PHONE = (360, 740)
LAPTOP = (1280, 800)
TELEVISION = (1920, 1080)
SHIFTS = """
  window.shifted = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((shift) => { window.shifted += shift.value; }))
    .observe({ type: "layout-shift" });
"""
"""Adds up how much of the page jumps from now on, by the browser's own measure."""

ASLEEP = """
  let hidden = arguments[0];
  const shown = { get: () => (hidden ? "hidden" : "visible"), configurable: true };
  Object.defineProperty(document, "visibilityState", shown);
  document.dispatchEvent(new Event("visibilitychange"));
"""
"""Hides the page, or shows it again, as a phone does that falls asleep and is taken up."""

Look = Callable[..., Chrome]
"""Opens an address, in a window of a size."""


class BrowserSite(Hosted):
    """A served application with a game of Red and Blue on 8x8, and its scripted reader.

    `settings` are those of the application's configuration.
    """

    def __init__(self, data: Path, reader: ScriptedReader | None = None, **settings: object) -> None:
        self.reader = ScriptedReader(position=empty_position()) if reader is None else reader
        self._settings = settings
        self._data = data
        self._port = 0
        self.start()
        self.game = start_game(self.services)

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def guests(self) -> str:
        """Where guests open it, if it was given the name `GUESTS_HOST`."""
        return f"http://{GUESTS_HOST}:{self._port}"

    @property
    def url(self) -> str:
        """The page of the game."""
        return f"{self.address}/games/{self.game.row.id}"

    def start(self) -> None:
        """Serve, at the same port as before."""
        app = create_app(config(self._data, self.reader, **self._settings))
        self.services: Services = services_of(app)
        self._server = make_server("127.0.0.1", self._port, app, threaded=True)
        self._port = self._server.port
        self._serving = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._serving.start()

    def hold(self, path: str, until: threading.Event) -> None:
        """Answer the next request whose path ends so only after an event, as if its connection had died."""
        assert isinstance(self._server.app, Flask)
        held = threading.Lock()

        def wait() -> None:
            if request.path.endswith(path) and held.acquire(blocking=False):
                until.wait(60)

        self._server.app.before_request_funcs.setdefault(None, []).insert(0, wait)

    def stop(self) -> None:
        """Stop serving; what was stored stays."""
        self.services.close()
        self._server.shutdown()
        self._serving.join(timeout=10)
        self._server.server_close()


def until(browser: WebDriver, what: Callable[[], object] | str) -> None:
    """Wait until something holds, or the page shows a text; what the page renews meanwhile is looked at again."""
    condition = (lambda: says(browser, what)) if isinstance(what, str) else what
    renewed = (NoSuchElementException, StaleElementReferenceException)
    WebDriverWait(browser, 10, 0.05, renewed).until(lambda _: _holds(condition))


def _holds(condition: Callable[[], object]) -> object:
    """Return a condition's result, or False if the page was replaced while it looked (SeleniumHQ/selenium#15401)."""
    try:
        return condition()
    except WebDriverException as error:
        if _ANOTHER_PAGE in str(error):
            return False
        raise


def find(browser: WebDriver, selector: str) -> WebElement:
    """The first element that a selector names."""
    return browser.find_element(By.CSS_SELECTOR, selector)


def says(browser: WebDriver, text: str) -> bool:
    """Return whether the page shows a text."""
    return text in str(browser.execute_script("return document.body.innerText"))


def until_still(browser: WebDriver) -> None:
    """Wait until nothing glides: a tap would land where a card was."""
    gliding = "return document.getAnimations().some((each) => each.effect.getTiming().iterations !== Infinity)"
    until(browser, lambda: not browser.execute_script(gliding))


def tap(browser: WebDriver, text: str, tag: str = "button", *, then: str | None = None) -> None:
    """Tap what is labelled so, and wait until the page says `then`."""
    click(browser, browser.find_element(By.XPATH, f"//{tag}[contains(., {text!r})]"))
    if then is not None:
        until(browser, then)


def click(browser: WebDriver, what: str | WebElement) -> None:
    """Tap an element, or the first that a selector names, out of the way of bars that stick to the edges.

    A page that moves under the finger, since news came in, is tapped again. What lies over the element is a fault.
    """
    until_still(browser)
    centred = "arguments[0].scrollIntoView({block: 'center'}); return arguments[0].getBoundingClientRect().toJSON()"

    def is_pressed() -> bool:
        element = find(browser, what) if isinstance(what, str) else what
        place = browser.execute_script(centred, element)
        try:
            element.click()
        except ElementClickInterceptedException:
            if browser.execute_script(centred, element) == place:
                raise
            return False
        return True

    until(browser, is_pressed)


def wire_is_up(browser: WebDriver, site: BrowserSite) -> None:
    """The page listens: its stream has come in."""
    until(browser, lambda: site.services.announcer.streams == 1)


def until_worker_is_ready(browser: WebDriver) -> None:
    """Wait until a service worker is active. A page whose worker didn't get all its files is loaded again."""
    ready = "navigator.serviceWorker.ready.then(() => arguments[0]())"
    try:
        browser.execute_async_script(ready)
    except TimeoutException:
        browser.refresh()
        browser.execute_async_script(ready)


def later(browser: WebDriver, seconds: float) -> None:
    """Let this much time pass at once on the page's clock. Its timers keep their own time."""
    browser.execute_script("const now = Date.now; Date.now = () => now() + arguments[0]", 1000 * seconds)


def forget_complaints(browser: Chrome) -> None:
    """Ignore the complaints in the browser's console so far, which the test caused."""
    browser.get_log("browser")  # type: ignore[no-untyped-call]


def unreachable(browser: WebDriver, selector: str) -> list[str]:
    """The controls that something lies over, that overlap another, or that stick out of the window."""
    script = """
      const controls = [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility());
      const boxes = controls.map((e) => e.getBoundingClientRect());
      const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      if (!controls.length) return ["nothing there"];
      return controls.filter((e, at) => {
        const { left, top, right, bottom } = boxes[at];
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        return !inside || !e.contains(hit) || boxes.some((other, of) => of !== at && !apart(boxes[at], other));
      }).map((e) => e.textContent.trim() || e.getAttribute("aria-label"));
    """
    found: list[str] = browser.execute_script(script, selector)
    return found
