"""Which requests are answered: the server's own names and addresses, and the headers that every answer carries.

Under any other name, a page of another site would be asking.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request

from engine.wording import phrase
from webui.errors import Refused

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOCAL_ZONES = (
    *("local", "lan", "home", "home.arpa", "internal", "localdomain"),
    *("fritz.box", "speedport.ip", "station", "attlocal.net"),
)
"""Endings that home networks and their routers give a computer's name.

A stranger can register none of them: those of the second line belong to makers of routers and to providers, or to no
zone of the internet (docs/security.md).
"""
_TAILNET_NAME = re.compile(r"([^.]+)\.[^.]+\.ts\.net")
_TAILSCALE_NETWORKS = (ipaddress.ip_network("100.64.0.0/10"), ipaddress.ip_network("fd7a:115c:a1e0::/48"))
"""Addresses that Tailscale gives a computer. Its names end in the private network's name and .ts.net."""

_TUNNEL = re.compile(r"u?tun|tap|wg|ppp|ipsec|tailscale|zt|nordlynx|proton|wwan|.*vpn|.*wireguard", re.IGNORECASE)
_BRIDGE = re.compile(r"docker|br-|veth|virbr|lxc|lxd|podman|cni|vmnet|vboxnet|.*virtual|.*vmware", re.IGNORECASE)
"""Names that systems give the interfaces of virtual private networks, and of virtual machines and containers."""
_WILDCARD_HOSTS = ("0.0.0.0", "::", "")

_LABEL = "[a-z0-9_][a-z0-9_-]{0,62}"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_PORT = re.compile(r":[0-9]{0,5}\Z")


def host_of(header: str) -> str | None:
    """Return the name or address in a Host header, in lower case and without its port; None if it is invalid."""
    name = _PORT.sub("", header.strip().lower())
    if name.startswith("[") and name.endswith("]"):
        return name[1:-1] if ":" in name and _address(name[1:-1]) else None
    name = name.removesuffix(".")
    return name if len(name) < 254 and _NAME.fullmatch(name) else None


def own_names(more: Collection[str] = ()) -> frozenset[str]:
    """Return the names of this computer in its network, with `more` names."""
    names = {"localhost", *(name.lower().removesuffix(".") for name in more)}
    with suppress(OSError):
        full = socket.gethostname().lower()
        short = full.partition(".")[0]
        names |= {full, short, *(f"{short}.{zone}" for zone in LOCAL_ZONES)}
    return frozenset(name for name in names if name)


def is_own(host: str, names: Collection[str], own_address: str) -> bool:
    """Return whether a request for this host is meant for this server.

    An address counts if it is a loopback address, or the one at which the connection arrived (`own_address`). A name of
    Tailscale counts if the connection arrived at an address of Tailscale.
    """
    if host in names or is_loopback(host):
        return True
    own = _address(own_address.partition("%")[0])
    tailnet = _TAILNET_NAME.fullmatch(host)
    if tailnet is not None:
        return tailnet[1] in names and own is not None and any(own in network for network in _TAILSCALE_NETWORKS)
    return own is not None and _address(host) == own


def is_loopback(host: str) -> bool:
    """Return whether a name or address leads to the computer that uses it."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def network_of(address: str) -> str:
    """Return the network that an address counts for, since whoever has one IPv6 address has 2^64 of them."""
    parsed = _address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address if parsed is None else str(parsed)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse an address; None if it isn't one. An IPv4 address that arrived at an IPv6 socket becomes plain IPv4."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Unreachable(Enum):
    """The reason why no other device finds the page: a sentence, and the command that changes this, or ""."""

    HERE_ALONE = (
        phrase("Only this computer can open this page. To let phones in, start it with"),
        "upscore serve --host 0.0.0.0",
    )
    NO_NETWORK = (
        phrase(
            "No network yet: connect this computer to the Wi-Fi that the phones use. The QR code then appears here."
        ),
        "",
    )
    IPV6_ALONE = (
        phrase(
            "This network has only IPv6 addresses, and the page is served at IPv4 ones. Stop Upscore, "
            "then start it with"
        ),
        "upscore serve --host ::",
    )

    def __init__(self, text: str, command: str) -> None:
        self.text, self.command = text, command


@dataclass(frozen=True)
class NetworkAddress:
    """An address of this computer, and the interface that has it. `near` is True for Ethernet and Wi-Fi."""

    ip: str
    interface: str
    near: bool


@dataclass(frozen=True)
class PageAddress:
    """An address of the page, with a slash at its end, and its interface ("" if unknown)."""

    url: str
    interface: str = ""

    def __str__(self) -> str:
        return f"{self.url} ({self.interface})" if self.interface else self.url


@dataclass(frozen=True)
class Reach:
    """The addresses at which other devices find the page: the likeliest, and this computer's other addresses.

    `problem` says why there is no likely one, or is None.
    """

    shown: PageAddress | None = None
    others: tuple[PageAddress, ...] = ()
    problem: Unreachable | None = Unreachable.HERE_ALONE

    def preferring(self, address: PageAddress) -> Reach:
        """Return the same addresses with another one as the likeliest."""
        known = (*((self.shown,) if self.shown else ()), *self.others)
        return replace(
            self, shown=address, others=tuple(each for each in known if each.url != address.url), problem=None
        )


def reach(host: str, port: int, *, https: bool) -> Reach:
    """Return where other devices find a page that is served at `host`."""
    if host not in _WILDCARD_HOSTS:
        return Reach() if is_loopback(host) else Reach(PageAddress(page_url(host, port, https=https)), (), None)
    every = network_addresses()
    usable = [each for each in every if host == "::" or ":" not in each.ip]
    near = next((each for each in usable if each.near), None)
    pages = {each: PageAddress(page_url(each.ip, port, https=https), each.interface) for each in usable}
    if near is not None:
        return Reach(pages.pop(near), tuple(pages.values()), None)
    ipv6_alone = any(each.near for each in every)
    problem = Unreachable.IPV6_ALONE if ipv6_alone else Unreachable.NO_NETWORK
    return Reach(None, tuple(pages.values()), problem)


def page_url(host: str, port: int, *, https: bool) -> str:
    """Return the address of the page at a host."""
    return f"http{'s' if https else ''}://{f'[{host}]' if ':' in host else host}:{port}/"


def local_url(host: str, port: int, *, https: bool) -> str:
    """Return the address at which this computer itself opens a page that is served at `host`."""
    own = "::1" if host == "::" and not socket.has_dualstack_ipv6() else "127.0.0.1"
    return page_url(own if host in _WILDCARD_HOSTS else host, port, https=https)


def network_addresses() -> tuple[NetworkAddress, ...]:
    """Return the addresses of all interfaces that are up, the likeliest for a phone at the table first.

    Ethernet and Wi-Fi come before virtual private networks, and these before virtual machines. Private addresses come
    before public ones, IPv4 before IPv6. Among equals, the address that leads to the internet comes first.
    """
    # Imported here, since it takes 16 ms and the first page does not need it.
    import psutil

    routed = _find_routed_address()
    try:
        stats, interfaces = psutil.net_if_stats(), psutil.net_if_addrs()
    except (OSError, psutil.Error):  # some systems do not tell programs
        return (NetworkAddress(routed, "", True),) if routed else ()
    ordered = []
    for name, addresses in interfaces.items():
        state = stats.get(name)
        if state is None or not state.isup or "loopback" in state.flags.split(","):
            continue
        is_tunnel = _TUNNEL.match(name) or "pointopoint" in state.flags.split(",")
        distance = 2 if _BRIDGE.match(name) else 1 if is_tunnel else 0
        for each in addresses:
            if each.family not in (socket.AF_INET, socket.AF_INET6):
                continue
            ip = ipaddress.ip_address(each.address.partition("%")[0])
            if ip.is_loopback or ip.is_link_local or ip.is_unspecified:
                continue
            order = (distance, ip.version, not ip.is_private, str(ip) != routed)
            ordered.append((order, NetworkAddress(str(ip), name, distance == 0)))
    return tuple(address for _, address in sorted(ordered, key=lambda each: each[0]))


def _find_routed_address() -> str | None:
    """Return this computer's address on the way to the internet, or None. Asking for a route sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_TRUSTED_HEADERS = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Headers that browsers heed only over https or on this computer; elsewhere they complain about them."""

_OWN_PATH = re.compile(r"/(?:[\w.-]+(?:/[\w.-]+)*/?)?", re.ASCII)
"""A path on this server. One that begins with two slashes would lead to another server.

Each character matches in only one way, so that no path, which anybody may send, makes the matching slow.
"""


def install(app: Flask, names: Collection[str] = ()) -> None:
    """Refuse requests for names that aren't this server's, and changes requested by other sites' pages.

    `names` are further names of the server. Every answer gets the `HEADERS`.
    """
    known = own_names(names)

    @app.before_request
    def _own_host() -> Response | None:
        host = request.headers.get("Host")
        if host is None:
            return None  # every browser sends this header
        name = host_of(host)
        if name is None:  # without a valid name no page with links can be made
            text = "That isn't a valid host name: open the scoresheet at the address that was printed.\n"
            return Response(text, 403, mimetype="text/plain")
        if not is_own(name, known, request.environ.get("upscore.own_address", "")):
            raise Refused(
                phrase(
                    "Upscore is not known here as %(name)s: open it at the address that it printed, or start it "
                    "with --name %(name)s.",
                    name=name,
                )
            )
        return None

    @app.before_request
    def _same_origin() -> None:
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_same_origin(request):
            raise Refused(phrase("This request came from another site's page: open the scoresheet and try again."))

    @app.after_request
    def _headers(response: Response) -> Response:
        trusted = request.is_secure or is_loopback(host_of(request.headers.get("Host", "")) or "")
        for name, value in {**HEADERS, **(_TRUSTED_HEADERS if trusted else {})}.items():
            response.headers.setdefault(name, value)
        if (response.mimetype or "").startswith("image/") and response.cache_control.public:
            response.cache_control.public = False  # photographs of a home are only for this browser
            response.cache_control.private = True
        return response


def with_scheme_of_proxy(application: WSGIApplication) -> WSGIApplication:
    """Return an application for which a request came by http or https as the nearest proxy says, not as it asks.

    A proxy that says nothing, or neither of them, changes nothing.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        scheme = environ.get("HTTP_X_FORWARDED_PROTO", "").rpartition(",")[2].strip().lower()
        if scheme in ("http", "https"):
            environ["wsgi.url_scheme"] = scheme
        return application(environ, start_response)

    return answer


def is_same_origin(asked: Request) -> bool:
    """Return whether a request comes from one of this server's own pages, or from no page at all (a program).

    Browsers send the page's origin with every POST to another site, so a request without an origin isn't such a POST.
    """
    origin = asked.headers.get("Origin")
    if origin is None:
        return asked.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
    try:
        return urlsplit(origin).netloc.lower() == asked.host.lower()
    except ValueError:  # such as "http://[::1", which no browser sends
        return False


def is_own_path(path: str) -> bool:
    """Return whether a path leads to a page of this server."""
    return _OWN_PATH.fullmatch(path) is not None
