"""Challenges in a browser, on a phone and a laptop: the verdict, the ruling, and the tiles that are to be lifted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from browserkit import (
    LAPTOP,
    PHONE,
    TELEVISION,
    BrowserSite,
    Look,
    click,
    find,
    forget_complaints,
    says,
    tap,
    unreachable,
    until,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from webkit import (
    EXAMPLE,
    ScriptedReader,
    empty_position,
    enter_plays,
    finding,
    make_finding,
    picture,
    start_game,
    sure,
)

from engine import HouseRules
from vision import Belief, Finding, certain
from webui.table.games import OpenGame

pytestmark = pytest.mark.slow

MOOD, XOOD, WOOD = EXAMPLE[0], "X@b4", "W@b4"
SIZES = pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])

Table = Callable[..., OpenGame]
"""Begins a game of these players with these plays and house rules."""


@pytest.fixture
def table(site: BrowserSite) -> Table:
    def begin(*plays: str, players: tuple[str, ...] = ("Red", "Blue"), **rules: bool) -> OpenGame:
        return enter_plays(site.services, start_game(site.services, *players, rules=HouseRules(**rules)), *plays)

    return begin


def url(site: BrowserSite, open_game: OpenGame) -> str:
    return f"{site.address}/games/{open_game.row.id}"


def now(site: BrowserSite, open_game: OpenGame) -> OpenGame:
    return site.services.games.open(open_game.row.id)


def lifts(site: BrowserSite, open_game: OpenGame, *, lying: bool) -> tuple[Belief, Finding]:
    """A look at the table: what is to be lifted lies there still, or is off."""
    belief = now(site, open_game).belief
    assert belief.to_lift is not None
    if lying:
        reminder = make_finding("unclear", "Still on the board.", XOOD)
        return belief, replace(reminder, lying=belief.to_lift)
    off = certain(belief.sheet_board)
    return off, finding("none", lifted=belief.to_lift)


def photograph(site: BrowserSite, open_game: OpenGame, said: tuple[Belief, Finding]) -> None:
    site.reader.say([said])
    site.services.intake.take(open_game.row.id, picture(480, 640), "upload")


def challenge(browser: WebDriver) -> None:
    """One tap on the page of the game: the verdict is there."""
    tap(browser, "Challenge", "a")
    until(browser, lambda: find(browser, ".rulings").is_displayed())


def uphold(browser: WebDriver) -> None:
    """Challenge XOOD, and rule that it comes off."""
    challenge(browser)
    tap(browser, "It comes off", then="XOOD comes off")


def letters_are_large(browser: WebDriver) -> bool:
    """A word that can be read across a table: its letters are at least 12 mm high where the phone is 7 cm wide."""
    script = "return parseFloat(getComputedStyle(document.querySelector('.judged .word')).fontSize)"
    return float(browser.execute_script(script)) >= 40


@SIZES
def test_a_challenge_that_is_upheld_and_the_tiles_lifted(
    site: BrowserSite, look: Look, table: Table, size: tuple[int, int]
) -> None:
    open_game = table(MOOD, XOOD)
    browser = look(url(site, open_game), size)
    assert not says(browser, "not in the word list")
    challenge(browser)
    assert says(browser, "XOOD is not playable")
    assert letters_are_large(browser)
    assert unreachable(browser, ".court-head a, .huge") == []
    assert "primary" in str(find(browser, '[value="off"]').get_attribute("class"))
    tap(browser, "It comes off", then="XOOD comes off")
    assert says(browser, "Blue plays another word or passes")
    until(browser, lambda: find(browser, ".lifting .to-lift").text.split() == ["X", "b4"])
    until(browser, lambda: find(browser, ".lifting .lift-off").text.startswith("X"))
    photograph(site, open_game, lifts(site, open_game, lying=False))
    until(browser, "The tiles are off.")
    assert not browser.find_elements(By.CSS_SELECTOR, ".lifting")
    tap(browser, "Back to the game", "a")
    until(browser, lambda: browser.current_url == url(site, open_game))
    photograph(site, open_game, (now(site, open_game).belief, sure(WOOD)))
    until(browser, "WOOD")
    game = now(site, open_game).game
    assert (game.totals, game.current_player) == ({"Red": 8, "Blue": 5}, "Red")


@SIZES
def test_a_challenge_that_is_upheld_and_the_tiles_left_lying(
    site: BrowserSite, look: Look, table: Table, size: tuple[int, int]
) -> None:
    open_game = table(MOOD, XOOD)
    browser = look(url(site, open_game), size)
    uphold(browser)
    tap(browser, "Back to the game", "a", then="Take off the board: X on b4")
    photograph(site, open_game, lifts(site, open_game, lying=True))
    until(browser, "Still on the board: X on b4")
    assert find(browser, ".board .lift-off").text.startswith("X")
    game = now(site, open_game).game
    assert (game.totals, game.current_player) == ({"Red": 8, "Blue": 0}, "Blue")
    tap(browser, "I'll take it off")
    until(browser, lambda: not says(browser, "Still on the board"))
    photograph(site, open_game, lifts(site, open_game, lying=True))
    until(browser, "Still on the board: X on b4")
    photograph(site, open_game, lifts(site, open_game, lying=False))
    until(browser, lambda: not says(browser, "X on b4"))
    assert now(site, open_game).game.totals == {"Red": 8, "Blue": 0}


@SIZES
def test_a_question_is_answered_while_tiles_are_to_be_lifted(
    site: BrowserSite, look: Look, table: Table, size: tuple[int, int]
) -> None:
    """Tiles to lift never hide a question, or the game could not go on."""
    open_game = table(MOOD, XOOD)
    browser = look(url(site, open_game), size)
    uphold(browser)
    hand = now(site, open_game).belief, make_finding("unclear", "A hand lies over the board.", WOOD)
    photograph(site, open_game, hand)
    until(browser, "Question waiting: A hand lies over the board.")
    tap(browser, "Answer it", "a")
    until(browser, lambda: find(browser, "#question").is_displayed())
    assert find(browser, ".ask .to-lift").text.split() == ["X", "b4"]
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
    tap(browser, "WOOD")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "#question"))
    assert now(site, open_game).game.totals == {"Red": 8, "Blue": 5}


@SIZES
def test_a_challenge_that_is_lost_costs_the_next_turn(
    site: BrowserSite, look: Look, table: Table, size: tuple[int, int]
) -> None:
    open_game = table(MOOD, WOOD, players=("Red", "Blue", "Green"), failed_challenge_loses_turn=True)
    browser = look(url(site, open_game), size)
    challenge(browser)
    assert says(browser, "WOOD is playable")
    assert says(browser, "the challenger loses the next turn")
    assert unreachable(browser, ".huge, .askers label") == []
    assert "primary" in str(find(browser, '[value="stands"]').get_attribute("class"))
    tap(browser, "Green", "label")
    tap(browser, "It stands", then="WOOD stands")
    assert says(browser, "Green challenged without success and loses the next turn.")
    game = now(site, open_game).game
    assert (game.totals["Blue"], game.current_player) == (5, "Red")


def test_enter_on_a_name_rules_nothing(site: BrowserSite, look: Look, table: Table) -> None:
    open_game = table(MOOD, WOOD, players=("Red", "Blue", "Green"), failed_challenge_loses_turn=True)
    browser = look(url(site, open_game))
    challenge(browser)
    tap(browser, "Green", "label")
    find(browser, ".askers :checked").send_keys(Keys.ENTER)
    assert not browser.find_elements(By.CSS_SELECTOR, ".busy, .toast")
    tap(browser, "It stands", then="WOOD stands")
    (made,) = now(site, open_game).game.turns[1].challenges
    assert (made.challenger, made.upheld) == ("Green", False)


@SIZES
def test_a_challenge_that_the_table_rules_against_the_list(
    site: BrowserSite, look: Look, table: Table, size: tuple[int, int]
) -> None:
    open_game = table(MOOD, XOOD)
    browser = look(url(site, open_game), size)
    challenge(browser)
    tap(browser, "It stands", then="XOOD stands")
    assert says(browser, "Your table decided")
    tap(browser, "Close", "a", then="challenged by Red, stands")
    (made,) = now(site, open_game).game.turns[1].challenges
    assert (made.challenger, made.upheld, made.authority) == ("Red", False, "table")


def test_escape_closes_a_challenge(site: BrowserSite, look: Look, table: Table) -> None:
    open_game = table(MOOD)
    browser = look(f"{url(site, open_game)}/turns/1/challenge")
    ActionChains(browser).send_keys(Keys.ESCAPE).perform()
    until(browser, lambda: browser.current_url == url(site, open_game))


def test_everybody_at_the_table_sees_the_ruling(site: BrowserSite, look: Look, table: Table) -> None:
    open_game = table(MOOD, XOOD)
    browser = look(f"{url(site, open_game)}/turns/2/challenge")
    until(browser, lambda: site.services.announcer.streams == 1)
    site.services.games.change(open_game, lambda game: game.challenge("Red", upheld=True))
    until(browser, "XOOD comes off")


def test_a_verdict_says_when_it_has_no_connection_and_follows_again_when_it_has(
    site: BrowserSite, look: Look, table: Table
) -> None:
    open_game = table(MOOD, XOOD)
    browser = look(url(site, open_game))
    challenge(browser)
    site.stop()
    until(browser, lambda: find(browser, "#offline").is_displayed())
    forget_complaints(browser)
    site.start()
    until(browser, lambda: not find(browser, "#offline").is_displayed())
    forget_complaints(browser)  # it kept trying until the server was back


def test_a_word_is_read_from_afar_and_by_another_list(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.address}/words")
    find(browser, "#word").send_keys("dear")
    tap(browser, "Look up", then="DEAR is playable.")
    assert letters_are_large(browser)
    click(browser, '#lexicon [value="tiny"], #lexicon option:nth-child(2)')
    until(browser, "DEAR is not playable")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[BrowserSite]:
    served = BrowserSite(tmp_path, ScriptedReader(position=empty_position()))
    yield served
    served.stop()


@pytest.mark.parametrize("width", [320, 360, 545, 960])
@pytest.mark.parametrize("players", [("Ada", "Ben"), ("Ada", "Ben", "Cleo", "Dan")], ids=["two", "four"])
def test_the_button_to_challenge_says_its_word_unbroken(
    site: BrowserSite, look: Look, table: Table, players: tuple[str, ...], width: int
) -> None:
    browser = look(url(site, table(MOOD, players=players)), (width, 740))
    lines, room = browser.execute_script(
        "const e = document.querySelector('.open-play .button'), range = document.createRange();"
        "range.selectNodeContents(e.lastChild);"
        "const inner = range.getBoundingClientRect(), cell = e.parentElement.getBoundingClientRect();"
        "return [range.getClientRects().length, Math.min(inner.left - cell.left, cell.right - inner.right)];"
    )
    assert lines == 1
    assert room > 0


def test_the_card_of_the_last_play_is_as_high_with_a_long_word_and_name(
    site: BrowserSite, look: Look, table: Table
) -> None:
    height = "return document.querySelector('.open-play').offsetHeight"
    heights = {
        look(url(site, table(tiles, players=(name, "Ben")))).execute_script(height)
        for tiles in (MOOD, "C@b4 R@c4 O@d4 W@e4 D@f4 E@g4 D@h4")
        for name in ("Ada", "Maximilian Alexander")
    }
    assert len(heights) == 1


def style(browser: WebDriver, selector: str) -> list[str]:
    """Return how the first element that a selector names looks."""
    script = """
      const element = document.querySelector(arguments[0]);
      const { backgroundColor, outlineStyle, outlineColor, borderLeftColor } = getComputedStyle(element);
      const sign = getComputedStyle(element, "after");
      return [backgroundColor, outlineStyle, outlineColor, borderLeftColor, sign.content, sign.backgroundColor];
    """
    found: list[str] = browser.execute_script(script, selector)
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tiles_to_lift_and_the_verdict_look_the_same_on_every_screen(
    site: BrowserSite, look: Look, table: Table, scheme: str
) -> None:
    open_game = table(MOOD, XOOD)
    site.services.games.change(open_game, lambda game: game.challenge("Red", upheld=True))
    screens = [("/turns/2/challenge", PHONE), ("", PHONE), ("", LAPTOP), ("/tv", TELEVISION)]
    looks = []
    for path, size in screens:
        browser = look(url(site, open_game) + path, size)
        colours = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", colours)
        assert says(browser, "XOOD comes off")
        assert find(browser, ".to-lift").text.split() == ["X", "b4"]
        marks = (".ruling .mark", ".ruling .word", ".to-lift b", ".board .lift-off")
        looks.append([style(browser, ".ruling")[0], *(style(browser, mark) for mark in marks)])
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert all(each == looks[0] for each in looks[1:])
    assert looks[0][-1][-2] == '"↑"'


def test_a_television_has_room_for_the_longest_ruling(site: BrowserSite, look: Look, table: Table) -> None:
    open_game = table(
        "W@b4 H@c4 I@d4 S@e4 K@f4 E@g4 R@h4",
        "Z@b5 X@c5 Qu@d5 V@e5 J@f5 W@g5 K@h5",
        players=("Ada", "Benjamin the Great", "Cleo", "Dan"),
    )
    open_game = site.services.games.change(open_game, lambda game: game.challenge("Ada", upheld=True))
    photograph(site, open_game, lifts(site, open_game, lying=True))
    browser = look(f"{url(site, open_game)}/tv", TELEVISION)
    assert says(browser, "ZXQUVJWK")
    assert says(browser, "Still on the board")
    assert len(find(browser, ".to-lift").text.split()) == 14
    assert browser.execute_script("return document.documentElement.scrollHeight") <= TELEVISION[1]
    assert unreachable(browser, ".telling > *") == []
