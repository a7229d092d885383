"""Every page looked over by axe-core: on phone and laptop, light and dark, without a finding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browserkit import GUESTS_HOST, LAPTOP, PHONE, Look, Site
from webkit import EXAMPLE, SearchableShelf, doubt, picture, play_of, seen, sure

from webui.access.invitations import Invitation
from webui.access.permissions import Role

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
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
    "/turns/2/insert",
    "/end",
    "/charts",
    "/replay?at=3",
    "/tv",
    "/print",
    "/keep",
)
OVER = ("", "/turns/1", "/analysis?rack=ONT", "/charts", "/replay?at=2", "/tv", "/print")
COMMON = ("/new", "/games", "/words", "/import", "/games/999", "/unreachable")
SCHEMES = {
    "light": {"rules": {"target-size": {"enabled": True}}},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}
"""What is looked for: everything, and then what other colours may change."""
UNSTUCK = (
    "for (const bar of document.querySelectorAll('.bar, [data-part=actions]')) bar.style.position = 'static';"
    "for (const fold of document.querySelectorAll('.joining details')) fold.open = true;"
)
"""What lies under a bar can be scrolled out from under it; what is folded up on the list of devices is shown."""


def look_over(site: Site, look: Look, pages: dict[str, str], size: tuple[int, int]) -> dict[str, list[str]]:
    """What axe-core has against pages, each shown light and dark."""
    found: dict[str, list[str]] = {}
    for name, url in pages.items():
        browser = look(url, size)
        browser.execute_script(f"{AXE}; {UNSTUCK}")
        for scheme, options in SCHEMES.items():
            colours = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", colours)
            if complaints := browser.execute_async_script(RUN, options):
                found[f"{name or 'game'}, {scheme}"] = complaints
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    return found


@pytest.fixture
def over(tmp_path: Path) -> Iterator[Site]:
    """A game that is over, with a word list that can be searched."""
    served = Site(tmp_path / "over", lexicons=SearchableShelf())
    plays = ("d4-ON", "d3|T.O")
    served.reader.say([sure(tiles) for tiles in plays])
    for _ in plays:
        served.made.intake.take(served.game.row.id, picture(480, 640), "camera")
    served.made.tables.change(served.now(), lambda game: game.end("agreed", (1, 2)))
    yield served
    served.stop()


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_game_that_goes_on(site: Site, look: Look, size: tuple[int, int]) -> None:
    opened = site.game
    for tiles in EXAMPLE[:-1]:
        opened = site.made.intake.enter(opened, play_of(tiles), opened.row.version)
    site.made.intake.enter(opened, play_of("X@a1"), opened.row.version)
    site.reader.say([doubt(EXAMPLE[-1], "P@g2 L@g3 U@g4 N@g5")])
    site.made.intake.take(site.game.row.id, picture(480, 640), "camera")
    assert look_over(site, look, {page: f"{site.url}{page}" for page in LIVE}, size) == {}


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_game_that_is_over(over: Site, look: Look, size: tuple[int, int]) -> None:
    assert look_over(over, look, {page: f"{over.url}{page}" for page in OVER}, size) == {}


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_other_pages_and_a_hand_over_the_board(site: Site, look: Look, size: tuple[int, int]) -> None:
    site.reader.say([seen("unclear", "A hand lies over the board: take it away and look again.")])
    site.made.intake.take(site.game.row.id, picture(480, 640), "camera")
    pages = {page: f"{site.address}{page}" for page in COMMON}
    assert look_over(site, look, {"question": site.url, **pages}, size) == {}


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_joining_and_what_viewers_see(tmp_path: Path, look: Look, size: tuple[int, int]) -> None:
    site = Site(tmp_path / "guests", names=(GUESTS_HOST,))
    try:
        gate, game = site.made.gate, site.game.row.id
        gate.address = f"{site.guests}/"
        gate.sessions.begin("Anna's phone", Role.SCORER, (game,))
        site.reader.say([doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 N@e4")])
        site.made.intake.take(game, picture(480, 640), "camera")
        keeper = {"codes": f"{site.url}/join", "devices": f"{site.address}/devices"}
        assert look_over(site, look, keeper, size) == {}
        look(f"{site.guests}/join").execute_cdp_cmd("Network.clearBrowserCookies", {})
        stranger = {"stranger": f"{site.guests}/games/{game}", "no code": f"{site.guests}/join/v-x"}
        assert look_over(site, look, stranger, size) == {}
        look(f"{site.guests}/join/{gate.invitations.code(Invitation(Role.VIEWER, game))}")
        viewer = {page: f"{site.guests}{page}" for page in (f"/games/{game}", "/games", "/join")}
        assert look_over(site, look, viewer, size) == {}
        look("about:blank")
    finally:
        site.stop()
