"""All tables on one page. It follows any number of Upscores through their interface for programs, and only reads.

Everybody who reaches the page sees the players' names and points. Each Upscore lets it in as a viewer, by its link.
"""

from __future__ import annotations

import threading
import urllib.request
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial
from http.client import HTTPException
from http.cookiejar import LWPCookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit, urlunsplit

from flask import Flask, render_template

from engine import UpscoreError
from engine.json_reading import as_bool, as_int, as_list, as_mapping, as_text, load_json
from engine.wording import format_points, join_texts, phrase
from webui import language, security
from webui.errors import Refused, WebError
from webui.language import LANGUAGES
from webui.live.background import RepeatedChore
from webui.routes.static_files import install_compression, static_path
from webui.security import local_url, reach
from webui.server import listen, stop_signals
from webui.views.sheet import KIND_TEXTS
from webui.wsgi_server import Server

EVERY_S, _REFUSED_S = 3.0, 60.0
"""Seconds between two looks at an Upscore, and after one that it refused. [by eye]"""
_ANSWER_S = 5.0
"""Seconds after which an Upscore counts as gone. [by eye]"""
_MAX_BYTES = 2_000_000
"""Bytes of an answer that are read. A long game has 50,000. [by eye]"""
_MAX_OPEN, _MAX_ENDED = 12, 8
"""Games of one Upscore that are shown, the newest first: those that go on, and those that ended. [by eye]"""
_MAX_INT = 2**63
_NOT_LET_IN = (401, 403, 410)
COOKIES = "tables.cookies"
"""The file that keeps what lets this page in, so that a link is needed once."""

Points = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Source:
    """An Upscore to follow: its name on the page, its address with a final slash, and its link to watch or ""."""

    name: str
    url: str
    link: str = ""

    @staticmethod
    def parse(text: str) -> Source:
        """Parse ADDRESS or NAME=ADDRESS, where the address may be the link to watch. Raises WebError."""
        name, _, address = ("", "", text) if text.lower().startswith(("http://", "https://")) else text.rpartition("=")
        try:
            parts = urlsplit(address if "://" in address else f"http://{address}")
            valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            valid = False
        if not valid:
            raise WebError(f"{text!r} isn't the address of an Upscore: give one such as http://192.168.1.5:8000.")
        path, join, code = parts.path.partition("/join/")
        url = urlunsplit((parts.scheme, parts.netloc, f"{path.rstrip('/')}/", "", ""))
        return Source(name.strip() or parts.netloc, url, f"{url}join/{code}" if join else "")


@dataclass(frozen=True)
class OpenTable:
    """A game in progress. `title` is "" unless somebody gave it one. `last` is its last turn, in words."""

    title: str
    points: Points
    to_play: str
    turns: int
    last: str
    is_asking: bool


@dataclass(frozen=True)
class SourceView:
    """An Upscore's games as they were at its last answer, which came at the time `answered`, "" for never.

    `trouble` says what is wrong with it, "" for nothing.
    """

    name: str
    tables: tuple[OpenTable, ...] = ()
    ended: tuple[Points, ...] = ()
    trouble: str = phrase("No answer yet")
    answered: str = ""


class Hall:
    """Follows the Upscores, each in a thread of its own, so that an unreachable one doesn't delay the others.

    `folder` stores the cookies that let this page in.
    """

    def __init__(self, sources: Sequence[Source], folder: Path) -> None:
        self._cookies = LWPCookieJar(folder / COOKIES)
        with suppress(OSError):  # the links let this page in again
            self._cookies.load()
        direct, joined = urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self._cookies)
        self._opener = urllib.request.build_opener(direct, joined)
        self._views = {source: SourceView(source.name) for source in sources}
        self._chores = [RepeatedChore(partial(self.look, source), name="hall") for source in self._views]

    def start(self) -> None:
        """Begin to follow."""
        for chore in self._chores:
            chore.start()

    def close(self) -> None:
        """Stop following, without waiting for answers under way."""
        for chore in self._chores:
            chore.close(0.0)

    def views(self) -> tuple[SourceView, ...]:
        """Return what is known of every Upscore, in the order in which they were given."""
        return tuple(self._views.values())

    def look(self, source: Source) -> float:
        """Ask an Upscore for its games, and return the seconds until the next look.

        Without an answer, its last known games stay.
        """
        known, pause = self._views[source], EVERY_S
        try:
            self._views[source] = self._ask(source)
        except (OSError, HTTPException, UpscoreError, KeyError) as error:
            status = error.code if isinstance(error, HTTPError) else None
            if status in _NOT_LET_IN:
                text, pause = phrase("Needs a link to watch before it lets this page in"), _REFUSED_S
            elif isinstance(error, UpscoreError | KeyError) or status == 404:
                text = phrase("Something answers there, but not an Upscore")
            else:  # a proxy in front of it answers with its own status
                text = (
                    phrase("No answer since %(time)s", time=known.answered)
                    if known.answered
                    else phrase("No answer yet")
                )
            self._views[source] = replace(known, trouble=text)
        return pause

    def _ask(self, source: Source) -> SourceView:
        """Ask an Upscore for its games. If it wants that, first join with its link."""
        try:
            listed = self._fetch(f"{source.url}api/v1/games")
        except HTTPError as error:
            if error.code not in _NOT_LET_IN or not source.link:
                raise
            self._opener.open(source.link, timeout=_ANSWER_S).close()
            path = Path(self._cookies.filename or "")
            with suppress(OSError):  # without the file, the next start needs a link again
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(mode=0o600)
                self._cookies.save()
            listed = self._fetch(f"{source.url}api/v1/games")
        games = [as_mapping(each, "a game") for each in as_list(listed, "the games")]
        going = [game for game in games if not as_bool(game["ended"], "ended")][:_MAX_OPEN]
        over = [game for game in games if game["ended"] and game["totals"] is not None][:_MAX_ENDED]
        numbers = [as_int(game["id"], "a number", 1, _MAX_INT) for game in going]
        states = [as_mapping(self._fetch(f"{source.url}api/v1/games/{number}"), "a state") for number in numbers]
        tables = tuple(_table(game, state) for game, state in zip(going, states, strict=True))
        ended = tuple(_points(game["totals"]) for game in over)
        return SourceView(source.name, tables, ended, "", f"{datetime.now():%H:%M}")

    def _fetch(self, url: str) -> object:
        request = urllib.request.Request(url, headers={"User-Agent": "Upscore, all tables"})
        with self._opener.open(request, timeout=_ANSWER_S) as answer:
            return load_json(answer.read(_MAX_BYTES).decode("utf-8", "replace"), "the answer")


def _table(game: Mapping[str, object], state: Mapping[str, object]) -> OpenTable:
    points = _points(state["totals"])
    title = as_text(game["title"], "a title")
    turns = as_list(state["turns"], "the turns")
    return OpenTable(
        "" if title == " - ".join(name for name, _ in points) else title,
        points,
        as_text(state["to_play"], "a player"),
        len(turns),
        _turn_text(as_mapping(turns[-1], "a turn")) if turns else "",
        state["question"] is not None,
    )


def _points(totals: object) -> Points:
    pairs = as_mapping(totals, "the totals").items()
    return tuple((name, as_int(points, "points", -_MAX_INT, _MAX_INT)) for name, points in pairs)


def _turn_text(turn: Mapping[str, object]) -> str:
    player, kind = as_text(turn["player"], "a player"), as_text(turn["kind"], "a kind")
    if kind != "play":
        return join_texts((player, KIND_TEXTS.get(kind, kind)))
    words = [as_mapping(each, "a word") for each in as_list(turn["words"], "the words")]
    text = " + ".join(as_text(word["word"], "a word") for word in words) or phrase("no word")
    if turn.get("taken_back"):
        return phrase("%(player)s: %(words)s, taken back", player=player, words=text)
    return join_texts((f"{player}:", text, f"+{turn['points']}"))


def create_hall(hall: Hall, names: Collection[str] = ()) -> Flask:
    """Make the Flask application that shows a hall. `names` are further names of the server."""
    app = Flask(__name__, static_url_path=static_path())
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["signed"] = format_points
    security.install(app, names)
    install_compression(app)
    app.register_error_handler(
        Refused, lambda error: (language.translate(str(error)), Refused.status, {"Content-Type": "text/plain"})
    )
    language.install(app)
    rendered = lru_cache(maxsize=len(LANGUAGES))(lambda views, _: render_template("tables.html", sources=views))

    @app.get("/")
    def tables() -> str:
        return rendered(hall.views(), language.language())

    return app


def serve_hall(
    hall: Hall, host: str, port: int, names: Collection[str] = (), on_ready: Callable[[str], None] | None = None
) -> None:
    """Serve the page of a hall until SIGINT or SIGTERM. `on_ready` gets its address on this computer."""
    with listen(host, port) as listener, stop_signals() as stopping:
        server = Server(listener, create_hall(hall, names), None)
        try:
            hall.start()
            threading.Thread(target=server.run, name="server", daemon=True).start()
            own, shown = local_url(host, server.port, https=False), reach(host, server.port, https=False).shown
            where = dict.fromkeys((own, own if shown is None else shown.url))
            print(f"All tables are at {' and '.join(where)}  (Ctrl+C stops it)", flush=True)
            if on_ready is not None:
                on_ready(own)
            while not stopping.wait(1.0):  # without a time limit, Windows would notice no signal
                pass
            server.stop()
        finally:
            hall.close()
