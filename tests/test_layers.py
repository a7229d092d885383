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
    training = {"torch", "numba", "onnx", "fontTools", "mitsuba", "drjit", "mitsuba_oidn"}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for part in ORDER
        for path in modules(part)
        if "training" not in path.parts
        for name in imports(path)
        if name.split(".")[0] in training or name.startswith("calibration.training")
    ]
    assert wrong == []


VISION_ROOMS = (
    ("errors", "decoding", "images", "networks", "probability", "stopwatch", "atomic_file"),
    ("picture_quality",),
    ("geometry",),
    ("hidden",),
    ("board",),
    ("heights",),
    ("letters",),
    ("reading", "calibration_data", "evidence"),
    ("grid_check",),
    ("pipeline",),
    ("turn",),
    ("video", "overlay"),
)
"""The rooms inside vision, each allowed to know those before it and its own."""


def vision_room(module: str) -> int:
    """Which of the VISION_ROOMS a module of vision (`vision.heights.seams`) belongs to."""
    name = module.split(".")[1]
    return next(at for at, names in enumerate(VISION_ROOMS) if name in names)


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
            if name.startswith("vision.") and vision_room(name) > vision_room(module)
        ]
    assert wrong == []
    assert seen == {name for names in VISION_ROOMS for name in names}


ENGINE_ROOMS = ("lexicon", "rules", "solver", "game", "analysis", "formats")
"""The engine's rooms in their order, each importing only those before it; its own modules come before them all."""


def engine_room(name: str) -> int:
    """The place of a module's room in the order, 0 for what lies in the engine itself."""
    parts = name.split(".")
    return 1 + ENGINE_ROOMS.index(parts[1]) if parts[1] in ENGINE_ROOMS else 0


def test_the_engines_rooms_import_only_those_before_them() -> None:
    wrong = []
    for path in modules("engine"):
        own = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for name in imports(path):
            if name.startswith("engine.") and engine_room(name) > engine_room(own):
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
