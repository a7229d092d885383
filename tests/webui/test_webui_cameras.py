"""A game's camera on the page: several to choose from, the grid and given corners, a phone that sends pictures."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from guestkit import guest, stranger
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from webkit import BY_SCRIPT, EXAMPLE, OpenPage, ScriptedReader, jpeg, read_error, start_game, submit, sure, text, until

from vision import Belief, BoardNotFound, Finding
from vision.board.grid_doubt import GridDoubt
from vision.images import Image
from vision.video.motion import view_thumbnail
from vision.video.watch_state import TrackedFinding, WatchState
from webui.access.sessions import Role
from webui.app import services_of
from webui.errors import WebError
from webui.live.cameras import FILE_NAME, CameraChoice, CameraChoices
from webui.live.hands_free import GivenCorners
from webui.ports import Aim, Corners, TurnQuery
from webui.routes.cameras import parse_shares
from webui.services import Services
from webui.table.games import OpenGame

CORNERS = "0.2,0.2 0.8,0.2 0.8,0.8 0.2,0.8"


class Reader(ScriptedReader):
    """Finds the grid where it is told; follows, and settles nothing."""

    grid: Corners | None = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))

    def find_grid(self, image: Image, query: TurnQuery) -> Corners:
        if self.grid is None:
            raise BoardNotFound("No board was found in the picture: come nearer.")
        return self.grid

    def aim(self, image: Image, query: TurnQuery, before: Corners | None) -> Aim:
        return Aim(self.grid, None if before == self.grid else "Hold still.")

    def follow(self, query: TurnQuery) -> Reader:
        self.queries.append(query)
        return self

    def watch(self, frame: Image, time: float) -> WatchState:
        return WatchState("in view", False, 9.0, True, due=False)

    def read(self) -> TrackedFinding | None:
        return None

    def finish(self) -> TrackedFinding | None:
        return None

    def glance(self) -> Finding | None:
        return None

    def believe(self, belief: Belief, *, again: bool) -> None: ...


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def films(tmp_path: Path) -> tuple[str, str]:
    """Two short films, the second darker."""
    paths = []
    for name, shade in (("bright", 200), ("dark", 40)):
        path = tmp_path / f"{name}.avi"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (160, 120))
        for _ in range(3):
            writer.write(np.full((120, 160, 3), shade, np.uint8))
        writer.release()
        paths.append(str(path))
    return paths[0], paths[1]


@pytest.fixture
def app(open_page: OpenPage, films: tuple[str, str]) -> Flask:
    app = open_page(cameras=(f"A={films[0]}", f"B={films[1]}"))
    watchers = services_of(app).cameras._watchers
    until(lambda: all(watchers[label].camera.status.state == "ended" for label in ("A", "B")))
    return app


def shade(client: FlaskClient) -> float:
    """Return the brightness of the picture of the game's camera."""
    data = np.frombuffer(client.get("/games/1/camera.jpg").get_data(), np.uint8)
    decoded = there(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return float(decoded.mean())


def test_each_game_has_its_own_camera_and_keeps_it(client: FlaskClient, game: OpenGame, tmp_path: Path) -> None:
    assert shade(client) == pytest.approx(200, abs=5)
    page = text(client.get("/games/1"))
    assert '<option value="A" selected>A</option><option value="B">B</option>' in page
    client.post("/games/1/camera", data={"camera": "B"})
    assert shade(client) == pytest.approx(40, abs=5)
    assert CameraChoices(tmp_path / "data").of(1) == CameraChoice("B", hands_free=False)
    refused = client.post("/games/1/camera", data={"camera": "C"})
    assert (refused.status_code, "choose one from the list" in read_error(refused)) == (400, True)


def test_what_the_camera_sees_is_for_those_who_were_let_in(app: Flask, game: OpenGame) -> None:
    assert stranger(app).get("/games/1/camera.jpg").status_code == 401
    viewer = guest(app, Role.VIEWER)
    assert shade(viewer) == pytest.approx(200, abs=5)
    page = text(viewer.get("/games/1"))
    assert 'data-camera="/games/1/camera.jpg"' in page
    assert not any(each in page for each in ("/capture", "/follow", "data-take-by-picture", "data-grid"))
    assert viewer.post("/games/1/frame", data=jpeg()).status_code == 403


def test_two_games_are_followed_at_once_with_a_camera_each(services: Services, game: OpenGame) -> None:
    other = start_game(services, "Ann", "Bob")
    services.cameras.choose(other.row.id, "B")
    services.cameras.follow(game.row.id, on=True)
    services.cameras.follow(other.row.id, on=True)
    views = [services.cameras.view(at) for at in (game.row.id, other.row.id)]
    assert [view.followed for view in views if view] == [True, True]
    services.cameras.choose(other.row.id, "A")
    views = [services.cameras.view(at) for at in (game.row.id, other.row.id)]
    assert [view.followed for view in views if view] == [False, True]


def test_a_camera_taken_from_another_game_stays_so_after_a_restart(
    tmp_path: Path, open_page: OpenPage, films: tuple[str, str], services: Services, game: OpenGame
) -> None:
    other = start_game(services, "Ann", "Bob")
    services.cameras.choose(other.row.id, "B")
    services.cameras.follow(other.row.id, on=True)
    services.cameras.follow(game.row.id, on=True)
    services.cameras.choose(game.row.id, "B")
    kept = CameraChoices(tmp_path / "data").games()
    assert kept == {game.row.id: CameraChoice("B", hands_free=True), other.row.id: CameraChoice("B", hands_free=False)}
    services.close()
    again = services_of(open_page(cameras=(f"A={films[0]}", f"B={films[1]}")))
    views = [again.cameras.view(at) for at in (game.row.id, other.row.id)]
    assert [view.followed for view in views if view] == [True, False]


def test_hands_free_play_goes_on_after_a_restart(
    open_page: OpenPage, films: tuple[str, str], services: Services, game: OpenGame
) -> None:
    services.cameras.follow(game.row.id, on=True)
    services.close()
    view = there(services_of(open_page(cameras=(films[0],))).cameras.view(game.row.id))
    assert (view.followed, view.labels) == (True, ())


def test_the_grid_is_found_or_given(client: FlaskClient, game: OpenGame, reader: Reader) -> None:
    assert client.get("/games/1/grid").get_json() == {
        "corners": [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]], "given": False, "size": 8,
    }  # fmt: skip
    reader.grid = None
    answer = client.get("/games/1/grid", headers=BY_SCRIPT)
    assert (answer.status_code, answer.get_json()["error"]) == (
        400, "No board was found in the picture: come nearer.",
    )  # fmt: skip
    client.post("/games/1/grid", data={"corners": CORNERS})
    assert client.get("/games/1/grid").get_json()["given"]
    client.post("/games/1/grid", data={"corners": ""})
    assert client.get("/games/1/grid", headers=BY_SCRIPT).status_code == 400


def test_corners_that_the_picture_contradicts_are_kept_and_that_is_said(
    client: FlaskClient, game: OpenGame, reader: Reader
) -> None:
    for doubt in (None, GridDoubt.GIVEN.value):
        reader.corner_doubt = doubt
        answer = client.post("/games/1/grid", data={"corners": CORNERS}, headers=BY_SCRIPT).get_json()
        assert answer["message"] == " ".join(filter(None, ["Corners saved until the camera moves.", doubt]))
        assert reader.queries[-1].corners == ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
        assert client.get("/games/1/grid").get_json()["given"]


def test_given_corners_are_used_by_the_camera_alone_and_kept(
    client: FlaskClient, game: OpenGame, reader: Reader, tmp_path: Path
) -> None:
    client.post("/games/1/grid", data={"corners": CORNERS})
    reader.say([sure(EXAMPLE[0])])
    client.post("/games/1/capture")
    assert reader.queries[-1].corners == ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
    kept = there(CameraChoices(tmp_path / "data").corners("A", 8))
    assert kept.corners == reader.queries[-1].corners
    assert CameraChoices(tmp_path / "data").corners("B", 8) is None


def test_given_corners_hold_only_where_the_camera_still_stands(services: Services, game: OpenGame) -> None:
    """Kept on disk, they outlive the evening: nobody watches while the camera is put up again."""
    squares = np.random.default_rng(1).integers(0, 255, (30, 40, 3), dtype=np.uint8)
    there: Image = np.kron(squares, np.ones((16, 16, 1), dtype=np.uint8))
    corners = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
    services.cameras._choices.give("A", 8, GivenCorners(corners, view_thumbnail(there)))
    assert services.cameras.corners(game.row.id, there) == corners
    assert services.cameras.corners(game.row.id, np.roll(there, 40, axis=1)) is None


def test_the_flat_view_is_a_picture_of_the_board_alone(client: FlaskClient, game: OpenGame) -> None:
    answer = client.get("/games/1/flat.jpg", query_string={"corners": CORNERS})
    flat = there(cv2.imdecode(np.frombuffer(answer.get_data(), np.uint8), cv2.IMREAD_COLOR))
    assert flat.shape == (576, 576, 3)


@pytest.mark.parametrize(
    "wrong",
    ["", "1,2", "a,b c,d e,f g,h", "nan,0 1,0 1,1 0,1", "0,0 9,0 9,9 0,9", "0.2,0.2 0.2,0.8 0.8,0.8 0.8,0.2",
     "0.5,0.5 0.51,0.5 0.51,0.51 0.5,0.51", "0.2,0.2 0.8,0.8 0.8,0.2 0.2,0.8"],
)  # fmt: skip
def test_corners_that_make_no_board_are_refused(wrong: str) -> None:
    with pytest.raises(WebError):
        parse_shares(wrong)


@given(st.text(max_size=60))
def test_any_text_is_corners_or_refused(wrong: str) -> None:
    with contextlib.suppress(WebError):
        assert len(parse_shares(wrong)) == 4


def test_a_phone_becomes_the_games_camera_by_sending(client: FlaskClient, services: Services, game: OpenGame) -> None:
    assert client.post("/games/1/frame", data=jpeg(240, 320)).status_code == 200
    view = there(services.cameras.view(1))
    assert (view.label, view.name, view.status.state, view.labels) == (
        "phone", "the phone", "live", ("A", "B", "phone"),
    )  # fmt: skip
    assert services.cameras.require(1).camera.newest().shape == (240, 320, 3)
    services.cameras.follow(1, on=True)
    client.post("/games/1/camera", data={"camera": "A"})
    view = there(services.cameras.view(1))
    assert (view.label, view.followed) == ("A", True)


def frame(client: FlaskClient, sender: str = "") -> tuple[int, str | None]:
    """Send a picture from a phone. Return the status of the answer, and the error."""
    url = f"/games/1/frame?sender={sender}" if sender else "/games/1/frame"
    answer = client.post(url, data=jpeg(), headers=BY_SCRIPT)
    return answer.status_code, answer.get_json().get("error")


def begins(client: FlaskClient) -> str:
    """Make a phone the camera, and return the name under which it sends."""
    sender = client.post("/games/1/phone").get_json()["sender"]
    assert isinstance(sender, str)
    return sender


OTHER_CAMERA = (409, "The table uses another camera now.")
OTHER_PHONE = (409, "Another phone is the camera now.")


@pytest.mark.parametrize("explicitly", [True, False])
def test_another_camera_stays_chosen_while_a_phone_goes_on_sending(
    client: FlaskClient, services: Services, game: OpenGame, explicitly: bool
) -> None:
    sender = begins(client) if explicitly else ""
    assert frame(client, sender) == (200, None)
    client.post("/games/1/camera", data={"camera": "A"})
    assert frame(client, sender) == OTHER_CAMERA
    view = services.cameras.view(1)
    assert (view and view.label) == "A"
    sender = begins(client)
    assert frame(client, sender) == (200, None)
    view = services.cameras.view(1)
    assert (view and view.label) == "phone"


def test_of_two_phones_the_one_that_began_last_is_the_camera(
    client: FlaskClient, services: Services, game: OpenGame
) -> None:
    first, second = begins(client), begins(client)
    assert [frame(client, sender) for sender in (first, "", second)] == [
        OTHER_PHONE, OTHER_PHONE, (200, None),
    ]  # fmt: skip
    assert services.cameras.of(1) is not None


def test_a_phone_goes_on_sending_after_a_restart(
    open_page: OpenPage, client: FlaskClient, services: Services, game: OpenGame
) -> None:
    sender = begins(client)
    services.cameras.follow(1, on=True)
    services.close()
    app = open_page()
    assert frame(app.test_client(), sender) == (200, None)
    assert frame(app.test_client(), "another") == OTHER_PHONE
    view = services_of(app).cameras.view(1)
    assert (view and view.followed) is True


def test_no_phone_begins_in_a_game_that_is_over(client: FlaskClient, services: Services, game: OpenGame) -> None:
    services.games.change(game, lambda each: each.end("agreed", (1, 2)))
    assert "The game has ended" in read_error(client.post("/games/1/phone"))
    assert client.post("/games/7/phone").status_code == 404


def watching() -> int:
    """Return how many threads look through cameras."""
    return sum(thread.name == "hands-free" for thread in threading.enumerate())


@pytest.mark.parametrize("how", ["ended", "deleted"])
def test_a_phones_camera_is_closed_with_its_game(
    client: FlaskClient, services: Services, game: OpenGame, how: str
) -> None:
    before = watching()
    client.post("/games/1/frame", data=jpeg())
    services.cameras.follow(1, on=True)
    services.cameras.leave_phones()
    assert watching() == before + 1, "its game goes on"
    if how == "ended":
        services.games.change(game, lambda each: each.end("agreed", (1, 2)))
        services.cameras.leave_phones()
        late = client.post("/games/1/frame", data=jpeg(), headers=BY_SCRIPT)
        assert (late.status_code, "The game has ended" in late.get_json()["error"]) == (400, True)
    else:
        submit(client, "delete")
    assert watching() == before
    assert services.cameras.of(1) is None


def test_a_phone_that_comes_back_goes_on_as_it_was(client: FlaskClient, services: Services, game: OpenGame) -> None:
    client.post("/games/1/frame", data=jpeg())
    services.cameras.follow(1, on=True)
    over = services.games.change(game, lambda each: each.end("agreed", (1, 2)))
    services.cameras.leave_phones()
    services.games.change(over, lambda each: each.undo())
    client.post("/games/1/frame", data=jpeg())
    view = there(services.cameras.view(1))
    assert (view.label, view.followed) == ("phone", True)


def test_a_phone_that_begins_to_send_has_those_of_other_games_closed_that_are_over(
    client: FlaskClient, services: Services, game: OpenGame
) -> None:
    other = start_game(services, "Ann", "Bob")
    before = watching()
    client.post("/games/1/frame", data=jpeg())
    services.games.change(game, lambda each: each.end("agreed", (1, 2)))
    client.post(f"/games/{other.row.id}/frame", data=jpeg())
    assert watching() == before + 1


def test_what_a_phone_sends_must_be_a_picture(client: FlaskClient, game: OpenGame) -> None:
    assert client.post("/games/1/frame", data=b"no picture", headers=BY_SCRIPT).status_code == 400
    large = client.post("/games/1/frame", data=bytes(5 * 1024 * 1024), headers=BY_SCRIPT)
    assert (large.status_code, "4 MB" in large.get_json()["error"]) == (413, True)
    assert client.post("/games/7/frame", data=jpeg(), headers=BY_SCRIPT).status_code == 404


def test_a_phone_in_the_hand_is_told_how_to_aim_and_becomes_no_camera(
    app: Flask, client: FlaskClient, services: Services, game: OpenGame
) -> None:
    first = client.post("/games/1/aim?before=", data=jpeg()).get_json()
    corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    assert first == {"corners": corners, "hint": "Hold still.", "size": 8}
    before = " ".join(f"{x},{y}" for x, y in corners)
    assert client.post(f"/games/1/aim?before={before}", data=jpeg()).get_json()["hint"] is None
    view = there(services.cameras.view(1))
    assert view.label == "A"
    assert guest(app, Role.VIEWER).post("/games/1/aim", data=jpeg()).status_code == 403
    services.games.change(game, lambda each: each.end("agreed", (1, 2)))
    assert client.post("/games/1/aim", data=jpeg(), headers=BY_SCRIPT).status_code == 400


def test_choices_that_cannot_be_read_are_left_aside(tmp_path: Path) -> None:
    for content in ("", "[]", '{"games": {"x": 1}}', '{"games": {}, "corners": {"A/8": {"view": "?", "corners": []}}}'):
        (tmp_path / FILE_NAME).write_text(content)
        choices = CameraChoices(tmp_path)
        assert choices.games() == {}
    choices.choose(3, CameraChoice("A", hands_free=True))
    assert CameraChoices(tmp_path).of(3) == CameraChoice("A", hands_free=True)


def test_the_picture_of_a_game_without_a_camera(open_page: OpenPage) -> None:
    app = open_page()
    start_game(services_of(app), "Ann", "Bob")
    answer = app.test_client().get("/games/1/camera.jpg", headers=BY_SCRIPT)
    assert (answer.status_code, "--camera" in answer.get_json()["error"]) == (503, True)
