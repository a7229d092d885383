from __future__ import annotations

from collections.abc import Callable

import pytest
from enginekit import refusal
from presencekit import there

from engine import (
    EDITIONS,
    FACES,
    Board,
    Edition,
    Game,
    Lexicon,
    Revision,
    find_edition,
    grid_edition,
    parse_play,
    referee,
)
from engine.errors import RulesError
from engine.formats.game_json import Position, parse_position, stacks_json
from engine.solver.search import legal_plays, plays_on
from engine.squares import parse_squares
from engine.tiles import Rack

WORDS = Lexicon.from_words(["ON", "NO"])


def test_the_editions_have_their_tiles() -> None:
    assert {name: edition.tile_total for name, edition in EDITIONS.items()} == {"8x8": 64, "10x10": 100, "11x11": 121}
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
    assert find_edition(grid.name) == grid


def test_a_grid_is_not_mistaken_for_an_edition() -> None:
    assert find_edition("8x8").tile_total == 64
    assert grid_edition(8).tile_total == 0
    assert grid_edition(15).name == "15x15"


@pytest.mark.parametrize("name", ["", "8", "8x9", "22x22", "1x1", "08x08", "9x9-grid", "classic", "٨x٨"])
def test_an_unknown_edition_is_refused(name: str) -> None:
    with pytest.raises(RulesError, match="choose 8x8, 10x10, 11x11"):
        find_edition(name)


@pytest.mark.parametrize("size", [1, 22])
def test_a_grid_has_a_sensible_size(size: int) -> None:
    with pytest.raises(RulesError, match="2 to 21"):
        grid_edition(size)


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: Edition("8x8", 1, None, 0),
        lambda: Edition("", 8, None, 0),
        lambda: Edition("8x8", 8, None, -1),
        lambda: Edition("8x8", 8, {"A": 3}, 3),
        lambda: Edition("8x8", 8, dict.fromkeys(FACES, 1), 27),
        lambda: Rack(hidden=-1),
        lambda: Position(find_edition("8x8"), Board.empty(10)),
        lambda: Position(find_edition("8x8"), Board.empty(8), {"A": -1}),
        lambda: Position(find_edition("8x8"), Board.empty(8), {"AB": 1}),
        lambda: Position(find_edition("8x8"), Board.empty(8), None, tuple("abcde")),
        lambda: Revision((), -1),
    ],
)
def test_what_cannot_be_is_never_built(attempt: Callable[[], object]) -> None:
    said = there(refusal(attempt))
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    "attempt",
    [
        lambda board: Position(EDITIONS["8x8"], board),
        lambda board: parse_position({"edition": "8x8", "stacks": stacks_json(board)}),
        lambda board: Game.start(EDITIONS["8x8"], ["Red"], board=board),
        lambda board: referee(board, parse_play("d4-ON"), edition=EDITIONS["8x8"], lexicon=None),
        lambda board: legal_plays(board, ("O", "N"), edition=EDITIONS["8x8"], lexicon=WORDS),
        lambda board: plays_on(
            board, parse_squares("d4"), None, edition=EDITIONS["8x8"], lexicon=WORDS
        ),
    ],
)  # fmt: skip
def test_a_board_of_another_edition_is_refused_in_the_same_words(attempt: Callable[[Board], object]) -> None:
    with pytest.raises(RulesError) as refused:
        attempt(Board.empty(10))
    assert str(refused.value) == "the board has 10 rows, and edition 8x8 has 8: use its edition"


def test_only_an_edition_without_a_known_sheet_has_a_note() -> None:
    assert [name for name, edition in EDITIONS.items() if edition.note] == ["11x11"]
    assert EDITIONS["11x11"].note == "rules not confirmed"
