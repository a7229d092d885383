"""The reader of photographs behind the page: vision's pipeline, asked what the page needs to know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.editions import Edition
from engine.errors import UpscoreError
from engine.play import Play
from engine.rules import Verdict, referee
from engine.squares import SQUARES
from engine.words import WordList
from vision.images import Image
from vision.infer import TurnInference
from vision.overlay import crop_square, draw_reading, draw_turn
from vision.pipeline import BoardReader
from vision.session import GameWatch, Observation
from vision.tracker import Tracker
from webui.ports import Choice, Facts, Followed, PositionSighting, Sighting

SURE = 0.95
"""Squares of a start position given less than this are shown as doubtful."""
_KEPT = 8
"""Tables whose camera and tiles are remembered at a time."""


class VisionReader:
    """Reads turns and boards from photographs; not for several threads at once on one game."""

    def __init__(self, *, second_opinion: bool = True) -> None:
        self._second_opinion = second_opinion
        self._readers: dict[str, BoardReader] = {}
        self._watches: dict[int, GameWatch] = {}

    def read_turn(self, image: Image, facts: Facts) -> Sighting:
        """What was played since `facts.before`; a picture without a board is a Sighting of kind "unclear"."""
        watch = self._watch(facts)
        # what was taken without a question may yet prove to have been another; what the table has said stands
        same = (watch.board, watch.last_play) == (facts.before, facts.last_play)
        if not (same and watch.unconfirmed):
            watch.settle(facts.before, facts.last_play)
        seen = watch.observe(image)
        return _sighting(image, seen, replace(facts, before=seen.before))

    def follow(self, facts: Facts) -> Following:
        """One who follows the table from `facts.before` on; turns come when the hands have left."""
        return Following(Tracker(self._reader(facts.lexicon), self._new_watch(facts)), facts)

    def read_position(self, image: Image, *, edition: Edition, lexicon: WordList | None) -> PositionSighting:
        """The board as it lies there; raises BoardNotFound when there is none."""
        reading = self._reader(lexicon).read(image, edition.size)
        squares = replace(reading, grid=1.0)
        doubtful = np.argwhere((squares.confidence() < SURE) | reading.occluded())
        return PositionSighting(
            tops=tuple(tuple(row) for row in reading.letters()),
            heights=tuple(tuple(int(height) for height in row) for row in reading.heights()),
            doubtful=tuple(SQUARES[row][col] for row, col in doubtful),
            overlay=draw_reading(image, reading),
            border_in_doubt=reading.grid < SURE,
        )

    def _reader(self, lexicon: WordList | None) -> BoardReader:
        name = lexicon.name if lexicon is not None else ""
        if name not in self._readers:
            self._readers[name] = BoardReader(words=lexicon, second_opinion=self._second_opinion)
        return self._readers[name]

    def _watch(self, facts: Facts) -> GameWatch:
        if facts.game_id not in self._watches:
            while len(self._watches) >= _KEPT:
                self._watches.pop(next(iter(self._watches)))
            self._watches[facts.game_id] = self._new_watch(facts)
        return self._watches[facts.game_id]

    def _new_watch(self, facts: Facts) -> GameWatch:
        return GameWatch(
            self._reader(facts.lexicon), facts.before, edition=facts.edition, lexicon=facts.lexicon,
            rules=facts.rules, last_play=facts.last_play,
        )  # fmt: skip


class Following:
    """Follows one table: a tracker, and what the page needs to know of what it finds."""

    def __init__(self, tracker: Tracker, facts: Facts) -> None:
        self._tracker, self._facts = tracker, facts

    def feed(self, frame: Image, time: float) -> Followed | None:
        """The next frame, (h, w, 3) BGR, at `time` in seconds; the turn that it settles, if it does."""
        event = self._tracker.feed(frame, time)
        if event is None:
            return None
        facts = replace(self._facts, before=event.seen.before)
        return Followed(_sighting(event.image, event.seen, facts), event.image, event.amends)


def _sighting(image: Image, seen: Observation, facts: Facts) -> Sighting:
    inference = seen.inference
    return Sighting(
        kind=inference.kind,
        choices=_choices(inference),
        needs_review=inference.needs_review,
        question=inference.question,
        reason=inference.reason,
        overlay=_overlay(image, seen, facts),
        square=_square(image, seen),
        before=seen.before,
    )


def _choices(inference: TurnInference) -> tuple[Choice, ...]:
    if inference.kind == "play":
        first = Choice(inference.play, inference.confidence, inference.earlier)
        if inference.earlier is not None:
            turned = Choice(inference.earlier, 1.0 - inference.confidence, inference.play)
            return first, turned
        return (first, *(Choice(other.play, other.confidence) for other in inference.alternatives))
    if inference.kind == "removed":
        return (Choice(inference.play, inference.confidence),)
    return ()


def _overlay(image: Image, seen: Observation, facts: Facts) -> Image | None:
    if seen.reading is None:
        return None
    return draw_turn(image, seen.reading, seen.inference, _verdict(seen.inference, facts))


def _verdict(inference: TurnInference, facts: Facts) -> Verdict | None:
    if inference.kind != "play":
        return None
    try:
        before = facts.before.with_play(inference.earlier or Play(()))
        return referee(
            before, inference.play, edition=facts.edition, lexicon=facts.lexicon, rules=facts.rules
        )
    except UpscoreError:
        return None


def _square(image: Image, seen: Observation) -> Image | None:
    if seen.reading is None or seen.inference.question is None:
        return None
    return crop_square(image, seen.reading, seen.inference.question, 320)
