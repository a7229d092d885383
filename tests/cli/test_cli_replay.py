"""`upscore replay` on folders: the sheets' game from photographs, and all that can be wrong with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from clikit import (
    EXAMPLE,
    EXAMPLE_POINTS,
    NO_BOARD,
    Caller,
    ScriptedReader,
    Seen,
    boards_of,
    photograph,
    photographs,
    reading_of,
    script_reader,
)
from enginekit import position_text
from readings import write_over

from calibration import Profile, save_profile
from engine import Lexicon, Verdict, find_edition
from engine.formats.game_json import Position
from upscore.commands.lone_q import spelt_for_lone_q
from upscore.commands.replay import command as replay
from upscore.commands.replay.command import Photograph, in_this_order, sort_as_taken, time_in_name
from upscore.commands.replay.command import photographs as in_order
from vision import BoardReading, Finding, Lens
from vision.calibration_data import CalibrationCheck
from vision.decoding.kinds import SUFFIXES
from vision.images import Image
from vision.overlay import caption

BOARDS = boards_of(EXAMPLE)
READINGS = [reading_of(board) for board in BOARDS]


Replayed = Callable[..., Caller]


@pytest.fixture
def replayed(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Replayed:
    """Replays photographs of which these readings are made, in a new folder unless theirs is given."""

    def replay_these(readings: Sequence[Seen], *words: str | Path, folder: Path | None = None) -> Caller:
        script_reader(monkeypatch, replay, readings)
        return upscore("replay", folder or photographs(tmp_path / "game", len(readings)), *words)

    return replay_these


def test_the_sheets_game_from_photographs(replayed: Replayed) -> None:
    upscore = replayed(READINGS, "--edition", "8x8", "--players", "Ann, Bo", "--json")
    *lines, final = upscore.lines()
    assert upscore.status == 0
    assert list(lines[0]) == [
        "image", "turn", "player", "kind", "tiles", "words", "points", "legal", "reasons", "totals", "confidence",
        "needs_review", "alternatives", "seconds",
    ]  # fmt: skip
    assert [line["image"] for line in lines] == [f"{at:02}.jpg" for at in range(1, 8)]
    assert [line["turn"] for line in lines] == [1, 2, 3, 4, 5, 6, 7]
    assert [line["player"] for line in lines] == ["Ann", "Bo"] * 3 + ["Ann"]
    assert [line["points"] for line in lines] == list(EXAMPLE_POINTS)
    assert all(line["legal"] and not line["needs_review"] for line in lines)
    assert lines[3]["tiles"] == [{"row": 3, "col": 1, "letter": "W", "height": 2}]
    assert final == {"final": {"Ann": 46, "Bo": 27}, "turns": 7, "review": 0}
    assert upscore.err.splitlines()[0] == "looking at 00.jpg (1 of 8)"


def test_the_same_as_text(replayed: Replayed) -> None:
    upscore = replayed([*READINGS[:3], READINGS[1], NO_BOARD], "--edition", "8x8")
    assert upscore.out.splitlines() == [
        "  1 Red: M@b4 O@c4 O@d4 D@e4: MOOD 8 = 8  [Red 8, Blue 0]",
        "  2 Blue: E@e5 A@e6 R@e7: DEAR 8 = 8  [Red 8, Blue 8]",
        "  2 Blue: took back E@e5 A@e6 R@e7  [Red 8, Blue 0]",
        f"  2 Blue: unclear  [Red 8, Blue 0]  PLEASE CHECK: {NO_BOARD}",
        "Red 8, Blue 0 after 2 turns, 1 to check",
    ]


def test_a_table_that_photographs_once_a_round(replayed: Replayed) -> None:
    """Of a table that photographs every turn, the photographs would show missed turns."""
    rounds = [READINGS[at] for at in (0, 2, 4, 6)]
    *lines, final = replayed(rounds, "--edition", "8x8", "--photographed", "round", "--json").lines()
    assert [(line["turn"], line["player"], line["earlier"]["player"]) for line in lines] == [
        (2, "Blue", "Red"), (4, "Blue", "Red"), (6, "Blue", "Red"),
    ]  # fmt: skip
    assert {line["reason"] for line in lines} == {"It looks like two words were played. Which came first?"}
    assert final["turns"] == 6


def test_four_players_cannot_photograph_once_a_round(upscore: Caller, tmp_path: Path) -> None:
    upscore(
        "replay",
        photographs(tmp_path / "game", 2),
        "--edition",
        "8x8",
        "--players",
        "A,B,C,D",
        "--photographed",
        "round",
    )
    upscore.expect_refusal("--photographed round is for up to 3 players")


@pytest.mark.parametrize("when", ["round", "turn"])
def test_that_nothing_is_new_is_a_pass_of_everybody_in_a_round(replayed: Replayed, when: str) -> None:
    upscore = replayed([READINGS[at] for at in (0, 0)], "--edition", "8x8", "--photographed", when)
    passed = {"round": "everybody", "turn": "Red"}[when]
    assert f"01.jpg shows no new tiles: it counts as a pass of {passed}." in upscore.err


@pytest.mark.slow
def test_a_photograph_that_cannot_be_read_is_unclear_and_caught_up_with(replayed: Replayed, tmp_path: Path) -> None:
    folder = photographs(tmp_path / "game", 7)
    (folder / "04.jpg").write_text("no picture")
    upscore = replayed([*READINGS[:4], READINGS[5], READINGS[6]], "--edition", "8x8", "--json", folder=folder)
    *_, unclear, caught_up, last, final = upscore.lines()
    assert upscore.status == 1
    assert (unclear["image"], unclear["kind"], unclear["tiles"]) == ("04.jpg", "unclear", [])
    assert unclear["needs_review"]
    assert "04.jpg" in unclear["reason"]
    assert caught_up["earlier"]["turn"] == 4
    assert caught_up["earlier"]["words"] == [{"word": "WOOD", "points": 5}]
    assert caught_up["needs_review"]
    assert caught_up["points"] == 12
    assert (last["turn"], last["points"]) == (6, 14)
    assert final == {"final": {"Red": 30, "Blue": 27}, "turns": 6, "review": final["review"]}
    assert final["review"] >= 2


def test_a_photograph_that_is_not_of_the_profiles_camera_is_unclear_and_caught_up_with(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.json"
    save_profile(Profile(Lens(900.0, (99.5, 74.5), 0.0, (200, 150))), mine)
    folder = photographs(tmp_path / "game", 4)
    photograph(folder / "02.jpg", (320, 180))
    reader = script_reader(monkeypatch, replay, [*READINGS[:2], READINGS[3]])
    by_script = reader.read

    def read(self: ScriptedReader, image: Image, size: int, **hints: Any) -> BoardReading:
        CalibrationCheck(self.settings["calibration"]).check_shape(image)
        return by_script(self, image, size, **hints)

    monkeypatch.setattr(reader, "read", read)
    upscore("replay", folder, "--edition", "8x8", "--profile", mine, "--json")
    _, unclear, last, final = upscore.lines()
    assert upscore.status == 1
    assert (unclear["image"], unclear["kind"]) == ("02.jpg", "unclear")
    assert "takes pictures shaped as 200x150, this one is 320x180" in unclear["reason"]
    assert (last["turn"], last["points"], last["earlier"]["turn"]) == (3, 10, 2)
    assert final["turns"] == 3


def test_a_wrong_word_is_said_with_its_rule(replayed: Replayed) -> None:
    upscore = replayed([reading_of(board) for board in boards_of(["d4-ZZX"])], "--edition", "8x8", "--json")
    line = upscore.lines()[0]
    assert (line["legal"], line["points"]) == (False, 6)
    assert [reason["rule"] for reason in line["reasons"]] == ["7"]


QUITE = ["Qu@d4 U@e4 I@f4 T@g4", "E@h4", "Qu@d5 X@e5"]
"""Tiles of a game with a Q in the place of Qu, the last play a word in no list."""


def test_a_lone_q_is_told_as_one(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script_reader(monkeypatch, replay, [reading_of(board) for board in boards_of(QUITE)])
    overlays: list[tuple[bool, list[str]]] = []

    def draw(image: Image, reading: BoardReading, finding: Finding, verdict: Verdict | None) -> Image:
        overlays.append((reading.lone_q, caption(finding, verdict)))
        return image

    monkeypatch.setattr("upscore.commands.replay.report.draw_turn", draw)
    folder = photographs(tmp_path / "game", 4)
    upscore("replay", folder, "--grid", "8", "--json", "--overlay", tmp_path / "check")
    quit_, quite, wrong, _ = upscore.lines()
    assert [tile["letter"] for tile in quit_["tiles"]] == ["Q", "U", "I", "T"]
    assert [line["words"][0]["word"] for line in (quit_, quite)] == ["QUIT", "QUITE"]
    assert (quit_["legal"], quite["legal"], wrong["legal"]) == (True, True, False)
    assert any("QX is not in the word list" in reason["text"] for reason in wrong["reasons"])
    assert "QU" not in json.dumps(wrong).upper().replace("QUITE", "")
    assert overlays[0] == (True, [f"QUIT {quit_['points']} = {quit_['points']}"])


def test_a_lone_q_in_text_and_qu_as_it_is(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    readings = [reading_of(board) for board in boards_of(["Qu@d4 I@e4 T@f4"])]
    script_reader(monkeypatch, replay, readings)
    upscore("replay", photographs(tmp_path / "game", 2), "--edition", "8x8")
    assert upscore.out.startswith("  1 Red: Qu@d4 I@e4 T@f4: QUIT 8 = 8 ")
    script_reader(monkeypatch, replay, [reading_of(board) for board in boards_of(QUITE[:1])])
    upscore("replay", photographs(tmp_path / "another", 2), "--grid", "8")
    assert "  1 Red: Q@d4 U@e4 I@f4 T@g4: QUIT " in upscore.out


def test_a_word_list_for_a_lone_q_knows_what_it_knew() -> None:
    words = Lexicon.from_words(
        ["QUIZ", "QUIPS", "QIS", "NETS", "QS", "GLASS"], name="few", not_plurals=["QIS"], not_inflections=["QIS"],
        rare=["QUIZ"],
    )  # fmt: skip
    spelt = spelt_for_lone_q(words)
    assert set(spelt) == {"QUUIZ", "QUUIPS", "QUIS", "NETS", "QUS", "GLASS"}
    assert (spelt.name, spelt.is_rare("QUUIZ"), spelt.is_rare("NETS")) == ("few", True, False)
    assert [word for word in spelt if spelt.is_plural(word)] == ["NETS", "QUS", "QUUIPS"]


def test_a_game_under_way(replayed: Replayed, tmp_path: Path) -> None:
    start = tmp_path / "start.json"
    start.write_text(position_text(Position(find_edition("8x8"), BOARDS[3])))
    upscore = replayed(READINGS[3:5], "--edition", "8x8", "--start", start, "--json")
    line, final = upscore.lines()
    assert (line["points"], line["words"]) == (5, [{"word": "WOOD", "points": 5}])
    assert final["turns"] == 1
    assert "warning" not in upscore.err


def test_a_camera_that_writes_over_the_board_is_told_once(replayed: Replayed) -> None:
    upscore = replayed([write_over(reading, (0, 7)) for reading in READINGS[:4]], "--edition", "8x8", "--json")
    assert upscore.err.count("The camera writes text over h1") == 1
    assert [line["points"] for line in upscore.lines()[:-1]] == list(EXAMPLE_POINTS[:3])


def test_a_first_photograph_that_shows_another_start(replayed: Replayed) -> None:
    upscore = replayed([READINGS[1], READINGS[1]], "--edition", "8x8", "--json")
    assert "warning: 00.jpg does not seem to show the start: use --start" in upscore.err
    assert upscore.lines()[0]["points"] == 8


def test_overlays_of_every_turn(replayed: Replayed, tmp_path: Path) -> None:
    folder, check = photographs(tmp_path / "game", 3), tmp_path / "check"
    replayed([*READINGS[:2], NO_BOARD], "--edition", "8x8", "--overlay", check, folder=folder)
    assert [path.name for path in check.iterdir()] == ["01.jpg"]


def test_overlays_never_replace_the_photographs(upscore: Caller, tmp_path: Path) -> None:
    folder = photographs(tmp_path / "game", 2)
    upscore("replay", folder, "--edition", "8x8", "--overlay", folder)
    upscore.expect_refusal("overwritten")


def test_corners_count_for_every_photograph(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    reader = script_reader(monkeypatch, replay, READINGS[:3])
    folder = photographs(tmp_path / "game", 3)
    upscore("replay", folder, "--edition", "8x8", "--corners", "-1,0 99,0 99,99 0,99")
    assert [asked["corners"].tolist()[0] for asked in reader.asked] == [[-1, 0]] * 3


def test_photographs_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    names = ["IMG_9.jpg", "IMG_10.JPG", "IMG_010b.png", "img.webp", ".hidden.jpg", "notes.txt", "2.jpeg"]
    for name in names:
        (tmp_path / name).touch()
    found = [path.name for path in in_order(tmp_path)]
    assert found == ["2.jpeg", "img.webp", "IMG_9.jpg", "IMG_10.JPG", "IMG_010b.png"]


def sort_taken(folder: Path, names: Iterable[str], *, by_name: bool = False) -> tuple[list[str], str]:
    """Return the order in which photographs of these names are taken, and why."""
    for name in names:
        if not (folder / name).exists():
            photograph(folder / name)
    shots, why = sort_as_taken(in_order(folder), by_name=by_name)
    return [shot.path.name for shot in shots], why or ""


@pytest.mark.parametrize(
    "names",
    [
        ["image.jpg", *(f"image ({at}).jpg" for at in range(1, 12))],
        ["IMG_0001.jpg", *(f"IMG_0001 {at}.jpg" for at in range(2, 12)), "IMG_0002.jpg"],
        ["board.jpg", "board copy.jpg", "board copy 2.jpg", "board copy 10.jpg"],
        ["img_0001.jpg", "IMG_0002.JPG", "img_0003.jpg"],
        ["IMG-20261122-WA0009.jpg", "IMG-20261122-WA0010.jpg", "IMG-20261123-WA0000.jpg"],
        ["IMG_0123.jpg", "IMG_5300.jpg"],
        ["IMG_0001.jpg", "IMG_9999.jpg", "start.jpg"],
        ["1.jpg", "12.jpg", "950.jpg"],
    ],
)
def test_names_are_sorted_as_people_count(tmp_path: Path, names: list[str]) -> None:
    assert sort_taken(tmp_path, reversed(names)) == (names, "")


def test_a_counter_that_began_again_is_noticed(tmp_path: Path) -> None:
    names = ["IMG_9998.jpg", "IMG_9999.jpg", "IMG_0001.jpg", "img_0002 (1).jpg"]
    order, why = sort_taken(tmp_path, names)
    assert order == names
    assert why.startswith("The numbers in the names begin again")
    assert sort_taken(tmp_path, names, by_name=True) == ([*names[2:], *names[:2]], "")


def test_a_folder_of_every_kind_of_picture_holds_photographs(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        (tmp_path / f"1{suffix}").touch()
    assert len(in_order(tmp_path)) == len(SUFFIXES)


def test_times_in_names_order_photographs_of_a_clock_of_twelve_hours(tmp_path: Path) -> None:
    times = ["11.58.00 AM", "12.41.05 PM", "12.55.37 PM", "1.01.02 PM", "1.01.02 PM (1)", "1.01.02 PM (2)"]
    names = [f"WhatsApp Image 2026-11-22 at {time}.jpeg" for time in times]
    order, why = sort_taken(tmp_path, names)
    assert order == names
    assert why.startswith("The times of the photographs are in another order than their names")
    assert sort_taken(tmp_path, names, by_name=True)[0][0] == names[3]


@pytest.mark.parametrize(
    ("name", "time"),
    [
        ("IMG_20261122_124105", "12:41:05"),
        ("PXL_20261122_124105123.MP", "12:41:05"),
        ("IMG20261122124105", "12:41:05"),
        ("20261122_124105(0)", "12:41:05"),
        ("signal-2026-11-22-12-41-05-123", "12:41:05"),
        ("photo_2026-11-22 12.41.05", "12:41:05"),
        ("WP_20261122_12_41_05_Pro", "12:41:05"),
        ("WhatsApp Image 2026-11-22 at 12.41.05 AM", "00:41:05"),
        ("WhatsApp Image 2026-11-22 at 1.41.05 p. m.", "13:41:05"),
        ("WhatsApp Bild 2026-11-22 um 13.41.05_0a1b", "13:41:05"),
        ("Screenshot 2026-11-22 at 1.41.05\u202fPM", "13:41:05"),
        ("IMG-20261122-WA0003", None),
        ("IMG-20261122-WA12345", None),
        ("IMG_20261122_9999", None),
        ("IMG_20261322_124105", None),
        ("1795351265123", None),
        ("02", None),
    ],
)
def test_the_time_in_a_name(name: str, time: str | None) -> None:
    expected = None if time is None else datetime.fromisoformat(f"2026-11-22 {time}")
    assert time_in_name(name) == expected


def test_times_of_taking_go_before_names(tmp_path: Path) -> None:
    for name, minute in (("c.jpg", 0), ("a.jpg", 1), ("b.jpg", 2)):
        photograph(tmp_path / name, taken=f"2026:11:22 19:{minute:02}:00")
    order, why = sort_taken(tmp_path, [])
    assert (order, why[:9]) == (["c.jpg", "a.jpg", "b.jpg"], "The times")
    assert sort_taken(tmp_path, [], by_name=True) == (["a.jpg", "b.jpg", "c.jpg"], "")


def test_the_time_of_taking_goes_before_the_time_in_the_name(tmp_path: Path) -> None:
    names = [f"IMG_20261122_{hour}0000.jpg" for hour in (12, 11)]
    for at, name in enumerate(names):
        photograph(tmp_path / name, taken=f"2026:11:22 19:0{at}:00")
    assert sort_taken(tmp_path, [])[0] == names


def test_a_copy_by_a_messenger_is_placed_by_the_time_in_its_name(tmp_path: Path) -> None:
    photograph(tmp_path / "b.jpg", taken="2026:11:22 13:00:00")
    photograph(tmp_path / "a.jpg", taken="2026:11:22 13:30:00")
    sent = "WhatsApp Image 2026-11-22 at 1.15.00 PM.jpeg"
    assert sort_taken(tmp_path, [sent])[0] == ["b.jpg", sent, "a.jpg"]


@pytest.mark.parametrize("late", [False, True])
def test_where_one_photograph_has_no_time_names_decide_and_a_disagreement_is_told(tmp_path: Path, late: bool) -> None:
    photograph(tmp_path / "a.jpg", taken="2026:11:22 13:30:00" if late else "2026:11:22 12:30:00")
    photograph(tmp_path / "b.jpg", taken="2026:11:22 13:00:00")
    order, why = sort_taken(tmp_path, ["ab.jpg"])
    assert order == ["a.jpg", "ab.jpg", "b.jpg"]
    assert ("ab.jpg has no time" in why) is late


def test_times_that_are_all_the_same_leave_the_order_of_names(tmp_path: Path) -> None:
    for name in ("2.jpg", "10.jpg"):
        photograph(tmp_path / name, taken="2026:11:22 19:00:00")
    assert sort_taken(tmp_path, []) == (["2.jpg", "10.jpg"], "")


def test_copies_follow_the_photograph_of_the_shortest_name(tmp_path: Path) -> None:
    for at in range(3):
        photograph(tmp_path / f"IMG_{at}.jpg")
    for name, at in (("IMG_1 (1).jpg", 1), ("Copy of IMG_2.jpg", 2), ("IMG_0 - Copy.jpg", 0)):
        (tmp_path / name).write_bytes((tmp_path / f"IMG_{at}.jpg").read_bytes())
    shots, why = sort_as_taken(in_order(tmp_path))
    assert [(shot.path.stem, shot.copy_of and shot.copy_of.stem) for shot in shots] == [
        ("IMG_0", None), ("IMG_0 - Copy", "IMG_0"), ("IMG_1", None), ("IMG_1 (1)", "IMG_1"), ("IMG_2", None),
        ("Copy of IMG_2", "IMG_2"),
    ]  # fmt: skip
    assert why is None


def test_empty_files_are_no_copies_of_each_other(tmp_path: Path) -> None:
    for name in ("1.jpg", "2.jpg"):
        (tmp_path / name).touch()
    assert [shot.copy_of for shot in sort_as_taken(in_order(tmp_path))[0]] == [None, None]


def test_the_order_that_was_used_is_shown_where_it_is_not_that_of_the_names(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("IMG_9999.jpg", "IMG_0001.jpg"):
        photograph(tmp_path / name)
    script_reader(monkeypatch, replay, READINGS[:2])
    upscore("replay", tmp_path, "--edition", "8x8", "--json")
    assert upscore.err.count("In this order: IMG_9999.jpg, IMG_0001.jpg.") == 1
    assert "--by-name" in upscore.err
    assert upscore.lines()[0]["image"] == "IMG_0001.jpg"
    script_reader(monkeypatch, replay, READINGS[1::-1])
    upscore("replay", tmp_path, "--edition", "8x8", "--json", "--by-name")
    assert upscore.lines()[0]["image"] == "IMG_9999.jpg"


@pytest.mark.parametrize(("number", "shown"), [(8, 8), (9, 5), (300, 5)])
def test_an_order_of_many_photographs_is_told_in_one_short_sentence(number: int, shown: int) -> None:
    shots = [Photograph(Path(f"IMG_{at:04}.jpg")) for at in range(number)]
    text = in_this_order(shots)
    assert text.count(".jpg") == shown
    assert len(text) < 150
    assert "IMG_0000.jpg, IMG_0001.jpg, IMG_0002.jpg" in text
    assert f"IMG_{number - 1:04}.jpg" in text
    assert (f"{number} photographs" in text) == (number > shown)


@pytest.mark.parametrize("boards", [(1, 2, 0), (0, 1, 0), (2, 0, 1)])
def test_an_empty_board_that_comes_late_puts_the_order_in_doubt(replayed: Replayed, boards: tuple[int, ...]) -> None:
    upscore = replayed([READINGS[at] for at in boards], "--edition", "8x8", "--json")
    late = f"{boards.index(0, 1):02}.jpg"
    assert upscore.err.count(f"warning: {late} shows an empty board after photographs with tiles") == 1
    assert "--by-name" in upscore.err


def test_a_board_that_is_empty_at_first_puts_no_order_in_doubt(replayed: Replayed) -> None:
    upscore = replayed([READINGS[0], READINGS[0], READINGS[1]], "--edition", "8x8", "--json")
    assert "warning" not in upscore.err


THREE = ("--edition", "8x8", "--players", "Red,Blue,Green", "--json")


def at_times(folder: Path, *seconds: int) -> Path:
    """Return a folder of photographs that were taken these numbers of seconds after seven o'clock."""
    for number, second in enumerate(seconds):
        photograph(folder / f"{number:02}.jpg", taken=f"2026:11:22 19:{second // 60:02}:{second % 60:02}")
    return folder


def test_the_same_file_again_is_no_turn_and_is_not_read(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = photographs(tmp_path / "game", 4)
    for name, of in (("00 (1)", "00"), ("02_1", "02"), ("Copy of 01", "01")):
        (folder / f"{name}.jpg").write_bytes((folder / f"{of}.jpg").read_bytes())
    reader = script_reader(monkeypatch, replay, READINGS[:4])
    upscore("replay", folder, *THREE)
    *lines, final = upscore.lines()
    assert [(line["turn"], line["player"], line["kind"], line.get("same_turn_as")) for line in lines] == [
        (1, "Red", "none", "00.jpg"),
        (1, "Red", "play", None),
        (1, "Red", "none", "01.jpg"),
        (2, "Blue", "play", None),
        (2, "Blue", "none", "02.jpg"),
        (3, "Green", "play", None),
    ]
    again = lines[4]
    assert (again["tiles"], again["words"], again["points"], again["needs_review"]) == ([], [], 0, False)
    assert final == {"final": {"Red": 8, "Blue": 8, "Green": 10}, "turns": 3, "review": 0}
    assert (len(reader.asked), upscore.status) == (4, 0)


def test_the_same_board_a_moment_later_is_no_turn(replayed: Replayed, tmp_path: Path) -> None:
    upscore = replayed(
        [READINGS[at] for at in (0, 1, 2, 2, 2, 3)], *THREE, folder=at_times(tmp_path, 0, 120, 200, 201, 206, 300)
    )
    *lines, final = upscore.lines()
    assert [line["player"] for line in lines] == ["Red", "Blue", "Blue", "Blue", "Green"]
    assert (lines[2]["same_turn_as"], lines[3]["same_turn_as"]) == ("02.jpg", "03.jpg")
    assert final == {"final": {"Red": 8, "Blue": 8, "Green": 10}, "turns": 3, "review": 0}


def test_the_start_may_be_photographed_just_before_the_first_word_is_laid(replayed: Replayed, tmp_path: Path) -> None:
    upscore = replayed([READINGS[at] for at in (0, 1, 2, 2)], *THREE, folder=at_times(tmp_path, 0, 15, 120, 125))
    assert [line.get("same_turn_as") for line in upscore.lines()[:-1]] == [None, None, "02.jpg"]


@pytest.mark.parametrize("seconds", [(0, 5, 120), ()])
def test_a_second_photograph_of_the_start_is_asked_about_before_any_habit_is_known(
    replayed: Replayed, tmp_path: Path, seconds: tuple[int, ...]
) -> None:
    folder = at_times(tmp_path, *seconds) if seconds else photographs(tmp_path, 3)
    upscore = replayed([READINGS[at] for at in (0, 0, 1)], *THREE, folder=folder)
    start, first, final = upscore.lines()
    assert (start["player"], start["needs_review"], first["player"]) == ("Red", True, "Blue")
    assert final["review"] == 1


def test_a_moment_in_names_counts_too(replayed: Replayed, tmp_path: Path) -> None:
    for time in ("190000", "190200", "190205", "190500"):
        photograph(tmp_path / f"IMG_20261122_{time}.jpg")
    upscore = replayed([READINGS[at] for at in (0, 1, 1, 2)], *THREE, folder=tmp_path)
    assert upscore.lines()[-1] == {"final": {"Red": 8, "Blue": 8, "Green": 0}, "turns": 2, "review": 0}


@pytest.mark.parametrize(
    "seconds",
    [
        pytest.param((0, 120, 200, 320, 400), id="minutes later"),
        pytest.param((0, 1, 2, 3, 4), id="times of a messenger, which tell nothing"),
        pytest.param((0, 60, 61, 62, 63), id="times of a messenger that begin with a wait"),
        pytest.param((), id="no times"),
    ],
)
def test_a_board_without_new_tiles_is_asked_about_where_nothing_else_is_known(
    replayed: Replayed, tmp_path: Path, seconds: tuple[int, ...]
) -> None:
    folder = at_times(tmp_path, *seconds) if seconds else photographs(tmp_path, 5)
    upscore = replayed([READINGS[at] for at in (0, 1, 2, 2, 3)], *THREE, folder=folder)
    *lines, final = upscore.lines()
    assert (lines[2]["kind"], lines[2]["turn"], lines[2]["player"]) == ("none", 3, "Green")
    assert (lines[2]["needs_review"], lines[2]["reason"]) == (True, "A pass, or the same turn again?")
    assert "same_turn_as" not in lines[2]
    assert (lines[3]["player"], lines[3]["needs_review"]) == ("Red", False)
    assert final == {"final": {"Red": 18, "Blue": 8, "Green": 0}, "turns": 4, "review": 1}
    assert upscore.status == 0
    assert "03.jpg shows no new tiles: it counts as a pass of Green." in upscore.err


def see_from(reading: BoardReading, squares: float) -> BoardReading:
    """Return a reading from a camera that was moved by this many squares."""
    side = float(reading.corners[1, 0] - reading.corners[0, 0]) / reading.size
    return replace(reading, corners=reading.corners + squares * side)


@pytest.mark.parametrize(
    ("places", "again"),
    [
        pytest.param((0, 2, -1, -0.95, 3), True, id="held in the hand, and not moved now"),
        pytest.param((0, 2, -1, -0.5, 3), False, id="moved"),
        pytest.param((0, 0, 0, 0, 0), False, id="on a stand"),
        pytest.param((0, 2, 2, 2, 3), False, id="put down for a turn"),
    ],
)
def test_a_camera_in_the_hand_that_stood_still_shows_the_same_turn(
    replayed: Replayed, places: tuple[float, ...], again: bool
) -> None:
    boards = (0, 1, 2, 2, 3)
    readings = [see_from(READINGS[at], place) for at, place in zip(boards, places, strict=True)]
    upscore = replayed(readings, *THREE)
    *lines, final = upscore.lines()
    assert (lines[2].get("same_turn_as") == "02.jpg") is again
    assert (final["turns"], final["review"]) == ((3, 0) if again else (4, 1))
    assert lines[3]["player"] == ("Green" if again else "Red")


@pytest.mark.parametrize(("second", "player", "turns"), [(205, "Blue", 3), (320, "Green", 4)])
def test_a_second_try_a_moment_later_is_of_the_same_turn(
    replayed: Replayed, tmp_path: Path, second: int, player: str, turns: int
) -> None:
    upscore = replayed(
        [READINGS[0], READINGS[1], NO_BOARD, READINGS[2], READINGS[3]],
        *THREE,
        folder=at_times(tmp_path, 0, 120, 200, second, 500),
    )
    *lines, final = upscore.lines()
    assert (lines[1]["kind"], lines[1]["player"], lines[1]["needs_review"]) == ("unclear", "Blue", True)
    assert (lines[2]["kind"], lines[2]["player"]) == ("play", player)
    assert final["turns"] == turns


def test_a_blurred_second_photograph_of_a_turn_is_unclear_and_no_turn(replayed: Replayed, tmp_path: Path) -> None:
    upscore = replayed(
        [READINGS[0], READINGS[1], NO_BOARD, READINGS[2]], *THREE, folder=at_times(tmp_path, 0, 120, 125, 300)
    )
    _, blurred, last, final = upscore.lines()
    assert (blurred["kind"], blurred["needs_review"], blurred["same_turn_as"]) == ("unclear", True, "01.jpg")
    assert (last["turn"], last["player"], final["turns"], upscore.status) == (2, "Blue", 2, 1)


def test_the_same_turn_again_as_text(replayed: Replayed, tmp_path: Path) -> None:
    upscore = replayed(
        [READINGS[at] for at in (0, 1, 1, 1)], "--edition", "8x8", folder=at_times(tmp_path, 0, 120, 125, 300)
    )
    assert upscore.out.splitlines()[1:] == [
        "  1 Red: the same turn again  [Red 8, Blue 0]",
        "  2 Blue: nothing changed  [Red 8, Blue 0]  PLEASE CHECK: A pass, or the same turn again?",
        "Red 8, Blue 0 after 2 turns, 1 to check",
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere", "--edition", "8x8"), "There is no folder or video nowhere"),
        (("empty", "--edition", "8x8"), "holds no photographs"),
        (("game/00.jpg", "--edition", "8x8"), "is one photograph"),
        (("/dev/null", "--edition", "8x8"), "neither a folder nor a video"),
        (("game",), "--edition"),
        (("game", "--edition", "7x7"), "'7x7' is not an edition"),
        (("game", "--edition", "8x8", "--players", "Red,Red"), "different names"),
        (("game", "--edition", "8x8", "--players", "A,B,C,D,E"), "one to four"),
        (("game", "--edition", "8x8", "--players", " , "), "one to four"),
        (("game", "--edition", "8x8", "--lexicon", "nowhere"), "there is no word list 'nowhere'"),
        (("game", "--edition", "8x8", "--rules", "nowhere"), "There is no file nowhere"),
        (("game", "--edition", "8x8", "--rules", "game"), "game cannot be read"),
        (("game", "--edition", "8x8", "--start", "nowhere"), "There is no file nowhere"),
        (("game", "--edition", "8x8", "--start", "game/00.jpg"), "is not a text file"),
        (("game", "--edition", "10x10", "--start", "start.json"), "edition 8x8, not 10x10"),
        (("game", "--edition", "8x8", "--corners", "1,2"), "four points"),
        (("x" * 300, "--edition", "8x8"), "too long"),
    ],
)
def test_words_that_are_off(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    photographs(tmp_path / "game", 2)
    (tmp_path / "empty").mkdir()
    (tmp_path / "start.json").write_text(position_text(Position(find_edition("8x8"), BOARDS[1])))
    upscore("replay", *words)
    upscore.expect_refusal(told)


def test_a_folder_that_may_not_be_opened(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = photographs(tmp_path / "game", 2)

    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refuse)
    upscore("replay", folder, "--edition", "8x8")
    upscore.expect_refusal("cannot be opened (Permission denied)")


def test_names_cannot_steer_the_terminal(replayed: Replayed, tmp_path: Path) -> None:
    folder = photographs(tmp_path / "ga\x1bme", 1)
    photograph(folder / "\x1b[1m.jpg")
    upscore = replayed(READINGS[:2], "--edition", "8x8", "--json", folder=folder)
    assert "\x1b" not in upscore.out + upscore.err
    assert r"\x1b[1m.jpg" in upscore.err
    assert len(upscore.lines()) == 2


@pytest.mark.parametrize("name", ["R\x1b[31med", "x" * 41])
def test_names_of_players_are_those_that_a_game_takes(upscore: Caller, tmp_path: Path, name: str) -> None:
    upscore("replay", photographs(tmp_path / "game", 2), "--edition", "8x8", "--players", f"{name},Blue")
    upscore.expect_refusal("can't be a player's name")
    assert "\x1b" not in upscore.err
