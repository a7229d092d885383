"""The description of the interface for programs, as an OpenAPI 3.1 document (`GET /api/v1/openapi.json`)."""

from __future__ import annotations

from collections.abc import Sequence

from webui.routes.v1.schemas import TEXT, WHOLE, Schema, list_of, schema_ref, schemas


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
        "paths": _paths(),
        "components": {
            "schemas": schemas(lexicons),
            "parameters": {
                "Game": {"name": "id", "in": "path", "required": True, "schema": {**WHOLE, "minimum": 1}}
            },
            "responses": {
                "State": _described("The state of the game, afterwards.", schema_ref("State")),
                "Error": _described("Nothing was changed.", schema_ref("Error")),
            },
        },
    }


def _described(text: str, schema: Schema, media: str = "application/json") -> Schema:
    return {"description": text, "content": {media: {"schema": schema}}}


_STATE: Schema = {"$ref": "#/components/responses/State"}
_GAME: Schema = {"parameters": [{"$ref": "#/components/parameters/Game"}]}


def _call(name: str, summary: str, answer: Schema = _STATE, status: str = "200", **more: object) -> Schema:
    responses = {status: answer, "4XX": {"$ref": "#/components/responses/Error"}}
    return {"operationId": name, "summary": summary, **more, "responses": responses}


def _sent(schema: Schema, media: str = "application/json") -> Schema:
    return {"required": True, "content": {media: {"schema": schema}}}


_PHOTO: Schema = {
    "type": "object",
    "properties": {"photo": {"type": "string", "format": "binary"}},
    "required": ["photo"],
}
_KEY: Schema = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A photograph sent again with the same key is taken once. The sender chooses the key.",
    "schema": {**TEXT, "pattern": "^[A-Za-z0-9-]{8,64}$"},
}
_CHANGES: dict[str, Schema] = {
    "photos": _call(
        "photograph",
        "Takes a turn from a photograph of the board. The same photograph sent twice is taken once.",
        parameters=[_KEY],
        requestBody=_sent(_PHOTO, "multipart/form-data"),
    ),
    "answer": _call(
        "answer",
        "Answers the question that waits, or puts it aside.",
        requestBody=_sent(schema_ref("Answer")),
    ),
    "turns": _call(
        "enter",
        "Enters a turn by hand, a challenge or the end. A question that waits is dropped.",
        requestBody=_sent(schema_ref("NewTurn")),
    ),
    "undo": _call(
        "undo",
        "Undoes the last entry. A question that waits is dropped.",
        requestBody=_sent(schema_ref("Undo")),
    ),
}
_LAST = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The version that the program saw last.",
    "schema": WHOLE,
}
_STREAM = _described(
    'An event for each change. Its id is the version that the change left, its data {"version": n}.',
    TEXT,
    "text/event-stream",
)


def _paths() -> Schema:
    document = _described("The document.", {"type": "object"})
    games = _described("The games.", list_of(schema_ref("Game")))
    changes = {f"/games/{{id}}/{name}": {**_GAME, "post": call} for name, call in _CHANGES.items()}
    return {
        "/openapi.json": {"get": _call("describe", "Sends this document.", document)},
        "/games": {
            "get": _call("list", "Lists all games, the newest first.", games),
            "post": _call("begin", "Begins a game.", status="201", requestBody=_sent(schema_ref("NewGame"))),
        },
        "/games/{id}": {**_GAME, "get": _call("look", "Sends the state of a game.")},
        **changes,
        "/games/{id}/events": {
            **_GAME,
            "get": _call("follow", "Streams the changes of a game.", _STREAM, parameters=[_LAST]),
        },
    }
