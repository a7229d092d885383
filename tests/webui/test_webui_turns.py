"""Passes, exchanges, ends, words, and pages that are out of date."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from guestkit import guest
from webkit import Lobby, Site, enter_plays, jpeg, make_finding, read_error, start_game, sure, text, version

from engine import EDITIONS, Board, HouseRules, Square
from vision.turn.reasons import Doubt, Reason
from webui.access.sessions import Role
from webui.views.new_game import edition_field


def test_pass_exchange_undo_and_end(site: Site) -> None:
    for what in ("pass", "exchange", "pass", "pass"):
        site.submit(what)
    kinds = [record.kind for record in site.now().game.turns]
    assert kinds == ["pass", "exchange", "pass", "pass"]
    assert "all players have passed in a row" in text(site.client.get("/games/1"))
    assert re.search(r'value="passes" selected', text(site.client.get("/games/1/end")))
    site.submit("end", reason="passes", left0="2", left1="")
    open_game = site.now()
    assert open_game.game.totals == {"Red": -10, "Blue": 0}
    assert open_game.row.finished
    assert "Blue wins" in text(site.client.get("/games/1"))
    assert site.client.get("/").location == "/games"
    site.submit("undo")
    assert site.now().game.ended is None


def test_a_play_is_taken_back_and_its_player_plays_again(site: Site) -> None:
    site.enter("X@b4 X@c4")
    assert "breaks a rule" in text(site.client.get("/games/1"))
    site.submit("take-back")
    open_game = site.now().game
    assert open_game.board == Board.empty(8)
    assert open_game.current_player == "Red"
    again = site.submit("take-back")
    assert "no play to take back" in read_error(again)


def test_a_tap_on_a_page_that_is_out_of_date_changes_nothing(site: Site) -> None:
    old = version(site.services, site.game)
    site.client.post("/games/1/pass", data={"version": old})
    again = site.client.post("/games/1/pass", data={"version": old})
    assert again.status_code == 409
    assert "just changed the game" in read_error(again)
    assert site.client.post("/games/1/pass").status_code == 409
    assert len(site.now().game.turns) == 1


@pytest.mark.parametrize(
    "form",
    [
        {"reason": "bored"},
        {"reason": "agreed", "left0": "x"},
        {"reason": "agreed", "left0": "9"},
        {"reason": "out", "left0": "1", "left1": "2"},
    ],
)
def test_an_end_that_cannot_be(site: Site, form: dict[str, str]) -> None:
    response = site.submit("end", **form)
    assert response.status_code == 400
    assert site.now().game.ended is None


def test_words_are_looked_up(client: FlaskClient) -> None:
    assert client.get("/api/word?word=mood").get_json() == {
        "word": "MOOD",
        "playable": True,
        "meaning": "a state of mind",
        "reason": None,
        "sentence": "MOOD is playable.",
    }
    refused = text(client.get("/words?word=dear&lexicon=tiny"))
    assert "DEAR is not playable: not in the word list tiny." in refused
    assert '<option value="tiny" selected>tiny</option>' in refused
    assert not client.get("/api/word?word=dear&lexicon=tiny").get_json()["playable"]
    assert client.get("/api/word?word=mood&hooks=1").get_json()["hooks"] == []
    assert "a state of mind" in text(client.get("/words?word=mood"))
    for bad in ("", "a" * 41):
        assert client.get(f"/api/word?word={bad}").status_code == 400


# Another board


OTHER = Doubt(Reason.OTHER_BOARD, ("This board looks 10 × 10. The game is set up for 8 × 8.", "10"))


def buttons(page: str) -> list[str]:
    return re.findall(r"<button[^>]*>(Change to [^<]*)</button>", page)


def change_to(edition: str) -> str:
    """Return the text of the button."""
    return "Change to " + edition.replace("x", " \N{MULTIPLICATION SIGN} ")


def test_a_game_changes_to_the_board_that_lies_on_the_table(lobby: Lobby) -> None:
    rules = HouseRules(words_always_checked=True)
    game = start_game(lobby.services, "Ada", "Ben", rules=rules, lexicon="tiny")
    lobby.photograph(replace(make_finding("unclear"), reason=OTHER), sure("O@i9 N@j9"))
    shown = text(lobby.client.get("/games/1"))
    question = shown.partition('class="card ask"')[2].partition("</section>")[0]
    assert buttons(question) == [change_to("10x10")]
    old = version(lobby.services, game)
    assert lobby.client.post("/games/1/board", data={"version": old, "edition": "10x10"}).location == "/games/1"
    open_game = lobby.services.games.open(1)
    assert (open_game.game.setup.edition.name, open_game.belief.sheet_board) == ("10x10", Board.empty(10))
    assert (open_game.game.players, open_game.game.setup.rules, open_game.judged_by) == (("Ada", "Ben"), rules, "tiny")
    assert open_game.question is None
    again = lobby.client.post("/games/1/board", data={"version": old, "edition": "11x11"})
    assert again.status_code == 409
    lobby.upload("/games/1/photo", jpeg())
    assert lobby.services.games.open(1).game.board.stack(Square(8, 9)) == ("N",)
    assert "Change to" not in text(lobby.client.get("/games/1"))
    assert lobby.client.get("/api/v1/games/1").get_json()["edition"] == "10x10"


def test_a_set_of_the_familys_own_is_offered_where_its_size_fits(lobby: Lobby) -> None:
    ours = replace(EDITIONS["10x10"], name="Ours")
    for edition in (ours, replace(EDITIONS["8x8"], name="Small"), EDITIONS["8x8"]):
        game = start_game(lobby.services, "Ada", "Ben", edition=edition, lexicon="tiny")
    lobby.reader.say([replace(make_finding("unclear"), reason=OTHER)])
    lobby.upload(f"/games/{game.row.id}/photo", jpeg())
    question = (
        text(lobby.client.get(f"/games/{game.row.id}")).partition('class="card ask"')[2].partition("</section>")[0]
    )
    assert buttons(question) == [change_to("10x10"), change_to("Ours")]
    sent = {"version": version(lobby.services, game), "edition": edition_field(ours)}
    assert lobby.client.post(f"/games/{game.row.id}/board", data=sent).status_code == 303
    assert lobby.services.games.open(game.row.id).game.setup.edition == ours


@pytest.mark.parametrize("edition", ["8x8", "10x10", "11x11"])
def test_every_other_board_is_offered_while_nothing_is_entered(lobby: Lobby, edition: str) -> None:
    start_game(lobby.services, "Ada", "Ben", edition=edition, lexicon="tiny")
    offered = [change_to(each) for each in ("8x8", "10x10", "11x11") if each != edition]
    assert buttons(text(lobby.client.get("/games/1"))) == offered
    lobby.submit("pass")
    assert buttons(text(lobby.client.get("/games/1"))) == []
    refused = lobby.submit("board", edition="10x10")
    assert "only while nothing is entered" in read_error(refused)
    lobby.submit("undo")
    assert buttons(text(lobby.client.get("/games/1"))) == offered


def test_a_photograph_of_a_turn_on_the_other_board_shows_none_of_this(site: Site) -> None:
    site.photograph(sure("O@d4 N@e4"))
    site.submit("undo")
    site.submit("board", edition="10x10")
    assert "Redo" not in text(site.client.get("/games/1"))
    open_game = site.now()
    enter_plays(site.services, open_game, "O@e5 N@f5")
    assert site.services.photos(site.now()) == {}


def test_a_board_that_is_none_gives_one_clear_line(site: Site) -> None:
    for edition in ("", "9x9", "10x10-grid", "x"):
        answer = site.submit("board", edition=edition)
        assert read_error(answer) == "Which board is it? Choose one of 8 × 8, 10 × 10, 11 × 11."


def test_who_only_watches_is_not_offered_another_board(site: Site) -> None:
    phone = guest(site.client.application, Role.VIEWER)
    assert buttons(text(phone.get("/games/1"))) == []
    assert phone.post("/games/1/board", data={"version": "1", "edition": "10x10"}).status_code == 403
