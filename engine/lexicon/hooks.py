"""Words near a word: with a tile before or behind it, with one or two tiles stacked on it, and of the same tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.faces import capitals, spell
from engine.lexicon.lexicon import Lexicon

MAX_TILES = 10
"""Words and racks of more tiles, the longest that a row of 10×10 holds, are not looked at."""


@dataclass(frozen=True)
class Hooks:
    """The words near a word, each group in alphabetical order.

    `front` and `back` have one tile more. `stacked` and `stacked_two` come from one and two tiles on top, without
    covering the whole word. `anagrams` have the same tiles.
    """

    front: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    stacked: tuple[str, ...] = ()
    stacked_two: tuple[str, ...] = ()
    anagrams: tuple[str, ...] = ()


def hooks_of(word: str, lexicon: Lexicon, suggest: Callable[[str], bool] | None = None) -> Hooks:
    """Return the words near a word in capitals, or a rack, that pass `suggest`; and none if tiles can't spell it."""
    alphabet = lexicon.alphabet
    tiles = alphabet.tiles_of(word)
    if not 2 <= len(tiles) <= MAX_TILES:
        return Hooks()

    def keep(words: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(each for each in set(words) - {word} if suggest is None or suggest(each)))

    return Hooks(
        front=keep(more for face in alphabet.faces if (more := spell((face, *tiles))) in lexicon),
        back=keep(more for face in alphabet.faces if (more := spell((*tiles, face))) in lexicon),
        stacked=keep(_find_stacked(tiles, 1, lexicon)),
        stacked_two=keep(_find_stacked(tiles, 2, lexicon)),
        anagrams=keep(_anagrams(tiles, lexicon)),
    )


def _find_stacked(tiles: Sequence[str], count: int, lexicon: Lexicon) -> list[str]:
    """Return the words after `count` tiles, each on another letter than its own; one tile at least stays uncovered."""
    if count >= len(tiles):
        return []
    others = [tuple(face for face in lexicon.alphabet.faces if face != tile) for tile in tiles]
    return [
        word
        for covered in combinations(range(len(tiles)), count)
        for word in _walk(lexicon, [others[at] if at in covered else (face,) for at, face in enumerate(tiles)])
    ]


def _anagrams(tiles: Sequence[str], lexicon: Lexicon) -> list[str]:
    dawg, number = lexicon.dawg, lexicon.alphabet.number
    table = dawg.table
    words: list[str] = []

    def visit(node: int, left: tuple[str, ...], spelt: tuple[str, ...]) -> None:
        if not left and table[node + dawg.flags] & dawg.final:
            words.append(spell(spelt))
        for face in sorted(set(left)):
            child = table[node + number[face]]
            if child:
                at = left.index(face)
                visit(child, (*left[:at], *left[at + 1 :]), (*spelt, face))

    visit(dawg.root, tuple(tiles), ())
    return words


def _walk(lexicon: Lexicon, choices: Sequence[Sequence[str]]) -> list[str]:
    """Return the words that have one of the faces of `choices` in each place."""
    dawg, number = lexicon.dawg, lexicon.alphabet.number
    table = dawg.table
    nodes = [(dawg.root, "")]
    for faces in choices:
        nodes = [
            (table[node + number[face]], spelt + capitals(face))
            for node, spelt in nodes
            for face in faces
            if table[node + number[face]]
        ]
    return [spelt for node, spelt in nodes if table[node + dawg.flags] & dawg.final]
