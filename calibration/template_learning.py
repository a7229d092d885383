"""Learning a set's own letters from windows whose letters are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine import FACES
from vision.images import Image
from vision.letters.templates import SIDE, SetFaces, aligned, shifted_patches

Floats = npt.NDArray[np.float64]

_ROUNDS = 3
"""Times the first examples of a letter are shifted and averaged anew. By eye, not measured."""
_MOST = 40
"""Examples that a template stands for at most, so that it still follows new light and wear. By eye, not measured."""
_ODD = 0.5
"""Correlation below which an example is of another letter, hidden, or cut beside its face. By eye, not measured."""
_ENOUGH = 3
"""Examples from which a template can tell that. By eye, not measured."""


def learn_templates(known: SetFaces | None, windows: Image, letters: Sequence[str]) -> SetFaces:
    """The set's faces with more examples: windows (m, FACE_PX, FACE_PX, 3) and the letter that each shows.

    Examples are shifted to agree with each other, and those that do not agree with the rest are left out.
    """
    known = known or SetFaces(np.zeros((len(FACES), SIDE, SIDE)), np.zeros(len(FACES), dtype=np.int64))
    templates, counts = known.templates.copy(), known.counts.copy()
    for letter in sorted(set(letters)):
        at = FACES.index(letter)
        views = np.stack(
            [shifted_patches(w) for w, shown in zip(windows, letters, strict=True) if shown == letter]
        )
        template, count = _template(templates[at].ravel(), int(counts[at]), views)
        templates[at], counts[at] = template.reshape(SIDE, SIDE), min(count, _MOST)
    return SetFaces(templates, counts)


def join_templates(each: Sequence[SetFaces]) -> SetFaces:
    """The faces of one set that several games have taught, each letter by how many examples it had."""
    templates, counts = each[0].templates, each[0].counts
    for more in each[1:]:
        moved, _ = aligned(more.templates, templates)
        moved = np.where((counts > 0)[:, None, None], moved, more.templates)
        templates = templates * counts[:, None, None] + moved * more.counts[:, None, None]
        norms = np.linalg.norm(templates, axis=(1, 2), keepdims=True)
        templates, counts = templates / np.maximum(norms, 1e-9), counts + more.counts
    return SetFaces(templates, np.minimum(counts, _MOST))


def _template(before: Floats, count: int, views: Floats) -> tuple[Floats, int]:
    """A template (p,) and its count joined with examples (m, shifts, p)."""
    # a template from before shows where examples belong, at once; without one they come to agree round by round
    rounds, template = (1, before) if count else (_ROUNDS, _unit(views[:, views.shape[1] // 2].sum(axis=0)))
    good = np.ones(len(views), dtype=bool)
    for _ in range(rounds):
        match = views @ template
        shifted = views[np.arange(len(views)), match.argmax(axis=1)]
        if count + len(views) >= _ENOUGH:
            good = match.max(axis=1) >= _ODD
        template = _unit(before * count + shifted[good].sum(axis=0))
    return (template, count + int(good.sum())) if good.any() else (before, count)


def _unit(row: Floats) -> Floats:
    return np.asarray(row / max(float(np.linalg.norm(row)), 1e-9), dtype=np.float64)
