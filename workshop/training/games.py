"""Whole games with exact truth, for measuring: every turn photographed, words and all.

    python -m workshop.training.games --words FILE --out DIR --count N --seed S

writes a folder a game: 00.jpg is the empty board, NN.jpg the board after turn NN, NN.json its truth (the key `cells`
lists the squares row by row). Half of the games have a camera on an arm, half a phone that is somewhere else each time.
Tiles lie a little otherwise and the light is another in every picture. The letters are of typefaces that no training
picture shows, or of those in the folder `--fonts`. With `--rounds` each set is played with that often, under another
camera each time. With `--hard` two boards of five have grids that are hard to make out, and every camera stands low
down, over a corner, far away, or so that the picture cuts the board. With `--edition` all games are of the set that a
file describes, and its letters are of those typefaces that have them all.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine import ENGLISH, Alphabet, Board, Edition, Lexicon, Play, find_edition
from engine.editions import parse_edition
from upscore.words.loader import load_word_file
from workshop.training.faces.fonts import NO_FONTS, drawable, fonts_in, unseen_fonts
from workshop.training.faces.typeface import FontFace
from workshop.training.generate import add_renderer, choose_renderer
from workshop.training.path_traced import path_tracer
from workshop.training.photograph import Renderer, Sample, march, photograph
from workshop.training.random_games import play_game
from workshop.training.scene.board_style import harder
from workshop.training.scene.build import Scene, Setting, lay_table, random_setting
from workshop.training.scene.content import Content
from workshop.training.views import View, hard_view, random_camera

LONGEST = (1200, 1440)
"""The pictures' longer side, px: large enough to be shrunk by the reader, as real ones are. [by eye]"""


def content_of(board: Board) -> Content:
    """Return the board as the renderer takes it."""
    heights = np.array([[len(stack) for stack in row] for row in board.stacks], dtype=np.int64)
    return Content(heights, tuple(tuple(stack[-1] if stack else "" for stack in row) for row in board.stacks))


def view_of(hard: bool) -> View:
    """Draw where the cameras of a game stand: anywhere, or in `hard` places."""
    return hard_view if hard else random_camera


def write_game(
    folder: Path,
    rng: np.random.Generator,
    fonts: list[FontFace],
    words: Lexicon,
    turns: int,
    renderer: Renderer = march,
    *,
    hard: bool = False,
    longest: tuple[int, int] | None = None,
    edition: Edition | None = None,
) -> tuple[Edition, Setting]:
    """Play and photograph one game, a `hard` one if so; the board and the tiles that it was played with.

    Unless an `edition` is given, it is one of the two usual ones.
    """
    edition = edition or find_edition(str(rng.choice(["8x8", "10x10"])))
    setting = random_setting(rng, fonts, edition.size, harder if hard else None)
    write_round(folder, rng, edition, setting, words, turns, renderer, view_of(hard), longest)
    return edition, setting


def write_round(
    folder: Path,
    rng: np.random.Generator,
    edition: Edition,
    setting: Setting,
    words: Lexicon,
    turns: int,
    renderer: Renderer = march,
    view: View = random_camera,
    longest: tuple[int, int] | None = None,
) -> None:
    """Play and photograph a game with a board and tiles that there are.

    `longest` bounds the longer side of the pictures, px. Unless it is given, path traced pictures are smaller.
    """
    longest = longest or (LONGEST if renderer is march else path_tracer.LONGEST)
    fixed = view(rng, setting.n, longest) if rng.random() < 0.5 else None
    folder.mkdir(parents=True, exist_ok=True)
    start = (Board.empty(edition.size, edition.alphabet), Play(()))
    for turn, (board, play) in enumerate([start, *play_game(rng, edition, words, turns)]):
        scene = lay_table(rng, setting, content_of(board))
        sample = photograph(rng, scene, fixed or view(rng, setting.n, longest), renderer)
        name = folder / f"{turn:02d}.jpg"
        cv2.imwrite(str(name), sample.image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(85, 96))])
        truth = picture_truth(name, scene, sample, board, play)
        name.with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")


def picture_truth(name: Path, scene: Scene, sample: Sample, board: Board, play: Play) -> dict[str, Any]:
    """Return the truth of one picture of a game, as `upscore replay` and its scorers take it."""
    truth = sample.truth()
    return {
        "set": name.parent.name, "image": name.name, "edition": board.size, "turn": int(name.stem),
        "width": truth["width"], "height": truth["height"], "K": truth["K"], "dist": truth["dist"],
        "tilt_deg": truth["style"]["tilt"], "azimuth_deg": truth["style"]["azimuth"], "pitch_cm": 1.0,
        "layer_cm": sample.layer_h, "tile_cm": 2 * scene.tiles.shape.half, "grid_corners": truth["grid_corners"],
        "font": truth["style"]["font"], "board_theme": truth["style"]["board"], "hand_present": scene.has_hand,
        "move": [{"row": t.square.row, "col": t.square.col, "letter": t.face} for t in play.tiles],
        "cells": [
            {
                "row": s.row, "col": s.col, "stack": list(board.stack(s)), "height": len(board.stack(s)),
                "top": board.top(s) or None, "corners": truth["face_corners"][s.row][s.col],
                "hand": float(sample.hand_hidden[s.row, s.col]),
                "occluded": float(max(1 - sample.visible[s.row, s.col] - sample.hand_hidden[s.row, s.col], 0)),
            }
            for s in board.squares()
        ],
    }  # fmt: skip


def _words(path: Path, alphabet: Alphabet) -> Lexicon:
    """Return the words of a file; of those of other languages what an alphabet's tiles can spell."""
    if alphabet.is_english:
        return Lexicon.from_words(path.read_text(encoding="utf-8").upper().split(), name=path.stem)
    return load_word_file(path, alphabet)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--words", type=Path, required=True, help="a list of words, one a line")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=8, help="games")
    parser.add_argument("--turns", type=int, default=14, help="turns of a game, at most")
    parser.add_argument("--rounds", type=int, default=1, help="games with each set, in folders NAME, NAME-2 ...")
    parser.add_argument("--fonts", type=Path, help="a folder of typefaces for the letters, any that have them all")
    parser.add_argument("--edition", type=Path, help="the file of a set, whose games these are")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hard", action="store_true", help="boards and cameras that are hard for the reader")
    add_renderer(parser)
    args = parser.parse_args()
    renderer = choose_renderer(parser, args)
    fonts = unseen_fonts() if args.fonts is None else fonts_in(args.fonts)
    if not fonts:
        parser.error(NO_FONTS)
    given = None if args.edition is None else parse_edition(args.edition.read_text(encoding="utf-8"))
    alphabet = ENGLISH if given is None else given.alphabet
    fonts = [font for font in fonts if alphabet.is_english or len(drawable(font, alphabet.faces)) == len(alphabet)]
    words = _words(args.words, alphabet)
    for number in range(args.count):
        rng = np.random.default_rng([args.seed, number])
        name = f"game{number:02d}"
        edition, setting = write_game(
            args.out / name, rng, fonts, words, args.turns, renderer, hard=args.hard, edition=given
        )
        for again in range(2, args.rounds + 1):
            rng = np.random.default_rng([args.seed, number, again])
            folder = args.out / f"{name}-{again}"
            write_round(folder, rng, edition, setting, words, args.turns, renderer, view_of(args.hard))


if __name__ == "__main__":
    main()
