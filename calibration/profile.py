"""Profiles: the calibration of a camera, of a set of tiles, or of both, in one file.

A file is JSON with a version; arrays of any size are base64 of little-endian float16. It is written whole or not at
all.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibration.errors import ProfileError
from engine import ENGLISH, FACES, Alphabet, Edition
from engine.editions import edition_data, edition_from_data
from engine.errors import UpscoreError
from engine.faces import alphabetical
from vision import CalibrationData, Lens
from vision.arrays import Floats
from vision.atomic_file import write_atomically
from vision.heights.thickness import THICKNESSES
from vision.letters.templates import SIDE, SetFaces

VERSION = 1
_KIND = "upscore profile"
_MAX_BYTES = 4 << 20
"""Largest size of a profile file, in bytes. [by eye]"""
_STORED_TYPE = np.dtype("<f2")


@dataclass(frozen=True)
class Tiles:
    """A calibrated set: its letters, and log weights (m,) of the thicknesses in THICKNESSES, each None if unknown."""

    edition: Edition
    faces: SetFaces | None
    thickness: Floats | None


@dataclass(frozen=True)
class Profile:
    """A camera, a set of tiles, or both."""

    lens: Lens | None = None
    tiles: Tiles | None = None

    def calibration(self) -> CalibrationData:
        """Return the calibration for the reader of pictures."""
        if self.tiles is None:
            return CalibrationData(lens=self.lens)
        return CalibrationData(self.lens, self.tiles.faces, self.tiles.thickness)

    def calibration_for(self, edition: Edition) -> CalibrationData:
        """Return the calibration for an edition; raise ProfileError if the tiles are those of another."""
        if self.tiles is not None and self.tiles.edition != edition:
            raise ProfileError(
                f"The profile holds the tiles of edition {self.tiles.edition.name}, not {edition.name}: give that "
                "edition, or a profile of this one."
            )
        return self.calibration()


def save_profile(profile: Profile, path: Path) -> None:
    """Write a profile; a file already there stays intact until the new one is whole. Raise ProfileError."""
    try:
        write_atomically(path, json.dumps(_to_json(profile), indent=1).encode())
    except OSError as error:
        raise ProfileError(
            f"The profile {path} cannot be written ({error.strerror}): make room, or give another name."
        ) from None


def load_profile(path: Path) -> Profile:
    """Read a profile from a file; raise ProfileError with one line that says what to do."""
    try:
        if path.is_file() and path.stat().st_size > _MAX_BYTES:
            raise ProfileError(f"{path} isn't a profile: give a file that 'upscore calibrate' wrote.")
        data = path.read_bytes()
    except FileNotFoundError:
        raise ProfileError(
            f"There is no profile {path}: check the name, or make it with 'upscore calibrate'."
        ) from None
    except OSError as error:
        raise ProfileError(f"The profile {path} cannot be read ({error.strerror}): check the name.") from None
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        cut = data.lstrip()[:1] == b"{" and _KIND.encode() in data[:200]
        why = "is cut off or damaged: calibrate again" if cut else "isn't a profile: give a file of 'upscore calibrate'"
        raise ProfileError(f"{path} {why}.") from None
    return _from_json(document, path)


def _to_json(profile: Profile) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": _KIND, "version": VERSION}
    if profile.lens is not None:
        lens = profile.lens
        document["camera"] = {
            "size": list(lens.size_wh),
            "focal": lens.focal,
            "centre": list(lens.centre),
            "k1": lens.k1,
            "stretch": lens.stretch,
        }
    if profile.tiles is not None:
        tiles = profile.tiles
        document["tiles"] = {"edition": edition_data(tiles.edition)}
        if tiles.faces is not None:
            document["tiles"] |= faces_json(tiles.faces)
        if tiles.thickness is not None:
            document["tiles"]["layers"] = {
                "thickness": np.round(THICKNESSES, 5).tolist(),
                "log_weight": np.round(tiles.thickness, 4).tolist(),
            }
    return document


def faces_json(faces: SetFaces) -> dict[str, Any]:
    """Return the letters of a set as JSON data."""
    counts = dict(zip(faces.alphabet.faces, faces.counts.tolist(), strict=True))
    templates = base64.b64encode(faces.templates.astype(_STORED_TYPE).tobytes()).decode("ascii")
    return {"counts": counts, "side": SIDE, "templates": templates}


def faces_from(document: Any) -> SetFaces:
    """Read the letters that `faces_json` wrote; raise KeyError, TypeError or ValueError if they are damaged."""
    if document["side"] != SIDE:
        raise ValueError(document["side"])
    alphabet = (
        ENGLISH
        if set(document["counts"]) == set(FACES)
        else Alphabet(tuple(sorted(document["counts"], key=alphabetical)))
    )
    counts = np.array([int(document["counts"][face]) for face in alphabet.faces], dtype=np.int64)
    data = base64.b64decode(document["templates"], validate=True)  # binascii.Error is a ValueError
    templates = np.frombuffer(data, dtype=_STORED_TYPE).reshape(len(alphabet), SIDE, SIDE).astype(np.float64)
    if not np.isfinite(templates).all():
        raise ValueError("a template is not finite")
    return SetFaces(templates, np.maximum(counts, 0), alphabet=alphabet)


def _from_json(document: Any, path: Path) -> Profile:
    if not isinstance(document, dict) or document.get("kind") != _KIND:
        raise ProfileError(f"{path} isn't a profile: give a file that 'upscore calibrate' wrote.")
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ProfileError(f"{path} was written by a newer Upscore: install that, or calibrate again.")
    try:
        if version != VERSION:
            raise ValueError(version)
        lens = _lens(document["camera"]) if "camera" in document else None
        tiles = _tiles(document["tiles"]) if "tiles" in document else None
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, UpscoreError):
        raise ProfileError(f"{path} is damaged: calibrate again.") from None
    return Profile(lens, tiles)


def _lens(document: dict[str, Any]) -> Lens:
    width, height = (int(side) for side in document["size"])
    cx, cy = (float(value) for value in document["centre"])
    stretch = float(document.get("stretch", 1.0))
    lens = Lens(float(document["focal"]), (cx, cy), float(document["k1"]), (width, height), stretch)
    longer = max(width, height)
    inside = -width < cx < 2 * width and -height < cy < 2 * height
    if min(width, height) < 1 or not (
        0.1 * longer < lens.focal < 100 * longer and abs(lens.k1) < 2 and 0.1 < stretch < 10 and inside
    ):
        raise ValueError(document)
    return lens


def _tiles(document: dict[str, Any]) -> Tiles:
    edition = edition_from_data(document["edition"])
    faces = thickness = None
    if "templates" in document:
        faces = faces_from(document)
    if "layers" in document:
        values = np.array([float(value) for value in document["layers"]["thickness"]])
        logs = np.array([float(value) for value in document["layers"]["log_weight"]])
        if len(values) != len(logs) or len(logs) < 2 or not np.isfinite([values, logs]).all():
            raise ValueError(len(logs))
        thickness = np.interp(THICKNESSES, values, logs)
    return Tiles(edition, faces, thickness)
