"""The PIN, by which a device keeps the score, and how long those wait who guess at it."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from webui.errors import TooManyTries, WrongPin

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
