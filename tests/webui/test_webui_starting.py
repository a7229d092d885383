"""Games begin: the form, its mistakes, and a photograph to start from; they survive a restart."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from guestkit import guest
from webkit import (
    EXAMPLE,
    FORM,
    Lobby,
    OpenPage,
    ScriptedReader,
    doubt,
    empty_position,
    jpeg,
    read_error,
    start_game,
    sure,
    text,
    upload,
)

from engine import Game, HouseRules, parse_square
from engine.rules.house_rules import HOUSE_RULES
from webui.access.sessions import Role
from webui.ports import PositionReading
from webui.services import Services
from webui.storage.database import PhotoRow, utc_now
from webui.table.games import OneTimeForms


def test_an_edition_that_is_not_wholly_refereed_is_offered_with_a_note(client: FlaskClient) -> None:
    page = client.get("/new").get_data(as_text=True)
    assert "121 tiles. Rules not confirmed.</span>" in page


def test_a_new_game_is_set_up_and_becomes_the_page_one_comes_to(client: FlaskClient) -> None:
    assert client.get("/").location == "/new"
    response = client.post("/games", data=FORM)
    assert (response.status_code, response.location) == (303, "/games/1")
    assert client.get("/").location == "/games/1"
    page = text(client.get("/games/1"))
    assert "Red" in page
    assert "to play" in page
    assert "No turn yet" in page


def test_a_house_rule_stands_beside_its_exceptions(client: FlaskClient) -> None:
    page = text(client.get("/new"))
    names = re.findall(r'name="rule-(\w+)"', page)
    assert sorted(names) == sorted(rule.name for rule in HOUSE_RULES)
    assert names[:5] == [
        "plural_rule",
        "lone_s_with_crossing_word",
        "stacked_s",
        "verb_s_plural",
        "several_tiles_ending_in_s",
    ]
    assert names.index("solo_leftover_penalty") == names.index("leftover_penalty") + 1


def test_house_rules_come_from_the_form(client: FlaskClient, services: Services) -> None:
    form = {**FORM, "rules": "1", "rule-passing_rounds": "3", "rule-leftover_penalty": "1", "rule-stacked_s": "on"}
    client.post("/games", data=form)
    rules = services.games.open(1).game.setup.rules
    assert (rules.passing_rounds, rules.leftover_penalty, rules.stacked_s) == (3, 1, True)
    assert not rules.plural_rule


def test_a_table_says_at_the_beginning_whether_it_photographs_every_turn_or_every_round(lobby: Lobby) -> None:
    lobby.reader.say([sure(EXAMPLE[0])] * 2)
    lobby.client.post("/games", data=FORM)
    lobby.client.post("/games", data={**FORM, "photographed": "round"})
    for number in (1, 2):
        lobby.upload(f"/games/{number}/photo", jpeg())
    assert [query.settings.plays_between for query in lobby.reader.queries] == [1, 2]
    shown = r'value="(\w+)" checked><span>After every'
    assert re.findall(shown, text(lobby.client.get("/new"))) == ["turn"]
    assert re.findall(shown, text(lobby.client.get("/new?like=2"))) == ["round"]


def test_when_a_table_photographs_can_be_changed_later(client: FlaskClient, services: Services) -> None:
    client.post("/games", data={**FORM, "player2": "Green"})
    before = services.games.open(1).row.version
    assert client.post("/games/1/photographed", data={"photographed": "round"}).status_code == 303
    assert 'value="round" checked' in text(client.get("/games/1/keep"))
    open_game = services.games.open(1)
    assert open_game.row.version == before
    assert services.intake.query(open_game).settings.plays_between == 3
    client.post("/games/1/photographed", data={"photographed": "turn"})
    assert services.intake.query(services.games.open(1)).settings.plays_between == 1
    assert client.post("/games/1/photographed", data={"photographed": "never"}).status_code == 400


FOUR = {"player2": "Green", "player3": "Grey"}
NO_ROUND = "One photo can show up to three turns: with four players, photograph after every turn."


def test_four_players_photograph_after_every_turn(client: FlaskClient, services: Services) -> None:
    response = client.post("/games", data={**FORM, **FOUR, "photographed": "round"})
    assert response.status_code == 400
    assert NO_ROUND in read_error(response)
    client.post("/games", data={**FORM, **FOUR})
    assert 'name="photographed"' not in text(client.get("/games/1/keep"))
    response = client.post("/games/1/photographed", data={"photographed": "round"})
    assert response.status_code == 400
    assert NO_ROUND in read_error(response)
    assert not services.games.open(1).row.every_round


def test_an_earlier_game_of_four_that_photographed_every_round_counts_as_every_turn(lobby: Lobby) -> None:
    lobby.client.post("/games", data={**FORM, **FOUR})
    lobby.services.store.set(1, "every_round", True)
    lobby.reader.say([sure(EXAMPLE[0])])
    lobby.upload("/games/1/photo", jpeg())
    assert [query.settings.plays_between for query in lobby.reader.queries] == [1]
    open_game = lobby.services.games.open(1)
    assert len(open_game.game.turns) == 1
    assert open_game.question is None, "a turn isn't a round with passes"
    assert re.findall(r'value="(\w+)" checked><span>After every', text(lobby.client.get("/new?like=1"))) == ["turn"]


def test_the_form_begins_with_the_board_of_the_last_game_that_people_played(lobby: Lobby) -> None:
    def list_chosen(query: str = "") -> list[str]:
        return re.findall(r'name="edition" value="(\w+)" checked', text(lobby.client.get(f"/new{query}")))

    assert list_chosen() == ["8x8"]
    start_game(lobby.services, edition="11x11")
    start_game(lobby.services, edition="10x10")
    start_game(lobby.services, demo=True)
    assert list_chosen() == ["10x10"]
    assert list_chosen("?like=1") == ["11x11"]
    lobby.services.games.change(lobby.services.games.open(1), Game.pass_turn)
    assert list_chosen() == ["11x11"]


def test_the_form_starts_from_the_rules_given_to_serve(open_page: OpenPage) -> None:
    app = open_page(rules=HouseRules(passing_rounds=4, plural_rule=False))
    page = text(app.test_client().get("/new"))
    assert re.search(r'name="rule-passing_rounds"[^>]*value="4"', page)
    assert not re.search(r'name="rule-plural_rule"[^>]*checked', page)
    assert re.search(r'name="rule-stacked_s"[^>]*checked', page)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"player0": "", "player1": ""}, "Who plays?"),
        ({"player1": "Red"}, "two players have the same name"),
        ({"edition": "9x9"}, "Which board is it?"),
        ({"lexicon": "/etc/passwd"}, "Which word list"),
        ({"photographed": "never"}, "When do you photograph?"),
        ({"rules": "1", "rule-passing_rounds": "-1", "rule-leftover_penalty": "5"}, "give a whole number"),
        ({"rules": "1", "rule-passing_rounds": "90", "rule-leftover_penalty": "5"}, "from 1 to 9"),
    ],
)
def test_a_set_up_that_cannot_be_keeps_what_was_typed(lobby: Lobby, changes: dict[str, str], line: str) -> None:
    response = lobby.client.post("/games", data={**FORM, **changes})
    assert response.status_code == 400
    assert line in read_error(response)
    assert f'value="{ {**FORM, **changes}["player1"] }"' in text(response)
    assert lobby.services.store.games() == ()


def test_a_game_starts_from_a_photograph_once_it_was_looked_over(lobby: Lobby) -> None:
    squares = [[("", 0)] * 8 for _ in range(8)]
    squares[3][3] = ("W", 2)
    doubtful = (parse_square("d4"),)
    lobby.reader.position = PositionReading(tuple(map(tuple, squares)), doubtful)
    page = text(lobby.upload("/games", jpeg(), **FORM))
    assert lobby.services.store.games() == ()
    assert "data-doubt" in page
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)"(?: id="seen")? value="([^"]*)"', page))
    form = {name: value.replace("&#34;", '"') for name, value in hidden.items()}
    assert lobby.client.post("/games", data=form).location == "/games/1"
    open_game = lobby.services.games.open(1)
    assert open_game.game.setup.start.top(parse_square("d4")) == "W"
    assert open_game.game.setup.start.height(parse_square("d4")) == 2
    assert lobby.services.photos(open_game)[0].key == form["photo_key"]


def look_over(client: FlaskClient, reader: ScriptedReader, **fields: str) -> dict[str, str]:
    """Return what the page sends for a board with a W on d4 if nobody corrects it."""
    squares = [[("", 0)] * 8 for _ in range(8)]
    squares[3][3] = ("W", 2)
    reader.position = PositionReading(tuple(map(tuple, squares)))
    page = text(upload(client, "/games", jpeg(), **{**FORM, **fields}))
    sent = dict(re.findall(r'<input type="hidden" name="([^"]+)"(?: id="seen")? value="([^"]*)"', page))
    sent |= dict(re.findall(r'name="(score\d)" [^>]*value="([^"]*)"', page))
    return {name: value.replace("&#34;", '"') for name, value in sent.items()}


def test_a_game_that_is_under_way_brings_its_points_and_who_is_next(lobby: Lobby) -> None:
    form = look_over(lobby.client, lobby.reader)
    assert (form["score0"], form["score1"]) == ("0", "0")
    lobby.client.post("/games", data={**form, "score0": "34", "score1": " 27 ", "first": "1"})
    game = lobby.services.games.open(1).game
    assert game.totals == {"Red": 34, "Blue": 27}
    assert game.current_player == "Blue"
    page = text(lobby.client.get("/games/1"))
    assert page.count("at the start") == 2
    assert "Red 34, Blue 27" in text(lobby.client.get("/games"))


def test_a_board_that_was_looked_over_begins_one_game(lobby: Lobby) -> None:
    form = look_over(lobby.client, lobby.reader)
    assert lobby.client.post("/games", data=form).location == "/games/1"
    again = lobby.client.post("/games", data={**form, "score0": "12"})
    assert (again.status_code, again.location) == (303, "/games/1")
    lobby.services.one_time_forms = OneTimeForms(lobby.services.store)  # as after a restart
    assert lobby.client.post("/games", data=form).location == "/games/1"
    assert len(lobby.services.store.games()) == 1


def test_a_photograph_of_a_turn_begins_no_game(lobby: Lobby) -> None:
    form = look_over(lobby.client, lobby.reader)
    lobby.client.post("/games", data=FORM)
    lobby.services.store.add_photo(PhotoRow(form["photo_key"], 1, utc_now(), "upload", 0, "a turn"))
    answer = lobby.client.post("/games", data=form)
    assert answer.status_code == 400
    assert "Take a new one" in read_error(answer)
    assert len(lobby.services.store.games()) == 1


def test_a_form_that_is_sent_twice_begins_one_game(client: FlaskClient, services: Services) -> None:
    form = {**FORM, "once": once_of(client)}
    with ThreadPoolExecutor(4) as taps:
        answers = list(taps.map(lambda _: client.application.test_client().post("/games", data=form), range(4)))
    assert {answer.location for answer in answers} == {"/games/1"}
    assert len(services.store.games()) == 1
    assert client.post("/games", data={**form, "player1": "Green"}).location == "/games/2"
    assert client.post("/games", data={**FORM, "once": once_of(client)}).location == "/games/3"
    services.store.delete_game(1)
    assert client.post("/games", data=form).location == "/games/4"
    assert guest(client.application, Role.SCORER).post("/games", data=form).location == "/games/5"


def once_of(client: FlaskClient) -> str:
    """Return the key that identifies the form on the page among all that were handed out."""
    found = re.search(r'name="once" value="([^"]+)"', text(client.get("/new")))
    assert found
    return found[1]


def test_points_that_are_not_given_are_none(lobby: Lobby) -> None:
    form = look_over(lobby.client, lobby.reader)
    lobby.client.post("/games", data={**form, "score0": "", "score1": ""})
    game = lobby.services.games.open(1).game
    assert (game.totals, game.current_player) == ({"Red": 0, "Blue": 0}, "Red")
    assert "at the start" not in text(lobby.client.get("/games/1"))


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"score1": "-3"}, "Points so far, Blue: give a whole number from 0 to 9999."),
        ({"score0": "many"}, "Points so far, Red: give a whole number from 0 to 9999."),
        ({"score0": "10000"}, "Points so far, Red: give a whole number from 0 to 9999."),
        ({"score0": "²"}, "Points so far, Red: give a whole number from 0 to 9999."),
        ({"first": "2"}, "Who is next? Choose one of Red, Blue."),
        ({"first": "Red"}, "Who is next? Choose one of Red, Blue."),
    ],
)
def test_what_is_wrong_with_how_a_game_stands_is_asked_for_again(
    lobby: Lobby, changes: dict[str, str], line: str
) -> None:
    form = {**look_over(lobby.client, lobby.reader), "score0": "12", "first": "1", **changes}
    response = lobby.client.post("/games", data=form)
    assert response.status_code == 400
    assert read_error(response) == line
    page = text(response)
    assert f'name="score0" min="0" max="9999" value="{form["score0"]}"' in page
    assert form["position"].replace('"', "&#34;") in page
    assert ('<option value="1" selected>Blue' in page) == (form["first"] == "1")
    assert lobby.services.store.games() == ()


def test_a_solo_player_is_not_asked_who_is_next(lobby: Lobby) -> None:
    form = look_over(lobby.client, lobby.reader, player1="")
    assert "score1" not in form
    page = text(lobby.upload("/games", jpeg(), **{**FORM, "player1": ""}))
    assert "Who is next?" not in page
    lobby.client.post("/games", data={**form, "score0": "50"})
    assert lobby.services.games.open(1).game.totals == {"Red": 50}


def test_players_who_cannot_be_are_told_before_the_board_is_looked_over(client: FlaskClient) -> None:
    response = upload(client, "/games", jpeg(), **{**FORM, "player1": "Red"})
    assert "two players have the same name" in read_error(response)


@pytest.mark.parametrize("doubt", [True, False])
def test_a_border_that_could_not_be_made_out_is_told(client: FlaskClient, reader: ScriptedReader, doubt: bool) -> None:
    reader.position = replace(empty_position(), border_in_doubt=doubt)
    page = text(upload(client, "/games", jpeg(), **FORM))
    assert ("The edge of the board isn&rsquo;t clear" in page) == doubt


def test_what_is_out_of_the_start_photograph_is_told(client: FlaskClient, reader: ScriptedReader) -> None:
    told = "Row 1 of the board is beyond the left edge of the picture."
    reader.position = replace(empty_position(), notice=told)
    assert told in text(upload(client, "/games", jpeg(), **FORM))


def test_a_start_photograph_without_a_board_says_so(client: FlaskClient, reader: ScriptedReader) -> None:
    reader.position = None
    response = upload(client, "/games", jpeg(), **FORM)
    assert response.status_code == 400
    assert "No board was found" in read_error(response)


def test_games_survive_a_restart(lobby: Lobby, open_page: OpenPage) -> None:
    lobby.client.post("/games", data=FORM)
    lobby.reader.say([sure(EXAMPLE[0]), doubt(EXAMPLE[1])])
    lobby.upload("/games/1/photo", jpeg(120))
    lobby.upload("/games/1/photo", jpeg(130))
    before = text(lobby.client.get("/games/1"))
    lobby.services.close()
    assert text(open_page().test_client().get("/games/1")) == before
    assert "Is this what was played?" in before


def test_a_game_that_cannot_be_replayed_says_so(client: FlaskClient, services: Services) -> None:
    row = services.store.add_game(title="x", summary="", log="{}", lexicon="standard", demo=False)
    response = client.get(f"/games/{row.id}")
    assert response.status_code == 400
    assert "This game cannot be opened: this is not a saved game" in read_error(response)
    assert client.get("/games").status_code == 200
