"""What the tracker adds: videos of games, followed by it and by looking every few seconds without it.

    python bench/bench_tracker.py FOLDER [--every 2]

FOLDER holds NAME.mp4 with NAME.json (`edition`, `events` of type `play` with `tiles`). Without the tracker a frame
is read every so many seconds, whatever hands do in it; a play that is not asked about is committed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from engine.board import Board
from engine.editions import edition_named
from engine.play import PlacedTile, Play
from engine.squares import Square
from upscore.commands.replay.unattended import first_look, next_look, taken_for_now
from upscore.words.loader import load_lexicon
from vision.pipeline import BoardReader
from vision.turn.belief import certain
from vision.turn.context import Context
from vision.turn.finding import Finding
from vision.video.film import Video
from vision.video.tracker import Tracker


def tracked(video: Path, reader: BoardReader, context: Context) -> Iterator[tuple[Finding, bool]]:
    """What the tracker commits, and whether it takes the place of the commit before."""
    tracker = Tracker(reader, certain(Board.empty(context.edition.size)), context)
    for time, frame in Video(video).frames():
        event = tracker.feed(frame, time)
        if event is None:
            continue
        if not event.amends:
            tracker.belief = taken_for_now(event.belief, event.seen.finding)
        yield event.seen.finding, event.amends


def untracked(
    video: Path, reader: BoardReader, context: Context, every: float
) -> Iterator[tuple[Finding, bool]]:
    """What looking every so many seconds commits."""
    looked, belief = None, certain(Board.empty(context.edition.size))
    for time, frame in Video(video).frames():
        if looked is None:
            looked = time
            belief, _ = first_look(reader, belief.board, frame, context)
        elif time - looked >= every:
            looked = time
            belief, seen = next_look(reader, belief, frame, context)
            yield seen.finding, False


def committed(seen: Iterator[tuple[Finding, bool]]) -> tuple[list[Play], int]:
    """The plays committed without a question, and how many were asked about."""
    plays: list[Play] = []
    asked = 0
    for each, amends in seen:
        if each.kind == "play" and each.play is not None and not each.needs_review:
            plays = [*plays[: -1 if amends else None], each.play]
        asked += each.needs_review
    return plays, asked


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between looks without the tracker")
    args = parser.parse_args()
    words = load_lexicon()
    for video in sorted(args.folder.glob("*.mp4")):
        truth = json.loads(video.with_suffix(".json").read_text(encoding="utf-8"))
        edition = edition_named(f"{truth['edition']}x{truth['edition']}")
        true = [
            {PlacedTile(Square(t["row"], t["col"]), t["letter"]) for t in event["tiles"]}
            for event in truth["events"]
            if event["type"] == "play"
        ]
        for name, helped in (("with the tracker", True), ("without it", False)):
            reader = BoardReader(words=words)
            context = Context(edition, words)
            seen = (
                tracked(video, reader, context) if helped else untracked(video, reader, context, args.every)
            )
            plays, asked = committed(seen)
            right = sum(any(set(play.tiles) == tiles for play in plays) for tiles in true)
            wrong = sum(all(set(play.tiles) != tiles for tiles in true) for play in plays)
            print(
                f"{video.stem:8} {name:17} right {right}/{len(true)}  wrong {wrong}  asked {asked}",
                flush=True,
            )


if __name__ == "__main__":
    main()
