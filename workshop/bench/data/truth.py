"""Games with known truth: a folder each, NN.jpg with NN.json in order, 00 the board at the start."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import Board, Edition, PlacedTile, Play, Square, find_edition

Floats = npt.NDArray[np.float64]

SEEN = 0.3
"""Most of a face that may be hidden for it to count as in view. [by eye]"""
_U, _V = (np.ravel(part) for part in np.meshgrid(*[np.linspace(0.1, 0.9, 5)] * 2))
_WEIGHTS: Floats = np.stack([(1 - _U) * (1 - _V), _U * (1 - _V), _U * _V, (1 - _U) * _V], axis=-1)
"""(25, 4) weights of a face's corners TL TR BR BL that make points all over it."""


@dataclass(frozen=True)
class Snapshot:
    """One photograph and what it shows: `play` led to `board`; `truth` is all that its file says.

    `truth["cells"]` are the squares, row by row.
    """

    path: Path
    edition: Edition
    board: Board
    play: Play
    truth: dict[str, Any]

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The truth's squares, row by row."""
        cells: list[dict[str, Any]] = self.truth["cells"]
        return cells

    @property
    def tilt(self) -> float:
        """How far the camera looks off the vertical, degrees."""
        return float(self.truth["tilt_deg"])

    @property
    def name(self) -> str:
        """Game and picture."""
        return f"{self.path.parent.name}/{self.path.name}"

    @cached_property
    def veiled(self) -> Floats:
        """(n, n) shares of the top faces that a hand hides or that lie out of the picture."""
        shares = [max(float(cell["hand"]), self._outside(cell)) for cell in self.cells]
        return np.array(shares).reshape(self.board.size, self.board.size)

    @cached_property
    def in_view(self) -> list[dict[str, Any]]:
        """The squares of whose top face neither a hand, nor a stack, nor the picture's edge hides much."""
        return [
            cell for cell in self.cells
            if max(self.veiled[cell["row"], cell["col"]], cell["occluded"]) <= SEEN
        ]  # fmt: skip

    @property
    def play_in_view(self) -> bool:
        """Whether every tile of the play can be seen."""
        seen = {(cell["row"], cell["col"]) for cell in self.in_view}
        return all((tile.square.row, tile.square.col) in seen for tile in self.play.tiles)

    @property
    def under_a_hand(self) -> bool:
        """Whether a hand hides more than a third of the squares: such a picture is for no reader."""
        hidden = [bool(cell["hand"] > SEEN) for cell in self.cells]
        return 3 * sum(hidden) > len(hidden)

    def _outside(self, cell: dict[str, Any]) -> float:
        x, y = (_WEIGHTS @ np.array(cell["corners"], dtype=np.float64)).T
        width, height = self.truth["width"], self.truth["height"]
        inside = (x >= -0.5) & (x <= width - 0.5) & (y >= -0.5) & (y <= height - 0.5)
        return 1.0 - float(inside.mean())


Record = list[Snapshot]
"""A game, turn by turn."""


def game_in(folder: Path) -> Record:
    """Return the photographs of one game with their truth, in order."""
    return [
        _snapshot(path.with_suffix(".jpg"), json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(folder.glob("[0-9][0-9].json"))
    ]


def games_in(folder: Path) -> list[Record]:
    """Return the games in a folder of folders."""
    games = [game_in(path) for path in sorted(folder.iterdir()) if path.is_dir()]
    return [game for game in games if game]


def _snapshot(path: Path, truth: dict[str, Any]) -> Snapshot:
    size = int(truth["edition"])
    stacks: list[list[list[str]]] = [[[] for _ in range(size)] for _ in range(size)]
    for cell in truth["cells"]:
        stacks[cell["row"]][cell["col"]] = cell["stack"]
    tiles = tuple(sorted(PlacedTile(Square(m["row"], m["col"]), m["letter"]) for m in truth.get("move") or ()))
    return Snapshot(path, find_edition(f"{size}x{size}"), Board.of(stacks), Play(tiles), truth)
