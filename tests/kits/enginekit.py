"""Boards, word lists and strategies that the engine's tests share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from hypothesis import strategies as st

from engine import FACES, SQUARES, Board, Game, PlacedTile, Play, Square, UpscoreError, parse_play
from engine.formats.game_json import Position, parse_position, stacks_json
from engine.json_reading import load_json


def make_play(tiles: Iterable[tuple[int, int, str]]) -> Play:
    """A play from ``(row, col, face)`` triples, which are taken as they are."""
    return Play(tuple(PlacedTile(Square(row, col), face) for row, col, face in tiles))


def transpose_board(board: Board) -> Board:
    """The board mirrored at the diagonal a1-b2-c3: rows become columns."""
    return Board(tuple(zip(*board.stacks, strict=True)))


def play_transposed(play: Play) -> Play:
    """The play mirrored at the same diagonal."""
    return make_play((tile.square.col, tile.square.row, tile.face) for tile in play.tiles)


def position_text(position: Position) -> str:
    """Return the text of a position file, the inverse of `load_position`."""
    data: dict[str, object] = {"edition": position.edition.name, "stacks": stacks_json(position.board)}
    if position.remaining is not None:
        data["remaining"] = dict(position.remaining)
    if position.players:
        data["players"] = list(position.players)
    return json.dumps(data)


def load_position(text: str) -> Position:
    """Return the position in a position file, as the commands read it."""
    return parse_position(load_json(text, "the position"))


class Words:
    """A word list for tests; `plurals` are the words it knows as plurals."""

    def __init__(self, *words: str, name: str = "test") -> None:
        self.name = name
        self._words = frozenset(words)

    def __contains__(self, word: object) -> bool:
        return word in self._words


class WordsWithPlurals(Words):
    """A word list that knows plurals too; `others` are the words on S that are no form of the word before it."""

    def __init__(self, *words: str, plurals: Iterable[str], others: Iterable[str] = ()) -> None:
        super().__init__(*words)
        self._plurals = frozenset(plurals)
        self._others = frozenset(others)

    def is_plural(self, word: str) -> bool:
        return word in self._plurals

    def is_inflection(self, word: str) -> bool:
        return not word.endswith("SS") and word not in self._others


def board_of(size: int, plays: str) -> Board:
    """A board from plays put down one after another, separated by semicolons."""
    return play_all(Board.empty(size), *filter(None, (part.strip() for part in plays.split(";"))))


def play_all(board: Board, *plays: str) -> Board:
    """The board after plays in notation, whatever the rules say."""
    for text in plays:
        board = board.with_play(parse_play(text))
    return board


def game_after(game: Game, *turns: str) -> Game:
    """The game after turns: plays in notation, "pass" and "exchange"."""
    for text in turns:
        if text == "pass":
            game = game.pass_turn()
        elif text == "exchange":
            game = game.exchange()
        else:
            game = game.play(parse_play(text))
    return game


def refusal(attempt: Callable[[], object]) -> str | None:
    """The message of the error that people would see, None when the attempt succeeds."""
    try:
        attempt()
    except UpscoreError as error:
        return str(error)
    return None


def board_with(count: int) -> Board:
    """An 8x8 board of `count` tiles, four to a square, whichever they are."""
    left = [max(0, min(4, count - 4 * square)) for square in range(64)]
    return Board.of([[("A", "B", "C", "D")[: left[8 * row + col]] for col in range(8)] for row in range(8)])


_FEW_FACES = st.sampled_from(["A", "E", "S", "T", "Qu"])


@st.composite
def boards(draw: st.DrawFn, size: int | None = None) -> Board:
    """Boards with stacks anywhere, few faces so that letters meet themselves, most squares empty."""
    side = draw(st.integers(4, 8)) if size is None else size
    at = st.integers(0, side - 1)
    stacks: list[list[tuple[str, ...]]] = [[()] * side for _ in range(side)]
    for row, col, face in draw(st.lists(st.tuples(at, at, _FEW_FACES), max_size=24)):
        stacks[row][col] = (*stacks[row][col], face)[:5]
    return Board.of(stacks)


@st.composite
def plays(draw: st.DrawFn, size: int) -> Play:
    """Plays that lie in a line, mostly, with gaps or without, and some that lie anywhere."""
    if draw(st.integers(0, 4)) == 0:
        place = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1), _FEW_FACES)
        return make_play(draw(st.lists(place, min_size=1, max_size=4)))
    line = draw(st.integers(0, size - 1))
    places = sorted(draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=min(size, 7))))
    faces = [draw(_FEW_FACES) for _ in places]
    across = draw(st.booleans())
    squares = [SQUARES[line][at] if across else SQUARES[at][line] for at in places]
    return Play(tuple(PlacedTile(square, face) for square, face in zip(squares, faces, strict=True)))


any_face = st.sampled_from(FACES)
any_faces = st.lists(any_face, max_size=9).map(tuple)
