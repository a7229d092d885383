"""Typefaces for the tests of drawn pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from workshop.training.faces.typeface import FontFace


@pytest.fixture(scope="session")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> list[FontFace]:
    from trainingkit import write_typefaces  # both need fontTools, which the `train` extra has

    from workshop.training.faces.fonts import usable_fonts

    return usable_fonts(folders=(write_typefaces(tmp_path_factory.mktemp("fonts")),))
