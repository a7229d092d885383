"""The trained networks, run by ONNX Runtime. Weights ship beside this file."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.errors import WeightsError

Tensor = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights"
NAMES = (
    "locate",
    "locate_again",
    "lattice",
    "stacks",
    "wide_stacks",
    "sizes",
    "walls",
    "comparison",
    "faces",
    "close_faces",
)
_FLAT = 6.0
"""Added to a window's deviation, so that the noise of a plain one is not blown up; the networks were trained with
it."""
THREADS = min(4, os.cpu_count() or 1)
"""Threads of a network: more than four gain nothing on networks so small. By eye."""


class Network:
    """One ONNX network with one output; some are told more than what they look at."""

    def __init__(self, name: str) -> None:
        import onnxruntime  # what is believed of a game needs the types of readings, but no network: so does the page

        path = WEIGHTS / f"{name}.onnx"
        if not path.is_file():
            raise WeightsError(f"The weights {path.name} are missing: install Upscore again.")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.inter_op_num_threads = 1
        # threads that wait for the next network by spinning take the cores from OpenCV between two of them
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            # onnxruntime's own exception types are private to it
            raise WeightsError(
                f"The weights {path.name} cannot be used ({error}): install Upscore again."
            ) from error

    def __call__(self, x: Tensor, **more: Tensor) -> Tensor:
        """The output for a float32 batch and what else is told, by the names of the inputs."""
        inputs = {
            name: np.ascontiguousarray(part, dtype=np.float32) for name, part in {"x": x, **more}.items()
        }
        (y,) = self._session.run(None, inputs)
        return np.asarray(y, dtype=np.float32)


def standardised(windows: npt.NDArray[np.uint8]) -> Tensor:
    """Network input (m, 3, px, px) of windows (m, px, px, 3): each with zero mean and unit deviation."""
    values = windows.astype(np.float32)
    mean = values.mean(axis=(1, 2, 3), keepdims=True)
    spread = values.std(axis=(1, 2, 3), keepdims=True) + _FLAT
    return np.ascontiguousarray(((values - mean) / spread).transpose(0, 3, 1, 2))


@cache
def network(name: str) -> Network:
    """The network of that name, one of `NAMES`, loaded once."""
    return Network(name)


def load_networks() -> None:
    """Load all of them, so that the first picture need not wait; raises WeightsError."""
    for name in NAMES:
        network(name)
