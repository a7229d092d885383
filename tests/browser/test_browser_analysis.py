"""Looking back at a game in a browser: the best plays missed come by themselves, a rack is tried, turns are seen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, click, find, forget_complaints, says, tap, unreachable, until
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import Select
from webkit import SearchableShelf, doubt, picture, sure

from engine import Game, parse_play
from engine.game.events import Played
from webui.errors import WebError
from webui.routes import pages as analysis_routes
from webui.views import analysis as analysis_views
from webui.views.analysis import MissedView

pytestmark = pytest.mark.slow

PLAYS = ("d4-ON", "d3|T.O")
"""Blue's two tiles could have made 12 points in place of 6."""
BEST = "TO across from d3"
TOLD = "12 points (TO 4 + TO 4 + ON 4) with the same tiles, 6 more"
NO_BETTER = "Nothing better was found."


class Search:
    """The search for missed plays, which can be held up at a turn, or fail there."""

    def __init__(self) -> None:
        self.held = 0
        self.failing = 0
        self.asked: list[int] = []
        self.go = threading.Event()

    def __call__(self, game: Game, place: int, suggest: Callable[[str], bool] | None) -> MissedView | None:
        self.asked.append(place)
        if place == self.failing:
            raise WebError("The search was given up.")
        if place == self.held:
            assert self.go.wait(20)
        return analysis_views.view_missed(game, place, suggest)


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Iterator[Search]:
    slow = Search()
    monkeypatch.setattr(analysis_routes, "view_missed", slow)
    yield slow
    slow.go.set()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[BrowserSite]:
    """The application, with a word list that can be searched."""
    served = BrowserSite(tmp_path, lexicons=SearchableShelf())
    yield served
    served.stop()


def play(site: BrowserSite, *plays: str) -> None:
    """Enter plays, each with its photograph."""
    site.reader.say([sure(tiles) for tiles in plays])
    for _ in plays:
        assert site.services.intake.take(site.game.row.id, picture(480, 640), "camera").open_game.question is None


def end(site: BrowserSite) -> None:
    site.services.games.change(site.now(), lambda game: game.end("agreed", (0, 0)))


def over(site: BrowserSite, look: Look, size: tuple[int, int] = PHONE) -> Chrome:
    """The page of a game that is over."""
    play(site, *PLAYS)
    end(site)
    browser = look(site.url, size, live=True)
    return browser


def list_missed(browser: WebDriver) -> list[str]:
    """Return the missed plays that are shown, each line as one text."""
    lines = browser.find_elements(By.CSS_SELECTOR, "[data-missed]")
    return [" ".join(line.text.split()) for line in lines if line.is_displayed()]


def better_is_shown(browser: WebDriver) -> bool:
    """Check that the page names a better play for Blue's turn alone, and perhaps says why."""
    lines = list_missed(browser)
    return len(lines) == 1 and lines[0].startswith(f"Turn 2, Blue {BEST} {TOLD}")


def test_ending_the_game_brings_the_plays_missed(site: BrowserSite, look: Look) -> None:
    play(site, *PLAYS)
    browser = look(site.url, live=True)
    assert not says(browser, "What you could have done")
    click(browser, ".more > summary")
    tap(browser, "End the game", "a", then="Why did the game end?")
    tap(browser, "End the game")
    until(browser, lambda: better_is_shown(browser))
    assert not find(browser, "[data-missed-said]").is_displayed()


def test_an_end_told_elsewhere_does_too_and_its_undoing_takes_them_away(site: BrowserSite, look: Look) -> None:
    play(site, *PLAYS)
    browser = look(site.url, live=True)
    browser.execute_script("window.stayed = true")
    end(site)
    until(browser, lambda: better_is_shown(browser))
    tap(browser, "Undo: the end of the game")
    until(browser, lambda: not says(browser, "What you could have done"))
    assert browser.execute_script("return window.stayed")


def test_a_game_without_a_better_play_says_so(site: BrowserSite, look: Look) -> None:
    play(site, PLAYS[0])
    end(site)
    browser = look(site.url)
    until(browser, NO_BETTER)
    assert list_missed(browser) == []


def test_the_search_tells_how_far_it_is(site: BrowserSite, look: Look, search: Search) -> None:
    search.held = 2
    browser = over(site, look)
    until(browser, "Looking at turn 2 of 2")
    assert list_missed(browser) == []
    search.go.set()
    until(browser, lambda: len(list_missed(browser)) == 1)
    assert search.asked == [1, 2]


def test_a_correction_during_the_search_begins_it_anew(site: BrowserSite, look: Look, search: Search) -> None:
    search.held = 2
    browser = over(site, look)
    until(browser, "Looking at turn 2 of 2")
    game = site.now().game
    better = game.correct(game.turns[1].event, Played(parse_play("d3-TO"))).game
    site.services.games.change(site.now(), lambda _: better)
    until(browser, lambda: search.asked[2:])
    search.go.set()
    until(browser, NO_BETTER)
    assert list_missed(browser) == []


def test_a_search_that_fails_says_why(site: BrowserSite, look: Look, search: Search) -> None:
    search.failing = 2
    browser = over(site, look)
    until(browser, "The search was given up.")
    assert list_missed(browser) == []


def test_a_search_broken_off_goes_on_when_the_server_is_back(site: BrowserSite, look: Look, search: Search) -> None:
    search.held = 1
    browser = over(site, look)
    until(browser, "Looking at turn 1 of 2")
    site.stop()
    search.go.set()
    until(browser, "Can't reach the computer")
    site.start()
    until(browser, lambda: better_is_shown(browser))
    assert not says(browser, "Can't reach the computer")
    forget_complaints(browser)


def test_a_missed_play_is_looked_at_on_the_board(site: BrowserSite, look: Look) -> None:
    browser = over(site, look)
    until(browser, lambda: len(list_missed(browser)) == 1)
    tap(browser, BEST, "a", then="This turn scored 6 points.")
    assert says(browser, "with TO across from d3.")
    assert new_tiles(browser) == ["d3", "e3"]
    others = browser.find_elements(By.CSS_SELECTOR, ".found a:not([aria-current])")
    click(browser, others[0])
    until(browser, lambda: new_tiles(browser) != ["d3", "e3"])
    browser.back()
    until(browser, lambda: new_tiles(browser) == ["d3", "e3"])
    tap(browser, "Back to the game", "a")
    until(browser, lambda: better_is_shown(browser))


def new_tiles(browser: WebDriver) -> list[str]:
    """The squares whose tiles are marked as new."""
    squares = browser.find_elements(By.CSS_SELECTOR, ".square:has(.new)")
    return [str(square.get_attribute("data-square")) for square in squares]


def test_a_rack_is_tried_on_a_board_of_the_game(site: BrowserSite, look: Look) -> None:
    browser = over(site, look)
    Select(find(browser, "#at")).select_by_visible_text("turn 2, Blue")
    find(browser, "#rack").send_keys("e")
    tap(browser, "Find the best plays", then="with ONE across from d4.")
    find(browser, "#rack").clear()
    find(browser, "#rack").send_keys("A1")
    tap(browser, "Find the best plays", then="is not a tile")
    find(browser, "#rack").clear()
    find(browser, "#rack").send_keys("z")
    tap(browser, "Find the best plays", then="These tiles had no legal play.")


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_an_earlier_turn_has_its_photograph_and_what_was_missed(
    site: BrowserSite, look: Look, size: tuple[int, int]
) -> None:
    browser = over(site, look, size)
    tap(browser, "TOO", "summary")
    click(browser, "details[open] .why p:last-child a")
    until(browser, f"Better: {BEST}, {TOLD}")
    plain, read = browser.find_elements(By.CSS_SELECTOR, ".shots figure")
    shown = (
        "return [...document.querySelectorAll('.shots img')].filter((e) => e.checkVisibility())"
        ".every((e) => e.scrollIntoView() || (e.complete && e.naturalWidth > 0))"
    )
    until(browser, lambda: browser.execute_script(shown))
    assert (plain.is_displayed(), read.is_displayed()) == (True, size == LAPTOP)
    if size == PHONE:
        tap(browser, "What was read", "label")
        assert (plain.is_displayed(), read.is_displayed()) == (False, True)
        until(browser, lambda: browser.execute_script(shown))
    tap(browser, "What else could you have played?", "a", then="The best plays")
    assert find(browser, "#rack").get_attribute("value") == "TO"
    tap(browser, "What was played", "a", then="Better: ")


def test_another_reading_of_the_same_squares_is_chosen(site: BrowserSite, look: Look) -> None:
    site.take(doubt("C@c4 A@d4 T@e4", "C@c4 A@d4 N@e4"), source="camera")
    browser = look(site.url)
    tap(browser, "Another word", "a", then="Other words that fit")
    tap(browser, "BAT", "a", then="BAT: 6 points")
    tap(browser, "Play it")
    until(browser, lambda: browser.current_url == site.url)
    assert site.now().game.turns[0].play == parse_play("B@c4 A@d4 T@e4")
    assert site.now().question is None


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_everything_about_a_game_that_is_over_is_within_reach(
    site: BrowserSite, look: Look, size: tuple[int, int]
) -> None:
    browser = over(site, look, size)
    until(browser, lambda: len(list_missed(browser)) == 1)
    browser.execute_script("document.querySelector('.after').scrollIntoView({block: 'center'})")
    assert unreachable(browser, ".after a, .after input, .after select, .after button") == []
    for page in ("", "/analysis?turn=2", "/turns/2", "/charts"):
        browser = look(f"{site.url}{page}", size)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0], page


def test_a_tap_anywhere_on_a_line_opens_it_and_going_back_finds_the_list(site: BrowserSite, look: Look) -> None:
    browser = over(site, look)
    until(browser, lambda: len(list_missed(browser)) == 1)
    ActionChains(browser).scroll_to_element(find(browser, ".after")).perform()
    ActionChains(browser).click(find(browser, "[data-missed]:not([hidden]) [data-told]")).perform()
    until(browser, "The best plays")
    browser.back()
    until(browser, lambda: better_is_shown(browser))
