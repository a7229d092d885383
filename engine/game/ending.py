"""The end of a game (Rule 11), its totals and its winners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.board import Board
from engine.errors import GameError, quote
from engine.game.events import END_REASONS, Ended
from engine.game.records import EndRecord, GameState, Setup
from engine.game.turns import SOLO_EXCHANGES
from engine.lexicon.lexicon import Lexicon, WordList
from engine.solver.search import legal_plays
from engine.tiles import count_tiles_left, excess_letters
from engine.wording import number_of, number_word, phrase, plural

CanPlay = Callable[[Board, Sequence[str]], bool]
"""A function that returns whether any legal play exists on a board for some faces, seven at most."""


@dataclass(frozen=True)
class EndOffer:
    """A reason to end the game now, one of ``END_REASONS``, and a sentence that gives it."""

    reason: str
    text: str


def end_offers(setup: Setup, state: GameState, can_play: CanPlay | None = None) -> tuple[EndOffer, ...]:
    """Return every end under Rule 11 that has been reached, as far as the known tiles show.

    It checks only with `can_play` that nobody can play. An unknown rack counts as holding every tile that nobody
    has seen, so that the game never ends too early. If a rack may hold more than seven tiles, this check offers no end.
    """
    if state.end is not None:
        return ()
    offers = (_passes(setup, state), _out(setup, state), _stuck(setup, state, can_play))
    return tuple(offer for offer in offers if offer is not None)


def solver_for(setup: Setup, lexicon: WordList | None) -> CanPlay | None:
    """Return a function that tells whether a rack can play at all, None if the solver can't search the word list."""
    if not isinstance(lexicon, Lexicon):
        return None
    edition, rules = setup.edition, setup.rules
    return lambda board, rack: bool(legal_plays(board, rack, edition=edition, lexicon=lexicon, rules=rules))


def apply_end(setup: Setup, state: GameState, end: Ended) -> GameState:
    """End the game and take off the penalty for tiles left (6F); raise GameError for an unknown reason or count."""
    if end.reason not in END_REASONS:
        raise GameError(
            phrase(
                "%(reason)s isn't an end of the game: use %(names)s",
                reason=quote(end.reason),
                names=", ".join(END_REASONS),
            )
        )
    left = _count_left_on_racks(setup, state, end)
    each = 0 if setup.solo and not setup.rules.solo_leftover_penalty else setup.rules.leftover_penalty
    penalties = tuple(-each * count for count in left)
    return replace(state, end=EndRecord(end.reason, left, penalties, _end_notes(setup, state, end.reason, left)))


def totals(setup: Setup, state: GameState) -> dict[str, int]:
    """Return every player's points, with the penalties for tiles left once the game has ended."""
    result = _before_leftovers(setup, state)
    if state.end is not None:
        for name, penalty in zip(setup.players, state.end.penalties, strict=True):
            result[name] += penalty
    return result


def winners(setup: Setup, state: GameState) -> tuple[str, ...]:
    """Return the players with the highest total, nobody before the game has ended.

    A tie stays a tie unless the house rule ``joint_winners`` is off. Then the points before the penalties decide, and
    several win only if these are equal too.
    """
    if state.end is None:
        return ()
    best = _highest(totals(setup, state))
    if len(best) > 1 and not setup.rules.joint_winners:
        earned = _before_leftovers(setup, state)
        best = _highest({name: earned[name] for name in best})
    return best


def _highest(points: Mapping[str, int]) -> tuple[str, ...]:
    top = max(points.values())
    return tuple(name for name, total in points.items() if total == top)


def _before_leftovers(setup: Setup, state: GameState) -> dict[str, int]:
    result = dict(zip(setup.players, setup.scores, strict=True))
    for record in state.turns:
        result[record.player] += record.points
    return result


def _passes(setup: Setup, state: GameState) -> EndOffer | None:
    """Offer the end after enough rounds of passes; a solo game ends by its tiles and exchanges alone.

    Passes before a play came off count. But they don't end the game while its player has the turn again (Rule 8).
    """
    rounds = setup.rules.passing_rounds
    passes = _passes_in_a_row(setup, state)
    if setup.solo or state.again is not None or any(passes[name] < rounds for name in setup.players):
        return None
    return EndOffer(
        "passes",
        plural(
            "Rule 11: all players have passed in a row.",
            "Rule 11: all players have passed in a row %(rounds)s times.",
            rounds,
            rounds=number_word(rounds),
        ),
    )


def _passes_in_a_row(setup: Setup, state: GameState) -> Counter[str]:
    """Count each player's passes since the last play, ignoring plays that were taken back."""
    passes: Counter[str] = Counter()
    known = state.taken[-1].place if state.taken else 0
    for record in reversed(state.turns[known:]):
        exchanged = record.kind == "exchange" and setup.rules.exchange_counts_as_pass
        if record.kind == "pass" or exchanged:
            passes[record.player] += 1
        elif record.kind != "lost" and not record.taken_back:
            break
    return passes


def _out(setup: Setup, state: GameState) -> EndOffer | None:
    if state.pile != 0:
        return None
    for name, rack in zip(setup.players, state.racks, strict=True):
        if rack.size == 0:
            return EndOffer(
                "out", phrase("Rule 11: %(name)s has used all tiles, and the draw pile is empty.", name=name)
            )
    return None


def _stuck(setup: Setup, state: GameState, can_play: CanPlay | None) -> EndOffer | None:
    no_exchange = state.pile == 0 or (setup.solo and state.exchanges >= SOLO_EXCHANGES)
    if can_play is None or not no_exchange:
        return None
    racks = _possible_racks(setup, state)
    full = setup.edition.rack_size
    if racks is None or any(len(rack) > full or can_play(state.board, rack) for rack in racks if rack):
        return None
    if setup.solo:
        return EndOffer("stuck", phrase("Rule 11: no play and no exchange is possible any more."))
    return EndOffer("stuck", phrase("Rule 11: the draw pile is empty, and nobody can play."))


def _possible_racks(setup: Setup, state: GameState) -> list[tuple[str, ...]] | None:
    """Return the faces that each player might hold, None if the known tiles can't tell."""
    if excess_letters(setup.edition, state.board.counts()):
        return None
    on_racks = [face for rack in state.racks for face in rack.known]
    unseen = count_tiles_left(setup.edition, state.board, on_racks)
    if unseen is None:
        return None if any(rack.hidden != 0 for rack in state.racks) else [rack.known for rack in state.racks]
    hidden = tuple(unseen.elements())
    return [rack.known if rack.hidden == 0 else (*rack.known, *hidden) for rack in state.racks]


def _count_left_on_racks(setup: Setup, state: GameState, end: Ended) -> tuple[int, ...]:
    if end.left is None:
        sizes = [rack.size for rack in state.racks]
        known = tuple(size for size in sizes if size is not None)
        if len(known) < len(sizes):
            raise GameError(phrase("the number of tiles that each player has left is unknown: give it"))
        return known
    if len(end.left) != len(setup.players):
        counts, players = number_of(len(end.left), "count"), number_of(len(setup.players), "player")
        raise GameError(
            phrase("%(counts)s of tiles left for %(players)s: give one each", counts=counts, players=players)
        )
    for count in end.left:
        if not 0 <= count <= setup.edition.rack_size:
            raise GameError(
                phrase(
                    "%(count)s tiles left on a rack: a rack holds 0 to %(most)s",
                    count=count,
                    most=setup.edition.rack_size,
                )
            )
    return end.left


def _end_notes(setup: Setup, state: GameState, reason: str, left: Sequence[int]) -> tuple[str, ...]:
    """Return a note if the numbers of tiles show that the pile wasn't empty at an end that requires it."""
    total = setup.edition.tile_total
    if not total or reason not in ("out", "stuck") or (setup.solo and reason == "stuck"):
        return ()
    counted_tiles = state.board.tile_count() + sum(left)
    if counted_tiles == total:
        return ()
    return (
        phrase(
            "%(count)s tiles are on the board and the racks, and the set has %(total)s: count again",
            count=counted_tiles,
            total=total,
        ),
    )
