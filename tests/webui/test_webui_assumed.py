"""Heights that the photograph of the start left in doubt: they are asked about once, when a play counts them."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from enginekit import play_all
from turnkit import DEAR, EAR, EMPTY, MOOD, at, sharp
from webkit import EXAMPLE, FORM, Lobby, finding, jpeg, outcome, read_error, text

from engine import Board, parse_play, parse_square
from vision import Belief, BoardReading, Finding
from vision.turn.reasons import Doubt, Reason
from vision.turn.steps import take_look
from webui.ports import PositionReading
from webui.table.games import OpenGame

CHECK = "Please check what lies on e4. This play counts it."
WOOD = play_all(DEAR, "W@b4")


def read_form(page: str) -> dict[str, str]:
    """Return the hidden fields of the page on which a board is checked."""
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)"(?: id="\w+")? value="([^"]*)"', page))
    return {name: value.replace("&#34;", '"') for name, value in hidden.items()}


def position(board: Board, *doubtful: str) -> PositionReading:
    squares = tuple(tuple((stack[-1] if stack else "", len(stack)) for stack in row) for row in board.stacks)
    return PositionReading(squares, tuple(map(parse_square, doubtful)))


def begin(lobby: Lobby, *doubtful: str, board: Board = MOOD, **changes: str) -> OpenGame:
    """Begin a game from a photograph of a board that leaves squares in doubt; `changes` are what people correct."""
    lobby.reader.position = position(board, *doubtful)
    form = read_form(text(lobby.upload("/games", jpeg(), **FORM)))
    assert lobby.client.post("/games", data={**form, **changes}).location == "/games/1"
    return lobby.services.games.open(1)


def look(lobby: Lobby, board: Board, likely: float = 0.6) -> tuple[Belief, Finding]:
    """Return what a look at the board says. The height of the stack on e4 is `likely` that of the board."""
    query = lobby.services.intake.query(lobby.services.games.open(1))
    seen: BoardReading = sharp(board)
    height = board.height(parse_square("e4"))
    seen.height_probs[at("e4")] = 0.0
    seen.height_probs[at("e4")][[height, height + 1]] = likely, 1.0 - likely
    belief, found = take_look(query.belief, seen, query.settings)
    return belief, replace(found, reading=seen)


def send(lobby: Lobby, what: str, **fields: str) -> OpenGame:
    version = lobby.services.games.open(1).row.version
    response = lobby.client.post(f"/games/1/{what}", data={"version": version, **fields})
    assert response.status_code == 303, text(response)
    return lobby.services.games.open(1)


def test_a_doubtful_stack_is_asked_about_when_a_play_counts_it_and_only_once(lobby: Lobby) -> None:
    assert begin(lobby, "e4", "a1").belief.assumed == {parse_square("e4")}, "no stack lies on a1"
    lobby.photograph(look(lobby, DEAR))
    page = text(lobby.client.get("/games/1"))
    assert CHECK in page
    assert "DEAR: 8 points" in page
    assert re.findall(r'name="height" value="(\d)" aria-pressed="true"', page) == ["1"]
    assert send(lobby, "answer", choice="0").game.totals == {"Red": 8, "Blue": 0}
    lobby.photograph(look(lobby, WOOD))
    after = lobby.services.games.open(1)
    assert (after.question, len(after.game.turns)) == (None, 2)


def test_the_height_that_the_table_says_counts_for_the_play(lobby: Lobby) -> None:
    begin(lobby, "e4")
    lobby.photograph(look(lobby, DEAR))
    said = send(lobby, "height", square="e4", height="2")
    assert said.game.board.stack(parse_square("e4"))[-1:] == ("D",)
    assert said.game.board.height(parse_square("e4")) == 2
    page = text(lobby.client.get("/games/1"))
    assert CHECK in page
    assert "DEAR: 5 points" in page
    assert re.findall(r'name="height" value="(\d)" aria-pressed="true"', page) == ["2"]
    after = send(lobby, "answer", choice="0")
    assert (after.game.totals, after.belief.assumed) == ({"Red": 5, "Blue": 0}, frozenset())
    assert after.belief.sheet_board == after.game.board
    assert after.belief.to_lift is None
    higher = play_all(EMPTY, "A@e4", *EXAMPLE[:2], "W@b4")
    lobby.photograph(look(lobby, higher))
    assert lobby.services.games.open(1).question is None


def test_a_stack_under_a_tile_of_the_play_is_said_with_that_tile(lobby: Lobby) -> None:
    begin(lobby, "e4")
    lobby.photograph(look(lobby, play_all(MOOD, "L@e4")))
    page = text(lobby.client.get("/games/1"))
    assert re.findall(r'name="height" value="(\d)" aria-pressed="(\w+)"', page)[:2] == [("2", "true"), ("3", "false")]
    said = send(lobby, "height", square="e4", height="3")
    assert said.game.board.height(parse_square("e4")) == 2
    assert send(lobby, "answer", choice="0").game.board.height(parse_square("e4")) == 3


def test_a_look_that_is_sure_of_the_stack_asks_nothing(lobby: Lobby) -> None:
    begin(lobby, "e4")
    lobby.photograph(look(lobby, DEAR, likely=0.96))
    after = lobby.services.games.open(1)
    assert (after.question, after.belief.assumed) == (None, frozenset())
    assert after.game.totals == {"Red": 8, "Blue": 0}


def test_a_stack_that_somebody_looked_at_is_known(lobby: Lobby) -> None:
    assert begin(lobby, "e4", assumed="").belief.assumed == frozenset()
    lobby.photograph(look(lobby, DEAR))
    assert lobby.services.games.open(1).question is None


def test_the_doubts_outlive_a_mistake_in_the_points_and_a_restart(lobby: Lobby) -> None:
    lobby.reader.position = position(MOOD, "e4")
    form = read_form(text(lobby.upload("/games", jpeg(), **FORM)))
    again = lobby.client.post("/games", data={**form, "score0": "many"})
    assert again.status_code == 400
    page = text(again)
    assert "data-doubt" in page
    lobby.client.post("/games", data={**read_form(page), "score0": "3"})
    assert json.loads(lobby.services.store.game(1).belief or "{}")["assumed"] == ["e4"]


def test_a_question_about_something_else_asks_for_the_height_too(lobby: Lobby) -> None:
    begin(lobby, "e4")
    belief, found = look(lobby, DEAR)
    lobby.photograph((belief, replace(found, reason=Doubt(Reason.DOUBT))))
    page = text(lobby.client.get("/games/1"))
    assert "It isn't clear what was played. Check the play." in page.replace("&#39;", "'")
    assert CHECK in page
    assert send(lobby, "answer", choice="0").belief.assumed == frozenset()


def test_a_stack_that_looks_of_another_height_is_put_right_where_it_is_asked_about(lobby: Lobby) -> None:
    begin(lobby, board=play_all(EMPTY, "A@e4", EXAMPLE[0]))
    lobby.photograph(look(lobby, DEAR, likely=1.0))
    page = text(lobby.client.get("/games/1"))
    assert "The stack on e4 looks 1 high, but this play counts it as 2. Which is right?" in page
    assert "Start again from this board" not in page
    send(lobby, "height", square="e4", height="1")
    assert CHECK in text(lobby.client.get("/games/1"))
    after = send(lobby, "answer", choice="0")
    assert (after.game.totals, after.belief.to_lift) == ({"Red": 8, "Blue": 0}, None)
    assert after.belief.sheet_board == after.game.board


def test_a_stack_that_looks_higher_than_before_may_have_been_so_from_the_start(lobby: Lobby) -> None:
    begin(lobby)
    lobby.photograph(look(lobby, DEAR, likely=0.0))
    page = text(lobby.client.get("/games/1"))
    assert "Was D put on e4 this turn?" in page
    assert CHECK in page
    send(lobby, "height", square="e4", height="2")
    assert CHECK in text(lobby.client.get("/games/1"))
    assert send(lobby, "answer", choice="0").game.totals == {"Red": 5, "Blue": 0}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"square": "b4", "height": "2"}, "just changed the game"),
        ({"square": "k9", "height": "2"}, "just changed the game"),
        ({"square": "e4", "height": "6"}, "Which answer was meant?"),
        ({"square": "e4", "height": "0"}, "Which answer was meant?"),
        ({"square": "e4", "height": "high"}, "Which answer was meant?"),
        ({"square": "e4", "height": "2", "version": "1"}, "just changed the game"),
    ],
)
def test_a_height_that_cannot_be_changes_nothing(lobby: Lobby, fields: dict[str, str], line: str) -> None:
    begin(lobby, "e4")
    lobby.photograph(look(lobby, DEAR))
    before = lobby.services.games.open(1)
    response = lobby.client.post("/games/1/height", data={"version": before.row.version, **fields})
    assert response.status_code in (400, 409)
    assert line in read_error(response)
    assert lobby.services.games.open(1).row == before.row


def test_a_said_height_was_there_from_the_start_so_earlier_turns_can_still_be_corrected(lobby: Lobby) -> None:
    begun = begin(lobby, "e4")
    lobby.services.intake.enter(begun, parse_play("W@b4"), begun.row.version)
    lobby.photograph(look(lobby, WOOD))
    said = send(lobby, "height", square="e4", height="2")
    assert [turn.kind for turn in said.game.turns] == ["play"]
    assert said.game.turns[0].points == 2 + 1 + 1 + 2
    send(lobby, "answer", choice="0")
    after = send(lobby, "turns/1/correct", kind="play", tiles="F@b4")
    board = after.game.board
    assert board.stack(parse_square("b4")) == ("M", "F")
    assert (board.height(parse_square("e4")), len(after.game.turns)) == (2, 2)


def test_an_answer_that_counts_no_open_stack_leaves_it_open(lobby: Lobby) -> None:
    begin(lobby, "e4")
    belief, found = look(lobby, DEAR)
    elsewhere = outcome("N@d5", share=0.1)
    lobby.photograph((belief, replace(found, outcomes=(*found.outcomes, elsewhere))))
    assert send(lobby, "answer", choice="1").belief.assumed == {parse_square("e4")}


def test_answers_that_a_said_height_rules_out_are_gone(lobby: Lobby) -> None:
    begin(lobby, "e4")
    best, other = outcome(EAR, share=0.6), outcome("L@e4", share=0.3)
    lobby.photograph(finding("play", best, other, asked=True))
    question = send(lobby, "height", square="e4", height="5").question
    assert question is not None
    assert question.outcomes == (best,)


def test_a_game_that_starts_again_from_a_photograph_assumes_what_that_leaves_in_doubt(lobby: Lobby) -> None:
    begin(lobby, "e4")
    lobby.photograph(finding("unclear", asked=True, reason=Doubt(Reason.INEXPLICABLE)))
    lobby.reader.position = position(DEAR, "e6")
    form = read_form(text(lobby.client.get("/games/1/start-again")))
    lobby.client.post("/games/1/start-again", data={**form, "first": "1"})
    assert lobby.services.games.open(1).belief.assumed == {parse_square("e6")}
