"""Tiles of the play before that only the next picture shows: a hand had lain on them, or they had not been made out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vision.context import Context
from vision.hypotheses import Hypothesis
from vision.infer import TurnInference

_BELATED = 0.5
"""Share of the boards with more tiles of the play before, where a picture shows two plays and that one was in doubt."""


def completed(held: Hypothesis, seen: TurnInference, context: Context) -> Iterator[Hypothesis]:
    """The boards on which one of the two plays seen belongs to the play before: the two together are one lawful play.

    None where `seen` is not of two plays. Whether the play before was in doubt is for the caller to know.
    """
    last = held.last_play
    if last is None or seen.earlier is None:
        return
    before = held.board.without_top(last.squares)
    for part in (seen.play, seen.earlier):
        if set(part.squares) & set(last.squares):
            continue
        whole = last.with_tiles(part.tiles)
        if not context.verdict(before, whole).violations:
            yield replace(held, board=before.with_play(whole), last_play=whole, share=_BELATED * held.share)
