"""Renaming a game, saving it whole, and taking it in again."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import IO, Any

import pytest
from flask.testing import FlaskClient
from presencekit import there
from webkit import (
    BY_SCRIPT,
    EXAMPLE,
    Lobby,
    OpenPage,
    ScriptedReader,
    Shelf,
    Site,
    enter_plays,
    picture,
    start_game,
    sure,
    text,
)  # fmt: skip
from werkzeug.test import TestResponse

from engine import ENGLISH, Alphabet, Game, WordList, parse_play
from engine.formats.game_json import game_to_dict
from engine.formats.notation import format_game, parse_game
from vision.images import Image
from webui.app import services_of
from webui.errors import WebError
from webui.services import Services
from webui.storage.database import PhotoRow, utc_now
from webui.storage.game_file import GAME, MAX_ENTRIES, MAX_FILE, MAX_LOG, NOTATION, PHOTOGRAPHS, read_game_file
from webui.storage.zip_parts import open_zip
from webui.table.games import START, OpenGame
from workshop.bench.campaigns.repacking import REFUSED, REPACKED, repack


def save(client: FlaskClient) -> bytes:
    with client.get("/games/1/export.zip") as response:
        assert response.mimetype == "application/zip"
        assert "filename=upscore-friday-1.zip" in response.headers["Content-Disposition"]
        return response.get_data()


def send(client: FlaskClient, data: bytes, name: str = "game.zip") -> TestResponse:
    return client.post(
        "/import", data={"game": (io.BytesIO(data), name)}, content_type="multipart/form-data", headers=BY_SCRIPT
    )


def listing(data: bytes) -> dict[str, Any]:
    """The list of photographs in a zip file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        read: dict[str, Any] = json.loads(archive.read(PHOTOGRAPHS))
        return read


def change(data: bytes, name: str, content: bytes | None) -> bytes:
    """Return a zip file with one of its files changed, or left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        for info in before.infolist():
            if info.filename != name:
                after.writestr(info, before.read(info))
        if content is not None:
            after.writestr(name, content)
    return out.getvalue()


@pytest.fixture
def played(services: Services, game: OpenGame, reader: ScriptedReader) -> OpenGame:
    """Two turns from photographs, one by hand; the first was put right, the game has a name."""
    reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[1])])
    services.intake.take(1, picture(), "camera")
    open_game = services.intake.take(1, picture(), "upload").open_game
    open_game = enter_plays(services, open_game, EXAMPLE[2])
    services.games.rename(1, "Friday")
    return services.games.change(open_game, lambda game: game.undo())


def test_a_game_is_renamed(site: Site) -> None:
    assert site.client.post("/games/1/rename", data={"title": "  At   Grandma's "}).status_code == 303
    assert site.now().row.title == "At Grandma's"
    assert "At Grandma&#39;s" in text(site.client.get("/games"))
    assert "At Grandma&#39;s" in text(site.client.get("/games/1"))
    assert site.submit("pass").status_code == 303


@pytest.mark.parametrize("title", ["", "   ", "x" * 81, "a\x07b"])
def test_a_name_that_is_none_changes_nothing(site: Site, title: str) -> None:
    assert site.client.post("/games/1/rename", data={"title": title}).status_code == 400
    assert site.now().row.title == "Red - Blue"


def test_no_game_that_is_not_there_is_renamed(client: FlaskClient) -> None:
    assert client.post("/games/7/rename", data={"title": "x"}).status_code == 404
    assert client.get("/games/7/keep").status_code == 404
    assert client.get("/games/7/export.zip").status_code == 404


def test_what_was_saved_comes_back_whole(client: FlaskClient, services: Services, played: OpenGame) -> None:
    data = save(client)
    answer = send(client, data)
    assert answer.json == {"to": "/games/2", "message": "The game is here, with two turns."}
    again = services.games.open(2)
    assert (again.game, again.row.title) == (played.game, "Friday")
    assert again.game.log == played.game.log
    photos, before = services.photos(again), services.photos(services.games.open(1))
    assert [(at, row.taken_at, row.source) for at, row in photos.items()] == [
        (at, row.taken_at, row.source) for at, row in before.items()
    ]
    assert [services.shelf.kinds(row.key) for row in photos.values()] == [("photo", "overlay")] * 2
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        notation = archive.read(NOTATION).decode()
    assert parse_game(notation, played.game.lexicon) == played.game


@pytest.mark.parametrize(("said", "every_round"), [(True, True), (False, False)], ids=["said", "an older file"])
def test_that_a_table_photographs_every_round_travels_too(
    lobby: Lobby, played: OpenGame, said: bool, every_round: bool
) -> None:
    lobby.client.post("/games/1/photographed", data={"photographed": "round"})
    data = save(lobby.client)
    if not said:
        older = {key: value for key, value in listing(data).items() if key != "photographed"}
        data = change(data, PHOTOGRAPHS, json.dumps(older).encode())
    assert send(lobby.client, data).status_code == 200
    assert lobby.services.games.open(2).row.every_round == every_round


def test_the_json_alone_is_taken_in_and_a_finished_game_stays_finished(lobby: Lobby, played: OpenGame) -> None:
    over = played.game.end("agreed", (1, 0))
    assert send(lobby.client, json.dumps(game_to_dict(over)).encode(), "game.json").status_code == 200
    again = lobby.services.games.open(2)
    assert (again.game, again.row.finished, again.row.title) == (over, True, "Red - Blue")


def test_the_text_alone_is_taken_in(client: FlaskClient, services: Services, played: OpenGame) -> None:
    """Judged by its own word list again, and refused in one line where it was cut off."""
    text = format_game(played.game)
    assert send(client, text.encode(), "game.txt").json == {
        "to": "/games/2", "message": "The game is here, with two turns.",
    }  # fmt: skip
    assert services.games.open(2).game == played.game
    refused = send(client, text.replace("entries", "; entries").encode(), "game.txt")
    assert refused.status_code == 400
    assert "entries" in refused.get_json()["error"]
    newer = send(client, text.replace("upscore game 1", "upscore game 9").encode(), "game.txt")
    assert newer.status_code == 400
    assert "newer" in newer.get_json()["error"]


def test_a_solo_game_joins_the_record(client: FlaskClient, services: Services) -> None:
    setup = start_game(services, "Ada")
    over = setup.game.play(parse_play(EXAMPLE[0])).end("stuck", (0,))
    send(client, json.dumps(game_to_dict(over)).encode(), "game.json")
    (row,) = services.solo_totals(over.setup.edition, over.setup.rules)
    assert (row.game_id, row.total) == (2, 8)


def test_another_word_list_is_told_of(client: FlaskClient, services: Services, played: OpenGame) -> None:
    data = {**game_to_dict(played.game), "lexicon": "club 1999"}
    answer = there(send(client, json.dumps(data).encode(), "game.json").json)
    assert "club 1999 is not here, so standard judges it" in answer["message"]
    assert services.games.open(2).row.lexicon == "standard"


class OwnShelf(Shelf):
    """The lists of a table with a list of its own, which is known by its file."""

    def names(self) -> tuple[str, ...]:
        return ("/home/anna/club.txt", *super().names())

    def load(self, name: str, alphabet: Alphabet = ENGLISH) -> WordList:
        return super().load("tiny" if name == self.names()[0] else name)


class NamesakeShelf(OwnShelf):
    """The lists of a table whose own file has the name of a shipped list."""

    def names(self) -> tuple[str, ...]:
        return ("/home/anna/standard", "standard")


@pytest.mark.parametrize(("kept", "here"), [("standard", "standard"), ("./standard", "/home/anna/standard")])
def test_a_tables_own_list_called_as_a_shipped_one_is_not_taken_for_it(
    open_page: OpenPage, kept: str, here: str
) -> None:
    app = open_page(lexicons=NamesakeShelf())
    services, client = services_of(app), app.test_client()
    game = start_game(services, "Ada").game
    data = {**game_to_dict(game), "lexicon": kept}
    answer = there(send(client, json.dumps(data).encode(), "game.json").json)
    assert "is not here" not in answer["message"]
    assert services.games.open(2).row.lexicon == here


def test_a_tables_own_list_is_told_by_its_files_name_and_never_shown_with_its_folder(open_page: OpenPage) -> None:
    app = open_page(lexicons=OwnShelf())
    services, client = services_of(app), app.test_client()
    open_game = start_game(services, "Ada", lexicon="/home/anna/club.txt")
    data = {**game_to_dict(open_game.game), "lexicon": "club.txt"}
    answer = there(send(client, json.dumps(data).encode(), "game.json").json)
    assert "is not here" not in answer["message"]
    assert services.games.open(2).row.lexicon == "/home/anna/club.txt"
    data = {**data, "lexicon": "other.txt"}
    answer = there(send(client, json.dumps(data).encode(), "game.json").json)
    assert "other.txt is not here, so club.txt judges it" in answer["message"]
    printed = text(client.get("/games/1/print"))
    assert "word list club.txt" in printed
    assert "/home/anna" not in printed
    for url in ("/games/1", "/new", "/words"):
        assert "/home/anna" not in re.sub(r'value="[^"]*"', "", text(client.get(url)))


def newer(played: OpenGame) -> dict[str, object]:
    return {**game_to_dict(played.game), "version": 2}


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("newer game", "newer version"),
        ("newer photographs", "newer Upscore"),
        ("no game", "That isn't an Upscore game file."),
        ("photograph left out", "use a whole copy"),
        ("cut off", "isn't an Upscore game file. Choose a zip, JSON or text file"),
        ("picture", "isn't an Upscore game file. Choose a zip, JSON or text file"),
        ("other JSON", "isn't an Upscore game file. Choose a zip"),
        ("list", "isn't an Upscore game file. Choose a zip"),
        ("no JSON", "isn't an Upscore game file. Choose a zip"),
        ("half a JSON file", "This game file is damaged. Use a whole copy."),
        ("half a log", "cut off"),
    ],
)
def test_what_cannot_be_taken_in_is_told_in_a_line_and_changes_nothing(
    lobby: Lobby, played: OpenGame, what: str, why: str
) -> None:
    data = save(lobby.client)
    photographs = listing(data)
    whole: dict[str, object] = game_to_dict(played.game)
    files = {
        "newer game": change(data, GAME, json.dumps(newer(played)).encode()),
        "newer photographs": change(data, PHOTOGRAPHS, json.dumps({**photographs, "version": 2}).encode()),
        "no game": change(data, GAME, None),
        "photograph left out": change(data, photographs["photographs"][0]["photo"], None),
        "cut off": data[: len(data) // 2],
        "picture": b"\xff\xd8\xff\xe0 a photograph",
        "other JSON": b'{"name": "my-package"}',
        "list": b"[1, 2]",
        "no JSON": b"MOOD, DEAR",
        "half a JSON file": json.dumps(whole).encode()[:-40],
        "half a log": json.dumps({**whole, "log": []}).encode(),
    }
    answer = send(lobby.client, files[what])
    assert answer.status_code == 400
    assert answer.json is not None
    assert why in answer.json["error"]
    assert "\n" not in answer.json["error"]
    assert len(lobby.services.store.games()) == 1


def test_a_damaged_photograph_costs_only_itself(client: FlaskClient, services: Services, played: OpenGame) -> None:
    data = change(save(client), "photographs/000-photo.jpg", b"no picture")
    answer = there(send(client, data).json)
    assert answer["message"].endswith("But one photo could not be read.")
    assert list(services.photos(services.games.open(2))) == [2]


def damage(data: bytes, name: str, where: str) -> bytes:
    """Return a zip file with one byte flipped, in one of its files or in that file's entry."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info, directory = archive.getinfo(name), archive.start_dir
    entry = data.index(name.encode(), directory) - 46  # its place in the central directory
    at = {
        "content": info.header_offset + 30 + len(name),
        "local header": info.header_offset,
        "central directory": entry,
        "needs version": entry + 6,
        "flags": entry + 8,
        "packed how": entry + 10,
    }[where]
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


@pytest.mark.parametrize("name", [GAME, PHOTOGRAPHS])
@pytest.mark.parametrize(
    "where", ["content", "local header", "central directory", "needs version", "flags", "packed how"]
)
def test_a_damaged_zip_file_is_told_in_a_line(lobby: Lobby, played: OpenGame, name: str, where: str) -> None:
    answer = send(lobby.client, damage(save(lobby.client), name, where))
    assert answer.status_code == 400
    assert answer.json is not None
    assert "zip file" in answer.json["error"]
    assert "\n" not in answer.json["error"]
    assert len(lobby.services.store.games()) == 1


def test_pictures_are_decoded_where_uploads_are(
    lobby: Lobby, played: OpenGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, decoded = save(lobby.client), []
    decode = lobby.services.decoder.decode

    def watch(file: IO[bytes], *, name: str, own: bool) -> tuple[Image, bytes]:
        decoded.append(name)
        return decode(file, name=name, own=own)

    monkeypatch.setattr(lobby.services.decoder, "decode", watch)
    assert send(lobby.client, data).status_code == 200
    assert len(decoded) == 4, "two photographs, each with its overlay"


def test_captions_come_back_as_they_were_drawn(client: FlaskClient, services: Services, played: OpenGame) -> None:
    drawn = picture(480, 640)
    drawn[400:] = 250
    key = services.shelf.keep(picture(), overlay=drawn)
    services.store.add_photo(PhotoRow(key, 1, utc_now(), "upload", START, ""))
    assert send(client, save(client)).status_code == 200
    again = services.photos(services.games.open(2))[0]
    assert services.shelf.load_upright(again.key, "overlay")[420:].min() > 240


def test_a_log_that_unpacks_to_more_than_any_is_not_unpacked(
    client: FlaskClient, played: OpenGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(GAME, b" " * (MAX_LOG + 1))

    def unpack(*_: object) -> None:
        raise AssertionError("it was unpacked")

    monkeypatch.setattr(zipfile.ZipExtFile, "read", unpack)
    answer = there(send(client, out.getvalue()).json)
    assert "Upscore did not write this zip file" in answer["error"]


@pytest.mark.parametrize("way", REPACKED)
def test_a_file_that_was_packed_again_is_taken_in_with_every_photograph(
    lobby: Lobby, played: OpenGame, way: str
) -> None:
    answer = send(lobby.client, repack(save(lobby.client), way))
    assert answer.status_code == 200
    assert len(lobby.services.photos(lobby.services.games.open(2))) == 2


@pytest.mark.parametrize(("way", "why"), REFUSED.items())
def test_a_file_that_was_packed_in_a_way_that_is_not_read_is_refused_with_the_reason(
    client: FlaskClient, played: OpenGame, way: str, why: str
) -> None:
    answer = send(client, repack(save(client), way))
    assert answer.status_code == 400
    assert answer.json is not None
    assert re.search(why, answer.json["error"])


def test_a_backup_of_all_games_is_not_the_file_of_one(client: FlaskClient, played: OpenGame) -> None:
    with client.get("/backup") as given:
        data = given.get_data()
    for way in ("as it is", "mac"):
        answer = there(send(client, repack(data, way)).json)
        assert "This is a backup of all games" in answer["error"]


def test_a_log_that_is_longer_than_any_is_refused_before_it_is_replayed(client: FlaskClient, played: OpenGame) -> None:
    game = {**game_to_dict(played.game), "log": ["pass"] * (MAX_ENTRIES + 1)}
    answer = send(client, json.dumps(game).encode(), "game.json")
    assert answer.status_code == 400
    assert answer.json is not None
    assert "more than a game can have" in answer.json["error"]
    lines = format_game(played.game) + "pass\n" * 3000
    answer = send(client, lines.encode(), "game.txt")
    assert answer.json is not None
    assert "more than a game can have" in answer.json["error"]


def test_a_file_that_shows_a_picture_twice_is_refused_before_any_is_stored(lobby: Lobby, played: OpenGame) -> None:
    data = save(lobby.client)
    photos = listing(data)["photographs"]
    for more in ({**photos[0], "entry": 9}, {**photos[0], "photo": photos[1]["overlay"]}):
        twice = {**listing(data), "photographs": [*photos, more]}
        answer = send(lobby.client, change(data, PHOTOGRAPHS, json.dumps(twice).encode()))
        assert answer.status_code == 400
        assert len(lobby.services.store.games()) == 1


def test_a_long_list_of_empty_files_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(12_000):
            archive.writestr(f"{number:05}", b"")
    monkeypatch.setattr(zipfile, "ZipInfo", None)  # as reading the list would need
    with pytest.raises(WebError, match="holds more files than Upscore ever packs"):
        open_zip(out)


def test_a_file_that_would_fill_the_disk_is_refused(client: FlaskClient, played: OpenGame) -> None:
    with zipfile.ZipFile(io.BytesIO(save(client))) as archive, pytest.raises(WebError, match="too large to be a game"):
        read_game_file(archive, most=100)


def test_a_whole_game_may_be_larger_than_a_photograph(open_page: OpenPage) -> None:
    """Its pictures alone come to more, once there are some dozens."""
    app = open_page(max_upload_bytes=20_000)
    client = app.test_client()
    start_game(services_of(app), "Ann", "Bob")
    log = client.get("/games/1/export.json").get_data()
    assert send(client, log.ljust(30_000), "game.json").get_json()["to"] == "/games/2"


def test_a_file_that_is_larger_than_any_game_is_told_so_before_it_is_read(client: FlaskClient) -> None:
    too_large = "That file is too large for a game. Choose one that Upscore saved, of at most 513 MB."
    answer = client.post(
        "/import",
        data={"game": (io.BytesIO(b"much"), "game.zip")},
        content_type="multipart/form-data",
        environ_overrides={"CONTENT_LENGTH": str(MAX_FILE + 1)},
        headers=BY_SCRIPT,
    )
    assert (answer.status_code, answer.get_json()["error"]) == (413, too_large)
    assert f'data-most="{MAX_FILE}" data-too-large="{too_large}"' in text(client.get("/import"))


def test_no_file_is_asked_for(client: FlaskClient) -> None:
    assert "Choose a zip" in text(client.post("/import"))
    assert "Import a game" in text(client.get("/import"))


def test_what_is_undone_travels_too(client: FlaskClient, services: Services, played: OpenGame) -> None:
    send(client, save(client))
    again = services.games.open(2).game
    assert isinstance(again, Game)
    assert again.redo().turns[-1].play == parse_play(EXAMPLE[2])
