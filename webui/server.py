"""Serving the page until it is told to stop."""

from __future__ import annotations

import atexit
import errno
import os
import signal
import socket
import ssl
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from urllib.parse import urlsplit

from engine.errors import UpscoreError
from webui.access.greeting import greet
from webui.app import create_app, services_of
from webui.errors import WebError
from webui.hosts import host_of, is_loopback, own_names
from webui.ports import AppConfig
from webui.services import Services
from webui.wsgi_server import STOPPING_S, Server

STOPPED = 130
HEAD_START_S = 1.0
"""How long after the page listens the reader is loaded, unless a photograph comes sooner: the first page takes 0.2 s
where nothing else is loaded at the same time."""


@dataclass(frozen=True)
class ServeConfig:
    """How to serve an application. `play_demo` starts its first demo at once; port 0 takes a free port."""

    app: AppConfig
    host: str = "127.0.0.1"
    port: int = 8000
    https: bool = False
    play_demo: bool = False


def serve(config: ServeConfig) -> None:
    """Serve the page at an address that is printed, until SIGINT or SIGTERM.

    Raises UpscoreError, one line, when the address, the data folder, the camera or the demo can't be used.
    """
    with _listen(config.host, config.port) as listener:
        app = create_app(config.app)
        services, ended = services_of(app), threading.Event()
        try:
            tls = _tls(config) if config.https else None
            if config.play_demo and services.demo is not None:
                services.demo.start(0)
            server = Server(listener, app, tls)
            _get_ready_behind(services, ended)
            where = addresses(config.host, server.port, https=config.https)
            services.gate.address = next((each for each in where if not _leads_here(each)), None)
            _run(server, services, f"Upscore is at {' and '.join(where)}  (Ctrl+C stops it)")
            kept = "your games are kept, the sample game is not" if config.play_demo else "the games are kept"
            print(f"Stopped; {kept}.", file=sys.stderr)
        finally:
            ended.set()
            services.close()
    if _still_at_work():
        # a thread deep in a library: Python's own end would abort under it
        atexit.register(os._exit, 0)


def addresses(host: str, port: int, *, https: bool) -> tuple[str, ...]:
    """Where the page can be opened: on this computer, and by others where the host lets them."""
    scheme = "https" if https else "http"
    if host not in ("0.0.0.0", "::", ""):
        return (f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/",)
    found = [f"{scheme}://127.0.0.1:{port}/"]
    outside = _outside_address()
    return (*found, f"{scheme}://{outside}:{port}/") if outside else tuple(found)


def _leads_here(address: str) -> bool:
    """Whether an address leads each computer to itself."""
    return is_loopback(host_of(urlsplit(address).netloc) or "")


def _run(server: Server, services: Services, greeting: str) -> None:
    """Answer until a signal comes; then finish what is under way. A second signal waits for nothing."""
    stopping = threading.Event()

    def stop(number: int, _frame: FrameType | None) -> None:
        if stopping.is_set():
            os._exit(STOPPED)
        stopping.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    serving = threading.Thread(target=server.run, name="server", daemon=True)
    try:
        serving.start()
        print(greeting, flush=True)
        greet(services.gate, by_other_names=bool(services.config.names))
        while not stopping.wait(1.0) and serving.is_alive():
            pass
        server.stop()
        services.announcer.close()
        if not server.connections.wait_until_answered(0.3):
            print("Finishing what is under way (Ctrl+C again stops at once).", file=sys.stderr, flush=True)
            server.connections.wait_until_answered(STOPPING_S)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _get_ready_behind(services: Services, ended: threading.Event) -> None:
    """Load what the first photograph would wait for, once the first page has had the processor to itself."""

    def get_ready() -> None:
        if ended.wait(HEAD_START_S):
            return
        services.decoder.start()
        if services.config.get_ready is not None:
            with suppress(UpscoreError):  # whoever needs it will be told
                services.config.get_ready()

    threading.Thread(target=get_ready, name="getting ready", daemon=True).start()


def _still_at_work() -> bool:
    return any(
        one.name in ("request", "demo", "hands-free", "camera", "server", "getting ready")
        for one in threading.enumerate()
    )


def _tls(config: ServeConfig) -> ssl.SSLContext:
    # imported here: its library takes a twentieth of the start, for which plain http need not wait
    from webui.certificate import tls_context

    outside = _outside_address()
    hosts = [*sorted(own_names(config.app.names)), "127.0.0.1", "::1", *([outside] if outside else [])]
    context, fingerprint = tls_context(config.app.data_dir, hosts)
    print(
        "The browser will warn of a certificate that it does not know, once. It is this one if its SHA-256\n"
        f"fingerprint is {fingerprint}",
        file=sys.stderr,
    )
    return context


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError) as error:
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            raise WebError(f"Port {port} is in use: give another with --port.") from None
        if number == errno.EACCES:
            raise WebError(f"Port {port} may not be used: give one from 1024 on with --port.") from None
        raise WebError(f"{host} port {port} cannot be served: give another --host or --port.") from None
    return listener


def _outside_address() -> str | None:
    """This computer's address in its network; asking for a route sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None
