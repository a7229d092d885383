"""Another letter on the square that a question is about: the answer for a tile that was none of those offered."""

from __future__ import annotations

from dataclasses import replace

from engine.game.revision import Revision
from engine.play import PlacedTile, Play
from engine.squares import Square, square_name
from webui.errors import WebError
from webui.views.game.question import Pending


def with_letter(pending: Pending, face: str) -> Revision:
    """The likeliest answer with this face on the square in question, put there where the answer has none.

    Raises WebError where the question is not about one square.
    """
    at = _lettered_event(pending)
    if at is None or pending.question is None:
        raise WebError("This question is not about one letter: choose an answer, or enter the play by hand.")
    best = pending.choices[0].revision
    play = best.events[at] or Play(())
    events = (*best.events[:at], _with_face(play, pending.question, face), *best.events[at + 1 :])
    return replace(best, events=events)


def square_asked(pending: Pending) -> str:
    """The name of the square whose letter can be told instead of an answer, "" where there is none."""
    if pending.question is None or _lettered_event(pending) is None:
        return ""
    return square_name(pending.question)


def _lettered_event(pending: Pending) -> int | None:
    """Which event of the likeliest answer has a letter in question: the last play there, else the last play."""
    if pending.question is None or not pending.choices:
        return None
    events = pending.choices[0].revision.events
    plays = [at for at, event in enumerate(events) if event is not None]
    there = [at for at in plays if pending.question in (events[at] or Play(())).squares]
    return next(reversed(there or plays), None)


def _with_face(play: Play, square: Square, face: str) -> Play:
    others = Play(tuple(tile for tile in play.tiles if tile.square != square))
    return others.with_tiles((PlacedTile(square, face),))
