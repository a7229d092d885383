"""What a device is called that did not say: by the browser that it has.

The devices that were let in: by a token each, of which a hash alone is kept, beside the games.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from vision.atomic_file import write_atomically
from webui.errors import NotThere

_KINDS = (
    (("iPhone",), "iPhone"),
    (("iPad",), "iPad"),
    (("Android", "Mobile"), "Android phone"),
    (("Android",), "Android tablet"),
    (("CrOS",), "Chromebook"),
    (("Windows",), "Windows computer"),
    (("Macintosh",), "Mac"),
    (("SmartTV",), "Television"),
    (("SMART-TV",), "Television"),
    (("Linux",), "Linux computer"),
)
"""What stands in a browser's User-Agent, all of it, and what that is; the first that fits."""


def device_name(user_agent: str) -> str:
    """A name for the device of a browser."""
    return next((name for signs, name in _KINDS if all(sign in user_agent for sign in signs)), "A device")


_LOG = logging.getLogger(__name__)

FILE_NAME = "devices.json"
LASTS_S = 30 * 86_400.0
"""A device that was not seen for so long has to be let in again."""
MOST = 500
"""Devices known at once; who comes after them takes the place of one that never came back, or was seen longest ago."""
MAX_NAME = 40
_NOTED_S = 15.0
_SAVED_S = 600.0


@dataclass(frozen=True)
class Session:
    """One device: `id` names it on pages, `digest` is the hash of its token, `role` a number of `Role`.

    `games` are those that it keeps the score of, None for all. Times are seconds since 1970.
    """

    id: str
    digest: str
    name: str
    role: int
    games: tuple[int, ...] | None
    began: float
    seen: float
    ended: bool = False


class Sessions:
    """The devices under a data folder; safe to use from any thread.

    Where the folder takes no file they are known until the server stops.
    """

    def __init__(self, data_dir: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = data_dir / FILE_NAME
        self._clock = clock
        self._lock = threading.Lock()
        self._by_digest: dict[str, Session] = {}
        self._saved_at = clock()
        try:
            loaded = map(_loaded, json.loads(self._path.read_text(encoding="utf-8"))["devices"])
            self._by_digest = {each.digest: each for each in loaded}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            _LOG.warning("%s is left aside, so devices have to join again: %s", self._path, error)

    def begin(self, name: str, role: int, games: Iterable[int] | None = None) -> tuple[str, Session]:
        """Let a device in: its token, told this once, and what is known of it from now on."""
        token = secrets.token_urlsafe(24)
        now = self._clock()
        with self._lock:
            taken = {each.name for each in self._living()}
            kept = None if games is None else tuple(games)
            session = Session(
                secrets.token_hex(6), _digest(token), _free_name(name, taken), role, kept, now, now
            )
            self._by_digest[session.digest] = session
            self._make_room()
            self._save()
        return token, session

    def find(self, token: str) -> Session | None:
        """The device of a token, which is seen by this; also one that was ended, and None for any other."""
        digest = _digest(token)
        with self._lock:
            session = self._by_digest.get(digest)
            if session is None or not self._lives_or_ended(session):
                return None
            now = self._clock()
            news = session.seen == session.began or not 0.0 <= now - session.seen < _NOTED_S
            if news and not session.ended:
                session = self._by_digest[digest] = replace(session, seen=now)
                if not 0.0 <= now - self._saved_at < _SAVED_S:
                    self._save()
            return session

    def is_in(self, session_id: str) -> bool:
        """Return whether a device is in."""
        with self._lock:
            return any(each.id == session_id for each in self._living())

    def all(self) -> tuple[Session, ...]:
        """The devices that are in, the one that joined last first."""
        with self._lock:
            return tuple(sorted(self._living(), key=lambda each: each.began, reverse=True))

    def grant(self, session_id: str, role: int, games: Iterable[int] | None) -> Session:
        """Give a device another role, whatever it had; raises NotThere."""
        given = None if games is None else tuple(games)
        return self._change(session_id, lambda each: replace(each, role=role, games=given))

    def admit(self, session_id: str, role: int, game: int | None) -> Session:
        """Give a device a role for a game, None for all, besides what it has by now; raises NotThere."""
        return self._change(session_id, lambda each: _admitted(each, role, game))

    def add_game(self, session_id: str, game: int) -> None:
        """Whoever keeps the score of single games by now keeps that of one more; nothing for any other device."""
        with suppress(NotThere):
            self._change(session_id, lambda each: each if each.games is None else _with_game(each, game))

    def rename(self, session_id: str, name: str) -> Session:
        """Give a device another name; raises NotThere."""

        def renamed(session: Session) -> Session:
            taken = {each.name for each in self._living() if each.id != session_id}
            return replace(session, name=_free_name(name, taken))

        return self._change(session_id, renamed)

    def end(self, session_id: str) -> Session:
        """Send a device out; raises NotThere."""
        return self._change(session_id, lambda each: replace(each, ended=True))

    def close(self) -> None:
        """Keep when each device was seen last."""
        with self._lock:
            if self._by_digest:
                self._save()

    def _change(self, session_id: str, change: Callable[[Session], Session]) -> Session:
        """Read and write a device in one go, so that two changes at once both hold."""
        with self._lock:
            found = next((each for each in self._living() if each.id == session_id), None)
            if found is None:
                raise NotThere("That device is not on the list any more.")
            session = self._by_digest[found.digest] = change(found)
            if session != found:
                self._save()
        return session

    def _living(self) -> list[Session]:
        return [each for each in self._by_digest.values() if not each.ended and self._lives_or_ended(each)]

    def _lives_or_ended(self, session: Session) -> bool:
        return self._clock() - session.seen < LASTS_S

    def _make_room(self) -> None:
        """Forget those whose time is up, and where there are too many those ended, or that never came back.

        So whoever joins again and again with a code puts nobody out who is looking on.
        """
        kept = [each for each in self._by_digest.values() if self._lives_or_ended(each)]
        kept.sort(key=lambda each: (not each.ended, each.role, each.seen > each.began, each.seen))
        self._by_digest = {each.digest: each for each in kept[-MOST:]}

    def _save(self) -> None:
        self._saved_at = self._clock()
        devices = [asdict(each) for each in self._by_digest.values()]
        try:
            write_atomically(self._path, json.dumps({"devices": devices}).encode(), mode=0o600)
        except OSError as error:
            _LOG.warning("%s cannot be written, so devices join again after a restart: %s", self._path, error)


def _admitted(session: Session, role: int, game: int | None) -> Session:
    if session.role < role:
        return replace(session, role=role, games=None if game is None else (game,))
    if session.role > role or session.games is None:
        return session
    return replace(session, games=None) if game is None else _with_game(session, game)


def _with_game(session: Session, game: int) -> Session:
    return replace(session, games=tuple(sorted({*(session.games or ()), game})))


def tidy_name(name: str) -> str:
    """A device's name as it was typed, without what cannot be seen; empty where nothing is left."""
    seen = "".join(each if each.isprintable() else " " for each in name)
    return " ".join(seen.split())[:MAX_NAME].strip()


def _free_name(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    return next(numbered for at in range(2, len(taken) + 3) if (numbered := f"{name} {at}") not in taken)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _loaded(data: Mapping[str, Any]) -> Session:
    games = data["games"]
    session = Session(
        id=str(data["id"]),
        digest=str(data["digest"]),
        name=tidy_name(str(data["name"])),
        role=int(data["role"]),
        games=None if games is None else tuple(int(game) for game in games),
        began=float(data["began"]),
        seen=float(data["seen"]),
        ended=bool(data["ended"]),
    )
    if session.role not in (1, 2, 3):
        raise ValueError(f"a device of role {session.role}")
    return session
