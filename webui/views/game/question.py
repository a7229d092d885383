"""A reading that waits for the table's answer, as it is stored and as it is asked about."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from engine.game.revision import Revision
from engine.play import Play, format_play, parse_play
from engine.squares import Square, parse_square, square_name
from webui.ports import Choice, TurnReading, TurnReadingKind

MAX_CHOICES = 6


@dataclass(frozen=True)
class Pending:
    """What a photograph, named by its key, left open.

    `choices` are what may have happened, the most probable first; `lying` tiles that came off the scoresheet and still
    lie on the board. `hidden` says in a sentence what hides the square in question in the photograph.
    """

    photo: str
    kind: TurnReadingKind
    choices: tuple[Choice, ...]
    question: Square | None
    reason: str | None
    lying: Play | None = None
    hidden: str | None = None


def pending_from(sighting: TurnReading, photo: str) -> Pending:
    """What is left open by a sighting."""
    choices = sighting.choices[:MAX_CHOICES]
    return Pending(
        photo,
        sighting.kind,
        choices,
        sighting.question,
        sighting.reason,
        sighting.lying,
        sighting.hidden,
    )


def dump_pending(pending: Pending) -> str:
    """The pending reading as JSON text, the inverse of `load_pending`."""
    choices = [
        {
            "events": [None if event is None else format_play(event) for event in choice.revision.events],
            "replaces": choice.revision.replaces,
            "confidence": choice.confidence,
        }
        for choice in pending.choices
    ]
    question = square_name(pending.question) if pending.question else None
    kept = {"photo": pending.photo, "kind": pending.kind, "choices": choices}
    lying = None if pending.lying is None else format_play(pending.lying)
    told = {"reason": pending.reason, "lying": lying, "hidden": pending.hidden}
    return json.dumps({**kept, "question": question, **told})


def load_pending(text: str | None) -> Pending | None:
    """The pending reading that `dump_pending` wrote; None for None, and for what an older version wrote."""
    data = {} if text is None else json.loads(text)
    if not all("events" in choice for choice in data.get("choices", [{}])):
        return None
    question = parse_square(data["question"]) if data["question"] else None
    choices = tuple(map(_load_choice, data["choices"]))
    lying = parse_play(data["lying"]) if data.get("lying") else None
    return Pending(data["photo"], data["kind"], choices, question, data["reason"], lying, data.get("hidden"))


def _load_choice(data: dict[str, Any]) -> Choice:
    events = tuple(None if text is None else parse_play(text) for text in data["events"])
    return Choice(Revision(events, int(data["replaces"])), float(data["confidence"]))


def face_at(choice: Choice, square: Square | None) -> str:
    """The face that a choice puts on a square last, "" when it puts none there."""
    plays = [event for event in reversed(choice.revision.events) if event is not None]
    return next((tile.face for play in plays for tile in play.tiles if tile.square == square), "")


def question_text(pending: Pending) -> str:
    """The question in one sentence: "Is this O or Qu at d4?"."""
    if pending.kind == "none":
        return "Nothing has changed since the last turn. Was it a pass?"
    if pending.kind == "removed":
        return "Tiles were taken back from the board. Take back the last turn?"
    if pending.kind == "unclear":
        return pending.reason or "The photograph does not show what was played. Take it again."
    faces = list(dict.fromkeys(face_at(choice, pending.question) for choice in pending.choices))
    if pending.question is not None and pending.reason and faces == [""]:
        return pending.reason
    if pending.question is None or len(pending.choices) < 2 or len(faces) < 2:
        return "Is this what was played?" if len(pending.choices) == 1 else "Which of these was played?"
    name = square_name(pending.question)
    named = [face for face in faces if face]
    if len(named) < len(faces) and len(named) == 1:
        return f"Was {named[0]} put on {name} this turn?"
    shown = named if len(named) == len(faces) else [*named, "nothing"]
    return f"Is this {', '.join(shown[:-1])} or {shown[-1]} at {name}?"


def turns_waiting(pending: Pending) -> int:
    """How many plays wait for the answer to a question."""
    best = pending.choices[0].revision.added if pending.choices else ()
    return sum(event is not None for event in best)
