from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# machines that also serve a table are slow now and then: time is measured in bench/, not here
settings.register_profile("upscore", deadline=None)
settings.load_profile("upscore")

HERE = Path(__file__).parent
SLOW = (
    "accuracy",
    "browser",
    "campaigns",
    "test_packaging.py",
    "training",
    "vision/test_localize.py",
    "vision/test_tracker.py",
    "webui/test_webui_real_photographs.py",
    "webui/test_webui_server.py",
)
"""What `./test --quick` leaves out: browsers, campaigns, films, whole games of photographs, servers and wheels. They
take two thirds of all the time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of `SLOW`."""
    slow = [HERE / name for name in SLOW]
    gone = [str(path) for path in slow if not path.exists()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py calls slow what is not there: {', '.join(gone)}")
    for item in items:
        if any(path == item.path or path in item.path.parents for path in slow):
            item.add_marker("slow")
