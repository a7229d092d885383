"""The JSON schemas of what programs send and what they are sent, for the OpenAPI description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.editions import EDITIONS, MAX_PLAYERS, RACK_SIZE
from engine.faces import FACES
from engine.game.events import END_REASONS
from engine.rules.house_rules import HOUSE_RULES, HouseRule
from webui.routes.v1.body import TURN_KINDS

Schema = Mapping[str, object]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}


def schema_ref(name: str) -> Schema:
    """Return a reference to a schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def list_of(items: Schema) -> Schema:
    """Return the schema of a list of such items."""
    return {"type": "array", "items": items}


def object_of(properties: Schema, optional: Sequence[str] = ()) -> Schema:
    """Return the schema of an object with these properties and no others."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def schemas(lexicons: Sequence[str]) -> Schema:
    """Return all schemas by name. `lexicons` are the word lists to choose from, the usual one first."""
    return {
        "NewGame": _new_game(lexicons),
        "Position": _POSITION,
        "Answer": _ANSWER,
        "NewTurn": _NEW_TURN,
        "Undo": object_of({"version": _VERSION}),
        "State": _STATE,
        "Turn": _TURN,
        "Question": _QUESTION,
        "Stacks": _STACKS,
        "Game": _GAME,
        "Error": object_of({"error": TEXT}),
    }


def _with_text(text: str, schema: Schema) -> Schema:
    return {**schema, "description": text}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _for_each_player(value: Schema) -> Schema:
    """Return the schema of an object with a value for each player."""
    return {"type": "object", "additionalProperties": value}


def _rule(rule: HouseRule) -> Schema:
    kind = FLAG if rule.kind == "bool" else {**WHOLE, "minimum": rule.low, "maximum": rule.high}
    return _with_text(rule.question, kind)


_NOTES = " ".join(f"{name}: {known.note}." for name, known in EDITIONS.items() if known.note)


def _new_game(lexicons: Sequence[str]) -> Schema:
    rules = {rule.name: _rule(rule) for rule in HOUSE_RULES}
    properties = {
        "edition": _with_text(_NOTES, {"enum": list(EDITIONS)}),
        "players": {**list_of(TEXT), "minItems": 1, "maxItems": MAX_PLAYERS},
        "lexicon": {"enum": list(lexicons), "default": lexicons[0]},
        "rules": object_of(rules, tuple(rules)),
        "position": _with_text("The board that the game starts from.", schema_ref("Position")),
    }
    return object_of(properties, ("lexicon", "rules", "position"))


_VERSION = _with_text(
    "The version of the game that this is meant for, from its state. 409 if the game has moved on.",
    WHOLE,
)
_POINTS = _for_each_player(WHOLE)
_STACKS = _with_text(
    "Row by row from the top, each square a stack of faces from bottom to top.",
    list_of(list_of(list_of({"enum": list(FACES)}))),
)
_POSITION: Schema = {
    "type": "object",
    "description": "The contents of a position file. Other names are ignored.",
    "properties": {"edition": {"enum": list(EDITIONS)}, "stacks": schema_ref("Stacks")},
    "required": ["edition", "stacks"],
}
_SHEET: Schema = {
    "totals": _with_text("Each player's points.", _POINTS),
    "stacks": _with_text("The board: see Stacks.", schema_ref("Stacks")),
}

_ANSWER: Schema = {
    "oneOf": [
        object_of(
            {
                "version": _VERSION,
                "choice": _with_text("Number of the choice, from 0.", {**WHOLE, "minimum": 0}),
            }
        ),
        object_of({"version": _VERSION, "dismiss": {"const": True}}),
    ]
}
_NEW_TURN = object_of(
    {
        "version": _VERSION,
        "kind": {"enum": list(TURN_KINDS)},
        "tiles": _with_text(
            'Of a play: "N@d7 A@e7". A word that is in no list is entered like any other.', TEXT
        ),
        "insist": _with_text(
            "Of a play that breaks Rules 3 to 5: true enters it all the same. Otherwise it is an error.", FLAG
        ),
        "upheld": _with_text("Of a challenge: whether the tiles come off again.", FLAG),
        "by": _with_text("Of a challenge: the player who challenged.", TEXT),
        "racks": _with_text(
            "Of the end: how many tiles each player has left. Leave it out if the turns account for them.",
            _for_each_player({**WHOLE, "minimum": 0, "maximum": RACK_SIZE}),
        ),
        "reason": _with_text(
            "Of the end. If left out, the reason that the rules give, or else agreed.",
            {"enum": list(END_REASONS)},
        ),
    },
    ("tiles", "insist", "upheld", "by", "racks", "reason"),
)

_TURN = object_of(
    {
        "player": TEXT,
        "kind": _with_text(
            "`lost` is a turn that a failed challenge cost, if the house rules say so.",
            {"enum": ["play", "pass", "exchange", "lost"]},
        ),
        "tiles": _with_text('"N@d7 A@e7", empty without tiles.', TEXT),
        "words": list_of(object_of({"word": TEXT, "points": WHOLE})),
        "points": WHOLE,
        "taken_back": _with_text("Present if the play came off the board again.", {"const": True}),
        "challenges": _with_text(
            "Present if the play was challenged: who challenged, and by whose word it came off or stands.",
            list_of(
                object_of(
                    {"by": TEXT_OR_NULL, "upheld": FLAG, "ruled_by": {"enum": ["list", "table", "rules"]}}
                )
            ),
        ),
    },
    ("taken_back", "challenges"),
)
_QUESTION = object_of(
    {
        "kind": {"enum": ["play", "removed", "none", "unclear"]},
        "text": _with_text("The question, in a sentence or two.", TEXT),
        "square": _with_text("The square in question, null if no single one decides.", TEXT_OR_NULL),
        "choices": _with_text(
            "The answers, by number from 0. Each has the whole sheet as the answer would leave it.",
            list_of(object_of({"text": TEXT, **_SHEET})),
        ),
        "lying": _with_text(
            "Present if tiles that came off the sheet still lie on the board: these tiles.", TEXT
        ),
    },
    ("lying",),
)
_END = object_of(
    {"reason": {"enum": list(END_REASONS)}, "left": _POINTS, "penalties": _POINTS, "winners": list_of(TEXT)}
)
_STATE = object_of(
    {
        "id": WHOLE,
        "version": _with_text(
            "Grows with every change. A call that changes a game names the version that it is meant for.",
            WHOLE,
        ),
        "edition": TEXT,
        "players": _with_text("In the order of their turns.", list_of(TEXT)),
        "to_play": _with_text("The player whose turn it is, null once the game is over.", TEXT_OR_NULL),
        "turns": _with_text("The lines of the scoresheet.", list_of(schema_ref("Turn"))),
        **_SHEET,
        "question": _with_text(
            "The question that waits, null if nothing is in doubt. Until it is answered, stacks and totals are those "
            "from before.",
            _or_null(schema_ref("Question")),
        ),
        "ended": _with_text(
            "How the game ended: why, the tiles left, the penalties for them, who won. Null while it goes on.",
            _or_null(_END),
        ),
        "to_lift": _with_text(
            "Present if tiles came off the sheet and nobody lifted them yet, as far as seen: these tiles.",
            TEXT,
        ),
    },
    ("to_lift",),
)
_GAME = object_of(
    {
        "id": WHOLE,
        "title": TEXT,
        "edition": _with_text("Null if the game can't be opened.", TEXT_OR_NULL),
        "totals": _or_null(_POINTS),
        "ended": FLAG,
    }
)
