"""Weights for the network of letters beyond A to Z to start from: those of `close_faces`, each new face as its letter.

    python -m workshop.training.fitting.more_faces --data A.npz B.npz \
        --onnx vision/weights/close_faces.onnx --out latin.pt

Ä begins as an A that is hardly ever meant, CH as a C.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from unicodedata import normalize

import numpy as np
import torch
from torch import Tensor

from engine import FACES
from vision.letters.eyes import LATIN
from workshop.training.fitting.networks import close_net, latin_net
from workshop.training.fitting.revive import revive
from workshop.training.fitting.train_faces import batches

_SAMPLE = 24
"""Batches on which the normalisation is measured. [by eye]"""
_HEAD = ("head.2.weight", "head.2.bias")
_SHARED_HEAD = ("head.2.outputs.weight", "head.2.outputs.bias")
_LIKE = {"Ð": "D", "Ł": "L", "Ø": "O", "Œ": "O", "Æ": "A", "Þ": "P", "ẞ": "B", "Q": "Qu"}
"""Letters that no sign is taken off, and what they resemble."""
_SELDOM = 3.0
"""Log odds that a new face has less than its letter. [by eye]"""


def letter_of(face: str) -> str:
    """Return the face of FACES that a face of LATIN resembles most: its letter without its mark, or its first one."""
    first = face if face in FACES else face[0]
    return first if first in FACES else _LIKE.get(first, normalize("NFD", first)[0])


def extended(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights for all of LATIN from those for FACES, whose last output is "no upright face" in both.

    Of what faces share nothing is known yet: it is 0.
    """
    rows = [*(FACES.index(letter_of(face)) for face in LATIN), len(FACES)]
    new = torch.tensor([face not in FACES for face in LATIN] + [False])
    weight, bias = (weights[name][rows] for name in _HEAD)
    wide = {name: value for name, value in latin_net().state_dict().items() if name.startswith("head")}
    for name, own in zip(_SHARED_HEAD, (weight, bias - _SELDOM * new), strict=True):
        wide[name] = torch.zeros_like(wide[name])
        wide[name][: len(own)] = own
    return {name: value for name, value in weights.items() if name not in _HEAD} | wide


def main() -> None:
    parser = argparse.ArgumentParser(description="Weights for the network of letters beyond A to Z to start from.")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--onnx", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    drawn = batches(args.data, np.random.default_rng(args.seed), closely=True, faces=LATIN)
    sample = torch.cat([inputs for inputs, _ in islice(drawn, _SAMPLE)])
    torch.save(extended(revive(close_net(), args.onnx, sample).state_dict()), args.out)


if __name__ == "__main__":
    main()
