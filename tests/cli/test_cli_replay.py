"""`upscore replay` on folders: the sheets' game from photographs, and all that can be wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from clikit import (
    EXAMPLE,
    EXAMPLE_POINTS,
    NO_BOARD,
    Caller,
    ScriptedReader,
    boards_of,
    photograph,
    photographs,
    reading_of,
    scripted,
)
from enginekit import position_text

from calibration.profile import Profile, save_profile
from engine.editions import edition_named
from engine.formats.position import Position
from engine.lexicon.lexicon import Lexicon
from engine.rules.referee import Verdict
from upscore.commands.lone_q import spelt_for_lone_q
from upscore.commands.replay import command as replay
from upscore.commands.replay.folder import photographs as in_order
from vision.calibration_data import CalibrationCheck
from vision.geometry.lens import Lens
from vision.images import Image
from vision.overlay import caption
from vision.reading import BoardReading
from vision.turn.finding import Finding

BOARDS = boards_of(EXAMPLE)
READINGS = [reading_of(board) for board in BOARDS]


def test_the_sheets_game_from_photographs(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scripted(monkeypatch, replay, READINGS)
    upscore("replay", photographs(tmp_path / "game", 8), "--edition", "8x8", "--players", "Ann, Bo", "--json")
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


def test_the_same_as_text(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scripted(monkeypatch, replay, [*READINGS[:3], READINGS[1], NO_BOARD])
    upscore("replay", photographs(tmp_path / "game", 5), "--edition", "8x8")
    assert upscore.out.splitlines() == [
        "  1 Red: M@b4 O@c4 O@d4 D@e4: MOOD 8 = 8  [Red 8, Blue 0]",
        "  2 Blue: E@e5 A@e6 R@e7: DEAR 8 = 8  [Red 8, Blue 8]",
        "  2 Blue: took back E@e5 A@e6 R@e7  [Red 8, Blue 0]",
        f"  2 Blue: unclear  [Red 8, Blue 0]  PLEASE CHECK: {NO_BOARD}",
        "Red 8, Blue 0 after 2 turns, 1 to check",
    ]


def test_a_photograph_that_cannot_be_read_is_unclear_and_caught_up_with(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = photographs(tmp_path / "game", 7)
    (folder / "04.jpg").write_text("no picture")
    scripted(monkeypatch, replay, [*READINGS[:4], READINGS[5], READINGS[6]])
    upscore("replay", folder, "--edition", "8x8", "--json")
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
    reader = scripted(monkeypatch, replay, [*READINGS[:2], READINGS[3]])
    by_script = reader.read

    def read(self: ScriptedReader, image: Image, size: int, **known: Any) -> BoardReading:
        CalibrationCheck(self.settings["calibration"]).check_shape(image)
        return by_script(self, image, size, **known)

    monkeypatch.setattr(reader, "read", read)
    upscore("replay", folder, "--edition", "8x8", "--profile", mine, "--json")
    _, unclear, last, final = upscore.lines()
    assert upscore.status == 1
    assert (unclear["image"], unclear["kind"]) == ("02.jpg", "unclear")
    assert "takes pictures shaped as 200x150, this one is 320x180" in unclear["reason"]
    assert (last["turn"], last["points"], last["earlier"]["turn"]) == (3, 10, 2)
    assert final["turns"] == 3


def test_a_wrong_word_is_said_with_its_rule(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scripted(monkeypatch, replay, [reading_of(board) for board in boards_of(["d4-ZZX"])])
    upscore("replay", photographs(tmp_path / "game", 2), "--edition", "8x8", "--json")
    line = upscore.lines()[0]
    assert (line["legal"], line["points"]) == (False, 6)
    assert [reason["rule"] for reason in line["reasons"]] == ["7"]


QUITE = ["Qu@d4 U@e4 I@f4 T@g4", "E@h4", "Qu@d5 X@e5"]
"""Tiles of a game with a Q in the place of Qu, the last play a word in no list."""


def test_a_lone_q_is_told_as_one(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scripted(monkeypatch, replay, [reading_of(board) for board in boards_of(QUITE)])
    overlays: list[tuple[bool, list[str]]] = []

    def draw(image: Image, reading: BoardReading, finding: Finding, verdict: Verdict | None) -> Image:
        overlays.append((reading.lone_q, caption(finding, verdict)))
        return image

    monkeypatch.setattr("upscore.commands.replay.sheet.draw_turn", draw)
    folder = photographs(tmp_path / "game", 4)
    upscore("replay", folder, "--grid", "8", "--json", "--overlay", tmp_path / "check")
    quit_, quite, wrong, _ = upscore.lines()
    assert [tile["letter"] for tile in quit_["tiles"]] == ["Q", "U", "I", "T"]
    assert [line["words"][0]["word"] for line in (quit_, quite)] == ["QUIT", "QUITE"]
    assert (quit_["legal"], quite["legal"], wrong["legal"]) == (True, True, False)
    assert any("QX is not in the word list" in reason["text"] for reason in wrong["reasons"])
    assert "QU" not in json.dumps(wrong).upper().replace("QUITE", "")
    assert overlays[0] == (True, [f"QUIT {quit_['points']} = {quit_['points']}"])


def test_a_lone_q_in_text_and_qu_as_it_is(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    readings = [reading_of(board) for board in boards_of(["Qu@d4 I@e4 T@f4"])]
    scripted(monkeypatch, replay, readings)
    upscore("replay", photographs(tmp_path / "game", 2), "--edition", "8x8")
    assert upscore.out.startswith("  1 Red: Qu@d4 I@e4 T@f4: QUIT 8 = 8 ")
    scripted(monkeypatch, replay, [reading_of(board) for board in boards_of(QUITE[:1])])
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


def test_a_game_under_way(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scripted(monkeypatch, replay, READINGS[3:5])
    start = tmp_path / "start.json"
    start.write_text(position_text(Position(edition_named("8x8"), BOARDS[3])))
    upscore("replay", photographs(tmp_path / "game", 2), "--edition", "8x8", "--start", start, "--json")
    line, final = upscore.lines()
    assert (line["points"], line["words"]) == (5, [{"word": "WOOD", "points": 5}])
    assert final["turns"] == 1
    assert "warning" not in upscore.err


def test_a_first_photograph_that_shows_another_start(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scripted(monkeypatch, replay, [READINGS[1], READINGS[1]])
    upscore("replay", photographs(tmp_path / "game", 2), "--edition", "8x8", "--json")
    assert "warning: 00.jpg does not seem to show the start: use --start" in upscore.err
    assert upscore.lines()[0]["points"] == 8


def test_overlays_of_every_turn(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scripted(monkeypatch, replay, [*READINGS[:2], NO_BOARD])
    folder, check = photographs(tmp_path / "game", 3), tmp_path / "check"
    upscore("replay", folder, "--edition", "8x8", "--overlay", check)
    assert [path.name for path in check.iterdir()] == ["01.jpg"]


def test_overlays_never_replace_the_photographs(upscore: Caller, tmp_path: Path) -> None:
    folder = photographs(tmp_path / "game", 2)
    upscore("replay", folder, "--edition", "8x8", "--overlay", folder)
    upscore.refused("overwritten")


def test_corners_count_for_every_photograph(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reader = scripted(monkeypatch, replay, READINGS[:3])
    folder = photographs(tmp_path / "game", 3)
    upscore("replay", folder, "--edition", "8x8", "--corners", "-1,0 99,0 99,99 0,99")
    assert [asked["corners"].tolist()[0] for asked in reader.asked] == [[-1, 0]] * 3


def test_photographs_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    names = ["IMG_9.jpg", "IMG_10.JPG", "IMG_010b.png", "img.webp", ".hidden.jpg", "notes.txt", "2.jpeg"]
    for name in names:
        (tmp_path / name).touch()
    found = [path.name for path in in_order(tmp_path)]
    assert found == ["2.jpeg", "IMG_9.jpg", "IMG_10.JPG", "IMG_010b.png", "img.webp"]


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
    (tmp_path / "start.json").write_text(position_text(Position(edition_named("8x8"), BOARDS[1])))
    upscore("replay", *words)
    upscore.refused(told)


def test_a_folder_that_may_not_be_opened(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = photographs(tmp_path / "game", 2)

    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refuse)
    upscore("replay", folder, "--edition", "8x8")
    upscore.refused("cannot be opened (Permission denied)")


def test_names_cannot_steer_the_terminal(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scripted(monkeypatch, replay, READINGS[:2])
    folder = photographs(tmp_path / "ga\x1bme", 1)
    photograph(folder / "\x1b[1m.jpg")
    upscore("replay", folder, "--edition", "8x8", "--json")
    assert "\x1b" not in upscore.out + upscore.err
    assert r"\x1b[1m.jpg" in upscore.err
    assert len(upscore.lines()) == 2


@pytest.mark.parametrize("name", ["R\x1b[31med", "x" * 41])
def test_names_of_players_are_those_that_a_game_takes(upscore: Caller, tmp_path: Path, name: str) -> None:
    upscore("replay", photographs(tmp_path / "game", 2), "--edition", "8x8", "--players", f"{name},Blue")
    upscore.refused("is no player's name")
    assert "\x1b" not in upscore.err
