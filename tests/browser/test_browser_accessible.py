"""Every page looked over by axe-core: on phone (also on its side) and laptop, light and dark, without a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axekit import COMMON, LIVE, SCHEMES, complaints
from browserkit import GUESTS_HOST, LAPTOP, PHONE, BrowserSite, Look, click, find, forget_complaints, tap, until
from guestkit import leads_to
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from webkit import EXAMPLE, SearchableShelf, doubt, jpeg, make_finding, picture, sure

from engine import FACES
from vision.letters.loose_tiles import LooseTile
from webui.access.invitations import Invitation
from webui.access.sessions import Role
from webui.table.learned_set import LessonRows

pytestmark = pytest.mark.slow

SIZES = [PHONE, (740, 360), LAPTOP]
"""A phone, the same on its side, and a laptop."""
OVER = ("", "/../../all-time", "/turns/1", "/analysis?rack=ONT", "/charts", "/replay?at=2", "/tv", "/print")


def look_over(site: BrowserSite, look: Look, pages: dict[str, str], size: tuple[int, int]) -> dict[str, list[str]]:
    """Return axe-core's complaints about pages, each shown light and dark."""
    found: dict[str, list[str]] = {}
    for name, url in pages.items():
        for scheme, told in complaints(look(url, size)).items():
            found[f"{name or 'game'}, {scheme}"] = told
    return found


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_form_for_another_set_is_looked_over(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    browser = look(f"{site.address}/new", size)
    browser.execute_script("document.querySelector('.other input').click()")
    assert find(browser, ".own-set").is_displayed()
    assert complaints(browser) == {}


@pytest.mark.parametrize("page", ["", "/play"])
def test_what_a_key_would_press_is_ringed_plainly(site: BrowserSite, look: Look, page: str) -> None:
    """WCAG 1.4.11 asks for 3:1 beside the page and its cards."""
    browser = look(f"{site.url}{page}", LAPTOP)
    for scheme in SCHEMES:
        colours = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", colours)
        ActionChains(browser).send_keys(Keys.TAB).perform()
        ring, paper, sheet = browser.execute_script(RING)
        assert min(contrast(ring, paper), contrast(ring, sheet)) >= 3, scheme
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_names_of_rows_and_columns_stand_out_from_the_board(site: BrowserSite, look: Look) -> None:
    """The browser's engine for accessibility passes them over: they are hidden from it, and small."""
    browser = look(site.url)
    name, board = browser.execute_script(NAMES)
    assert contrast(name, board) >= 4.5


RING = """
  const shown = (element, what) => getComputedStyle(element)[what];
  const sheet = document.createElement("p");
  sheet.className = "card";
  document.body.append(sheet);
  const found = [shown(document.activeElement, "outlineColor"), shown(document.documentElement, "backgroundColor"),
    shown(sheet, "backgroundColor")];
  sheet.remove();
  return found;
"""
NAMES = """
  const name = document.querySelector(".squares .name");
  return [getComputedStyle(name).color, getComputedStyle(name.closest(".squares")).backgroundColor];
"""


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG. Where the first is transparent, the second shows through."""
    over, under = (list(map(float, re.findall(r"[\d.]+", colour))) for colour in (one, other))
    share = over[3] if len(over) > 3 else 1.0
    mixed = [share * mine + (1 - share) * its for mine, its in zip(over[:3], under[:3], strict=True)]
    low, high = sorted((luminance(mixed), luminance(under[:3])))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: list[float]) -> float:
    """The relative luminance of red, green and blue from 0 to 255."""
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.fixture
def over(tmp_path: Path) -> Iterator[BrowserSite]:
    """A game that is over, with a word list that can be searched."""
    served = BrowserSite(tmp_path / "over", lexicons=SearchableShelf())
    plays = ("d4-ON", "d3|T.O")
    served.reader.say([sure(tiles) for tiles in plays])
    for _ in plays:
        served.services.intake.take(served.game.row.id, picture(480, 640), "camera")
    served.services.games.change(served.now(), lambda game: game.end("agreed", (1, 2)))
    yield served
    served.stop()


@pytest.mark.parametrize("size", SIZES)
def test_a_game_that_goes_on(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    site.enter(*EXAMPLE[:-1], "X@a1")
    site.take(doubt(EXAMPLE[-1], "P@g2 L@g3 U@g4 N@g5"), source="camera", image=picture(480, 640))
    assert look_over(site, look, {page: f"{site.url}{page}" for page in LIVE}, size) == {}


@pytest.mark.parametrize("size", SIZES)
def test_a_game_that_is_over(over: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    assert look_over(over, look, {page: f"{over.url}{page}" for page in OVER}, size) == {}


@pytest.mark.parametrize("size", SIZES)
def test_the_other_pages_and_a_hand_over_the_board(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    site.take(
        make_finding("unclear", "A hand lies over the board: take it away and look again."),
        source="camera",
        image=picture(480, 640),
    )
    LessonRows(site.services.store).put(7, "8x8", 1, "what a game taught")
    pages = {page: f"{site.address}{page}" for page in COMMON}
    assert look_over(site, look, {"question": site.url, "again": f"{site.url}/start-again", **pages}, size) == {}


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_joining_and_what_viewers_see(tmp_path: Path, look: Look, size: tuple[int, int]) -> None:
    site = BrowserSite(tmp_path / "guests", names=(GUESTS_HOST,))
    try:
        gate, game = site.services.gate, site.game.row.id
        leads_to(gate, f"{site.guests}/", "http://10.8.0.6:8000/")
        gate.sessions.begin("Anna's phone", Role.SCORER, (game,))
        site.reader.say([doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 N@e4")])
        site.services.intake.take(game, picture(480, 640), "camera")
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


@pytest.mark.parametrize("size", SIZES)
def test_the_board_after_an_earlier_turn(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    site.enter(*EXAMPLE[:3])
    browser = look(site.url, size)
    tap(browser, "MOOD", "summary", then="Board after turn 1")
    assert complaints(browser) == {}


@pytest.mark.parametrize("size", SIZES)
def test_a_challenge_and_its_ruling(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    site.enter(*EXAMPLE[:5], "X@a1")
    browser = look(f"{site.url}/turns/6/challenge", size)
    assert complaints(browser) == {}
    tap(browser, "It comes off")
    until(browser, lambda: not browser.find_elements("css selector", ".rulings"))
    assert complaints(browser) == {}
    assert look_over(site, look, {"": site.url, "tv": f"{site.url}/tv"}, size) == {}


@pytest.mark.parametrize("size", SIZES)
def test_every_dialog(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    browser = look(site.url, size)
    dialogs = browser.execute_script("return [...document.querySelectorAll('dialog')].map((each) => each.id)")
    assert sorted(dialogs) == ["grid", "phone"]
    for name in dialogs:
        browser.execute_script("document.getElementById(arguments[0]).showModal()", name)
        assert complaints(browser) == {}, name
        browser.execute_script("document.getElementById(arguments[0]).close()", name)
    click(browser, ".more > summary")
    assert complaints(browser) == {}


@pytest.mark.parametrize("size", SIZES)
def test_messages_of_a_photograph_on_its_way(
    site: BrowserSite, look: Look, size: tuple[int, int], tmp_path: Path
) -> None:
    (tmp_path / "turn.jpg").write_bytes(jpeg(480, 640))
    (tmp_path / "letter.jpg").write_bytes(b"%PDF-1.7")
    browser = look(site.url, size)
    find(browser, 'input[type="file"][capture="environment"]').send_keys(str(tmp_path / "letter.jpg"))
    until(browser, "not a picture that can be read")
    assert complaints(browser) == {}
    browser.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    find(browser, 'input[type="file"][capture="environment"]').send_keys(str(tmp_path / "turn.jpg"))
    until(browser, "The photo is kept here")
    assert complaints(browser) == {}
    tap(browser, "Delete photo")
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", {**offline, "offline": False})
    browser.get("about:blank")  # by then, sending without a connection has failed
    forget_complaints(browser)


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_rack_that_was_photographed(site: BrowserSite, look: Look, size: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "rack.jpg").write_bytes(jpeg(480, 640))
    even = tuple(1 / len(FACES) for _ in FACES)
    site.reader.rack = (LooseTile(even, 0.3, 0.5, 0.1, 0.0), LooseTile((*even[:-1], 5.0), 0.6, 0.5, 0.1, 0.0))
    browser = look(f"{site.url}/end", size)
    find(browser, '[data-rack="0"]').send_keys(str(tmp_path / "rack.jpg"))
    until(browser, "2 tiles found")
    assert complaints(browser) == {}


def borders(browser: Chrome, *selectors: str) -> list[str]:
    """Return the lower or left border of the first element of each selector, whichever is wider."""
    script = """
      return arguments[0].map((selector) => {
        const look = getComputedStyle(document.querySelector(selector));
        const [left, below] = [look.borderLeft, look.borderBottom];
        return parseFloat(left) > parseFloat(below) ? left : below;
      });
    """
    told: list[str] = browser.execute_script(script, selectors)
    return told


def test_colours_of_the_system_hide_nothing_that_is_current(site: BrowserSite, look: Look) -> None:
    """With forced colours a border shows what is current."""
    site.reader.say([*map(sure, EXAMPLE[:2]), doubt(EXAMPLE[2])])
    for _ in range(3):
        site.services.intake.take(site.game.row.id, picture(480, 640), "upload")
    browser = look("about:blank", LAPTOP)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "forced-colors", "value": "active"}]})
    try:
        browser.get(site.url)
        asked, other = borders(browser, ".ask", ".card:not(.ask)")
        assert "double" in asked
        assert "double" not in other
        newest, earlier = borders(browser, ".sheet .last details:last-of-type summary", ".sheet summary")
        assert newest != earlier
        browser.get(f"{site.address}/words")
        current, other = borders(browser, ".top nav [aria-current]", ".top nav a:not([aria-current])")
        assert current != other
        browser.get(f"{site.url}/tv")
        turn, waits = borders(browser, ".totals .turn", ".totals li:not(.turn)")
        assert turn != waits
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_who_asks_for_more_contrast_sees_lines_and_squares(site: BrowserSite, look: Look, scheme: str) -> None:
    browser = look("about:blank", LAPTOP)
    asked = [{"name": "prefers-contrast", "value": "more"}, {"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": asked})
    browser.get(site.url)
    pairs = browser.execute_script("""
      const look = (selector, part) => getComputedStyle(document.querySelector(selector), part);
      const { backgroundColor } = look("html");
      return [
        [look(".card").borderTopColor, backgroundColor],
        [look(".soft").color, backgroundColor],
        [look(".square", "::before").backgroundColor, look(".squares").backgroundColor],
      ];
    """)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    border, soft, square = (contrast(*pair) for pair in pairs)
    assert border >= 7
    assert soft >= 7
    assert square >= 3
