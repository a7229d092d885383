"""What a replay tells of each turn: the line on stdout, and the overlay."""

from __future__ import annotations

from typing import Any

from engine.squares import Square, square_name
from upscore.commands.console import tell, tell_json
from upscore.commands.seeing import Overlays
from upscore.ledger import Ledger
from vision.images import Image
from vision.overlay import draw_turn
from vision.session import Observation


class ReplaySheet:
    """Enters turns in a ledger and reports them."""

    def __init__(self, ledger: Ledger, overlays: Overlays | None, *, as_json: bool) -> None:
        self._ledger, self._overlays, self._as_json = ledger, overlays, as_json

    def enter(
        self, seen: Observation, picture: Image | None, name: str, where: dict[str, Any], **more: Any
    ) -> None:
        """Enter and report a turn.

        `name` is that of its overlay, `where` begins its line of JSON ("image" or "time") and `more` ends it; with
        ``amends=True`` among these it replaces the turn before it.
        """
        line, verdict = self._ledger.enter(seen, amends=more.get("amends", False))
        if self._as_json:
            tell_json({**where, **line, **more})
        else:
            _tell_turn(line, amends="amends" in more)
        if self._overlays is not None and picture is not None and seen.reading is not None:
            self._overlays.write(name, draw_turn(picture, seen.reading, seen.inference, verdict))

    def conclude(self) -> None:
        """The last line."""
        final = self._ledger.final()
        if self._as_json:
            tell_json(final)
            return
        turns, asked = final["turns"], final["review"]
        tell(f"{_points(final['final'])} after {turns} turn{'s' * (turns != 1)}, {asked} to check")


def _tell_turn(line: dict[str, Any], *, amends: bool) -> None:
    if "revised" in line:
        turn = line["revised"]
        tell(f"    Corrected, turn {turn['turn']}, {turn['player']}: {_played(turn)}")
    if "earlier" in line:
        turn = line["earlier"]
        tell(f"{turn['turn']:3} {turn['player']}: {_played(turn)}  (not seen at the time)")
    told = {
        "play": _played(line),
        "none": "nothing changed",
        "removed": f"took back {_tiles(line['tiles'])}",
        "unclear": "unclear",
    }[line["kind"]]
    again = "  (in the place of the line before)" if amends else ""
    asked = f"  PLEASE CHECK: {line.get('reason', '')}" if line["needs_review"] else ""
    tell(f"{line['turn']:3} {line['player']}: {told}{again}  [{_points(line['totals'])}]{asked}")
    for reason in line["reasons"]:
        tell(f"      {reason['text']}")


def _played(line: dict[str, Any]) -> str:
    if not line["tiles"]:
        return "nothing"
    words = " + ".join(f"{word['word']} {word['points']}" for word in line["words"]) or "no word"
    return f"{_tiles(line['tiles'])}: {words} = {line['points']}"


def _tiles(tiles: list[dict[str, Any]]) -> str:
    return " ".join(f"{tile['letter']}@{square_name(Square(tile['row'], tile['col']))}" for tile in tiles)


def _points(totals: dict[str, int]) -> str:
    return ", ".join(f"{name} {points}" for name, points in totals.items())
