"""`upscore backup` and `restore`."""

from __future__ import annotations

from pathlib import Path

import pytest
from clikit import Caller

from engine import Board, Game, find_edition
from upscore.words.loader import load_lexicon
from webui.storage.store import Store
from webui.table.announcer import Announcer
from webui.table.games import Games


class Shelf:
    """The usual word list."""

    def names(self) -> tuple[str, ...]:
        return ("standard",)

    def load(self, name: str, alphabet: object = None) -> object:
        return load_lexicon(name)


@pytest.mark.parametrize("damaged", [False, True])
def test_a_restore_that_fails_leaves_no_folder_behind(upscore: Caller, tmp_path: Path, damaged: bool) -> None:
    backup, old = tmp_path / "games.zip", tmp_path / "old"
    if damaged:
        backup.write_bytes(b"no zip file")
    upscore("restore", backup, "--data", tmp_path / "new" / "games")
    upscore.expect_refusal(str(backup))
    assert not (tmp_path / "new").exists()
    old.mkdir()
    (old / "mine.txt").write_text("mine")
    upscore("restore", backup, "--data", old)
    upscore.expect_refusal(str(backup))
    assert (old / "mine.txt").read_text() == "mine"


def test_games_move_house(upscore: Caller, tmp_path: Path) -> None:
    store = Store(tmp_path / "old")
    tables = Games(store, Shelf(), Announcer())  # type: ignore[arg-type]
    game = Game.start(find_edition("8x8"), ("Red", "Blue"), lexicon=load_lexicon())
    open_game = tables.start(edition="8x8", players=("Red", "Blue"), rules=game.setup.rules, lexicon="standard")
    assert open_game.game.board == Board.empty(8)
    assert upscore("backup", tmp_path / "games.zip", "--data", tmp_path / "old").status == 0
    store.close()
    assert upscore("restore", tmp_path / "games.zip", "--data", tmp_path / "new").status == 0
    moved = Store(tmp_path / "new")
    assert [row.title for row in moved.games()] == ["Red - Blue"]
    moved.close()
    upscore("restore", tmp_path / "games.zip", "--data", tmp_path / "new")
    upscore.expect_refusal("There are games in")
    upscore("backup", tmp_path / "games.zip", "--data", tmp_path / "old")
    upscore.expect_refusal("is there already")


def test_a_game_that_cannot_be_replayed_is_named_and_moves_as_it_is(upscore: Caller, tmp_path: Path) -> None:
    store = Store(tmp_path / "old")
    for title in ("Red - Blue", "Ann - Bob"):
        store.add_game(title=title, summary="8x8, 0 turns", log="x", lexicon="standard", demo=False)
    store.close()
    told = [f"The game {title} cannot be read: its log is damaged." for title in ("Red - Blue", "Ann - Bob")]
    upscore("backup", tmp_path / "games.zip", "--data", tmp_path / "old")
    assert upscore.status == 0
    assert sorted(upscore.err.splitlines()[1:]) == sorted(f"{line} The backup has it unchanged." for line in told)
    upscore("restore", tmp_path / "games.zip", "--data", tmp_path / "new")
    assert upscore.status == 0
    assert sorted(upscore.err.splitlines()[:2]) == sorted(
        f"{line} It was so when the backup was made, and was put there as it is." for line in told
    )
    assert "Games: 2, each of the others replayed" in upscore.err
