"""What was undone comes back, and buttons say what that is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from enginekit import Words, game_after

from engine import Game, GameError, HouseRules, find_edition, parse_play
from engine.game.events import Ended, Exchanged, Passed, Played, RackSeen, TurnGiven
from engine.game.undo import redo_text, undo_text

LEXICON = Words("MOOD", "DEAR", "NET", "ON", "WOOD")


def sheet_game() -> Game:
    game = Game.start(find_edition("10x10"), ["Red", "Blue"], lexicon=LEXICON)
    return game_after(game, "c5-MOOD", "f6|EAR", "e6-N.T")


def test_what_was_undone_is_done_again_step_by_step() -> None:
    game = sheet_game()
    one = game.undo()
    two = one.undo()
    assert two.redo().state == one.state
    assert two.redo().redo().state == game.state
    assert two.redo().redo().events == game.events
    with pytest.raises(GameError, match=r"^there is nothing to redo$"):
        two.redo().redo().redo()


def test_a_correction_is_undone_and_done_again() -> None:
    game = sheet_game().correct(0, Played(parse_play("c5-WOOD"))).game
    assert game.undo().redo().state == game.state
    assert game.undo().undo().redo().redo().state == game.state


def test_what_happens_after_an_undo_leaves_nothing_to_redo() -> None:
    undone = sheet_game().undo()
    for game in (undone.pass_turn(), undone.remove(0).game, undone.redo()):
        assert redo_text(game) is None
        with pytest.raises(GameError, match="nothing to redo"):
            game.redo()


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (lambda game: game.play(parse_play("W@c5")), ": Blue's WOOD, 5 points"),
        (lambda game: game.undo().play(parse_play("e6-N.T")), ": Red's NET and ON, 10 points"),
        (lambda game: game.play(parse_play("J@a1")), ": Blue's J@a1, 0 points"),
        (lambda game: game.pass_turn(), ": Blue passed"),
        (lambda game: game.exchange(), ": Blue exchanged a tile"),
        (lambda game: game.challenge("Blue", upheld=True), ": Red's NET and ON, taken back"),
        (lambda game: game.challenge("Blue", upheld=False), ": Red's NET and ON, challenged without success"),
        (lambda game: game.with_event(RackSeen(1, tuple("AB"))), ": the tiles on Blue's rack"),
        (lambda game: game.end("agreed"), ": the end of the game"),
        (lambda game: game.with_event(TurnGiven(0)), ": whose turn it is"),
        (lambda game: game.correct(2, Passed()).game, " the correction of turn 3"),
        (lambda game: game.insert(1, Exchanged()).game, " the insertion of turn 2"),
        (lambda game: game.insert(3, Passed()).game, " the insertion of turn 4"),
        (lambda game: game.remove(1).game, " the removal of turn 2"),
        (lambda game: game.insert(0, RackSeen(0, ())).game, " the insertion of a rack"),
        (lambda game: game.end("agreed").correct(3, Ended("stuck")).game, " the correction of the end of the game"),
        (lambda game: game.assign(1, "Red").game, ": turn 2 was Red's"),
        (lambda game: game.assign(1, "Red").game.assign(2, "Blue").game, ": turn 2 was Blue's"),
    ],
)
def test_a_button_says_what_it_undoes(act: Callable[[Game], Game], told: str) -> None:
    game = act(sheet_game())
    assert undo_text(game) == f"Undo{told}"
    assert redo_text(game.undo()) == f"Redo{told}"
    assert undo_text(game.undo().redo()) == f"Undo{told}"


def test_there_may_be_nothing_to_undo_or_to_redo() -> None:
    game = Game.start(find_edition("10x10"), ["Red", "Blue"], lexicon=LEXICON)
    assert (undo_text(game), redo_text(game)) == (None, None)
    drawn = game.draw(["A", "B"])
    assert undo_text(drawn) == "Undo: the draw for the first turn"
    assert undo_text(drawn.undo()) is None


def test_a_turn_that_followed_a_lost_one_is_named_by_its_own_number() -> None:
    rules = HouseRules(failed_challenge_loses_turn=True)
    game = Game.start(find_edition("10x10"), ["Red", "Blue"], rules, lexicon=LEXICON)
    game = game.play(parse_play("c5-MOOD")).challenge("Blue", upheld=False).play(parse_play("W@c5"))
    assert undo_text(game) == "Undo: Red's WOOD, 5 points"
    assert undo_text(game.correct(2, Passed()).game) == "Undo the correction of turn 3"


def test_a_game_in_which_nothing_is_entered_changes_to_another_board() -> None:
    rules = HouseRules(words_always_checked=True)
    words = Words("list", "ON")
    begun = Game.start(find_edition("8x8"), ("Red", "Blue"), rules, lexicon=words, scores=(3, 4), first=1)
    changed = begun.on_board_of(find_edition("11x11"))
    assert (changed.setup.edition.name, changed.board.size, changed.log) == ("11x11", 11, ())
    assert (changed.players, changed.setup.rules, changed.lexicon) == (begun.players, rules, words)
    assert (changed.totals, changed.current_player) == ({"Red": 3, "Blue": 4}, "Blue")
    assert changed.on_board_of(find_edition("8x8")) == begun


def test_what_was_undone_on_the_other_board_is_not_brought_back() -> None:
    begun = Game.start(find_edition("10x10"), ("Red", "Blue"))
    undone = begun.play(parse_play("O@j9 N@j10")).undo()
    changed = undone.on_board_of(find_edition("8x8"))
    assert (redo_text(changed), undo_text(changed)) == (None, None)
    removed = begun.play(parse_play("O@j9 N@j10")).remove(0).game
    assert removed.on_board_of(find_edition("8x8")) == changed


def test_the_board_stays_once_something_is_entered() -> None:
    begun = Game.start(find_edition("8x8"), ("Red", "Blue"))
    for entered in (begun.play(parse_play("O@d4 N@e4")), begun.pass_turn()):
        with pytest.raises(GameError, match="only while nothing is entered: undo what is"):
            entered.on_board_of(find_edition("10x10"))
    board = begun.play(parse_play("O@d4 N@e4")).board
    with pytest.raises(GameError, match="only while nothing is entered"):
        Game.start(find_edition("8x8"), ("Red", "Blue"), board=board).on_board_of(find_edition("10x10"))
