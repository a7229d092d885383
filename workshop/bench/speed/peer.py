"""The solver beside upwords-solver, which npm has: the same positions, words and racks.

It knows the board of ten rows alone. It lists what it finds; which of that its rules allow, and the points, its toolkit
says play by play. All is timed in processor time, the fastest of three. Nothing is downloaded: to measure, run
`npm install upwords-solver` in a folder and give that.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from shutil import which
from statistics import median
from typing import Any

from engine import EDITIONS, SQUARES, Board, Edition, Lexicon, PlacedTile, Play, referee
from engine.solver.search import legal_plays
from upscore.words.loader import load_lexicon
from workshop.bench.data.program import say
from workshop.bench.record import Figures
from workshop.bench.speed.solver import GAMES, positions, seconds

PEER = "npm"
"""How the folder of `--peer` is called among the datasets."""
_SCRIPT = Path(__file__).with_name("peer.mjs")
Position = tuple[Board, list[str]]
Points = dict[Play, int]


def peer_in(folder: Path | None) -> dict[str, Path]:
    """Return the folder by the name `PEER` if the peer and node are installed; otherwise say what is missing."""
    if folder is None:
        say(f"{PEER}: not installed here: no folder is given as --peer")
    elif not (folder / "node_modules" / "upwords-solver").is_dir():
        say(f"{PEER}: not installed here: run npm install upwords-solver in {folder}")
    elif which("node") is None:
        say(f"{PEER}: not installed here: there is no node")
    else:
        say(f"{PEER}: found")
        return {PEER: folder}
    return {}


def time_peer(folder: Path) -> Figures:
    """Return both solvers' milliseconds a position and plays, how far they agree, and rules that peer's plays break."""
    words, edition = load_lexicon(), EDITIONS["10x10"]
    solved = list(positions(edition, GAMES, words))
    answer = _ask_peer(folder, solved, words)
    counts: Counter[str] = Counter()
    breaches: Counter[str] = Counter()
    for (board, rack), found in zip(solved, answer["positions"], strict=True):
        ours = {each.play: each.points for each in legal_plays(board, rack, edition=edition, lexicon=words)}
        theirs = plays_of(found)
        counts.update(agreement(ours, theirs))
        breaches.update(_count_broken(board, theirs.keys() - ours.keys(), edition, words))
    return {
        "version": answer["version"],
        "positions": len(solved),
        "ms": median(1000 * seconds(*position, edition, words)[0] for position in solved),
        "peer listed ms": median(found["listed"] for found in answer["positions"]),
        "peer ms": median(found["judged"] for found in answer["positions"]),
        **counts,
        "breaches": dict(breaches),
    }


def _ask_peer(folder: Path, solved: Iterable[Position], words: Lexicon) -> dict[str, Any]:
    """Return the peer's answers for the positions."""
    asked = {
        "words": peer_words(words),
        "positions": [{"board": cells(board), "rack": [face[0] for face in rack]} for board, rack in solved],
    }
    call = ["node", str(_SCRIPT), str(folder.resolve())]
    done = subprocess.run(call, input=json.dumps(asked), capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def peer_words(words: Iterable[str]) -> list[str]:
    """Return the words that tiles can show, each face a letter: the peer writes Q for Qu."""
    shown = (word.replace("QU", "q") for word in words if len(word) > 1)
    return [word.upper() for word in shown if "Q" not in word]


def cells(board: Board) -> list[list[str]]:
    """Return the board in the peer's form: the height and the letter on top of each square."""
    return [[f"{len(stack)}{stack[-1][0]}" if stack else "0 " for stack in row] for row in board.stacks]


def plays_of(found: dict[str, Any]) -> Points:
    """Return the plays that the peer's own toolkit allows, each once, with its points."""
    return {
        Play(tuple(_place(*tile) for tile in each["tiles"])): each["points"]
        for each in found["plays"]
        if each["points"] is not None
    }


def _place(row: int, col: int, letter: str) -> PlacedTile:
    return PlacedTile(SQUARES[row][col], "Qu" if letter == "Q" else letter)


def agreement(ours: Points, theirs: Points) -> dict[str, int]:
    """Return how many plays each found, both found, both with the same points, and positions with equal best plays."""
    both = ours.keys() & theirs.keys()
    return {
        "plays": len(ours),
        "peer plays": len(theirs),
        "both": len(both),
        "same points": sum(ours[play] == theirs[play] for play in both),
        "same best": int(max(ours.values(), default=0) == max(theirs.values(), default=0)),
    }


def _count_broken(board: Board, plays: Iterable[Play], edition: Edition, words: Lexicon) -> Counter[str]:
    """Return the rules that plays break, by the referee."""
    verdicts = (referee(board, play, edition=edition, lexicon=words) for play in plays)
    return Counter(broken.rule for verdict in verdicts for broken in verdict.violations)
