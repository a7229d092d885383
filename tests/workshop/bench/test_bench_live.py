"""The page and `replay` are compared turn by turn: an open question counts as its likeliest answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from clikit import make_finding

from engine import Board, find_edition
from upscore.commands.replay.report import ReplaySheet
from vision import certain
from workshop.bench.turns import live
from workshop.bench.turns.live import Told, answer_and_list, by_replay, differences

CAT, TOE = Told("Red", "C@d4 A@d5 T@d6", 8), Told("Blue", "O@e6 E@f6", 4)


def test_sheets_with_the_same_plays_do_not_differ() -> None:
    assert differences([CAT, TOE], [CAT, TOE]) == []


def test_a_play_that_one_of_them_asks_about_is_listed_once() -> None:
    asked = Told(TOE.player, TOE.tiles, TOE.points, asked=True)
    assert differences([CAT, asked], [CAT, asked]) == []
    assert differences([CAT, asked], [CAT, TOE]) == [f"turn 2, on the page: {TOE} (asked), by replay: {TOE}"]


@pytest.mark.parametrize("other", [Told("Red", TOE.tiles, 4), Told("Blue", "O@e6", 4), Told("Blue", TOE.tiles, 5)])
def test_another_player_tiles_or_points_are_listed_from_both_sheets(other: Told) -> None:
    assert differences([CAT, TOE], [CAT, other]) == [
        f"turn 2, only on the page: {TOE}",
        f"turn 2, only by replay: {other}",
    ]


def test_a_play_that_one_sheet_lacks_does_not_make_those_after_it_differ() -> None:
    between = Told("Blue", "S@d7", 6)
    assert differences([CAT, TOE], [CAT, between, TOE]) == [f"turn 2, only by replay: {between}"]


class Page:
    """Serves one game whose question, if it has one, enters TOE."""

    def __init__(self, kind: str | None) -> None:
        self.sent: list[Any] = []
        question = None if kind is None else {"kind": kind, "choices": [{"text": "TOE"}]}
        self.state = {"version": 7, "turns": [turn_of(CAT)], "question": question}

    def ask(self, path: str, sent: object = None) -> tuple[int, Any]:
        if path.endswith("/answer"):
            self.sent.append(sent)
            return 200, self.state | {"turns": [turn_of(CAT), turn_of(TOE)], "question": None}
        return 200, self.state


def turn_of(told: Told) -> dict[str, Any]:
    return {"kind": "play", "player": told.player, "tiles": told.tiles, "points": told.points}


def test_a_waiting_question_about_a_play_gets_its_first_answer() -> None:
    page = Page("play")
    told = answer_and_list(page.ask, 1)
    assert page.sent == [{"version": 7, "choice": 0}]
    assert told == [CAT, TOE]
    assert [each.asked for each in told] == [False, True]


@pytest.mark.parametrize("kind", [None, "none", "unclear"])
def test_where_replay_would_enter_nothing_the_page_is_answered_nothing(kind: str | None) -> None:
    page = Page(kind)
    assert answer_and_list(page.ask, 1) == [CAT]
    assert page.sent == []


def test_plays_taken_back_do_not_count() -> None:
    page = Page(None)
    page.state["turns"] = [turn_of(CAT), turn_of(TOE) | {"taken_back": True}]
    assert answer_and_list(page.ask, 1) == [CAT]


def test_replay_is_asked_for_its_sheet_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def watch(film: Path, tracker: object, sheet: ReplaySheet) -> None:
        before = certain(Board.empty(8)).start
        for finding in (
            make_finding("b4-MOOD"),
            make_finding("e5|EAR"),
            make_finding(None),
            make_finding("e5|AR", asked=True),
        ):
            sheet.enter(finding, before, None, "", {})

    monkeypatch.setattr(live, "replay_video", watch)
    first, then = by_replay(Path("no.mp4"), find_edition("8x8"))
    assert (first.player, first.asked, first.points) == ("Red", False, 8)
    assert (then.player, then.asked, then.tiles) == ("Blue", True, "A@e5 R@e6")
