from __future__ import annotations

import pytest
from enginekit import Words, game_after

from engine import Game, GameError, HouseRules, find_edition, parse_play
from engine.game.events import Challenged, Ended, Passed, Played

LEXICON = Words("MOOD", "DEAR", "NET", "ON", "WOOD", "PLUS", "NETS", "NOT")


def tiles(text: str) -> Played:
    return Played(parse_play(text))


def sheet_game() -> Game:
    game = Game.start(find_edition("10x10"), ["Red", "Blue"], lexicon=LEXICON)
    return game_after(game, "c5-MOOD", "f6|EAR", "e6-N.T", "W@c5", "h3|PLUS")


def test_a_corrected_play_rescores_all_that_follows() -> None:
    game = sheet_game()
    rescored = game.correct(2, tiles("e6-N"))
    assert [change.text for change in rescored.changes] == [
        "Red's NET and ON (10) is now NE and ON (8).",
        "Red's PLUS and NETS (16) is now PLUS (8), and breaks a rule.",
    ]
    assert rescored.totals_before == game.totals == {"Red": 34, "Blue": 13}
    assert rescored.game.totals == {"Red": 24, "Blue": 13}
    assert rescored.game.board.tile_count() == game.board.tile_count() - 1


def test_a_correction_to_the_same_changes_nothing() -> None:
    game = sheet_game()
    rescored = game.correct(2, tiles("T@g6 N@e6"))
    assert rescored.changes == ()
    assert rescored.game.state == game.state


def test_a_turn_that_was_missed_moves_the_others_to_the_next_player() -> None:
    rescored = sheet_game().insert(3, Passed())
    assert [change.text for change in rescored.changes] == [
        "Added a pass for Blue.",
        "Blue's WOOD (5) is Red's now.",
        "Red's PLUS and NETS (16) is Blue's now.",
    ]
    assert rescored.game.totals == {"Red": 23, "Blue": 24}


def test_a_turn_that_never_was_is_taken_out() -> None:
    rescored = sheet_game().remove(4)
    assert [change.text for change in rescored.changes] == ["Removed Red's PLUS and NETS (16)."]
    assert rescored.game.totals == {"Red": 18, "Blue": 13}


def test_taking_out_two_turns_leaves_the_later_ones_to_their_players() -> None:
    game = sheet_game()
    first = game.remove(3)
    assert [change.text for change in first.changes] == [
        "Removed Blue's WOOD (5).",
        "Red's PLUS and NETS (16) is Blue's now.",
    ]
    passed = game.pass_turn().pass_turn()
    assert [change.text for change in passed.remove(6).changes] == ["Removed Red's pass."]
    assert [(c.before, c.after) for c in passed.remove(5).changes] == [
        (passed.turns[5], None),
        (passed.turns[6], passed.remove(5).game.turns[5]),
    ]


def test_a_lost_turn_is_lined_up_with_itself() -> None:
    rules = HouseRules(failed_challenge_loses_turn=True)
    game = Game.start(find_edition("10x10"), ["Red", "Blue"], rules, lexicon=LEXICON)
    game = game.play(parse_play("c5-MOOD")).challenge("Blue", upheld=False).play(parse_play("f6|EAR"))
    assert [turn.kind for turn in game.turns] == ["play", "lost", "play"]
    rescored = game.correct(2, tiles("f6|EA"))
    assert [change.text for change in rescored.changes] == ["Red's DEAR (8) is now DEA (6)."]
    unchallenged = game.remove(1)
    assert [change.text for change in unchallenged.changes] == [
        "Removed Blue's lost turn.",
        "Red's MOOD has changed.",
        "Red's DEAR (8) is Blue's now.",
    ]


def test_a_lost_turn_before_the_place_of_an_inserted_one_is_told_of_only_where_it_changes() -> None:
    rules = HouseRules(failed_challenge_loses_turn=True)
    game = Game.start(find_edition("10x10"), ["Red", "Blue"], rules, lexicon=LEXICON)
    game = game.play(parse_play("c5-MOOD")).challenge("Blue", upheld=False).play(parse_play("f6|EAR"))
    assert [change.text for change in game.insert(2, Passed()).changes] == [
        "Added a pass for Red.",
        "Red's DEAR (8) is Blue's now.",
    ]


@pytest.mark.parametrize("at", range(6))
def test_a_turn_may_be_inserted_anywhere(at: int) -> None:
    game = sheet_game()
    rescored = game.insert(at, Passed())
    assert [turn.kind for turn in rescored.game.turns].index("pass") == at
    assert [turn.player for turn in rescored.game.turns] == ["Red", "Blue"] * 3
    assert len(rescored.changes) == 6 - at
    assert rescored.changes[0].text == f"Added a pass for {('Red', 'Blue')[at % 2]}."
    assert rescored.game.board == game.board
    assert rescored.game.remove(at).game.state == game.state


def test_a_turn_may_be_inserted_at_the_end() -> None:
    game = sheet_game()
    rescored = game.insert(5, Passed())
    assert rescored.game.state == game.pass_turn().state


def test_a_challenge_missed_may_be_inserted() -> None:
    rescored = sheet_game().insert(4, Challenged(None, upheld=True))
    assert [change.text for change in rescored.changes] == [
        "Blue's WOOD is taken back now.",
        "Red's PLUS and NETS (16) is Blue's now.",
    ]


def test_a_correction_before_the_end_counts_again_what_is_left() -> None:
    game = sheet_game().end("agreed")
    rescored = game.insert(5, Passed())
    assert rescored.game.ended == game.ended
    assert rescored.game.correct(6, Ended("agreed", (1, 0))).game.totals == {"Red": 29, "Blue": 13}


@pytest.mark.parametrize(("at", "insert"), [(-1, False), (5, False), (6, True), (-1, True)])
def test_there_must_be_something_to_correct(at: int, *, insert: bool) -> None:
    game = sheet_game()
    with pytest.raises(GameError, match="there is no event"):
        _ = game.insert(at, Passed()) if insert else game.correct(at, Passed())


def test_a_correction_that_later_events_contradict_is_refused_and_changes_nothing() -> None:
    game = sheet_game().play(parse_play("F@c5")).play(parse_play("H@c5")).play(parse_play("G@c5"))
    before = (game.log, game.state)
    with pytest.raises(GameError, match=r"the later turns: turn 9, Red's G@c5, is impossible: Rule 5, stacking: c5"):
        game.insert(3, tiles("R@c5"))
    with pytest.raises(GameError, match=r"the later turns: the challenge of turn 9 is impossible: Red made the play"):
        game.challenge("Red", upheld=True).insert(1, Passed())
    assert (game.log, game.state) == before


def test_undo_takes_back_plays_and_corrections() -> None:
    game = sheet_game()
    assert game.undo().state == sheet_game().remove(4).game.state
    corrected = game.correct(2, tiles("e6-N")).game
    assert corrected.undo().state == game.state
    assert corrected.undo().undo().undo().turns == game.turns[:3]
    for _ in range(5):
        game = game.undo()
    assert game.turns == ()
    with pytest.raises(GameError, match=r"^there is nothing to undo$"):
        game.undo()
