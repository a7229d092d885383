"""Hints after the game: what a rack could have played, and the best play that a turn missed."""

from __future__ import annotations

from random import Random

import pytest
from enginekit import game_after
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples
from solverkit import brute_force, some_edition, standard

from engine import EDITIONS, Board, Edition, Game, GameError, HouseRules, Lexicon, LexiconError, format_play, parse_play
from engine.analysis.missed_plays import LEAST_GAIN, find_known_tiles, find_missed_play, hints
from engine.game.events import RackSeen
from engine.solver.search import legal_plays
from engine.tiles import Rack

SMALL = EDITIONS["8x8"]
WORDS = Lexicon.from_words(["ON", "TO", "TOO", "ONTO", "ONE"], name="few")


def game_of(*plays: str, rules: HouseRules | None = None) -> Game:
    return game_after(Game.start(SMALL, ["Red", "Blue"], rules or HouseRules(), lexicon=WORDS), *plays)


def test_hints_are_the_best_choices_of_a_rack() -> None:
    board = Board.empty(8).with_play(parse_play("d4-ON"))
    found = hints(board, ["T", "O", "E"], edition=SMALL, lexicon=WORDS, count=2)
    assert len(found) == 2
    assert found[0].value >= found[1].value
    assert found[0].play is not None
    assert (found[0].points, found[0].play.words[0].word) == (12, "TO")


def test_words_that_are_not_to_be_suggested_are_passed_over() -> None:
    board = Board.empty(8).with_play(parse_play("d4-ON"))
    found = hints(board, ["T", "O"], edition=SMALL, lexicon=WORDS, suggest=lambda word: word != "TO")
    assert found
    assert "TO" not in {word.word for choice in found if choice.play for word in choice.play.words}
    missed = there(find_missed_play(game_of("d4-ON", "d3|T.O"), 1, suggest=lambda word: word != "TO"))
    assert missed.best.play is not None
    assert [word.word for word in missed.best.play.words] == ["ONTO"]


def test_the_same_tiles_laid_better_where_the_rack_is_not_known() -> None:
    game = game_of("d4-ON", "E@f4")
    assert find_missed_play(game, 1) is None
    game = game_of("d4-ON", "d3|T.O")
    assert find_missed_play(game, 0) is None
    missed = there(find_missed_play(game, 1))
    assert (missed.record.player, missed.tiles, missed.whole_rack) == ("Blue", ("T", "O"), False)
    assert missed.best.play is not None
    assert format_play(missed.best.play.play) == "T@d3 O@e3"
    assert (missed.best.points, missed.actual.points) == (12, 6)
    assert missed.gain == missed.best.value - missed.actual.value
    assert missed.answer is not None
    assert missed.answer.points >= missed.actual.reply > missed.best.reply


def test_the_whole_rack_where_it_is_known() -> None:
    game = game_of("d4-ON").with_event(RackSeen(1, ("T", "O", "E", "X", "X", "X", "X"))).play(parse_play("E@f4"))
    missed = there(find_missed_play(game, 1))
    assert missed.whole_rack
    assert missed.best.play is not None
    assert (missed.best.play.words[0].word, missed.best.points, missed.actual.points) == ("TO", 12, 6)


def test_what_is_known_of_a_rack_counts_with_the_tiles_played() -> None:
    assert find_known_tiles(Rack(("E", "S"), 5), ("S", "T")) == ("E", "S", "T")
    assert find_known_tiles(Rack(("E", "S"), 0), ("S", "T")) == ("S", "T")
    assert find_known_tiles(Rack(), ("O", "O")) == ("O", "O")
    assert find_known_tiles(Rack(("E",), 6), ()) == ("E",)


def test_a_pass_misses_what_the_known_rack_had_and_nothing_can_be_told_of_another() -> None:
    game = game_of("d4-ON").with_event(RackSeen(1, ("E",))).pass_turn().pass_turn()
    missed = there(find_missed_play(game, 1))
    assert missed.best.play is not None
    assert (missed.best.play.words[0].word, missed.best.points) == ("ONE", 6)
    assert find_missed_play(game, 2) is None


def test_a_play_against_the_rules_counts_what_it_made() -> None:
    game = game_of("d4-ON", "f4|TEN")
    assert game.turns[1].points == 6 + 6
    assert find_missed_play(game, 1) is None


def test_a_try_that_was_taken_back_missed_nothing_and_the_next_did() -> None:
    game = game_of("d4-ON", "f4-X").challenge("Red", upheld=True).play(parse_play("d3|T.O"))
    assert find_missed_play(game, 1) is None
    missed = there(find_missed_play(game, 2))
    assert missed.best.points == 12


def test_a_lost_turn_missed_nothing() -> None:
    rules = HouseRules(failed_challenge_loses_turn=True)
    game = game_of("d4-ON", rules=rules).challenge("Blue", upheld=False).play(parse_play("f4-TO"))
    assert [record.kind for record in game.turns] == ["play", "lost", "play"]
    assert find_missed_play(game, 1) is None
    assert find_missed_play(game_of("d4-ON", rules=rules), 0) is None


def test_a_short_rack_is_not_taken_for_a_whole_one() -> None:
    rules = HouseRules(bonus_for_short_rack=True)
    assert find_missed_play(game_of("d4-ON", "d3|T.O", rules=rules), 1).best.points == 12  # type: ignore[union-attr]
    short = game_of("d4-ON", rules=rules).with_event(RackSeen(1, ("T", "O"))).play(parse_play("T@d3"))
    assert find_missed_play(short, 1).best.points == 12 + 20  # type: ignore[union-attr]


def test_questions_that_cannot_be_answered() -> None:
    game = game_of("d4-ON")
    for turn in (-1, 1):
        with pytest.raises(GameError, match="no line"):
            find_missed_play(game, turn)
    with pytest.raises(LexiconError, match="word list"):
        find_missed_play(Game.start(SMALL, ["Red"]).play(parse_play("d4-ON")), 0)


@examples(8)
@given(seed=st.integers(0, 10**9))
def test_a_turn_missed_what_is_worth_more_than_it_was(seed: int) -> None:
    random = Random(seed)
    edition: Edition = some_edition(random)
    game = Game.start(edition, ["Red"], lexicon=standard())
    for _ in range(3):
        plays = legal_plays(game.board, random.choices("EASTIRNOL", k=2), edition=edition, lexicon=standard())
        if not plays:
            break
        game = game.play(random.choice(plays).play)
    for turn, record in enumerate(game.turns):
        assert record.play is not None
        board = game.board_after(turn)
        most = max(brute_force(board, record.play.faces, edition, standard()).values())
        missed = find_missed_play(game, turn)
        if missed is None:
            assert most - record.points < 2 * 2.5 + LEAST_GAIN
        else:
            assert missed.best.points <= most
            assert missed.gain >= LEAST_GAIN
