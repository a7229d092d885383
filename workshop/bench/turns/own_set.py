"""What a family's set, learned while they play, brings their next games: played on the page, with it and without.

    python -m workshop.bench.turns.own_set FOLDER [--lazy]

FOLDER holds games in rounds with one set, NAME, NAME-2, NAME-3 ... (`workshop.training.games --rounds`). Each set
has a data folder: its rounds are played there one after the other, each learned from when it is over. Then each is
played again on a data folder of its own, but for the first, of which nothing is known either way. The figures of
`workshop.bench.turns.page` are printed by round.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from flask.testing import FlaskClient

from webui.app import services_of
from workshop.bench.data.program import say
from workshop.bench.data.truth import Record, games_in
from workshop.bench.record import Figures
from workshop.bench.turns.page import COUNTS, page, play


def play_rounds(folder: Path, *, lazy: bool) -> dict[str, dict[int, Figures]]:
    """Return the tallies by round, with the lessons of earlier rounds ("learned") and without ("fresh")."""
    found: dict[str, dict[int, Figures]] = {"learned": {}, "fresh": {}}
    for name, rounds in _sets(folder).items():
        with page() as client:
            for number, game in enumerate(rounds, 1):
                tally = _tally(client, game, lazy, f"{name}, round {number}, learned")
                _add(found["learned"], number, tally)
                if number == 1:
                    _add(found["fresh"], number, tally)
                _over(client)
        for number, game in enumerate(rounds[1:], 2):
            with page() as client:
                _add(found["fresh"], number, _tally(client, game, lazy, f"{name}, round {number}, fresh"))
    return found


def _sets(folder: Path) -> dict[str, list[Record]]:
    """Return the games of each set, in the order of the rounds."""
    sets: dict[str, list[Record]] = {}
    for game in games_in(folder):
        sets.setdefault(game[0].path.parent.name.partition("-")[0], []).append(game)
    return sets


def _tally(client: FlaskClient, game: Record, lazy: bool, said: str) -> Figures:
    tally: Figures = {**dict.fromkeys(COUNTS, 0), "seconds": []}
    play(client, game, lazy, tally)
    say(f"  {said}: {_line(tally)}")
    return tally


def _over(client: FlaskClient) -> None:
    """End the newest game, and learn from it."""
    services = services_of(client.application)
    row = services.games.newest()
    assert row is not None
    services.games.change(services.games.open(row.id), lambda game: game.end("agreed", left=(0,) * len(game.players)))
    while services.learned_sets.learn_next():
        pass
    for known in services.learned_sets.all():
        say(f"    {known.text}")


def _add(rounds: dict[int, Figures], number: int, tally: Figures) -> None:
    total = Counter({name: tally[name] for name in COUNTS})
    rounds[number] = dict(Counter(rounds.get(number, {})) + total)


def _line(tally: Figures) -> str:
    return ", ".join(f"{name} {tally.get(name, 0)}" for name in COUNTS)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lazy", action="store_true", help="the table leaves alone what is unclear")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found = play_rounds(args.folder, lazy=args.lazy)
    for kind, rounds in found.items():
        for number, tally in sorted(rounds.items()):
            print(f"{kind:8} round {number}: {_line(tally)}")
    if args.json:
        args.json.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
