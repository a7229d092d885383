"""The language of the page: chosen by the browser or by a switch, for each device by itself.

Everything that the page shows is made in English as a `Phrase` (engine/wording.py), which remembers its template and
values. It is translated where it leaves: in a template, or in JSON. So one table can be seen in several languages, and
threads, which serve everybody, need to know none. The catalogues are `translations/LANGUAGE/LC_MESSAGES/messages.po`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, has_request_context, request
from flask.json.provider import DefaultJSONProvider
from markupsafe import Markup, escape

from engine.wording import Phrase, phrase

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ENGLISH = "en"
LANGUAGES = {
    ENGLISH: "English", "de": "Deutsch", "es": "Español", "fr": "Français", "it": "Italiano", "nl": "Nederlands",
}  # fmt: skip
"""The languages that the page offers, each with its own name. Their catalogues are complete."""
COOKIE = "upscore-language"
"""The cookie in which a browser keeps the language that was chosen with the switch."""
TRANSLATIONS = Path(__file__).parent / "translations"
SCRIPTS = "webui/static/"
"""Where the catalogues say that a script's text comes from."""


def language() -> str:
    """Return the language of the present request: the chosen one, or else the browser's. Outside requests: English."""
    if not has_request_context():
        return ENGLISH
    chosen = request.cookies.get(COOKIE, "")
    wished = (name.partition("-")[0].lower() for name in request.accept_languages.values())  # the best one first
    return next((code for code in (chosen, *wished) if code in LANGUAGES), ENGLISH)


def translate(text: str) -> str:
    """Return a text in the language of the present request. A plain string stays as it is."""
    return text.translate_with(_translate) if isinstance(text, Phrase) else text


def _translate(template: str, many: str, number: int) -> str:
    if language() == ENGLISH or not template:
        return many if many and number != 1 else template
    catalogue = _catalogue(language())
    return catalogue.ngettext(template, many, number) if many else catalogue.gettext(template)


def mark_words(text: str, words: Iterable[str], code: str) -> Markup:
    """Return a text, translated, in which words of the game are marked as those of a language; "" for none."""
    shown = translate(text)
    spelt = "|".join(re.escape(word) for word in sorted(words))
    if not code or not spelt:
        return escape(shown)
    marked, at = Markup(), 0
    for word in re.finditer(rf"\b(?:{spelt})\b", shown):
        marked += escape(shown[at : word.start()]) + Markup('<span lang="{}">{}</span>').format(code, word[0])
        at = word.end()
    return marked + escape(shown[at:])


_WORDS = re.compile(r"[^\W\d_]{2,}")
_NAMES = ("player", "name")
"""The values of a phrase that are people's names."""
_FIRST_STAND_IN = 0xE000
"""The code of the sign that stands for the first name in a text; such signs are no letters and nobody types them."""


def mark_capitals(text: str, code: str) -> Markup:
    """Return a text, translated, in which words in capitals are marked as those of a language; "" for none.

    The page writes all words of the game so. A voice would otherwise read them as words of the page's language. The
    names of players stay as they are.
    """
    names: list[str] = []
    shown = translate(_hide_names(text, names))
    marked = mark_words(shown, {word for word in _WORDS.findall(shown) if word.isupper()}, code)
    for at, name in enumerate(names):
        marked = marked.replace(chr(_FIRST_STAND_IN + at), escape(name))
    return marked


def _hide_names(text: str, names: list[str]) -> str:
    """Put a sign in the place of each name in a phrase, and add the name to `names`."""
    if not isinstance(text, Phrase):
        return text
    values = dict(text.values)
    for key, value in text.values.items():
        if isinstance(value, Phrase):
            values[key] = _hide_names(value, names)
        elif key in _NAMES and isinstance(value, str):
            values[key] = chr(_FIRST_STAND_IN + len(names))
            names.append(value)
    return Phrase(text.template, values, text.many, text.number, text.capital)


def other_language(code: str) -> str:
    """Return the code of a language, "" if the page speaks it in the present request."""
    return code if code != language() else ""


def read_catalogue(code: str) -> Catalog:
    """Return the catalogue of a language."""
    from babel.messages.pofile import read_po  # takes 30 ms, which English doesn't need

    with (TRANSLATIONS / code / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=code)


@cache
def _catalogue(code: str) -> GNUTranslations:
    from babel.messages.mofile import write_mo

    compiled = BytesIO()
    write_mo(compiled, read_catalogue(code))
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def script_texts(code: str) -> str:
    """Return the texts of the page's scripts in a language as JSON, each English one with its translation or forms."""
    texts: dict[str, object] = {}
    for message in read_catalogue(code):
        if message.string and any(str(file).startswith(SCRIPTS) for file, _ in message.locations):
            key = message.id if isinstance(message.id, str) else message.id[0]
            texts[key] = message.string
    return json.dumps(texts, ensure_ascii=False)


def day_text(stamp: str) -> str:
    """Write the day of a stored time: ``"2 Mar 2026"``."""
    moment = datetime.fromisoformat(stamp).astimezone()
    return _write(moment, lambda: moment.strftime("%d %b %Y").lstrip("0"), "yMMMd")


def local_time(stamp: str) -> str:
    """Write a stored UTC time as this computer's local time: ``"02 Mar 2026, 18:05"``."""
    moment = datetime.fromisoformat(stamp).astimezone()
    day = _write(moment, lambda: moment.strftime("%d %b %Y"), "yMMMd")
    return f"{day}, {moment:%H:%M}"


def day_of_month(moment: datetime) -> str:
    """Write a day without its year: ``"02 March"``."""
    return _write(moment, lambda: moment.strftime("%d %B"), "MMMMd")


def _write(moment: datetime, in_english: Callable[[], str], skeleton: str) -> str:
    if language() == ENGLISH:
        return in_english()
    from babel.dates import format_skeleton

    return str(format_skeleton(skeleton, moment, locale=language()))


class _Json(DefaultJSONProvider):
    """Writes JSON with every phrase in the language of the request."""

    def dumps(self, obj: Any, **options: Any) -> str:
        return super().dumps(_in_language(obj), **options)


def _in_language(data: object) -> object:
    if isinstance(data, str):
        return translate(data)
    if isinstance(data, Mapping):
        return {key: _in_language(value) for key, value in data.items()}
    return [_in_language(each) for each in data] if isinstance(data, list | tuple) else data


def _block(template: str, **values: object) -> Markup:
    """Translate the HTML of a `trans` block."""
    return Markup(_translate(template, "", 1)) % _show_values(values)


def _plural_block(template: str, many: str, number: int, **values: object) -> Markup:
    """Translate the HTML of a `trans` block with two forms."""
    return Markup(_translate(template, many, number)) % _show_values(values)


def _show_values(values: Mapping[str, object]) -> dict[str, object]:
    return {name: translate(value) if isinstance(value, str) else value for name, value in values.items()}


def _finalize(value: object) -> object:
    return translate(value) if isinstance(value, Phrase) else value


def install(app: Flask) -> None:
    """Let an application's templates and JSON speak the language of each request."""
    app.json = _Json(app)
    environment = app.jinja_env
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    # the templates' own `gettext` gets the values of a block, too
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    environment.finalize = _finalize
    environment.globals.update(
        _=phrase, gettext=_block, ngettext=_plural_block, language=language, languages=LANGUAGES, english=ENGLISH
    )

    @app.after_request
    def _vary(response: Response) -> Response:
        if response.mimetype in ("text/html", "application/json"):
            response.vary.update(("Accept-Language", "Cookie"))
        return response
