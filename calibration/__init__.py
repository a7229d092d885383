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

from importlib import import_module
from typing import TYPE_CHECKING

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
"""The module of each public name. It is imported when the name is first asked for."""


def __getattr__(name: str) -> object:
    """Import a public name from its module; raises AttributeError for any other name."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value
