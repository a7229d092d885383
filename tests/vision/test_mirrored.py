"""Pictures of a front camera, which shows the board in a mirror."""

from __future__ import annotations

import numpy as np
import pytest
from samples import photograph

from vision import BoardNotFound, BoardReader
from vision.letters.orientation import is_hard_to_read


@pytest.mark.parametrize(("name", "size"), [("classic_8x8/13.jpg", 8), ("blue_10x10/11.jpg", 10)])
def test_a_mirrored_picture_is_refused_and_told(name: str, size: int) -> None:
    image, _ = photograph(name)
    reader = BoardReader(without={"tesseract"})
    assert reader.read(image, size).heights().sum() > 5
    with pytest.raises(BoardNotFound, match="mirrored"):
        reader.read(np.ascontiguousarray(image[:, ::-1]), size)


def test_an_empty_board_in_a_mirror_is_an_empty_board() -> None:
    image, _ = photograph("classic_8x8/00.jpg")
    assert not BoardReader(without={"tesseract"}).read(np.ascontiguousarray(image[:, ::-1]), 8).heights().any()


def test_a_mirror_is_thought_of_where_letters_are_unsure() -> None:
    tiles = np.zeros((8, 8), dtype=bool)
    tiles[3, 2:7] = True
    sure, unsure = np.full((8, 8, 26), 0.001), np.full((8, 8, 26), 0.02)
    sure[..., 4], unsure[..., 4] = 0.975, 0.5
    assert not is_hard_to_read(sure, tiles)
    assert is_hard_to_read(unsure, tiles)
    assert not is_hard_to_read(unsure, tiles & False)
