"""The application: its pages, its compiled templates, and how it answers errors."""

from __future__ import annotations

import errno
import logging
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from flask import Flask, current_app, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from engine import UpscoreError
from engine.wording import (
    board_name,
    capitalize,
    format_points,
    join_texts,
    number_of,
    number_word,
    phrase,
    points_text,
)
from vision.decoding.kinds import MEDIA_TYPES
from webui import language, security
from webui.access import gate
from webui.access.gate import FORM_BYTES
from webui.errors import DiskFull, NotLetIn
from webui.ports import AppConfig
from webui.routes.actions import actions, question_waiting, wants_json
from webui.routes.cameras import cameras
from webui.routes.challenges import challenges
from webui.routes.devices import devices, render_join
from webui.routes.files import IMPORT_ENDPOINT, TOO_LARGE, files
from webui.routes.new_game import starting
from webui.routes.pages import pages
from webui.routes.parts import parts
from webui.routes.static_files import install_compression, offline, static_path, texts_url
from webui.routes.v1.calls import PREFIX, v1
from webui.services import KEY, Services
from webui.views.rules import link_rules


class TemplateCache(FileSystemBytecodeCache):
    """A cache of compiled templates in `__pycache__` of a folder of templates.

    A compiled template is used only for the exact text that it came from. The cache stays empty if the folder can't be
    written to, or Python is set to write no bytecode. Then each start compiles the templates again.
    """

    def __init__(self, templates: Path) -> None:
        self._folder = templates / "__pycache__"
        super().__init__(str(self._folder), "__jinja2_i18n_%s.cache")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template. Skip it if its file can't be read."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Save a compiled template. Skip it if its file can't be written."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            super().dump_bytecode(bucket)


class RepeatFilter(logging.Filter):
    """Lets each error into the log a few times a minute, and counts the rest. Cuts long lines, such as addresses."""

    MOST, PERIOD_S, LONGEST = 3, 60.0, 300

    def __init__(self) -> None:
        super().__init__()
        self._since, self._counts = 0.0, Counter[tuple[str, str]]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written, with its line cut."""
        now = time.monotonic()
        left_out = 0
        if now - self._since > self.PERIOD_S:
            left_out = sum(max(0, count - self.MOST) for count in self._counts.values())
            self._since = now
            self._counts.clear()
        error = record.exc_info[1] if record.exc_info else None
        kind = (str(record.msg)[: self.LONGEST], type(error).__name__)
        self._counts[kind] += 1
        more = f" (and {left_out} like those before, which are not shown)" if left_out else ""
        record.msg, record.args = f"{record.getMessage()[: self.LONGEST]}{more}", ()
        return self._counts[kind] <= self.MOST and len(self._counts) <= self.LONGEST


_DRAIN_FACTOR = 4
"""A body that is too large is read up to this many times the limit, so that the browser gets to see the answer.
[by eye]"""
_MAX_FIELDS, _MAX_FIELD_BYTES = 200, 150_000
"""Fields of a form, and bytes of each besides its files, which alone are kept outside memory.

The parser reads 64 kB at once, and counts these, too. [by eye]
"""
_STORE_UNAVAILABLE = (503, 507)
"""Statuses for a store that cannot be written: the disk is full or read-only, or another program holds the file."""
_LOCKED = 423
"""The status that programs get instead, since their interface promises 4xx statuses."""


def create_app(config: AppConfig) -> Flask:
    """Make the Flask application for a configuration. `services_of(app).close()` stops its threads.

    :raises UpscoreError: if the data folder or a camera can't be used.
    """
    app = Flask(__name__, static_url_path=static_path())
    app.config.update(MAX_CONTENT_LENGTH=FORM_BYTES, MAX_FORM_PARTS=_MAX_FIELDS, MAX_FORM_MEMORY_SIZE=_MAX_FIELD_BYTES)
    app.jinja_env.bytecode_cache = TemplateCache(Path(app.root_path) / "templates")
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    language.install(app)
    app.jinja_env.filters.update(
        local_time=language.local_time, capitalized=capitalize, join_texts=join_texts, mark_words=language.mark_words,
        mark_capitals=language.mark_capitals,
        board_name=board_name, number_of=number_of, points=points_text, signed=format_points,
        list_name=config.list_label,
        in_words=number_word,
        link_rules=lambda text, game_id: link_rules(text, url_for("pages.rules", game_id=game_id)),
    )  # fmt: skip
    app.jinja_env.globals.update(
        texts_url=texts_url,
        word_lang=config.word_language,
        foreign=lambda name: language.other_language(config.word_language(name or "")),
        list_labels=config.list_labels,
        lists_note=config.lists_note,
        picture_types=MEDIA_TYPES,
        question_waiting=question_waiting,
    )
    bounded = RepeatFilter()
    for logger in (app.logger, logging.getLogger("werkzeug")):
        logger.filters[:] = [bounded]
    app.extensions[KEY] = services = Services(config)
    if config.behind_proxy:
        app.wsgi_app = security.with_scheme_of_proxy(app.wsgi_app)  # type: ignore[assignment, method-assign]
    security.install(app, config.names)
    gate.install(app, services.gate, photograph_bytes=config.max_upload_bytes)
    install_compression(app)
    rooms = (pages, starting, actions, challenges, files, parts, devices, cameras, offline, v1)
    for blueprint in rooms:
        app.register_blueprint(blueprint)
    app.register_error_handler(UpscoreError, lambda error: _answer(str(error), getattr(error, "status", 400)))
    app.register_error_handler(NotLetIn, _not_let_in)
    app.register_error_handler(RequestEntityTooLarge, _too_large)
    app.register_error_handler(OSError, _system_error)
    app.register_error_handler(HTTPException, _http_error)
    return app


def services_of(app: Flask) -> Services:
    """Return the services of an application that `create_app` made."""
    services: Services = app.extensions[KEY]
    return services


def _not_let_in(error: Exception) -> ResponseReturnValue:
    """Answer somebody who is not in with the page on which they can join."""
    assert isinstance(error, NotLetIn)
    if _in_json():
        return jsonify({"error": str(error)}), error.status, error.headers
    return render_join(str(error)), error.status, error.headers


def _too_large(_: Exception) -> ResponseReturnValue:
    limit = request.max_content_length or FORM_BYTES
    left = min(request.content_length or 0, _DRAIN_FACTOR * limit)
    stream = request.environ["wsgi.input"]
    while left > 0 and (chunk := stream.read(min(left, 1 << 20))):
        left -= len(chunk)
    if request.endpoint == IMPORT_ENDPOINT:
        return _answer(TOO_LARGE, 413)
    if limit != FORM_BYTES and (request.content_length or limit + 1) > limit:
        return _answer(phrase("That is too large: send a photograph of at most %(most)s MB.", most=limit // 2**20), 413)
    if _from_program():
        return _answer(f"That is too long: send at most {FORM_BYTES // 1000} kB, as {PREFIX}/openapi.json says.", 413)
    return _answer(phrase("That form is too large. Reload the page."), 413)


def _system_error(error: Exception) -> ResponseReturnValue:
    """Answer a request during which the operating system reported an error."""
    number = getattr(error, "errno", None)
    if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return _answer(str(DiskFull()), DiskFull.status)
    if number == errno.EROFS:
        return _answer(phrase("The disk can't be written to. Check that it isn't read-only, then try again."), 503)
    if isinstance(error, ConnectionError | TimeoutError):
        return _answer(phrase("The upload was cut off. Send it again."), 408)
    current_app.logger.error("The system refused something.", exc_info=error)
    return _answer(phrase("The computer refused the request (%(error)s): try again.", error=error), 503)


def _http_error(error: Exception) -> ResponseReturnValue:
    assert isinstance(error, HTTPException)
    if error.code is None or error.code < 400:
        return error.get_response()
    if _from_program():
        text = {
            404: f"There is no such address: {PREFIX}/openapi.json lists them all.",
            405: f"This address does not take {request.method}: {PREFIX}/openapi.json says what it takes.",
        }.get(error.code, f"The request could not be carried out: send it as {PREFIX}/openapi.json says.")
    else:
        text = {
            404: phrase("There is no such page. Go back to the games."),
            405: phrase("That can't be done here. Go back to the game and use its buttons."),
        }.get(error.code, phrase("That didn't work. Reload the page."))
    return _answer(text, error.code)


def _from_program() -> bool:
    """Return whether the request went to the interface for programs, which answers only in JSON."""
    return f"{request.path}/".startswith(f"{PREFIX}/")


def _in_json() -> bool:
    return _from_program() or wants_json()


def _answer(text: str, status: int) -> ResponseReturnValue:
    if _from_program() and status in _STORE_UNAVAILABLE:
        status = _LOCKED
    if _in_json():
        return jsonify({"error": text}), status
    return render_template("error.html", problem=text, back=_back()), status


def _back() -> str:
    """Return the path of the page that sent a form, or of the first page if it was not this server's."""
    try:
        sent_from = urlsplit(request.referrer or "")
    except ValueError:
        return "/"
    own = request.method == "POST" and sent_from.netloc == request.host and security.is_own_path(sent_from.path)
    return urlunsplit(("", "", sent_from.path, sent_from.query, "")) if own else "/"
