"""The commands' output, results on stdout, progress and complaints on stderr, and how commands end or fail."""

from __future__ import annotations

import json
import sys

from engine import UpscoreError

DONE, PARTLY, MISUSED = 0, 1, 2
"""Exit statuses: done; done but some input could not be read or some word is not playable; the call's words are off."""


def tell(line: str) -> None:
    """Print a line of results on stdout."""
    print(printable(line), flush=True)


def tell_json(value: object) -> None:
    """Print a result on stdout as one line of JSON in plain ASCII."""
    print(json.dumps(value), flush=True)


def say(line: str) -> None:
    """Print a line of progress or complaint on stderr."""
    print(printable(line), file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """Return a text with escapes for everything that could control a terminal or break the line.

    Names of files and players can contain anything: control characters, marks that change the direction of writing,
    bytes that aren't UTF-8.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class UsageError(UpscoreError):
    """A command line that is wrong, or that names something unusable."""


class OutputError(UpscoreError):
    """A file that was asked for cannot be written."""


def incomplete(error: ImportError) -> UsageError:
    """Return the error for a module that can't be imported. It names a missing system library, if that is why."""
    if ".so" in str(error):
        return UsageError(
            f"a system library is missing ({error}): on Debian or Ubuntu install libgl1 and libglib2.0-0, or put "
            "opencv-python-headless instead of opencv-python."
        )
    if "DLL load failed" in str(error):
        return UsageError(
            f"a system library is missing ({error}): install the newest Microsoft Visual C++ Redistributable."
        )
    return UsageError(f"the installation is not complete ({error}): install upscore again.")
