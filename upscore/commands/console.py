"""What the commands print: results on stdout, progress and complaints on stderr, and how they end."""

from __future__ import annotations

import json
import sys

DONE, PARTLY, MISUSED = 0, 1, 2
"""Exit statuses: done; done but some input could not be read or some word is not playable; the call's words are off."""


def tell(line: str) -> None:
    """A line of results, on stdout."""
    print(printable(line), flush=True)


def tell_json(value: object) -> None:
    """A result as one line of JSON (plain ASCII), on stdout."""
    print(json.dumps(value), flush=True)


def say(line: str) -> None:
    """A line of progress or complaint, on stderr."""
    print(printable(line), file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """`text` with whatever could steer a terminal or break the line written as an escape.

    Names of files and players hold anything: control characters, marks that turn the direction of writing, bytes that
    are no UTF-8.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
