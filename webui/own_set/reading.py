"""What settled turns teach of a set, and what is known by it when the next picture is read."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from calibration.errors import ProfileError
from calibration.learned_set import dump_lessons, joined, learned_calibration, load_lessons
from calibration.lessons import ENOUGH, Lessons, shows
from vision.calibration_data import CalibrationData
from vision.errors import BoardNotFound
from vision.pipeline import BoardReader, Known
from webui.ports import SettledTurn

_LOG = logging.getLogger(__name__)


def known_set(lessons: Sequence[str]) -> CalibrationData:
    """What games have taught of a set; what is damaged of it is left out, and said."""
    return learned_calibration(joined(_loaded(lessons)))


def taught(reader: BoardReader, turns: Iterable[SettledTurn], known: Sequence[str]) -> str | None:
    """What a game's settled turns teach of its tiles; None where that is too little, or they are other tiles.

    `reader` knows nothing of the set, so that nothing confirms itself; `known` is what earlier games have taught.
    """
    lessons = Lessons()
    for turn in turns:
        lessons = _after(lessons, reader, turn)
    before = joined(_loaded(known)).faces
    if lessons.faces is None or lessons.examples < ENOUGH:
        return None
    other = before is not None and lessons.faces.is_other_than(before)
    return None if other else dump_lessons(lessons)


def _after(lessons: Lessons, reader: BoardReader, turn: SettledTurn) -> Lessons:
    try:
        reading = reader.read(turn.image, turn.board.size, known=Known(board=turn.board))
    except BoardNotFound:
        return lessons
    if not shows(reading, turn.board):
        return lessons
    return lessons.shown(turn.image, reading, turn.board, turn.untaught)


def _loaded(lessons: Sequence[str]) -> list[Lessons]:
    loaded = []
    for text in lessons:
        try:
            loaded.append(load_lessons(text))
        except ProfileError as error:
            _LOG.warning("%s", error)
    return loaded
