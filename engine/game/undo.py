"""The entries that can be undone and redone, as phrases for buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from engine.game import events
from engine.game.game import Game
from engine.game.log import apply_correction, undo_stacks
from engine.game.records import TurnRecord
from engine.play import format_play
from engine.wording import Phrase, join_names, phrase, points_text

_EntryKind = Literal["event", "removal", "insertion", "correction"]
_UNDO: Mapping[_EntryKind, Phrase] = {
    "event": phrase("Undo: %(what)s"),
    "removal": phrase("Undo the removal of %(what)s"),
    "insertion": phrase("Undo the insertion of %(what)s"),
    "correction": phrase("Undo the correction of %(what)s"),
}
_REDO: Mapping[_EntryKind, Phrase] = {
    "event": phrase("Redo: %(what)s"),
    "removal": phrase("Redo the removal of %(what)s"),
    "insertion": phrase("Redo the insertion of %(what)s"),
    "correction": phrase("Redo the correction of %(what)s"),
}
"""The phrases by what kind of entry is undone or redone. `_text` fills in what that is."""


def undo_text(game: Game) -> str | None:
    """Describe what `Game.undo` takes back: ``"Undo: Red's MOOD, 8 points"``; None if nothing can be undone."""
    undoable, _ = undo_stacks(game.log)
    if not undoable:
        return None
    return _text(_UNDO, *_entry(game, game.log[undoable[-1]]))


def redo_text(game: Game) -> str | None:
    """Describe what `Game.redo` brings back: ``"Redo the correction of turn 3"``; None if nothing can be redone."""
    _, redoable = undo_stacks(game.log)
    if not redoable:
        return None
    return _text(_REDO, *_entry(game.redo(), game.log[redoable[-1]]))


def _text(texts: Mapping[_EntryKind, Phrase], change: _EntryKind, what: str) -> Phrase:
    return Phrase(texts[change].template, {"what": what})


def _entry(after: Game, entry: events.Entry) -> tuple[_EntryKind, str]:
    """Return what kind of entry it is, and what it did or changed, in a few words.

    It is the last one that stands in the game `after` it.
    """
    if not isinstance(entry, events.Corrected):
        return "event", _describe_event(after, len(after.events) - 1)
    before = after.undo()
    removed = entry.put is None
    game, at = (before, entry.at) if removed else (after, _place_of(before, entry))
    if isinstance(game.events[at], events.TurnGiven):
        return "event", _whose(after, at)
    return "removal" if removed else "insertion" if entry.insert else "correction", _name_event(game, at)


def _place_of(before: Game, correction: events.Corrected) -> int:
    """Return the number that a correction's event has after it: a challenge may have moved before it."""
    corrected, places = apply_correction(before.events, correction)
    if not correction.insert:
        return next(at for at in (places[correction.at],) if at is not None)
    return next(at for at in range(len(corrected)) if at not in places)


def _describe_event(game: Game, at: int) -> str:
    """Describe event number `at`, the last of the game, in a few words."""
    event = game.events[at]
    match event:
        case events.Played() | events.Passed() | events.Exchanged():
            return _turn_text(game.turns[-1])
        case events.Challenged(_, upheld):
            record = next(turn for turn in reversed(game.turns) if any(each.event == at for each in turn.challenges))
            if upheld:
                return phrase("%(player)s's %(words)s, taken back", player=record.player, words=_words(record))
            return phrase(
                "%(player)s's %(words)s, challenged without success", player=record.player, words=_words(record)
            )
        case events.RackSeen(player, _):
            return phrase("the tiles on %(player)s's rack", player=game.players[player])
        case events.TurnGiven():
            return _whose(game, at)
        case events.Drawn() | events.BoardTaken() | events.Ended():
            return _name_event(game, at)


def _turn_text(record: TurnRecord) -> str:
    if record.kind == "play":
        points = points_text(record.points)
        return phrase("%(player)s's %(words)s, %(points)s", player=record.player, words=_words(record), points=points)
    if record.kind == "pass":
        return phrase("%(player)s passed", player=record.player)
    return phrase("%(player)s exchanged a tile", player=record.player)


def _words(record: TurnRecord) -> str:
    """Return the words of a play, or its tiles where it made none."""
    words = () if record.verdict is None else record.verdict.words
    return join_names([word.word for word in words]) or ("" if record.play is None else format_play(record.play))


def _whose(game: Game, at: int) -> str:
    """Describe whose turn it was, as the `TurnGiven` at or before event number `at` decided."""
    for record in game.turns:
        if record.event >= at and record.kind != "lost":
            return phrase("turn %(number)s was %(player)s's", number=record.number, player=record.player)
    return phrase("whose turn it is")


def _name_event(game: Game, at: int) -> str:
    """Return the name of event number `at` of a game: ``"turn 3"``."""
    match game.events[at]:
        case events.Played() | events.Passed() | events.Exchanged():
            number = [record.number for record in game.turns if record.event == at][-1]
            return phrase("turn %(number)s", number=number)
        case events.Challenged():
            return phrase("a challenge")
        case events.Drawn():
            return phrase("the draw for the first turn")
        case events.RackSeen():
            return phrase("a rack")
        case events.TurnGiven():
            return phrase("whose turn it is")
        case events.BoardTaken():
            return phrase("the board, taken as it lies")
        case events.Ended():
            return phrase("the end of the game")
