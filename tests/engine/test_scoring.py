from __future__ import annotations

import pytest
from enginekit import board_of, boards, plays
from hypothesis import given
from hypothesis import strategies as st

from engine import Board, HouseRules, Play, Verdict, grid_edition, parse_play, referee
from engine.board import stacks_after
from engine.rules.scoring import score_word


def judged(before: str, play: str, *, rules: HouseRules | None = None, rack_size: int | None = None) -> Verdict:
    return referee(
        board_of(10, before),
        parse_play(play),
        edition=grid_edition(10),
        lexicon=None,
        rules=rules or HouseRules(),
        rack_size=rack_size,
    )


@pytest.mark.parametrize(
    ("before", "play", "points", "rule"),
    [
        ("", "e5-CAT", 6, "6A"),
        ("", "e5-QuIT", 8, "6A"),
        ("e5-CAT", "Qu@f5", 4, "6B"),
        ("e5-CAT; B@e5", "S@h5", 5, "6B"),
        ("e5-CAT; B@e5; R@e5; M@e5; H@e5", "S@h5", 8, "6B"),
    ],
)
def test_a_word_scores_by_its_stacks(before: str, play: str, points: int, rule: str) -> None:
    (word,) = judged(before, play).words
    assert (word.points, word.rule) == (points, rule)


def test_seven_tiles_earn_twenty() -> None:
    verdict = judged("", "c5-PLASTER")
    assert (verdict.points, verdict.bonus) == (14 + 20, 20)
    assert judged("", "c5-PLASTE").bonus == 0
    assert judged("", "b5-PLASTERS").bonus == 0


def test_a_short_rack_earns_twenty_only_by_house_rule() -> None:
    house = HouseRules(bonus_for_short_rack=True)
    assert judged("", "e5-CAT", rack_size=3).bonus == 0
    assert judged("", "e5-CAT", rules=house, rack_size=3).bonus == 20
    assert judged("", "e5-CAT", rules=house, rack_size=4).bonus == 0
    assert judged("", "e5-CAT", rules=house, rack_size=None).bonus == 0


def test_a_shared_stack_scores_in_each_word() -> None:
    verdict = judged("c5-MOOD; f6|EAR", "L@f5 P@f8")
    assert [(word.word, word.points) for word in verdict.words] == [("LEAP", 6), ("MOOL", 5)]
    assert verdict.points == 11


def test_the_score_is_explained_tile_by_tile() -> None:
    assert judged("c5-MOOD", "W@c5").explanation() == (
        "WOOD: a letter is stacked, so 1 point for every tile: W 2 (on M) + O 1 + O 1 + D 1 = 5 (6B)",
    )
    assert judged("", "e5-QuIT").explanation() == (
        "QUIT: all letters one tile high, so 2 points a tile: Qu 2 + I 2 + T 2 + 2 for the Qu = 8 (6A, 6C)",
    )
    assert judged("", "c5-PLASTER").explanation() == (
        "PLASTER: all letters one tile high, so 2 points a tile: P 2 + L 2 + A 2 + S 2 + T 2 + E 2 + R 2 = 14 (6A)",
        "All tiles of the rack in one turn: 20 (6D)",
    )
    deep = score_word((("A", "B", "C"), ("T",)), ())
    assert "C 3 (on B, A) + T 1 = 4 (6B)" in deep.explanation


def plain_words(board: Board, play: Play) -> dict[tuple[tuple[int, int], ...], int]:
    """Return the words of a play and their points, by the plainest way there is: every run of the whole board."""
    after = stacks_after(board, play)
    played = {(tile.square.row, tile.square.col) for tile in play.tiles}
    size = board.size
    lines = [[(row, col) for col in range(size)] for row in range(size)]
    lines += [[(row, col) for row in range(size)] for col in range(size)]
    words: dict[tuple[tuple[int, int], ...], int] = {}
    for line in lines:
        run: list[tuple[int, int]] = []
        for place in [*line, None]:
            if place is not None and after[place[0]][place[1]]:
                run.append(place)
                continue
            if len(run) > 1 and played & set(run):
                heights = [len(after[row][col]) for row, col in run]
                qu = any(after[row][col][-1] == "Qu" for row, col in run)
                single = max(heights) == 1
                words[tuple(run)] = 2 * len(run) + 2 * qu if single else sum(heights)
            run = []
    return words


@given(st.integers(4, 8).flatmap(lambda size: st.tuples(boards(size), plays(size))))
def test_words_and_points_are_those_of_the_plain_way(case: tuple[Board, Play]) -> None:
    board, play = case
    verdict = referee(board, play, edition=grid_edition(board.size), lexicon=None)
    found = {tuple((sq.row, sq.col) for sq in word.squares): word.points for word in verdict.words}
    assert len(found) == len(verdict.words)
    assert found == plain_words(board, play)
