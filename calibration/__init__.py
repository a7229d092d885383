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
    from calibration.errors import CalibrationError
    from calibration.profile import Profile, load_profile, save_profile

__getattr__ = lazy_names(__name__)
