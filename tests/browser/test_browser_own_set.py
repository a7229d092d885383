"""The family's tiles in a browser: that they are known is shown, and a tap forgets them after one question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, click, says, tap, until

from vision.turn.belief import Knowledge
from webui.table.learned_set import LessonRows

pytestmark = pytest.mark.slow

KNOWN = "Upscore knows your 8 × 8 tiles (from three games)"


def pretend_known(site: BrowserSite, games: int = 3) -> None:
    """Pretend that the tiles were learned from this many games."""
    for number in range(games):
        LessonRows(site.services.store).put(1000 + number, "8x8", 1, f"game {number}")


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_tiles_that_are_known_are_shown_and_forgotten_with_a_tap(
    site: BrowserSite, look: Look, size: tuple[int, int]
) -> None:
    pretend_known(site)
    browser = look(f"{site.address}/games", size)
    assert says(browser, f"{KNOWN}.")
    tap(browser, "Forget", "a", then="Forget your tiles?")
    tap(browser, "Keep them", "a", then=f"{KNOWN}.")
    tap(browser, "Forget", "a", then="Forget your tiles?")
    tap(browser, "Forget them")
    until(browser, lambda: browser.current_url.endswith("/games"))
    assert not says(browser, "Upscore knows your")
    assert site.services.learned_sets.lessons("8x8") == ()


def test_a_game_tells_that_the_tiles_are_known_or_that_they_are_others(site: BrowserSite, look: Look) -> None:
    pretend_known(site)
    browser = look(site.url, LAPTOP)
    click(browser, ".tiles summary")
    until(browser, f"{KNOWN}.")
    belief = replace(site.now().belief, knowledge=Knowledge(other_set=True))
    site.services.games.change(site.now(), lambda game: game, belief=belief)
    until(browser, "These tiles look new")
    assert not says(browser, KNOWN)
