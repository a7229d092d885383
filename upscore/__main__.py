"""``python -m upscore`` is the same as the command `upscore`."""

import sys

from upscore.cli import main

sys.exit(main())
