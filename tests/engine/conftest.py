"""Settings for the engine's property tests: no deadlines, which would make a test of the machine's load."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("upscore", deadline=None)
settings.load_profile("upscore")
