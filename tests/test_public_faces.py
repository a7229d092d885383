"""Public faces: every name is there, loads lazily, and costs nothing until it is asked for. Examples hold."""

from __future__ import annotations

import ast
import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("engine", "vision", "calibration")
EXAMPLES = [
    path.relative_to(ROOT)
    for part in (*PARTS, "webui", "upscore", "workshop")
    for path in sorted((ROOT / part).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def read_type_imports(part: str) -> dict[str, str]:
    """Return the module of each name that the face of a part imports for type checkers."""
    tree = ast.parse((ROOT / part / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


@pytest.mark.parametrize("part", PARTS)
def test_type_checkers_and_programs_find_the_same_names(part: str) -> None:
    face = importlib.import_module(part)
    names = read_type_imports(part)
    assert names
    for name, home in names.items():
        assert getattr(face, name) is getattr(importlib.import_module(home), name)


@pytest.mark.parametrize("part", PARTS)
def test_an_unknown_name_is_an_attribute_error(part: str) -> None:
    with pytest.raises(AttributeError, match="Nothing"):
        _ = importlib.import_module(part).Nothing


def test_errors_of_vision_come_without_its_networks() -> None:
    code = "import sys, vision.errors; print(*sorted({'cv2', 'numpy', 'onnxruntime'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == ""


def test_faces_have_examples() -> None:
    assert {Path(part, "__init__.py") for part in PARTS} <= {*EXAMPLES}


@pytest.mark.parametrize("path", EXAMPLES, ids=str)
def test_the_examples_of_a_module_hold(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sample_images").symlink_to(ROOT / "sample_images")
    monkeypatch.chdir(tmp_path)
    names = path.parent.parts if path.name == "__init__.py" else path.with_suffix("").parts
    outcome = doctest.testmod(importlib.import_module(".".join(names)))
    assert outcome.attempted > 0
    assert outcome.failed == 0
