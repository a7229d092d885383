"""Photographs that come late or twice: they take nothing back, and the table is told what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine import Board, Game
from vision import Finding
from vision.reading import BoardReading
from webui.storage.database import PhotoRow
from webui.table.games import by_place

READ_ALREADY = "This photo was read already."
EARLIER = "This is an earlier photo. Nothing was changed."


def read_already(game: Game, photos: Mapping[int, PhotoRow], digest: str) -> str | None:
    """Return what to say of a photograph that shows a turn already, None if it shows none.

    `photos` are by log entry, as the store has them.
    """
    for line, photo in by_place(game, photos).items():
        if photo.digest == digest:
            return f"{READ_ALREADY} It shows {_name(game, line)}."
    return None


def goes_on(finding: Finding) -> bool:
    """Return whether a photograph surely shows a new play on top of all that is on the sheet: then it isn't late."""
    return finding.kind == "play" and not finding.needs_review and not finding.outcomes[0].replaces


def earlier_text(game: Game, line: int | None) -> str:
    """Return what to say of a photograph taken before the newest one. `line` is the line of the sheet it shows."""
    return (
        EARLIER
        if line is None
        else f"This is an earlier photo: it shows {_name(game, line)}. Nothing was changed."
    )


def line_shown(reading: BoardReading | None, game: Game) -> int | None:
    """Return the newest line of the sheet after which the board lay as it was read. 0 is the start, None is never.

    Squares under a hand are left out.
    """
    if reading is None:
        return None
    letters, hidden = reading.letters(), reading.occluded()
    for line, board in reversed([*enumerate(_boards(game))]):
        squares = (square for square in board.squares() if not hidden[square.row, square.col])
        if all((board.top(square) or "") == letters[square.row][square.col] for square in squares):
            return line
    return None


def _boards(game: Game) -> Iterator[Board]:
    """Yield the board at the start and after each line of the sheet."""
    board = game.setup.start
    yield board
    for record in game.turns:
        if record.play is not None and not record.taken_back:
            board = board.with_play(record.play)
        yield board


def _name(game: Game, line: int) -> str:
    return f"turn {game.turns[line - 1].number}" if line else "the start"
