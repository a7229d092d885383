"""What can be wrong with a call of the command."""

from __future__ import annotations

from engine import UpscoreError


class UsageError(UpscoreError):
    """The words of the call are off, or what they name cannot be used."""


class OutputError(UpscoreError):
    """A file that was asked for cannot be written."""


def incomplete(error: ImportError) -> UsageError:
    """Return what to tell people where a module cannot be imported: which system library it lacks, or what to do."""
    if ".so" in str(error):
        return UsageError(
            f"a system library is missing ({error}): on Debian or Ubuntu install libgl1 and libglib2.0-0, or put "
            "opencv-python-headless instead of opencv-python."
        )
    if "DLL load failed" in str(error):
        return UsageError(
            f"a system library is missing ({error}): install the newest Microsoft Visual C++ Redistributable."
        )
    return UsageError(f"the installation is not complete ({error}): install upscore again.")
