"""What can go wrong with calibrations and their profiles."""

from __future__ import annotations

from engine import UpscoreError


class CalibrationError(UpscoreError):
    """The pictures do not make a calibration that can be trusted."""


class ProfileError(UpscoreError):
    """A profile cannot be read, written or used here."""
