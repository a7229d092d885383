"""A game to take away as CSV, text and JSON."""

from __future__ import annotations

import io
import json

import pytest
from flask.testing import FlaskClient
from PIL import Image
from presencekit import there
from webkit import EXAMPLE, Lobby, after_plays, example

from engine.formats.game_json import game_from_dict
from engine.formats.notation import parse_game
from vision.system import bold_font
from webui.services import Services
from webui.table.games import OpenGame
from webui.views import souvenir
from webui.views.finish import view_result


@pytest.fixture
def played(services: Services, game: OpenGame) -> OpenGame:
    return after_plays(services, game, *EXAMPLE[:2])


def test_a_game_is_taken_away_and_comes_back(client: FlaskClient, played: OpenGame) -> None:
    text, data, sheet = (client.get(f"/games/1/export.{ending}") for ending in ("txt", "json", "csv"))
    assert parse_game(text.get_data(as_text=True), played.game.lexicon) == played.game
    assert game_from_dict(json.loads(data.get_data()), played.game.lexicon) == played.game
    rows = sheet.get_data(as_text=True).split("\r\n")
    assert rows[0].startswith("turn,player,kind")
    assert rows[1].startswith("1,Red,play,")
    assert [answer.mimetype for answer in (text, data, sheet)] == [*("text/plain", "application/json", "text/csv")]
    assert sheet.headers["Content-Disposition"] == 'attachment; filename="upscore-1.csv"'


@pytest.mark.parametrize("over", [False, True])
def test_the_page_links_to_it_while_the_game_goes_on_and_after(lobby: Lobby, played: OpenGame, over: bool) -> None:
    if over:
        lobby.services.games.change(played, lambda game: game.end("agreed", (0, 0)))
    page = lobby.client.get("/games/1").get_data(as_text=True)
    assert [page.count(f'href="/games/1/export.{ending}"') for ending in ("csv", "txt", "json")] == [1, 1, 1]


@pytest.mark.parametrize(("path", "says"), [("1/export.pdf", "csv, txt, json"), ("9/export.csv", "no such game")])
def test_what_cannot_be_taken_away(client: FlaskClient, played: OpenGame, path: str, says: str) -> None:
    answer = client.get(f"/games/{path}")
    assert answer.status_code == 404
    assert says in answer.get_data(as_text=True)


def test_the_end_has_a_picture_and_a_film_to_send(client: FlaskClient, services: Services, played: OpenGame) -> None:
    assert client.get("/games/1/result.png").status_code == 400, "there is no result yet"
    assert "data-share" not in client.get("/games/1").get_data(as_text=True)
    services.games.change(played, lambda game: game.end("agreed", (0, 0)))
    page = client.get("/games/1").get_data(as_text=True)
    for path, kind in (("/games/1/result.png", "image/png"), ("/games/1/replay.gif", "image/gif")):
        assert f'href="{path}" download data-share' in page
        answer = client.get(path)
        assert answer.mimetype == kind
        assert "upscore." in answer.headers["Content-Disposition"]
        assert "1" not in answer.headers["Content-Disposition"], "the game's number is its address"
        assert Image.open(io.BytesIO(answer.get_data())).format == kind.removeprefix("image/").upper()


def picture_of(*names: str) -> bytes:
    game = example(*names).end("agreed", (1, 2))
    result = there(view_result(game))
    return souvenir.draw_result(game, result)


@pytest.mark.slow
def test_the_film_shows_every_turn_and_then_the_result() -> None:
    game = example().end("agreed", (1, 2))
    result = there(view_result(game))
    film = Image.open(io.BytesIO(souvenir.draw_film(game, result)))
    assert getattr(film, "n_frames", 1) == len(EXAMPLE) + 2
    times, pictures = [], []
    for at in range(len(EXAMPLE) + 2):
        film.seek(at)
        times.append(film.info["duration"])
        pictures.append(film.convert("RGB").tobytes())
    assert times == [souvenir.STEP_MS] * (len(EXAMPLE) + 1) + [souvenir.END_MS]
    assert len(set(pictures)) == len(EXAMPLE) + 2


def test_a_name_that_the_font_lacks_is_written_as_far_as_it_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    font = bold_font(20)
    assert (souvenir._has(font, "A"), souvenir._has(font, "\U0010fffd")) == (True, False)
    monkeypatch.setattr(souvenir, "_has", lambda font, letter: letter.isascii())
    assert picture_of("Zo\u00eb", "Ann \U0001f3b2") == picture_of("Zoe", "Ann")


def test_a_long_name_stays_within_the_picture() -> None:
    picture = Image.open(io.BytesIO(picture_of("W" * 40, "Ann"))).convert("RGB")
    edge = [picture.getpixel((x, y)) for x in (4, picture.width - 5) for y in range(picture.height)]
    assert set(edge) == {(247, 242, 232)}
