"""Runs the campaigns and prints their table: `python -m workshop.bench.campaigns [--short] [NAME...]`.

`--photographs FOLDER` has `phones` send the photographs of a folder, such as your own phone's, instead of samples.

The long form takes about an hour on two cores, the short one some six minutes. Exit 1 where one did not hold.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from workshop.bench.campaigns import (
    addresses,
    broken,
    guests,
    hostile,
    keeping,
    losses,
    photographs,
    pictures,
    strangers,
    viewers,
)
from workshop.bench.campaigns.served import Report

SEED = 22


def campaigns(short: bool, sent: Path) -> dict[str, Callable[[Path], Report]]:
    """Return the campaigns by name, each to be given an empty folder. `sent` has the photographs of `phones`."""
    rng = random.Random(SEED)
    few = 1 if short else 40
    return {
        "kills": lambda at: losses.kills(at / "data", 5 * few, rng),
        "photographs": lambda at: photographs.kill_while_reading(at / "data", few, rng),
        "power": lambda at: losses.power_cuts(at / "data", 10 * few, rng),
        "full": lambda at: losses.full_disk(at / "data"),
        "locked": lambda at: losses.lock_store(at / "data"),
        "readonly": losses.read_only_disk,
        "damaged": lambda at: losses.damage_stores(at, 10 * few, rng),
        "flipped": lambda at: keeping.flip_bytes(at, 5 if short else 100, rng),
        "copied": lambda at: keeping.copy_stores(at, 2 * few, rng),
        "folders": lambda at: keeping.odd_folders(at, keeping.ODD_NAMES[::9] if short else keeping.ODD_NAMES),
        "packed": keeping.pack_again,
        "devices": lambda at: guests.many_devices(at, 60, 40) if short else guests.many_devices(at, 520),
        "proxies": lambda at: guests.proxies(at / "data"),
        "clocks": guests.clocks,
        "phones": lambda at: photographs.of_phone_size(at / "data", 5 if short else 50, sent),
        "pictures": lambda _: pictures.pictures(250 * few, rng),
        "hostile": lambda at: hostile.hostile_uploads(at / "data", times=1 if short else 10),
        "addresses": lambda _: addresses.every_address(300 * few),
        "broken": lambda at: broken.send_broken_requests(at, 100 * few, rng),
        "viewers": lambda at: viewers.viewers(
            at / "data", each=10 if short else 50, tables=2 if short else 4, seconds=3.0 if short else 600.0
        ),
        "crowd": lambda at: viewers.viewers(at / "data", each=150, tables=2, seconds=5.0 if short else 60.0),
        "slow": lambda at: viewers.slow_clients(at / "data", 450 if short else 1060),
        "dripping": lambda at: viewers.dripping_bodies(at / "data", 450),
        "strangers": lambda at: strangers.strangers(
            at, list(strangers.attacks(5.0))[::9] if short else list(strangers.attacks(10.0))
        ),
    }


def main() -> int:
    """Run those that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m workshop.bench.campaigns")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--photographs", type=Path, metavar="FOLDER", default=photographs.TURN.parent)
    args = parser.parse_args()
    chosen = campaigns(args.short, args.photographs)
    unknown = set(args.names) - set(chosen)
    if unknown:
        parser.error(f"there are {', '.join(chosen)}")
    held = True
    print("| campaign | how often | found | |\n|---|---|---|---|")
    for name, run in chosen.items():
        if args.names and name not in args.names:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="upscore-campaign-") as folder:
            report = run(Path(folder))
        print(report, flush=True)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
        held = held and not report.wrong + report.late
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
