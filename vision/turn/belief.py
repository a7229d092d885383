"""The belief about one game between looks.

`Belief` is all that is remembered. It is frozen, saved with the game, and the same for photographs, films and the
hands-free camera. It begins at a certain board, and holds the looks since then with the stories that explain them.
`vision.turn.steps` changes it after a look or a decision of the table. Beliefs are stored as JSON data, which
`dump_belief` and `load_belief` write and read.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from itertools import takewhile
from typing import Any

import numpy as np

from engine import (
    ENGLISH,
    Alphabet,
    Board,
    Play,
    Square,
    UpscoreError,
    format_play,
    parse_play,
    parse_square,
    square_name,
)
from engine.formats.game_json import parse_stacks, stacks_json
from engine.wording import phrase
from vision.arrays import Floats
from vision.errors import BeliefError
from vision.geometry.camera import Camera
from vision.heights.thickness import THICKNESSES
from vision.hidden.bare_squares import BareSquares
from vision.turn.candidates import board_arrays
from vision.turn.look import Look
from vision.turn.prior import FRESH, UNKNOWN_PACE, UNWATCHED, Gap, Pace
from vision.turn.story import CertainBoard, Event, Story, differing

_BIAS_SHARE = 0.9
"""Share of an earlier look's error that the next looks are expected to repeat. Chosen on dev's turns.
[by hand, sets]"""


@dataclass(frozen=True)
class Reference:
    """The look of a board that is certain by now. Later looks repeat its errors."""

    board: Board
    look: Look

    def bias(self, board: Board) -> Floats:
        """Return the log likelihood (n, n, 6, F) to subtract from looks at `board`.

        It is how much this look favoured each state over the true one, and 0 on squares that have changed since.
        Printed rings and dots look like letters, and an empty board has no right way up, so the maximum over four
        rotations counts.
        """
        heights, tops = board_arrays(self.board)
        rows, cols = np.indices(heights.shape)
        now = self.look.table[rows, cols, heights, np.maximum(tops, 0)]
        favoured = np.maximum(self.look.table - now[..., None, None], 0.0)
        if self.board.is_empty:
            favoured = np.max([np.rot90(favoured, turns) for turns in range(4)], axis=0)
        for square in differing(self.board, board):
            favoured[square.row, square.col] = 0.0
        return np.asarray(_BIAS_SHARE * favoured, dtype=np.float64)


@dataclass(frozen=True)
class Knowledge:
    """The set and the camera, as far as a game's pictures have shown them.

    Attributes:
        thickness_weights: log weights of `vision.heights.thickness.THICKNESSES`, empty if nothing was learned.
        camera: the last one whose letters' orientation is known; None before.
        bare: how the bare squares looked, None if nothing was learned.
        other_set: whether this game is played with other tiles than the calibrated ones.
        pace: how often this table forgets to photograph a turn, or photographs one twice.
    """

    thickness_weights: tuple[float, ...] = ()
    camera: Camera | None = field(default=None, compare=False)
    bare: BareSquares | None = None
    other_set: bool = False
    pace: Pace = UNKNOWN_PACE


@dataclass(frozen=True)
class Belief:
    """Everything that is remembered of a game between looks.

    Attributes:
        start: the last board that is certain.
        entered: the events on the scoresheet since then, each with the number of the look that showed it.
        looks: the looks since, oldest first.
        gaps: the gap before each of them.
        gap: the gap before the next.
        answered: the gap that the newest play closed when it was entered by hand. It opens again if the play comes off.
        stories: what may have happened since, likeliest first.
        reference: the look of a certain board, or None so far.
        knowledge: what is known of the set and the camera.
        typed: the newest play if it was entered by hand and no look has shown it yet; None otherwise.
        to_lift: tiles that came off the scoresheet and that no look has shown lifted; None if there is none.
        assumed: squares of stacks that were in doubt in the photograph that the game began from. Their heights stay
            assumed until a look is sure of them, or the table has said them.
    """

    start: CertainBoard
    entered: tuple[tuple[Event, int], ...] = ()
    looks: tuple[Look, ...] = ()
    gaps: tuple[Gap, ...] = ()
    gap: Gap = FRESH
    answered: Gap = FRESH
    stories: tuple[Story, ...] = (Story(),)
    reference: Reference | None = None
    knowledge: Knowledge = Knowledge()
    typed: Play | None = None
    to_lift: Play | None = None
    assumed: frozenset[Square] = frozenset()

    @property
    def events(self) -> tuple[Event, ...]:
        """The events on the scoresheet since the start."""
        return tuple(event for event, _ in self.entered)

    @property
    def in_doubt(self) -> bool:
        """True if the last picture left open what was played."""
        return not self.gap.is_fresh

    @property
    def doubts(self) -> int:
        """The number of doubtful looks in a row up to now, including those without a board."""
        gaps = takewhile(lambda gap: not gap.is_fresh, reversed((*self.gaps, self.gap)))
        return sum(gap.open + gap.unseen + gap.merged for gap in gaps)

    @property
    def open_from(self) -> int:
        """The number of the first look after the one that showed the scoresheet's last event."""
        return self.entered[-1][1] + 1 if self.entered else 0

    @property
    def sheet_board(self) -> Board:
        """The board as the scoresheet has it."""
        return Story(self.events).board(self.start)

    def board_with_tiles_to_lift(self) -> Board:
        """Return the scoresheet's board with the tiles to lift still on it. Raises PositionError if they do not fit."""
        return self.sheet_board if self.to_lift is None else self.sheet_board.with_play(self.to_lift)

    @property
    def board(self) -> Board:
        """The most probable board."""
        return self.stories[0].board(self.start)

    @property
    def open_looks(self) -> tuple[Look, ...]:
        """The looks since the scoresheet was known to be right; none if a picture since showed no board."""
        gaps = (*self.gaps[self.open_from :], self.gap)
        return () if any(gap.unseen for gap in gaps) else self.looks[self.open_from :]

    def choose_reference(self, board: Board, look: Look) -> Reference | None:
        """Return a look at a certain board as the reference, or the present reference if the look is blank."""
        return self.reference if look.is_blank else Reference(board, look)

    def doubting(self, look: Look, likeliest: tuple[Story, ...]) -> Belief:
        """Add a look that was asked about. `likeliest` are its stories; they come before the others."""
        looks, gaps = (*self.looks, look), (*self.gaps, self.gap)
        stories = tuple(dict.fromkeys((*likeliest, *self.stories)))
        return replace(self, looks=looks, gaps=gaps, gap=replace(self.gap, open=True), stories=stories)

    @property
    def last_play(self) -> Play | None:
        """The play on the scoresheet's board that may still be taken back."""
        return self.events[-1] if self.entered else self.start.last_play


def certain(board: Board, last_play: Play | None = None) -> Belief:
    """Return the belief that this board lies there and nothing is in doubt. `last_play` may still be taken back."""
    return Belief(CertainBoard(board, last_play))


def anew(belief: Belief, board: Board, last_play: Play | None = None) -> Belief:
    """Restart the belief at this board. Keep what was learned of board, set and camera, and what is assumed."""
    kept = certain(board, last_play)
    return replace(kept, reference=belief.reference, knowledge=belief.knowledge, assumed=belief.assumed)


VERSION = 1
_MAX_COUNT = 10_000
"""More pictures than any game has."""
_MAX_UNPACKED = 16 * 2**20
"""Bytes that a part may have unpacked. [by eye]"""


def dump_belief(belief: Belief) -> dict[str, Any]:
    """Return a belief as JSON data."""
    reference, bare = belief.reference, belief.knowledge.bare
    alphabet = belief.start.board.alphabet
    return {
        "version": VERSION,
        **({} if alphabet.is_english else {"faces": list(alphabet.faces)}),
        "board": stacks_json(belief.start.board),
        "last": _dump_event(belief.start.last_play),
        "entered": [[_dump_event(event), at] for event, at in belief.entered],
        "looks": [_dump_look(look) for look in belief.looks],
        "gaps": [_dump_gap(gap) for gap in (*belief.gaps, belief.gap)],
        "answered": _dump_gap(belief.answered),
        "stories": [[_dump_event(event) for event in story.events] for story in belief.stories],
        "reference": None if reference is None else [stacks_json(reference.board), _dump_look(reference.look)],
        "layers": list(belief.knowledge.thickness_weights),
        "camera": _dump_camera(belief.knowledge.camera),
        "typed": _dump_event(belief.typed),
        "to_lift": _dump_event(belief.to_lift),
        "assumed": list(map(square_name, sorted(belief.assumed))),
        "bare": None if bare is None else [bare.size, _dump_bytes(bare.data)],
        "other_set": belief.knowledge.other_set,
        "pace": astuple(belief.knowledge.pace),
    }


def load_belief(data: Any) -> Belief:
    """Read the belief that `dump_belief` wrote. Raises BeliefError for another version, and for damaged data."""
    if isinstance(data, Mapping) and data.get("version") != VERSION:
        raise BeliefError(
            phrase("Upscore's memory of this game is from another version. It goes on from the scoresheet.")
        )
    try:
        belief = _load(data)
        _check(belief)
    except _DAMAGED:
        raise BeliefError(phrase("Upscore's memory of this game is damaged. It goes on from the scoresheet.")) from None
    return belief


_DAMAGED = (
    *(AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError),
    *(binascii.Error, zlib.error, UpscoreError),
)


def _check(belief: Belief) -> None:
    """Raise ValueError or an UpscoreError if the parts do not fit together."""
    size, knowledge = belief.start.board.size, belief.knowledge
    for story in (*belief.stories, Story(belief.events)):
        story.board(belief.start)
    belief.board_with_tiles_to_lift()
    for square in belief.assumed:
        belief.start.board.height(square)
    for look in belief.looks:
        look.check(belief.start.board)
    if belief.reference is not None:
        belief.reference.look.check(belief.start.board)
        if belief.reference.board.size != size:
            raise ValueError("a reference of another board")
    if knowledge.bare is not None:
        knowledge.bare.check(size)
    if not belief.stories or len(belief.gaps) != len(belief.looks):
        raise ValueError("parts are missing")
    gaps = (*belief.gaps, belief.gap, belief.answered)
    counts = [count for gap in gaps for count in (gap.unseen, gap.merged, gap.passed, gap.rested)]
    if any(not 0 <= count < _MAX_COUNT for count in (*counts, *astuple(knowledge.pace))):
        raise ValueError("a gap or a pace that cannot be")
    if any(not 0 <= at < len(belief.looks) for _, at in belief.entered):
        raise ValueError("entered by a look that is not kept")
    if (
        len(knowledge.thickness_weights) not in (0, len(THICKNESSES))
        or not np.isfinite(knowledge.thickness_weights).all()
    ):
        raise ValueError("no weights of thicknesses")


def _load(data: Mapping[str, Any]) -> Belief:
    gaps = tuple(_load_gap(*gap) for gap in data["gaps"])
    stored, bare = data["reference"], data.get("bare")
    alphabet = Alphabet(tuple(map(str, data["faces"]))) if "faces" in data else ENGLISH

    def board(stacks: Any) -> Board:
        return parse_stacks(stacks, alphabet)

    def event(text: str | None) -> Play | None:
        return None if text is None else parse_play(text, alphabet=alphabet)

    return Belief(
        start=CertainBoard(board(data["board"]), event(data["last"])),
        entered=tuple((event(each), int(at)) for each, at in data["entered"]),
        looks=tuple(map(_load_look, data["looks"])),
        gaps=gaps[:-1],
        gap=gaps[-1],
        answered=_load_gap(*data.get("answered", (False, 0, 0))),
        stories=tuple(Story(tuple(map(event, story))) for story in data["stories"]),
        reference=None if stored is None else Reference(board(stored[0]), _load_look(stored[1])),
        knowledge=Knowledge(
            tuple(float(weight) for weight in data["layers"]),
            _load_camera(data["camera"]),
            None if bare is None else BareSquares(int(bare[0]), _load_bytes(bare[1])),
            bool(data.get("other_set", False)),
            Pace(*(int(count) for count in data.get("pace", (0, 0)))),
        ),
        typed=event(data.get("typed")),
        to_lift=event(data.get("to_lift")),
        assumed=frozenset(map(parse_square, data.get("assumed", ()))),
    )


def _dump_gap(gap: Gap) -> list[float]:
    return [gap.open, gap.unseen, gap.merged, gap.passed, gap.rested]


def _load_gap(is_open: Any, count: Any, merged: Any, passed: Any = 0, rested: Any = 0.0) -> Gap:
    """Return a gap. Earlier versions didn't store passes, or stored whether the board rested, but not how long."""
    longest = UNWATCHED if rested is True else float(rested)
    return Gap(bool(is_open), int(count), int(merged), int(passed), longest)


def _dump_event(event: Event) -> str | None:
    return None if event is None else format_play(event)


def _dump_look(look: Look) -> list[Any]:
    return [look.size, _dump_bytes(look.data), _dump_bytes(look.layered)]


def _load_look(data: list[Any]) -> Look:
    """Return a look. Earlier versions didn't store heights for each thickness."""
    return Look(int(data[0]), *map(_load_bytes, data[1:]))


def _dump_bytes(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def _load_bytes(text: str) -> bytes:
    # a belief may come with a stranger's report, packed to grow to any size
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(base64.b64decode(text, validate=True), _MAX_UNPACKED)
    if not unpacking.eof:
        raise ValueError("cut off, or too large")
    return data


def _dump_camera(camera: Camera | None) -> dict[str, Any] | None:
    if camera is None:
        return None
    return {
        "focal": camera.focal, "centre": list(camera.centre), "k1": camera.k1, "aspect": camera.aspect,
        "stretch": camera.stretch, "cropped": camera.cropped,
        "rotation": camera.rotation.tolist(), "translation": camera.translation.tolist(),
    }  # fmt: skip


def _load_camera(data: Mapping[str, Any] | None) -> Camera | None:
    if data is None:
        return None
    rotation = np.asarray(data["rotation"], dtype=np.float64).reshape(3, 3)
    translation = np.asarray(data["translation"], dtype=np.float64).reshape(3)
    centre = (float(data["centre"][0]), float(data["centre"][1]))
    return Camera(
        float(data["focal"]),
        centre,
        float(data["k1"]),
        rotation,
        translation,
        float(data["aspect"]),
        float(data.get("stretch", 1.0)),
        bool(data.get("cropped", False)),
    )
