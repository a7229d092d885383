"""The manual decisions on the lists, kept with their reasons in ``tables/decisions.tsv``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_PLACES = ("both", "all")


@dataclass(frozen=True)
class Decision:
    """Words to add or drop, or to refuse for a reason though no source has them.

    `place` is ``all`` for every list, ``both`` for every list but ``large``.
    """

    action: str
    place: str
    reason: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Lists:
    """The American list, the British one, and the large one, which holds them both."""

    american: frozenset[str]
    british: frozenset[str]
    large: frozenset[str]

    @property
    def both(self) -> frozenset[str]:
        """The American and the British list together."""
        return self.american | self.british


def rows(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a table with tabs between its columns, comments left out."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


@dataclass(frozen=True)
class Recent:
    """A word written into ``tables/recent.tsv`` by hand: its senses, as `upscore.words.meanings.Meanings` takes them,
    its forms, and the dictionary that added it, with the year, or ""."""

    word: str
    senses: str
    forms: tuple[str, ...]
    source: str = ""

    @property
    def is_known_from_games(self) -> bool:
        """True if only the list of a word game is known to have it: few people use such a word."""
        return "Scrabble" in self.source


def read_recent(path: Path) -> tuple[Recent, ...]:
    """Return the words of this century and of the family's table, in order."""
    return tuple(
        Recent(word.upper(), senses, tuple(forms.upper().split()), *source)
        for word, senses, forms, *source in rows(path)
    )


def with_recent(lists: Lists, recent: Iterable[Recent]) -> Lists:
    """Return the lists with these words and their forms in every one of them."""
    words = frozenset(form for each in recent for form in (each.word, *each.forms))
    return Lists(lists.american | words, lists.british | words, lists.large | words)


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """Return every decision of the file, in order; raises ValueError for a row that is not well formed."""
    decisions = []
    for action, place, reason, words in rows(path):
        if action not in ("add", "drop", "refuse") or place not in _PLACES or (action == "add" and place == "all"):
            raise ValueError(f"{path.name}: no such decision: {action} {place}")
        decisions.append(Decision(action, place, reason, tuple(words.upper().split())))
    return tuple(decisions)


def apply_decisions(raw: Lists, decisions: tuple[Decision, ...]) -> Lists:
    """Return the lists after the decisions; raises ValueError if a decision changes nothing, naming its words."""
    american, british, large = set(raw.american), set(raw.british), set(raw.large)
    idle: list[str] = []
    for decision in decisions:
        words = set(decision.words)
        if decision.action == "add":
            idle += words & raw.american & raw.british
            for each in (american, british, large):
                each |= words
        elif decision.action == "drop":
            idle += words - raw.large
            american -= words
            british -= words
            if decision.place == "all":
                large -= words
    if idle:
        raise ValueError(f"decisions that change nothing: {' '.join(sorted(idle)).lower()}")
    return Lists(frozenset(american), frozenset(british), frozenset(large))


def list_dropped(decisions: Iterable[Decision], place: str | None = None) -> set[str]:
    """Return the words that no rule may bring back, into any list or into the lists of one place."""
    drops = (each for each in decisions if each.action == "drop" and place in (None, each.place))
    return {word for each in drops for word in each.words}
