"""Looking back at a game that is over: best plays missed, what a rack could have played; other readings."""

from __future__ import annotations

import html

import pytest
from flask import Flask
from flask.testing import FlaskClient
from presencekit import there
from webkit import OpenPage, SearchableShelf, Site, after_plays, doubt, read_error, submit, sure, text

from webui.services import Services
from webui.table.games import OpenGame
from webui.views.analysis import MAX_NEAR_WORDS, NearWords

HINTS = ("/games/1/analysis", "/games/1/analysis?turn=1&rack=TO", "/games/1/turns/1/missed")
BEST = "TO across from d3"
TOLD = "12 points (TO 4 + TO 4 + ON 4) with the same tiles, 6 more"


@pytest.fixture
def app(open_page: OpenPage) -> Flask:
    return open_page(lexicons=SearchableShelf())


def finish_game(services: Services, *plays: str, over: bool = True) -> OpenGame:
    """The game after these plays, finished."""
    open_game = after_plays(services, services.games.open(1), *plays)
    return services.games.change(open_game, lambda game: game.end("agreed", (0, 0))) if over else open_game


def fetch_missed(client: FlaskClient, place: int) -> dict[str, str | int] | None:
    found: dict[str, str | int] | None = client.get(f"/games/1/turns/{place}/missed").get_json()["missed"]
    return found


@pytest.fixture
def over(services: Services, game: OpenGame) -> OpenGame:
    """A game in which Blue's two tiles could have made 12 points in place of 6."""
    return finish_game(services, "d4-ON", "d3|T.O")


def test_a_turn_tells_the_best_play_it_missed(client: FlaskClient, over: OpenGame) -> None:
    assert fetch_missed(client, 1) is None
    found = there(fetch_missed(client, 2))
    assert found["play"] == BEST
    assert str(found["told"]).startswith(TOLD)
    assert "the next player gets about" in str(found["told"])
    assert int(found["gain"]) >= 6
    assert 'data-missed="/games/1/turns/2/missed"' in text(client.get("/games/1/turns/2"))


def test_the_page_asks_for_each_turn_by_itself(client: FlaskClient, over: OpenGame) -> None:
    page = text(client.get("/games/1"))
    for place in (1, 2):
        assert f'data-missed="/games/1/turns/{place}/missed"' in page
    assert BEST not in page
    parts = client.get("/games/1/parts").get_json()["parts"]
    assert BEST not in parts["after"]["html"]


def test_a_correction_has_the_turns_looked_at_anew(client: FlaskClient, over: OpenGame) -> None:
    before = client.get("/games/1/parts").get_json()["parts"]["after"]["digest"]
    submit(client, "turns/2/correct?to=play", tiles="T@d3 O@e3")
    assert fetch_missed(client, 2) is None
    assert client.get("/games/1/parts").get_json()["parts"]["after"]["digest"] != before


def test_the_missed_play_is_shown_on_its_board(client: FlaskClient, over: OpenGame) -> None:
    found = there(fetch_missed(client, 2))
    page = text(client.get(found["to"]))
    assert "The board before turn 2, Blue&rsquo;s, with TO across from d3." in page
    assert "e3: O, new" in page
    assert "d5: O" not in page
    assert "This turn scored 6 points." in page
    other = text(client.get(f"{found['to']}&show=1"))
    assert "e3: O, new" not in other
    assert 'aria-current="true"' in other


def test_what_a_rack_could_have_played_on_the_final_board(client: FlaskClient, over: OpenGame) -> None:
    page = text(client.get("/games/1/analysis?rack=e"))
    assert "The final board, with ONE across from d4." in page
    assert "ONE 6" in page
    assert "These tiles had no legal play" in text(client.get("/games/1/analysis?rack=Z"))
    assert "The best plays" not in text(client.get("/games/1/analysis"))
    assert client.get("/games/1/analysis?rack=e&show=99").status_code == 200
    assert client.get("/games/1/analysis?rack=e&show=-3&turn=x").status_code == 200


def test_the_tiles_played_are_looked_at_first(client: FlaskClient, over: OpenGame) -> None:
    page = text(client.get("/games/1/analysis?turn=2"))
    assert 'value="TO"' in page
    assert f"{BEST}</span>" in page


def test_all_seven_tiles_show_their_bonus(site: Site) -> None:
    finish_game(site.services)
    assert "ABCDEFG 14 + 20 for all tiles" in text(site.client.get("/games/1/analysis?rack=A,B C D E F G"))


@pytest.mark.parametrize(
    ("asked", "status", "told"),
    [
        ("rack=A1", 400, "is not a tile"),
        ("rack=ABCDEFGH", 400, "a rack of 8 tiles"),
        ("rack=%3Cscript%3E", 400, "is not a tile"),
        ("turn=3", 404, "no longer exists"),
        ("turn=-1", 404, "no longer exists"),
    ],
)
def test_questions_that_cannot_be_answered(
    client: FlaskClient, over: OpenGame, asked: str, status: int, told: str
) -> None:
    response = client.get(f"/games/1/analysis?{asked}")
    assert response.status_code == status
    assert told in html.unescape(read_error(response))
    assert client.get("/games/1/turns/9/missed").status_code == 404


def test_hints_come_after_the_game(site: Site) -> None:
    finish_game(site.services, "d4-ON", "d3|T.O", over=False)
    for url in HINTS:
        response = site.client.get(url)
        assert response.status_code == 400
        assert "Hints come after the game" in read_error(response)
    assert "data-missed=" not in text(site.client.get("/games/1"))
    assert "data-missed=" not in text(site.client.get("/games/1/turns/2"))


def test_programs_are_told_what_a_rack_could_have_done(client: FlaskClient, over: OpenGame) -> None:
    solve = "/api/v1/games/1/solve"
    best = client.get(f"{solve}?rack=TO&turn=2").get_json()[0]
    assert (best["points"], best["bonus"]) == (12, 0)
    assert best["tiles"] == [{"row": 2, "col": 3, "letter": "T"}, {"row": 2, "col": 4, "letter": "O"}]
    assert best["words"] == [{"word": word, "points": 4} for word in ("TO", "TO", "ON")]
    assert best["value"] == pytest.approx(best["points"] - best["reply"] + best["kept"], abs=0.01)
    assert client.get(f"{solve}?rack=Z").get_json() == []
    for asked, status in (("", 400), ("?rack=ABCDEFGH", 400), ("?rack=1", 400), ("?rack=TO&turn=3", 404)):
        assert client.get(solve + asked).status_code == status


def test_the_page_of_words_tells_hooks_and_the_box_of_a_game_does_not(site: Site) -> None:
    assert "hooks" not in site.client.get("/api/word?word=on").get_json()
    found = site.client.get("/api/word?word=on&hooks=1").get_json()["hooks"]
    assert {"name": "A tile behind", "words": ["ONE"], "text": "ONE"} in found
    told = site.client.get("/api/v1/words/on").get_json()
    assert (told["word"], told["back"], told["anagrams"]) == ("ON", ["ONE"], [])
    assert site.client.get("/api/v1/words/on?lexicon=none").status_code == 400
    page = text(site.client.get("/words?word=on"))
    assert "<strong>A tile behind</strong> ONE" in page
    assert 'name="hooks"' in page
    assert 'name="hooks"' not in text(site.client.get("/games/1"))


def test_a_group_of_many_words_is_cut() -> None:
    words = tuple(f"W{at}" for at in range(MAX_NEAR_WORDS + 2))
    assert NearWords("many", words).text.endswith(f"W{MAX_NEAR_WORDS - 1} and 2 more")
    assert NearWords("few", words[:2]).text == "W0, W1"


def test_a_try_that_was_taken_back_is_passed_over(site: Site) -> None:
    finish_game(site.services, "d4-ON", "a1-XX", over=False)
    site.submit("take-back")
    finish_game(site.services, "d3|T.O")
    page = text(site.client.get("/games/1"))
    assert "/turns/2/missed" not in page
    assert "/turns/3/missed" in page
    assert fetch_missed(site.client, 3) is not None


def test_a_question_offers_what_else_fits_its_squares(site: Site) -> None:
    site.photograph(doubt("C@c4 A@d4 T@e4", "C@c4 A@d4 N@e4"))
    assert "tiles=C@c4+A@d4+T@e4" in text(site.client.get("/games/1")).replace("%40", "@").replace("%20", "+")
    page = text(site.client.get("/games/1/play?tiles=C@c4+A@d4+T@e4")).replace("%40", "@").replace("%20", "+")
    # nearest first: one letter away, then two, then three
    places = [page.index(f">{word}</a>") for word in ("BAT", "CAR", "BIT")]
    assert places == sorted(places)
    assert 'href="/games/1/play?tiles=B@c4+A@d4+T@e4"' in page
    assert ">CAT</a>" not in page
    assert "Other words that fit" not in text(site.client.get("/games/1/play"))
    assert "Other words that fit" not in text(site.client.get("/games/1/play?tiles=X@a1+Y@b2"))


def test_without_a_photograph_of_these_squares_nothing_is_offered(site: Site) -> None:
    tiles = "tiles=C@c4+A@d4+X@e4"
    assert "Other words that fit" not in text(site.client.get(f"/games/1/play?{tiles}"))
    site.photograph(doubt("O@d4 N@e4", "T@d4 O@e4"))
    assert "Other words that fit" not in text(site.client.get(f"/games/1/play?{tiles}"))
    finish_game(site.services, "c4-CAT", over=False)
    assert "Other words that fit" not in text(site.client.get(f"/games/1/turns/1/correct?{tiles}"))
    assert "Other words that fit" not in text(site.client.get(f"/games/1/turns/1/insert?{tiles}"))


def test_a_correction_offers_what_fitted_before_the_turn_and_never_what_was_played(site: Site) -> None:
    site.photograph(sure("C@c4 A@d4 T@e4"))
    near = text(site.client.get("/games/1/turns/1/correct?tiles=C@c4+A@d4+X@e4"))
    assert ">CAR</a>" in near
    assert ">CAT</a>" not in near
    page = text(site.client.get("/games/1/turns/1/correct")).replace("%40", "@").replace("%20", "+")
    assert 'href="/games/1/turns/1/correct?tiles=B@c4+A@d4+T@e4"' in page
