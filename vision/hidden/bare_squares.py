"""Whether bare squares look as they did before, and as their neighbours: if not, something lies over them.

The networks know tiles, boards and hands. If people put down something else on a board (a sheet, a card, a telephone),
they see only that there is no tile. The colours of bare squares show it. Between two pictures light changes smoothly
over the board. A square that does not change as its neighbours do is covered.

The lines around squares show it too, and overrule the colours. Grooves, ridges or print set off the squares, and look
alike all over a board in one picture. Light changes the colour of lines with that of the squares, and leaves their
shape. Nothing lies over a square whose lines are plain; something lies over one that shows none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.arrays import Flags, Floats
from vision.geometry.rectify import ReducedView, rectify, squares_of

_LINE_PX, _HALF_PX = 24, 12
"""Pixels a square on the canvas for lines, which is the length of a profile; and half of them, the width of the rim."""
_MIDDLE_OF_SIDE = slice(5, 19)
"""Pixels along a side that the lines at its ends hardly touch. [by eye]"""
DARK = 8.0
"""Grey levels added before the logarithm is taken, so that noise in the dark is neither line nor colour. [by eye]"""
_MIN_BARE_SIDES = 3
"""Least number of sides between bare squares that give a usual profile. [by eye]"""
_MIN_PROFILE = 0.0025
"""Root mean square, log units, of a usual profile below which it is too faint to look for. [by eye]"""
_MAX_SHARE_SPREAD = 0.4
"""Spread of the shares of the usual line that bare squares show, above which lines prove nothing. [by eye]"""
_MIN_KNOWN_SIDES = 2
"""Least number of sides with a known share that decide about a square. With one, an object that ends beside a tile
would pass. [by eye]"""
_PLAIN_SHARE, _HIDDEN_SHARE = 0.6, 0.15
"""Share of the usual line from which a line is plain, and up to which it is hidden. Measured in pictures of games, also
with a patch of one colour or a drawn object laid on the last play (the development sets and four simulated datasets).
Of 82 bare squares that seem hidden by their colour 48 show as much on every side, 4 of the 9 beside a play; of 65
hidden tiles none does. Of 54 hidden tiles that no colour shows 25 show nothing on any side, of 1,404 bare squares
beside a play 2, of 17,907 others 23. [by hand, sets]"""


def line_shares(view: ReducedView, bare: Flags, perhaps: Flags) -> Floats:
    """Return how much of the usual line each square shows on each side, (4, n, n): about 1 if the square is bare.

    `bare` (n, n) are the squares that are surely bare and in view. Their lines define the usual line, separately for
    the rim on each side. `perhaps` (n, n) are the squares to look at. The share is NaN beside any other square, and if
    the usual line is faint.
    """
    n = view.size
    grey = rectify(view.image, view.camera, n, _LINE_PX, 0.5).astype(np.float64).mean(axis=-1)
    lines = np.log(grey / view.gain + DARK)
    lying, upright = (_shares_of_lying_sides(lines, bare, perhaps), _shares_of_lying_sides(lines.T, bare.T, perhaps.T))
    return np.stack([lying[:-1], lying[1:], upright[:-1].T, upright[1:].T])


def all_show(shares: Floats) -> Flags:
    """Return which squares (n, n) show their lines on all known sides, two at least: nothing lies over them."""
    least = np.where(np.isfinite(shares), shares, np.inf).min(axis=0)
    return np.asarray(_are_known(shares) & (least > _PLAIN_SHARE))


def none_shows(shares: Floats) -> Flags:
    """Return which squares (n, n) show no line on any known side, two at least: something hides them."""
    most = np.abs(np.where(np.isfinite(shares), shares, 0.0)).max(axis=0)
    return np.asarray(_are_known(shares) & (most < _HIDDEN_SHARE))


def _are_known(shares: Floats) -> Flags:
    return np.asarray(np.isfinite(shares).sum(axis=0) >= _MIN_KNOWN_SIDES)


def _shares_of_lying_sides(lines: Floats, bare: Flags, perhaps: Flags) -> Floats:
    """Return the shares (n + 1, n) of the horizontal sides of a canvas of logarithms."""
    n = len(bare)
    inside = lines[:, _HALF_PX:-_HALF_PX].reshape(n + 1, _LINE_PX, n, _LINE_PX)[..., _MIDDLE_OF_SIDE]
    profiles = np.median(inside, axis=-1).transpose(0, 2, 1)
    # light changes evenly across a side, so subtract the straight line that fits each profile best
    place = np.linspace(-1.0, 1.0, profiles.shape[-1])
    terms = np.stack([np.ones_like(place), place], axis=1)
    profiles = profiles - profiles @ np.linalg.pinv(terms).T @ terms.T
    known, told = _between(bare), _between(perhaps)
    shares = np.full(told.shape, np.nan)
    for group in (slice(0, 1), slice(1, n), slice(n, n + 1)):
        shares[group] = np.where(told[group], _shares_of_usual(profiles[group], known[group]), np.nan)
    return shares


def _between(squares: Flags) -> Flags:
    """Return which horizontal sides (n + 1, n) lie between two of the squares (n, n), or between one and the rim."""
    rim = np.ones((1, len(squares)), dtype=np.bool_)
    return np.asarray(np.concatenate([rim, squares]) & np.concatenate([squares, rim]))


def _shares_of_usual(profiles: Floats, known: Flags) -> Floats:
    """Return how much of the usual profile each of profiles (rows, n, px) shows; NaN if none is known.

    The usual profile is the median of the `known` sides. The share is a least squares fit; for a profile stronger than
    the usual one, it is the correlation.
    """
    nothing = np.full(known.shape, np.nan)
    if known.sum() < _MIN_BARE_SIDES:
        return nothing
    usual = np.median(profiles[known], axis=0)
    due = float(np.linalg.norm(usual))
    if due < _MIN_PROFILE * len(usual) ** 0.5:
        return nothing
    shares = profiles @ usual / (due * np.maximum(due, np.linalg.norm(profiles, axis=-1)))
    spread = 1.4826 * float(np.median(np.abs(shares[known] - np.median(shares[known]))))
    return np.asarray(shares, dtype=np.float64) if spread < _MAX_SHARE_SPREAD else nothing


_SQUARE_PX, _INNER_PX = 24, slice(4, 20)
"""Pixels a square on the canvas for colours, and those of them, across and down, that neighbouring tiles and lines
hardly touch. [by eye]"""
_MIN_COMMON_SQUARES = 12
"""Least number of squares, bare in both pictures, that show how the light has changed: twice as many as the fit has
terms."""
_ROUNDS = 6
"""Rounds in which squares that change differently lose their weight (iteratively reweighted least squares with Cauchy
weights). [by eye]"""
_MIN_LIGHT_SPREAD = 0.02
"""Least spread, log units, of the change of light; it keeps weights finite. [by eye]"""
_BRIGHTNESS_WEIGHT = 0.2
"""Weight of a change in brightness against one in colour: shadows and blinds darken, and hide nothing. With 0.1 and
0.35 about as many of the squares counted at _COVERED_BY_DIFFERENCE are recognised. [by hand, sets, own6301, traced3321]
"""
_BURNT_OUT = 235.0
"""Grey level above which a colour is burnt out, so that its brightness is unknown. [by eye]"""
_RARE_COLOUR_SLACK, _RARE_COLOUR_NEIGHBOURS = 2.0, 3
"""How much further than due a square may differ for each log unit between its colour and those of others, and which of
the others, by distance, counts. Nobody knows what light does to a colour that nothing else has. With this, squares
beside a play are taken for hidden a quarter less often, and hidden tiles are recognised nearly as often. [by hand]"""
_LAMP_GREY, _MIN_OWN_COLOUR, _MAX_MIRROR_ERROR = 150.0, 0.35, 0.03
"""Grey level that a mirrored lamp adds to a square, how much of the square's own colour must then be left, and the
largest relative error of that explanation. Without it 17 and 111 bare squares seem hidden where _COVERED_BY_DIFFERENCE
counts 7 and 52, and 153 tiles that are hidden. [by hand, sets, own6301, traced3321]"""
_SURE_COVERED = 0.95
"""Probability that something lies over a square that has plainly changed, or shows no line. [by eye]"""
_COVERED_BY_DIFFERENCE = ((0.13, 0.19), (0.0, _SURE_COVERED))
"""Distances, log units, of a bare square's colour from what is due, and the probability at each that something lies
over it. Measured in 450 pictures of games (the development sets, own6301, traced3321). A patch of one colour or a drawn
object hid 234 tiles on squares known to be bare before: 147 differ so far. Of 2,076 bare squares beside a play 7 do, of
20,885 others 52. [by hand, sets, own6301, traced3321]"""
_SURE_BARE, _MAYBE_BARE = 0.9, 0.5
"""Probability that a square is bare and in view from which its colour is remembered, and from which it is compared.
[by eye]"""
_STORED_TYPE = np.float32


@dataclass(frozen=True)
class BareSquares:
    """How the bare squares of a board last looked: BGR (n, n, 3), NaN for a square never seen bare.

    `data` are 32-bit floats, which compare and are saved exactly.
    """

    size: int
    data: bytes

    @classmethod
    def unseen(cls, size: int) -> BareSquares:
        """Make the record of a board with no square seen bare yet."""
        return cls(size, np.full((size, size, 3), np.nan, dtype=_STORED_TYPE).tobytes())

    def check(self, size: int) -> None:
        """Raise ValueError if these aren't the squares of a board with `size` rows."""
        if self.size != size or self.colours.shape != (size, size, 3):
            raise ValueError("no bare squares of this board")

    @cached_property
    def colours(self) -> Floats:
        """The colours (n, n, 3), BGR."""
        return np.frombuffer(self.data, dtype=_STORED_TYPE).reshape(self.size, self.size, -1).astype(np.float64)

    def with_colours(self, colours: Floats, bare: Flags) -> BareSquares:
        """Return this record with the `colours` (n, n, 3) of the squares that are `bare` (n, n) in another picture."""
        now = np.where(bare[..., None], colours, self.colours)
        return BareSquares(self.size, now.astype(_STORED_TYPE).tobytes())


def square_colours(view: ReducedView) -> Floats:
    """Return the median colour (n, n, 3) BGR of each square of the board's plane, as it was photographed.

    Tiles and other objects are not left out. The lightening of a dark picture is undone, because it would turn noise
    into colours.
    """
    n = view.size
    squares = squares_of(rectify(view.image, view.camera, n, _SQUARE_PX, 0), n)[:, :, _INNER_PX, _INNER_PX]
    return np.asarray(np.median(squares.reshape(n, n, -1, 3), axis=2) / view.gain, dtype=np.float64)


def plainly_bare(empty: Floats, in_view: Floats) -> Flags:
    """Return which squares (n, n) are surely `empty` and surely `in_view`, given the probabilities (n, n) of each."""
    return np.minimum(empty, in_view) > _SURE_BARE


def compare_squares(view: ReducedView, before: BareSquares, empty: Floats, in_view: Floats) -> tuple[Floats, Floats]:
    """Return the squares' colours (n, n, 3), and the probability (n, n) that something lies over each.

    Colours and lines decide about squares that are probably `empty` and `in_view` (n, n). All others get 0.
    """
    colours, bare = square_colours(view), np.minimum(empty, in_view)
    odd = weigh_altered(colours, before, bare > _MAYBE_BARE)
    lines = line_shares(view, bare > _SURE_BARE, bare > _MAYBE_BARE)
    odd[all_show(lines)] = 0.0
    odd[none_shows(lines)] = _SURE_COVERED
    return colours, odd


def weigh_altered(now: Floats, before: BareSquares, bare: Flags) -> Floats:
    """Return the probability (n, n) that something lies over each square that seems `bare` (n, n), by its colour.

    `now` are colours (n, n, 3) as `square_colours` returns them. It is 0 everywhere if too few squares are known from
    before to show how the light has changed.
    """
    both = bare & np.isfinite(before.colours).all(axis=-1)
    odd = np.zeros(bare.shape)
    if int(both.sum()) < _MIN_COMMON_SQUARES:
        return odd
    is_now, was = np.log(now[both] + DARK), np.log(before.colours[both] + DARK)
    due = was + np.stack([_quadratic_fit(part, both) for part in (is_now - was).T], axis=-1)
    burnt = np.log(_BURNT_OUT + DARK)
    is_now, due = np.minimum(is_now, burnt), np.minimum(due, burnt)
    brightness = (is_now - due).mean(axis=-1)
    colour = np.mean((is_now - due - brightness[:, None]) ** 2, axis=-1)
    differs = np.sqrt(colour + (_BRIGHTNESS_WEIGHT * brightness) ** 2)
    distances = np.sqrt(np.mean((was[:, None] - was) ** 2, axis=-1))
    rarity = np.sort(distances, axis=1)[:, _RARE_COLOUR_NEIGHBOURS]
    chance = np.interp(differs / (1.0 + _RARE_COLOUR_SLACK * rarity), *_COVERED_BY_DIFFERENCE)
    lamp = np.exp(due - was)
    odd[both] = np.where(_are_mirrored_lamps(is_now, due, lamp) | _are_mirrored_lamps(due, is_now, lamp), 0.0, chance)
    return odd


def _are_mirrored_lamps(one: Floats, other: Floats, lamp: Floats) -> Flags:
    """Return which colours of `one` are those of the `other` plus a mirrored lamp's light, (m, 3) logarithms.

    `lamp` (m, 3) is the light's colour. The fit is by least squares, relative to the colour to be explained.
    """
    there, before = np.exp(one), np.maximum(np.exp(other) - DARK, 0.0)
    light = _LAMP_GREY * lamp / lamp.mean(axis=-1, keepdims=True)
    parts = np.stack([before, light], axis=-1) / there[..., None]
    wanted = 1.0 - DARK / there
    square = np.einsum("mci,mcj->mij", parts, parts) + 1e-6 * np.eye(2)
    shares = np.linalg.solve(square, np.einsum("mci,mc->mi", parts, wanted)[..., None])[..., 0]
    left = np.einsum("mci,mi->mc", parts, shares) - wanted
    alike = np.sqrt(np.mean(left**2, axis=-1)) < _MAX_MIRROR_ERROR
    return np.asarray(alike & (shares[:, 0] > _MIN_OWN_COLOUR) & (shares[:, 1] > 0.0))


def _quadratic_fit(values: Floats, at: Flags) -> Floats:
    """Fit a quadratic (m,) in row and column to `values` (m,) on squares `at` (n, n); outliers lose their weight."""
    y, x = np.argwhere(at).T / len(at) - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=1)
    weight = np.ones(len(values))
    fitted = np.zeros(len(values))
    for _ in range(_ROUNDS):
        fitted = terms @ np.linalg.lstsq(terms * weight[:, None], values * weight, rcond=None)[0]
        left = values - fitted
        spread = 1.4826 * float(np.median(np.abs(left))) + _MIN_LIGHT_SPREAD
        weight = 1.0 / np.sqrt(1.0 + (left / (2.0 * spread)) ** 2)
    return np.asarray(fitted, dtype=np.float64)
