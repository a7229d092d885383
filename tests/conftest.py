from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# machines that also serve a table are slow now and then: workshop/bench measures time, not these tests. Examples are
# the same each time; campaigns use random ones
settings.register_profile("full", deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("full"), max_examples=10)

# every store asks the disk to keep each entry, and a test asks for some twenty: in memory nobody waits for that
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 1 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_configure(config: pytest.Config) -> None:
    """Draw fewer examples where the slow tests are left out too."""
    settings.load_profile("quick" if config.option.markexpr == "not slow" else "full")
