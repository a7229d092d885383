"""What holds for all tests of vision."""

from __future__ import annotations

import math
from functools import partial

import pytest

from vision.board import localize
from vision.board.localize import SearchTime


@pytest.fixture(autouse=True)
def _search_without_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no search for a board be given up for its time: a slow machine would find other boards than a quick one."""
    monkeypatch.setattr(localize, "SearchTime", partial(SearchTime, parts_s=math.inf, fits_s=math.inf))
