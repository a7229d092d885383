"""Turns put in and given to another player, undone and redone, on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from browserkit import (
    LAPTOP,
    PHONE,
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
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import Select
from webkit import EXAMPLE, after_plays, jpeg, picture, sure

from engine import parse_play, parse_square
from webui.ports import PositionReading
from workshop.report_reading import read_report

pytestmark = pytest.mark.slow


@pytest.fixture
def played(site: BrowserSite) -> BrowserSite:
    """The game after three plays."""
    after_plays(site.services, site.now(), *EXAMPLE[:3])
    return site


def menu(browser: WebDriver) -> str:
    return find(browser, ".menu").get_attribute("textContent") or ""


def test_a_play_that_was_missed_is_tapped_onto_the_board_before(played: BrowserSite, look: Look) -> None:
    browser = look(f"{played.url}/turns/3")
    tap(browser, "Add a missed turn before this one", "a", then="Missed turn: what did Red play?")
    click(browser, '[data-square="e7"]')
    click(browser, '[data-letter="P"]')
    until(browser, "DEAP: 5 points")
    assert not says(browser, "not in the word list")
    tap(browser, "Add this turn")
    until(browser, lambda: browser.current_url == played.url)
    assert find(browser, ".toast").text.startswith("Added DEAP for Red (5);")
    assert [turn.play for turn in played.now().game.turns][2] == parse_play("P@e7")
    click(browser, ".toast form button")
    until(browser, lambda: len(played.now().game.turns) == 3)
    assert not browser.find_elements(By.CSS_SELECTOR, ".toast")


def test_a_pass_that_was_missed_takes_two_taps(played: BrowserSite, look: Look) -> None:
    browser = look(f"{played.url}/turns/2/insert")
    tap(browser, "No word was played", "summary")
    tap(browser, "It was a pass")
    until(browser, lambda: browser.current_url == played.url)
    assert "Added a pass for Blue" in find(browser, ".toast").text
    assert [turn.kind for turn in played.now().game.turns] == ["play", "pass", "play", "play"]


@pytest.mark.parametrize(
    ("page", "before", "typed"),
    [("turns/3/insert", EXAMPLE[:2], "P@e7"), ("turns/3/correct", EXAMPLE[:2], "N@d5 T@f5")],
    ids=["insert", "correct"],
)
def test_enter_plays_the_word_that_was_typed(
    played: BrowserSite, look: Look, page: str, before: tuple[str, ...], typed: str
) -> None:
    browser = look(f"{played.url}/{page}")
    if not find(browser, "#tiles").is_displayed():
        tap(browser, "Type it", "summary")
    find(browser, "#tiles").clear()
    find(browser, "#tiles").send_keys(typed, Keys.ENTER)
    until(browser, lambda: browser.current_url == played.url)
    plays = [turn.play for turn in played.now().game.turns]
    assert plays[:3] == [parse_play(each) for each in (*before, typed)]


def test_a_turn_goes_to_another_player_and_back_by_the_menu(played: BrowserSite, look: Look) -> None:
    browser = look(f"{played.url}/turns/2")
    tap(browser, "It was another player", "summary")
    tap(browser, "It was Red")
    until(browser, lambda: browser.current_url == played.url)
    assert "is Red's now" in find(browser, ".toast").text
    click(browser, ".toast > button")
    for text, who in (("Undo: turn 2 was Red's", "Blue"), ("Redo: turn 2 was Red's", "Red")):
        click(browser, "details.more > summary")
        assert unreachable(browser, ".menu button, .menu .button, .menu .file") == []
        tap(browser, text)
        until(browser, lambda who=who: played.now().game.turns[1].player == who)  # type: ignore[misc]
        until(browser, lambda text=text: text not in menu(browser))  # type: ignore[misc]


def test_after_the_game_undo_and_redo_are_within_reach(played: BrowserSite, look: Look) -> None:
    played.services.games.change(played.now(), lambda game: game.end("agreed").remove(2).game.undo())
    browser = look(played.url, PHONE)
    assert unreachable(browser, ".afterwards button, .afterwards .button") == []
    tap(browser, "Redo the removal of turn 3")
    until(browser, lambda: len(played.now().game.turns) == 2)


def test_a_correction_asks_for_no_tile_to_be_taken_off(played: BrowserSite, look: Look, tmp_path: Path) -> None:
    browser = look(f"{played.url}/turns/2/correct", live=False)
    find(browser, "#tiles").clear()
    find(browser, "#tiles").send_keys("E@e5 A@e6", Keys.ENTER)
    until(browser, lambda: browser.current_url == played.url)
    assert "DEA" in find(browser, ".toast").text
    wire_is_up(browser, played)
    for play in EXAMPLE[3:5]:
        assert not browser.find_elements(By.CSS_SELECTOR, ".lift, .lift-off, .ask")
        assert played.now().belief.to_lift is None
        played.reader.say([sure(play)])
        played.services.intake.take(played.game.row.id, picture(480, 640), "upload")
        until(browser, lambda play=play: played.now().game.turns[-1].play == parse_play(play))  # type: ignore[misc]
    until(browser, "LEAP")
    assert not browser.find_elements(By.CSS_SELECTOR, ".lift, .lift-off, .ask")


def test_a_play_that_was_taken_back_is_taken_off_or_is_not_there(played: BrowserSite, look: Look) -> None:
    played.enter("X@b4")
    browser = look(played.url, live=True)
    played.services.games.change(played.now(), lambda game: game.take_back())
    until(browser, "Take off the board: X on b4")
    assert find(browser, ".board .lift-off").text.startswith("X")
    tap(browser, "It isn't there")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".lift, .lift-off"))
    assert played.now().to_lift is None


def enter_by(browser: WebDriver, site: BrowserSite, how: str, photograph: Path) -> None:
    """Enter a turn on the page after three plays, as people do."""
    if how == "photograph":
        photograph.write_bytes(jpeg(480, 640))
        site.reader.say([sure(EXAMPLE[3])])
        find(browser, 'input[type="file"][capture="environment"]').send_keys(str(photograph))
    elif how == "exchange":
        click(browser, "details.more > summary")
        tap(browser, "Exchange a tile")
    elif how == "pass":
        tap(browser, "Pass")
    else:
        browser.get(f"{site.url}/play?tiles={EXAMPLE[3]}")
        tap(browser, "Play it")
    until(browser, lambda: len(site.now().game.turns) == 4)


ENTERED = {
    "pass": "Undo: Blue passed",
    "exchange": "Undo: Blue exchanged a tile",
    "typed": "Undo: Blue's WOOD, 5 points",
    "photograph": "Undo: Blue's WOOD, 5 points",
}


def newest_undo(browser: WebDriver) -> str:
    return find(browser, ".undo-last").get_attribute("aria-label") or ""


@pytest.mark.parametrize("size", [PHONE, LAPTOP, (740, 360)])
@pytest.mark.parametrize("how", ENTERED)
def test_undo_stands_beside_what_was_just_done(
    played: BrowserSite, look: Look, how: str, size: tuple[int, int], tmp_path: Path
) -> None:
    browser = look(played.url, size, live=True)
    enter_by(browser, played, how, tmp_path / "turn.jpg")
    until(browser, lambda: browser.current_url == played.url and newest_undo(browser) == ENTERED[how])
    until_still(browser)
    browser.execute_script("scrollTo(0, 0)")
    assert unreachable(browser, ".undo-last, .open-play .button") == []
    with_it, without = browser.execute_script(HEIGHTS)
    assert with_it == without
    click(browser, ".undo-last")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".undo-last"))
    assert [turn.kind for turn in played.now().game.turns] == ["play"] * 3


HEIGHTS = """
  const heights = () => [...document.querySelectorAll(".now, .open-play")].map((each) => each.offsetHeight);
  const before = heights();
  document.querySelector(".undo-last").hidden = true;
  const after = heights();
  document.querySelector(".undo-last").hidden = false;
  return [before, after];
"""
"""The heights of what tells of the last turn, with the button and without it."""


def test_undo_is_always_of_the_newest_entry(played: BrowserSite, look: Look) -> None:
    browser = look(f"{played.url}/turns/2/insert", live=False)
    tap(browser, "No word was played", "summary")
    tap(browser, "It was a pass")
    until(browser, lambda: browser.current_url == played.url)
    wire_is_up(browser, played)
    assert not browser.find_elements(By.CSS_SELECTOR, ".undo-last"), "the message has it"
    assert find(browser, ".toast form button").is_displayed()
    played.services.games.change(played.now(), lambda game: game.pass_turn())
    until(browser, lambda: newest_undo(browser).endswith("passed"))
    assert not browser.find_elements(By.CSS_SELECTOR, ".toast form"), "it would be refused"
    assert find(browser, ".toast").is_displayed()


def test_a_game_under_way_brings_its_points(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    (tmp_path / "board.jpg").write_bytes(jpeg(480, 640))
    browser = look(f"{site.address}/new")
    find(browser, "#player0").send_keys("Ann")
    find(browser, "#player1").send_keys("Bo")
    tap(browser, "Start in the middle", "summary")
    find(browser, 'input[name="photo"]').send_keys(str(tmp_path / "board.jpg"))
    tap(browser, "Begin", then="Score so far")
    score = find(browser, "#score1")
    score.clear()
    score.send_keys("27")
    Select(find(browser, "#first")).select_by_visible_text("Bo")
    tap(browser, "Begin from here", then="at the start")
    game = site.services.games.open(site.game.row.id + 1).game
    assert (game.totals, game.current_player) == ({"Ann": 0, "Bo": 27}, "Bo")


def test_a_doubtful_square_that_was_tapped_is_known(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    (tmp_path / "board.jpg").write_bytes(jpeg(480, 640))
    squares = [[("", 0)] * 8 for _ in range(8)]
    squares[3][3:5] = ("O", 1), ("N", 1)
    doubtful = parse_square("d4"), parse_square("e4")
    site.reader.position = PositionReading(tuple(map(tuple, squares)), doubtful)
    browser = look(f"{site.address}/new")
    find(browser, "#player0").send_keys("Ann")
    tap(browser, "Start in the middle", "summary")
    find(browser, 'input[name="photo"]').send_keys(str(tmp_path / "board.jpg"))
    tap(browser, "Begin", then="Score so far")
    click(browser, '[data-square="d4"]')
    assert [each.get_attribute("data-square") for each in browser.find_elements(By.CSS_SELECTOR, "[data-doubt]")] == [
        "e4"
    ]
    tap(browser, "Begin from here", then="to play")
    assert site.services.games.open(site.game.row.id + 1).belief.assumed == {parse_square("e4")}


def test_a_later_turn_that_cannot_stand_is_saved_with_the_correction(played: BrowserSite, look: Look) -> None:
    browser = look(f"{played.url}/turns/2/correct")
    tap(browser, "No word was played", "summary")
    tap(browser, "It was a pass", then="With your correction this turn no longer fits.")
    assert find(browser, "h1").text == "Turn 3: what did Red play?"
    assert says(browser, "the tiles leave a gap at e5")
    tap(browser, "Change your correction", "a", then="Turn 2: what did Blue play?")
    tap(browser, "No word was played", "summary")
    tap(browser, "It was a pass", then="Save both turns anyway")
    assert len(played.now().game.turns) == 3
    click(browser, '[data-square="f5"]')
    tap(browser, "Take off", then="ON: 4 points")
    tap(browser, "Save both turns")
    until(browser, lambda: browser.current_url == played.url)
    game = played.now().game
    assert [turn.play for turn in game.turns] == [parse_play(EXAMPLE[0]), None, parse_play("N@d5")]
    assert not any(turn.verdict and turn.verdict.violations for turn in game.turns)


def test_one_tap_after_a_correction_saves_a_report_of_the_photo(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    site.reader.say([sure("M@b4 O@c4 D@d4 D@e4")] * 2)
    site.services.intake.take(site.game.row.id, picture(), "upload")
    browser = look(f"{site.url}/turns/1/correct")
    folder = tmp_path / "saved"
    folder.mkdir()
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    find(browser, "#tiles").clear()
    find(browser, "#tiles").send_keys(EXAMPLE[0], Keys.ENTER)
    until(browser, lambda: browser.current_url == site.url)
    assert find(browser, ".toast a.button").text == "Save a report"
    click(browser, ".toast a.button")
    until(browser, lambda: [path.name for path in folder.iterdir()] == ["upscore-report-turn-1.zip"])
    with (folder / "upscore-report-turn-1.zip").open("rb") as file:
        report, _ = read_report(file)
    assert (report.entered, report.really) == ("M@b4 O@c4 D@d4 D@e4", EXAMPLE[0])
