"""How long loading and asking the word lists and meanings takes, and how much they answer.

    python bench/bench_lexicon.py

In processor time. For each shipped list: loading it, building its word graph, and asking it for words; then
the meanings.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import upscore.words
from engine.lexicon.dawg import build_dawg
from upscore.words.loader import lexicon_names, load_lexicon, load_meanings


def main() -> None:
    """Prints a line for each list, one for the meanings and one for the sizes."""
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
    start = process_time()
    meanings = load_meanings()
    loaded = process_time()
    words = list(load_lexicon())
    told = sum(meanings.meaning(word) is not None for word in words)
    direct = sum(bool(meanings.senses(word)) for word in words)
    print(
        f"meanings loaded in {1000 * (loaded - start):.0f} ms; of the standard list {told / len(words):.1%} "
    )
    print(f"are answered, {direct / len(words):.1%} of it under the word itself")
    data = Path(upscore.words.__file__).parent / "data"
    print(f"packaged data: {sum(path.stat().st_size for path in data.iterdir()) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
