"""The JSON messages of the interface for programs: how they are read, their schemas, and the OpenAPI description.

Each error is one line that says what to correct.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TypeAlias

from engine import EDITIONS, Alphabet, Board, Edition, Game, HouseRules, Play
from engine.editions import KEYS, MAX_PLAYERS, MAX_RACK, NUMBERS, edition_from_data
from engine.faces import LONGEST_FACE
from engine.formats.game_json import parse_position
from engine.game.events import END_REASONS
from engine.json_reading import as_bool, as_int, as_list, as_mapping, as_text, load_json, only_keys
from engine.rules.house_rules import HOUSE_RULES, house_rules_from
from engine.squares import MAX_SIZE
from vision.turn.prior import MOST_PLAYS
from webui.errors import WebError
from webui.routes.forms import NewGame, parse_every_round, parse_notation
from webui.routes.parts import MAX_WORD_LETTERS

Fields: TypeAlias = Mapping[str, object]

NEW_GAME_FIELDS = ("edition", "players", "lexicon", "rules", "position", "photographed")
ANSWER_FIELDS = ("version", "choice", "dismiss")
TURN_FIELDS = ("version", "kind", "tiles", "insist", "upheld", "by", "racks", "reason")
UNDO_FIELDS = ("version",)
TURN_KINDS = ("play", "pass", "exchange", "challenge", "end")

_MAX_NUMBER = 999


def parse_body(data: bytes, known: tuple[str, ...]) -> Fields:
    """Parse a body into its fields. Raises UpscoreError for bad JSON, and for fields that aren't in `known`."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise WebError("The body is not readable JSON (not UTF-8): send UTF-8.") from None
    fields = as_mapping(load_json(text, "the body"), "the body")
    only_keys(fields, known, "the body")
    return fields


def version_in(fields: Fields) -> int:
    """Read the version of the game that the call is for. Raises WebError if there is none."""
    version = fields.get("version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise WebError('Say which version of the game this is meant for, as its state has it: "version": 3.')
    return version


def choice_in(fields: Fields) -> int | None:
    """Read the number of the answer, None if the question is put aside. Raises UpscoreError for anything else."""
    if "dismiss" in fields and as_bool(fields["dismiss"], '"dismiss"'):
        if "choice" in fields:
            raise WebError('Send "choice", or "dismiss": true, not both.')
        return None
    if "choice" not in fields:
        raise WebError('Which answer is meant? Send its number, from 0, as "choice", or "dismiss": true.')
    return as_int(fields["choice"], '"choice"', 0, _MAX_NUMBER)


def new_game_in(fields: Fields, lexicons: tuple[str, ...], rules: HouseRules) -> tuple[NewGame, Board | None]:
    """Read the set-up of a new game, and the board it starts from, None for an empty one. Raises UpscoreError.

    `rules` hold unless the body says otherwise. The first of the `lexicons` is the usual one.
    """
    edition = _edition_in(fields.get("edition"))
    players = tuple(as_text(name, "a player").strip() for name in as_list(fields.get("players"), '"players"'))
    lexicon = fields.get("lexicon", edition.lexicon if edition.lexicon in lexicons else lexicons[0])
    if lexicon not in lexicons:
        raise WebError(f'Which word list is agreed on? Send one of {", ".join(lexicons)} as "lexicon".')
    changed = house_rules_from({**asdict(rules), **as_mapping(fields.get("rules", {}), '"rules"')})
    board = None
    if "position" in fields:
        position = parse_position(fields["position"])
        if position.edition != edition:
            raise WebError(
                f"The position is for {position.edition.name}, but the game for {edition.name}: send one edition."
            )
        board = position.board
    every_round = parse_every_round(fields.get("photographed", "turn"), len(players))
    return NewGame(edition, players, changed, as_text(lexicon, '"lexicon"'), every_round), board


def _edition_in(value: object) -> Edition:
    if isinstance(value, Mapping):
        return edition_from_data(value)
    if not isinstance(value, str) or value not in EDITIONS:
        names = ", ".join(EDITIONS)
        raise WebError(f'Which board is it? Send one of {names} as "edition", or the table of a set of your own.')
    return EDITIONS[value]


def play_in(fields: Fields, alphabet: Alphabet) -> Play | None:
    """Read the tiles of a play, None for another kind of turn.

    Raises UpscoreError for an unknown kind, and for a field that is wrong for every kind of turn.
    """
    kind = fields.get("kind")
    if kind not in TURN_KINDS:
        raise WebError(f'What was the turn? Send one of {", ".join(TURN_KINDS)} as "kind".')
    for name, check in _CHECKS.items():
        if name in fields:
            check(fields[name], f'"{name}"')
    return parse_notation(as_text(fields.get("tiles", ""), '"tiles"'), alphabet) if kind == "play" else None


def _as_reason(value: object, name: str) -> None:
    if value is not None and as_text(value, name) not in END_REASONS:
        raise WebError(f"{value!r} isn't an end of the game: use {', '.join(END_REASONS)}.")


def _as_racks(value: object, name: str) -> None:
    for player, left in as_mapping({} if value is None else value, name).items():
        as_int(left, f"{name} of {player}", 0, MAX_RACK)


_CHECKS: Mapping[str, Callable[[object, str], object]] = {
    "tiles": as_text,
    "insist": as_bool,
    "upheld": as_bool,
    "by": lambda value, name: None if value is None else as_text(value, name),
    "racks": _as_racks,
    "reason": _as_reason,
}
"""How each field of a turn is checked, whatever its kind needs."""


def check_placing(game: Game, play: Play, fields: Fields) -> None:
    """Raise WebError, which says why, if a play breaks a rule of placing and the program does not insist."""
    if as_bool(fields.get("insist", False), '"insist"'):
        return
    breaches = game.judge(play).breaches
    if breaches:
        raise WebError(f'{breaches[0].text} Correct the tiles, or send "insist": true to enter them anyway.')


def turn_in(fields: Fields) -> Callable[[Game], Game]:
    """Return the change that a pass, an exchange, a challenge or the end makes to a game. Raises UpscoreError."""
    kind = fields["kind"]
    if kind == "pass":
        return Game.pass_turn
    if kind == "exchange":
        return Game.exchange
    if kind == "challenge":
        upheld = as_bool(fields.get("upheld"), '"upheld"')
        by = None if fields.get("by") is None else as_text(fields["by"], '"by"')
        return lambda game: game.challenge(by, upheld=upheld)
    reason = None if fields.get("reason") is None else as_text(fields["reason"], '"reason"')
    racks = None if fields.get("racks") is None else as_mapping(fields["racks"], '"racks"')
    return lambda game: game.end(reason, None if racks is None else _read_left(racks, game.players))


def _read_left(racks: Fields, players: tuple[str, ...]) -> tuple[int, ...]:
    """Read how many tiles each player has left, in the order of the players."""
    only_keys(racks, players, '"racks"')
    for name in players:
        if name not in racks:
            raise WebError(f'How many tiles has {name} left? Send one number for each player in "racks".')
    return tuple(as_int(racks[name], f'"racks" of {name}', 0, MAX_RACK) for name in players)


Schema = Mapping[str, object]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}


def schema_ref(name: str) -> Schema:
    """Return a reference to a schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def list_of(items: Schema) -> Schema:
    """Return the schema of a list of these items."""
    return {"type": "array", "items": items}


def object_of(optional: Sequence[str] = (), /, **properties: Schema) -> Schema:
    """Return the schema of an object with these properties and no others. The `optional` ones may be left out."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def schemas(lexicons: Sequence[str]) -> Schema:
    """Return all schemas by name. `lexicons` are the word lists to choose from, the usual one first."""
    return {
        "NewGame": _new_game(lexicons),
        "Set": _SET,
        "Position": _POSITION,
        "Answer": _ANSWER,
        "NewTurn": _NEW_TURN,
        "Undo": object_of(version=_VERSION),
        "State": _STATE,
        "Turn": _TURN,
        "Question": _QUESTION,
        "Stacks": _STACKS,
        "Game": _GAME,
        "Choice": _CHOICE,
        "Error": object_of(error=TEXT),
    }


def _with_text(text: str, schema: Schema) -> Schema:
    return {**schema, "description": text}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _whole(low: int, high: int | None = None) -> Schema:
    return {**WHOLE, "minimum": low, **({} if high is None else {"maximum": high})}


def _for_each_player(value: Schema) -> Schema:
    """Return the schema of an object with a value for each player."""
    return {"type": "object", "additionalProperties": value}


_EDITION: Schema = {"anyOf": [{"enum": list(EDITIONS)}, schema_ref("Set")]}
_SET = _with_text(
    "A set of your own, as its file describes it (docs/editions.md). Whatever is left out follows the rule sheets.",
    object_of(
        tuple(key for key in KEYS if key not in ("name", "size")),
        name=TEXT,
        size=_with_text("Rows of the board, as many as columns.", _whole(2, MAX_SIZE)),
        start=_with_text("Squares of which the first play covers one.", list_of(TEXT)),
        **{key: _whole(low, high) for key, (low, high) in NUMBERS.items()},
        plural_rule=FLAG,
        lexicon=TEXT,
        note=TEXT,
        tile_total=_with_text("The number of tiles, if the letters are not counted.", WHOLE),
        tiles=_with_text("How many tiles have each face.", {"type": "object", "additionalProperties": WHOLE}),
    ),
)


def _new_game(lexicons: Sequence[str]) -> Schema:
    rules = {
        rule.name: _with_text(rule.question, FLAG if rule.kind == "bool" else _whole(rule.low, rule.high))
        for rule in HOUSE_RULES
    }
    notes = " ".join(f"{name}: {known.note}." for name, known in EDITIONS.items() if known.note)
    return object_of(
        ("lexicon", "rules", "position", "photographed"),
        edition=_with_text(notes, _EDITION),
        players={**list_of(TEXT), "minItems": 1, "maxItems": MAX_PLAYERS},
        lexicon={"enum": list(lexicons), "default": lexicons[0]},
        rules=object_of(tuple(rules), **rules),
        position=_with_text("The board that the game starts from.", schema_ref("Position")),
        photographed=_with_text(
            f"When the board is photographed: after every turn, or once a round (up to {MOST_PLAYS} players).",
            {"enum": ["turn", "round"], "default": "turn"},
        ),
    )


_VERSION = _with_text(
    "The version of the game that this is meant for, from its state. 409 if the game has moved on.", WHOLE
)
_POINTS = _for_each_player(WHOLE)
_FACE: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_FACE}
_STACKS = _with_text(
    "Row by row from the top, each square a stack of faces from bottom to top.", list_of(list_of(list_of(_FACE)))
)
_POSITION: Schema = {
    "type": "object",
    "description": "The contents of a position file. Other names are ignored.",
    "properties": {"edition": _EDITION, "stacks": schema_ref("Stacks")},
    "required": ["edition", "stacks"],
}
_SHEET: Mapping[str, Schema] = {
    "totals": _with_text("Each player's points.", _POINTS),
    "stacks": _with_text("The board: see Stacks.", schema_ref("Stacks")),
}

_ANSWER: Schema = {
    "oneOf": [
        object_of(
            ("dismiss",),
            version=_VERSION,
            choice=_with_text("Number of the choice, from 0.", _whole(0)),
            dismiss={"const": False},
        ),
        object_of(version=_VERSION, dismiss={"const": True}),
    ]
}
_NEW_TURN = object_of(
    ("tiles", "insist", "upheld", "by", "racks", "reason"),
    version=_VERSION,
    kind={"enum": list(TURN_KINDS)},
    tiles=_with_text('Of a play: "N@d7 A@e7". A word that is in no list is entered like any other.', TEXT),
    insist=_with_text(
        "Of a play that breaks Rules 3 to 5: true enters it all the same. Otherwise it is an error.", FLAG
    ),
    upheld=_with_text("Of a challenge: whether the tiles come off again.", FLAG),
    by=_with_text("Of a challenge: the player who challenged.", TEXT_OR_NULL),
    racks=_with_text(
        "Of the end: how many tiles each player has left. Leave it out if the turns account for them.",
        _or_null(_for_each_player(_whole(0, MAX_RACK))),
    ),
    reason=_with_text(
        "Of the end. If left out, the reason that the rules give, or else agreed.",
        _or_null({"enum": list(END_REASONS)}),
    ),
)

_TURN = object_of(
    ("taken_back", "challenges"),
    player=TEXT,
    kind=_with_text(
        "`lost` is a turn that a failed challenge cost, if the house rules say so.",
        {"enum": ["play", "pass", "exchange", "lost"]},
    ),
    tiles=_with_text('"N@d7 A@e7", empty without tiles.', TEXT),
    words=list_of(object_of(word=TEXT, points=WHOLE)),
    points=WHOLE,
    taken_back=_with_text("Present if the play came off the board again.", {"const": True}),
    challenges=_with_text(
        "Present if the play was challenged: who challenged, and by whose word it came off or stands.",
        list_of(object_of(by=TEXT_OR_NULL, upheld=FLAG, ruled_by={"enum": ["list", "table", "rules"]})),
    ),
)
_QUESTION = object_of(
    ("lying",),
    kind={"enum": ["play", "removed", "none", "unclear"]},
    text=_with_text("The question, in a sentence or two.", TEXT),
    square=_with_text("The square in question, null if no single one decides.", TEXT_OR_NULL),
    choices=_with_text(
        "The answers, by number from 0. Each has the whole sheet as the answer would leave it.",
        list_of(object_of(text=TEXT, **_SHEET)),
    ),
    lying=_with_text("Present if tiles that came off the sheet still lie on the board: these tiles.", TEXT),
)
_END = object_of(reason={"enum": list(END_REASONS)}, left=_POINTS, penalties=_POINTS, winners=list_of(TEXT))
_STATE = object_of(
    ("to_lift",),
    id=WHOLE,
    version=_with_text(
        "Grows with every change. A call that changes a game names the version that it is meant for.", WHOLE
    ),
    edition=TEXT,
    players=_with_text("In the order of their turns.", list_of(TEXT)),
    to_play=_with_text("The player whose turn it is, null once the game is over.", TEXT_OR_NULL),
    turns=_with_text("The lines of the scoresheet.", list_of(schema_ref("Turn"))),
    **_SHEET,
    question=_with_text(
        "The waiting question, null if nothing is in doubt. Until it is answered, stacks and totals are those "
        "from before.",
        _or_null(schema_ref("Question")),
    ),
    ended=_with_text(
        "How the game ended: why, the tiles left, the penalties for them, who won. Null while it goes on.",
        _or_null(_END),
    ),
    to_lift=_with_text(
        "Present if tiles came off the sheet and, as far as Upscore saw, still lie on the board: these tiles.", TEXT
    ),
)
_GAME = object_of(
    id=WHOLE,
    title=TEXT,
    edition=_with_text("Null if the game can't be opened.", TEXT_OR_NULL),
    totals=_or_null(_POINTS),
    ended=FLAG,
)


def describe(lexicons: Sequence[str]) -> Schema:
    """Return the OpenAPI document. `lexicons` are the word lists to choose from, the usual one first."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Upscore",
            "version": "1",
            "description": "The scoresheet page for programs: what a button does, a call does. "
            "If a call cannot be done, the answer is a 4xx status and one line that says what to do.",
        },
        "servers": [{"url": "/api/v1"}],
        "paths": _paths(lexicons),
        "components": {
            "schemas": schemas(lexicons),
            "parameters": {"Game": {"name": "id", "in": "path", "required": True, "schema": _whole(1)}},
            "responses": {
                "State": _describe("The state of the game, afterwards.", schema_ref("State")),
                "Error": _describe("Nothing was changed.", schema_ref("Error")),
            },
        },
    }


def _describe(text: str, schema: Schema, media: str = "application/json") -> Schema:
    return {"description": text, "content": {media: {"schema": schema}}}


_STATE_ANSWER: Schema = {"$ref": "#/components/responses/State"}
_GAME_PARAMETER: Schema = {"parameters": [{"$ref": "#/components/parameters/Game"}]}


def _call(name: str, summary: str, answer: Schema = _STATE_ANSWER, status: str = "200", **more: object) -> Schema:
    responses = {status: answer, "4XX": {"$ref": "#/components/responses/Error"}}
    return {"operationId": name, "summary": summary, **more, "responses": responses}


def _parameter(place: str, name: str, schema: Schema, text: str, **more: object) -> Schema:
    return {"name": name, "in": place, "description": text, "schema": schema, **more}


def _describe_sent(schema: Schema, media: str = "application/json") -> Schema:
    return {"required": True, "content": {media: {"schema": schema}}}


_PHOTO: Schema = {
    "type": "object",
    "properties": {"photo": {"type": "string", "format": "binary"}},
    "required": ["photo"],
}
_KEY = _parameter(
    "header",
    "Idempotency-Key",
    {**TEXT, "pattern": "^[A-Za-z0-9-]{8,64}$"},
    "A photograph sent again with the same key is taken once. The sender chooses the key.",
)
_AGE = _parameter(
    "header",
    "Photo-Age",
    {**NUMBER, "minimum": 0},
    "Seconds since the photograph was taken. A photograph older than the newest one takes nothing back.",
)
_CHANGES: dict[str, Schema] = {
    "photos": _call(
        "photograph",
        "Takes a turn from a photograph of the board. The same photograph sent twice is taken once.",
        parameters=[_KEY, _AGE],
        requestBody=_describe_sent(_PHOTO, "multipart/form-data"),
    ),
    "answer": _call(
        "answer", "Answers the waiting question, or skips it.", requestBody=_describe_sent(schema_ref("Answer"))
    ),
    "turns": _call(
        "enter",
        "Enters a turn by hand, a challenge or the end. A waiting question is dropped.",
        requestBody=_describe_sent(schema_ref("NewTurn")),
    ),
    "undo": _call(
        "undo", "Undoes the last entry. A waiting question is dropped.", requestBody=_describe_sent(schema_ref("Undo"))
    ),
}
_LAST = _parameter("header", "Last-Event-ID", WHOLE, "The version that the program saw last.")
_STREAM = _describe(
    'An event for each change. Its id is the version that the change left, its data {"version": n}.',
    TEXT,
    "text/event-stream",
)


_WORD = _describe(
    "The verdict. Words near it have a tile in front or behind, one or two tiles stacked on it, or the same tiles.",
    object_of(
        word=TEXT,
        playable=FLAG,
        meaning=TEXT_OR_NULL,
        reason=TEXT_OR_NULL,
        **{name: list_of(TEXT) for name in ("front", "back", "stacked", "stacked_two", "anagrams")},
    ),
)
_TILE = object_of(row=WHOLE, col=WHOLE, letter=_FACE)
_CHOICE = object_of(
    ("exchange",),
    tiles=_with_text("Rows and columns count from 0. Empty for a pass or an exchange.", list_of(_TILE)),
    words=list_of(object_of(word=TEXT, points=WHOLE)),
    points=WHOLE,
    bonus=_with_text("The 20 of Rule 6 where the points include it.", WHOLE),
    exchange=_with_text("Present for an exchange: the tile to give.", _FACE),
    reply=_with_text("Points that the next player's best answer brings, on average.", NUMBER),
    kept=_with_text("What the tiles that stay on the rack are worth.", NUMBER),
    value=_with_text("Points, minus reply, plus kept.", NUMBER),
)
_RACK = _parameter("query", "rack", TEXT, 'Tiles of a rack, one to a full one, as in "AEINSTQu".', required=True)
_PLACE = _parameter(
    "query",
    "turn",
    WHOLE,
    "The line of the sheet, from 1, before which the rack was held. If left out, the final board.",
)
_WORD_PARAMETER: Schema = {
    "parameters": [{"name": "word", "in": "path", "required": True, "schema": {**TEXT, "maxLength": MAX_WORD_LETTERS}}]
}


def _paths(lexicons: Sequence[str]) -> Schema:
    document = _describe("The document.", {"type": "object"})
    games = _describe("The games.", list_of(schema_ref("Game")))
    chosen = _parameter("query", "lexicon", {"enum": list(lexicons)}, "The word list, the usual one if left out.")
    changes = {f"/games/{{id}}/{name}": {**_GAME_PARAMETER, "post": call} for name, call in _CHANGES.items()}
    return {
        "/openapi.json": {"get": _call("describe", "Sends this document.", document)},
        "/words/{word}": {
            **_WORD_PARAMETER,
            "get": _call("judge", "Judges a word, with the words near it.", _WORD, parameters=[chosen]),
        },
        "/games": {
            "get": _call("list", "Lists all games, the newest first.", games),
            "post": _call("begin", "Begins a game.", status="201", requestBody=_describe_sent(schema_ref("NewGame"))),
        },
        "/games/{id}": {**_GAME_PARAMETER, "get": _call("look", "Sends the state of a game.")},
        "/games/{id}/solve": {
            **_GAME_PARAMETER,
            "get": _call(
                "solve",
                "Weighs what a rack could do on the board of a game that is over, the ten best choices first.",
                _describe("The choices.", list_of(schema_ref("Choice"))),
                parameters=[_RACK, _PLACE],
            ),
        },
        **changes,
        "/games/{id}/events": {
            **_GAME_PARAMETER,
            "get": _call("follow", "Streams the changes of a game.", _STREAM, parameters=[_LAST]),
        },
    }
