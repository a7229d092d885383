"""Brings the catalogues of the page's languages up to date: ``python -m workshop.translations [LANGUAGE ...]``.

It finds every text of the program: calls of `phrase` and `plural`, `_` and `trans` in templates, `t` and `plural` in
scripts. Each catalogue gets the new ones, untranslated, and loses those that are gone. A LANGUAGE without a catalogue
gets one. It says how many texts are left to translate.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import write_po
from jinja2.ext import babel_extract

from webui.language import TRANSLATIONS, read_catalogue

ROOT = Path(__file__).parents[1]
_PARTS = ("engine", "vision", "calibration", "webui", "upscore")
_MARKS = {"_": None, "gettext": None, "ngettext": (1, 2)}
_TEMPLATE = babel_extract, _MARKS, {"trimmed": "true", "silent": "false"}
_KINDS: Mapping[str, tuple[Any, Mapping[str, Any], Mapping[str, Any]]] = {
    ".py": ("python", {"phrase": None, "plural": (1, 2)}, {}),
    ".js": ("javascript", {"t": None, "plural": (1, 2)}, {"parse_template_string": True}),
    ".html": _TEMPLATE,
    ".json": _TEMPLATE,
}
"""How the texts in a file are found, by its ending: the method, the functions that mark them, and options."""
_DAY = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""The day that catalogues name, whenever they were written, so that only texts change them."""


def extract() -> Catalog:
    """Return a catalogue of all texts, without translations."""
    catalogue = Catalog(project="Upscore", version="1", creation_date=_DAY, revision_date=_DAY)
    for part in _PARTS:
        for path in sorted((ROOT / part).rglob("*")):
            if path.suffix not in _KINDS or "__pycache__" in path.parts:
                continue
            method, marks, options = _KINDS[path.suffix]
            for _, text, _, _ in extract_from_file(method, path, keywords=marks, options=options):
                if text:
                    catalogue.add(text, locations=[(path.relative_to(ROOT).as_posix(), 1)])
    return catalogue


def update(code: str, texts: Catalog) -> Catalog:
    """Return the catalogue of a language with exactly these texts. It keeps the translations that it has."""
    if (TRANSLATIONS / code).exists():
        catalogue = read_catalogue(code)
    else:
        catalogue = Catalog(code, project="Upscore", version="1", header_comment=f"# Upscore: {code}")
    catalogue.update(texts, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.creation_date = catalogue.revision_date = _DAY
    catalogue.fuzzy = False
    return catalogue


def write_catalogue(catalogue: Catalog) -> None:
    """Write the catalogue of a language to its file."""
    path = TRANSLATIONS / str(catalogue.locale) / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=120, include_lineno=False, sort_by_file=True)


def main() -> None:
    """Bring the catalogues up to date, or make those that are asked for."""
    texts = extract()
    known = [path.name for path in sorted(TRANSLATIONS.iterdir())] if TRANSLATIONS.exists() else []
    for code in sys.argv[1:] or known:
        catalogue = update(code, texts)
        write_catalogue(catalogue)
        left = [message for message in catalogue if message.id and not all(_forms(message.string))]
        print(f"{code}: {len(catalogue)} texts, {len(left)} left to translate")


def _forms(string: Any) -> tuple[str, ...]:
    """Return a translation as its forms, one or two; the form "" if there is none."""
    return tuple(string) if isinstance(string, list | tuple) else (string or "",)


if __name__ == "__main__":
    main()
