"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> settings:
    """Draw this many examples, or a tenth of them if the slow tests are left out, too."""
    return settings(max_examples=max(2, count * settings().max_examples // 100))
