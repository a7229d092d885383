"""Errors of the page. Every message is one line that says what to do."""

from __future__ import annotations

import math

from engine import UpscoreError
from engine.wording import phrase, plural


class WebError(UpscoreError):
    """A request that cannot be carried out as it stands. `status` is that of the answer over HTTP."""

    status = 400

    def __init_subclass__(cls, status: int | None = None) -> None:
        cls.status = cls.status if status is None else status


class NotThere(WebError, status=404):
    """A game, turn or photograph that does not exist."""


class Outdated(WebError, status=409):
    """A request from a page that no longer shows the current game."""

    def __init__(self, text: str = phrase("Someone just changed the game. Check, then try again.")) -> None:
        super().__init__(text)


class Refused(WebError, status=403):
    """A request from another site, or to a host this server does not answer for."""


class NotLetIn(WebError):
    """A request of somebody who is not in. The answer is the page on which they can join, with these headers."""

    def __init__(self, text: str, **headers: str) -> None:
        super().__init__(text)
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class NotJoined(NotLetIn, status=401):
    """A request from a device that was not let in."""

    def __init__(self, text: str) -> None:
        super().__init__(text, WWW_Authenticate="Upscore")  # browsers open no password dialog for an unknown scheme


class InvitationOver(NotLetIn, status=410):
    """A join code that has expired, or was never valid."""


class WrongPin(NotLetIn, status=403):
    """A wrong PIN. There are `left` more tries before a wait."""

    def __init__(self, left: int) -> None:
        super().__init__(
            plural("Wrong PIN. %(number)s try left.", "Wrong PIN. %(number)s tries left.", left, number=left)
        )


class TooManyTries(NotLetIn, status=429):
    """A PIN typed during a wait after wrong ones, of which `wait_s` seconds are left."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = wait_s
        wait = duration_text(wait_s)
        text = phrase("Too many wrong PINs. Try again in %(wait)s, or scan the QR code.", wait=wait)
        super().__init__(text, Retry_After=str(math.ceil(wait_s)))


class StoreError(WebError, status=503):
    """A data folder that cannot be used, or not now."""

    def __init__(self, text: str) -> None:
        super().__init__(showable(text))


class NotFitting(StoreError, status=409):
    """A row that is stored already or whose game is gone."""


class DiskFull(StoreError, status=507):
    """A disk that is full."""

    def __init__(self) -> None:
        super().__init__(phrase("The disk is full. Free some space, then try again."))


class Busy(WebError, status=429):
    """A request that has to wait, since others are served first."""


class CameraError(WebError, status=503):
    """A camera without a fresh picture."""


def showable(text: str) -> str:
    """Escape bytes in a text, such as a file's name, that aren't UTF-8, since no page can contain them."""
    shown = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if shown == text else shown


def duration_text(seconds: float) -> str:
    """Return a waiting time in words, rounded up."""
    if seconds > 3600:
        return phrase("%(number)s hours", number=math.ceil(seconds / 3600))
    if seconds > 60:
        return phrase("%(number)s minutes", number=math.ceil(seconds / 60))
    count = max(1, math.ceil(seconds))
    return plural("%(number)s second", "%(number)s seconds", count, number=count)
