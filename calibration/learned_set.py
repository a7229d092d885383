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
from vision.letters.templates import WELL_KNOWN

VERSION = 1
_DOUBT = 0.05
"""How probable it is, before a picture is looked at, that other tiles lie there, or that the sheet that taught a letter
was wrong: what was learned never makes surer than that. By eye."""
_KNOWS = 0.75
"""Share of a set's faces that the network must name rightly by itself to be believed as it is: of four sets of odd
typefaces it named 0.94 to 1.00, in the dark and under noise it names 0.87 of real ones and more; of two with broken
letters 0.37 and 0.42, and it was sure of wrong ones."""


def dump_lessons(lessons: Lessons) -> str:
    """What a game has taught as text."""
    document = {
        "version": VERSION, "turns": lessons.turns, "examples": lessons.examples, "named": lessons.named,
        "faces": None if lessons.faces is None else faces_json(lessons.faces),
    }  # fmt: skip
    return json.dumps(document, separators=(",", ":"))


def load_lessons(text: str) -> Lessons:
    """What `dump_lessons` wrote; raises ProfileError where it is damaged or another version's."""
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise ValueError(document["version"])
        faces = None if document["faces"] is None else faces_from(document["faces"])
        turns, examples, named = (int(document[key]) for key in ("turns", "examples", "named"))
        if not 0 <= named <= examples:
            raise ValueError(named)
        return Lessons(faces, (), turns, examples, named)
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        raise ProfileError(
            "What a game taught of your tiles is damaged: forget the tiles on the page of games."
        ) from None


def joined(games: Sequence[Lessons]) -> Lessons:
    """What several games with one set have taught together."""
    faces = [game.faces for game in games if game.faces is not None]
    return Lessons(
        join_templates(faces) if faces else None,
        (),
        sum(game.turns for game in games),
        sum(game.examples for game in games),
        sum(game.named for game in games),
    )


def learned_calibration(lessons: Lessons) -> CalibrationData:
    """What is known of a set's letters by what its games have taught, with a doubt left.

    Not its thickness: what single games have told of that removed no wrong height (docs/calibration.md).
    """
    if lessons.faces is None:
        return NO_CALIBRATION
    counts = np.where(lessons.faces.counts >= WELL_KNOWN, lessons.faces.counts, 0)
    named = (lessons.named + 1) / (lessons.examples + 1)
    believed = 1.0 if named >= _KNOWS else named
    return CalibrationData(faces=replace(lessons.faces, counts=counts, doubt=_DOUBT, named=believed))
