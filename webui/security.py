"""Which requests are answered at all, and the headers that every answer carries."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Request, Response, request

from webui.errors import Refused

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def install(app: Flask) -> None:
    """Refuse changes asked for by other sites' pages, and add `HEADERS`."""

    @app.before_request
    def _same_origin() -> None:
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_same_origin(request):
            raise Refused("This request came from another site's page: open the scoresheet and try again.")

    @app.after_request
    def _headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response


def is_same_origin(asked: Request) -> bool:
    """Whether the request comes from one of this server's own pages, or from no page at all (a program).

    Browsers name the page's origin with every POST to another site, so a request without one is not theirs.
    """
    origin = asked.headers.get("Origin")
    if origin is not None:
        return urlsplit(origin).netloc.lower() == asked.host.lower()
    return asked.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
