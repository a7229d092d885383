"""From a photograph to a reading: this module puts the stages of vision together.

It also asks what a reading says about its grid: whether the grid may be wrong, and whether the letters confirm a faint
one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine import ENGLISH, MAX_HEIGHT, Alphabet, Board, WordList
from vision.arrays import Floats, softmax
from vision.board.grid_doubt import (
    GridDoubt,
    are_scattered,
    doubt_of_given,
    is_in_doubt,
    is_lettered,
    letters_together,
    lies_there,
    more_letters_together,
    neighbour_corners,
    shift_lattice,
    spell_words,
    step_onto_grid,
)
from vision.board.lattice import Lattice, goes_on, is_off
from vision.board.localize import find_lattice, lattice_from_corners, not_this_board, track_lattice
from vision.board.lookalikes import are_stacked, is_flat_print, stand_up
from vision.calibration_data import NO_CALIBRATION, CalibrationCheck, CalibrationData
from vision.errors import BoardNotFound
from vision.evidence import Sources, all_sources, time_sources
from vision.geometry.camera import Camera, corners_of, sides_of_squares
from vision.geometry.camera_fit import CameraFit
from vision.geometry.rectify import ReducedView, outside
from vision.heights.elevations import Elevations, read_elevations
from vision.heights.stack_heights import (
    Heights,
    doubt_by_elevations,
    doubt_by_fit,
    doubt_by_scale,
    doubt_by_thickness,
    doubt_by_view,
    expect_heights,
    fit_heights,
    fit_heights_again,
    temper_heights,
    temper_layers,
)
from vision.heights.thickness import favour_flat
from vision.hidden.bare_squares import BareSquares, compare_squares
from vision.hidden.camera_text import find_camera_text, find_hidden_by_text
from vision.hidden.occlusion import cut_off, measure_covered_faces
from vision.images import Image
from vision.letters.classifier import is_legible
from vision.letters.faces import letters_off_grid, look_at_faces
from vision.letters.joining import LetterState, favour_lone_q, join_letters, temper_by_size
from vision.letters.orientation import MIRRORED, Orientation, find_orientation, is_hard_to_read, is_mirrored
from vision.picture_quality import Lightened, fault_of, lighten
from vision.reading import BoardReading
from vision.stopwatch import Stopwatch


def doubt_of(lattice: Lattice, reading: BoardReading, view: ReducedView) -> GridDoubt | None:
    """Return why a lattice may not be the board's own grid, given its reading; None if there is no reason."""
    heights = reading.height_probs
    if (lattice.unproven and not goes_on(lattice)) or is_off(lattice):
        return GridDoubt.FAINT  # letters that lie as before remove other doubts, but not this one
    flat = not are_stacked(heights) and not stand_up(reading.elevations)
    if (lattice.printed and flat) or is_flat_print(heights):
        return GridDoubt.PRINTED
    if lattice.unproven or is_in_doubt(lattice):
        return GridDoubt.BORDER
    if are_scattered(heights, reading.face_probs, reading.find_occluded()):
        return GridDoubt.SCATTERED
    if is_lettered(heights, reading.face_probs):
        return None
    fault = fault_of(_board_in(view)) if reading.heights().any() else None
    return GridDoubt.UNLETTERED if fault is None else GridDoubt[fault.name]


def _board_in(view: ReducedView) -> Image:
    """Return the part of the picture in which the board lies."""
    corners = corners_of(view.camera, view.size)
    left, top = np.maximum(corners.min(axis=0), 0.0).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    return view.image[top:bottom, left:right]


def confirms_faint_grid(reading: BoardReading, board: Board | None, words: WordList | None) -> bool:
    """Return whether the letters prove a faint grid: they show the known `board`, or spell words of the list."""
    letters = reading.letters()
    if board is not None and lies_there(letters, board):
        return True
    return words is not None and spell_words(letters, reading.find_occluded(), words)


def letters_on(reading: BoardReading) -> int:
    """Return how many connected letters there are on the grid of a reading."""
    legible = is_legible(reading.face_probs, reading.alphabet)
    return letters_together(reading.heights() > 0, reading.find_occluded(), legible)


@dataclass(frozen=True)
class Hints:
    """The caller's knowledge of a board before the picture is read.

    Attributes:
        board: its tiles after the turn before, which show which way up the letters are.
        assumed: some heights on the board are only assumed, so that it doesn't prove how thick the tiles are.
        thickness: (m,) log weights of `vision.heights.thickness.THICKNESSES`, from earlier pictures of this set.
        bare: how the board's bare squares looked; None if the reading need not compare them.
        camera: that of an earlier photograph whose letters stood upright, for a camera that has not moved.
        other_set: these are other tiles than the calibrated ones.
        alphabet: the faces of the set, those of `board` if it is known.
    """

    board: Board | None = None
    assumed: bool = False
    thickness: Floats | None = None
    camera: Camera | None = None
    bare: BareSquares | None = None
    other_set: bool = False
    alphabet: Alphabet = ENGLISH

    def __post_init__(self) -> None:
        if self.board is not None:
            object.__setattr__(self, "alphabet", self.board.alphabet)


@dataclass(frozen=True)
class _Task:
    """One picture to read, with everything that stays the same on every grid tried."""

    photograph: Lightened
    size: int
    hints: Hints
    check: CalibrationCheck
    sources: Sources
    watch: Stopwatch
    text_lines: Floats
    corners: npt.ArrayLike | None


@dataclass(frozen=True)
class _Attempt:
    """One reading on one lattice, with what the grid-shift check needs."""

    reading: BoardReading
    view: ReducedView
    elevations: Elevations
    heights: Heights


class BoardReader:
    """Reads photographs of boards. Threads may share one.

    Between pictures it remembers only which warnings were given. `calibration` describes the camera and the tiles.
    `without` names sources of evidence (`vision.evidence`) to leave out.
    """

    def __init__(
        self,
        *,
        words: WordList | None = None,
        without: Collection[str] = (),
        calibration: CalibrationData = NO_CALIBRATION,
    ) -> None:
        self._words = words
        self._sources = all_sources(without)
        self._check = CalibrationCheck(calibration)

    def read(
        self,
        image: Image,
        size: int,
        *,
        corners: npt.ArrayLike | None = None,
        hints: Hints | None = None,
        other_game: bool = False,
    ) -> BoardReading:
        """Read an n x n board in the picture (h, w, 3) BGR.

        `corners` (4, 2) px, TL TR BR BL with the letters upright, replace the search, the vote on orientation and the
        grid-shift check. Set `other_game` for games that have a Q tile instead of Qu and hardly any stacks.

        Raises BoardNotFound if no board of that size is found or the picture is mirrored. Raises LensError if the
        picture cannot come from the calibrated camera.
        """
        watch, hints, check = Stopwatch(), hints or Hints(), self.calibration_of(image, size)
        photograph = lighten(image)
        lattice = self.find(photograph.image, size, corners=corners, near=hints.camera, watch=watch)
        sources = time_sources(self._sources, watch)
        task = _Task(photograph, size, hints, check, sources, watch, find_camera_text(image), corners)
        attempt = self._read_on(task, lattice, given=corners is not None)
        if lattice.unproven:
            off = letters_off_grid(attempt.view, attempt.elevations, hints.alphabet)
            if off or not confirms_faint_grid(attempt.reading, hints.board, self._words):
                raise not_this_board(photograph.image, size)
        reading = attempt.reading if corners is not None else self._check_shift(task, lattice, attempt)
        if is_hard_to_read(reading.face_probs, (reading.heights() > 0) & ~reading.find_occluded()):
            with watch.timing("mirror"):
                if is_mirrored(attempt.view, attempt.elevations, attempt.heights, hints.alphabet):
                    raise BoardNotFound(MIRRORED)
        if other_game:
            faces, heights = favour_lone_q(reading.face_probs), favour_flat(reading.height_probs)
            reading = replace(reading, lone_q=True, face_probs=faces, height_probs=heights)
        return replace(reading, seconds=watch.read(), timings=dict(watch.seconds))

    def calibration_of(self, image: Image, size: int) -> CalibrationCheck:
        """Return the calibration for a picture (h, w, 3) of an n x n board. Raises LensError for another camera."""
        self._check.check_shape(image)
        return self._check

    def _read_on(self, task: _Task, lattice: Lattice, *, given: bool) -> _Attempt:
        """Pass through the stages once, starting at a lattice; a `given` lattice is upright.

        If board or tiles are known, heights are fitted a second time. That needs the orientation, which is found in
        between.
        """
        hints, watch, sources, check = task.hints, task.watch, task.sources, task.check
        image, gain = task.photograph
        lattice = replace(lattice, fit=check.with_lens(lattice.fit, image, task.size, task.corners))
        view = ReducedView.of(image, lattice.fit.camera, task.size, gain).lighten()
        with watch.timing("elevations"):
            seen = read_elevations(view, sources)
        calibrated = check.calibration.without_tiles() if hints.other_set else check.calibration
        with watch.timing("heights"):
            heights = fit_heights(seen, calibrated.with_thickness(hints.thickness))
        with watch.timing("orientation"):
            upright = Orientation() if given else self._orientation(view, seen, heights, hints)
        view, seen, heights = view.turn(upright.turns), seen.turn(upright.turns), heights.turn(upright.turns)
        other_set = hints.other_set or check.is_other_set(view, seen, heights, hints.alphabet)
        tiles = calibrated.without_tiles() if other_set else calibrated
        expected, learned = expect_heights(hints.board), tiles.with_thickness(hints.thickness)
        if expected is not None or other_set is not hints.other_set:
            with watch.timing("heights"):
                seen, heights = fit_heights_again(seen, view, sources["slices"], learned, expected)
        with watch.timing("letters"):
            named = (hints.alphabet, expected, tiles.faces_of(hints.alphabet))
            faces = look_at_faces(view, heights, sources["windows"], *named)
            state = join_letters(view, LetterState(seen, heights, faces), sources["heights"], sources["faces"])
        ignored = watch.wrap("heights", doubt_of_heights)(view, lattice.fit, state.seen, state.heights, hints, learned)
        reading = _under_text(_reading(view, state, upright, ignored), task.text_lines)
        if hints.bare is not None:
            with watch.timing("bare squares"):
                colours, odd = compare_squares(view, hints.bare, reading.height_probs[..., 0], reading.ground_in_view)
                reading = replace(reading, colours=colours, altered=odd)
        doubt = doubt_of_given(lattice) if given else doubt_of(lattice, reading, view)
        return _Attempt(replace(reading, grid_doubt=doubt, other_set=other_set), view, seen, heights)

    def _orientation(self, view: ReducedView, seen: Elevations, heights: Heights, hints: Hints) -> Orientation:
        """Find which way the letters stand, with the words of the list."""
        return find_orientation(view, seen, heights, hints.alphabet, self._words, hints.board, hints.camera)

    def _check_shift(self, task: _Task, lattice: Lattice, attempt: _Attempt) -> BoardReading:
        """Return the reading, or that of the neighbour grid if letters lie off the grid.

        It takes the neighbour if the picture allows it and more letters are connected there.
        """
        reading = attempt.reading
        with task.watch.timing("grid shift"):
            step = step_onto_grid(letters_off_grid(attempt.view, attempt.elevations, task.hints.alphabet), task.size)
            other = step and shift_lattice(task.photograph.image, reading.camera, step, lattice, task.size)
        if not other:
            return reading
        there = self._read_on(task, other, given=True).reading
        if not more_letters_together(letters_on(there), letters_on(reading)):
            return reading
        # letters printed on a rim may hang together with the game's
        printed = reading.grid_doubt is GridDoubt.PRINTED
        doubt = GridDoubt.PRINTED if printed else GridDoubt.BORDER
        return replace(there, upright=reading.upright, grid_doubt=doubt)

    def neighbour_readings(self, image: Image, reading: BoardReading, hints: Hints) -> list[BoardReading]:
        """Return readings of the picture (h, w, 3) on grids a whole square aside, where it allows them."""
        readings = []
        for corners in neighbour_corners(lighten(image).image, reading.camera, reading.size):
            try:
                other = self.read(image, reading.size, corners=corners, hints=hints, other_game=reading.lone_q)
            except BoardNotFound:
                continue
            readings.append(replace(other, upright=reading.upright, grid_doubt=reading.grid_doubt))
        return readings

    def find(
        self,
        image: Image,
        size: int,
        *,
        corners: npt.ArrayLike | None = None,
        near: Camera | None = None,
        watch: Stopwatch | None = None,
    ) -> Lattice:
        """Find the lattice of the board in the picture (h, w, 3). Raises BoardNotFound.

        `near` is an earlier camera of the same board. If it still fits, no search is needed.
        """
        watch = watch or Stopwatch()
        with watch.timing("lattice"):
            if corners is not None:
                return lattice_from_corners(image, corners, size)
            still = None if near is None else track_lattice(image, near, size)
            return still or find_lattice(image, size, watch)


def _under_text(reading: BoardReading, text_lines: Floats) -> BoardReading:
    """Return the reading with the squares hidden that `text_lines` (m, 4) of the camera cross."""
    elevations = reading.face_elevations(np.arange(MAX_HEIGHT + 1))
    text = find_hidden_by_text(text_lines, reading.camera, reading.height_probs, elevations)
    if text is None:
        return reading
    return replace(reading, hidden=np.where(text.squares, 1.0, reading.hidden), camera_text=text)


def doubt_of_heights(
    view: ReducedView, fit: CameraFit, seen: Elevations, heights: Heights, hints: Hints, thickness: Floats | None
) -> float:
    """Return the share of the evidence about `heights` to ignore, given what was `seen` of the faces.

    A known board before proves how thick the tiles are. `thickness` (m,) are log weights, as in `fit_heights`.
    """
    doubts = [doubt_by_view(view), doubt_by_fit(fit)]
    if hints.board is None or hints.assumed:
        doubts.append(doubt_by_thickness(seen, thickness))
        if thickness is None:
            tops = heights.logits.argmax(axis=-1)
            doubts += [doubt_by_scale(tops), doubt_by_elevations(seen, heights, tops)]
    return max(doubts)


def _reading(view: ReducedView, state: LetterState, upright: Orientation, doubt: float) -> BoardReading:
    """Join the results of the stages, ignoring a share `doubt` of the evidence about heights."""
    seen, heights, chance = state.seen, state.heights, softmax(state.heights.logits)
    tops = chance.argmax(axis=-1)
    camera = view.photograph_camera()
    levels = (heights.face_elevations(np.full(tops.shape, height)) for height in range(MAX_HEIGHT + 1))
    beyond = np.stack([outside(view.image, view.camera, view.size, level) for level in levels], axis=-1)
    beyond_tops = np.take_along_axis(beyond, tops[..., None], axis=-1)[..., 0]
    return BoardReading(
        size=view.size,
        corners=corners_of(camera, view.size),
        camera=camera,
        layer_thickness=heights.layer_thickness,
        base_offset=heights.base_offset,
        elevations=seen.log_probs,
        height_probs=temper_heights(chance, doubt),
        layered=heights.layered and temper_layers(heights.layered, doubt),
        face_probs=temper_by_size(state.faces.face_probs, sides_of_squares(view.camera, view.size)),
        hidden=np.maximum(seen.hidden, beyond_tops),
        covered=measure_covered_faces(camera, heights.median_tops(chance)),
        upright=upright.probability,
        lone_q=False,
        alphabet=state.faces.alphabet,
        seconds=0.0,
        cut_off=cut_off(view.image, view.camera, np.maximum(beyond[..., 0], beyond_tops)),
        outside=beyond if beyond.any() else None,
    )
