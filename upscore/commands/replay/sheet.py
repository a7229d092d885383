"""What a replay tells of each turn: the line on stdout, and the overlay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.game.game import Game
from engine.squares import Square, square_name
from upscore.commands.console import tell, tell_json
from upscore.commands.lone_q import has_lone_q, verdict_with_lone_q, with_lone_q
from upscore.commands.pictures import Overlays
from upscore.commands.replay.game import ReplayGame, Turn
from upscore.commands.replay.lines import final_line, line_of
from vision.images import Image
from vision.overlay import draw_turn
from vision.turn.context import Context
from vision.turn.inference.story import Start
from vision.turn.observe import Observation


class ReplaySheet:
    """Enters turns in a game and reports them; those of another letter game with a lone Q, as `read` does."""

    def __init__(
        self, game: Game, context: Context, overlays: Overlays | None, *, every_look: bool, as_json: bool
    ) -> None:
        self._game, self._context = ReplayGame(game, every_look), context
        self._overlays, self._as_json = overlays, as_json
        self._lone_q = has_lone_q(game.setup.edition)

    def enter(
        self,
        seen: Observation,
        start: Start,
        picture: Image | None,
        name: str,
        where: dict[str, Any],
        *,
        again: str | None = None,
        **more: Any,
    ) -> Turn:
        """Enter and report what was seen, by a belief that began at `start`. Return the turn.

        `name` is that of its overlay, `where` begins its line of JSON ("image" or "time") and `more` ends it; with
        ``amends=True`` among these it replaces the turn before it. `again` names the photograph whose turn it shows
        once more.
        """
        covered = seen.reading.covered_squares() if seen.reading is not None else frozenset()
        before = self._game
        self._game, turn = before.entered(
            seen.finding, start, covered, amends="amends" in more, again=again is not None
        )
        line = line_of(before, self._game, turn, seen.finding, start, self._context)
        line = with_lone_q(line) if self._lone_q else line
        line |= {"same_turn_as": again} if turn.again else {}
        if self._as_json:
            tell_json({**where, **line, **more})
        else:
            _tell_turn(line, amends="amends" in more)
        if self._overlays is not None and picture is not None and seen.reading is not None:
            self._overlays.write(name, _overlay(picture, seen, turn, lone_q=self._lone_q))
        return turn

    def conclude(self) -> None:
        """The last line."""
        final = final_line(self._game)
        if self._as_json:
            tell_json(final)
            return
        turns, asked = final["turns"], final["review"]
        tell(f"{_points(final['final'])} after {turns} turn{'s' * (turns != 1)}, {asked} to check")


def _overlay(picture: Image, seen: Observation, turn: Turn, *, lone_q: bool) -> Image:
    assert seen.reading is not None
    verdict, reason = turn.record.verdict, turn.reason
    if lone_q:
        verdict, reason = verdict and verdict_with_lone_q(verdict), with_lone_q(reason, "reason")
    shown = replace(
        seen.finding,
        kind=turn.kind,
        play=turn.record.play,
        needs_review=turn.needs_review,
        reason=reason,
    )
    return draw_turn(picture, replace(seen.reading, lone_q=lone_q), shown, verdict)


def _tell_turn(line: dict[str, Any], *, amends: bool) -> None:
    if "revised" in line:
        turn = line["revised"]
        said = "    Still to check" if "needs_review" in turn else "    Corrected"
        tell(f"{said}, turn {turn['turn']}, {turn['player']}: {_played(turn)}")
    _tell_earlier(line)
    text = {
        "play": _played(line),
        "none": "the same turn again" if "same_turn_as" in line else "nothing changed",
        "removed": f"took back {_tiles(line['tiles'])}",
        "unclear": "unclear",
    }[line["kind"]]
    again = "  (in the place of the line before)" if amends else ""
    asked = f"  PLEASE CHECK: {line.get('reason', '')}" if line["needs_review"] else ""
    tell(f"{line['turn']:3} {line['player']}: {text}{again}  [{_points(line['totals'])}]{asked}")
    for reason in line["reasons"]:
        tell(f"      {reason['text']}")


def _tell_earlier(line: dict[str, Any]) -> None:
    if "earlier" in line:
        turn = line["earlier"]
        _tell_earlier(turn)
        tell(f"{turn['turn']:3} {turn['player']}: {_played(turn)}  (not seen at the time)")


def _played(line: dict[str, Any]) -> str:
    if not line["tiles"]:
        return "nothing"
    words = " + ".join(f"{word['word']} {word['points']}" for word in line["words"]) or "no word"
    return f"{_tiles(line['tiles'])}: {words} = {line['points']}"


def _tiles(tiles: list[dict[str, Any]]) -> str:
    return " ".join(f"{tile['letter']}@{square_name(Square(tile['row'], tile['col']))}" for tile in tiles)


def _points(totals: dict[str, int]) -> str:
    return ", ".join(f"{name} {points}" for name, points in totals.items())
