"""Why the table is asked: one sentence for each reason."""

from __future__ import annotations

from vision.board.grid_doubt import SPOILED
from vision.reading import BoardReading
from vision.turn.thresholds import HIDDEN

HAND = "A hand, a glare or something else hides part of the board: take it away and look again."
INEXPLICABLE = "More has changed than turns can explain: look again, or enter the play by hand."
BORDER = "The border of the board cannot be made out: check the squares, or photograph the whole board again."
REVISED = "An earlier turn looks like another now than the one on the scoresheet."
MISSED = "Was a turn missed? Two plays fit this picture, and so does one."
TWO = "Two plays seem to have been made since the last look: check which came first."
ONE_OR_TWO = "One turn or two? The picture before did not show what was played."
GOES_ON = "One turn or two? This may be the rest of the last play."
TYPED = "Was this played on the tiles that were entered by hand, or was one of those another letter?"
HIGHER_NEIGHBOUR = "The stack at {} looks higher than it was: was a tile put there, too?"
OTHER_HEIGHT = "The stack at {} looks {} high, and with this play it would be {}: was this played?"
BACK = "It is not certain whether these tiles were taken back."
AGAIN = "The last play seems to have been taken back, and another made: is that so?"
PASSED = (
    "A pass or an exchange was entered while the last photograph was not understood: was this played after it? "
    "If not, put this aside, undo that, and look again."
)
DOUBT = "It is not certain what was played: check the play."
EITHER_WAY_UP = "These letters can be read either way up: which was played?"
NOTHING_SURE = "It is not certain whether something was played."


def what_hides(reading: BoardReading) -> str:
    """What is to be done about what cannot be seen: most lies under a hand, or out of the picture, or is blurred."""
    if reading.grid_doubt is not None and reading.grid_doubt in SPOILED:
        return reading.grid_doubt.value
    cut_off, hidden = reading.cut_off, reading.hidden > HIDDEN
    if cut_off is not None and 2 * int((hidden & cut_off.squares).sum()) > int(hidden.sum()):
        return cut_off.text()
    return HAND
