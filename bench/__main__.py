"""One command for every figure of the documents.

    python -m bench --data DIR [DIR ...]              measure everything, print all tables
    python -m bench --data DIR --only reading page    some measurements; the other figures as they were kept
    python -m bench --lots samples                    some lots of data
    python -m bench --data DIR --write                keep what was measured and renew the documents
    python -m bench --recorded [--write]              measure nothing: print (write) what was kept

Each DIR holds lots of data as `bench/data/manifest.json` names them; what ships is measured always. A lot that is
missing, or is not the one that the manifest means, is said to be so, and its figures stay as they were kept.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

from bench.data.manifest import Found, found, manifest
from bench.data.program import say
from bench.documents.record import RECORD, ROOT, Load, Record, load_record, stamp_of
from bench.documents.renewal import renew
from bench.documents.tables import tables
from bench.measurements import MEASUREMENTS, Measurement


def main() -> None:
    """Measure what is asked for, and print every table."""
    args = _arguments()
    record = load_record(RECORD)
    if not args.recorded:
        places = {lot.name: found(lot, args.data) for lot in manifest().values()}
        for place in places.values():
            say(place.status)
        _measure(record, [each for each in MEASUREMENTS if each.name in args.only], places, args)
    made = tables(record)
    for table in made:
        print(f"## {table.name} ({table.document})\n\n{table.markdown}\n")
    if args.write:
        for path in renew(ROOT, made, record):
            say(f"renewed {path.relative_to(ROOT)}")


def _measure(
    record: Record, measurements: list[Measurement], places: dict[str, Found], args: argparse.Namespace
) -> None:
    """Each measurement on each of its lots that is there, kept as soon as it is made."""
    for each in measurements:
        for lot in each.lots:
            place = places[lot]
            if lot not in args.lots or place.folder is None or place.state != "found":
                continue
            say(f"{each.name} of {lot}: {each.what}")
            load, began = Load(), perf_counter()
            figures = each.measure(place.folder)
            record.put(each.name, lot, figures, stamp_of(load))
            say(f"  {perf_counter() - began:.0f} s")
            if args.write:
                record.save(RECORD)


def _arguments() -> argparse.Namespace:
    names = [each.name for each in MEASUREMENTS]
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="+", default=[], metavar="DIR", help="folders of data")
    parser.add_argument(
        "--only", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names)
    )
    parser.add_argument("--lots", nargs="+", choices=[*manifest()], default=[*manifest()], metavar="LOT")
    parser.add_argument("--recorded", action="store_true", help="measure nothing")
    parser.add_argument("--write", action="store_true", help="keep the figures, renew the documents")
    return parser.parse_args()


if __name__ == "__main__":
    main()
