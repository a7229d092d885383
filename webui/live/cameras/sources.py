"""What `--camera` may name, what it is called on the page, and how it is opened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from webui.errors import WebError

Kind = Literal["webcam", "film", "network camera", "phone"]

_LABEL = re.compile(r"([A-Za-z0-9][A-Za-z0-9_ -]{0,23})=(.+)", re.DOTALL)
_OPEN_MS, _READ_MS = 5000, 2500
"""Milliseconds after which a network camera that does not answer, or stops sending, counts as lost."""


class FrameSource(Protocol):
    """What is needed of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...

    def grab(self) -> bool: ...

    def retrieve(self) -> tuple[bool, npt.NDArray[np.uint8]]: ...

    def release(self) -> None: ...


@dataclass(frozen=True)
class Source:
    """One camera: `address` is what OpenCV opens, which may hold a password; `name` is what people may see."""

    label: str
    kind: Kind
    address: int | str

    @property
    def name(self) -> str:
        """What it is called within a sentence: "the webcam", "camera A"."""
        return f"camera {self.label}" if self.label else f"the {self.kind}"


def parse_source(text: str) -> Source:
    """A device number, a film's file or an http(s)/rtsp address, perhaps with a label: ``A=0``.

    Raises WebError for anything else.
    """
    labelled = None if Path(text).is_file() else _LABEL.fullmatch(text)
    label, address = (labelled[1].strip(), labelled[2]) if labelled else ("", text)
    if address.isascii() and address.isdigit() and len(address) <= 3:
        return Source(label, "webcam", int(address))
    if re.match(r"(?i)(https?|rtsps?)://\S+$", address):
        return Source(label, "network camera", address)
    if Path(address).is_file():
        return Source(label, "film", address)
    raise WebError(
        f"There is no camera source {without_password(address)}: give a device number such as 0, a video file, "
        "or an http or rtsp address."
    )


def parse_sources(texts: tuple[str, ...]) -> tuple[Source, ...]:
    """Several of them; raises WebError where two could not be told apart."""
    sources = tuple(map(parse_source, texts))
    labels = [source.label for source in sources]
    if len(sources) > 1 and (not all(labels) or len(set(labels)) < len(labels)):
        raise WebError("Several cameras need a name each: --camera A=0 --camera B=http://...")
    return sources


def without_password(text: str) -> str:
    """An address as it may be shown: without the name and password it can carry."""
    return re.sub(r"//[^/@\s]*@", "//", text)


def open_source(address: int | str) -> FrameSource:
    """The OpenCV capture of a webcam or a network camera, which may turn out not to be open."""
    if isinstance(address, int):
        return cv2.VideoCapture(address)  # type: ignore[return-value]
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_MS]
    return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)  # type: ignore[return-value]
