"""What the answers to a question about a photograph do to the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.errors import UpscoreError
from engine.game.events import Played
from engine.game.game import Game
from engine.game.revision import Revision
from engine.play import Play
from webui.errors import WebError
from webui.ports import Choice, TurnReading
from webui.storage.open_games import OpenGame
from webui.views.game.question import Pending


def answers(opened: OpenGame) -> tuple[Callable[[Game], Game], ...]:
    """What each answer to the question that waits does to the game."""
    pending = opened.pending
    if pending is None:
        return ()
    if pending.kind == "none":
        return (Game.pass_turn,)
    return tuple(map(act_of, pending.choices))


def after(opened: OpenGame, choice: int) -> Game:
    """The game once the question is settled by answer `choice`; raises WebError where there is none such."""
    acts = answers(opened)
    if not 0 <= choice < len(acts):
        raise WebError("That answer is not among those asked about: look at the question again.")
    return acts[choice](opened.game)


def possible(sighting: TurnReading, game: Game) -> TurnReading:
    """The sighting without what this game can't record, so that every choice makes an answer."""
    choices = tuple(choice for choice in sighting.choices if _fits(choice, game))
    if sighting.kind in ("none", "unclear") or (choices and choices[0] == sighting.choices[0]):
        return replace(sighting, choices=choices)
    if choices and sighting.kind == "play":
        return replace(sighting, choices=choices, needs_review=True, belief=None)
    reason = sighting.reason or "What was played does not fit the scoresheet: enter the play by hand."
    none: tuple[Choice, ...] = ()
    return replace(
        sighting, kind="unclear", choices=none, needs_review=True, question=None, reason=reason, belief=None
    )


def _fits(choice: Choice, game: Game) -> bool:
    """Whether the game can be so; what changes nothing is no answer."""
    try:
        return bool(choice.revision.events or choice.revision.replaces) and bool(act_of(choice)(game))
    except UpscoreError:
        return False


def act_of(choice: Choice) -> Callable[[Game], Game]:
    """What a choice does to the game; a play that only went on is entered anew, so that its photograph shows it."""
    revision = choice.revision

    def act(game: Game) -> Game:
        last = game.log[-1] if game.log else None
        if revision.replaces == 1 and len(revision.events) == 1 and isinstance(last, Played):
            return Revision(revision.events).applied(game.undo())
        return revision.applied(game)

    return act


def is_asked_about(play: Play, pending: Pending) -> bool:
    """Whether a play entered by hand settles a question: it is what was asked about, and all that was played."""
    best = pending.choices[0].revision if pending.choices else Revision(())
    if pending.kind != "play" or best.replaces or len(best.events) != 1:
        return False
    asked = [choice.revision.events for choice in pending.choices]
    whole = [event.squares for event, *more in asked if event is not None and not more]
    if len(whole) < len(asked):
        return play.squares in whole  # the first of two turns is not all that there is
    return any({*squares} & {*play.squares} for squares in whole)
