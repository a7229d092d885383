"""Documents name only files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_that_a_document_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    rooms = "engine|vision|calibration|webui|upscore|bench|tests|tools|workshop|docs|sample_images"
    paths = {ROOT / path for path in re.findall(rf"(?<![\w/.])(?:{rooms})/[\w/.-]+\.\w+", text)}
    links = {document.parent / link for link in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text)}
    assert [str(path) for path in sorted(paths | links) if not path.exists()] == []
    modules = set(re.findall(r"`(\w+\.(?:py|html|js))`", text))
    assert sorted(modules - {path.name for room in rooms.split("|") for path in (ROOT / room).rglob("*.*")}) == []


def test_the_python_of_readme_does_what_its_comments_say(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == ["BATIK", "{'Red': 10, 'Blue': 0}"]
    assert all(line in code for line in ("BATIK", "{'Red': 10, 'Blue': 0}"))


def test_every_picture_is_shown_in_a_document() -> None:
    """A picture that no document shows is one that nobody makes anew."""
    text = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    pictures = [path for path in (ROOT / "docs").rglob("*") if path.suffix in (".png", ".jpg", ".svg")]
    assert pictures
    assert [path.name for path in pictures if f"{path.name})" not in text] == []
