"""How many errors a set's own profile removes, on three sets that are hard to read.

What calibration can know is learned from the first half of a game as `upscore calibrate tiles --from-game` does it; the
second half is then read, each picture on its own, without and with it. The thickness that a ruler would give and the
camera's lens are tried, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from calibration.lessons import Lessons, thickness_from_stack
from engine import Board
from upscore.commands.replay.command import first_look, next_look
from upscore.words.loader import load_lexicon
from vision import BoardNotFound, BoardReader, BoardReading, CalibrationData, GameSettings, Lens, load_image
from workshop.bench.data.program import say
from workshop.bench.data.truth import Record, Snapshot, game_in
from workshop.bench.reading.alone import mean_gaps
from workshop.bench.record import Figures

HARD = ("dev04", "dev09", "dev12")
VARIANTS = (
    "nothing",
    "the letters",
    "the letters and the thickness",
    "ruler and lens",
    "the letters, the thickness, and the lens",
)
_NEAR = 0.25
"""Squares by which the corners may be off in a reading that counts. [by eye]"""


def profile(folder: Path) -> Figures:
    """Return the tiles in view of the three sets, and wrong letters and heights, for each kind of prior knowledge."""
    total: dict[str, Counter[str]] = {}
    for name in HARD:
        say(f"  {name}")
        for known, tally in _compare(game_in(folder / name)).items():
            total[known] = total.get(known, Counter()) + tally
    return {known: {part: total[known][part] for part in ("tiles", "letters", "heights")} for known in VARIANTS}


def lessons_of(game: Record) -> Lessons:
    """Return the lessons of a replay of the game."""
    edition, words = game[0].edition, load_lexicon()
    reader = BoardReader(words=words, without={"tesseract"})
    settings, lessons = GameSettings(edition, words), Lessons()
    belief, _ = first_look(reader, Board.empty(edition.size), load_image(game[0].path)[0], settings)
    for turn in game[1:]:
        image, _ = load_image(turn.path)
        belief, finding = next_look(reader, belief, image, settings)
        lessons = lessons.after(image, finding, belief.board)
    return lessons


def variants(lessons: Lessons, turn: Snapshot) -> Iterator[tuple[str, CalibrationData]]:
    """Yield each kind of prior knowledge of the set and the camera."""
    truth, size = turn.truth, turn.edition.size
    ruler = thickness_from_stack(5 * truth["layer_cm"], size * truth["pitch_cm"], size)
    matrix = truth["K"]
    lens = Lens(matrix[0][0], (matrix[0][2], matrix[1][2]), truth["dist"][0], (truth["width"], truth["height"]))
    known = (
        CalibrationData(),
        CalibrationData(faces=lessons.faces),
        CalibrationData(faces=lessons.faces, thickness=lessons.thickness()),
        CalibrationData(lens=lens, thickness=ruler),
        CalibrationData(lens, lessons.faces, lessons.thickness()),
    )
    return zip(VARIANTS, known, strict=True)


def errors(reading: BoardReading, turn: Snapshot) -> Counter[str]:
    """Return tiles in view of a reading, and how many of their letters and heights are wrong."""
    letters, heights, tally = reading.letters(), reading.heights(), Counter[str]()
    for cell in turn.in_view:
        row, col = cell["row"], cell["col"]
        if cell["height"]:
            tally["tiles"] += 1
            tally["letters"] += letters[row][col] != cell["top"]
            tally["heights"] += int(heights[row, col]) != cell["height"]
    return tally


def _compare(game: Record) -> dict[str, Counter[str]]:
    """Return the errors in the second half of a game, for each kind of prior knowledge."""
    half = len(game) // 2
    lessons = lessons_of(game[:half])
    found: dict[str, Counter[str]] = {}
    for turn in game[half:]:
        each = {name: _try_turn(turn, known) for name, known in variants(lessons, turn)}
        if all(tally is not None for tally in each.values()):
            for name, tally in each.items():
                found[name] = found.get(name, Counter()) + (tally or Counter())
    return found


def _try_turn(turn: Snapshot, calibration: CalibrationData) -> Counter[str] | None:
    """Return the errors of a reading, None if the board was not found in its place."""
    image, scale = load_image(turn.path)
    try:
        reading = BoardReader(without={"tesseract"}, calibration=calibration).read(image, turn.edition.size)
    except BoardNotFound:
        return None
    corners = ((reading.corners + 0.5) / scale - 0.5).tolist()
    right_way_up = mean_gaps(corners, turn.truth["grid_corners"], turn.edition.size)[0]
    return errors(reading, turn) if right_way_up < _NEAR else None
