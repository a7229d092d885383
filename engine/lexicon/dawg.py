"""A directed acyclic word graph over tile faces, in one flat array.

The solver walks words tile by tile, so QU is a single step. Words with a Q that no tile can show are left out. The
graph is minimal and built from sorted words, as in Daciuk, Mihov, Watson and Watson, "Incremental Construction of
Minimal Acyclic Finite-State Automata" (2000).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

STRIDE = 27
"""Numbers in the table for each node: its children by face, 0 to 25, and its flags."""

FLAGS = 26
"""Offset of the flags within a node's numbers: bits 0 to 25 for the faces that follow, and `FINAL`."""

FINAL = 1 << 26
"""The flag of a node at which a word ends."""

ROOT = STRIDE
"""Index at which the first node's numbers start; 0 stands for no node."""


@dataclass(frozen=True, slots=True)
class Dawg:
    """The graph: ``table[node + face]`` is the child or 0, ``table[node + FLAGS]`` the node's flags.

    Faces are numbered in the order of `engine.faces.FACES`. A node is the index at which its numbers start.
    """

    table: array[int]

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return len(self.table) // STRIDE - 1


def build_dawg(words: Iterable[str]) -> Dawg:
    """Build the graph of words in the capitals A to Z, given in any order."""
    # A node is text: 1 if a word ends there or 0, then its links as letters and numbers of nodes, as in "1A7S12".
    # Text was the fastest kind of key. The register numbers each different node, from 1.
    register: dict[str, int] = {}
    # The path holds the nodes along the last word, which may still get links.
    path = ["0"]
    previous = ""
    for word in [*sorted(_spell_with_tiles(words)), ""]:
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
    return Dawg(_table(["0" + path[0][1:], *register]))


def _spell_with_tiles(words: Iterable[str]) -> Iterator[str]:
    """Yield the words with Q for QU, and skip those with any other Q: no tiles spell them."""
    for word in words:
        if "Q" in word:
            word = word.replace("QU", "\0")
            if "Q" in word:
                continue
            word = word.replace("\0", "Q")
        yield word


def _table(nodes: Sequence[str]) -> array[int]:
    """Lay nodes out in a table, the first of them at `ROOT`."""
    table = array("i", bytes(4 * STRIDE * (len(nodes) + 1)))
    at = ROOT
    for node in nodes:
        flags = FINAL if node[0] == "1" else 0
        for letter, number in _LINK.findall(node):
            face = ord(letter) - 65
            table[at + face] = ROOT + STRIDE * int(number)
            flags |= 1 << face
        table[at + FLAGS] = flags
        at += STRIDE
    return table


_LINK = re.compile(r"([A-Z])(\d+)")
