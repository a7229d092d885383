"""The family's tiles: learned from games that are over, used in the next ones, forgotten when they say so."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from enginekit import play_all
from flask.testing import FlaskClient
from guestkit import guest
from webkit import EXAMPLE, OpenPage, ScriptedReader, Site, jpeg, start_game, sure, text, upload

from engine import Board, parse_play, square_name
from engine.game.events import Played
from vision.turn.belief import Knowledge
from webui.access.sessions import Role
from webui.app import services_of
from webui.errors import StoreError
from webui.ports import SettledTurn
from webui.services import Services
from webui.storage.archive import restore, write_backup
from webui.storage.backups import Backups
from webui.storage.rescue import rescue
from webui.storage.store import FILE_NAME, Store
from webui.table.games import OpenGame
from webui.table.learned_set import IDLE_TIME, MAX_GAMES_LEARNED, LearnedTileSets, LessonRows

LESSON = "what it taught"
EMPTY = Board.empty(8)


def photograph_turns(client: FlaskClient, reader: ScriptedReader, number: int, turns: int = 2) -> None:
    """Photograph turns of the example in a game."""
    for at, tiles in enumerate(EXAMPLE[:turns]):
        reader.say([sure(tiles)])
        upload(client, f"/games/{number}/photo", jpeg(120 + at))


def end_game(services: Services, number: int) -> None:
    services.games.change(services.games.open(number), lambda game: game.end("agreed", left=(0, 0)))


def taught(services: Services, client: FlaskClient, reader: ScriptedReader, number: int = 1) -> tuple[SettledTurn, ...]:
    """Play a game to its end; what the reader is given to learn from."""
    photograph_turns(client, reader, number)
    end_game(services, number)
    reader.lesson = LESSON
    assert services.learned_sets.learn_next()
    return reader.taught[-1]


def test_a_game_that_is_over_teaches_and_the_next_one_is_read_with_it(site: Site) -> None:
    turns = taught(site.services, site.client, site.reader)
    assert [turn.board for turn in turns] == [play_all(EMPTY, *EXAMPLE[:2]), play_all(EMPTY, EXAMPLE[0])]
    assert [turn.by_hand for turn in turns] == [frozenset()] * 2
    assert {turn.image.shape for turn in turns} == {(120, 160, 3), (121, 160, 3)}
    assert [query.lessons for query in site.reader.queries] == [(), ()]
    assert not site.services.learned_sets.learn_next()
    start_game(site.services)
    photograph_turns(site.client, site.reader, 2, turns=1)
    assert site.reader.queries[-1].lessons == (LESSON,)
    assert "Upscore knows your 8 × 8 tiles (from one game)." in text(site.client.get("/games"))
    assert "Upscore knows your 8 × 8 tiles (from one game)." in text(site.client.get("/games/2"))


def test_a_game_under_way_teaches_only_once_nobody_puts_its_turns_right_any_more(site: Site) -> None:
    photograph_turns(site.client, site.reader, 1)
    assert not site.services.learned_sets.learn_next()
    assert site.services.learned_sets.learn_next(idle=-IDLE_TIME)
    assert site.reader.taught != []


def test_the_letters_of_a_turn_put_right_by_hand_are_not_learned(
    client: FlaskClient, services: Services, game: OpenGame, reader: ScriptedReader
) -> None:
    photograph_turns(client, reader, 1)
    right = Played(parse_play("M@b4 O@c4 O@d4 N@e4"))
    services.games.change(services.games.open(1), lambda game: game.correct(0, right).game)
    end_game(services, 1)
    services.learned_sets.learn_next()
    newest, first = reader.taught[-1]
    assert newest.board.top(right.play.squares[3]) == "N"
    assert {square_name(square) for square in first.by_hand} == {"b4", "c4", "d4", "e4"}
    assert newest.by_hand == first.by_hand


def test_a_play_that_was_taken_back_teaches_nothing(
    client: FlaskClient, services: Services, game: OpenGame, reader: ScriptedReader
) -> None:
    photograph_turns(client, reader, 1)
    services.games.change(services.games.open(1), lambda game: game.take_back().pass_turn())
    end_game(services, 1)
    services.learned_sets.learn_next()
    assert [turn.board for turn in reader.taught[-1]] == [play_all(EMPTY, EXAMPLE[0])]


def test_a_game_put_right_after_its_end_is_learned_from_anew(
    client: FlaskClient, services: Services, game: OpenGame, reader: ScriptedReader
) -> None:
    taught(services, client, reader)
    services.games.change(
        services.games.open(1), lambda game: game.correct(0, Played(parse_play(EXAMPLE[0][:-1] + "5"))).game
    )
    reader.lesson = "what it taught when it was put right"
    assert services.learned_sets.learn_next()
    assert services.learned_sets.lessons("8x8") == (reader.lesson,)
    reader.lesson = None
    services.games.change(services.games.open(1), lambda game: game.undo())
    assert services.learned_sets.learn_next()
    assert services.learned_sets.lessons("8x8") == ()


def test_demos_and_games_of_others_teach_nothing(site: Site) -> None:
    start_game(site.services, demo=True)
    for number in (1, 2):
        photograph_turns(site.client, site.reader, number)
        end_game(site.services, number)
    with site.client.get("/games/1/export.zip") as response:
        kept = io.BytesIO(response.get_data())
    site.services.store.delete_game(1)
    assert site.client.post("/import", data={"game": (kept, "game.zip")}).status_code == 303
    assert any(row.finished and not row.demo for row in site.services.store.games())
    assert not site.services.learned_sets.learn_next()
    assert site.reader.taught == []


def test_a_game_of_other_tiles_is_left_out_and_says_so(
    client: FlaskClient, services: Services, game: OpenGame, reader: ScriptedReader
) -> None:
    taught(services, client, reader)
    other = start_game(services)
    belief = replace(other.belief, knowledge=Knowledge(other_set=True))
    services.games.change(other, lambda game: game, belief=belief)
    page = text(client.get("/games/2"))
    assert "These tiles look new" in page
    assert "Upscore knows your" not in page
    end_game(services, 2)
    assert services.learned_sets.learn_next()
    assert len(reader.taught) == 1
    assert services.learned_sets.lessons("8x8") == (LESSON,)
    assert "These tiles look new" not in text(client.get("/games/2"))


def test_a_game_deleted_has_taught_all_the_same(site: Site) -> None:
    taught(site.services, site.client, site.reader)
    site.submit("delete")
    assert site.services.learned_sets.lessons("8x8") == (LESSON,)
    assert "(from one game)." in text(site.client.get("/games"))


def test_what_is_forgotten_stays_so(
    client: FlaskClient, services: Services, game: OpenGame, reader: ScriptedReader
) -> None:
    taught(services, client, reader)
    start_game(services)
    photograph_turns(client, reader, 2)
    end_game(services, 2)
    assert "from one game" in text(client.get("/tiles/forget?edition=8x8"))
    assert client.post("/tiles/forget", data={"edition": "8x8"}).status_code == 303
    assert services.learned_sets.lessons("8x8") == ()
    assert "Upscore knows your" not in text(client.get("/games"))
    assert "learned those tiles" in text(client.get("/tiles/forget?edition=8x8"))
    services.games.change(services.games.open(1), lambda game: game.undo())
    end_game(services, 1)
    assert not services.learned_sets.learn_next()
    start_game(services)
    taught(services, client, reader, 3)
    assert services.learned_sets.lessons("8x8") == (LESSON,)


def test_an_edition_that_there_is_not_cannot_be_forgotten(client: FlaskClient) -> None:
    assert client.post("/tiles/forget", data={"edition": "rugs"}).status_code == 400


def test_only_keepers_are_offered_to_forget(site: Site) -> None:
    taught(site.services, site.client, site.reader)
    assert "/tiles/forget" in text(site.client.get("/games"))
    scorer = text(guest(site.app, Role.SCORER).get("/games"))
    assert "Upscore knows your 8 × 8 tiles (from one game)." in scorer
    assert "/tiles/forget" not in scorer


def test_editions_are_known_apart(site: Site) -> None:
    taught(site.services, site.client, site.reader)
    assert site.services.learned_sets.lessons("10x10") == ()
    site.services.learned_sets.forget("10x10")
    assert site.services.learned_sets.lessons("8x8") == (LESSON,)


def test_it_is_there_after_a_restart_and_in_a_backup(site: Site, tmp_path: Path, open_page: OpenPage) -> None:
    taught(site.services, site.client, site.reader)
    write_backup(site.services.config.data_dir, tmp_path / "games.zip")
    site.services.close()
    restore(tmp_path / "games.zip", tmp_path / "new")
    for folder in (site.services.config.data_dir, tmp_path / "new"):
        again = services_of(open_page(data_dir=folder))
        assert again.learned_sets.lessons("8x8") == (LESSON,)
        assert not again.learned_sets.learn_next()


def test_it_comes_back_from_a_copy_where_the_store_is_gone(site: Site) -> None:
    taught(site.services, site.client, site.reader)
    folder = site.services.config.data_dir
    backups = Backups(folder)
    backups.make()
    site.services.close()
    for suffix in ("-wal", "-shm"):
        Path(f"{folder / FILE_NAME}{suffix}").unlink(missing_ok=True)
    (folder / FILE_NAME).write_bytes(b"not a database at all")
    assert rescue(folder / FILE_NAME, backups.all()) is not None
    again = Store(folder)
    assert LessonRows(again).of_edition("8x8") == (LESSON,)
    again.close()


def test_only_the_newest_games_teach(site: Site) -> None:
    rows = site.services.learned_sets._rows
    for number in range(MAX_GAMES_LEARNED + 3):
        rows.put(100 + number, "8x8", 1, f"game {number}")
    assert rows.of_edition("8x8") == tuple(f"game {number}" for number in reversed(range(3, MAX_GAMES_LEARNED + 3)))
    assert rows.counts() == {"8x8": MAX_GAMES_LEARNED}
    assert rows.of_edition("8x8", but=100 + MAX_GAMES_LEARNED + 2)[0] == f"game {MAX_GAMES_LEARNED + 1}"


def test_a_reader_that_fails_is_not_asked_again_about_the_same_game(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    photograph_turns(site.client, site.reader, 1)
    end_game(site.services, 1)

    def fails(*_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(site.reader, "learn", fails)
    assert site.services.learned_sets.learn_next()
    assert not site.services.learned_sets.learn_next()
    assert site.services.learned_sets.lessons("8x8") == ()


def test_what_the_disk_refuses_is_tried_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    photograph_turns(site.client, site.reader, 1)
    end_game(site.services, 1)
    site.reader.lesson = LESSON

    def full(*_: object) -> bool:
        raise StoreError("The disk is full.")

    sets = LearnedTileSets(site.services.store, site.services.shelf, site.services.games, site.services.config.reader)
    soon = sets.keep_learning()
    assert site.reader.taught == []  # the page has just been started
    with monkeypatch.context() as patched:
        patched.setattr(sets._rows, "put", full)
        assert sets.keep_learning() > soon
        assert len(site.reader.taught) == 1
    assert sets.keep_learning() == soon
    assert sets.lessons("8x8") == (LESSON,)


def test_a_page_that_is_closed_learns_the_game_at_its_next_start(site: Site) -> None:
    photograph_turns(site.client, site.reader, 1)
    end_game(site.services, 1)
    site.reader.lesson = LESSON
    closed = LearnedTileSets(site.services.store, site.services.shelf, site.services.games, site.services.config.reader)
    closed.close()
    assert not closed.learn_next()
    assert site.services.learned_sets.learn_next()
    assert site.services.learned_sets.lessons("8x8") == (LESSON,)
