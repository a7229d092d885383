"""Advice: choices weighed by the answers of racks drawn from the unseen tiles."""

from __future__ import annotations

from functools import partial
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from solverkit import play_board, some_edition, standard

from engine import EDITIONS, Board, Lexicon, parse_play
from engine.analysis.missed_plays import unseen_tiles
from engine.solver.advice import Adviser
from engine.solver.search import legal_plays

SMALL = EDITIONS["8x8"]
WORDS = Lexicon.from_words(["ON", "TO", "TOO", "ONTO", "ONE"], name="few")
ON = Board.empty(8).with_play(parse_play("d4-ON"))


@examples(8)
@given(seed=st.integers(0, 10**9), turns=st.integers(0, 8))
def test_the_answers_are_the_best_plays_of_the_drawn_racks(seed: int, turns: int) -> None:
    random = Random(seed)
    edition = some_edition(random)
    board = play_board(edition, turns, random)
    rack = random.sample(unseen_tiles(edition, board, ()), 7)
    plays = legal_plays(board, rack, edition=edition, lexicon=standard())
    adviser = Adviser(
        board, rack, unseen_tiles(edition, board, rack), edition=edition, lexicon=standard(), samples=3, seed=seed
    )
    for play in (None, *(each.play for each in random.sample(plays, min(4, len(plays))))):
        after = board.with_play(play) if play else board
        answers = [legal_plays(after, other, edition=edition, lexicon=standard()) for other in adviser.racks]
        assert adviser.replies(play) == [found[0].points if found else 0 for found in answers]


def test_racks_are_drawn_from_the_unseen_tiles_and_the_same_each_time() -> None:
    unseen = unseen_tiles(SMALL, ON, "TOE")
    assert len(unseen) == 64 - 2 - 3
    one, two = (Adviser(ON, "TOE", unseen, edition=SMALL, lexicon=WORDS) for _ in range(2))
    assert one.racks == two.racks
    assert {len(rack) for rack in one.racks} == {7}
    assert len(set(one.racks)) > 1
    other = Adviser(ON, "TOE", unseen, edition=SMALL, lexicon=WORDS, samples=5, seed=1)
    assert len(other.racks) == 5
    assert other.racks[0] != one.racks[0]


def test_a_choice_is_worth_its_points_less_the_answer_of_the_rack_that_is_known() -> None:
    adviser = Adviser(ON, "TOE", "TOOVXZ", edition=SMALL, lexicon=WORDS)
    assert [sorted(rack) for rack in adviser.racks] == [list("OOTVXZ")]
    plays = legal_plays(ON, "TOE", edition=SMALL, lexicon=WORDS)
    choices = adviser.advise(plays)
    for choice in choices:
        assert choice.kept == 0
        assert choice.value == choice.points - choice.reply
    assert [choice.value for choice in choices] == sorted((choice.value for choice in choices), reverse=True)
    assert len({choice.reply for choice in choices}) > 1


def test_advice_stops_when_the_caller_says_so_and_keeps_what_it_has_weighed() -> None:
    unseen = unseen_tiles(SMALL, ON, "TOE")
    plays = legal_plays(ON, "TOE", edition=SMALL, lexicon=WORDS)
    whole = Adviser(ON, "TOE", unseen, edition=SMALL, lexicon=WORDS).advise(plays)
    for asked in (0, 2):
        answers = iter([True] * asked)
        adviser = Adviser(ON, "TOE", unseen, edition=SMALL, lexicon=WORDS, may_go_on=partial(next, answers, False))
        choices = adviser.advise(plays)
        assert len(choices) == 1 + asked < len(whole)
        assert set(choices) < set(whole)


def test_an_end_game_without_time_is_weighed_by_its_first_play_alone() -> None:
    plays = legal_plays(ON, "TOE", edition=SMALL, lexicon=WORDS)
    (choice,) = Adviser(ON, "TOE", "XZ", edition=SMALL, lexicon=WORDS, may_go_on=lambda: False).advise(plays)
    assert choice.play == plays[0]
    assert not choice.to_end


def test_an_end_game_keeps_what_it_has_searched_to_the_end_when_the_time_is_up() -> None:
    plays = legal_plays(ON, "TOE", edition=SMALL, lexicon=WORDS)
    whole = Adviser(ON, "TOE", "XZ", edition=SMALL, lexicon=WORDS).advise(plays)
    asked = 0

    def count() -> bool:
        nonlocal asked
        asked += 1
        return True

    Adviser(ON, "TOE", "XZ", edition=SMALL, lexicon=WORDS, may_go_on=count).advise(plays)
    kept: list[int] = []
    for limit in range(1, asked):
        answers = iter([True] * limit)
        adviser = Adviser(ON, "TOE", "XZ", edition=SMALL, lexicon=WORDS, may_go_on=partial(next, answers, False))
        choices = adviser.advise(plays)
        kept.append(len(choices))
        assert len(choices) == 1 or set(choices) <= set(whole)
    assert kept == sorted(kept)
    assert kept[-1] == len(whole) - 1 > 2


def test_going_out_ends_the_game_and_costs_the_others_their_tiles() -> None:
    adviser = Adviser(ON, "E", "TOX", edition=SMALL, lexicon=WORDS)
    (best, *_) = adviser.advise(legal_plays(ON, "E", edition=SMALL, lexicon=WORDS))
    assert (best.points, best.reply, best.kept) == (6, 0, 15)


def test_a_whole_rack_may_exchange_while_there_is_a_pile_and_keeps_its_better_tiles() -> None:
    rack = ("X", "X", "X", "Qu", "J", "V", "S")
    unseen = unseen_tiles(SMALL, ON, rack)
    choices = Adviser(ON, rack, unseen, edition=SMALL, lexicon=WORDS).advise([])
    assert choices[0].given == "X"
    assert {choice.given for choice in choices} == {None, *rack}
    assert choices[-1].given == "S"
    assert {choice.points for choice in choices} == {0}
    assert [choice.given for choice in Adviser(ON, rack, rack, edition=SMALL, lexicon=WORDS).advise([])] == [None]
    assert Adviser(ON, rack[:3], unseen, edition=SMALL, lexicon=WORDS).advise([]) == []


def test_nobody_answers_a_player_who_plays_alone_or_whose_set_is_not_known() -> None:
    plays = legal_plays(ON, "TOE", edition=SMALL, lexicon=WORDS)
    alone = Adviser(ON, "TOE", unseen_tiles(SMALL, ON, "TOE"), edition=SMALL, lexicon=WORDS, players=1)
    assert {choice.reply for choice in alone.advise(plays)} == {0}
    board = Board.empty(11).with_play(parse_play("f6-ON"))
    unknown = EDITIONS["11x11"]
    assert unseen_tiles(unknown, board, "E") == ()
    plays = legal_plays(board, "E", edition=unknown, lexicon=WORDS)
    assert Adviser(board, "E", (), edition=unknown, lexicon=WORDS).advise(plays)[0].points == 6
