"""The scoresheet of a replay: what each observed turn scored, for whom, and the line that reports it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.board import Board
from engine.editions import Edition
from engine.houserules import SHEET_RULES, HouseRules
from engine.jsonparts import reasons_json, tiles_json, words_json
from engine.play import Play
from engine.revision import likeliest_revision
from engine.rules import Verdict, referee
from engine.words import WordList
from vision.infer import Alternative, TurnInference
from vision.session import Observation

NOTHING = Play(())
REVISED = "An earlier turn was not what it had been taken for: check the turns so far."


@dataclass(frozen=True)
class Entry:
    """One turn as it stands on the scoresheet, and the board before it; a turn without tiles scores nothing."""

    before: Board
    play: Play
    points: int
    asked: bool

    @property
    def after(self) -> Board:
        """The board that the turn left."""
        return self.before.with_play(self.play)


class Ledger:
    """Keeps the score of a replay. Players take turns in the order of their names."""

    def __init__(
        self,
        players: tuple[str, ...],
        start: Board,
        *,
        edition: Edition,
        lexicon: WordList | None,
        rules: HouseRules = SHEET_RULES,
    ) -> None:
        self._players, self._start, self._board = players, start, start
        self._edition, self._lexicon, self._rules = edition, lexicon, rules
        self._entries: list[Entry] = []
        self._asked = 0

    def enter(self, seen: Observation, *, amends: bool = False) -> tuple[dict[str, Any], Verdict | None]:
        """Enter what was seen since the turn before; returns the turn's part of its JSON line and the verdict.

        `amends` puts it in the place of the last turn. Tiles taken back undo their turn, which is then played anew.
        Where an earlier turn turns out to have been another it is corrected, and the table is asked, unless it had been
        asked about that turn; nor is it where several that it had been asked about were others.
        """
        if amends:
            self._forget_last()
        revised, inference = self._revise(seen.before), seen.inference
        explained = seen.before == self._board or (inference.kind == "play" and self._stands_on(seen.before))
        promised = revised is not None and not self._entries[revised - 1].asked
        if not explained or promised:
            inference = replace(inference, needs_review=True, reason=inference.reason or REVISED)
        correction = {"revised": self._turn(revised)} if revised is not None else {}
        self._asked += inference.needs_review
        verdict: Verdict | None = None
        if inference.kind == "removed":
            number, earlier = self._take_back(inference.play, seen.before), {}
        else:
            earlier = self._enter_earlier(seen.before, inference.earlier)
            number, verdict = self._add(_between(seen.before, inference), inference)
        line = {"turn": number, "player": self._player(number), **self._what(seen.before, inference, verdict)}
        line |= {"totals": self.totals(), **_how_sure(inference)}
        line["alternatives"] = self._alternatives(seen.before, inference)
        return line | earlier | correction, verdict

    def totals(self) -> dict[str, int]:
        """Points of every player so far."""
        sums = dict.fromkeys(self._players, 0)
        for number, entry in enumerate(self._entries, start=1):
            sums[self._player(number)] += entry.points
        return sums

    def final(self) -> dict[str, Any]:
        """The last line."""
        return {"final": self.totals(), "turns": len(self._entries), "review": self._asked}

    def _player(self, number: int) -> str:
        return self._players[(number - 1) % len(self._players)]

    def _judge(self, board: Board, play: Play) -> Verdict:
        return referee(board, play, edition=self._edition, lexicon=self._lexicon, rules=self._rules)

    def _points(self, board: Board, play: Play) -> int:
        return self._judge(board, play).points if play.tiles else 0

    def _add(self, before: Board, inference: TurnInference) -> tuple[int, Verdict | None]:
        play = inference.play if inference.kind == "play" else NOTHING
        verdict = self._judge(before, play) if play.tiles else None
        points = verdict.points if verdict is not None else 0
        self._append(Entry(before, play, points, inference.needs_review))
        return len(self._entries), verdict

    def _forget_last(self) -> None:
        if self._entries:
            last = self._entries.pop()
            self._asked -= last.asked
            self._board = last.before

    def _append(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._board = entry.after

    def _enter_earlier(self, before: Board, play: Play | None) -> dict[str, Any]:
        """A play whose turn was not seen: it was the last turn's, if that showed none, or else a turn of its own."""
        if play is None:
            return {}
        asked = False
        if self._entries and not self._entries[-1].play.tiles:
            asked = self._entries.pop().asked
        self._append(Entry(before, play, self._points(before, play), asked))
        return {"earlier": self._turn(len(self._entries))}

    def _take_back(self, play: Play, before: Board) -> int:
        """Undo the turn that laid these tiles; its number, which the next turn has again."""
        taken = set(play.squares)
        for at in range(len(self._entries) - 1, -1, -1):
            if set(self._entries[at].play.squares) == taken:
                del self._entries[at:]
                break
        self._board = before.without_top(play.squares)
        return len(self._entries) + 1

    def _revise(self, board: Board) -> int | None:
        """Correct the turn that was not what it had been taken for, if `board` shows that there is one; its number."""
        turns = [(entry.before, entry.play) for entry in self._entries]
        found = None if board == self._board else likeliest_revision(turns, board, self._breaches)
        if found is None:
            return None
        self._rewrite(*found)
        return found[0] + 1

    def _stands_on(self, board: Board) -> bool:
        """Whether all that was taken without a question lies there: only turns asked about were others then."""
        settled = next((entry.after for entry in reversed(self._entries) if not entry.asked), self._start)
        return all(
            board.stack(square)[: settled.height(square)] == settled.stack(square)
            for square in settled.occupied()
        )

    def _breaches(self, at: int, play: Play) -> int:
        return len(self._judge(self._entries[at].before, play).violations) if play.tiles else 1

    def _rewrite(self, at: int, play: Play) -> None:
        following = [play, *(entry.play for entry in self._entries[at + 1 :])]
        board = self._entries[at].before
        for number, each in enumerate(following, start=at):
            self._entries[number] = replace(
                self._entries[number], before=board, play=each, points=self._points(board, each)
            )
            board = self._entries[number].after
        self._board = board

    def _turn(self, number: int) -> dict[str, Any]:
        entry = self._entries[number - 1]
        words = self._judge(entry.before, entry.play).words if entry.play.tiles else ()
        return {
            "turn": number,
            "player": self._player(number),
            "tiles": tiles_json(entry.play, entry.before),
            "words": words_json(words),
            "points": entry.points,
        }

    def _what(self, before: Board, inference: TurnInference, verdict: Verdict | None) -> dict[str, Any]:
        if inference.kind == "removed":
            tiles = tiles_json(inference.play, self._board)
        else:
            tiles = tiles_json(inference.play, _between(before, inference))
        return {
            "kind": inference.kind,
            "tiles": tiles,
            "words": words_json(verdict.words) if verdict else [],
            "points": verdict.points if verdict else 0,
            "legal": verdict.legal if verdict else True,
            "reasons": reasons_json(verdict.violations) if verdict else [],
        }

    def _alternatives(self, before: Board, inference: TurnInference) -> list[dict[str, Any]]:
        told = []
        for other in inference.alternatives:
            board = _before_alternative(before, inference, other)
            told.append(
                {
                    "tiles": tiles_json(other.play, board),
                    "points": self._points(board, other.play),
                    "confidence": round(other.confidence, 4),
                }
            )
        return told


def _between(before: Board, inference: TurnInference) -> Board:
    """The board on which the play itself was made."""
    return before if inference.earlier is None else before.with_play(inference.earlier)


def _before_alternative(before: Board, inference: TurnInference, other: Alternative) -> Board:
    """The board on which an alternative was made; of two plays, the other order is one."""
    if inference.earlier is None or other.play != inference.earlier:
        return _between(before, inference)
    return before.with_play(inference.play)


def _how_sure(inference: TurnInference) -> dict[str, Any]:
    part: dict[str, Any] = {
        "confidence": round(inference.confidence, 4),
        "needs_review": inference.needs_review,
    }
    return part | ({"reason": inference.reason} if inference.reason else {})
