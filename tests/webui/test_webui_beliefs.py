"""What is believed of a game: kept with it, told to the reader, in line with the sheet whatever became of either."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples
from webkit import EXAMPLE, Site, because, doubt, edit_store, finding, make_finding, outcome, picture, sure, version

from engine import Board, parse_play, parse_square
from engine.game.events import Passed
from vision import Belief, Look, certain
from vision.heights.thickness import THICKNESSES
from vision.turn.belief import Knowledge, Reference
from vision.turn.prior import Gap
from webui.errors import WebError
from webui.services import Services
from webui.storage.schema import MIGRATIONS
from webui.storage.store import FILE_NAME, Store
from webui.table.games import Games, OpenGame, sheet_belief
from webui.table.question import Question, dump_question, load_question, question_text

FIRST = parse_play(EXAMPLE[0])
PLAYED = Board.empty(8).with_play(FIRST)


def a_look() -> Look:
    """A look at an 8x8 board, all of it in view, that tells no stack from another."""
    return Look(8, np.ones((8, 8, 34), np.float16).tobytes())


def look_at(game: OpenGame) -> Belief:
    """Return the belief after a look: the game stands as on its sheet, and a question was left open."""
    found = certain(game.game.board)
    return Belief(
        found.start, (), (a_look(),), (Gap(),), Gap(open=True), knowledge=Knowledge((-1.0,) * len(THICKNESSES))
    )


ASKED = finding(
    *("play", outcome(EXAMPLE[0], share=0.6), outcome("M@b4 O@c4 O@d4 B@e4", share=0.4)),
    asked=True,
    square=parse_square("e4"),
    reason=because("D or B at e4?"),
)
UNCLEAR = make_finding("unclear", "A hand.")


def put(services: Services, **columns: object) -> None:
    """Put something into the stored game behind the application's back."""
    for name, value in columns.items():
        edit_store(services.store.path, f"UPDATE games SET {name} = ?", value)


def test_what_a_look_makes_of_it_is_kept_and_told_to_the_next(site: Site) -> None:
    site.reader.say([(look_at(site.game), ASKED), make_finding("none")])
    site.services.intake.take(1, picture(), "upload")
    again = Games(Store(site.services.config.data_dir), site.services.config.lexicons, site.services.announcer)
    assert again.open(1).belief == look_at(site.game)
    site.services.intake.take(1, picture(), "upload")
    assert site.reader.queries[1].belief == look_at(site.game)


def test_an_answer_makes_the_newest_look_one_at_a_board_that_is_certain(site: Site) -> None:
    asked = site.take((look_at(site.game), ASKED))
    after = site.services.intake.answer(asked, 0, asked.row.version).belief
    assert (after.sheet_board, after.last_play, after.looks) == (PLAYED, FIRST, ())
    assert after.reference == Reference(PLAYED, a_look())
    assert after.knowledge == look_at(site.game).knowledge


def test_a_picture_that_was_put_aside_leaves_the_doubt(site: Site) -> None:
    unclear = (look_at(site.game), UNCLEAR)
    site.reader.say([unclear, (look_at(site.game), ASKED)])
    asked = site.services.intake.take(1, picture(), "upload").open_game
    assert site.services.intake.dismiss(asked, asked.row.version).belief == look_at(site.game)
    asked = site.services.intake.take(1, picture(), "upload").open_game
    assert site.services.intake.dismiss(asked, asked.row.version).belief.gap == Gap()


def test_what_the_table_enters_itself_is_certain(site: Site) -> None:
    after = site.services.intake.enter(site.game, FIRST, site.game.row.version)
    assert after.belief == replace(certain(PLAYED, FIRST), typed=FIRST)
    passed = site.services.games.change(after, lambda before: before.with_event(Passed()))
    assert passed.belief == after.belief
    undone = site.services.games.change(passed, lambda before: before.undo().undo())
    assert undone.belief == replace(certain(Board.empty(8)), to_lift=FIRST)


def test_a_pass_while_it_is_open_what_was_played_is_remembered_until_it_is_undone(site: Site) -> None:
    open_game = site.take((look_at(site.game), UNCLEAR))
    passed = site.services.games.change(open_game, lambda before: before.pass_turn())
    assert passed.belief.gap == Gap(open=True, passed=1)
    twice = site.services.games.change(passed, lambda before: before.pass_turn())
    once = site.services.games.change(twice, lambda before: before.undo())
    assert (twice.belief.gap.passed, once.belief.gap.passed) == (2, 1)
    undone = site.services.games.change(once, lambda before: before.undo())
    assert undone.belief.gap == Gap(open=True)
    exchanged = site.services.games.change(undone, lambda before: before.exchange())
    assert exchanged.belief.gap.passed
    again = Games(Store(site.services.config.data_dir), site.services.config.lexicons, site.services.announcer)
    assert again.open(1).belief == exchanged.belief


def test_a_pass_of_before_that_never_happened_says_nothing_of_the_one_that_did(site: Site) -> None:
    slip = site.services.games.change(site.game, lambda before: before.pass_turn())
    open_game = site.take((look_at(slip), UNCLEAR))
    passed = site.services.games.change(open_game, lambda before: before.pass_turn())
    assert passed.belief.gap.passed == 1
    assert site.services.games.change(passed, lambda before: before.remove(0).game).belief.gap.passed == 1


def test_the_end_of_the_game_says_when_the_last_photograph_was_not_understood(site: Site) -> None:
    """While its question waits, the page says that instead."""
    asked = site.take((look_at(site.game), UNCLEAR))
    assert "wasn&rsquo;t clear" not in site.client.get("/games/1/end").get_data(as_text=True)
    site.services.intake.dismiss(asked, asked.row.version)
    assert "wasn&rsquo;t clear" in site.client.get("/games/1/end").get_data(as_text=True)


def test_the_end_of_the_game_says_no_more_of_a_photograph_whose_turn_was_told(site: Site) -> None:
    """One of two pictures without a board may have been of another turn, but not the last one."""
    asked = site.take((replace(look_at(site.game), looks=(), gaps=(), gap=Gap(unseen=2)), UNCLEAR))
    told = site.services.intake.enter(asked, FIRST, asked.row.version)
    assert told.belief.in_doubt
    assert "wasn&rsquo;t clear" not in site.client.get("/games/1/end").get_data(as_text=True)
    site.services.games.change(told, lambda before: before.undo())
    assert "wasn&rsquo;t clear" in site.client.get("/games/1/end").get_data(as_text=True)


def test_a_look_at_another_board_than_the_sheets_is_not_kept(site: Site) -> None:
    after = site.take((look_at(site.game), sure(EXAMPLE[0])))
    assert after.belief.sheet_board == after.game.board == PLAYED


@pytest.mark.parametrize("damage", ["cut off", "newer", "no object", "no JSON"])
def test_a_belief_that_cannot_be_used_gives_way_to_the_sheet(
    site: Site, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    site.reader.say([sure(EXAMPLE[0]), ASKED])
    site.services.intake.take(1, picture(), "upload")
    kept = there(site.services.store.game(1).belief)
    newer = json.dumps({**json.loads(kept), "version": 99})
    damaged = {"cut off": kept[: len(kept) // 2], "newer": newer, "no object": "[]", "no JSON": "?"}
    put(site.services, belief=damaged[damage])
    open_game = site.now()
    assert open_game.belief == sheet_belief(open_game.game) == certain(PLAYED, FIRST)
    (line,) = caplog.messages
    assert line.startswith("Game 1: ")
    page = site.client.get("/games/1")
    assert page.status_code == 200
    assert "It goes on from the scoresheet" in page.get_data(as_text=True)


def test_a_belief_of_another_board_gives_way_to_the_sheet(site: Site) -> None:
    site.services.intake.enter(site.game, FIRST, site.game.row.version)
    kept = site.services.store.game(1).belief
    undone = site.services.games.change(site.now(), lambda before: before.undo())
    put(site.services, belief=kept)
    assert site.now().belief == sheet_belief(undone.game)


def test_a_game_of_an_older_store_opens_and_an_old_question_is_dropped(site: Site, tmp_path: Path) -> None:
    site.services.intake.enter(site.game, FIRST, site.game.row.version)
    choice = {"play": EXAMPLE[1], "confidence": 0.8, "earlier": None}
    old = {"photo": "0" * 24, "kind": "play", "choices": [choice], "question": "e7", "reason": "R or P?"}
    row = site.services.store.game(1)
    folder = tmp_path / "older"
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE_NAME)) as store:
        store.executescript(f"{''.join(MIGRATIONS[:3])} PRAGMA user_version = 3;")
        fields = (row.created_at, row.updated_at, 2, row.title, row.summary, row.log, "standard", json.dumps(old))
        store.execute("INSERT INTO games VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)", fields)
        store.commit()
    open_game = Games(Store(folder), site.services.config.lexicons, site.services.announcer).open(1)
    assert (open_game.question, open_game.row.belief) == (None, None)
    assert open_game.belief == certain(PLAYED, FIRST)
    assert open_game.game == site.now().game


def test_of_two_who_answer_at_once_the_second_is_told_so(site: Site) -> None:
    site.reader.say([doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4"), doubt(EXAMPLE[1])])
    site.services.intake.take(1, picture(), "upload")
    form = {"version": version(site.services, site.game), "choice": "0"}
    assert site.client.post("/games/1/answer", data=form).status_code == 303
    before = site.now()
    assert site.client.post("/games/1/answer", data={**form, "choice": "1"}).status_code == 409
    assert site.now() == before
    site.services.intake.take(1, picture(), "upload")
    before = site.now()
    assert site.client.post("/games/1/answer", data=form).status_code == 409
    assert site.client.post("/games/1/dismiss", data=form).status_code == 409
    assert site.now() == before


@pytest.mark.parametrize(
    "stored",
    [
        *("", "null", "[]", "-1", "1.5", '"x"', "\0", "{", "[" * 100_000, '{"choices": 1}', '{"choices": [1]}'),
        '{"photo": "0", "kind": "play", "choices": [], "question": "z99", "reason": null}',
        '{"photo": "0", "kind": "plax", "choices": [], "question": null, "reason": null}',
        '{"photo": "0", "kind": "play", "choices": [], "question": null, "reason": 5}',
        *(
            f'{{"photo": "0", "kind": "unclear", "choices": [], "question": null, "reason": {reason}}}'
            for reason in (
                '{"name": "OTHER_HEIGHT", "details": ["a1"]}',
                '{"name": "NOT_READ", "details": []}',
                '{"name": "GRID", "details": ["X"]}',
                '{"name": "TILE_GONE", "details": []}',
                '{"name": "TILE_GONE", "details": "a"}',
                '{"name": "TILE_GONE", "details": [{"text": "%(x)s", "values": {}}]}',
            )
        ),
    ],
)
def test_a_question_that_is_damaged_keeps_no_page_from_opening_and_is_told(site: Site, stored: str) -> None:
    site.take(ASKED)
    put(site.services, pending=stored)
    for path in ("/games", "/api/v1/games", "/api/v1/games/1"):
        assert site.client.get(path).status_code == 200, path
    shown = site.client.get("/games/1").get_data(as_text=True)
    assert "The question that was open can&#39;t be read any more. Photograph the board again." in shown
    site.reader.say([ASKED])
    asked = site.services.intake.take(1, np.flipud(picture()), "upload").open_game
    assert asked.question is not None
    assert "read any more" not in site.client.get("/games/1").get_data(as_text=True)


@examples(50)
@given(st.data())
def test_no_changed_byte_of_a_question_keeps_the_page_from_opening(data: st.DataObject) -> None:
    question = Question("0123456789abcdef01234567", "play", ASKED.answers, parse_square("e4"), ASKED.reason)
    changed = bytearray(dump_question(question).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 127))
    with suppress(WebError):
        read = load_question(changed.decode())
        assert read is None or question_text(read)
