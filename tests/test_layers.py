"""The parts depend one way, and each keeps to what it is for."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ORDER = ("engine", "vision", "calibration", "webui", "upscore")
FORBIDDEN = {
    "engine": {
        "os",
        "pathlib",
        "io",
        "time",
        "datetime",
        "threading",
        "socket",
        "sqlite3",
        "subprocess",
        "random",
    },
    "vision": {"flask", "sqlite3", "threading", "socket"},
    "calibration": {"flask", "sqlite3"},
}


def imports(path: Path) -> Iterator[str]:
    """The full names of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def modules(part: str) -> list[Path]:
    return sorted((ROOT / part).rglob("*.py"))


@pytest.mark.parametrize("part", ORDER)
def test_parts_import_only_those_before_them(part: str) -> None:
    later = ORDER[ORDER.index(part) + 1 :]
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(part)
        for name in imports(path)
        if name.split(".")[0] in later
    ]
    assert modules(part)
    assert wrong == []


@pytest.mark.parametrize("part", FORBIDDEN)
def test_parts_keep_to_what_they_are_for(part: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(part)
        for name in imports(path)
        if name.split(".")[0] in FORBIDDEN[part]
    ]
    assert wrong == []


def test_engine_uses_the_standard_library_only() -> None:
    allowed = set(sys.stdlib_module_names) | {"engine"}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("engine")
        for name in imports(path)
        if name.split(".")[0] not in allowed
    ]
    assert wrong == []


def test_running_never_needs_the_training_tools() -> None:
    training = {"torch", "numba", "onnx", "fontTools"}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for part in ORDER
        for path in modules(part)
        if "training" not in path.parts
        for name in imports(path)
        if name.split(".")[0] in training or name.startswith("calibration.training")
    ]
    assert wrong == []


ENGINE_ROOMS = ("lexicon", "rules", "solver", "game", "analysis", "formats")
"""The engine's rooms in their order, each importing only those before it; its own modules come before them all."""


def room(name: str) -> int:
    """The place of a module's room in the order, 0 for what lies in the engine itself."""
    parts = name.split(".")
    return 1 + ENGINE_ROOMS.index(parts[1]) if parts[1] in ENGINE_ROOMS else 0


def test_the_engines_rooms_import_only_those_before_them() -> None:
    wrong = []
    for path in modules("engine"):
        own = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for name in imports(path):
            if name.startswith("engine.") and room(name) > room(own):
                wrong.append(f"{own} imports {name}")
    assert wrong == []
    rooms = {path.parent.name for path in modules("engine") if path.parent.name != "engine"}
    assert rooms == set(ENGINE_ROOMS)


def test_the_engines_modules_import_each_other_one_way() -> None:
    """No circle of imports, however long."""
    needs = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): {
            name for name in imports(path) if name.startswith("engine.")
        }
        for path in modules("engine")
    }
    while needs:
        free = [name for name, needed in needs.items() if not needed & needs.keys()]
        assert free, f"a circle of imports among {', '.join(sorted(needs))}"
        for name in free:
            del needs[name]


MOST_LINES, MOST_FUNCTION_LINES, MOST_MODULES = 250, 45, 12


def test_the_engines_rooms_modules_and_functions_are_small() -> None:
    wrong = []
    for path in modules("engine"):
        text = path.read_text(encoding="utf-8")
        if len(text.splitlines()) > MOST_LINES:
            wrong.append(f"{path.name} is {len(text.splitlines())} lines long")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                if lines > MOST_FUNCTION_LINES:
                    wrong.append(f"{path.name}: {node.name} is {lines} lines long")
    for folder in {path.parent for path in modules("engine")}:
        count = len([path for path in folder.glob("*.py") if path.name != "__init__.py"])
        if count > MOST_MODULES:
            wrong.append(f"{folder.name} has {count} modules")
    assert wrong == []
