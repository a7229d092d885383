"""Write beliefs as JSON data and read equal ones back. They are stored with the game."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine import Play, UpscoreError, format_play, parse_play
from engine.formats.game_json import parse_stacks, stacks_json
from vision.errors import BeliefError
from vision.geometry.camera import Camera
from vision.heights.thickness import THICKNESSES
from vision.hidden.bare_squares import BareSquares
from vision.turn.belief import Belief, Knowledge, Reference
from vision.turn.look import Look
from vision.turn.prior import Gap, Pace
from vision.turn.story import CertainBoard, Event, Story

VERSION = 1
_MAX_COUNT = 10_000
"""More pictures than any game has."""
_MAX_UNPACKED = 16 * 2**20
"""Bytes that a part may have unpacked. [by eye]"""


def dump_belief(belief: Belief) -> dict[str, Any]:
    """Return a belief as JSON data."""
    reference, bare = belief.reference, belief.knowledge.bare
    return {
        "version": VERSION,
        "board": stacks_json(belief.start.board),
        "last": _dump_event(belief.start.last_play),
        "entered": [[_dump_event(event), at] for event, at in belief.entered],
        "looks": [_dump_look(look) for look in belief.looks],
        "gaps": [_dump_gap(gap) for gap in (*belief.gaps, belief.gap)],
        "answered": _dump_gap(belief.answered),
        "stories": [[_dump_event(event) for event in story.events] for story in belief.stories],
        "reference": None if reference is None else [stacks_json(reference.board), _dump_look(reference.look)],
        "layers": list(belief.knowledge.thickness_weights),
        "camera": _dump_camera(belief.knowledge.camera),
        "typed": _dump_event(belief.typed),
        "to_lift": _dump_event(belief.to_lift),
        "bare": None if bare is None else [bare.size, _dump_bytes(bare.data)],
        "other_set": belief.knowledge.other_set,
        "pace": [belief.knowledge.pace.pictures, belief.knowledge.pace.missed],
    }


def load_belief(data: object) -> Belief:
    """Read the belief that `dump_belief` wrote. Raises BeliefError for another version, and for damaged data."""
    if not isinstance(data, Mapping):
        raise BeliefError("What was believed of this game is damaged: it starts anew from the sheet.")
    if data.get("version") != VERSION:
        raise BeliefError("What was believed of this game was kept by another version: it starts anew from the sheet.")
    try:
        belief = _load(data)
        _check(belief)
    except _DAMAGED:
        raise BeliefError("What was believed of this game is damaged: it starts anew from the sheet.") from None
    return belief


_DAMAGED = (
    *(AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError),
    *(binascii.Error, zlib.error, UpscoreError),
)


def _check(belief: Belief) -> None:
    """Raise ValueError or an UpscoreError if the parts do not fit together."""
    size, knowledge = belief.start.board.size, belief.knowledge
    for story in (*belief.stories, Story(belief.events)):
        story.board(belief.start)
    belief.board_with_tiles_to_lift()
    for look in belief.looks:
        look.check(size)
    if belief.reference is not None:
        belief.reference.look.check(size)
        if belief.reference.board.size != size:
            raise ValueError("a reference of another board")
    if knowledge.bare is not None:
        knowledge.bare.check(size)
    if not belief.stories or len(belief.gaps) != len(belief.looks):
        raise ValueError("parts are missing")
    if any(
        not 0 <= count < _MAX_COUNT
        for gap in (*belief.gaps, belief.gap, belief.answered)
        for count in (gap.unseen, gap.merged, gap.passed)
    ):
        raise ValueError("gaps that cannot be")
    if not (0 <= knowledge.pace.pictures < _MAX_COUNT and 0 <= knowledge.pace.missed < _MAX_COUNT):
        raise ValueError("a pace that cannot be")
    if any(not 0 <= at < len(belief.looks) for _, at in belief.entered):
        raise ValueError("entered by a look that is not kept")
    if (
        len(knowledge.thickness_weights) not in (0, len(THICKNESSES))
        or not np.isfinite(knowledge.thickness_weights).all()
    ):
        raise ValueError("no weights of thicknesses")


def _load(data: Mapping[str, Any]) -> Belief:
    gaps = tuple(_load_gap(*gap) for gap in data["gaps"])
    stored, bare = data["reference"], data.get("bare")
    return Belief(
        start=CertainBoard(parse_stacks(data["board"]), _load_event(data["last"])),
        entered=tuple((_load_event(event), int(at)) for event, at in data["entered"]),
        looks=tuple(map(_load_look, data["looks"])),
        gaps=gaps[:-1],
        gap=gaps[-1],
        answered=_load_gap(*data.get("answered", (False, 0, 0))),
        stories=tuple(Story(tuple(_load_event(event) for event in story)) for story in data["stories"]),
        reference=None if stored is None else Reference(parse_stacks(stored[0]), _load_look(stored[1])),
        knowledge=Knowledge(
            tuple(float(weight) for weight in data["layers"]),
            _load_camera(data["camera"]),
            None if bare is None else BareSquares(int(bare[0]), _load_bytes(bare[1])),
            bool(data.get("other_set", False)),
            Pace(*(int(count) for count in data.get("pace", (0, 0)))),
        ),
        typed=_load_event(data.get("typed")),
        to_lift=_load_event(data.get("to_lift")),
    )


def _dump_gap(gap: Gap) -> list[int]:
    return [gap.open, gap.unseen, gap.merged, gap.passed]


def _load_gap(is_open: Any, count: Any, merged: Any, passed: Any = 0) -> Gap:
    """Return a gap; those kept by earlier versions do not say whether a pass was entered in them."""
    return Gap(bool(is_open), int(count), int(merged), int(passed))


def _dump_event(event: Event) -> str | None:
    return None if event is None else format_play(event)


def _load_event(text: str | None) -> Play | None:
    return None if text is None else parse_play(text)


def _dump_look(look: Look) -> list[Any]:
    return [look.size, _dump_bytes(look.data), _dump_bytes(look.layered)]


def _load_look(data: list[Any]) -> Look:
    """Return a look; those kept by earlier versions do not tell thicknesses apart."""
    return Look(int(data[0]), *map(_load_bytes, data[1:]))


def _dump_bytes(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def _load_bytes(text: str) -> bytes:
    # a belief may come with a stranger's report, packed to grow to any size
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(base64.b64decode(text, validate=True), _MAX_UNPACKED)
    if not unpacking.eof:
        raise ValueError("cut off, or too large")
    return data


def _dump_camera(camera: Camera | None) -> dict[str, Any] | None:
    if camera is None:
        return None
    return {
        "focal": camera.focal, "centre": list(camera.centre), "k1": camera.k1, "aspect": camera.aspect,
        "stretch": camera.stretch, "cropped": camera.cropped,
        "rotation": camera.rotation.tolist(), "translation": camera.translation.tolist(),
    }  # fmt: skip


def _load_camera(data: Mapping[str, Any] | None) -> Camera | None:
    if data is None:
        return None
    rotation = np.asarray(data["rotation"], dtype=np.float64).reshape(3, 3)
    translation = np.asarray(data["translation"], dtype=np.float64).reshape(3)
    centre = (float(data["centre"][0]), float(data["centre"][1]))
    return Camera(
        float(data["focal"]),
        centre,
        float(data["k1"]),
        rotation,
        translation,
        float(data["aspect"]),
        float(data.get("stretch", 1.0)),
        bool(data.get("cropped", False)),
    )
