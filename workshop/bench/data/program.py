"""The program, called as from a shell, in this process: its networks are loaded once."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from upscore.cli import main
from upscore.commands.console import DONE, PARTLY


def upscore(*args: str) -> list[dict[str, Any]]:
    """Return the lines that `upscore ARGS --json` writes; raises RuntimeError if it fails."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([*args, "--json"])
    if status not in (DONE, PARTLY):
        raise RuntimeError(f"upscore {args[0]} ended with {status}: {err.getvalue().strip()[-300:]}")
    return [json.loads(line) for line in out.getvalue().splitlines()]


def say(text: str) -> None:
    """Print a line of progress, apart from the tables."""
    print(text, file=sys.stderr, flush=True)
