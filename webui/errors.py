"""What can go wrong at the page; every message is one line that says what to do."""

from __future__ import annotations

import math

from engine import UpscoreError


class WebError(UpscoreError):
    """A request that cannot be carried out as it stands. Answered with HTTP status 400."""

    status = 400


class NotThere(WebError):
    """A game, turn or photograph that does not exist (404)."""

    status = 404


class Outdated(WebError):
    """The request was made from a page that no longer shows the game as it is (409)."""

    status = 409


class Refused(WebError):
    """A request from another site, or to a host this server does not answer for (403)."""

    status = 403


class NotLetIn(WebError):
    """Somebody does not get in; answered with the page on which one does, and with these headers."""

    @property
    def headers(self) -> dict[str, str]:
        """What the answer carries besides."""
        return {}


class NotJoined(NotLetIn):
    """Somebody who was not let in asks for more than how to get in (401)."""

    status = 401

    @property
    def headers(self) -> dict[str, str]:
        """HTTP wants to be told how one gets in; this is no way that a browser knows, so it does not ask by itself."""
        return {"WWW-Authenticate": "Upscore"}


class InvitationOver(NotLetIn):
    """A join code that holds no longer, or never did (410)."""

    status = 410


class WrongPin(NotLetIn):
    """Not the PIN (403); `left` more can be tried before there is a wait."""

    status = 403

    def __init__(self, left: int) -> None:
        tries = "try" if left == 1 else "tries"
        super().__init__(f"That is not the PIN: look at it again. {left} more {tries}, then there is a wait.")


class TooManyTries(NotLetIn):
    """PINs are not looked at for `wait_s` seconds (429)."""

    status = 429

    def __init__(self, wait_s: float) -> None:
        self.wait_s = wait_s
        super().__init__(
            f"Too many wrong PINs: wait {duration_text(wait_s)}, then try again, or ask for the QR code instead."
        )

    @property
    def headers(self) -> dict[str, str]:
        """How long the wait is, for programs."""
        return {"Retry-After": str(math.ceil(self.wait_s))}


class StoreError(WebError):
    """The data folder cannot be used, or not now (503)."""

    status = 503

    def __init__(self, text: str) -> None:
        super().__init__(showable(text))


class NotFitting(StoreError):
    """What is to be kept is kept already, or what it belongs to is gone (409)."""

    status = 409


class DiskFull(StoreError):
    """There is no room for what was to be kept (507)."""

    status = 507


class Busy(WebError):
    """Others are served first (429)."""

    status = 429


class CameraError(WebError):
    """The camera gives no fresh picture (503)."""

    status = 503


def showable(text: str) -> str:
    """Escape the bytes of a file's name that are no UTF-8: no page can be sent with them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def duration_text(seconds: float) -> str:
    """A time to wait for people, never less than it is."""
    for length, name in ((3600, "hour"), (60, "minute")):
        if seconds > length:
            count = math.ceil(seconds / length)
            return f"{count} {name}s"
    count = max(1, math.ceil(seconds))
    return f"{count} second{'s' if count > 1 else ''}"
