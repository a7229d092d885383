"""The names of players: what people write on one line."""

from __future__ import annotations

import pytest

from engine import Game, GameError, edition_named


@pytest.mark.parametrize(
    "name", ["Ada", "Zoë 2", "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "\N{HEAVY BLACK HEART}\ufe0f"]
)
def test_names_may_have_emoji_that_are_joined(name: str) -> None:
    assert Game.start(edition_named("8x8"), [name]).players == (name,)


@pytest.mark.parametrize("name", ["", " Ada", "\u200d", "A\nB", "A\u202eB", "A" * 41])
def test_names_stand_on_one_line(name: str) -> None:
    with pytest.raises(GameError):
        Game.start(edition_named("8x8"), [name])
