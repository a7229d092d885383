"""What a family calibrates: the camera's lens, and the set of tiles.

Import the nouns from here.

>>> from pathlib import Path
>>> from calibration import Profile, load_profile, save_profile
>>> path = Path("profile.json")
>>> save_profile(Profile(), path)
>>> load_profile(path).lens is None
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.public_names import lazy_names

if TYPE_CHECKING:
    from calibration.errors import CalibrationError as CalibrationError
    from calibration.profile import Profile as Profile
    from calibration.profile import load_profile as load_profile
    from calibration.profile import save_profile as save_profile

_HOMES = {
    "CalibrationError": "calibration.errors",
    "Profile": "calibration.profile",
    "load_profile": "calibration.profile",
    "save_profile": "calibration.profile",
}
"""The module of each public name."""

__getattr__ = lazy_names(__name__, _HOMES)
