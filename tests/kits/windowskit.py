"""Takes from this process what Windows lacks. Call `pretend` first, or give pytest `-p windowskit`.

Files and consoles are told apart by hand: call Python with `-X warn_default_encoding`, and set PYTHONIOENCODING.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

MODULES = ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
NAMES = (
    "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "chown", "fork", "geteuid", "getgid", "getpgid",
    "killpg", "mkfifo", "sched_getaffinity", "setsid", "sysconf", "uname",
)  # fmt: skip
"""The functions that `os` lacks there, except getuid, which pytest calls."""
OURS = r"(calibration|engine|upscore|vision|webui)\b"


def pretend() -> None:
    """Do without POSIX modules, calls and signals. Refuse to replace, move or delete a file that is open."""
    for library in ("numpy", "cv2", "onnxruntime", "psutil"):
        import_module(library)  # these check the system themselves, so they keep everything

    sys.modules["msvcrt"] = _msvcrt()
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in NAMES:
        delattr(os, name)
    for each in (signal.Signals.SIGKILL, signal.Signals.SIGHUP):
        delattr(signal, each.name)
    subprocess.Popen.kill = subprocess.Popen.terminate  # type: ignore[method-assign]
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    for name in ("remove", "rename", "replace", "unlink"):
        setattr(os, name, _refusing(getattr(os, name)))
    if sys.flags.warn_default_encoding:
        warnings.filterwarnings("error", category=EncodingWarning, module=OURS)


def pytest_configure() -> None:
    """Let all tests of this run do without."""
    pretend()


def _msvcrt() -> ModuleType:
    import fcntl

    module: Any = ModuleType("msvcrt")
    module.LK_NBLCK = fcntl.LOCK_EX | fcntl.LOCK_NB
    module.locking = lambda descriptor, mode, _count: fcntl.flock(descriptor, mode)
    return module  # type: ignore[no-any-return]


def _refusing(change: Callable[..., None]) -> Callable[..., None]:
    def refuse_change(*paths: Any, **more: Any) -> None:
        if not more:
            for path in paths:
                if str(Path(os.fsdecode(path)).resolve()) in _open_files():
                    raise PermissionError(errno.EACCES, "is open", os.fsdecode(path))
        change(*paths, **more)

    return refuse_change


def _open_files() -> set[str]:
    found = set()
    for each in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.add(str(each.readlink()))
    return found
