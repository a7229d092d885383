"""Measure everything that docs/figures.md tells.

    python -m workshop.bench --data DIR [DIR ...]              measure everything, print all tables
    python -m workshop.bench --data DIR --only reading page    some measurements; the other figures as they were kept
    python -m workshop.bench --datasets samples                    some datasets
    python -m workshop.bench --data DIR --write                keep what was measured, write docs/figures.md
    python -m workshop.bench --only peer --peer DIR            the solver beside the one of npm, installed in DIR
    python -m workshop.bench --recorded [--write]              measure nothing: print (write) what was kept

Each DIR of --data holds datasets as `workshop/bench/data/manifest.json` names them. The one that ships is always
measured. If a dataset is missing or differs from the manifest, the command says so and keeps the earlier figures. It
also keeps the peer's if the peer isn't installed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

from workshop.bench.data.manifest import find_dataset, manifest
from workshop.bench.data.program import say
from workshop.bench.documents.figures import document, write
from workshop.bench.measurements import MEASUREMENTS, Measurement
from workshop.bench.record import RECORD, Load, Record, load_record, stamp_of
from workshop.bench.speed.peer import PEER, peer_in


def main() -> None:
    """Measure what is asked for, and print every table."""
    args = _arguments()
    record = load_record(RECORD)
    if not args.recorded:
        places = [find_dataset(dataset, args.data) for dataset in manifest().values()]
        for place in places:
            say(place.status)
        folders = {place.dataset.name: place.folder for place in places if place.folder and place.state == "found"}
        folders |= peer_in(args.peer)
        _measure(record, [each for each in MEASUREMENTS if each.name in args.only], folders, args)
    print(document(record))
    if args.write:
        write(RECORD.parent, record)


def _measure(
    record: Record, measurements: list[Measurement], folders: dict[str, Path], args: argparse.Namespace
) -> None:
    """Run each measurement on each of its datasets that is there; keep it as soon as it is made."""
    for each in measurements:
        for dataset in each.datasets:
            if dataset not in args.datasets or dataset not in folders:
                continue
            say(f"{each.name} of {dataset}: {each.what}")
            load, began = Load(), perf_counter()
            figures = each.measure(folders[dataset])
            record.put(each.name, dataset, figures, stamp_of(load))
            say(f"  {perf_counter() - began:.0f} s")
            if args.write:
                record.save(RECORD)


def _arguments() -> argparse.Namespace:
    names, datasets = [each.name for each in MEASUREMENTS], [*manifest(), PEER]
    parser = argparse.ArgumentParser(
        prog="python -m workshop.bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="+", default=[], metavar="DIR", help="folders of data")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--datasets", nargs="+", choices=datasets, default=datasets, metavar="DATASET")
    parser.add_argument("--peer", type=Path, metavar="DIR", help="where npm has installed upwords-solver")
    parser.add_argument("--recorded", action="store_true", help="measure nothing")
    parser.add_argument("--write", action="store_true", help="keep the figures, write docs/figures.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
