"""Reading the board: from a photograph to probabilities, and from those to the play.

Import the nouns from here. Modules of vision import each other, not this face.

>>> from vision import BoardReader, load_image
>>> image, _ = load_image("sample_images/classic_8x8/01.jpg")
>>> reading = BoardReader().read(image, 8)
>>> reading.letters()[3][1:6], reading.heights().max().item()
(['B', 'A', 'T', 'I', 'K'], 1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.public_names import lazy_names

if TYPE_CHECKING:
    from vision.board.grid_doubt import GridDoubt as GridDoubt
    from vision.calibration_data import NO_CALIBRATION as NO_CALIBRATION
    from vision.calibration_data import CalibrationData as CalibrationData
    from vision.decoding.decode import Image as Image
    from vision.errors import BoardNotFound as BoardNotFound
    from vision.errors import ImageError as ImageError
    from vision.errors import VideoError as VideoError
    from vision.errors import VisionError as VisionError
    from vision.geometry.camera import Camera as Camera
    from vision.geometry.lens import Lens as Lens
    from vision.images import load_image as load_image
    from vision.pipeline import BoardReader as BoardReader
    from vision.pipeline import Hints as Hints
    from vision.reading import BoardReading as BoardReading
    from vision.turn.belief import Belief as Belief
    from vision.turn.belief import certain as certain
    from vision.turn.finding import Finding as Finding
    from vision.turn.finding import Kind as Kind
    from vision.turn.finding import Outcome as Outcome
    from vision.turn.look import Look as Look
    from vision.turn.prior import GameSettings as GameSettings
    from vision.video.film import Video as Video
    from vision.video.tracker import Tracker as Tracker

_HOMES = {
    "Belief": "vision.turn.belief",
    "BoardNotFound": "vision.errors",
    "BoardReader": "vision.pipeline",
    "BoardReading": "vision.reading",
    "CalibrationData": "vision.calibration_data",
    "Camera": "vision.geometry.camera",
    "Finding": "vision.turn.finding",
    "GameSettings": "vision.turn.prior",
    "GridDoubt": "vision.board.grid_doubt",
    "Image": "vision.decoding.decode",
    "ImageError": "vision.errors",
    "Kind": "vision.turn.finding",
    "Hints": "vision.pipeline",
    "Lens": "vision.geometry.lens",
    "Look": "vision.turn.look",
    "NO_CALIBRATION": "vision.calibration_data",
    "Outcome": "vision.turn.finding",
    "Tracker": "vision.video.tracker",
    "Video": "vision.video.film",
    "VideoError": "vision.errors",
    "VisionError": "vision.errors",
    "certain": "vision.turn.belief",
    "load_image": "vision.images",
}
"""The module of each public name."""

__getattr__ = lazy_names(__name__, _HOMES)
