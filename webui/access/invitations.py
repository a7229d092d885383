"""Join codes: what a QR code carries. They are signed, so that none is kept, and hold for a day at the least."""

from __future__ import annotations

import base64
import hashlib
import hmac
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

from vision.atomic_file import write_atomically
from webui.access.permissions import Role
from webui.errors import InvitationOver

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
