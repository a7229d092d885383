"""Photographs, readings and calls for tests of the command line; no network is run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import ExifTags
from PIL import Image as PillowImage

from engine import FACES, Board, parse_play
from upscore.cli import main
from vision import BoardNotFound, BoardReading, Camera, Finding, Kind, Outcome
from vision.geometry.camera import corners_of
from vision.images import Image
from vision.turn.reasons import Doubt, Reason
from vision.turn.story import Event, Story

# The rule sheets' example on 8x8, MOOD beginning at row 3, column 1 (both from 0).
EXAMPLE = ("b4-MOOD", "e5|EAR", "d5-N.T", "W@b4", "e4|L..P", "d7-SNACK", "g2|PLUS")
EXAMPLE_POINTS = (8, 8, 10, 5, 12, 14, 16)
NO_BOARD = "No board was found in the picture: show the whole board."

Seen = BoardReading | str


def boards_of(plays: Iterable[str], size: int = 8) -> list[Board]:
    """The empty board, and the board after each play."""
    boards = [Board.empty(size)]
    for play in plays:
        boards.append(boards[-1].with_play(parse_play(play)))
    return boards


def reading_of(board: Board, *, sure: float = 0.999, hidden: Iterable[tuple[int, int]] = ()) -> BoardReading:
    """A reading that gives the board's true heights and tops the probability `sure` each."""
    n = board.size
    heights = np.full((n, n, 6), (1 - sure) / 5)
    faces = np.full((n, n, len(FACES)), (1 - sure) / (len(FACES) - 1))
    cover = np.zeros((n, n))
    for square in board.squares():
        heights[square.row, square.col, board.height(square)] = sure
        if board.top(square):
            faces[square.row, square.col, FACES.index(board.top(square))] = sure
    for at in hidden:
        cover[at] = 0.9
    middle = n / 2
    camera = Camera(
        focal=100.0, centre=(99.5, 74.5), k1=0.0, rotation=np.eye(3), translation=np.array([-middle, -middle, 10.0])
    )
    return BoardReading(
        size=n, corners=corners_of(camera, n), camera=camera, layer_thickness=0.26, base_offset=0.0,
        elevations=np.zeros((n, n, 17)),
        height_probs=heights, face_probs=faces, hidden=cover, covered=np.zeros((n, n)),
        upright=1.0, lone_q=False, seconds=0.05,
    )  # fmt: skip


WHY = Doubt(Reason.OTHER, ("Why?",))
"""A doubt of which nothing but its sentence is known."""


def make_finding(
    *events: str | None,
    replaces: int = 0,
    asked: bool = False,
    reason: Doubt = WHY,
    sure: float = 0.99,
    others: Iterable[str] = (),
) -> Finding:
    """Return a finding of plays (None for one taken back) that replace the last `replaces` events and go on."""
    outcomes = [_outcome(events, replaces, sure), *(_outcome((other,), 0, 0.1) for other in others)]
    kind: Kind = "removed" if events == (None,) and not replaces else "play"
    return Finding(kind, tuple(outcomes), sure, asked, None, reason if asked else None, Board.empty(8), None)


def _outcome(events: Iterable[str | None], replaces: int, share: float) -> Outcome:
    happened: tuple[Event, ...] = tuple(None if event is None else parse_play(event) for event in events)
    return Outcome(Story(happened), 0, replaces, share)


def no_play(kind: Kind, *, asked: bool = False) -> Finding:
    """A finding of another kind."""
    return Finding(kind, (), 0.0, asked, None, WHY if asked else None, Board.empty(8), None)


class ScriptedReader:
    """Stands in for BoardReader: answers each picture with the next item of a script; a text means no board."""

    script: list[Seen]
    asked: list[dict[str, Any]]

    def __init__(self, **settings: Any) -> None:
        self.settings = settings

    def read(self, image: Image, size: int, **hints: Any) -> BoardReading:
        self.asked.append({"shape": image.shape, "size": size, **hints})
        seen = self.script.pop(0)
        if isinstance(seen, str):
            raise BoardNotFound(seen)
        assert seen.size == size
        return seen

    def neighbour_readings(self, *_: Any) -> list[BoardReading]:
        return []


def script_reader(
    monkeypatch: pytest.MonkeyPatch, module: object, seen: Iterable[Seen], name: str = "BoardReader"
) -> type[ScriptedReader]:
    """Let a command module read by a script. The result's `asked` records what the reader was asked."""
    reader = type("Reader", (ScriptedReader,), {"script": list(seen), "asked": []})
    monkeypatch.setattr(module, name, reader)
    return reader


def photograph(path: Path, size: tuple[int, int] = (200, 150), taken: str = "") -> Path:
    """Write a photograph of nothing in particular, (width, height), with the time in its EXIF block if one is given.

    No two names have the same bytes.
    """
    exif = PillowImage.Exif()
    if taken:
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = taken
    path.parent.mkdir(parents=True, exist_ok=True)
    PillowImage.linear_gradient("L").resize(size).convert("RGB").save(
        path, format="JPEG", comment=os.fsencode(path.name), exif=exif
    )
    return path


def photographs(folder: Path, number: int) -> Path:
    """A folder of 00.jpg, 01.jpg, ..."""
    for at in range(number):
        photograph(folder / f"{at:02}.jpg")
    return folder


class Caller:
    """Calls the command and keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.status = 0
        self.out = ""
        self.err = ""

    def __call__(self, *words: str | Path) -> Caller:
        try:
            self.status = main([str(word) for word in words])
        except SystemExit as stop:
            self.status = stop.code if isinstance(stop.code, int) else -1
        self.out, self.err = self._capsys.readouterr()
        return self

    def lines(self) -> list[Any]:
        """Return the lines of stdout, each decoded from JSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    def expect_refusal(self, *parts: str) -> None:
        """Check that nothing was done, and that one line says why and what to do."""
        assert (self.status, self.out) == (2, "")
        self.expect_complaint(*parts)

    def expect_complaint(self, *parts: str) -> None:
        """Check that there is exactly one line on stderr, with these parts in it."""
        assert self.err.count("\n") == 1, self.err
        assert self.err.endswith("\n")
        for part in parts:
            assert part in self.err
