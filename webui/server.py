"""The lines in the terminal about joining: a QR code for viewers, the PIN, and a link for the scorekeeper.

Serving the page until a signal stops it.
"""

from __future__ import annotations

import atexit
import errno
import os
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import TextIO
from urllib.parse import urlsplit

from engine import UpscoreError
from vision.system import keep_memory_small, show_colours
from webui.access.gate import Gate
from webui.access.invitations import Invitation, qr_blocks
from webui.access.sessions import Role
from webui.app import create_app, services_of
from webui.errors import WebError
from webui.ports import AppConfig
from webui.security import Reach, Unreachable, host_of, local_url, own_names, reach
from webui.services import Services
from webui.wsgi_server import STOP_WAIT_S, Server

_LIGHT_ON_DARK, _RESET = "\x1b[97;40m", "\x1b[0m"


def greet(gate: Gate, out: TextIO | None = None, *, by_other_names: bool = False) -> None:
    """Print how other devices get in, or why they can't yet.

    `by_other_names` means that devices may come through a proxy, although no address is shown.
    """
    out = out or sys.stdout
    pin = f"{gate.pin.digits[:3]} {gate.pin.digits[3:]}"
    watch, keep = (f"join/{gate.invitations.code(Invitation(role))}" for role in (Role.VIEWER, Role.KEEPER))
    reach = gate.reach()
    if reach.shown is None:
        if reach.problem not in (None, Unreachable.HERE_ALONE):
            print(f"{reach.problem.text} {reach.problem.command}".rstrip(), file=out, flush=True)
        if by_other_names:
            print(f"To keep the score on another device, type the PIN {pin} there.", file=out, flush=True)
        if gate.behind_proxy:
            print(f"To manage Upscore from another device, open this address there: /{keep}", file=out, flush=True)
        return
    watch, keep = reach.shown.url + watch, reach.shown.url + keep
    lines = [
        "",
        "To watch, scan this with a phone in the same network, or open this address on it",
        f"  {watch}",
        *qr_lines(watch, out),
        f"To keep the score on a phone, open the page there and type the PIN {pin}.",
        "To manage Upscore from another device, open this address on it",
        f"  {keep}",
    ]
    if reach.others:
        others = " and ".join(map(str, reach.others))
        lines.append(f"If no phone can open it, choose another address under Phones and QR code: {others}")
    print("\n".join(lines), file=out, flush=True)


def qr_lines(text: str, out: TextIO) -> list[str]:
    """Return the lines of a QR code: none if `out` is no terminal or lacks the characters."""
    try:
        "▄▀█".encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return []
    if not out.isatty():
        return []
    show_colours()
    return ["", *(f"  {_LIGHT_ON_DARK}{line}{_RESET}" for line in qr_blocks(text).splitlines()), ""]


STOPPED_STATUS = 130
"""Exit status after a second signal."""
_LOOK_S = 1.0
"""Seconds between two looks at this computer's addresses. A look takes half a millisecond. [by eye]"""
HEAD_START_S = 1.0
"""Seconds after which the reader is loaded, unless a photograph comes sooner.

The first page takes 0.2 s if nothing else is loaded at the same time. [by eye]
"""


@dataclass(frozen=True)
class ServeConfig:
    """The settings for serving an application. `play_demo` has the tour ready. Port 0 takes a free port.

    `on_ready` gets the address at which this computer opens the page, once it can be opened.
    """

    app: AppConfig
    host: str = "127.0.0.1"
    port: int = 8000
    https: bool = False
    play_demo: bool = False
    on_ready: Callable[[str], None] | None = None


def serve(config: ServeConfig) -> None:
    """Serve the page until SIGINT or SIGTERM, and print its address.

    :raises UpscoreError: in one line, if the address, the data folder, a camera or the demo can't be used.
    """
    keep_memory_small()
    with listen(config.host, config.port) as listener:
        app = create_app(config.app)
        services, ended = services_of(app), threading.Event()
        try:
            port = listener.getsockname()[1]
            services.gate.look_around = partial(reach, config.host, port, https=config.https)
            tls = _tls(config, services.gate.reach()) if config.https else None
            if config.play_demo and services.demo is not None:
                services.demo.start()
            server = Server(listener, app, tls, services.gate.knows)
            _get_ready_behind(services, ended)
            _run(server, services, config)
            kept = "your own games are kept, the sample game is not" if config.play_demo else "the games are kept"
            print(f"Stopped; {kept}.", file=sys.stderr)
        finally:
            ended.set()
            services.close()
    ours = ("request", "demo", "hands-free", "camera", "server", "getting ready")
    if any(one.name in ours for one in threading.enumerate()):
        # Python's own end would abort if a thread is deep in a library.
        atexit.register(os._exit, 0)


def _run(server: Server, services: Services, config: ServeConfig) -> None:
    """Answer requests until a signal comes, then finish those under way. A second signal stops at once."""
    with stop_signals() as stopping:
        serving = threading.Thread(target=server.run, name="server", daemon=True)
        serving.start()
        last, printed = _follow_network(server, services, config, None, None)
        if config.on_ready is not None:
            config.on_ready(local_url(config.host, server.port, https=config.https))
        while not stopping.wait(_LOOK_S) and serving.is_alive():
            last, printed = _follow_network(server, services, config, last, printed)
        server.stop()
        services.announcer.close()
        if not server.connections.wait_until_answered(0.3):
            print("Finishing what is under way (Ctrl+C again stops at once).", file=sys.stderr, flush=True)
            server.connections.wait_until_answered(STOP_WAIT_S)


@contextmanager
def stop_signals() -> Iterator[threading.Event]:
    """Yield an event that SIGINT or SIGTERM sets. A second signal ends the program at once."""
    stopping = threading.Event()

    def stop(number: int, _frame: FrameType | None) -> None:
        if stopping.is_set():
            os._exit(STOPPED_STATUS)
        stopping.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _follow_network(
    server: Server, services: Services, config: ServeConfig, last: Reach | None, printed: str | None
) -> tuple[Reach, str | None]:
    """Find out where other devices reach the page, and tell everybody if that has changed.

    `last` is what this function found before, None at the start. `printed` is the address that the terminal showed
    last. Return both as they are now.
    """
    gate = services.gate
    reach = gate.reach()
    if reach == last:
        with suppress(WebError):  # the certificate in use goes on
            if server.tls is not None and _is_out_of_time(config):  # the clock was put right, as on a Raspberry Pi
                server.tls = _tls(config, reach, was_announced=True)
        return reach, printed
    shown = None if reach.shown is None else reach.shown.url
    if last is None:
        own = local_url(config.host, server.port, https=config.https)
        where = dict.fromkeys((own, shown or own))
        print(f"Upscore is at {' and '.join(where)}  (Ctrl+C stops it)", flush=True)
        greet(gate, by_other_names=bool(services.config.names) or gate.behind_proxy)
        return reach, shown
    if server.tls is not None:
        server.tls = _tls(config, reach, was_announced=True)
    services.announcer.announce_all()
    if shown is None or shown == printed:  # nobody needs to know that the Wi-Fi came and went
        return reach, printed
    print(f"Other devices now find Upscore at {shown}", flush=True)
    greet(gate)
    return reach, shown


def _get_ready_behind(services: Services, ended: threading.Event, head_start_s: float = HEAD_START_S) -> None:
    """Load what the first photograph needs, a moment after the start, so that the first page doesn't have to wait."""

    def get_ready() -> None:
        if ended.wait(head_start_s):
            return
        services.decoder.start()
        if services.config.get_ready is not None:
            with suppress(UpscoreError):  # the first photograph shows the error
                services.config.get_ready()

    threading.Thread(target=get_ready, name="getting ready", daemon=True).start()


def _tls(config: ServeConfig, reach: Reach, *, was_announced: bool = False) -> ssl.SSLContext:
    """Return a TLS context for these addresses, and print a new certificate's fingerprint unless it was announced."""
    # Imported here, since its library takes a twentieth of the start and plain http does not need it.
    from webui.certificate import is_valid, tls_context

    was_there = is_valid(config.app.data_dir) is not None
    pages = [each.url for each in (reach.shown, *reach.others) if each is not None]
    outside = [host_of(urlsplit(url).netloc) for url in pages]
    hosts = [*sorted(own_names(config.app.names)), "127.0.0.1", "::1", *filter(None, outside)]
    context, fingerprint, is_new = tls_context(config.app.data_dir, dict.fromkeys(hosts))
    if is_new and was_there:
        why = "The old certificate lacked an address or isn't valid at this time, so there is a new one."
        print(why, file=sys.stderr, flush=True)
    if is_new or not was_announced:
        print(
            "The browser will warn once that it does not know the certificate. It is the right one if its SHA-256\n"
            f"fingerprint is {fingerprint}",
            file=sys.stderr,
            flush=True,
        )
    return context


def _is_out_of_time(config: ServeConfig) -> bool:
    from webui.certificate import is_valid

    return not is_valid(config.app.data_dir)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that takes connections; raise WebError with one line that says what to do."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        both = host == "::" and socket.has_dualstack_ipv6()
        listener = socket.create_server((host, port), family=family, backlog=128, dualstack_ipv6=both)
    except (OSError, OverflowError) as error:
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            raise WebError(f"Port {port} is in use: give another with --port.") from None
        if number == errno.EACCES:
            raise WebError(f"Port {port} may not be used: give one of 1024 or higher with --port.") from None
        raise WebError(f"{host} port {port} cannot be served: give another --host or --port.") from None
    return listener
