"""The view of the scoresheet."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import TypeAlias

from engine import Edition, Game, TurnRecord
from engine.game.game import Rescored
from engine.game.records import TurnKind
from engine.game.turns import challenge_text, shown_turn_verdict
from engine.rules.scoring import WordScore
from engine.wording import (
    capitalize,
    format_points,
    join_names,
    join_texts,
    number_of,
    number_word,
    phrase,
    plural,
    points_text,
)

MAX_LINES_NAMED = 3
"""The most lines of the sheet that a message about a correction names. [by eye]"""
MIN_TURNS_GROUPED = 3
"""Turns that only change their player get one sentence together, if there are so many. [by eye]"""

_TAKEN_BACK = phrase("taken back")
KIND_TEXTS = {"pass": phrase("passed"), "exchange": phrase("exchanged a tile"), "lost": phrase("lost the turn")}
_KIND_SENTENCES = {
    "pass": lambda player: phrase("%(player)s passed.", player=player),
    "exchange": lambda player: phrase("%(player)s exchanged a tile.", player=player),
    "lost": lambda player: phrase("%(player)s lost the turn.", player=player),
}


@dataclass(frozen=True)
class TurnView:
    """One turn of one player.

    - `place` is its line on the sheet, counted from 1, which its address names.
    - `number` is the number of the turn. A second try after a challenge has the number of the first.
    - `kind` is the kind of turn, and `did` says it in words, if it wasn't a play.
    - `broken` are the referee's sentences on broken rules. `marks` are warnings about the line in a few words each.
    - `ruling` says in a few words that the play was challenged and what the table ruled, or that its player took it
    back; else "".
    - `total` is the player's points up to here.
    - `challenged` says in sentences how challenges ended, `open` that the play can still be challenged.
    - `provisional` says that the turn may still turn out to be wrong.
    """

    place: int
    number: int
    player: str
    kind: TurnKind
    did: str
    words: tuple[WordScore, ...]
    bonus: int
    points: int
    total: int
    broken: tuple[str, ...]
    marks: tuple[str, ...]
    ruling: str
    notes: tuple[str, ...]
    taken_back: bool
    photo: bool
    last: bool
    challenged: tuple[str, ...]
    open: bool
    provisional: bool = False

    @property
    def sentence(self) -> str:
        """The turn in a sentence: ``"Red played WOOL and LEAP for 12 points."``."""
        if self.did:
            return _KIND_SENTENCES[self.kind](self.player)
        words = join_names([word.word for word in self.words]) or phrase("no word")
        if self.taken_back and self.ruling == _TAKEN_BACK:
            return phrase("%(player)s took back %(words)s.", player=self.player, words=words)
        if self.taken_back:
            return phrase("%(player)s's %(words)s came off.", player=self.player, words=words)
        return phrase(
            "%(player)s played %(words)s for %(points)s.",
            player=self.player,
            words=words,
            points=points_text(self.points),
        )

    @property
    def spoken(self) -> str:
        """The turn for a voice to read out: ``"Red: wool and leap, 12 points."``. It would spell out capitals."""
        if self.did:
            return self.sentence
        if self.taken_back:
            return phrase("%(player)s's last word is off the board.", player=self.player)
        words = join_names([word.word.lower() for word in self.words]) or phrase("no word")
        return phrase(
            "%(player)s: %(words)s, %(points)s.", player=self.player, words=words, points=points_text(self.points)
        )


Round: TypeAlias = tuple[tuple[TurnView, ...], ...]
"""The turns of one round, by player."""


@dataclass(frozen=True)
class SheetView:
    """The turns of the sheet: a row for each round, with the turns of each player in it.

    In each round a player has one turn, none, or plays that came off followed by the second try. `provisional` are the
    players with a turn that may still turn out to be wrong. `taken` are the numbers of the rows (from 0) before which
    the board was taken as it lies.
    """

    rounds: tuple[Round, ...]
    provisional: frozenset[str]
    taken: tuple[int, ...]


def view_sheet(game: Game, with_photo: Container[int] = (), provisional: Container[int] = ()) -> SheetView:
    """Return the sheet of a game, with the turns as `view_turns` returns them."""
    turns = view_turns(game, with_photo, provisional)
    places = {board.place for board in game.state.taken}
    rounds = _rounds(turns, game.players, places)
    starts = [min(turn.place for turns in row for turn in turns) - 1 for row in rounds]
    taken = tuple(row for row, start in enumerate([*starts, len(turns)]) if start in places)
    return SheetView(rounds, frozenset(turn.player for turn in turns if turn.provisional), taken)


def view_turns(game: Game, with_photo: Container[int] = (), provisional: Container[int] = ()) -> tuple[TurnView, ...]:
    """Return every turn in order.

    `with_photo` are the lines of the turns that have a photograph. `provisional` are the numbers of the events that may
    still turn out to be wrong.
    """
    totals = dict(zip(game.players, game.setup.scores, strict=True))
    views: list[TurnView] = []
    for place, record in enumerate(game.turns, start=1):
        total = totals[record.player] = totals[record.player] + record.points
        open_ended = record.event in provisional
        views.append(_view_turn(game, place, total, photo=place in with_photo, provisional=open_ended))
    return tuple(views)


def changes_text(rescored: Rescored) -> str:
    """Say in a sentence which lines a correction changed, and in another the totals if not every line is named."""
    moved = [change.after.number for change in rescored.changes if change.of_player and change.after]
    if len(moved) < MIN_TURNS_GROUPED:
        moved = []
    told = [change for change in rescored.changes if not (moved and change.of_player)]
    all_named = not moved and len(told) <= MAX_LINES_NAMED
    # each line but the first goes on with the sentence
    lines = [change.clause for change in told[:MAX_LINES_NAMED]]
    if told and told[0].begins_with_verb:
        lines[0] = capitalize(lines[0])
    if len(told) > MAX_LINES_NAMED:
        more = len(told) - MAX_LINES_NAMED
        lines.append(plural("one more turn changed", "%(number)s more turns changed", more, number=number_word(more)))
    if moved:
        from_there = phrase(
            "from turn %(number)s on, %(turns)s have another player",
            number=min(moved),
            turns=number_of(len(moved), "turn"),
        )
        lines.append(from_there if lines else capitalize(from_there))
    if not lines:
        return phrase("Nothing changed.")
    before, after = rescored.totals_before, rescored.game.totals
    changed = [name for name in after if after[name] != before[name] and not all_named]
    totals = ", ".join(f"{name} {format_points(before[name])} → {format_points(after[name])}" for name in changed)
    return join_texts((join_texts((join_texts(lines, "; "), "."), ""), totals and f"{totals}."))


def _view_turn(game: Game, place: int, total: int, *, photo: bool, provisional: bool) -> TurnView:
    record = game.turns[place - 1]
    verdict = shown_turn_verdict(record, game.setup)
    broken = verdict.violations if verdict else ()
    return TurnView(
        place=place,
        number=record.number,
        player=record.player,
        kind=record.kind,
        did=KIND_TEXTS.get(record.kind, ""),
        words=verdict.words if verdict else (),
        bonus=verdict.bonus if verdict else 0,
        points=record.points,
        total=total,
        broken=tuple(violation.text for violation in broken),
        marks=_marks(record, {violation.rule for violation in broken}),
        ruling=_ruling(record),
        notes=record.notes,
        challenged=tuple(map(challenge_text, record.challenges)),
        open=record is game.open_play,
        taken_back=record.taken_back,
        photo=photo,
        last=place == len(game.turns),
        provisional=provisional and record.kind == "play",
    )


def _marks(record: TurnRecord, rules: set[str]) -> tuple[str, ...]:
    marks = []
    if "7" in rules:
        marks.append(phrase("not in the word list"))
    if rules - {"7"}:
        marks.append(phrase("breaks a rule"))
    if record.notes:
        marks.append(phrase("check the tiles"))
    return tuple(marks)


def _ruling(record: TurnRecord) -> str:
    if not record.challenges:
        return ""
    last = record.challenges[-1]
    if last.challenger is None and last.authority is None and last.upheld:
        return _TAKEN_BACK
    if last.challenger is None:
        return phrase("challenged, came off") if last.upheld else phrase("challenged, stands")
    if last.upheld:
        return phrase("challenged by %(player)s, came off", player=last.challenger)
    return phrase("challenged by %(player)s, stands", player=last.challenger)


def _rounds(turns: tuple[TurnView, ...], players: tuple[str, ...], taken: Container[int]) -> tuple[Round, ...]:
    """Arrange the turns in rows.

    A new row begins if a turn wouldn't come to the right of the one before, and where the board was `taken`. The second
    try after an upheld challenge is the same turn, so it stands below the play that came off.
    """
    rows: list[list[tuple[TurnView, ...]]] = []
    last = (0, len(players))
    for turn in turns:
        column = players.index(turn.player)
        again = last == (turn.number, column)
        if not rows or (column <= last[1] and not again) or turn.place - 1 in taken:
            rows.append([()] * len(players))
        rows[-1][column] += (turn,)
        last = (turn.number, column)
    return tuple(map(tuple, rows))


def bonus_text(edition: Edition) -> str:
    """Name the bonus for a full rack (6D) with its points."""
    return phrase(
        "All %(tiles)s in one turn: %(points)s (6D)",
        tiles=number_of(edition.rack_size, "tile"),
        points=edition.full_rack_bonus,
    )
