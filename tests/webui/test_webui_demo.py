"""The tour takes its steps in order while somebody watches, stops for questions, and does what its buttons say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from presencekit import there
from webkit import (
    EXAMPLE,
    OpenPage,
    ScriptedReader,
    doubt,
    make_finding,
    picture,
    sample_tour,
    start_game,
    store_game,
    sure,
    until,
)

from webui.app import services_of
from webui.errors import StoreError
from webui.live.demo import DemoPlayer, DemoStatus
from webui.services import Services
from webui.storage.archive import write_backup
from webui.storage.backups import Backups
from webui.storage.photo_shelf import FOLDER
from webui.storage.store import Store
from webui.table.intake import Taken

Build = Callable[..., Services]
"""Makes the services of a page with a tour, from its pace and its steps."""


@pytest.fixture
def build(tmp_path: Path, open_page: OpenPage) -> Build:
    def start(pace: float, *steps: str) -> Services:
        return services_of(open_page(tour=sample_tour(tmp_path, *steps), demo_pace_s=pace))

    return start


def player(services: Services) -> DemoPlayer:
    assert services.demo is not None
    return services.demo


def status(services: Services) -> DemoStatus:
    found = there(player(services).status)
    return found


def state(services: Services) -> tuple[str, int]:
    return (status(services).state, status(services).shown)


def begin_tour(services: Services) -> tuple[int, Iterator[str]]:
    """Start the tour and open its page; return the number of its game, and the page's events."""
    game_id = player(services).start()
    page = services.announcer.stream(game_id)
    next(page)
    return game_id, page


def test_it_plays_to_the_end_and_explains_every_step(build: Build, reader: ScriptedReader) -> None:
    services = build(3600.0, "turn", "turn", "challenge", "turn", "end")
    reader.say([sure(EXAMPLE[0]), make_finding("unclear", "A hand."), sure(EXAMPLE[1])])
    game_id, _page = begin_tour(services)
    told = [status(services).text]
    for shown in range(1, 6):
        player(services).step()
        until(lambda shown=shown: status(services).shown == shown)  # type: ignore[misc]
        told.append(status(services).text)
    assert told == [
        "The beginning.",
        "Red put down MOOD. Upscore read the photo and scored 8. Step 1.",
        "This photo shows no play. The next one will catch up. Step 2.",
        "Step 3.",
        "Blue put down DEAR. Upscore read the photo and scored 8. Step 4.",
        "Step 5.",
    ]
    assert status(services).state == "done"
    open_game = services.games.open(game_id)
    assert open_game.game.turns[0].refused_challenges == ("Blue",)
    assert open_game.game.ended is not None
    assert open_game.game.totals == {"Red": 3, "Blue": 3}
    assert sorted(services.photos(open_game)) == [0, 1, 2]


def test_a_word_that_the_list_lacks_comes_off(build: Build, reader: ScriptedReader) -> None:
    services = build(0.01, "turn", "challenge")
    reader.say([sure("X@b4 X@c4 X@d4 X@e4")])
    game_id, _page = begin_tour(services)
    until(lambda: state(services) == ("done", 2))
    assert services.games.open(game_id).game.turns[0].taken_back


def test_it_goes_on_only_while_somebody_watches(build: Build, reader: ScriptedReader) -> None:
    services = build(0.01, "turn", "turn", "turn")
    reader.say(map(sure, EXAMPLE[:3]))
    game_id = player(services).start()
    time.sleep(0.4)
    assert state(services) == ("playing", 0)
    pages = [services.announcer.stream(game_id) for _ in range(2)]
    for page in pages:
        next(page)
    until(lambda: state(services) == ("done", 3))


def test_it_waits_for_the_answer_to_a_question(build: Build, reader: ScriptedReader) -> None:
    services = build(0.01, "turn", "turn")
    reader.say([doubt(EXAMPLE[0]), sure(EXAMPLE[1])])
    game_id, _page = begin_tour(services)
    until(lambda: state(services) == ("waiting", 1))
    assert status(services).text == "Step 1."
    open_game = services.games.open(game_id)
    services.intake.answer(open_game, 0, open_game.row.version)
    until(lambda: state(services) == ("done", 2))
    assert len(services.games.open(game_id).game.turns) == 2


def test_whoever_goes_on_at_a_question_gets_the_first_answer(build: Build, reader: ScriptedReader) -> None:
    services = build(3600.0, "turn", "turn")
    reader.say([doubt(EXAMPLE[0], EXAMPLE[1])])
    game_id, _page = begin_tour(services)
    player(services).step()
    until(lambda: state(services) == ("waiting", 1))
    player(services).step()
    until(lambda: status(services).text == "That settles it. Red 8, Blue 0.")
    assert state(services) == ("playing", 1)
    assert services.games.open(game_id).question is None


def test_it_waits_from_the_moment_at_which_a_question_is_shown(
    build: Build, reader: ScriptedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may go on at once. Otherwise nothing says that the answer settled it."""
    services = build(3600.0, "turn", "turn")
    reader.say([doubt(EXAMPLE[0], EXAMPLE[1])])
    seen: list[tuple[str, int]] = []
    begin_tour(services)
    announce = services.announcer.announce

    def record(game_id: int) -> None:
        seen.append(state(services))
        announce(game_id)

    monkeypatch.setattr(services.announcer, "announce", record)
    player(services).step()
    until(lambda: state(services) == ("waiting", 1))
    assert ("playing", 1) not in seen


def test_paused_it_goes_no_further_and_a_step_ends_the_pause(build: Build, reader: ScriptedReader) -> None:
    services = build(3600.0, "turn", "turn", "turn")
    reader.say(map(sure, EXAMPLE[:3]))
    _, _page = begin_tour(services)
    player(services).pause()
    assert state(services) == ("paused", 0)
    player(services).step()
    until(lambda: state(services) == ("playing", 1))
    player(services).pause()
    player(services).resume()
    assert state(services) == ("playing", 1)


def test_a_pause_while_a_photograph_is_read_holds(
    build: Build, reader: ScriptedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = build(0.01, "turn", "turn")
    reader.say(map(sure, EXAMPLE[:2]))
    take = services.intake.take

    def take_in_a_pause(*photograph: Any) -> Taken:
        player(services).pause()
        return take(*photograph)

    monkeypatch.setattr(services.intake, "take", take_in_a_pause)
    _, _page = begin_tour(services)
    until(lambda: status(services).shown == 1)
    assert state(services) == ("paused", 1)


def test_begun_again_it_keeps_its_game_and_who_looks_on_follows(build: Build, reader: ScriptedReader) -> None:
    services = build(0.01, "turn", "end")
    reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[1])])
    first, page = begin_tour(services)
    until(lambda: state(services) == ("done", 2))
    services.announcer.announce(first)
    assert "event: change" in next(page)
    page.close()  # type: ignore[attr-defined]
    assert player(services).start() == first
    open_game = services.games.open(first)
    assert (state(services), open_game.game.turns, open_game.game.ended) == (("playing", 0), (), None)
    assert sorted(services.photos(open_game)) == [0]
    page = services.announcer.stream(first)
    next(page)
    until(lambda: state(services) == ("done", 2))
    assert [row.id for row in services.store.games()] == [first]


def test_a_photograph_that_went_bad_stops_it_with_the_reason(build: Build, tmp_path: Path) -> None:
    services = build(0.01, "turn")
    (tmp_path / "sample" / "turn").write_bytes(b"gone bad")
    _, _page = begin_tour(services)
    until(lambda: state(services)[0] == "stopped")
    assert "turn is not a picture" in status(services).text


def test_its_buttons_on_the_page(tmp_path: Path, reader: ScriptedReader, open_page: OpenPage) -> None:
    app = open_page(tour=sample_tour(tmp_path, "turn", "end"), demo_pace_s=3600.0)
    services, client = services_of(app), app.test_client()
    reader.say([doubt(EXAMPLE[0])])
    assert b"Watch the sample game" in client.get("/games").data
    assert client.post("/demo/start").location == "/games/1"
    assert client.get("/").location == "/games/1"
    assert b"The beginning." in client.get("/games/1").data
    client.post("/demo/pause")
    assert b"Go on" in client.get("/games/1").data
    client.post("/demo/step")
    until(lambda: state(services) == ("waiting", 1))
    assert b"Answer for me" in client.get("/games/1").data
    client.post("/demo/step")
    until(lambda: state(services) == ("playing", 1))
    client.post("/demo/step")
    until(lambda: state(services) == ("done", 2))
    page = client.get("/games/1").data
    assert b"MOOD" in page
    assert b"Start your own" in page
    assert b"Watch again" in page
    assert b"Another round" not in page
    assert client.get("/").location == "/games/1"
    assert client.post("/demo/explode").status_code == 404


def test_without_a_tour_there_are_no_buttons(client: FlaskClient) -> None:
    assert b"sample game" not in client.get("/games").data
    assert client.post("/demo/start").status_code == 404


def own_game(services: Services) -> int:
    return start_game(services, "Ann", "Bob").row.id


def test_when_the_page_stops_the_games_of_people_are_kept_and_the_demos_is_not(
    build: Build, reader: ScriptedReader
) -> None:
    services = build(0.01, "turn")
    reader.say([sure(EXAMPLE[0])])
    _, _page = begin_tour(services)
    until(lambda: state(services) == ("done", 1))
    own = own_game(services)
    assert len(services.store.games()) == 2
    services.close()
    kept = Store(services.config.data_dir)
    assert [row.id for row in kept.games()] == [own]
    assert kept.photo_keys() == frozenset()
    assert list((services.config.data_dir / FOLDER).glob("*.jpg")) == []
    kept.close()


def test_a_demo_that_a_kill_left_is_gone_at_the_next_start(tmp_path: Path, open_page: OpenPage) -> None:
    store_game(tmp_path / "data", "Ann")
    store_game(tmp_path / "data", "Sample", demo=True)
    services = services_of(open_page(tour=sample_tour(tmp_path, "turn")))
    assert [row.title for row in services.store.games()] == ["Ann"]


def test_no_copy_holds_the_demo(build: Build, tmp_path: Path) -> None:
    services = build(3600.0, "turn")
    data = services.config.data_dir
    _, _page = begin_tour(services)
    assert Backups(data).make() is None
    with pytest.raises(StoreError, match="There are no games"):
        write_backup(data, tmp_path / "games.zip")
    own_game(services)
    assert Backups(data).make() is not None
    found = write_backup(data, tmp_path / "games.zip")
    assert (found.games, found.pictures) == (1, 0)
    assert len(services.store.games()) == 2


def test_what_the_tables_own_tiles_have_taught_is_not_asked_of_the_demo(build: Build, reader: ScriptedReader) -> None:
    services = build(0.01, "turn")
    services.learned_sets._rows.put(77, "8x8", 1, "a lesson")
    reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[0])])
    _, _page = begin_tour(services)
    until(lambda: state(services) == ("done", 1))
    own = services.games.open(own_game(services))
    services.intake.take(own.row.id, picture(), "upload")
    assert [query.lessons for query in reader.queries] == [(), ("a lesson",)]
