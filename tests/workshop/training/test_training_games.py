"""Whole games drawn for measuring: played by the rules, photographed turn by turn, with the truth of every square."""

from __future__ import annotations

import json
from pathlib import Path
from string import ascii_uppercase

import cv2
import numpy as np
import pytest
from presencekit import there

pytest.importorskip("numba", reason="numba is not installed (the `train` extra)")
pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")

from trainingkit import write_font, write_typefaces

from engine import Board, Lexicon, Play, find_edition, referee
from workshop.training import views
from workshop.training.faces.fonts import fonts_in, usable_fonts
from workshop.training.games import content_of, write_game, write_round
from workshop.training.random_games import play_game

pytestmark = pytest.mark.slow

LISTED = """
AA AE AI AL AN AR AS AT BE BY DO EAR EAT ED EN ER ES ET EX HE IN IS IT LA LE LI LO MA ME MI MU NE NO OD OE OF ON OR OS
OW RE RATE RAT RATES SEA SEAT SO TA TAR TARE TE TEA TI TO TONE UN UP US UT WE WO YE YO
"""
WORDS = Lexicon.from_words(LISTED.split(), name="small")
PAIRS = Lexicon.from_words([a + b for a in ascii_uppercase for b in ascii_uppercase], name="any two letters")
CLASSIC = find_edition("8x8")
SMALL = (160, 160)
"""How large the pictures are, px."""


def game(seed: int, **settings: float) -> list[tuple[Board, Play]]:
    return list(play_game(np.random.default_rng(seed), CLASSIC, WORDS, 12, **settings))


@pytest.mark.parametrize("seed", range(4))
def test_each_board_is_the_one_before_with_the_play_on_it(seed: int) -> None:
    before = Board.empty(8)
    turns = game(seed)
    assert turns
    for board, play in turns:
        assert before.with_play(play) == board
        before = board


def test_plays_keep_the_rules_but_for_words_that_are_bluffed() -> None:
    before = Board.empty(8)
    for board, play in game(3, bluffs=0.0):
        assert referee(before, play, edition=CLASSIC, lexicon=WORDS).legal
        before = board


def test_no_more_tiles_are_played_than_the_bag_holds() -> None:
    counts = game(2)[-1][0].counts()
    assert all(count <= (CLASSIC.distribution or {})[face] for face, count in counts.items())


def test_the_same_seed_plays_the_same_game() -> None:
    assert game(5) == game(5)


def test_the_renderer_gets_the_board_as_it_is() -> None:
    board = game(1)[-1][0]
    content = content_of(board)
    for square in board.squares():
        assert content.heights[square.row, square.col] == board.height(square)
        assert content.faces[square.row][square.col] == board.top(square)


def test_a_game_is_written_turn_by_turn(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    fonts = usable_fonts(folders=(write_typefaces(tmp_path / "fonts"),))
    write_game(tmp_path / "game", np.random.default_rng(4), fonts, PAIRS, 2, longest=SMALL)
    told = [json.loads(path.read_text()) for path in sorted((tmp_path / "game").glob("*.json"))]
    assert [len(turn["move"]) > 0 for turn in told] == [False, True, True]
    for turn in told:
        picture = there(cv2.imread(str(tmp_path / "game" / turn["image"])))
        assert picture.shape[:2] == (turn["height"], turn["width"])
        assert len(turn["cells"]) == turn["edition"] ** 2
        assert len(turn["grid_corners"]) == 4
    tiles = sum(cell["height"] for cell in told[-1]["cells"])
    assert tiles == sum(len(turn["move"]) for turn in told)


def test_a_set_is_played_with_again_under_another_camera(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    fonts = fonts_in(write_typefaces(tmp_path / "fonts"))
    edition, setting = write_game(tmp_path / "game00", np.random.default_rng(4), fonts, PAIRS, 1, longest=SMALL)
    write_round(tmp_path / "game00-2", np.random.default_rng(5), edition, setting, PAIRS, 1, longest=SMALL)
    one, other = (json.loads((tmp_path / name / "01.json").read_text()) for name in ("game00", "game00-2"))
    kept = ("edition", "font", "board_theme", "layer_cm", "tile_cm")
    assert [one[key] for key in kept] == [other[key] for key in kept]
    assert one["move"] != other["move"]
    assert one["grid_corners"] != other["grid_corners"]


def test_hard_games_are_seen_from_hard_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "VIEWS", {"low": views.VIEWS["low"]})
    (tmp_path / "fonts").mkdir()
    fonts = fonts_in(write_typefaces(tmp_path / "fonts"))
    write_game(tmp_path / "game", np.random.default_rng(4), fonts, PAIRS, 2, hard=True, longest=SMALL)
    told = [json.loads(path.read_text()) for path in sorted((tmp_path / "game").glob("*.json"))]
    assert len(told) == 3
    assert all(turn["tilt_deg"] > 40 for turn in told)


def test_typefaces_that_are_asked_for_are_taken_however_odd(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    folder = write_typefaces(tmp_path / "fonts")
    write_font(folder / "odd.ttf", "Made Up Italic")
    assert "Made Up Italic" not in {face.family for face in usable_fonts(folders=(folder,))}
    assert len(fonts_in(folder)) == 4
