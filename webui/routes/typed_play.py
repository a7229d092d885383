"""Reading a play as people say it: the word, which way it runs, and where it begins."""

from __future__ import annotations

import re

from engine.board import Board
from engine.errors import NotationError, quoted
from engine.faces import parse_faces
from engine.play import PlacedTile, Play, parse_play
from engine.squares import Square, parse_square

_SPOKEN_PLAY = re.compile(
    r"(?P<word>[a-z]+)\s+(?:(?P<way>across|down)\s+(?:from\s+|at\s+|on\s+)?(?P<square>[a-z]\d+)"
    r"|(?:from\s+|at\s+|on\s+)?(?P<square2>[a-z]\d+)\s+(?P<way2>across|down))",
    re.IGNORECASE,
)


def parse_typed(text: str, board: Board) -> Play:
    """Parse the text of a play on a board.

    The text is a notation (`engine.play.parse_play`), or a word with its direction and its first square:
    ``"NATURE across from c4"``, ``"nature c4 down"``. Letters of the word that are on top already are not played.

    Raises NotationError for a text that can't be read, a word that runs off the board, or one that lies there already.
    """
    said = _SPOKEN_PLAY.fullmatch(text.strip().rstrip("."))
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
