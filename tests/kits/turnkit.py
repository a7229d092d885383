"""Games made up for tests of turns: a small list of words, lawful plays drawn at random, and what is seen of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from enginekit import play_all
from hypothesis import strategies as st
from readings import reading_of, tear, veil

from engine import FACES, Board, Lexicon, Play, find_edition, format_play, parse_square
from engine.solver.search import legal_plays
from vision import Belief, BoardReading, Finding, GameSettings, Outcome, certain
from vision.turn.steps import take_look, unseen
from vision.turn.story import Event

CLASSIC = find_edition("8x8")
EMPTY = Board.empty(8)


def context_of(*words: str, **changes: Any) -> GameSettings:
    """A game on the 8 x 8 board with just these words."""
    return GameSettings(CLASSIC, Lexicon.from_words(words, name="test"), **changes)


NO_LIST = GameSettings(CLASSIC)
"""The same without a list of words."""

COMMON = context_of(
    "MOOD", "WOOD", "DEAR", "NET", "ON", "DEAL", "MOON", "FOOD", "GOOD", "WOOL", "LEAP", "MOODY", "COOL"
)  # fmt: skip
MOOD = play_all(EMPTY, "M@b4 O@c4 O@d4 D@e4")
EAR = "E@e5 A@e6 R@e7"
DEAR = play_all(MOOD, EAR)
"""MOOD across, and DEAR down from its D."""

SMALL = context_of(
    "AD", "ED", "BAD", "BED", "BAR", "DAB", "RED", "ARE", "EAR", "ERA", "BEAR", "BARE", "BREAD", "READ",
    "DARE", "DEAR", "BEAD", "TEA", "EAT", "ATE", "RAT", "TAR", "TEAR", "RATE", "BEAT", "TREAD",
)  # fmt: skip
"""Words of few letters, of which games are drawn."""


def look_from(board: Board, *readings: BoardReading | None, settings: GameSettings = COMMON) -> tuple[Belief, Finding]:
    """Return the belief and the finding after these readings of a game from `board` on; None shows no board."""
    return look_again(certain(board), *readings, settings=settings)


def look_again(
    belief: Belief, *readings: BoardReading | None, settings: GameSettings = COMMON
) -> tuple[Belief, Finding]:
    """Return the same from a belief on."""
    finding = None
    for reading in readings:
        if reading is None:
            belief = unseen(belief)
        else:
            belief, finding = take_look(belief, reading, settings)
    assert finding is not None
    return belief, finding


def texts(events: Iterable[Event]) -> list[str | None]:
    """Events in notation."""
    return [None if event is None else format_play(event) for event in events]


def notate(outcome: Outcome) -> list[str | None]:
    """What an outcome says has happened, in notation."""
    return texts(outcome.events)


def at(name: str) -> tuple[int, int]:
    """Row and column of a square's name."""
    square = parse_square(name)
    return square.row, square.col


def sharp(board: Board) -> BoardReading:
    """A reading of a board as sure as a network is in good light."""
    return reading_of(board, sure=0.9999, height_sure=0.9999)


def bleach(reading: BoardReading, names: Iterable[str]) -> BoardReading:
    """The reading with the letters on these squares gone white."""
    for name in names:
        reading.face_probs[at(name)] = 1 / len(FACES)
    return reading


def heights(board: Board) -> list[list[int]]:
    """How high the stacks are."""
    return [[len(stack) for stack in row] for row in board.stacks]


@dataclass(frozen=True)
class Record:
    """A game that was played: the boards, one more than there are plays."""

    plays: tuple[Play, ...]
    boards: tuple[Board, ...]


RACKS = "ABDERTAE", "BREADTE", "TEARDAB", "DEBARTE"


@st.composite
def records(draw: st.DrawFn, least: int = 1, most: int = 3) -> Record:
    """A lawful game of `SMALL` words."""
    boards, plays = [EMPTY], []
    for _ in range(draw(st.integers(least, most))):
        rack = list(draw(st.sampled_from(RACKS)))[:7]
        assert SMALL.lexicon is not None
        lawful = legal_plays(boards[-1], rack, edition=CLASSIC, lexicon=SMALL.lexicon)  # type: ignore[arg-type]
        if not lawful:
            break
        play = lawful[draw(st.integers(0, len(lawful) - 1))].play
        plays.append(play)
        boards.append(boards[-1].with_play(play))
    return Record(tuple(plays), tuple(boards))


@st.composite
def spoilt(draw: st.DrawFn, board: Board) -> BoardReading:
    """A reading of a board, more or less sure, now and then with a hand on it or with a letter like another."""
    sure = draw(st.sampled_from([0.9999, 0.995, 0.9, 0.6]))
    reading = reading_of(board, sure=sure, height_sure=draw(st.sampled_from([0.9999, 0.99, 0.9])))
    occupied = [(square.row, square.col) for square in board.list_occupied()]
    if draw(st.booleans()) and occupied:
        row, col = draw(st.sampled_from(occupied))
        reading = tear(reading, row, col, **{draw(st.sampled_from("ABDERT")): 0.5})
    squares = st.tuples(st.integers(0, board.size - 1), st.integers(0, board.size - 1))
    return veil(reading, *draw(st.lists(squares, max_size=4)))
