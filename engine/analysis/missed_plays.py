"""Choices that a rack had, and the best one that each turn of a game missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.board import Board
from engine.editions import MAX_PLAYERS, Edition
from engine.errors import GameError, LexiconError
from engine.game.events import Exchanged
from engine.game.game import Game
from engine.game.log import replay_events
from engine.game.records import TurnRecord
from engine.game.turns import take_lost_turns
from engine.lexicon.lexicon import Lexicon
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.solver.advice import Adviser, Choice
from engine.solver.plays import ScoredPlay
from engine.solver.search import legal_plays
from engine.tiles import Rack, count_tiles_left, count_unplayed, whole_rack_size
from engine.wording import phrase

LEAST_GAIN = 1.0
"""Points by which a choice must be better to be shown. [by eye]"""


@dataclass(frozen=True)
class MissedPlay:
    """The best choice for a turn that was worth less, and `actual`, the worth of that turn.

    `tiles` are the tiles that the search used: the whole rack where `whole_rack`, otherwise the known tiles of the
    rack and the tiles played. `answer` is the strongest answer found to the turn as it was made. It is set only if the
    best choice leaves the next player less.
    """

    record: TurnRecord
    tiles: tuple[str, ...]
    whole_rack: bool
    best: Choice
    actual: Choice
    answer: ScoredPlay | None

    @property
    def gain(self) -> float:
        """How much more the best choice is worth."""
        return self.best.value - self.actual.value


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
) -> list[Choice]:
    """Return the `count` best choices for a rack on a board, best first. Words of a play must pass `suggest`.

    Raises as `legal_plays` does.
    """
    rack_size = whole_rack_size(edition, len(rack), count_unplayed(edition, board), players)
    plays = legal_plays(board, rack, edition=edition, lexicon=lexicon, rules=rules, rack_size=rack_size)
    unseen = unseen_tiles(edition, board, rack)
    adviser = Adviser(board, rack, unseen, edition=edition, lexicon=lexicon, rules=rules, players=players)
    return adviser.advise(_filter_suggestions(plays, suggest))[:count]


def unseen_tiles(edition: Edition, board: Board, rack: Sequence[str]) -> tuple[str, ...]:
    """Return the tiles that are neither on the board nor on the rack, none if the distribution is unknown."""
    return tuple((count_tiles_left(edition, board, rack) or Counter()).elements())


def _filter_suggestions(plays: Sequence[ScoredPlay], suggest: Callable[[str], bool] | None) -> Iterator[ScoredPlay]:
    """Yield the plays of words that pass `suggest`."""
    return (play for play in plays if suggest is None or all(suggest(word.word) for word in play.words))


def find_missed_play(game: Game, turn: int, *, suggest: Callable[[str], bool] | None = None) -> MissedPlay | None:
    """Return the best choice that line `turn` (from 0) of the scoresheet missed, None if it missed none.

    Where the rack is unknown, this looks for a better place for the tiles played. A pass or an exchange without any
    known tile missed nothing. Neither did a lost turn, nor a play that was taken back, since its player played again.
    Words that don't pass `suggest` are never shown.

    Raises GameError if there is no such line, LexiconError where the solver can't search the game's word list.
    """
    if not 0 <= turn < len(game.turns):
        raise GameError(
            phrase(
                "there is no line %(number)s on the scoresheet: it has %(count)s",
                number=turn + 1,
                count=len(game.turns),
            )
        )
    record = game.turns[turn]
    if record.kind == "lost" or record.taken_back:
        return None
    lexicon = searchable_lexicon(game)
    before = replay_events(game.setup, game.events[: record.event], game.lexicon)
    state = take_lost_turns(game.setup, before, record.event)
    rack = state.racks[game.players.index(record.player)]
    edition, rules = game.setup.edition, game.setup.rules
    tiles = find_known_tiles(rack, () if record.play is None else record.play.faces)[: edition.rack_size]
    if not tiles:
        return None
    rack_size = edition.rack_size if rack.size is None else rack.size
    plays = legal_plays(state.board, tiles, edition=edition, lexicon=lexicon, rules=rules, rack_size=rack_size)
    unseen = unseen_tiles(edition, state.board, tiles)
    players = len(game.players)
    adviser = Adviser(state.board, tiles, unseen, edition=edition, lexicon=lexicon, rules=rules, players=players)
    actual = _weigh_actual(adviser, game, record)
    best = next(iter(adviser.advise(_filter_suggestions(plays, suggest))), None)
    if best is not None and best.to_end != actual.to_end:
        actual = _weigh_actual(adviser, game, record)
    if best is None or best.value < actual.value + LEAST_GAIN:
        return None
    strongest = (
        _answer(adviser, game, state.board, record, suggest) if best.reply + LEAST_GAIN <= actual.reply else None
    )
    return MissedPlay(record, tiles, len(tiles) == rack.size, best, actual, strongest)


def _answer(
    adviser: Adviser, game: Game, board: Board, record: TurnRecord, suggest: Callable[[str], bool] | None
) -> ScoredPlay | None:
    """Return the strongest answer to a turn from any of the adviser's racks, or None."""
    replies = adviser.replies(record.play)
    rack = adviser.racks[replies.index(max(replies))]
    after = board.with_play(record.play) if record.play else board
    setup, lexicon = game.setup, searchable_lexicon(game)
    plays = legal_plays(after, rack, edition=setup.edition, lexicon=lexicon, rules=setup.rules)
    return next(_filter_suggestions(plays, suggest), None)


def _weigh_actual(adviser: Adviser, game: Game, record: TurnRecord) -> Choice:
    """Weigh the turn as it was made. An exchange of a tile that nobody knows is weighed like a pass."""
    event = game.events[record.event]
    if isinstance(event, Exchanged) and event.given is not None:
        return adviser.exchange(event.given)
    return adviser.weigh(record.play, record.points)


def find_known_tiles(rack: Rack, played: Sequence[str]) -> tuple[str, ...]:
    """Return the tiles that were certainly on a rack.

    If the play contradicts the known tiles, only the tiles played count.
    """
    if rack.missing(played):
        return tuple(played)
    return tuple((Counter(rack.known) | Counter(played)).elements())


def searchable_lexicon(game: Game) -> Lexicon:
    """Return the game's word list as the solver needs it; raise LexiconError if the solver can't search it."""
    if not isinstance(game.lexicon, Lexicon):
        raise LexiconError(phrase("the search for plays needs a word list that is at hand: choose one"))
    return game.lexicon
