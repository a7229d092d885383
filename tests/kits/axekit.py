"""axe-core, which looks pages over for what keeps people out, and the pages to look over."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver import Chrome

AXE = (Path(__file__).parents[1] / "browser" / "axe" / "axe.min.js").read_text(encoding="utf-8")
RUN = """
  const done = arguments[arguments.length - 1];
  const said = ({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`;
  const told = (found) => found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${said(node)}`));
  const failed = (error) => done([String(error)]);
  axe.run(arguments[0]).then((result) => done(told(result.violations)), failed);
"""
LIVE = (
    "",
    "/play",
    "/turns/6",
    "/turns/6/correct",
    "/turns/6/challenge",
    "/turns/2/insert",
    "/end",
    "/charts",
    "/replay?at=3",
    "/tv",
    "/print",
    "/keep",
    "/rules",
)
COMMON = ("/new", "/games", "/all-time", "/words", "/import", "/tiles/forget?edition=8x8", "/games/999", "/unreachable")
SCHEMES = {
    "light": {"rules": {"target-size": {"enabled": True}}},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}
"""The rules of axe-core to run: all of them, and those that other colours may break."""
UNSTUCK = (
    "for (const bar of document.querySelectorAll('.bar, [data-part=actions]')) bar.style.position = 'static';"
    "for (const fold of document.querySelectorAll('.joining details')) fold.open = true;"
)
"""What lies under a bar can be scrolled out from under it; what is folded up on the list of devices is shown."""


def complaints(browser: Chrome) -> dict[str, list[str]]:
    """Return axe-core's complaints about the page in a browser, light and dark."""
    browser.execute_script(f"{AXE}; {UNSTUCK}")
    found: dict[str, list[str]] = {}
    for scheme, options in SCHEMES.items():
        colours = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", colours)
        if told := browser.execute_async_script(RUN, options):
            found[scheme] = told
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    return found
