"""Games with known truth: a folder each, NN.jpg with NN.json in order, 00 the board at the start."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.editions import Edition, edition_named
from engine.play import PlacedTile, Play
from engine.squares import Square

SEEN = 0.3
"""Most of a face that may be hidden."""


@dataclass(frozen=True)
class Snapshot:
    """One photograph and what it shows: `play` led to `board`; `cells` are the truth's squares, row by row."""

    path: Path
    edition: Edition
    board: Board
    play: Play
    tilt: float
    cells: tuple[dict[str, Any], ...]

    @property
    def in_view(self) -> list[dict[str, Any]]:
        """The squares that neither a hand nor a stack hides."""
        return [cell for cell in self.cells if cell["hand"] <= SEEN and cell["occluded"] <= SEEN]

    @property
    def play_in_view(self) -> bool:
        """Whether every tile of the play can be seen."""
        seen = {(cell["row"], cell["col"]) for cell in self.in_view}
        return all((tile.square.row, tile.square.col) in seen for tile in self.play.tiles)


def pictures(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The photographs of a game with their truth, in order."""
    return [
        (path.with_suffix(".jpg"), json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(folder.glob("[0-9][0-9].json"))
    ]


def games_in(folder: Path) -> list[list[Snapshot]]:
    """The games in a folder of folders, or the one game that the folder is."""
    folders = sorted(path for path in folder.iterdir() if path.is_dir()) or [folder]
    games = [[_snapshot(path, truth) for path, truth in pictures(each)] for each in folders]
    return [game for game in games if game]


def _snapshot(path: Path, truth: dict[str, Any]) -> Snapshot:
    size = int(truth["edition"])
    stacks: list[list[list[str]]] = [[[] for _ in range(size)] for _ in range(size)]
    for cell in truth["cells"]:
        stacks[cell["row"]][cell["col"]] = cell["stack"]
    tiles = tuple(
        sorted(PlacedTile(Square(m["row"], m["col"]), m["letter"]) for m in truth.get("move") or ())
    )
    return Snapshot(
        path, edition_named(f"{size}x{size}"), Board.of(stacks), Play(tiles),
        float(truth["tilt_deg"]), tuple(truth["cells"]),
    )  # fmt: skip
