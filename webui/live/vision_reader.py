"""The reader of photographs behind the page: vision's pipeline, asked what the page needs to know."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from engine.editions import Edition
from engine.game.revision import Revision
from engine.lexicon.word_list import WordList
from engine.rules.referee import Verdict
from engine.squares import SQUARES
from vision.images import Image
from vision.overlay import crop_square, draw_reading, draw_turn
from vision.pipeline import BoardReader
from vision.turn.belief import Belief
from vision.turn.context import Context
from vision.turn.finding import Finding, Outcome
from vision.turn.inference.prior import Gap
from vision.turn.observe import Observation, observe
from vision.video.tracker import Tracker
from webui.ports import Choice, Facts, Followed, PositionSighting, Sighting

SURE = 0.95
"""Squares of a start position given less than this are shown as doubtful."""


class VisionReader:
    """Reads turns and boards from photographs; holds nothing of any game."""

    def __init__(self, *, without: Collection[str] = ()) -> None:
        self._without = without
        self._readers: dict[str, BoardReader] = {}

    def read_turn(self, image: Image, facts: Facts) -> Sighting:
        """What happened since the last look; a picture without a board is a Sighting of kind "unclear"."""
        after, seen = observe(self._reader(facts.lexicon), facts.belief, image, _context(facts))
        return _sighting(image, seen, facts, after)

    def follow(self, facts: Facts) -> Following:
        """One who follows the table from what is believed on; turns come when the hands have left."""
        return Following(Tracker(self._reader(facts.lexicon), facts.belief, _context(facts)), facts)

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
            self._readers[name] = BoardReader(words=lexicon, without=self._without)
        return self._readers[name]


class Following:
    """Follows one table: a tracker, and what the page needs to know of what it finds."""

    def __init__(self, tracker: Tracker, facts: Facts) -> None:
        self._tracker, self._facts = tracker, facts

    def feed(self, frame: Image, time: float) -> Followed | None:
        """The next frame, (h, w, 3) BGR, at `time` in seconds; the turn that it settles, if it does."""
        event = self._tracker.feed(frame, time)
        if event is None:
            return None
        return Followed(_sighting(event.image, event.seen, self._facts, event.belief), event.image)


def _context(facts: Facts) -> Context:
    return Context(facts.edition, facts.lexicon, facts.rules)


def _sighting(image: Image, seen: Observation, facts: Facts, after: Belief) -> Sighting:
    finding = seen.finding
    if finding.kind == "removed" and not finding.needs_review:
        # points off a sheet are for the table to take: it is asked, and nothing counts as entered
        after = replace(after, entered=after.entered[:-1], gap=Gap(open=True))
    return Sighting(
        kind=finding.kind,
        choices=_choices(finding),
        needs_review=finding.needs_review,
        question=finding.question,
        reason=finding.reason,
        overlay=_overlay(image, seen, facts),
        square=_square(image, seen),
        belief=after,
        lying=finding.lying,
        lifted=finding.lifted,
    )


def _choices(finding: Finding) -> tuple[Choice, ...]:
    """What the table can choose from; where nothing is in doubt, what was found."""
    if finding.kind == "none":
        return ()
    return tuple(map(_choice, finding.outcomes if finding.needs_review else finding.outcomes[:1]))


def _choice(outcome: Outcome) -> Choice:
    return Choice(Revision(outcome.changes, outcome.replaces), outcome.share)


def _overlay(image: Image, seen: Observation, facts: Facts) -> Image | None:
    if seen.reading is None:
        return None
    return draw_turn(image, seen.reading, seen.finding, _verdict(seen.finding, facts))


def _verdict(finding: Finding, facts: Facts) -> Verdict | None:
    """What is written on the picture: of words nothing but their points, as nobody has challenged them."""
    if finding.kind != "play" or finding.play is None:
        return None
    verdict = _context(facts).verdict(finding.before, finding.play)
    return replace(verdict, violations=verdict.breaches)


def _square(image: Image, seen: Observation) -> Image | None:
    if seen.reading is None or seen.finding.question is None:
        return None
    return crop_square(image, seen.reading, seen.finding.question, 320)
