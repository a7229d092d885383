"""The tiles that are left, and the end of a game: its form, racks read from a photograph, and the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import Alphabet, Game
from engine.faces import alphabetical, is_vowel
from engine.wording import capitalize, join_names, join_texts, number_of, number_word, phrase, plural, points_text

if TYPE_CHECKING:
    from vision.letters.loose_tiles import LooseTile

_FEW_VOWELS = 3
"""The page lists the vowels left once there are so few. [by eye]"""


@dataclass(frozen=True)
class FaceLeft:
    """A face with the number of its tiles that are not on the board, and in the whole set."""

    face: str
    left: int
    total: int


@dataclass(frozen=True)
class TilesView:
    """The tiles that are not on the board, by face. `follows` says in sentences what that means for play."""

    faces: tuple[FaceLeft, ...]
    follows: tuple[str, ...]


def view_tiles(game: Game) -> TilesView | None:
    """Return the tiles that are not on the board, None if the set's letters are not known."""
    distribution = game.setup.edition.distribution
    left = game.count_tiles_left()
    if distribution is None or left is None:
        return None
    faces = tuple(FaceLeft(face, left[face], distribution[face]) for face in game.setup.edition.alphabet.faces)
    return TilesView(faces, _follows(faces, left))


def _in_order(left: Counter[str]) -> list[str]:
    """Return the faces of which tiles are left, in alphabetical order, Ä behind A."""
    return sorted((face for face in left if left[face]), key=alphabetical)


def tiles_text(left: Counter[str]) -> str:
    """List tiles as people say them: ``"A, E twice, Qu"``."""

    return join_texts((_times(face, left[face]) for face in _in_order(left)), ", ")


def _times(face: str, count: int) -> str:
    if count == 1:
        return face
    if count == 2:
        return phrase("%(face)s twice", face=face)
    return phrase("%(face)s %(number)s times", face=face, number=number_word(count))


def pick_vowels(tiles: Mapping[str, int], distribution: Mapping[str, int]) -> Counter[str] | None:
    """Return the vowels among tiles; None if the set has none to count, as with the letters of another script."""
    if not any(count and is_vowel(face) for face, count in distribution.items()):
        return None
    return Counter({face: count for face, count in tiles.items() if count and is_vowel(face)})


def _follows(faces: Sequence[FaceLeft], left: Counter[str]) -> tuple[str, ...]:
    if not left.total():
        return (phrase("Every tile is on the board."),)
    used_up = [each for each in faces if not each.left]
    several = [
        phrase("both %(face)s's", face=each.face)
        if each.total == 2
        else phrase("all %(number)s %(face)s's", number=number_word(each.total), face=each.face)
        for each in used_up
        if each.total > 1
    ]
    single = [each.face for each in used_up if each.total == 1]
    sentences = []
    if several:
        sentences.append(phrase("%(tiles)s are on the board.", tiles=join_names(several)))
    if single:
        some = plural(
            "The %(faces)s is on the board.", "The %(faces)s are on the board.", len(single), faces=join_names(single)
        )
        sentences.append(some)
    vowels = pick_vowels(left, {each.face: each.total for each in faces})
    if vowels is not None and not vowels:
        sentences.append(phrase("No vowel is left."))
    elif vowels is not None and vowels.total() <= _FEW_VOWELS:
        sentences.append(
            phrase(
                "Only %(vowels)s left: %(tiles)s.", vowels=number_of(vowels.total(), "vowel"), tiles=tiles_text(vowels)
            )
        )
    return tuple(map(capitalize, sentences))


SURE_ODDS = 2.5
"""A face is certain if it is so many times likelier than the next one.

Of 1,059 real tiles that were certain, in any rotation, one was wrong. [by hand, ban-seg]
"""
_MAX_FACES_ASKED = 4
"""The most faces that the page offers for a tile in doubt. [by eye]"""
_USED_UP_FACTOR = 0.05
"""The probability of a face is multiplied by this if all its tiles lie on the board: sets are seldom mixed. [by eye]"""


def likely_faces(tile: LooseTile, left: Counter[str] | None, alphabet: Alphabet) -> tuple[str, ...]:
    """Return the face of a certain tile, or the faces to ask about, the likeliest first.

    `left` are the tiles not on the board, None if not known. A tile that lies otherwise than the rest is never certain.
    """
    weights = {
        face: chance * (1.0 if left is None or left[face] else _USED_UP_FACTOR)
        for face, chance in zip(alphabet.faces, tile.chances, strict=True)
    }
    first, second, *rest = sorted(alphabet.faces, key=lambda face: -weights[face])
    certain = weights[first] >= SURE_ODDS * weights[second] and not tile.is_odd
    return (first,) if certain else (first, second, *rest[: _MAX_FACES_ASKED - 2])


END_REASONS = (
    ("agreed", phrase("Everyone agreed to stop")),
    ("out", phrase("A player has used all their tiles, and the draw pile is empty")),
    ("stuck", phrase("The draw pile is empty and nobody can play")),
    ("passes", phrase("Everyone passed in a row")),
)
SOLO_END_REASONS = (
    ("stuck", phrase("No play or exchange is possible")),
    ("out", phrase("All tiles are used")),
    ("agreed", phrase("I stop here")),
)


@dataclass(frozen=True)
class FinishView:
    """The form for the end of a game.

    `racks` are the players, each with the number of tiles on the rack as it follows from the turns, None if unknown.
    `penalty` is what each tile left costs. `missing` lists the tiles that are not on the board by letter, "" if the
    set's letters are not known.
    """

    racks: tuple[tuple[str, int | None], ...]
    penalty: int
    missing: str
    reasons: tuple[tuple[str, str], ...]
    offered: str


def view_finish(game: Game) -> FinishView:
    """Return the form for the end of a game that goes on."""
    offers = game.end_offers()
    setup = game.setup
    free = setup.solo and not setup.rules.solo_leftover_penalty
    left = game.count_tiles_left()
    return FinishView(
        racks=tuple((name, rack.size) for name, rack in zip(game.players, game.state.racks, strict=True)),
        penalty=0 if free else setup.rules.leftover_penalty,
        missing="" if left is None else tiles_text(left),
        reasons=SOLO_END_REASONS if setup.solo else END_REASONS,
        offered=offers[0].reason if offers else "agreed",
    )


_REASONS: Mapping[str, str] = {
    "agreed": phrase("Everyone agreed to stop."),
    "out": phrase("A player used all their tiles, and the draw pile was empty."),
    "stuck": phrase("Nobody could play any more."),
    "passes": phrase("Everyone passed in a row."),
}
_SOLO_REASONS: Mapping[str, str] = {
    **_REASONS,
    "agreed": phrase("You stopped here."),
    "out": phrase("All tiles were used."),
}


@dataclass(frozen=True)
class Ranked:
    """A player's place from 1 (shared by players with the same points), points, tiles left, and their cost."""

    place: int
    name: str
    total: int
    left: int
    penalty: int


@dataclass(frozen=True)
class ResultView:
    """The result of a game: who won, by how much, why it ended, and the players by points."""

    won: str
    by: str
    reason: str
    ranking: tuple[Ranked, ...]


def view_result(game: Game) -> ResultView | None:
    """Return the result of a game that is over, None while it goes on."""
    end = game.ended
    if end is None:
        return None
    ranking = _ranking(game)
    reasons = _SOLO_REASONS if game.setup.solo else _REASONS
    return ResultView(_name_winners(game), _by(game, ranking), reasons.get(end.reason, ""), ranking)


def _ranking(game: Game) -> tuple[Ranked, ...]:
    assert game.ended is not None
    totals = game.totals
    numbers = dict(zip(game.players, zip(game.ended.left, game.ended.penalties, strict=True), strict=True))
    ahead = {name: _ahead_of(name, game) for name in game.players}
    names = sorted(game.players, key=lambda name: (ahead[name], game.players.index(name)))
    return tuple(Ranked(1 + ahead[name], name, totals[name], *numbers[name]) for name in names)


def _ahead_of(name: str, game: Game) -> int:
    """Return how many players rank before one: winners come first, then players with more points."""
    if name in game.winners:
        return 0
    totals = game.totals
    return sum(other in game.winners or totals[other] > totals[name] for other in game.players if other != name)


def _name_winners(game: Game) -> str:
    winners = game.winners
    if game.setup.solo:
        return points_text(game.totals[winners[0]])
    return say_winners(winners)


def say_winners(winners: Sequence[str]) -> str:
    """Say who has won."""
    names = join_names(winners)
    return plural("%(players)s wins", "%(players)s share the win", len(winners), players=names)


def _by(game: Game, ranking: tuple[Ranked, ...]) -> str:
    if game.setup.solo:
        return ""
    best = ranking[0]
    second = next((each for each in ranking if each.name not in game.winners), None)
    if second is None:
        return phrase("with %(points)s each", points=points_text(best.total))
    if second.total == best.total:
        return phrase(
            "with %(points)s, more of them before the tiles left were counted", points=points_text(best.total)
        )
    return phrase(
        "with %(points)s, %(more)s ahead of %(name)s",
        points=points_text(best.total),
        more=best.total - second.total,
        name=second.name,
    )
