"""What holds for all tests of vision."""

from __future__ import annotations

import math

import pytest

from vision.board import localize


@pytest.fixture(autouse=True)
def _search_without_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no search for a board be given up for its time: a slow machine would find other boards than a quick one."""
    monkeypatch.setattr(localize, "_PARTS_TIME_S", math.inf)
    monkeypatch.setattr(localize, "_FITS_TIME_S", math.inf)
