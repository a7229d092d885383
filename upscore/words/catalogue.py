"""What each shipped word list is, in words fit for the page where one is chosen, with what was measured of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

HONEST = (
    "These lists are made from free dictionaries, not from the official lists of any word game, which may not be "
    "copied. Of the words of two to eight letters that the American tournament list of 2006 allows, the usual list "
    "has about 81 in 100; of its own words 99 in 100 are allowed by that list or by the British one of 2019."
)
"""What the lists are and are not; measured as docs/lexicon.md says."""

OWN_FILE = "If you own a dictionary as a text file, one word on each line, start with: upscore serve --lexicon FILE"
"""How to use one's own list."""


@dataclass(frozen=True)
class ListInfo:
    """A list: its name in calls, what the page calls it, how a verdict speaks of it, one sentence, and its files."""

    name: str
    label: str
    spoken: str
    description: str
    files: tuple[str, ...] = ()


_ALL = (
    ListInfo(
        "both",
        "American and British",
        "the American and British word list",
        "American and British words, either spelling: the usual list, and the best where you are not sure.",
        ("shared.txt", "american.txt", "british.txt"),
    ),
    ListInfo(
        "standard",
        "American",
        "the American word list",
        "Words as Americans spell them: color and tire, but not colour and tyre.",
        ("shared.txt", "american.txt"),
    ),
    ListInfo(
        "standard-british",
        "British",
        "the British word list",
        "Words as the British spell them: colour and tyre, but not color.",
        ("shared.txt", "british.txt"),
    ),
    ListInfo(
        "large",
        "Large",
        "the large word list",
        "All of these and very many rare words: for players who study words; 2 in 100 are in no official list.",
        ("shared.txt", "american.txt", "british.txt", "large.txt"),
    ),
)
SHIPPED: Mapping[str, ListInfo] = MappingProxyType({info.name: info for info in _ALL})
"""The shipped lists by their names, the usual one first."""


def list_info(name: str) -> ListInfo:
    """Return the list of that name; a table's own list is called by its file's name."""
    if name in SHIPPED:
        return SHIPPED[name]
    file = Path(name).name
    return ListInfo(name, file, f"the word list {file}", "Your own list.")
