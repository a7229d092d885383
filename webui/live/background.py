"""Threads that go on whatever happens, and the chores that they repeat, such as the daily copy of the games."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from engine import UpscoreError
from engine.wording import phrase

_LOG = logging.getLogger(__name__)

PAUSES_S = (0.5, 15.0)
"""Seconds before a restart: the first pause, and the longest. [by eye]"""
_RECOVERY_S = 30.0
"""Seconds without a failure after which the pauses are short again. [by eye]"""


class RestartingThread:
    """A thread that runs `body` until it returns or `close` is called.

    After an exception it calls `on_failure` and runs `body` again. A repeated error is logged once. `body` has to check
    `stopping` now and then, ideally by waiting for it.
    """

    def __init__(
        self,
        name: str,
        body: Callable[[], None],
        on_failure: Callable[[Exception], None],
        *,
        pauses_s: tuple[float, float] = PAUSES_S,
    ) -> None:
        self._body, self._on_failure, self._pauses = body, on_failure, pauses_s
        self.stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self, timeout_s: float = 5.0) -> None:
        """Ask the thread to stop, and wait up to `timeout_s` seconds for that."""
        self.stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=timeout_s)

    def _run(self) -> None:
        pause, longest = self._pauses
        written = ""
        while not self.stopping.is_set():
            began = time.monotonic()
            try:
                self._body()
                return
            except Exception as error:  # catch any failure, since the table goes on playing
                is_known = isinstance(error, UpscoreError)
                if written != str(error):
                    line = f": {error}" if is_known else ""
                    _LOG.error("The thread %s failed and goes on%s", self._thread.name, line, exc_info=not is_known)
                    written = str(error)
                self._report(error)
            pause = self._pauses[0] if time.monotonic() - began > _RECOVERY_S else pause
            self.stopping.wait(pause)
            pause = min(2 * pause, longest)

    def _report(self, error: Exception) -> None:
        try:
            self._on_failure(error)
        except Exception:  # the report may fail for the same reason
            _LOG.exception("A failure of the thread %s could not be reported", self._thread.name)


class RepeatedChore(RestartingThread):
    """A chore that runs again and again, also after a failure. `chore` returns the seconds until it is due next.

    `trouble` is the line to show to people after a failure, or None.
    """

    def __init__(
        self, chore: Callable[[], float], *, name: str = "housekeeping", pauses_s: tuple[float, float] = PAUSES_S
    ) -> None:
        super().__init__(name, self._repeat, self._report_failure, pauses_s=pauses_s)
        self._chore = chore
        self.trouble: str | None = None

    def _repeat(self) -> None:
        while not self.stopping.is_set():
            pause = self._chore()
            self.trouble = None
            self.stopping.wait(pause)

    def _report_failure(self, error: Exception) -> None:
        unknown = phrase("Something went wrong (%(error)s). Upscore tries again.", error=type(error).__name__)
        self.trouble = str(error) if isinstance(error, UpscoreError) else unknown
