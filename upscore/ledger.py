"""The scoresheet of a replay: what each observed turn scored, for whom, and the line that reports it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.board import Board
from engine.editions import Edition
from engine.houserules import HouseRules
from engine.jsonparts import reasons_json, tiles_json, words_json
from engine.play import Play
from engine.rules import Verdict, referee
from engine.words import WordList
from vision.infer import TurnInference
from vision.session import Observation


@dataclass
class Ledger:
    """Keeps the score of a replay; players take turns in the order of their names."""

    players: tuple[str, ...]
    edition: Edition
    lexicon: WordList | None
    rules: HouseRules
    turns: int = 0
    reviews: int = 0
    scored: list[tuple[str, Play, int]] = field(default_factory=list)

    def totals(self) -> dict[str, int]:
        """Points of every player so far."""
        sums = dict.fromkeys(self.players, 0)
        for player, _, points in self.scored:
            sums[player] += points
        return sums

    def player_of(self, turn: int) -> str:
        """Whose turn number `turn` (from 1) is."""
        return self.players[(turn - 1) % len(self.players)]

    def judge(self, board: Board, play: Play) -> Verdict:
        """The referee's verdict on a play."""
        return referee(board, play, edition=self.edition, lexicon=self.lexicon, rules=self.rules)

    def enter(self, seen: Observation, turn: int) -> tuple[dict[str, Any], Verdict | None]:
        """Enter what was seen as turn number `turn`; returns the turn's part of its JSON line and the verdict."""
        player, inference, before = self.player_of(turn), seen.inference, seen.before
        self.turns = max(self.turns, turn)
        self.reviews += inference.needs_review
        verdict: Verdict | None = None
        if inference.kind == "play":
            if inference.earlier is not None:
                earlier = self.judge(before, inference.earlier)
                self.scored.append((self.player_of(max(turn - 1, 1)), inference.earlier, earlier.points))
                before = before.with_play(inference.earlier)
            verdict = self.judge(before, inference.play)
            self.scored.append((player, inference.play, verdict.points))
        elif inference.kind == "removed" and self.scored:
            self.scored.pop()
        line = {"turn": turn, "player": player, **_what(inference, before, verdict), "totals": self.totals()}
        line |= _how_sure(inference)
        line["alternatives"] = [
            {
                "tiles": tiles_json(other.play, before),
                "points": self.judge(before, other.play).points,
                "confidence": round(other.confidence, 4),
            }
            for other in inference.alternatives
            if _possible(other.play, before)
        ]
        return line, verdict

    def amend(self) -> None:
        """Forget the last play: the line that follows replaces it."""
        if self.scored:
            self.scored.pop()

    def final(self) -> dict[str, Any]:
        """The last line."""
        return {"final": self.totals(), "turns": self.turns, "review": self.reviews}


def _what(inference: TurnInference, before: Board, verdict: Verdict | None) -> dict[str, Any]:
    tiles = tiles_json(inference.play, before if inference.kind == "play" else None)
    part: dict[str, Any] = {"kind": inference.kind, "tiles": tiles}
    if verdict is None:
        return part | {"words": [], "points": 0, "legal": True, "reasons": []}
    return part | {
        "words": words_json(verdict.words),
        "points": verdict.points,
        "legal": verdict.legal,
        "reasons": reasons_json(verdict.violations),
    }


def _how_sure(inference: TurnInference) -> dict[str, Any]:
    part: dict[str, Any] = {
        "confidence": round(inference.confidence, 4),
        "needs_review": inference.needs_review,
    }
    return part | ({"reason": inference.reason} if inference.reason else {})


def _possible(play: Play, before: Board) -> bool:
    """Whether an alternative can be scored on the board that the line is about."""
    return bool(play.tiles) and all(
        len(before.stacks[t.square.row][t.square.col]) < 5 and before.top(t.square) != t.face
        for t in play.tiles
    )
