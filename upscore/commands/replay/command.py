"""`upscore replay`: a game from photographs of its turns, or from a video."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.board import Board
from engine.editions import MAX_PLAYERS, Edition
from engine.errors import quoted
from engine.game.game import Game
from upscore.commands.console import say
from upscore.commands.inputs import chosen_edition, chosen_lexicon, house_rules, read_position
from upscore.commands.pictures import calibration_in, overlays_in, parse_corners
from upscore.commands.replay.folder import (
    PICTURES,
    Looking,
    as_taken,
    in_this_order,
    photographs,
    replay_folder,
)
from upscore.commands.replay.sheet import ReplaySheet
from upscore.commands.replay.video import replay_video
from upscore.errors import UsageError
from vision.pipeline import BoardReader
from vision.turn.context import Context
from vision.turn.memory.belief import certain
from vision.video.tracker import Tracker


def run(args: argparse.Namespace) -> int:
    """Score a game; PARTLY when some of it could not be read."""
    edition, source = chosen_edition(args), args.source
    players, corners = parse_players(args.players), parse_corners(args.corners)
    lexicon, rules = chosen_lexicon(args, edition), house_rules(args)
    start = _start(args.start, edition)
    game = Game.start(edition, players, rules, lexicon=lexicon, board=start)
    _check_source(source)
    pictures = photographs(source) if source.is_dir() else []
    overlays = overlays_in(args.overlay, photographs={source if source.is_dir() else source.parent})
    calibration = calibration_in(args.profile, edition)
    context = Context(edition, lexicon, rules)
    sheet = ReplaySheet(game, context, overlays, every_look=bool(pictures), as_json=args.json)
    if pictures:
        looking = Looking(BoardReader(words=lexicon, calibration=calibration), context, corners)
        shots, why = as_taken(pictures, by_name=args.by_name)
        if why is not None:
            say(f"{why} {in_this_order(shots)}")
        return replay_folder(shots, looking, start, sheet)
    reader = BoardReader(words=lexicon, calibration=calibration)
    return replay_video(source, Tracker(reader, certain(start), context, corners), sheet)


def parse_players(text: str) -> tuple[str, ...]:
    """One to four different names, separated by commas."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names) or len(set(names)) != len(names) or len(names) > MAX_PLAYERS:
        raise UsageError(
            f"--players {quoted(text)}: give one to four different names, separated by commas, as in Red,Blue."
        )
    return names


def _start(path: Path | None, edition: Edition) -> Board:
    """The board of --start, or an empty one."""
    if path is None:
        return Board.empty(edition.size)
    position = read_position(path)
    if position.edition.size != edition.size:
        raise UsageError(f"{path} is a position of edition {position.edition.name}, not {edition.name}.")
    return position.board


def _check_source(source: Path) -> None:
    if source.is_dir():
        return
    if not source.exists():
        raise UsageError(f"There is no folder or video {source}: check the name.")
    if not source.is_file():
        raise UsageError(
            f"{source} is neither a folder nor a video: give the folder with a game's photographs."
        )
    if source.suffix.lower() in PICTURES:
        raise UsageError(f"{source} is one photograph: give the folder with all of the game's, or use read.")
