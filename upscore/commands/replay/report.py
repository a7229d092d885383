"""The report of a replay: a line of JSON or text for each turn, and its overlay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine import Game, Play, Square, TurnRecord, UpscoreError, square_name
from engine.formats.game_json import reasons_json, tiles_json, words_json
from upscore.commands.console import say, tell, tell_json
from upscore.commands.lone_q import has_lone_q, spell_face, verdict_with_lone_q, with_lone_q
from upscore.commands.read import Overlays
from upscore.commands.replay.game import Entry, ReplayGame
from vision import BoardReading, Finding, GameSettings, Outcome
from vision.images import Image
from vision.overlay import draw_turn
from vision.turn.story import CertainBoard

_MOST_ALTERNATIVES, _LEAST_SHARE = 5, 0.0005


def line_of(
    before: ReplayGame, game: ReplayGame, entry: Entry, start: CertainBoard, settings: GameSettings
) -> dict[str, Any]:
    """Return the line of the turn that `game` has and `before` doesn't. Its finding's outcomes begin at `start`."""
    finding, record = entry.finding, entry.record
    line = {
        "turn": record.number,
        "player": record.player,
        "kind": finding.kind,
        **_what(game, entry),
        "totals": game.game.totals,
        "confidence": round(_confidence(finding), 4),
        "needs_review": finding.needs_review,
    }
    line |= {"reason": str(finding.reason)} if finding.reason else {}
    line["alternatives"] = _alternatives(before, entry, start, settings)
    line |= {"earlier": _all_of(game, entry.earlier)} if entry.earlier else {}
    if entry.revised is None:
        return line
    revised = _turn_json(game, entry.revised) | {"needs_review": not entry.revision_sure}
    return line | {"revised": revised}


def final_line(game: ReplayGame) -> dict[str, Any]:
    """Return the last line: totals, turns, and how many of them need a check."""
    return {"final": game.game.totals, "turns": game.turns, "review": game.reviews}


def _confidence(finding: Finding) -> float:
    """Return how sure the turn is. A turn that needs no check is as sure as its play, whatever came before it."""
    return finding.confidence if finding.needs_review else max(finding.confidence, finding.play_share)


def _what(game: ReplayGame, entry: Entry) -> dict[str, Any]:
    verdict = entry.record.verdict if entry.finding.kind == "play" else None
    return {
        "tiles": _tiles_of(game, entry.record),
        "words": words_json(verdict.words) if verdict else [],
        "points": entry.record.points,
        "legal": verdict.legal if verdict else True,
        "reasons": reasons_json(verdict.violations) if verdict else [],
    }


def _tiles_of(game: ReplayGame, record: TurnRecord) -> list[dict[str, object]]:
    return [] if record.play is None else tiles_json(record.play, game.board_before(record))


def _turn_json(game: ReplayGame, record: TurnRecord) -> dict[str, Any]:
    return {
        "turn": record.number,
        "player": record.player,
        "tiles": _tiles_of(game, record),
        "words": words_json(record.verdict.words) if record.verdict else [],
        "points": record.points,
    }


def _all_of(game: ReplayGame, records: Sequence[TurnRecord]) -> dict[str, Any]:
    """Return the last of some turns, with the others inside it."""
    *before, last = records
    return _turn_json(game, last) | ({"earlier": _all_of(game, before)} if before else {})


def _alternatives(game: ReplayGame, entry: Entry, start: CertainBoard, settings: GameSettings) -> list[dict[str, Any]]:
    """Return other plays that may have been made last, or the same play for other points, likeliest first."""
    shares: dict[tuple[Play, int], float] = {}
    tiles_of: dict[tuple[Play, int], list[dict[str, object]]] = {}
    for play, points, share, tiles in _last_plays(game, entry.others, start, settings):
        shares[play, points] = shares.get((play, points), 0.0) + share
        tiles_of.setdefault((play, points), tiles)
    own = (entry.record.play, entry.record.points) if entry.finding.kind == "play" else None
    others = sorted((key for key in shares if key != own), key=lambda key: -shares[key])
    return [
        {"tiles": tiles_of[key], "points": key[1], "confidence": round(shares[key], 4)}
        for key in others[:_MOST_ALTERNATIVES]
        if shares[key] > _LEAST_SHARE
    ]


def _last_plays(
    game: ReplayGame, outcomes: Sequence[Outcome], start: CertainBoard, settings: GameSettings
) -> Iterator[tuple[Play, int, float, list[dict[str, object]]]]:
    """Yield the last play of each outcome that ends in one, with its points, share and tiles.

    The points are the sheet's, which knows how many tiles were held, or else those of the board alone.
    """
    for outcome in outcomes:
        play = outcome.changes[-1] if outcome.changes else None
        if play is not None:
            before = outcome.story.boards(start)[-2]
            try:
                points = game.points_if(outcome.changes, outcome.replaces)
            except UpscoreError:
                points = settings.verdict(before, play).points
            yield play, points, outcome.share, tiles_json(play, before)


class ReplaySheet:
    """Enters turns in a game and reports them, with a lone Q for another letter game, as `read` does."""

    def __init__(
        self, game: Game, settings: GameSettings, overlays: Overlays | None, *, turns_a_look: int, as_json: bool
    ) -> None:
        self._game, self._settings = ReplayGame(game, turns_a_look), settings
        self._overlays, self._as_json, self._text_told = overlays, as_json, False
        self._lone_q = has_lone_q(game.setup.edition)

    @property
    def game(self) -> ReplayGame:
        """The game as it is entered so far."""
        return self._game

    def enter(
        self,
        finding: Finding,
        start: CertainBoard,
        picture: Image | None,
        name: str,
        where: dict[str, Any],
        *,
        again: str | None = None,
        **more: Any,
    ) -> Entry:
        """Enter and report what was found, by a belief that began at `start`. Return the entry.

        `name` is that of its overlay. `where` begins its line of JSON ("image" or "time"), and `more` ends it. With
        ``amends=True`` it replaces the turn before it. `again` names the photograph whose turn it shows
        once more.
        """
        self._tell_camera_text(finding)
        unseen = finding.reading.find_unseen_stacks(finding.square) if finding.reading is not None else frozenset()
        before = self._game
        self._game, entry = before.enter(finding, start, unseen, amends="amends" in more, again=again is not None)
        if self._lone_q and entry.finding.reason is not None:
            spelt = replace(entry.finding, reason=entry.finding.reason.spelt(spell_face))
            entry = replace(entry, finding=spelt)
        line = line_of(before, self._game, entry, start, self._settings)
        line = with_lone_q(line) if self._lone_q else line
        line |= {"same_turn_as": again} if entry.again else {}
        if self._as_json:
            tell_json({**where, **line, **more})
        else:
            _tell_turn(line, amends="amends" in more)
        if self._overlays is not None and picture is not None and finding.reading is not None:
            self._overlays.write(name, _overlay(picture, finding.reading, entry, lone_q=self._lone_q))
        return entry

    def _tell_camera_text(self, finding: Finding) -> None:
        """Warn once that the camera writes text over the board."""
        text = None if finding.reading is None else finding.reading.camera_text
        if text is not None and not self._text_told:
            self._text_told = True
            say(text.text())

    def conclude(self) -> None:
        """Print the last line."""
        final = final_line(self._game)
        if self._as_json:
            tell_json(final)
            return
        turns, asked = final["turns"], final["review"]
        tell(f"{_points(final['final'])} after {turns} turn{'s' * (turns != 1)}, {asked} to check")


def _overlay(picture: Image, reading: BoardReading, entry: Entry, *, lone_q: bool) -> Image:
    verdict = entry.record.verdict
    if lone_q and verdict is not None:
        verdict = verdict_with_lone_q(verdict)
    return draw_turn(picture, replace(reading, lone_q=lone_q), entry.finding, verdict)


def _tell_turn(line: dict[str, Any], *, amends: bool) -> None:
    if "revised" in line:
        turn = line["revised"]
        standing = "    Still to check" if turn["needs_review"] else "    Now certain"
        tell(f"{standing}, turn {turn['turn']}, {turn['player']}: {_describe_play(turn)}")
    _tell_earlier(line)
    text = {
        "play": _describe_play(line),
        "none": "the same turn again" if "same_turn_as" in line else "nothing changed",
        "removed": f"took back {_tiles(line['tiles'])}",
        "unclear": "unclear",
    }[line["kind"]]
    again = "  (instead of the line before)" if amends else ""
    asked = f"  PLEASE CHECK: {line.get('reason', '')}" if line["needs_review"] else ""
    tell(f"{line['turn']:3} {line['player']}: {text}{again}  [{_points(line['totals'])}]{asked}")
    for reason in line["reasons"]:
        tell(f"      {reason['text']}")


def _tell_earlier(line: dict[str, Any]) -> None:
    if "earlier" in line:
        turn = line["earlier"]
        _tell_earlier(turn)
        tell(f"{turn['turn']:3} {turn['player']}: {_describe_play(turn)}  (told late, or told anew)")


def _describe_play(line: dict[str, Any]) -> str:
    if not line["tiles"]:
        return "nothing"
    words = " + ".join(f"{word['word']} {word['points']}" for word in line["words"]) or "no word"
    return f"{_tiles(line['tiles'])}: {words} = {line['points']}"


def _tiles(tiles: list[dict[str, Any]]) -> str:
    return " ".join(f"{tile['letter']}@{square_name(Square(tile['row'], tile['col']))}" for tile in tiles)


def _points(totals: dict[str, int]) -> str:
    return ", ".join(f"{name} {points}" for name, points in totals.items())
