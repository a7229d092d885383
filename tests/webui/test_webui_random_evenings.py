"""Random evenings, by the page and by programs: a question that waits can be answered from every scorer's page."""

from __future__ import annotations

import html
import io
import itertools
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from guestkit import guest
from hypothesis import example, given
from hypothesis import strategies as st
from propertykit import examples
from webkit import EXAMPLE, ScriptedReader, config, doubt, empty_position, finding, jpeg, play_of, really, seen, sure

from vision import Finding
from webui.access.permissions import Role
from webui.app import create_app, services_of

_FORM = re.compile(r'<form method="post" action="([^"]+)"[^>]*data-live[^>]*>(.*?)</form>', re.DOTALL)
_FIELD = re.compile(r'name="([^"]+)"[^>]* value="([^"]*)"')
_SIZES = itertools.count(60)


class Evening:
    """A game of Red and Blue, kept by the computer itself and by a phone, with a reader that says what it is told."""

    def __init__(self, app: Flask, reader: ScriptedReader) -> None:
        self.made, self.reader = services_of(app), reader
        opened = self.made.tables.start(
            edition="8x8", players=("Red", "Blue"), rules=self.made.config.rules, lexicon="standard"
        )
        self.id = opened.row.id
        self.scorers: tuple[FlaskClient, ...] = (app.test_client(), guest(app, Role.SCORER))

    @property
    def version(self) -> int:
        return self.made.tables.open(self.id).row.version

    def photograph(self, found: Finding, *, age_s: float = 0.0) -> None:
        """Photograph the board again. Each correction reads a photograph that is asked about once more, as before."""
        self.reader.script[:] = [found] * 30
        form = {"photo": (io.BytesIO(jpeg(next(_SIZES) % 400 + 60, 60 + next(_SIZES) % 300)), "board.jpg")}
        self.send(f"/games/{self.id}/photo", form, headers={"Photo-Age": str(age_s)})

    def send(self, url: str, form: dict[str, Any], by: int = 0, **more: Any) -> None:
        """Send a form. It is carried out, or refused in a sentence."""
        answer = self.scorers[by].post(
            url, data=form, headers={"Accept": "application/json", **more.get("headers", {})}
        )
        assert answer.status_code < 500, url
        assert answer.get_json().get("to") or answer.get_json().get("error")

    def ways_out(self, by: int) -> list[tuple[str, dict[str, str]]]:
        """Return the buttons of the question as this scorer's page has them: the address and fields of each."""
        page = self.scorers[by].get(f"/games/{self.id}/parts").get_json()["parts"]["look"]["html"]
        return [(html.unescape(url), dict(_FIELD.findall(body))) for url, body in _FORM.findall(page)]

    def check(self) -> None:
        """Check that every scorer sees the waiting question and its buttons, and programs the same totals."""
        opened = self.made.tables.open(self.id)
        state = self.scorers[0].get(f"/api/v1/games/{self.id}").get_json()
        assert state["totals"] == opened.game.totals
        for by, scorer in enumerate(self.scorers):
            page = scorer.get(f"/games/{self.id}").get_data(as_text=True)
            assert ('id="question"' in page) == (opened.question is not None)
            if opened.question is not None:
                assert self.ways_out(by)

    def answer(self, by: int, which: int) -> None:
        """Press one of the question's buttons: it is carried out, and the question is settled."""
        before = self.made.tables.open(self.id).question
        if before is None:
            return
        ways = [way for way in self.ways_out(by) if not way[0].endswith("/letter")]
        url, form = ways[which % len(ways)]
        answer = self.scorers[by].post(url, data=form, headers={"Accept": "application/json"})
        assert answer.status_code == 200, answer.get_json()
        after = self.made.tables.open(self.id).question
        assert after is None or after.photo != before.photo or url.endswith("/lifted")


def tiles(evening: Evening, which: int) -> str:
    """Return the next play of the example, or one that may not fit any more."""
    return EXAMPLE[(len(evening.made.tables.open(evening.id).game.turns) + which % 2) % len(EXAMPLE)]


def lying(evening: Evening, _: int) -> None:
    tiles_off = evening.made.tables.open(evening.id).belief.to_lift
    if tiles_off is not None:
        evening.photograph(replace(seen("unclear", "Still there."), lying=tiles_off))


def corrected(way: str, to: str) -> Callable[[Evening, int], None]:
    """Correct a turn, or put one in, whatever comes of it."""

    def step(evening: Evening, which: int) -> None:
        turns = len(evening.made.tables.open(evening.id).game.turns)
        play = tiles(evening, which)
        form = {"version": str(evening.version), "tiles": play, "accept": play}
        evening.send(f"/games/{evening.id}/turns/{1 + which % max(turns, 1)}/{way}?to={to}", form, by=which % 2)

    return step


def sent(what: str, **fields: str) -> Callable[[Evening, int], None]:
    return lambda evening, which: evening.send(
        f"/games/{evening.id}/{what}", {"version": str(evening.version), **fields}, by=which % 2
    )


def challenged(evening: Evening, which: int) -> None:
    turns = len(evening.made.tables.open(evening.id).game.turns)
    form = {"version": str(evening.version), "ruling": ("off", "stands")[which % 2], "by": str(turns % 2)}
    evening.send(f"/games/{evening.id}/turns/{max(turns, 1)}/challenge", form, by=which % 2)


STEPS: dict[str, Callable[[Evening, int], None]] = {
    "sure": lambda evening, which: evening.photograph(sure(tiles(evening, which))),
    "doubt": lambda evening, which: evening.photograph(doubt(tiles(evening, which), "B@b2", "C@b2")),
    "two turns": lambda evening, which: evening.photograph(really(*EXAMPLE[which % 3 : which % 3 + 2], replaces=0)),
    "hand": lambda evening, which: evening.photograph(seen("unclear", "A hand lies over it.", *["B@b2"] * (which % 2))),
    "removed": lambda evening, _: evening.photograph(seen("removed")),
    "as before": lambda evening, _: evening.photograph(seen("none")),
    "late": lambda evening, which: evening.photograph((seen("removed"), seen("none"))[which % 2], age_s=600),
    "lifted": lambda evening, _: evening.photograph(finding("none", lifted=play_of("B@b2"))),
    "lying": lying,
    "pass": sent("pass"),
    "undo": sent("undo"),
    "redo": sent("redo"),
    "take back": sent("take-back"),
    "not there": sent("lifted"),
    "challenge": challenged,
    "correct": corrected("correct", "play"),
    "correct to pass": corrected("correct", "pass"),
    "remove": corrected("correct", "nothing"),
    "insert": corrected("insert", "play"),
    "answer": lambda evening, which: evening.answer(which % 2, which // 2),
}


@pytest.fixture(scope="module")
def begin() -> Iterator[Callable[[], Evening]]:
    """Begins an evening, all in one application."""
    reader = ScriptedReader(position=empty_position())
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(config(Path(folder), reader))
        yield lambda: Evening(app, reader)
        services_of(app).close()


_ANSWERS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=3, max_size=3)


@examples(40)
@given(st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 11)), max_size=14), _ANSWERS)
@example([("take back", 0), ("hand", 0)], [(0, 0)] * 3)
@example([("two turns", 0), ("correct", 0), ("correct", 0), ("correct", 0)], [(0, 0)] * 3)
@example([("take back", 0), ("lying", 0), ("correct", 0)], [(1, 1)] * 3)
def test_every_question_can_be_answered_from_every_scorers_page(
    begin: Callable[[], Evening], steps: list[tuple[str, int]], answers: list[tuple[int, int]]
) -> None:
    evening = begin()
    for name, which in (("sure", 0), ("sure", 0), *steps):
        STEPS[name](evening, which)
        evening.check()
    for by, which in answers:
        evening.answer(by, which)
    assert evening.made.tables.open(evening.id).question is None
