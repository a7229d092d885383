"""Why the table is asked, and the thresholds that several modules share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum

from engine.wording import Phrase, number_word, phrase
from vision.board.grid_doubt import GridDoubt

SURE = 0.96
"""Confidence from which a turn is taken without a question: 2 silent errors in 6,034 turns drawn at random
(`workshop.bench.turns.drawn`, seed 7; docs/accuracy.md has the curve). At 0.98 there is 1, and 17.0 % instead of 14.7 %
of the turns of the development sets are asked about; at 0.9 there are 8, with 12.5 %. [bench drawn, seed 7]"""
HIDDEN, MANY_HIDDEN = 0.8, 3
"""Probability that a hand hides a square, and how many it must hide, for a turn to be there that nobody can see. What
stacks hide no further picture from there shows: it is weighed, not waited for. [by eye]"""
ENOUGH_TILES = 3
"""Letters that lie as before, from which the board is known to be this one, and its grid the right one. [by eye]"""
GUESS = 0.5
"""Share up to which a play that a hand hides in part is only guessed at: another picture tells more than an answer.
[by eye]"""
PLACE_KNOWN, IN_SIGHT = 0.6, 0.35
"""How far a square must be seen (`Look.placed`) for it to be known whether a tile was put there, and for a tile there
to be in sight. [by eye]"""


class Reason(Enum):
    """A reason to ask the table. It is stored by its name; its value makes the sentence from the details.

    Games stored earlier hold the sentence itself. When you change a value, add the old one to `_EARLIER_SENTENCES`.
    """

    HAND = phrase("Part of the board is hidden by a hand or glare. Clear it and photograph again.")
    CUT_OFF = "what the picture's edge cuts off"
    GRID = "a doubt of the grid"
    INEXPLICABLE = phrase("Too much has changed since the last turn. Is this the same game?")
    TILE_GONE = phrase("The tile on %(square)s is gone. Put it back and photograph again.")
    TILES_GONE = phrase("The tiles on %(squares)s are gone. Put them back and photograph again.")
    BORDER = phrase("The edge of the board isn't clear. Check the squares, or photograph the whole board.")
    REVISED = phrase("An earlier turn may be wrong. Which was it?")
    MISSED = phrase("Two plays fit this picture, and so does one. Was a turn missed?")
    OUT_OF_SIGHT = phrase("Part of the board is hidden. Was another word played there?")
    SEVERAL = phrase("It looks like %(number)s words were played. Was a turn missed?")
    WHICH_FIRST = phrase("Was a turn missed? Which of the %(number)s words came first?")
    TWO = phrase("It looks like %(number)s words were played. Which came first?")
    ONE_OR_TWO = phrase("The photo before didn't show what was played. One turn or two?")
    GOES_ON = phrase("This may be the rest of the last play. One turn or two?")
    TYPED = phrase("Was this played on top of a tile entered by hand, or was that tile entered wrongly?")
    HIGHER_NEIGHBOUR = phrase("The stack on %(square)s looks higher than before. Was a tile added there too?")
    OTHER_HEIGHT = phrase(
        "The stack on %(square)s looks %(seen)s high, but this play makes it %(played)s. Was this really the play?"
    )
    COUNTED_HEIGHT = phrase(
        "The stack on %(square)s looks %(seen)s high, but this play counts it as %(counted)s. Which is right?"
    )
    LETTER = phrase("%(face)s or %(other)s at %(square)s?")
    PLAYED_AT = phrase("Was %(face)s played at %(square)s?")
    RULE = phrase("%(rule)s Is that what was played?")
    BACK = phrase("It isn't clear whether these tiles were taken back.")
    AGAIN = phrase("Was the last play taken back and another made?")
    PASSED = phrase(
        "Was this played after the pass or exchange that was entered last? If not, tap “Skip”, undo that and "
        "photograph again."
    )
    DOUBT = phrase("It isn't clear what was played. Check the play.")
    EITHER_WAY_UP = phrase("These letters read both ways up. Which word was played?")
    NOTHING_SURE = phrase("It isn't clear whether anything was played.")
    STILL_THERE = phrase("Still on the board: %(tiles)s. Take %(them)s off, then photograph again.")
    OTHERS_TOO = phrase(
        "These tiles should be off, but are still there with others: %(tiles)s. Take %(them)s off, "
        "or say what was played."
    )
    PERHAPS_THERE = phrase("It isn't clear whether %(tiles)s came off the board. Was this the play?")
    NOT_ON_SHEET = phrase("This doesn't fit the scoresheet. Enter the play by hand.")
    OPEN_STACK = phrase("Please check what lies on %(squares)s. This play counts it.")
    MISFIT = phrase("The board doesn't match the turns so far. Check them.")
    SHORT_ROUND = phrase("This round has fewer words than players. Who passed?")
    PERHAPS_PASSED = phrase(
        "Fewer words than players this round. If %(player)s passed, tap Skip, enter the pass, then photograph again."
    )
    PASS_OR_AGAIN = phrase("A pass, or the same turn again?")
    NOT_READ = "why no board was read"
    OTHER_BOARD = "which board lies there"
    OTHER = "a sentence of an earlier version"

    @property
    def asks(self) -> bool:
        """True if the sentence asks something, so that it can stand as the headline of the question."""
        return self in _ASKING


_ASKING = frozenset({
    Reason.INEXPLICABLE, Reason.REVISED, Reason.MISSED, Reason.OUT_OF_SIGHT, Reason.SEVERAL, Reason.WHICH_FIRST,
    Reason.TWO, Reason.ONE_OR_TWO, Reason.GOES_ON, Reason.TYPED, Reason.HIGHER_NEIGHBOUR, Reason.OTHER_HEIGHT,
    Reason.COUNTED_HEIGHT, Reason.LETTER, Reason.PLAYED_AT, Reason.RULE, Reason.AGAIN, Reason.EITHER_WAY_UP,
    Reason.PERHAPS_THERE, Reason.SHORT_ROUND, Reason.PASS_OR_AGAIN,
})  # fmt: skip
"""Reasons whose sentence asks something."""
_OWN_TEXT = (Reason.CUT_OFF, Reason.GRID, Reason.NOT_READ, Reason.OTHER_BOARD, Reason.OTHER)
"""Reasons whose sentence is made elsewhere and is their first detail; their value is no template. The second detail of
OTHER_BOARD is that board's size."""


_VALUE = re.compile(r"%\((\w+)\)s")
"""A detail in a reason's template."""
_DETAIL = re.compile(r"\{\}|%\(\w+\)s")
"""A detail in a template, or in the sentence of an earlier version."""

_EARLIER_SENTENCES = (
    (Reason.HAND, "A hand or something else lies over the board: take it away and look again."),
    (Reason.HAND, "A hand, a glare or something else hides part of the board: take it away and look again."),
    (Reason.HAND, "Part of the board is hidden, by a hand or glare. Clear it and photograph again."),
    (Reason.INEXPLICABLE, "More has changed than turns can explain: look again, or enter the play by hand."),
    (Reason.TILE_GONE, "A tile is missing at {}: if knocked off, put it back and look again."),
    (Reason.TILES_GONE, "Tiles are missing at {}: if knocked off, put them back and look again."),
    (
        Reason.BORDER,
        "The border of the board cannot be made out: check the squares, or photograph the whole board again.",
    ),
    (Reason.REVISED, "An earlier turn looks like another now than the one on the scoresheet."),
    (Reason.MISSED, "Was a turn missed? Two plays fit this picture, and so does one."),
    (Reason.OUT_OF_SIGHT, "Part of the board is hidden: was another word played there?"),
    (Reason.TWO, "Two plays seem to have been made since the last look: check which came first."),
    (Reason.ONE_OR_TWO, "One turn or two? The photo before didn't show what was played."),
    (Reason.GOES_ON, "One turn or two? This may be the rest of the last play."),
    (Reason.ONE_OR_TWO, "One turn or two? The picture before did not show what was played."),
    (Reason.TYPED, "Was this played on the tiles that were entered by hand, or was one of those another letter?"),
    (Reason.HIGHER_NEIGHBOUR, "The stack at {} looks higher than it was: was a tile put there, too?"),
    (Reason.OTHER_HEIGHT, "The stack at {} looks {} high, and with this play it would be {}: was this played?"),
    (Reason.RULE, "{} Was it read rightly?"),
    (Reason.BACK, "It is not certain whether these tiles were taken back."),
    (Reason.AGAIN, "The last play seems to have been taken back, and another made: is that so?"),
    (
        Reason.PASSED,
        "A pass or an exchange was entered while the last photograph was not understood: was this "
        "played after it? If not, put this aside, undo that, and look again.",
    ),
    (Reason.DOUBT, "It is not certain what was played: check the play."),
    (Reason.EITHER_WAY_UP, "These letters can be read either way up: which was played?"),
    (Reason.NOTHING_SURE, "It is not certain whether something was played."),
    (Reason.STILL_THERE, "Still on the board: {}. Lift {}, then look again."),
    (
        Reason.OTHERS_TOO,
        "Tiles that came off still lie there, and others with them: {}. Lift {}, or say what was played.",
    ),
    (Reason.PERHAPS_THERE, "It cannot be seen whether {} came off the board: is this what was played?"),
    (Reason.NOT_ON_SHEET, "What was played does not fit the scoresheet: enter the play by hand."),
    (Reason.OPEN_STACK, "Nobody has said what lies at {}, and this play counts it: check it."),
    (Reason.MISFIT, "What is seen does not fit the turns so far: check them."),
)
"""Templates of sentences that earlier versions stored and this one words differently."""
_EARLIER_GRID_SENTENCES = {
    "The grid can hardly be made out: check the squares.": GridDoubt.FAINT,
    "The border of the board cannot be made out: all may lie a square beside.": GridDoubt.BORDER,
    "The corners that were given do not fit the squares in the picture: check all four.": GridDoubt.GIVEN,
    "That looks like a grid printed on paper: check that the board itself is in the picture.": GridDoubt.PRINTED,
    "Hardly a letter can be made out: check that it is this game's board that is in the picture.": GridDoubt.UNLETTERED,
    "The letters lie apart: check that it is this game's board that is in the picture.": GridDoubt.SCATTERED,
}
"""Sentences of grid doubts that earlier versions stored and this one words differently."""


@dataclass(frozen=True)
class Doubt:
    """A question for the table: a reason and its details, such as a square, two heights, or a rule's text.

    Code compares reasons. Sentences are for people: they are made where they are shown.
    """

    reason: Reason
    details: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the sentence for people; raise LookupError or ValueError if details lack, as in a damaged question."""
        if self.reason is Reason.GRID:
            return GridDoubt[self.details[0]].value
        if self.reason in _OWN_TEXT:
            return self.details[0]
        template: str = self.reason.value.template
        names: list[str] = _VALUE.findall(template)
        if len(names) > len(self.details):
            raise ValueError(f"{self.reason.name} lacks details")
        return Phrase(template, dict(zip(names, self.details, strict=False)))

    @property
    def asks(self) -> bool:
        """True if the sentence asks something, so that it can stand as the headline of the question."""
        return GridDoubt[self.details[0]].asks if self.reason is Reason.GRID else self.reason.asks

    def spelt(self, spell: Callable[[str], str]) -> Doubt:
        """Return the same doubt with its details respelled by `spell`. A doubt about the grid has nothing to spell."""
        if self.reason is Reason.GRID:
            return self
        return replace(self, details=tuple(map(spell, self.details)))


def grid_doubt(doubt: GridDoubt) -> Doubt:
    """Return the doubt about a whole grid."""
    return Doubt(Reason.GRID, (doubt.name,))


def is_about(doubt: Doubt | None, *reasons: Reason) -> bool:
    """Return whether a doubt has one of these reasons."""
    return doubt is not None and doubt.reason in reasons


def doubt_of_sentence(text: str) -> Doubt:
    """Return the doubt that a stored sentence expressed. Keep the text of an unknown sentence as `Reason.OTHER`."""
    now: dict[str, GridDoubt] = {doubt.value: doubt for doubt in GridDoubt}
    grid = {**_EARLIER_GRID_SENTENCES, **now}.get(text)
    if grid is not None:
        return grid_doubt(grid)
    templates = [(reason, reason.value) for reason in Reason if reason not in _OWN_TEXT]
    for reason, template in (*templates, *_EARLIER_SENTENCES):
        match = re.fullmatch("(.+)".join(map(re.escape, _DETAIL.split(template))), text, re.DOTALL)
        if match is not None:
            return read_stored_doubt(reason.name, match.groups())
    return Doubt(Reason.OTHER, (text,))


def read_stored_doubt(name: str, details: Iterable[str]) -> Doubt:
    """Return the doubt that was stored by the name of its reason. Earlier versions didn't count the words of TWO."""
    doubt = Doubt(Reason[name], tuple(details))
    return replace(doubt, details=(number_word(2),)) if doubt == Doubt(Reason.TWO) else doubt
