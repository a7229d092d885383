"""The ways in: join codes, their QR codes, and the PIN.

Codes are signed, so none needs to be stored, and hold for at least a day. Signatures have 12 bytes, so that QR codes
stay small and no other text reads as the same code.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

import numpy as np
from markupsafe import Markup

from engine.wording import phrase
from webui.access.sessions import Role
from webui.errors import InvitationOver, TooManyTries, WrongPin
from webui.language import day_of_month
from webui.security import network_of
from webui.storage.data_folder import load_side_file, save_side_file

BORDER = 4
"""Width in modules of the light border around a code, as ISO/IEC 18004 asks for."""
_BLOCKS = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}


def qr_svg(text: str) -> Markup:
    """Return a QR code as inline SVG, dark on light whatever the page's colours are."""
    import segno  # imported here, since most starts of the program need no QR code

    code = segno.make(text, error="m", micro=False)
    svg = code.svg_inline(border=BORDER, omitsize=True, dark="#000", light="#fff", svgclass="qr", lineclass=None)
    return Markup(svg)  # safe: segno made it, and it doesn't contain the text


def qr_blocks(text: str) -> str:
    """Return a QR code for a dark terminal, as lines of light half blocks. A line holds two rows of the code."""
    import segno

    rows = [[1 - bit for bit in row] for row in segno.make(text, error="l", micro=False).matrix_iter(border=BORDER)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(_BLOCKS[pair] for pair in zip(*both, strict=True)) for both in pairs)


DIGITS = 6
FREE_TRIES_HERE, FREE_TRIES_OVERALL = 3, 100
"""Wrong PINs that cost no wait: from one address, and from all strangers together.

With these and the waits one address can try some forty of a million PINs in a day, a whole network of them some
hundred and thirty. [by eye]
"""
FIRST_WAIT_S, LONGEST_WAIT_S = 30.0, 3600.0
"""The wait doubles with every wrong PIN, from the first to the longest. [by eye]"""
_MEMORY_S = 86_400.0
"""Seconds without a wrong PIN after which earlier ones no longer count. [by eye]"""
_MAX_ADDRESSES = 1000


@dataclass
class _Tries:
    wrong: int = 0
    last: float = 0.0


class Pin:
    """The PIN: new at every start, and kept in memory only. Safe to use from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._overall = _Tries()
        self._by_address: dict[str, _Tries] = {}
        self.digits = _new_pin()

    def renew(self) -> None:
        """Replace the PIN by a new one, and forget the wrong tries."""
        with self._lock:
            self.digits = _new_pin()
            self._overall = _Tries()
            self._by_address.clear()

    def check(self, typed: str, address: str, device: str | None = None) -> None:
        """Check a PIN that somebody typed at an address, or on a device that is in.

        Such a device doesn't wait for strangers.

        :raises WrongPin: if it is wrong; the error has the number of tries left.
        :raises TooManyTries: during a wait, even for the right PIN; the error has the length of the wait.
        """
        with self._lock:
            name = network_of(address) if device is None else device
            here = self._by_address.pop(name, None) or _Tries()
            self._by_address[name] = here  # the newest is last, so the oldest is dropped first
            while len(self._by_address) > _MAX_ADDRESSES:
                self._by_address.pop(next(iter(self._by_address)))
            counted = (here, self._overall) if device is None else (here,)
            wait = self._wait(counted)
            if wait > 0.0:
                raise TooManyTries(wait)
            digits = "".join(each for each in typed if each not in " -\u00a0")
            if hmac.compare_digest(digits.encode("utf-8", "replace"), self.digits.encode()):
                here.wrong = 0
                return
            for tries in counted:
                self._count(tries)
            wait = self._wait(counted)
            raise TooManyTries(wait) if wait > 0.0 else WrongPin(FREE_TRIES_HERE - here.wrong)

    def _count(self, tries: _Tries) -> None:
        now = self._clock()
        if now - tries.last > _MEMORY_S:
            tries.wrong = 0
        tries.wrong += 1
        tries.last = now

    def _wait(self, counted: Sequence[_Tries]) -> float:
        """Return the seconds until the next PIN is checked. The first of the `counted` is for one address."""
        now = self._clock()
        free = (FREE_TRIES_HERE, FREE_TRIES_OVERALL)
        waits = [tries.last + _pause(tries.wrong - most) - now for tries, most in zip(counted, free, strict=False)]
        return max(0.0, *waits)


def _pause(beyond: int) -> float:
    """Return the wait in seconds after `beyond` wrong PINs in addition to the free ones."""
    return 0.0 if beyond < 0 else min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(beyond, 20))


def _new_pin() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


FILE_NAME = "join.json"
VALID_DAYS = 2
"""Days (UTC) on which a code is accepted: the one on which it was made, and the next. [by eye]"""
_EXPLAINED_DAYS = 60
_EXPLAINED_EPOCHS = 3
"""Age in days, and in calls of `renew`, up to which we tell people why their code is refused. [by eye]"""
_LETTERS = {Role.VIEWER: "v", Role.SCORER: "s", Role.KEEPER: "k"}
_CODE = re.compile(r"([vsk])([0-9a-z]{0,11})-([A-Za-z0-9_-]{16})")


@dataclass(frozen=True)
class Invitation:
    """The rights that a code gives: a role, and the game that it leads to (None for the whole page).

    A scorer's code with a game is for that game alone. A viewer's code is for all games.
    """

    role: Role
    game: int | None = None


class Invitations:
    """Makes codes and recognises them, also after a restart."""

    def __init__(self, data_dir: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = data_dir / FILE_NAME
        self._clock = clock
        self._lock = threading.Lock()
        stored = load_side_file(
            self._path, lambda data: (bytes.fromhex(data["key"]), int(data["epoch"])), "earlier QR codes are void"
        )
        self._key, self._epoch = stored or (secrets.token_bytes(32), 0)
        if stored is None:
            self._save()

    def code(self, invitation: Invitation) -> str:
        """Return the code of an invitation. It stays the same all day (UTC)."""
        game = "" if invitation.game is None else np.base_repr(invitation.game, 36).lower()
        body = f"{_LETTERS[invitation.role]}{game}"
        return f"{body}-{self._signature(body, self._epoch, self._today())}"

    def read(self, code: str) -> Invitation:
        """Return the invitation of a code; raises InvitationOver, in one line, if it has expired or was never valid."""
        match = _CODE.fullmatch(code)
        if match is None:
            raise InvitationOver(phrase("This code is not from this scoresheet: %(advice)s", advice=_ASK))
        letter, game, signature = match.groups()
        body, today = f"{letter}{game}", self._today()

        def is_signed(epoch: int, day: int) -> bool:
            return hmac.compare_digest(self._signature(body, epoch, day), signature)

        if not any(is_signed(self._epoch, today - days) for days in range(-1, VALID_DAYS)):  # the clock may be set back
            self._refuse(is_signed, today)
        role = next(role for role, each in _LETTERS.items() if each == letter)
        return Invitation(role, int(game, 36) if game else None)

    def renew(self) -> None:
        """Make all earlier codes void."""
        with self._lock:
            self._epoch += 1
            self._save()

    def _refuse(self, signed: Callable[[int, int], bool], today: int) -> None:
        for epoch in range(self._epoch, max(-1, self._epoch - _EXPLAINED_EPOCHS), -1):
            for day in range(today, today - _EXPLAINED_DAYS, -1):
                if not signed(epoch, day):
                    continue
                if epoch != self._epoch:
                    raise InvitationOver(phrase("This QR code was replaced by a new one: %(advice)s", advice=_ASK))
                issued = datetime.fromtimestamp(day * 86_400, timezone.utc)
                raise InvitationOver(
                    phrase(
                        "This QR code is from %(day)s and has expired: %(advice)s",
                        day=day_of_month(issued),
                        advice=_ASK,
                    )
                )
        raise InvitationOver(phrase("This QR code does not belong to this scoresheet: %(advice)s", advice=_ASK))

    def _signature(self, body: str, epoch: int, day: int) -> str:
        message = f"{body}.{epoch}.{day}".encode()
        return base64.urlsafe_b64encode(hmac.digest(self._key, message, hashlib.sha256)[:12]).decode("ascii")

    def _today(self) -> int:
        return int(self._clock() // 86_400)

    def _save(self) -> None:
        data = {"key": self._key.hex(), "epoch": self._epoch}
        save_side_file(self._path, data, "QR codes hold until the next start")


_ASK = phrase("ask the scorekeeper for today's, or type the PIN.")
