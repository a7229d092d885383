"""Pictures of one difficult kind each, for measuring how boards are found, and heights read, where people really sit.

    python -m workshop.training.hard_views --words FILE --out DIR --count N --seed S

writes a folder a kind, COUNT pictures each, with their truth as `games` writes it; every picture shows another board in
another room, some turns into a game. Letters are of typefaces that no training picture shows.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from engine import Board, Lexicon, Play, find_edition
from workshop.training.faces.fonts import NO_FONTS, unseen_fonts
from workshop.training.faces.typeface import FontFace
from workshop.training.games import LONGEST, content_of, picture_truth
from workshop.training.photograph import photograph
from workshop.training.random_games import play_game
from workshop.training.scene.board_style import add_rim, faint
from workshop.training.scene.build import HAND, lay_table, random_setting
from workshop.training.scene.tiles import set_thickness
from workshop.training.views import VIEWS, random_camera

_MOST_TURNS = 12
_STYLES = {"faint": faint, "rim": add_rim}
_LAYERS = {"thin": (0.12, 0.165), "thick": (0.36, 0.42)}
"""Range of the tiles' thickness, cells. In training, sets of tiles that stack have 0.19 to 0.32. [by eye]"""
KINDS = (*VIEWS, *_STYLES, *_LAYERS)
"""The kinds: where the camera stands, but for `faint`, a board of one colour with shallow grooves and a wide rim,
`rim`, whose rim is about a square wide, with a hand over the board, and `thin` and `thick` tiles."""


def write_picture(name: Path, kind: str, rng: np.random.Generator, fonts: list[FontFace], words: Lexicon) -> None:
    """Draw one picture of a kind, NAME.jpg and NAME.json, unless it is there already."""
    if name.with_suffix(".json").is_file():
        return
    edition = find_edition(str(rng.choice(["8x8", "10x10"])))
    setting = random_setting(rng, fonts, edition.size, _STYLES.get(kind))
    if kind in _LAYERS:
        setting = replace(setting, tiles=set_thickness(setting.tiles, rng.uniform(*_LAYERS[kind])))
    turns = int(rng.integers(1, _MOST_TURNS + 1))
    start = (Board.empty(edition.size), Play(()))
    board, play = [start, *play_game(rng, edition, words, turns)][-1]
    scene = lay_table(rng, setting, content_of(board), 1.0 if kind == "rim" else HAND)
    sample = photograph(rng, scene, VIEWS.get(kind, random_camera)(rng, setting.n, LONGEST))
    cv2.imwrite(str(name.with_suffix(".jpg")), sample.image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(80, 96))])
    truth = picture_truth(name.with_suffix(".jpg"), scene, sample, board, play)
    name.with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--words", type=Path, required=True, help="a list of words, one a line")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=40, help="pictures of each kind")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    fonts = unseen_fonts()
    if not fonts:
        parser.error(NO_FONTS)
    words = Lexicon.from_words(args.words.read_text(encoding="utf-8").split(), name=args.words.stem)
    for kind in args.kinds:
        (args.out / kind).mkdir(parents=True, exist_ok=True)
        for number in range(args.count):
            rng = np.random.default_rng([args.seed, KINDS.index(kind), number])
            write_picture(args.out / kind / f"{number:02d}", kind, rng, fonts, words)


if __name__ == "__main__":
    main()
