"""docs/commands.md and docs/api.md have every option and every call."""

from __future__ import annotations

from pathlib import Path

import pytest

from workshop.bench.documents.references import main, places, references, renew
from workshop.bench.record import ROOT

TABLES = references()


@pytest.mark.parametrize("document", TABLES)
def test_every_option_and_call_is_documented(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    assert sorted(places(text)) == sorted(TABLES[document])
    assert renew(text, TABLES[document]) == text, "write them anew: python -m workshop.bench.documents.references"


def test_tables_say_what_help_and_the_description_say() -> None:
    commands, calls = TABLES["docs/commands.md"], TABLES["docs/api.md"]
    assert "| `--camera SOURCE` | a camera to take turns from" in commands["upscore serve"]
    assert "| `[PHOTO...]` |" in commands["upscore calibrate tiles"]
    assert "(has to be given)" in commands["upscore score"]
    assert "| `--host H`, `--port P`, `--no-browser`, `--name HOST` | see [above](" in commands["upscore tables"]
    assert "| `--host H` | the address to serve at" in commands["shared options"]
    assert "multipart/form-data: `photo`" in calls["calls"]
    assert "| `totals` | for each player a whole number |" in calls["State"]


def test_the_command_writes_between_the_markers_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    texts = {document: (ROOT / document).read_text(encoding="utf-8") for document in TABLES}
    for document, text in texts.items():
        (tmp_path / document).write_text(text.replace("which board: ", "which: "), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["references", "--check"])
    assert main(tmp_path) == 1
    assert capsys.readouterr().err == "docs/commands.md is out of date\n"
    monkeypatch.setattr("sys.argv", ["references"])
    assert main(tmp_path) == 0
    assert {document: (tmp_path / document).read_text(encoding="utf-8") for document in TABLES} == texts
