"""What can be wrong with a call of the command."""

from __future__ import annotations

from engine.errors import UpscoreError


class UsageError(UpscoreError):
    """The words of the call are off, or what they name cannot be used."""


class OutputError(UpscoreError):
    """A file that was asked for cannot be written."""
