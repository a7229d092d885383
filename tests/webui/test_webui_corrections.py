"""Turns put in, given to another player, undone and redone, and what the page says of it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from webkit import (
    BY_SCRIPT,
    EXAMPLE,
    Lobby,
    Site,
    after_plays,
    doubt,
    example,
    finding,
    read_error,
    start_game,
    submit,
    sure,
    text,
    version,
)

from engine import HouseRules, parse_play
from engine.game.events import TurnGiven
from vision import Finding
from webui.services import Services
from webui.table.games import OpenGame
from webui.views.sheet import changes_text, view_sheet

Send = Callable[..., dict[str, Any]]


@pytest.fixture
def table(services: Services, game: OpenGame) -> OpenGame:
    """The game after the first four plays of the example."""
    return after_plays(services, game, *EXAMPLE[:4])


@pytest.fixture
def send(client: FlaskClient, services: Services, table: OpenGame) -> Send:
    """Sends a form of the game as the page's script does, and gives the answer."""

    def fetch(what: str, **fields: str) -> dict[str, Any]:
        form = {"version": version(services, table), **fields}
        response = client.post(f"/games/1/{what}", data=form, headers=BY_SCRIPT)
        answer: dict[str, Any] = response.get_json()
        return answer

    return fetch


def buttons(client: FlaskClient, page: str = "/games/1") -> list[str]:
    """The buttons that undo and redo."""
    found = re.findall(r"<button>((?:Undo|Redo)[^<]*)</button>", text(client.get(page)))
    return [html.unescape(each) for each in found]


def players(services: Services) -> list[str]:
    return [turn.player for turn in services.games.open(1).game.turns]


def test_a_play_that_was_missed_is_put_in(client: FlaskClient, services: Services, send: Send) -> None:
    page = text(client.get("/games/1/turns/3/insert"))
    assert "<h1>Missed turn: what did Red play?</h1>" in page
    assert 'data-verdict="/games/1/verdict?place=3&amp;way=insert"' in page
    assert "e7: R" in page
    assert "d5: N" not in page
    tiles = "P@e7"
    answer = send("turns/3/insert?to=play", tiles=tiles, accept=tiles)
    game = services.games.open(1).game
    assert [turn.play for turn in game.turns] == [parse_play(each) for each in (*EXAMPLE[:2], tiles, *EXAMPLE[2:4])]
    assert players(services) == ["Red", "Blue", "Red", "Blue", "Red"]
    assert answer["to"] == "/games/1"
    moved = "Red's NET and ON (10) is Blue's now; Blue's WOOD (5) is Red's now."
    assert answer["message"] == f"Added DEAP for Red (5); {moved}"
    send("undo", version=str(answer["undo"]["version"]))
    assert players(services) == ["Red", "Blue", "Red", "Blue"]


@pytest.mark.parametrize(("what", "kind"), [("pass", "pass"), ("exchange", "exchange")])
def test_a_pass_or_an_exchange_that_was_missed_is_put_in(lobby: Lobby, send: Send, what: str, kind: str) -> None:
    page = text(lobby.client.get("/games/1/turns/1/insert"))
    assert f'action="/games/1/turns/1/insert?to={what}"' in page
    assert "never happened" not in page
    message = send(f"turns/1/insert?to={what}")["message"]
    assert [turn.kind for turn in lobby.services.games.open(1).game.turns] == [kind, *["play"] * 4]
    one = {"pass": "a pass", "exchange": "an exchange"}[what]
    assert message == (
        f"Added {one} for Red; from turn 2 on, four turns have another player. Red 18 → 13, Blue 13 → 18."
    )


@pytest.mark.parametrize(("tapped", "back"), [("", "/turns/2"), ("?square=e4", "")])
def test_leaving_a_correction_leads_to_where_it_was_opened(
    client: FlaskClient, table: OpenGame, tapped: str, back: str
) -> None:
    page = text(client.get(f"/games/1/turns/2/correct{tapped}"))
    assert f'<a class="button" href="/games/1{back}">Cancel</a>' in page


def test_the_referee_judges_what_was_missed_on_the_board_before(client: FlaskClient, table: OpenGame) -> None:
    def judge(place: int, tiles: str) -> dict[str, Any]:
        answer: dict[str, Any] = client.post(
            f"/games/1/verdict?place={place}&way=insert", data={"tiles": tiles}
        ).get_json()
        return answer

    assert judge(2, EXAMPLE[1])["told"] == "DEAR: 8 points"
    assert judge(1, EXAMPLE[0])["legal"]
    assert judge(1, EXAMPLE[1])["legal"]  # EAR is in no list, but nobody has asked about it
    assert not judge(2, EXAMPLE[0])["legal"]


def test_a_turn_before_an_upheld_challenge_is_corrected_on_the_board_it_is_judged_on(
    lobby: Lobby, table: OpenGame
) -> None:
    lobby.services.games.change(table, lambda game: game.pass_turn().challenge("Red", upheld=True))
    judged = lobby.client.post("/games/1/verdict?place=5", data={"tiles": "S@f4"}).get_json()
    assert judged["told"] == "WOODS 6 + ST 4 = 10 points"
    assert "b4: W, 2 high" in text(lobby.client.get("/games/1/turns/5/correct"))


def test_a_play_against_the_rules_is_put_in_once_that_was_seen(lobby: Lobby, table: OpenGame, send: Send) -> None:
    page = text(lobby.submit("turns/2/insert?to=play", tiles="X@h8"))
    assert "Add this turn anyway" in page
    assert "then send it again" in send("turns/2/insert?to=play", tiles="X@h8")["error"]
    assert len(players(lobby.services)) == 4
    send("turns/2/insert?to=play", tiles="X@h8", accept="X@h8")
    assert len(players(lobby.services)) == 5


@pytest.fixture
def joined(services: Services, game: OpenGame) -> OpenGame:
    """The example's game, of which nobody saw the second turn: its tiles were read into the third."""
    return after_plays(services, game, EXAMPLE[0], f"{EXAMPLE[1]} {EXAMPLE[2]}", *EXAMPLE[3:5])


def test_a_missed_turn_accuses_nobody(client: FlaskClient, services: Services, joined: OpenGame) -> None:
    answer = submit(client, "turns/2/insert?to=play", BY_SCRIPT, tiles=EXAMPLE[1])
    assert answer.get_json()["to"] == "/games/1"
    open_game = services.games.open(1)
    assert [turn.play for turn in open_game.game.turns] == [parse_play(tiles) for tiles in EXAMPLE[:5]]
    assert [turn.points for turn in open_game.game.turns] == [8, 8, 10, 5, 12]
    assert not any(turn.verdict and turn.verdict.violations for turn in open_game.game.turns)
    assert open_game.belief.to_lift is None
    assert buttons(client) == ["Undo the insertion of turn 2"]
    submit(client, "undo")
    assert services.games.open(1).game.totals == joined.game.totals


def test_a_letter_that_was_entered_twice_is_not_to_be_lifted(site: Site) -> None:
    open_game = site.after_plays("W@b4 O@c4 O@d4 D@e4", EXAMPLE[1], f"M@b4 {EXAMPLE[2]}")
    site.submit("turns/1/correct?to=play", tiles=EXAMPLE[0])
    open_game = site.now()
    assert [turn.play for turn in open_game.game.turns] == [parse_play(tiles) for tiles in EXAMPLE[:3]]
    assert open_game.belief.to_lift is None


def test_a_later_turn_that_cannot_stand_is_shown_and_saved_with_the_correction(lobby: Lobby, send: Send) -> None:
    answer = send("turns/3/insert?to=play", tiles="N@d5 T@f5 X@g5", accept="N@d5 T@f5 X@g5")
    assert len(players(lobby.services)) == 4
    page = text(lobby.client.get(answer["to"]))
    assert "<h1>Turn 4: what did Blue play?</h1>" in page
    assert "Your correction uses all the tiles of this turn. What did Blue play?" in page
    assert "Save both turns" in page
    action = html.unescape(re.findall(r'<form method="post" action="([^"]*)" data-live id="other-1"', page)[0])
    verdict = html.unescape(re.findall(r'data-verdict="([^"]*)"', page)[0])
    judged = lobby.client.post(verdict, data={"tiles": "L@e4 P@e7"}).get_json()
    assert judged["told"].endswith("11 points")
    assert judged["legal"]
    assert send(action.removeprefix("/games/1/"))["to"] == "/games/1"
    game = lobby.services.games.open(1).game
    assert [turn.kind for turn in game.turns] == ["play", "play", "play", "pass", "play"]
    assert buttons(lobby.client) == ["Undo the insertion of turn 3"]
    send("undo")
    assert players(lobby.services) == ["Red", "Blue", "Red", "Blue"]


def test_a_later_turn_against_the_rules_may_stand_all_the_same(lobby: Lobby, send: Send) -> None:
    to = send("turns/2/correct?to=pass")["to"]
    page = text(lobby.client.get(to))
    assert "With your correction this turn no longer fits. What did Red play?" in page
    assert "Rule 4" in page
    assert "Save both turns anyway" in page
    action = html.unescape(re.findall(r'<form method="post" action="([^"]*)" data-live id="play-form"', page)[0])
    before = html.unescape(re.findall(r'<a href="([^"]*)">Change your correction', page)[0])
    assert "<h1>Turn 2: what did Blue play?</h1>" in text(lobby.client.get(before))
    action = action.removeprefix("/games/1/")
    assert "then send it again" in send(action, tiles=EXAMPLE[2])["error"]
    send(action, tiles=EXAMPLE[2], accept=EXAMPLE[2])
    assert [turn.kind for turn in lobby.services.games.open(1).game.turns] == ["play", "pass", "play", "play"]


def test_several_later_turns_are_asked_about_one_by_one(client: FlaskClient, services: Services, send: Send) -> None:
    send("play", tiles=EXAMPLE[4])
    to = send("turns/2/correct?to=pass")["to"]
    for turn in (3, 5):
        page = text(client.get(to))
        assert f"<h1>Turn {turn}: what did Red play?</h1>" in page
        nothing = re.findall(r'<form method="post" action="([^"]*to=pass)" data-live', page)[0]
        to = send(html.unescape(nothing).removeprefix("/games/1/"))["to"]
    assert "Save all" in page
    assert to == "/games/1"
    assert [turn.kind for turn in services.games.open(1).game.turns] == ["play", "pass", "pass", "play", "pass"]


def test_a_stack_that_would_be_too_high_shows_the_turn(client: FlaskClient, services: Services, send: Send) -> None:
    for face in "AEI":
        send("play", tiles=f"{face}@b4", accept=f"{face}@b4")
    to = send("turns/3/insert?to=play", tiles="B@b4", accept="B@b4")["to"]
    page = text(client.get(to))
    assert "<h1>Turn 8: what did Blue play?</h1>" in page
    assert "b4 would be six tiles high" in page
    assert len(players(services)) == 7
    send("undo")
    assert client.get(to).status_code == 409


def test_a_turn_was_another_players(client: FlaskClient, services: Services, send: Send) -> None:
    page = text(client.get("/games/1/turns/3"))
    assert "It was another player&rsquo;s turn" in page
    assert '<button name="player" value="1">It was Blue&rsquo;s</button>' in page
    assert 'value="0">It was' not in page
    message = send("turns/3/player", player="1")["message"]
    assert players(services) == ["Red", "Blue", "Blue", "Red"]
    assert message == "Red's NET and ON (10) is Blue's now; Blue's WOOD (5) is Red's now."
    send("turns/3/player", player="0")
    assert players(services) == ["Red", "Blue", "Red", "Blue"]


@pytest.mark.parametrize(
    ("path", "form"), [("turns/3/player", {"player": "0"}), ("turns/3/correct", {"tiles": EXAMPLE[2]})]
)
def test_what_changes_nothing_offers_no_undo(services: Services, send: Send, path: str, form: dict[str, str]) -> None:
    before = services.games.open(1).game.log
    assert send(path, **form) == {"to": "/games/1", "message": "Nothing changed."}
    assert send(path, **form, version="1")["error"].startswith("Someone just changed the game.")
    assert services.games.open(1).game.log == before


@pytest.mark.parametrize("player", ["", "2", "-1", "Blue"])
def test_a_player_who_does_not_play_is_refused(services: Services, send: Send, player: str) -> None:
    assert send("turns/3/player", player=player)["error"].startswith("Whose turn was it?")
    assert players(services) == ["Red", "Blue", "Red", "Blue"]


def test_what_was_missed_before_a_turn_that_was_given_leaves_that_to_its_player(services: Services, send: Send) -> None:
    send("turns/3/player", player="1")
    send("turns/3/insert?to=pass")
    assert players(services) == ["Red", "Blue", "Red", "Blue", "Red"]


def test_a_lost_turn_is_not_put_right_by_itself(client: FlaskClient, services: Services) -> None:
    rules = HouseRules(failed_challenge_loses_turn=True)
    open_game = start_game(services, rules=rules)
    open_game = services.games.change(open_game, lambda game: game.play(parse_play(EXAMPLE[0])))
    open_game = services.games.change(open_game, lambda game: game.challenge("Blue", upheld=False).pass_turn())
    page = text(client.get("/games/1/turns/2"))
    assert "lost the turn" in page
    assert "Is this turn wrong?" not in page
    assert client.get("/games/1/turns/2/insert").status_code == 400
    for what in ("insert?to=pass", "correct?to=pass", "correct?to=nothing", "player"):
        response = submit(client, f"turns/2/{what}", player="1")
        assert "lost to a challenge" in read_error(response)
    assert services.games.open(1).game == open_game.game


def test_a_solo_player_has_no_other(client: FlaskClient, services: Services) -> None:
    open_game = start_game(services, "Red")
    services.games.change(open_game, lambda game: game.play(parse_play(EXAMPLE[0])))
    page = text(client.get("/games/1/turns/1"))
    assert "Add a missed turn before this one" in page
    assert "another player" not in page


@pytest.mark.parametrize("what", ["insert", "player"])
def test_there_must_be_such_a_turn(client: FlaskClient, table: OpenGame, what: str) -> None:
    assert submit(client, f"turns/5/{what}", player="1").status_code == 404
    assert client.get("/games/1/turns/5/insert").status_code == 404


@pytest.mark.parametrize("what", ["turns/2/insert?to=pass", "turns/1/correct?to=play", "turns/2/player"])
@pytest.mark.parametrize("again", [sure(EXAMPLE[3]), doubt(EXAMPLE[3], "W@b5"), finding("none")])
def test_a_correction_has_the_photograph_of_a_question_read_again(
    lobby: Lobby, table: OpenGame, what: str, again: Finding
) -> None:
    lobby.submit("undo")
    lobby.photograph(doubt(EXAMPLE[3]))
    asked = lobby.services.games.open(1)
    lobby.reader.say([again])
    form = {"version": version(lobby.services, table), "player": "0", "tiles": "M@b4 O@c4 O@d4 D@e4"}
    if "correct" in what:
        form["tiles"] = form["accept"] = "M@b4 O@c4 O@d4 L@e4"
    assert lobby.client.post(f"/games/1/{what}", data=form).status_code == 303
    after = lobby.services.games.open(1)
    entered = again.kind == "play" and not again.needs_review
    assert len(after.game.turns) == len(asked.game.turns) + ("insert" in what) + entered
    assert (after.question is not None) == again.needs_review
    assert after.game.turns != asked.game.turns
    assert lobby.reader.queries[-1].belief.looks == ()


def test_a_page_that_is_out_of_date_puts_nothing_right(lobby: Lobby, table: OpenGame) -> None:
    old = version(lobby.services, table)
    lobby.client.post("/games/1/undo", data={"version": old})
    for what in ("turns/2/insert?to=pass", "turns/2/player", "redo"):
        assert lobby.client.post(f"/games/1/{what}", data={"version": old, "player": "0"}).status_code == 409
    assert len(players(lobby.services)) == 3


def test_undo_says_what_it_undoes_and_redo_brings_it_back(client: FlaskClient, services: Services, send: Send) -> None:
    assert buttons(client) == ["Undo: Blue's WOOD, 5 points"]
    send("undo")
    assert buttons(client) == ["Undo: Red's NET and ON, 10 points", "Redo: Blue's WOOD, 5 points"]
    send("undo")
    assert buttons(client) == ["Undo: Blue's DEAR, 8 points", "Redo: Red's NET and ON, 10 points"]
    send("redo")
    send("redo")
    assert services.games.open(1).game.totals == {"Red": 18, "Blue": 13}
    assert buttons(client) == ["Undo: Blue's WOOD, 5 points"]
    assert send("redo")["error"] == "there is nothing to redo"


def test_corrections_are_undone_by_name(client: FlaskClient, send: Send) -> None:
    steps = [
        ("turns/2/insert?to=pass", "Undo the insertion of turn 2"),
        ("turns/5/correct?to=exchange", "Undo the correction of turn 5"),
        ("turns/2/correct?to=nothing", "Undo the removal of turn 2"),
    ]
    for what, told in steps:
        send(what)
        assert buttons(client) == [told]
        send("undo")
        assert buttons(client)[-1] == told.replace("Undo", "Redo")
        send("redo")
    send("turns/1/player", player="1")
    assert buttons(client) == ["Undo: turn 1 was Blue's"]


def test_the_end_is_undone_and_redone(client: FlaskClient, services: Services, send: Send) -> None:
    send("end", reason="agreed", left0="0", left1="0")
    assert buttons(client) == ["Undo: the end of the game"]
    send("undo")
    assert buttons(client)[-1] == "Redo: the end of the game"
    send("redo")
    assert services.games.open(1).row.finished
    send("turns/4/player", player="0")
    assert services.games.open(1).game.ended is not None
    assert buttons(client) == ["Undo: turn 4 was Red's"]


def test_a_photograph_comes_back_with_its_turn(lobby: Lobby, table: OpenGame, send: Send) -> None:
    lobby.photograph(sure(EXAMPLE[4]))
    shown = lobby.services.photos(lobby.services.games.open(1))
    assert list(shown) == [5]
    send("undo")
    assert lobby.services.photos(lobby.services.games.open(1)) == {}
    send("redo")
    assert lobby.services.photos(lobby.services.games.open(1)) == shown


def test_many_turns_that_move_on_are_told_of_together() -> None:
    assert changes_text(example().assign(0, "Blue")) == (
        "From turn 1 on, seven turns have another player. Red 46 → 27, Blue 27 → 46."
    )


def test_where_one_line_is_not_named_the_totals_are() -> None:
    assert changes_text(example().remove(3)).endswith("; one more turn changed. Red 46 → 32, Blue 27 → 35.")


def test_totals_below_zero_have_a_minus_sign() -> None:
    ended = example(turns=4).end("agreed", [7, 7])
    assert changes_text(ended.assign(0, "Blue")).endswith("have another player. Red −17 → −22, Blue −22 → −17.")


def test_no_more_lines_are_told_of_than_can_be_read() -> None:
    text = changes_text(example().remove(0))
    assert text.startswith("Removed Red's MOOD (8); Blue's DEAR (8) is now Red's EAR (6); ")
    assert "; four more turns changed. " in text


@pytest.mark.parametrize("page", ["", "/print"])
def test_the_sheet_begins_with_the_points_brought_along(client: FlaskClient, services: Services, page: str) -> None:
    for scores, shown in (((30, 0), 2), (None, 0)):
        open_game = start_game(services, scores=scores)
        (row,) = view_sheet(after_plays(services, open_game, *EXAMPLE[:2]).game).rounds
        assert [turn.total for turns in row for turn in turns] == ([38, 8] if scores else [8, 8])
        assert text(client.get(f"/games/{open_game.row.id}{page}")).count(">at the start<") == shown


def test_a_turn_given_is_no_line_of_the_sheet() -> None:
    game = example(turns=2).with_event(TurnGiven(1))
    assert len(view_sheet(game).rounds) == 1
    assert game.current_player == "Blue"
