"""The measurements and their datasets. Each measurement has a name, and is a function of a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from workshop.bench.reading.alone import read_alone
from workshop.bench.reading.cubes import read_cubes
from workshop.bench.reading.profile import profile
from workshop.bench.reading.real import read_real
from workshop.bench.reading.spoiled import read_spoiled
from workshop.bench.record import Figures
from workshop.bench.speed.lexicon import time_lexicon
from workshop.bench.speed.peer import PEER, time_peer
from workshop.bench.speed.referee import time_referee
from workshop.bench.speed.serving import time_serving
from workshop.bench.speed.sizes import time_sizes
from workshop.bench.speed.slowest import slowest_pictures
from workshop.bench.speed.solver import time_solver
from workshop.bench.speed.stages import time_reading
from workshop.bench.speed.tracker import time_tracker
from workshop.bench.turns.ablation import ablate
from workshop.bench.turns.drawn import draw_turns
from workshop.bench.turns.films import follow_films
from workshop.bench.turns.page import through_the_page
from workshop.bench.turns.replay import replay

GAMES = ("sets", "own2612", "own2613", "traced2811", "traced2921", "samples")
"""The datasets of games, in the order of the tables' columns."""
TUNED, RENDERED, REAL = "sets", "own2613", "scrabble"
"""The datasets of the tables that have one of each."""


@dataclass(frozen=True)
class Measurement:
    """One measurement: its name, its meaning, the datasets that it uses, and its function."""

    name: str
    what: str
    datasets: tuple[str, ...]
    measure: Callable[[Path], Figures]


MEASUREMENTS = (
    Measurement("reading", "photographs, each on its own", GAMES, read_alone),
    Measurement("spoiled", "photographs spoiled in one way after another", (TUNED,), read_spoiled),
    Measurement("real", "real photographs of another letter game", (REAL,), read_real),
    Measurement("cubes", "real letters, one by one", ("cubes",), read_cubes),
    Measurement("page", "whole games through the page, answering and lazy", GAMES, through_the_page),
    Measurement("replay", "whole games that nobody answers", GAMES, replay),
    Measurement("films", "hands-free films, with the tracker and without", ("films",), follow_films),
    Measurement("drawn", "thousands of turns drawn at random", (TUNED, RENDERED), draw_turns),
    Measurement("ablation", "games with one source of evidence left out", (RENDERED,), ablate),
    Measurement("profile", "what a set's own profile removes", (TUNED,), profile),
    Measurement("stages", "how long reading takes, stage by stage", ("samples",), time_reading),
    Measurement("slowest", "the pictures that take longest to read", (TUNED,), slowest_pictures),
    Measurement("sizes", "reading by size, inferring, and Tesseract beside it", ("samples",), time_sizes),
    Measurement("serving", "start-up, the page's latency and its memory", ("samples",), time_serving),
    Measurement("tracker", "how many frames a second the tracker takes", ("films",), time_tracker),
    Measurement("solver", "how long the solver takes", ("samples",), time_solver),
    Measurement("peer", "the solver beside the one of npm", (PEER,), time_peer),
    Measurement("referee", "how many plays a second the referee judges", ("samples",), time_referee),
    Measurement("lexicon", "how long word lists take", ("samples",), time_lexicon),
)
