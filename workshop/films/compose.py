"""Composing films of games: what happens at the table, the hands, the light, and the truth of it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine import Board, PlacedTile, Play, Square
from workshop.films.table_game import TableTurn

Picture = NDArray[np.float32]
Mask = NDArray[np.float32]

RATES = (5, 10, 12, 15, 25, 30, 60)
"""Frames a second of films. [by eye]"""
_SLIPS = 0.1
"""Share of plays whose first tile is put on a wrong square at first. [by eye]"""
_FETCHES, _FETCH = 0.15, (0.1, 0.9)
"""Share of plays of two tiles and more for whose last tiles a hand goes back to the rack, and how long it stays away,
s: the board lies free for up to 1.9 s with half a word on it. [by eye]"""
_AWAY = (28.0, 40.0)
"""Seconds for which people walk away from the table. [by eye]"""
_TURNING = 10
"""Pictures that a board takes to turn round, a tenth of a second each. [by eye]"""
_CUPS_BESIDE = 0.5
"""Share of cups that are put beside the board, not on it. [by eye]"""
_CUP, _CUP_HIGH, _STALL = 1.4, 3.0, 1.2
"""Radius and height of a cup in squares, and the longest time for which a film stands still, s.
[by eye]"""
_SKINS = ((150, 180, 225), (120, 150, 200), (80, 110, 160), (50, 70, 110))
_SLEEVES = ((60, 60, 160), (140, 90, 50), (70, 110, 70), (50, 50, 50), (190, 190, 190))


@dataclass(frozen=True)
class Change:
    """A change of the board at a time: from then on the pixels of `mask` are those of `picture`."""

    at: float
    mask: Mask
    picture: Picture


@dataclass(frozen=True)
class Reach:
    """A hand from a side of the table: board points (x, y) at times, from its coming to its going."""

    times: tuple[float, ...]
    points: tuple[tuple[float, float], ...]
    side: tuple[float, float]


@dataclass(frozen=True)
class Cup:
    """A cup that stands on a board point (x, y) from one time to another."""

    times: tuple[float, float]
    point: tuple[float, float]


@dataclass(frozen=True)
class FilmStyle:
    """The look of a film: the table's light, and what its camera does."""

    fps: int
    skin: tuple[int, int, int]
    sleeve: tuple[int, int, int]
    drift: float
    warmth: float
    flicker: float
    noise: float
    quality: int
    stripes: Picture | None
    hunts: tuple[float, ...]
    heads: tuple[float, ...]
    repeats: float
    stalls: tuple[float, ...]


class Stage(Protocol):
    """Renders the boards of one game: the same camera, light and table in every picture."""

    def picture(self, board: Board) -> Picture:
        """Render a board (h, w, 3)."""

    def turn(self) -> Stage:
        """Return the stage with the board turned round, its letters on their heads."""

    def project(self, x: float, y: float, height: float = 0.0) -> NDArray[np.float64]:
        """Return the pixel (2,) of a board point."""

    def around(self, squares: Sequence[Square], shape: tuple[int, int], layers: float) -> Mask:
        """Return a soft mask (h, w, 1) of the stacks on squares, up to this many layers."""


class Script:
    """Writes what happens at the table, event by event: the hands, the changes of the board, and the truth.

    `now` is the second of the film that comes next.
    """

    def __init__(self, rng: np.random.Generator, stage: Stage, board: Board, *, quick: bool) -> None:
        self.hands: list[Reach] = []
        self.changes: list[Change] = []
        self.bumps: list[tuple[float, tuple[float, float]]] = []
        self.cups: list[Cup] = []
        self.events: list[dict[str, Any]] = []
        self.now = 2.0
        self.stages: list[tuple[float, Stage]] = [(0.0, stage)]
        self._rng, self._quick = rng, quick
        self._sides = ((board.size / 2, board.size + 4.0), (board.size / 2, -4.0))
        self.start = stage.picture(board)
        self._size = board.size

    @property
    def _stage(self) -> Stage:
        return self.stages[-1][1]

    def stage_at(self, now: float) -> Stage:
        """Return the stage at a time, s."""
        return next(stage for since, stage in reversed(self.stages) if since <= now)

    def play(self, turn: int, board: Board, play: Play) -> None:
        """Put the tiles of a play on the board, now and then the first of them on a wrong square at first."""
        after = self._stage.picture(board)
        tiles = self._in_order(play)
        wrong = self._wrong_square(board, play, tiles[0].face) if self._rng.random() < _SLIPS else None
        began = self.now
        times = self._lay(turn, tiles if wrong is None else [wrong, *tiles])
        for tile, at in zip(tiles, times[-len(tiles) :], strict=True):
            self.changes.append(Change(at, self._patch([tile], after), after))
        if wrong is not None:
            slip = self._stage.picture(board.without_top(play.squares).with_play(Play((wrong,))))
            self.changes.append(Change(times[0], self._patch([wrong], slip), slip))
            self.changes.append(Change(times[1], self._patch([wrong], after), after))
        self._note("play", turn, board, play.tiles, began, times)
        self._rest()

    def _wrong_square(self, board: Board, play: Play, face: str) -> PlacedTile | None:
        """Return a tile of this face on a bare square near the play; None if there is none."""
        near = play.squares[0]
        bare = [s for s in board.squares() if not board.height(s)]
        bare = [s for s in bare if abs(s.row - near.row) + abs(s.col - near.col) <= 2]
        return PlacedTile(bare[int(self._rng.integers(len(bare)))], face) if bare else None

    def take_back(self, turn: int, board: Board, play: Play, *, challenged: bool = False) -> None:
        """Take the tiles of a play off again, which leaves `board`. `challenged` plays stay off."""
        before = self._stage.picture(board)
        tiles = self._in_order(play)
        began = self.now
        times = self._reach(turn, tiles)
        for tile, at in zip(tiles, times, strict=True):
            self.changes.append(Change(at, self._patch([tile], before), before))
        self._note("takeback", turn, board, tiles, began, times)
        self.events[-1]["challenged"] = challenged
        self._rest()

    def hover(self, turn: int) -> None:
        """Reach over the board and change nothing."""
        row, col = self._rng.integers(0, self._size, 2)
        self._reach(turn, [PlacedTile(Square(int(row), int(col)), "A")])
        self._rest()

    def pass_turn(self, turn: int) -> None:
        """Let a player pass: a hand hovers, or none comes at all."""
        began = self.now
        if self._rng.random() < 0.5:
            self.hover(turn)
        else:
            self._rest()
        self._note_idle("pass", turn, began)

    def walk_away(self, turn: int) -> None:
        """Leave the table for a while. Somebody who comes back reaches over the board first."""
        began = self.now
        self.now += float(self._rng.uniform(*_AWAY))
        self._note_idle("away", turn, began)
        self.hover(turn)

    def bump(self) -> None:
        """Push the board, or the camera, by a few pixels."""
        by = self._rng.normal(0.0, 4.0, 2)
        self.bumps.append((self.now, (float(by[0]), float(by[1]))))
        self._rest()

    def turn_round(self, turn: int, board: Board) -> None:
        """Turn the board round. From then on the players sit at its other sides."""
        middle = Square(self._size // 2, self._size // 2)
        (held,) = self._reach(turn, [PlacedTile(middle, "A")])
        stage = self._stage.turn()
        after = stage.picture(board)
        for part in range(_TURNING):
            share = np.full((*after.shape[:2], 1), 1.0 / (_TURNING - part), np.float32)
            self.changes.append(Change(held + 0.1 * part, share, after))
        self.now = max(self.now, held + 0.1 * _TURNING)
        self.stages.append((self.now, stage))
        self._sides = self._sides[::-1]
        self._rest()

    def put_cup(self, turn: int, board: Board) -> None:
        """Put a cup beside the board or on bare squares, and take it away some seconds later."""
        bare = [s for s in board.squares() if not any(board.height(t) for t in board.squares() if _near(s, t))]
        spot, beside = Square(self._size // 2, self._size + 1), self._rng.random() < _CUPS_BESIDE or not bare
        if not beside:
            spot = bare[int(self._rng.integers(len(bare)))]
        (put,) = self._reach(turn, [PlacedTile(spot, "A")])
        self._rest()
        (gone,) = self._reach(turn, [PlacedTile(spot, "A")])
        self.cups.append(Cup((put, gone), (spot.col + 0.5, spot.row + 0.5)))
        self._rest()

    def _rest(self) -> None:
        self.now += float(self._rng.uniform(1.6, 3.0) if self._quick else self._rng.uniform(2.5, 6.0))

    def _in_order(self, play: Play) -> list[PlacedTile]:
        return [play.tiles[k] for k in self._rng.permutation(len(play.tiles))]

    def _patch(self, tiles: Sequence[PlacedTile], picture: Picture) -> Mask:
        height, width = picture.shape[:2]
        return self._stage.around([tile.square for tile in tiles], (height, width), 1.6)

    def _lay(self, turn: int, tiles: Sequence[PlacedTile]) -> list[float]:
        """Write the hand that puts tiles down, now and then in two goes; return the times at which it does."""
        if len(tiles) < 2 or self._rng.random() >= _FETCHES:
            return self._reach(turn, tiles)
        count = int(self._rng.integers(1, len(tiles)))
        first = self._reach(turn, tiles[:count])
        self.now += float(self._rng.uniform(*_FETCH))
        return [*first, *self._reach(turn, tiles[count:])]

    def _reach(self, turn: int, tiles: Sequence[PlacedTile]) -> list[float]:
        """Write a hand that comes, stops at each tile and goes; return the times at which it puts them down."""
        side = self._sides[(turn - 1) % 2]
        pace = float(self._rng.uniform(0.35, 0.6) if self._quick else self._rng.uniform(0.5, 1.1))
        times, points, put = [self.now], [side], []
        for tile in tiles:
            spot = tile.square.col + 0.5, tile.square.row + 0.5
            if self._rng.random() < 0.15:  # the hand hesitates over another square
                off = self._rng.normal(0.0, 1.5, 2)
                times.append(times[-1] + pace)
                points.append((spot[0] + float(off[0]), spot[1] + float(off[1])))
            times += [times[-1] + pace, times[-1] + pace + 0.3]
            points += [spot, spot]
            put.append(times[-1] - 0.15)
        times.append(times[-1] + pace)
        points.append(side)
        self.hands.append(Reach(tuple(times), tuple(points), side))
        self.now = times[-1]
        return put

    def _note(
        self, kind: str, turn: int, board: Board, tiles: Sequence[PlacedTile], began: float, times: Sequence[float]
    ) -> None:
        rows = [[len(stack) for stack in row] for row in board.stacks]
        tops = [[stack[-1] if stack else "" for stack in row] for row in board.stacks]
        self.events.append({
            "type": kind, "turn": turn, "player": (turn - 1) % 2, "start": began,
            "changed": [min(times), max(times)], "gone": self.hands[-1].times[-1],
            "tiles": [{"row": t.square.row, "col": t.square.col, "letter": t.face} for t in tiles],
            "heights": rows, "tops": tops,
        })  # fmt: skip

    def _note_idle(self, kind: str, turn: int, began: float) -> None:
        """Note a time up to now in which nobody changed the board."""
        self.events.append({
            "type": kind, "turn": turn, "player": (turn - 1) % 2, "start": began, "changed": (), "gone": self.now,
        })  # fmt: skip


def _near(one: Square, other: Square) -> bool:
    """Return whether two squares touch each other, or are the same."""
    return max(abs(one.row - other.row), abs(one.col - other.col)) <= 1


def write_script(rng: np.random.Generator, stage: Stage, turns: Sequence[TableTurn]) -> Script:
    """Write the script of a whole game: every turn, and what people do besides.

    Whoever was challenged plays another word or passes, so that is the same turn (Rule 8).
    """
    script = Script(rng, stage, turns[0].before, quick=bool(rng.random() < 0.5))
    number, again = 0, False
    for turn in turns:
        number, again = number + (not again), turn.lifted
        if rng.random() < 0.1:
            script.hover(number)
        if rng.random() < 0.08:
            script.bump()
        if rng.random() < 0.05:
            script.put_cup(number, turn.before)
        if rng.random() < 0.01:
            script.turn_round(number, turn.before)
        if rng.random() < 0.03:
            script.walk_away(number)
        if turn.play is None:
            script.pass_turn(number)
            continue
        after = turn.before.with_play(turn.play)
        script.play(number, after, turn.play)
        if turn.lifted:
            script.take_back(number, turn.before, turn.play, challenged=True)
        elif rng.random() < 0.08:
            script.take_back(number, turn.before, turn.play)
            script.play(number, after, turn.play)
    return script


def random_style(rng: np.random.Generator, shape: tuple[int, int], seconds: float) -> FilmStyle:
    """Draw the look of a film. Half of them have something that is hard for a watcher."""

    def some(share: float, count: int) -> tuple[float, ...]:
        return tuple(rng.uniform(0, seconds, count)) if rng.random() < share else ()

    return FilmStyle(
        fps=int(rng.choice(RATES)),
        skin=_SKINS[int(rng.integers(len(_SKINS)))],
        sleeve=_SLEEVES[int(rng.integers(len(_SLEEVES)))],
        drift=float(rng.uniform(0.0, 0.12)),
        warmth=float(rng.uniform(0.0, 0.04)),
        flicker=float(rng.choice([0.0, 0.015])),
        noise=float(rng.uniform(0.5, 4.0)),
        quality=int(rng.integers(45, 95)),
        stripes=_stripes(rng, shape) if rng.random() < 0.25 else None,
        hunts=some(0.3, 4),
        heads=some(0.3, 4),
        repeats=float(rng.choice([0.0, 0.0, 0.2])),
        stalls=some(0.3, 6),
    )


def _stripes(rng: np.random.Generator, shape: tuple[int, int]) -> Picture:
    """Return the light (h, w, 1) of the sun through a blind."""
    rows, cols = np.indices(shape).astype(np.float32)
    turn, width = rng.uniform(0, np.pi), rng.uniform(25, 70)
    wave = np.sin((rows * np.sin(turn) + cols * np.cos(turn)) * np.float32(np.pi / width))
    light = 0.55 + 0.45 / (1.0 + np.exp(-wave * 8.0))
    return np.asarray(light[..., None], np.float32)


def frames(rng: np.random.Generator, script: Script, style: FilmStyle, seconds: float) -> Iterator[NDArray[np.uint8]]:
    """Yield the frames (h, w, 3) of a film."""
    board, shown = script.start.copy(), 0
    changes = sorted(script.changes, key=lambda change: change.at)
    frame: NDArray[np.uint8] | None = None
    for number in range(int(seconds * style.fps)):
        now = number / style.fps
        while shown < len(changes) and changes[shown].at <= now:
            change, shown = changes[shown], shown + 1
            board = board * (1.0 - change.mask) + change.picture * change.mask
        stalled = any(0.0 <= now - at < _STALL for at in style.stalls)
        if frame is None or not (stalled or rng.random() < style.repeats):
            frame = _expose(rng, _with_hand(script, board, style, now), style, now)
        yield frame


def _with_hand(script: Script, board: Picture, style: FilmStyle, now: float) -> Picture:
    """Return the board as it lies, pushed and lit, with the hand that is over it."""
    picture, stage = board, script.stage_at(now)
    by = np.sum([move for at, move in script.bumps if at <= now], axis=0) if script.bumps else np.zeros(2)
    if np.any(by):
        shift = np.array([[1, 0, by[0]], [0, 1, by[1]]], np.float32)
        moved = cv2.warpAffine(picture, shift, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        picture = np.asarray(moved, np.float32)
    for cup in script.cups:
        if cup.times[0] <= now <= cup.times[1]:
            picture = _with_cup(stage, picture, cup)
    if style.stripes is not None:
        picture = picture * style.stripes
    for at in style.heads:
        picture = picture * _head(picture.shape[:2], (now - at) / 3.0)
    hand = next((hand for hand in script.hands if hand.times[0] <= now <= hand.times[-1]), None)
    return picture if hand is None else _draw_hand(stage, picture, hand, style, now)


def _with_cup(stage: Stage, picture: Picture, cup: Cup) -> Picture:
    """Draw a cup: its side, its rim and what is in it."""
    around = [(np.cos(turn) * _CUP, np.sin(turn) * _CUP) for turn in np.linspace(0, 2 * np.pi, 40)]

    def ring(size: float, height: float) -> NDArray[np.int32]:
        pixels = [stage.project(cup.point[0] + x * size, cup.point[1] + y * size, height) for x, y in around]
        return np.round(pixels).astype(np.int32)

    drawn = picture.copy()
    outline = cv2.convexHull(np.concatenate([ring(0.8, 0.0), ring(1.0, _CUP_HIGH)]))
    for shape, colour in (
        (outline, (170, 175, 180)),
        (ring(1.0, _CUP_HIGH), (225, 228, 230)),
        (ring(0.88, _CUP_HIGH), (35, 50, 70)),
    ):
        cv2.fillPoly(drawn, [shape], colour, cv2.LINE_AA)
    return drawn


def _head(shape: tuple[int, int], part: float) -> Mask | float:
    """Return the shade (h, w, 1) of a head that passes; `part` of its way is done."""
    if not 0.0 <= part <= 1.0:
        return 1.0
    height, width = shape
    shade = np.zeros((height // 8, width // 8), np.float32)
    cv2.circle(shade, (int(part * width / 8), height // 16), height // 24, 0.35, -1)
    return 1.0 - cv2.resize(cv2.GaussianBlur(shade, (0, 0), 5.0), (width, height))[..., None]


def _draw_hand(stage: Stage, picture: Picture, hand: Reach, style: FilmStyle, now: float) -> Picture:
    """Draw a hand with its forearm and its shadow where it is now."""
    x, y = (float(np.interp(now, hand.times, axis)) for axis in zip(*hand.points, strict=True))
    tip, wrist = (
        stage.project(x, y, 1.0),
        stage.project(x * 0.8 + hand.side[0] * 0.2, y * 0.6 + hand.side[1] * 0.4, 2.0),
    )
    start = stage.project(*hand.side, 2.0)
    square = float(np.linalg.norm(stage.project(x + 0.5, y) - stage.project(x - 0.5, y)))
    arm = np.zeros(picture.shape[:2], np.float32)
    sleeve = np.zeros(picture.shape[:2], np.float32)
    along = (tip - wrist) / max(float(np.linalg.norm(tip - wrist)), 1e-6)
    across = np.array([-along[1], along[0]])
    palm = tip - along * 1.6 * square

    def line(mask: Mask, a: NDArray[np.float64], b: NDArray[np.float64], width: float) -> None:
        cv2.line(mask, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 1.0, max(int(width * square), 1), cv2.LINE_AA)

    for finger, length in ((-0.45, 0.75), (-0.15, 1.0), (0.15, 0.95), (0.45, 0.7)):
        base = palm + across * finger * square
        line(arm, base, base + (tip - palm) * length + across * finger * 0.2 * square, 0.34)
    line(arm, palm - along * 0.6 * square, palm, 1.2)
    line(arm, wrist, palm, 0.9)
    line(sleeve, start + (start - wrist) * 6.0, wrist - along * 0.8 * square, 1.5)
    shade = cv2.GaussianBlur(np.maximum(arm, sleeve), (0, 0), max(0.3 * square, 1.0))
    moved = np.array([[1, 0, 0.4 * square], [0, 1, 0.5 * square]], np.float32)
    shade = cv2.warpAffine(shade, moved, shade.shape[::-1])
    lit = picture * (1.0 - 0.35 * shade[..., None])
    for mask, colour in ((sleeve, style.sleeve), (arm, style.skin)):
        lit = lit * (1.0 - mask[..., None]) + np.array(colour, np.float32) * mask[..., None]
    return np.asarray(lit, np.float32)


def _expose(rng: np.random.Generator, picture: Picture, style: FilmStyle, now: float) -> NDArray[np.uint8]:
    """Return a frame as a webcam gives it: its light, white balance, focus, noise and compression."""
    gain = 1.0 + style.drift * np.sin(now / 9.0) + style.flicker * np.sin(now * 37.0)
    warm = style.warmth * np.sin(now / 13.0)
    balance = np.array([1.0 + warm, 1.0, 1.0 - warm], np.float32)
    picture = np.asarray(picture * balance * gain, np.float32)
    if any(0.0 <= now - at <= 0.8 for at in style.hunts):
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 3.0), np.float32)
    picture = picture + rng.normal(0.0, style.noise, picture.shape[:2]).astype(np.float32)[..., None]
    frame = np.clip(picture, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, style.quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def film_truth(name: str, script: Script, style: FilmStyle, size: int, seconds: float) -> dict[str, Any]:
    """Return the truth of a film: every event, with the frames in which it happened.

    In those of type "pass" and "away" nobody changed the board. A "takeback" that is `challenged` is for good.
    """

    def frame(second: float) -> int:
        return int(np.ceil(second * style.fps))

    events = [
        {
            **{key: value for key, value in event.items() if key not in ("start", "changed", "gone")},
            "start_frame": frame(event["start"]),
            "changed_frames": [frame(second) for second in event["changed"]] or None,
            "hand_gone_frame": frame(event["gone"]),
        }
        for event in script.events
    ]
    return {
        "video": f"{name}.mp4", "fps": style.fps, "frames": int(seconds * style.fps), "edition": size, "players": 2,
        "events": events,
    }  # fmt: skip
