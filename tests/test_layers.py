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


ROOMS = (
    ("errors", "images", "networks", "probability", "stopwatch", "atomic_file"),
    ("geometry",),
    ("board",),
    ("heights",),
    ("letters",),
    ("reading", "calibration_data", "evidence"),
    ("pipeline",),
    ("turn",),
    ("video", "overlay"),
)
"""The rooms inside vision, each allowed to know those before it and its own."""


def room(module: str) -> int:
    """Which of the ROOMS a module of vision (`vision.heights.seams`) belongs to."""
    name = module.split(".")[1]
    return next(at for at, names in enumerate(ROOMS) if name in names)


def test_rooms_inside_vision_depend_one_way() -> None:
    seen, wrong = set(), []
    for path in modules("vision"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if module == "vision.__init__":
            continue
        seen.add(module.split(".")[1])
        wrong += [
            f"{module} imports {name}"
            for name in imports(path)
            if name.startswith("vision.") and room(name) > room(module)
        ]
    assert wrong == []
    assert seen == {name for names in ROOMS for name in names}


def test_modules_of_reading_and_of_calibration_stay_small() -> None:
    """At most 250 lines a module, 45 a function, a dozen modules a folder."""
    paths = [path for path in (*modules("vision"), *modules("calibration")) if "turn" not in path.parts]
    large = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        large += [str(path.relative_to(ROOT))] * (len(text.splitlines()) > 250)
        large += [
            f"{path.relative_to(ROOT)}: {node.name}"
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 45
        ]
    folders = {path.parent for path in paths}
    large += [str(folder.relative_to(ROOT)) for folder in folders if len(list(folder.glob("*.py"))) > 13]
    assert large == []
