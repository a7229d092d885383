"""A reader of photographs that is made when it is first needed, or before that in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from engine import Edition, WordList
from vision import Belief, Finding
from vision.images import Image
from webui.ports import (
    Corners,
    Follower,
    PositionReading,
    RackTile,
    SettledTurn,
    TurnQuery,
    TurnReader,
)


class LaterReader:
    """Reads with what `make` gives, which is called once, however many ask at the same time; they all wait for it.

    Loading the reader takes longer than everything that the first page needs. What `make` raises, whoever asks gets,
    and the next one tries again.
    """

    def __init__(self, make: Callable[[], TurnReader]) -> None:
        self._make = make
        self._made: TurnReader | None = None
        self._making = threading.Lock()

    def reader(self) -> TurnReader:
        """Return the reader itself, made now if it was not before."""
        with self._making:
            if self._made is None:
                self._made = self._make()
            return self._made

    def read_turn(self, image: Image, query: TurnQuery) -> tuple[Belief, Finding]:
        """Return the belief after a picture, and what happened; as the reader's own."""
        return self.reader().read_turn(image, query)

    def follow(self, query: TurnQuery) -> Follower:
        """Return one who follows the table from what is believed on; as the reader's own."""
        return self.reader().follow(query)

    def find_grid(self, image: Image, query: TurnQuery) -> Corners:
        """Return where the board's grid is found; as the reader's own."""
        return self.reader().find_grid(image, query)

    def read_position(self, image: Image, *, edition: Edition, lexicon: WordList | None) -> PositionReading:
        """Return the board as it lies there; as the reader's own."""
        return self.reader().read_position(image, edition=edition, lexicon=lexicon)

    def read_rack(self, image: Image) -> tuple[RackTile, ...]:
        """Return the tiles that lie in a picture, off any board; as the reader's own."""
        return self.reader().read_rack(image)

    def learn(
        self, turns: Iterable[SettledTurn], lexicon: WordList | None, known: tuple[str, ...]
    ) -> str | None:
        """Return what a game's turns teach of its tiles; as the reader's own."""
        return self.reader().learn(turns, lexicon, known)
