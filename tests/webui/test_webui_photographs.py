"""Photographs on the page: turns, questions, bad uploads; and plays entered by hand or put right."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from PIL import Image as PillowImage
from webkit import (
    BY_SCRIPT,
    EXAMPLE,
    OpenPage,
    ScriptedReader,
    Site,
    doubt,
    enter_plays,
    jpeg,
    make_finding,
    picture,
    read_error,
    start_game,
    sure,
    text,
    until,
    version,
)

from engine import parse_play, parse_square
from vision.decoding.kinds import MEDIA_TYPES
from webui.app import services_of


def test_a_photograph_becomes_a_turn(site: Site) -> None:
    response = site.photograph(sure(EXAMPLE[0]))
    assert response.status_code == 303
    page = text(site.client.get("/games/1"))
    assert "MOOD" in page
    keys = set(re.findall(r"/pictures/([0-9a-f]{24})-(\w+)\.jpg", page))
    assert {kind for _, kind in keys} == {"photo", "overlay"}
    for key, kind in keys:
        with site.client.get(f"/pictures/{key}-{kind}.jpg") as picture:
            assert (picture.status_code, picture.mimetype) == (200, "image/jpeg")


def test_the_page_offers_every_kind_of_picture_that_it_reads(site: Site) -> None:
    for url in ("/games/1", "/new"):
        accepted = set(re.findall(r'type="file"[^>]* accept="(image/[^"]*)"', text(site.client.get(url))))
        assert accepted == {MEDIA_TYPES}, url


def test_a_photograph_held_sideways_is_turned_upright(site: Site) -> None:
    exif = PillowImage.Exif()
    exif[0x0112] = 6
    data = io.BytesIO()
    PillowImage.fromarray(picture(120, 160)).save(data, "JPEG", exif=exif)
    site.reader.say([sure(EXAMPLE[0])])
    site.upload("/games/1/photo", data.getvalue())
    assert site.reader.images[0].shape == (160, 120, 3)


def test_a_turn_is_taken_from_the_camera(tmp_path: Path, reader: ScriptedReader, open_page: OpenPage) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 100.0, (160, 120))
    writer.write(picture(120, 160))
    writer.release()
    app = open_page(cameras=(str(path),))
    services, client = services_of(app), app.test_client()
    start_game(services)
    until(lambda: services.cameras.require(1).camera.status.state == "ended")
    assert "Read the board" in text(client.get("/games/1"))
    assert client.get("/games/1/camera.jpg").mimetype == "image/jpeg"
    reader.say([sure(EXAMPLE[0])])
    assert client.post("/games/1/capture").status_code == 303
    assert services.games.open(1).game.totals["Red"] == 8
    assert reader.images[0].shape == (120, 160, 3)


@pytest.mark.parametrize(
    ("data", "name", "line"),
    [
        (b"", "", "Choose a photo, or take one"),
        (b"", "a.jpg", "empty"),
        (b"%PDF-1.7 not a picture", "a.jpg", "not a picture"),
        (jpeg()[:900], "a.jpg", "damaged or cut off"),
    ],
)
def test_a_bad_upload_gives_one_clear_line_and_changes_nothing(site: Site, data: bytes, name: str, line: str) -> None:
    before = version(site.services, site.game)
    response = site.upload("/games/1/photo", data, name)
    assert response.status_code == 400
    assert line in read_error(response)
    assert version(site.services, site.game) == before
    assert not list((site.services.config.data_dir / "photos").iterdir())


def test_an_upload_past_the_limit_is_refused_with_the_limit(open_page: OpenPage) -> None:
    app = open_page(max_upload_bytes=1 << 20)
    start_game(services_of(app), "Red")
    body = b"--x\r\n" + b"x" * (1 << 20)
    kind = "multipart/form-data; boundary=x"
    response = app.test_client().post("/games/1/photo", data=body, content_type=kind)
    assert response.status_code == 413
    assert "at most 1 MB" in read_error(response)


def test_without_a_camera_the_button_says_what_to_do(site: Site) -> None:
    assert "Read the board" not in text(site.client.get("/games/1"))
    response = site.client.post("/games/1/capture")
    assert response.status_code == 503
    assert "--camera" in read_error(response)
    assert site.client.get("/games/1/camera.jpg").status_code == 503


def test_a_question_is_shown_with_its_answers_and_settled_by_one(site: Site) -> None:
    site.photograph(doubt("M@b4 O@c4 O@d4 D@e4", "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4")))
    page = text(site.client.get("/games/1"))
    assert "Is this D or B at e4?" in page
    assert "MOOD: 8 points" in page
    assert "MOOB: 8 points" in page
    assert re.search(r"/pictures/[0-9a-f]{24}-square\.jpg", page)
    assert "tiles=M@b4" in page
    refused = site.submit("end", reason="agreed")
    assert "Answer the question" in read_error(refused)
    site.submit("answer", choice="1")
    assert site.now().game.turns[0].play == parse_play("M@b4 O@c4 O@d4 B@e4")


def test_an_unclear_photograph_says_why(site: Site) -> None:
    site.photograph(make_finding("unclear", "A hand lies over the board: take it away and look again."))
    assert "A hand lies over the board" in text(site.client.get("/games/1"))


def test_a_photograph_in_which_nothing_changed_can_be_a_pass(site: Site) -> None:
    site.photograph(make_finding("none"))
    assert "Was it a pass?" in text(site.client.get("/games/1"))
    site.submit("pass")
    open_game = site.now()
    assert open_game.game.current_player == "Blue"
    assert open_game.question is None


def test_the_empty_board_before_the_first_turn_is_no_question(site: Site) -> None:
    plain = replace(make_finding("none"), needs_review=False)
    site.reader.say([plain, sure(EXAMPLE[0]), plain])
    form = {"photo": (io.BytesIO(jpeg(100)), "board.jpg")}
    told = site.client.post("/games/1/photo", data=form, headers=BY_SCRIPT).get_json()
    assert told["message"] == "The board is still empty. Photograph it again after the first word."
    assert site.now().question is None
    site.upload("/games/1/photo", jpeg(110))
    site.upload("/games/1/photo", jpeg(120))
    assert "Was it a pass?" in text(site.client.get("/games/1"))


def test_a_legal_play_is_entered_at_once(site: Site) -> None:
    assert site.submit("play", tiles=EXAMPLE[0]).status_code == 303
    assert site.now().game.totals["Red"] == 8


def test_a_play_against_the_rules_is_entered_once_the_referee_was_heard(site: Site) -> None:
    form = {"version": version(site.services, site.game), "tiles": "X@a1 X@b1"}
    page = text(site.client.post("/games/1/play", data=form))
    assert "Rule 3</a>, first play" in page
    assert "not in the word list" not in page
    assert "anyway" in page
    assert site.now().game.turns == ()
    accept = re.search(r'name="accept" value="([^"]*)"', page)
    assert accept
    site.client.post("/games/1/play", data={**form, "accept": accept[1]})
    assert site.now().game.totals["Red"] == 4


@pytest.mark.parametrize(
    ("tiles", "line"),
    [("", "There is no tile on the board yet"), ("MOOD", "not a tile on a square"), ("M@z9", "not a square")],
)
def test_tiles_that_cannot_be_read_give_one_clear_line(site: Site, tiles: str, line: str) -> None:
    response = site.submit("play", tiles=tiles)
    assert response.status_code == 400
    assert line in read_error(response)


def test_the_verdict_for_the_editor(site: Site) -> None:
    found = site.client.post("/games/1/verdict", data={"tiles": EXAMPLE[0]}).get_json()
    assert found == {"tiles": "M@b4 O@c4 O@d4 D@e4", "legal": True, "told": "MOOD: 8 points", "reasons": []}
    found = site.client.post("/games/1/verdict", data={"tiles": "A@a1 A@c3"}, headers=BY_SCRIPT)
    assert [reason.split(",")[0] for reason in found.get_json()["reasons"]][:2] == ["Rule 3", "Rule 4"]
    wrong = site.client.post("/games/1/verdict", data={"tiles": "?"}, headers=BY_SCRIPT)
    assert wrong.status_code == 400
    assert "not a tile" in wrong.get_json()["error"]


def test_a_correction_rescores_what_came_after_and_says_so(site: Site) -> None:
    open_game = site.game
    open_game = enter_plays(site.services, open_game, *EXAMPLE[:4])
    page = text(site.client.get("/games/1/turns/1/correct"))
    assert "M@b4 O@c4 O@d4 D@e4" in page
    tiles = "L@b4 O@c4 O@d4 D@e4"
    response = site.submit("turns/1/correct", BY_SCRIPT, tiles=tiles, accept=tiles)
    message = response.get_json()["message"]
    assert message.startswith("Red's MOOD (8) is now LOOD (8).")
    corrected = site.now().game
    assert corrected.turns[0].play == parse_play(tiles)
    site.submit("turns/4/correct?to=pass")
    assert site.now().game.turns[3].kind == "pass"
    site.submit("undo")
    assert site.now().game.turns[3].kind == "play"


def test_a_correction_that_does_not_fit_leaves_the_game_alone(site: Site) -> None:
    open_game = site.enter(EXAMPLE[0])
    for face in "AEIO":
        open_game = enter_plays(site.services, open_game, f"{face}@b4")
    tiles = "B@b4 C@b4"
    response = site.submit("turns/2/correct", tiles=tiles, accept=tiles)
    assert response.status_code == 400
    assert site.now().game == open_game.game


def test_the_pages_of_a_turn(site: Site) -> None:
    site.enter(EXAMPLE[0])
    page = text(site.client.get("/games/1/turns/1"))
    assert "Red played MOOD for 8 points." in page
    assert "2 points a tile" in page
    for place in (0, 2, 99):
        assert site.client.get(f"/games/1/turns/{place}").status_code == 404
