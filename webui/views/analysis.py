"""The view of a finished game's best plays: those that turns missed, and those that a rack could have made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine import Board, Game, LexiconError, Play, format_play, square_name
from engine.analysis.missed_plays import hints, missed_play, searchable_lexicon
from engine.faces import format_faces, parse_faces
from engine.solver.plays import ScoredPlay
from engine.wording import points_text
from webui.errors import WebError


@dataclass(frozen=True)
class TurnLabel:
    """A turn whose best play can be shown: its line on the sheet from 1, its number, its player."""

    place: int
    number: int
    player: str


@dataclass(frozen=True)
class PossiblePlay:
    """A play that the solver found: its words with their points, and its points.

    `word` is the main word, which has all tiles of the play. `where` says where that lies: ``"ION across from d5"``.
    """

    word: str
    words: str
    where: str
    points: int
    play: Play

    @property
    def notation(self) -> str:
        """The tiles on their squares, as the editor takes them."""
        return format_play(self.play)


@dataclass(frozen=True)
class MissedView:
    """The best play that a turn missed. `gain` is how many more points it would have scored.

    `rack` are the tiles that the search used. `how` says which tiles these were, "" for the whole rack.
    """

    best: PossiblePlay
    gain: int
    rack: str
    how: str

    @property
    def summary(self) -> str:
        """The points and the gain, to be said after where the play lies."""
        words = f" ({self.best.words})" if "+" in self.best.words else ""
        how = f" {self.how}" if self.how else ""
        return f"{points_text(self.best.points)}{words}, {self.gain} more{how}"


def can_look_back(game: Game) -> bool:
    """Return whether the game is over and its word list can be searched: hints come after the game."""
    try:
        return game.ended is not None and searchable_lexicon(game) is not None
    except LexiconError:
        return False


def check_over(game: Game) -> None:
    """Raise WebError while the game goes on."""
    if game.ended is None:
        raise WebError("Hints come after the game. End it first.")


def turn_labels(game: Game) -> tuple[TurnLabel, ...]:
    """Return the turns whose best play can be shown: not lost turns, and not plays that were taken back."""
    return tuple(
        TurnLabel(place, record.number, record.player)
        for place, record in enumerate(game.turns, start=1)
        if record.kind != "lost" and not record.taken_back
    )


def view_missed(game: Game, place: int, suggest: Callable[[str], bool] | None) -> MissedView | None:
    """Return the best play that the turn on line `place` of the sheet missed, None if it missed none.

    Only words that pass `suggest` are shown.
    """
    missed = missed_play(game, place - 1, suggest=suggest)
    if missed is None:
        return None
    played = missed.record.play.faces if missed.record.play is not None else ()
    how = "with the same tiles" if sorted(played) == sorted(missed.tiles) else "with the tiles that are known"
    how = "" if missed.whole_rack else how
    return MissedView(view_play(missed.best), missed.gain, format_faces(missed.tiles), how)


def view_hints(game: Game, board: Board, rack: str, suggest: Callable[[str], bool] | None) -> tuple[PossiblePlay, ...]:
    """Return the best plays that a rack, given as text, had on a board, of words that pass `suggest`.

    Raises UpscoreError for an invalid rack.
    """
    faces = parse_faces("".join(rack.replace(",", " ").split()))
    setup = game.setup
    plays = hints(
        board,
        faces,
        edition=setup.edition,
        lexicon=searchable_lexicon(game),
        rules=setup.rules,
        players=len(game.players),
        suggest=suggest,
    )
    return tuple(map(view_play, plays))


def view_play(scored: ScoredPlay) -> PossiblePlay:
    """Return the view of a play that the solver found."""
    bonus = scored.points - sum(word.points for word in scored.words)
    words = " + ".join(f"{word.word} {word.points}" for word in scored.words)
    words = f"{words} + {bonus} for all tiles" if bonus else words
    main = scored.words[0]
    way = "across" if main.squares[0].row == main.squares[-1].row else "down"
    where = f"{main.word} {way} from {square_name(main.squares[0])}"
    return PossiblePlay(main.word, words, where, scored.points, scored.play)
