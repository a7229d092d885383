from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# machines that also serve a table are slow now and then: time is measured in bench/, not here. What is drawn is the
# same each time: campaigns draw at random
settings.register_profile("upscore", deadline=None, derandomize=True)
settings.load_profile("upscore")

# every store asks the disk to keep each entry, and a test asks for some twenty: in memory nobody waits for that
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 1 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

HERE = Path(__file__).parent
SLOW = (
    "accuracy",
    "browser",
    "calibration/test_intrinsics.py::test_the_lens_of_rendered_photographs",
    "campaigns",
    "cli/test_cli_serving.py::test_a_family_leaves_words_out_of_play_and_of_meanings",
    "lexicon/test_word_lists.py::test_most_words_have_a_meaning",
    "test_packaging.py",
    "training",
    "vision/test_chequered.py::test_a_chess_board_is_refused_as_one",
    "vision/test_lattice_search.py::test_a_board_of_another_edition_is_refused",
    "vision/test_localize.py",
    "vision/test_stack_heights.py::test_a_grid_askew_lifts_all_faces_alike",
    "vision/test_stack_heights.py::test_heights_and_thickness_are_found_together",
    "vision/test_tracker.py",
    "vision/turn/test_turn_belief.py::test_the_same_looks_and_decisions_give_the_same_belief",
    "vision/turn/test_turn_withdrawn.py::test_no_look_enters_tiles_that_were_not_lifted",
    "webui/test_webui_real_photographs.py",
    "webui/test_webui_server.py",
)
"""What `./test --quick` leaves out: browsers, campaigns, films, whole games of photographs, servers, wheels, and single
tests of one to three seconds. They take two thirds of all the time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of `SLOW`."""
    if gone := [name for name in SLOW if not _is_there(*name.split("::"))]:
        raise pytest.UsageError(f"tests/conftest.py calls slow what is not there: {', '.join(gone)}")
    slow = re.compile(rf"tests/({'|'.join(map(re.escape, SLOW))})(?=[/:[]|$)")
    for item in items:
        if slow.match(item.nodeid):
            item.add_marker("slow")


def _is_there(path: str, test: str = "") -> bool:
    place = HERE / path
    return place.exists() and (not test or f"def {test}(" in place.read_text(encoding="utf-8"))
