"""`upscore serve` and `upscore demo`: the page. `upscore tables`: the games of any number of Upscores on one page."""

from __future__ import annotations

import argparse
import threading
import webbrowser
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from werkzeug.local import LocalProxy

import sample_images
from engine import ENGLISH, Alphabet, Lexicon
from engine.lexicon.lexicon import WordVerdict
from engine.wording import phrase
from upscore.commands.console import DONE, UsageError, incomplete
from upscore.commands.inputs import choose_lexicon, data_folder, house_rules, port_of
from upscore.words.judging import family_lexicon, is_marked, judge_word
from upscore.words.languages import list_languages
from upscore.words.loader import (
    DEFAULT_LEXICON,
    LISTS_NOTE,
    check_unchanged,
    file_digest,
    is_own_list,
    lexicon_names,
    list_info,
    load_lexicon,
    load_meanings,
    word_language,
)
from vision.system import has_screen
from webui.ports import AppConfig, Tour, TourStep, TurnReader
from webui.server import ServeConfig, serve

if TYPE_CHECKING:
    from calibration import Profile

SAMPLES = Path(sample_images.__file__).parent
TOUR = Tour(
    SAMPLES / "classic_8x8",
    "8x8",
    ("Ada", "Ben"),
    DEFAULT_LEXICON,
    "00.jpg",
    phrase("Ada and Ben play on a real board. After each turn they photograph it with a phone."),
    (
        TourStep("01.jpg", ""),
        TourStep("02.jpg", phrase("In a stack, every tile counts.")),
        TourStep("03.jpg", phrase("A photo from any side will do.")),
        TourStep("04.jpg", ""),
        TourStep("05.jpg", ""),
        TourStep("challenge", phrase("Ben doubts WHIT and taps Challenge. Upscore looks it up.")),
        TourStep("06.jpg", ""),
        TourStep(
            "08.jpg",
            phrase(
                "Nobody photographed QUEUE, and now LYNX lies there too. Upscore asks which came first: Ada's QUEUE "
                "did, so tap that answer."
            ),
        ),
        TourStep("09.jpg", ""),
        TourStep("10.jpg", ""),
        TourStep("end", phrase("Ada and Ben agree to stop. Each has one tile left, which costs points.")),
    ),
)
"""The sample game as a tour. Without the seventh photograph the eighth leaves two possible orders."""

_PACES = (0.2, 3600.0)
"""Least and most seconds between the tour's steps. [by eye]"""


T = TypeVar("T")


def lazy(make: Callable[[], T]) -> Callable[[], T]:
    """Return a function that calls `make` on its first call. Other callers wait meanwhile.

    If `make` raises, this caller gets the error, and the next call tries again.
    """
    call_once, calling = cache(make), threading.Lock()

    def get() -> T:
        with calling:
            return call_once()

    return get


class Shelf:
    """The word lists of the page, the table's own first, those of the languages last.

    With `for_family` they leave out coarse words and slurs.
    """

    def __init__(
        self, first: str = DEFAULT_LEXICON, *, for_family: bool = False, languages: Iterable[str] = ()
    ) -> None:
        self._names = tuple(dict.fromkeys((first, *lexicon_names(), *languages)))
        self._for_family = for_family
        self._loading = threading.Lock()

    def names(self) -> tuple[str, ...]:
        """Return the lists to choose from, the usual one first."""
        return self._names

    def labels(self) -> dict[str, tuple[str, str]]:
        """Return each list's name and description for the page."""
        infos = map(list_info, self.names())
        return {info.name: (info.label, info.description) for info in infos}

    def load(self, name: str, alphabet: Alphabet = ENGLISH) -> Lexicon:
        """Load the list of that name, once, even if several ask for it meanwhile."""
        with self._loading:
            words = _load(name, alphabet)
            return family_lexicon(words) if self._for_family else words


def open_browser(url: str) -> None:
    """Open an address in a browser with windows, if there is one. The command goes on meanwhile."""

    def show() -> None:
        try:
            browser = webbrowser.get()
        except webbrowser.Error:
            return
        if type(browser) is not webbrowser.GenericBrowser:  # such a browser would take over the terminal
            browser.open(url)

    threading.Thread(target=show, name="browser", daemon=True).start()


def run_serve(args: argparse.Namespace) -> int:
    """Serve the page until it is stopped."""
    args.lexicon = args.lexicon or DEFAULT_LEXICON
    if args.lexicon not in lexicon_names():
        choose_lexicon(args)  # reports a problem with it now, not when the first game begins
    if is_own_list(args.lexicon):
        # Games keep this path. They must find the file even if Upscore starts in another folder next time.
        args.lexicon = str(Path(args.lexicon).absolute())
    shelf = Shelf(args.lexicon, for_family=args.family, languages=list_languages())
    if args.lexicon in lexicon_names():
        # The first page of a game needs the list. It is loaded by the time that the page listens.
        threading.Thread(target=shelf.load, args=(args.lexicon,), name="word list", daemon=True).start()
    config = replace(
        _app(args, shelf),
        judge=partial(judge, for_family=args.family),
        cameras=tuple(args.camera),
        rules=house_rules(args),
        names=tuple(args.name),
        behind_proxy=args.behind_proxy,
    )
    serve(_serving(args, config, https=args.https))
    return DONE


def run_demo(args: argparse.Namespace) -> int:
    """Serve the page with a tour that begins when somebody looks; games that people begin are kept as by `serve`."""
    least, most = _PACES
    if not least <= args.pace <= most:
        raise UsageError(f"--pace takes seconds, {least} to {most:.0f}.")
    config = replace(_app(args, Shelf(languages=list_languages())), demo_pace_s=args.pace)
    serve(_serving(args, config, play_demo=True))
    return DONE


def run_tables(args: argparse.Namespace) -> int:
    """Serve the page of all tables until it is stopped."""
    from webui.hall import Hall, Source, serve_hall

    hall = Hall(tuple(map(Source.parse, args.addresses)), data_folder(args))
    on_ready = open_browser if has_screen() and not args.no_browser else None
    serve_hall(hall, args.host, port_of(args), tuple(args.name), on_ready)
    return DONE


def _serving(args: argparse.Namespace, app: AppConfig, **more: bool) -> ServeConfig:
    """Add to an application where it is served, and whether a browser opens it.

    No browser opens behind a proxy: nobody has joined at this computer's own address, so it would only show how to
    join.
    """
    on_ready = open_browser if has_screen() and not (args.no_browser or app.behind_proxy) else None
    return ServeConfig(app, host=args.host, port=port_of(args), on_ready=on_ready, **more)


def _app(args: argparse.Namespace, shelf: Shelf) -> AppConfig:
    """Return the configuration that both commands give the page."""
    reader = _reader(args.profile)
    return AppConfig(
        data_dir=data_folder(args),
        reader=cast(TurnReader, LocalProxy(reader)),
        lexicons=shelf,
        judge=judge,
        list_labels=shelf.labels(),
        lists_note=LISTS_NOTE,
        suggest=lambda word: not is_marked(word),
        word_language=word_language,
        tour=TOUR,
        get_ready=partial(_get_ready, reader),
    )


def _reader(path: Path | None) -> Callable[[], TurnReader]:
    """Return a function that makes the page's reader. Load the profile of --profile at once; raises ProfileError."""
    if path is None:
        return lazy(_vision_reader)
    from calibration import load_profile

    return lazy(partial(_vision_reader, load_profile(path)))


def _vision_reader(profile: Profile | None = None) -> TurnReader:
    # The reader and the networks' library are imported only here, so that the page opens a third sooner.
    try:
        from vision.networks import load_networks
        from webui.table.reader import VisionReader
    except ImportError as error:
        raise incomplete(error) from None
    load_networks()
    return VisionReader(profile)


def _get_ready(reader: Callable[[], TurnReader]) -> None:
    """Load everything that the first photograph or challenge would otherwise wait for."""
    reader()
    load_meanings()


def judge(word: str, lexicon_name: str, alphabet: Alphabet = ENGLISH, *, for_family: bool = False) -> WordVerdict:
    """Settle a challenge by the list of that name; raises LexiconError if its file has changed.

    With `for_family`, coarse words and slurs are neither playable nor explained.
    """
    if is_own_list(lexicon_name):
        check_unchanged(lexicon_name, _own_list(lexicon_name, alphabet)[1])
    return judge_word(word, _load(lexicon_name, alphabet), load_meanings(), for_family=for_family)


def _load(name: str, alphabet: Alphabet) -> Lexicon:
    return _own_list(name, alphabet)[0] if is_own_list(name) else load_lexicon(name, alphabet)


@cache
def _own_list(file: str, alphabet: Alphabet) -> tuple[Lexicon, str]:
    """Return the list of a file, and the digest that it had when it was loaded."""
    digest = file_digest(file)
    return load_lexicon(file, alphabet), digest
