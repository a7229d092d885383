"""A second referee, written from the rule sheets alone and by brute force: every segment of the grid is tried.

It shares nothing with `engine` (its boards are dictionaries, its plays are lists), so that the two agree only if
both are right. Slow and plain on purpose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Spot = tuple[int, int]  # row, column, from 0 at the top left
Stacks = Mapping[Spot, str]  # each stack's letters, the lowest first; Q stands for the Qu tile
Tiles = Sequence[tuple[Spot, str]]


@dataclass(frozen=True)
class Switches:
    """The house rules that matter for one turn; the defaults are those of the sheets."""

    lone_s: str = "refused"  # or "plurals": plurals only; or "allowed"
    lone_qu_first: bool = False
    bonus_for_short_rack: bool = False


@dataclass(frozen=True)
class Ruling:
    """The second referee's verdict on one turn: how often each rule is broken, the squares of the words that were made,
    and (word, points) in no order."""

    broken: Counter[str]
    made: frozenset[tuple[Spot, ...]]
    words: tuple[tuple[str, int], ...]
    bonus: int

    @property
    def points(self) -> int:
        return sum(points for _, points in self.words) + self.bonus


def runs(size: int, covered: set[Spot]) -> list[tuple[Spot, ...]]:
    """Return every longest covered segment of two squares or more in a row or column."""
    found = []
    for line in range(size):
        for start in range(size):
            for across in (True, False):
                for end in range(start + 2, size + 1):
                    segment = tuple((line, at) if across else (at, line) for at in range(start, end))
                    before = (line, start - 1) if across else (start - 1, line)
                    after = (line, end) if across else (end, line)
                    if not covered.issuperset(segment):
                        break  # a longer segment is no better
                    if before not in covered and after not in covered:
                        found.append(segment)
    return found


def spell(stacks: Stacks, squares: Sequence[Spot]) -> str:
    return "".join(stacks[spot][-1] for spot in squares).replace("Q", "QU")


def stack(stacks: Stacks, tiles: Tiles) -> dict[Spot, str]:
    after = dict(stacks)
    for spot, letter in tiles:
        after[spot] = after.get(spot, "") + letter
    return after


def points_of(stacks: Stacks, squares: Sequence[Spot]) -> int:
    """Score by Rules 6A to 6C. No set has a second Qu, so "a Qu" isn't ambiguous."""
    if any(len(stacks[spot]) > 1 for spot in squares):
        return sum(len(stacks[spot]) for spot in squares)
    return 2 * len(squares) + (2 if any(stacks[spot] == "Q" for spot in squares) else 0)


def in_one_unbroken_line(stacks: Stacks, tiles: Tiles) -> bool:
    spots = {spot for spot, _ in tiles}
    rows, columns = {row for row, _ in spots}, {column for _, column in spots}
    if len(rows) > 1 and len(columns) > 1:
        return False
    down, right = range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)
    between = {(row, column) for row in down for column in right}
    return between <= spots | set(stacks)


def touches(stacks: Stacks, tiles: Tiles) -> bool:
    steps = ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0))
    return any((row + down, column + right) in stacks for (row, column), _ in tiles for down, right in steps)


def merely_adds_s(size: int, stacks: Stacks, tiles: Tiles, inflects: Callable[[str, str], bool]) -> bool:
    """Check 5-plural: one S on an empty square, and each word is an earlier one with a plural's S."""
    if len(tiles) != 1 or tiles[0][1] != "S" or tiles[0][0] in stacks:
        return False
    spot = tiles[0][0]
    after = stack(stacks, tiles)
    made = [run for run in runs(size, set(after)) if spot in run]
    stood = runs(size, set(stacks))
    if not made:
        return False
    for run in made:
        if run[-1] != spot or run[:-1] not in stood:
            return False
        before = spell(stacks, run[:-1])
        if before.endswith("S") or not inflects(before, before + "S"):
            return False
    return True


def rule_on(
    size: int,
    stacks: Stacks,
    tiles: Tiles,
    *,
    is_word: Callable[[str], bool],
    plural: Callable[[str, str], bool],
    inflection: Callable[[str, str], bool],
    switches: Switches = Switches(),
    held: int = 7,
) -> Ruling:
    """Return what is wrong with a turn, by rule id, and its score if it stands.

    `held` is how many tiles the player had.
    """
    spots = [spot for spot, _ in tiles]
    after = stack(stacks, tiles)
    broken = Counter(
        {
            "5-one": sum(count > 1 for count in Counter(spots).values()),
            "5-same": sum(
                letter == stack(stacks, tiles[:at]).get(spot, " ")[-1] for at, (spot, letter) in enumerate(tiles)
            ),
            "5-five": sum(len(stack) > 5 for stack in after.values()),
            "4-line": not in_one_unbroken_line(stacks, tiles),
            "5-cover": sum(set(run) <= set(spots) for run in runs(size, set(stacks))),
            "equipment": len(tiles) > 7,
        }
    )
    made = [run for run in runs(size, set(after)) if set(run) & set(spots)]
    middle = {size // 2 - 1, size // 2} if size % 2 == 0 else {size // 2}
    if stacks:
        broken["4-connect"] += not touches(stacks, tiles)
    else:
        broken["3"] += len(tiles) == 1 and not (switches.lone_qu_first and tiles[0][1] == "Q")
        broken["3"] += not any(row in middle and column in middle for row, column in spots)
    inflects = {"refused": inflection, "plurals": plural, "allowed": lambda before, word: False}[switches.lone_s]
    broken["5-plural"] += merely_adds_s(size, stacks, tiles, inflects)
    words = tuple(sorted((spell(after, run), points_of(after, run)) for run in made))
    broken["7"] += sum(not is_word(word) for word, _ in words)
    all_of_them = len(tiles) == 7 or (switches.bonus_for_short_rack and len(tiles) == held)
    return Ruling(+broken, frozenset(made), words, 20 if all_of_them else 0)


@dataclass(frozen=True)
class Table:
    """The house rules about the end of a game."""

    rounds_of_passing: int = 1
    left_over: int = 5
    solo_left_over: bool = True
    exchange_is_pass: bool = False


@dataclass
class Sheet:
    """A scoresheet kept by hand: who has what, whose turn it is, and whether the game is over."""

    players: int
    pile: int
    table: Table = Table()
    points: list[int] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)  # "play", "pass" or "exchange", in order

    def __post_init__(self) -> None:
        self.points = [0] * self.players

    @property
    def to_move(self) -> int:
        return len(self.turns) % self.players

    def take(self, kind: str, points: int = 0, tiles: int = 0) -> None:
        self.points[self.to_move] += points
        self.turns.append(kind)
        self.pile -= min(tiles, self.pile)

    def have_all_passed(self) -> bool:
        passes = {"pass", "exchange"} if self.table.exchange_is_pass else {"pass"}
        needed = self.players * self.table.rounds_of_passing
        return len(self.turns) >= needed and all(kind in passes for kind in self.turns[-needed:])

    def final(self, left: Sequence[int]) -> list[int]:
        """The totals after Rule 6F, where `left` is how many tiles each player still holds."""
        each = self.table.left_over if self.players > 1 or self.table.solo_left_over else 0
        return [points - each * tiles for points, tiles in zip(self.points, left, strict=True)]

    def winners(self, left: Sequence[int]) -> list[int]:
        final = self.final(left)
        return [player for player, points in enumerate(final) if points == max(final)]
