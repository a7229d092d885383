"""A directed acyclic word graph over tile faces, in one flat array.

Words are walked tile by tile, so QU is a single step, and words with a Q that no tile can show are left out.
The graph is minimal: built from sorted words as by Daciuk, Mihov, Watson and Watson, "Incremental
Construction of Minimal Acyclic Finite-State Automata" (2000).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

STRIDE = 27
"""Numbers in the table for each node: its children by face, 0 to 25, and its flags."""

FLAGS = 26
"""Where in a node's numbers its flags stand: bit 0 to 25 for the faces that go on, and `FINAL`."""

FINAL = 1 << 26
"""The flag of a node at which a word ends."""

ROOT = STRIDE
"""Where the first node's numbers start; 0 stands for no node."""


@dataclass(frozen=True, slots=True)
class Dawg:
    """The graph: ``table[node + face]`` is the child or 0, ``table[node + FLAGS]`` the node's flags.

    Faces are numbered in the order of `engine.faces.FACES`; a node is the index at which its numbers start.
    """

    table: array[int]

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return len(self.table) // STRIDE - 1


def build_dawg(words: Iterable[str]) -> Dawg:
    """The graph of words in the capitals A to Z, in any order."""
    # A node is written as 1 or 0, whether a word ends there, and its links as letters and numbers of nodes:
    # "1A7S12". Text is the fastest key there is here. The register numbers each different node, from 1.
    register: dict[str, int] = {}
    # The nodes along the last word, not yet closed.
    path = ["0"]
    previous = ""
    for word in [*sorted(_tiled(words)), ""]:
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


def _tiled(words: Iterable[str]) -> Iterator[str]:
    """The words with Q for QU; those with any other Q have no tiles."""
    for word in words:
        if "Q" in word:
            word = word.replace("QU", "\0")
            if "Q" in word:
                continue
            word = word.replace("\0", "Q")
        yield word


def _table(nodes: Sequence[str]) -> array[int]:
    """The table of the nodes, the first of them at `ROOT`."""
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
