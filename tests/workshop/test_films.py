"""Composed films: what they show is what their truth says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from string import ascii_uppercase
from typing import Any

import numpy as np
import pytest

from engine import Board, Lexicon, PlacedTile, Play, Square, find_edition
from engine.rules.referee import referee
from workshop.films.compose import (
    RATES,
    FilmStyle,
    Mask,
    Picture,
    Script,
    film_truth,
    frames,
    random_style,
    write_script,
)
from workshop.films.table_game import TableTurn, draw_bluff, table_game

SIDE = 16
"""Pixels of a square of the flat stage."""


@dataclass
class FlatStage:
    """A board seen from straight above, whose tiles are bright squares."""

    upside_down: bool = False

    def picture(self, board: Board) -> Picture:
        lit = np.array([[200.0 if stack else 60.0 for stack in row] for row in board.stacks], np.float32)
        lit = lit[::-1, ::-1] if self.upside_down else lit
        return np.repeat(np.kron(lit, np.ones((SIDE, SIDE), np.float32))[..., None], 3, axis=2)

    def turn(self) -> FlatStage:
        return FlatStage(not self.upside_down)

    def project(self, x: float, y: float, height: float = 0.0) -> np.ndarray:
        return np.array([8 - x, 8 - y] if self.upside_down else [x, y]) * SIDE

    def around(self, squares: Sequence[Square], shape: tuple[int, int], layers: float) -> Mask:
        mask = np.zeros((*shape, 1), np.float32)
        for square in squares:
            s = Square(7 - square.row, 7 - square.col) if self.upside_down else square
            mask[s.row * SIDE : (s.row + 1) * SIDE, s.col * SIDE : (s.col + 1) * SIDE] = 1.0
        return mask


PLAIN = FilmStyle(
    fps=10,
    skin=(90, 90, 90),
    sleeve=(90, 90, 90),
    drift=0.0,
    warmth=0.0,
    flicker=0.0,
    noise=0.0,
    quality=95,
    stripes=None,
    hunts=(),
    heads=(),
    repeats=0.0,
    stalls=(),
)
PLAYS = [
    Play((PlacedTile(Square(3, 3), "A"), PlacedTile(Square(3, 4), "T"))),
    Play((PlacedTile(Square(4, 4), "O"),)),
    Play((PlacedTile(Square(3, 5), "E"),)),
]


ONE = Board.empty(8).with_play(PLAYS[0])
TURNS = [
    TableTurn(Board.empty(8), PLAYS[0]),
    TableTurn(ONE, PLAYS[1], lifted=True),
    TableTurn(ONE),
    TableTurn(ONE, PLAYS[2]),
]
"""A play, one that comes off again, a pass, and another play."""


@pytest.fixture(scope="module", params=range(1, 5))
def filmed(request: pytest.FixtureRequest) -> tuple[Script, list[np.ndarray]]:
    """Return a game of four turns on the flat stage: its script, and its frames."""
    rng = np.random.default_rng(request.param)
    script = write_script(rng, FlatStage(), TURNS)
    return script, list(frames(rng, script, PLAIN, script.now + 1.0))


def changes_of(script: Script, seconds: float) -> list[dict[str, Any]]:
    """Return the events of a film's truth that change the board."""
    events = film_truth("film", script, PLAIN, 8, seconds)["events"]
    return [event for event in events if event["type"] in ("play", "takeback")]


def bright(frame: np.ndarray) -> list[list[int]]:
    """Return which squares of a frame show a tile."""
    means = frame.mean(axis=2).reshape(8, SIDE, 8, SIDE).mean(axis=(1, 3))
    return [[int(mean > 130) for mean in row] for row in means]


def test_after_each_event_the_film_shows_its_board(filmed: tuple[Script, list[np.ndarray]]) -> None:
    script, shown = filmed
    events = changes_of(script, len(shown) / PLAIN.fps)
    assert events[-1]["turn"] == sum(not turn.lifted for turn in TURNS)
    first_bump = min((at * PLAIN.fps for at, _ in script.bumps), default=np.inf)
    compared = [event for event in events if event["hand_gone_frame"] + 1 < first_bump]
    assert compared, "a board is pushed before the first play: choose another seed"
    for event in compared:
        frame = shown[event["hand_gone_frame"] + 1]
        assert bright(frame) == [[int(height > 0) for height in row] for row in event["heights"]]


def test_tiles_change_under_a_hand(filmed: tuple[Script, list[np.ndarray]]) -> None:
    script, shown = filmed
    for event in changes_of(script, len(shown) / PLAIN.fps):
        first, last = event["changed_frames"]
        assert event["start_frame"] < first <= last < event["hand_gone_frame"] < len(shown)


def test_what_was_challenged_stays_off_and_its_player_has_another_try(filmed: tuple[Script, list[np.ndarray]]) -> None:
    script, shown = filmed
    events = changes_of(script, len(shown) / PLAIN.fps)
    (at,) = (k for k, event in enumerate(events) if event.get("challenged"))
    bluff, lifted, then = events[at - 1 : at + 2]
    assert [event["turn"] for event in (bluff, lifted, then)] == [2, 2, 3]  # the pass between is the other try
    assert (bluff["tiles"], lifted["heights"]) == (lifted["tiles"], events[at - 2]["heights"])
    assert all(event["tiles"] != bluff["tiles"] for event in events[at + 1 :])


def test_while_a_player_passes_the_board_lies_as_it_was(filmed: tuple[Script, list[np.ndarray]]) -> None:
    script, shown = filmed
    events = film_truth("film", script, PLAIN, 8, len(shown) / PLAIN.fps)["events"]
    (passed,) = (event for event in events if event["type"] == "pass")
    assert (passed["turn"], passed["player"], passed["changed_frames"]) == (2, 1, None)
    first, last = passed["start_frame"] / PLAIN.fps, passed["hand_gone_frame"] / PLAIN.fps
    assert last - first > 1.5
    assert not [change for change in script.changes if first <= change.at <= last]


def test_a_hand_comes_with_some_passes_and_with_others_none() -> None:
    def hands(seed: int) -> int:
        script = Script(np.random.default_rng(seed), FlatStage(), Board.empty(8), quick=False)
        script.pass_turn(1)
        return len(script.hands)

    assert {hands(seed) for seed in range(20)} == {0, 1}


def test_people_walk_away_for_half_a_minute_and_somebody_comes_back() -> None:
    script = Script(np.random.default_rng(0), FlatStage(), Board.empty(8), quick=False)
    script.walk_away(1)
    (event,), (hand,) = script.events, script.hands
    assert event["type"] == "away"
    assert 25.0 < event["gone"] - event["start"] <= hand.times[0] - event["start"] < 60.0
    assert script.changes == []


PAIRS = [a + b for a in ascii_uppercase for b in ascii_uppercase if {a, b} & {*"AEIOU"}]
WORDS = Lexicon.from_words(PAIRS, name="any two letters with a vowel")
CLASSIC = find_edition("8x8")


def test_a_game_has_as_many_plays_as_asked_for_or_none() -> None:
    for seed in range(8):
        turns = table_game(np.random.default_rng(seed), CLASSIC, WORDS, 6)
        stay = [turn for turn in turns if turn.play is not None and not turn.lifted]
        assert len(stay) == 6
        for turn, after in pairwise(stay):
            assert turn.play is not None
            assert after.before == turn.before.with_play(turn.play)
    with pytest.raises(ValueError, match="no game of 99 plays"):
        table_game(np.random.default_rng(0), CLASSIC, WORDS, 99)


def test_some_games_have_passes_and_some_have_bluffs() -> None:
    turns = [turn for seed in range(20) for turn in table_game(np.random.default_rng(seed), CLASSIC, WORDS, 6)]
    assert 0 < sum(turn.play is None for turn in turns) < 30
    assert 0 < sum(turn.lifted for turn in turns) < 30


def test_a_bluff_breaks_no_rule_but_that_of_its_words() -> None:
    board = Board.empty(8)
    bluffs = [draw_bluff(np.random.default_rng(seed), board, CLASSIC, WORDS) for seed in range(8)]
    assert any(bluffs)
    for play in filter(None, bluffs):
        verdict = referee(board, play, edition=CLASSIC, lexicon=WORDS)
        assert verdict.violations
        assert verdict.breaches == ()


def test_now_and_then_a_tile_lies_on_a_wrong_square_first() -> None:
    (play, *_), board = PLAYS, Board.empty(8)
    scripts = (Script(np.random.default_rng(seed), FlatStage(), board, quick=False) for seed in range(100))
    for script in scripts:
        script.play(1, board.with_play(play), play)
        if len(script.changes) > len(play.tiles):
            break
    shown = list(frames(np.random.default_rng(0), script, PLAIN, script.now + 1.0))
    changes = sorted(script.changes, key=lambda change: change.at)
    assert changes[0].at == script.events[0]["changed"][0]
    ((row, col),) = np.argwhere(bright(changes[0].picture))
    assert Square(int(row), int(col)) not in play.squares
    assert sum(map(sum, bright(shown[-1]))) == len(play.tiles)


def test_a_turned_board_lies_upside_down_and_the_next_tiles_lie_on_it() -> None:
    script, board = Script(np.random.default_rng(0), FlatStage(), Board.empty(8), quick=False), Board.empty(8)
    first, then = board.with_play(PLAYS[0]), board.with_play(PLAYS[0]).with_play(PLAYS[2])
    script.play(1, first, PLAYS[0])
    script.turn_round(1, first)
    script.play(2, then, PLAYS[2])
    last = list(frames(np.random.default_rng(0), script, PLAIN, script.now + 1.0))[-1]
    assert bright(last) == [[int(bool(stack)) for stack in row[::-1]] for row in then.stacks[::-1]]


def test_a_hand_goes_back_to_the_rack_in_the_middle_of_some_words() -> None:
    board, pauses = Board.empty(8), []
    for seed in range(60):
        script = Script(np.random.default_rng(seed), FlatStage(), board, quick=False)
        script.play(1, board.with_play(PLAYS[0]), PLAYS[0])
        (event,) = script.events
        assert event["start"] == script.hands[0].times[0]
        assert event["gone"] == script.hands[-1].times[-1]
        pauses += [two.times[0] - one.times[-1] for one, two in pairwise(script.hands)]
    assert 0 < len(pauses) < 30
    assert all(0.0 < pause < 1.0 for pause in pauses)


@pytest.mark.parametrize("seed", range(4))
def test_a_cup_is_put_down_and_taken_away_and_nothing_else_is_changed(seed: int) -> None:
    script = Script(np.random.default_rng(seed), FlatStage(), Board.empty(8), quick=False)
    script.put_cup(1, Board.empty(8))
    (cup,), (putting, taking) = script.cups, script.hands
    assert putting.times[0] < cup.times[0] < putting.times[-1] < taking.times[0] < cup.times[1] < taking.times[-1]
    shown = list(frames(np.random.default_rng(0), script, PLAIN, script.now + 1.0))
    there, gone = (shown[int(np.ceil(at * PLAIN.fps))] for at in (putting.times[-1] + 0.1, taking.times[-1] + 0.1))
    x, y = (min(int(part * SIDE), 8 * SIDE - 1) for part in cup.point)
    assert cup.point[0] > 8 or not np.array_equal(there[y, x], gone[y, x])
    assert np.array_equal(gone, shown[0])
    assert script.events == []


def test_a_film_stands_still_where_frames_are_lost() -> None:
    script, noisy = (
        Script(np.random.default_rng(0), FlatStage(), Board.empty(8), quick=False),
        replace(PLAIN, noise=3.0),
    )
    shown = list(frames(np.random.default_rng(0), script, replace(noisy, stalls=(1.0,)), 4.0))
    same = [np.array_equal(one, other) for one, other in pairwise(shown)]
    assert same[10:20] == [True] * 10
    assert same.count(True) <= 12


def test_a_look_has_a_rate_and_half_of_what_is_hard() -> None:
    styles = [random_style(np.random.default_rng(seed), (90, 120), 60.0) for seed in range(40)]
    assert {style.fps for style in styles} == {*RATES}
    for hard in ("stripes", "hunts", "heads", "repeats", "stalls", "flicker"):
        having = [bool(np.any(getattr(style, hard))) for style in styles if getattr(style, hard) is not None]
        assert 0 < sum(having) < len(styles)
