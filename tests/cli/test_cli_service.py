"""`upscore service`: the page as a service of systemd. A systemctl of our own writes down what it is asked."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from clikit import Caller

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no systemd")

SYSTEMCTL = """#!/bin/sh
echo "$*" >> "$HOME/asked"
[ "$2" != show ] || echo active
"""
LOG = """Upscore is at http://127.0.0.1:8000/ and http://192.0.2.7:8000/  (Ctrl+C stops it)
  http://192.0.2.7:8000/join/watch-1
  http://192.0.2.7:8000/join/keep-1
"""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Prepare a home folder and an obedient systemd."""
    (tmp_path / "systemctl").write_text(SYSTEMCTL, encoding="ascii")
    (tmp_path / "systemctl").chmod(0o755)
    folder = tmp_path / "50 % 'off'"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOGNAME", "ada")  # as every session has it; without it Python needs the module `pwd`
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


def unit(home: Path) -> Path:
    return home / ".config/systemd/user/upscore.service"


def list_asked(home: Path) -> list[str]:
    return (home / "asked").read_text(encoding="utf-8").splitlines()


def test_it_is_installed_shown_and_removed(upscore: Caller, home: Path) -> None:
    upscore("service", "install", "--port", "8080", "--name", 'a "b" $c 5%\\d')
    assert (upscore.status, upscore.err) == (0, "")
    assert "sudo loginctl enable-linger" in upscore.out
    assert list_asked(home)[-2:] == ["--user enable upscore.service", "--user restart upscore.service"]
    command = next(line for line in unit(home).read_text(encoding="utf-8").splitlines() if "ExecStart" in line)
    assert command.startswith(f'ExecStart="{sys.executable}" "-m" "upscore" "serve" "--host" "0.0.0.0" "--no-browser"')
    assert command.endswith('"--port" "8080" "--name" "a \\"b\\" $$c 5%%\\\\d"')

    (home / "upscore.log").write_text(LOG, encoding="utf-8")
    upscore("service", "status")
    assert upscore.status == 0
    assert upscore.out.startswith(f"The service is active.\n{LOG}")

    upscore("service", "remove")
    assert upscore.status == 0
    assert list_asked(home)[-2:] == ["--user disable --now upscore.service", "--user daemon-reload"]
    assert not unit(home).exists()
    upscore("service", "status")
    assert (upscore.status, "upscore service install" in upscore.out) == (1, True)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_finds_no_fault_in_the_unit(upscore: Caller, home: Path) -> None:
    upscore("service", "install", "--name", "a b")
    check = ["systemd-analyze", "--user", "verify", str(unit(home))]
    done = subprocess.run(check, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "upscore.service" in done.stderr) == (0, False), done.stderr


def test_options_that_serve_does_not_know_install_nothing(upscore: Caller, home: Path) -> None:
    upscore("service", "install", "--prot", "8080")
    assert (upscore.status, "--prot" in upscore.err) == (2, True)
    assert not unit(home).exists()


def test_without_systemd_it_says_what_to_start(upscore: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    upscore("service", "install")
    assert (upscore.status, "upscore serve --host 0.0.0.0 --no-browser" in upscore.err) == (2, True)
    assert not unit(home).exists()


def test_what_systemd_refuses_is_told_in_one_line(upscore: Caller, home: Path) -> None:
    (home / "systemctl").write_text("#!/bin/sh\necho No medium found >&2\nexit 1\n", encoding="ascii")
    upscore("service", "install")
    assert upscore.status == 2
    assert upscore.err.count("\n") == 1
    assert "No medium found" in upscore.err
    assert not unit(home).exists()
