"""What can go wrong at the page; every message is one line that says what to do."""

from __future__ import annotations

from engine.errors import UpscoreError


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


class StoreError(WebError):
    """The data folder cannot be used, or not now (503)."""

    status = 503


class DiskFull(StoreError):
    """There is no room for what was to be kept (507)."""

    status = 507


class Busy(WebError):
    """Others are served first (503)."""

    status = 503


class CameraError(WebError):
    """The camera gives no fresh picture (503)."""

    status = 503
