"""A thread that goes on whatever happens: what fails is told, and begun again after a growing pause.

What is done for the games now and then while the page is served, such as their daily copy.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from engine import UpscoreError

_LOG = logging.getLogger(__name__)

PAUSES_S = (0.5, 15.0)
"""Seconds before the first attempt to go on, and the longest."""
_WELL_S = 30.0
"""Seconds without a failure after which the pauses begin anew."""


class KeptThread:
    """Runs `body` until it returns or `close` is called; after an exception `on_failure` is told, and it runs again.

    `body` is to look at `stopping` now and then, best by waiting for it.
    """

    def __init__(
        self, name: str, body: Callable[[], None], on_failure: Callable[[Exception], None],
        *, pauses_s: tuple[float, float] = PAUSES_S,
    ) -> None:  # fmt: skip
        self._body, self._on_failure, self._pauses = body, on_failure, pauses_s
        self.stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self, timeout_s: float = 5.0) -> None:
        """Ask it to stop, and wait for that so long."""
        self.stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=timeout_s)

    def _run(self) -> None:
        pause, longest = self._pauses
        while not self.stopping.is_set():
            began = time.monotonic()
            try:
                self._body()
                return
            except Exception as error:  # whatever it is, the table is still there
                _LOG.exception("The thread %s failed and goes on", self._thread.name)
                self._tell(error)
            pause = self._pauses[0] if time.monotonic() - began > _WELL_S else pause
            self.stopping.wait(pause)
            pause = min(2 * pause, longest)

    def _tell(self, error: Exception) -> None:
        try:
            self._on_failure(error)
        except Exception:  # telling may fail for the same reason
            _LOG.exception("What failed in the thread %s could not be told", self._thread.name)


class Housekeeping:
    """Calls `chore` again and again, which says how many seconds later it is due next; what fails is tried again.

    `trouble` is what to tell people, one line, None while all is well.
    """

    def __init__(
        self,
        chore: Callable[[], float],
        *,
        name: str = "housekeeping",
        pauses_s: tuple[float, float] = PAUSES_S,
    ) -> None:
        self._chore = chore
        self._thread = KeptThread(name, self._keep, self._failed, pauses_s=pauses_s)
        self.trouble: str | None = None

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self, timeout_s: float = 5.0) -> None:
        """Stop after the chore that is under way."""
        self._thread.close(timeout_s)

    def _keep(self) -> None:
        while not self._thread.stopping.is_set():
            rest = self._chore()
            self.trouble = None
            self._thread.stopping.wait(rest)

    def _failed(self, error: Exception) -> None:
        unknown = f"Something went wrong ({type(error).__name__}): it is tried again."
        self.trouble = str(error) if isinstance(error, UpscoreError) else unknown
