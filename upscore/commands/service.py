"""`upscore service`: the page as a service of systemd, in the account of the person who installs it."""

from __future__ import annotations

import argparse
import getpass
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from upscore.commands.console import DONE, PARTLY, UsageError, tell
from webui.server import qr_lines

_UNIT = """[Unit]
Description=Upscore, the scoresheet of an Upwords board

[Service]
ExecStart={command}
WorkingDirectory={folder}
Restart=on-failure
RestartSec=10
UMask=0077
# in memory and for this account alone: it holds the PIN
StandardOutput=truncate:%t/upscore.log

[Install]
WantedBy=default.target
"""


def run(args: argparse.Namespace) -> int:
    """Install the service, remove it, or show its status. Raises UsageError if there is no systemd."""
    if args.action == "install":
        return _install(args.options)
    if args.options:
        raise UsageError(f"'upscore service {args.action}' takes no options.")
    return _remove() if args.action == "remove" else _status()


def _install(options: list[str]) -> int:
    """Write the unit, and start it now and whenever systemd starts this account's services."""
    from upscore.cli import build_parser

    build_parser().parse_args(["serve", *options])  # fails now if the options are wrong
    words = [sys.executable, "-m", "upscore", "serve", "--host", "0.0.0.0", "--no-browser", *options]
    _systemctl("daemon-reload")  # fails before anything is written
    unit = _unit()
    unit.parent.mkdir(parents=True, exist_ok=True)
    text = _UNIT.format(command=" ".join(map(_quote, words)), folder=str(Path.cwd()).replace("%", "%%"))
    unit.write_text(text, encoding="utf-8")
    _systemctl("daemon-reload")
    _systemctl("enable", unit.name)
    _systemctl("restart", unit.name)
    tell("Upscore now runs as a service. Its address, its PIN and its QR code: upscore service status")
    if not Path("/var/lib/systemd/linger", user := getpass.getuser()).exists():
        tell(f"It starts when you log in. To start it with the computer: sudo loginctl enable-linger {user}")
    return DONE


def _remove() -> int:
    unit = _unit()
    if unit.exists():
        _systemctl("disable", "--now", unit.name)
        unit.unlink()
        _systemctl("daemon-reload")
    tell("Upscore is no longer a service. Your games are kept.")
    return DONE


def _status() -> int:
    """Print whether the service runs, and what it printed since it started, with the QR code."""
    unit = _unit()
    if not unit.exists():
        tell("Upscore is not installed as a service: upscore service install")
        return PARTLY
    state = _systemctl("show", "--property=ActiveState", "--value", unit.name)
    tell(f"The service is {state}.")
    log = Path(os.environ.get("XDG_RUNTIME_DIR", ""), "upscore.log")
    text = log.read_text(encoding="utf-8") if log.is_file() else ""
    for line in text.splitlines():
        tell(line)
    if link := re.search(r"http\S+/join/\S+", text):
        print("\n".join(qr_lines(link[0], sys.stdout)))
    return DONE if state == "active" else PARTLY


def _unit() -> Path:
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / "systemd" / "user" / "upscore.service"


def _quote(word: str) -> str:
    """Return a word of a command as systemd reads it."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _systemctl(*words: str) -> str:
    """Return what systemctl prints; raise UsageError with what to do where it fails."""
    if shutil.which("systemctl") is None:
        raise UsageError(
            "this system has no systemd. Add this command to what it starts by itself: "
            "upscore serve --host 0.0.0.0 --no-browser"
        )
    done = subprocess.run(["systemctl", "--user", *words], capture_output=True, text=True, timeout=60)
    if done.returncode:
        why = done.stderr.strip() or f"status {done.returncode}"
        raise UsageError(f"systemctl --user {shlex.join(words)} failed ({why}): log in as the user who is to run it.")
    return done.stdout.strip()
