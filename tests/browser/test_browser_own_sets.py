"""A set of people's own on the page for a new game: typed, from its file, and offered again."""

from __future__ import annotations

from pathlib import Path

import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, click, find, says, tap, until
from selenium.webdriver import Chrome

from engine import FACES

pytestmark = pytest.mark.slow

FILE = 'name = "Grandma\'s"\nsize = 13\nqu_bonus = 5\n[tiles]\n' + "\n".join(f"{face} = 4" for face in FACES)


def choose(browser: Chrome, name: str) -> None:
    """Choose a board, and name the player."""
    find(browser, "#player0").send_keys("Ada")
    card = next(each for each in browser.find_elements("css selector", ".edition") if name in each.text)
    click(browser, card.find_element("css selector", "input"))


def fill(browser: Chrome, field: str, value: str) -> None:
    """Replace the value of a field, as typing does."""
    script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))"
    browser.execute_script(script, find(browser, f"[name='{field}']"), value)


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_set_is_typed_and_offered_again(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    browser = look(f"{site.address}/new", size)
    assert not find(browser, ".own-set").is_displayed()
    choose(browser, "Another set")
    assert find(browser, "#set-total").text == "64 tiles"
    fill(browser, "set-size", "12")
    assert find(browser, "#set-total").text == "100 tiles"
    fill(browser, "set-Z", "3")
    fill(browser, "set-size", "9")
    assert find(browser, "#set-total").text == "102 tiles"
    fill(browser, "set-start", "a1, b2")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
    tap(browser, "Begin")
    until(browser, lambda: says(browser, "to play") or says(browser, "Ada"))
    edition = site.services.games.open(site.services.store.games()[0].id).game.setup.edition
    assert (edition.name, edition.size, edition.tile_total, len(edition.start)) == ("Our set", 9, 102, 2)
    look(f"{site.address}/new", size)
    choose(browser, "Our set")
    assert says(browser, "9 × 9, 102 tiles, first word on a1 and b2")
    tap(browser, "Begin")
    until(browser, lambda: len(site.services.store.games()) == 3)
    assert site.services.games.open(site.services.store.games()[0].id).game.setup.edition == edition


def test_a_mistake_is_told_and_what_was_typed_stays(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.address}/new")
    choose(browser, "Another set")
    for vowel in "AEIOU":
        fill(browser, f"set-{vowel}", "0")
    tap(browser, "Begin", then="the set has no vowels")
    assert find(browser, "[name='set-A']").get_attribute("value") == "0"
    assert find(browser, ".own-set").is_displayed()


def test_the_file_of_a_set_is_chosen(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_text(FILE, encoding="utf-8")
    browser = look(f"{site.address}/new")
    choose(browser, "Another set")
    find(browser, "[name='set-file']").send_keys(str(tmp_path / "set.toml"))
    tap(browser, "Begin")
    until(browser, lambda: len(site.services.store.games()) == 2)
    edition = site.services.games.open(site.services.store.games()[0].id).game.setup.edition
    assert (edition.name, edition.size, edition.qu_bonus) == ("Grandma's", 13, 5)
