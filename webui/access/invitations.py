"""QR codes, as pictures for the page and as blocks for a terminal.

The PIN, by which a device keeps the score, and how long those wait who guess at it.

Join codes: what a QR code carries. They are signed, so that none is kept, and hold for a day at the least.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import json
import logging
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from markupsafe import Markup

from vision.atomic_file import write_atomically
from webui.access.permissions import Role
from webui.errors import InvitationOver, TooManyTries, WrongPin

QUIET = 4
"""Light squares around a code, which those who read it need."""
_BLOCKS = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}


def qr_svg(text: str) -> Markup:
    """A QR code as SVG to stand in a page, dark on light whatever the page's colours are."""
    import segno  # here, since only few starts of the program draw one

    code = segno.make(text, error="m", micro=False)
    drawn = code.svg_inline(
        border=QUIET, omitsize=True, dark="#000", light="#fff", svgclass="qr", lineclass=None
    )
    return Markup(drawn)  # segno's own, with nothing of the text in it


def qr_blocks(text: str) -> str:
    """A QR code as lines of half blocks, light on what is dark: for a terminal, where two rows make a line."""
    import segno

    rows = [
        [1 - bit for bit in row] for row in segno.make(text, error="l", micro=False).matrix_iter(border=QUIET)
    ]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(_BLOCKS[pair] for pair in zip(*both, strict=True)) for both in pairs)


DIGITS = 6
FREE_HERE, FREE_OVERALL = 3, 20
"""Wrong PINs before there is a wait: from one address, and from all together. With them about fifty can be tried in a
day, of a million."""
FIRST_WAIT_S, LONGEST_WAIT_S = 30.0, 3600.0
"""The wait doubles with every wrong PIN, from the first to the longest."""
_FORGOTTEN_S = 86_400.0
_MOST_ADDRESSES = 1000


@dataclass
class _Tries:
    wrong: int = 0
    last: float = 0.0


class Pin:
    """Made anew at every start, and kept nowhere but here; safe to use from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._overall = _Tries()
        self._by_address: dict[str, _Tries] = {}
        self.digits = _new_pin()

    def renew(self) -> None:
        """Another PIN holds from now on."""
        self.digits = _new_pin()

    def check(self, typed: str, address: str) -> None:
        """Whether that is the PIN, typed at an address.

        Raises WrongPin, or TooManyTries, also for the right one, while a wait is on; each says how long that is.
        """
        with self._lock:
            here = self._here(address)
            wait = self._wait(here)
            if wait > 0.0:
                raise TooManyTries(wait)
            digits = "".join(each for each in typed if each not in " -\u00a0")
            if hmac.compare_digest(digits.encode("utf-8", "replace"), self.digits.encode()):
                here.wrong = 0
                return
            for tries in (here, self._overall):
                self._count(tries)
            wait = self._wait(here)
            raise TooManyTries(wait) if wait > 0.0 else WrongPin(FREE_HERE - here.wrong)

    def _here(self, address: str) -> _Tries:
        name = _network(address)
        here = self._by_address.pop(name, None) or _Tries()
        self._by_address[name] = here  # the newest last
        while len(self._by_address) > _MOST_ADDRESSES:
            self._by_address.pop(next(iter(self._by_address)))
        return here

    def _count(self, tries: _Tries) -> None:
        now = self._clock()
        if now - tries.last > _FORGOTTEN_S:
            tries.wrong = 0
        tries.wrong += 1
        tries.last = now

    def _wait(self, here: _Tries) -> float:
        """Seconds until another PIN is looked at."""
        now = self._clock()
        waits = [
            tries.last + _pause(tries.wrong - free) - now
            for tries, free in ((here, FREE_HERE), (self._overall, FREE_OVERALL))
        ]
        return max(0.0, *waits)


def _pause(beyond: int) -> float:
    """How long the wait is after so many wrong PINs, the free ones not counted."""
    return 0.0 if beyond < 0 else min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(beyond, 20))


def _new_pin() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def _network(address: str) -> str:
    """What an address is counted under: whoever has one of IPv6 has 2^64 of them."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


_LOG = logging.getLogger(__name__)

FILE_NAME = "join.json"
HOLDS_DAYS = 2
"""Days, by UTC, on which a code is taken: the one on which it was made, and the next."""
_REMEMBERED_DAYS = 60
_REMEMBERED_EPOCHS = 3
"""How far back an old code is known for what it was, so that people can be told."""
_LETTERS = {Role.VIEWER: "v", Role.SCORER: "s", Role.KEEPER: "k"}
_CODE = re.compile(r"([vsk])([0-9a-z]{0,11})-([A-Za-z0-9_-]{16})")


@dataclass(frozen=True)
class Invitation:
    """What a code lets a device do: its role, and the game that it leads to, None for the whole page.

    A scorer's is for that game alone, where it names one; watching is for all.
    """

    role: Role
    game: int | None = None


class Invitations:
    """Makes codes and knows them again, also after a restart; `renew` makes all those made so far void."""

    def __init__(self, data_dir: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = data_dir / FILE_NAME
        self._clock = clock
        self._lock = threading.Lock()
        self._key, self._epoch = secrets.token_bytes(32), 0
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            self._key, self._epoch = bytes.fromhex(data["key"]), int(data["epoch"])
        except FileNotFoundError:
            self._save()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            _LOG.warning("%s is left aside, so QR codes made so far are void: %s", self._path, error)
            self._save()

    def code(self, invitation: Invitation) -> str:
        """The code of an invitation, the same all day."""
        body = f"{_LETTERS[invitation.role]}{'' if invitation.game is None else _base36(invitation.game)}"
        return f"{body}-{self._signature(body, self._epoch, self._today())}"

    def read(self, code: str) -> Invitation:
        """What a code was made for; raises InvitationOver, one line, for one that does not hold or never did."""
        found = _CODE.fullmatch(code)
        if found is None:
            raise InvitationOver(f"That is no code of this scoresheet: {_ASK}")
        letter, game, signature = found.groups()
        body, today = f"{letter}{game}", self._today()

        def signed(epoch: int, day: int) -> bool:
            return hmac.compare_digest(self._signature(body, epoch, day), signature)

        if not any(signed(self._epoch, today - days) for days in range(HOLDS_DAYS)):
            self._tell_old(signed, today)
        role = next(role for role, each in _LETTERS.items() if each == letter)
        return Invitation(role, int(game, 36) if game else None)

    def renew(self) -> None:
        """Make every code that was made so far void."""
        with self._lock:
            self._epoch += 1
            self._save()

    def _tell_old(self, signed: Callable[[int, int], bool], today: int) -> None:
        """Raises InvitationOver, which says what became of a code that does not hold."""
        for epoch in range(self._epoch, max(-1, self._epoch - _REMEMBERED_EPOCHS), -1):
            for day in range(today, today - _REMEMBERED_DAYS, -1):
                if not signed(epoch, day):
                    continue
                if epoch != self._epoch:
                    raise InvitationOver(f"This QR code was replaced by a new one: {_ASK}")
                made = datetime.fromtimestamp(day * 86_400, timezone.utc)
                raise InvitationOver(f"This QR code is of {made:%d %B} and holds no longer: {_ASK}")
        raise InvitationOver(f"This QR code does not belong to this scoresheet as it is now: {_ASK}")

    def _signature(self, body: str, epoch: int, day: int) -> str:
        message = f"{body}.{epoch}.{day}".encode()
        return base64.urlsafe_b64encode(hmac.digest(self._key, message, hashlib.sha256)[:12]).decode("ascii")

    def _today(self) -> int:
        return int(self._clock() // 86_400)

    def _save(self) -> None:
        data = json.dumps({"key": self._key.hex(), "epoch": self._epoch})
        try:
            write_atomically(self._path, data.encode(), mode=0o600)
        except OSError as error:
            _LOG.warning("%s cannot be written, so QR codes hold until the next start: %s", self._path, error)


_ASK = "ask whoever keeps the score for today's, or type the PIN."


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"
