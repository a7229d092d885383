"""Is a photograph lost, or taken twice, and what do large ones cost? Servers killed while they read one, and phones."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from vision.images import encode_jpeg, load_image
from workshop.bench.campaigns.hostile import Watch, send
from workshop.bench.campaigns.served import ROOT, Report, Served, percentile

TURN = ROOT / "sample_images" / "classic_8x8" / "01.jpg"
_PHONE_SIZE = (4032, 3024)
"""Width and height of a photograph as phones take it: 12 megapixels."""
MOST_MB = 500.0
_LONGEST_S = 1.5
"""By when a photograph is read, more or less: moments to kill at lie before. [by eye]"""


def killed_while_reading(folder: Path, times: int, rng: random.Random) -> Report:
    """Kill the server while it reads a photograph, and send that again with its key: it must be taken exactly once."""
    report = Report("kill -9 in mid-turn", f"{times} photographs")
    answered = taken = 0
    for at in range(times):
        key = f"photograph-{at:04}"
        with Served(folder) as served:
            game = served.new_game()
            heard: list[bool] = []

            def send(
                served: Served = served, game: int = game["id"], key: str = key, heard: list[bool] = heard
            ) -> None:
                heard.append(photographed(served, game, TURN, key))

            sender = threading.Thread(target=send)
            sender.start()
            time.sleep(rng.uniform(0.0, _LONGEST_S))
            served.kill()
            sender.join(30)
        with Served(folder) as served:
            before = int(served.ask(f"/api/v1/games/{game['id']}")[1]["version"])
            for _ in range(2):
                photographed(served, int(game["id"]), TURN, key)
            after = int(served.ask(f"/api/v1/games/{game['id']}")[1]["version"])
        answered += any(heard)
        taken += before == int(game["version"]) + 1
        if after != int(game["version"]) + 1:
            report.wrong.append(f"version {after} after one photograph, begun at {game['version']}")
    report.figures = {
        "answered before the kill": answered,
        "kept before it": taken,
        "taken twice or never": len(report.wrong),
    }
    return report


def photographed(served: Served, game: int, photograph: Path, key: str) -> bool:
    """Send a photograph with its key. Return whether it was answered."""
    with suppress(OSError):
        path = f"/api/v1/games/{game}/photos"
        return served.upload(path, "photo", photograph.read_bytes(), **{"Idempotency-Key": key})[0] < 300
    return False


def of_phone_size(folder: Path, times: int) -> Report:
    """Send photographs as large as phones take them to one table, one after another. Return the most memory."""
    report = Report("photographs of 12 megapixels", f"{times} at one table")
    pictures = sorted(TURN.parent.glob("*.jpg"))
    rng = np.random.default_rng(1)
    with Served(folder) as served:
        game = int(served.new_game()["id"])
        with Watch(served, game) as watch:
            for at in range(times):
                picture = load_image(pictures[at % len(pictures)])[0]
                large = cv2.resize(picture, _PHONE_SIZE, interpolation=cv2.INTER_CUBIC)
                grain = rng.integers(0, 12, large.shape, np.uint8)  # each photograph is different
                status = send(served, game, encode_jpeg(np.asarray(cv2.add(large, grain), np.uint8)))
                if status != 200:
                    report.wrong.append(f"{status} for photograph {at + 1}")
    report.wrong += watch.wrong
    report.figures = {"MB": round(watch.peak), "page p99 ms": round(1000 * percentile(watch.pages, 0.99))}
    if watch.peak > MOST_MB:
        report.wrong.append(f"{watch.peak:.0f} MB")
    return report
