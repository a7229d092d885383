"""`upscore calibrate`: the camera's lens and the owner's own tiles, kept in a profile."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image as PillowImage

from calibration import CalibrationError, Profile, load_profile, save_profile
from calibration.intrinsics import DPI, LensReport, TargetView, calibrate_lens, draw_target, find_target
from calibration.layout import Layout, read_layout
from calibration.lessons import (
    MIN_LEARNED_FACES,
    Lessons,
    learn_templates,
    most_probable_thickness,
    thickness_from_stack,
)
from calibration.profile import Tiles
from engine import Board, Edition, square_name
from upscore.commands.console import DONE, PARTLY, OutputError, UsageError, say, tell
from upscore.commands.inputs import choose_edition
from upscore.commands.read import Corners, corners_at, parse_corners
from upscore.commands.replay.command import Looking, in_this_order, photographs, sort_as_taken
from upscore.words.loader import DEFAULT_LEXICON, load_lexicon
from vision import BoardNotFound, BoardReader, GameSettings, ImageError, Video, certain, load_image
from vision.atomic_file import write_atomically
from vision.decoding.kinds import SUFFIXES
from vision.letters.templates import SetFaces

_EVERY = 0.3
"""Seconds between the frames of a video that are looked at. [by eye]"""
_MOST_VIEWS = 50
"""Views of a video that are used. [by eye]"""


def target(args: argparse.Namespace) -> int:
    """Write the target that cameras are calibrated with."""
    path: Path = args.output
    if path.suffix.lower() != ".png":
        raise UsageError(f"{path}: the target is written as PNG: give a name that ends in .png.")
    picture = PillowImage.fromarray(np.ascontiguousarray(draw_target()[..., ::-1]))
    png = BytesIO()
    picture.save(png, format="PNG", dpi=(DPI, DPI))
    try:
        write_atomically(path, png.getvalue())
    except OSError as error:
        raise OutputError(f"{path} cannot be written ({error.strerror}): give another name.") from None
    tell(f"{path}: print it on A4 or Letter, or show it on a flat screen; any size will do.")
    tell("Then take some 15 pictures of it, from all sides, and give them to 'upscore calibrate camera'.")
    return DONE


def camera(args: argparse.Namespace) -> int:
    """Calibrate the lens; PARTLY when some picture could not be used."""
    profile = _profile_so_far(args.profile)
    views, unused = _views(args.sources)
    kept = _of_one_shape(views)
    report = calibrate_lens(kept)
    report.check()
    save_profile(Profile(report.lens, profile.tiles), args.profile)
    _tell_lens(report, args.profile)
    return PARTLY if unused or len(kept) < len(views) else DONE


def tiles(args: argparse.Namespace) -> int:
    """Learn the owner's set; PARTLY when a square of a layout stayed in doubt."""
    edition, corners = choose_edition(args), parse_corners(args.corners)
    if bool(args.photos) + (args.from_game is not None) + (args.stack is not None) == 0:
        raise UsageError("Give a photograph of all tiles, --from-game FOLDER or --stack HEIGHT,SIDE.")
    if args.photos and args.from_game is not None:
        raise UsageError("Give photographs of all tiles or --from-game FOLDER, not both.")
    if corners is not None and not args.photos and args.from_game is None:
        raise UsageError("--corners says where the grid is in photographs: --stack alone has none, leave it out.")
    profile = _profile_so_far(args.profile)
    before = profile.tiles if profile.tiles is not None and profile.tiles.edition == edition else None
    faces, thickness = (None, None) if before is None else (before.faces, before.thickness)
    status = DONE
    if args.photos:
        faces, status = _from_layouts(args.photos, edition, corners)
    elif args.from_game is not None:
        lessons = _from_game(args.from_game, edition, corners, Lessons(faces=faces))
        faces, thickness = lessons.faces, lessons.thickness(thickness)
    if args.stack is not None:
        thickness = thickness_from_stack(*_stack(args.stack), edition.size)
    save_profile(Profile(profile.lens, Tiles(edition, faces, thickness)), args.profile)
    learnt = "no letters yet" if faces is None else f"letters {faces.letters}"
    thick = (
        "thickness not known"
        if thickness is None
        else f"layers of {most_probable_thickness(thickness):.2f} of a square"
    )
    tell(f"{args.profile}: the tiles of edition {edition.name}, {learnt}, {thick}")
    return status


def _profile_so_far(path: Path) -> Profile:
    """Return the profile so far, since camera and tiles are calibrated one at a time."""
    return load_profile(path) if path.exists() else Profile()


def _views(sources: Sequence[Path]) -> tuple[list[TargetView], int]:
    """Return the views of the target, as many of a film as are useful, and the number of pictures without one."""
    views: list[TargetView] = []
    unused = 0
    for source in sources:
        if source.is_file() and source.suffix.lower() not in SUFFIXES:
            views += _views_of_video(source)
            continue
        for path in photographs(source) if source.is_dir() else [source]:
            view = _view_of(path)
            if view is None:
                unused += 1
            else:
                views.append(view)
    return views, unused


def _view_of(path: Path) -> TargetView | None:
    try:
        view = find_target(load_image(path)[0], path.name)
    except ImageError as error:
        say(str(error))
        return None
    if view is None:
        say(f"{path.name}: the target can't be made out; not used.")
    return view


def _views_of_video(path: Path) -> list[TargetView]:
    """Views from all over a video, at most _MOST_VIEWS of them."""
    views: list[TargetView] = []
    due = 0.0
    for time, frame in Video(path).frames():
        if time >= due:
            due = time + _EVERY
            view = find_target(frame, f"{path.name} at {time:.2f} s")
            views += [] if view is None else [view]
    return views[:: 1 + len(views) // _MOST_VIEWS]


def _of_one_shape(views: Sequence[TargetView]) -> list[TargetView]:
    """Return the views of the size that most pictures have."""
    sizes = [view.size_wh for view in views]
    usual = max(sizes, key=sizes.count, default=(0, 0))
    for view in views:
        if view.size_wh != usual:
            say(
                f"{view.name}: {view.size_wh[0]}x{view.size_wh[1]} where most are {usual[0]}x{usual[1]}; not used. "
                "Hold the camera the same way for all."
            )
    return [view for view in views if view.size_wh == usual]


def _tell_lens(report: LensReport, path: Path) -> None:
    lens = report.lens
    for name in report.dropped:
        say(f"{name}: does not agree with the others; not used.")
    tell(
        f"{len(report.used)} pictures of {lens.size_wh[0]}x{lens.size_wh[1]}, corners {report.rms:.2f} px off (RMS), "
        f"{report.coverage:.0%} of the frame covered, up to {report.tilt:.0f} degrees apart"
    )
    tell(
        f"focal length {lens.focal:.1f} px (± {report.focal_spread:.1%}), centre {lens.centre[0]:.1f}, "
        f"{lens.centre[1]:.1f}, k1 {lens.k1:+.4f}, stretch {lens.stretch:.3f}"
    )
    tell(f"{path}: written")


def _from_layouts(photos: Sequence[Path], edition: Edition, corners: Corners | None) -> tuple[SetFaces, int]:
    reader, faces, status = BoardReader(words=None), None, DONE
    for path in photos:
        image, scale = load_image(path)
        try:
            layout = read_layout(reader, image, edition, corners_at(corners, scale))
        except BoardNotFound as error:
            raise CalibrationError(f"{path.name}: {error} Or say where the grid is with --corners.") from None
        _tell_layout(path.name, layout)
        faces = learn_templates(faces, *layout.examples(), edition.alphabet)
        status = PARTLY if layout.doubtful.any() else status
    assert faces is not None
    return faces, status


def _tell_layout(name: str, layout: Layout) -> None:
    def name_squares(which: np.typing.NDArray[np.bool_]) -> str:
        return ", ".join(
            f"{square_name(square)} {face}"
            for square, face, named in zip(layout.squares, layout.letters, which, strict=True)
            if named
        )

    tell(f"{name}: {len(layout.squares)} tiles")
    settled = layout.corrected & ~layout.doubtful
    if settled.any():
        tell(f"  settled by the number of tiles of each letter: {name_squares(settled)}")
    if layout.doubtful.any():
        say(f"{name}: in doubt, and not learned from: {name_squares(layout.doubtful)}")


def _from_game(folder: Path, edition: Edition, corners: Corners | None, lessons: Lessons) -> Lessons:
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}: give the one with a game's photographs.")
    lexicon = load_lexicon(edition.lexicon or DEFAULT_LEXICON, edition.alphabet)
    looking = Looking(BoardReader(words=lexicon), GameSettings(edition, lexicon), corners)
    shots, why = sort_as_taken(photographs(folder))
    if why is not None:
        say(in_this_order(shots))
    pictures = [shot for shot in shots if shot.copy_of is None]
    belief = certain(Board.empty(edition.size, edition.alphabet))
    for number, shot in enumerate(pictures):
        say(f"looking at {shot.path.name} ({number + 1} of {len(pictures)})")
        after, finding, image = looking.look(belief, shot, first=not number)
        if image is None:
            say(str(finding.reason))
            continue
        belief = after
        if number:
            lessons = lessons.after(image, finding, belief.board)
    if lessons.examples < MIN_LEARNED_FACES:
        raise CalibrationError(
            f"Only {lessons.examples} faces of {folder} could be learned from, {MIN_LEARNED_FACES} are needed: give a "
            "longer game, its first photograph the empty board, or a photograph of all tiles."
        )
    tell(f"{folder}: learned from {lessons.examples} faces of {lessons.turns} photographs")
    return lessons


def _stack(text: str) -> tuple[float, float]:
    try:
        height, side = (float(part) for part in text.split(","))
    except ValueError:
        height = side = 0.0
    if not (0 < height < 1e4 and 0 < side < 1e4):
        raise UsageError(
            "--stack takes two lengths, HEIGHT,SIDE: how high five tiles stand on top of each other, and how long a "
            "side of the playing grid is, both in millimetres."
        )
    return height, side
