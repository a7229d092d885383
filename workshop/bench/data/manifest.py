"""Every dataset that a figure is measured on: what it is, whose, how much of it, and a checksum over all its files.

One dataset ships with the project. The others are looked for in the folders given as --data, by the path in `folder`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import sample_images

Kind = Literal["games", "films", "photographs", "cubes"]
Use = Literal["tuned on", "validation", "held out"]
State = Literal["found", "missing", "other"]

COUNTED = {"games": ".jpg", "films": ".mp4", "photographs": ".jpg", "cubes": ".jpg"}
"""How the names of a dataset's pictures or films end, by kind."""
_KEPT = frozenset({".jpg", ".json", ".mp4", ".csv"})
"""How the names of files end that the checksum is over."""


@dataclass(frozen=True)
class Dataset:
    """A dataset.

    Attributes:
        title: its name in tables.
        what: one line for people.
        source: its owner, or how to make it again.
        folder: its path in a folder of data; empty for the dataset that ships.
        use: whether the program was tuned on it, checked on it, or neither.
        count: pictures or films in it; `games` is how many games (sets, films) they show.
        digest: what `digest_of` says of its folder.
    """

    name: str
    title: str
    kind: Kind
    what: str
    source: str
    folder: str
    use: Use
    games: int
    count: int
    digest: str

    @property
    def heading(self) -> str:
        """The heading of its columns."""
        return f"`{self.name}`, {self.use}"


@lru_cache(maxsize=1)
def manifest() -> dict[str, Dataset]:
    """Return the datasets by their names, in the order of the tables."""
    held = json.loads(Path(__file__).with_name("manifest.json").read_text(encoding="utf-8"))
    return {each["name"]: Dataset(**each) for each in held}


def digest_of(folder: Path) -> str:
    """Return the SHA-256 over the list of a folder's files of data, each with its path and its own SHA-256."""
    whole = hashlib.sha256()
    for path in sorted(_files(folder), key=lambda path: path.relative_to(folder).as_posix()):
        own = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{path.relative_to(folder).as_posix()} {own}\n".encode())
    return whole.hexdigest()


def count_of(folder: Path, kind: Kind) -> int:
    """Return how many pictures or films a folder holds."""
    return sum(path.suffix == COUNTED[kind] for path in _files(folder))


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix in _KEPT]


@dataclass(frozen=True)
class Found:
    """Where a dataset is, and whether it is the right one: "other" differs from the manifest."""

    dataset: Dataset
    folder: Path | None
    state: State

    @property
    def status(self) -> str:
        """One line for people."""
        if self.state == "found":
            return f"{self.dataset.name}: found, {self.dataset.count} {_things(self.dataset)}, checksum right"
        if self.state == "other":
            return f"{self.dataset.name}: NOT MEASURED: {self.folder} holds other files than the manifest says"
        return f"{self.dataset.name}: MISSING: no {self.dataset.folder} in any folder of --data. {self.dataset.source}"


def find_dataset(dataset: Dataset, folders: list[Path]) -> Found:
    """Return where the dataset is: in the first of these folders that has it."""
    places = [folder / dataset.folder for folder in folders]
    if not dataset.folder:
        places = [Path(sample_images.__file__).parent]
    for place in places:
        if place.is_dir():
            right = count_of(place, dataset.kind) == dataset.count and digest_of(place) == dataset.digest
            return Found(dataset, place, "found" if right else "other")
    return Found(dataset, None, "missing")


def _things(dataset: Dataset) -> str:
    return "films" if dataset.kind == "films" else "pictures"
