"""The page as a table uses it: a truthful table photographs every turn, and answers what it is asked.

For each game one is begun through the JSON interface of the page (docs/api.md), and its photographs are sent in order.
Whenever nothing is asked after a photograph, board and totals on the sheet must be the truth; where they are not, that
is an error in silence, and the sheet is put right by hand. A question is answered with the answer after which the sheet
is the truth; where there is none, what was played is typed. A lazy table leaves alone what is unclear, or looks as if
nothing had been played, and photographs its next turn.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from flask.testing import FlaskClient

from engine import Game, Play, format_play
from engine.formats.game_json import stacks_json
from upscore.commands.serve import Shelf, judge
from webui.app import create_app, services_of
from webui.ports import AppConfig
from webui.table.reader import VisionReader
from workshop.bench.data.program import say
from workshop.bench.data.truth import Record, Snapshot, games_in
from workshop.bench.record import Figures
from workshop.bench.turns.replay import PLAYERS, true_games

COUNTS = ("turns", "seen", "asked", "seen asked", "plays", "offered", "first", "typed", "left", "silent")
State = dict[str, Any]


@dataclass
class Table:
    """A table with one game on a page: the truth, and the plays that are not yet on the sheet."""

    client: FlaskClient
    address: str
    lazy: bool
    tally: Figures
    missing: list[Play] = field(default_factory=list)

    def photograph(self, turn: Snapshot, truth: Game) -> str:
        """Send the photograph of one turn, react to the page's answer, and return what happened, in words."""
        self.missing.append(turn.play)
        self.tally["turns"] += 1
        self.tally["seen"] += turn.play_in_view
        photo = {"photo": (BytesIO(turn.path.read_bytes()), "turn.jpg")}
        began = perf_counter()
        answer = self.client.post(f"{self.address}/photos", data=photo, content_type="multipart/form-data")
        self.tally["seconds"].append(perf_counter() - began)
        state = _json(answer)
        if state["question"] is None:
            return self._enter(state, truth)
        self.tally["asked"] += 1
        self.tally["seen asked"] += turn.play_in_view
        return f"asked ({state['question']['kind']}): " + self._ask(state, truth)

    def _ask(self, state: State, truth: Game) -> str:
        question = state["question"]
        about_play = question["kind"] == "play"
        self.tally["plays"] += about_play
        right = [number for number, each in enumerate(question["choices"]) if _is(each, truth)]
        if right:
            self.tally["offered"] += about_play
            self.tally["first"] += about_play and right[0] == 0
            answered = self._post("answer", state, choice=right[0])
            return f"answer {right[0] + 1}, {self._enter(answered, truth)}"
        if self.lazy and question["kind"] in ("unclear", "none"):
            self.tally["left"] += 1
            return "left"
        self.tally["typed"] += 1
        if not _is(self._type_in(state, self.missing), truth):
            self._put_right(self._state(), truth)
        self.missing = []
        return "typed"

    def _enter(self, state: State, truth: Game) -> str:
        self.missing = []
        if _is(state, truth):
            return "right"
        self.tally["silent"] += 1
        outcome = f"SILENT: {state['totals']} for {truth.totals}"
        self._put_right(state, truth)
        return outcome

    def _put_right(self, state: State, truth: Game) -> None:
        while state["turns"]:
            state = self._post("undo", state)
        state = self._type_in(state, [turn.play for turn in truth.turns if turn.play is not None])
        if not _is(state, truth):
            raise RuntimeError(f"{self.address}: the sheet cannot be put right")

    def _type_in(self, state: State, plays: list[Play]) -> State:
        for play in plays:
            state = self._post("turns", state, kind="play", tiles=format_play(play))
        return state

    def _state(self) -> State:
        return _json(self.client.get(self.address))

    def _post(self, what: str, state: State, **fields: object) -> State:
        return _json(self.client.post(f"{self.address}/{what}", json={"version": state["version"], **fields}))


def through_the_page(folder: Path) -> Figures:
    """Play the games of a folder at a table that answers everything, and at a lazy one. Return how they went."""
    games = games_in(folder)
    return {name: _tally(games, lazy) for name, lazy in (("answering", False), ("lazy", True))}


def _tally(games: list[Record], lazy: bool) -> Figures:
    tally: Figures = {**dict.fromkeys(COUNTS, 0), "seconds": []}
    with page() as client:
        for game in games:
            say(f"  {'a lazy' if lazy else 'an answering'} table plays {game[0].path.parent.name}")
            play(client, game, lazy, tally)
    return {**tally, "seconds": median(tally["seconds"])}


def play(client: FlaskClient, game: Record, lazy: bool, tally: Figures) -> None:
    """Play one game at a table, and count how it fares."""
    begun = _json(client.post("/api/v1/games", json={"edition": game[0].edition.name, "players": list(PLAYERS)}))
    table = Table(client, f"/api/v1/games/{begun['id']}", lazy, tally)
    for turn, truth in zip(game[1:], true_games(game)[1:], strict=True):
        outcome = table.photograph(turn, truth)
        if "SILENT" in outcome:
            say(f"    {turn.name}: {outcome}")


@contextmanager
def page() -> Iterator[FlaskClient]:
    """Yield the page as `upscore serve` starts it, on a data folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="upscore-bench-") as data:
        app = create_app(AppConfig(Path(data), VisionReader(), Shelf(), judge))
        try:
            yield app.test_client()
        finally:
            services_of(app).close()


def _is(sheet: State, truth: Game) -> bool:
    """Return whether a sheet, or what it would be after an answer, is the truth."""
    return bool(sheet["stacks"] == stacks_json(truth.board) and sheet["totals"] == truth.totals)


def _json(answer: Any) -> State:
    if answer.status_code >= 400:
        raise RuntimeError(f"the page answered {answer.status_code}: {answer.get_data(as_text=True)}")
    state: State = answer.get_json()
    return state
