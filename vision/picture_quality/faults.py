"""What is wrong with a picture in which no board, or no letter, can be made out, as a sentence that says what to do."""

from __future__ import annotations

from enum import Enum

from vision.errors import BoardNotFound
from vision.images import Image
from vision.picture_quality.brightness import is_nearly_black
from vision.picture_quality.sharpness import sharpness


class Fault(Enum):
    """What is wrong with a picture, as a sentence for people."""

    DARK = "The picture is too dark: switch on a light, and take it again."
    BLURRED = "The picture is blurred: hold the camera still, let it focus, and take it again."
    DAZZLED = "The picture is so bright that letters fade: take it again with less light on the board."


_SHARP = 0.5
"""`sharpness` below which a picture is blurred. Of 311 (development sets, real ones, drawn lots) seven lie below, drawn
soft; out of focus by 6 thousandths of their longer side 90 % do, shaken by 25 thousandths 96 %."""
_WHITE, _FADED = 250, 0.4
"""What the darkest channel of a faded place shows at least, of 255, and the share of a picture that is faded. By
eye: of 438 pictures in which boards are found five are, with bare squares of plain white."""


def fault_of(image: Image) -> Fault | None:
    """What is wrong with a picture (h, w, 3), lightened, in which nothing can be made out; None where it is well."""
    if is_nearly_black(image):
        return Fault.DARK
    if float((image.min(axis=2) >= _WHITE).mean()) >= _FADED:
        return Fault.DAZZLED
    return Fault.BLURRED if sharpness(image) < _SHARP else None


def blamed(refusal: BoardNotFound, image: Image) -> BoardNotFound:
    """The refusal of a picture (h, w, 3), with what is wrong with the picture for its reason where that is known."""
    fault = fault_of(image)
    return refusal if fault is None else BoardNotFound(fault.value)
