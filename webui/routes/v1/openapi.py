"""The description of the interface for programs, as an OpenAPI 3.1 document (`GET /api/v1/openapi.json`)."""

from __future__ import annotations

from collections.abc import Sequence

from webui.routes.v1.schemas import TEXT, WHOLE, Schema, listed, schema_ref, schemas


def describe(lexicons: Sequence[str]) -> Schema:
    """The whole document; `lexicons` are the word lists that a game can be played with, the usual one first."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Upscore",
            "version": "1",
            "description": "The scoresheet page for programs: what a button does, a call does. "
            "What cannot be done is answered with a 4xx status and one line that says what to do.",
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
    "description": "The sender's choice: a photograph sent again with the same is taken once, whatever came between.",
    "schema": {**TEXT, "pattern": "^[A-Za-z0-9-]{8,64}$"},
}
_CHANGES: dict[str, Schema] = {
    "photos": _call(
        "photograph",
        "A photograph of the board. The same one sent twice is taken once.",
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
        "A turn, a challenge or the end, told by hand. It settles a question that waits.",
        requestBody=_sent(schema_ref("NewTurn")),
    ),
    "undo": _call(
        "undo",
        "Takes back the last entry. It settles a question that waits.",
        requestBody=_sent(schema_ref("Undo")),
    ),
}
_LAST = {"name": "Last-Event-ID", "in": "header", "description": "The version seen last.", "schema": WHOLE}
_STREAM = _described(
    'An event for every change: its id is the version that the change left, its data {"version": n}.',
    TEXT,
    "text/event-stream",
)


def _paths() -> Schema:
    document, games = (
        _described("The document.", {"type": "object"}),
        _described("The games.", listed(schema_ref("Game"))),
    )
    changes = {f"/games/{{id}}/{name}": {**_GAME, "post": call} for name, call in _CHANGES.items()}
    return {
        "/openapi.json": {"get": _call("describe", "This document.", document)},
        "/games": {
            "get": _call("list", "All games, the newest first.", games),
            "post": _call("begin", "A new game.", status="201", requestBody=_sent(schema_ref("NewGame"))),
        },
        "/games/{id}": {**_GAME, "get": _call("look", "The state of a game.")},
        **changes,
        "/games/{id}/events": {
            **_GAME,
            "get": _call("follow", "The stream of a game's changes.", _STREAM, parameters=[_LAST]),
        },
    }
