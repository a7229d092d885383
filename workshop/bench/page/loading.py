"""What each page weighs when it is opened for the first time, and when the browser first paints it."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from selenium.webdriver.remote.webdriver import WebDriver

PAGES = ("", "/play", "/end", "/charts", "/replay?at=3", "/tv", "/print", "/turns/3", "/turns/3/challenge")
"""The pages of a game, below its own address."""
COMMON = ("/new", "/games", "/words")
_TAKEN = """
  const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const paint = performance.getEntriesByName("first-paint")[0];
  return {
    files: entries.map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize]),
    paint: paint ? paint.startTime : null,
  };
"""


@dataclass(frozen=True)
class Loaded:
    """A page that was opened: bytes sent for it without photographs, bytes of photographs, and the time to first paint.

    `paint_ms` counts from when the browser began to open it. It is the median of several times, as are the bytes.
    """

    page: str
    plain: int
    photographs: int
    paint_ms: float


def measure_page(driver: WebDriver, url: str, page: str, times: int) -> Loaded:
    """Open a page several times, each time with an empty cache."""
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    driver.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": True})
    looks = [_look(driver, f"{url}{page}") for _ in range(times)]
    weights = [(_sum(look, photographs=False), _sum(look, photographs=True)) for look in looks]
    paints = [float(look["paint"]) for look in looks if look["paint"] is not None]
    return Loaded(
        page or "the game",
        int(median(plain for plain, _ in weights)),
        int(median(photographs for _, photographs in weights)),
        median(paints) if paints else float("nan"),
    )


def _look(driver: WebDriver, url: str) -> dict[str, Any]:
    driver.get("about:blank")
    driver.get(url)
    script = "const done = arguments[0]; requestAnimationFrame(() => setTimeout(done, 400));"
    driver.execute_async_script(script)  # first paint is recorded a frame later, and late scripts arrive
    taken: dict[str, Any] = driver.execute_script(_TAKEN)
    return taken


def _sum(look: dict[str, Any], *, photographs: bool) -> int:
    return sum(int(size) for path, size in look["files"] if path.startswith("/pictures/") == photographs)
