"""`upscore replay`: a game from photographs of its turns, or from a video.

Nobody answers questions: each turn is entered as it looks, and a later picture may correct it. First come the looks at
photographs, then the order of a folder's photographs and which of them are turns, then videos, and last the command.
"""

from __future__ import annotations

import argparse
import filecmp
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import Board, Edition, Game, Play
from engine.editions import MAX_PLAYERS
from engine.errors import quote
from upscore.commands.console import DONE, PARTLY, UsageError, say
from upscore.commands.inputs import choose_edition, choose_lexicon, house_rules, read_position
from upscore.commands.read import Corners, calibration_in, corners_at, overlays_in, parse_corners
from upscore.commands.replay.report import ReplaySheet
from vision import Belief, BoardReader, Finding, GameSettings, ImageError, Kind, Outcome, Tracker, Video, certain
from vision.decoding.kinds import SUFFIXES
from vision.geometry.camera import corner_gaps, side_lengths
from vision.geometry.lens import LensError
from vision.images import Image, load_image, read_time_taken
from vision.letters.orientation import MIRRORED
from vision.turn.observe import not_read, observe
from vision.turn.prior import MOST_PLAYS, shows_round
from vision.turn.reasons import Reason, is_about
from vision.turn.steps import assume, decide, with_room
from vision.turn.story import Story
from vision.video.watch_state import HANDS_OFF, TrackedFinding


def first_look(
    reader: BoardReader, start: Board, image: Image, settings: GameSettings, corners: Corners | None = None
) -> tuple[Belief, Finding]:
    """Return the belief at the start and the finding of its picture, which shows what is printed on the board.

    If the picture plainly shows a play, it isn't of the start, and nothing is learned from it.
    """
    before = certain(start)
    after, finding = observe(reader, before, image, settings, corners)
    if finding.kind == "play" and not finding.needs_review:
        return before, finding
    return decide(after, start, shown=True), finding


def next_look(
    reader: BoardReader, belief: Belief, image: Image, settings: GameSettings, corners: Corners | None = None
) -> tuple[Belief, Finding]:
    """Return the belief after the next picture, and its finding."""
    after, finding = observe(reader, belief, image, settings, corners)
    return take_for_now(after, finding), finding


def take_for_now(belief: Belief, finding: Finding) -> Belief:
    """Return the belief with the likeliest outcome of an open question entered. Its alternatives stay in mind."""
    if finding.needs_review and finding.kind in ("play", "removed"):
        return assume(belief, finding.outcomes[0])
    return belief


def nothing_for_now(belief: Belief, finding: Finding) -> tuple[Belief, Finding]:
    """Return the belief and the finding with nothing entered, if it isn't certain that anything was played."""
    events, likely = belief.events, 1.0 - sum(outcome.share for outcome in finding.outcomes)
    as_it_is = Outcome(Story(events), len(events), 0, likely)
    return assume(belief, as_it_is), replace(finding, kind="none", confidence=likely, play=None)


MOMENT_S = 20.0
"""Seconds between two photographs in which nobody thinks of a turn and makes it, not even a pass. [by eye]"""
STILL_SQUARES = 0.1
"""Squares by which a corner of the board may differ between two photographs from the same place. Corners are read to a
few hundredths of a square. Two photographs taken by hand a turn apart differ by more than a square. [by eye]"""
MOVED_TURNS = 2
"""Turns between whose photographs the camera must have moved before a camera that stood still tells anything.
[by eye]"""

_MOST_NAMES = 8
"""Most photographs that a sentence names. The report's lines name each in its order. [by eye]"""

_BY_TIME = "The times of the photographs are in another order than their names. --by-name uses the names."
_NOT_ALL_TIMED = (
    "The times of some photographs are in another order than their names, but {} has no time, so the names are used. "
    "If that is wrong, number the photographs 1, 2, 3 as they were taken."
)
_BEGUN_AGAIN = (
    "The numbers in the names begin again from 0. The highest numbers come first; with --by-name, the lowest."
)

_TIME_IN_NAME = re.compile(
    r"(?<!\d)(20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)"  # 20261122, 2026-11-22
    r"(?:[\s_T.,-]{0,3}|\s\D{1,12}\s)"  # "_", " at ", nothing
    r"(?:(\d\d)(\d\d)(\d\d)|(\d{1,2})[-_.:](\d\d)[-_.:](\d\d))(?:\d{3})?(?!\d)"  # 124105, 12.41.05, with thousandths
    r"(?:[\s_.]*([ap])[.\s]*m\b)?",  # PM, p. m.
    re.IGNORECASE,
)
_COUNTER = re.compile(r"(\D*)(\d{4,})(?!\d)")


@dataclass(frozen=True)
class Photograph:
    """A photograph in a folder, with the times of its EXIF block and of its name; `copy_of` is the very same file."""

    path: Path
    exif_time: datetime | None = None
    name_time: datetime | None = None
    copy_of: Path | None = None

    @property
    def taken(self) -> datetime | None:
        """The time that the file or its name tells."""
        return self.exif_time or self.name_time

    def seconds_after(self, other: Photograph) -> float | None:
        """Return the seconds since another photograph; None if the two have no time of the same kind."""
        for mine, its in ((self.exif_time, other.exif_time), (self.name_time, other.name_time)):
            if mine is not None and its is not None:
                return abs((mine - its).total_seconds())
        return None


def photographs(folder: Path) -> list[Path]:
    """Return the photographs in a folder in the order of their names; raises UsageError if there are none.

    2 comes before 10, and `name` before `name (1)` and `name 2`.
    """
    try:
        pictures = [
            path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and not path.name.startswith(".")
        ]
    except OSError as error:
        raise UsageError(f"{folder} cannot be opened ({error.strerror}): check its permissions.") from None
    if not pictures:
        raise UsageError(f"{folder} holds no photographs: give the folder with the game's JPEG or PNG files.")
    return sorted(pictures, key=_name_key)


def sort_as_taken(paths: Sequence[Path], *, by_name: bool = False) -> tuple[list[Photograph], str | None]:
    """Return photographs, sorted by name, in the order in which they were taken, each followed by its copies.

    The sentence explains an order that differs from that of the names, or is in doubt. With `by_name`, names decide,
    whatever the times say.
    """
    copies = _copies(paths)
    named = [Photograph(path, read_time_taken(path), time_in_name(path.stem)) for path in paths if path not in copies]
    ordered, why = (named, None) if by_name else _by_time_or_counter(named)
    with_copies = [
        each
        for shot in ordered
        for each in (
            shot,
            *(replace(shot, path=path, copy_of=shot.path) for path in paths if copies.get(path) == shot.path),
        )
    ]
    return with_copies, why


def in_this_order(shots: Sequence[Photograph]) -> str:
    """Return the names of the photographs, without copies, as a sentence; of many only the first and the last ones."""
    names = [shot.path.name for shot in shots if shot.copy_of is None]
    if len(names) <= _MOST_NAMES:
        return f"In this order: {', '.join(names)}."
    first, last = ", ".join(names[:3]), ", ".join(names[-2:])
    return f"In this order: {first} \N{HORIZONTAL ELLIPSIS} {last} ({len(names)} photographs)."


def time_in_name(name: str) -> datetime | None:
    """Return the time in a name such as "IMG_20261122_124105" or "WhatsApp Image 2026-11-22 at 12.41.05 PM"."""
    match = _TIME_IN_NAME.search(name)
    if match is None:
        return None
    *numbers, half = match.groups()
    year, month, day, hour, minute, second = (int(number) for number in numbers if number is not None)
    if half is not None and hour <= 12:
        hour = hour % 12 + 12 * (half in "pP")
    try:
        return datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None


def _by_time_or_counter(named: list[Photograph]) -> tuple[list[Photograph], str | None]:
    """Return photographs, sorted by name, as times or counters order them, and a sentence as `sort_as_taken` does."""
    timed = [shot for shot in named if shot.taken is not None]
    ordered = _by_time(timed)
    if len(ordered) == len(named):
        return ordered, _BY_TIME if ordered != named else None
    wrapped = _after_wrap(named)
    if [shot for shot in wrapped if shot in timed] != ordered:
        untimed = next(shot.path.name for shot in named if shot not in timed)
        return wrapped, _NOT_ALL_TIMED.format(untimed)
    return wrapped, _BEGUN_AGAIN if wrapped != named else None


def _by_time(timed: list[Photograph]) -> list[Photograph]:
    """Return photographs by one kind of time if all have it, EXIF first; equal times stay in the order of names."""
    kind = next((each for each in ("exif_time", "name_time") if all(getattr(shot, each) for shot in timed)), "taken")
    return sorted(timed, key=attrgetter(kind))


def _after_wrap(named: list[Photograph]) -> list[Photograph]:
    """Return photographs with the highest numbers first if a counter of a fixed width began again among them.

    That is so if all names begin alike, and the numbers lie in the first and the last tenth of the counter's range.
    """
    matches = [_COUNTER.match(shot.path.stem.casefold()) for shot in named]
    counters = [match.groups() for match in matches if match is not None]
    if len(counters) < len(named) or len({(start, len(digits)) for start, digits in counters}) != 1:
        return named
    share = [int(digits) / 10 ** len(digits) for _, digits in counters]
    if not all(part < 0.1 or part >= 0.9 for part in share):
        return named
    late = [shot for shot, part in zip(named, share, strict=True) if part < 0.1]
    return [shot for shot in named if shot not in late] + late


def _copies(paths: Sequence[Path]) -> dict[Path, Path]:
    """Return the photographs that are the same file as another, with that one: it has the shortest name."""
    originals: list[Path] = []
    copies: dict[Path, Path] = {}
    for path in sorted(paths, key=lambda path: len(path.stem)):
        original = next((other for other in originals if _is_same_file(path, other)), None)
        if original is None:
            originals.append(path)
        else:
            copies[path] = original
    return copies


def _is_same_file(path: Path, other: Path) -> bool:
    """Return whether two files hold the same bytes; empty files say nothing."""
    try:
        return path.stat().st_size > 0 and filecmp.cmp(path, other, shallow=False)
    except OSError:
        return False


def _name_key(path: Path) -> tuple[list[tuple[str, int]], str]:
    """Return a key that sorts names with numbers in them by the numbers, whatever the case of their letters."""
    parts = re.findall(r"(\D*)(\d*)", path.stem.casefold())
    return [(text, int(digits) if digits else -1) for text, digits in parts], path.name


def replay_folder(shots: Sequence[Photograph], looking: Looking, start: Board, sheet: ReplaySheet) -> int:
    """Replay photographs, the first of which shows the start; PARTLY when one could not be read."""
    status, belief, habits, tiles_before = DONE, certain(start), Habits(), False
    for number, shot in enumerate(shots):
        say(f"looking at {shot.path.name} ({number + 1} of {len(shots)})")
        began, before = time.perf_counter(), with_room(belief)
        belief, finding, picture = looking.look(belief, shot, first=not number)
        place = place_of(finding, picture)
        if finding.reading is None and shot.copy_of is None:
            status = PARTLY
            say(f"{shot.path.name}: {finding.reason}")
        doubt = _order_doubt(shots, number, finding, tiles_before)
        if doubt is not None:
            say(doubt)
        tiles_before = tiles_before or doubt is not None or not belief.sheet_board.is_empty
        if number == 0:
            habits = habits.after(shot, place, None)
            continue
        again = habits.find_shown_again(shot, place)
        seconds = round(time.perf_counter() - began, 4)
        entry = sheet.enter(
            *(finding, before.start, picture, shot.path.stem, {"image": shot.path.name}), again=again, seconds=seconds
        )
        if is_about(entry.finding.reason, Reason.PASS_OR_AGAIN):
            passed = entry.record.player if looking.settings.plays_between == 1 else "everybody"
            say(_advice(shot, passed))
        if shot.copy_of is None:
            habits = habits.after(shot, place, entry.finding.kind)
    sheet.conclude()
    return status


def _advice(shot: Photograph, passed: str) -> str:
    return (
        f"{shot.path.name} shows no new tiles: it counts as a pass of {passed}. If it is a second photograph "
        "of the board before, take it out of the folder and replay the game again."
    )


@dataclass(frozen=True)
class Looking:
    """The way in which photographs are looked at."""

    reader: BoardReader
    settings: GameSettings
    corners: Corners | None

    def look(self, belief: Belief, shot: Photograph, *, first: bool) -> tuple[Belief, Finding, Image | None]:
        """Return the belief after a photograph, and what it shows.

        A photograph that can't be read counts as an unclear turn. A copy shows nothing new and isn't opened.
        """
        if shot.copy_of is not None:
            return belief, Finding.unchanged(belief.sheet_board, 1.0), None
        try:
            picture, scale = load_image(shot.path)
            corners = corners_at(self.corners, scale)
            if first:
                return (*first_look(self.reader, belief.board, picture, self.settings, corners), picture)
            return (*next_look(self.reader, belief, picture, self.settings, corners), picture)
        except (ImageError, LensError) as error:
            return (*not_read(belief, str(error)), None)


@dataclass(frozen=True)
class Place:
    """Where a camera stood: the corners of the board (4, 2) and the side of a square, as shares of the width."""

    corners: npt.NDArray[np.float64]
    square: float

    def is_at(self, other: Place) -> bool:
        """Return whether the camera stood at the other place, by the corners of the board."""
        apart = corner_gaps(self.corners, other.corners).max(axis=1).min()
        return bool(apart < STILL_SQUARES * min(self.square, other.square))


def place_of(finding: Finding, picture: Image | None) -> Place | None:
    """Return where the camera stood, None if no board was found."""
    if finding.reading is None or picture is None:
        return None
    corners = finding.reading.corners / picture.shape[1]
    return Place(corners, float(np.min(side_lengths(corners))) / finding.reading.size)


@dataclass(frozen=True)
class Habits:
    """Habits of a table in taking photographs, which tell a second photograph of a turn from one of a pass.

    `shot` is the photograph before, `place` where it was taken, `kind` what was found in it (None for the start).
    `slow` counts turns that took longer than a moment by the times of their photographs, `quick` those that didn't.
    With quick turns these aren't the times of taking, as with messengers. `moved` and `stayed` count turns after which
    the camera moved or stayed.
    """

    shot: Photograph | None = None
    place: Place | None = None
    kind: Kind | None = None
    slow: int = 0
    quick: int = 0
    moved: int = 0
    stayed: int = 0

    def find_shown_again(self, shot: Photograph, place: Place | None) -> str | None:
        """Return the name of the photograph that shows the same turn as this one, or None.

        It is the same file, or was taken a moment before, or from exactly the same place by a hand-held camera.
        """
        if shot.copy_of is not None:
            return shot.copy_of.name
        if self.shot is None:
            return None
        seconds = shot.seconds_after(self.shot) if self.slow and not self.quick else None
        if seconds is None:
            hand_held = self.moved >= MOVED_TURNS and not self.stayed
            same_turn = hand_held and place is not None and self.place is not None and place.is_at(self.place)
        else:
            same_turn = seconds <= MOMENT_S
        return self.shot.path.name if same_turn else None

    def after(self, shot: Photograph, place: Place | None, kind: Kind | None) -> Habits:
        """Return the habits after one more photograph, in which a `kind` of turn was found."""
        now = replace(self, shot=shot, place=place, kind=kind)
        if self.shot is None or kind != "play":
            return now
        if (seconds := shot.seconds_after(self.shot)) is not None:
            slow = seconds > MOMENT_S
            now = replace(now, slow=self.slow + slow, quick=self.quick + (not slow and self.kind == "play"))
        if place is not None and self.place is not None:
            still = place.is_at(self.place)
            now = replace(now, moved=self.moved + (not still), stayed=self.stayed + still)
        return now


def _order_doubt(shots: Sequence[Photograph], number: int, finding: Finding, tiles_before: bool) -> str | None:
    """Return a warning if photograph `number` does not come where it should; the first one shows the start."""
    name = shots[number].path.name
    if number == 0 and finding.kind not in ("none", "unclear"):
        return (
            f"warning: {name} does not seem to show the start: use --start for a game that is under way, or check the "
            "order of the photographs."
        )
    if tiles_before and _shows_no_tiles(finding):
        return (
            f"warning: {name} shows an empty board after photographs with tiles: the order looks wrong, or a new game "
            "begins. Number the photographs 1, 2, 3 as they were taken and use --by-name, or give each game its own "
            "folder."
        )
    return None


def _shows_no_tiles(finding: Finding) -> bool:
    """Return whether a board was found for sure and is empty."""
    reading = finding.reading
    return reading is not None and reading.said_doubt is None and not reading.heights().any()


_PROGRESS_S = 20.0
"""Seconds of film between two lines of progress. [by eye]"""


def replay_video(path: Path, tracker: Tracker, sheet: ReplaySheet) -> int:
    """Replay a film: print a line for each turn that its tracker commits, then what could not be read.

    Returns PARTLY if the film is cut off, damaged or mirrored, or shows no board or no turn.
    Raises VideoError if it is no film.
    """
    video = Video(path)
    turns, notices = _replay_frames(path.name, video, tracker, sheet)
    sheet.conclude()
    faults = video.faults(path.name)
    for fault in faults:
        say(fault)
    if not tracker.found:
        why = tracker.notice or "Show the whole board."
        say(f"{path.name}: no board was found in it. {why} Also check that --edition names this board.")
    return DONE if turns and not faults and MIRRORED not in notices else PARTLY


def _replay_frames(name: str, video: Video, tracker: Tracker, sheet: ReplaySheet) -> tuple[int, set[str]]:
    """Feed a film's frames to its tracker, and enter the turns that it commits.

    Return the number of turns, and the notices since the board was found. Each notice is printed once.
    """
    turns, moment, said_at, lull, told = 0, 0.0, 0.0, "", False
    notices: set[str] = set()
    watched_from: float | None = None
    for moment, frame in video.frames():
        if moment - said_at >= _PROGRESS_S:
            said_at = moment
            say(f"{moment:.0f} s of {name}")
        turns += _enter_turn(tracker, partial(tracker.feed, frame, moment), sheet)
        if tracker.found and watched_from is None:
            watched_from = moment
        if tracker.found and tracker.notice and tracker.notice not in notices:
            notices.add(tracker.notice)
            told = True
            say(f"{name}, at {moment:.0f} s: {tracker.notice}")
        if tracker.lull != lull:
            lull = tracker.lull
            if lull:
                told = True
                say(f"{name}, at {moment:.0f} s: {lull}")
    turns += _enter_turn(tracker, tracker.finish, sheet)
    if watched_from is not None and not turns and not told:
        say(f"{name}: the board was found, but in {moment - watched_from:.0f} s no turn was seen. {HANDS_OFF}")
    return turns, notices


def _enter_turn(tracker: Tracker, look: Callable[[], TrackedFinding | None], sheet: ReplaySheet) -> bool:
    """Let the tracker `look`, and enter the turn that it commits. Return whether there is one."""
    before = with_room(tracker.belief)
    tracked = look()
    if tracked is None or tracked.finding.kind == "none":
        return False
    time_found, finding, belief, amends, image = tracked
    if is_about(finding.reason, Reason.NOTHING_SURE):
        belief, finding = nothing_for_now(belief, finding)
    elif not amends:
        belief = take_for_now(belief, finding)
    tracker.believe(belief, again=False)
    amends = amends or _is_again(before.last_play, finding)
    more: dict[str, Any] = {"amends": True} if amends else {}
    where = {"time": round(time_found, 3)}
    sheet.enter(finding, before.start, image, f"{time_found:08.2f}", where, **more)
    return True


def _is_again(last: Play | None, finding: Finding) -> bool:
    """Return whether a finding is the last play once again, only read differently."""
    if last is None or finding.kind != "play" or finding.outcomes[0].replaces != 1:
        return False
    (play, *more) = finding.outcomes[0].changes or (None,)
    return play is not None and not more and bool({*last.squares} & {*play.squares})


def run(args: argparse.Namespace) -> int:
    """Score a game; PARTLY when some of it could not be read."""
    edition, source = choose_edition(args), args.source
    players, corners = parse_players(args.players), parse_corners(args.corners)
    lexicon, rules = choose_lexicon(args, edition), house_rules(args)
    start = _start(args.start, edition)
    game = Game.start(edition, players, rules, lexicon=lexicon, board=start)
    _check_source(source)
    pictures = photographs(source) if source.is_dir() else []
    overlays = overlays_in(args.overlay, photographs={source if source.is_dir() else source.parent})
    calibration = calibration_in(args.profile, edition)
    between = len(players) if pictures and args.photographed == "round" else 1
    if not shows_round(between):
        raise UsageError(f"--photographed round is for up to {MOST_PLAYS} players: leave it out.")
    settings = GameSettings(edition, lexicon, rules, plays_between=between)
    sheet = ReplaySheet(game, settings, overlays, turns_a_look=between if pictures else 0, as_json=args.json)
    if pictures:
        looking = Looking(BoardReader(words=lexicon, calibration=calibration), settings, corners)
        shots, why = sort_as_taken(pictures, by_name=args.by_name)
        if why is not None:
            say(f"{why} {in_this_order(shots)}")
        return replay_folder(shots, looking, start, sheet)
    reader = BoardReader(words=lexicon, calibration=calibration)
    return replay_video(source, Tracker(reader, certain(start), settings, corners), sheet)


def parse_players(text: str) -> tuple[str, ...]:
    """Parse one to four different names, separated by commas."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names) or len(set(names)) != len(names) or len(names) > MAX_PLAYERS:
        raise UsageError(
            f"--players {quote(text)}: give one to four different names, separated by commas, as in Red,Blue."
        )
    return names


def _start(path: Path | None, edition: Edition) -> Board:
    """Return the board of --start, or an empty one."""
    if path is None:
        return Board.empty(edition.size, edition.alphabet)
    position = read_position(path)
    if position.edition.size != edition.size:
        raise UsageError(f"{path} is a position of edition {position.edition.name}, not {edition.name}.")
    return position.board


def _check_source(source: Path) -> None:
    if source.is_dir():
        return
    if not source.exists():
        raise UsageError(f"There is no folder or video {source}: check the name.")
    if not source.is_file():
        raise UsageError(f"{source} is neither a folder nor a video: give the folder with a game's photographs.")
    if source.suffix.lower() in SUFFIXES:
        raise UsageError(f"{source} is one photograph: give the folder with all of the game's, or use read.")
