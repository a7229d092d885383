"""The report of a misread turn: what is in the file, what is not, and files that strangers made."""

from __future__ import annotations

import base64
import io
import json
import tracemalloc
import zipfile
import zlib
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from PIL import Image as PillowImage
from readings import reading_of
from webkit import (
    BY_SCRIPT,
    EXAMPLE,
    STANDARD,
    Lobby,
    ScriptedReader,
    Site,
    finding,
    outcome,
    start_game,
    text,
    upload,
    version,
)

from engine import Board, Game, HouseRules, UpscoreError, find_edition, parse_play
from webui.services import Services
from webui.storage.report_file import PHOTOGRAPH, REPORT, FirstReading, Report, dump_reading, load_reading, versions
from webui.table.games import OpenGame
from workshop.report_reading import fault_of, read_report

MISREAD = "M@b4 O@c4 D@d4 D@e4"
SEEN = reading_of(Board.empty(8).with_play(parse_play(MISREAD)))
URL = "/games/1/turns/1/report.zip"


def make_photograph() -> bytes:
    """A photograph that tells of its telephone and of a place."""
    exif = PillowImage.Exif()
    exif[0x010F] = "A telephone"
    exif.get_ifd(0x8825)[1] = "N"
    data = io.BytesIO()
    grain = PillowImage.effect_noise((160, 120), 20).convert("RGB")
    grain.save(data, "JPEG", exif=exif, comment=b"at home", quality=95)
    return data.getvalue()


@pytest.fixture
def corrected(client: FlaskClient, services: Services, reader: ScriptedReader) -> OpenGame:
    """A game of Ann-Sophie and Blue in which a photograph was misread, and put right."""
    game = start_game(services, "Ann-Sophie", "Blue", rules=HouseRules(leftover_penalty=3))
    played = finding("play", outcome(MISREAD), reading=SEEN)
    reader.say([played, played])
    assert upload(client, "/games/1/photo", make_photograph()).status_code == 303
    form = {"version": version(services, game), "tiles": EXAMPLE[0]}
    answer = client.post("/games/1/turns/1/correct", data=form, headers=BY_SCRIPT)
    assert answer.get_json()["report"] == URL
    return services.games.open(1)


def save_report(client: FlaskClient) -> bytes:
    with client.get(URL) as response:
        assert response.status_code == 200
        assert "upscore-report-turn-1.zip" in response.headers["Content-Disposition"]
        return response.get_data()


def change_report(data: bytes, name: str, content: bytes) -> bytes:
    """A report with one of its files changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after:
        for each in before.namelist():
            after.writestr(each, content if each == name else before.read(each))
    return out.getvalue()


def read(data: bytes) -> Report:
    return read_report(io.BytesIO(data))[0]


def test_a_report_says_what_was_read_and_what_was_really_played(client: FlaskClient, corrected: OpenGame) -> None:
    report = read(save_report(client))
    truth = Game.start(find_edition("8x8"), ("A", "B"), lexicon=STANDARD).play(parse_play(EXAMPLE[0])).board
    assert (report.entered, report.really, report.said) == (MISREAD, EXAMPLE[0], "play")
    assert (report.sheet, report.before, report.after) == (Board.empty(8), Board.empty(8), truth)
    assert report.squares is not None
    assert report.squares.tops[3][1:5] == ("M", "O", "D", "D")
    assert report.first == FirstReading(report.versions, report.squares)
    assert report.rules == HouseRules(leftover_penalty=3)
    assert report.belief == corrected.belief
    assert report.versions.keys() >= {"upscore", "faces", "lattice"}
    assert fault_of(report) == "letter"


def test_a_report_holds_pixels_and_no_names_times_or_places(client: FlaskClient, corrected: OpenGame) -> None:
    with zipfile.ZipFile(io.BytesIO(save_report(client))) as archive:
        assert archive.namelist() == [PHOTOGRAPH, REPORT]
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        told, picture = archive.read(REPORT).decode(), archive.read(PHOTOGRAPH)
    for private in ("Ann-Sophie", "Blue", corrected.row.created_at[:10]):
        assert private not in told
    with PillowImage.open(io.BytesIO(picture)) as image:
        assert image.size == (160, 120)
        assert not image.getexif()
        assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


@pytest.mark.parametrize("path", ["/home/ann/words of ann.txt", r"C:\Users\ann\words of ann.txt"])
def test_a_list_of_the_tables_own_is_not_named(lobby: Lobby, corrected: OpenGame, path: str) -> None:
    with lobby.services.store.writing() as connection:
        connection.execute("UPDATE games SET lexicon = ?", (path,))
    assert read(save_report(lobby.client)).lexicon == ""


def test_the_turns_page_says_what_is_in_the_report(client: FlaskClient, corrected: OpenGame) -> None:
    page = text(client.get("/games/1/turns/1"))
    assert URL in page
    assert "this photo and all it shows" in page
    assert "the edition with its name" in page


def test_a_turn_without_a_photograph_has_no_report(site: Site) -> None:
    site.enter(EXAMPLE[0])
    assert site.client.get(URL).status_code == 404
    assert "report.zip" not in text(site.client.get("/games/1/turns/1"))


def keep_reading(lobby: Lobby, text: str | None) -> None:
    """Store another text as what was read first in all photographs."""
    with lobby.services.store.writing() as connection:
        connection.execute("UPDATE photos SET reading = ?", (text,))


@pytest.mark.parametrize("stored", [None, "", "{", "[]", '{"versions": {}, "squares": {"corners": 3}}'])
def test_a_photograph_without_a_board_is_reported_so(lobby: Lobby, corrected: OpenGame, stored: str | None) -> None:
    keep_reading(lobby, stored)
    lobby.reader.script[:] = [finding("unclear", asked=True)]
    report = read(save_report(lobby.client))
    assert (report.first, fault_of(report)) == (None, "board not found")


def test_what_was_read_first_is_reported_though_a_newer_version_reads_it_right(
    lobby: Lobby, corrected: OpenGame
) -> None:
    right = finding("play", outcome(EXAMPLE[0]), reading=reading_of(corrected.game.board))
    lobby.reader.script[:] = [right]
    first = load_reading(dump_reading(SEEN))
    assert first is not None
    keep_reading(lobby, dump_reading(SEEN).replace(versions()["faces"], "older"))
    report = read(save_report(lobby.client))
    assert report.squares is not None
    assert report.squares.tops[3][1:5] != ("M", "O", "D", "D")
    assert report.first == replace(first, versions={**versions(), "faces": "older"})
    assert (fault_of(report), fault_of(replace(report, first=None))) == ("letter", "other")


def test_a_turn_that_was_missed_before_is_told_apart(client: FlaskClient, corrected: OpenGame) -> None:
    form = {"version": str(corrected.row.version), "tiles": "O@d4 N@d5", "accept": "O@d4 N@d5"}
    answer = client.post("/games/1/turns/1/insert", data=form, headers=BY_SCRIPT)
    assert answer.get_json().get("report") == "/games/1/turns/2/report.zip", answer.get_json()
    with client.get("/games/1/turns/2/report.zip") as response:
        report = read(response.get_data())
    assert (fault_of(report), report.sheet.is_empty, report.before.is_empty) == ("missed turn", True, False)


def test_a_report_of_an_earlier_version_has_no_first_reading(client: FlaskClient, corrected: OpenGame) -> None:
    data = save_report(client)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        fields = json.loads(archive.read(REPORT))
    del fields["first"]
    assert read(change_report(data, REPORT, json.dumps(fields).encode())) == replace(read(data), first=None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("edition", "9x9"),
        ("edition", "10x10"),
        ("after", [[]]),
        ("squares", {"corners": []}),
        ("first", {"versions": {}}),
        ("first", {"versions": {"upscore": 2}, "squares": None}),
        ("first", [1]),
        ("plays_expected", 10**9),
        ("versions", [1]),
        ("said", 3),
        ("version", 2),
    ],
)
def test_a_report_that_upscore_did_not_write_is_refused_in_a_line(
    client: FlaskClient, corrected: OpenGame, name: str, value: object
) -> None:
    data = save_report(client)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        fields = json.loads(archive.read(REPORT))
    with pytest.raises(UpscoreError) as error:
        read(change_report(data, REPORT, json.dumps({**fields, name: value}).encode()))
    assert "\n" not in str(error.value)


def test_damaged_and_swollen_files_are_refused(client: FlaskClient, corrected: OpenGame) -> None:
    data = save_report(client)
    swollen = change_report(data, REPORT, bytes(9 * 2**20))
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("../../report.json", "{}")
    for bad in (data[:-40], b"no zip", swollen, other.getvalue(), change_report(data, REPORT, b"\xff{")):
        with pytest.raises(UpscoreError):
            read(bad)


def test_texts_of_strangers_are_shown_in_one_short_line(client: FlaskClient, corrected: OpenGame) -> None:
    data = save_report(client)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        fields = json.loads(archive.read(REPORT))
    report = read(change_report(data, REPORT, json.dumps({**fields, "said": "\x1b[2J\n" + "x" * 9000}).encode()))
    assert report.said.isprintable()
    assert len(report.said) <= 400


def test_a_belief_that_unpacks_to_any_size_is_left_out(client: FlaskClient, corrected: OpenGame) -> None:
    data = save_report(client)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        fields = json.loads(archive.read(REPORT))
    bomb = base64.b64encode(zlib.compress(bytes(2**27), 9)).decode()
    fields["belief"]["bare"] = [8, bomb]
    swollen = change_report(data, REPORT, json.dumps(fields).encode())
    tracemalloc.start()
    assert read(swollen).belief is None
    assert tracemalloc.get_traced_memory()[1] < 2**26
    tracemalloc.stop()
