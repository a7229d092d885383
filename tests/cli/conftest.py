"""What the tests of the command line share."""

from __future__ import annotations

import pytest
from clikit import Caller


@pytest.fixture
def upscore(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Calls the command in this process."""
    monkeypatch.delenv("UPSCORE_DEBUG", raising=False)
    return Caller(capsys)
