"""A set of people's own on the page for a new game: typed, from its file, and offered again."""

from __future__ import annotations

from pathlib import Path

import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, click, find, says, tap, until
from selenium.webdriver import Chrome
from webkit import jpeg, start_game

from engine import FACES
from engine.editions import edition_from_data
from vision.letters.eyes import all_faces
from vision.letters.loose_tiles import LooseTile

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


ALL = all_faces()


PICTURES = """
  const open = window.createImageBitmap;
  window.pictures = [];
  window.createImageBitmap = async (...asked) => {
    const picture = await open(...asked);
    window.pictures.push(picture);
    return picture;
  };
"""
"""Keeps every picture that the page opens."""


def tile(x: float, **chances: float) -> LooseTile:
    rest = (1.0 - sum(chances.values())) / (len(ALL) - len(chances))
    return LooseTile(tuple(chances.get(face, rest) for face in ALL.faces), x, 0.5, 0.1, 0.0)


def photograph(browser: Chrome, folder: Path, count: int = 1) -> None:
    paths = [folder / f"set{number}.jpg" for number in range(count)]
    for path in paths:
        path.write_bytes(jpeg(480, 640))
    find(browser, "#laid-photo input").send_keys("\n".join(map(str, paths)))


def values(browser: Chrome) -> dict[str, str]:
    script = "return [...document.querySelectorAll('.letters-of input')].map((e) => [e.name.slice(4), e.value])"
    return {face: value for face, value in browser.execute_script(script) if value != "0"}


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_set_is_counted_from_photographs(
    site: BrowserSite, look: Look, tmp_path: Path, size: tuple[int, int]
) -> None:
    site.reader.rack = (tile(0.2, A=0.9), tile(0.4, E=0.9), tile(0.6, Ä=0.9), tile(0.8, M=0.5, W=0.4))
    browser = look(f"{site.address}/new", size)
    choose(browser, "Another set")
    fill(browser, "set-others", "ß 1")
    before = values(browser)
    photograph(browser, tmp_path, 2)
    until(browser, "6 tiles found: A 2, Ä 2, E 2. 2 more are in doubt.")
    assert len(browser.find_elements("css selector", "#laid canvas.laid-photo")) == 2
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
    assert values(browser) == before
    tap(browser, "W", then="7 tiles found: A 2, Ä 2, E 2, W 1. 1 more is in doubt.")
    assert not says(browser, "Add by hand")
    tap(browser, "Fill in these numbers", then="Filled in: 7 tiles. 1 more is in doubt.")
    assert says(browser, "Add by hand what has no mark in the photo.")
    assert values(browser) == {"A": "2", "E": "2", "W": "1"}
    assert find(browser, "[name='set-others']").get_attribute("value") == "Ä 2, ẞ 1"
    assert find(browser, "#set-total").text == "8 tiles"
    assert len(browser.find_elements("css selector", "#laid canvas.laid-photo")) == 2
    assert len(browser.find_elements("css selector", "#laid .rack-tiles li")) == 2
    photograph(browser, tmp_path)
    until(browser, "10 tiles found: A 3, Ä 3, E 3, W 1. 2 more are in doubt.")
    click(browser, "#laid [aria-label='Remove photo 3']")
    until(browser, "7 tiles found:")
    tap(browser, "Fill in these numbers", then="Filled in: 7 tiles.")
    fill(browser, "set-size", "13")
    fill(browser, "set-A", "9")
    tap(browser, "Begin")
    until(browser, lambda: len(site.services.store.games()) == 2)
    edition = site.services.games.open(site.services.store.games()[0].id).game.setup.edition
    assert edition.distribution == {"A": 9, "Ä": 2, "E": 2, "ẞ": 1, "W": 1}


def test_a_photograph_without_tiles_changes_nothing(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    browser = look(f"{site.address}/new")
    choose(browser, "Another set")
    fill(browser, "set-A", "11")
    photograph(browser, tmp_path)
    until(browser, "No tiles found. Lay them in rows")
    assert find(browser, "[name='set-A']").get_attribute("value") == "11"
    assert find(browser, "#player0").get_attribute("value") == "Ada"
    assert not browser.find_elements("css selector", "#laid button")


def test_a_set_is_counted_in_a_browser_that_draws_nothing(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    site.reader.rack = (tile(0.2, A=0.9), tile(0.8, M=0.5, W=0.4))
    browser = look(f"{site.address}/new")
    browser.execute_script("HTMLCanvasElement.prototype.getContext = () => null")
    choose(browser, "Another set")
    photograph(browser, tmp_path)
    until(browser, "1 tile found: A 1. 1 more is in doubt.")
    assert says(browser, "This browser can't show the photo. Check the numbers yourself.")
    tap(browser, "Fill in these numbers", then="Filled in: 1 tile.")


def test_a_set_is_counted_in_a_browser_that_opens_no_picture(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    site.reader.rack = (tile(0.2, A=0.9), tile(0.8, M=0.5, W=0.4))
    browser = look(f"{site.address}/new")
    browser.execute_script("window.createImageBitmap = () => Promise.reject(new Error())")
    choose(browser, "Another set")
    photograph(browser, tmp_path)
    until(browser, "This browser can't show the photo. Check the numbers yourself.")
    tap(browser, "M", then="2 tiles found: A 1, M 1.")


def test_photographs_that_fail_are_told_as_long_as_the_others_are_shown(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    site.reader.rack = (tile(0.2, A=0.9),)
    (tmp_path / "good.jpg").write_bytes(jpeg(480, 640))
    (tmp_path / "bad.jpg").write_bytes(b"GIF89a")
    browser = look(f"{site.address}/new")
    browser.execute_script(PICTURES)
    choose(browser, "Another set")
    paths = (tmp_path / "good.jpg", tmp_path / "bad.jpg")
    find(browser, "#laid-photo input").send_keys("\n".join(map(str, paths)))
    until(browser, "1 tile found: A 1.")
    assert "Photo 2 could not be read: " in find(browser, "#laid").text
    assert browser.execute_script("return window.pictures.at(-1).width") == 0
    tap(browser, "Fill in these numbers", then="Filled in: 1 tile.")
    assert "Photo 2 could not be read: " in find(browser, "#laid").text
    photograph(browser, tmp_path)
    until(browser, "2 tiles found: A 2.")
    assert not says(browser, "could not be read")


def test_what_was_put_right_by_hand_stays_when_more_is_found(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    site.reader.rack = (tile(0.2, A=0.9), tile(0.6, Ä=0.9), tile(0.8, M=0.5, W=0.4))
    browser = look(f"{site.address}/new")
    choose(browser, "Another set")
    photograph(browser, tmp_path)
    until(browser, "2 tiles found: A 1, Ä 1.")
    tap(browser, "Fill in these numbers", then="Filled in: 2 tiles.")
    fill(browser, "set-A", "3")
    fill(browser, "set-B", "2")
    fill(browser, "set-others", "ä 2, É 1")
    tap(browser, "W", then="3 tiles found: A 1, Ä 1, W 1.")
    photograph(browser, tmp_path)
    until(browser, "5 tiles found: A 2, Ä 2, W 1.")
    tap(browser, "Fill in these numbers", then="Filled in: 5 tiles.")
    assert values(browser) == {"A": "4", "B": "2", "W": "1"}
    assert find(browser, "[name='set-others']").get_attribute("value") == "Ä 3, É 1"


@pytest.mark.parametrize("rows", [2, 9, 13, 21])
def test_a_board_of_any_size_is_a_square_of_rows(site: BrowserSite, look: Look, rows: int) -> None:
    edition = edition_from_data({"name": "Ours", "size": rows, "tiles": dict.fromkeys(FACES, 4)})
    game = start_game(site.services, edition=edition)
    browser = look(f"{site.address}/games/{game.row.id}", PHONE)
    every = "[...document.querySelectorAll('.squares [data-square]')]"
    squares = browser.execute_script(f"return {every}.map((e) => e.getBoundingClientRect().toJSON())")
    assert len(squares) == rows * rows
    for at, square in enumerate(squares):
        assert abs(square["left"] - squares[at % rows]["left"]) < 1
        assert abs(square["top"] - squares[at // rows * rows]["top"]) < 1
    assert 0 <= squares[0]["left"] < squares[-1]["right"] <= PHONE[0]
