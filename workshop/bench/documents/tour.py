"""Pictures of docs/tour.md and README.md, made from the sample game: `python -m workshop.bench.documents.tour`.

The pictures of the page need Chromium and its driver. Without them the old ones stay.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

from engine import Board, find_edition
from upscore.words.loader import load_lexicon
from vision import BoardReader, Finding, GameSettings, certain, load_image
from vision.images import Image, encode_jpeg
from vision.overlay import draw_turn
from vision.turn.observe import observe
from workshop.bench.campaigns.hostile import send
from workshop.bench.campaigns.served import Served
from workshop.bench.record import ROOT

GAME = ROOT / "sample_images" / "classic_8x8"
TURN = 7
"""The turn of the tour: its play makes one word flat and another on stacks."""
DOCUMENTS = ROOT / "docs"
PICTURES = DOCUMENTS / "tour"
_WIDE, _QUALITY, _SQUARE = 640, 80, 60


def main() -> int:
    """Write all pictures."""
    PICTURES.mkdir(exist_ok=True)
    image, found, settings = look_at(TURN)
    assert found.reading is not None
    assert found.play is not None
    verdict = settings.verdict(found.before, found.play)
    _write("photograph.jpg", _narrow(image))
    _write("from-above.jpg", _from_above(image, np.asarray(found.reading.corners), found.reading.size))
    _write("turn.jpg", _narrow(draw_turn(image, found.reading, found, verdict)))
    _photograph_pages()
    return 0


def look_at(turn: int) -> tuple[Image, Finding, GameSettings]:
    """Return the photograph of a turn and what is found in it, after all turns before it."""
    words = load_lexicon()
    settings = GameSettings(find_edition("8x8"), words)
    reader, belief = BoardReader(words=words), certain(Board.empty(8))
    for at in range(turn + 1):
        image, _ = load_image(GAME / f"{at:02}.jpg")
        belief, found = observe(reader, belief, image, settings)
    return image, found, settings


def _from_above(image: Image, corners: np.ndarray[tuple[int, ...], np.dtype[np.float64]], size: int) -> Image:
    """Flatten the board's plane: the higher a stack, the further its face lies beside its square."""
    side = float(_SQUARE * (size + 2))
    low, high = float(_SQUARE), side - _SQUARE
    target = np.array([(low, low), (high, low), (high, high), (low, high)], dtype=np.float32)
    flatten = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    flat = cv2.warpPerspective(image, flatten, (int(side), int(side)))
    for at in range(size + 1):
        place = _SQUARE * (at + 1)
        cv2.line(flat, (place, int(low)), (place, int(high)), (230, 200, 60), 1, cv2.LINE_AA)
        cv2.line(flat, (int(low), place), (int(high), place), (230, 200, 60), 1, cv2.LINE_AA)
    return np.asarray(flat, dtype=np.uint8)


def _narrow(image: Image) -> Image:
    high = round(image.shape[0] * _WIDE / image.shape[1])
    return np.asarray(cv2.resize(image, (_WIDE, high), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _write(name: str, image: Image) -> None:
    (PICTURES / name).write_bytes(encode_jpeg(image, _QUALITY))


def _photograph_pages() -> None:
    """Photograph the page after the game's first turns, and the question that comes where a turn is left out."""
    from workshop.bench.page.browser import browser, is_there  # from the dev extra, which nothing else here needs

    if not is_there():
        print("chromium and chromedriver are not installed: the page's pictures stay as they were", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory(prefix="upscore-tour-") as folder, Served(Path(folder)) as served:
        turns = range(1, TURN + 2)
        shown = (
            ("tour", turns[:TURN], PICTURES / "page.png", True),
            ("laptop", turns[: TURN - 1], DOCUMENTS / "screenshot.png", False),
            ("phone", (*turns[: TURN - 1], TURN + 1), DOCUMENTS / "question.png", False),
        )
        for screen, photographs, path, narrow in shown:
            game = int(served.new_game()["id"])
            for at in photographs:
                send(served, game, (GAME / f"{at:02}.jpg").read_bytes())
            with browser(screen) as chromium:
                chromium.get(f"http://127.0.0.1:{served.port}/games/{game}")
                _write_page(path, chromium.get_screenshot_as_png(), narrow=narrow)


def _write_page(path: Path, png: bytes, *, narrow: bool) -> None:
    """Write a picture of a page, `_WIDE` pixels wide if it is to be made smaller."""
    shot = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert shot is not None
    page = np.asarray(shot, dtype=np.uint8)
    cv2.imwrite(str(path), _narrow(page) if narrow else page, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    sys.exit(main())
