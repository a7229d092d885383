"""Errors are counted: what the page or a film says wrongly, in silence or not, and squares that are read wrongly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from webkit import ScriptedReader, doubt, jpeg, make_finding, sure

from engine import Board, parse_play
from vision import load_image
from vision.arrays import Floats
from vision.images import encode_jpeg
from workshop.bench.data.truth import games_in
from workshop.bench.reading import alone, spoiled
from workshop.bench.record import Figures
from workshop.bench.turns import films, page
from workshop.bench.turns.drawn import upper_bound

PLAYS = ("C@d4 A@d5 T@d6", "E@d7")


def cell(board: Board, row: int, col: int) -> dict[str, Any]:
    """Return the truth of a square as `boards with known truth` has it, 20 pixels wide, in a picture of 160 by 160."""
    stack = list(board.stacks[row][col])
    corners = [(20 * (col + x), 20 * (row + y)) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return {
        "row": row, "col": col, "stack": stack, "height": len(stack), "top": stack[-1] if stack else None,
        "corners": corners, "hand": 0.0, "occluded": 0.0,
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a game of two plays with its truth, after a board without tiles."""
    (tmp_path / "game").mkdir()
    board = Board.empty(8)
    for number, text in enumerate(("", *PLAYS)):
        tiles = parse_play(text).tiles if text else ()
        board = board.with_play(parse_play(text)) if text else board
        truth = {
            "edition": 8, "tilt_deg": 30.0, "width": 160, "height": 160,
            "grid_corners": [(0, 0), (160, 0), (160, 160), (0, 160)],
            "move": [{"row": t.square.row, "col": t.square.col, "letter": t.face} for t in tiles],
            "cells": [cell(board, row, col) for row in range(8) for col in range(8)],
        }  # fmt: skip
        name = tmp_path / "game" / f"{number:02}.json"
        name.write_text(json.dumps(truth))
        name.with_suffix(".jpg").write_bytes(jpeg(160, 160 + number))
    return tmp_path


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the page's reader give the same findings at both tables."""

    def say(*sightings: Any) -> None:
        readers = [ScriptedReader(script=list(sightings)) for _ in range(2)]
        monkeypatch.setattr(page, "VisionReader", lambda: readers.pop(0))

    return say


def test_a_page_that_is_right_has_nothing_counted_against_it(folder: Path, says: Callable[..., None]) -> None:
    says(*map(sure, PLAYS))
    fared = page.through_the_page(folder)["answering"]
    assert {name: fared[name] for name in page.COUNTS if fared[name]} == {"turns": 2, "seen": 2}


def test_letters_exchanged_without_a_question_are_wrong_in_silence(folder: Path, says: Callable[..., None]) -> None:
    says(sure("A@d4 C@d5 T@d6"), sure(PLAYS[1]))
    for fared in page.through_the_page(folder).values():
        assert (fared["silent"], fared["asked"]) == (1, 0)


def test_an_answer_is_tapped_where_it_is_the_truth_and_typed_where_none_is(
    folder: Path, says: Callable[..., None]
) -> None:
    says(doubt("C@d4 A@d5 R@d6", PLAYS[0]), doubt("Z@d7"))
    fared = page.through_the_page(folder)["answering"]
    counts = {name: fared[name] for name in ("asked", "plays", "offered", "first", "typed", "silent")}
    assert counts == {"asked": 2, "plays": 2, "offered": 1, "first": 0, "typed": 1, "silent": 0}


def test_a_lazy_table_leaves_what_is_unclear(folder: Path, says: Callable[..., None]) -> None:
    says(make_finding("unclear", "A hand is in the way."), sure(PLAYS[1]))
    fared = page.through_the_page(folder)
    assert (fared["answering"]["typed"], fared["answering"]["left"], fared["answering"]["silent"]) == (1, 0, 0)
    assert (fared["lazy"]["typed"], fared["lazy"]["left"], fared["lazy"]["silent"]) == (0, 1, 1)


def reading(board: Board, **changes: Any) -> dict[str, Any]:
    """Return the line of `upscore read` for a board read correctly and surely, with some changes."""
    row = {
        "found": True,
        "corners": [[0, 0], [160, 0], [160, 160], [0, 160]],
        "letters": [[stack[-1] if stack else "" for stack in line] for line in board.stacks],
        "heights": [[len(stack) for stack in line] for line in board.stacks],
        "confidence": [[0.99] * 8 for _ in range(8)],
    }
    return {**row, **changes}


def test_squares_read_wrongly_are_counted_by_what_is_wrong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [Board.empty(8)]
    for text in PLAYS:
        boards.append(boards[-1].with_play(parse_play(text)))
    rows = [reading(board) for board in boards]
    rows[0]["letters"][0][0], rows[0]["heights"][0][0] = "E", 1  # a bare square read as a tile, called sure
    rows[1]["letters"][3][3], rows[1]["confidence"][3][3] = "G", 0.6  # a letter misread, not called sure
    rows[2]["heights"][6][3] = 2  # read too high, called sure; the board is upside down
    rows[2]["corners"] = rows[2]["corners"][2:] + rows[2]["corners"][:2]
    lines = [{"image": f"{number:02}.jpg", **row} for number, row in enumerate(rows)]
    monkeypatch.setattr(alone, "upscore", lambda *_: lines)
    tally = alone.read_alone(folder)
    counted = {name: tally[name] for name in alone.COUNTS if tally[name]}
    assert counted == {
        "pictures": 3, "found": 3, "bearing": 2, "turned": 1, "tiles": 7, "letters": 6, "tiles slanting": 7,
        "heights slanting": 6, "bare": 185, "false": 1, "sure": 191, "sure wrong": 2,
    }  # fmt: skip
    assert sum(each[2] for each in tally["bins"]["tiles, tilted"]) == 7


def event(kind: str, letter: str, changed: list[int], gone: int) -> dict[str, Any]:
    tiles = [{"row": 3, "col": 3, "letter": letter}] if letter else []
    return {"type": kind, "tiles": tiles, "changed_frames": changed, "hand_gone_frame": gone}


TRUTH = {
    "fps": 10,
    "frames": 300,
    "events": [
        event("play", "C", [20, 40], 50),
        event("takeback", "", [120, 130], 140),
        event("play", "D", [200, 210], 220),
    ],
}


def line(time: float, letter: str, kind: str = "play", asked: bool = False) -> dict[str, Any]:
    tiles = [{"row": 3, "col": 3, "letter": letter, "height": 1}] if letter else []
    return {"time": time, "kind": kind, "tiles": tiles, "needs_review": asked}


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([line(7, "C"), line(15, "", "removed"), line(24, "D")], (2, 0, 0, 1)),
        ([line(7, "C", asked=True), line(24, "D")], (1, 1, 0, 0)),
        ([line(7, "G"), line(24, "D")], (1, 0, 1, 0)),  # another letter
        ([line(4, "C"), line(24, "D")], (1, 0, 1, 0)),  # while the hand was there
        ([line(7, "C"), line(9, "C"), line(24, "D")], (2, 0, 1, 0)),  # twice
    ],
)
def test_a_film_is_held_against_what_was_played_in_it(
    lines: list[dict[str, Any]], told: tuple[int, int, int, int]
) -> None:
    tally, _ = films._score_tracked(lines, TRUTH)
    assert (tally["committed"], tally["asked"], tally["silent"], tally["noticed"]) == told


def test_a_line_that_amends_takes_the_place_of_the_one_before() -> None:
    lines = [line(7, "G"), {**line(9, "C"), "amends": True}, line(24, "D")]
    tally, delays = films._score_tracked(lines, TRUTH)
    assert (tally["committed"], tally["silent"]) == (2, 0)
    assert delays == pytest.approx([4.0, 2.0])


def test_no_error_among_many_bounds_the_share_of_errors_as_the_rule_of_three_says() -> None:
    assert upper_bound(0, 1000) == pytest.approx(1 - 0.05 ** (1 / 1000), rel=1e-6)
    assert upper_bound(2, 1000) == pytest.approx(0.006282, abs=1e-5)  # Clopper and Pearson's table


def test_spoiled_pictures_are_every_third_of_a_game_with_its_truth(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        (folder / "game" / f"{number:02}.jpg").write_bytes(jpeg(160, 160))
    seen: list[tuple[str, float]] = []

    def read(dataset: Path) -> Figures:
        (game,) = games_in(dataset)
        seen.extend((turn.name, float(load_image(turn.path)[0].mean())) for turn in game)
        return dict.fromkeys(alone.COUNTS, len(game))

    monkeypatch.setattr(spoiled, "read_alone", read)
    ways = {"as they are": spoiled.SPOILERS["as they are"], "at 0.05": spoiled.SPOILERS["at 0.05"]}
    figures = spoiled.read_spoiled(folder, ways)
    assert {name: counts["pictures"] for name, counts in figures.items()} == dict.fromkeys(ways, 1)
    (plain, day), (again, night) = seen
    assert plain == again == "game/00.jpg"
    assert night < 0.2 * day


@pytest.mark.parametrize(
    ("size", "way", "stretch"),
    [
        ((160, 90), "16:9 squeezed into 4:3", 3 / 4), ((160, 120), "4:3 stretched to 16:9", 4 / 3),
        ((160, 120), "16:9 squeezed into 4:3", None), ((120, 160), "4:3 stretched to 16:9", None),
    ],
)  # fmt: skip
def test_the_truth_of_a_squeezed_picture_is_squeezed_with_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], way: str, stretch: float | None
) -> None:
    (folder / "game" / "00.jpg").write_bytes(jpeg(size[1], size[0]))
    before = games_in(folder)[0][0].truth
    after: list[dict[str, Any]] = []

    def read(dataset: Path) -> Figures:
        for game in games_in(dataset):
            after.append(game[0].truth | {"pixels": load_image(game[0].path)[0].shape[1]})
        return dict.fromkeys(alone.COUNTS, len(after))

    monkeypatch.setattr(spoiled, "read_alone", read)
    spoiled.read_spoiled(folder, [way])
    if stretch is None:
        assert not after
        return
    (truth,) = after
    assert truth["pixels"] == pytest.approx(size[0] * stretch, abs=1)
    assert truth["width"] == before["width"] * stretch
    corners = [[pytest.approx((x + 0.5) * stretch - 0.5), y] for x, y in before["grid_corners"]]
    assert truth["grid_corners"] == corners
    (x, y), (wider, same) = before["cells"][5]["corners"][1], truth["cells"][5]["corners"][1]
    assert (wider, same) == (pytest.approx((x + 0.5) * stretch - 0.5), y)


def test_the_truth_of_a_warped_picture_moves_with_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.full((120, 160, 3), 200, dtype=np.uint8)
    picture[20:30, 30:40] = 0
    path = folder / "game" / "00.jpg"
    path.write_bytes(encode_jpeg(picture, 95))
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    truth["grid_corners"][0] = [34.5, 24.5]
    path.with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")
    darkest: list[tuple[Floats, Floats]] = []

    def read(dataset: Path) -> Figures:
        (game,) = games_in(dataset)
        rows, columns = np.nonzero(load_image(game[0].path)[0][..., 0] < 100)
        darkest.append((np.array([columns.mean(), rows.mean()]), np.array(game[0].truth["grid_corners"][0])))
        return dict.fromkeys(alone.COUNTS, 1)

    monkeypatch.setattr(spoiled, "read_alone", read)
    spoiled.read_spoiled(folder, ["through a lens of +0.12"])
    ((seen, told),) = darkest
    assert seen == pytest.approx(told, abs=0.7)
    assert np.linalg.norm(told - [34.5, 24.5]) > 2.0


def test_a_blind_throws_stripes_on_a_picture_and_leaves_its_truth(folder: Path) -> None:
    turn = games_in(folder)[0][1]
    turn.truth.update(turn=1, layer_cm=0.5, pitch_cm=2.0)
    grey = np.full((160, 160, 3), 100, dtype=np.uint8)
    before = json.dumps(turn.truth)
    seen = spoiled.through_blind(grey, turn, period=2.0, soft=0.05)
    assert json.dumps(turn.truth) == before
    bright, dark = (seen > 105).mean(), (seen < 45).mean()
    assert 0.4 < bright < 0.6
    assert 0.4 < dark < 0.6
