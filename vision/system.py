"""What differs between Linux, macOS and Windows. All other modules are the same everywhere.

Three things stand where they are used, since each is a table of words for one place: how FFmpeg names cameras
(`webui/live/camera.py`), firewalls (`upscore doctor`) and systemd (`upscore service`). `platformdirs` knows the usual
folder for data. A system that can't limit a process gets no limit here: the decoder's watch ends what grows too large.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

    from PIL import ImageFont

_BOLD_FONTS = ("DejaVuSans-Bold.ttf", "Arial Bold.ttf", "arialbd.ttf")
"""Bold fonts of Linux, macOS and Windows that have more than Latin letters."""
_LOCKED_BYTE = 1 << 30
"""The byte that Windows locks, beyond the text of the lock file: nobody else can read a locked byte."""
_HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""How systems say that another process holds a lock."""
_PIPE_BYTES = 1 << 20
_MALLOPT = {-8: 2, -3: 1 << 22}
"""Memory settings for the C library of Linux. All threads share two arenas (M_ARENA_MAX), and blocks over 4 MB, such as
photographs, go back to the system at once (M_MMAP_THRESHOLD). Without them the page still held 694 MB after fifty
photographs of 12 megapixels. [by hand, on a busy machine]"""


@lru_cache
def bold_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return a bold font of a size, px, or Pillow's own if the system has none."""
    from PIL import ImageFont  # here, because most programs that ask the system draw nothing

    for name in _BOLD_FONTS:
        with suppress(OSError):
            return ImageFont.truetype(name, size)
    return ImageFont.load_default(size)


def lock(file: IO[str]) -> bool:
    """Lock an open file until it is closed. Return False if another process holds it.

    Raises OSError if nothing can be locked there, as on some network drives.
    """
    try:
        if posix := _module("fcntl"):
            posix.flock(file, posix.LOCK_EX | posix.LOCK_NB)
        elif windows := _module("msvcrt"):
            os.lseek(file.fileno(), _LOCKED_BYTE, os.SEEK_SET)
            try:
                windows.locking(file.fileno(), windows.LK_NBLCK, 1)
            finally:
                os.lseek(file.fileno(), 0, os.SEEK_SET)
    except OSError as error:
        if error.errno in _HELD:
            return False
        raise
    return True


def bound_process(memory: int) -> None:
    """Limit the address space of this process to bytes, and keep it from writing files, if the system can."""
    if posix := _module("resource"):
        for limit, most in ((posix.RLIMIT_AS, memory), (posix.RLIMIT_FSIZE, 0), (posix.RLIMIT_CORE, 0)):
            with suppress(OSError, ValueError):
                posix.setrlimit(limit, (most, most))


def start_worker(command: Sequence[str], folder: Path, settings: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a process that is asked and answers through pipes. `settings` come on top of the environment.

    Ctrl+C reaches only this process, which lets the worker finish.
    """
    import subprocess  # takes 4 ms, and most commands start no process

    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, **settings},
        start_new_session=True,  # on POSIX; the flag is for Windows
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    if posix := _module("fcntl"):
        with suppress(OSError, AttributeError):  # other systems than Linux have no such setting
            for pipe in (process.stdin, process.stdout):
                posix.fcntl(pipe, posix.F_SETPIPE_SZ, _PIPE_BYTES)
    return process


def memory_of(pid: int) -> int:
    """Return the bytes of memory that a process holds; 0 if it has ended."""
    import psutil  # takes 16 ms, and the first page does not need it

    try:
        process = psutil.Process(pid)
        # on Windows the Python of a virtual environment is a launcher, whose child does the work
        workers = process.children() if os.name == "nt" else ()
        return sum(int(each.memory_info().rss) for each in (process, *workers))
    except psutil.Error:
        return 0


def keep_memory_small() -> None:
    """Set the C library to return unused memory. Call this before threads begin."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):  # not every C library has this setting
            mallopt = ctypes.CDLL(None).mallopt
            for option, value in _MALLOPT.items():
                mallopt(option, value)


def has_screen(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> bool:
    """Return whether the command was started from a terminal on this computer's own screen, by a person."""
    if not sys.stdout.isatty() or {"SSH_CONNECTION", "SSH_TTY", "CI"} & environment.keys():
        return False
    return system in ("win32", "darwin") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & environment.keys())


def never_fail_at_signs() -> None:
    """Write characters as escapes if the terminal's encoding lacks them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def show_colours() -> None:
    """Make the Windows console show colours. Other terminals do already."""
    if os.name == "nt":
        os.system("")


def _module(name: str) -> Any:
    """Return a module of the standard library that some systems lack, or None."""
    with suppress(ImportError):
        return import_module(name)
    return None
