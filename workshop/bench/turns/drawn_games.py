"""Games drawn at random, and how a table fares with them that answers truthfully whatever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time
from typing import Literal

import numpy as np

from engine import Board, Edition, Lexicon, PlacedTile, Play, find_edition, format_play
from vision import Belief, Finding, GameSettings, Outcome, certain
from vision.turn import steps as step
from vision.turn.prior import FRESH
from vision.turn.reasons import Reason, is_about
from vision.turn.steps import decide
from vision.turn.story import Event
from workshop.bench.data.truth import SEEN
from workshop.bench.turns.drawn_readings import Drawn, Stock
from workshop.training.random_games import BLUFFS, draw_play, shuffle_bag

Demand = Literal["words", "no word", "doubt"]
"""What decides how sure a turn must be: a play of words, one with a word of no list, one after a doubtful look."""


@dataclass(frozen=True)
class Turn:
    """The result of one turn at the table.

    Attributes:
        in_view: all its tiles could be seen.
        kind: what was found, "unread" where no board was.
        demand: what decided how sure Upscore had to be; None if it was asked or taken for other reasons.
        confidence: how sure Upscore was.
        right: the first explanation was the truth.
        asked: the table was asked.
        offered: the truth was among the answers.
        answer: what the table did about it: "taken", "answered", "typed" or "left".
        note: the finding and the truth, in words.
        seconds: processor time that it took to think.
    """

    in_view: bool
    kind: str
    demand: Demand | None
    confidence: float
    right: bool
    asked: bool
    offered: bool
    answer: str
    note: str
    seconds: float

    @property
    def silent(self) -> bool:
        """True if a wrong turn was taken without a question."""
        return not self.asked and not self.right


def random_game(rng: np.random.Generator, edition: Edition, words: Lexicon) -> Iterator[tuple[Board, Play]]:
    """Yield the boards after each turn, and the plays, until nothing can be played or the bag is empty."""
    bag = shuffle_bag(rng, edition)
    rack, bag, board = bag[: edition.rack_size], bag[edition.rack_size :], Board.empty(edition.size)
    while bag:
        tiles = draw_play(rng, board, rack, edition, words)
        if not tiles:
            return
        k = int(rng.integers(len(tiles)))
        if rng.random() < BLUFFS and board.top(tiles[k].square) != bag[0]:
            tiles[k] = PlacedTile(tiles[k].square, bag.pop(0))
        board = board.with_play(Play(tuple(tiles)))
        drawn = edition.rack_size - len(rack)
        rack, bag = rack + bag[:drawn], bag[drawn:]
        yield board, Play(tuple(tiles))


def play_turns(stock: Stock, words: Lexicon, seed: tuple[int, int], *, lazy: bool) -> Iterator[Turn]:
    """Yield the turns of one game, numbered by `seed`.

    Its table answers every question, or skips unclear ones (`lazy`).
    """
    rng = np.random.default_rng(seed)
    style = stock.style(rng)
    edition = find_edition(f"{style.size}x{style.size}")
    settings = GameSettings(edition, words)
    belief = certain(Board.empty(style.size))
    missing: tuple[Play, ...] = ()
    for board, play in random_game(rng, edition, words):
        missing = (*missing, play)
        drawn = stock.draw(style, board, belief.board, rng)
        turn, belief = _turn(belief, drawn, board, missing, settings, lazy)
        if turn.answer != "left":
            missing = ()
        yield turn


def _turn(
    belief: Belief, drawn: Drawn, board: Board, missing: tuple[Play, ...], settings: GameSettings, lazy: bool
) -> tuple[Turn, Belief]:
    """Return one photograph after the plays `missing` from the sheet, and the belief after the table's answer."""
    began = process_time()
    finding = None
    if drawn.reading is None:
        after = step.unseen(belief)
    else:
        after, finding = step.take_look(belief, drawn.reading, settings)
    seconds = process_time() - began
    truth = (*belief.events, *missing)
    outcomes = finding.outcomes if finding is not None else ()
    taken = finding is not None and finding.kind in ("play", "removed") and not finding.needs_review
    offered = any(outcome.events == truth for outcome in outcomes)
    right = offered and outcomes[0].events == truth
    kind = finding.kind if finding is not None else "unread"
    left = lazy and kind in ("unread", "unclear", "none") and not (offered and kind == "unclear")
    answer = "taken" if taken else "answered" if offered and kind != "none" else "left" if left else "typed"
    if not (taken and right) and answer != "left":
        after = decide(after, board, missing[-1], shown=True)
    in_view = all(drawn.hidden[tile.square.row, tile.square.col] <= SEEN for tile in missing[-1].tiles)
    demand = None if finding is None else _demand(belief, finding, settings)
    confidence = finding.confidence if finding is not None else 0.0
    note = _note(finding, missing, drawn)
    return Turn(in_view, kind, demand, confidence, right, not taken, offered, answer, note, seconds), after


def _demand(belief: Belief, finding: Finding, settings: GameSettings) -> Demand | None:
    """Return the threshold that applies to a play that has no other reason to ask."""
    square, reason = finding.square, finding.reason
    by_square = square is not None and is_about(reason, Reason.LETTER, Reason.PLAYED_AT)
    if (
        finding.kind != "play"
        or finding.play is None
        or not (reason is None or is_about(reason, Reason.DOUBT) or by_square)
    ):
        return None
    if belief.gap != FRESH:
        return "doubt"
    return "words" if settings.verdict(finding.before, finding.play).legal else "no word"


def _note(finding: Finding | None, missing: tuple[Play, ...], drawn: Drawn) -> str:
    """Return the finding and the truth in a line."""
    truth = ", then ".join(format_play(play) for play in missing)
    if finding is None:
        return f"no board; true {truth}"
    found = " | ".join(_describe(outcome) for outcome in finding.outcomes[:4])
    hidden = max(drawn.hidden[t.square.row, t.square.col] for t in missing[-1].tiles)
    return (
        f"{finding.kind} {finding.confidence:.4f} {finding.reason or ''}: {found}; true {truth} (hidden {hidden:.2f})"
    )


def _describe(outcome: Outcome) -> str:
    events = " / ".join(_event(event) for event in outcome.changes) or "nothing"
    return f"{outcome.share:.4f} {'instead ' if outcome.revises else ''}{events}"


def _event(event: Event) -> str:
    return "back" if event is None else format_play(event)
