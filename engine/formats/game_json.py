"""Games as JSON data, and back (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.editions import MAX_PLAYERS, MAX_RACK, edition_data, edition_from_data
from engine.errors import GameError, UpscoreError, quoted
from engine.faces import parse_face
from engine.formats.position import parse_stacks, stacks_json
from engine.game import events
from engine.game.game import Game
from engine.game.records import MAX_SCORE, Setup, make_setup
from engine.json_reading import as_bool, as_int, as_list, as_mapping, as_text, only_keys
from engine.lexicon.lexicon import WordList
from engine.play import Play, format_play, parse_play
from engine.rules.house_rules import house_rules_from

FORMAT = "upscore-game"
VERSION = 1
MAX_ENTRIES = 10_000
"""The most log entries in one game. [by eye]"""
_KEYS = ("format", "version", "edition", "players", "rules", "lexicon", "start", "scores", "first", "entries", "log")


def game_to_dict(game: Game) -> dict[str, object]:
    """Return a game with its whole log as JSON data; ``entries`` counts the log, so that a cut shows."""
    setup, log = game.setup, game.log
    data: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "edition": edition_data(setup.edition),
        "players": list(setup.players),
        "rules": setup.rules.changes(),
        "lexicon": setup.lexicon_name,
    }
    if not setup.start.is_empty:
        data["start"] = stacks_json(setup.start)
    if any(setup.scores):
        data["scores"] = list(setup.scores)
    if setup.first:
        data["first"] = setup.first
    data["entries"] = len(log)
    data["log"] = [entry_to_dict(entry) for entry in log]
    return data


def game_from_dict(data: object, lexicon: WordList | None) -> Game:
    """Return the game that `game_to_dict` wrote; `lexicon` judges its plays.

    Raises an UpscoreError, one line, for data that is no game, for a newer version or for a log that was cut off. For
    an impossible entry, the error gives its number.
    """
    setup, log = log_from_dict(data)
    return Game.from_log(setup, log, lexicon)


def log_from_dict(data: object) -> tuple[Setup, tuple[events.Entry, ...]]:
    """Return the set-up and the log that `game_to_dict` wrote, not replayed; raise as `game_from_dict` does."""
    fields = as_mapping(data, "the game")
    if fields.get("format") != FORMAT:
        raise GameError(f'this is no saved game: "format" must be "{FORMAT}"')
    version = as_int(fields.get("version"), "the game's version", 1, 1_000_000)
    if version > VERSION:
        raise GameError(f"the game was saved by a newer version (format {version}): update this program")
    only_keys(fields, _KEYS, "the game")
    setup = _setup(fields)
    count = as_int(fields.get("entries"), "the number of entries", 0, MAX_ENTRIES)
    log = as_list(fields.get("log"), "the log")
    if len(log) != count:
        raise GameError(f"the log has {len(log)} entries of {count}: it was cut off; use a whole copy")
    entries: list[events.Entry] = []
    for number, entry in enumerate(log, start=1):
        try:
            entries.append(entry_from_dict(entry))
        except UpscoreError as error:
            raise GameError(f"log entry {number}: {error}") from None
    return setup, tuple(entries)


def entry_to_dict(entry: events.Entry) -> dict[str, object]:
    """Return one entry of the log as JSON data."""
    match entry:
        case events.Drawn(faces):
            return {"type": "draw", "faces": list(faces)}
        case events.RackSeen(player, held):
            return {"type": "rack", "player": player, "faces": list(held)}
        case events.Played(play):
            return {"type": "play", "tiles": format_play(play)}
        case events.Passed():
            return {"type": "pass"}
        case events.Exchanged(given, drawn):
            return {"type": "exchange", "given": given, "drawn": drawn}
        case events.Challenged(challenger, upheld, authority):
            event: dict[str, object] = {"type": "challenge", "challenger": challenger, "upheld": upheld}
            return event if authority is None else {**event, "by": authority}
        case events.Ended(reason, left):
            return {"type": "end", "reason": reason, "left": None if left is None else list(left)}
        case events.TurnGiven(player):
            return {"type": "turn", "player": player}
        case events.BoardTaken(tiles, player):
            return {"type": "board", "tiles": format_play(tiles), "player": player}
        case events.Undone():
            return {"type": "undo"}
        case events.Redone():
            return {"type": "redo"}
        case events.Corrected(at, put, insert, also):
            kind = "insert" if insert else "correct"
            data: dict[str, object] = {"type": kind, "at": at, "put": _put_to_dict(put)}
            others = [{"at": other, "put": _put_to_dict(correction)} for other, correction in also]
            return {**data, "also": others} if others else data


def entry_from_dict(data: object) -> events.Entry:
    """Return the entry that `entry_to_dict` wrote; raise NotationError for anything else."""
    fields = as_mapping(data, "an entry")
    kind = as_text(fields.get("type"), "an entry's type")
    if kind in ("undo", "redo"):
        only_keys(fields, ("type",), f"an entry of type {kind}")
        return events.Undone() if kind == "undo" else events.Redone()
    if kind in ("correct", "insert"):
        only_keys(fields, ("type", "at", "put", "also"), f"a {kind} entry")
        others = [as_mapping(other, "an event") for other in as_list(fields.get("also", []), '"also"')]
        for other in others:
            only_keys(other, ("at", "put"), 'an event of "also"')
        at, put = _put_from(fields)
        return events.Corrected(at, put, kind == "insert", tuple(map(_put_from, others)))
    return event_from_dict(fields)


def _put_to_dict(put: events.Event | None) -> dict[str, object] | None:
    return None if put is None else entry_to_dict(put)


def _put_from(fields: Mapping[str, object]) -> tuple[int, events.Event | None]:
    """Return the number of an event and its correction, None to remove it."""
    put = fields.get("put")
    at = as_int(fields.get("at"), "the event's number", 0, MAX_ENTRIES)
    return at, None if put is None else event_from_dict(put)


def event_from_dict(data: object) -> events.Event:
    """Return the event that `entry_to_dict` wrote; raise NotationError for anything else, corrections included."""
    fields = as_mapping(data, "an event")
    kind = as_text(fields.get("type"), "an event's type")
    if kind not in _READERS:
        raise GameError(f"{quoted(kind)} is no event: use {', '.join(_READERS)}")
    keys, read = _READERS[kind]
    only_keys(fields, ("type", *keys), f"a {kind} event")
    return read(fields)


def _setup(fields: Mapping[str, object]) -> Setup:
    edition = edition_from_data(fields.get("edition"))
    players = tuple(as_text(name, "a player") for name in as_list(fields.get("players"), "the players"))
    rules = house_rules_from(fields.get("rules", {}))
    start = parse_stacks(fields["start"]) if "start" in fields else None
    lexicon = fields.get("lexicon")
    name = None if lexicon is None else as_text(lexicon, "the word list")
    scores = None
    if "scores" in fields:
        listed = as_list(fields["scores"], "the scores to start with")
        scores = tuple(as_int(score, "a score to start with", 0, MAX_SCORE) for score in listed)
    first = as_int(fields.get("first", 0), "the number of the player who begins", 0, MAX_PLAYERS - 1)
    return make_setup(edition, players, rules, start=start, lexicon_name=name, scores=scores, first=first)


def _rack(fields: Mapping[str, object]) -> events.Event:
    faces = tuple(parse_face(as_text(face, "a tile")) for face in as_list(fields.get("faces"), "the rack"))
    return events.RackSeen(_player(fields), faces)


def _challenge(fields: Mapping[str, object]) -> events.Event:
    challenger = fields.get("challenger")
    number = None if challenger is None else as_int(challenger, "the challenger's number", 0, MAX_PLAYERS - 1)
    by = None if fields.get("by") is None else as_text(fields["by"], '"by"')
    return events.Challenged(number, as_bool(fields.get("upheld"), '"upheld"'), events.authority_named(by))


def _end(fields: Mapping[str, object]) -> events.Event:
    left = fields.get("left")
    reason = as_text(fields.get("reason"), "the reason")
    if left is None:
        return events.Ended(reason)
    counts = as_list(left, "the tiles left")
    return events.Ended(reason, tuple(as_int(count, "the tiles left", 0, MAX_RACK) for count in counts))


def _player(fields: Mapping[str, object]) -> int:
    return as_int(fields.get("player"), "the player's number", 0, MAX_PLAYERS - 1)


def _tiles(fields: Mapping[str, object]) -> Play:
    return parse_play(as_text(fields.get("tiles"), "the tiles"))


def _face(value: object) -> str | None:
    return None if value is None else parse_face(as_text(value, "a tile"))


_READERS: dict[str, tuple[tuple[str, ...], Callable[[Mapping[str, object]], events.Event]]] = {
    "draw": (
        ("faces",),
        lambda fields: events.Drawn(tuple(map(_face, as_list(fields.get("faces"), "the faces drawn")))),
    ),
    "rack": (("player", "faces"), _rack),
    "play": (("tiles",), lambda fields: events.Played(_tiles(fields))),
    "pass": ((), lambda fields: events.Passed()),
    "exchange": (
        ("given", "drawn"),
        lambda fields: events.Exchanged(_face(fields.get("given")), _face(fields.get("drawn"))),
    ),
    "challenge": (("challenger", "upheld", "by"), _challenge),
    "turn": (("player",), lambda fields: events.TurnGiven(_player(fields))),
    "board": (("tiles", "player"), lambda fields: events.BoardTaken(_tiles(fields), _player(fields))),
    "end": (("reason", "left"), _end),
}
