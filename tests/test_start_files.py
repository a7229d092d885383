"""Files that start Upscore by a double click, as far as they can be tested on another system."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = ("Start Upscore.command", "run", "test", "tools/docker/try.sh", "tools/setup.sh", "tools/wheels.sh")
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


@needs_bash
@pytest.mark.parametrize("name", SCRIPTS)
def test_bash_can_read_each_script(name: str) -> None:
    assert b"\r" not in (ROOT / name).read_bytes()
    done = subprocess.run(["bash", "-n", name], cwd=ROOT, capture_output=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_file_for_windows_is_one_that_its_shell_reads() -> None:
    lines = (ROOT / "Start Upscore.cmd").read_bytes().decode("ascii").split("\r\n")
    assert not any("\n" in line for line in lines)
    labels = {line[1:] for line in lines if line.startswith(":")}
    assert set(re.findall(r"goto (\w+)", " ".join(lines))) == labels == {"make", "start", "failed"}


@needs_bash
def test_a_mac_without_python_is_told_where_to_get_it(tmp_path: Path) -> None:
    """Every program but these is missing; a Python of Apple's own would ask for developer tools."""
    folder = tmp_path / "Zoë's Upscore"
    (folder / "tools").mkdir(parents=True)
    for name in ("Start Upscore.command", "pyproject.toml", "tools/setup.sh"):
        shutil.copy(ROOT / name, folder / name)
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in ("bash", "cat", "cksum", "dirname", "id", "rm"):
        (programs / program).symlink_to(shutil.which(program) or "")
    (programs / "uname").write_text("#!/bin/sh\necho Darwin\n", encoding="ascii")
    (programs / "uname").chmod(0o755)
    start = (folder / "Start Upscore.command").read_text(encoding="ascii")
    start = start.replace("/usr/local/bin:/opt/homebrew/bin", "/nowhere")
    done = subprocess.run(
        [shutil.which("bash") or "", "-c", start, str(folder / "Start Upscore.command")],
        env={**os.environ, "PATH": str(programs)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    told = "Upscore needs Python 3.10 or newer: get it at python.org/downloads, and start again.\n"
    assert (done.returncode, done.stderr) == (2, told)
