"""The question about a photograph in a browser: another letter, another picture, the photograph beside the editor."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from browserkit import (
    LAPTOP,
    PHONE,
    SHIFTS,
    BrowserSite,
    Look,
    click,
    find,
    says,
    tap,
    unreachable,
    until,
    until_still,
    wire_is_up,
)
from readings import along_columns, reading_of
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from webkit import EXAMPLE, doubt, jpeg, make_finding, picture, sure

from engine import Board, parse_play, parse_square
from vision.images import Image

pytestmark = pytest.mark.slow

ASKED = doubt("M@b4 O@c4 O@d4 B@e4", "M@b4 O@c4 O@d4 P@e4", question=parse_square("e4"))

IN_SIGHT = """
  const { top, bottom } = document.getElementById("question")?.getBoundingClientRect() ?? { top: -1 };
  return top >= 80 && bottom <= innerHeight - 80;
"""


@pytest.fixture
def shown() -> Image:
    return picture(480, 640)


@pytest.fixture
def asked(site: BrowserSite, shown: Image) -> BrowserSite:
    """The application with a question about a letter."""
    site.reader.say([ASKED])
    site.services.intake.take(site.game.row.id, shown, "upload")
    return site


@pytest.mark.parametrize(("size", "scrolled"), [(PHONE, 0), (PHONE, 60), (LAPTOP, 0)])
def test_nothing_jumps_when_a_question_comes_into_sight(
    site: BrowserSite, look: Look, shown: Image, size: tuple[int, int], scrolled: int
) -> None:
    site.reader.say([sure(EXAMPLE[0]), doubt("W@b4", "F@b4", question=parse_square("b4"))])
    site.services.intake.take(site.game.row.id, shown, "upload")
    browser = look(site.url, size, live=True)
    browser.execute_script(f"scrollTo(0, {scrolled})")
    browser.execute_script(SHIFTS)
    site.services.intake.take(site.game.row.id, shown, "upload")
    until(browser, lambda: browser.execute_script(IN_SIGHT))
    assert not find(browser, ".waits").is_displayed()
    assert browser.execute_script("return window.shifted") <= 0.1


COVERED_BY_GLIDES = """
  window.covered = [];
  const covered = (control) => {
    if (!control.checkVisibility()) return false;
    const { left, top, width, height } = control.getBoundingClientRect();
    const card = document.elementFromPoint(left + width / 2, top + height / 2)?.closest("[data-part], .words, .rooms");
    return card && card.dataset.part !== "look" && getComputedStyle(card).position !== "sticky";
  };
  new MutationObserver(() => {
    const glides = document.getAnimations();
    if (!document.getElementById("question") || !glides.length) return;
    window.glides = glides.length;
    for (const time of [0, 75, 150, 225]) {
      for (const glide of glides) glide.currentTime = time;
      window.covered.push(...[...document.querySelectorAll(".ask :is(button, .button, .file)")].filter(covered));
    }
  }).observe(document.getElementById("said"), { childList: true });
"""
"""Looks at a new question's buttons at four times of the glides: which lie under another card? Bars that are stuck
to a phone's edges lie over all cards."""


@pytest.mark.parametrize("size", [PHONE, (740, 360), LAPTOP, (1366, 768)])
@pytest.mark.parametrize("turns", [1, 5])
def test_no_card_glides_over_the_buttons_of_a_new_question(
    site: BrowserSite, look: Look, shown: Image, size: tuple[int, int], turns: int
) -> None:
    site.reader.say([*map(sure, EXAMPLE[:turns]), doubt(EXAMPLE[turns], "F@b4", question=parse_square("b4"))])
    for _ in range(turns):
        site.services.intake.take(site.game.row.id, shown, "upload")
    browser = look(site.url, size, live=True)
    browser.execute_script(COVERED_BY_GLIDES)
    site.services.intake.take(site.game.row.id, shown, "upload")
    until(browser, lambda: browser.execute_script("return window.glides"))
    assert browser.execute_script("return window.covered.map((each) => each.textContent)") == []


@pytest.mark.parametrize(("size", "scrolled"), [(PHONE, 0), (PHONE, 60), (LAPTOP, 0)])
@pytest.mark.parametrize("how", ["answered", "put aside"])
def test_nothing_jumps_when_another_device_ends_the_question(
    site: BrowserSite, look: Look, shown: Image, size: tuple[int, int], scrolled: int, how: str
) -> None:
    site.reader.say([sure(EXAMPLE[0]), doubt("W@b4", "F@b4", question=parse_square("b4"))])
    for _ in range(2):
        asked = site.services.intake.take(site.game.row.id, shown, "upload").open_game
    browser = look(site.url, size, live=True)
    browser.execute_script(f"scrollTo(0, {scrolled})")
    browser.execute_script(SHIFTS)
    if how == "answered":
        site.services.intake.answer(asked, 0, asked.row.version)
    else:
        site.services.intake.dismiss(asked, asked.row.version)
    until(browser, lambda: not browser.find_elements(By.ID, "question"))
    until_still(browser)
    assert browser.execute_script("return window.shifted") <= 0.1


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_nothing_jumps_when_the_first_photograph_comes_in(
    site: BrowserSite, look: Look, shown: Image, size: tuple[int, int]
) -> None:
    browser = look(site.url, size, live=True)
    browser.execute_script("scrollTo(0, document.querySelector('.words').offsetTop - 300)")
    browser.execute_script(SHIFTS)
    site.reader.say([sure(EXAMPLE[0])])
    site.services.intake.take(site.game.row.id, shown, "upload")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".photo"))
    until_still(browser)
    assert browser.execute_script("return window.shifted") <= 0.1


def test_another_letter_settles_the_question(asked: BrowserSite, look: Look) -> None:
    browser = look(asked.url)
    wire_is_up(browser, asked)
    assert not find(browser, ".ask .pad").is_displayed()
    tap(browser, "Another letter at e4", "summary")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".ask .pad button")) == 26
    click(browser, '.ask .pad [value="D"]')
    until(browser, lambda: says(browser, "MOOD") and not says(browser, "Is this B or P"))
    assert [turn.play for turn in asked.now().game.turns] == [parse_play(EXAMPLE[0])]


def test_another_letter_that_breaks_a_rule_is_looked_at_in_the_editor(
    site: BrowserSite, look: Look, shown: Image
) -> None:
    site.enter(EXAMPLE[0])
    site.reader.say([doubt("W@b4", "F@b4", question=parse_square("b4"))])
    site.services.intake.take(site.game.row.id, shown, "upload")
    browser = look(site.url, LAPTOP)
    find(browser, ".ask summary").send_keys(Keys.ENTER)
    find(browser, '.ask .pad [value="M"]').send_keys(Keys.ENTER)
    until(browser, "covers another M")
    until(browser, lambda: find(browser, '[data-square="b4"] b').text == "M")
    assert len(site.now().game.turns) == 1
    tap(browser, "anyway")
    until(browser, lambda: browser.current_url == site.url)
    assert site.now().question is None


def test_the_letters_stay_open_when_the_page_renews_itself(asked: BrowserSite, look: Look) -> None:
    browser = look(asked.url)
    wire_is_up(browser, asked)
    tap(browser, "Another letter at e4", "summary")
    browser.execute_script("document.querySelector('[data-part=look]').dataset.digest = 'outdated'")
    browser.execute_script("document.dispatchEvent(new Event('changed'))")
    until(browser, lambda: find(browser, "[data-part=look]").get_attribute("data-digest") != "outdated")
    assert find(browser, ".ask .pad").is_displayed()
    assert browser.switch_to.active_element == find(browser, ".ask summary")


def test_a_second_picture_of_a_board_under_a_hand_is_sent_from_the_question(
    site: BrowserSite, look: Look, shown: Image, tmp_path: Path
) -> None:
    site.reader.say([make_finding("unclear", "A hand lies over the board.", EXAMPLE[0]), sure(EXAMPLE[0])])
    site.services.intake.take(site.game.row.id, shown, "upload")
    (tmp_path / "again.jpg").write_bytes(jpeg(480, 640))
    browser = look(site.url)
    assert says(browser, "Maybe:")
    field = find(browser, ".ask input[type=file]")
    described = str(field.get_attribute("aria-describedby"))
    assert "Upscore uses both photos" in find(browser, f"#{described}").text
    field.send_keys(str(tmp_path / "again.jpg"))
    until(browser, "Turn 2: Blue to play.")
    assert site.now().question is None


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_photograph_is_beside_the_editor(asked: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    browser = look(asked.url, size)
    tap(browser, "Another word", "a", then="MOOB: 8 points")
    plain, read = browser.find_elements(By.CSS_SELECTOR, ".photo figure")
    assert (plain.is_displayed(), read.is_displayed()) == (True, False)
    tap(browser, "What was read", "label")
    assert (plain.is_displayed(), read.is_displayed()) == (False, True)
    assert find(browser, ".photo .read a").get_attribute("target") == "_blank"
    board, photo = find(browser, "#editor-board").rect, find(browser, ".photo").rect
    beside = photo["x"] >= board["x"] + board["width"]
    below = photo["y"] >= board["y"] + board["height"]
    assert (beside, below) == ((False, True) if size == PHONE else (True, False))
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]


TOWER = Board.empty(8).with_play(parse_play("A@e5"))
for face in "BCDE":
    TOWER = TOWER.with_play(parse_play(f"{face}@e5"))

FRAMED = """
  const image = document.querySelector(".ask .asked img");
  const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 400 });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const frame = [...Array(canvas.width * canvas.height).keys()].filter((at) => {
    const [red, green, blue] = data.slice(4 * at, 4 * at + 3);
    return red > 180 && green < 130 && blue > 200;
  });
  const columns = frame.map((at) => at % canvas.width / canvas.width);
  const rows = frame.map((at) => Math.floor(at / canvas.width) / canvas.height);
  return frame.length && [columns, rows].map((each) => [Math.min(...each), Math.max(...each)]);
"""
"""From where to where the frame of the close-up goes, across and down, as shares of the picture; 0 without a frame."""


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
@pytest.mark.parametrize("hidden", [False, True])
def test_the_close_up_frames_the_square_and_says_what_hides_it(
    site: BrowserSite, look: Look, shown: Image, size: tuple[int, int], hidden: bool
) -> None:
    reading = replace(reading_of(TOWER), camera=along_columns(1.0 if hidden else 0.05))
    site.reader.say([replace(ASKED, before=TOWER, reading=reading)])
    site.services.intake.take(site.game.row.id, shown, "upload")
    browser = look(site.url, size)
    image = find(browser, ".ask .asked img")
    until(browser, lambda: image.get_property("naturalWidth") == 400)
    assert image.rect["width"] >= 140
    assert image.get_attribute("alt") == "e4, framed, and the squares around it"
    for low, high in browser.execute_script(FRAMED):
        assert 0.1 < low < 0.4, "the squares around it are shown, too"
        assert 0.6 < high < 0.9
    question = "What is on e4: B or P?" if hidden else "Is this B or P at e4?"
    assert find(browser, "#question").text == question
    assert says(browser, "e4 is hidden behind the stack on e5.") is hidden


def test_what_points_to_a_question_lies_over_no_link_at_the_end_of_the_page(asked: BrowserSite, look: Look) -> None:
    browser = look(asked.url, (390, 844))
    browser.execute_script("scrollTo(0, document.body.scrollHeight)")
    until(browser, lambda: find(browser, ".waits").is_displayed())
    until_still(browser)
    assert unreachable(browser, ".waits, .rooms .button, .rooms a") == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_form_for_the_end_says_first_that_a_question_waits(
    asked: BrowserSite, look: Look, size: tuple[int, int]
) -> None:
    browser = look(f"{asked.url}/end", size)
    note = find(browser, ".unanswered")
    assert note.text.startswith("Question waiting: Is this B or P at e4?")
    assert note.location["y"] < find(browser, "#finish").location["y"]
    tap(browser, "Answer it", "a")
    until(browser, lambda: browser.execute_script(IN_SIGHT))
    tap(browser, "MOOB")
    until(browser, lambda: asked.now().question is None)
    browser.get(f"{asked.url}/end")
    assert not browser.find_elements(By.CSS_SELECTOR, ".unanswered")
    for fieldset in browser.find_elements(By.CSS_SELECTOR, ".left"):
        click(browser, fieldset.find_elements(By.TAG_NAME, "label")[2])
    tap(browser, "End the game")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".result"))
    until(browser, lambda: browser.execute_script("return document.readyState") == "complete")
    assert asked.now().game.ended is not None


def test_a_question_that_came_meanwhile_is_named_and_can_be_answered(
    site: BrowserSite, look: Look, shown: Image
) -> None:
    browser = look(f"{site.url}/end")
    for fieldset in browser.find_elements(By.CSS_SELECTOR, ".left"):
        click(browser, fieldset.find_elements(By.TAG_NAME, "label")[2])
    site.reader.say([make_finding("removed")])
    site.services.intake.take(site.enter(EXAMPLE[0]).row.id, shown, "upload")
    browser.execute_script("document.querySelector('[name=version]').value = arguments[0]", site.now().row.version)
    tap(browser, "End the game", then="Answer the question about the last photo first.")
    assert site.now().game.ended is None
    browser.get(site.url)
    tap(browser, "No, it stands")
    until(browser, lambda: site.now().question is None)


def test_a_correction_is_saved_while_a_question_waits(site: BrowserSite, look: Look, shown: Image) -> None:
    site.enter(EXAMPLE[0])
    site.reader.say([doubt("W@b4", "F@b4", question=parse_square("b4"))] * 2)
    site.services.intake.take(site.game.row.id, shown, "upload")
    browser = look(f"{site.url}/turns/1/correct")
    find(browser, "#tiles").clear()
    find(browser, "#tiles").send_keys("M@b4 O@c4 O@d4 R@e4", Keys.ENTER)
    until(browser, lambda: browser.current_url == site.url)
    assert "MOOR" in find(browser, ".toast").text
    assert [turn.play for turn in site.now().game.turns] == [parse_play("M@b4 O@c4 O@d4 R@e4")]
    assert says(browser, "Is this W or F at b4?"), "its photograph was read again"
    assert not site.reader.script


def open_fold(browser: WebDriver) -> bool:
    return find(browser, "details.photo").get_attribute("open") is not None


def test_a_past_turns_photograph_waits_in_its_fold_on_a_phone(site: BrowserSite, look: Look, shown: Image) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    site.services.intake.take(site.game.row.id, shown, "upload")
    url = f"{site.url}/turns/1/correct"
    assert not open_fold(look(url))
    assert open_fold(look(url, LAPTOP))


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_every_button_of_a_question_fits_a_thumb(asked: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    browser = look(asked.url, size)
    tap(browser, "Another letter at e4", "summary")
    browser.execute_script("document.querySelector('.ask .pad').scrollIntoView({block: 'center'})")
    assert unreachable(browser, ".ask .pad button") == []
    controls = ".ask button, .ask .button, .ask .file, .ask summary"
    small = browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((e) => [e, e.getBoundingClientRect()])"
        ".filter(([e, box]) => box.height < 44 || box.width < 40).map(([e]) => e.textContent.trim())",
        controls,
    )
    assert small == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]


def test_a_notice_keeps_its_distance_from_the_question(asked: BrowserSite, look: Look) -> None:
    with closing(sqlite3.connect(asked.services.store.path)) as store, store:
        store.execute("UPDATE games SET belief = '{', version = version + 1")
    browser = look(asked.url)
    gap = browser.execute_script(
        "const [note, ask] = ['.note', '.ask'].map((e) => document.querySelector(e).getBoundingClientRect());"
        "return ask.top - note.bottom"
    )
    assert gap >= 8
