"""From a photograph to a turn on the scoresheet, or to a question for the table."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.errors import UpscoreError
from engine.events import Challenged, Played
from engine.game import Game
from engine.play import Play
from engine.revision import revision_to
from vision.images import Image
from webui.errors import Outdated, WebError
from webui.pending import Pending, pending_from
from webui.photos import PhotoShelf
from webui.ports import Choice, Facts, Followed, Sighting, TurnReader
from webui.store import PhotoRow, Store, utc_now
from webui.tables import OpenGame, Tables

_REVISED = "An earlier turn looks like another now than the one on the scoresheet."
_OTHER_BOARD = (
    "The board does not look as the scoresheet has it: correct the earlier turn that was read wrongly."
)
_WENT_ON = "The last play seems to have gone on: correct it on the scoresheet, then put this aside."


@dataclass(frozen=True)
class Taken:
    """What became of a photograph: the game afterwards, and whether a turn was entered without a question."""

    opened: OpenGame
    entered: bool


class Intake:
    """Takes turns from photographs, one at a time."""

    def __init__(self, tables: Tables, store: Store, shelf: PhotoShelf, reader: TurnReader) -> None:
        self._tables = tables
        self._store = store
        self._shelf = shelf
        self._reader = reader
        self._reading = threading.Lock()

    def take(self, game_id: int, image: Image, source: str, digest: str | None = None) -> Taken:
        """Read a photograph of the board after a turn, (h, w, 3) BGR, and enter the turn if it is certain.

        What is not certain waits as the game's pending reading; a newer photograph takes its place. With a `digest`,
        the same photograph sent again changes nothing, as long as nothing was decided since it was taken.
        Raises WebError when the game is over or was changed while the photograph was read.
        """
        with self._reading:
            opened = self._under_way(game_id)
            if digest is not None and self._is_taken(opened, digest):
                return Taken(opened, False)
            sighting = _possible(self._reader.read_turn(image, facts_of(opened)), opened.game)
            key = self._keep(game_id, image, sighting, source, digest)
            try:
                taken = self._enter(opened, sighting, key)
                self._store.photo_taken(key, taken.opened.row.version)
                return taken
            except Outdated:
                raise Outdated(
                    "The game was changed while the photograph was read: take it again if it is still wanted."
                ) from None

    def take_followed(self, game_id: int, followed: Followed) -> Taken:
        """Enter a turn that was found by following the table, or ask about it.

        Raises Outdated when a question already waits or the game was changed meanwhile, WebError when it is over.
        """
        with self._reading:
            opened = self._under_way(game_id)
            if opened.pending is not None:
                raise Outdated("A question waits: answer it first.")
            if followed.amends:
                return self._amend(opened, followed)
            sighting = _possible(followed.sighting, opened.game)
            return self._enter(opened, sighting, self._keep(game_id, followed.image, sighting, "camera"))

    def answer(self, opened: OpenGame, choice: int, version: int) -> OpenGame:
        """Settle the pending reading by one of its answers; raises WebError when there is no such answer."""
        pending = _pending_of(opened)
        photo = None if pending.kind == "removed" else pending.photo
        return self._tables.change(opened, lambda _: after(opened, choice), version=version, photo=photo)

    def enter(self, opened: OpenGame, play: Play, version: int) -> OpenGame:
        """Enter a play by hand; it settles a reading that waits, whose photograph then shows this turn."""
        photo = None if opened.pending is None else opened.pending.photo
        return self._tables.change(opened, lambda game: game.play(play), version=version, photo=photo)

    def dismiss(self, opened: OpenGame, version: int) -> OpenGame:
        """Put the pending reading aside; the game stays as it is."""
        _pending_of(opened)
        return self._tables.change(opened, lambda game: game, version=version)

    def _under_way(self, game_id: int) -> OpenGame:
        opened = self._tables.open(game_id)
        if opened.game.ended is not None:
            raise WebError("The game is over: take back its end to go on.")
        return opened

    def _is_taken(self, opened: OpenGame, digest: str) -> bool:
        """Whether the game is as the taking of this very photograph left it."""
        newest = self._store.newest_photo(opened.row.id)
        return newest is not None and (newest.digest, newest.version) == (digest, opened.row.version)

    def _keep(
        self, game_id: int, image: Image, sighting: Sighting, source: str, digest: str | None = None
    ) -> str:
        key = self._shelf.keep(image, sighting.overlay, sighting.square)
        summary = sighting.kind if sighting.reason is None else f"{sighting.kind}: {sighting.reason}"
        self._store.add_photo(PhotoRow(key, game_id, utc_now(), source, None, summary, digest))
        return key

    def _amend(self, opened: OpenGame, followed: Followed) -> Taken:
        """The last turn goes on: what was entered of it gives way to the whole play, if that is certain."""
        sighting, log = followed.sighting, opened.game.log
        last = log[-1] if log else None
        key = self._keep(opened.row.id, followed.image, sighting, "camera")
        if isinstance(last, Played) and not sighting.needs_review and sighting.choices:
            whole = sighting.choices[0].play
            if set(last.play.tiles) < set(whole.tiles):
                act = _enter_choice(sighting.choices[0])
                changed = self._tables.change(opened, lambda game: act(game.undo()), photo=key)
                return Taken(changed, True)
        unclear = replace(
            sighting, kind="unclear", choices=(), needs_review=True, question=None, reason=_WENT_ON
        )
        return Taken(
            self._tables.change(opened, lambda game: game, pending=pending_from(unclear, key)), False
        )

    def _enter(self, opened: OpenGame, sighting: Sighting, key: str) -> Taken:
        if sighting.kind == "play" and not sighting.needs_review and sighting.choices:
            changed = self._tables.change(opened, _enter_choice(sighting.choices[0]), photo=key)
            return Taken(changed, True)
        pending = pending_from(sighting, key)
        return Taken(self._tables.change(opened, lambda game: game, pending=pending), False)


def answers(opened: OpenGame) -> tuple[Callable[[Game], Game], ...]:
    """What each answer to the question that waits does to the game: a play, a play taken back, or a pass."""
    pending, game = opened.pending, opened.game
    if pending is None or pending.kind == "unclear":
        return ()
    if pending.kind == "none":
        return (Game.pass_turn,)
    if pending.kind == "removed":
        return (take_back(game),) if play_to_take_back(game) is not None else ()
    return tuple(map(_enter_choice, pending.choices))


def after(opened: OpenGame, choice: int) -> Game:
    """The game once the question that waits is settled by answer `choice`; raises WebError where there is none such."""
    acts = answers(opened)
    if not 0 <= choice < len(acts):
        raise WebError("That answer is not among those asked about: look at the question again.")
    return acts[choice](opened.game)


def facts_of(opened: OpenGame) -> Facts:
    """What a reader is told of an open game."""
    game = opened.game
    setup = game.setup
    return Facts(opened.row.id, game.board, setup.edition, game.lexicon, setup.rules, play_to_take_back(game))


def play_to_take_back(game: Game) -> Play | None:
    """The last turn's play while it can still be taken off the board, None when there is none."""
    return game.turns[-1].play if game.state.before_play is not None else None


def take_back(game: Game) -> Callable[[Game], Game]:
    """The change that takes the last play off again, its player to play anew (Rule 8); raises WebError."""
    if play_to_take_back(game) is None:
        raise WebError("There is no play that can be taken back: correct the turn on the scoresheet instead.")
    return lambda before: before.with_event(Challenged(None, upheld=True))


def _revised(sighting: Sighting, game: Game) -> Sighting:
    """The sighting, asked about where an earlier turn was not what it was entered as, its choices putting that right.

    The table has not been asked about that turn, so it is never corrected in silence.
    """
    if sighting.before is None or sighting.before == game.board:
        return sighting
    revision = revision_to(game, sighting.before)
    if revision is None or sighting.kind != "play":
        return replace(
            sighting, kind="unclear", choices=(), needs_review=True, question=None, reason=_OTHER_BOARD
        )
    choices = tuple(replace(choice, revision=revision) for choice in sighting.choices)
    return replace(sighting, choices=choices, needs_review=True, question=None, reason=_REVISED)


def _possible(sighting: Sighting, game: Game) -> Sighting:
    """The sighting on this game's board, without plays that it can't record, so that every choice makes an answer."""
    sighting = _revised(sighting, game)
    if sighting.kind != "play":
        return sighting
    choices = tuple(choice for choice in sighting.choices if _fits(choice, game))
    if choices == sighting.choices and choices:
        return sighting
    if not choices:
        reason = "No play that fits the board was made out: photograph it again, or enter the play by hand."
        return replace(sighting, kind="unclear", choices=(), needs_review=True, question=None, reason=reason)
    return replace(sighting, choices=choices, needs_review=True)


def _fits(choice: Choice, game: Game) -> bool:
    try:
        _enter_choice(choice)(game)
    except UpscoreError:
        return False
    return True


def _enter_choice(choice: Choice) -> Callable[[Game], Game]:
    plays = [choice.play] if choice.earlier is None else [choice.earlier, choice.play]

    def act(game: Game) -> Game:
        if choice.revision is not None:
            game = choice.revision.put_right(game).game
        for play in plays:
            game = game.with_event(Played(play))
        return game

    return act


def _pending_of(opened: OpenGame) -> Pending:
    if opened.pending is None:
        raise Outdated("That question was settled already: look at the game again.")
    return opened.pending
