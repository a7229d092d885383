from __future__ import annotations

import pytest

from engine.editions import EDITIONS, edition_named, grid_edition
from engine.errors import RulesError


def test_the_editions_have_their_tiles() -> None:
    assert {name: edition.tile_total for name, edition in EDITIONS.items()} == {
        "8x8": 64,
        "10x10": 100,
        "11x11": 121,
    }
    assert EDITIONS["8x8"].distribution is not None
    assert EDITIONS["8x8"].distribution["E"] == 6
    assert EDITIONS["8x8"].distribution["Qu"] == 1
    assert EDITIONS["10x10"].distribution is not None
    assert EDITIONS["10x10"].distribution["E"] == 8
    assert len(EDITIONS["10x10"].distribution) == 26
    assert EDITIONS["11x11"].distribution is None


@pytest.mark.parametrize("size", [2, 8, 10, 11, 15, 21])
def test_a_grid_is_found_again_by_its_name(size: int) -> None:
    grid = grid_edition(size)
    assert grid.size == size
    assert grid.distribution is None
    assert edition_named(grid.name) == grid


def test_a_grid_is_not_mistaken_for_an_edition() -> None:
    assert edition_named("8x8").tile_total == 64
    assert grid_edition(8).tile_total == 0
    assert grid_edition(15).name == "15x15"


@pytest.mark.parametrize("name", ["", "8", "8x9", "22x22", "1x1", "08x08", "9x9-grid", "classic", "٨x٨"])
def test_an_unknown_edition_is_refused(name: str) -> None:
    with pytest.raises(RulesError, match="choose 8x8, 10x10, 11x11"):
        edition_named(name)


@pytest.mark.parametrize("size", [1, 22])
def test_a_grid_has_a_sensible_size(size: int) -> None:
    with pytest.raises(RulesError, match="2 to 21"):
        grid_edition(size)
