"""`upscore serve` and `upscore demo`: the page."""

from __future__ import annotations

import argparse
import os
import tempfile
from functools import lru_cache, partial
from pathlib import Path

import sample_images
from calibration.profile import load_profile
from engine.errors import LexiconError
from engine.lexicon.lexicon import Lexicon
from upscore.commands.console import DONE
from upscore.commands.inputs import chosen_lexicon, house_rules
from upscore.commands.table_reader import TableVision
from upscore.errors import UsageError
from upscore.words.catalogue import HONEST, OWN_FILE, list_infos
from upscore.words.family import family_lexicon
from upscore.words.judging import judge_word
from upscore.words.loader import DEFAULT_LEXICON, lexicon_names, load_lexicon, load_meanings
from upscore.words.versions import change_since, lexicon_digest
from webui.live.vision_reader import VisionReader
from webui.ports import AppConfig, DemoGame, WordVerdict
from webui.server import ServeConfig, serve

LIST_TOLD = {info.name: (info.label, info.description) for info in list_infos()}
LISTS_NOTE = f"{HONEST} {OWN_FILE}"
"""What the page says of the shipped word lists."""

SAMPLES = Path(sample_images.__file__).parent
DEMOS = (
    DemoGame("Sample game, 8x8", SAMPLES / "classic_8x8", "8x8", ("Ada", "Ben")),
    DemoGame("Sample game, 10x10", SAMPLES / "blue_10x10", "10x10", ("Ada", "Ben", "Cleo")),
)

_PACES = (0.2, 3600.0)
"""Least and most seconds between the demo's turns."""

_LAST_PORT = 65535


class Shelf:
    """The word lists of the page: the shipped ones, the table's own first where it has one.

    With `for_family` none holds the words of `upscore.words.family`.
    """

    def __init__(self, first: str = DEFAULT_LEXICON, *, for_family: bool = False) -> None:
        self._first, self._for_family = first, for_family

    def names(self) -> tuple[str, ...]:
        """The lists to choose from, the usual one first."""
        return (self._first, *(name for name in lexicon_names() if name != self._first))

    def load(self, name: str) -> Lexicon:
        """The list of that name."""
        return family_lexicon(_loaded(name)) if self._for_family else _loaded(name)


def run_serve(args: argparse.Namespace) -> int:
    """Serve the page until it is stopped."""
    chosen_lexicon(args)  # what is wrong with it is said now, not when the first game begins
    config = AppConfig(
        data_dir=args.data or data_folder(),
        reader=_vision(args.profile),
        lexicons=Shelf(args.lexicon, for_family=args.family),
        judge=partial(judge, for_family=args.family),
        list_told=LIST_TOLD,
        lists_note=LISTS_NOTE,
        cameras=tuple(args.camera),
        rules=house_rules(args),
        demos=DEMOS,
        names=tuple(args.name),
    )
    serve(ServeConfig(config, host=args.host, port=_port(args), https=args.https))
    return DONE


def run_demo(args: argparse.Namespace) -> int:
    """Serve the page with a sample game under way, in a folder that is gone afterwards."""
    least, most = _PACES
    if not least <= args.pace <= most:
        raise UsageError(f"--pace takes seconds, {least} to {most:.0f}.")
    with tempfile.TemporaryDirectory(prefix="upscore-demo-") as folder:
        config = AppConfig(
            data_dir=Path(folder),
            reader=_vision(args.profile),
            lexicons=Shelf(),
            judge=judge,
            list_told=LIST_TOLD,
            lists_note=LISTS_NOTE,
            demos=DEMOS,
            demo_pace_s=args.pace,
        )
        serve(ServeConfig(config, host=args.host, port=_port(args), play_demo=True))
    return DONE


def _vision(profile: Path | None) -> VisionReader:
    """The page's reader, with the profile of --profile; raises ProfileError."""
    return VisionReader() if profile is None else TableVision(load_profile(profile))


def judge(word: str, lexicon_name: str, *, for_family: bool = False) -> WordVerdict:
    """Settle a challenge by the list of that name; raises LexiconError where its file is another by now.

    With `for_family` the words of `upscore.words.family` are neither playable nor explained.
    """
    loaded = _loaded(lexicon_name)
    if lexicon_name not in lexicon_names():
        changed = change_since(lexicon_name, _digest_when_loaded(lexicon_name))
        if changed is not None:
            raise LexiconError(changed)
    verdict = judge_word(word, loaded, load_meanings(), for_family=for_family)
    return WordVerdict(verdict.word, verdict.playable, verdict.meaning, verdict.reason)


def data_folder() -> Path:
    """Where games are kept unless --data says otherwise (XDG base directories)."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "upscore"


def _port(args: argparse.Namespace) -> int:
    port: int = args.port
    if not 0 <= port <= _LAST_PORT:
        raise UsageError(f"--port takes 0 to {_LAST_PORT}, not {port}.")
    return port


@lru_cache(maxsize=4)
def _loaded(name: str) -> Lexicon:
    if name not in lexicon_names():
        _digest_when_loaded(name)
    return load_lexicon(name)


@lru_cache
def _digest_when_loaded(name: str) -> str:
    return lexicon_digest(name)
