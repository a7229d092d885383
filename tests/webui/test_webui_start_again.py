"""A game starts again from the board as it lies, where more turns were missed than anybody knows."""

from __future__ import annotations

import json
import re

import pytest
from flask.testing import FlaskClient
from presencekit import there
from webkit import EXAMPLE, Lobby, ScriptedReader, Site, finding, outcome, picture, read_error, sure, text

from engine import Board, parse_play, parse_square
from vision.turn.reasons import Doubt, Reason
from webui.ports import PositionReading
from webui.services import Services
from webui.table.games import OpenGame
from webui.table.question import offer_start_again

AGAIN = "Start again from this board"
LIES = parse_play(" ".join(EXAMPLE[:4]))
"""All that lies there after four turns, of which the sheet has one."""


def position(doubtful: str = "f5") -> PositionReading:
    """The board after four turns, as a photograph shows it."""
    board = Board.empty(8).with_play(LIES)
    squares = tuple(tuple((stack[-1] if stack else "", len(stack)) for stack in row) for row in board.stacks)
    return PositionReading(squares, (parse_square(doubtful),))


@pytest.fixture
def asked(services: Services, game: OpenGame, reader: ScriptedReader) -> OpenGame:
    """One turn is on the sheet, and three seem to have been missed."""
    reader.say([sure(EXAMPLE[0]), finding("play", outcome(*EXAMPLE[1:4], share=0.4), asked=True)])
    reader.position = position()
    services.intake.take(1, picture(), "upload")
    return services.intake.take(1, picture(), "upload").open_game


def read_form(client: FlaskClient, **changes: str) -> dict[str, str]:
    """Return the form that the page sends when nobody changes the board that was read."""
    page = text(client.get("/games/1/start-again"))
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)"(?: id="seen")? value="([^"]*)"', page))
    return {name: value.replace("&#34;", '"') for name, value in hidden.items()} | changes


def test_it_is_offered_where_more_than_two_turns_were_missed(client: FlaskClient, asked: OpenGame) -> None:
    assert AGAIN in text(client.get("/games/1"))


@pytest.mark.parametrize(("expected", "offered"), [(1, True), (2, True), (3, False)])
def test_as_many_turns_as_a_table_plays_between_photographs_are_not_too_many(
    asked: OpenGame, expected: int, offered: bool
) -> None:
    assert bool(offer_start_again(there(asked.question), expected)) == offered


def test_it_is_offered_where_one_answer_has_more_than_two_turns(site: Site) -> None:
    site.take(finding("play", outcome(*EXAMPLE[:2], share=0.4), outcome(*EXAMPLE[:3], share=0.3), asked=True))
    assert AGAIN in text(site.client.get("/games/1"))


@pytest.mark.parametrize("two", [False, True])
def test_it_is_not_offered_at_once_where_answers_can_tell(site: Site, two: bool) -> None:
    site.take(finding("play", outcome(*EXAMPLE[: 1 + two], share=0.4), asked=True))
    assert AGAIN not in text(site.client.get("/games/1"))
    assert AGAIN in text(site.client.get("/games/1/play"))  # "Another word ..."


def test_it_is_offered_where_nothing_explains_the_board(site: Site) -> None:
    site.take(finding("unclear", asked=True, reason=Doubt(Reason.INEXPLICABLE)))
    assert AGAIN in text(site.client.get("/games/1"))


def test_without_a_question_there_is_nothing_to_start_again_from(site: Site) -> None:
    assert AGAIN not in text(site.client.get("/games/1/play"))
    assert "Photograph the board first" in read_error(site.client.get("/games/1/start-again"))


def test_the_board_is_shown_to_check_first_with_the_totals_that_stay(lobby: Lobby, asked: OpenGame) -> None:
    page = text(lobby.client.get("/games/1/start-again"))
    assert "Red 8, Blue 0. The scores stay" in page
    assert "data-doubt" in page
    assert 'name="score0"' not in page
    assert "photo_key" not in page
    assert re.search(r'<option value="1" selected>Blue', page)
    assert lobby.services.games.open(1).row.version == asked.row.version


def test_the_board_as_it_lies_becomes_the_board_and_each_total_stays(lobby: Lobby, asked: OpenGame) -> None:
    response = lobby.client.post("/games/1/start-again", data=read_form(lobby.client, first="0"))
    assert (response.status_code, response.location) == (303, "/games/1")
    open_game = lobby.services.games.open(1)
    assert open_game.game.totals == {"Red": 8, "Blue": 0}
    assert open_game.game.board.tops() == Board.empty(8).with_play(LIES).tops()
    assert open_game.game.board.stack(parse_square("b4")) == ("M", "W")  # the M was on the sheet
    assert open_game.game.current_player == "Red"
    assert open_game.question is None
    assert open_game.belief.sheet_board == open_game.game.board
    assert open_game.belief.to_lift is None
    page = text(lobby.client.get("/games/1"))
    assert "The board was taken as it lies" in page
    assert AGAIN not in page


def test_what_was_put_right_on_the_board_is_taken(client: FlaskClient, services: Services, asked: OpenGame) -> None:
    form = read_form(client)
    rows = json.loads(form["position"])
    rows[0][0] = ["Qu", 2]
    client.post("/games/1/start-again", data={**form, "position": json.dumps(rows)})
    stack = services.games.open(1).game.board.stack(parse_square("a1"))
    assert (len(stack), stack[-1]) == (2, "Qu")


def test_undo_takes_it_back_and_leaves_no_tiles_to_lift(lobby: Lobby, asked: OpenGame) -> None:
    lobby.client.post("/games/1/start-again", data=read_form(lobby.client))
    open_game = lobby.services.games.open(1)
    lobby.client.post("/games/1/undo", data={"version": open_game.row.version})
    open_game = lobby.services.games.open(1)
    assert open_game.game.board == Board.empty(8).with_play(parse_play(EXAMPLE[0]))
    assert open_game.belief.to_lift is None
    assert "The board was taken as it lies" not in text(lobby.client.get("/games/1"))


def test_the_next_photograph_is_read_from_that_board(lobby: Lobby, asked: OpenGame) -> None:
    lobby.client.post("/games/1/start-again", data=read_form(lobby.client, first="1"))
    lobby.photograph(sure(EXAMPLE[4]))
    assert lobby.reader.queries[-1].belief.board.tops() == Board.empty(8).with_play(LIES).tops()
    open_game = lobby.services.games.open(1)
    assert [(turn.player, turn.points) for turn in open_game.game.turns] == [("Red", 8), ("Blue", 12)]
    rows = re.findall(r'<tr (?:class="taken" )?role="row">|taken as it lies', text(lobby.client.get("/games/1")))
    assert rows.index("taken as it lies") == len(rows) - 3  # above the row of turn 2 and that of the totals
    assert "taken as it lies" in text(lobby.client.get("/games/1/print"))
    for page in ("turns/1", "turns/2", "replay?at=1", "replay?at=2", "charts", "export.csv"):
        assert lobby.client.get(f"/games/1/{page}").status_code == 200


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"first": "2"}, "Who is next?"),
        ({"position": "[]"}, "8 × 8"),
        ({"position": json.dumps([[["", 0]] * 8] * 8)}, "no tile lies on the board"),
        ({"version": "1"}, "just changed the game"),
    ],
)
def test_a_board_that_cannot_be_changes_nothing(
    lobby: Lobby, asked: OpenGame, changes: dict[str, str], line: str
) -> None:
    response = lobby.client.post("/games/1/start-again", data=read_form(lobby.client, **changes))
    assert response.status_code in (400, 409)
    assert line in read_error(response)
    assert lobby.services.games.open(1).row == asked.row
