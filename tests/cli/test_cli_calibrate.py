"""`upscore calibrate` and --profile: what is written, what is said, what is refused. No network is run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clikit import Caller, boards_of, photograph, photographs, reading_of, script_reader
from PIL import Image as PillowImage
from presencekit import there

from calibration import CalibrationError, Profile, load_profile, save_profile
from calibration import lessons as games
from calibration.intrinsics import TargetView
from calibration.layout import Layout
from calibration.profile import Tiles
from engine import EDITIONS, FACES, Square
from upscore.commands import calibrate, read
from upscore.commands import serve as serving
from vision import CalibrationData, Lens
from vision.heights.thickness import THICKNESSES
from vision.letters.classifier import FACE_PX
from vision.letters.templates import SIDE, SetFaces
from webui.table import reader
from webui.table.reader import TableReader

LENS = Lens(900.0, (99.5, 74.5), -0.05, (200, 150))
MOOD = boards_of(["b4-MOOD"])[-1]
OWN, TAUGHT = (SetFaces(np.zeros((len(FACES), SIDE, SIDE)), np.full(len(FACES), n)) for n in (1, 9))


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "mine.json"


@pytest.fixture
def lens_profile(mine: Path) -> Path:
    save_profile(Profile(LENS), mine)
    return mine


def test_the_target_is_a_picture_with_its_size(upscore: Caller, tmp_path: Path) -> None:
    upscore("calibrate", "target", tmp_path / "target.png")
    assert (upscore.status, upscore.err) == (0, "")
    with PillowImage.open(tmp_path / "target.png") as picture:
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        assert picture.width > 2500
    assert "calibrate camera" in upscore.out
    upscore("calibrate", "target", tmp_path / "target.jpg").expect_refusal("ends in .png")
    upscore("calibrate", "target", tmp_path / "no" / "target.png").expect_refusal("cannot be written")


def view(name: str, turn: float, size_wh: tuple[int, int] = (200, 150)) -> TargetView:
    """A made-up view; what is done with it is tested where the lens is computed."""
    at = np.array([[turn, 0.0], [1.0, turn], [2.0, 3.0]])
    return TargetView(name, size_wh, at, at * 10)


class Report:
    """A lens as if it had been calibrated from what it was given."""

    lens = LENS
    rms, coverage, tilt, focal_spread = 0.31, 0.82, 34.0, 0.004
    dropped = ("02.jpg",)

    def __init__(self, views: list[TargetView], refusal: str | None) -> None:
        self.used = tuple(view.name for view in views)
        self._refusal = refusal

    def check(self) -> None:
        if self._refusal:
            raise CalibrationError(self._refusal)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Pictures in which the target is found, by name, and what the check of the lens says."""
    held: dict[str, Any] = {"views": {}, "refusal": None}
    monkeypatch.setattr(calibrate, "find_target", lambda _, name: held["views"].get(name))
    monkeypatch.setattr(calibrate, "calibrate_lens", lambda views: Report(views, held["refusal"]))
    return held


def test_a_lens_is_reported_and_kept_beside_the_tiles(
    upscore: Caller, tmp_path: Path, mine: Path, found: dict[str, Any]
) -> None:
    save_profile(Profile(None, Tiles(EDITIONS["8x8"], None, np.zeros(len(THICKNESSES)))), mine)
    folder = photographs(tmp_path / "target", 4)
    found["views"] = {f"{k:02}.jpg": view(f"{k:02}.jpg", k) for k in range(4)}
    upscore("calibrate", "camera", folder, "--profile", mine)
    assert upscore.status == 0
    assert "4 pictures of 200x150, corners 0.31 px off (RMS), 82% of the frame covered" in upscore.out
    assert "02.jpg: does not agree" in upscore.err
    profile = load_profile(mine)
    assert profile.lens == LENS
    assert profile.tiles is not None


def test_pictures_that_cannot_be_used_are_named(
    upscore: Caller, tmp_path: Path, mine: Path, found: dict[str, Any]
) -> None:
    folder = photographs(tmp_path / "target", 4)
    (folder / "00.jpg").write_bytes(b"no picture")
    found["views"] = {"01.jpg": view("01.jpg", 1), "02.jpg": view("02.jpg", 2, (150, 200)), "03.jpg": view("03.jpg", 3)}
    upscore("calibrate", "camera", folder / "00.jpg", folder, "--profile", mine)
    assert upscore.status == 1
    assert upscore.err.count("00.jpg is not a picture") == 2
    assert "02.jpg: 150x200 where most are 200x150" in upscore.err
    assert load_profile(mine).lens == LENS


def test_a_poor_lens_is_refused_and_nothing_written(
    upscore: Caller, tmp_path: Path, mine: Path, found: dict[str, Any]
) -> None:
    found["views"], found["refusal"] = ({"a.jpg": view("a.jpg", 1)}, "The corners do not fit a lens: take them again.")
    upscore("calibrate", "camera", photograph(tmp_path / "a.jpg"), "--profile", mine)
    upscore.expect_refusal("The corners do not fit a lens")
    assert not mine.exists()


def test_pictures_without_a_target_make_no_lens(upscore: Caller, tmp_path: Path, mine: Path) -> None:
    upscore("calibrate", "camera", photograph(tmp_path / "a.jpg"), "--profile", mine)
    assert (upscore.status, upscore.out) == (2, "")
    assert "a.jpg: the target can't be made out" in upscore.err
    assert "show the target: 0; at least" in upscore.err


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> list[Layout]:
    """The layouts in the photographs of all tiles, one after the other."""
    held: list[Layout] = []
    monkeypatch.setattr(calibrate, "read_layout", lambda *_: held.pop(0))
    return held


def layout(doubtful: int = 0) -> Layout:
    """Three tiles, of which the first was corrected and some are in doubt."""
    windows = np.random.default_rng(3).integers(0, 255, (3, FACE_PX, FACE_PX, 3)).astype(np.uint8)
    squares = (Square(0, 0), Square(0, 1), Square(3, 2))
    return Layout(squares, ("Qu", "A", "B"), np.arange(3) >= 3 - doubtful, np.array([True, False, False]), windows)


def test_tiles_from_a_photograph(upscore: Caller, tmp_path: Path, lens_profile: Path, laid: list[Layout]) -> None:
    laid.append(layout())
    picture = photograph(tmp_path / "all.jpg")
    upscore("calibrate", "tiles", picture, "--edition", "8x8", "--stack", "26,165", "--profile", lens_profile)
    assert (upscore.status, upscore.err) == (0, "")
    assert "settled by the number of tiles of each letter: a1 Qu" in upscore.out
    assert "letters ABQu, layers of 0.25 of a square" in upscore.out
    profile = load_profile(lens_profile)
    assert profile.lens == LENS
    assert profile.tiles is not None
    assert profile.tiles.edition == EDITIONS["8x8"]


def test_doubtful_squares_are_named(upscore: Caller, tmp_path: Path, mine: Path, laid: list[Layout]) -> None:
    laid.append(layout(doubtful=1))
    upscore("calibrate", "tiles", photograph(tmp_path / "all.jpg"), "--edition", "8x8", "--profile", mine)
    assert upscore.status == 1
    upscore.expect_complaint("all.jpg: in doubt, and not learned from: c4 B")


def test_tiles_from_a_game(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mine: Path) -> None:
    empty = reading_of(boards_of([])[0])
    script_reader(monkeypatch, calibrate, [empty, *[reading_of(MOOD)] * 2, empty, *[reading_of(MOOD)] * 6])
    monkeypatch.setattr(games, "read_faces", lambda windows, *_: np.full((len(windows), 27), -3.3))
    command = ("calibrate", "tiles", "--edition", "8x8", "--profile", mine, "--from-game")
    upscore(*command, photographs(tmp_path / "game", 3))
    assert upscore.status == 2
    assert "Only 8 faces" in upscore.err
    upscore(*command, photographs(tmp_path / "game", 7))
    assert upscore.status == 0
    assert "learned from 24 faces of 6 photographs" in upscore.out
    tiles = there(load_profile(mine).tiles)
    assert tiles.faces is not None
    assert tiles.faces.letters == "DMO"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("tiles", "--edition", "8x8"), "Give a photograph of all tiles, --from-game"),
        (("tiles", "a.jpg", "--from-game", "b", "--edition", "8x8"), "not both"),
        (("tiles", "--stack", "26", "--edition", "8x8"), "--stack takes two lengths"),
        (("tiles", "--stack", "26,1", "--edition", "8x8"), "measure both in the same unit"),
        (("tiles", "--stack", "26,165", "--corners", "1,2", "--edition", "8x8"), "--corners takes four points"),
        (("tiles", "--stack", "26,165", "--corners", "0,0 9,0 9,9 0,9", "--edition", "8x8"), "--stack alone has none"),
        (("tiles", "a.jpg"), "Say which board it is"),
        (("tiles", "nowhere.jpg", "--edition", "8x8"), "There is no file nowhere.jpg"),
        (("tiles", "--from-game", "nowhere", "--edition", "8x8"), "There is no folder nowhere"),
    ],
)
def test_words_that_are_off(upscore: Caller, mine: Path, words: tuple[str, ...], told: str) -> None:
    upscore("calibrate", *words, "--profile", mine).expect_refusal(told)
    assert not mine.exists()


def test_a_profile_to_add_to_must_be_one(upscore: Caller, mine: Path) -> None:
    mine.write_text("hello")
    upscore("calibrate", "tiles", "--stack", "26,165", "--edition", "8x8", "--profile", mine)
    upscore.expect_refusal("isn't a profile")
    assert mine.read_text() == "hello"
    upscore("calibrate", "tiles", "--stack", "26,165", "--edition", "8x8").expect_refusal("--profile", "--help")


def test_read_takes_a_profile(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lens_profile: Path
) -> None:
    given: list[Any] = []

    class Reader:
        def __init__(self, **settings: Any) -> None:
            given.append(settings["calibration"])

        def read(self, *_: Any, **__: Any) -> Any:
            return reading_of(MOOD)

    monkeypatch.setattr(read, "BoardReader", Reader)
    picture = photograph(tmp_path / "a.jpg")
    upscore("read", picture, "--edition", "8x8", "--profile", lens_profile)
    assert upscore.status == 0
    assert given[0].lens == LENS
    save_profile(Profile(None, Tiles(EDITIONS["10x10"], None, np.zeros(len(THICKNESSES)))), lens_profile)
    upscore("read", picture, "--edition", "8x8", "--profile", lens_profile).expect_refusal(
        "tiles of edition 10x10, not 8x8"
    )
    upscore("replay", tmp_path, "--edition", "8x8", "--profile", tmp_path / "no.json").expect_refusal(
        "There is no profile"
    )


def test_pictures_of_another_camera_are_refused(upscore: Caller, tmp_path: Path, lens_profile: Path) -> None:
    wide = photograph(tmp_path / "wide.jpg", (320, 180))
    upscore("read", wide, "--edition", "8x8", "--profile", lens_profile)
    assert (upscore.status, upscore.out) == (1, "")
    upscore.expect_complaint("wide.jpg", "takes pictures shaped as 200x150, this one is 320x180")


def test_the_page_takes_what_fits(caplog: pytest.LogCaptureFixture) -> None:
    table = TableReader(Profile(LENS, Tiles(EDITIONS["8x8"], OWN, None)))
    usual, wide = np.zeros((150, 200, 3), np.uint8), np.zeros((180, 320, 3), np.uint8)
    checks = [table.calibration_of(picture, 8) for picture in (usual, wide, wide)]
    assert [check.calibration.lens for check in checks] == [LENS, None, None]
    assert all(check.calibration.faces is OWN for check in checks)
    assert checks[1] is checks[2]  # it remembers its earlier warnings
    assert caplog.text.count("Read without the profile's lens.") == 1


@pytest.mark.parametrize(("edition", "wins"), [("8x8", True), ("10x10", False)])
def test_the_tiles_of_a_profile_win_over_what_games_have_taught(edition: str, wins: bool) -> None:
    table = TableReader(Profile(LENS, Tiles(EDITIONS[edition], OWN, None)), CalibrationData(faces=TAUGHT))
    calibration = table.calibration_of(np.zeros((150, 200, 3), np.uint8), 8).calibration
    assert calibration.lens == LENS
    assert calibration.faces is (OWN if wins else TAUGHT)


def test_without_a_profile_the_page_knows_what_games_have_taught() -> None:
    table = TableReader(Profile(), CalibrationData(faces=TAUGHT))
    calibration = table.calibration_of(np.zeros((180, 320, 3), np.uint8), 8).calibration
    assert calibration.lens is None
    assert calibration.faces is TAUGHT


def test_the_page_reads_with_the_profile(upscore: Caller, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    profiles: list[Profile | None] = []
    monkeypatch.setattr(serving, "serve", lambda config: given.append(config.app.reader))
    monkeypatch.setattr(reader, "VisionReader", profiles.append)
    upscore("demo", "--profile", mine).expect_refusal("There is no profile")
    save_profile(Profile(LENS), mine)
    upscore("demo", "--profile", mine)
    upscore("demo")
    for each in given:
        each._get_current_object()
    assert profiles == [Profile(LENS), None]


def test_views_of_a_video_are_spread_over_it(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mine: Path, found: dict[str, Any]
) -> None:
    class Clip:
        def __init__(self, path: Path) -> None: ...

        def frames(self) -> Iterator[tuple[float, np.ndarray]]:
            return ((k / 25, np.zeros((150, 200, 3), np.uint8)) for k in range(1000))

    path = tmp_path / "clip.mp4"
    path.touch()
    monkeypatch.setattr(calibrate, "Video", Clip)
    monkeypatch.setattr(calibrate, "find_target", lambda _, name: view(name, 1.0))
    upscore("calibrate", "camera", path, "--profile", mine)
    assert upscore.status == 0
    assert 40 <= int(upscore.out.split()[0]) <= 50
