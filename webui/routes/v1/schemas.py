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


def listed(items: Schema) -> Schema:
    """Return the schema of a list of such items."""
    return {"type": "array", "items": items}


def objects(properties: Schema, optional: Sequence[str] = ()) -> Schema:
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
        "Undo": objects({"version": _VERSION}),
        "State": _STATE,
        "Turn": _TURN,
        "Question": _QUESTION,
        "Stacks": _STACKS,
        "Game": _GAME,
        "Error": objects({"error": TEXT}),
    }


def _said(text: str, schema: Schema) -> Schema:
    return {**schema, "description": text}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _each(value: Schema) -> Schema:
    """Return the schema of an object with a value for each player."""
    return {"type": "object", "additionalProperties": value}


def _rule(rule: HouseRule) -> Schema:
    kind = FLAG if rule.kind == "bool" else {**WHOLE, "minimum": rule.low, "maximum": rule.high}
    return _said(rule.question, kind)


_NOTES = " ".join(f"{name}: {known.note}." for name, known in EDITIONS.items() if known.note)


def _new_game(lexicons: Sequence[str]) -> Schema:
    rules = {rule.name: _rule(rule) for rule in HOUSE_RULES}
    properties = {
        "edition": _said(_NOTES, {"enum": list(EDITIONS)}),
        "players": {**listed(TEXT), "minItems": 1, "maxItems": MAX_PLAYERS},
        "lexicon": {"enum": list(lexicons), "default": lexicons[0]},
        "rules": objects(rules, tuple(rules)),
        "position": _said("The board that the game starts from.", schema_ref("Position")),
    }
    return objects(properties, ("lexicon", "rules", "position"))


_VERSION = _said(
    "The version of the game that this is meant for, from its state. 409 if the game has moved on.",
    WHOLE,
)
_POINTS = _each(WHOLE)
_STACKS = _said(
    "Row by row from the top, each square a stack of faces from bottom to top.",
    listed(listed(listed({"enum": list(FACES)}))),
)
_POSITION: Schema = {
    "type": "object",
    "description": "The contents of a position file. Other names are ignored.",
    "properties": {"edition": {"enum": list(EDITIONS)}, "stacks": schema_ref("Stacks")},
    "required": ["edition", "stacks"],
}
_SHEET: Schema = {
    "totals": _said("Each player's points.", _POINTS),
    "stacks": _said("The board: see Stacks.", schema_ref("Stacks")),
}

_ANSWER: Schema = {
    "oneOf": [
        objects(
            {"version": _VERSION, "choice": _said("Number of the choice, from 0.", {**WHOLE, "minimum": 0})}
        ),
        objects({"version": _VERSION, "dismiss": {"const": True}}),
    ]
}
_NEW_TURN = objects(
    {
        "version": _VERSION,
        "kind": {"enum": list(TURN_KINDS)},
        "tiles": _said('Of a play: "N@d7 A@e7". A word that is in no list is entered like any other.', TEXT),
        "insist": _said(
            "Of a play that breaks Rules 3 to 5: true enters it all the same. Otherwise it is an error.", FLAG
        ),
        "upheld": _said("Of a challenge: whether the tiles come off again.", FLAG),
        "by": _said("Of a challenge: the player who challenged.", TEXT),
        "racks": _said(
            "Of the end: how many tiles each player has left. Leave it out if the turns account for them.",
            _each({**WHOLE, "minimum": 0, "maximum": RACK_SIZE}),
        ),
        "reason": _said(
            "Of the end. If left out, the reason that the rules give, or else agreed.",
            {"enum": list(END_REASONS)},
        ),
    },
    ("tiles", "insist", "upheld", "by", "racks", "reason"),
)

_TURN = objects(
    {
        "player": TEXT,
        "kind": _said(
            "`lost` is a turn that a failed challenge cost, if the house rules say so.",
            {"enum": ["play", "pass", "exchange", "lost"]},
        ),
        "tiles": _said('"N@d7 A@e7", empty without tiles.', TEXT),
        "words": listed(objects({"word": TEXT, "points": WHOLE})),
        "points": WHOLE,
        "taken_back": _said("Present if the play came off the board again.", {"const": True}),
        "challenges": _said(
            "Present if the play was challenged: who challenged, and by whose word it came off or stands.",
            listed(
                objects(
                    {"by": TEXT_OR_NULL, "upheld": FLAG, "ruled_by": {"enum": ["list", "table", "rules"]}}
                )
            ),
        ),
    },
    ("taken_back", "challenges"),
)
_QUESTION = objects(
    {
        "kind": {"enum": ["play", "removed", "none", "unclear"]},
        "text": _said("The question, in a sentence or two.", TEXT),
        "square": _said("The square in question, null if no single one decides.", TEXT_OR_NULL),
        "choices": _said(
            "The answers, by number from 0. Each has the whole sheet as the answer would leave it.",
            listed(objects({"text": TEXT, **_SHEET})),
        ),
        "lying": _said("Present if tiles that came off the sheet still lie on the board: these tiles.", TEXT),
    },
    ("lying",),
)
_END = objects(
    {"reason": {"enum": list(END_REASONS)}, "left": _POINTS, "penalties": _POINTS, "winners": listed(TEXT)}
)
_STATE = objects(
    {
        "id": WHOLE,
        "version": _said(
            "Grows with every change. A call that changes a game names the version that it is meant for.",
            WHOLE,
        ),
        "edition": TEXT,
        "players": _said("In the order of their turns.", listed(TEXT)),
        "to_play": _said("The player whose turn it is, null once the game is over.", TEXT_OR_NULL),
        "turns": _said("The lines of the scoresheet.", listed(schema_ref("Turn"))),
        **_SHEET,
        "question": _said(
            "The question that waits, null if nothing is in doubt. Until it is answered, stacks and totals are those "
            "from before.",
            _or_null(schema_ref("Question")),
        ),
        "ended": _said(
            "How the game ended: why, the tiles left, the penalties for them, who won. Null while it goes on.",
            _or_null(_END),
        ),
        "to_lift": _said(
            "Present if tiles came off the sheet and nobody lifted them yet, as far as seen: these tiles.",
            TEXT,
        ),
    },
    ("to_lift",),
)
_GAME = objects(
    {
        "id": WHOLE,
        "title": TEXT,
        "edition": _said("Null if the game can't be opened.", TEXT_OR_NULL),
        "totals": _or_null(_POINTS),
        "ended": FLAG,
    }
)
