from __future__ import annotations

import pytest
from enginekit import board_of

from engine import HouseRules, Verdict, grid_edition, parse_play, referee
from engine.rules.scoring import score_word


def judge(before: str, play: str, *, rules: HouseRules | None = None, rack_size: int | None = None) -> Verdict:
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
    (word,) = judge(before, play).words
    assert (word.points, word.rule) == (points, rule)


def test_seven_tiles_earn_twenty() -> None:
    verdict = judge("", "c5-PLASTER")
    assert (verdict.points, verdict.bonus) == (14 + 20, 20)
    assert judge("", "c5-PLASTE").bonus == 0
    assert judge("", "b5-PLASTERS").bonus == 0


def test_a_short_rack_earns_twenty_only_by_house_rule() -> None:
    house = HouseRules(bonus_for_short_rack=True)
    assert judge("", "e5-CAT", rack_size=3).bonus == 0
    assert judge("", "e5-CAT", rules=house, rack_size=3).bonus == 20
    assert judge("", "e5-CAT", rules=house, rack_size=4).bonus == 0
    assert judge("", "e5-CAT", rules=house, rack_size=None).bonus == 0


def test_a_shared_stack_scores_in_each_word() -> None:
    verdict = judge("c5-MOOD; f6|EAR", "L@f5 P@f8")
    assert [(word.word, word.points) for word in verdict.words] == [("LEAP", 6), ("MOOL", 5)]
    assert verdict.points == 11


def test_the_score_is_explained_tile_by_tile() -> None:
    assert judge("c5-MOOD", "W@c5").explanation() == (
        "WOOD: a letter is stacked, so 1 point for every tile: W 2 (on M) + O 1 + O 1 + D 1 = 5 (6B)",
    )
    assert judge("", "e5-QuIT").explanation() == (
        "QUIT: all letters one tile high, so 2 points a tile: Qu 2 + I 2 + T 2 + 2 for the Qu = 8 (6A, 6C)",
    )
    assert judge("", "c5-PLASTER").explanation() == (
        "PLASTER: all letters one tile high, so 2 points a tile: P 2 + L 2 + A 2 + S 2 + T 2 + E 2 + R 2 = 14 (6A)",
        "All tiles of the rack in one turn: 20 (6D)",
    )
    deep = score_word((("A", "B", "C"), ("T",)), ())
    assert "C 3 (on B, A) + T 1 = 4 (6B)" in deep.explanation
