"""The scoresheet: rows by round, running totals, marks."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from webkit import EXAMPLE, Site, after_plays, example, new_game, text

from engine import Board, parse_play, parse_square
from engine.game.events import Challenged
from webui.services import Services
from webui.table.games import OpenGame
from webui.views.answers import words_text
from webui.views.board import view_board
from webui.views.game import board_before, last_squares
from webui.views.sheet import view_sheet, view_turns


def plain(page: str) -> str:
    """Return the words of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_the_example_game_fills_its_sheet() -> None:
    sheet = view_sheet(example(), with_photo={2})
    assert [[[turn.points for turn in turns] for turns in row] for row in sheet.rounds] == [
        [[8], [8]],
        [[10], [5]],
        [[12], [14]],
        [[16], []],
    ]
    assert [turns[-1].total for turns in (sheet.rounds[3][0], sheet.rounds[2][1])] == [46, 27]
    (turn,) = sheet.rounds[2][1]
    assert [(word.word, word.points) for word in turn.words] == [("SNACK", 7), ("LEAN", 7)]
    assert turn.sentence == "Blue played SNACK and LEAN for 14 points."
    assert "1 point for every tile" in turn.words[0].explanation
    assert (turn.total, turn.last, turn.photo) == (27, False, False)
    assert sheet.rounds[0][1][0].photo


def test_a_play_against_the_rules_is_marked_and_explained() -> None:
    game = new_game().play(parse_play("X@a1 X@b1"))
    (turn,) = view_turns(game)
    assert turn.marks == ("breaks a rule", "check the tiles")
    assert [text.partition(":")[0] for text in turn.broken] == ["Rule 3, first play"]
    (challenged,) = view_turns(game.challenge("Blue", upheld=False))
    assert challenged.marks == ("not in the word list", "breaks a rule", "check the tiles")
    assert challenged.ruling == "challenged by Blue, stands"
    assert challenged.challenged == ("Blue challenged it, and it stands by the table's own dictionary.",)
    assert turn.points == 4


def test_a_play_that_came_off_stays_on_the_sheet_and_shares_its_round() -> None:
    game = new_game().play(parse_play(EXAMPLE[0])).with_event(Challenged(None, upheld=True))
    game = game.play(parse_play("C@b4 A@c4 T@d4")).play(parse_play("O@e4"))
    (row,) = view_sheet(game).rounds
    first, second = row[0]
    assert (first.points, first.taken_back, first.marks, first.ruling) == (0, True, (), "taken back")
    assert first.sentence == "Red took back MOOD."
    assert (second.points, second.total) == (6, 6)
    assert [turn.points for turn in row[1]] == [8]


def test_the_sheet_says_who_challenged_and_what_the_table_ruled() -> None:
    game = new_game().play(parse_play(EXAMPLE[0]))
    assert view_turns(game)[0].ruling == ""
    (stands,) = view_turns(game.challenge("Blue", upheld=False))
    assert (stands.ruling, stands.marks) == ("challenged by Blue, stands", ())
    (off,) = view_turns(game.challenge("Blue", upheld=True))
    assert off.ruling == "challenged by Blue, came off"
    assert off.sentence == "Red's MOOD came off."


@pytest.mark.parametrize("page", ["/games/1", "/games/1/print"])
def test_the_end_shows_what_the_tiles_left_cost(
    client: FlaskClient, services: Services, game: OpenGame, page: str
) -> None:
    open_game = after_plays(services, game, *EXAMPLE)
    assert re.search(r"Total \w+ 46 \w+ 27", plain(text(client.get(page))))
    services.games.change(open_game, lambda game: game.end("agreed", (1, 3)))
    left = "Tiles left 1 left:? \N{MINUS SIGN}5 3 left:? \N{MINUS SIGN}15"
    assert re.search(rf"{left} Total \w+ 41 \w+ 12", plain(text(client.get(page))))


def test_the_board_before_a_turn_is_the_one_it_was_judged_on() -> None:
    game = example().pass_turn()
    off = game.challenge("Blue", upheld=True)
    for place in range(1, len(game.turns) + 1):
        assert board_before(off, place) == board_before(game, place) == game.board_after(place - 1)
    assert off.board != game.board
    assert last_squares(game) == parse_play(EXAMPLE[-1]).squares


def test_words_in_one_line() -> None:
    game = new_game().play(parse_play(EXAMPLE[0]))
    assert words_text(game.judge(parse_play(EXAMPLE[1]))) == "DEAR 8"
    assert words_text(game.judge(parse_play("Z@a1"))) == "no word"


def test_a_board_in_words() -> None:
    assert view_board(Board.empty(8)).text == "The board is empty."
    game = example()
    view = view_board(game.board, new=last_squares(game))
    assert "e7: N, 3 high" in view.text
    assert "g5: S, new" in view.text
    square = view.rows[6][4]
    assert (square.name, square.face, square.height, square.new) == ("e7", "N", 3, False)
    assert [square.middle for square in view.rows[3]] == [False] * 3 + [True] * 2 + [False] * 3
    assert view.rows[3][3].name == "d4"
    assert parse_square("d4").row == 3


@examples(60)
@given(st.integers(1, 4), st.lists(st.sampled_from(["play", "pass", "exchange", "challenge"]), max_size=14))
def test_every_turn_stands_once_in_its_players_column(players: int, happenings: list[str]) -> None:
    game = new_game(*(f"P{at}" for at in range(players)))
    column = 0
    for what in happenings:
        if what == "play" and column < 8:
            game = game.play(parse_play(f"A@{'abcdefgh'[column]}4"))
            column += 1
        elif what == "challenge" and game.state.before_play is not None:
            game = game.with_event(Challenged(None, upheld=True))
        elif what == "exchange" and players > 1 and game.state.again is None:
            game = game.exchange()
        else:
            game = game.pass_turn()
    sheet = view_sheet(game)
    cells = [turn for row in sheet.rounds for turns in row for turn in turns]
    assert [turn.place for turn in cells] == list(range(1, len(game.turns) + 1))
    for at, name in enumerate(game.players):
        mine = [turn for row in sheet.rounds for turn in row[at]]
        assert all(turn.player == name for turn in mine)
        assert sum(turn.points for turn in mine) == game.totals[name]
        assert not mine or mine[-1].total == game.totals[name]


def test_the_board_after_a_turn_is_sent_alone(site: Site) -> None:
    site.after_plays(*EXAMPLE[:3])
    second = text(site.client.get("/games/1/board/2"))
    assert "Board after turn 2" in second
    assert second.count('class="tile') == 7
    assert "Board at the start" in text(site.client.get("/games/1/board/0"))
    newest = text(site.client.get("/games/1/board/9"))
    assert "Board after turn 3" in newest, "the game may have been corrected meanwhile"
    assert len(newest) < 20_000
