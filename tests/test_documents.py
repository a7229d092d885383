"""Documents name only files, headings and modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "workshop/notebook.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_that_a_document_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    rooms = "engine|vision|calibration|webui|upscore|bench|tests|tools|workshop|docs|sample_images"
    paths = {ROOT / path for path in re.findall(rf"(?<![\w/.])(?:{rooms})/[\w/.-]+\.\w+", text)}
    links = {document.parent / link for link in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text)}
    assert [str(path) for path in sorted(paths | links) if not path.exists()] == []
    modules = set(re.findall(r"`(\w+\.(?:py|html|js))`", text))
    assert sorted(modules - {path.name for room in rooms.split("|") for path in (ROOT / room).rglob("*.*")}) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_heading_that_a_document_links_to_exists(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", document.read_text(encoding="utf-8"))
    targets = [(document.parent / path if path else document, anchor) for path, anchor in links]
    assert [anchor for path, anchor in targets if anchor not in _anchors(path)] == []


def _anchors(document: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a document."""
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_module_that_a_document_runs_exists(document: Path) -> None:
    modules = set(re.findall(r"python -m (workshop[\w.]*\w)", document.read_text(encoding="utf-8")))
    paths = [ROOT / name.replace(".", "/") for name in sorted(modules)]
    files = [(path.with_suffix(".py"), path / "__main__.py") for path in paths]
    assert [str(module) for module, package in files if not (module.exists() or package.exists())] == []


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
