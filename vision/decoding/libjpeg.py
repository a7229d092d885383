"""Hear libjpeg's warnings. It prints them on standard error, and Pillow keeps them back, but OpenCV doesn't."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import ExitStack, suppress

import cv2
import numpy as np

_HEARD_BYTES = 1 << 16
_LISTENING = threading.Lock()


def read_warning(data: bytes) -> str:
    """Return the first warning of libjpeg about the bytes of a JPEG; "" if it has none, or can't be heard.

    Standard error is a pipe meanwhile, since a bounded process can't write files. One warning fits into any pipe, and
    libjpeg prints no second one. What another thread prints in these milliseconds is lost.
    """
    if sys.__stderr__ is None:  # as in a program without a console
        return ""
    encoded = np.frombuffer(data, dtype=np.uint8)
    with _LISTENING, ExitStack() as ends:
        heard, said = os.pipe()
        stderr = os.dup(2)
        for each in (heard, said, stderr):
            ends.callback(os.close, each)
        os.dup2(said, 2)
        try:
            with suppress(cv2.error):
                # all codes are read, but only an eighth of the pixels is made
                cv2.imdecode(encoded, cv2.IMREAD_REDUCED_GRAYSCALE_8 | cv2.IMREAD_IGNORE_ORIENTATION)
        finally:
            os.dup2(stderr, 2)
        os.write(said, b"\n")  # so that reading never waits
        return os.read(heard, _HEARD_BYTES).decode("utf-8", "replace").strip()
