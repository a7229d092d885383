"""How good and how fast the word lists and meanings are.

    python -m workshop.bench.words.recall [--measure FILE ...] [--arguments FILE] [--glosses N --seed S]

For each shipped list: loading it, building its word graph, asking it for words, in processor time. For the meanings:
how many words are answered, alone and with GCIDE where that is installed. With measuring lists (files of one word a
line, such as tournament lists; they are only counted against): recall and precision on words of two to eight letters,
against each of them and against all together. With an arguments list (`workshop/bench/words/arguments.txt`): what is
refused though all measuring lists have it, and accepted though none has.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from time import process_time

import upscore.words
from engine.lexicon.dawg import build_dawg
from upscore.words.gcide import find_gcide
from upscore.words.loader import lexicon_names, load_lexicon, load_meanings, read_word_file

SHORTEST, LONGEST = 2, 8


def choose_counted(words: set[str] | frozenset[str]) -> set[str]:
    """Return those of the lengths that are measured."""
    return {word for word in words if SHORTEST <= len(word) <= LONGEST}


def show_speed() -> None:
    """Print a line for each list and one for the size of the data."""
    for name in lexicon_names():
        start = process_time()
        lexicon = load_lexicon(name)
        loaded = process_time()
        dawg = build_dawg(lexicon)
        built = process_time()
        words = list(lexicon)
        asked = process_time()
        found = sum(word in lexicon for word in words)
        answered = process_time()
        print(f"{name}: {found} words loaded in {1000 * (loaded - start):.0f} ms, ", end="")
        print(f"graph of {dawg.node_count} nodes in {1000 * (built - loaded):.0f} ms, ", end="")
        print(f"{1e9 * (answered - asked) / found:.0f} ns a look-up")
    data = Path(upscore.words.__file__).parent / "data"
    print(f"packaged data: {sum(path.stat().st_size for path in data.iterdir()) / 1e6:.2f} MB")


def show_meanings() -> None:
    """Print how many words of each list are answered."""
    meanings, gcide = load_meanings(), find_gcide()
    for name in lexicon_names():
        for longest in (4, LONGEST, 99):
            words = [word for word in load_lexicon(name) if len(word) <= longest]
            silent = [word for word in words if meanings.meaning(word) is None]
            line = f"{name}, up to {longest} letters: {1 - len(silent) / len(words):.1%} of {len(words)} answered"
            if gcide:
                found = sum(gcide.meaning(word) is not None for word in silent)
                line += f", {1 - (len(silent) - found) / len(words):.1%} with GCIDE"
            print(line)


def show_quality(measures: dict[str, set[str]]) -> None:
    """Print recall and precision of each list against each measuring list and against all together."""
    against = measures if len(measures) < 2 else measures | {"any": set[str]().union(*measures.values())}
    for name in lexicon_names():
        mine = choose_counted(frozenset(load_lexicon(name)))
        for label, theirs in against.items():
            both = mine & theirs
            print(f"{name} against {label}: recall {len(both) / len(theirs):.1%}, ", end="")
            print(f"precision {len(both) / len(mine):.1%}")


def show_arguments(path: Path, measures: dict[str, set[str]]) -> None:
    """Print the arguments that each list gets wrong, without those that the measuring lists dispute."""
    text = path.read_text(encoding="utf-8")
    asked = {word for line in text.splitlines() if not line.startswith("#") for word in line.upper().split()}
    asked = {word for word in asked if word.isalpha()}
    true = asked.intersection(*measures.values())
    false = asked - set[str]().union(*measures.values())
    print(f"{len(asked)} arguments: {len(true)} words, {len(false)} none, the rest disputed")
    for name in lexicon_names():
        lexicon = load_lexicon(name)
        refused = sorted(word for word in true if word not in lexicon)
        accepted = sorted(word for word in false if word in lexicon)
        print(f"{name}: {len(refused) / len(true):.1%} refused ({' '.join(refused)}), ", end="")
        print(f"{len(accepted)} accepted ({' '.join(accepted)})")


def show_glosses(number: int, seed: int) -> None:
    """Print meanings of words drawn at random from the usual list."""
    meanings = load_meanings()
    for word in random.Random(seed).sample(list(load_lexicon()), number):
        print(f"{word}: {meanings.meaning(word) or 'none'}")


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--measure", type=Path, nargs="*", default=[], help="lists to measure against")
    parser.add_argument("--arguments", type=Path, default=Path(__file__).parent / "arguments.txt")
    parser.add_argument("--glosses", type=int, default=0, help="how many meanings to show")
    parser.add_argument("--seed", type=int, default=1)
    call = parser.parse_args()
    show_speed()
    show_meanings()
    measures = {path.name: read_word_file(path)[0] for path in call.measure}
    if measures:
        show_quality({name: choose_counted(words) for name, words in measures.items()})
        show_arguments(call.arguments, measures)
    show_glosses(call.glosses, call.seed)


if __name__ == "__main__":
    main()
