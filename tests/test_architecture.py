"""docs/architecture.md names what is there: every path, every module of the floor plan, and every room."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PLAN = PAGE[PAGE.index("## The floor plan") : PAGE.index("## What is believed")]
ROOMS = re.findall(r"^\| `([a-z_/0-9]+)/` \| (.*) \|$", PLAN, flags=re.MULTILINE)


def of_room(room: str) -> Path:
    """The folder of a row: those of the engine are named without it."""
    own = ROOT / room
    return own if own.is_dir() else ROOT / "engine" / room


def test_the_floor_plan_was_found() -> None:
    assert len(ROOMS) > 20


@pytest.mark.parametrize(("room", "told"), ROOMS, ids=[room for room, _ in ROOMS])
def test_every_module_that_the_plan_names_is_in_its_room(room: str, told: str) -> None:
    folder = of_room(room)
    named = re.findall(r"`([a-z_0-9]+)(/?)`", told)
    missing = [
        name for name, is_folder in named
        if not ((folder / name).is_dir() if is_folder else (folder / f"{name}.py").is_file())
        and not hasattr_somewhere(folder, name)
    ]  # fmt: skip
    assert missing == []


def hasattr_somewhere(folder: Path, name: str) -> bool:
    """Whether a name is a function or field that a module of the room defines."""
    return any(
        re.search(rf"^\s*(def |class )?{name}\b\s*[:(=]", path.read_text(encoding="utf-8"), re.MULTILINE)
        for path in folder.glob("*.py")
    )


@pytest.mark.parametrize(
    "page",
    ["CONTRIBUTING.md", "README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))],
)
def test_every_path_that_a_document_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(
        re.findall(r"\b((?:engine|vision|calibration|webui|upscore|bench|tests|tools)/[\w/]+\.py)\b", text)
    )
    assert [path for path in sorted(named) if not (ROOT / path).is_file()] == []


def test_no_package_is_left_out_of_the_plan() -> None:
    packages = {
        path.parent.relative_to(ROOT).as_posix()
        for part in ("engine", "vision", "calibration", "webui", "upscore", "bench", "sample_images")
        for path in (ROOT / part).rglob("__init__.py")
    }
    rooms = {of_room(room) for room, _ in ROOMS}
    rooms |= {of_room(room) / name for room, told in ROOMS for name in re.findall(r"`([a-z_0-9]+)/`", told)}
    assert packages - {room.relative_to(ROOT).as_posix() for room in rooms} == set()


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
