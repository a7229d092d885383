"""What is done for the games now and then while the page is served, such as their daily copy."""

from __future__ import annotations

from collections.abc import Callable

from engine.errors import UpscoreError
from webui.live.kept_thread import PAUSES_S, KeptThread


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
