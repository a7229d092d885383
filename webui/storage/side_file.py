"""Small JSON files beside the games, which no game depends on: one that fails is warned of, and gone without."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from vision.atomic_file import write_atomically

_LOG = logging.getLogger(__name__)

T = TypeVar("T")


def load_side_file(path: Path, read: Callable[[Any], T], loss: str) -> T | None:
    """Return what `read` makes of a file, or None: without a file, or, with a warning of the `loss`, if it fails."""
    try:
        return read(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        _LOG.warning("%s cannot be read, so %s: %s", path, loss, error)
    return None


def save_side_file(path: Path, data: object, loss: str) -> None:
    """Write a file for its owner alone, or warn of the `loss`."""
    try:
        write_atomically(path, json.dumps(data).encode(), mode=0o600)
    except OSError as error:
        _LOG.warning("%s cannot be written, so %s: %s", path, loss, error)
