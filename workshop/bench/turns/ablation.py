"""What each source of evidence adds: games replayed with one of them left out.

`dictionary`: no word is known to be one; `tile-counts`: all letters are equally likely; `history`: each picture is
compared with the true board before it, nothing else remembered. Every other is a source of evidence of the reader's
(`vision.evidence`).

Right: the play in view is told exactly and not asked about. A turn whose tiles are not all in view, and the one after
it, can only be wrong in silence.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from engine import Board, Edition
from upscore.commands.replay.command import first_look, next_look
from upscore.words.loader import load_lexicon
from vision import BoardReader, Finding, GameSettings, certain, load_image
from workshop.bench.data.program import say
from workshop.bench.data.truth import Record, Snapshot, games_in
from workshop.bench.record import Figures

EVERYTHING = "everything"
SOURCES = (
    "colour", "overlap", "apparent size", "walls", "comparison", "seams", "second look", "upright letter",
    "unclaimed letters", "tesseract",
)  # fmt: skip
PARTS = ("dictionary", "tile-counts", "history", *SOURCES)


@dataclass
class Tally:
    """Counts over turns whose play is in view, and whose turn before was."""

    turns: int = 0
    right: int = 0
    asked: int = 0
    silent: int = 0


def looking(without: str, edition: Edition) -> tuple[BoardReader, GameSettings]:
    """Return the reader and the settings of the game, with one part left out, or with EVERYTHING."""
    words = load_lexicon()
    reader = BoardReader(words=words, without={without} & set(SOURCES))
    known = None if without == "dictionary" else words
    return reader, GameSettings(edition, known, count_tiles=without != "tile-counts")


def ablate(folder: Path) -> Figures:
    """Return the counts over all games with everything, and with each part left out by itself."""
    games = games_in(folder)
    return {part: asdict(_tally(games, part)) for part in (EVERYTHING, *PARTS)}


def _tally(games: list[Record], without: str) -> Tally:
    tally = Tally()
    for game in games:
        say(f"  {without if without == EVERYTHING else f'without {without}'}: {game[0].path.parent.name}")
        _play_through(game, without, tally)
    return tally


def _play_through(game: Record, without: str, tally: Tally) -> None:
    reader, settings = looking(without, game[0].edition)
    start = Board.empty(settings.edition.size)
    belief, _ = first_look(reader, start, load_image(game[0].path)[0], settings)
    unseen = False
    for before, turn in pairwise(game):
        belief = certain(before.board) if without == "history" else belief
        belief, finding = next_look(reader, belief, load_image(turn.path)[0], settings)
        _count(turn, finding, tally, unseen)
        unseen = not turn.play_in_view


def _count(turn: Snapshot, finding: Finding, tally: Tally, unseen: bool) -> None:
    play = finding.play if finding.kind == "play" else None
    exact = play is not None and set(play.tiles) == set(turn.play.tiles)
    quiet = not finding.needs_review
    if turn.play_in_view and not unseen:
        tally.turns += 1
        tally.right += exact and quiet
        tally.asked += not quiet
    nothing_in_view = not turn.play_in_view and finding.kind in ("none", "unclear")
    tally.silent += quiet and not exact and not nothing_in_view and not unseen
