"""What the interface for programs is sent and what it tells, as the schemas of its description."""

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
    """The schema of a name, where it is used."""
    return {"$ref": f"#/components/schemas/{name}"}


def listed(items: Schema) -> Schema:
    """A list of such items."""
    return {"type": "array", "items": items}


def objects(properties: Schema, optional: Sequence[str] = ()) -> Schema:
    """An object with these properties and no others."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def schemas(lexicons: Sequence[str]) -> Schema:
    """All schemas by name; `lexicons` are the word lists that a game can be played with, the usual one first."""
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
    """An object with a value for each player."""
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
    "The version of the game that this is meant for, as its state has it; 409 where the game has moved on.",
    WHOLE,
)
_POINTS = _each(WHOLE)
_STACKS = _said(
    "Row by row from the top, each square a stack of faces from bottom to top.",
    listed(listed(listed({"enum": list(FACES)}))),
)
_POSITION: Schema = {
    "type": "object",
    "description": "What a position file holds; other names are left alone.",
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
            "Of a play that breaks Rules 3 to 5: entered all the same; without it that is an error.", FLAG
        ),
        "upheld": _said("Of a challenge: whether the tiles come off again.", FLAG),
        "by": _said("Of a challenge: the player who challenged.", TEXT),
        "racks": _said(
            "Of the end: how many tiles each player has left; left out, as they are accounted for.",
            _each({**WHOLE, "minimum": 0, "maximum": RACK_SIZE}),
        ),
        "reason": _said(
            "Of the end; left out, what has come about by the rules.", {"enum": list(END_REASONS)}
        ),
    },
    ("tiles", "insist", "upheld", "by", "racks", "reason"),
)

_TURN = objects(
    {
        "player": TEXT,
        "kind": _said(
            "`lost` by a challenge that failed, where the house rules say so.",
            {"enum": ["play", "pass", "exchange", "lost"]},
        ),
        "tiles": _said('"N@d7 A@e7", empty where there are none.', TEXT),
        "words": listed(objects({"word": TEXT, "points": WHOLE})),
        "points": WHOLE,
        "taken_back": _said("Present where the play came off the board again.", {"const": True}),
        "challenges": _said(
            "Present where the play was challenged: by whom, and by whose word it came off or stands.",
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
        "text": _said("What to ask, a sentence.", TEXT),
        "square": _said("The square in question, null where no single one decides.", TEXT_OR_NULL),
        "choices": _said(
            "What can be answered, by number from 0: each with the whole sheet as it would be afterwards.",
            listed(objects({"text": TEXT, **_SHEET})),
        ),
        "lying": _said("Present where tiles still lie there that came off the sheet: these.", TEXT),
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
        "to_play": _said("Whose turn it is, null once the game is over.", TEXT_OR_NULL),
        "turns": _said("The lines of the scoresheet.", listed(schema_ref("Turn"))),
        **_SHEET,
        "question": _said(
            "What the table is asked, null where nothing is in doubt. Until it is settled, stacks and totals are those "
            "from before.",
            _or_null(schema_ref("Question")),
        ),
        "ended": _said(
            "Null, or how the game ended: why, the tiles left, the penalties for them, who won.",
            _or_null(_END),
        ),
        "to_lift": _said("Present where tiles came off the sheet and were not seen lifted yet: these.", TEXT),
    },
    ("to_lift",),
)
_GAME = objects(
    {
        "id": WHOLE,
        "title": TEXT,
        "edition": _said("Null where the game can't be opened.", TEXT_OR_NULL),
        "totals": _or_null(_POINTS),
        "ended": FLAG,
    }
)
