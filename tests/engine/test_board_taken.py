"""The board is taken as it lies, where turns were missed that nobody knows any more: totals stay, play goes on."""

from __future__ import annotations

import pytest

from engine import Board, Game, GameError, UpscoreError, find_edition, parse_play, parse_square
from engine.analysis.solo_record import solo_total
from engine.errors import PositionError
from engine.formats.csv_text import game_csv
from engine.formats.game_json import game_from_dict, game_to_dict
from engine.formats.notation import format_game, parse_game
from engine.game.events import BoardTaken, Played
from engine.game.seen_board import with_height
from engine.game.undo import undo_text

CLASSIC = find_edition("8x8")
LIES = parse_play("M@b4 W@b4 O@c4 O@d4 D@e4 E@e5 A@e6 R@e7")


def take_board(player: int = 0) -> Game:
    """Return a game of MOOD in which turns were then missed, and the board was taken as it lay, this player next."""
    game = Game.start(CLASSIC, ["Red", "Blue"]).play(parse_play("b4-MOOD"))
    return game.with_event(BoardTaken(LIES, player))


def test_the_totals_stay_and_the_board_is_what_lies_there() -> None:
    game = take_board(player=1)
    assert game.totals == {"Red": 8, "Blue": 0}
    assert game.board == Board.empty(8).with_play(LIES)
    assert len(game.turns) == 1
    assert (game.current_player, game.state.number) == ("Blue", 2)


@pytest.mark.parametrize("player", [0, 1])
def test_play_goes_on_from_that_board_with_the_player_named(player: int) -> None:
    game = take_board(player).play(parse_play("S@e8"))
    assert game.turns[-1].player == game.players[player]
    assert [word.word for word in game.turns[-1].verdict.words] == ["DEARS"]  # type: ignore[union-attr]


def test_the_racks_and_the_pile_are_counted_from_that_board() -> None:
    assert take_board().pile == 64 - 8 - 14


def test_no_play_from_before_can_be_challenged() -> None:
    assert take_board().open_play is None
    with pytest.raises(GameError, match="no play to challenge"):
        take_board().challenge("Blue", upheld=True)


def test_passes_from_before_do_not_end_the_game() -> None:
    game = Game.start(CLASSIC, ["Red", "Blue"]).play(parse_play("b4-MOOD")).pass_turn()
    assert game.pass_turn().end_offers()
    assert not game.with_event(BoardTaken(LIES, 0)).pass_turn().end_offers()


def test_undo_takes_it_back() -> None:
    game = take_board()
    assert undo_text(game) == "Undo: the board, taken as it lies"
    assert game.undo().board == Board.empty(8).with_play(parse_play("b4-MOOD"))
    assert game.undo().redo() == Game.from_log(game.setup, game.undo().redo().log, None)


def test_each_line_has_the_board_that_lay_there_then() -> None:
    game = take_board().play(parse_play("S@e8"))
    assert game.board_after(0).is_empty
    assert game.board_after(1) == Board.empty(8).with_play(parse_play("b4-MOOD"))
    assert game.board_after(2) == game.board
    assert game.find_known_board(1).board.is_empty
    assert game.find_known_board(2).board == Board.empty(8).with_play(LIES)


def test_the_turn_before_can_still_be_corrected() -> None:
    game = take_board().play(parse_play("S@e8"))
    corrected = game.correct(0, Played(parse_play("b4-MOON"))).game
    assert corrected.board == game.board
    assert corrected.turns[1] == game.turns[1]


def test_it_is_kept_in_files() -> None:
    game = take_board(player=1).play(parse_play("S@e8"))
    assert game_from_dict(game_to_dict(game), None) == game
    assert parse_game(format_game(game), None) == game
    assert "\nboard 2 M@b4 W@b4 O@c4" in format_game(game)
    rows = game_csv(game).splitlines()
    assert rows[2] == ",,board,,,,,,The board was taken as it lies."
    assert game_csv(take_board()).splitlines()[-1] == rows[2]


def test_a_solo_total_with_turns_missing_is_no_record() -> None:
    game = Game.start(CLASSIC, ["Red"]).play(parse_play("b4-MOOD"))
    assert solo_total(game.end("agreed", [0])) is not None
    assert solo_total(game.with_event(BoardTaken(LIES, 0)).end("agreed", [0])) is None


@pytest.mark.parametrize(
    ("event", "error"),
    [
        (BoardTaken(parse_play("A@k4"), 0), PositionError),
        (BoardTaken(parse_play("A@b4 B@b4 C@b4 D@b4 E@b4 F@b4"), 0), PositionError),
        (BoardTaken(LIES, 2), GameError),
        (BoardTaken(type(LIES)(()), 0), GameError),
    ],
)
def test_a_board_that_cannot_be_is_refused(event: BoardTaken, error: type[UpscoreError]) -> None:
    with pytest.raises(error):
        take_board().with_event(event)


def test_a_stack_that_was_higher_all_along_counts_so_in_the_turns_since() -> None:
    game = take_board().play(parse_play("S@e8"))
    put_right = with_height(game, parse_square("e6"), 3)
    assert (put_right.board.height(parse_square("e6")), put_right.board.top(parse_square("e6"))) == (3, "A")
    assert len(put_right.turns) == len(game.turns)
    assert put_right.totals["Red"] - game.totals["Red"] == 7 - 10  # all flat, DEARS had two for each letter


def test_a_height_of_a_stack_that_a_play_began_is_taken_as_it_lies() -> None:
    game = take_board().play(parse_play("S@e8"))
    put_right = with_height(game, parse_square("e8"), 2)
    assert put_right.totals == game.totals
    assert put_right.board.height(parse_square("e8")) == 2
    assert isinstance(put_right.events[-1], BoardTaken)
    assert put_right.current_player == game.current_player
