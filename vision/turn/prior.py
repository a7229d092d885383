"""The settings of a game, and the priors: which plays people make, and how many between two photographs.

`GameSettings` comes first, then the prior of a play, then gaps, the pace of a table, and the prior of their plays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from statistics import NormalDist
from typing import TypeAlias

import numpy as np

from engine import SHEET_RULES, Board, Edition, HouseRules, Play, Verdict, WordList, referee
from engine.lexicon.lexicon import GradedList
from vision.arrays import Floats


@dataclass(frozen=True)
class GameSettings:
    """The edition, word list and house rules of a game, and how it is seen.

    `count_tiles` says whether the tiles left to play are counted. `watched` says whether a camera also watches the
    board between the pictures, so that hardly a turn is missed. `plays_between` is how many plays are expected between
    two pictures: 1 if every turn is photographed, the number of players if every round is.
    """

    edition: Edition
    lexicon: WordList | None = None
    rules: HouseRules = SHEET_RULES
    count_tiles: bool = True
    watched: bool = False
    plays_between: int = 1

    def verdict(self, before: Board, play: Play) -> Verdict:
        """Return the referee's verdict on a play."""
        return referee(before, play, edition=self.edition, lexicon=self.lexicon, rules=self.rules)


PLAY = -3.0
"""Log prior of a play somewhere on the board, against nothing having changed. [by eye]"""
TILE = 2.0
"""Log prior of each tile of a play where it lies, beside that of its letter: plays of k and of k + 1 tiles are about as
frequent, but of the letters that k + 1 tiles may have only a small part make a word. By log loss on 400 turns of
simulated games of which one square on the play's line is hidden (0: -0.63, 1: -0.55, 2: -0.52, 3: -0.52).
[by hand, sets]"""
UNKNOWN_WORD, ANOTHER = -5.5, -1.0
"""Log priors of a word that no list has, and of each more: bluffers make several at once. [by eye]"""
RARE_WORD = -2.0
"""Log prior of a play with words that are hardly in use, against one with words that are: so much that nearly a fifth
of plays has some, as the lists hold two of them for one in use. Of 276 plays of the development sets five have: -4.5.
[by hand, sets]"""
_BREACH = {"4-line": -11.0, "4-connect": -7.0, "3": -5.0}
"""Log priors of a play that breaks a rule, by the rule, those of words aside. With -9 for tiles that are not in one
line, one such play outweighed two lawful ones in a composed film. [by eye]"""
_OTHER_BREACH = -5.0
"""Log prior of a play that breaks any other rule. [by eye]"""
_LEAST = -18.0
"""Log prior below which none of these sums falls, whatever a play breaks. [by eye]"""
RUN_OUT = 0.15
"""Tiles by which a face that has run out is still counted: mixed and replacement sets exist. [by eye]"""


def face_share(board: Board, edition: Edition) -> Floats:
    """Return the share (F,) of each face among the edition's tiles that are not on the board."""
    faces = edition.alphabet.faces
    if edition.distribution is None:
        return np.full(len(faces), 1.0 / len(faces))
    counts = board.counts()
    left = np.array([max(edition.distribution.get(f, 0) - counts.get(f, 0), 0) + RUN_OUT for f in faces])
    return np.asarray(left / left.sum(), dtype=np.float64)


def tile_prior(board: Board, settings: GameSettings) -> Floats:
    """Return the log prior (F,) of a tile of each face in a play on the board."""
    count = len(board.alphabet)
    share = np.full(count, 1.0 / count)
    if settings.count_tiles:
        share = face_share(board, settings.edition)
    return np.asarray(TILE + np.log(share), dtype=np.float64)


def rules_prior(play: Play, board: Board, settings: GameSettings) -> float:
    """Return the log prior of the words that a play makes and of the rules that it breaks.

    People mostly play words in common use, sometimes words that don't exist, and hardly ever break a rule of placing.
    """
    verdict, unknown = settings.verdict(board, play), False
    words = settings.lexicon
    rare = isinstance(words, GradedList) and any(words.is_rare(made.word) for made in verdict.words)
    prior = RARE_WORD if rare else 0.0
    for violation in verdict.violations:
        if violation.of_words:
            prior += ANOTHER if unknown else UNKNOWN_WORD
            unknown = True
        else:
            prior += _BREACH.get(violation.rule, _OTHER_BREACH)
    return max(prior, _LEAST)


def play_prior(play: Play, board: Board, settings: GameSettings) -> float:
    """Return the log prior of a play on a board, relative to no change."""
    tiles = tile_prior(board, settings)
    faces = sum(float(tiles[board.alphabet.number[tile.face]]) for tile in play.tiles)
    return PLAY + faces + rules_prior(play, board, settings)


@dataclass(frozen=True)
class Gap:
    """The time between two looks.

    Attributes:
        open: a question about the look before was left unanswered: this picture may show the same turn again.
        unseen: pictures in between in which no board was found. Each may have shown a turn.
        merged: earlier gaps, each with its own turn, that this one stands for because their looks were dropped.
        passed: passes and exchanges entered in this gap while it wasn't clear what lay there. A play that is seen may
            have come before them.
        rested: the longest moment in between that a watching camera saw the board lie free without reading it, as a
            share of the table's usual rest between two turns. A turn may have ended there.
    """

    open: bool = False
    unseen: int = 0
    merged: int = 0
    passed: int = 0
    rested: float = 0.0

    @property
    def is_fresh(self) -> bool:
        """True if the look before was understood, and nothing is known to be missing since."""
        return not (self.open or self.unseen or self.merged or self.passed)

    def widen(self, more: Gap) -> Gap:
        """Return the gap with what `more` adds to it. Of two rests the longer one counts."""
        return Gap(
            open=self.open or more.open,
            unseen=self.unseen + more.unseen,
            merged=self.merged + more.merged,
            passed=self.passed + more.passed,
            rested=max(self.rested, more.rested),
        )


FRESH = Gap()
"""After a look that was understood."""


_SUPPOSED, _LEAST_MISSING = 0.06, 0.03
"""Share of pictures before which a turn was missed, supposed of a table that nobody knows, and the least that is
believed of any. With 0.03 for both, one more of 221 pictures is entered wrongly where every second turn is not
photographed. One fewer of 342 in view is asked about where all are. [by hand, dev]"""
_PICTURES = 8
"""Pictures of a game that weigh as much as what is supposed of every table. [by eye]"""


@dataclass(frozen=True)
class Pace:
    """How often a table forgets to photograph a turn, or photographs one twice, judged by its game so far.

    Attributes:
        pictures: pictures that show one turn or more, for which their number is known.
        missed: turns among these that have no picture of their own.
        repeated: pictures that show no new turn.
    """

    pictures: int = 0
    missed: int = 0
    repeated: int = 0

    def then(self, turns: int) -> Pace:
        """Return the pace after a picture that shows this many turns."""
        if not turns:
            return replace(self, repeated=self.repeated + 1)
        return replace(self, pictures=self.pictures + 1, missed=self.missed + turns - 1)

    @property
    def missing(self) -> float:
        """The share of pictures before which a turn was missed. It falls while the table forgets none."""
        share = (_SUPPOSED * _PICTURES + self.missed) / (_PICTURES + self.pictures)
        return min(max(_LEAST_MISSING, share), _MOST_MISSING)

    @property
    def repeating(self) -> float:
        """The share of pictures that show no new turn."""
        supposed = _AFTER_SURE[0]
        share = (supposed * _PICTURES + self.repeated) / (_PICTURES + self.pictures + self.repeated)
        return min(max(share, supposed), _MOST_REPEATING)


UNKNOWN_PACE = Pace()
_MOST_MISSING = 0.75
"""Largest share of pictures that is believed to have missed a turn: so a single play stays possible. [by eye]"""
_MOST_REPEATING = 0.1
"""Largest share of pictures without a new play that is believed of a table: with a larger one, a play that hardly shows
would pass for nothing new. Believed of all pictures of dev, it makes none more wrong in silence, whether all turns are
photographed, two of three or one of two. [by hand, dev]"""
MOST_PLAYS = 3
"""Plays between two looks that are thought of. [by eye]"""


def shows_round(players: int) -> bool:
    """Return whether one picture can show a whole round of so many players."""
    return players <= MOST_PLAYS


Shares: TypeAlias = tuple[float, float, float, float]
"""Shares of pictures that show 0, 1, 2 and 3 plays more than the one before."""
_AFTER_SURE = (0.03, 0.94, 0.03, 0.002)
"""Shares of photographs that show so many plays more than the one before, where that one was understood: tables take
one after every turn, and now and then miss one or take it twice. Supposed, as are the next four: no table was counted.
[by eye]"""
_AT_FIRST = (0.4, 0.57, 0.03, 0.002)
"""Shares where the board is still empty: many tables photograph it before the first word. Supposed, too. Of 54 first
pictures of an empty board nine were asked about without it, for a ring or a print on the board, and five are.
[by hand, sets]"""
_AFTER_DOUBT = (0.42, 0.5, 0.07, 0.01)
"""Shares where the photograph before was asked about and nobody has answered. [by eye]"""
_AFTER_UNSEEN = (0.1, 0.3, 0.55, 0.05)
"""Shares where a picture in between showed no board. [by eye]"""
_WATCHED, _WATCHED_AT_FIRST = 0.2, 0.42
"""Shares without a new play where a camera watched the board meanwhile, and where it was empty or the look before was
asked about: a hand may change nothing. [by eye]"""
_HARDLY_RESTED = 0.0004
"""Share of two plays between two looks where a camera watched, and the board hardly lay free in between: the next
player's hand comes before the first one's leaves. In the film that was seen from above with quick players, 8 plays of
10 are entered without a question with this share, and 2 with five times as much. [by hand, eleven films]"""
_REST_SPREAD = 0.304
"""Standard deviation of the logarithm of a table's rests between turns. In the eleven films it is 0.19 to 0.36, without
rests in which the next hand came before the first had left. [by hand, eleven films]"""
UNWATCHED = 0.42
"""Longest rest, as a share of the usual one, that is supposed where nobody watched: two plays then have a share of
0.002. [by eye]"""
_THIRD = 0.05
"""Share of three plays where a camera watched, over that of two. [by eye]"""
_ROUND_SHORT, _ROUND_ONE, _ROUND_LONG, _ROUND_NONE = 0.1, 0.03, 0.03, 0.02
"""Shares of photographs taken once a round that show one play fewer than there are players (somebody passed), only one
play (a turn was photographed for itself), one play more, and none. All others show a whole round. Where every second
turn is not photographed, the truth is then the first answer to 5 of 12 questions instead of 4; as many turns are asked
about. [by hand, dev00 and dev03]"""
_ROUND_SAME = 0.4
"""Share of these photographs that show no new play where the board is empty or the one before was asked about.
[by eye]"""
_MAY_WELL = 0.02
"""Share of pictures with so many plays from which that is thought of where tiles may lie outside the picture: two plays
in every photograph. With 0.05, 19.1 % of dev's photographs are asked about instead of 19.8, but the answers hold the
truth for 90 % of the questions instead of 96. [by hand, dev]"""
TAKEN_BACK = 0.004
"""Share of photographs before which the last play was taken back. [by eye]"""


@lru_cache
def plays_prior(
    gap: Gap, *, is_first: bool = False, pace: Pace = UNKNOWN_PACE, watched: bool = False, plays_between: int = 1
) -> tuple[float, ...]:
    """Return the log prior of 0, 1, ... plays in a gap; `is_first` where the board before it is empty.

    If `plays_between` expects several plays, the pace is ignored, because it counts all but one as missed. If the gap
    stands for earlier gaps, the first came after a look that was understood, the others after doubtful looks.
    """
    none, one, two, three = _AT_FIRST if is_first else _AFTER_SURE
    again = 0.0 if is_first else pace.repeating - none
    more = pace.missing / _AFTER_SURE[2]
    first = (none + again, one - again - (more - 1.0) * (two + three), more * two, more * three)
    sure, doubt, unseen = _AFTER_SURE, _AFTER_DOUBT, _AFTER_UNSEEN
    if watched:
        sure, doubt = _watched_shares(_WATCHED, gap.rested), _watched_shares(_WATCHED_AT_FIRST, gap.rested)
        first = doubt if is_first else sure
    elif plays_between > 1:
        sure = unseen = _round_shares(plays_between)
        doubt = _round_shares(plays_between, same=_ROUND_SAME)
        first = doubt if is_first else sure
    shares = np.array(unseen if gap.unseen else doubt if gap.open else first)
    for earlier in range(gap.merged):
        shares = np.convolve(shares, doubt if earlier else sure)
    return tuple(float(np.log(share)) for share in shares[: MOST_PLAYS + 1 + gap.merged])


def most_plays(
    gap: Gap, *, is_first: bool = False, pace: Pace = UNKNOWN_PACE, watched: bool = False, plays_between: int = 1
) -> int:
    """Return how many plays a gap may well hold, at least 1; the rest is as in `plays_prior`."""
    priors = plays_prior(gap, is_first=is_first, pace=pace, watched=watched, plays_between=plays_between)
    return max(1, *(plays for plays, prior in enumerate(priors) if prior > log(_MAY_WELL)))


def _watched_shares(none: float, rested: float) -> Shares:
    """Return the shares of 0, 1, 2 and 3 plays where a camera watched; `none` is the first.

    Between two plays the board rests, and no longer than `rested`, the longest rest that was seen. Rests are lognormal,
    with a median of 1.
    """
    as_short = 0.0 if rested <= 0.0 else NormalDist(sigma=_REST_SPREAD).cdf(log(rested))
    two = min(max(as_short, _HARDLY_RESTED), (1.0 - none) / 2.0)
    return none, 1.0 - none - (1.0 + _THIRD) * two, two, _THIRD * two


def _round_shares(plays_between: int, same: float = _ROUND_NONE) -> Shares:
    """Return the shares of photographs taken once a round that show 0, 1, 2 and 3 new plays; `same` is the first."""
    expected = min(plays_between, MOST_PLAYS)
    plays = np.zeros(MOST_PLAYS)
    plays[expected - 1] = 1.0 - _ROUND_SHORT - _ROUND_ONE - _ROUND_LONG
    plays[expected - 2] += _ROUND_SHORT
    plays[0] += _ROUND_ONE
    plays[min(expected, MOST_PLAYS - 1)] += _ROUND_LONG
    one, two, three = (1.0 - same) * plays
    return same, float(one), float(two), float(three)
