"""The question that waits for the table's answer.

First come `Question` and how it is stored, then its text. `with_letter` answers with a letter that was not offered.
`provisional_events` finds the turns on the scoresheet that an answer, or the looks, may still change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from engine import (
    ENGLISH,
    Alphabet,
    Game,
    GameError,
    PlacedTile,
    Play,
    Revision,
    Square,
    UpscoreError,
    format_play,
    parse_play,
    parse_square,
    square_name,
)
from engine.game.events import Challenged, Event, Played
from engine.json_reading import as_list, load_own_json
from engine.wording import join_texts, phrase, text_data, text_from_data
from vision import Belief, Finding, Kind, Outcome
from vision.turn.finding import MAX_ANSWERS, Retake, explain_hidden, find_retake
from vision.turn.reasons import Doubt, Reason, doubt_of_sentence, is_about, read_stored_doubt
from webui.errors import WebError


@dataclass(frozen=True)
class Question:
    """The part of a finding that is stored until the table answers, with the key of its photograph.

    `outcomes` are the answers, likeliest first, each with only its changes on the scoresheet. `square` is the square
    whose letter decides between them. `lying` are tiles that came off the scoresheet and still lie on the board.
    `hidden` is a sentence that says what hides the square in the photograph. `retake` says how another photograph would
    show tiles that are asked about; it tells more than an answer then.
    """

    photo: str
    kind: Kind
    outcomes: tuple[Outcome, ...]
    square: Square | None
    reason: Doubt | None
    lying: Play | None = None
    hidden: str | None = None
    retake: Retake = ""

    @classmethod
    def of(cls, finding: Finding, photo: str, last: Play | None = None) -> Question:
        """Return the question that a finding leaves open; `last` is the play that can still be taken back."""
        outcomes = tuple(_answer(each, last) for each in finding.answers[:MAX_ANSWERS])
        reading, square = finding.reading, finding.square
        hidden = None if reading is None or square is None else explain_hidden(reading, finding.board, square)
        return cls(photo, finding.kind, outcomes, square, finding.reason, finding.lying, hidden, find_retake(finding))


def _answer(outcome: Outcome, last: Play | None) -> Outcome:
    """Return the part of an outcome that is stored.

    Tiles laid again exactly where they came off were misread on the sheet.
    """
    changes, replaces = outcome.changes, outcome.replaces
    laid_anew = changes[1] if len(changes) > 1 and changes[0] is None and not replaces else None
    if last is not None and laid_anew is not None and {*laid_anew.squares} == {*last.squares}:
        changes, replaces = changes[1:], 1
    return Outcome.of(*changes, replaces=replaces, share=outcome.share)


def find_framed_square(question: Question) -> Square | None:
    """Return the square that a close-up frames: the one in question, or else the one that best separates the plays.

    None if the plays differ on no square.
    """
    if question.square is not None or question.kind != "play":
        return question.square

    def doubt(square: Square) -> float:
        shares = dict.fromkeys((outcome.face_at(square) for outcome in question.outcomes), 0.0)
        for outcome in question.outcomes:
            shares[outcome.face_at(square)] += outcome.share
        return sum(shares.values()) - max(shares.values())

    plays = [event for outcome in question.outcomes for event in outcome.changes if event is not None]
    best = max(sorted({square for play in plays for square in play.squares}), key=doubt, default=None)
    return best if best is not None and doubt(best) > 0.0 else None


def dump_question(question: Question) -> str:
    """Return the question as JSON text, the inverse of `load_question`."""
    choices = [
        {
            "events": [None if event is None else format_play(event) for event in outcome.changes],
            "replaces": outcome.replaces,
            "confidence": outcome.share,
        }
        for outcome in question.outcomes
    ]
    square = None if question.square is None else square_name(question.square)
    kept = {"photo": question.photo, "kind": question.kind, "choices": choices}
    lying = None if question.lying is None else format_play(question.lying)
    doubt = question.reason
    reason = None if doubt is None else {"name": doubt.reason.name, "details": list(map(text_data, doubt.details))}
    rest = {"reason": reason, "lying": lying, "hidden": question.hidden and text_data(question.hidden)}
    rest["retake"] = question.retake
    return json.dumps({**kept, "question": square, **rest})


def load_question(text: str | None, alphabet: Alphabet = ENGLISH) -> Question | None:
    """Read the text that `dump_question` wrote. Return None for None, and for the text of an older version.

    :raises WebError: in one line for people, if the text is damaged.
    """
    try:
        question = None if text is None else _read_question(load_own_json(text), alphabet)
        if question is not None:
            _check_sentences(question)
        return question
    except (UpscoreError, ValueError, LookupError, TypeError, AttributeError):
        raise WebError(
            phrase("The question that was open can't be read any more. Photograph the board again.")
        ) from None


def _check_sentences(question: Question) -> None:
    """Check that the sentences of a question can be made from what was stored. They are made only where it is shown."""
    question_text(question)
    if question.reason is not None:
        str(question.reason)


def _read_question(data: dict[str, Any], alphabet: Alphabet) -> Question | None:
    if not all("events" in choice for choice in data.get("choices", [{}])):
        return None
    if data["kind"] not in get_args(Kind):
        raise ValueError("a kind of question that there is not")
    question = parse_square(data["question"]) if data["question"] else None
    outcomes = tuple(_load_outcome(choice, alphabet) for choice in data["choices"])
    lying = parse_play(data["lying"], alphabet=alphabet) if data.get("lying") else None
    retake = data.get("retake", "")  # earlier versions didn't store it
    if retake not in get_args(Retake):
        raise ValueError("a way to photograph again that there is not")
    hidden = data.get("hidden") and text_from_data(data["hidden"])
    return Question(data["photo"], data["kind"], outcomes, question, _load_doubt(data["reason"]), lying, hidden, retake)


def _load_doubt(data: str | dict[str, Any] | None) -> Doubt | None:
    """Return the stored doubt. This version stores its name; earlier ones stored a sentence."""
    if data is None:
        return None
    if isinstance(data, str):
        return doubt_of_sentence(data)
    return read_stored_doubt(data["name"], map(text_from_data, as_list(data["details"], "details")))


def _load_outcome(data: dict[str, Any], alphabet: Alphabet) -> Outcome:
    events = (None if text is None else parse_play(text, alphabet=alphabet) for text in data["events"])
    return Outcome.of(*events, replaces=int(data["replaces"]), share=float(data["confidence"]))


def question_text(question: Question) -> str:
    """Return the headline of the question: "Is this O or Qu at d4?". `say_reason` has the line below it."""
    if question.kind == "none":
        return phrase("Nothing has changed since the last turn. Was it a pass?")
    if question.kind == "removed":
        return phrase("Tiles came off the board. Take back the last turn?")
    if question.kind == "unclear":
        return str(question.reason or phrase("It isn't clear what was played. Photograph the board again."))
    faces = list(dict.fromkeys(outcome.face_at(question.square) for outcome in question.outcomes))
    if question.square is not None and question.reason and faces == [""]:
        return str(question.reason)
    if question.square is None or len(question.outcomes) < 2 or len(faces) < 2:
        asked = (
            phrase("Is this what was played?") if len(question.outcomes) == 1 else phrase("Which of these was played?")
        )
        return str(question.reason) if question.reason is not None and question.reason.asks else asked
    name = square_name(question.square)
    named = [face for face in faces if face]
    if len(named) < len(faces) and len(named) == 1:
        return phrase("Was %(face)s put on %(square)s this turn?", face=named[0], square=name)
    shown = named if len(named) == len(faces) else [*named, phrase("nothing")]
    offered = phrase("%(faces)s or %(face)s", faces=join_texts(shown[:-1], ", "), face=shown[-1])
    # "this" would be the neighbour's letter, if the picture shows that instead of the square
    return (
        phrase("What is on %(square)s: %(faces)s?", square=name, faces=offered)
        if question.hidden
        else phrase("Is this %(faces)s at %(square)s?", faces=offered, square=name)
    )


def turns_waiting(question: Question) -> int:
    """Return how many plays wait for the answer to a question."""
    return _plays(question.outcomes[0]) if question.outcomes else 0


def _plays(outcome: Outcome) -> int:
    """Return how many plays an answer adds to the scoresheet."""
    return sum(event is not None for event in outcome.revision.added)


_MAX_TURNS_MISSED = 2
"""Most turns of an answer for which the board isn't offered to be taken as it lies. Where four were missed, the
likeliest answer of six questions has one to three turns, and most questions have an answer of three.
[by hand, dev00 to dev30]"""


def offer_start_again(question: Question, plays_expected: int) -> str:
    """Return the offer to take the board as it lies, "" if there is none.

    There is one if no answer explains all that lies there. An answer may have as many plays as are expected between two
    photographs.
    """
    most = max((_plays(outcome) for outcome in question.outcomes), default=0)
    if most > max(_MAX_TURNS_MISSED, plays_expected) or is_about(question.reason, Reason.INEXPLICABLE):
        return phrase("Were more than two turns missed? You can go on from the board as it is, and the scores stay.")
    return ""


def with_letter(question: Question, face: str) -> Revision:
    """Return the likeliest answer with this face on the square in question; raises WebError without such a square."""
    at = _find_lettered_event(question)
    if at is None or question.square is None:
        raise WebError(phrase("This question isn't about one letter. Choose an answer, or enter the play by hand."))
    best = question.outcomes[0].revision
    play = best.events[at] or Play(())
    others = Play(tuple(tile for tile in play.tiles if tile.square != question.square))
    lettered = others.with_tiles((PlacedTile(question.square, face),))
    events = (*best.events[:at], lettered, *best.events[at + 1 :])
    return replace(best, events=events)


def name_asked_square(question: Question) -> str:
    """Return the name of the square whose letter people can choose instead of an answer, or ""."""
    if question.square is None or _find_lettered_event(question) is None:
        return ""
    return square_name(question.square)


def _find_lettered_event(question: Question) -> int | None:
    """Return which event of the likeliest answer has the letter in question.

    That is the last play on its square, or else the last of all plays.
    """
    if question.square is None or not question.outcomes:
        return None
    events = question.outcomes[0].changes
    plays = [at for at, event in enumerate(events) if event is not None]
    there = [at for at in plays if question.square in (events[at] or Play(())).squares]
    return next(reversed(there or plays), None)


def provisional_events(game: Game, question: Question | None, belief: Belief) -> frozenset[int]:
    """Return the numbers (from 0) of the game's standing events that may still turn out to be wrong.

    An answer to the waiting question would correct them, or the likeliest story of all looks differs.
    """
    revisions = [outcome.revision for outcome in question.outcomes] if question is not None else []
    likeliest = Revision(belief.stories[0].events, len(belief.entered))
    return frozenset(at for revision in (*revisions, likeliest) for at in _put_right(game, revision))


def _put_right(game: Game, revision: Revision) -> Iterable[int]:
    """Return the events that a revision changes, none if it doesn't fit the game."""
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
