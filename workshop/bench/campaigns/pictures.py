"""Does any picture fall it over? Pictures mutated at random, for the decoder."""

from __future__ import annotations

import io
import random
import re
import time
from pathlib import Path

from PIL import Image

from vision import ImageError
from webui.decoder import Decoder
from webui.errors import Busy
from workshop.bench.campaigns.served import Report

KINDS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF", "PPM")


def pictures(times: int, rng: random.Random) -> Report:
    """Send pictures with bytes changed, cut off or repeated: each must be read or refused in one line, in bounded
    time and memory."""
    report = Report("mutated pictures", f"{times}")
    seeds = [_encode(kind) for kind in KINDS]
    decoder = Decoder()
    read = refused = 0
    slowest = 0.0
    try:
        decoder.decode(io.BytesIO(seeds[0]), name="It")
        for _ in range(times):
            data = _mutate(rng.choice(seeds), rng)
            began = time.monotonic()
            try:
                decoder.decode(io.BytesIO(data), name="It")
                read += 1
            except (ImageError, Busy) as error:
                refused += 1
                if "\n" in str(error):
                    report.wrong.append("more than one line")
            slowest = max(slowest, time.monotonic() - began)
        report.figures = {"read": read, "one line": refused, "slowest": f"{slowest:.2f} s", **_peak(decoder)}
    finally:
        decoder.close()
    if slowest > 6.0:
        report.late.append(f"{slowest:.1f} s for one")
    return report


def _encode(kind: str) -> bytes:
    data = io.BytesIO()
    Image.radial_gradient("L").convert("RGB").save(data, kind)
    return data.getvalue()


def _mutate(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    reach = len(changed) if rng.random() < 0.5 else min(200, len(changed))
    for _ in range(rng.randrange(1, 9)):
        changed[rng.randrange(reach)] = rng.choice((0, 255, 127, 128, rng.randrange(256)))
    if rng.random() < 0.2:
        del changed[rng.randrange(len(changed)) :]
    if rng.random() < 0.1:
        at = rng.randrange(len(changed) + 1)
        changed[at:at] = changed[at : at + rng.randrange(2000)] * rng.randrange(1, 50)
    return bytes(changed)


def _peak(decoder: Decoder) -> dict[str, object]:
    process = decoder._process
    if process is None:
        return {}
    text = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+)", text)
    return {"memory": f"{int(found[1]) // 1024} MB"} if found else {}
