"""Positions, plays and games as JSON data, in plain dicts and lists, and back (docs/notation.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from engine.board import Board
from engine.editions import MAX_PLAYERS, MAX_RACK, Edition, edition_data, edition_from_data
from engine.errors import GameError, NotationError, PositionError, UpscoreError, quote
from engine.faces import ENGLISH, Alphabet
from engine.game import events
from engine.game.game import Game
from engine.game.records import MAX_SCORE, Setup, make_setup
from engine.json_reading import as_bool, as_int, as_list, as_mapping, as_text, only_keys
from engine.lexicon.lexicon import WordList
from engine.play import Play, format_play, parse_play
from engine.rules.house_rules import house_rules_from
from engine.rules.referee import Verdict, Violation, oddities
from engine.rules.scoring import WordScore
from engine.solver.advice import Choice
from engine.solver.plays import ScoredPlay
from engine.wording import phrase

POSITION_KEYS = ("edition", "stacks", "remaining", "players")
"""The names that a position in JSON may hold."""


@dataclass(frozen=True)
class Position:
    """A board of an edition; `remaining` counts the tiles not yet played, by face, where that is known.

    Raises RulesError for a board that is not the edition's, PositionError for impossible counts, NotationError for
    more than four players.
    """

    edition: Edition
    board: Board
    remaining: Mapping[str, int] | None = None
    players: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.edition.check_size(self.board.size)
        for face, count in (self.remaining or {}).items():
            if face not in self.edition.alphabet.number or count < 0:
                raise PositionError(
                    phrase("%(count)s tiles %(face)s cannot remain: count them again", count=count, face=quote(face))
                )
        if len(self.players) > MAX_PLAYERS:
            raise NotationError(
                phrase("%(count)s players: a game has one to %(most)s", count=len(self.players), most=MAX_PLAYERS)
            )

    @property
    def oddities(self) -> tuple[str, ...]:
        """A sentence for each oddity of the board; see `engine.rules.referee.oddities`."""
        return oddities(self.edition, self.board)


def parse_position(data: object) -> Position:
    """Read a position from decoded JSON: ``{"edition": "10x10", "stacks": [[[], ["M", "W"], ...], ...]}``.

    The edition may also be a table, as `edition_data` writes it. "remaining" counts tiles by face, or lists them;
    "players" lists names. It ignores other names.

    Raises NotationError, PositionError or RulesError, one line about the first fault: an unexpected value, a grid that
    is not the edition's, an unknown letter, a stack of six. It accepts an odd board, such as one with tiles that are
    not joined, since a table may insist on it; `Position.oddities` reports what is odd.
    """
    fields = as_mapping(data, phrase("the position"))
    for key in ("edition", "stacks"):
        if key not in fields:
            raise NotationError(phrase('the position has no "%(key)s": add it', key=key))
    edition = edition_from_data(fields["edition"])
    edition.check_size(len(as_list(fields["stacks"], phrase("the board"))))
    board = parse_stacks(fields["stacks"], edition.alphabet)
    remaining = _parse_remaining(fields, edition.alphabet)
    named = fields.get("players")
    players = () if named is None else tuple(as_text(name, phrase("a player")) for name in as_list(named, '"players"'))
    return Position(edition, board, remaining, players)


def stacks_json(board: Board) -> list[list[list[str]]]:
    """Return the board's stacks as nested lists, row by row."""
    return [[list(stack) for stack in row] for row in board.stacks]


def parse_stacks(value: object, alphabet: Alphabet = ENGLISH) -> Board:
    """Read a board from nested lists of faces, row by row, and check each square."""
    rows = (as_list(row, phrase("a row of the board")) for row in as_list(value, phrase("the board")))
    return Board.of(
        ([[_face(face, alphabet) for face in as_list(stack, phrase("a stack"))] for stack in row] for row in rows),
        alphabet,
    )


def _parse_remaining(fields: Mapping[str, object], alphabet: Alphabet) -> Mapping[str, int] | None:
    value = fields.get("remaining")
    if value is None:
        return None
    counts: Counter[str] = Counter()
    if isinstance(value, list):
        counts.update(_face(face, alphabet) for face in value)
    else:
        for name, count in as_mapping(value, '"remaining"').items():
            counts[alphabet.parse_face(name)] += as_int(count, phrase('"remaining" of %(name)s', name=name), 0, 999)
    return {face: counts[face] for face in alphabet.faces if face in counts}


JsonDict = dict[str, object]


def tiles_json(play: Play, before: Board | None = None) -> list[JsonDict]:
    """Return the tiles of a play, each with row, col and letter; given the board before the play, also the height."""
    tiles: list[JsonDict] = []
    for tile in play.tiles:
        part: JsonDict = {"row": tile.square.row, "col": tile.square.col, "letter": tile.face}
        if before is not None:
            part["height"] = before.height(tile.square) + 1
        tiles.append(part)
    return tiles


def words_json(words: Iterable[WordScore]) -> list[JsonDict]:
    """Return words and their points."""
    return [{"word": word.word, "points": word.points} for word in words]


def reasons_json(violations: Iterable[Violation]) -> list[JsonDict]:
    """Return the rule ids and sentences of violations."""
    return [{"rule": broken.rule, "text": broken.text} for broken in violations]


def verdict_json(verdict: Verdict) -> JsonDict:
    """Return a verdict: whether the play is legal, why not, its words, its points, and the bonus that they include."""
    return {
        "legal": verdict.legal,
        "reasons": reasons_json(verdict.violations),
        "words": words_json(verdict.words),
        "points": verdict.points,
        "bonus": verdict.bonus,
    }


def format_solved(play: ScoredPlay) -> JsonDict:
    """Return a play that the solver found: its tiles, words and points, and the bonus that they include."""
    words = words_json(play.words)
    return {"tiles": tiles_json(play.play), "words": words, "points": play.points, "bonus": play.bonus}


def choice_json(choice: Choice) -> JsonDict:
    """Return a choice: a play as `format_solved`, an exchange or a pass without tiles, and what it is worth."""
    data: JsonDict = (
        {"tiles": [], "words": [], "points": 0, "bonus": 0} if choice.play is None else format_solved(choice.play)
    )
    if choice.given is not None:
        data["exchange"] = choice.given
    worth = {"reply": choice.reply, "kept": choice.kept, "value": choice.value}
    return data | {name: round(float(value), 2) for name, value in worth.items()}


FORMAT = "upscore-game"
VERSION = 1
MAX_ENTRIES = 10_000
"""The most log entries in one game. [by eye]"""
_KEYS = ("format", "version", "edition", "players", "rules", "lexicon", "start", "scores", "first", "entries", "log")


def game_to_dict(game: Game) -> dict[str, object]:
    """Return a game with its whole log as JSON data; ``entries`` counts the log, so that a missing end is noticed."""
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

    Raises an UpscoreError, one line, for data that isn't a game, for a newer version or for a log that was cut off. For
    an impossible entry, the error gives its number.
    """
    setup, log = log_from_dict(data)
    return Game.from_log(setup, log, lexicon)


def log_from_dict(data: object) -> tuple[Setup, tuple[events.Entry, ...]]:
    """Return the set-up and the log that `game_to_dict` wrote, not replayed; raise as `game_from_dict` does."""
    fields = as_mapping(data, phrase("the game"))
    if fields.get("format") != FORMAT:
        raise GameError(phrase('this is not a saved game: "format" must be "%(format)s"', format=FORMAT))
    version = as_int(fields.get("version"), phrase("the game's version"), 1, 1_000_000)
    if version > VERSION:
        raise GameError(
            phrase("the game was saved by a newer version (format %(version)s): update this program", version=version)
        )
    only_keys(fields, _KEYS, phrase("the game"))
    setup = _setup(fields)
    count = as_int(fields.get("entries"), phrase("the number of entries"), 0, MAX_ENTRIES)
    log = as_list(fields.get("log"), phrase("the log"))
    if len(log) != count:
        raise GameError(
            phrase(
                "the log has %(count)s entries of %(total)s: it was cut off; use a whole copy",
                count=len(log),
                total=count,
            )
        )
    entries: list[events.Entry] = []
    for number, entry in enumerate(log, start=1):
        try:
            entries.append(entry_from_dict(entry, setup.edition.alphabet))
        except UpscoreError as error:
            raise GameError(phrase("log entry %(number)s: %(error)s", number=number, error=error)) from None
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


def entry_from_dict(data: object, alphabet: Alphabet = ENGLISH) -> events.Entry:
    """Return the entry that `entry_to_dict` wrote; raise NotationError for anything else."""
    fields = as_mapping(data, phrase("an entry"))
    kind = as_text(fields.get("type"), phrase("an entry's type"))
    if kind in ("undo", "redo"):
        only_keys(fields, ("type",), phrase("an entry of type %(kind)s", kind=kind))
        return events.Undone() if kind == "undo" else events.Redone()
    if kind in ("correct", "insert"):
        only_keys(fields, ("type", "at", "put", "also"), phrase("a %(kind)s entry", kind=kind))
        others = [as_mapping(other, phrase("an event")) for other in as_list(fields.get("also", []), '"also"')]
        for other in others:
            only_keys(other, ("at", "put"), phrase('an event of "also"'))
        at, put = _put_from(fields, alphabet)
        return events.Corrected(at, put, kind == "insert", tuple(_put_from(other, alphabet) for other in others))
    return event_from_dict(fields, alphabet)


def _put_to_dict(put: events.Event | None) -> dict[str, object] | None:
    return None if put is None else entry_to_dict(put)


def _put_from(fields: Mapping[str, object], alphabet: Alphabet) -> tuple[int, events.Event | None]:
    """Return the number of an event and its correction, None to remove it."""
    put = fields.get("put")
    at = as_int(fields.get("at"), phrase("the event's number"), 0, MAX_ENTRIES)
    return at, None if put is None else event_from_dict(put, alphabet)


def event_from_dict(data: object, alphabet: Alphabet = ENGLISH) -> events.Event:
    """Return the event that `entry_to_dict` wrote; raise NotationError for anything else, corrections included."""
    fields = as_mapping(data, phrase("an event"))
    kind = as_text(fields.get("type"), phrase("an event's type"))
    if kind not in _READERS:
        raise GameError(phrase("%(kind)s isn't an event: use %(names)s", kind=quote(kind), names=", ".join(_READERS)))
    keys, read = _READERS[kind]
    only_keys(fields, ("type", *keys), phrase("a %(kind)s event", kind=kind))
    return read(fields, alphabet)


def _setup(fields: Mapping[str, object]) -> Setup:
    edition = edition_from_data(fields.get("edition"))
    players = tuple(as_text(name, phrase("a player")) for name in as_list(fields.get("players"), phrase("the players")))
    rules = house_rules_from(fields.get("rules", {}))
    start = parse_stacks(fields["start"], edition.alphabet) if "start" in fields else None
    lexicon = fields.get("lexicon")
    name = None if lexicon is None else as_text(lexicon, phrase("the word list"))
    scores = None
    if "scores" in fields:
        listed = as_list(fields["scores"], phrase("the scores to start with"))
        scores = tuple(as_int(score, phrase("a score to start with"), 0, MAX_SCORE) for score in listed)
    first = as_int(fields.get("first", 0), phrase("the number of the player who begins"), 0, MAX_PLAYERS - 1)
    return make_setup(edition, players, rules, start=start, lexicon_name=name, scores=scores, first=first)


def _rack(fields: Mapping[str, object], alphabet: Alphabet) -> events.Event:
    faces = tuple(_face(face, alphabet) for face in as_list(fields.get("faces"), phrase("the rack")))
    return events.RackSeen(_player(fields), faces)


def _challenge(fields: Mapping[str, object], alphabet: Alphabet) -> events.Event:
    challenger = fields.get("challenger")
    number = None if challenger is None else as_int(challenger, phrase("the challenger's number"), 0, MAX_PLAYERS - 1)
    by = None if fields.get("by") is None else as_text(fields["by"], '"by"')
    return events.Challenged(number, as_bool(fields.get("upheld"), '"upheld"'), events.find_authority(by))


def _end(fields: Mapping[str, object], alphabet: Alphabet) -> events.Event:
    left = fields.get("left")
    reason = as_text(fields.get("reason"), phrase("the reason"))
    if left is None:
        return events.Ended(reason)
    counts = as_list(left, phrase("the tiles left"))
    return events.Ended(reason, tuple(as_int(count, phrase("the tiles left"), 0, MAX_RACK) for count in counts))


def _player(fields: Mapping[str, object]) -> int:
    return as_int(fields.get("player"), phrase("the player's number"), 0, MAX_PLAYERS - 1)


def _drawn(fields: Mapping[str, object], alphabet: Alphabet) -> events.Event:
    faces = as_list(fields.get("faces"), phrase("the faces drawn"))
    return events.Drawn(tuple(_face_if_any(face, alphabet) for face in faces))


def _exchange(fields: Mapping[str, object], alphabet: Alphabet) -> events.Event:
    return events.Exchanged(_face_if_any(fields.get("given"), alphabet), _face_if_any(fields.get("drawn"), alphabet))


def _tiles(fields: Mapping[str, object], alphabet: Alphabet) -> Play:
    return parse_play(as_text(fields.get("tiles"), phrase("the tiles")), alphabet=alphabet)


def _face(value: object, alphabet: Alphabet) -> str:
    return alphabet.parse_face(as_text(value, phrase("a tile")))


def _face_if_any(value: object, alphabet: Alphabet) -> str | None:
    return None if value is None else _face(value, alphabet)


_Reader = Callable[[Mapping[str, object], Alphabet], events.Event]
_READERS: dict[str, tuple[tuple[str, ...], _Reader]] = {
    "draw": (("faces",), _drawn),
    "rack": (("player", "faces"), _rack),
    "play": (("tiles",), lambda fields, alphabet: events.Played(_tiles(fields, alphabet))),
    "pass": ((), lambda fields, alphabet: events.Passed()),
    "exchange": (("given", "drawn"), _exchange),
    "challenge": (("challenger", "upheld", "by"), _challenge),
    "turn": (("player",), lambda fields, alphabet: events.TurnGiven(_player(fields))),
    "board": (
        ("tiles", "player"),
        lambda fields, alphabet: events.BoardTaken(_tiles(fields, alphabet), _player(fields)),
    ),
    "end": (("reason", "left"), _end),
}
