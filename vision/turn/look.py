"""Looks: the likelihoods that one photograph gives for every square, small enough to be kept with the game.

`Look` comes first, with the functions that make it from a reading. `LookHistory` holds the looks since a certain board.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine import MAX_HEIGHT, Board, Play, Square
from vision.arrays import Flags, Floats
from vision.heights.thickness import LEAST_WEIGHT, MISCOUNTED, STACK_PRIOR
from vision.hidden.occlusion import measure_covered
from vision.reading import BoardReading
from vision.turn.prior import Gap
from vision.turn.reasons import PLACE_KNOWN

EMPTY_FLOOR = 2e-5
"""A network is never surer than this that a square is bare, or that it is not. [by eye]"""
FACE_FLOOR = 1e-4
"""A network is never surer than this of what it does not see: no single square can outweigh the whole board. Of 19,051
letters cut at their true places that were 0.999 and surer none was misread: the development sets, five other sets, and
faces drawn in typefaces kept from training. [by hand, sets]
"""
_PLACE_BEHIND = ((0.72, 0.85), (1.0, 0.0))
"""Shares that nearer stacks would hide of the face of a tile put on a square, up to which it is told whether one was,
and from which nothing is told: of 174 squares covered by more than 0.75 that were read as empty, where a tile would be
hidden by less than 0.75, none held one; of 287 others, 55. [by hand, sets]"""
PLACE_OUTSIDE = ((0.2, 0.5), (1.0, 0.0))
"""How much of the tiles that may have been put on a square may lie outside the picture. Up to the first share the look
tells whether a tile was put there. From the second it tells nothing, because the wall of a higher stack looks like the
tile that lay there before. [by eye]"""
_SLIVER = (0.97, 0.99), (0.02, 0.5)
"""Probabilities that a square is bare, as read from the sliver of it that lies in the picture, and what we take for
them. A sliver can show that something lies there. It can't show what, nor that the square is bare. Of 56 bare squares
one has less than 0.985; of 40 with a tile, 37 have. [by hand, dev and seed 301131]"""
_SLIVER_SHOWS = 0.3
"""How far a sliver is believed, 0 to 1: so far that a square isn't in sight (`IN_SIGHT`). [by eye]"""
_PLAIN_LETTER = ((0.8, 0.95), (0.0, 0.9))
"""Probabilities of a tile and its letter together, and how far these are believed however much nearer stacks seem to
hide: a letter that is plain to see isn't hidden. Of 18 squares covered by more than 0.7 that are read as tiles, all
eight letters above 0.85 are right, and seven of ten others wrong. [by hand, dev]"""
_FACE_BEHIND = ((0.7, 0.8), (1.0, 0.3))
"""Shares hidden by nearer stacks up to which, and from which, a letter is believed or not: of 334 faces covered by
0.001 to 0.7 one is surely (0.95) misread, and doubting them makes their log loss worse; of 79 covered by more 13 are,
in the development sets and five other sets. [by hand, sets]"""
_BARE_VEILED = ((0.1, 0.5, 0.8, 0.97), (1.0, 0.9, 0.4, 0.05))
"""Probabilities that a hand hides a square, and how far it is believed then that no tile is there. In 178 pictures (the
development sets and eight other sets) of 114 tiles 9 were read as bare below 0.5, 6 of 38 up to 0.7, 32 of 78 up to
0.9, 94 of 150 up to 0.985, 251 of 295 beyond. [by hand, sets]"""
_TILE_VEILED = ((0.1, 0.95, 0.985), (1.0, 0.98, 0.05))
"""Probabilities that a hand hides a square, and how far a tile read there is believed: hands hide tiles, and hardly
ever look like one. In those pictures of 117 squares read as tiles 105 are below 0.5, of 150 up to 0.95 105, of 238
beyond 73; of those that are 0.9 sure 100 of 102, 78 of 88 and 18 of 65. The log loss of what lies on 1,743 squares that
are hidden by 0.05 to 0.97, the board before unknown, is 797 with it, and 864 where a tile is believed no sooner than a
bare square. [by hand, sets]"""
_FACE_VEILED = ((0.05, 0.5, 0.95, 0.99), (1.0, 0.98, 0.9, 0.1))
"""Probabilities that a hand hides a square, and how far a letter read there is believed: of 105 tiles read as such 94
letters are right below 0.5, of 105 up to 0.95 58, about as many as their probabilities say; of 73 beyond 8, 25 being
due. [by hand, sets]"""
_STATES = MAX_HEIGHT + 1
"""Heights a square can have, 0 among them."""
_STORED_TYPE = np.float16
"""Number format of a stored look. The networks' outputs are less precise than this."""
_MIN_READ, _MIN_KNOWN_TILES = 0.5, 4
"""Probability from which a letter known to lie there counts as read; and known tiles needed to judge a picture.
[by eye]"""
_MAX_HIDDEN = 0.3
"""Share of a face that may be hidden while its letter should be read. [by eye]"""
_MAX_MISREAD = 1
"""Letters that may be misread without putting the picture in doubt: a set has one letter that is always misread.
[by eye]"""
MISLED = 0.2
"""Share of the letters beside those that are not read that are mistaken, too. Measured on 1,935 tiles beside such, in
drawn pictures, the development sets, and these spoiled (blurred, smeared, overexposed, shrunk): of the letters 0.95 and
surer 19 of 662 are wrong, with this share 4 of 331, 9 being due. With all of it instead, as it was, 18 letters are as
sure, and the log loss of all is 2,448, not 1,987. [by hand, sets]"""


@dataclass(frozen=True)
class Look:
    """Likelihoods of what lies on every square, from one reading.

    Attributes:
        size: n, rows of the board.
        data: likelihoods of heights (n, n, 6) and of faces (n, n, F) if everything could be seen, and how far it can
            be seen, as in `placed` and `legible` (n, n). In 16-bit floats, looks compare and are saved exactly.
        layered: log weights (K,) of K groups of thicknesses, and likelihoods (K, n, n, 5) of the heights of stacks with
            each, in the same format; empty if they weren't told apart.
    """

    size: int
    data: bytes
    layered: bytes = b""

    @classmethod
    def of(cls, reading: BoardReading, garbled: float = 0.0, plays: int = 1) -> Look:
        """Return the look of a reading.

        `garbled` is the share of its letters that can't be trusted. `plays` is how many plays it may show: a stack can
        have grown by so many tiles.
        """
        faces = reading.face_probs.shape[-1] * reading.face_probs * (1.0 - FACE_FLOOR) + FACE_FLOOR
        read = (1.0 - reading.height_probs[..., 0]) * reading.face_probs.max(axis=-1)
        plain = np.interp(read, *_PLAIN_LETTER)
        placed = np.maximum(np.interp(_measure_next_hidden(reading), *_PLACE_BEHIND), plain)
        placed *= _through_a_veil(reading)
        legible = np.maximum(np.interp(reading.covered, *_FACE_BEHIND), plain)
        legible *= np.interp(reading.hidden, *_FACE_VEILED)
        heights, sliver = weigh_heights(reading), np.zeros((reading.size, reading.size), dtype=bool)
        if reading.outside is not None:
            outside = reading.outside_above(plays)
            inside = np.interp(outside, *PLACE_OUTSIDE)
            cut = (placed >= _SLIVER_SHOWS) & (placed * inside < _SLIVER_SHOWS)
            sliver = cut & (reading.hidden <= outside)
            placed *= inside
            placed[sliver], legible[sliver] = _SLIVER_SHOWS, 0.0
            heights[sliver, 0] = np.interp(heights[sliver, 0], *_SLIVER)
            heights[sliver, 1:] = 1.0 - heights[sliver, :1]
        parts = (heights, faces, placed[..., None], (1.0 - garbled) * legible[..., None])
        kept = np.concatenate([np.asarray(part, dtype=_STORED_TYPE) for part in parts], axis=-1)
        return cls(reading.size, kept.tobytes(), _pack_layers(reading, sliver))

    def check(self, board: Board) -> None:
        """Raise ValueError if it isn't a look at a board of this size with such tiles."""
        size = board.size
        if self.size != size or self._parts.shape != (size, size, _STATES + len(board.alphabet) + 2):
            raise ValueError("no look at this board")
        if not np.isfinite(self.layers[0]).all():
            raise ValueError("no weights of layers")

    def blank(self, squares: Iterable[Square] | None = None) -> Look:
        """Return the look without its evidence on some squares, or on any if `squares` is None."""
        parts = self._parts.copy()
        if squares is None:
            parts[..., -2:] = 0.0
        else:
            for square in squares:
                parts[square.row, square.col, -2:] = 0.0
        return replace(self, data=parts.astype(_STORED_TYPE).tobytes())

    @property
    def is_blank(self) -> bool:
        """True if this look has no evidence about any square."""
        return not self.placed.any()

    @cached_property
    def _parts(self) -> Floats:
        kept = np.frombuffer(self.data, dtype=_STORED_TYPE)
        return kept.reshape(self.size, self.size, -1).astype(np.float64)

    @property
    def placed(self) -> Floats:
        """How well the height of each square can be seen, (n, n), 0 to 1."""
        return self._parts[..., -2]

    @property
    def face_probs(self) -> Floats:
        """The probability of each face, (n, n, F), by its looks alone, however well it can be seen."""
        faces = self._parts[..., _STATES:-2]
        return np.asarray(faces / faces.sum(axis=-1, keepdims=True), dtype=np.float64)

    def shows(self, squares: Iterable[Square]) -> bool:
        """Return whether it shows, for all these squares, whether a tile was put there."""
        return all(self.placed[square.row, square.col] >= PLACE_KNOWN for square in squares)

    @property
    def legible(self) -> Floats:
        """How well the letter on each square can be read, (n, n), 0 to 1."""
        return self._parts[..., -1] * self.placed

    @cached_property
    def table(self) -> Floats:
        """The log likelihood of each height and top face, (n, n, 6, F).

        All faces of height 0 have the same value, and so have all states of a square that is out of sight.
        """
        return self._table(self._parts[..., :_STATES])

    @cached_property
    def layers(self) -> tuple[Floats, Floats]:
        """The log weights (K,) of groups of thicknesses before any height is known, and `table` for each of them.

        One thickness explains all stacks of a picture. If nothing distinguishes the groups, there is only one.
        """
        if not self.layered:
            return np.zeros(1), self.table[None]
        n, kept = self.size, np.frombuffer(self.layered, dtype=_STORED_TYPE).astype(np.float64)
        groups = len(kept) // (1 + n * n * MAX_HEIGHT)
        stacks = kept[groups:].reshape(groups, n, n, MAX_HEIGHT)
        empty = np.broadcast_to(self._parts[..., :1], (groups, n, n, 1))
        return kept[:groups], self._table(np.concatenate([empty, (1.0 - empty) * stacks], axis=-1))

    def _table(self, heights: Floats) -> Floats:
        """Return the log likelihood (..., n, n, 6, F) of each state for likelihoods of the heights (..., n, n, 6)."""
        faces, legible = self._parts[..., _STATES:-2], self._parts[..., -1:]
        placed = self.placed[..., None, None]
        faced = np.ones((*heights.shape, faces.shape[-1]))
        faced[..., 1:, :] = (legible * faces + 1.0 - legible)[..., None, :]
        chance = placed * heights[..., None] * faced + (1.0 - placed) / _STATES
        return np.asarray(np.log(np.maximum(chance, 1e-9)), dtype=np.float64)


def _through_a_veil(reading: BoardReading) -> Floats:
    """Return how far to believe squares that a hand may hide, (n, n), 0 to 1.

    Tiles are believed more than bare squares.
    """
    empty = reading.height_probs[..., 0]
    bare, tile = (np.interp(reading.out_of_sight, *veiled) for veiled in (_BARE_VEILED, _TILE_VEILED))
    return np.asarray(empty * bare + (1.0 - empty) * tile, dtype=np.float64)


def _measure_next_hidden(reading: BoardReading) -> Floats:
    """Return the share that nearer stacks hide of each top face, or of a tile put there if that is less, (n, n)."""
    heights = reading.heights()
    more = reading.face_elevations(np.minimum(heights, MAX_HEIGHT - 1) + 1)
    return np.minimum(reading.covered, measure_covered(reading.camera, more, reading.face_elevations(heights)))


def weigh_heights(reading: BoardReading) -> Floats:
    """Return the likelihood of the picture for each height (n, n, 6), up to a factor.

    These are probabilities divided by the usual shares of the heights, with allowance for miscounted layers. A view
    from above isn't discounted, since its probabilities are less sure anyway: for 1,191 tiles seen from less than 12
    degrees (112 pictures of the development sets) the log likelihood is 1,388 like this, 1,309 with a tenth discounted,
    and less with more.
    """
    probs = reading.height_probs
    empty = np.clip(probs[..., :1], EMPTY_FLOOR, 1.0 - EMPTY_FLOOR)
    stacked = probs[..., 1:] / np.maximum(probs[..., 1:].sum(axis=-1, keepdims=True), 1e-9)
    return np.concatenate([empty, (1.0 - empty) * _likely_stacks(stacked)], axis=-1)


def _likely_stacks(stacked: Floats) -> Floats:
    """Return the likelihood of the picture for each height of a stack (..., 5), up to a factor, from probabilities."""
    counted = (1.0 - MISCOUNTED) * stacked + MISCOUNTED / MAX_HEIGHT
    return np.asarray(counted / (MAX_HEIGHT * np.exp(STACK_PRIOR)), dtype=np.float64)


def _pack_layers(reading: BoardReading, sliver: Flags) -> bytes:
    """Return the heights for each group of thicknesses in the form that a look stores; a `sliver` tells no height."""
    if reading.layered is None:
        return b""
    weights = reading.layered.weights - reading.layered.weights.max()
    stacks = _likely_stacks(reading.layered.heights)
    stacks[:, sliver] = 1.0
    return np.concatenate([np.maximum(weights, LEAST_WEIGHT), stacks.ravel()]).astype(_STORED_TYPE).tobytes()


def measure_garbled(reading: BoardReading, known: Board, changed: Container[Square]) -> float:
    """Return the share, 0 to 1, of a picture's letters that glare, darkness or blur make look like other letters.

    It is judged by tiles that are `known` to lie in view, without squares that have `changed`; 0 if there are too few.
    """
    chances = [
        float(reading.face_probs[s.row, s.col, known.alphabet.number[known.top(s)]])
        for s in known.list_occupied()
        if s not in changed and max(reading.hidden[s.row, s.col], reading.covered[s.row, s.col]) < _MAX_HIDDEN
    ]
    if len(chances) < _MIN_KNOWN_TILES:
        return 0.0
    garbled = int((np.array(chances) < _MIN_READ).sum())
    return MISLED * max(0, garbled - _MAX_MISREAD) / len(chances)


HEIGHT_KNOWN = 0.95
"""Probability of a height from which a look settles it: a photograph that gives as much puts no stack of a game's start
in doubt. [by eye]"""


def find_sure_heights(reading: BoardReading, look: Look, board: Board, squares: Iterable[Square]) -> frozenset[Square]:
    """Return those of the squares that are in sight and surely as high as on a board. On a grid in doubt none are."""
    if reading.grid_doubt is not None:
        return frozenset()
    seen, sure = look.placed, reading.height_probs
    return frozenset(
        s for s in squares if seen[s.row, s.col] >= PLACE_KNOWN and sure[s.row, s.col, board.height(s)] >= HEIGHT_KNOWN
    )


def still_there(reading: BoardReading, before: Board, play: Play) -> int:
    """Return how many letters are read where they lay before a play. They prove that this is the same board."""
    letters, changed = reading.letters(), set(play.squares)
    return sum(letters[s.row][s.col] == before.top(s) for s in before.list_occupied() if s not in changed)


_REPEAT_WEIGHT = 0.4
"""Weight of evidence against a state that the look before gave, too. Supposed, from letters that are misread in picture
after picture. [by eye]"""


class LookHistory:
    """The looks since a certain board, and the gap before each.

    `bias` (n, n, 6, F) is subtracted from their log likelihoods: things that looked like this before and weren't.
    """

    def __init__(self, looks: Sequence[Look], gaps: Sequence[Gap], bias: Floats | None = None) -> None:
        self.looks, self.gaps = tuple(looks), tuple(gaps)
        tables = [look.table if bias is None else look.table - bias for look in looks]
        self._tables = [table - table.max(axis=(2, 3), keepdims=True) for table in tables]
        self._bias = bias
        self._spans: dict[tuple[int, int], Floats] = {}

    @property
    def last(self) -> int:
        """The number of the newest look, from 0."""
        return len(self.looks) - 1

    @property
    def newest(self) -> Floats:
        """The newest look's log likelihood of each state, (n, n, 6, F), at most 0."""
        return self.span(self.last, self.last)

    def discount_repeated(self, number: int) -> Floats:
        """Return the correction for evidence that look `number` repeats from the look before it, (n, n, 6, F).

        Add it where the state did not change, because successive pictures make the same errors.
        """
        key = (number, number - 1)
        if key not in self._spans:
            self._spans[key] = -(1.0 - _REPEAT_WEIGHT) * np.maximum(self._tables[number - 1], self._tables[number])
        return self._spans[key]

    def layers(self, number: int) -> tuple[Floats, Floats]:
        """Return the log weights (K,) of groups of thicknesses in look `number`, and the log likelihoods for each."""
        weights, tables = self.looks[number].layers
        return weights, tables if self._bias is None else tables - self._bias

    def off(self, number: int, layers: int) -> Floats:
        """Return the log likelihoods of look `number` if all stacks seem `layers` too high, (n, n, 6, F)."""
        seen_as = np.clip(np.arange(1, MAX_HEIGHT + 1) + layers, 1, MAX_HEIGHT)
        return np.asarray(self._tables[number][:, :, [0, *seen_as]])

    def span(self, first: int, last: int) -> Floats:
        """Return the summed log likelihoods of looks `first` to `last`, (n, n, 6, F), at most 0."""
        if (first, last) not in self._spans:
            self._spans[first, last] = np.sum(self._tables[first : last + 1], axis=0)
        return self._spans[first, last]
