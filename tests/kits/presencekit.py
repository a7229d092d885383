"""What has to be there."""

from __future__ import annotations

from typing import TypeVar

Something = TypeVar("Something")


def there(value: Something | None) -> Something:
    """Return what must be there."""
    assert value is not None
    return value
