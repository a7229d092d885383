"""Turns on the scoresheet that hang on something unsettled: a question that waits, or looks that tell otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.errors import GameError
from engine.game.events import Challenged, Event, Played
from engine.game.game import Game
from engine.game.revision import Revision
from engine.play import Play
from vision.turn.memory.belief import Belief
from webui.views.game.question import Pending


def provisional_events(game: Game, pending: Pending | None, belief: Belief) -> frozenset[int]:
    """The numbers (from 0) of the game's standing events that may still prove to have been others.

    Those that an answer to the waiting question would put right, and those of which the likeliest story of all looks
    tells otherwise than the scoresheet.
    """
    revisions = [choice.revision for choice in pending.choices] if pending is not None else []
    likeliest = Revision(belief.stories[0].events, len(belief.entered))
    return frozenset(at for revision in (*revisions, likeliest) for at in _put_right(game, revision))


def _put_right(game: Game, revision: Revision) -> Iterable[int]:
    """The events that a revision makes others, none where it does not fit the game."""
    try:
        places = revision.places(game)
    except GameError:
        return ()
    really: Sequence[Play | None] = revision.events[: len(places)]
    changed = [at for at, event in zip(places, really, strict=False) if not _is_same(game.events[at], event)]
    return (*changed, *places[len(really) :])


def _is_same(stands: Event, really: Play | None) -> bool:
    if really is None:
        return isinstance(stands, Challenged)
    return isinstance(stands, Played) and stands.play == really
