"""A background thread that outlives whatever goes wrong in it, and says so."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from engine.errors import UpscoreError

_LOG = logging.getLogger(__name__)

PAUSES_S = (1.0, 30.0)
"""The first and the longest wait after something went wrong; each is twice the one before."""


class Supervised:
    """Calls `step` again and again in a thread of its own, `step` saying how many seconds later.

    Whatever it raises, it is called again after a growing pause. `trouble` is what to tell people, None while all is
    well; `on_trouble` is called, from the thread, whenever that has changed.
    """

    def __init__(
        self,
        name: str,
        step: Callable[[], float],
        *,
        on_trouble: Callable[[], None] = lambda: None,
        pauses_s: tuple[float, float] = PAUSES_S,
    ) -> None:
        self._name, self._step, self._on_trouble, self._pauses_s = name, step, on_trouble, pauses_s
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._trouble: str | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def trouble(self) -> str | None:
        """What went wrong last, one line; None once it works again."""
        return self._trouble

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Let the next step come now."""
        self._wake.set()

    def close(self, timeout_s: float = 5.0) -> None:
        """Stop after the step that is under way."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        first, longest = self._pauses_s
        pause = first
        while not self._stop.is_set():
            try:
                rest, pause = self._step(), first
                self._tell(None)
            except UpscoreError as error:
                rest, pause = pause, min(2 * pause, longest)
                self._tell(str(error))
            except Exception as error:
                _LOG.exception("The thread %s went wrong; it goes on.", self._name)
                rest, pause = pause, min(2 * pause, longest)
                self._tell(f"Something went wrong ({type(error).__name__}): it is tried again.")
            self._wake.wait(rest)
            self._wake.clear()

    def _tell(self, trouble: str | None) -> None:
        changed, self._trouble = trouble != self._trouble, trouble
        if changed:
            self._on_trouble()
