"""Is a photograph lost, or taken twice? Servers killed while they read one, which is then sent again."""

from __future__ import annotations

import random
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from workshop.bench.campaigns.served import ROOT, Report, Served

TURN = ROOT / "sample_images" / "classic_8x8" / "01.jpg"
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
    boundary = "upscore-campaign"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="photo"; filename="turn.jpg"\r\n\r\n'.encode()
        + photograph.read_bytes()
        + f"\r\n--{boundary}--\r\n".encode()
    )
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Idempotency-Key": key}
    url = f"http://127.0.0.1:{served.port}/api/v1/games/{game}/photos"
    with suppress(OSError), urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60):
        return True
    return False
