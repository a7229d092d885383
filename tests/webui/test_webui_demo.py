"""The demo plays its photographs in order, stops for questions, and does what its buttons say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from webkit import (
    EXAMPLE,
    ScriptedReader,
    config,
    demo_folder,
    doubt,
    empty_position,
    picture,
    seen,
    stored,
    sure,
)

from engine import SHEET_RULES
from webui.app import create_app, services_of
from webui.errors import StoreError, WebError
from webui.live.demo import DemoPlayer, photographs
from webui.services import Services
from webui.storage.archive import write_backup
from webui.storage.backups import Backups
from webui.storage.photo_shelf import FOLDER
from webui.storage.store import Store


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it did not come about within 10 seconds"
        time.sleep(0.01)


@pytest.fixture
def reader() -> ScriptedReader:
    return ScriptedReader(position=empty_position())


@pytest.fixture
def build(tmp_path: Path, reader: ScriptedReader) -> Iterator[Callable[[int, float], Services]]:
    made: list[Services] = []

    def start(photos: int, pace: float) -> Services:
        demos = (demo_folder(tmp_path, photos),)
        app = create_app(config(tmp_path, reader, demos=demos, demo_pace_s=pace))
        made.append(services_of(app))
        return made[-1]

    yield start
    for services in made:
        services.close()


def player(made: Services) -> DemoPlayer:
    assert made.demo is not None
    return made.demo


def state(made: Services) -> tuple[str, int]:
    status = player(made).status
    return (status.state, status.shown) if status else ("", 0)


def test_it_plays_to_the_end(build: Callable[[int, float], Services], reader: ScriptedReader) -> None:
    made = build(5, 0.01)
    reader.say([sure(EXAMPLE[0]), seen("unclear", "A hand."), sure(EXAMPLE[1]), sure(EXAMPLE[2])])
    game_id = player(made).start(0)
    until(lambda: state(made) == ("done", 5))
    opened = made.tables.open(game_id)
    assert opened.game.totals == {"Red": 18, "Blue": 8}
    assert sorted(made.photos(opened)) == [0, 1, 2, 3]


def test_it_waits_for_the_answer_to_a_question(
    build: Callable[[int, float], Services], reader: ScriptedReader
) -> None:
    made = build(3, 0.01)
    reader.say([doubt(EXAMPLE[0]), sure(EXAMPLE[1])])
    game_id = player(made).start(0)
    until(lambda: state(made) == ("waiting", 2))
    opened = made.tables.open(game_id)
    made.intake.answer(opened, 0, opened.row.version)
    until(lambda: state(made) == ("done", 3))
    assert len(made.tables.open(game_id).game.turns) == 2


def test_paused_it_shows_nothing_further_and_steps_one_at_a_time(
    build: Callable[[int, float], Services], reader: ScriptedReader
) -> None:
    made = build(4, 3600.0)
    reader.say(map(sure, EXAMPLE[:3]))
    player(made).start(0)
    player(made).step()
    until(lambda: state(made) == ("paused", 2))
    player(made).step()
    until(lambda: state(made) == ("paused", 3))
    player(made).resume()
    assert state(made) == ("playing", 3)
    player(made).pause()
    assert state(made) == ("paused", 3)


def test_from_the_beginning_it_replaces_the_game_it_played(
    build: Callable[[int, float], Services], reader: ScriptedReader
) -> None:
    made = build(2, 0.01)
    reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[0])])
    player(made).start(0)
    until(lambda: state(made)[0] == "done")
    again = player(made).start(0)
    until(lambda: state(made)[0] == "done")
    assert [row.id for row in made.tables.rows()] == [again]
    kept = {path.name.partition("-")[0] for path in (made.config.data_dir / FOLDER).glob("*.jpg")}
    assert kept == made.store.photo_keys()


def test_the_pictures_of_the_game_it_replaces_go_to_the_bin_and_who_looks_on_is_told(
    build: Callable[[int, float], Services], reader: ScriptedReader
) -> None:
    made = build(2, 0.01)
    reader.say([sure(EXAMPLE[0])])
    first = player(made).start(0)
    until(lambda: state(made) == ("done", 2))
    keys = [row.key for row in made.photos(made.tables.open(first)).values()]
    news = made.announcer.stream(first)
    while "event: change" not in next(news):
        pass
    reader.say([sure(EXAMPLE[0])])
    player(made).start(0)
    assert [made.shelf.kinds(key) for key in keys] == [(), ()]
    lying = {path.name for path in (made.config.data_dir / "photos" / "bin").iterdir()}
    assert {f"{key}-photo.jpg" for key in keys} <= lying
    assert "event: change" in next(news)
    news.close()  # type: ignore[attr-defined]


def test_a_photograph_that_went_bad_stops_it_with_the_reason(
    build: Callable[[int, float], Services], tmp_path: Path
) -> None:
    made = build(2, 3600.0)
    player(made).start(0)
    (tmp_path / "sample" / "01.jpg").write_bytes(b"gone bad")
    player(made).step()
    until(lambda: state(made)[0] == "stopped")
    status = player(made).status
    assert status is not None
    assert "01.jpg" in status.text


def test_a_folder_without_photographs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WebError, match=r"Photographs in .*: 0"):
        photographs(tmp_path)
    with pytest.raises(WebError, match="cannot be read"):
        photographs(tmp_path / "nowhere")


def test_its_buttons_on_the_page(tmp_path: Path, reader: ScriptedReader) -> None:
    demos = (demo_folder(tmp_path, 3),)
    app = create_app(config(tmp_path, reader, demos=demos, demo_pace_s=3600.0))
    made, client = services_of(app), app.test_client()
    reader.say(map(sure, EXAMPLE[:2]))
    assert b"8x8, two players" in client.get("/games").data
    assert client.post("/demo/start", data={"which": "7"}).status_code == 400
    assert client.post("/demo/start", data={"which": "0"}).location == "/games/1"
    assert b"Photograph 1 of 3." in client.get("/games/1").data
    client.post("/demo/pause")
    assert b"paused" in client.get("/games/1").data
    client.post("/demo/step")
    until(lambda: state(made) == ("paused", 2))
    assert b"MOOD" in client.get("/games/1").data
    assert client.post("/demo/explode").status_code == 404
    made.close()


def test_without_a_demo_there_are_no_buttons(tmp_path: Path, reader: ScriptedReader) -> None:
    app = create_app(config(tmp_path, reader))
    assert app.test_client().post("/demo/start", data={"which": "0"}).status_code == 404
    services_of(app).close()


def own_game(made: Services) -> int:
    return made.tables.start(
        edition="8x8", players=("Ann", "Bob"), rules=SHEET_RULES, lexicon="standard"
    ).row.id


def test_when_the_page_stops_the_games_of_people_are_kept_and_the_demos_is_not(
    build: Callable[[int, float], Services], reader: ScriptedReader
) -> None:
    made = build(2, 0.01)
    reader.say([sure(EXAMPLE[0])])
    player(made).start(0)
    until(lambda: state(made) == ("done", 2))
    own = own_game(made)
    assert len(made.tables.rows()) == 2
    made.close()
    kept = Store(made.config.data_dir)
    assert [row.id for row in kept.games()] == [own]
    assert kept.photo_keys() == frozenset()
    assert list((made.config.data_dir / FOLDER).glob("*.jpg")) == []
    kept.close()


def test_a_demo_that_a_kill_left_is_gone_at_the_next_start(tmp_path: Path, reader: ScriptedReader) -> None:
    stored(tmp_path / "data", "Ann")
    stored(tmp_path / "data", "Sample", demo=True)
    made = services_of(create_app(config(tmp_path, reader, demos=(demo_folder(tmp_path, 2),))))
    assert [row.title for row in made.tables.rows()] == ["Ann"]
    made.close()


def test_no_copy_holds_the_demo(build: Callable[[int, float], Services], tmp_path: Path) -> None:
    made = build(2, 3600.0)
    store, data = made.store.path, made.config.data_dir
    player(made).start(0)
    assert Backups(data, store).make() is None
    with pytest.raises(StoreError, match="There are no games"):
        write_backup(data, tmp_path / "games.zip")
    own_game(made)
    assert Backups(data, store).make() is not None
    found = write_backup(data, tmp_path / "games.zip")
    assert (found.games, found.pictures) == (1, 0)
    assert len(made.tables.rows()) == 2


def test_what_the_tables_own_tiles_have_taught_is_not_asked_of_the_demo(
    build: Callable[[int, float], Services], reader: ScriptedReader
) -> None:
    made = build(2, 0.01)
    made.own_sets._rows.put(77, "8x8", 1, "a lesson")
    reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[0])])
    player(made).start(0)
    until(lambda: state(made) == ("done", 2))
    own = made.tables.open(own_game(made))
    made.intake.take(own.row.id, picture(), "upload")
    assert [query.lessons for query in reader.queries] == [(), ("a lesson",)]
