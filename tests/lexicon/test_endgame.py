"""End games for two that are searched to their end."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from solverkit import AFTER_THE_EXAMPLES, brute_force, standard

from engine import EDITIONS, SHEET_RULES, Board, HouseRules, Lexicon, format_play, parse_play
from engine.editions import grid_edition
from engine.formats.notation import parse_diagram
from engine.solver.advice import Adviser, Choice, EndGame, EndPosition
from engine.solver.search import legal_plays

SMALL = EDITIONS["8x8"]
ON = Board.empty(8).with_play(parse_play("d4-ON"))
TINY = grid_edition(4)
TINY_WORDS = Lexicon.from_words(
    ["AT", "TA", "TAT", "ATE", "EAT", "TEA", "TEE", "EE", "ETA", "AE", "SEA", "EATS"], name="tiny"
)


def advice(board: Board, mine: str, theirs: str, words: str, rules: HouseRules = SHEET_RULES) -> list[Choice]:
    lexicon = Lexicon.from_words(words.split(), name="few")
    plays = legal_plays(board, mine, edition=SMALL, lexicon=lexicon, rules=rules)
    return Adviser(board, mine, theirs, edition=SMALL, lexicon=lexicon, rules=rules).advise(plays)


def turn(choice: Choice) -> str:
    return format_play(choice.play.play) if choice.play else "pass"


def test_a_block_is_better_than_more_points_now() -> None:
    """After IO, TONE ends the game (11). After IN nobody can play: 3, less 5 for the X, and 10 from E and T (6F)."""
    choices = advice(ON, "IX", "ET", "ON IN IO TONE")
    told = {turn(choice): (choice.points, choice.reply, choice.value) for choice in choices}
    assert turn(choices[0]) == "I@d4"
    assert told["I@d4"] == (3, 0, 8)
    assert told["I@d3"] == (4, 8, 4 - 8 - 5)
    assert told["pass"] == (0, 8, -8 - 10)
    assert all(choice.to_end for choice in choices)


def test_passing_is_best_where_the_only_play_opens_the_board_for_the_other() -> None:
    """ONE brings 6, but STONED answers with 12 and ends the game; after two passes three tiles cost more than two."""
    choices = advice(ON, "EX", "STD", "ON ONE STONED")
    assert [(turn(choice), choice.value) for choice in choices] == [("pass", 5), ("E@f4", 6 - 12 - 5)]


def test_going_out_is_worth_the_tiles_that_the_other_has_left() -> None:
    """IN brings 9 by 6B and keeps the T, which costs 5 (6F). NIT brings 6 and ends the game (11)."""
    towers = Board.empty(8).with_play(parse_play("d4-AA"))
    for layer in ("EE", "AA", "ON"):
        towers = towers.with_play(parse_play(f"d4-{layer}"))
    best, second, *_ = advice(towers, "IT", "XVZ", "ON IN NIT")
    assert (best.points, best.reply, best.kept, best.value) == (6, 0, 15, 21)
    assert (second.points, second.value) == (9, 9 - 5 + 15)
    free = advice(towers, "IT", "XVZ", "ON IN NIT", HouseRules(leftover_penalty=0))
    assert [choice.value for choice in free[:2]] == [9, 6]


def test_a_rack_that_goes_out_in_two_turns_plays_for_both() -> None:
    """NO down and ONE across bring 4 and 6, in any order; the other has no play and loses 5 for the V (6F, 11)."""
    best = advice(ON, "OE", "V", "ON ONE NO")[0]
    assert best.value == 10 + 5


@examples(60)
@given(seed=st.integers(0, 10**9))
def test_the_search_finds_what_plain_minimax_finds(seed: int) -> None:
    random = Random(seed)
    board = parse_diagram(". . . .\n. A T .\n. . . .\n. . . .")
    mine, theirs = (tuple(sorted(random.choices("ATES", k=random.randint(1, 2)))) for _ in range(2))
    rules = HouseRules(leftover_penalty=random.choice((0, 1, 5)), passing_rounds=random.randint(1, 2))
    position = EndPosition(board, mine, theirs)
    assert EndGame(TINY, TINY_WORDS, rules).best(position)[0] == minimax(board, mine, theirs, rules, 0)


def minimax(board: Board, mine: tuple[str, ...], theirs: tuple[str, ...], rules: HouseRules, passes: int) -> int:
    """Return the lead that the player to move gains, by trying every turn until the game is over."""
    if not mine or not theirs or passes == 2 * rules.passing_rounds:
        return rules.leftover_penalty * (len(theirs) - len(mine))
    leads = [-minimax(board, theirs, mine, rules, passes + 1)]
    for play, points in brute_force(board, mine, TINY, TINY_WORDS, rules).items():
        left = tuple(sorted((Counter(mine) - Counter(play.faces)).elements()))
        leads.append(points - minimax(board.with_play(play), theirs, left, rules, 0))
    return max(leads)


@pytest.mark.slow
def test_an_end_game_that_takes_too_long_is_weighed_by_the_answer_alone() -> None:
    edition = EDITIONS["10x10"]
    plays = legal_plays(AFTER_THE_EXAMPLES, "AEST", edition=edition, lexicon=standard())
    for theirs in ("ERIN", "ERINO"):
        adviser = Adviser(AFTER_THE_EXAMPLES, "AEST", theirs, edition=edition, lexicon=standard())
        choices = adviser.advise(plays)
        assert not any(choice.to_end for choice in choices)
        assert [adviser.weigh(None).reply] == adviser.replies(None)


def test_more_than_two_players_are_not_searched_to_the_end() -> None:
    lexicon = Lexicon.from_words(["ON", "ONE"], name="few")
    adviser = Adviser(ON, "E", "TOX", edition=SMALL, lexicon=lexicon, players=3)
    assert not adviser.weigh(None).to_end
