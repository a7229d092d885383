"""The choices on the form for a new game: players, boards with pictures, and house rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from engine import EDITIONS, Edition, UpscoreError
from engine.editions import edition_data, edition_from_data
from engine.rules.house_rules import HOUSE_RULES, HouseRule
from engine.squares import centre_squares, square_names
from engine.wording import points_text
from webui.storage.database import GameRow
from webui.views.games import players_of

_SENTENCES = {
    "plural_rule": "No plural by just adding S",
    "lone_s_with_crossing_word": "Adding an S is fine if it also makes a crossing word",
    "stacked_s": "Stacking an S is fine (HAT → HAS)",
    "verb_s_plural": "No adding S to a verb either (RUN → RUNS)",
    "several_tiles_ending_in_s": "Adding several tiles that end in S is fine (BOX → BOXES)",
    "parallel_plays": "One turn may make several crossing words",
    "lone_qu_first_play": "The Qu tile alone may be the first play",
    "bonus_for_short_rack": "20-point bonus for playing your last tiles, even if fewer than seven",
    "exchange_counts_as_pass": "An exchange counts as a pass",
    "passing_rounds": "Rounds of passes that end the game",
    "failed_challenge_loses_turn": "A failed challenge costs your next turn",
    "leftover_penalty": "Points lost per leftover tile",
    "solo_leftover_penalty": "Leftover tiles cost points in a solo game too",
    "joint_winners": "A tie is a shared win",
    "words_always_checked": "Words are checked at once, challenged or not",
    "solo_words_always_checked": "Words are checked at once in a solo game",
}

COMMON_RULES = ("plural_rule", "failed_challenge_loses_turn", "leftover_penalty")
"""The rules that tables ask for. The form folds the others away."""
_EXCEPTIONS = {
    "lone_s_with_crossing_word": "plural_rule",
    "stacked_s": "plural_rule",
    "verb_s_plural": "plural_rule",
    "several_tiles_ending_in_s": "plural_rule",
    "solo_leftover_penalty": "leftover_penalty",
}
"""The rules that say more about a common rule, each with that rule. They stand below it on the form."""


@dataclass(frozen=True)
class HouseRuleView:
    """A house rule on the form. `changed` says that its value differs from the rule sheets'."""

    rule: HouseRule
    sentence: str
    value: bool | int | str
    changed: bool

    @property
    def usual(self) -> bool:
        """Whether the form shows the rule without unfolding."""
        return self.rule.name in COMMON_RULES

    @property
    def of(self) -> str:
        """The name of the rule that this one says more about, "" for none."""
        return _EXCEPTIONS.get(self.rule.name, "")


def view_house_rules(values: Mapping[str, bool | int | str]) -> tuple[HouseRuleView, ...]:
    """Return every house rule with its value. `values` are by name."""
    return tuple(
        HouseRuleView(
            rule,
            _SENTENCES.get(rule.name, rule.question),
            values[rule.name],
            str(values[rule.name]) != str(rule.default),
        )
        for rule in HOUSE_RULES
    )


MAX_NAMES_OFFERED = 12
"""The most players of earlier games that the form offers. [by eye]"""
MAX_GAMES_SEARCHED = 60
"""The number of newest games whose players the form knows. [by eye]"""

MAX_SETS_OFFERED = 6
"""The most sets of people's own that the form offers. [by eye]"""

_SAMPLE_WORDS = {2: "", 4: "UPON", 10: "UPWARD", 11: "UPWARDS"}
"""The word on the picture of a board, from this size on: it shows how large the squares are."""


@dataclass(frozen=True)
class PictureTile:
    """A tile on the picture of a board, in units of a square from the top left."""

    x: int
    y: int
    face: str


@dataclass(frozen=True)
class EditionView:
    """A board to choose: its picture, and a line about it. `middle` are the start squares as (column, row).

    `sent` is what the form sends for it.
    """

    name: str
    label: str
    sent: str
    size: int
    summary: str
    tiles: tuple[PictureTile, ...]
    middle: tuple[tuple[int, int], ...]


def remembered_players(rows: Iterable[GameRow]) -> tuple[str, ...]:
    """Return the players of the newest games, the most frequent first. `rows` begin with the newest game."""
    counted: Counter[str] = Counter()
    games = 0
    for row in rows:
        if row.demo:
            continue
        games += 1
        if games > MAX_GAMES_SEARCHED:
            break
        counted.update(players_of(row))
    return tuple(name for name, _ in counted.most_common(MAX_NAMES_OFFERED))


def own_sets(rows: Iterable[GameRow]) -> tuple[Edition, ...]:
    """Return the sets of people's own that the newest games were played with, the newest first."""
    found: dict[str, Edition] = {}
    for row in islice(rows, MAX_GAMES_SEARCHED):
        if '"edition":{' in row.log:
            with suppress(UpscoreError, ValueError, KeyError, TypeError):  # whoever opens that game is told
                edition = edition_from_data(json.loads(row.log)["edition"])
                found.setdefault(edition.name, edition)
    return tuple(found.values())[:MAX_SETS_OFFERED]


def edition_field(edition: Edition) -> str:
    """Return what the form sends for an edition: the name of one that Upscore knows, otherwise its table as JSON."""
    data = edition_data(edition)
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)


def nearest_counts(size: int) -> Mapping[str, int]:
    """Return the number of tiles by face of the nearest edition in size that has them counted."""
    counted = [edition for edition in EDITIONS.values() if edition.distribution is not None]
    return min(counted, key=lambda edition: abs(edition.size - size)).distribution or {}


def view_editions(editions: Iterable[Edition]) -> tuple[EditionView, ...]:
    """Return the boards to choose from."""
    return tuple(map(_view_edition, editions))


def _differences(edition: Edition) -> Iterator[str]:
    """Yield what a set of people's own has otherwise than the rule sheets."""
    sheet = EDITIONS["8x8"]
    if edition.start != centre_squares(edition.size):
        yield f"first word on {square_names(sorted(edition.start))}"
    if edition.stack_limit != sheet.stack_limit:
        yield f"stacks up to {edition.stack_limit}"
    if edition.rack_size != sheet.rack_size:
        yield f"{edition.rack_size} on a rack"
    if edition.full_rack_bonus != sheet.full_rack_bonus:
        yield f"{points_text(edition.full_rack_bonus)} for a full rack"
    if edition.qu_bonus != sheet.qu_bonus:
        yield f"{points_text(edition.qu_bonus)} for a Qu"
    if not edition.plural_rule:
        yield "no plural rule"


def _view_edition(edition: Edition) -> EditionView:
    sent, square = edition_field(edition), f"{edition.size} × {edition.size}"
    is_own = sent != edition.name
    summary = ", ".join([*([square] if is_own else ()), f"{edition.tile_total} tiles", *_differences(edition)])
    if edition.note:
        note = edition.note if is_own else edition.note.partition(":")[0]
        summary += f". {note[:1].upper()}{note[1:].rstrip('.')}."
    word = _SAMPLE_WORDS[max(size for size in _SAMPLE_WORDS if size <= edition.size)]
    row = (edition.size - 1) // 2
    left = (edition.size - len(word)) // 2
    return EditionView(
        name=edition.name,
        label=edition.name if is_own else square,
        sent=sent,
        size=edition.size,
        summary=summary,
        tiles=tuple(PictureTile(left + at, row, face) for at, face in enumerate(word)),
        middle=tuple((square.col, square.row) for square in edition.start),
    )
