"""Plays and verdicts as the command line's JSON writes them, in plain dicts and lists."""

from __future__ import annotations

from collections.abc import Iterable

from engine.board import Board
from engine.play import Play
from engine.rules.referee import Verdict, Violation
from engine.rules.scoring import WordScore
from engine.solver.advice import Choice
from engine.solver.plays import ScoredPlay

JsonDict = dict[str, object]


def tiles_json(play: Play, before: Board | None = None) -> list[JsonDict]:
    """Return the tiles of a play, each with row, col and letter; given the board before the play, also the height."""
    tiles: list[JsonDict] = []
    for tile in play.tiles:
        part: JsonDict = {"row": tile.square.row, "col": tile.square.col, "letter": tile.face}
        if before is not None:
            part["height"] = before.height(tile.square) + 1
        tiles.append(part)
    return tiles


def words_json(words: Iterable[WordScore]) -> list[JsonDict]:
    """Return words and their points."""
    return [{"word": word.word, "points": word.points} for word in words]


def reasons_json(violations: Iterable[Violation]) -> list[JsonDict]:
    """Return the rule ids and sentences of violations."""
    return [{"rule": broken.rule, "text": broken.text} for broken in violations]


def verdict_json(verdict: Verdict) -> JsonDict:
    """Return a verdict: whether the play is legal, why not, its words, its points, and the bonus that they include."""
    return {
        "legal": verdict.legal,
        "reasons": reasons_json(verdict.violations),
        "words": words_json(verdict.words),
        "points": verdict.points,
        "bonus": verdict.bonus,
    }


def solved_json(play: ScoredPlay) -> JsonDict:
    """Return a play that the solver found: its tiles, words and points, and the bonus that they include."""
    words = words_json(play.words)
    return {"tiles": tiles_json(play.play), "words": words, "points": play.points, "bonus": play.bonus}


def choice_json(choice: Choice) -> JsonDict:
    """Return a choice: a play as `solved_json`, an exchange or a pass without tiles, and what it is worth."""
    data: JsonDict = (
        {"tiles": [], "words": [], "points": 0, "bonus": 0} if choice.play is None else solved_json(choice.play)
    )
    if choice.given is not None:
        data["exchange"] = choice.given
    worth = {"reply": choice.reply, "kept": choice.kept, "value": choice.value}
    return data | {name: round(float(value), 2) for name, value in worth.items()}
