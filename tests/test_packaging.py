"""The wheel: that everything which runs is in it and nothing else, and that it runs from where it is installed.

Building and installing take some seconds each; they are done once for all of these tests.
"""

from __future__ import annotations

import configparser
import email
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from vision.networks import NAMES

ROOT = Path(__file__).parents[1]
PACKAGES = ("calibration", "engine", "sample_images", "upscore", "vision", "webui")
MISSING = [name for name in ("setuptools", "pip") if importlib.util.find_spec(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not installed: no wheel is built"),
]

BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
USE = """
import sys
from pathlib import Path
import calibration, engine, sample_images, upscore, vision, webui
home = Path(sys.argv[1])
for package in (calibration, engine, sample_images, upscore, vision, webui):
    assert home in Path(package.__file__).parents, package
from engine.editions import EDITIONS
from upscore.cli import main
from upscore.commands.serve import TOUR, Shelf
from webui.app import create_app, services_of
from webui.ports import AppConfig
from webui.table.reader import VisionReader
assert main(["judge", "quiet"]) == 0
assert all(len(Shelf().load(name)) > 50_000 for name in Shelf().names())
assert (TOUR.folder / TOUR.start).is_file() and TOUR.edition in EDITIONS
app = create_app(AppConfig(Path("data"), VisionReader(), Shelf(), lambda word, words, alphabet: None, tour=TOUR))
client = app.test_client()
assert b"<form" in client.get("/new").data
assert client.get("/static/style.css").status_code == 200
services_of(app).close()
"""


def files_of(root: Path) -> set[str]:
    """The files of the packages, by their paths, without what Python leaves there."""
    return {
        path.relative_to(root).as_posix()
        for package in PACKAGES
        for path in (root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a copy of the tree: nothing that an earlier build left can get into it."""
    tree, out = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("wheel")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(out)], cwd=tree, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    (path,) = out.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return email.message_from_bytes(wheel.read(name))


def test_it_holds_the_files_of_the_packages_and_no_others(wheel: zipfile.ZipFile) -> None:
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == files_of(ROOT)


@pytest.mark.skipif(not (ROOT / ".git").exists() or shutil.which("git") is None, reason="this is no git checkout")
def test_a_clone_has_all_of_them() -> None:
    """Git ignores no file of the packages."""
    ask = ["git", "check-ignore", "--no-index", "--stdin"]
    done = subprocess.run(ask, cwd=ROOT, input="\n".join(files_of(ROOT)), capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr) == ("", "")


def test_it_has_exactly_these_packages_at_its_top(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/top_level.txt"))
    assert tuple(sorted(wheel.read(name).decode().split())) == PACKAGES


def test_what_runs_and_what_may_be_asked_for_is_inside(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    assert {f"vision/weights/{network}.onnx" for network in NAMES} <= names
    assert {f"upscore/words/data/{name}" for name in ("shared.txt.xz", "american.txt.xz", "meanings.txt.xz")} <= names
    assert {f"upscore/words/data/LICENSE-{name}.txt" for name in ("SCOWL", "WORDNET")} <= names
    assert {"webui/templates/base.html", "webui/static/style.css"} <= names
    assert {"sample_images/README.md", "sample_images/classic_8x8/00.jpg", "sample_images/blue_10x10/00.jpg"} <= names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_its_metadata(wheel: zipfile.ZipFile, metadata: Message) -> None:
    assert (metadata["Name"], metadata["License-Expression"]) == ("upscore", "MIT")
    assert "Private :: Do Not Upload" in metadata.get_all("Classifier", [])
    assert set(metadata.get_all("Provides-Extra", [])) >= {"dev", "train"}
    assert "not affiliated" in metadata.get_payload()
    needed = [text for text in metadata.get_all("Requires-Dist", []) if "extra ==" not in text]
    assert {re.split(r"[<>=]", text)[0] for text in needed} >= {"numpy", "opencv-python", "flask"}
    assert all(">=" in text for text in needed)
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    scripts = configparser.ConfigParser()
    scripts.read_string(wheel.read(name).decode())
    assert dict(scripts["console_scripts"]) == {"upscore": "upscore.cli:main"}


def test_it_runs_from_where_it_is_installed(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> None:
    target, elsewhere = tmp_path_factory.mktemp("target"), tmp_path_factory.mktemp("elsewhere")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    options = ["--no-deps", "--no-index", "--no-compile", "--target", str(target)]
    subprocess.run([*pip, *options, str(wheel.filename)], check=True, timeout=120)
    done = subprocess.run(
        [sys.executable, "-c", USE, str(target)],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("QUIET is playable")
