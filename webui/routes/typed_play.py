"""A play in words, as people say it: the word, which way it runs, and where it begins."""

from __future__ import annotations

import re

from engine.board import Board
from engine.errors import NotationError, quoted
from engine.faces import parse_faces
from engine.play import PlacedTile, Play, parse_play
from engine.squares import Square, parse_square

_SAID = re.compile(
    r"(?P<word>[a-z]+)\s+(?:(?P<way>across|down)\s+(?:from\s+|at\s+|on\s+)?(?P<square>[a-z]\d+)"
    r"|(?:from\s+|at\s+|on\s+)?(?P<square2>[a-z]\d+)\s+(?P<way2>across|down))",
    re.IGNORECASE,
)


def parse_typed(text: str, board: Board) -> Play:
    """The play that a text means on a board.

    Either a notation (`engine.play.parse_play`), or a word with its way and its first square:
    ``"NATURE across from c4"``, ``"nature c4 down"``. Of such a word, letters that lie on top already are not played.

    Raises NotationError for what can't be read, runs off the board, or lies there as it is.
    """
    said = _SAID.fullmatch(text.strip().rstrip("."))
    if said is None:
        return parse_play(text)
    start = parse_square(said["square"] or said["square2"])
    down = (said["way"] or said["way2"]).lower() == "down"
    tiles = []
    for step, face in enumerate(parse_faces(said["word"])):
        square = Square(start.row + step * down, start.col + step * (not down))
        if not board.holds(square):
            raise NotationError(f"{quoted(text.strip())} runs off the board: begin it nearer to a1")
        if board.top(square) != face:
            tiles.append(PlacedTile(square, face))
    if not tiles:
        raise NotationError(f"{said['word'].upper()} lies there already: no tile would be played")
    return Play(tuple(tiles))
