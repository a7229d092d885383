"""Reading the board: from a photograph to probabilities, and from those to the play.

Import the nouns from here. Modules of vision import each other, not this face.

>>> from vision import BoardReader, load_image
>>> image, _ = load_image("sample_images/classic_8x8/01.jpg")
>>> reading = BoardReader().read(image, 8)
>>> reading.letters()[3][1:6], reading.heights().max().item()
(['B', 'A', 'T', 'I', 'K'], 1)
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engine.public_names import lazy_names

# after each product of arrays numpy's threads keep their cores busy for a while, and the networks wait for these
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if TYPE_CHECKING:
    from vision.board.grid_doubt import GridDoubt
    from vision.calibration_data import NO_CALIBRATION, CalibrationData
    from vision.decoding.decode import Image
    from vision.errors import BoardNotFound, ImageError, VideoError, VisionError
    from vision.geometry.camera import Camera
    from vision.geometry.lens import Lens
    from vision.images import load_image
    from vision.pipeline import BoardReader, Hints
    from vision.reading import BoardReading
    from vision.turn.belief import Belief, certain
    from vision.turn.finding import Finding, Kind, Outcome
    from vision.turn.look import Look
    from vision.turn.prior import GameSettings
    from vision.video.film import Video
    from vision.video.tracker import Tracker

__getattr__ = lazy_names(__name__)
