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
    later = (*ORDER[ORDER.index(part) + 1 :], "bench", "tests")
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
