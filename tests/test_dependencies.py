"""docs/security.md names what the program depends on, and pyproject.toml bounds it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    pytest.skip("Python 3.10 reads no TOML by itself", allow_module_level=True)

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = [Requirement(text) for text in PROJECT["dependencies"]]
SECTION = (ROOT / "docs" / "security.md").read_text(encoding="utf-8").split("## Dependencies")[1]
ROWS = dict(re.findall(r"^\| ([a-z0-9-]+)(?: \(([^)]*)\))? \| \w", SECTION, flags=re.MULTILINE))
"""The packages of the table, each with those that come along with it."""


def name_of(requirement: Requirement) -> str:
    return canonicalize_name(requirement.name)


def along(name: str) -> set[str]:
    """Return everything that is installed because of a package, directly or indirectly."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        try:
            told = requires(waiting.pop()) or []
        except PackageNotFoundError:  # opencv-python-headless instead of opencv-python
            continue
        for text in told:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                new = {name_of(needed)} - found
                found |= new
                waiting += new
    return found


def test_the_table_has_every_dependency_and_no_other() -> None:
    assert sorted(set(ROWS) - {"package"}) == sorted(set(map(name_of, NEEDED)))


@pytest.mark.parametrize("requirement", NEEDED, ids=str)
def test_each_has_a_range_of_versions(requirement: Requirement) -> None:
    assert {">=", "<"} <= {bound.operator for bound in requirement.specifier}


@pytest.mark.parametrize("requirement", NEEDED, ids=str)
def test_what_comes_along_with_it_is_named_beside_it(requirement: Requirement) -> None:
    named = {word.strip() for word in ROWS[name_of(requirement)].split(",") if word.strip()}
    assert along(requirement.name) - set(ROWS) <= named


def test_what_tests_and_training_need_is_named() -> None:
    told = SECTION.partition("For tests and training alone:")[2].partition(".")[0]
    extras = [Requirement(text) for texts in PROJECT["optional-dependencies"].values() for text in texts]
    assert {name_of(each) for each in extras} == set(re.findall(r"[a-z][a-z0-9-]+", told))


def test_running_the_networks_keeps_nothing_in_the_users_folder(tmp_path: Path) -> None:
    """The networks' library would store an identifier there, and send it in reports to its makers."""
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "LOCALAPPDATA": str(tmp_path)}
    allowed = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    code = "from vision.networks import load_networks; load_networks()"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=allowed | home, check=True, timeout=120)
    assert list(tmp_path.rglob("*")) == []
