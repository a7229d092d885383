"""The lines around bare squares: nothing lies over a square whose lines are plain, something where none shows.

The squares of a board are set off by grooves, ridges or print, which look alike all over it in one picture. Light
changes their colour with that of the squares, and leaves their shape.

Whether bare squares look as they did before, and as the others: else something lies over them, perhaps over a tile.

The networks know tiles, boards and hands. Of what else people put down on a board (a sheet, a card, a telephone) they
see nothing but the lack of a tile. The colours of bare squares, which stay through a game whatever the light does, tell
it: between two pictures light changes smoothly over the board, and a square that does not change as those around it do
is not the square that was there. The lines around them tell it, too, and overrule the colours (`square_lines`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.geometry.rectify import ReducedView, rectify

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_LINE_PX, _HALF = 24, 12
"""Pixels a square on the canvas, and half of them: how much of the rim is on it, and the width of a profile."""
_ALONG = slice(5, 19)
"""Pixels of a side, along it, that the lines that meet it at its ends hardly touch. By eye."""
DARK = 8.0
"""Grey levels that are added before the logarithm is taken: in the dark noise is no line, and no colour. By eye."""
_LEAST_SIDES = 3
"""Sides between bare squares from which their usual profile is known. By eye."""
_FAINT = 0.0025
"""Root mean square, log units, of a usual profile below which it is no line to be looked for. By eye."""
_UNEVEN = 0.4
"""Spread of the shares of the usual line that bare squares show, beyond which one tells nothing. By eye."""
_LEAST_TOLD = 2
"""Sides of a square that must be told for it to be. By eye: with one a thing that ends beside a tile passes."""
_SHOWN, _GONE = 0.6, 0.15
"""Share of the usual line from which it shows, and up to which nothing is seen of it. Measured in pictures of games,
and the same with a patch of one colour or a drawn thing laid on the last play (the development sets and four lots). Of
82 bare squares that seem to be hidden by their colour 48 show as much on every side, 4 of the 9 beside a play; of 65
hidden tiles none does. Of 54 hidden tiles that no colour tells 25 show nothing on any side, of 1,404 bare squares
beside a play 2, of 17,907 others 23."""


def line_shares(view: ReducedView, bare: Flags, perhaps: Flags) -> Floats:
    """(4, n, n) how much of its usual line each square shows on each side: about 1 where it is bare.

    `bare` (n, n) are the squares that surely seem to be, and in view: their lines are the usual ones, those at the rim
    side by side. `perhaps` are those that are looked at. NaN where nothing is told: between a square that is not looked
    at and any other, and where the usual line is faint.
    """
    n = view.size
    grey = rectify(view.image, view.camera, n, _LINE_PX, 0.5).astype(np.float64).mean(axis=-1)
    lines = np.log(grey / view.gain + DARK)
    lying, upright = _of_one_way(lines, bare, perhaps), _of_one_way(lines.T, bare.T, perhaps.T)
    return np.stack([lying[:-1], lying[1:], upright[:-1].T, upright[1:].T])


def all_show(shares: Floats) -> Flags:
    """(n, n) whether two sides or more are told, and each shows its line: nothing lies over such a square."""
    least = np.where(np.isfinite(shares), shares, np.inf).min(axis=0)
    return np.asarray(_told(shares) & (least > _SHOWN))


def none_shows(shares: Floats) -> Flags:
    """(n, n) whether two sides or more are told, and none shows a line, as others do: something hides them."""
    most = np.abs(np.where(np.isfinite(shares), shares, 0.0)).max(axis=0)
    return np.asarray(_told(shares) & (most < _GONE))


def _told(shares: Floats) -> Flags:
    return np.asarray(np.isfinite(shares).sum(axis=0) >= _LEAST_TOLD)


def _of_one_way(lines: Floats, bare: Flags, perhaps: Flags) -> Floats:
    """The shares (n + 1, n) of the lying sides of a canvas of logarithms."""
    n = len(bare)
    inside = lines[:, _HALF:-_HALF].reshape(n + 1, _LINE_PX, n, _LINE_PX)[..., _ALONG]
    profiles = _level(np.median(inside, axis=-1).transpose(0, 2, 1))
    known, told = _between(bare), _between(perhaps)
    shares = np.full(told.shape, np.nan)
    for group in (slice(0, 1), slice(1, n), slice(n, n + 1)):
        shares[group] = np.where(told[group], _of_usual(profiles[group], known[group]), np.nan)
    return shares


def _between(squares: Flags) -> Flags:
    """(n + 1, n) the lying sides that lie between two of the squares (n, n), or one of them and the rim."""
    rim = np.ones((1, len(squares)), dtype=np.bool_)
    return np.asarray(np.concatenate([rim, squares]) & np.concatenate([squares, rim]))


def _level(profiles: Floats) -> Floats:
    """Profiles (..., px) less the straight line that fits each best: what light does across a side."""
    place = np.linspace(-1.0, 1.0, profiles.shape[-1])
    terms = np.stack([np.ones_like(place), place], axis=1)
    return np.asarray(profiles - profiles @ np.linalg.pinv(terms).T @ terms.T, dtype=np.float64)


def _of_usual(profiles: Floats, known: Flags) -> Floats:
    """How much of the usual profile, of the `known` sides, each of profiles (rows, n, px) shows; NaN if there is none.

    The share by least squares; where more is to be seen than the usual line, how like it that is (correlation).
    """
    nothing = np.full(known.shape, np.nan)
    if known.sum() < _LEAST_SIDES:
        return nothing
    usual = np.median(profiles[known], axis=0)
    due = float(np.linalg.norm(usual))
    if due < _FAINT * len(usual) ** 0.5:
        return nothing
    shares = profiles @ usual / (due * np.maximum(due, np.linalg.norm(profiles, axis=-1)))
    spread = 1.4826 * float(np.median(np.abs(shares[known] - np.median(shares[known]))))
    return np.asarray(shares, dtype=np.float64) if spread < _UNEVEN else nothing


_PX, _INNER = 24, slice(4, 20)
"""Pixels a square on the canvas, and those of them, across and down, that neighbouring tiles and lines hardly touch. By
eye."""
_LEAST_ALIKE = 12
"""Squares that must be bare in both pictures to tell how the light has changed: twice as many as it has
terms."""
_ROUNDS = 6
"""Rounds in which squares that change otherwise than the rest lose their weight (iteratively reweighted least
squares with Cauchy weights). By eye."""
_STEADY = 0.02
"""Spread, log units, that the change of light has at least: keeps weights finite. By eye."""
_BRIGHTNESS = 0.2
"""Weight of a change in brightness against one in colour: shadows and blinds darken, and hide nothing. Of those
that _ODD counts, 0.1 and 0.35 tell about as many."""
_WHITE = 235.0
"""Grey level beyond which a colour is burnt out: how much brighter it is cannot be told. By eye."""
_ALONE, _OTHERS = 2.0, 3
"""How much further than due a square may differ for each log unit by which its own colour is apart from those of the
others, and of how many others it is to be like one: what light does to a colour that nothing else has is not
known. With it squares beside a play are taken for hidden less often by a quarter, and hidden tiles are told nearly as
often."""
_LAMP, _LEAST_OWN, _MIRRORED = 150.0, 0.35, 0.03
"""Grey level of the light that is added where a lamp is mirrored in a square, how much of the square's own colour must
be left then, and the share by which what is seen may differ from that. Without it 17 and 111 bare squares seem to be
hidden where _ODD counts 7 and 52, and 153 tiles that are."""
_SURELY = 0.95
"""Probability that something lies over a square that is plainly altered, or shows no line. By eye."""
_ODD = ((0.13, 0.19), (0.0, _SURELY))
"""How far, log units, a bare square's colour differs from what is due, and the probability from there that something
lies over it. Measured in 450 pictures of games (the development sets, own6301, traced3321): of 234 tiles that a patch
of one colour or a drawn thing hid, and that were taken for squares known to be bare before, 147 differ so far; of 2,076
bare squares beside a play 7 do, of 20,885 others 52."""
_PLAINLY, _PERHAPS = 0.9, 0.5
"""Probability that a square is bare, and in view, from which its colour is remembered, and from which one is looked at.
By eye, not measured."""
_KEPT = np.float32


@dataclass(frozen=True)
class BareSquares:
    """How the bare squares of a board looked when they were seen last: BGR (n, n, 3), NaN where none was seen yet.

    `data` are 32-bit floats: they compare and are saved exactly.
    """

    size: int
    data: bytes

    @classmethod
    def unseen(cls, size: int) -> BareSquares:
        """A board of which no square was seen bare."""
        return cls(size, np.full((size, size, 3), np.nan, dtype=_KEPT).tobytes())

    def check(self, size: int) -> None:
        """Raise ValueError where these are no squares of a board of `size` rows."""
        if self.size != size or self.colours.shape != (size, size, 3):
            raise ValueError("no bare squares of this board")

    @cached_property
    def colours(self) -> Floats:
        """(n, n, 3) BGR."""
        return np.frombuffer(self.data, dtype=_KEPT).reshape(self.size, self.size, -1).astype(np.float64)

    def seen(self, colours: Floats, bare: Flags) -> BareSquares:
        """The same with the `colours` (n, n, 3) of the squares that are `bare` (n, n) in another picture."""
        now = np.where(bare[..., None], colours, self.colours)
        return BareSquares(self.size, now.astype(_KEPT).tobytes())


def square_colours(view: ReducedView) -> Floats:
    """The median colour (n, n, 3) BGR of each square of the board's plane, whatever lies there, as it was taken: what
    lightens the noise of a dark picture must not make colours of it."""
    n = view.size
    canvas = rectify(view.image, view.camera, n, _PX, 0)
    squares = canvas.reshape(n, _PX, n, _PX, 3).transpose(0, 2, 1, 3, 4)[:, :, _INNER, _INNER]
    return np.asarray(np.median(squares.reshape(n, n, -1, 3), axis=2) / view.gain, dtype=np.float64)


def plainly_bare(empty: Floats, in_view: Floats) -> Flags:
    """(n, n) squares that are surely `empty` and surely `in_view`, probabilities (n, n) each."""
    return np.asarray(np.minimum(empty, in_view) > _PLAINLY)


def compared(view: ReducedView, before: BareSquares, empty: Floats, in_view: Floats) -> tuple[Floats, Floats]:
    """The squares' colours (n, n, 3), and the probability (n, n) that something lies over each, by colours and lines.

    Of those that are rather `empty` and `in_view` than not, probabilities (n, n) each; 0 for all others.
    """
    colours, bare = square_colours(view), np.minimum(empty, in_view)
    odd = altered(colours, before, bare > _PERHAPS)
    lines = line_shares(view, bare > _PLAINLY, bare > _PERHAPS)
    odd[all_show(lines)] = 0.0
    odd[none_shows(lines)] = _SURELY
    return colours, odd


def altered(now: Floats, before: BareSquares, bare: Flags) -> Floats:
    """(n, n) probability that something lies over each square that is `bare` (n, n) as far as can be told.

    `now` are colours (n, n, 3) as `square_colours` has them. 0 everywhere where too few squares are known from before
    to tell how the light has changed.
    """
    both = bare & np.isfinite(before.colours).all(axis=-1)
    odd = np.zeros(bare.shape)
    if int(both.sum()) < _LEAST_ALIKE:
        return odd
    is_now, was = np.log(now[both] + DARK), np.log(before.colours[both] + DARK)
    due = was + np.stack([_smooth(part, both) for part in (is_now - was).T], axis=-1)
    burnt = np.log(_WHITE + DARK)
    is_now, due = np.minimum(is_now, burnt), np.minimum(due, burnt)
    brightness = (is_now - due).mean(axis=-1)
    colour = np.mean((is_now - due - brightness[:, None]) ** 2, axis=-1)
    differs = np.sqrt(colour + (_BRIGHTNESS * brightness) ** 2)
    chance = np.interp(differs / (1.0 + _ALONE * _apart(was)), *_ODD)
    lamp = np.exp(due - was)
    odd[both] = np.where(_mirrors(is_now, due, lamp) | _mirrors(due, is_now, lamp), 0.0, chance)
    return odd


def _mirrors(one: Floats, other: Floats, lamp: Floats) -> Flags:
    """(m,) whether each colour `one` is the `other` with a mirrored lamp's light added, (m, 3) logarithms.

    `lamp` (m, 3) is the light's colour. Least squares, in shares of the colour that is to be explained.
    """
    there, before = np.exp(one), np.maximum(np.exp(other) - DARK, 0.0)
    light = _LAMP * lamp / lamp.mean(axis=-1, keepdims=True)
    parts = np.stack([before, light], axis=-1) / there[..., None]
    wanted = 1.0 - DARK / there
    square = np.einsum("mci,mcj->mij", parts, parts) + 1e-6 * np.eye(2)
    shares = np.linalg.solve(square, np.einsum("mci,mc->mi", parts, wanted)[..., None])[..., 0]
    left = np.einsum("mci,mi->mc", parts, shares) - wanted
    alike = np.sqrt(np.mean(left**2, axis=-1)) < _MIRRORED
    return np.asarray(alike & (shares[:, 0] > _LEAST_OWN) & (shares[:, 1] > 0.0))


def _apart(colours: Floats) -> Floats:
    """(m,) how far each of the colours (m, 3), as logarithms, is from the next few of the others."""
    distances = np.sqrt(np.mean((colours[:, None] - colours) ** 2, axis=-1))
    return np.asarray(np.sort(distances, axis=1)[:, _OTHERS], dtype=np.float64)


def _smooth(values: Floats, at: Flags) -> Floats:
    """The quadratic (m,) in row and column that fits `values` (m,) on the squares `at` (n, n), outliers left aside."""
    y, x = np.argwhere(at).T / len(at) - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=1)
    weight = np.ones(len(values))
    fitted = np.zeros(len(values))
    for _ in range(_ROUNDS):
        fitted = terms @ np.linalg.lstsq(terms * weight[:, None], values * weight, rcond=None)[0]
        left = values - fitted
        spread = 1.4826 * float(np.median(np.abs(left))) + _STEADY
        weight = 1.0 / np.sqrt(1.0 + (left / (2.0 * spread)) ** 2)
    return np.asarray(fitted, dtype=np.float64)
