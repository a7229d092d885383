"""Devices of guests: clients that ask from elsewhere in the network, with a role or as strangers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from webui.access.gate import Gate
from webui.access.sessions import Role, Session
from webui.app import services_of
from webui.security import PageAddress, Reach

SERVER = "192.168.1.5"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36"


class Phone(FlaskClient):
    """A client at another address that talks to the server's own address."""

    address = "192.168.1.77"
    browser = ANDROID

    def open(self, *args: Any, **options: Any) -> TestResponse:
        """Ask as a phone in the network does."""
        options.setdefault("base_url", f"http://{SERVER}:8000")
        overrides = {"REMOTE_ADDR": self.address, "upscore.own_address": SERVER}
        options["environ_overrides"] = {**overrides, **options.get("environ_overrides", {})}
        options["headers"] = {"User-Agent": self.browser, **dict(options.get("headers") or {})}
        return super().open(*args, **options)


def leads_to(gate: Gate, *urls: str) -> None:
    """Let other devices find the page at the first of these addresses; the others are offered."""
    first, *others = map(PageAddress, urls)
    gate.look_around = lambda: Reach(first, tuple(others), None)


def stranger(app: Flask, address: str = Phone.address) -> Phone:
    """A device that was not let in."""
    phone = Phone(app, app.response_class)
    phone.address = address
    return phone


def guest(app: Flask, role: Role, games: Iterable[int] | None = None, name: str = "Phone") -> Phone:
    """A device that was let in."""
    phone = stranger(app)
    token, _ = services_of(app).gate.sessions.begin(name, role, games)
    phone.set_cookie("upscore-8000", token, domain=SERVER)
    return phone


def find_session(app: Flask, name: str) -> Session:
    """Return the session of a device that is in."""
    return next(each for each in services_of(app).gate.sessions.all() if each.name == name)


def read_qr(picture: np.ndarray) -> str:
    """Return the text of a QR code (h, w), grey, as a phone's camera would read it.

    OpenCV's older detector reads one code in sixty wrongly or not at all, the newer one all of 600.
    """
    text: str = cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0]
    return text
