"""`upscore read`: its lines, its options, and what it makes of files that are no photographs."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from clikit import NO_BOARD, Caller, ScriptedReader, boards_of, photograph, reading_of, script_reader
from PIL import Image as PillowImage
from readings import write_over

from upscore.commands import read
from vision import BoardReading, GridDoubt
from vision.hidden.occlusion import CutOff

MOOD = boards_of(["b4-MOOD", "b4-W", "e5-Qu"])[-1]


@pytest.fixture
def mood() -> BoardReading:
    return reading_of(MOOD)


Reads = Callable[..., type[ScriptedReader]]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """Lets the command read this in its photographs, one after another; a text is no board."""
    return lambda *seen: script_reader(monkeypatch, read, seen)


def test_a_line_of_json_for_each_photograph(upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading) -> None:
    reader = reads(mood, reading_of(MOOD, hidden=[(7, 0)]))
    first, second = photograph(tmp_path / "01.jpg"), photograph(tmp_path / "02.jpg")
    upscore("read", first, second, "--edition", "8x8", "--json")
    assert (upscore.status, upscore.err) == (0, "")
    line, other = upscore.lines()
    assert list(line) == [
        "image", "found", "corners", "letters", "heights", "confidence", "occluded", "seconds",
    ]  # fmt: skip
    assert (line["image"], line["found"], other["image"]) == ("01.jpg", True, "02.jpg")
    assert line["corners"] == np.round(mood.corners, 2).tolist()
    assert line["letters"][3] == ["", "W", "O", "O", "D", "", "", ""]
    assert line["letters"][4][4] == "Qu"
    assert line["heights"][3] == [0, 2, 1, 1, 1, 0, 0, 0]
    assert line["confidence"][3][1] == pytest.approx(0.998, abs=1e-3)
    assert not any(map(any, line["occluded"]))
    assert [at for at, hidden in enumerate(other["occluded"]) if any(hidden)] == [7]
    assert reader.asked[0]["size"] == 8
    assert reader.asked[0]["corners"] is None


def test_corners_are_in_pixels_of_the_file_both_ways(
    upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading
) -> None:
    reader = reads(mood)
    image = photograph(tmp_path / "large.jpg", (3200, 2400))
    upscore("read", image, "--edition", "8x8", "--json", "--corners", "-20.5,0 3199.5,0 3199.5,2399.5 -0.5,2400")
    (asked,) = reader.asked
    assert asked["shape"] == (1800, 2400, 3)
    assert asked["corners"][2] == pytest.approx((2399.5, 1799.5))
    assert asked["corners"][0] == pytest.approx((-15.5, -0.125))
    (line,) = upscore.lines()
    assert line["corners"] == np.round((mood.corners + 0.5) * 4 / 3 - 0.5, 2).tolist()


@pytest.mark.parametrize(
    ("words", "size", "other_game"),
    [(("--grid", "15"), 15, True), (("--edition", "11x11"), 11, False), (("--edition", "10x10"), 10, False)],
)
def test_boards_of_all_sizes(
    upscore: Caller, reads: Reads, tmp_path: Path, words: tuple[str, str], size: int, other_game: bool
) -> None:
    reader = reads(reading_of(boards_of([], size)[0]))
    upscore("read", photograph(tmp_path / "a.jpg"), *words, "--json")
    assert len(upscore.lines()[0]["letters"]) == size
    assert reader.asked[0]["other_game"] is other_game


def test_the_board_as_text(upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading) -> None:
    doubtful = reading_of(MOOD, sure=0.9, hidden=[(0, 0)])
    reads(mood, doubtful)
    upscore("read", photograph(tmp_path / "a.jpg"), photograph(tmp_path / "b.jpg"), "--edition", "8x8")
    sure, unsure = upscore.out.split("b.jpg:\n")
    assert sure.splitlines()[:6] == [
        "a.jpg:",
        "     a    b    c    d    e    f    g    h",
        "  1  .    .    .    .    .    .    .    .",
        "  2  .    .    .    .    .    .    .    .",
        "  3  .    .    .    .    .    .    .    .",
        "  4  .    W2   O1   O1   D1   .    .    .",
    ]
    assert unsure.splitlines()[1] == "  1  #    .    .    .    .    .    .    ."
    assert unsure.splitlines()[5] == "  5  .    .    .    .    Qu1? .    .    ."


def test_a_grid_in_doubt_is_told_with_the_board(
    upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading
) -> None:
    reads(replace(mood, grid_doubt=GridDoubt.BORDER))
    upscore("read", photograph(tmp_path / "a.jpg"), "--edition", "8x8")
    assert "edge of the board" in upscore.out.splitlines()[1]


def test_a_grid_that_looks_printed_is_told_with_the_board_and_beside_the_json(
    upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading
) -> None:
    picture, seen = photograph(tmp_path / "a.jpg"), replace(mood, grid_doubt=GridDoubt.PRINTED)
    reads(seen, seen)
    upscore("read", picture, "--edition", "8x8")
    assert upscore.out.splitlines()[1].strip() == GridDoubt.PRINTED.value
    assert "border" not in upscore.out
    upscore("read", picture, "--edition", "8x8", "--json")
    assert max(map(max, upscore.lines()[0]["confidence"])) <= 0.6
    assert GridDoubt.PRINTED.value in upscore.err


def test_what_is_out_of_the_picture_is_told_with_the_board_and_beside_the_json(
    upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading
) -> None:
    cut = np.zeros((8, 8), dtype=bool)
    cut[0] = True
    picture = photograph(tmp_path / "a.jpg")
    seen = replace(mood, cut_off=CutOff(cut, ("left",)))
    told = "Row 1 of the board is beyond the left edge of the picture"
    reads(seen)
    upscore("read", picture, "--edition", "8x8")
    assert told in upscore.out.splitlines()[1]
    reads(seen)
    upscore("read", picture, "--edition", "8x8", "--json")
    assert len(upscore.out.splitlines()) == 1
    assert told in upscore.err


def test_text_of_the_camera_over_the_board_is_told_and_marked_as_hidden(
    upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading
) -> None:
    picture, seen = photograph(tmp_path / "a.jpg"), write_over(mood, (0, 1))
    reads(seen, seen)
    upscore("read", picture, "--edition", "8x8")
    assert "The camera writes text over b1" in upscore.out.splitlines()[1]
    assert "#" in upscore.out.splitlines()[3]
    upscore("read", picture, "--edition", "8x8", "--json")
    assert upscore.lines()[0]["occluded"][0][1]
    assert "The camera writes text over b1" in upscore.err


def truncate(path: Path) -> None:
    whole = photograph(path, (400, 300)).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def bomb(path: Path) -> None:
    """A PNG of a few bytes that says it has 2,500 million pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)


def tall(path: Path) -> None:
    """160 million pixels, more than any camera at a table takes."""
    bomb(path)
    data = bytearray(path.read_bytes())
    data[16:24] = struct.pack(">II", 16_000, 10_000)
    data[29:33] = struct.pack(">I", zlib.crc32(bytes(data[12:29])))
    path.write_bytes(data)


def postscript(path: Path) -> None:
    with path.open("wb") as file:
        PillowImage.new("RGB", (200, 150)).save(file, "EPS")


BAD_FILES = {
    "not a picture": lambda path: path.write_text("hello"),
    "empty": lambda path: path.write_bytes(b""),
    "truncated": truncate,
    "decompression bomb": bomb,
    "too many pixels": tall,
    "a folder": lambda path: path.mkdir(),
    "missing": lambda path: None,
    "PostScript": postscript,
    "AVIF": lambda path: path.write_bytes(b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(64)),
    "tiny": lambda path: photograph(path, (8, 8)),
}


@pytest.mark.parametrize("make", BAD_FILES.values(), ids=BAD_FILES)
def test_what_is_no_photograph_is_said_and_the_others_are_read(
    upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading, make: object
) -> None:
    reads(mood)
    make(tmp_path / "bad.jpg")  # type: ignore[operator]
    upscore("read", tmp_path / "bad.jpg", photograph(tmp_path / "good.jpg"), "--edition", "8x8", "--json")
    bad, good = upscore.lines()
    assert upscore.status == 1
    upscore.expect_complaint("bad.jpg", ": ")
    assert list(bad) == ["image", "found", "reason"]
    assert (bad["image"], bad["found"]) == ("bad.jpg", False)
    assert bad["reason"] in upscore.err
    assert good["found"]


def test_no_board_is_no_failure_of_the_call(upscore: Caller, reads: Reads, tmp_path: Path) -> None:
    reads(NO_BOARD)
    upscore("read", photograph(tmp_path / "table.jpg"), "--edition", "8x8", "--json")
    assert upscore.status == 1
    assert upscore.lines() == [{"image": "table.jpg", "found": False, "reason": NO_BOARD}]
    upscore.expect_complaint("table.jpg: " + NO_BOARD)


@pytest.mark.parametrize("name", [b"a\x1b[2J\x07b.jpg", b"two\nlines.jpg", b"\xff\xfe.jpg", "\u202egpj.jpg".encode()])
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_names_of_files_cannot_steer_the_terminal(
    upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading, name: bytes, form: tuple[str, ...]
) -> None:
    reads(mood, NO_BOARD)
    path = photograph(tmp_path / os.fsdecode(name))
    upscore("read", path, path, "--edition", "8x8", *form)
    assert upscore.status == 1
    upscore.expect_complaint(NO_BOARD)
    assert len(upscore.out.splitlines()) == (2 if form else 10)
    assert all(c.isprintable() for c in (upscore.out + upscore.err).replace("\n", ""))


def test_many_photographs_are_counted_on_stderr(
    upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading
) -> None:
    reads(*[mood] * 4)
    paths = [photograph(tmp_path / f"{at}.jpg") for at in range(4)]
    upscore("read", *paths, "--edition", "8x8", "--json")
    assert upscore.err.splitlines()[2] == "reading 2.jpg (3 of 4)"
    assert len(upscore.lines()) == 4


def test_overlays_have_names_of_their_own(upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading) -> None:
    reads(mood, mood)
    paths = [photograph(tmp_path / folder / "01.jpg") for folder in ("monday", "tuesday")]
    upscore("read", *paths, "--edition", "8x8", "--overlay", tmp_path / "new" / "check")
    assert upscore.status == 0
    made = sorted((tmp_path / "new" / "check").iterdir())
    assert [path.name for path in made] == ["01-2.jpg", "01.jpg"]
    assert all(path.read_bytes()[:3] == b"\xff\xd8\xff" for path in made)


def test_overlays_never_replace_the_photographs(upscore: Caller, tmp_path: Path) -> None:
    image = photograph(tmp_path / "01.jpg")
    before = image.read_bytes()
    upscore("read", image, "--edition", "8x8", "--overlay", tmp_path / ".." / tmp_path.name)
    upscore.expect_refusal("--overlay", "overwritten")
    assert image.read_bytes() == before
    assert list(tmp_path.iterdir()) == [image]


def test_an_overlay_that_cannot_be_written_leaves_nothing_half_written(
    upscore: Caller, reads: Reads, tmp_path: Path, mood: BoardReading
) -> None:
    reads(mood)
    (tmp_path / "check" / "01.jpg").mkdir(parents=True)
    upscore("read", photograph(tmp_path / "01.jpg"), "--edition", "8x8", "--overlay", tmp_path / "check")
    assert upscore.status == 2
    upscore.expect_complaint("01.jpg", "cannot be written")
    assert [path.name for path in (tmp_path / "check").iterdir()] == ["01.jpg"]


def test_the_overlay_folder_is_a_file(upscore: Caller, tmp_path: Path) -> None:
    image = photograph(tmp_path / "01.jpg")
    upscore("read", image, "--edition", "8x8", "--overlay", image)
    upscore.expect_refusal("cannot be made a folder")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "--edition with one of 8x8, 10x10, 11x11"),
        (("--edition", "9x9"), "'9x9' is not an edition"),
        (("--edition", "15x15"), "--grid N"),
        (("--edition", "8x8-grid"), "is not an edition"),
        (("--edition", "8x8", "--grid", "8"), "not both"),
        (("--grid", "1"), "2 to 21"),
        (("--grid", "22"), "2 to 21"),
        (("--grid", "many"), "--grid"),
        (("--edition", "8x8", "--corners", "1,2 3,4"), "four points"),
        (("--edition", "8x8", "--corners", "1,2 3,4 5,x 7,8"), "four points"),
        (("--edition", "8x8", "--corners", "1,2 3 5,6 7,8"), "four points"),
        (("--edition", "8x8", "--corners", "0,0 nan,0 9,9 0,9"), "four points"),
        (("--edition", "8x8", "--corners", "0,0 inf,0 9,9 0,9"), "four points"),
        (("--edition", "8x8", "--corners", "0,0 0,90 90,90 90,0"), "clockwise"),
        (("--edition", "8x8", "--corners", "0,0 90,90 90,0 0,90"), "clockwise"),
        (("--edition", "8x8", "--corners", "0,0 0,0 0,0 0,0"), "clockwise"),
        (("--edition", "8x8", "--profile", "mine.json"), "There is no profile mine.json"),
    ],
)
def test_words_that_are_off(upscore: Caller, tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    upscore("read", photograph(tmp_path / "a.jpg"), *words)
    upscore.expect_refusal(told)


def test_a_photograph_is_needed(upscore: Caller) -> None:
    upscore("read", "--edition", "8x8")
    upscore.expect_refusal("IMAGE", "upscore read --help")
