"""An earlier turn that was really another: found from the board as it turns out to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.board import Board
from engine.errors import GameError
from engine.events import Challenged, Played
from engine.game import Game, Rescored
from engine.play import PlacedTile, Play


@dataclass(frozen=True)
class Revision:
    """Event number `at` (from 0) of a game's events was really this play."""

    at: int
    play: Play

    def put_right(self, game: Game) -> Rescored:
        """The game with that event corrected; raises GameError where it does not fit what came after."""
        return game.correct(self.at, Played(self.play))


def revision_to(game: Game, board: Board) -> Revision | None:
    """The one earlier play of a game that must have been another for `board` to lie there, None where none explains it.

    Nor is one found that was never made. Turns before a challenge are not looked at: the table has talked about those.
    """
    challenged = [at for at, event in enumerate(game.events) if isinstance(event, Challenged)]
    since = challenged[-1] + 1 if challenged else 0
    played = [
        (at, event.play) for at, event in enumerate(game.events) if isinstance(event, Played) and at >= since
    ]
    games = [game.from_log(game.setup, game.events[:at], game.lexicon) for at, _ in played]
    turns = [(until.board, play) for until, (_, play) in zip(games, played, strict=True)]

    def breaches(number: int, play: Play) -> int:
        return len(games[number].judge(play).violations) if play.tiles else 1

    found = likeliest_revision(turns, board, breaches)
    if found is None or not found[1].tiles:
        return None
    revision = Revision(played[found[0]][0], found[1])
    return revision if _explains(revision, game, board) else None


def likeliest_revision(
    turns: Sequence[tuple[Board, Play]], board: Board, breaches: Callable[[int, Play], int]
) -> tuple[int, Play] | None:
    """Which of the turns, each a board and the play made on it, was really which play, for `board` to lie there now.

    Of several that explain it the one with the fewest `breaches` of the rules (number of the turn, play), and of these
    the latest; a play without tiles is one that was never made. None where the board is as the turns left it, or where
    no single turn explains it.
    """
    found: list[tuple[int, int, Play]] = []
    target: Board | None = board
    for number in range(len(turns) - 1, -1, -1):
        before, taken_for = turns[number]
        if target is None:
            break
        play = play_between(before, target)
        if play == taken_for:
            return None
        if play is not None:
            found.append((breaches(number, play), number, play))
        target = without(target, taken_for)
    return min(found, key=lambda each: each[0])[1:] if found else None


def play_between(before: Board, after: Board) -> Play | None:
    """The play that leads from one board to the other (empty where they are the same), None where none does."""
    tiles = []
    for square in before.squares():
        was, stack = before.stack(square), after.stack(square)
        if stack == was:
            continue
        if stack[:-1] != was:
            return None
        tiles.append(PlacedTile(square, stack[-1]))
    return Play(tuple(tiles))


def without(board: Board, play: Play) -> Board | None:
    """The board before a play that lies on top, None where it does not lie there."""
    if any(board.top(tile.square) != tile.face for tile in play.tiles):
        return None
    return board.without_top(play.squares)


def _explains(revision: Revision, game: Game, board: Board) -> bool:
    try:
        return revision.put_right(game).game.board == board
    except GameError:
        return False
