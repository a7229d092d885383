"""The devices that joined. Each has a token, and only its hash is stored, beside the games."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from enum import IntEnum
from pathlib import Path
from typing import Any

from engine.wording import is_one_line, one_line, phrase
from webui.errors import NotThere
from webui.storage.data_folder import load_side_file, save_side_file

_NAMES_BY_SIGNS = (
    (("iPhone",), "iPhone"),
    (("iPad",), "iPad"),
    (("Android", "Mobile"), phrase("Android phone")),
    (("Android",), phrase("Android tablet")),
    (("CrOS",), "Chromebook"),
    (("Windows",), phrase("Windows computer")),
    (("Macintosh",), "Mac"),
    (("SmartTV",), phrase("Television")),
    (("SMART-TV",), phrase("Television")),
    (("Linux",), phrase("Linux computer")),
)
"""Words that must all stand in a browser's User-Agent, and the device's name. The first row that fits counts."""


def device_name(user_agent: str) -> str:
    """Return a name for the device of the browser with this User-Agent."""
    return next(
        (name for signs, name in _NAMES_BY_SIGNS if all(sign in user_agent for sign in signs)), phrase("A device")
    )


FILE_NAME = "devices.json"
MAX_ABSENCE_S = 30 * 86_400.0
"""Seconds without a request after which a device has to be let in again. [by eye]"""
MAX_DEVICES = 500
"""Devices known at once. A further one replaces one that never came back, or the one away longest. [by eye]"""
_PRESENT_S = 120.0
"""Seconds without a request for which a device counts as looking on. Its page is heard of every few. [by eye]"""
MAX_NAME = 40
_JUMP_S = 3600.0
"""Seconds by which a clock is put right, not only a little fast or slow. [by eye]"""
_NOTE_EVERY_S = 15.0
"""Seconds between two updates of when a device was seen. [by eye]"""
_SAVE_EVERY_S = 600.0
"""Seconds between two writes of such updates to the disk. [by eye]"""


class Role(IntEnum):
    """The rights of a device. Each role has those of the roles before it."""

    VIEWER = 1
    SCORER = 2
    KEEPER = 3


SEAT_STATES = ("asked", "granted", "refused")


@dataclass(frozen=True)
class Seat:
    """A player's place at the table, which a device asked for: it holds in every game among the same `players`.

    `state` is one of `SEAT_STATES`. A scorekeeper of such a game grants or refuses it.
    """

    player: str
    players: frozenset[str]
    state: str = "asked"


@dataclass(frozen=True)
class Session:
    """A device that was let in: `id` names it on pages, `digest` is the hash of its token.

    `games` are the games that it keeps the score of, None for all. Times are seconds since 1970. `seat` is None for a
    device that belongs to no player.
    """

    id: str
    digest: str
    name: str
    role: Role
    games: tuple[int, ...] | None
    began: float
    seen: float
    ended: bool = False
    seat: Seat | None = None


class Sessions:
    """The devices of a data folder. Safe to use from any thread.

    If the folder can't be written, devices are known until the server stops. `steady` is a clock that nobody can set.
    It shows whether `clock` jumped or time has passed, so that a jump ends no session.
    """

    def __init__(
        self,
        data_dir: Path,
        clock: Callable[[], float] = time.time,
        most: int = MAX_DEVICES,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = data_dir / FILE_NAME
        self._clock, self._steady, self._most = clock, steady, most
        self._noted = (clock(), steady())
        self._lock = threading.Lock()
        self._saved_at = clock()
        loaded = load_side_file(
            self._path, lambda data: [*map(_load_session, data["devices"])], "devices have to join again"
        )
        self._by_digest = {each.digest: each for each in loaded or ()}

    def begin(self, name: str, role: Role, games: Iterable[int] | None = None) -> tuple[str, Session]:
        """Let a device in. Return its token, which is stored nowhere, and its session."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            now = self._now()
            taken = {each.name for each in self._present()}
            scored = None if games is None else tuple(games)
            session = Session(secrets.token_hex(6), _digest(token), _free_name(name, taken), role, scored, now, now)
            self._by_digest[session.digest] = session
            self._make_room()
            self._save()
        return token, session

    def find(self, token: str) -> Session | None:
        """Return the device of a token, even if it was removed, and note that it was seen; None if unknown."""
        digest = _digest(token)
        with self._lock:
            now = self._now()
            session = self._by_digest.get(digest)
            if session is None or not self._is_recent(session):
                return None
            due = session.seen == session.began or not 0.0 <= now - session.seen < _NOTE_EVERY_S
            if due and not session.ended:
                session = self._by_digest[digest] = replace(session, seen=now)
                if not 0.0 <= now - self._saved_at < _SAVE_EVERY_S:
                    self._save()
            return session

    def is_in(self, session_id: str) -> bool:
        """Return whether a device is in."""
        with self._lock:
            return any(each.id == session_id for each in self._present())

    def all(self) -> tuple[Session, ...]:
        """Return the devices that are in, newest first."""
        with self._lock:
            return tuple(sorted(self._present(), key=lambda each: each.began, reverse=True))

    def grant(self, session_id: str, role: Role, games: Iterable[int] | None) -> Session:
        """Replace a device's role and games; raises NotThere."""
        scored = None if games is None else tuple(games)
        return self._change(session_id, lambda each: replace(each, role=role, games=scored))

    def admit(self, session_id: str, role: Role, game: int | None) -> Session:
        """Add a role for a game (None for all) to the rights that a device has; raises NotThere."""
        return self._change(session_id, lambda each: _admit(each, role, game))

    def add_game(self, session_id: str, game: int) -> None:
        """Add a game to those that a device keeps the score of. Do nothing if it scores all games or is unknown."""
        with suppress(NotThere):
            self._change(session_id, lambda each: each if each.games is None else _add_game(each, game))

    def sit(self, session_id: str, seat: Seat | None) -> Session:
        """Give a device a player's seat, or none; raises NotThere."""
        return self._change(session_id, lambda each: replace(each, seat=seat))

    def rename(self, session_id: str, name: str) -> Session:
        """Give a device another name; raises NotThere."""

        def rename_session(session: Session) -> Session:
            taken = {each.name for each in self._present() if each.id != session_id}
            return replace(session, name=_free_name(name, taken))

        return self._change(session_id, rename_session)

    def end(self, session_id: str) -> Session:
        """Remove a device; raises NotThere."""
        return self._change(session_id, lambda each: replace(each, ended=True))

    def close(self) -> None:
        """Save when each device was last seen."""
        with self._lock:
            if self._by_digest:
                self._save()

    def _change(self, session_id: str, change: Callable[[Session], Session]) -> Session:
        """Read and write a device under one lock, so that two changes at once both hold."""
        with self._lock:
            session = next((each for each in self._present() if each.id == session_id), None)
            if session is None:
                raise NotThere(phrase("That device is no longer connected."))
            changed = self._by_digest[session.digest] = change(session)
            if changed != session:
                self._save()
        return changed

    def _now(self) -> float:
        """Return the time. If the clock was set since the last call, shift the recorded times with it."""
        now, steady = self._clock(), self._steady()
        jump = (now - self._noted[0]) - (steady - self._noted[1])
        self._noted = (now, steady)
        if abs(jump) > _JUMP_S:
            for digest, each in self._by_digest.items():
                began, seen = (_shift(time, jump, now) for time in (each.began, each.seen))
                self._by_digest[digest] = replace(each, began=began, seen=seen)
            self._saved_at = -_SAVE_EVERY_S
        return now

    def _present(self) -> list[Session]:
        self._now()
        return [each for each in self._by_digest.values() if not each.ended and self._is_recent(each)]

    def _is_recent(self, session: Session) -> bool:
        return self._clock() - session.seen < MAX_ABSENCE_S

    def _make_room(self) -> None:
        """If there are too many devices, forget first those away for long, then those removed or never back.

        Those that are watching, or were just let in, come last. So a device that joins again and again with a code
        pushes out nobody who is watching.
        """
        now = self._clock()
        kept = sorted(
            self._by_digest.values(),
            key=lambda each: (
                self._is_recent(each),
                not each.ended and abs(now - each.seen) < _PRESENT_S,
                not each.ended,
                each.role,
                each.seen > each.began,
                each.seen,
            ),
        )
        self._by_digest = {each.digest: each for each in kept[-self._most :]}

    def _save(self) -> None:
        self._saved_at = self._clock()
        devices = [_dump_session(each) for each in self._by_digest.values()]
        save_side_file(self._path, {"devices": devices}, "devices have to join again after a restart")


def _admit(session: Session, role: Role, game: int | None) -> Session:
    if session.role < role:
        return replace(session, role=role, games=None if game is None else (game,))
    if session.role > role or session.games is None:
        return session
    return replace(session, games=None) if game is None else _add_game(session, game)


def _add_game(session: Session, game: int) -> Session:
    return replace(session, games=tuple(sorted({*(session.games or ()), game})))


def tidy_name(name: str) -> str:
    """Return a typed name of a device without unprintable characters; "" if nothing is left."""
    tidy = " ".join(one_line(name).split())[:MAX_NAME].strip()
    return tidy if is_one_line(tidy) else ""


def _free_name(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    return next(numbered for at in range(2, len(taken) + 3) if (numbered := f"{name} {at}") not in taken)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _dump_session(session: Session) -> dict[str, object]:
    data = asdict(session)
    if session.seat is not None:
        data["seat"]["players"] = sorted(session.seat.players)
    return data


def _shift(time: float, jump: float, now: float) -> float:
    """Return a recorded time after the clock jumped. One that isn't in the future was recorded before it was wrong."""
    return time if jump < 0 and time <= now else min(time + jump, now)


def _load_session(data: Mapping[str, Any]) -> Session:
    games, seat = data["games"], data.get("seat")  # older versions stored no seat
    if seat is not None and seat["state"] not in SEAT_STATES:
        seat = None
    return Session(
        id=str(data["id"]),
        digest=str(data["digest"]),
        name=tidy_name(str(data["name"])),
        role=Role(int(data["role"])),
        games=None if games is None else tuple(int(game) for game in games),
        began=float(data["began"]),
        seen=float(data["seen"]),
        ended=bool(data["ended"]),
        seat=None if seat is None else Seat(str(seat["player"]), frozenset(map(str, seat["players"])), seat["state"]),
    )
