"""How often turns are right when nobody answers: `upscore replay` over whole games, against their truth.

Right: the play in view is told exactly and not asked about. A turn whose tiles are not all in view, and the one after
it, can only be wrong in silence. Unsaid: points of a play told exactly that are wrong and not marked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine import Game, HouseRules
from upscore.words.loader import load_lexicon
from workshop.bench.data.program import say, upscore
from workshop.bench.data.truth import Record, Snapshot, games_in
from workshop.bench.reading.alone import add_to_bin, empty_bins
from workshop.bench.record import Figures

PLAYERS = ("Red", "Blue")


def replay(folder: Path) -> Figures:
    """Return counts over all turns of a folder of games, and bins of the confidence in plays."""
    tally: Figures = dict.fromkeys(("turns", "right", "asked", "silent", "exact", "points", "unsaid"), 0)
    tally["bins"] = empty_bins()
    for game in games_in(folder):
        say(f"  replaying {game[0].path.parent.name}")
        called = ("--edition", game[0].edition.name, "--players", ",".join(PLAYERS))
        rows = upscore("replay", str(game[0].path.parent), *called)
        by_name = {row["image"]: row for row in rows if "image" in row}
        _count_game(tally, game, by_name)
    return tally


def true_games(game: Record) -> list[Game]:
    """Return the game as it was played, from its start to each of its turns."""
    played = [Game.start(game[0].edition, PLAYERS, HouseRules(), lexicon=load_lexicon())]
    for turn in game[1:]:
        played.append(played[-1].play(turn.play))
    return played


def _count_game(tally: Figures, game: Record, rows: dict[str, dict[str, Any]]) -> None:
    unseen = False
    for turn, truth in zip(game[1:], true_games(game)[1:], strict=True):
        row = rows[turn.path.name]
        exact = row["kind"] == "play" and _tiles(row["tiles"]) == _tiles(turn.truth["move"])
        if row["kind"] == "play":
            add_to_bin(tally["bins"], row["confidence"], exact)
        _count_turn(tally, turn, row, exact, row["points"] == truth.turns[-1].points, unseen)
        unseen = not turn.play_in_view


def _count_turn(tally: Figures, turn: Snapshot, row: dict[str, Any], exact: bool, points: bool, unseen: bool) -> None:
    quiet = not row["needs_review"]
    if turn.play_in_view and not unseen:
        tally["turns"] += 1
        tally["right"] += exact and quiet
        tally["asked"] += not quiet
        tally["exact"] += exact
        tally["points"] += exact and points
    tally["unsaid"] += exact and quiet and not points
    nothing_in_view = not turn.play_in_view and row["kind"] in ("none", "unclear")
    tally["silent"] += quiet and not exact and not nothing_in_view and not unseen


def _tiles(tiles: list[dict[str, Any]]) -> set[tuple[int, int, str]]:
    return {(tile["row"], tile["col"], tile["letter"]) for tile in tiles}
