"""Plays that a rack could have made, and the best play that each turn of a game missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from engine.board import Board
from engine.editions import MAX_PLAYERS, RACK_SIZE, Edition
from engine.errors import GameError, LexiconError
from engine.game.game import Game
from engine.game.records import TurnRecord
from engine.game.state import replay_events
from engine.game.turns import take_lost_turns
from engine.lexicon.lexicon import Lexicon
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.solver.plays import ScoredPlay
from engine.solver.search import legal_plays
from engine.tiles import Rack, unplayed_count, whole_rack_size


@dataclass(frozen=True)
class MissedPlay:
    """The best play for a turn that scored less; `gain` is the difference in points.

    `tiles` are the tiles that the search used: the whole rack where `whole_rack`, otherwise the known tiles of the
    rack and the tiles played.
    """

    record: TurnRecord
    tiles: tuple[str, ...]
    whole_rack: bool
    best: ScoredPlay
    gain: int


def hints(
    board: Board,
    rack: Sequence[str],
    *,
    edition: Edition,
    lexicon: Lexicon,
    rules: HouseRules = SHEET_RULES,
    players: int = MAX_PLAYERS,
    count: int = 10,
    suggest: Callable[[str], bool] | None = None,
) -> list[ScoredPlay]:
    """Return the `count` best plays of a rack on a board, best first, of words that pass `suggest`.

    Raises as `engine.solver.search.legal_plays` does.
    """
    rack_size = whole_rack_size(len(rack), unplayed_count(edition, board), players)
    plays = legal_plays(board, rack, edition=edition, lexicon=lexicon, rules=rules, rack_size=rack_size)
    return list(islice(_suggested(plays, suggest), count))


def _suggested(plays: Sequence[ScoredPlay], suggest: Callable[[str], bool] | None) -> Iterator[ScoredPlay]:
    return (play for play in plays if suggest is None or all(suggest(word.word) for word in play.words))


def missed_play(game: Game, turn: int, *, suggest: Callable[[str], bool] | None = None) -> MissedPlay | None:
    """Return the best play that line `turn` (from 0) of the scoresheet missed, None where it missed none.

    Where the rack is unknown, this looks for a better place for the tiles played. A pass or an exchange without any
    known tile missed nothing. Neither did a lost turn, nor a play that was taken back, since its player played again.
    Words that don't pass `suggest` are never shown.

    Raises GameError where there is no such line, LexiconError where the solver can't search the game's word list.
    """
    if not 0 <= turn < len(game.turns):
        raise GameError(f"there is no line {turn + 1} on the scoresheet: it has {len(game.turns)}")
    record = game.turns[turn]
    if record.kind == "lost" or record.taken_back:
        return None
    lexicon = searchable_lexicon(game)
    before = replay_events(game.setup, game.events[: record.event], game.lexicon)
    state = take_lost_turns(game.setup, before, record.event)
    rack = state.racks[game.players.index(record.player)]
    tiles = known_tiles(rack, () if record.play is None else record.play.faces)
    plays = legal_plays(
        state.board,
        tiles,
        edition=game.setup.edition,
        lexicon=lexicon,
        rules=game.setup.rules,
        rack_size=RACK_SIZE if rack.size is None else rack.size,
    )
    best = next(_suggested(plays, suggest), None)
    if best is None or best.points <= record.points:
        return None
    return MissedPlay(record, tiles, len(tiles) == rack.size, best, best.points - record.points)


def known_tiles(rack: Rack, played: Sequence[str]) -> tuple[str, ...]:
    """Return the tiles that were certainly on a rack, given those that it then played.

    These are just the tiles played, where they contradict what was known of the rack.
    """
    if rack.missing(played):
        return tuple(played)
    return tuple((Counter(rack.known) | Counter(played)).elements())[:RACK_SIZE]


def searchable_lexicon(game: Game) -> Lexicon:
    """Return the game's word list as the solver needs it; raise LexiconError where there is none or it is of another
    kind.
    """
    if not isinstance(game.lexicon, Lexicon):
        raise LexiconError("the search for plays needs a word list that is at hand: choose one")
    return game.lexicon
