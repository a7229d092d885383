"""The names under which this server answers: its own. Under any other, a page of elsewhere would be asking."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection
from contextlib import suppress

LOCAL_ZONES = ("local", "lan", "home", "home.arpa", "internal", "localdomain")
"""Endings that home networks give a computer's name, none of which can be registered by a stranger."""

_LABEL = "[a-z0-9_][a-z0-9_-]{0,62}"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_PORT = re.compile(r":[0-9]{0,5}\Z")


def host_of(header: str) -> str | None:
    """The name or address in a Host header, lower case, without its port; None for what is none."""
    name = _PORT.sub("", header.strip().lower())
    if name.startswith("[") and name.endswith("]"):
        return name[1:-1] if ":" in name and _is_address(name[1:-1]) else None
    name = name.removesuffix(".")
    return name if len(name) < 254 and _NAME.fullmatch(name) else None


def own_names(more: Collection[str] = ()) -> frozenset[str]:
    """What this computer is called in its network, and the names given besides."""
    found = {"localhost", *(name.lower().removesuffix(".") for name in more)}
    with suppress(OSError):
        full = socket.gethostname().lower()
        short = full.partition(".")[0]
        found |= {full, short, *(f"{short}.{zone}" for zone in LOCAL_ZONES)}
    return frozenset(name for name in found if name)


def is_own(host: str, names: Collection[str], own_address: str) -> bool:
    """Whether a request for this host is meant for this server.

    An address counts when it is a loopback one, or the one at which the connection arrived (`own_address`).
    """
    if host in names or is_loopback(host):
        return True
    try:
        asked = ipaddress.ip_address(host)
        return asked == _plain(ipaddress.ip_address(own_address.partition("%")[0]))
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Whether a name or address leads to the computer that uses it."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = _plain(ipaddress.ip_address(host))
    except ValueError:
        return False
    return address.is_loopback


def _plain(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An IPv4 address that arrived at a socket for IPv6, as it is written in a Host header."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
