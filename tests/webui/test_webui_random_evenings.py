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
from presencekit import there
from propertykit import examples
from readings import veil
from turnkit import CLASSIC, RACKS, SMALL, sharp
from webkit import (
    BY_SCRIPT,
    EXAMPLE,
    ScriptedReader,
    config,
    doubt,
    empty_position,
    finding,
    jpeg,
    make_finding,
    really,
    start_game,
    sure,
)
from werkzeug.test import TestResponse

from engine import ENGLISH, Alphabet, Board, Game, Lexicon, Play, format_play, parse_play
from engine.faces import parse_faces
from engine.solver.search import legal_plays
from vision import Belief, BoardReading, Finding
from vision.images import Image
from vision.turn.steps import take_look
from webui.access.sessions import Role
from webui.app import create_app, services_of
from webui.ports import TurnQuery

_FORM = re.compile(r'<form method="post" action="([^"]+)"[^>]*data-live[^>]*>(.*?)</form>', re.DOTALL)
_FIELD = re.compile(r'name="([^"]+)"[^>]* value="([^"]*)"')
_SIZES = itertools.count(60)
assert isinstance(SMALL.lexicon, Lexicon)
SMALL_WORDS = SMALL.lexicon


def check_carried_out_or_refused(answer: TestResponse) -> None:
    """Check that a call was carried out, or refused in a sentence."""
    assert answer.status_code < 500
    assert answer.status_code == 200 or answer.get_json()["error"]


class Evening:
    """A game of Red and Blue, kept by the computer itself and by a phone, with a reader that says what it is told."""

    def __init__(self, app: Flask, reader: ScriptedReader) -> None:
        self.services, self.reader = services_of(app), reader
        self.id = start_game(self.services).row.id
        self.scorers: tuple[FlaskClient, ...] = (app.test_client(), guest(app, Role.SCORER))

    @property
    def version(self) -> int:
        return self.services.games.open(self.id).row.version

    def photograph(self, found: Finding, *, age_s: float = 0.0) -> None:
        """Photograph the board again, on the page and by a program in turn.

        Each correction reads a photograph that is asked about once more, as before.
        """
        self.reader.script[:] = [found] * 30
        size = next(_SIZES) % 400 + 60, 60 + next(_SIZES) % 300
        form = {"photo": (io.BytesIO(jpeg(*size)), "board.jpg")}
        headers = {"Photo-Age": str(age_s)}
        if size[0] % 4 < 2:
            self.send(f"/games/{self.id}/photo", form, headers=headers)
        else:
            url = f"/api/v1/games/{self.id}/photos"
            check_carried_out_or_refused(self.scorers[1].post(url, data=form, headers=headers))

    def call(self, what: str, by: int = 0, **fields: object) -> None:
        """Send a call of the JSON interface. It is carried out, or refused in a sentence."""
        body = {"version": self.version, **fields}
        check_carried_out_or_refused(self.scorers[by].post(f"/api/v1/games/{self.id}/{what}", json=body))

    def send(self, url: str, form: dict[str, Any], by: int = 0, **more: Any) -> None:
        """Send a form. It is carried out, or refused in a sentence."""
        answer = self.scorers[by].post(url, data=form, headers={**BY_SCRIPT, **more.get("headers", {})})
        assert answer.status_code < 500, url
        assert answer.get_json().get("to") or answer.get_json().get("error")

    def ways_out(self, by: int) -> list[tuple[str, dict[str, str]]]:
        """Return the buttons of the question as this scorer's page has them: the address and fields of each."""
        page = self.scorers[by].get(f"/games/{self.id}/parts").get_json()["parts"]["look"]["html"]
        return [(html.unescape(url), dict(_FIELD.findall(body))) for url, body in _FORM.findall(page)]

    def check(self) -> None:
        """Check that every scorer sees the waiting question and its buttons, and programs see the same game."""
        open_game = self.services.games.open(self.id)
        for by, scorer in enumerate(self.scorers):
            state = scorer.get(f"/api/v1/games/{self.id}").get_json()
            assert (state["totals"], state["version"]) == (open_game.game.totals, self.version)
            assert (state["question"] is None) == (open_game.question is None)
            page = scorer.get(f"/games/{self.id}").get_data(as_text=True)
            assert ('id="question"' in page) == (open_game.question is not None)
            if open_game.question is not None:
                assert self.ways_out(by)

    def answer(self, by: int, which: int) -> None:
        """Press one of the question's buttons: it is carried out, and the question is settled.

        Number 2 is a program, which gives one of the answers in JSON or skips the question.
        """
        before = self.services.games.open(self.id).question
        if before is None:
            return
        if by == 2:
            choices = self.scorers[1].get(f"/api/v1/games/{self.id}").get_json()["question"]["choices"]
            chosen = which % (len(choices) + 1)
            body = {"choice": chosen} if chosen < len(choices) else {"dismiss": True}
            answer = self.scorers[1].post(f"/api/v1/games/{self.id}/answer", json={"version": self.version, **body})
            assert answer.status_code == 200, answer.get_json()
            assert answer.get_json()["question"] is None
            return
        ways = [way for way in self.ways_out(by) if not way[0].endswith("/letter")]
        url, form = ways[which % len(ways)]
        answer = self.scorers[by].post(url, data=form, headers=BY_SCRIPT)
        assert answer.status_code == 200, answer.get_json()
        after = self.services.games.open(self.id).question
        assert after is None or after.photo != before.photo or url.endswith("/lifted")


def tiles(evening: Evening, which: int) -> str:
    """Return the next play of the example, or one that may not fit any more."""
    return EXAMPLE[(len(evening.services.games.open(evening.id).game.turns) + which % 2) % len(EXAMPLE)]


def lying(evening: Evening, _: int) -> None:
    tiles_off = evening.services.games.open(evening.id).belief.to_lift
    if tiles_off is not None:
        evening.photograph(replace(make_finding("unclear", "Still there."), lying=tiles_off))


def correct(way: str, to: str) -> Callable[[Evening, int], None]:
    """Correct a turn, or put one in, whatever comes of it."""

    def step(evening: Evening, which: int) -> None:
        turns = len(evening.services.games.open(evening.id).game.turns)
        play = tiles(evening, which)
        form = {"version": str(evening.version), "tiles": play, "accept": play}
        evening.send(f"/games/{evening.id}/turns/{1 + which % max(turns, 1)}/{way}?to={to}", form, by=which % 2)

    return step


def send(what: str, **fields: str) -> Callable[[Evening, int], None]:
    return lambda evening, which: evening.send(
        f"/games/{evening.id}/{what}", {"version": str(evening.version), **fields}, by=which % 2
    )


def challenge(evening: Evening, which: int) -> None:
    turns = len(evening.services.games.open(evening.id).game.turns)
    form = {"version": str(evening.version), "ruling": ("off", "stands")[which % 2], "by": str(turns % 2)}
    evening.send(f"/games/{evening.id}/turns/{max(turns, 1)}/challenge", form, by=which % 2)


def call(what: str, **fields: object) -> Callable[[Evening, int], None]:
    return lambda evening, which: evening.call(what, by=which % 2, **fields)


def tap_outdated(evening: Evening, which: int) -> None:
    """Tap a button of a page, or send a call, of before the newest change: nothing happens."""
    stale, scorer = evening.version - 1, evening.scorers[which % 2]
    body = {"version": stale, "kind": "pass"}
    by_page = scorer.post(f"/games/{evening.id}/undo", data={"version": str(stale)}, headers=BY_SCRIPT)
    by_program = scorer.post(f"/api/v1/games/{evening.id}/turns", json=body)
    assert (by_page.status_code, by_program.status_code, evening.version) == (409, 409, stale + 1)


STEPS: dict[str, Callable[[Evening, int], None]] = {
    "sure": lambda evening, which: evening.photograph(sure(tiles(evening, which))),
    "doubt": lambda evening, which: evening.photograph(doubt(tiles(evening, which), "B@b2", "C@b2")),
    "two turns": lambda evening, which: evening.photograph(really(*EXAMPLE[which % 3 : which % 3 + 2], replaces=0)),
    "hand": lambda evening, which: evening.photograph(
        make_finding("unclear", "A hand lies over it.", *["B@b2"] * (which % 2))
    ),
    "removed": lambda evening, _: evening.photograph(make_finding("removed")),
    "as before": lambda evening, _: evening.photograph(make_finding("none")),
    "late": lambda evening, which: evening.photograph(
        (make_finding("removed"), make_finding("none"))[which % 2], age_s=600
    ),
    "lifted": lambda evening, _: evening.photograph(finding("none", lifted=parse_play("B@b2"))),
    "lying": lying,
    "pass": send("pass"),
    "undo": send("undo"),
    "redo": send("redo"),
    "take back": send("take-back"),
    "not there": send("lifted"),
    "challenge": challenge,
    "correct": correct("correct", "play"),
    "correct to pass": correct("correct", "pass"),
    "remove": correct("correct", "nothing"),
    "insert": correct("insert", "play"),
    "answer": lambda evening, which: evening.answer(which % 3, which // 3),
    "pass by a program": call("turns", kind="pass"),
    "play by a program": lambda evening, which: evening.call("turns", kind="play", tiles=tiles(evening, which)),
    "undo by a program": call("undo"),
    "challenge by a program": call("turns", kind="challenge", upheld=True),
    "end by a program": call("turns", kind="end", racks={"Red": 1, "Blue": 0}),
    "outdated": tap_outdated,
}


@pytest.fixture(scope="module")
def begin() -> Iterator[Callable[[], Evening]]:
    """Begins an evening, all in one application."""
    reader = ScriptedReader(position=empty_position())
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(config(Path(folder), reader))
        yield lambda: Evening(app, reader)
        services_of(app).close()


_ANSWERS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5)), min_size=3, max_size=3)


@pytest.mark.slow
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
    assert evening.services.games.open(evening.id).question is None


class SmallShelf:
    """The word list of the drawn games."""

    def names(self) -> tuple[str, ...]:
        return ("standard",)

    def load(self, name: str, alphabet: Alphabet = ENGLISH) -> Lexicon:
        return SMALL_WORDS


class TrueReader(ScriptedReader):
    """Reads the board that lay there when a photograph was taken; the photographs are told by their width."""

    def __init__(self) -> None:
        super().__init__(position=empty_position())
        self.boards: dict[int, BoardReading] = {}

    def read_turn(self, image: Image, query: TurnQuery) -> tuple[Belief, Finding]:
        reading = self.boards[image.shape[1]]
        belief, found = take_look(query.belief, reading, query.settings)
        return belief, replace(found, reading=reading)


class Family(Evening):
    """Players by the book, whose scorers answer truly, by page and by programs in turn. `truth` is their game."""

    reader: TrueReader

    def __init__(self, app: Flask, reader: TrueReader) -> None:
        super().__init__(app, reader)
        self.truth = self.services.games.open(self.id).game
        self.answered = self.sent = 0

    @property
    def game(self) -> Game:
        return self.services.games.open(self.id).game

    def lawful(self, which: int) -> Play:
        """Return a lawful play of the player whose turn it is."""
        rack = parse_faces(RACKS[which % 4][:7])
        found = legal_plays(self.truth.board, rack, edition=CLASSIC, lexicon=SMALL_WORDS)
        return found[which % len(found)].play

    def play(self, which: int) -> Play:
        play = self.lawful(which)
        self.truth = self.truth.play(play)
        return play

    def challenge(self, *, upheld: bool) -> None:
        """Challenge the last play: whose it is not."""
        challenged = there(self.truth.open_play)
        by = 1 - self.truth.players.index(challenged.player)
        self.truth = self.truth.challenge(self.truth.players[by], upheld=upheld)
        place = [turn.event for turn in self.game.turns].index(challenged.event) + 1
        self.post(f"turns/{place}/challenge", ruling="off" if upheld else "stands", by=str(by))

    def look(self, which: int = 0, board: Board | None = None, age_s: float = 0.0) -> None:
        """Photograph the board. Where `which` is not 0, a hand lies over some squares."""
        reading = sharp(board or self.truth.board)
        if which:
            reading = veil(reading, *((at // 8, at % 8) for at in range(which % 40, which % 40 + 12)))
        width = 120 + len(self.reader.boards)
        self.reader.boards[width] = reading
        self.post("photo", photo=(io.BytesIO(jpeg(120, width)), "board.jpg"), age_s=age_s)

    def post(self, url: str, age_s: float = 0.0, **fields: Any) -> None:
        """Send a form that has to be carried out: from the computer, from the phone, or as a program does."""
        self.sent += 1
        way, scorer = self.sent % 3, self.scorers[self.sent % 2]
        call = self.call_of(url, **fields) if way == 2 else None
        if call is not None:
            answer = scorer.post(f"/api/v1/games/{self.id}/{call[0]}", json={"version": self.version, **call[1]})
        else:
            form = {"version": str(self.version), **fields}
            headers = {**BY_SCRIPT, "Photo-Age": str(age_s)}
            answer = scorer.post(f"/games/{self.id}/{url}", data=form, headers=headers)
        assert answer.status_code == 200, (url, answer.get_json())

    def call_of(self, url: str, **fields: str) -> tuple[str, dict[str, Any]] | None:
        """Return the call of the JSON interface that does the same as a form, with its fields; None without one."""
        if url in ("pass", "exchange"):
            return "turns", {"kind": url}
        if url == "play":
            return "turns", {"kind": url, "tiles": fields["tiles"], "insist": True}
        if url == "undo":
            return url, {}
        if url == "answer":
            return url, {"choice": int(fields["choice"])}
        if url == "dismiss":
            return "answer", {"dismiss": True}
        if url.endswith("/challenge"):
            by = self.truth.players[int(fields["by"])]
            return "turns", {"kind": "challenge", "upheld": fields["ruling"] == "off", "by": by}
        return None

    def settle(self) -> None:
        """Answer questions until the scoresheet is right, in at most as many steps as a patient family takes."""
        for _ in range(6):
            self.check()
            if self.is_asked():
                self.reply()
            elif not self.is_right():
                self.look()
        self.check()
        assert not self.is_asked()
        assert self.is_right(), (self.game.turns, self.truth.turns)
        for scorer in self.scorers:
            assert 'id="broken"' not in scorer.get(f"/games/{self.id}").get_data(as_text=True), "nobody broke a rule"

    def is_asked(self) -> bool:
        return self.services.games.open(self.id).question is not None

    def is_right(self) -> bool:
        return describe(self.game) == describe(self.truth)

    def reply(self) -> None:
        """Choose the answer that is true, else correct the sheet, enter what is missing, or skip."""
        self.answered += 1
        question = there(self.services.games.open(self.id).question)
        offered = () if question.kind == "none" else question.outcomes
        true = [
            at for at, each in enumerate(offered) if describe(each.revision.apply(self.game)) == describe(self.truth)
        ]
        pairs = zip(self.game.turns, self.truth.turns, strict=False)
        wrong = [(at, right.play) for at, (was, right) in enumerate(pairs, 1) if right.play and was.play != right.play]
        missing = [turn.play for turn in self.truth.turns[len(self.game.turns) :] if turn.play is not None]
        if true:
            self.post("answer", choice=str(true[0]))
        elif wrong:
            tiles = format_play(wrong[0][1])
            self.post(f"turns/{wrong[0][0]}/correct?to=play", tiles=tiles, accept=tiles)
        elif missing:
            tiles = format_play(missing[0])
            self.post("play", tiles=tiles, accept=tiles)
        else:
            self.post("dismiss")


def describe(game: Game) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Return a game's totals and turns, each with its player and its play in notation."""
    return game.totals, [(turn.player, "" if turn.play is None else format_play(turn.play)) for turn in game.turns]


def forgotten(family: Family, which: int) -> None:
    """Photograph only after the next player's turn."""
    family.play(which)
    family.play(which // 2)
    family.look()


def misheard(family: Family, which: int) -> None:
    """Enter another play by hand than was played, and correct it."""
    wrong = family.lawful(which + 1)
    tiles = format_play(wrong)
    family.post("play", tiles=tiles, accept=tiles)
    right = format_play(family.play(which))
    family.post(f"turns/{len(family.game.turns)}/correct?to=play", tiles=right, accept=right)


def miscorrect(family: Family, which: int) -> None:
    """Correct a turn that was right, and photograph the board before the mistake is noticed, or the next turn."""
    wrong = family.lawful(which + 1)
    photograph_board(family, which)
    family.settle()
    tiles = format_play(wrong)
    family.post(f"turns/{len(family.game.turns)}/correct?to=play", tiles=tiles, accept=tiles)
    if which % 2:
        family.play(which // 2)
    family.look()


def miss_turn(family: Family, which: int) -> None:
    """Enter only the second of two turns, if it fits by itself, and then put the first one in before it."""
    board = family.truth.board
    first, second = (family.play(each) for each in (which, which // 3))
    tiles = format_play(second)
    apart = all(board.stack(square) == family.truth.board.stack(square)[:-1] for square in second.squares)
    if not apart or {*first.squares} & {*second.squares}:
        return family.look()
    family.post("play", tiles=tiles, accept=tiles)
    put_in = format_play(first)
    family.post(f"turns/{len(family.game.turns)}/insert?to=play", tiles=put_in, accept=put_in)
    return None


def upheld(family: Family, which: int) -> None:
    """Challenge the last play; it comes off, perhaps only after a photograph that still shows it."""
    before, challenged = family.truth.board, family.truth.open_play
    if challenged is None or challenged.challenges:
        return
    family.challenge(upheld=True)
    if which % 2:
        family.look(board=before)
        family.settle()
    family.look()


def challenge_in_vain(family: Family, which: int) -> None:
    """Challenge the last play in vain."""
    if family.truth.open_play is None or family.truth.open_play.challenges:
        return
    family.challenge(upheld=False)


def undone(family: Family, which: int) -> None:
    """Undo a play that lies there; the next photograph finds it again."""
    family.play(which)
    family.look()
    family.settle()
    family.post("undo")
    family.look()


def pass_turn(family: Family, _: int) -> None:
    family.truth = family.truth.pass_turn()
    family.post("pass")


def exchange_tile(family: Family, _: int) -> None:
    if family.truth.exchange_problem is None:
        family.truth = family.truth.exchange()
        family.post("exchange")


def regret(family: Family, which: int) -> None:
    """Lay a word, photograph it, and take it off again before anybody else plays."""
    photograph_board(family, which)
    family.settle()
    family.truth = family.truth.take_back()
    family.look()


def late(family: Family, which: int) -> None:
    """Send a photograph of the board before the newest play only after that play's."""
    before = family.truth.board
    photograph_board(family, which)
    family.settle()
    sheet, was_asked = describe(family.game), family.is_asked()
    family.look(board=before, age_s=600)
    assert (describe(family.game), family.is_asked()) == (sheet, was_asked)


def photograph_board(family: Family, which: int) -> None:
    family.play(which)
    family.look()


def behind_a_hand(family: Family, which: int) -> None:
    family.play(which)
    family.look(which + 1)


DEEDS = (
    *(
        photograph_board,
        behind_a_hand,
        forgotten,
        misheard,
        miscorrect,
        miss_turn,
        upheld,
        challenge_in_vain,
        undone,
        pass_turn,
    ),
    *(exchange_tile, regret, late),
)


@pytest.fixture(scope="module")
def gather() -> Iterator[Callable[[], Family]]:
    """Gathers a family around a new game, all in one application."""
    reader = TrueReader()
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(config(Path(folder), reader, lexicons=SmallShelf()))
        yield lambda: Family(app, reader)
        services_of(app).close()


@pytest.mark.slow
@examples(12)
@given(st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 200)), max_size=5))
def test_whoever_plays_by_the_book_and_answers_truly_is_never_stuck_nor_accused(
    gather: Callable[[], Family], deeds: list[tuple[Callable[[Family, int], None], int]]
) -> None:
    family = gather()
    for deed, which in ((photograph_board, 3), *deeds):
        deed(family, which)
        family.settle()


@pytest.mark.parametrize("first_look", ["lift", "next play", "second play"])
def test_tiles_that_were_lifted_long_ago_may_be_played_again(gather: Callable[[], Family], first_look: str) -> None:
    """DEAR comes off.

    Two turns later somebody plays it on the same squares: nobody is asked to lift it, not even when that turn is
    undone, to be entered anew.
    """
    family = gather()
    bad, dear, bed, other_bed = "B@d4 A@e4 D@f4", "E@f5 A@f6 R@f7", "E@d5 D@d6", "E@e4"

    def lay(tiles: str, *, photographed: bool = True) -> None:
        family.truth = family.truth.play(parse_play(tiles))
        if photographed:
            family.look()
        else:
            family.post("play", tiles=tiles, accept=tiles)
        assert not family.is_asked()

    lay(bad)
    lay(dear)
    family.challenge(upheld=True)
    assert there(family.services.games.open(family.id).to_lift) == parse_play(dear)
    if first_look == "lift":
        family.look()
    lay(bed, photographed=first_look != "second play")
    lay(other_bed)
    lay(dear)
    assert family.is_right()
    family.post("undo")
    assert family.services.games.open(family.id).to_lift is None
    family.look()
    assert there(there(family.services.games.open(family.id).asked).outcomes[0].play) == parse_play(dear)
