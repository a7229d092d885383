"""The earlier turn that must have been another, found from the board as it turns out to be."""

from __future__ import annotations

from engine.board import Board
from engine.editions import edition_named
from engine.events import Passed
from engine.game import Game
from engine.play import parse_play
from engine.revision import Revision, revision_to

FIRST, SECOND, THIRD = "W@d3 O@d4 O@d5 D@d6", "N@e4", "E@c4"
CLASSIC = edition_named("8x8")


def game_of(*plays: str) -> Game:
    game = Game.start(CLASSIC, ("Red", "Blue"))
    for text in plays:
        game = game.with_event(Passed()) if text == "pass" else game.play(parse_play(text))
    return game


def board_of(*plays: str) -> Board:
    board = Board.empty(8)
    for text in plays:
        board = board.with_play(parse_play(text))
    return board


def test_the_game_s_own_board_revises_nothing() -> None:
    assert revision_to(game_of(FIRST, SECOND), board_of(FIRST, SECOND)) is None


def test_a_turn_before_the_last_may_have_been_longer() -> None:
    longer = f"{FIRST} Y@d7"
    found = revision_to(game_of(FIRST, "pass", SECOND), board_of(longer, SECOND))
    assert found == Revision(0, parse_play(longer))


def test_the_latest_turn_that_explains_the_board_is_the_one() -> None:
    found = revision_to(game_of(FIRST, SECOND, THIRD), board_of(FIRST, SECOND, "I@c4"))
    assert found == Revision(2, parse_play("I@c4"))


def test_two_turns_that_were_others_are_not_guessed_at() -> None:
    assert revision_to(game_of(FIRST, SECOND), board_of("W@d3 O@d4 O@d5 L@d6", "X@e4")) is None


def test_a_turn_is_never_revised_to_nothing() -> None:
    assert revision_to(game_of(FIRST), Board.empty(8)) is None
