"""Plays that break the rules of placing, entered because the table insists: everything downstream copes."""

from __future__ import annotations

import json

import pytest
from enginekit import game_after, load_position, position_text

from engine import EDITIONS, Game, Lexicon, parse_play
from engine.formats.csv_text import game_csv
from engine.formats.game_json import Position, game_from_dict, game_to_dict
from engine.formats.notation import format_game, parse_game
from engine.game.events import Played
from engine.solver.search import legal_plays, plays_on
from engine.squares import parse_squares

LEXICON = Lexicon.from_words(["CAT", "CATE", "AT", "ETA", "EAT", "TEA", "ATT", "TAT", "TA"])
PLAYS = ["a1-CAT", "A@e4 T@e6", "C@a1", "g8-AT"]
"""Off the centre, with a gap and not connected; the same letter on the same; not connected."""


@pytest.fixture
def game() -> Game:
    return game_after(Game.start(EDITIONS["8x8"], ["Red", "Blue"], lexicon=LEXICON), *PLAYS)


def test_each_is_recorded_with_what_it_breaks(game: Game) -> None:
    rules = [[b.rule for b in record.verdict.breaches] for record in game.turns if record.verdict]
    assert rules == [["3"], ["4-line", "4-connect"], ["5-same"], ["4-connect"]]


def test_the_game_comes_back_from_every_format(game: Game) -> None:
    assert game_from_dict(json.loads(json.dumps(game_to_dict(game))), LEXICON) == game
    assert parse_game(format_game(game), LEXICON) == game
    assert [line.split(",")[7] for line in game_csv(game).splitlines()[1:]] == ["no"] * 4


def test_the_position_comes_back_and_says_what_is_odd(game: Game) -> None:
    position = load_position(position_text(Position(EDITIONS["8x8"], game.board)))
    assert position.board == game.board
    assert position.oddities == (
        "e4, e6, g8 and h8 are not joined to the other tiles (Rule 4)",
        "a letter lies on the same letter at a1 (Rule 5)",
    )
    again = Game.start(position.edition, ["Red", "Blue"], lexicon=LEXICON, board=position.board)
    assert again.flags == position.oddities
    assert again.play(parse_play("c4-ETA")).turns[0].verdict is not None


def test_the_solver_plays_on(game: Game) -> None:
    found = legal_plays(game.board, ["E", "T", "A"], edition=EDITIONS["8x8"], lexicon=LEXICON)
    assert found
    assert all(game.judge(play.play).legal for play in found)
    squares = parse_squares("e5")
    assert [play.words[0].word for play in plays_on(
        game.board, squares, None, edition=EDITIONS["8x8"], lexicon=LEXICON
    )] == ["ATT"]  # fmt: skip


def test_a_correction_and_an_undo_rescore_it(game: Game) -> None:
    put_right = game.correct(0, Played(parse_play("c4-CAT"))).game
    assert put_right.turns[0].verdict is not None
    assert put_right.turns[0].verdict.breaches == ()
    assert game.undo().redo().state == game.state
