"""Pictures with exact truth.

    python -m workshop.training.generate --out DIR --count N --seed S

writes NNNNN.jpg, NNNNN.json and, where a hand shows, NNNNN_hand.png. An interrupted run goes on where it stopped,
and a number's picture depends on seed and number alone, so that several runs may share the work with `--start`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from engine import FACES
from vision.letters.eyes import LATIN
from workshop.training.faces.fonts import NO_FONTS, usable_fonts
from workshop.training.faces.typeface import FontFace
from workshop.training.path_traced.path_tracer import missing, trace
from workshop.training.photograph import Renderer, Sample, march, photograph, save_sample
from workshop.training.scene.board_style import harder
from workshop.training.scene.build import Scene, random_scene
from workshop.training.scene.textures import draw_pattern, table_texture
from workshop.training.views import close_from_above, from_above, hard_view, random_camera

_TRIES, _FEWEST, _ALL_SINGLE = 12, 5, 0.15
"""Scenes drawn until one has stacks, the tiles it has, and the share of those that may have single tiles alone.
[by eye]"""
HARD_VIEW = 0.5
"""Share of the hard pictures that are one of VIEWS. [by eye]"""
DEFAULT_CACHE = Path.home() / ".cache" / "upscore-training"


class Kind(Enum):
    """What is drawn: anything that may be met, more of what is hard to find, boards from above, and stacks from above.

    Of the hard ones two in five have grids that are hard to make out, and half are seen from low down, cut or small.
    Patterned ones are such, and lie on floors and cloths on which lines cross. Stacked ones fill small pictures.
    """

    ANY = "any"
    HARD = "hard"
    PATTERNED = "patterned"
    FROM_ABOVE = "from above"
    STACKED = "stacked"


@lru_cache(maxsize=4)
def _fonts(cache: Path) -> tuple[FontFace, ...]:
    return tuple(usable_fonts(cache))


def generate_sample(
    rng: np.random.Generator,
    cache: Path = DEFAULT_CACHE,
    *,
    kind: Kind = Kind.ANY,
    renderer: Renderer = march,
    letters: Sequence[str] = FACES,
) -> Sample:
    """Draw and render one sample of a kind, with `letters` on its tiles; `cache` holds the survey of fonts."""
    if kind is Kind.STACKED:
        scene = draw_stacked_scene(rng, list(_fonts(cache)))
        return photograph(rng, scene, close_from_above(rng, scene.span), renderer)
    hard = kind in (Kind.HARD, Kind.PATTERNED)
    top = draw_pattern if kind is Kind.PATTERNED else table_texture
    scene = random_scene(rng, list(_fonts(cache)), harder if hard else None, top, letters)
    if kind is Kind.FROM_ABOVE:
        return photograph(rng, scene, from_above(rng, scene.span), renderer)
    if hard and rng.random() < HARD_VIEW:
        return photograph(rng, scene, hard_view(rng, scene.span), renderer)
    return photograph(rng, scene, random_camera(rng, scene.span), renderer)


def draw_stacked_scene(rng: np.random.Generator, fonts: list[FontFace]) -> Scene:
    """Return the first of a few random scenes with tiles that stack, enough to be compared."""
    for _ in range(_TRIES):
        scene = random_scene(rng, fonts)
        heights = scene.content.heights
        if not scene.n or scene.describe()["flat"] or (heights > 0).sum() < _FEWEST:
            continue
        may_be_single = rng.random() < _ALL_SINGLE
        if may_be_single or heights.max() > 1:
            break
    return scene


def write_sample(
    out: Path,
    seed: int,
    cache: Path,
    index: int,
    *,
    kind: Kind = Kind.ANY,
    renderer: Renderer = march,
    letters: Sequence[str] = FACES,
) -> int:
    """Write sample `index` as NNNNN.jpg and NNNNN.json unless it is there already; return the index."""
    record = out / f"{index:05d}.json"
    if not record.is_file():
        rng = np.random.default_rng([seed, index])
        sample = generate_sample(rng, cache, kind=kind, renderer=renderer, letters=letters)
        save_sample(record, sample, int(rng.integers(88, 98)))
    return index


def add_renderer(parser: argparse.ArgumentParser) -> None:
    """Offer the path tracer in the ray marcher's place."""
    parser.add_argument("--path-traced", action="store_true", help="let light bounce: better pictures, slower")


def choose_renderer(parser: argparse.ArgumentParser, args: argparse.Namespace) -> Renderer:
    """Return the renderer that was asked for; end the program in a line where its tools are missing."""
    wanting = missing() if args.path_traced else ""
    if wanting:
        parser.error(wanting)
    return trace if args.path_traced else march


def main(argv: list[str] | None = None) -> int:
    """Write samples, going on where an earlier run stopped."""
    parser = argparse.ArgumentParser(description="Render boards with exact truth.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="folder for the survey of fonts")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--hard", dest="kind", action="store_const", const=Kind.HARD, default=Kind.ANY,
        help="more of the grids and views that are hard to find")  # fmt: skip
    kinds.add_argument("--patterned", dest="kind", action="store_const", const=Kind.PATTERNED,
        help="such ones on tiled floors, plaids, parquet")  # fmt: skip
    kinds.add_argument("--from-above", dest="kind", action="store_const", const=Kind.FROM_ABOVE,
        help="all seen from above, for sizes and walls")  # fmt: skip
    kinds.add_argument("--stacked", dest="kind", action="store_const", const=Kind.STACKED,
        help="small pictures of stacks from above, for comparing them")  # fmt: skip
    parser.add_argument("--latin", action="store_true", help="letters beyond A to Z on the tiles, too")
    add_renderer(parser)
    args = parser.parse_args(argv)
    renderer = choose_renderer(parser, args)
    args.out.mkdir(parents=True, exist_ok=True)
    if not _fonts(args.cache):
        parser.error(NO_FONTS)
    letters = LATIN if args.latin else FACES
    task = partial(write_sample, args.out, args.seed, args.cache, kind=args.kind, renderer=renderer, letters=letters)
    indices = range(args.start, args.start + args.count)
    if args.workers <= 1:
        for index in indices:
            task(index)
        return 0
    with ProcessPoolExecutor(args.workers) as pool:
        for _ in pool.map(task, indices, chunksize=4):
            pass
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
