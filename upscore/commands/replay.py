"""`upscore replay`: a game from photographs of its turns, or from a video."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2

from engine.board import Board
from engine.editions import Edition
from engine.position import load_position
from upscore.commands.common import (
    DONE,
    PARTLY,
    UsageError,
    add_judging,
    add_seeing,
    chosen_edition,
    house_rules,
    overlay_folder,
    parse_corners,
    read_text,
    say,
    warn_of_excess,
)  # fmt: skip
from upscore.ledger import Ledger
from upscore.words.loader import load_lexicon
from vision.errors import ImageError
from vision.images import load_image
from vision.infer import NO_PLAY, TurnInference
from vision.overlay import draw_turn
from vision.pipeline import BoardReader
from vision.session import GameWatch, Observation

if TYPE_CHECKING:
    from upscore.commands.common import Commands

PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".mpo"}


def add(commands: Commands) -> None:
    parser = commands.add_parser("replay", help="a game from a folder of photographs, or from a video")
    parser.add_argument("source", type=Path, metavar="FOLDER_OR_VIDEO")
    parser.add_argument("--players", default="Red,Blue", help="names, separated by commas")
    parser.add_argument("--start", type=Path, metavar="POSITION.json", help="the board before the first turn")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each turn")
    add_seeing(parser)
    add_judging(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    edition = chosen_edition(args)
    lexicon = load_lexicon(args.lexicon)
    rules = house_rules(args)
    start = _start(args.start, edition)
    ledger = Ledger(parse_players(args.players), edition, lexicon, rules)
    reader = BoardReader(words=lexicon)
    watch = GameWatch(reader, start, edition=edition, lexicon=lexicon, rules=rules)
    if args.source.is_dir():
        return _replay_folder(args, watch, ledger)
    if not args.source.exists():
        raise UsageError(f"There is no folder or video {args.source}: check the name.")
    from upscore.commands.replay_video import replay_video

    return replay_video(args, watch, reader, ledger)


def parse_players(text: str) -> tuple[str, ...]:
    """One to four different names, separated by commas."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names) or len(set(names)) != len(names) or not 1 <= len(names) <= 4:
        raise UsageError(
            "--players takes one to four different names, separated by commas: --players Red,Blue"
        )
    return names


def _start(path: Path | None, edition: Edition) -> Board:
    if path is None:
        return Board.empty(edition.size)
    position = load_position(read_text(path))
    if position.edition.size != edition.size:
        raise UsageError(f"{path} is a position of edition {position.edition.name}, not {edition.name}.")
    warn_of_excess(edition, position.board)
    return position.board


def _pictures(folder: Path) -> list[Path]:
    try:
        found = sorted(
            p for p in folder.iterdir() if p.suffix.lower() in PICTURES and not p.name.startswith(".")
        )
    except OSError as error:
        raise UsageError(f"{folder} cannot be opened ({error.strerror}): check its permissions.") from None
    if not found:
        raise UsageError(f"{folder} holds no photographs: give the folder with the game's JPEG or PNG files.")
    return found


def _replay_folder(args: argparse.Namespace, watch: GameWatch, ledger: Ledger) -> int:
    pictures, corners = _pictures(args.source), parse_corners(args.corners)
    overlays = overlay_folder(args.overlay)
    status = DONE
    for turn, path in enumerate(pictures):
        say(f"looking at {path.name} ({turn + 1} of {len(pictures)})")
        began = time.perf_counter()
        image = None
        try:
            image, scale = load_image(path)
            seen = watch.observe(image, None if corners is None else (corners + 0.5) * scale - 0.5)
        except ImageError as error:
            status = PARTLY
            say(f"{path.name}: {error}")
            seen = Observation(None, watch.board, _unreadable(str(error)), watch.board, False)
        if turn == 0:
            _check_start(watch, seen)
            continue
        line, verdict = ledger.enter(seen, turn)
        report({"image": path.name, **line, "seconds": round(time.perf_counter() - began, 4)}, args.json)
        if overlays is not None and image is not None and seen.reading is not None:
            cv2.imwrite(
                str(overlays / f"{path.stem}.jpg"), draw_turn(image, seen.reading, seen.inference, verdict)
            )
        if seen.reading is None:
            status = PARTLY
    conclude(ledger, args.json)
    return status


def _unreadable(reason: str) -> TurnInference:
    return TurnInference("unclear", NO_PLAY, 0.0, True, (), None, reason, None, 0.0)


def _check_start(watch: GameWatch, seen: Observation) -> None:
    """The first picture shows the start: it teaches the watch the camera and the set, and is held against the board."""
    if seen.inference.kind not in ("none", "unclear"):
        say(
            "warning: the first photograph does not seem to show the start; use --start for a game under way."
        )
    watch.settle(seen.before)


def report(line: dict[str, Any], as_json: bool) -> None:
    """One turn on stdout."""
    if as_json:
        print(json.dumps(line), flush=True)
        return
    words = " + ".join(f"{w['word']} {w['points']}" for w in line["words"])
    tiles = ", ".join(f"{t['letter']} at {chr(97 + t['col'])}{t['row'] + 1}" for t in line["tiles"])
    doubt = "  (please check)" if line["needs_review"] else ""
    told = {
        "play": f"{tiles}: {words} = {line['points']}",
        "none": "nothing changed",
        "removed": f"took back {tiles}",
    }
    text = told.get(line["kind"], f"unclear: {line.get('reason', '')}")
    print(f"{line['turn']:3} {line['player']}: {text}{doubt}  {line['totals']}", flush=True)
    for reason in line["reasons"]:
        print(f"      {reason['text']}", flush=True)


def conclude(ledger: Ledger, as_json: bool) -> None:
    """The last line."""
    final = ledger.final()
    if as_json:
        print(json.dumps(final), flush=True)
    else:
        score = ", ".join(f"{name} {points}" for name, points in final["final"].items())
        print(f"{score} after {final['turns']} turns, {final['review']} to check", flush=True)
