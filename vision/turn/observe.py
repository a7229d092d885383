"""Read the next picture of a game, and update the belief.

If a picture makes no sense, it is read again with the grid moved by a square.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.board.grid_doubt import GridDoubt
from vision.board.lookalikes import OtherEdition
from vision.errors import BoardNotFound
from vision.hidden.bare_squares import BareSquares
from vision.images import Image
from vision.letters.classifier import PRINT_LIKE
from vision.pipeline import BoardReader, Hints
from vision.turn.belief import Belief
from vision.turn.finding import Finding, Outcome
from vision.turn.prior import GameSettings
from vision.turn.reasons import GUESS, Doubt, Reason, grid_doubt
from vision.turn.steps import take_look, unseen


def observe(
    reader: BoardReader, belief: Belief, image: Image, settings: GameSettings, corners: npt.ArrayLike | None = None
) -> tuple[Belief, Finding]:
    """Read the next picture, (h, w, 3) BGR. Return the belief after it, and the finding.

    `corners` are as in `BoardReader.read`. Raises LensError if the picture cannot come from the calibrated camera.
    """
    hints = hints_of(belief)
    try:
        reading = reader.read(image, settings.edition.size, corners=corners, hints=hints)
    except OtherEdition as error:
        doubt = Doubt(Reason.OTHER_BOARD, (str(error), str(error.size)))
        return unseen(belief), Finding.unclear(doubt, belief.sheet_board)
    except BoardNotFound as error:
        return not_read(belief, str(error))
    after, finding = take_look(belief, reading, settings)
    if corners is None and _odd(finding, settings):
        for other in reader.neighbour_readings(image, reading, hints):
            belief_there, there = take_look(belief, other, settings)
            if there.kind == "play" and not there.needs_review and not _odd(there, settings):
                after, finding, reading = belief_there, there, other
                break
    return after, replace(finding, reading=reading)


def not_read(belief: Belief, text: str) -> tuple[Belief, Finding]:
    """Return the belief after a picture without a board, and a finding that says why in `text`."""
    doubt = Doubt(Reason.NOT_READ, (text,))
    return unseen(belief), Finding.unclear(doubt, belief.sheet_board)


def shows_entered_board(belief: Belief, finding: Finding) -> bool:
    """Return whether a first picture shows the scoresheet's board, so that it can teach what is printed there.

    Printed marks on an empty board look like letters. So only a certain turn, or one with letters that no mark looks
    like, means that the board isn't empty.
    """
    if belief.sheet_board.is_empty:
        sure = finding.kind in ("play", "removed") and not finding.needs_review
        return not sure and not any(map(_is_lettered, finding.outcomes))
    return finding.kind == "none"


def _is_lettered(outcome: Outcome) -> bool:
    """Return whether a play of two or more tiles has a letter that no printed mark looks like."""
    plays = [event for event in outcome.events if event is not None and len(event.tiles) > 1]
    return any(tile.face not in PRINT_LIKE for play in plays for tile in play.tiles)


def hints_of(belief: Belief) -> Hints:
    """Return the hints that the belief has for the reader of pictures."""
    knowledge = belief.knowledge
    layers = np.array(knowledge.thickness_weights) if knowledge.thickness_weights else None
    return Hints(
        board=belief.board, assumed=bool(belief.assumed), thickness=layers, camera=knowledge.camera,
        bare=knowledge.bare or BareSquares.unseen(belief.board.size), other_set=knowledge.other_set,
    )  # fmt: skip


def _odd(finding: Finding, settings: GameSettings) -> bool:
    """Return whether the finding is so odd that the grid may be a square off."""
    if finding.kind == "play" and finding.play is not None and len(finding.outcomes[0].changes) == 1:
        fouls = settings.verdict(finding.before, finding.play).violations
        return finding.confidence < GUESS or any(not violation.of_words for violation in fouls)
    unlettered = finding.kind == "unclear" and finding.reason == grid_doubt(GridDoubt.UNLETTERED)
    return finding.needs_review and (finding.kind == "removed" or finding.unexplained or unlettered)
