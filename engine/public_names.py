"""Public faces that load lazily (PEP 562): a package gives its names without importing their modules at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package whose public names live in other modules.

    `homes` has the module of each name; it is imported when the name is first asked for. Any other name is an
    AttributeError.
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return find
