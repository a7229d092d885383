"""Is a photograph lost, or taken twice, and what do large ones cost? Servers killed while they read one, and phones."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from vision.decoding.kinds import SUFFIXES
from vision.images import encode_jpeg, load_image
from workshop.bench.campaigns.hostile import Watch, measure_held_mb, send
from workshop.bench.campaigns.served import ROOT, Report, Served, percentile

TURN = ROOT / "sample_images" / "classic_8x8" / "01.jpg"
_PHONE_MEGAPIXELS = (7.0, 12.2)
"""Megapixels from which a photograph is sent as it is, and those to which others are enlarged. [by eye]"""
MOST_MB = 500.0
_LONGEST_S = 1.5
"""By when a photograph is read, more or less: moments to kill at lie before. [by eye]"""


def kill_while_reading(folder: Path, times: int, rng: random.Random) -> Report:
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
                heard.append(send_photograph(served, game, TURN, key))

            sender = threading.Thread(target=send)
            sender.start()
            time.sleep(rng.uniform(0.0, _LONGEST_S))
            served.kill()
            sender.join(30)
        with Served(folder) as served:
            before = int(served.ask(f"/api/v1/games/{game['id']}")[1]["version"])
            for _ in range(2):
                send_photograph(served, int(game["id"]), TURN, key)
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


def send_photograph(served: Served, game: int, photograph: Path, key: str) -> bool:
    """Send a photograph with its key. Return whether it was answered."""
    with suppress(OSError):
        path = f"/api/v1/games/{game}/photos"
        return served.upload(path, "photo", photograph.read_bytes(), **{"Idempotency-Key": key})[0] < 300
    return False


def of_phone_size(folder: Path, times: int, photographs: Path = TURN.parent) -> Report:
    """Send photographs as large as phones take them to one table, one after another. Return the most memory.

    They come from the folder `photographs` and those in it.
    """
    report = Report("photographs of phone size", "")
    files = sorted(path for path in photographs.rglob("*") if path.suffix.lower() in SUFFIXES)
    if not files:
        raise FileNotFoundError(f"There are no photographs in {photographs}.")
    rng, as_taken = np.random.default_rng(1), 0
    with Served(folder) as served:
        game = int(served.new_game()["id"])
        with Watch(served, game) as watch:
            for at in range(times):
                file = files[at % len(files)]
                is_as_taken = at < len(files) and _megapixels(file) >= _PHONE_MEGAPIXELS[0]
                as_taken += is_as_taken
                status = send(served, game, file.read_bytes() if is_as_taken else _enlarge(file, rng))
                if status != 200:
                    report.wrong.append(f"{status} for {file.name}")
            afterwards = measure_held_mb(served)
    report.did = f"{times} at one table, {as_taken} of them as they were taken, the others enlarged"
    report.wrong += watch.wrong
    report.figures = {
        "MB at most": round(watch.peak),
        "MB afterwards": round(afterwards),
        "page p99 ms": round(1000 * percentile(watch.pages, 0.99)),
    }
    if watch.peak > MOST_MB:
        report.wrong.append(f"{watch.peak:.0f} MB")
    return report


def _megapixels(file: Path) -> float:
    with Image.open(file) as picture:
        return picture.width * picture.height / 1e6


def _enlarge(file: Path, rng: np.random.Generator) -> bytes:
    """Return a picture at the size of a phone's, with new grain, by which it differs from all that were sent before."""
    scale = (_PHONE_MEGAPIXELS[1] / _megapixels(file)) ** 0.5
    picture, reduced = load_image(file)
    large = cv2.resize(picture, None, fx=scale / reduced, fy=scale / reduced, interpolation=cv2.INTER_CUBIC)
    grain = rng.integers(0, 12, large.shape, np.uint8)
    return encode_jpeg(np.asarray(cv2.add(large, grain), np.uint8))
