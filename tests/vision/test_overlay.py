"""What is written below an overlay."""

from __future__ import annotations

import numpy as np
import pytest

from vision import overlay


def test_words_in_quotation_marks_are_written_with_marks_that_the_letters_below_a_picture_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[str] = []
    monkeypatch.setattr("cv2.putText", lambda strip, text, *_: written.append(text))
    lines = ["PO is not in the word list “both”.", "It\u2019s a draw."]
    strip = overlay._captioned(np.zeros((10, 400, 3), np.uint8), lines, doubtful=False)
    assert written == ['PO is not in the word list "both".', "It's a draw."]
    assert strip.shape[0] > 10
