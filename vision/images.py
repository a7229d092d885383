"""Load and save pictures: a file becomes an upright BGR array, or one clear error."""

from __future__ import annotations

from pathlib import Path

import cv2

from vision.decoding.decode import MAX_BYTES, MIN_SIDE, WORKING_SIDE, Image, decode_image, is_damaged, read_time_taken
from vision.errors import ImageError

__all__ = [
    "MAX_BYTES", "MIN_SIDE", "WORKING_SIDE", "Image", "decode_image", "encode_jpeg", "is_damaged", "load_image",
    "read_time_taken",
]  # fmt: skip


def load_image(path: str | Path, *, own: bool = False) -> tuple[Image, float]:
    """Return the picture in a file, upright, and the scale at which it was decoded.

    The image is (h, w, 3) BGR with its EXIF rotation applied. `scale` is its width divided by the width of the upright
    file: 1.0 unless the file was larger than `WORKING_SIDE`. Our `own` pictures are known to be whole. Raises
    ImageError if the file cannot be read as a picture.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise ImageError(f"{path} is a folder: give the photographs in it, or use 'upscore replay' on the folder.")
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
    return decode_image(data, name=path.name, own=own)


def encode_jpeg(image: Image, quality: int = 88) -> bytes:
    """Return the picture (h, w, 3) BGR as JPEG bytes. Raises ImageError if OpenCV cannot encode it."""
    if not image.size:
        raise ImageError("The picture could not be encoded as JPEG: it has no pixels.")
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ImageError("The picture could not be encoded as JPEG.")
    return data.tobytes()
