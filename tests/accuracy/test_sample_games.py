"""How well the sample games are read. The floors lie a little under what docs/accuracy.md has measured."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sample_images
from engine.board import Board
from engine.editions import edition_named
from upscore.commands.replay.unattended import first_look, next_look
from upscore.words.loader import load_lexicon
from vision.errors import BoardNotFound
from vision.images import Image, load_image
from vision.pipeline import BoardReader
from vision.reading import BoardReading
from vision.turn.context import Context

GAMES = ("classic_8x8", "blue_10x10")
HIDDEN = 0.3
"""Share of a face from which it counts as hidden."""


@dataclass
class Tally:
    """Counts over a game's photographs, each read on its own."""

    images: int = 0
    found: int = 0
    turned: int = 0
    tiles: int = 0
    letters: int = 0
    heights: int = 0
    empties: int = 0
    false: int = 0
    sure: int = 0
    sure_wrong: int = 0


def photographs(game: str) -> list[tuple[Image, dict[str, Any]]]:
    folder = Path(sample_images.__file__).parent / game
    return [
        (load_image(p)[0], json.loads(p.with_suffix(".json").read_text()))
        for p in sorted(folder.glob("*.jpg"))
    ]


def count(tally: Tally, reading: BoardReading, truth: dict[str, Any]) -> None:
    corners = np.array(truth["grid_corners"])
    side = float(np.linalg.norm(corners[1] - corners[0])) / reading.size
    gaps = [
        float(np.linalg.norm(np.roll(reading.corners, k, axis=0) - corners, axis=1).mean()) for k in range(4)
    ]
    tally.found += min(gaps) < 0.25 * side
    bare = not any(cell["height"] for cell in truth["cells"])
    tally.turned += bare or gaps[0] == min(gaps)
    letters, heights, confidence = reading.letters(), reading.heights(), reading.confidence()
    for cell in truth["cells"]:
        if cell["hand"] > HIDDEN or cell["occluded"] > HIDDEN:
            continue
        row, col = cell["row"], cell["col"]
        letter_right = letters[row][col] == (cell["top"] or "")
        height_right = int(heights[row, col]) == cell["height"]
        if cell["height"]:
            tally.tiles += 1
            tally.letters += letter_right
            tally.heights += height_right
        else:
            tally.empties += 1
            tally.false += not height_right
        if confidence[row, col] >= 0.95:
            tally.sure += 1
            tally.sure_wrong += not (letter_right and height_right)


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    return BoardReader(words=load_lexicon(), second_opinion=False)


@pytest.mark.parametrize("game", GAMES)
def test_photographs_read_on_their_own(game: str, reader: BoardReader) -> None:
    tally = Tally()
    for image, truth in photographs(game):
        if sum(cell["hand"] > HIDDEN for cell in truth["cells"]) > len(truth["cells"]) / 3:
            continue
        tally.images += 1
        try:
            count(tally, reader.read(image, truth["edition"]), truth)
        except BoardNotFound:
            continue
    assert tally.found >= 0.97 * tally.images
    assert tally.turned >= 0.97 * tally.images
    assert tally.letters >= 0.99 * tally.tiles
    assert tally.heights >= 0.88 * tally.tiles
    assert tally.false <= 0.002 * tally.empties
    assert tally.sure_wrong <= 0.003 * tally.sure


@pytest.mark.parametrize("game", GAMES)
def test_turns_are_right_or_asked_about(game: str, reader: BoardReader) -> None:
    shots = photographs(game)
    edition = edition_named(f"{shots[0][1]['edition']}x{shots[0][1]['edition']}")
    context = Context(edition, load_lexicon())
    belief, _ = first_look(reader, Board.empty(edition.size), shots[0][0], context)
    right, wrong_in_silence = 0, []
    for image, truth in shots[1:]:
        belief, seen = next_look(reader, belief, image, context)
        move = {(m["row"], m["col"]): m["letter"] for m in truth["move"]}
        tiles = seen.finding.play.tiles if seen.finding.play is not None else ()
        exact = {(t.square.row, t.square.col): t.face for t in tiles} == move
        right += exact and not seen.finding.needs_review
        if not exact and not seen.finding.needs_review:
            wrong_in_silence.append(truth["image"])
    assert wrong_in_silence == []
    assert right >= 0.8 * (len(shots) - 1)
