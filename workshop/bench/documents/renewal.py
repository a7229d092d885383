"""Putting tables and diagrams into the documents, each table between two markers that name it."""

from __future__ import annotations

import re
from pathlib import Path

from workshop.bench.documents.cells import Table
from workshop.bench.documents.diagrams import diagrams
from workshop.bench.documents.record import Record


class MarkersMissing(ValueError):
    """A document has no place for a table."""


def renew(root: Path, tables: list[Table], record: Record) -> list[Path]:
    """Write all tables and diagrams into the documents under `root`; the files that changed."""
    changed: list[Path] = []
    for document in dict.fromkeys(table.document for table in tables):
        path = root / document
        before = path.read_text(encoding="utf-8")
        text = before
        for table in tables:
            text = with_table(text, table) if table.document == document else text
        if text != before:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    for name, drawn in diagrams(record).items():
        (root / "docs" / name).write_text(drawn, encoding="utf-8")
    return changed


def with_table(text: str, table: Table) -> str:
    """The document with the table in its place; raises MarkersMissing."""
    place = _place(table.name)
    if not place.search(text):
        raise MarkersMissing(
            f"{table.document} has no place for the table {table.name}: put {_begin(table.name)} there"
        )
    return place.sub(lambda found: f"{found[1]}\n{table.markdown}\n{found[3]}", text)


def _begin(name: str) -> str:
    return f"<!-- bench: {name} --> <!-- end -->"


def _place(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- bench: {re.escape(name)} -->)(.*?)(<!-- end -->)", re.DOTALL)
