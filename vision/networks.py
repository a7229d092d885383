"""The trained networks, run by ONNX Runtime. Weights ship beside this file."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.wording import phrase
from vision.arrays import Tensor
from vision.errors import WeightsError

# from 1.32 on, ONNX Runtime keeps an identifier in the user's folder and tells its makers of its use unless told not to
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

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
    "latin_faces",
)
"""The networks, by the names of their files in `WEIGHTS`."""
_ADDED_DEVIATION = 6.0
"""Grey levels added to a window's deviation, so that the noise of a plain window isn't magnified. The networks were
trained with this value."""
THREADS = min(4, os.cpu_count() or 1)
"""Threads of a network. More than four gain nothing on networks this small. [by eye]"""


class Network:
    """An ONNX network with one output. Some have inputs besides the picture."""

    def __init__(self, name: str) -> None:
        import onnxruntime  # here, because the page and stored beliefs import this module but run no network

        path = WEIGHTS / f"{name}.onnx"
        if not path.is_file():
            raise WeightsError(phrase("The weights %(name)s are missing: install Upscore again.", name=path.name))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.inter_op_num_threads = 1
        # threads that spin until the next network runs would take the cores from OpenCV
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # its own store of memory would keep 90 MB between two pictures, and saves no time [sample images, one core]
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            # onnxruntime's exception types are private
            raise WeightsError(
                phrase(
                    "The weights %(name)s cannot be used (%(error)s): install Upscore again.",
                    name=path.name,
                    error=error,
                )
            ) from error

    def __call__(self, x: Tensor, **more: Tensor) -> Tensor:
        """Return the output for a float32 batch; `more` are further inputs by name."""
        inputs = {name: np.ascontiguousarray(part, dtype=np.float32) for name, part in {"x": x, **more}.items()}
        (y,) = self._session.run(None, inputs)
        return np.asarray(y, dtype=np.float32)


def standardise(windows: npt.NDArray[np.uint8]) -> Tensor:
    """Return network input (m, 3, px, px) of windows (m, px, px, 3), each with zero mean and unit deviation."""
    values = windows.astype(np.float32)
    mean = values.mean(axis=(1, 2, 3), keepdims=True)
    spread = values.std(axis=(1, 2, 3), keepdims=True) + _ADDED_DEVIATION
    return np.ascontiguousarray(((values - mean) / spread).transpose(0, 3, 1, 2))


@cache
def network(name: str) -> Network:
    """Return the network of a name, one of `NAMES`. Each is loaded once."""
    return Network(name)


def load_networks() -> None:
    """Load every network that English sets need, so that the first picture need not wait. Raises WeightsError."""
    for name in NAMES:
        if name != "latin_faces":
            network(name)
