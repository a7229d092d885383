"""The tiles left, photographed: shown with their letters, doubts asked, and counted once they are confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, click, find, tap, until
from presencekit import there
from selenium.webdriver import Chrome
from webkit import jpeg, start_game

from engine import FACES
from engine.editions import edition_from_data
from vision.letters.loose_tiles import LooseTile

pytestmark = pytest.mark.slow


def tile(x: float = 0.2, **chances: float) -> LooseTile:
    rest = (1.0 - sum(chances.values())) / (len(FACES) - len(chances))
    return LooseTile(tuple(chances.get(face, rest) for face in FACES), x, 0.5, 0.1, 0.0)


def photograph(browser: Chrome, path: Path, player: int) -> None:
    (path / "rack.jpg").write_bytes(jpeg(480, 640))
    find(browser, f'[data-rack="{player}"]').send_keys(str(path / "rack.jpg"))


def list_counted(browser: Chrome, player: int) -> list[str]:
    script = f"return [...document.querySelectorAll('[name=left{player}]:checked')].map((e) => e.value)"
    return list(browser.execute_script(script))


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_tiles_left_are_confirmed_by_a_tap(
    site: BrowserSite, look: Look, tmp_path: Path, size: tuple[int, int]
) -> None:
    site.reader.rack = (tile(E=0.95), tile(0.4, N=0.5, Z=0.4), tile(0.6, A=0.95))
    browser = look(f"{site.url}/end", size)
    before = list_counted(browser, 1)
    photograph(browser, tmp_path, 1)
    until(browser, "3 tiles found. Is that all that is left?")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
    yes = find(browser, "#found1 .primary")
    assert (list_counted(browser, 1), yes.get_attribute("aria-disabled")) == (before, "true")
    tap(browser, "Yes, 3 tiles", then="A letter is still in doubt")
    assert list_counted(browser, 1) == before
    click(browser, "#found1 .which button")
    click(browser, '#found1 [aria-label="Not a tile: A"]')
    tap(browser, "Yes, 2 tiles", then="Photographed: E, N.")
    assert list_counted(browser, 1) == ["2"]
    browser.execute_script("document.querySelector('[name=left0][value=\"0\"]').click()")
    tap(browser, "End the game")
    until(browser, lambda: browser.current_url == site.url)
    end = there(site.now().game.ended)
    assert end.left == (0, 2)


def test_more_than_a_rack_holds_is_not_taken(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    site.reader.rack = tuple(tile(0.1 * at, E=0.95) for at in range(1, 9))
    browser = look(f"{site.url}/end")
    before = list_counted(browser, 0)
    photograph(browser, tmp_path, 0)
    until(browser, "8 tiles found, but a rack holds 7")
    tap(browser, "Yes, 8 tiles")
    assert list_counted(browser, 0) == before
    tap(browser, "Count by hand")
    assert not find(browser, "#found0").is_displayed()


def test_a_photograph_without_tiles_is_told(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    browser = look(f"{site.url}/end")
    photograph(browser, tmp_path, 0)
    until(browser, "No tiles found. Lay them in a row")


def test_tiles_are_confirmed_in_a_browser_that_draws_nothing(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    site.reader.rack = (tile(E=0.95),)
    browser = look(f"{site.url}/end")
    browser.execute_script("HTMLCanvasElement.prototype.getContext = () => null")
    photograph(browser, tmp_path, 1)
    until(browser, "1 tile found. Is that all that is left?")
    tap(browser, "Yes, 1 tile")
    assert list_counted(browser, 1) == ["1"]


def test_four_letters_to_choose_from_stay_within_the_rack_on_a_phone(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    site.reader.rack = (tile(H=0.22, Qu=0.21, X=0.2, A=0.19),)
    browser = look(f"{site.url}/end", PHONE)
    photograph(browser, tmp_path, 0)
    until(browser, "1 tile found.")
    assert len(browser.find_elements("css selector", "#found0 .which button")) == 4
    box, row = (find(browser, selector).rect for selector in ("#found0", "#found0 li"))
    assert row["x"] + row["width"] <= box["x"] + box["width"]


def test_a_set_with_long_racks_takes_as_many_tiles(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    tiles = dict.fromkeys(FACES, 4)
    game = start_game(
        site.services, edition=edition_from_data({"name": "Long", "size": 9, "rack_size": 9, "tiles": tiles})
    )
    site.reader.rack = tuple(tile(0.1 * at, E=0.95) for at in range(1, 10))
    browser = look(f"{site.address}/games/{game.row.id}/end")
    photograph(browser, tmp_path, 0)
    until(browser, "9 tiles found. Is that all that is left?")
    tap(browser, "Yes, 9 tiles", then="Photographed: E, E, E, E, E, E, E, E, E.")
    assert list_counted(browser, 0) == ["9"]
