"""The interface for programs: games played through it, what it tells, what it refuses."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from webkit import (
    EXAMPLE,
    EXAMPLE_POINTS,
    OpenPage,
    ScriptedReader,
    Site,
    config,
    doubt,
    jpeg,
    make_finding,
    really,
    sure,
    upload,
)

from engine import HouseRules, parse_play, parse_square
from vision import Belief, Finding
from vision.images import Image
from webui.app import create_app, services_of
from webui.decoder import Decoder
from webui.errors import Busy
from webui.ports import TurnQuery
from webui.services import Services
from webui.table.games import OpenGame

ROOT = "/api/v1"
GAME = f"{ROOT}/games/1"
HEIGHTS = itertools.count(101)
"""Of photographs, px, so that no two are the same."""
NEW = {"edition": "8x8", "players": ["Red", "Blue"]}


def post(client: FlaskClient, path: str, body: object, status: int = 200) -> Any:
    """Send JSON and return the answer."""
    response = client.post(f"{ROOT}{path}", data=json.dumps(body))
    assert response.status_code == status, response.get_data(as_text=True)
    assert response.mimetype == "application/json"
    return response.get_json()


def photograph(client: FlaskClient, data: bytes | None = None) -> Any:
    """Send a photograph, a different one each time unless its bytes are given. Return the answer."""
    response = upload(client, f"{GAME}/photos", jpeg(next(HEIGHTS)) if data is None else data)
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


def state(client: FlaskClient) -> Any:
    return client.get(GAME).get_json()


def turn(client: FlaskClient, **fields: object) -> Any:
    """Enter a turn by hand for the newest version, and return the answer."""
    return post(client, "/games/1/turns", {"version": state(client)["version"], **fields})


# A whole game


def test_the_sheets_example_is_played_through_photographs(client: FlaskClient, reader: ScriptedReader) -> None:
    begun = post(client, "/games", NEW, 201)
    assert begun["totals"] == {"Red": 0, "Blue": 0}
    assert begun["stacks"] == [[[]] * 8] * 8
    reader.say(map(sure, EXAMPLE))
    for _ in EXAMPLE:
        told = photograph(client)
        assert told["question"] is None
    assert [record["points"] for record in told["turns"]] == list(EXAMPLE_POINTS)
    assert told["totals"] == {"Red": 46, "Blue": 27}
    assert told["stacks"][3][1] == ["M", "W"]
    assert told["turns"][2] == {
        "player": "Red",
        "kind": "play",
        "tiles": "N@d5 T@f5",
        "words": [{"word": "NET", "points": 6}, {"word": "ON", "points": 4}],
        "points": 10,
    }
    assert (told["id"], told["edition"], told["to_play"], told["ended"]) == (1, "8x8", "Blue", None)
    assert told == state(client)


def test_turns_of_every_kind_by_hand(site: Site) -> None:
    turn(site.client, kind="play", tiles=EXAMPLE[0])
    challenged = turn(site.client, kind="challenge", upheld=False, by="Blue")
    assert challenged["totals"] == {"Red": 8, "Blue": 0}
    turn(site.client, kind="play", tiles="Z@e5 Z@e6")
    taken_off = turn(site.client, kind="challenge", upheld=True)
    assert taken_off["turns"][1]["taken_back"] is True
    assert (taken_off["turns"][1]["points"], taken_off["to_play"]) == (0, "Blue")
    assert "taken_back" not in taken_off["turns"][0]
    turn(site.client, kind="pass")
    told = turn(site.client, kind="exchange")
    assert [record["kind"] for record in told["turns"]] == ["play", "play", "pass", "exchange"]
    over = turn(site.client, kind="end", racks={"Blue": 1, "Red": 0})
    assert over["to_play"] is None
    assert over["totals"] == {"Red": 8, "Blue": -5}
    assert over["ended"] == {
        "reason": "agreed",
        "left": {"Red": 0, "Blue": 1},
        "penalties": {"Red": 0, "Blue": -5},
        "winners": ["Red"],
    }
    undone = post(site.client, "/games/1/undo", {"version": over["version"]})
    assert (undone["ended"], undone["to_play"], undone["version"]) == (None, "Blue", over["version"] + 1)


def test_the_end_is_what_has_come_about_unless_it_is_told(site: Site) -> None:
    turn(site.client, kind="pass")
    passed = turn(site.client, kind="pass")
    assert (passed["ended"], passed["to_play"]) == (None, "Red"), "the tiles left are to be told first"
    told = turn(site.client, kind="end")
    assert told["ended"]["reason"] == "passes"
    assert told["ended"]["left"] == {"Red": 7, "Blue": 7}
    post(site.client, "/games/1/undo", {"version": told["version"]})
    assert turn(site.client, kind="end", reason="stuck")["ended"]["reason"] == "stuck"


def test_a_word_that_is_in_no_list_is_entered_and_scores(site: Site) -> None:
    told = turn(site.client, kind="play", tiles="X@d4 X@e4")
    assert told["totals"]["Red"] == 4
    assert told["turns"][0]["words"] == [{"word": "XX", "points": 4}]


def test_a_play_that_breaks_a_rule_of_placing_is_entered_when_the_table_insists(site: Site) -> None:
    turn(site.client, kind="play", tiles=EXAMPLE[0])
    apart = {"version": state(site.client)["version"], "kind": "play", "tiles": "A@a8 X@b8 E@c8"}
    said = post(site.client, "/games/1/turns", apart, 400)["error"]
    assert said.startswith("Rule 4, connected: ")
    assert '"insist": true' in said
    assert len(state(site.client)["turns"]) == 1
    told = turn(site.client, kind="play", tiles="A@a8 X@b8 E@c8", insist=True)
    assert told["totals"]["Blue"] == 6
    again = post(site.client, "/games", {**NEW, "position": {"edition": "8x8", "stacks": told["stacks"]}}, 201)
    assert again["stacks"] == told["stacks"]
    page = site.client.get(f"/games/{again['id']}").get_data(as_text=True)
    assert "a8, b8 and c8 are not joined to the other tiles (Rule 4)" in page
    assert turn(site.client, kind="play", tiles="D@d8")["turns"][-1]["words"] == [{"word": "AXED", "points": 8}]


# Questions


def test_each_choice_is_the_sheet_that_its_answer_leaves(site: Site) -> None:
    site.reader.say([doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", "M@b4 O@c4 O@d4", question=parse_square("e4"))])
    asked = photograph(site.client)
    question = asked["question"]
    assert (question["kind"], question["square"]) == ("play", "e4")
    assert question["text"] == "Is this D, B or nothing at e4?"
    assert [choice["text"] for choice in question["choices"]] == ["MOOD: 8 points", "MOOB: 8 points", "MOO: 6 points"]
    assert (asked["stacks"], asked["totals"]) == ([[[]] * 8] * 8, {"Red": 0, "Blue": 0})
    for number, choice in enumerate(question["choices"]):
        told = post(site.client, "/games/1/answer", {"version": state(site.client)["version"], "choice": number})
        assert (told["stacks"], told["totals"], told["question"]) == (choice["stacks"], choice["totals"], None)
        post(site.client, "/games/1/undo", {"version": told["version"]})
        site.reader.say([doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", "M@b4 O@c4 O@d4", question=parse_square("e4"))])
        photograph(site.client)


def test_why_it_asks_is_told_where_no_square_tells_it(site: Site) -> None:
    site.reader.say([doubt(EXAMPLE[0])])
    assert photograph(site.client)["question"]["text"] == "Is this what was played? It is not certain."


def test_tiles_taken_back_and_a_pass_are_answered_by_number(site: Site) -> None:
    site.reader.say([sure(EXAMPLE[0]), make_finding("removed"), make_finding("none")])
    photograph(site.client)
    asked = photograph(site.client)
    (choice,) = asked["question"]["choices"]
    assert (asked["question"]["kind"], choice["totals"]) == ("removed", {"Red": 0, "Blue": 0})
    told = post(site.client, "/games/1/answer", {"version": asked["version"], "choice": 0})
    assert (told["turns"][0]["taken_back"], told["stacks"]) == (True, choice["stacks"])
    asked = photograph(site.client)
    (choice,) = asked["question"]["choices"]
    assert (asked["question"]["kind"], choice["text"]) == ("none", "It was a pass")
    told = post(site.client, "/games/1/answer", {"version": asked["version"], "choice": 0})
    assert [record["kind"] for record in told["turns"]] == ["play", "pass"]
    assert sorted(site.services.photos(site.now())) == [1, 2]


def test_a_question_is_put_aside_or_cannot_be_answered(site: Site) -> None:
    site.reader.say([make_finding("unclear", "A hand lies over the board.")])
    asked = photograph(site.client)
    expected: Any = {"kind": "unclear", "text": "A hand lies over the board.", "square": None, "choices": []}
    assert asked["question"] == expected
    refused = post(site.client, "/games/1/answer", {"version": asked["version"], "choice": 0}, 400)
    assert "isn't one of the answers" in refused["error"]
    told = post(site.client, "/games/1/answer", {"version": asked["version"], "dismiss": True})
    assert (told["question"], told["turns"]) == (None, [])
    late = post(site.client, "/games/1/answer", {"version": told["version"], "choice": 0}, 409)
    assert "already been answered" in late["error"]


def test_a_program_enters_each_of_two_turns_itself(site: Site) -> None:
    """The page reads the photograph again for the second turn; a program says what it was."""
    site.reader.say([really(*EXAMPLE[:2], replaces=0), sure(EXAMPLE[1])])
    told = photograph(site.client)
    assert len(told["question"]["choices"]) > 0
    for turns, tiles in enumerate(EXAMPLE[:2], 1):
        told = post(site.client, "/games/1/turns", {"version": told["version"], "kind": "play", "tiles": tiles})
        assert (told["question"], len(told["turns"])) == (None, turns)


def test_tiles_said_to_be_taken_back_that_no_longer_can_be_make_no_choice(site: Site) -> None:
    site.reader.say([make_finding("removed")])
    question = photograph(site.client)["question"]
    assert (question["kind"], question["choices"]) == ("unclear", [])
    assert "doesn't fit the scoresheet" in question["text"]


def test_what_an_unclear_photograph_may_show_is_answered_by_number(site: Site) -> None:
    site.reader.say([make_finding("unclear", "A hand lies over the board.", EXAMPLE[0], "M@b4 O@c4")])
    asked = photograph(site.client)
    assert [choice["totals"]["Red"] for choice in asked["question"]["choices"]] == [8, 4]
    told = post(site.client, "/games/1/answer", {"version": asked["version"], "choice": 0})
    assert (told["totals"], told["question"]) == ({"Red": 8, "Blue": 0}, None)


def test_of_two_who_answer_at_once_the_second_is_told_so_and_changes_nothing(site: Site) -> None:
    site.reader.say([doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4"))])
    asked = photograph(site.client)
    told = post(site.client, "/games/1/answer", {"version": asked["version"], "choice": 1})
    for late in ({"choice": 0}, {"dismiss": True}):
        refused = post(site.client, "/games/1/answer", {"version": asked["version"], **late}, 409)
        assert "already been answered" in refused["error"]
    assert state(site.client) == told


@pytest.mark.parametrize("kind", ["play", "pass", "exchange", "end"])
def test_a_turn_by_hand_settles_the_question(site: Site, kind: str) -> None:
    site.reader.say([doubt(EXAMPLE[0])])
    photograph(site.client)
    told = turn(site.client, kind=kind, tiles=EXAMPLE[0])
    assert told["question"] is None
    assert len(told["turns"]) == (kind != "end")
    assert len(site.services.photos(site.now())) == (kind == "play")


# Photographs


def test_the_same_photograph_sent_twice_is_taken_once(site: Site) -> None:
    site.reader.say([sure(EXAMPLE[0]), doubt(EXAMPLE[1]), make_finding("none")])
    one, two = jpeg(120), jpeg(130)
    told = photograph(site.client, one)
    assert photograph(site.client, one) == told
    asked = photograph(site.client, two)
    assert photograph(site.client, two) == asked
    assert site.upload("/games/1/photo", two).status_code == 303
    assert state(site.client) == asked
    answered = post(site.client, "/games/1/answer", {"version": asked["version"], "choice": 0})
    assert photograph(site.client, two)["version"] == answered["version"] + 1, "decided in between: looked at anew"
    assert site.reader.script == []


def test_an_undo_settles_a_question_that_waits(site: Site) -> None:
    turn(site.client, kind="play", tiles=EXAMPLE[0])
    site.reader.say([doubt(EXAMPLE[1])])
    told = photograph(site.client)
    assert told["question"] is not None
    undone = post(site.client, "/games/1/undo", {"version": told["version"]})
    assert (undone["question"], undone["turns"]) == (None, [])


def test_a_photograph_is_looked_at_anew_once_its_turn_was_undone(site: Site) -> None:
    site.reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[0])])
    told = photograph(site.client, jpeg())
    post(site.client, "/games/1/undo", {"version": told["version"]})
    assert len(photograph(site.client, jpeg())["turns"]) == 1
    assert site.reader.script == []


def test_a_photograph_that_was_not_taken_can_be_sent_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:

        def interrupt(image: Image, query: TurnQuery) -> tuple[Belief, Finding]:
            site.services.games.change(site.now(), lambda before: before.pass_turn())
            return query.belief, sure(EXAMPLE[0])

        patched.setattr(site.reader, "read_turn", interrupt)
        response = site.upload(f"{GAME}/photos", jpeg())
        assert response.status_code == 409
    site.reader.say([sure(EXAMPLE[0])])
    assert [record["kind"] for record in photograph(site.client, jpeg())["turns"]] == ["pass", "play"]


@pytest.mark.parametrize(
    ("data", "line"), [(b"", "empty"), (b"no picture", "not a picture"), (jpeg()[:900], "damaged or cut off")]
)
def test_a_bad_photograph_changes_nothing(site: Site, data: bytes, line: str) -> None:
    response = site.upload(f"{GAME}/photos", data)
    assert response.status_code == 400
    assert line in response.get_json()["error"]
    assert state(site.client)["version"] == 1


def test_a_photograph_that_has_to_wait_for_others_is_told_so(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> None:
        raise Busy("Other photos are being read. Send this one again in a moment.")

    monkeypatch.setattr(Decoder, "decode", busy)
    response = site.upload(f"{GAME}/photos", jpeg())
    assert response.status_code == 429
    assert "in a moment" in response.get_json()["error"]


def test_without_a_photograph(site: Site) -> None:
    response = site.client.post(f"{GAME}/photos", data={"photo": "no file"})
    assert response.status_code == 400
    assert 'the file "photo"' in response.get_json()["error"]


def test_a_photograph_past_the_limit_is_refused(open_page: OpenPage) -> None:
    client = open_page(max_upload_bytes=1 << 20).test_client()
    post(client, "/games", NEW, 201)
    for path, most in (("photos", "at most 1 MB"), ("turns", "at most 500 kB")):
        response = client.post(f"{GAME}/{path}", data=b"x" * (1 << 21), content_type="multipart/form-data; boundary=x")
        assert response.status_code == 413
        assert most in response.get_json()["error"]


# Games


def test_games_are_listed_the_newest_first_as_they_stand(site: Site) -> None:
    post(site.client, "/games", {"edition": "8x8", "players": ["Ada"]}, 201)
    assert site.client.get(f"{ROOT}/games").get_json()[0]["totals"] == {"Ada": 0}
    turn(site.client, kind="play", tiles=EXAMPLE[0])
    assert [(each["id"], each["totals"]) for each in site.client.get(f"{ROOT}/games").get_json()] == [
        (2, {"Ada": 0}),
        (1, {"Red": 8, "Blue": 0}),
    ]


def test_games_are_listed_even_where_one_cannot_be_opened(site: Site) -> None:
    post(site.client, "/games", {"edition": "10x10", "players": [" Ada "]}, 201)
    site.services.store.save_game(replace(site.services.store.game(1), log="{}"))
    assert site.client.get(f"{ROOT}/games").get_json() == [
        {"id": 2, "title": "Ada", "edition": "10x10", "totals": {"Ada": 0}, "ended": False},
        {"id": 1, "title": "Red - Blue", "edition": None, "totals": None, "ended": False},
    ]
    assert "cannot be opened" in site.client.get(GAME).get_json()["error"]


def test_a_game_with_its_own_list_rules_and_board(open_page: OpenPage) -> None:
    app = open_page(rules=HouseRules(leftover_penalty=3))
    client = app.test_client()
    stacks: list[list[list[str]]] = [[[] for _ in range(8)] for _ in range(8)]
    stacks[3][1:5] = [["M", "w"], ["o"], ["O"], ["D"]]
    position = {"edition": "8x8", "stacks": stacks}
    body = {**NEW, "lexicon": "tiny", "rules": {"passing_rounds": 2}, "position": position}
    body["photographed"] = "round"
    response = client.post(f"{ROOT}/games", data=json.dumps(body))
    assert (response.status_code, response.headers["Location"]) == (201, GAME)
    assert response.get_json()["stacks"][3][1:3] == [["M", "W"], ["O"]]
    open_game = services_of(app).games.open(1)
    assert open_game.row.lexicon == "tiny"
    assert open_game.row.every_round
    assert open_game.game.setup.rules == HouseRules(leftover_penalty=3, passing_rounds=2)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({"players": ["Red"]}, "Which board"),
        ({"edition": "9x9", "players": ["Red"]}, "Which board"),
        ({"edition": ["8x8"], "players": ["Red"]}, "Which board"),
        ({"edition": "8x8"}, '"players" must be a list'),
        ({"edition": "8x8", "players": []}, "0 players"),
        ({"edition": "8x8", "players": ["A", "B", "C", "D", "E"]}, "5 players"),
        ({"edition": "8x8", "players": [1]}, "a player must be a text"),
        ({"edition": "8x8", "players": ["A", " "]}, "a player's name"),
        ({"edition": "8x8", "players": ["A", "A"]}, "the same name"),
        ({**NEW, "lexicon": "none"}, "standard, tiny"),
        ({**NEW, "lexicon": {}}, "standard, tiny"),
        ({**NEW, "photographed": "never"}, "When do you photograph?"),
        (
            {**NEW, "players": ["A", "B", "C", "D"], "photographed": "round"},
            "One photo can show up to three turns: with four players, photograph after every turn.",
        ),
        ({**NEW, "photographed": ["round"]}, "When do you photograph?"),
        ({**NEW, "rules": []}, '"rules" must be an object'),
        ({**NEW, "rules": {"plurals": True}}, "no 'plurals'"),
        ({**NEW, "rules": {"passing_rounds": 0}}, "passing_rounds"),
        ({**NEW, "position": {"edition": "10x10", "stacks": [[[]] * 10] * 10}}, "send one edition"),
        ({**NEW, "position": {"edition": "8x8", "stacks": [[[]] * 8] * 7}}, "7 rows"),
        ({**NEW, "position": None}, "the position must be an object"),
        ({**NEW, "colour": "blue"}, "no 'colour'"),
        ([], "must be an object"),
    ],
)
def test_a_game_that_cannot_be(unchanged: FlaskClient, body: object, line: str) -> None:
    assert line in post(unchanged, "/games", body, 400)["error"]


# What is refused


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A game, passed once and then asked about: whatever is refused leaves it as it is, so that one serves all."""
    reader = ScriptedReader([doubt(EXAMPLE[0])])
    app = create_app(config(tmp_path_factory.mktemp("refusals"), reader))
    client = app.test_client()
    post(client, "/games", NEW, 201)
    turn(client, kind="pass")
    photograph(client)
    yield client
    services_of(app).close()


@pytest.fixture
def unchanged(table: FlaskClient) -> Iterator[FlaskClient]:
    """The same, looked at before and after."""
    before = state(table), table.get(f"{ROOT}/games").get_json()
    yield table
    assert (state(table), table.get(f"{ROOT}/games").get_json()) == before


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b'{"version": 1, "version": 1}', b"[" * 100_000, b"NaN", b'"x"'])
@pytest.mark.parametrize("path", ["/games", "/games/1/turns", "/games/1/answer", "/games/1/undo"])
def test_a_body_that_is_no_json_object(unchanged: FlaskClient, path: str, data: bytes) -> None:
    response = unchanged.post(f"{ROOT}{path}", data=data)
    assert response.status_code == 400
    (line,) = response.get_json()["error"].splitlines()
    assert "the body" in line or "The body" in line


@pytest.mark.parametrize("version", [None, "1", 1.0, True, [1]])
@pytest.mark.parametrize("path", ["turns", "answer", "undo"])
def test_a_call_that_does_not_say_its_version(unchanged: FlaskClient, path: str, version: object) -> None:
    body = {} if version is None else {"version": version}
    assert "Say which version" in post(unchanged, f"/games/1/{path}", body, 400)["error"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("turns", {"kind": "play", "tiles": EXAMPLE[0]}),
        ("turns", {"kind": "pass"}),
        ("turns", {"kind": "end", "racks": {"Red": 0, "Blue": 0}}),
        ("answer", {"choice": 0}),
        ("answer", {"choice": 7}),
        ("answer", {"dismiss": True}),
        ("undo", {}),
    ],
)
@pytest.mark.parametrize("version", [0, 2, 10**30])
def test_a_call_for_another_version_changes_nothing(unchanged: FlaskClient, path: str, body: Any, version: int) -> None:
    assert "just changed the game" in post(unchanged, f"/games/1/{path}", {"version": version, **body}, 409)["error"]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({}, "play, pass, exchange, challenge, end"),
        ({"kind": "swap"}, "play, pass, exchange, challenge, end"),
        ({"kind": ["pass"]}, "play, pass, exchange, challenge, end"),
        ({"kind": "play"}, "no tiles"),
        ({"kind": "play", "tiles": 4}, '"tiles" must be a text'),
        ({"kind": "play", "tiles": "M@z9"}, "not a square"),
        ({"kind": "play", "tiles": "M@i9"}, "not on this board"),
        ({"kind": "challenge"}, '"upheld" must be true or false'),
        ({"kind": "challenge", "upheld": True}, "no play to challenge"),
        ({"kind": "challenge", "upheld": True, "by": "Ada"}, "'Ada' does not play"),
        ({"kind": "challenge", "upheld": True, "by": 1}, '"by" must be a text'),
        ({"kind": "end", "racks": [3, 0]}, '"racks" must be an object'),
        ({"kind": "end", "racks": {"Red": 3}}, "How many tiles has Blue left?"),
        ({"kind": "end", "racks": {"Red": 3, "Blue": 0, "Ada": 1}}, "no 'Ada'"),
        ({"kind": "end", "racks": {"Red": 3, "Blue": "0"}}, '"racks" of Blue'),
        ({"kind": "end", "racks": {"Red": 8, "Blue": 0}}, "a rack holds 0 to 7"),
        ({"kind": "end", "reason": "bored"}, "'bored' isn't an end"),
        ({"kind": "end", "reason": "out"}, "nobody has used all tiles"),
        ({"kind": "end", "reason": "out", "racks": {"Red": 3, "Blue": 1}}, "nobody has used all tiles"),
        ({"kind": "end", "reason": 1}, '"reason" must be a text'),
        ({"kind": "pass", "titles": ""}, "no 'titles'"),
    ],
)
def test_a_turn_that_cannot_be(unchanged: FlaskClient, body: dict[str, object], line: str) -> None:
    version = state(unchanged)["version"]
    assert line in post(unchanged, "/games/1/turns", {"version": version, **body}, 400)["error"]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({}, "Which answer is meant?"),
        ({"dismiss": False}, "Which answer is meant?"),
        ({"dismiss": 1}, '"dismiss" must be true or false'),
        ({"dismiss": True, "choice": 0}, "not both"),
        ({"choice": "0"}, '"choice" must be a whole number'),
        ({"choice": -1}, '"choice" must be a whole number'),
        ({"choice": 1}, "isn't one of the answers"),
    ],
)
def test_an_answer_that_cannot_be(unchanged: FlaskClient, body: dict[str, object], line: str) -> None:
    version = state(unchanged)["version"]
    assert line in post(unchanged, "/games/1/answer", {"version": version, **body}, 400)["error"]


def test_what_the_game_does_not_allow(site: Site) -> None:
    assert "nothing to undo" in post(site.client, "/games/1/undo", {"version": 1}, 400)["error"]
    over = turn(site.client, kind="end")
    for kind in ("play", "pass", "end"):
        body = {"version": over["version"], "kind": kind, "tiles": EXAMPLE[0]}
        assert "the game is over" in post(site.client, "/games/1/turns", body, 400)["error"]
    response = site.upload(f"{GAME}/photos", jpeg())
    assert "The game has ended" in response.get_json()["error"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "", 404),
        ("GET", "/nowhere", 404),
        ("GET", "/games/", 404),
        ("GET", "/games/x", 404),
        ("GET", "/games/77", 404),
        ("GET", f"/games/{10**30}", 404),
        ("GET", "/games/77/events", 404),
        ("POST", "/games/77/photos", 404),
        ("POST", "/openapi.json", 405),
        ("GET", "/games/1/undo", 405),
        ("DELETE", "/games/1", 405),
    ],
)
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_what_is_not_there_is_said_in_json(
    unchanged: FlaskClient, method: str, path: str, status: int, accept: str
) -> None:
    response = unchanged.open(f"{ROOT}{path}", method=method, headers={"Accept": accept})
    assert (response.status_code, response.mimetype) == (status, "application/json")
    assert set(response.get_json()) == {"error"}


def test_another_sites_page_can_change_nothing(site: Site) -> None:
    body = json.dumps({"version": 1, "kind": "pass"})
    response = site.client.post(f"{GAME}/turns", data=body, headers={"Origin": "http://evil.example"})
    assert (response.status_code, response.mimetype) == (403, "application/json")
    assert state(site.client)["version"] == 1


# Events


@pytest.fixture
def listening(client: FlaskClient, game: OpenGame) -> Iterator[Any]:
    """Opens streams, gives what comes next from each, and closes them."""
    opened = []

    def listen(last: str | None = None) -> Iterator[bytes]:
        headers = {} if last is None else {"Last-Event-ID": last}
        response = client.get(f"{GAME}/events", headers=headers)
        assert response.mimetype == "text/event-stream"
        opened.append(response)
        chunks: Iterator[bytes] = response.iter_encoded()
        assert next(chunks) == b"retry: 2000\n\n"
        return chunks

    yield listen
    for response in opened:
        response.close()


def event(version: int) -> bytes:
    return f'id: {version}\ndata: {{"version": {version}}}\n\n'.encode()


def test_a_stream_tells_the_present_version_and_every_change(client: FlaskClient, listening: Any) -> None:
    stream = listening()
    assert next(stream) == event(1)
    turn(client, kind="pass")
    assert next(stream) == event(2)
    turn(client, kind="pass")
    turn(client, kind="pass")
    assert [next(stream), next(stream)] == [event(3), event(4)]


def test_a_stream_goes_on_where_it_was_left(client: FlaskClient, services: Services, listening: Any) -> None:
    for _ in range(3):
        turn(client, kind="pass")
    missed = listening("2")
    assert [next(missed), next(missed)] == [event(3), event(4)]
    services.announcer._heartbeat_s = 0.05
    nothing_missed = listening("4")
    assert next(nothing_missed).startswith(b":")
    services.announcer.announce_all()
    services.announcer._heartbeat_s = 15.0
    turn(client, kind="pass")
    assert next(nothing_missed) == event(5)


@pytest.mark.parametrize("last", ["", "x", "-1", "9", "9" * 30, "²"])
def test_a_stream_left_at_no_version_of_the_game_begins_with_the_present_one(
    client: FlaskClient, listening: Any, last: str
) -> None:
    turn(client, kind="pass")
    assert next(listening(last)) == event(2)


def test_a_stream_ends_with_its_game(app: Flask, services: Services, listening: Any) -> None:
    stream = listening()
    next(stream)
    services.store.delete_game(1)
    services.announcer.announce(1)
    assert list(stream) == []
    assert services_of(app).announcer.streams == 0


def test_what_the_page_and_a_program_do_is_one_game(site: Site) -> None:
    told = turn(site.client, kind="play", tiles=EXAMPLE[0])
    site.client.post("/games/1/pass", data={"version": told["version"]})
    assert [record["kind"] for record in state(site.client)["turns"]] == ["play", "pass"]
    assert site.now().game.turns[0].play == parse_play(EXAMPLE[0])
