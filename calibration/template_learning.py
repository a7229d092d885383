"""Templates of a set's own letters, learned from windows whose letters are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import FACES
from vision.arrays import Floats
from vision.images import Image
from vision.letters.templates import SIDE, SetFaces, aligned, shifted_patches

_ALIGNMENT_ROUNDS = 3
"""Rounds of shifting and averaging the first examples of a letter. [by eye]"""
_MAX_EXAMPLES = 40
"""Most examples that a template counts, so that it still follows new light and wear. [by eye]"""
_MIN_CORRELATION = 0.5
"""Least correlation of an example with its template. Below it, the example shows another letter, is hidden, or is
cut beside its face. [by eye]
"""
_MIN_EXAMPLES_TO_REJECT = 3
"""Fewest examples for a template to reject others. [by eye]"""


def learn_templates(known: SetFaces | None, windows: Image, letters: Sequence[str]) -> SetFaces:
    """Add examples to a set's faces: windows (m, FACE_PX, FACE_PX, 3) and the letter that each shows.

    It shifts the examples to agree with each other, and leaves out those that disagree with the rest.
    """
    known = known or SetFaces(np.zeros((len(FACES), SIDE, SIDE)), np.zeros(len(FACES), dtype=np.int64))
    templates, counts = known.templates.copy(), known.counts.copy()
    for letter in sorted(set(letters)):
        at = FACES.index(letter)
        views = np.stack([shifted_patches(w) for w, shown in zip(windows, letters, strict=True) if shown == letter])
        template, count = _template(templates[at].ravel(), int(counts[at]), views)
        templates[at], counts[at] = template.reshape(SIDE, SIDE), min(count, _MAX_EXAMPLES)
    return SetFaces(templates, counts)


def join_templates(each: Sequence[SetFaces]) -> SetFaces:
    """Join the faces of one set from several games, weighting each letter by its examples."""
    templates, counts = each[0].templates, each[0].counts
    for more in each[1:]:
        moved, _ = aligned(more.templates, templates)
        moved = np.where((counts > 0)[:, None, None], moved, more.templates)
        templates = templates * counts[:, None, None] + moved * more.counts[:, None, None]
        norms = np.linalg.norm(templates, axis=(1, 2), keepdims=True)
        templates, counts = templates / np.maximum(norms, 1e-9), counts + more.counts
    return SetFaces(templates, np.minimum(counts, _MAX_EXAMPLES))


def _template(before: Floats, count: int, views: Floats) -> tuple[Floats, int]:
    """Join a template (p,) and its count with examples (m, shifts, p)."""
    # A template from before aligns examples in one round. Without one, they come to agree round by round.
    rounds, template = (1, before) if count else (_ALIGNMENT_ROUNDS, _unit(views[:, views.shape[1] // 2].sum(axis=0)))
    good = np.ones(len(views), dtype=bool)
    for _ in range(rounds):
        match = views @ template
        shifted = views[np.arange(len(views)), match.argmax(axis=1)]
        if count + len(views) >= _MIN_EXAMPLES_TO_REJECT:
            good = match.max(axis=1) >= _MIN_CORRELATION
        template = _unit(before * count + shifted[good].sum(axis=0))
    return (template, count + int(good.sum())) if good.any() else (before, count)


def _unit(row: Floats) -> Floats:
    return row / max(float(np.linalg.norm(row)), 1e-9)
