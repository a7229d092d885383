"""Plays on given squares: those that the generator finds there, and those that the referee lets stand."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples
from solverkit import AFTER_THE_EXAMPLES, pile_board, play_board, some_edition, standard

from engine import EDITIONS, FACES, SQUARES, Board, HouseRules, Lexicon, PlacedTile, Play, Square, format_play, referee
from engine.errors import PositionError, RulesError
from engine.solver.search import legal_plays, plays_on
from engine.squares import parse_squares
from engine.tiles import count_tiles_left

SMALL, LARGE = EDITIONS["8x8"], EDITIONS["10x10"]
SWITCHES = [rule.name for rule in fields(HouseRules) if isinstance(rule.default, bool)]


def some_squares(board: Board, count: int, random: Random) -> list[Square]:
    """Return this many squares of a row or column, in any order, near tiles if there are any."""
    near = random.choice(list(board.list_occupied()) or [SQUARES[board.size // 2][board.size // 2]])
    places = sorted(range(board.size), key=lambda at: abs(at - random.choice((near.row, near.col))))
    places = random.sample(places[: count + 2], count)
    upright = random.random() < 0.5
    return [SQUARES[at][near.col] if upright else SQUARES[near.row][at] for at in places]


@examples(25)
@given(
    seed=st.integers(0, 10**9),
    turns=st.integers(0, 10),
    piled=st.booleans(),
    switches=st.sets(st.sampled_from(SWITCHES)),
)
def test_a_racks_plays_are_those_of_the_generator(seed: int, turns: int, piled: bool, switches: set[str]) -> None:
    random = Random(seed)
    edition = some_edition(random)
    board = play_board(edition, turns, random)
    if piled:
        board = pile_board(board, random)
    defaults = HouseRules()
    rules = HouseRules(**{name: not getattr(defaults, name) for name in switches})
    rack = random.choices(("E", "S", "A", "T", "Qu", "I", "R", "N"), k=random.randint(1, 7))
    generated = legal_plays(board, rack, edition=edition, lexicon=standard(), rules=rules)
    on_squares: dict[tuple[Square, ...], dict[Play, int]] = {}
    for scored in generated:
        on_squares.setdefault(scored.play.squares, {})[scored.play] = scored.points
    asked = random.sample(sorted(on_squares), min(8, len(on_squares)))
    asked += [tuple(some_squares(board, random.randint(1, min(4, len(rack))), random)) for _ in range(4)]
    for squares in asked:
        found = plays_on(
            board, squares, Counter(rack), edition=edition, lexicon=standard(), rules=rules, rack_size=len(rack)
        )
        assert len({scored.play for scored in found}) == len(found), "a play appears twice"
        assert {scored.play: scored.points for scored in found} == on_squares.get(tuple(sorted(squares)), {})
        assert [scored.points for scored in found] == sorted((s.points for s in found), reverse=True)


@examples(15)
@given(seed=st.integers(0, 10**9), turns=st.integers(0, 8), count=st.integers(1, 2))
def test_of_unknown_racks_every_play_that_the_tiles_allow_is_found(seed: int, turns: int, count: int) -> None:
    random = Random(seed)
    edition = some_edition(random)
    board = play_board(edition, turns, random)
    squares = some_squares(board, count, random)
    left = there(count_tiles_left(edition, board))
    expected = {}
    for faces in product(FACES, repeat=count):
        play = Play(tuple(map(PlacedTile, squares, faces)))
        verdict = referee(board, play, edition=edition, lexicon=standard(), rack_size=7)
        if verdict.legal and not Counter(faces) - left:
            expected[play] = verdict.points
    found = plays_on(board, squares, left, edition=edition, lexicon=standard())
    assert {scored.play: scored.points for scored in found} == expected


def on(squares: str, words: str, board: Board = AFTER_THE_EXAMPLES, **changes: object) -> dict[str, int]:
    """The plays of any tiles on squares of the examples' board, as notation, with a list of just these words."""
    settings: dict[str, object] = {
        "edition": LARGE if board.size == 10 else SMALL,
        "lexicon": Lexicon.from_words(words.split()),
        **changes,
    }
    found = plays_on(board, parse_squares(squares), None, **settings)  # type: ignore[arg-type]
    return {format_play(scored.play): scored.points for scored in found}


def test_the_best_comes_first_and_then_the_alphabet() -> None:
    words = "DOT DOG QUIT ZIT"
    assert list(on("d4 d5 d6", words, Board.empty(8))) == ["Qu@d4 I@d5 T@d6", "D@d4 O@d5 G@d6", "D@d4 O@d5 T@d6",
                                                            "Z@d4 I@d5 T@d6"]  # fmt: skip


def test_seven_squares_earn_the_bonus() -> None:
    assert on("b4 c4 d4 e4 f4 g4 h4", "BELATED", Board.empty(8)) == {"B@b4 E@c4 L@d4 A@e4 T@f4 E@g4 D@h4": 34}


@pytest.mark.parametrize("squares", ["a1", "a1 b1", "i5 j5", "d4 f4", "c5 d5 e5 f5"])
def test_squares_that_no_legal_play_has(squares: str) -> None:
    words = "AT TO IT WOODEN WOOLLY ON WOOL AA OO OOO DOOM"
    assert on(squares, words) == {}


def test_a_lone_qu_starts_only_where_the_house_lets_it() -> None:
    rules = HouseRules(lone_qu_first_play=True)
    assert on("d4", "QU", Board.empty(8)) == {}
    assert on("d4", "QU", Board.empty(8), rules=rules) == {"Qu@d4": 4}
    assert on("a1", "QU", Board.empty(8), rules=rules) == {}


def test_the_tiles_left_bound_what_is_found() -> None:
    lexicon = Lexicon.from_words(["ZA", "ZZZ", "AZ"])
    squares = parse_squares("d4,e4")
    found = plays_on(Board.empty(8), squares, {"Z": 1, "A": 0, "B": 3}, edition=SMALL, lexicon=lexicon)
    assert found == []
    found = plays_on(Board.empty(8), squares, {"Z": 1, "A": 1}, edition=SMALL, lexicon=lexicon)
    assert [format_play(scored.play) for scored in found] == ["A@d4 Z@e4", "Z@d4 A@e4"]
    three = parse_squares("d4,e4,f4")
    assert plays_on(Board.empty(8), three, {"Z": 2}, edition=SMALL, lexicon=lexicon) == []


@pytest.mark.parametrize(
    ("squares", "error", "message"),
    [
        ("d4,e5", RulesError, "do not lie in one row or column"),
        ("d4,d4", RulesError, "appears twice"),
        ("a1,b1,c1,d1,e1,f1,g1,h1", RulesError, "not 8"),
        ("k1", PositionError, "not on this board"),
    ],
)
def test_squares_that_cannot_be(squares: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        on(squares, "AT", Board.empty(8))


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"rack_size": 8}, "a rack of 8"), ({"edition": LARGE}, "10x10"), ({"squares": ()}, "not 0"),
     ({"tiles": {"Q": 1}}, "is not a tile")],
)  # fmt: skip
def test_questions_that_make_no_sense(changes: dict[str, object], message: str) -> None:
    settings = {"squares": parse_squares("d4"), "tiles": None, "edition": SMALL, **changes}
    with pytest.raises(RulesError, match=message):
        plays_on(Board.empty(8), lexicon=standard(), **settings)  # type: ignore[arg-type]
