"""What holds for all tests of vision."""

from __future__ import annotations

import math
from functools import partial

import pytest

from vision.board import localize
from vision.board.localize import SearchTime


@pytest.fixture(autouse=True)
def _search_without_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give no search for a board a time limit, so that slow and fast machines find the same boards."""
    monkeypatch.setattr(localize, "SearchTime", partial(SearchTime, parts_s=math.inf, fits_s=math.inf))
