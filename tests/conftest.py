from __future__ import annotations

import os
import shutil
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import settings

# machines that also serve a table are slow now and then: time is measured in bench/, not here
settings.register_profile("upscore", deadline=None)
settings.load_profile("upscore")

# every store asks the disk to keep each entry, and a test asks for some twenty: in memory nobody waits for that
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 1 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

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
    slow = {HERE / name for name in SLOW}
    gone = [str(path) for path in slow if not path.exists()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py calls slow what is not there: {', '.join(gone)}")
    for path, of_file in groupby(items, key=lambda item: item.path):
        if not slow.isdisjoint((path, *path.parents)):
            for item in of_file:
                item.add_marker("slow")
