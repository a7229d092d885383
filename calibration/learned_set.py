"""What games have taught of a family's set: kept as a text a game, and joined for the games to come."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.errors import ProfileError
from calibration.lessons import Lessons
from calibration.profile import faces_from, faces_json
from calibration.template_learning import join_templates
from vision.calibration_data import NO_CALIBRATION, CalibrationData
from vision.letters.templates import WELL_KNOWN, SetFaces

VERSION = 1
_DOUBT = 0.05
"""How probable it is, before a picture is looked at, that other tiles lie there, or that the sheet that taught a letter
was wrong: what was learned never makes surer than that. By eye."""


def dump_lessons(lessons: Lessons) -> str:
    """What a game has taught as text."""
    document = {
        "version": VERSION, "turns": lessons.turns, "examples": lessons.examples,
        "thicknesses": [round(value, 5) for value in lessons.thicknesses],
        "faces": None if lessons.faces is None else faces_json(lessons.faces),
    }  # fmt: skip
    return json.dumps(document, separators=(",", ":"))


def load_lessons(text: str) -> Lessons:
    """What `dump_lessons` wrote; raises ProfileError where it is damaged or another version's."""
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise ValueError(document["version"])
        thicknesses = tuple(float(value) for value in document["thicknesses"])
        if not (np.isfinite(thicknesses).all() and all(value > 0 for value in thicknesses)):
            raise ValueError("no thicknesses")
        faces = None if document["faces"] is None else faces_from(document["faces"])
        return Lessons(faces, thicknesses, int(document["turns"]), int(document["examples"]))
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        raise ProfileError(
            "What a game taught of your tiles is damaged: forget the tiles on the page of games."
        ) from None


def joined(games: Sequence[Lessons]) -> Lessons:
    """What several games with one set have taught together."""
    faces = [game.faces for game in games if game.faces is not None]
    return Lessons(
        join_templates(faces) if faces else None,
        tuple(value for game in games for value in game.thicknesses),
        sum(game.turns for game in games),
        sum(game.examples for game in games),
    )


def learned_calibration(lessons: Lessons) -> CalibrationData:
    """What is known of a set's letters and thickness by what its games have taught, with a doubt left."""
    thickness = lessons.thickness()
    if thickness is not None:
        thickness = np.logaddexp(thickness, np.log(_DOUBT / (1.0 - _DOUBT)))
    faces = None if lessons.faces is None else _well_known(lessons.faces)
    return CalibrationData(faces=faces, thickness=thickness) if lessons.examples else NO_CALIBRATION


def _well_known(faces: SetFaces) -> SetFaces:
    counts = np.where(faces.counts >= WELL_KNOWN, faces.counts, 0)
    return replace(faces, counts=counts, doubt=_DOUBT)
