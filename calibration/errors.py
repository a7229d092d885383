"""The errors of calibrations and their profiles."""

from __future__ import annotations

from engine import UpscoreError


class CalibrationError(UpscoreError):
    """Pictures or measurements that give no calibration to trust."""


class ProfileError(UpscoreError):
    """A profile that can't be read, written or used here."""
