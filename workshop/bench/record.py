"""Measured figures, kept in docs/figures.json, each with its version, machine and day."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

Figures = dict[str, Any]
"""The result of one measurement: counts, times and lists that JSON can hold."""

BUSY = 0.05
"""Share of the processors, taken by other programs, from which a figure says so. [by eye]"""
ROOT = Path(__file__).parents[2]
RECORD = ROOT / "docs" / "figures.json"
_STAMP = ("commit", "machine", "date", "others")


@dataclass(frozen=True)
class Stamp:
    """The version, machine and day of a measurement; `others` is the share of the machine that other programs took."""

    commit: str
    machine: str
    date: str
    others: float | None

    def line(self) -> str:
        """Return all of it as a sentence, with the share that other programs took if they took much."""
        others = self.others or 0.0
        busy = f", others took {100 * others:.0f} %" if others >= BUSY else ""
        return f"Version {self.commit}, {self.date}, {self.machine}{busy}."


@dataclass(frozen=True)
class Entry:
    """The figures of one measurement on one dataset."""

    stamp: Stamp
    figures: Figures


class Record:
    """Figures by measurement and dataset."""

    def __init__(self, entries: dict[tuple[str, str], Entry] | None = None) -> None:
        self._entries = dict(entries or {})

    def figures(self, measurement: str, dataset: str) -> Figures | None:
        """Return the measured figures, or None."""
        entry = self._entries.get((measurement, dataset))
        return None if entry is None else entry.figures

    def stamp(self, measurement: str, dataset: str) -> Stamp | None:
        """Return when and on which machine it was measured, or None."""
        entry = self._entries.get((measurement, dataset))
        return None if entry is None else entry.stamp

    def put(self, measurement: str, dataset: str, figures: Figures, stamp: Stamp) -> None:
        """Keep the figures of a measurement on a dataset."""
        self._entries[measurement, dataset] = Entry(stamp, figures)

    def save(self, path: Path) -> None:
        """Write all figures."""
        held: dict[str, dict[str, Any]] = {}
        for (measurement, dataset), entry in sorted(self._entries.items()):
            held.setdefault(measurement, {})[dataset] = {**asdict(entry.stamp), "figures": entry.figures}
        path.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


def load_record(path: Path) -> Record:
    """Read the recorded figures; without a file the record is empty."""
    if not path.exists():
        return Record()
    held = json.loads(path.read_text(encoding="utf-8"))
    return Record({
        (measurement, dataset): Entry(Stamp(**{name: kept[name] for name in _STAMP}), kept["figures"])
        for measurement, datasets in held.items()
        for dataset, kept in datasets.items()
    })  # fmt: skip


def stamp_of(load: Load) -> Stamp:
    """Return a stamp of this version (with a + if files differ from it), this machine, and its load."""
    machine = f"{len(os.sched_getaffinity(0))} cores of {_processor()}"
    return Stamp(_commit(), machine, date.today().isoformat(), load.others())


class Load:
    """A meter of how busy other programs keep the machine, from now on."""

    def __init__(self) -> None:
        self._whole, self._own = _processor_time(), _own_time()

    def others(self) -> float | None:
        """Return the share of all processors that other programs took, or None if the system doesn't tell."""
        now = _processor_time()
        if now is None or self._whole is None or now[1] <= self._whole[1]:
            return None
        busy, passed = now[0] - self._whole[0], now[1] - self._whole[1]
        return round(max(0.0, busy - (_own_time() - self._own)) / passed, 3)


def _own_time() -> float:
    """Return the seconds of processor time that this program and its processes have taken."""
    return sum(os.times()[:4])


def _processor_time() -> tuple[float, float] | None:
    """Return the seconds that all processors together were busy, and that have passed on them, or None."""
    ticks_file = Path("/proc/stat")
    if not ticks_file.exists():
        return None
    ticks = [float(part) for part in ticks_file.read_text(encoding="utf-8").splitlines()[0].split()[1:9]]
    second = float(os.sysconf("SC_CLK_TCK"))
    return (sum(ticks) - ticks[3] - ticks[4]) / second, sum(ticks) / second


def _commit() -> str:
    def git(*args: str) -> str:
        done = subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!docs", ":!README.md")
    return (git("rev-parse", "--short=8", "HEAD") or "unknown") + ("+" if changed else "")


def _processor() -> str:
    """Return the name of the processor."""
    processors = Path("/proc/cpuinfo")
    if processors.exists():
        for line in processors.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
