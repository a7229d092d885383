"""The question that waits for the table's answer.

First come `Question` and how it is stored, then its text. `with_letter` answers with a letter that was not offered.
`provisional_events` finds the turns on the scoresheet that an answer, or the looks, may still change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import (
    Game,
    GameError,
    PlacedTile,
    Play,
    Revision,
    Square,
    format_play,
    parse_play,
    parse_square,
    square_name,
)
from engine.game.events import Challenged, Event, Played
from vision import Belief
from vision.turn.reasons import Doubt, Reason, doubt_of_sentence
from webui.errors import WebError
from webui.ports import Choice, TurnReading, TurnReadingKind

MAX_CHOICES = 6


@dataclass(frozen=True)
class Question:
    """What a photograph, named by its key, left open.

    `choices` are what may have happened, the most probable first; `lying` tiles that came off the scoresheet and still
    lie on the board. `hidden` says in a sentence what hides the square in question in the photograph.
    """

    photo: str
    kind: TurnReadingKind
    choices: tuple[Choice, ...]
    question: Square | None
    reason: Doubt | None
    lying: Play | None = None
    hidden: str | None = None


def pending_from(sighting: TurnReading, photo: str) -> Question:
    """Return what a reading leaves open."""
    choices = sighting.choices[:MAX_CHOICES]
    return Question(
        photo,
        sighting.kind,
        choices,
        sighting.question,
        sighting.reason,
        sighting.lying,
        sighting.hidden,
    )


def dump_pending(pending: Question) -> str:
    """Return the pending reading as JSON text, the inverse of `load_pending`."""
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
    told = {"reason": _dump_doubt(pending.reason), "lying": lying, "hidden": pending.hidden}
    return json.dumps({**kept, "question": question, **told})


def load_pending(text: str | None) -> Question | None:
    """Read the text that `dump_pending` wrote; None for None, and for what an older version wrote."""
    data = {} if text is None else json.loads(text)
    if not all("events" in choice for choice in data.get("choices", [{}])):
        return None
    question = parse_square(data["question"]) if data["question"] else None
    choices = tuple(map(_load_choice, data["choices"]))
    lying = parse_play(data["lying"]) if data.get("lying") else None
    return Question(
        data["photo"], data["kind"], choices, question, _load_doubt(data["reason"]), lying, data.get("hidden")
    )


def _dump_doubt(doubt: Doubt | None) -> dict[str, Any] | None:
    return None if doubt is None else {"name": doubt.reason.name, "details": list(doubt.details)}


def _load_doubt(data: str | dict[str, Any] | None) -> Doubt | None:
    """Return the doubt that was stored: by its name today, as a sentence by earlier versions."""
    if data is None:
        return None
    if isinstance(data, str):
        return doubt_of_sentence(data)
    return Doubt(Reason[data["name"]], tuple(data["details"]))


def _load_choice(data: dict[str, Any]) -> Choice:
    events = tuple(None if text is None else parse_play(text) for text in data["events"])
    return Choice(Revision(events, int(data["replaces"])), float(data["confidence"]))


def face_at(choice: Choice, square: Square | None) -> str:
    """Return the face that a choice puts on a square last, "" when it puts none there."""
    plays = [event for event in reversed(choice.revision.events) if event is not None]
    return next((tile.face for play in plays for tile in play.tiles if tile.square == square), "")


def question_text(pending: Question) -> str:
    """Return the headline of the question: "Is this O or Qu at d4?"; `reason_shown` has the line below it."""
    if pending.kind == "none":
        return "Nothing has changed since the last turn. Was it a pass?"
    if pending.kind == "removed":
        return "Tiles were taken back from the board. Take back the last turn?"
    if pending.kind == "unclear":
        return str(pending.reason or "The photograph does not show what was played. Take it again.")
    faces = list(dict.fromkeys(face_at(choice, pending.question) for choice in pending.choices))
    if pending.question is not None and pending.reason and faces == [""]:
        return str(pending.reason)
    if pending.question is None or len(pending.choices) < 2 or len(faces) < 2:
        return "Is this what was played?" if len(pending.choices) == 1 else "Which of these was played?"
    name = square_name(pending.question)
    named = [face for face in faces if face]
    if len(named) < len(faces) and len(named) == 1:
        return f"Was {named[0]} put on {name} this turn?"
    shown = named if len(named) == len(faces) else [*named, "nothing"]
    return f"Is this {', '.join(shown[:-1])} or {shown[-1]} at {name}?"


def turns_waiting(pending: Question) -> int:
    """Return how many plays wait for the answer to a question."""
    best = pending.choices[0].revision.added if pending.choices else ()
    return sum(event is not None for event in best)


def with_letter(pending: Question, face: str) -> Revision:
    """Return the likeliest answer with this face on the square in question.

    Raises WebError if the question is not about one square.
    """
    at = _lettered_event(pending)
    if at is None or pending.question is None:
        raise WebError("This question is not about one letter: choose an answer, or enter the play by hand.")
    best = pending.choices[0].revision
    play = best.events[at] or Play(())
    events = (*best.events[:at], _with_face(play, pending.question, face), *best.events[at + 1 :])
    return replace(best, events=events)


def square_asked(pending: Question) -> str:
    """Return the name of the square whose letter can be told instead of an answer, "" where there is none."""
    if pending.question is None or _lettered_event(pending) is None:
        return ""
    return square_name(pending.question)


def _lettered_event(pending: Question) -> int | None:
    """Return which event of the likeliest answer has a letter in question: the last play there, else the last play."""
    if pending.question is None or not pending.choices:
        return None
    events = pending.choices[0].revision.events
    plays = [at for at, event in enumerate(events) if event is not None]
    there = [at for at in plays if pending.question in (events[at] or Play(())).squares]
    return next(reversed(there or plays), None)


def _with_face(play: Play, square: Square, face: str) -> Play:
    others = Play(tuple(tile for tile in play.tiles if tile.square != square))
    return others.with_tiles((PlacedTile(square, face),))


def provisional_events(game: Game, pending: Question | None, belief: Belief) -> frozenset[int]:
    """Return the numbers (from 0) of the game's standing events that may still prove to have been others.

    An answer to the waiting question would put them right, or the likeliest story of all looks has others.
    """
    revisions = [choice.revision for choice in pending.choices] if pending is not None else []
    likeliest = Revision(belief.stories[0].events, len(belief.entered))
    return frozenset(at for revision in (*revisions, likeliest) for at in _put_right(game, revision))


def _put_right(game: Game, revision: Revision) -> Iterable[int]:
    """Return the events that a revision makes others, none where it does not fit the game."""
    try:
        places = revision.places(game)
    except GameError:
        return ()
    really: Sequence[Play | None] = revision.events[: len(places)]
    changed = [at for at, event in zip(places, really, strict=False) if not _is_same(game.events[at], event)]
    return (*changed, *places[len(really) :])


def _is_same(stands: Event, really: Play | None) -> bool:
    if really is None:
        return isinstance(stands, Challenged)
    return isinstance(stands, Played) and stands.play == really
