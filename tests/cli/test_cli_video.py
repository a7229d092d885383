"""`upscore replay` on videos: the frames, the lines of what the tracker commits, and files that are cut off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from clikit import Caller, boards_of, make_finding, no_play, reading_of, script_reader

from upscore.commands.replay import command as replay
from vision import Belief, BoardReader, Video, VideoError, certain
from vision.images import Image
from vision.letters.orientation import MIRRORED
from vision.turn.reasons import Doubt, Reason
from vision.video.watch_state import IN_DOUBT, NO_TURN, TrackedFinding

BOARDS = boards_of(["b4-MOOD", "e5|EAR"])


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty frames at ten a second, (64, 48), each of another grey."""
    path = tmp_path_factory.mktemp("film") / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for number in range(40):
        writer.write(np.full((48, 64, 3), 5 * number, dtype=np.uint8))
    writer.release()
    return path


@pytest.fixture
def cut_film(film: Path, tmp_path: Path) -> Path:
    """The same, ending in the middle of a frame."""
    whole = film.read_bytes()
    path = tmp_path / "cut.avi"
    path.write_bytes(whole[: len(whole) * 6 // 10 + 7])
    return path


def event(time: float, *plays: str | None, asked: bool = False, replaces: int = 0) -> TrackedFinding:
    """What the tracker tells of these events, of which it took the last `replaces` for others; None takes one back."""
    finding = replace(make_finding(*plays, asked=asked, replaces=replaces), reading=reading_of(BOARDS[0]))
    picture = np.zeros((150, 200, 3), dtype=np.uint8)
    return TrackedFinding(time, finding, certain(BOARDS[0]), False, picture)


Tracked = Callable[..., list[float]]


@pytest.fixture
def tracked(monkeypatch: pytest.MonkeyPatch) -> Tracked:
    """Lets the tracker commit events at the frames of these numbers; returns the times that it is fed.

    `lulls` says what people are told up to a time, `notices` what is wrong with the picture up to a time.
    """

    def by_script(
        script: Mapping[int, TrackedFinding],
        *,
        board_found: bool = True,
        lulls: Mapping[float, str] | None = None,
        notices: Mapping[float, str] | None = None,
    ) -> list[float]:
        times: list[float] = []

        class ScriptedTracker:
            def __init__(self, reader: object, belief: Belief, settings: object, corners: object) -> None:
                self.found, self.belief = board_found, belief
                self.notice = "" if board_found else "The picture is mirrored."
                self.lull = ""

            def feed(self, frame: Image, time: float) -> TrackedFinding | None:
                times.append(time)
                self.lull = next((text for until, text in (lulls or {}).items() if time < until), "")
                self.notice = next((text for until, text in (notices or {}).items() if time < until), self.notice)
                return script.get(len(times) - 1)

            def finish(self) -> TrackedFinding | None:
                return script.get(len(times))

            def believe(self, belief: Belief, *, again: bool) -> None:
                self.belief = belief

        script_reader(monkeypatch, replay, [])
        monkeypatch.setattr(replay, "Tracker", ScriptedTracker)
        return times

    return by_script


SCRIPT = {
    5: event(0.5, "b4-MO"),
    9: event(0.9, "b4-MOOD", replaces=1)._replace(amends=True),
    20: event(2.0, "e5|EAR"),
    30: event(3.04567, None),
    35: event(3.5, "e5|AR"),
}


def test_a_line_for_each_turn_committed(upscore: Caller, tracked: Tracked, film: Path, tmp_path: Path) -> None:
    times = tracked(SCRIPT)
    upscore("replay", film, "--edition", "8x8", "--json", "--overlay", tmp_path / "check")
    assert (upscore.status, upscore.err) == (0, "")
    assert times == pytest.approx([number / 10 for number in range(40)])
    *lines, final = upscore.lines()
    assert [line["time"] for line in lines] == [0.5, 0.9, 2.0, 3.046, 3.5]
    assert all("image" not in line for line in lines)
    assert [line.get("amends") for line in lines] == [None, True, None, None, None]
    assert [line["turn"] for line in lines] == [1, 1, 2, 2, 2]
    assert [line["kind"] for line in lines] == ["play", "play", "play", "removed", "play"]
    assert lines[-1]["totals"] == {"Red": 8, "Blue": 6}
    assert final == {"final": {"Red": 8, "Blue": 6}, "turns": 2, "review": 0}
    assert len(list((tmp_path / "check").iterdir())) == 5


def test_a_turn_that_lies_there_at_the_end_of_the_film_is_entered(
    upscore: Caller, tracked: Tracked, film: Path
) -> None:
    tracked({40: event(3.9, "b4-MOOD")})
    upscore("replay", film, "--edition", "8x8", "--json")
    line, final = upscore.lines()
    assert (line["time"], line["kind"], final["turns"]) == (3.9, "play", 1)
    assert upscore.err == ""


def test_the_same_as_text(upscore: Caller, tracked: Tracked, film: Path) -> None:
    tracked(SCRIPT)
    upscore("replay", film, "--edition", "8x8")
    lines = upscore.out.splitlines()
    assert lines[2] == ("  1 Red: M@b4 O@c4 O@d4 D@e4: MOOD 8 = 8  (instead of the line before)  [Red 8, Blue 0]")
    assert lines[-1] == "Red 8, Blue 6 after 2 turns, 0 to check"


def test_the_last_play_read_otherwise_takes_its_place(upscore: Caller, tracked: Tracked, film: Path) -> None:
    tracked({5: event(0.5, "b4-MOOT", asked=True), 9: event(0.9, "b4-MOOD", replaces=1, asked=True)})
    upscore("replay", film, "--edition", "8x8", "--json")
    _, again, final = upscore.lines()
    assert (again["turn"], again["kind"], again["amends"], "revised" in again) == (1, "play", True, False)
    assert [tile["letter"] for tile in again["tiles"]] == list("MOOD")
    assert final == {"final": {"Red": 8, "Blue": 0}, "turns": 1, "review": 1}


def test_where_it_is_not_certain_that_anything_was_played_nothing_is_entered(
    upscore: Caller, tracked: Tracked, film: Path
) -> None:
    doubtful = event(2.0, "e5|EAR", asked=True)
    finding = replace(doubtful.finding, reason=Doubt(Reason.NOTHING_SURE))
    doubtful = doubtful._replace(finding=finding)
    tracked({5: event(0.5, "b4-MOOD"), 20: doubtful})
    upscore("replay", film, "--edition", "8x8", "--json")
    _, line, final = upscore.lines()
    assert (line["kind"], line["tiles"], line["needs_review"]) == ("none", [], True)
    assert line["reason"] == str(Doubt(Reason.NOTHING_SURE))
    assert final == {"final": {"Red": 8, "Blue": 0}, "turns": 1, "review": 1}


def test_what_cannot_be_told_is_no_turn_of_a_film(upscore: Caller, tracked: Tracked, film: Path) -> None:
    hidden = event(0.5)._replace(finding=no_play("unclear", asked=True))
    tracked({5: hidden, 9: event(0.9, "b4-MOOD")})
    upscore("replay", film, "--edition", "8x8", "--json")
    unclear, played, final = upscore.lines()
    assert (unclear["kind"], unclear["turn"], unclear["player"], unclear["needs_review"]) == (
        "unclear", 1, "Red", True,
    )  # fmt: skip
    assert (played["turn"], played["player"]) == (1, "Red")
    assert (final["turns"], final["review"]) == (1, 1)


def test_a_film_that_ends_in_the_middle_of_a_frame(upscore: Caller, tracked: Tracked, cut_film: Path) -> None:
    times = tracked(SCRIPT)
    upscore("replay", cut_film, "--edition", "8x8", "--json")
    assert upscore.status == 1
    assert 9 < len(times) < 20
    upscore.expect_complaint("cut.avi is cut off: its last ", " seconds are missing")
    assert upscore.lines()[-1] == {"final": {"Red": 8, "Blue": 0}, "turns": 1, "review": 0}


def test_a_film_without_a_board(upscore: Caller, tracked: Tracked, film: Path) -> None:
    tracked({}, board_found=False)
    upscore("replay", film, "--edition", "10x10", "--json")
    assert upscore.status == 1
    upscore.expect_complaint("no board was found", "The picture is mirrored", "--edition")
    assert upscore.lines() == [{"final": {"Red": 0, "Blue": 0}, "turns": 0, "review": 0}]


def test_a_film_without_a_turn(upscore: Caller, tracked: Tracked, film: Path) -> None:
    tracked({})
    upscore("replay", film, "--edition", "8x8", "--json")
    assert upscore.status == 1
    upscore.expect_complaint("the board was found, but in 4 s no turn was seen", "take your hands off")


@pytest.mark.parametrize(
    ("lulls", "turns", "said"),
    [
        ({1.0: "", 9.0: NO_TURN}, (), ["game.avi, at 1 s: No turn was seen for a minute."]),
        ({1.0: NO_TURN, 2.0: "", 9.0: IN_DOUBT}, (5,), ["at 0 s: No turn was seen", "at 2 s: For a minute it has"]),
        ({9.0: ""}, (5,), []),
    ],
)
def test_a_minute_from_which_nothing_came_is_said_once(
    upscore: Caller, tracked: Tracked, film: Path, lulls: dict[float, str], turns: tuple[int, ...], said: list[str]
) -> None:
    tracked(dict.fromkeys(turns, SCRIPT[5]), lulls=lulls)
    upscore("replay", film, "--edition", "8x8", "--json")
    assert len(upscore.err.splitlines()) == len(said)
    assert all(text in upscore.err for text in said)
    assert upscore.status == (not turns)


@pytest.mark.parametrize(("notice", "status"), [(MIRRORED, 1), ("Take your hand away.", 0)])
def test_what_is_wrong_with_the_picture_is_said_once_with_its_time(
    upscore: Caller, tracked: Tracked, film: Path, notice: str, status: int
) -> None:
    tracked(SCRIPT, notices={1.0: "", 2.0: notice, 3.0: "", 9.0: notice})
    upscore("replay", film, "--edition", "8x8", "--json")
    assert upscore.status == status
    assert upscore.err == f"game.avi, at 1 s: {notice}\n"
    assert upscore.lines()[-1]["turns"] == 2


def test_of_a_damaged_film_it_is_said_how_much_was_not_seen(
    upscore: Caller, tracked: Tracked, monkeypatch: pytest.MonkeyPatch, film: Path
) -> None:
    tracked(SCRIPT)

    def frames(video: Video) -> Any:
        video.length, video.unseen = 142.2, 31.4
        return ((number / 10, np.zeros((48, 64, 3), dtype=np.uint8)) for number in range(40))

    monkeypatch.setattr(Video, "frames", frames)
    upscore("replay", film, "--edition", "8x8", "--json")
    assert upscore.status == 1
    upscore.expect_complaint("game.avi is damaged: of 142 s, 31 s could not be seen", "Copy it again")


def test_corners_count_for_every_frame(upscore: Caller, monkeypatch: pytest.MonkeyPatch, film: Path) -> None:
    asked: list[Any] = []

    def read(self: object, image: Image, size: int, **hints: Any) -> object:
        asked.append(hints["corners"].tolist())
        return reading_of(BOARDS[0])

    monkeypatch.setattr(BoardReader, "read", read)
    upscore("replay", film, "--edition", "8x8", "--corners", "0,0 60,0 60,40 0,40", "--json")
    assert asked
    assert all(corners == [[0, 0], [60, 0], [60, 40], [0, 40]] for corners in asked)


@pytest.mark.parametrize("content", [b"", b"hello", b"\0\0\0\x18ftypmp42" + bytes(200)])
def test_what_is_no_film(upscore: Caller, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "no.mp4"
    path.write_bytes(content)
    upscore("replay", path, "--edition", "8x8")
    upscore.expect_refusal("no.mp4 is not a video that can be read")


def test_the_frames_of_a_film(film: Path) -> None:
    video = Video(film)
    frames = list(video.frames())
    assert [time for time, _ in frames] == pytest.approx([number / 10 for number in range(40)])
    assert frames[30][1].shape == (48, 64, 3)
    assert frames[30][1].mean() == pytest.approx(150, abs=3)
    assert video.missing == 0


def test_a_file_that_is_no_film_has_no_frames(tmp_path: Path) -> None:
    with pytest.raises(VideoError, match=r"nowhere\.mp4"):
        list(Video(tmp_path / "nowhere.mp4").frames())
