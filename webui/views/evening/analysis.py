"""Looking back at a game that is over: the best plays missed, and what a rack could have played."""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis.missed_plays import hints, missed_play, searchable
from engine.board import Board
from engine.errors import LexiconError
from engine.faces import format_faces, parse_faces
from engine.game.game import Game
from engine.play import Play, format_play, format_run
from engine.solver.legal_plays import ScoredPlay
from webui.errors import WebError


@dataclass(frozen=True)
class TurnLabel:
    """A turn that can be looked back at: its line on the sheet from 1, its number, who had it."""

    place: int
    number: int
    player: str


@dataclass(frozen=True)
class FoundView:
    """A play that could have been made: its words with their points, the notation, all its points.

    `word` is the one along the play, which has all its tiles.
    """

    word: str
    words: str
    tiles: str
    points: int
    play: Play

    @property
    def notation(self) -> str:
        """The tiles on their squares, as the editor takes them."""
        return format_play(self.play)


@dataclass(frozen=True)
class MissedView:
    """The best play that a turn missed; `gain` is what it would have brought more.

    `rack` are the tiles it was looked for with, and `how` says which these were, "" for the whole rack.
    """

    found: FoundView
    gain: int
    rack: str
    how: str

    @property
    def summary(self) -> str:
        """What is to be said of it after its words."""
        how = f", {self.how}" if self.how else ""
        return f"{self.found.points} points, {self.gain} more: {self.found.tiles}{how}"


def can_look_back(game: Game) -> bool:
    """Whether the game is over and its word list can be searched: hints come after the game."""
    try:
        return game.ended is not None and searchable(game) is not None
    except LexiconError:
        return False


def check_over(game: Game) -> None:
    """Raises WebError while the game goes on."""
    if game.ended is None:
        raise WebError("Hints come after the game: end it first.")


def turn_labels(game: Game) -> tuple[TurnLabel, ...]:
    """The turns that can be looked back at: not those that were lost, nor tries that were taken back."""
    return tuple(
        TurnLabel(place, record.number, record.player)
        for place, record in enumerate(game.turns, start=1)
        if record.kind != "lost" and not record.taken_back
    )


def view_missed(game: Game, place: int) -> MissedView | None:
    """The best play that the turn on line `place` of the sheet missed, None where it missed none."""
    missed = missed_play(game, place - 1)
    if missed is None:
        return None
    played = missed.record.play.faces if missed.record.play is not None else ()
    how = "with the same tiles" if sorted(played) == sorted(missed.tiles) else "with the tiles that are known"
    how = "" if missed.whole_rack else how
    return MissedView(view_found(missed.best), missed.gain, format_faces(missed.tiles), how)


def view_hints(game: Game, board: Board, rack: str) -> tuple[FoundView, ...]:
    """The best plays that a rack, given as text, had on a board; raises UpscoreError for no such rack."""
    faces = parse_faces("".join(rack.replace(",", " ").split()))
    setup = game.setup
    found = hints(
        board,
        faces,
        edition=setup.edition,
        lexicon=searchable(game),
        rules=setup.rules,
        players=len(game.players),
    )
    return tuple(map(view_found, found))


def view_found(found: ScoredPlay) -> FoundView:
    """A play that the solver found."""
    bonus = found.points - sum(word.points for word in found.words)
    words = " + ".join(f"{word.word} {word.points}" for word in found.words)
    words = f"{words} + {bonus} for all tiles" if bonus else words
    return FoundView(found.words[0].word, words, format_run(found.play), found.points, found.play)
