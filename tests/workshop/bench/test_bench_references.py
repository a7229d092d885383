"""The references in the documents are those that the program makes of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from upscore.commands.parser import build_parser
from workshop.bench.documents.record import ROOT
from workshop.bench.documents.references import main, places, references, renewed

MADE = references()


def written(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


@pytest.mark.parametrize("document", MADE)
def test_a_document_has_a_place_for_every_reference_and_for_no_other(document: str) -> None:
    assert sorted(places(written(document))) == sorted(MADE[document])


@pytest.mark.parametrize("document", MADE)
def test_references_are_up_to_date(document: str) -> None:
    text = written(document)
    assert renewed(text, MADE[document]) == text, "renew them: python -m workshop.bench.documents.references"


def test_every_word_of_every_command_is_told_as_help_tells_it() -> None:
    serve = MADE["docs/commands.md"]["upscore serve"]
    assert "| `--camera SOURCE` | a camera to take turns from" in serve
    assert "--help" not in serve
    assert "| `[PHOTO...]` |" in MADE["docs/commands.md"]["upscore calibrate tiles"]
    assert "(has to be given)" in MADE["docs/commands.md"]["upscore score"]
    assert all(name.startswith("upscore ") for name in MADE["docs/commands.md"])
    assert "calibrate" in build_parser().format_help()


def test_calls_and_what_they_hold_are_told() -> None:
    told = MADE["docs/api.md"]
    assert "| `POST /games/{id}/turns` |" in told["calls"]
    assert "multipart/form-data: `photo`" in told["calls"]
    assert "| `to_play` | text or null |" in told["State"]
    assert "| `totals` | for each player a whole number |" in told["State"]


def test_only_what_stands_between_the_markers_is_written() -> None:
    text = "by hand\n<!-- reference: one -->\nold\n<!-- end -->\nby hand\n"
    assert renewed(text, {"one": "new"}) == text.replace("old", "new")
    assert renewed("nothing here\n", {"one": "new"}) == "nothing here\n"
    with pytest.raises(KeyError):
        renewed(text, {"two": "new"})


def test_the_command_says_what_is_out_of_date(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("workshop.bench.documents.references.ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    for document in MADE:
        (tmp_path / document).write_text(
            written(document).replace("which board: ", "which: "), encoding="utf-8"
        )
    monkeypatch.setattr("sys.argv", ["references", "--check"])
    assert main() == 1
    assert capsys.readouterr().err == "docs/commands.md is out of date\n"
    monkeypatch.setattr("sys.argv", ["references"])
    assert main() == 0
    assert (tmp_path / "docs/commands.md").read_text(encoding="utf-8") == written("docs/commands.md")
