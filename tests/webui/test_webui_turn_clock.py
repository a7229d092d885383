"""The turn timer of a game: one for all screens, restarted with every turn."""

from __future__ import annotations

import pytest
from guestkit import guest
from webkit import EXAMPLE, Site, read_error, text

from webui.access.sessions import Role
from webui.errors import WebError
from webui.live.turn_clock import Clock, TurnClocks


def test_a_timer_counts_down_and_restarts_at_another_turn() -> None:
    now = 100.0
    clocks = TurnClocks(lambda: now)
    assert clocks.of(1, "a") is None
    clocks.choose(1, 2)
    assert clocks.of(1, "a") == Clock(2, "a", 120_000)
    now += 130.5
    assert clocks.of(1, "a") == Clock(2, "a", -10_500)
    assert clocks.of(1, "b") == Clock(2, "b", 120_000)
    assert clocks.of(2, "a") is None, "another game's table chose none"


def test_a_time_that_is_chosen_begins_now() -> None:
    now = 0.0
    clocks = TurnClocks(lambda: now)
    clocks.choose(1, 1)
    clocks.of(1, "a")
    now += 50
    clocks.choose(1, 3)
    assert clocks.of(1, "a") == Clock(3, "a", 180_000)
    clocks.choose(1, 0)
    assert clocks.of(1, "a") is None


@pytest.mark.parametrize("wrong", [None, -1, 4, 100_000])
def test_other_times_are_refused(wrong: int | None) -> None:
    with pytest.raises(WebError):
        TurnClocks().choose(1, wrong)


def test_every_screen_shows_the_timer_that_a_scorer_chose(site: Site) -> None:
    assert "data-timer" not in text(site.client.get("/games/1"))
    assert "Choose a time" in read_error(site.client.post("/games/1/clock", data={"minutes": "x"}))
    viewer = guest(site.app, Role.VIEWER)
    assert viewer.post("/games/1/clock", data={"minutes": "2"}).status_code == 403
    site.client.post("/games/1/clock", data={"minutes": "2"})
    for page in (text(site.client.get("/games/1")), text(viewer.get("/games/1")), text(site.client.get("/games/1/tv"))):
        assert 'data-timer="1-0-0" data-left="1' in page
    assert '<option value="2" selected>2 minutes</option>' in text(site.client.get("/games/1"))
    assert "<option" not in text(viewer.get("/games/1"))
    played = site.after_plays(EXAMPLE[0])
    assert 'data-timer="2-1-1"' in text(site.client.get("/games/1"))
    site.services.games.change(played, lambda each: each.end("agreed", (1, 2)))
    assert "data-timer" not in text(site.client.get("/games/1")) + text(site.client.get("/games/1/tv"))
