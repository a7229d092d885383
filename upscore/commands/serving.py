"""`upscore serve` and `upscore demo`: the page."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import sample_images
from engine.words import WordList
from upscore.commands.common import DONE, UsageError, house_rules
from upscore.words.judging import judge_word
from upscore.words.loader import lexicon_names, load_lexicon, load_meanings
from webui.ports import AppConfig, DemoGame, WordVerdict
from webui.reading import VisionReader
from webui.server import ServeConfig, serve

if TYPE_CHECKING:
    from upscore.commands.common import Commands

SAMPLES = Path(sample_images.__file__).parent
DEMOS = (
    DemoGame("Sample game, 8×8", SAMPLES / "classic_8x8", "8x8", ("Ada", "Ben")),
    DemoGame("Sample game, 10×10", SAMPLES / "blue_10x10", "10x10", ("Ada", "Ben", "Cleo")),
)


class Shelf:
    """The word lists of the page: the shipped ones, the table's own first where it has one."""

    def __init__(self, first: str) -> None:
        self._first = first

    def names(self) -> tuple[str, ...]:
        """The lists to choose from, the usual one first."""
        return (self._first, *(name for name in lexicon_names() if name != self._first))

    def load(self, name: str) -> WordList:
        """The list of that name."""
        return load_lexicon(name)


def add_serve(commands: Commands) -> None:
    parser = commands.add_parser("serve", help="the scoresheet page")
    _add_address(parser)
    parser.add_argument(
        "--https", action="store_true", help="serve over https, with a certificate of its own"
    )
    parser.add_argument(
        "--camera", metavar="SOURCE", help="a device number, a file, or an http or rtsp address"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="where games are kept")
    parser.add_argument("--lexicon", default="standard", metavar="NAME_OR_FILE", help="the usual word list")
    parser.add_argument("--rules", type=Path, metavar="FILE", help="house rules")
    parser.set_defaults(run=run_serve)


def add_demo(commands: Commands) -> None:
    parser = commands.add_parser("demo", help="the page, playing a sample game turn by turn with no camera")
    _add_address(parser)
    parser.add_argument("--pace", type=float, default=6.0, metavar="SECONDS", help="time between turns")
    parser.set_defaults(run=run_demo)


def run_serve(args: argparse.Namespace) -> int:
    load_lexicon(args.lexicon)
    config = AppConfig(
        data_dir=args.data or data_folder(),
        reader=VisionReader(),
        lexicons=Shelf(args.lexicon),
        judge=judge,
        camera=args.camera,
        rules=house_rules(args),
        demos=DEMOS,
    )
    serve(ServeConfig(config, host=args.host, port=args.port, https=args.https))
    return DONE


def run_demo(args: argparse.Namespace) -> int:
    if not 0.2 <= args.pace <= 3600:
        raise UsageError("--pace takes seconds, 0.2 to 3600.")
    with tempfile.TemporaryDirectory(prefix="upscore-demo-") as folder:
        config = AppConfig(
            data_dir=Path(folder),
            reader=VisionReader(),
            lexicons=Shelf("standard"),
            judge=judge,
            demos=DEMOS,
            demo_pace_s=args.pace,
        )
        serve(ServeConfig(config, host=args.host, port=args.port, play_demo=True))
    return DONE


def judge(word: str, lexicon_name: str) -> WordVerdict:
    """Settle a challenge by the list of that name."""
    verdict = judge_word(word, load_lexicon(lexicon_name), load_meanings())
    return WordVerdict(verdict.word, verdict.playable, verdict.meaning, verdict.reason)


def data_folder() -> Path:
    """Where games are kept unless --data says otherwise (XDG base directories)."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "upscore"


def _add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="0.0.0.0 lets the phones in the room in"
    )
    parser.add_argument("--port", type=int, default=8000, metavar="P")
