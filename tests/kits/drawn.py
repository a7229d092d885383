"""Pictures drawn for tests: stacks of one colour with a letter on top, on a plain board."""

from __future__ import annotations

import cv2
import numpy as np

from vision import Camera

BOARD, BLUE, WHITE = (30, 170, 220), (150, 70, 30), (235, 235, 235)


def draw_stack(picture: np.ndarray, seen: Camera, square: tuple[int, int], top: float, letter: str) -> None:
    """Draw a stack of one colour with a letter on it, its rim a little darker."""
    row, col = square
    x0, x1, y0, y1 = col + 0.06, col + 0.94, row + 0.06, row + 0.94
    wall = [(x0, y1, 0), (x1, y1, 0), (x1, y1, top), (x0, y1, top)]
    cv2.fillConvexPoly(picture, np.round(seen.project(wall)).astype(np.int32), (120, 55, 25))
    face = np.full((128, 128, 3), BLUE, np.uint8)
    (wide, high), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_SIMPLEX, 2.4, 10)
    cv2.putText(
        face, letter, ((128 - wide) // 2, (128 + high) // 2), cv2.FONT_HERSHEY_SIMPLEX, 2.4, WHITE, 10, cv2.LINE_AA
    )  # fmt: skip
    corners = seen.project([(x0, y0, top), (x1, y0, top), (x1, y1, top), (x0, y1, top)]).astype(np.float32)
    source = np.array([(0, 0), (128, 0), (128, 128), (0, 128)], np.float32)
    shape = picture.shape[1], picture.shape[0]
    onto = cv2.getPerspectiveTransform(source, corners)
    shown = cv2.warpPerspective(face, onto, shape, flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.full((128, 128), 255, np.uint8), onto, shape) > 127
    picture[inside] = shown[inside]
