"""Names for the arrays that vision passes around."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Tensor = npt.NDArray[np.float32]
"""An input or output of a network."""
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
