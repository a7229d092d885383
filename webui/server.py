"""Serving the page until it is told to stop."""

from __future__ import annotations

import errno
import importlib.util
import signal
import socket
import ssl
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server, make_ssl_devcert

from webui.app import create_app, services_of
from webui.errors import WebError
from webui.ports import AppConfig

_IDLE_S = 60.0


@dataclass(frozen=True)
class ServeConfig:
    """How to serve an application. `play_demo` starts its first demo at once; port 0 takes a free port."""

    app: AppConfig
    host: str = "127.0.0.1"
    port: int = 8000
    https: bool = False
    play_demo: bool = False


class _Handler(WSGIRequestHandler):
    """Answers one connection, quietly; one that says nothing for a minute is dropped."""

    timeout = _IDLE_S
    server_version = "Upscore"
    sys_version = ""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing: the page asks often."""


def serve(config: ServeConfig) -> None:
    """Serve the page at an address that is printed, until SIGINT or SIGTERM.

    Werkzeug's threaded server is used: every open page holds an event stream, hence a thread, for as long as
    it is open; a fixed pool of workers would be used up by a few phones, and this server speaks TLS besides.
    Raises UpscoreError, one line, when the address, the data folder, the camera or the demo can't be used.
    """
    tls = _certificate(config.app.data_dir) if config.https else None
    with _listen(config.host, config.port) as listener:
        _serve_on(listener, config, tls)


def _serve_on(listener: socket.socket, config: ServeConfig, tls: ssl.SSLContext | None) -> None:
    app = create_app(config.app)
    services = services_of(app)
    try:
        if config.play_demo and services.demo is not None:
            services.demo.start(0)
        server = make_server(
            config.host,
            listener.getsockname()[1],
            app,
            threaded=True,
            request_handler=_Handler,
            ssl_context=tls,
            fd=listener.fileno(),
        )
        _run(server, addresses(config.host, server.port, https=config.https))
        if not config.play_demo:
            print("Stopped; the games are kept.", file=sys.stderr)
    finally:
        services.close()


def addresses(host: str, port: int, *, https: bool) -> tuple[str, ...]:
    """Where the page can be opened: on this computer, and by others where the host lets them."""
    scheme = "https" if https else "http"
    if host not in ("0.0.0.0", "::", ""):
        return (f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/",)
    found = [f"{scheme}://127.0.0.1:{port}/"]
    outside = _outside_address()
    return (*found, f"{scheme}://{outside}:{port}/") if outside else tuple(found)


def _run(server: BaseWSGIServer, where: tuple[str, ...]) -> None:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        print(f"Upscore is at {' and '.join(where)}  (Ctrl+C stops it)", flush=True)
        server.serve_forever()
    finally:
        signal.signal(signal.SIGTERM, before)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=64)
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


def _certificate(data_dir: Path) -> ssl.SSLContext:
    """A self-signed certificate, made once and kept in the data folder, so that a browser asks only once."""
    base = data_dir / "certificate"
    try:
        if not base.with_suffix(".crt").is_file():
            if importlib.util.find_spec("cryptography") is None:
                raise WebError("--https needs the package cryptography: pip install 'upscore[https]'.")
            data_dir.mkdir(parents=True, exist_ok=True)
            make_ssl_devcert(str(base), host="localhost")
            base.with_suffix(".key").chmod(0o600)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(base.with_suffix(".crt"), base.with_suffix(".key"))
    except (OSError, ssl.SSLError) as error:
        raise WebError(
            f"The certificate {base}.crt cannot be used ({error}): delete it, or leave out --https."
        ) from None
    return context
