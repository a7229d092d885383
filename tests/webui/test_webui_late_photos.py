"""Photographs that come late or twice take nothing back, and the page says which turn they show."""

from __future__ import annotations

from dataclasses import replace

import pytest
from enginekit import play_all
from readings import reading_of
from webkit import EXAMPLE, Site, doubt, finding, make_finding, picture, sure
from werkzeug.datastructures import Headers

from engine import Game, parse_play
from vision import Finding
from webui.errors import WebError
from webui.routes.forms import parse_age
from webui.services import Services
from webui.storage import database, store
from webui.table.intake import Taken


def take(services: Services, found: Finding, age_s: float = 0.0, digest: str | None = None) -> Taken:
    """Take a photograph that shows this."""
    services.config.reader.say([found])  # type: ignore[attr-defined]
    return services.intake.take(1, picture(), "upload", digest, age_s=age_s)


def board_after(game: Game, turns: int) -> Finding:
    """Return what a photograph of the board after so many turns shows, read against the newest board."""
    return replace(make_finding("removed"), reading=reading_of(play_all(game.setup.start, *EXAMPLE[:turns])))


def test_an_earlier_photograph_takes_nothing_back_and_goes_to_its_turn(site: Site) -> None:
    take(site.services, sure(EXAMPLE[0]))
    site.services.games.change(site.now(), lambda now: now.play(parse_play(EXAMPLE[1])))
    take(site.services, sure(EXAMPLE[2]))
    before = site.now()
    assert sorted(site.services.photos(before)) == [1, 3]
    taken = take(site.services, board_after(before.game, 2), age_s=60)
    assert taken.message == "This is an earlier photo: it shows turn 2. Nothing was changed."
    after = site.now()
    assert (after.game, after.question, after.belief) == (before.game, None, before.belief)
    assert sorted(site.services.photos(after)) == [1, 2, 3]


@pytest.mark.parametrize(
    "found", [make_finding("unclear", "A hand."), make_finding("none"), finding("none"), doubt(EXAMPLE[2])]
)
def test_an_earlier_photograph_of_no_turn_leaves_the_question_that_waits(site: Site, found: Finding) -> None:
    take(site.services, sure(EXAMPLE[0]))
    asked = take(site.services, doubt(EXAMPLE[1])).open_game
    taken = take(site.services, found, age_s=60)
    assert str(taken.message).startswith("This is an earlier photo")
    assert site.now() == asked


def test_an_earlier_photograph_with_a_new_play_on_top_is_none(site: Site) -> None:
    """That camera's clock is wrong."""
    take(site.services, sure(EXAMPLE[0]))
    assert len(take(site.services, sure(EXAMPLE[1]), age_s=3600).open_game.game.turns) == 2


def test_a_photograph_taken_after_the_newest_one_is_taken_as_ever(site: Site) -> None:
    take(site.services, sure(EXAMPLE[0]), age_s=600)
    assert take(site.services, make_finding("removed"), age_s=60).open_game.question is not None


def test_a_clock_that_was_put_back_makes_no_photograph_late(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    take(site.services, sure(EXAMPLE[0]))
    earlier = database.utc_now(3600)
    monkeypatch.setattr(store, "utc_now", lambda: earlier)
    monkeypatch.setattr("webui.table.intake.utc_now", lambda _=0.0: earlier)
    assert take(site.services, make_finding("removed"), age_s=0.5).open_game.question is not None


def test_the_photograph_of_an_earlier_turn_sent_again_is_read_already(site: Site) -> None:
    take(site.services, sure(EXAMPLE[0]), digest="one")
    take(site.services, sure(EXAMPLE[1]), digest="two")
    assert (
        take(site.services, make_finding("removed"), digest="one").message
        == "This photo was read already. It shows turn 1."
    )
    assert take(site.services, make_finding("removed"), digest="two").message == "This photo was read already."
    assert site.now().question is None


def test_the_photograph_of_a_turn_that_was_undone_is_read_again(site: Site) -> None:
    take(site.services, sure(EXAMPLE[0]), digest="one")
    site.services.games.change(site.now(), lambda now: now.undo())
    assert len(take(site.services, sure(EXAMPLE[0]), digest="one").open_game.game.turns) == 1


@pytest.mark.parametrize("sent", ["soon", "-1", "nan", "1e9", ""])
def test_an_age_is_a_number_of_seconds(sent: str) -> None:
    assert parse_age(Headers()) == 0.0
    assert parse_age(Headers({"Photo-Age": "12.5"})) == 12.5
    with pytest.raises(WebError, match="seconds"):
        parse_age(Headers({"Photo-Age": sent}))
