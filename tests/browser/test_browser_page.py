"""The page in a browser: live, answerable by taps, fit for a phone."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, click, find, forget_complaints, later, says, tap, until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from webkit import EXAMPLE, after_plays, doubt, enter_plays, jpeg, make_finding, picture, start_game, sure

from engine import parse_play, parse_square
from workshop.bench.page.loading import PAGES, measure_page

pytestmark = pytest.mark.slow


def photograph(path: Path) -> str:
    (path / "turn.jpg").write_bytes(jpeg(480, 640))
    return str(path / "turn.jpg")


def test_a_turn_entered_elsewhere_appears_by_itself(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    site.enter(EXAMPLE[0])
    until(browser, "MOOD")
    assert find(browser, "#said").get_attribute("textContent") == (
        "Turn 2: Blue to play. Red played MOOD for 8 points."
    )
    assert len(browser.find_elements(By.CSS_SELECTOR, ".board .tile.new")) == 4


def test_a_game_that_is_renamed_goes_by_its_new_name_at_once(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    site.services.games.rename(site.game.row.id, "Friday")
    until(browser, lambda: browser.title == "Friday · Upscore")
    assert find(browser, "#page-title").get_attribute("textContent") == "Friday"


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_game_begun_with_the_wrong_board_changes_to_the_one_on_the_table(
    site: BrowserSite, look: Look, size: tuple[int, int]
) -> None:
    site.reader.say([make_finding("unclear", "The board has 10 by 10 squares, not 8 by 8.")])
    browser = look(site.url, size)
    tap(browser, "Playing on another board?", "summary")
    assert find(browser, '[value="11x11"]').is_displayed()
    site.services.intake.take(site.game.row.id, picture(480, 640), "upload")
    until(browser, "Is it another board?")
    tap(browser, "Change to 10", then="The game is now on the 10 × 10 board.")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".board .square")) == 100)
    assert site.now().game.setup.edition.name == "10x10"
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]


def test_what_was_opened_stays_open_when_the_sheet_is_renewed(site: BrowserSite, look: Look) -> None:
    site.enter(EXAMPLE[0])
    browser = look(site.url, live=True)
    tap(browser, "MOOD", "summary")
    assert says(browser, "all letters one tile high")
    site.enter(EXAMPLE[1])
    until(browser, "DEAR")
    assert says(browser, "all letters one tile high")


def test_a_photograph_from_the_phone_becomes_a_turn(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    browser = look(site.url)
    find(browser, 'input[type="file"][capture="environment"]').send_keys(photograph(tmp_path))
    until(browser, "MOOD")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".shots img")) == 2)
    plain, read = browser.find_elements(By.CSS_SELECTOR, ".shots figure")
    assert (plain.is_displayed(), read.is_displayed()) == (True, False)
    tap(browser, "What was read", "label")
    assert (plain.is_displayed(), read.is_displayed()) == (False, True)


def test_a_bad_photograph_is_told_in_one_line(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    (tmp_path / "letter.jpg").write_bytes(b"%PDF-1.7")
    browser = look(site.url)
    find(browser, 'input[type="file"]').send_keys(str(tmp_path / "letter.jpg"))
    until(browser, "not a picture that can be read")
    assert find(browser, ".toast").get_attribute("role") == "alert"
    assert site.now().game.turns == ()


def test_a_question_is_answered_with_a_tap(site: BrowserSite, look: Look) -> None:
    site.take(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4")), source="camera")
    browser = look(site.url)
    assert says(browser, "Is this D or B at e4?")
    tap(browser, "MOOB")
    until(browser, lambda: not says(browser, "Is this D or B"))
    assert site.now().game.turns[0].play == parse_play("M@b4 O@c4 O@d4 B@e4")
    until(browser, "Challenge")
    assert not says(browser, "not in the word list")


def test_something_else_opens_the_editor_with_what_was_read(site: BrowserSite, look: Look) -> None:
    site.take(doubt(EXAMPLE[0]), source="camera")
    browser = look(site.url)
    tap(browser, "Another word", "a", then="MOOD: 8 points")
    tap_square(browser, "e4")
    tap_letter(browser, "R")
    until(browser, "MOOR: 8 points")
    tap(browser, "Play it")
    until(browser, lambda: browser.current_url == site.url)
    assert site.now().game.turns[0].play == parse_play("M@b4 O@c4 O@d4 R@e4")
    assert site.now().question is None


def tap_square(browser: WebDriver, name: str) -> None:
    click(browser, f'[data-square="{name}"]')


def tap_letter(browser: WebDriver, face: str) -> None:
    click(browser, f'[data-letter="{face}"]')


def press(browser: WebDriver, *keys: str) -> None:
    """Press keys one after another, wherever the focus is."""
    for key in keys:
        ActionChains(browser).send_keys(key).perform()


def test_a_play_is_tapped_onto_the_board(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/play")
    tap_square(browser, "b4")
    for face in "MOOD":
        tap_letter(browser, face)
    until(browser, "MOOD: 8 points")
    tap(browser, "Play it")
    until(browser, lambda: browser.current_url == site.url)
    assert site.now().game.turns[0].play == parse_play(EXAMPLE[0])


def test_a_second_tap_turns_the_direction_and_tiles_cover_tiles(site: BrowserSite, look: Look) -> None:
    site.enter(EXAMPLE[0])
    browser = look(f"{site.url}/play")
    tap_square(browser, "e5")
    tap_square(browser, "e5")
    for face in "EAR":
        tap_letter(browser, face)
    until(browser, "DEAR: 8 points")
    tap_square(browser, "b4")
    tap_letter(browser, "W")
    until(browser, "Rule 4")
    label = find(browser, '[data-square="b4"]').get_attribute("aria-label")
    assert label == "b4: W, 2 high, new"


def test_a_play_is_typed_with_keys_alone(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/play", LAPTOP)
    press(browser, *[Keys.TAB] * 5)
    assert browser.switch_to.active_element.get_attribute("data-square") == "a1"
    press(browser, Keys.ARROW_RIGHT, *[Keys.ARROW_DOWN] * 3, *"moox", Keys.BACKSPACE, "d")
    until(browser, "MOOD: 8 points")
    assert find(browser, "#tiles").get_attribute("value") == EXAMPLE[0]


def test_which_square_is_chosen_and_which_way_letters_go_is_said(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/play", LAPTOP)
    press(browser, *[Keys.TAB] * 5, Keys.ARROW_RIGHT)
    focused = browser.switch_to.active_element
    assert focused.get_attribute("aria-label") == "b1: empty, chosen, across"
    press(browser, Keys.ENTER)
    assert focused.get_attribute("aria-label") == "b1: empty, chosen, down"
    assert find(browser, "#said").get_attribute("textContent") == "b1, down"
    press(browser, "m")
    assert focused.get_attribute("aria-label") == "b1: M, new"
    assert find(browser, "#said").get_attribute("textContent") == "b2, down"


def test_a_play_that_is_written_is_drawn(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/play")
    tap(browser, "Type it", "summary")
    find(browser, "#tiles").send_keys("Qu@d4 I@e4 T@f4")
    until(browser, "QUIT: 8 points")
    assert find(browser, '[data-square="d4"]').text == "Qu"
    tap(browser, "Play it")
    until(browser, lambda: browser.current_url == site.url)
    assert site.now().game.totals["Red"] == 8


def test_a_correction_tells_what_changed(site: BrowserSite, look: Look) -> None:
    site.enter(EXAMPLE[0], EXAMPLE[1])
    browser = look(f"{site.url}/turns/2/correct")
    until(browser, "DEAR: 8 points")
    tap_square(browser, "e5")
    tap_letter(browser, "N")
    until(browser, "DNAR: 8 points")
    tap(browser, "Save")
    until(browser, lambda: browser.current_url == site.url)
    assert "Blue's DEAR (8) is now DNAR (8)" in find(browser, ".toast").text


def test_a_pass_on_a_page_left_behind_is_refused(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    browser.execute_script("document.querySelector('form[action$=\"/pass\"] [name=version]').value = 999")
    tap(browser, "Pass", then="Someone just changed the game")
    assert site.now().game.turns == ()


def test_no_message_lies_over_an_open_menu_and_escape_leaves_a_challenge(site: BrowserSite, look: Look) -> None:
    after_plays(site.services, site.now(), EXAMPLE[0])
    browser = look(site.url, live=True)
    browser.execute_script("document.querySelector('form[action$=\"/pass\"] [name=version]').value = 999")
    tap(browser, "Pass")
    until(browser, lambda: find(browser, ".toast").is_displayed())
    click(browser, ".more > summary")
    assert not find(browser, ".toast").is_displayed()
    browser.get(f"{site.url}/turns/1/challenge")
    press(browser, Keys.ESCAPE)
    until(browser, lambda: browser.current_url == site.url)


def test_a_pass_tapped_twice_is_one_pass(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    browser.execute_script("""
      const now = Date.now(), real = fetch;
      Date.now = () => now;
      window.posts = 0;
      window.fetch = (url, options) => { posts += options?.method === "POST"; return real(url, options); };
    """)
    tap(browser, "Pass", then="Red passed")
    tap(browser, "Pass")
    assert browser.execute_script("return posts") == 1
    later(browser, 1)
    tap(browser, "Pass", then="Blue passed")
    assert browser.execute_script("return posts") == 2
    assert len(site.now().game.turns) == 2


def test_the_menu_opens_and_closes(site: BrowserSite, look: Look) -> None:
    browser = look(site.url)
    click(browser, ".more > summary")
    assert find(browser, ".menu").is_displayed()
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not find(browser, ".menu").is_displayed()
    click(browser, ".more > summary")
    tap(browser, "Exchange a tile", then="exchanged a tile")


def test_keys_alone_leave_the_menu_and_a_message_for_where_they_were(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, LAPTOP)
    menu = find(browser, ".more > summary")
    browser.execute_script("arguments[0].focus()", menu)
    press(browser, Keys.ENTER, Keys.TAB)
    assert browser.execute_script("return document.activeElement.closest('.menu') !== null")
    press(browser, Keys.ESCAPE)
    assert browser.switch_to.active_element == menu
    browser.execute_script("document.querySelector('form[action$=\"/pass\"] [name=version]').value = 999")
    passing = find(browser, "form[action$='/pass'] button")
    browser.execute_script("arguments[0].focus()", passing)
    press(browser, Keys.ENTER)
    until(browser, "Someone just changed the game")
    browser.execute_script("document.querySelector('.toast button').focus()")
    press(browser, Keys.ENTER)
    assert browser.execute_script("return document.activeElement.textContent.trim()") == "Pass"


def test_a_word_is_looked_up_in_place(site: BrowserSite, look: Look) -> None:
    browser = look(site.url)
    box = find(browser, "#word")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
    box.send_keys("mood", Keys.ENTER)
    until(browser, "a state of mind")
    assert browser.current_url == site.url


def test_a_restart_of_the_server_is_survived(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    site.stop()
    until(browser, lambda: find(browser, "#offline").is_displayed())
    forget_complaints(browser)
    site.start()
    site.enter(EXAMPLE[0])
    until(browser, "MOOD")
    until(browser, lambda: not find(browser, "#offline").is_displayed())
    forget_complaints(browser)  # it kept trying until the server was back


def test_a_game_that_was_deleted_says_so_and_takes_no_taps(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    find(browser, 'form[action$="/pass"] button').send_keys("")
    delete(site)
    until(browser, "This game was deleted.")
    assert browser.execute_script("return document.getElementById('game').inert")
    assert not says(browser, "Connection lost")
    assert browser.switch_to.active_element.text == "All games"
    browser.switch_to.active_element.click()
    until(browser, lambda: browser.current_url == f"{site.address}/games")


def test_the_television_says_that_its_game_was_deleted(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/tv", live=True)
    delete(site)
    until(browser, "This game was deleted.")


def delete(site: BrowserSite) -> None:
    """Somebody deletes the game at another device."""
    asked = urllib.request.Request(f"{site.url}/delete", f"version={site.now().row.version}".encode())
    urllib.request.urlopen(asked).close()


def test_a_browser_that_keeps_nothing_of_a_site_shows_and_sends_all_the_same(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    """Chromium refuses so where it is told to block a site's data."""
    refuse = "get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); }"
    script = "".join(
        f"Object.defineProperty(window, '{name}', {{ {refuse} }});" for name in ("localStorage", "sessionStorage")
    )
    site.reader.say([sure(EXAMPLE[0])])
    browser = look("about:blank")
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    look(site.url)
    find(browser, "#minutes").send_keys("2")
    find(browser, 'input[type="file"][capture="environment"]').send_keys(photograph(tmp_path))
    until(browser, "MOOD")
    until(browser, lambda: find(browser, ".timer").text.startswith("1:5"))
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_nothing_is_wider_than_the_screen_and_targets_fit_a_thumb(
    site: BrowserSite, look: Look, size: tuple[int, int]
) -> None:
    open_game = site.enter(*EXAMPLE)
    site.reader.say([make_finding("unclear", "A hand lies over the board: take it away and look again.")])
    site.services.intake.take(open_game.row.id, picture(480, 640), "camera")
    for page in (
        "",
        "/play",
        "/turns/6",
        "/turns/6/correct",
        "/end",
        "/charts",
        "/replay?at=6",
        "/keep",
        "/tv",
        "/print",
        "/../../new",
        "/../../games",
        "/../../import",
        "/../../words",
    ):
        browser = look(f"{site.url}{page}", size)
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= size[0], page
        small = browser.execute_script(
            "return [...document.querySelectorAll('button, .button, .file, summary, select')]"
            ".filter((e) => !e.closest('.board') && e.checkVisibility() && e.getBoundingClientRect().height < 44)"
            ".map((e) => e.textContent.trim())"
        )
        assert small == [], page


def test_every_field_and_picture_has_a_name(site: BrowserSite, look: Look) -> None:
    site.take(doubt(EXAMPLE[0]), source="camera")
    for page in ("", "/play", "/end", "/replay", "/keep", "/../../new", "/../../import", "/../../words"):
        browser = look(f"{site.url}{page}")
        nameless = browser.execute_script(
            "return [...document.querySelectorAll('input:not([type=hidden]), select, button, a, img')]"
            ".filter((e) => !(e.labels?.length || e.getAttribute('aria-label') || e.alt || e.textContent.trim()"
            " || e.querySelector('img[alt]')))"
            ".map((e) => e.outerHTML)"
        )
        assert nameless == [], page


def test_no_page_weighs_more_than_200_kilobytes_without_its_photographs(site: BrowserSite, look: Look) -> None:
    site.reader.say([sure(tiles) for tiles in EXAMPLE])
    for _ in EXAMPLE:
        site.services.intake.take(site.game.row.id, picture(960, 1280), "upload")
    for page in PAGES:
        loaded = measure_page(look("about:blank"), site.url, page, 1)
        assert 2_000 < loaded.plain <= 200_000, page


def test_a_phone_on_its_side_shows_three_rows_of_the_sheet(site: BrowserSite, look: Look) -> None:
    site.enter(*EXAMPLE)
    browser = look(site.url, (844, 390))
    whole = browser.execute_script(
        "return [...document.querySelectorAll('.sheet tbody tr')]"
        ".filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length"
    )
    assert whole >= 3
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 844


def test_a_game_to_import_may_be_larger_than_a_photograph(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    with (tmp_path / "game.zip").open("wb") as large:
        large.truncate(65 * 2**20)
    browser = look(f"{site.address}/import")
    find(browser, 'input[name="game"]').send_keys(str(tmp_path / "game.zip"))
    tap(browser, "Import", then="isn't an Upscore game file")
    browser.execute_script("document.querySelector('[data-most]').dataset.most = 65 * 2 ** 20 - 1")
    tap(browser, "Import", then="That file is too large for a game")


@pytest.mark.parametrize("width", [320, 360, 390])
def test_no_word_of_the_sheet_is_split_on_a_phone(site: BrowserSite, look: Look, width: int) -> None:
    site.enter("M@a4 A@b4 M@c4 W@d4 O@e4 M@f4 A@g4 M@h4", "W@a5 O@b5 W@c5 A@d5 M@e5 W@f5 O@g5 M@h5")
    browser = look(site.url, (width, 740))
    lines = browser.execute_script(
        "return [...document.querySelectorAll('.sheet .word')].map((word) => {"
        " const rows = word.clientHeight / parseFloat(getComputedStyle(word).lineHeight);"
        " return [Math.round(rows), word.scrollWidth - word.closest('.made').clientWidth]; })"
    )
    assert lines
    assert all(rows == 1 and over <= 0 for rows, over in lines), lines


def test_the_game_on_paper_has_its_sheet_and_board_and_nothing_to_tap(site: BrowserSite, look: Look) -> None:
    site.enter(EXAMPLE[0])
    browser = look(site.url, LAPTOP)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = browser.execute_script(
        "const seen = (each) => each.checkVisibility() && each.getClientRects().length > 0;"
        "return [...document.querySelectorAll('button, .button, input, .sheet, .board')].filter(seen)"
        ".map((each) => each.className || each.tagName)"
    )
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert [name.split()[-1] for name in shown] == ["board", "sheet"]


def test_a_page_is_dark_on_light_on_paper_whatever_the_screen_is(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, LAPTOP)
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    inks = []
    for media in ("print", "screen"):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": dark})
        inks.append(browser.execute_script("return getComputedStyle(document.documentElement).color"))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert inks == ["rgb(42, 35, 29)", "rgb(238, 229, 215)"]


def test_no_number_of_the_printed_sheet_is_split(site: BrowserSite, look: Look) -> None:
    end_with_leftovers(site)
    browser = look(f"{site.url}/print", LAPTOP)
    assert split_cells(browser, ".got, .sum") == []


def split_cells(browser: WebDriver, cells: str) -> list[str]:
    """Return the texts of the cells that take more than one line."""
    assert browser.find_elements(By.CSS_SELECTOR, cells)
    texts: list[str] = browser.execute_script(
        "const lines = (cell) => { const range = document.createRange(); range.selectNodeContents(cell);"
        " return new Set([...range.getClientRects()].map(({ top }) => top)).size; };"
        "return [...document.querySelectorAll(arguments[0])].filter((cell) => lines(cell) > 1).map((c) => c.innerText)",
        cells,
    )
    return texts


def test_the_link_of_an_upright_television_lies_over_nothing(site: BrowserSite, look: Look) -> None:
    open_game = site.enter(EXAMPLE[0])
    site.services.games.change(open_game, lambda game: game.challenge("Blue", upheld=True))
    browser = look(f"{site.url}/tv", (320, 480))
    bottom, top = browser.execute_script(
        "return [document.querySelector('.lifting').getBoundingClientRect().bottom,"
        " document.querySelector('.back').getBoundingClientRect().top]"
    )
    assert bottom <= top


def end_with_leftovers(site: BrowserSite) -> None:
    """Play the example and end with seven tiles on each rack."""
    open_game = site.enter(*EXAMPLE)
    site.services.games.change(open_game, lambda game: game.end("agreed", (7, 7)))


def test_the_letters_are_one_stop_of_the_tab_key(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/play", LAPTOP)
    click(browser, '[data-square="d4"]')
    keys = ActionChains(browser).send_keys(Keys.TAB, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    keys.send_keys(Keys.TAB).perform()
    until(browser, lambda: find(browser, "#tiles").get_attribute("value") == "C@d4")
    assert not browser.execute_script("return document.activeElement.matches('.pad *')")
    stops = browser.execute_script("return document.querySelectorAll('.pad [tabindex=\"0\"]').length")
    assert stops == 1


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (375, 667)])
def test_all_letters_are_seen_above_the_button_that_plays(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    browser = look(f"{site.url}/play", size)
    lowest, bar = browser.execute_script(
        "return [document.querySelector('.pad').getBoundingClientRect().bottom,"
        " document.querySelector('.bar').getBoundingClientRect().top]"
    )
    assert lowest <= bar


@pytest.mark.parametrize(("page", "cells"), [("/all-time", "td, thead th"), ("/games", ".games .soft")])
def test_no_number_is_split_beside_a_long_name(site: BrowserSite, look: Look, page: str, cells: str) -> None:
    open_game = start_game(site.services, "Maximilian Alexander", "Bartholomew")
    open_game = enter_plays(site.services, open_game, EXAMPLE[0])
    site.services.games.change(open_game, lambda game: game.end("agreed", (7, 7)))
    browser = look(f"{site.address}{page}", PHONE)
    assert split_cells(browser, cells) == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
