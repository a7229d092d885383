"""``python -m upscore`` is the same as the command `upscore`."""

import sys

if sys.version_info < (3, 10):  # noqa: UP036 (pip checks this for the command, and nobody does for this module)
    sys.exit(f"Upscore needs Python 3.10 or newer. This is Python {sys.version.split()[0]}.")

from upscore.cli import main

sys.exit(main())
