"""The eleven networks, by name."""

from __future__ import annotations

from workshop.training.fitting.train_boards import TASKS as BOARD_TASKS
from workshop.training.fitting.train_comparison import TASK as COMPARISON
from workshop.training.fitting.train_faces import CLOSE_TASK as CLOSE_FACES
from workshop.training.fitting.train_faces import LATIN_TASK as LATIN_FACES
from workshop.training.fitting.train_faces import TASK as FACES
from workshop.training.fitting.train_sizes import TASK as SIZES
from workshop.training.fitting.train_walls import TASK as WALLS

TASKS = BOARD_TASKS | {
    "faces": FACES,
    "close_faces": CLOSE_FACES,
    "latin_faces": LATIN_FACES,
    "sizes": SIZES,
    "walls": WALLS,
    "comparison": COMPARISON,
}
"""What each network is, and how it is trained."""
