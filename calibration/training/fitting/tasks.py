"""The five networks, by name."""

from __future__ import annotations

from calibration.training.fitting.train_boards import TASKS as BOARD_TASKS
from calibration.training.fitting.train_faces import TASK as FACES
from calibration.training.fitting.train_sizes import TASK as SIZES

TASKS = BOARD_TASKS | {"faces": FACES, "sizes": SIZES}
"""What each network is, and how it is trained."""
