"""Errors between a picture and a reading."""

from __future__ import annotations

from engine import UpscoreError


class VisionError(UpscoreError):
    """Base of the errors raised by the vision package."""


class ImageError(VisionError):
    """The file or the bytes are not a picture that can be used."""


class BoardNotFound(VisionError):
    """No board could be located in the picture."""


class WeightsError(VisionError):
    """A network's weights are missing or do not fit this version."""


class VideoError(VisionError):
    """A video could not be opened or ended before its first frame."""


class BeliefError(UpscoreError):
    """The stored belief of a game cannot be used."""
