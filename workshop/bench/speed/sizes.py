"""How reading grows with the picture and the board, how long inferring a turn takes, and Tesseract beside it all.

Pictures of the sample games are brought to each size and encoded as cameras do; a reading is timed from the bytes on.
The baseline is what one would write first: the board flattened by its corners, which it is given, and each square that
holds a tile, which it is answer, cut out and shown to Tesseract. Both are timed in the same run, so that their ratio
hardly depends on the machine.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytesseract

from engine import Board
from upscore.words.loader import load_lexicon
from vision import BoardNotFound, BoardReader, GameSettings, certain, load_image
from vision.images import Image, decode_image, encode_jpeg
from vision.turn.observe import hints_of
from vision.turn.steps import decide, take_look
from workshop.bench.data.program import say
from workshop.bench.data.truth import Record, Snapshot, games_in
from workshop.bench.record import Figures
from workshop.bench.speed.stages import STAGES

SIZES = {"720 lines": (960, 720), "1080 lines": (1440, 1080), "12 MP": (4000, 3000)}
"""Width and height, px, in the shape of photographs."""
PICTURES = 4
"""Of each game, spread over it."""
_TILE = 96
_CONFIG = "--psm 10 --oem 1 -c tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def time_sizes(folder: Path) -> Figures:
    """Return milliseconds of each stage by picture size, of a picture by board, of inferring a turn; the baseline."""
    reader = BoardReader(words=load_lexicon())
    games = list(games_in(folder))
    turns = [turn for game in games for turn in spread(game)]
    reader.read(load_image(turns[0].path)[0], turns[0].edition.size)  # loads the networks
    say(f"  timing {len(turns)} pictures of {len(SIZES)} sizes")
    return {
        "pictures": {name: _time_stages(reader, turns, size) for name, size in SIZES.items()},
        "boards": _by_board(reader, turns),
        "inference": _time_inference(reader, games),
        "tesseract": _baseline(reader, turns),
    }


def spread(game: Record) -> list[Snapshot]:
    """Return a few pictures of a game, the last among them."""
    return [game[at] for at in np.linspace(len(game) // 2, len(game) - 1, PICTURES).astype(int)]


def _time_stages(reader: BoardReader, turns: list[Snapshot], size: tuple[int, int]) -> Figures:
    """Return the median milliseconds of each stage, decoding first."""
    taken: dict[str, list[float]] = {}
    for turn in turns:
        data = encode_jpeg(_enlarge(load_image(turn.path)[0], size))
        began = time.perf_counter()
        image, _ = decode_image(data)
        decoded = time.perf_counter() - began
        try:
            reading = reader.read(image, turn.edition.size)
        except BoardNotFound:
            continue
        stages = {stage: reading.timings.get(stage, 0.0) for stage in STAGES}
        for stage, seconds in {"decoding": decoded, **stages, "all": decoded + reading.seconds}.items():
            taken.setdefault(stage, []).append(1000 * seconds)
    return {stage: statistics.median(times) for stage, times in taken.items()}


def _enlarge(image: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def _by_board(reader: BoardReader, turns: list[Snapshot]) -> Figures:
    """Return the median milliseconds of a picture as it is, by edition."""
    taken: dict[str, list[float]] = {}
    for turn in turns:
        image = load_image(turn.path)[0]
        reading = reader.read(image, turn.edition.size)
        taken.setdefault(turn.edition.name, []).append(1000 * reading.seconds)
    return {name: statistics.median(times) for name, times in taken.items()}


def _time_inference(reader: BoardReader, games: list[Record]) -> Figures:
    """Return milliseconds from a reading to the finding, over all turns; the table decides correctly after each."""
    taken: list[float] = []
    for game in games:
        belief = certain(Board.empty(game[0].edition.size))
        settings = GameSettings(game[0].edition, load_lexicon())
        for turn in game[1:]:
            reading = reader.read(load_image(turn.path)[0], turn.edition.size, hints=hints_of(belief))
            began = time.perf_counter()
            belief, _ = take_look(belief, reading, settings)
            taken.append(1000 * (time.perf_counter() - began))
            belief = decide(belief, turn.board, turn.play, shown=True)
    return {"turns": len(taken), "median ms": statistics.median(taken), "slowest ms": max(taken)}


def _baseline(reader: BoardReader, turns: list[Snapshot]) -> Figures | None:
    """Time Tesseract, tile by tile, beside reading, on the same pictures; None if it is not installed."""
    tiles = right = ours = 0
    theirs_ms, ours_ms = 0.0, 0.0
    for turn in turns:
        image = load_image(turn.path)[0]
        reading = reader.read(image, turn.edition.size)
        ours_ms += 1000 * reading.seconds
        letters = reading.letters()
        began = time.perf_counter()
        squares = _squares(image, np.asarray(reading.corners, dtype=np.float64), turn.edition.size)
        theirs_ms += 1000 * (time.perf_counter() - began)
        for row, col, face in _tiles(turn):
            began = time.perf_counter()
            try:
                answer = str(pytesseract.image_to_string(squares[row][col], config=_CONFIG)).strip()
            except pytesseract.TesseractNotFoundError:
                return None
            theirs_ms += 1000 * (time.perf_counter() - began)
            tiles += 1
            right += answer == face[0].upper()
            ours += letters[row][col] == face
    return {
        "tiles": tiles,
        "tesseract right": right,
        "right": ours,
        "tesseract ms": theirs_ms / len(turns),
        "ms": ours_ms / len(turns),
    }


def _tiles(turn: Snapshot) -> list[tuple[int, int, str]]:
    """Return row, column and top face of each square that holds a tile and can be seen."""
    tops = turn.board.tops()
    squares = [(cell["row"], cell["col"]) for cell in turn.in_view]
    return [(row, col, tops[row][col]) for row, col in squares if tops[row][col]]


def _squares(image: Image, corners: npt.NDArray[np.float64], size: int) -> list[list[Image]]:
    """Return the squares of the flattened board, by row and column."""
    side = float(size * _TILE)
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    flatten = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    flat = np.asarray(cv2.warpPerspective(image, flatten, (int(side), int(side))), dtype=np.uint8)
    cut = [_TILE * at for at in range(size)]
    return [[flat[row : row + _TILE, col : col + _TILE] for col in cut] for row in cut]
