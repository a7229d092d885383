"""Upscore runs where POSIX is missing, as on Windows: every module, and an evening from start to end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IMPORT_ALL = """
import importlib, pkgutil, windowskit
windowskit.pretend()
for top in ("calibration", "engine", "upscore", "vision", "webui"):
    for each in pkgutil.walk_packages(importlib.import_module(top).__path__, f"{top}."):
        if not each.name.endswith("__main__"):
            importlib.import_module(each.name)
print("imported")
"""
EVENING = """
import subprocess, sys, windowskit
from pathlib import Path
windowskit.pretend()
from upscore.cli import build_parser, main
from upscore.commands.serve import SAMPLES, Shelf, _app
from webui.app import create_app, services_of

words = build_parser().parse_args(["serve", "--data", "Zoë's games"])
app = create_app(_app(words, Shelf()))
client = app.test_client()
game = client.post("/api/v1/games", json={"edition": "8x8", "players": ["Zoë", "Ben"]}).json
photos = f"/api/v1/games/{game['id']}/photos"
for number in range(3):
    data = {"photo": (SAMPLES / "classic_8x8" / f"{number:02}.jpg").open("rb")}
    state = client.post(photos, data=data, content_type="multipart/form-data").json
print([turn["points"] for turn in state["turns"]], state["question"])
assert main(["backup", "games.zip", "--data", "Zoë's games"]) == 0
another = "import windowskit, sys; windowskit.pretend(); from upscore.cli import main; sys.exit(main(sys.argv[1:]))"
refused = subprocess.run(
    [sys.executable, "-c", another, "serve", "--port", "0", "--data", "Zoë's games"], capture_output=True, timeout=60
)
assert (refused.returncode, b"Another Upscore serves the games" in refused.stderr) == (2, True), refused
services_of(app).close()
assert main(["restore", "games.zip", "--data", "restored"]) == 0
for folder in ("Zoë's games", "restored"):
    words = build_parser().parse_args(["serve", "--data", folder])
    app = create_app(_app(words, Shelf()))
    (row,) = app.test_client().get("/api/v1/games").json
    print(row["totals"])
    services_of(app).close()
"""


def without_posix(script: str, folder: Path, code_page: str) -> str:
    """Run a script as on Windows; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-c", script],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONIOENCODING": code_page,
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests" / "kits"))),
            "UPSCORE_DEBUG": "1",
        },
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode(code_page)
    return done.stdout.decode(code_page)


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux can be told to do without")


@pytest.mark.slow
@needs_proc
def test_every_module_can_be_imported(tmp_path: Path) -> None:
    assert without_posix(IMPORT_ALL, tmp_path, "cp1252") == "imported\n"


@needs_proc
@pytest.mark.slow
def test_an_evening_from_the_first_photograph_to_the_restored_backup(tmp_path: Path) -> None:
    first, second, third = without_posix(EVENING, tmp_path, "cp437").splitlines()
    assert first == "[10, 10] None"
    assert second == third == "{'Zoë': 10, 'Ben': 10}"
