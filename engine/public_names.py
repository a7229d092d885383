"""Public faces that load lazily (PEP 562): a package gives its names without importing their modules at once."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import get_data


def lazy_names(package: str) -> Callable[[str], object]:
    """Return the `__getattr__` of a package: it gives the names that the package imports for type checkers.

    They are written once, in the package's own source under `if TYPE_CHECKING`. A module is imported when one of its
    names is first asked for. Any other name is an AttributeError.
    """

    @cache
    def homes() -> dict[str, str]:
        blocks = [each for each in ast.parse(get_data(package, "__init__.py") or b"").body if isinstance(each, ast.If)]
        imports = [each for block in blocks for each in block.body if isinstance(each, ast.ImportFrom)]
        return {name.name: str(each.module) for each in imports for name in each.names}

    def find(name: str) -> object:
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes()[name]), name)

    return find
