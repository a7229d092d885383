"""Pictures in: files and uploads of any origin become upright BGR arrays, or one clear complaint."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage
from PIL import ImageFile, ImageOps, UnidentifiedImageError

from vision.errors import ImageError

Image: TypeAlias = npt.NDArray[np.uint8]
"""(height, width, 3), BGR."""

MAX_PIXELS = 120_000_000
"""Past this many pixels a picture is refused: no camera at a table makes one, a decompression bomb does."""
MAX_BYTES = 64 * 1024 * 1024
WORKING_SIDE = 2400
"""Longest side kept, px: beyond it a photograph of a board gains nothing but waiting."""
MIN_SIDE = 64
FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF")
"""What Pillow may take a file for, whatever its name says (JPEG includes MPO). It reads much else besides, some of it
by starting other programs: PostScript goes to Ghostscript, and a stranger's picture must never become a program."""


def load_image(path: str | Path) -> tuple[Image, float]:
    """The picture in a file, upright, and the scale at which it was decoded.

    Returns (image, scale): the image is (h, w, 3) BGR with its EXIF rotation applied; `scale` is its width
    divided by the width of the upright file (1.0 unless the file was larger than `WORKING_SIDE`).
    Raises ImageError when the file cannot be read as a picture.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise ImageError(
                f"{path} is a folder: give the photographs in it, or use 'upscore replay' on the folder."
            )
        if path.stat().st_size > MAX_BYTES:
            raise ImageError(
                f"{path.name} is larger than {MAX_BYTES // 2**20} MB: give a photograph in a smaller size."
            )
        data = path.read_bytes()
    except FileNotFoundError:
        raise ImageError(f"There is no file {path}: check the name.") from None
    except OSError as error:
        raise ImageError(
            f"{path} cannot be opened ({error.strerror or 'unreadable'}): check its permissions."
        ) from None
    return decode_image(data, name=path.name)


def decode_image(data: bytes, *, name: str = "The picture") -> tuple[Image, float]:
    """The picture in encoded bytes, of one of `FORMATS`: see `load_image`."""
    if not data:
        raise ImageError(f"{name} is empty: take the photograph again.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pixels, scale = _decode(data, name)
    except ImageError:
        raise
    except PillowImage.DecompressionBombError:
        raise ImageError(
            f"{name} has more than the {MAX_PIXELS / 1e6:.0f} million pixels that can be read: "
            "give it in a smaller size."
        ) from None
    except UnidentifiedImageError:
        raise ImageError(
            f"{name} is not a picture that can be read: use a JPEG, PNG, WebP, BMP or TIFF photograph."
        ) from None
    except (
        Exception
    ):  # decoders stumble over bad bytes in every way there is: struct.error, IndexError, zlib.error
        raise ImageError(f"{name} is damaged or cut off: take or copy the photograph again.") from None
    return pixels, scale


def encode_jpeg(image: Image, quality: int = 88) -> bytes:
    """The picture as JPEG bytes."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ImageError("The picture could not be encoded as JPEG: it has no pixels.")
    return data.tobytes()


def _decode(data: bytes, name: str) -> tuple[Image, float]:
    if ImageFile.LOAD_TRUNCATED_IMAGES:
        raise ImageError("Pillow is set to accept truncated pictures: unset LOAD_TRUNCATED_IMAGES.")
    with PillowImage.open(io.BytesIO(data), formats=FORMATS) as opened:
        width, height = opened.size
        if width * height > MAX_PIXELS:
            raise ImageError(
                f"{name} has {width * height / 1e6:.0f} million pixels, more than the {MAX_PIXELS / 1e6:.0f} million "
                "that can be read: give it in a smaller size."
            )
        if min(width, height) < MIN_SIDE:
            raise ImageError(f"{name} is only {width}x{height} pixels: a board cannot be read from it.")
        opened.draft("RGB", (WORKING_SIDE, WORKING_SIDE))
        upright = ImageOps.exif_transpose(opened).convert("RGB")
    original = max(width, height)
    if max(upright.size) > WORKING_SIDE:
        upright.thumbnail((WORKING_SIDE, WORKING_SIDE), PillowImage.Resampling.LANCZOS, reducing_gap=2.0)
    scale = max(upright.size) / original
    rgb = np.asarray(upright, dtype=np.uint8)
    return np.ascontiguousarray(rgb[..., ::-1]), scale
