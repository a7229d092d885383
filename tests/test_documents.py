"""Documents name only files and links that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "page",
    ["CONTRIBUTING.md", "README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))],
)
def test_every_path_that_a_document_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(
        re.findall(r"\b((?:engine|vision|calibration|webui|upscore|workshop|tests|tools)/[\w/]+\.py)\b", text)
    )
    assert [path for path in sorted(named) if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "README.md", "docs/adding.md", "docs/tour.md"])
def test_every_link_to_a_file_leads_to_one(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text)
    assert links
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []


def test_the_steps_name_what_their_files_define() -> None:
    """Names in code, beside the file that they are said to be in."""
    text = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
    pairs = re.findall(r"`(\w+)` in `([\w/]+\.py)`", text)
    assert len(pairs) > 3
    assert [
        (name, path)
        for name, path in pairs
        if not re.search(
            rf"^\s*(def |class )?{name}\b", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE
        )
    ] == []
