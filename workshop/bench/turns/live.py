"""Hands-free play on the page beside `upscore replay`: the same film should give the same turns both ways.

    python -m workshop.bench.turns.live FILM [FILM ...] [--rates 10 30]

FILM is NAME.mp4 with NAME.json, which tells its `edition`. The page plays it as a camera, in its own time, and nobody
answers. Then it is replayed. `replay` enters the likeliest play of a question, so a question that waits on the page at
the end is given its first answer. With `--rates`, copies at these rates are compared too: ffmpeg repeats frames or
leaves some out. Each turn that only one of the two has, or asks about, is listed; then the exit status is 1.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from engine import Board, Edition, Game, HouseRules, find_edition, format_play
from upscore.commands.replay.command import replay_video
from upscore.commands.replay.report import ReplaySheet
from upscore.words.loader import load_lexicon
from vision import BoardReader, GameSettings, Tracker, certain
from workshop.bench.campaigns.served import Served
from workshop.bench.data.program import say
from workshop.bench.turns.replay import PLAYERS

_LOOK_S = 1.0
"""Seconds between two looks at the page. [by eye]"""
_SETTLED_S = 5.0
"""Seconds without a change after which the page of a film that has ended is done. [by eye]"""


@dataclass(frozen=True)
class Told:
    """A play on a sheet. `asked` plays were still in question."""

    player: str
    tiles: str
    points: int
    asked: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.player} {self.tiles} {self.points}{' (asked)' if self.asked else ''}"


def on_the_page(film: Path, edition: Edition) -> list[Told]:
    """Play a film through the page as its camera, and return the plays on the sheet at its end."""
    camera = ("--camera", str(film))
    with tempfile.TemporaryDirectory(prefix="upscore-live-") as data, Served(Path(data), *camera) as served:
        _, state = served.ask("/api/v1/games", {"edition": edition.name, "players": PLAYERS})
        served.ask(f"/games/{state['id']}/follow", b"on=1")
        _wait_for_end(served, state["id"])
        return answer_and_list(served.ask, state["id"])


def _wait_for_end(served: Served, game: int) -> None:
    """Wait until the film has ended, and the game has not changed for some seconds after that."""
    version, since = None, time.monotonic()
    while version is None or time.monotonic() - since < _SETTLED_S:
        time.sleep(_LOOK_S)
        _, page = served.ask(f"/games/{game}/parts")
        shown = re.search(r'data-state="(\w+)"', page["parts"]["state"]["html"])
        ended = shown is not None and shown[1] in ("ended", "gone")
        if not ended or page["version"] != version:
            version, since = page["version"] if ended else None, time.monotonic()


def answer_and_list(ask: Callable[..., tuple[int, Any]], game: int) -> list[Told]:
    """Return the plays on a sheet, once a waiting question about a play is given its first answer."""
    _, state = ask(f"/api/v1/games/{game}")
    known = _plays(state)
    question = state["question"]
    if question is None or question["kind"] not in ("play", "removed") or not question["choices"]:
        return known
    sent = {"version": state["version"], "choice": 0}
    _, state = ask(f"/api/v1/games/{game}/answer", sent)
    return [Told(each.player, each.tiles, each.points, each not in known) for each in _plays(state)]


def _plays(state: dict[str, Any]) -> list[Told]:
    turns = (turn for turn in state["turns"] if turn["kind"] == "play" and "taken_back" not in turn)
    return [Told(turn["player"], turn["tiles"], turn["points"]) for turn in turns]


def by_replay(film: Path, edition: Edition) -> list[Told]:
    """Replay a film, and return the plays on the sheet at its end."""
    words = load_lexicon()
    settings = GameSettings(edition, words)
    game = Game.start(edition, PLAYERS, HouseRules(), lexicon=words)
    sheet = ReplaySheet(game, settings, None, turns_a_look=0, as_json=True)
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        replay_video(film, Tracker(BoardReader(words=words), certain(Board.empty(edition.size)), settings), sheet)
    at_the_end = sheet.game
    return [
        Told(line.player, format_play(line.play), line.points, at_the_end.asked[line.event])
        for line in at_the_end.game.turns
        if line.play is not None and not line.taken_back
    ]


def differences(page: list[Told], replay: list[Told]) -> list[str]:
    """Return a line for each play that only one of two sheets has or asks about, in their order."""
    lines = []
    for kind, start, end, other, until in SequenceMatcher(None, page, replay, autojunk=False).get_opcodes():
        if kind == "equal":
            pairs = enumerate(zip(page[start:end], replay[other:until], strict=True), start + 1)
            lines += [
                f"turn {k}, on the page: {one}, by replay: {two}" for k, (one, two) in pairs if one.asked != two.asked
            ]
            continue
        lines += [f"turn {k + 1}, only on the page: {page[k]}" for k in range(start, end)]
        lines += [f"turn {k + 1}, only by replay: {replay[k]}" for k in range(other, until)]
    return lines


def copies(film: Path, rates: Iterable[float], folder: Path) -> Iterable[tuple[str, Path]]:
    """Yield the film and its copies at other rates, each with its name."""
    yield film.stem, film
    for rate in rates:
        copy = folder / f"{film.stem}-{rate:g}.mp4"
        made = f"-vf fps={rate:g} -c:v libx264 -preset veryfast -crf 12 -pix_fmt yuv420p".split()
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", str(film), "-an", *made, str(copy)], check=True)
        yield f"{film.stem}@{rate:g}", copy


def main() -> int:
    """Compare the films that are named."""
    parser = argparse.ArgumentParser(prog="python -m workshop.bench.turns.live", description=__doc__.splitlines()[0])
    parser.add_argument("films", type=Path, nargs="+", metavar="FILM", help="NAME.mp4, with NAME.json beside it")
    parser.add_argument("--rates", type=float, nargs="+", default=[], metavar="FPS", help="also copies at these rates")
    args = parser.parse_args()
    differ = 0
    for film in args.films:
        size = json.loads(film.with_suffix(".json").read_text(encoding="utf-8"))["edition"]
        edition = find_edition(f"{size}x{size}")
        with tempfile.TemporaryDirectory(prefix="upscore-rates-") as folder:
            for name, copy in copies(film, args.rates, Path(folder)):
                say(f"{name}: through the page, then by replay")
                page, replay = on_the_page(copy, edition), by_replay(copy, edition)
                lines = differences(page, replay)
                differ += bool(lines)
                asked = [sum(told.asked for told in sheet) for sheet in (page, replay)]
                print(
                    f"{name}: {len(page)} plays on the page ({asked[0]} asked), {len(replay)} by replay ({asked[1]} "
                    f"asked), {'which differ:' if lines else 'all the same'}",
                    *(f"  {line}" for line in lines),
                    sep="\n",
                    flush=True,
                )
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
