"""The `upscore` command."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from engine import UpscoreError
from upscore.commands.console import DONE, MISUSED, say
from upscore.commands.parser import build_parser, check_hyphens
from upscore.errors import incomplete

STOPPED = 130
"""What shells give a command that was stopped from the keyboard."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 partly, 2 misused. Raises SystemExit as argparse does.

    No failure shows a traceback, unless the environment sets UPSCORE_DEBUG.
    """
    _never_fail_at_signs()
    _quieten_libraries()
    words = sys.argv[1:] if argv is None else argv
    try:
        check_hyphens(words)
        args = build_parser().parse_args(words)
        status: int = _runner(args.run)(args)
        sys.stdout.flush()
        return status
    except UpscoreError as error:
        return _failed(str(error))
    except BrokenPipeError:
        _drop_output()  # whoever read our output has had enough of it
        return DONE
    except KeyboardInterrupt:
        say("Stopped.")
        return STOPPED
    except Exception as error:
        if os.environ.get("UPSCORE_DEBUG"):
            raise
        if isinstance(error, OSError):
            _drop_output()
            where = f"{error.filename}: " if error.filename else ""
            return _failed(f"{where}{error.strerror or error}. Check the disk, and names and permissions.")
        what = f"{type(error).__name__}: {error}".split("\n")[0]
        return _failed(f"this should not have happened ({what}): please report it, with what it was given.")


def _runner(name: str) -> Callable[..., int]:
    """Return the function that carries a command out, "module:function" of upscore.commands."""
    module, _, function = name.partition(":")
    try:
        runner: Callable[..., int] = getattr(import_module(f"upscore.commands.{module}"), function)
    except ImportError as error:
        raise incomplete(error) from None
    return runner


def _failed(why: str) -> int:
    say(f"upscore: {why}")
    return MISUSED


def _never_fail_at_signs() -> None:
    """Write characters that the terminal's encoding lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _quieten_libraries() -> None:
    """OpenCV and FFmpeg complain on stderr in words of their own; they read these before they are imported."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


def _drop_output() -> None:
    """Send what is still to be written nowhere, so that Python does not complain of it at the end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
