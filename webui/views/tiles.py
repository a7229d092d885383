"""The view of the tiles that are not on the board, by letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine import FACES, Game
from engine.wording import counted, listed, number_word

VOWELS = ("A", "E", "I", "O", "U")
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
    """The tiles that are not on the board, by face and together.

    `pile` is how many of them are in the draw pile, None if that is not known. `follows` says in sentences what this
    means for play.
    """

    faces: tuple[FaceLeft, ...]
    unseen: int
    pile: int | None
    follows: tuple[str, ...]


def view_tiles(game: Game) -> TilesView | None:
    """Return the tiles that are not on the board, None if the set's letters are not known."""
    distribution = game.setup.edition.distribution
    left = game.tiles_left()
    if distribution is None or left is None:
        return None
    faces = tuple(FaceLeft(face, left[face], distribution[face]) for face in FACES)
    return TilesView(faces, left.total(), game.pile, _follows(faces, left))


def tiles_text(left: Counter[str]) -> str:
    """List tiles as people say them: ``"A, E twice, Qu"``."""
    return ", ".join(f"{face} {_times(left[face])}" if left[face] > 1 else face for face in FACES if left[face])


def _follows(faces: Sequence[FaceLeft], left: Counter[str]) -> tuple[str, ...]:
    if not left.total():
        return ("Every tile is on the board.",)
    used_up = [each for each in faces if not each.left]
    several = [
        f"{'both' if each.total == 2 else f'all {number_word(each.total)}'} {each.face}'s"
        for each in used_up
        if each.total > 1
    ]
    single = [each.face for each in used_up if each.total == 1]
    sentences = []
    if several:
        sentences.append(f"{listed(several)} are on the board.")
    if single:
        sentences.append(f"The {listed(single)} {'is' if len(single) == 1 else 'are'} on the board.")
    vowels = Counter({face: left[face] for face in VOWELS if left[face]})
    if not vowels:
        sentences.append("No vowel is left.")
    elif vowels.total() <= _FEW_VOWELS:
        sentences.append(f"Only {counted(vowels.total(), 'vowel')} left: {tiles_text(vowels)}.")
    return tuple(text[0].upper() + text[1:] for text in sentences)


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{number_word(count)} times"
