"""The scoresheet as the page shows it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from engine.game.challenges import challenge_text, told_of
from engine.game.game import Game, Rescored
from engine.game.records import TurnRecord
from engine.rules.scoring import ALL_TILES_BONUS
from engine.wording import counted, points_text

MOST_TOLD = 4
"""Lines of the sheet that a message about a correction tells of."""
MOST_MOVED = 3
"""So many turns that only have another player are told of together."""

_DID = {"pass": "passed", "exchange": "exchanged a tile", "lost": "lost the turn"}


@dataclass(frozen=True)
class WordView:
    """A word made, its points and how they come about."""

    word: str
    points: int
    explanation: str


@dataclass(frozen=True)
class TurnView:
    """One turn of one player.

    `place` is its line's number on the sheet from 1, by which it is addressed; `number` the turn it was, which a
    second try after a challenge shares. `did` says what a turn without a play was. `broken` holds the referee's
    sentences, `marks` the same in two or three words; `total` the player's points up to here; `challenged` what became
    of challenges, in sentences; `open` says that the play can still be challenged. `provisional`: what the turn was is
    not settled yet.
    """

    place: int
    number: int
    player: str
    did: str
    words: tuple[WordView, ...]
    bonus: int
    points: int
    total: int
    broken: tuple[str, ...]
    marks: tuple[str, ...]
    notes: tuple[str, ...]
    taken_back: bool
    photo: bool
    last: bool
    challenged: tuple[str, ...]
    open: bool
    provisional: bool = False

    @property
    def sentence(self) -> str:
        """The turn read aloud: ``"Red played WOOL and LEAP for 12 points."``."""
        if self.did:
            return f"{self.player} {self.did}."
        words = " and ".join(word.word for word in self.words) or "no word"
        if self.taken_back:
            return f"{self.player} took back {words}."
        return f"{self.player} played {words} for {points_text(self.points)}."


@dataclass(frozen=True)
class SheetView:
    """The whole sheet: a row a round, each with a turn or None for each player; the totals underneath.

    `scores` is what each player brought along, empty where nobody did; `leftovers` what the tiles left cost each,
    empty while the game goes on; `provisional` are the players with a turn that is not settled yet.
    """

    players: tuple[str, ...]
    scores: tuple[int, ...]
    rounds: tuple[tuple[TurnView | None, ...], ...]
    totals: tuple[int, ...]
    left: tuple[int, ...]
    leftovers: tuple[int, ...]
    provisional: frozenset[str] = frozenset()


def view_sheet(game: Game, with_photo: Container[int] = (), provisional: Container[int] = ()) -> SheetView:
    """The sheet of a game.

    `with_photo` are the places of the turns that a photograph shows, `provisional` the numbers of the events that are
    not settled yet.
    """
    turns = view_turns(game, with_photo, provisional)
    totals = game.totals
    return SheetView(
        players=game.players,
        scores=game.setup.scores if any(game.setup.scores) else (),
        rounds=_rounds(turns, game.players),
        totals=tuple(totals[name] for name in game.players),
        left=game.ended.left if game.ended else (),
        leftovers=game.ended.penalties if game.ended else (),
        provisional=frozenset(turn.player for turn in turns if turn.provisional),
    )


def view_turns(
    game: Game, with_photo: Container[int] = (), provisional: Container[int] = ()
) -> tuple[TurnView, ...]:
    """Every turn in order; the arguments are those of `view_sheet`."""
    totals = dict(zip(game.players, game.setup.scores, strict=True))
    views: list[TurnView] = []
    for place, record in enumerate(game.turns, start=1):
        totals[record.player] += record.points
        view = _view_turn(game, record, place, totals[record.player], provisional=record.event in provisional)
        views.append(replace(view, photo=place in with_photo, last=place == len(game.turns)))
    return tuple(views)


def changes_text(rescored: Rescored) -> str:
    """What a correction changed, in a few sentences: the lines that differ, and the totals."""
    moved = [change.after.number for change in rescored.changes if change.of_player and change.after]
    if len(moved) < MOST_MOVED:
        moved = []
    lines = [change.text for change in rescored.changes if not (moved and change.of_player)]
    if len(lines) > MOST_TOLD:
        more = len(lines) - MOST_TOLD
        lines[MOST_TOLD:] = [f"On the scoresheet {counted(more, 'more line')} changed."]
    if moved:
        lines.append(f"From turn {min(moved)} on, {counted(len(moved), 'turn')} have another player.")
    before, after = rescored.totals_before, rescored.game.totals
    lines += [f"{name} {before[name]} → {after[name]}." for name in after if after[name] != before[name]]
    return " ".join(lines) or "Nothing changed."


def _view_turn(game: Game, record: TurnRecord, place: int, total: int, *, provisional: bool) -> TurnView:
    verdict = told_of(record, game.setup)
    broken = verdict.violations if verdict else ()
    return TurnView(
        place=place,
        number=record.number,
        player=record.player,
        did=_DID.get(record.kind, ""),
        words=tuple(WordView(w.word, w.points, w.explanation) for w in verdict.words) if verdict else (),
        bonus=verdict.bonus if verdict else 0,
        points=record.points,
        total=total,
        broken=tuple(violation.text for violation in broken),
        marks=_marks(record, {violation.rule for violation in broken}),
        notes=record.notes,
        challenged=tuple(map(challenge_text, record.challenges)),
        open=record is game.open_play,
        taken_back=record.taken_back,
        photo=False,
        last=False,
        provisional=provisional and record.kind == "play",
    )


def _marks(record: TurnRecord, rules: set[str]) -> tuple[str, ...]:
    marks = []
    if record.taken_back:
        marks.append("taken back")
    elif record.refused_challenges:
        marks.append("challenged, and stands")
    if "7" in rules:
        marks.append("not in the word list")
    if rules - {"7"}:
        marks.append("breaks a rule")
    if record.notes:
        marks.append("check the tiles")
    return tuple(marks)


def _rounds(turns: tuple[TurnView, ...], players: tuple[str, ...]) -> tuple[tuple[TurnView | None, ...], ...]:
    """The turns in rows: a new row begins where a turn would not stand to the right of the one before."""
    rows: list[list[TurnView | None]] = []
    last = len(players)
    for turn in turns:
        column = players.index(turn.player)
        if column <= last or not rows:
            rows.append([None] * len(players))
        rows[-1][column] = turn
        last = column
    return tuple(tuple(row) for row in rows)


BONUS_TEXT = f"All seven tiles in one turn: {ALL_TILES_BONUS} (6D)"
