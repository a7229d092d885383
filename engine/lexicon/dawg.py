"""A directed acyclic word graph over tile faces, in one flat array.

The solver walks words tile by tile, so QU is a single step. Words that no tiles spell are left out. The
graph is minimal and built from sorted words, as in Daciuk, Mihov, Watson and Watson, "Incremental Construction of
Minimal Acyclic Finite-State Automata" (2000).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.faces import ENGLISH, FIRST_SIGN, LONGEST_FACE, Alphabet

_SMALL = 30
"""The most faces whose flags fit into 32 bits."""


@dataclass(frozen=True)
class Dawg:
    """The graph: ``table[node + face]`` is the child or 0, ``table[node + flags]`` the node's flags.

    Faces are numbered in the order of the alphabet. A node is the index at which its numbers start; 0 stands for no
    node.

    Attributes:
        flags: offset of the flags within a node's numbers: a bit for each face that follows, and `final`.
        final: the flag of a node at which a word ends.
        root: index at which the first node's numbers start, which is also how many numbers each node has.
    """

    table: array[int]
    alphabet: Alphabet

    @cached_property
    def flags(self) -> int:
        return len(self.alphabet)

    @cached_property
    def final(self) -> int:
        return 1 << len(self.alphabet)

    @cached_property
    def root(self) -> int:
        return len(self.alphabet) + 1

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return len(self.table) // self.root - 1


def build_dawg(words: Collection[str], alphabet: Alphabet = ENGLISH, longest: int | None = None) -> Dawg:
    """Build the graph of words in capitals, given in any order, over the faces of an alphabet.

    Words of more tiles than `longest` are left out.
    """
    # A node is text: 1 if a word ends there or 0, then its links as letters and numbers of nodes, as in "1A7S12".
    # Text was the fastest kind of key. The register numbers each different node, from 1.
    register: dict[str, int] = {}
    # The path holds the nodes along the last word, which may still get links.
    path = ["0"]
    previous = ""
    for word in [*sorted(_spell_with_tiles(words, alphabet, longest)), ""]:
        shared = 0
        for one, other in zip(previous, word, strict=False):
            if one != other:
                break
            shared += 1
        depth = len(previous)
        while depth > shared:
            depth -= 1
            node = path.pop()
            number = register.get(node)
            if number is None:
                number = register[node] = len(register) + 1
            path[depth] += f"{previous[depth]}{number}"
        path += "0" * (len(word) - shared)
        path[-1] = "1" + path[-1][1:]
        previous = word
    return Dawg(_table(["0" + path[0][1:], *register], len(alphabet)), alphabet)


def _spell_with_tiles(words: Collection[str], alphabet: Alphabet, longest: int | None) -> Iterator[str]:
    """Yield the words as signs, in every way that tiles can spell them, and skip those that they can't."""
    if not alphabet.is_english:
        most = longest or max(map(len, words), default=0)
        short = (word for word in words if len(word) <= most * LONGEST_FACE)
        yield from {spelt for word in short for spelt in alphabet.tiled(alphabet.folded(word)) if len(spelt) <= most}
        return
    for word in words:
        if not word.isascii():
            word = alphabet.folded(word)
        if "Q" in word:
            word = word.replace("QU", "\0")
            if "Q" in word:
                continue
            word = word.replace("\0", "Q")
        yield word


def _table(nodes: Sequence[str], faces: int) -> array[int]:
    """Lay nodes over a number of faces out in a table, the first of them at its root."""
    stride = faces + 1
    kind = "i" if faces <= _SMALL else "q"
    table = array(kind, bytes(array(kind).itemsize * stride * (len(nodes) + 1)))
    at = stride
    for node in nodes:
        flags = 1 << faces if node[0] == "1" else 0
        for sign, number in _LINK.findall(node):
            face = ord(sign) - FIRST_SIGN
            table[at + face] = stride + stride * int(number)
            flags |= 1 << face
        table[at + faces] = flags
        at += stride
    return table


_LINK = re.compile(r"([A-~])(\d+)")
