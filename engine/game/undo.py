"""The entries that can be undone and redone, as phrases for buttons."""

from __future__ import annotations

from engine.game import events
from engine.game.game import Game
from engine.game.log import apply_correction, undo_stacks
from engine.game.records import TurnRecord
from engine.play import format_play


def undo_text(game: Game) -> str | None:
    """Describe what `Game.undo` takes back: ``"Undo: Red's MOOD, 8 points"``; None if nothing can be undone."""
    undoable, _ = undo_stacks(game.log)
    return f"Undo{_entry_text(game, game.log[undoable[-1]])}" if undoable else None


def redo_text(game: Game) -> str | None:
    """Describe what `Game.redo` brings back: ``"Redo the correction of turn 3"``; None if nothing can be redone."""
    _, redoable = undo_stacks(game.log)
    return f"Redo{_entry_text(game.redo(), game.log[redoable[-1]])}" if redoable else None


def _entry_text(after: Game, entry: events.Entry) -> str:
    """Return what an entry did, in the words that follow "Undo" or "Redo".

    It is the last one that stands in the game `after` it.
    """
    if not isinstance(entry, events.Corrected):
        return f": {_happened(after, len(after.events) - 1)}"
    before = after.undo()
    removed = entry.put is None
    game, at = (before, entry.at) if removed else (after, _place(before, entry))
    if isinstance(game.events[at], events.TurnGiven):
        return f": {_whose(after, at)}"
    what = "removal" if removed else "insertion" if entry.insert else "correction"
    return f" the {what} of {_named(game, at)}"


def _place(before: Game, correction: events.Corrected) -> int:
    """Return the number that a correction's event has after it: a challenge may have moved before it."""
    corrected, places = apply_correction(before.events, correction)
    if not correction.insert:
        return next(at for at in (places[correction.at],) if at is not None)
    return next(at for at in range(len(corrected)) if at not in places)


def _happened(game: Game, at: int) -> str:
    """Describe event number `at`, the last of the game, in a few words."""
    event = game.events[at]
    match event:
        case events.Played() | events.Passed() | events.Exchanged():
            return _turn_text(game.turns[-1])
        case events.Challenged(_, upheld):
            record = next(turn for turn in reversed(game.turns) if any(each.event == at for each in turn.challenges))
            end = "taken back" if upheld else "challenged without success"
            return f"{record.player}'s {_words(record)}, {end}"
        case events.RackSeen(player, _):
            return f"the tiles on {game.players[player]}'s rack"
        case events.TurnGiven():
            return _whose(game, at)
        case events.Drawn() | events.BoardTaken() | events.Ended():
            return _named(game, at)


def _turn_text(record: TurnRecord) -> str:
    if record.kind == "play":
        return f"{record.player}'s {_words(record)}, {record.points} point{'s' * (record.points != 1)}"
    return f"{record.player} {'passed' if record.kind == 'pass' else 'exchanged a tile'}"


def _words(record: TurnRecord) -> str:
    """Return the words of a play, or its tiles where it made none."""
    words = () if record.verdict is None else record.verdict.words
    return " and ".join(word.word for word in words) or ("" if record.play is None else format_play(record.play))


def _whose(game: Game, at: int) -> str:
    """Describe whose turn it was, as the `TurnGiven` at or before event number `at` decided."""
    for record in game.turns:
        if record.event >= at and record.kind != "lost":
            return f"turn {record.number} was {record.player}'s"
    return "whose turn it is"


def _named(game: Game, at: int) -> str:
    """Return the name of event number `at` of a game: ``"turn 3"``."""
    match game.events[at]:
        case events.Played() | events.Passed() | events.Exchanged():
            return f"turn {[record.number for record in game.turns if record.event == at][-1]}"
        case events.Challenged():
            return "a challenge"
        case events.Drawn():
            return "the draw for the first turn"
        case events.RackSeen():
            return "a rack"
        case events.TurnGiven():
            return "whose turn it is"
        case events.BoardTaken():
            return "the board, taken as it lies"
        case events.Ended():
            return "the end of the game"
