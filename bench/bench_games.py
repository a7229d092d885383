"""How often turns are told rightly, and what each part of the reader adds: games in photographs, with their truth.

    python bench/bench_games.py FOLDER [--without dictionary tile-counts tesseract history]

FOLDER holds a folder for each game. Each part named is left out by itself, all games played again; without a dictionary
no word is known to be one, without tile counts all letters are equally likely, without Tesseract no second opinion is
asked, without history each picture is compared with the true board before it, nothing else remembered.

Right: the play in view is inferred exactly and not asked about; silent: inferred wrongly and not asked about.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from truth import Snapshot, games_in

from engine.board import Board
from engine.lexicon.lexicon import Lexicon
from upscore.commands.replay.unattended import first_look, next_look
from upscore.words.loader import load_lexicon
from vision.images import load_image
from vision.pipeline import BoardReader
from vision.turn.belief import certain
from vision.turn.context import Context
from vision.turn.finding import Finding

PARTS = ("dictionary", "tile-counts", "tesseract", "history")


@dataclass
class Tally:
    """Counts over turns whose play is in view, and whose turn before was."""

    turns: int = 0
    right: int = 0
    asked: int = 0
    silent: int = 0

    def row(self, name: str) -> str:
        right, asked = (100 * part / max(self.turns, 1) for part in (self.right, self.asked))
        return f"{name:22} turns {self.turns:4}  right {right:6.2f} %  asked {asked:6.2f} %  silent {self.silent}"


def played_through(
    game: list[Snapshot], reader: BoardReader, context: Context, tally: Tally, history: bool
) -> None:
    """Count the turns of one game."""
    belief = certain(Board.empty(context.edition.size))
    missed = False
    for number, turn in enumerate(game):
        image = load_image(turn.path)[0]
        if not number:
            belief, _ = first_look(reader, belief.board, image, context)
            continue
        belief = belief if history else certain(game[number - 1].board)
        belief, seen = next_look(reader, belief, image, context)
        _count(turn, seen.finding, tally, missed)
        missed = not turn.play_in_view


def _count(turn: Snapshot, finding: Finding, tally: Tally, missed: bool) -> None:
    play = finding.play if finding.kind == "play" else None
    exact = play is not None and set(play.tiles) == set(turn.play.tiles)
    quiet = not finding.needs_review
    if turn.play_in_view and not missed:
        tally.turns += 1
        tally.right += exact and quiet
        tally.asked += not quiet
    unseen = not turn.play_in_view and finding.kind in ("none", "unclear")
    tally.silent += quiet and not exact and not unseen and not missed


def measured(games: list[list[Snapshot]], without: str | None) -> Tally:
    """The tally over all games with one part left out, or none."""
    words = load_lexicon()
    reader = BoardReader(words=words, second_opinion=without != "tesseract")
    known: Lexicon | None = None if without == "dictionary" else words
    tally = Tally()
    for game in games:
        context = Context(game[0].edition, known, count_tiles=without != "tile-counts")
        played_through(game, reader, context, tally, without != "history")
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", nargs="*", choices=PARTS, default=())
    args = parser.parse_args()
    games = games_in(args.folder)
    for part in (None, *args.without):
        print(measured(games, part).row(f"without {part}" if part else "everything"), flush=True)


if __name__ == "__main__":
    main()
