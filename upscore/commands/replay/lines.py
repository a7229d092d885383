"""A replay's turns as lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.errors import UpscoreError
from engine.formats.play_json import reasons_json, tiles_json, words_json
from engine.game.records import TurnRecord
from engine.play import Play
from upscore.commands.replay.game import ReplayGame, Turn
from vision.turn.context import Context
from vision.turn.finding import Finding
from vision.turn.inference.story import Start

_MOST_ALTERNATIVES, _LEAST_SHARE = 5, 0.0005


def line_of(
    before: ReplayGame, game: ReplayGame, turn: Turn, finding: Finding, start: Start, context: Context
) -> dict[str, Any]:
    """The line of a turn that `game` has by now, and had not `before`; the outcomes of its finding begin at `start`."""
    line = {
        "turn": turn.record.number,
        "player": turn.record.player,
        "kind": turn.kind,
        **_what(game, turn),
        "totals": game.game.totals,
        "confidence": round(_confidence(turn, finding), 4),
        "needs_review": turn.needs_review,
    }
    line |= {"reason": turn.reason} if turn.reason else {}
    line["alternatives"] = _alternatives(before, turn, finding, start, context)
    line |= {"earlier": _all_of(game, turn.earlier)} if turn.earlier else {}
    if turn.revised is None:
        return line
    revised = _turn(game, turn.revised) | ({} if turn.revision_sure else {"needs_review": True})
    return line | {"revised": revised}


def final_line(game: ReplayGame) -> dict[str, Any]:
    """The last line."""
    return {"final": game.game.totals, "turns": game.turns, "review": game.reviews}


def _confidence(turn: Turn, finding: Finding) -> float:
    """How sure the turn is; one that is not to be checked is as sure as its play, whatever came before it."""
    return finding.confidence if turn.needs_review else max(finding.confidence, finding.play_share)


def _what(game: ReplayGame, turn: Turn) -> dict[str, Any]:
    verdict = turn.record.verdict if turn.kind == "play" else None
    return {
        "tiles": _tiles(game, turn.record),
        "words": words_json(verdict.words) if verdict else [],
        "points": turn.record.points,
        "legal": verdict.legal if verdict else True,
        "reasons": reasons_json(verdict.violations) if verdict else [],
    }


def _tiles(game: ReplayGame, record: TurnRecord) -> list[dict[str, object]]:
    return [] if record.play is None else tiles_json(record.play, game.board_before(record))


def _turn(game: ReplayGame, record: TurnRecord) -> dict[str, Any]:
    return {
        "turn": record.number,
        "player": record.player,
        "tiles": _tiles(game, record),
        "words": words_json(record.verdict.words) if record.verdict else [],
        "points": record.points,
    }


def _all_of(game: ReplayGame, records: Sequence[TurnRecord]) -> dict[str, Any]:
    """The last of some turns, with those before it in it."""
    *before, last = records
    return _turn(game, last) | ({"earlier": _all_of(game, before)} if before else {})


def _alternatives(
    game: ReplayGame, turn: Turn, finding: Finding, start: Start, context: Context
) -> list[dict[str, Any]]:
    """Other plays that may have been made last, or the same for other points; the likeliest first."""
    shares: dict[tuple[Play, int], float] = {}
    tiles_of: dict[tuple[Play, int], list[dict[str, object]]] = {}
    for play, points, share, tiles in _last_plays(game, finding, start, context):
        shares[play, points] = shares.get((play, points), 0.0) + share
        tiles_of.setdefault((play, points), tiles)
    own = (turn.record.play, turn.record.points) if turn.kind == "play" else None
    others = sorted((key for key in shares if key != own), key=lambda key: -shares[key])
    return [
        {"tiles": tiles_of[key], "points": key[1], "confidence": round(shares[key], 4)}
        for key in others[:_MOST_ALTERNATIVES]
        if shares[key] > _LEAST_SHARE
    ]


def _last_plays(
    game: ReplayGame, finding: Finding, start: Start, context: Context
) -> Iterator[tuple[Play, int, float, list[dict[str, object]]]]:
    """The last play of each outcome that ends in one, its points, share and tiles; of a play found, not its own.

    The points are the sheet's, which knows how many tiles were held, or else those of the board alone.
    """
    for outcome in finding.outcomes[finding.kind in ("play", "removed") :]:
        play = outcome.changes[-1] if outcome.changes else None
        if play is not None:
            before = outcome.story.boards(start)[-2]
            try:
                points = game.points_if(outcome.changes, outcome.replaces)
            except UpscoreError:
                points = context.verdict(before, play).points
            yield play, points, outcome.share, tiles_json(play, before)
