"""The view of a finished game's best plays: those that turns missed, and those that a rack could have made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine import Board, Game, Lexicon, LexiconError, Play, WordList, format_play, square_name
from engine.analysis.missed_plays import MissedPlay, find_missed_play, hints, searchable_lexicon
from engine.faces import format_faces
from engine.lexicon.hooks import hooks_of
from engine.solver.advice import Choice
from engine.solver.plays import ScoredPlay
from engine.wording import join_texts, phrase, points_text
from webui.errors import WebError
from webui.views.sheet import TurnView, view_turns

MAX_NEAR_WORDS = 60
"""Words of a group that the page shows. [by eye]"""


@dataclass(frozen=True)
class PossiblePlay:
    """A choice that the solver found: its words with their points, and its total points.

    `word` is the main word, which has all tiles of the play. `where` says where it lies: ``"ION across from d5"``.
    `play` is None for a pass or an exchange, which `where` then names. `reply` is the mean of the next player's
    answers, None if nobody weighed them.
    """

    word: str
    words: str
    where: str
    points: int
    play: Play | None
    reply: int | None = None

    @property
    def notation(self) -> str:
        """The tiles on their squares, as the editor takes them."""
        return format_play(self.play) if self.play else ""


@dataclass(frozen=True)
class MissedView:
    """The best choice that a turn missed. `gain` says by how many points it would have been better.

    `rack` are the tiles that the search used. `summary` says why it is better, in the words that follow `where`.
    """

    best: PossiblePlay
    gain: int
    rack: str
    summary: str


@dataclass(frozen=True)
class NearWords:
    """Words near a word: the name of this group, and the words."""

    name: str
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The words as the page shows them, shortened if there are many."""
        more = len(self.words) - MAX_NEAR_WORDS
        shown = ", ".join(self.words[:MAX_NEAR_WORDS])
        return phrase("%(words)s and %(number)s more", words=shown, number=more) if more > 0 else shown


def view_hooks(word: str, lexicon: WordList, suggest: Callable[[str], bool] | None) -> tuple[NearWords, ...]:
    """Return the hooks, stack hooks and anagrams of a word or a rack, without the groups that are empty."""
    if not isinstance(lexicon, Lexicon):
        return ()
    hooks = hooks_of(word, lexicon, suggest)
    groups = (
        (phrase("A tile in front"), hooks.front),
        (phrase("A tile behind"), hooks.back),
        (phrase("One tile on top"), hooks.stacked),
        (phrase("Two tiles on top"), hooks.stacked_two),
        (phrase("The same tiles"), hooks.anagrams),
    )
    return tuple(NearWords(name, words) for name, words in groups if words)


def can_look_back(game: Game) -> bool:
    """Return whether the game is over and its word list can be searched: hints come after the game."""
    try:
        return game.ended is not None and searchable_lexicon(game) is not None
    except LexiconError:
        return False


def check_over(game: Game) -> None:
    """Raise WebError while the game goes on."""
    if game.ended is None:
        raise WebError(phrase("Hints come after the game. End it first."))


def turns_to_look_back(game: Game) -> tuple[TurnView, ...]:
    """Return the turns whose best play can be shown: not lost turns, and not plays that were taken back."""
    turns = zip(view_turns(game), game.turns, strict=True)
    return tuple(view for view, record in turns if record.kind != "lost" and not record.taken_back)


def view_missed(game: Game, place: int, suggest: Callable[[str], bool] | None) -> MissedView | None:
    """Return the best choice that the turn on line `place` of the sheet missed, or None.

    Only words that pass `suggest` are shown.
    """
    missed = find_missed_play(game, place - 1, suggest=suggest)
    if missed is None:
        return None
    best = _view_choice(missed.best)
    return MissedView(best, round(missed.gain), format_faces(missed.tiles), _why(missed, best))


def _why(missed: MissedPlay, best: PossiblePlay) -> str:
    """Say in words why a choice is better than the turn as it was made."""
    played = missed.record.play.faces if missed.record.play is not None else ()
    how = (
        phrase("with the same tiles")
        if sorted(played) == sorted(missed.tiles)
        else phrase("with the tiles that are known")
    )
    words = phrase("(%(words)s)", words=best.words) if "+" in best.words else ""
    parts: list[str] = [join_texts((points_text(best.points), words, "" if missed.whole_rack else how))]
    more = best.points - missed.actual.points
    if more:
        parts.append(
            phrase("%(number)s more", number=more) if more > 0 else phrase("%(number)s less now", number=-more)
        )
    spared = round(missed.actual.reply - missed.best.reply)
    if spared > 0:
        parts.append(phrase("the next player gets about %(points)s less", points=points_text(spared)))
        if missed.answer is not None:
            answer = view_play(missed.answer)
            could = phrase(
                "(as played, %(where)s could answer for %(points)s)", where=answer.where, points=answer.points
            )
            parts[-1] = join_texts((parts[-1], could))
    elif spared < 0:
        parts.append(phrase("though the next player gets about %(points)s more", points=points_text(-spared)))
    kept = round(missed.best.kept - missed.actual.kept)
    if kept > 0:
        parts.append(
            phrase("you then gain %(number)s more by the end of the game", number=kept)
            if missed.best.to_end
            else phrase("you keep better tiles")
        )
    return join_texts(parts, ", ")


def find_choices(game: Game, board: Board, rack: str, suggest: Callable[[str], bool] | None) -> list[Choice]:
    """Return the best choices for a rack, given as text, on a board: plays of words that pass `suggest`.

    Raises UpscoreError for an invalid rack.
    """
    setup = game.setup
    faces = setup.edition.alphabet.parse_faces("".join(rack.replace(",", " ").split()))
    return hints(
        board,
        faces,
        edition=setup.edition,
        lexicon=searchable_lexicon(game),
        rules=setup.rules,
        players=len(game.players),
        suggest=suggest,
    )


def view_hints(game: Game, board: Board, rack: str, suggest: Callable[[str], bool] | None) -> tuple[PossiblePlay, ...]:
    """Return the view of the choices that `find_choices` returns, nothing if the rack has no play."""
    choices = find_choices(game, board, rack, suggest)
    return tuple(map(_view_choice, choices)) if any(choice.play for choice in choices) else ()


def _view_choice(choice: Choice) -> PossiblePlay:
    if choice.play is not None:
        return replace(view_play(choice.play), reply=round(choice.reply))
    what = phrase("a pass") if choice.given is None else phrase("an exchange of %(face)s", face=choice.given)
    return PossiblePlay("", "", what, 0, None, round(choice.reply))


def view_play(scored: ScoredPlay) -> PossiblePlay:
    """Return the view of a play that the solver found."""
    words = " + ".join(f"{word.word} {word.points}" for word in scored.words)
    words = phrase("%(words)s + %(points)s for all tiles", words=words, points=scored.bonus) if scored.bonus else words
    main = scored.words[0]
    start = square_name(main.squares[0])
    if main.squares[0].row == main.squares[-1].row:
        where = phrase("%(word)s across from %(square)s", word=main.word, square=start)
    else:
        where = phrase("%(word)s down from %(square)s", word=main.word, square=start)
    return PossiblePlay(main.word, words, where, scored.points, scored.play)
