"""Which requests are answered at all, and the headers that every answer carries."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request

from webui.errors import Refused
from webui.hosts import host_of, is_loopback, is_own, own_names

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
"""Those that browsers heed over https or on this computer alone; elsewhere they complain of them."""


_OWN_PATH = re.compile(r"/(?:[\w.-]+(?:/[\w.-]+)*/?)?", re.ASCII)
"""A path below this server: one that begins with two slashes would lead to another.

Each character can be matched in one way alone: anybody may send a path, and a bad one must not be tried in all ways.
"""


def install(app: Flask, names: Collection[str] = ()) -> None:
    """Refuse what is asked under a name that is not this server's, and changes asked for by other sites' pages.

    `names` are those that the server goes by besides its own. Every answer gets the `HEADERS`.
    """
    known = own_names(names)

    @app.before_request
    def _own_host() -> Response | None:
        host = request.headers.get("Host")
        if host is None:
            return None  # no browser asks so
        name = host_of(host)
        if name is None:  # not even a page can be made for such a request: it has no address
            text = "There can be no host of that name: open the scoresheet by its address.\n"
            return Response(text, 403, mimetype="text/plain")
        if not is_own(name, known, request.environ.get("upscore.own_address", "")):
            raise Refused(
                f"Upscore is not known here as {name}: open it at the address that it printed, "
                f"or start it with --name {name}."
            )
        return None

    @app.before_request
    def _same_origin() -> None:
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_same_origin(request):
            raise Refused("This request came from another site's page: open the scoresheet and try again.")

    @app.after_request
    def _headers(response: Response) -> Response:
        trusted = request.is_secure or is_loopback(host_of(request.headers.get("Host", "")) or "")
        for name, value in {**HEADERS, **(_TRUSTED_HEADERS if trusted else {})}.items():
            response.headers.setdefault(name, value)
        if (response.mimetype or "").startswith("image/") and response.cache_control.public:
            response.cache_control.public = False  # photographs of a home are for this browser alone
            response.cache_control.private = True
        return response


def is_same_origin(asked: Request) -> bool:
    """Whether the request comes from one of this server's own pages, or from no page at all (a program).

    Browsers name the page's origin with every POST to another site, so a request without one is not theirs.
    """
    origin = asked.headers.get("Origin")
    if origin is None:
        return asked.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
    try:
        return urlsplit(origin).netloc.lower() == asked.host.lower()
    except ValueError:  # such as "http://[::1", which no browser sends
        return False


def is_own_path(path: str) -> bool:
    """Whether a path leads to a page of this server, and to none of elsewhere."""
    return _OWN_PATH.fullmatch(path) is not None
