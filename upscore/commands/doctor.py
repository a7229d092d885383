"""`upscore doctor`: what works on this computer and what does not, in lines that can be sent to somebody who helps.

No name of a person, file or game is in them. Addresses are those that phones in the same network would use.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Literal, TypeAlias

from upscore.commands.console import DONE, PARTLY, tell
from upscore.commands.inputs import data_folder

Mark: TypeAlias = Literal["ok", "note", "bad"]
Check: TypeAlias = Callable[[argparse.Namespace], Iterator[tuple[Mark, str]]]
"""A check that yields its results. Nothing "bad" means that a game can be played."""

_LIBRARIES = ("numpy", "cv2", "onnxruntime", "PIL", "pillow_heif", "av", "flask", "cryptography", "psutil", "segno")
_CAMERAS = 4
"""Camera numbers that are tried where the system keeps no list of them. [by eye]"""
_LOW_DISK, _LOW_MEMORY = 1 << 30, 500 << 20
"""Bytes below which an evening may not fit: its photographs, and the page with its reader (400 MB). [by eye]"""
_SLOW_S = 1.5
"""Seconds of reading above which a table waits for the sheet. [by eye]"""


def run(args: argparse.Namespace) -> int:
    """Print what works, what to look at, and what does not work; PARTLY if something does not."""
    status = DONE
    for check in CHECKS:
        try:
            for mark, text in check(args):
                _tell(mark, text)
                status = PARTLY if mark == "bad" else status
        except Exception as error:  # the other checks go on
            _tell("bad", f"{check.__name__[1:]} could not be checked ({type(error).__name__}: {error})")
            status = PARTLY
    return status


def _tell(mark: Mark, text: str) -> None:
    """Print a line without the name of the person's own folder."""
    tell(f"{mark:<4}  {text.replace(str(Path.home()), '~')}")


def _system(_: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    yield "ok", f"Upscore {version('upscore')}, Python {platform.python_version()}, {platform.platform()}"


def _libraries(_: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    packages, found = packages_distributions(), []
    for name in _LIBRARIES:
        try:
            import_module(name)
        except ImportError as error:
            yield "bad", f"{name} does not load ({error}): install Upscore again"
        else:
            package = packages[name][0]
            found.append(f"{package} {version(package)}")
    yield "ok", f"Libraries: {', '.join(found)}"


def _network(args: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    from webui.security import reach

    addresses = reach("0.0.0.0", args.port, https=False)
    if addresses.shown is None:
        yield (
            "note",
            f"Phones: {addresses.problem.text} {addresses.problem.command}".rstrip() if addresses.problem else "",
        )
    else:
        yield "ok", f"Phones open {addresses.shown}: the QR code shows this address"
    for other in addresses.others:
        yield "ok", f"Another address of this computer: {other}"


def _port(args: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    from webui.errors import WebError
    from webui.server import listen

    try:
        listen("0.0.0.0", args.port).close()
    except WebError as error:
        yield "note", f"{error} If an Upscore is running there, all is well"
    else:
        yield "ok", f"Port {args.port} is free"


def _firewall(args: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    ufw = Path("/etc/ufw/ufw.conf")
    if ufw.is_file() and "ENABLED=yes" in ufw.read_text(encoding="utf-8"):
        yield "note", f"A firewall is on. To let phones through: sudo ufw allow {args.port}/tcp"
    elif _runs("firewalld"):
        yield "note", f"A firewall is on. To let phones through: sudo firewall-cmd --add-port={args.port}/tcp"
    elif sys.platform in ("win32", "darwin"):
        yield (
            "note",
            "If a phone can't open the page: let Python through this computer's firewall, in private networks",
        )


def _runs(program: str) -> bool:
    """Return whether a program of this name runs."""
    import psutil

    return any(process.info["name"] == program for process in psutil.process_iter(["name"]))


def _cameras(args: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    import cv2
    import numpy as np

    from vision.images import encode_jpeg
    from webui.live.camera import camera_names

    names = camera_names()
    if not names and not sys.platform.startswith("linux"):
        names = dict.fromkeys(range(_CAMERAS), "")
    working = 0
    for number, name in names.items():
        capture = cv2.VideoCapture(number)
        is_read, image = capture.read() if capture.isOpened() else (False, None)
        capture.release()
        label = f"Camera {number}{f' ({name})' if name else ''}"
        if is_read and image is not None:
            working += 1
            yield ("ok", f"{label} gives pictures of {image.shape[1]} × {image.shape[0]}: serve --camera {number}")
            if args.pictures is not None:
                args.pictures.mkdir(parents=True, exist_ok=True)
                path = args.pictures / f"camera-{number}.jpg"
                path.write_bytes(encode_jpeg(np.asarray(image, dtype=np.uint8)))
                yield "ok", f"What camera {number} sees is in {path}"
        elif name:
            yield "note", f"{label} gives no picture: it is in use, blocked, or not a camera"
    if not working:
        yield "note", "No webcam gives pictures. A phone can photograph each turn"


def _tesseract(_: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    import pytesseract

    try:
        yield "ok", f"Tesseract {pytesseract.get_tesseract_version()} gives second opinions on letters"
    except (pytesseract.TesseractNotFoundError, SystemExit):
        yield ("note", "Tesseract isn't found on the PATH: doubtful letters get no second opinion, the rest works")


def _disk(args: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    folder = data_folder(args)
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK):
        yield ("bad", f"Games cannot be kept in {folder}: you may not write there. Give another folder with --data")
    free = shutil.disk_usage(folder).free
    mark: Mark = "ok" if free > _LOW_DISK else "note"
    yield mark, f"{free / 1e9:.1f} GB are free where games are kept"


def _memory(_: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    import psutil

    memory = psutil.virtual_memory()
    mark: Mark = "ok" if memory.available > _LOW_MEMORY else "note"
    yield mark, f"{memory.available / 1e9:.1f} GB of {memory.total / 1e9:.1f} GB of memory are free"


def _reading(_: argparse.Namespace) -> Iterator[tuple[Mark, str]]:
    from upscore.commands.serve import SAMPLES
    from upscore.words.loader import load_lexicon
    from vision import BoardReader, load_image

    reader = BoardReader(words=load_lexicon())
    image, _scale = load_image(SAMPLES / "classic_8x8" / "01.jpg")
    reader.read(image, 8)  # the first one also waits for the networks
    reading = reader.read(image, 8)
    if "".join(reading.letters()[3]).strip() != "BATIK":
        yield ("bad", "The sample picture is misread: install Upscore again, and report it if that doesn't help")
    else:
        mark: Mark = "ok" if reading.seconds < _SLOW_S else "note"
        yield mark, f"A sample picture is read correctly in {reading.seconds:.2f} s"


CHECKS: tuple[Check, ...] = (
    _system, _libraries, _network, _port, _firewall, _cameras, _tesseract, _disk, _memory, _reading,
)  # fmt: skip
