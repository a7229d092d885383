"""A set of one's own on the command line: `--edition FILE`."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest
from clikit import Caller
from presencekit import there

from calibration import CalibrationError
from calibration.layout import read_layout
from calibration.profile import Profile, Tiles, load_profile, save_profile
from engine import EDITIONS, FACES, Game, parse_play
from engine.editions import edition_data, parse_edition
from engine.formats.game_json import game_to_dict
from upscore.commands.inputs import choose_lexicon, read_edition
from vision import BoardReader
from vision.heights.thickness import THICKNESSES

TILES = "\n".join(f"{face} = 4" for face in FACES)
NINE = f'name = "Ours"\nsize = 9\nqu_bonus = 5\nlexicon = "large"\n[tiles]\n{TILES}'


@pytest.fixture
def nine(tmp_path: Path) -> Path:
    path = tmp_path / "ours.toml"
    path.write_text(NINE, encoding="utf-8")
    return path


def test_a_game_of_one_s_own_set_opens_without_its_file(upscore: Caller, tmp_path: Path, nine: Path) -> None:
    game = Game.start(read_edition(nine), ["Red", "Blue"]).play(parse_play("d5-TEN"))
    nine.unlink()
    saved = tmp_path / "game.json"
    saved.write_text(json.dumps(game_to_dict(game)))
    upscore("score", saved, "--tiles", "d6-IT Qu@c6", "--json")
    [line] = upscore.lines()
    assert {"word": "QUIT", "points": 6 + 5} in line["words"]


def test_the_edition_s_list_judges_where_none_is_named(nine: Path) -> None:
    edition = read_edition(nine)
    assert choose_lexicon(Namespace(lexicon=None), edition).name == "large"
    assert choose_lexicon(Namespace(lexicon="standard"), edition).name == "standard"
    assert choose_lexicon(Namespace(lexicon=None), EDITIONS["8x8"]).name == "both"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the edition is empty"),
        (NINE.encode("utf-16"), "not a text file in UTF-8"),
        (NINE.replace("Ours", "\xdcnser").encode("latin-1"), "not a text file in UTF-8"),
        (b"A = 1\n" * 1_000_000, "far too large"),
        (NINE.replace("size", "siez").encode(), "did you mean size?"),
        (NINE.replace("B = 4", "B = many").encode(), "not readable TOML"),
        (NINE.encode() + "\n\"Ä!\" = 2".encode(), "Ä! is not a tile: write one to 3 letters"),
    ],
)  # fmt: skip
def test_a_faulty_file_is_named_with_what_is_wrong(upscore: Caller, nine: Path, data: bytes, told: str) -> None:
    nine.write_bytes(data)
    upscore("read", "photo.jpg", "--edition", nine)
    upscore.expect_refusal(str(nine), told)


def test_a_file_that_is_not_there_is_named(upscore: Caller, tmp_path: Path) -> None:
    upscore("replay", tmp_path, "--edition", tmp_path / "gone.toml")
    upscore.expect_refusal("There is no file", "gone.toml")


def test_a_profile_keeps_the_edition_of_its_tiles(tmp_path: Path) -> None:
    ours, path = parse_edition(NINE), tmp_path / "profile.json"
    save_profile(Profile(None, Tiles(ours, None, np.zeros(len(THICKNESSES)))), path)
    back = there(load_profile(path).tiles)
    assert back.edition == ours
    assert json.loads(path.read_text())["tiles"]["edition"] == edition_data(ours)


def test_more_tiles_than_squares_are_not_laid_out(nine: Path) -> None:
    with pytest.raises(CalibrationError, match="--from-game"):
        read_layout(BoardReader(), np.zeros((60, 60, 3), np.uint8), read_edition(nine))
