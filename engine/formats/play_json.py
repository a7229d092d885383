"""The parts of the command line's JSON that concern plays and verdicts, as plain dicts and lists."""

from __future__ import annotations

from collections.abc import Iterable

from engine.board import Board
from engine.play import Play
from engine.rules.referee import Verdict
from engine.rules.scoring import WordScore
from engine.rules.violations import Violation

JsonDict = dict[str, object]


def tiles_json(play: Play, before: Board | None = None) -> list[JsonDict]:
    """The tiles of a play: row, col and letter each; given the board before the play, the height too."""
    tiles: list[JsonDict] = []
    for tile in play.tiles:
        part: JsonDict = {"row": tile.square.row, "col": tile.square.col, "letter": tile.face}
        if before is not None:
            part["height"] = before.height(tile.square) + 1
        tiles.append(part)
    return tiles


def words_json(words: Iterable[WordScore]) -> list[JsonDict]:
    """Words and their points."""
    return [{"word": word.word, "points": word.points} for word in words]


def reasons_json(violations: Iterable[Violation]) -> list[JsonDict]:
    """Rule ids and sentences of what is wrong with a play."""
    return [{"rule": broken.rule, "text": broken.text} for broken in violations]


def verdict_json(verdict: Verdict) -> JsonDict:
    """A verdict: whether the play is legal, why not, its words, and its points with the bonus in them."""
    return {
        "legal": verdict.legal,
        "reasons": reasons_json(verdict.violations),
        "words": words_json(verdict.words),
        "points": verdict.points,
    }
