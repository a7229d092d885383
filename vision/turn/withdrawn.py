"""Tiles that came off the scoresheet (a challenge, a play taken back or undone) and may still lie on the board.

Until they were seen lifted, what lies there is no play: the next one is never scored on top of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from engine import MAX_HEIGHT, Board, PlacedTile, Play, Square, square_name
from engine.errors import PositionError
from engine.wording import join_names, phrase
from vision.arrays import Floats
from vision.turn.candidates import one_line
from vision.turn.finding import Finding, Outcome
from vision.turn.prior import GameSettings
from vision.turn.reasons import Doubt, Reason
from vision.turn.story import Event, Story

SURE_OF_LIFT = 3.0
"""Log odds of a tile that lies there still, against one that was lifted, from which either is taken as seen: a letter
that is read plainly gives 8 and more, one with another on it (told by the stack's height) about 3.3, what a hand or a
stack hides 0. On dev's sets, 78 turns withdrawn: of those lying there 73 were told and none taken for lifted, also with
the next play on top; the others were asked about. [by hand, sets]"""
_UNCHANGED = 1.0
"""Log odds needed if nothing else has changed: from straight above, an unchanged stack gives 1.5 to 2. [by eye]"""
_COVERED = -1.5
"""Log prior of another tile put on one that should have been lifted: players look at what was just disputed.
Supposed: from straight above nothing else tells it from a tile that was put there after the lift. [by eye]"""


def to_lift(lying: Board, sheet: Board) -> Play | None:
    """Return the tiles to lift so that `lying` becomes `sheet`: those by which its stacks are higher; or None.

    Letters further down may differ, too: these were corrected on the scoresheet and never lay there.
    """
    return _play_of(
        PlacedTile(square, face) for square in lying.squares() for face in lying.stack(square)[sheet.height(square) :]
    )


def on_squares(tiles: Play, others: Play | None) -> Play | None:
    """Return those of the `tiles` that lie on squares of the `others`; None if there is none."""
    squares = () if others is None else others.squares
    return _play_of(tile for tile in tiles.tiles if tile.square in squares)


def _play_of(tiles: Iterable[PlacedTile]) -> Play | None:
    together = tuple(tiles)
    return Play(together) if together else None


def lying_odds(table: Floats, sheet: Board, tiles: Play) -> dict[Square, tuple[float, int]]:
    """Return, for each square with tiles to lift, the log odds that any of them still lies there, and how many do.

    `table` (n, n, 6, F) is the log likelihood of the height and the top face of each square. A tile on top of one that
    was not lifted shows that it still lies there. Another letter in its place shows that it was lifted.
    """
    odds: dict[Square, tuple[float, int]] = {}
    number = sheet.alphabet.number
    for square, faces in _by_square(tiles).items():
        here, height = table[square.row, square.col], sheet.height(square)
        top = number[sheet.top(square)] if height else 0
        others = np.delete(here[height + 1], number[faces[0]])
        there = [float(here[height + above, number[face]]) for above, face in enumerate(faces, start=1)]
        if height + len(faces) < MAX_HEIGHT:
            covering = np.delete(here[height + len(faces) + 1], number[faces[-1]])
            there.append(_COVERED + float(covering.max()))
        likeliest = int(np.argmax(there))
        log = there[likeliest] - max(here[height, top], others.max())
        odds[square] = float(log), min(likeliest + 1, len(faces))
    return odds


def find_lift(table: Floats, sheet: Board, tiles: Play, finding: Finding) -> tuple[Play | None, bool]:
    """Return the tiles to lift that a look still shows, None if there is none, and whether all are certainly off.

    If one clearly lies there, so do the others that probably do, since they came as one play. `table` is as
    for `lying_odds`; `finding` is the look's finding.
    """
    odds = lying_odds(table, sheet, tiles)
    plainly = any(log > SURE_OF_LIFT for log, _ in odds.values())
    there = _play_of(
        PlacedTile(square, face)
        for square, faces in _by_square(tiles).items()
        for face in faces[: odds[square][1]]
        if plainly and odds[square][0] > 0.0
    )
    sure = _UNCHANGED if finding.kind == "none" and not finding.needs_review else SURE_OF_LIFT
    return there, all(log < -sure for log, _ in odds.values())


def reminder(sheet: Board, events: tuple[Event, ...], lying: Play, besides: Finding) -> Finding:
    """Return the reminder to lift tiles that should be gone. Its answers are the plays that may have been made.

    `events` are those on the scoresheet since the certain board; `besides` is the finding with the tiles still there.
    """
    more = besides.play if besides.kind == "play" else None
    plays = ((lying,),) if more is None else plays_besides(sheet, lying, more)
    share = 1.0 / len(plays)
    outcomes = tuple(Outcome(Story((*events, *added)), len(events), 0, share) for added in plays)
    them = phrase("it") if len(lying.tiles) == 1 else phrase("them")
    reason = Doubt(Reason.STILL_THERE if more is None else Reason.OTHERS_TOO, (names_of(lying), them))
    return replace(Finding.unclear(reason, sheet, outcomes), lying=lying)


def stands_alone(besides: Finding, sheet: Board, lying: Play, settings: GameSettings) -> bool:
    """Return whether a play beside tiles to lift also stands without them. If not, it may go with them."""
    more = besides.play if besides.kind == "play" else None
    if more is None or not _are_apart(lying, more) or not _fits(sheet, more):
        return False
    return all(violation.of_words for violation in settings.verdict(sheet, more).violations)


def doubt_lift(finding: Finding, tiles: Play) -> Finding:
    """Return the finding of a play as a question: it isn't clear whether the tiles to lift are off the board."""
    reason = Doubt(Reason.PERHAPS_THERE, (names_of(tiles),))
    return replace(finding, needs_review=True, square=None, reason=reason, doubt=reason)


def plays_besides(sheet: Board, lying: Play, more: Play) -> tuple[tuple[Play, ...], ...]:
    """Return the possible plays where tiles to lift lie with others: all as one play, the others alone, one by one."""
    whole = lying.with_tiles(more.tiles)
    found: list[tuple[Play, ...]] = []
    apart = _are_apart(lying, more)
    if apart and one_line(whole.squares):
        found.append((whole,))
    if apart and _fits(sheet, more):
        found.append((more,))
    return (*found, (lying, more))


def names_of(tiles: Play) -> str:
    """Return tiles and their squares as people say them: ``"X on b4 and A on c4"``."""
    return join_names(
        [phrase("%(face)s on %(square)s", face=tile.face, square=square_name(tile.square)) for tile in tiles.tiles]
    )


def _by_square(tiles: Play) -> dict[Square, list[str]]:
    stacks: defaultdict[Square, list[str]] = defaultdict(list)
    for tile in tiles.tiles:
        stacks[tile.square].append(tile.face)
    return stacks


def _are_apart(one: Play, other: Play) -> bool:
    return not {*one.squares} & {*other.squares}


def _fits(board: Board, play: Play) -> bool:
    try:
        board.with_play(play)
    except PositionError:
        return False
    return True
