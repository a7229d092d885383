"""How long loading and asking the word lists and meanings takes.

In processor time of a process of its own, in which nothing has been loaded yet.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from time import process_time

from engine.lexicon.dawg import build_dawg
from upscore.words.loader import lexicon_names, load_lexicon, load_meanings
from workshop.bench.record import ROOT, Figures


def time_lexicon(_: Path) -> Figures:
    """Return for each list its words, its graph's nodes, and times; how long the meanings take."""
    call = [sys.executable, "-m", "workshop.bench.speed.lexicon"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def _list(name: str) -> Figures:
    start = process_time()
    lexicon = load_lexicon(name)
    loaded = process_time()
    nodes = build_dawg(lexicon).node_count
    built = process_time()
    words = list(lexicon)
    asked = process_time()
    known = sum(word in lexicon for word in words)
    answered = process_time()
    return {
        "words": known,
        "nodes": nodes,
        "loading ms": 1000 * (loaded - start),
        "graph ms": 1000 * (built - loaded),
        "look-up ns": 1e9 * (answered - asked) / known,
    }


def _meanings() -> float:
    """Return how many milliseconds loading the meanings takes."""
    start = process_time()
    load_meanings()
    return 1000 * (process_time() - start)


if __name__ == "__main__":
    lists = {name: _list(name) for name in lexicon_names()}
    print(json.dumps({"lists": lists, "meanings ms": _meanings()}))
