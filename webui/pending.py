"""A reading that waits for the table's answer, as it is stored and as it is asked about."""

from __future__ import annotations

import json
from dataclasses import dataclass

from engine.play import Play, format_play, parse_play
from engine.revision import Revision
from engine.squares import Square, parse_square, square_name
from webui.ports import Choice, Sighting, SightingKind

MAX_CHOICES = 5


@dataclass(frozen=True)
class Pending:
    """What a photograph, named by its key, left open.

    `choices` are plays for the kind "play", the tiles taken off for "removed"; the most probable first.
    """

    photo: str
    kind: SightingKind
    choices: tuple[Choice, ...]
    question: Square | None
    reason: str | None


def pending_from(sighting: Sighting, photo: str) -> Pending:
    """What is left open by a sighting; equal choices are asked about once."""
    choices: dict[tuple[Play, Play | None], Choice] = {}
    for choice in sighting.choices:
        choices.setdefault((choice.play, choice.earlier), choice)
    ranked = tuple(choices.values())[:MAX_CHOICES]
    return Pending(photo, sighting.kind, ranked, sighting.question, sighting.reason)


def dump_pending(pending: Pending) -> str:
    """The pending reading as JSON text, the inverse of `load_pending`."""
    return json.dumps(
        {
            "photo": pending.photo,
            "kind": pending.kind,
            "choices": [
                {
                    "tiles": format_play(choice.play),
                    "confidence": choice.confidence,
                    "earlier": format_play(choice.earlier) if choice.earlier else None,
                    "revision": _dump_revision(choice.revision),
                }
                for choice in pending.choices
            ],
            "question": square_name(pending.question) if pending.question else None,
            "reason": pending.reason,
        }
    )


def load_pending(text: str | None) -> Pending | None:
    """The pending reading in JSON text that `dump_pending` wrote; None for None."""
    if text is None:
        return None
    data = json.loads(text)
    return Pending(
        photo=data["photo"],
        kind=data["kind"],
        choices=tuple(
            Choice(
                parse_play(choice["tiles"]),
                float(choice["confidence"]),
                parse_play(choice["earlier"]) if choice["earlier"] else None,
                _load_revision(choice.get("revision")),
            )
            for choice in data["choices"]
        ),
        question=parse_square(data["question"]) if data["question"] else None,
        reason=data["reason"],
    )


def _dump_revision(revision: Revision | None) -> list[int | str] | None:
    return None if revision is None else [revision.at, format_play(revision.play)]


def _load_revision(data: tuple[int, str] | None) -> Revision | None:
    return None if data is None else Revision(data[0], parse_play(data[1]))


def face_at(play: Play, square: Square | None) -> str:
    """The face that a play puts on a square, "" when it puts none there."""
    return next((tile.face for tile in play.tiles if tile.square == square), "")


def question_text(pending: Pending) -> str:
    """The question in one sentence: "Is this O or Qu at d4?"."""
    if pending.kind == "none":
        return "Nothing has changed since the last turn. Was it a pass?"
    if pending.kind == "removed":
        return "Tiles were taken back from the board. Take back the last turn?"
    if pending.kind == "unclear":
        return pending.reason or "The photograph does not show what was played. Take it again."
    faces = list(dict.fromkeys(face_at(choice.play, pending.question) for choice in pending.choices))
    if pending.question is None or len(pending.choices) < 2 or len(faces) < 2:
        return "Is this what was played?" if len(pending.choices) == 1 else "Which of these was played?"
    name = square_name(pending.question)
    named = [face for face in faces if face]
    if len(named) < len(faces) and len(named) == 1:
        return f"Was {named[0]} put on {name} this turn?"
    letters = f"{', '.join(named[:-1])} or {named[-1]}"
    return f"Is this {letters} at {name}?"
