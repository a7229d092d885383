"""Challenges on the page: what is said before, the verdict, the ruling, and tiles that are to be lifted."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from flask.testing import FlaskClient
from guestkit import guest
from webkit import (
    BY_SCRIPT,
    EXAMPLE,
    READING,
    Lobby,
    doubt,
    enter_plays,
    finding,
    jpeg,
    make_finding,
    picture,
    read_error,
    start_game,
    submit,
    sure,
    text,
    version,
)

from engine import Alphabet, Board, HouseRules, LexiconError, Square, Verdict, format_play, parse_play
from engine.lexicon.lexicon import WordVerdict
from vision import Belief, Finding, certain
from vision.hidden.occlusion import CutOff
from vision.images import Image
from vision.overlay import caption
from vision.reading import BoardReading
from vision.turn.reasons import Doubt, Reason
from webui.access.sessions import Role
from webui.services import Services
from webui.table.games import OpenGame

MOOD, XOOD, WOOD = EXAMPLE[0], "X@b4", "W@b4"


def add_played(services: Services, *plays: str, players: tuple[str, ...] = ("Red", "Blue"), **rules: bool) -> OpenGame:
    """Return a game under way with these plays; "pass" passes."""
    open_game = start_game(services, *players, rules=HouseRules(**rules))
    for tiles in plays:
        if tiles == "pass":
            open_game = services.games.change(open_game, lambda game: game.pass_turn())
        else:
            open_game = enter_plays(services, open_game, tiles)
    return open_game


def rule(client: FlaskClient, services: Services, open_game: OpenGame, place: int, ruling: str, **form: str) -> str:
    """The page after the table has ruled."""
    sent = {"version": version(services, open_game), "ruling": ruling, **form}
    answer = client.post(f"/games/{open_game.row.id}/turns/{place}/challenge", data=sent, follow_redirects=True)
    return text(answer)


def challenge_off(client: FlaskClient, services: Services) -> OpenGame:
    """Return a game of which the second word, XOOD, came off."""
    open_game = add_played(services, MOOD, XOOD)
    rule(client, services, open_game, 2, "off")
    return open_game


def page(client: FlaskClient, open_game: OpenGame, rest: str = "") -> str:
    return text(client.get(f"/games/{open_game.row.id}{rest}"))


def now(services: Services, open_game: OpenGame) -> OpenGame:
    return services.games.open(open_game.row.id)


def still_lying(open_game: OpenGame, tiles: str, *more: str) -> tuple[Belief, Finding]:
    """A look that shows tiles which should be gone."""
    found = make_finding("unclear", f"Still on the board: {tiles}.", tiles, *more)
    return open_game.belief, replace(found, lying=parse_play(tiles))


def look_at_lifted(open_game: OpenGame) -> tuple[Belief, Finding]:
    """Return what a look finds that shows the board as it should be."""
    off = open_game.belief.to_lift
    belief = replace(certain(open_game.game.board), to_lift=None)
    return belief, finding("none", lifted=off)


# Nothing before somebody asks


def test_nothing_of_a_word_is_told_before_somebody_challenges(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, XOOD)
    for shown in (page(client, open_game), page(client, open_game, "/turns/2"), page(client, open_game, "/play")):
        assert "not in the word list" not in shown
        assert "by the rules" not in shown
    verdict = client.post("/games/1/verdict", data={"tiles": "Z@c4"}).get_json()
    assert (verdict["legal"], verdict["reasons"]) == (True, [])
    assert "Challenge" in page(client, open_game)


def test_a_table_may_have_every_word_checked(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, XOOD, words_always_checked=True)
    assert "XOOD is not in the word list" in page(client, open_game)
    solo = add_played(services, MOOD, XOOD, players=("Ada",))
    assert "XOOD is not in the word list" in page(client, solo)
    silent = add_played(services, MOOD, XOOD, players=("Ada",), solo_words_always_checked=False)
    assert "not in the word list" not in page(client, silent)


def test_a_play_that_breaks_a_rule_of_placing_is_told_at_once(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, "X@a1 X@b1")
    shown = page(client, open_game)
    assert "Rule 3</a>, first play" in shown
    assert "not in the word list" not in shown


def test_an_unknown_word_that_is_seen_surely_is_entered_without_a_word(lobby: Lobby) -> None:
    add_played(lobby.services, MOOD)
    lobby.reader.say([sure(XOOD)])
    assert lobby.upload("/games/1/photo", jpeg()).status_code == 303
    assert [turn.points for turn in lobby.services.games.open(1).game.turns] == [8, 5]
    assert "not in the word list" not in text(lobby.client.get("/games/1"))


def test_programs_are_not_told_either_and_may_choose(client: FlaskClient) -> None:
    body = {"edition": "8x8", "players": ["Red", "Blue"], "rules": {"words_always_checked": True}}
    assert client.post("/api/v1/games", json=body).status_code == 201
    turn = {"version": 1, "kind": "play", "tiles": "X@b4 X@c4 X@d4 X@e4"}
    assert "against" not in text(client.post("/api/v1/games/1/turns", json=turn))
    assert "not in the word list" in text(client.get("/games/1"))


# The verdict


def test_the_verdict_says_what_words_and_the_command_say(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD)
    shown = page(client, open_game, "/turns/1/challenge")
    assert "MOOD is playable." in shown
    assert "a state of mind" in shown
    assert shown.count("It comes off") == shown.count("It stands") == 1
    assert services.config.judge("MOOD", "standard").sentence in text(client.get("/words?word=mood"))


def test_a_play_that_the_list_refuses_comes_off(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, XOOD)
    shown = page(client, open_game, "/turns/2/challenge")
    assert "XOOD is not playable: not in the word list standard." in shown
    assert 'value="off" class="huge primary"' in shown
    after = rule(client, services, open_game, 2, "off")
    for line in ("XOOD comes off", "challenged by Red", "Blue plays another word or passes", "off the board", "b4"):
        assert line in after
    game = now(services, open_game).game
    assert (game.totals, game.current_player) == ({"Red": 8, "Blue": 0}, "Blue")
    sheet = page(client, open_game)
    assert "challenged by Red, came off" in sheet
    assert "&#9888; </span>not in the word list" in sheet


def test_a_play_that_stands_keeps_its_points_and_the_challenger_pays(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, WOOD, players=("Red", "Blue", "Green"), failed_challenge_loses_turn=True)
    shown = page(client, open_game, "/turns/2/challenge")
    assert 'value="stands" class="huge primary"' in shown
    assert "loses the next turn" in shown
    refused = rule(client, services, open_game, 2, "stands")
    assert "Who challenges?" in refused
    assert now(services, open_game).row.version == open_game.row.version
    after = rule(client, services, open_game, 2, "stands", by="2")
    assert "WOOD stands" in after
    assert "Green challenged without success and loses the next turn." in after
    assert now(services, open_game).game.current_player == "Red"
    assert "0 point" not in page(client, open_game, "/turns/2/challenge")


def test_a_play_that_stands_is_marked_without_a_warning_or_another_button(lobby: Lobby) -> None:
    open_game = add_played(lobby.services, MOOD, WOOD)
    assert page(lobby.client, open_game).count("Challenge</a>") == 1
    rule(lobby.client, lobby.services, open_game, 2, "stands")
    sheet = page(lobby.client, open_game)
    assert '<span class="marks soft">challenged by Red, stands</span>' in sheet
    assert "Challenge</a>" not in sheet
    assert "&#9888;" not in sheet


def test_a_word_that_came_off_and_the_one_after_it_share_a_line_on_paper(lobby: Lobby) -> None:
    open_game = challenge_off(lobby.client, lobby.services)
    lobby.services.games.change(now(lobby.services, open_game), lambda game: game.play(parse_play(WOOD)))
    paper = page(lobby.client, open_game, "/print")
    assert paper.count('<th scope="row" class="round">1</th>') == 1
    assert '<th scope="row" class="round">2</th>' not in paper
    assert "<s>XOOD</s> <i>challenged by Red, came off</i>" in paper


def test_a_turn_that_is_lost_already_is_not_claimed_twice(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, players=("Red", "Blue", "Green"), failed_challenge_loses_turn=True)
    assert "and loses the next turn." in rule(client, services, open_game, 1, "stands", by="2")
    open_game = services.games.change(now(services, open_game), lambda game: game.play(parse_play(WOOD)))
    after = rule(client, services, open_game, 2, "stands", by="2")
    assert "Green challenged without success. The next turn was already lost." in after
    assert "and loses the next turn." not in after


def test_a_play_that_comes_off_for_its_placing_says_so(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD.replace("4", "1"))
    after = rule(client, services, open_game, 1, "off")
    assert "The play breaks a rule, whatever the words are." in after
    assert "The word list agrees." not in after
    assert "it came off by the rules of placing" in page(client, open_game, "/turns/1")
    (turn,) = client.get("/api/v1/games/1").get_json()["turns"]
    assert turn["challenges"] == [{"by": "Blue", "upheld": True, "ruled_by": "rules"}]


@pytest.mark.parametrize(("tiles", "ruling"), [(WOOD, "off"), (XOOD, "stands")])
def test_the_table_rules_against_the_list(client: FlaskClient, services: Services, tiles: str, ruling: str) -> None:
    open_game = add_played(services, MOOD, tiles)
    after = rule(client, services, open_game, 2, ruling)
    assert "Your table decided" in after
    record = now(services, open_game).game.turns[1]
    assert (record.taken_back, record.challenges[0].authority) == (ruling == "off", "table")


def test_a_challenge_stays_open_through_passes(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, XOOD, "pass", players=("Red", "Blue", "Green"))
    assert 'href="/games/1/turns/2/challenge"' in page(client, open_game)
    assert "XOOD comes off" in rule(client, services, open_game, 2, "off", by="0")
    assert now(services, open_game).game.current_player == "Blue"


def test_after_a_challenge_that_was_upheld_photographs_tell_the_turns_number(lobby: Lobby) -> None:
    """The second try is a line of its own on the sheet, and the same turn."""
    open_game = challenge_off(lobby.client, lobby.services)
    lobby.services.config.reader.say([look_at_lifted(now(lobby.services, open_game)), sure(WOOD)])  # type: ignore[attr-defined]
    for _ in range(2):
        lobby.services.intake.take(1, picture(), "camera")
    assert [turn.number for turn in now(lobby.services, open_game).game.turns] == [1, 2, 2]
    assert "Turn 2, photographed" in page(lobby.client, open_game)
    assert "Turn 2, photographed" in page(lobby.client, open_game, "/turns/3/correct")


def test_the_first_button_of_the_form_rules_nothing(client: FlaskClient, services: Services) -> None:
    """It is the one that a browser presses for Enter on a name."""
    open_game = add_played(services, MOOD, WOOD, players=("Red", "Blue", "Green"))
    shown = page(client, open_game, "/turns/2/challenge")
    form = shown[shown.index("<form") :]
    assert "name=" not in form[form.index("<button") :].partition(">")[0]
    assert "Does the play come off" in rule(client, services, open_game, 2, "", by="2")
    assert now(services, open_game).game.turns[1].challenges == ()


def test_another_player_may_challenge_what_stands(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, WOOD, players=("Red", "Blue", "Green"))
    rule(client, services, open_game, 2, "stands", by="0")
    again = page(client, open_game, "/turns/2/challenge?again=1")
    assert "Green challenges" in again
    assert "It comes off" in again
    assert "WOOD comes off" in rule(client, services, open_game, 2, "off", by="2")


@pytest.mark.parametrize(
    ("plays", "place", "form", "says"),
    [
        ((), 1, {}, "That turn no longer exists"),
        (("pass",), 1, {}, "Only a word can be challenged"),
        ((MOOD, WOOD), 1, {}, "another word has been played since"),
        ((MOOD,), 1, {"by": "0"}, "Red made the play"),
        ((MOOD,), 1, {"by": "7"}, "Who challenges?"),
        ((MOOD,), 1, {"by": "x"}, "Who challenges?"),
        ((MOOD,), 1, {"ruling": "maybe"}, "Does the play come off"),
    ],
)
def test_what_cannot_be_challenged_is_one_line_and_changes_nothing(
    lobby: Lobby, plays: tuple[str, ...], place: int, form: dict[str, str], says: str
) -> None:
    open_game = add_played(lobby.services, *plays)
    answer = lobby.submit(f"turns/{place}/challenge", **{"ruling": "off", **form})
    assert answer.status_code in (400, 404)
    assert says in read_error(answer)
    assert now(lobby.services, open_game) == open_game


def test_nothing_is_challenged_twice_nor_after_the_end(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD)
    rule(client, services, open_game, 1, "stands")
    assert "Blue challenged turn 1 already" in rule(client, services, open_game, 1, "off", by="1")
    ended = services.games.change(now(services, open_game), lambda game: game.end("agreed", [0, 0]))
    assert "The game has ended. Undo the end" in rule(client, services, ended, 1, "off")
    assert now(services, ended).row.version == ended.row.version


def test_where_the_list_cannot_be_asked_the_table_rules(client: FlaskClient, services: Services) -> None:
    def refuse(word: str, lexicon: str, alphabet: Alphabet) -> WordVerdict:
        raise LexiconError("The word list ours.txt has changed since the page was started.")

    open_game = add_played(services, MOOD)
    object.__setattr__(services.config, "judge", refuse)
    shown = page(client, open_game, "/turns/1/challenge")
    assert "has changed since the page was started. Rule by your own dictionary." in shown
    assert "primary" not in shown.partition("rulings")[2]
    assert "MOOD comes off" in rule(client, services, open_game, 1, "off")


# Tiles to lift


@pytest.mark.parametrize("how", ["challenge", "take-back"])
def test_what_came_off_is_watched_for(client: FlaskClient, services: Services, how: str) -> None:
    open_game = add_played(services, MOOD, XOOD)
    if how == "challenge":
        rule(client, services, open_game, 2, "off")
    else:
        submit(client, how)
    after = now(services, open_game)
    assert after.belief.to_lift == parse_play(XOOD)
    assert after.belief.sheet_board == after.game.board == Board.empty(8).with_play(parse_play(MOOD))
    shown = page(client, open_game)
    assert "Take off the board: X on b4" in shown
    assert "lift-off" in shown
    services.games.change(after, lambda game: game.end("agreed", (1, 2)))
    over = page(client, open_game)
    assert not any(each in over for each in ("Take off the board", "lift-off"))
    if how == "challenge":
        verdict = page(client, open_game, "/turns/2/challenge")
        assert "comes off" in verdict
        assert not any(each in verdict for each in ("Take off the board", "lift-off", "plays another word"))


def test_nobody_is_told_to_lift_the_tiles_of_a_play_that_was_undone(lobby: Lobby) -> None:
    """They may lie rightly, as another word: the page asks what was played, and programs are told as ever."""
    open_game = add_played(lobby.services, MOOD, XOOD)
    lobby.submit("undo")
    assert now(lobby.services, open_game).belief.to_lift == parse_play(XOOD)
    shown = page(lobby.client, open_game)
    assert not any(each in shown for each in ("Take off the board", "lift-off"))
    lobby.photograph(still_lying(now(lobby.services, open_game), XOOD))
    shown = page(lobby.client, open_game)
    assert "Is this what was played?" in shown
    assert not any(each in shown for each in ("Still on the board", "lift-off", "take it off", "really played"))
    assert "Question waiting: Is this what was played?" in page(lobby.client, open_game, "/end")
    lobby.submit("answer", choice="0")
    after = now(lobby.services, open_game)
    assert (after.game.turns[-1].play, after.belief.to_lift, after.question) == (parse_play(XOOD), None, None)


@pytest.mark.parametrize(("how", "told"), [("undo", "XOOD 5 = 5"), ("take-back", "Still on the board: X@b4.")])
def test_the_caption_of_a_photograph_asks_for_tiles_to_be_lifted_only_where_the_page_does(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch, how: str, told: str
) -> None:
    drawn: list[list[str]] = []

    def watch(image: Image, _: BoardReading, shown: Finding, verdict: Verdict | None) -> Image:
        drawn.append(caption(shown, verdict))
        return image

    monkeypatch.setattr("webui.table.intake.draw_turn", watch)
    open_game = add_played(lobby.services, MOOD, XOOD)
    lobby.submit(how)
    belief, found = still_lying(now(lobby.services, open_game), XOOD)
    before = now(lobby.services, open_game).game.board
    lobby.photograph((belief, replace(found, reading=READING, before=before)))
    assert drawn[-1][-1] == told


def test_only_what_was_challenged_off_is_lifted_where_a_later_play_was_undone(lobby: Lobby) -> None:
    open_game = challenge_off(lobby.client, lobby.services)
    lobby.services.intake.enter(
        now(lobby.services, open_game), parse_play(EXAMPLE[1]), now(lobby.services, open_game).row.version
    )
    lobby.submit("undo")
    assert now(lobby.services, open_game).to_lift == parse_play(XOOD)
    assert "Take off the board: X on b4</h2>" in page(lobby.client, open_game)


def test_tiles_that_lie_there_still_are_a_reminder_until_they_are_seen_lifted(lobby: Lobby) -> None:
    open_game = challenge_off(lobby.client, lobby.services)
    lobby.photograph(still_lying(now(lobby.services, open_game), XOOD))
    shown = page(lobby.client, open_game)
    assert "Still on the board: X on b4" in shown
    assert "The last picture still shows it" in page(lobby.client, open_game, "/turns/2/challenge")
    assert now(lobby.services, open_game).game.totals == {"Red": 8, "Blue": 0}
    lobby.reader.say([look_at_lifted(now(lobby.services, open_game))])
    form = {"photo": (io.BytesIO(jpeg(100)), "board.jpg")}
    answer = lobby.client.post("/games/1/photo", data=form, headers=BY_SCRIPT).get_json()
    assert answer["message"] == "X on b4 is off. Blue plays another word or passes."
    after = now(lobby.services, open_game)
    assert (after.question, after.belief.to_lift) == (None, None)
    assert "Take off the board" not in page(lobby.client, open_game)
    cut_off = CutOff(np.eye(8, dtype=bool), ("top",))
    lobby.reader.say([finding("none", reading=replace(READING, cut_off=cut_off))])
    form = {"photo": (io.BytesIO(jpeg(101)), "board.jpg")}
    answer = lobby.client.post("/games/1/photo", data=form, headers=BY_SCRIPT).get_json()
    assert answer["message"] == cut_off.text()
    assert "The tiles are off" in page(lobby.client, open_game, "/turns/2/challenge")


ASKED_WHILE_TO_LIFT = {
    "a hand": (make_finding("unclear", "A hand lies over the board."), "A hand lies over the board.", "Skip"),
    "perhaps": (make_finding("unclear", "A hand lies over it.", EXAMPLE[1]), "A hand lies over it.", "Maybe:"),
    "letter": (doubt(EXAMPLE[1], "B@e5 A@e6 R@e7", question=Square(4, 4)), "Is this E or B at e5?", "DEAR"),
    "play": (doubt(EXAMPLE[1]), "Is this what was played?", "DEAR"),
    "pass": (make_finding("none"), "Was it a pass?", "Yes, it was a pass"),
}
"""Photographs taken while tiles are to be lifted, what each asks, and an answer of it."""


@pytest.mark.parametrize("name", ASKED_WHILE_TO_LIFT)
def test_a_question_is_asked_while_tiles_are_to_be_lifted(lobby: Lobby, name: str) -> None:
    found, question, answer = ASKED_WHILE_TO_LIFT[name]
    open_game = challenge_off(lobby.client, lobby.services)
    lobby.photograph((now(lobby.services, open_game).belief, found))
    shown = page(lobby.client, open_game)
    assert question in shown
    assert answer in shown
    assert re.search(
        r'Take this tile off the board first, if still there.*class="to-lift">.*<b>X</b> b4', shown, re.DOTALL
    )
    put_aside = lobby.submit("dismiss")
    assert put_aside.status_code == 303
    assert question not in page(lobby.client, open_game)
    assert "Take off the board: X on b4" in page(lobby.client, open_game)


def test_who_only_watches_reads_the_question_while_tiles_are_to_be_lifted(lobby: Lobby) -> None:
    challenge_off(lobby.client, lobby.services)
    lobby.photograph(make_finding("unclear", "A hand lies over the board."))
    shown = text(guest(lobby.client.application, Role.VIEWER).get("/games/1"))
    assert "A hand lies over the board." in shown
    assert "The scorekeeper answers." in shown
    assert ">Skip<" not in shown


PAGES_OF_A_GAME = {"challenge": "/turns/2/challenge", "end": "/end"}


@pytest.mark.parametrize("rest", PAGES_OF_A_GAME.values(), ids=PAGES_OF_A_GAME)
def test_a_question_is_told_on_every_page_that_it_holds_up(lobby: Lobby, rest: str) -> None:
    """What these pages send is refused until it is answered, so they lead to it."""
    open_game = add_played(lobby.services, MOOD, XOOD)
    assert "Question waiting" not in page(lobby.client, open_game, rest)
    lobby.photograph(doubt("P@g2", "B@g2", question=Square(1, 6)))
    shown = page(lobby.client, open_game, rest)
    assert "Question waiting: Is this P or B at g2?" in shown
    assert 'href="/games/1#question"' in shown


def test_a_question_after_a_challenge_is_told_beside_the_ruling(lobby: Lobby) -> None:
    open_game = challenge_off(lobby.client, lobby.services)
    lobby.photograph(make_finding("unclear", "A hand lies over the board."))
    shown = page(lobby.client, open_game, "/turns/2/challenge")
    assert "Question waiting: A hand lies over the board." in shown
    assert "XOOD comes off" in shown


def test_a_reminder_that_is_put_aside_goes_on_watching(lobby: Lobby) -> None:
    open_game = challenge_off(lobby.client, lobby.services)
    lobby.reader.say([still_lying(now(lobby.services, open_game), XOOD)])
    asked = lobby.services.intake.take(1, picture(), "upload").open_game
    put_aside = lobby.services.intake.dismiss(asked, asked.row.version)
    assert (put_aside.question, put_aside.belief.to_lift) == (None, parse_play(XOOD))


def test_what_was_played_after_all_is_entered_and_what_lies_there_besides_is_still_to_lift(lobby: Lobby) -> None:
    open_game = challenge_off(lobby.client, lobby.services)
    lobby.reader.say([still_lying(now(lobby.services, open_game), XOOD, EXAMPLE[1])])
    asked = lobby.services.intake.take(1, picture(), "upload").open_game
    besides = lobby.services.intake.answer(asked, 1, asked.row.version)
    assert besides.game.turns[-1].play == parse_play(EXAMPLE[1])
    assert besides.belief.to_lift == parse_play(XOOD)
    undone = lobby.services.games.change(besides, lambda game: game.undo())
    assert undone.belief.to_lift is not None
    assert format_play(undone.belief.to_lift) == "X@b4 E@e5 A@e6 R@e7"


@pytest.mark.parametrize("to", ["X@b4 N@d5", "pass", "nothing"])
def test_a_correction_leaves_nothing_to_lift(client: FlaskClient, services: Services, to: str) -> None:
    """It says what was played. Undone and done again, it does so no less."""
    open_game = add_played(services, MOOD, "X@b4 T@e5")
    url = f"/games/1/turns/2/correct?to={to if ' ' not in to else 'play'}"
    client.post(url, data={"version": version(services, open_game), "tiles": to, "accept": to})
    for step in ("", "undo", "redo"):
        if step:
            submit(client, step)
        assert now(services, open_game).belief.to_lift is None
        assert "Take off the board" not in page(client, open_game)


def test_a_correction_forgets_no_tiles_that_are_to_be_lifted(client: FlaskClient, services: Services) -> None:
    open_game = challenge_off(client, services)
    submit(client, "turns/1/correct?to=play", tiles="W@b4 O@c4 O@d4 D@e4")
    assert now(services, open_game).belief.to_lift == parse_play(XOOD)


def test_whether_tiles_are_off_is_asked_once(lobby: Lobby) -> None:
    challenge_off(lobby.client, lobby.services)
    perhaps = Doubt(Reason.PERHAPS_THERE, ("X on b4",))
    lobby.reader.say([replace(doubt(EXAMPLE[1]), reason=perhaps)])
    asked = lobby.services.intake.take(1, picture(), "upload").open_game
    assert lobby.services.intake.answer(asked, 0, asked.row.version).belief.to_lift is None


@pytest.mark.parametrize("asked", [None, "lying", "play"])
def test_the_table_may_say_that_the_tiles_are_not_there(lobby: Lobby, asked: str | None) -> None:
    open_game = challenge_off(lobby.client, lobby.services)
    if asked:
        lobby.reader.say([still_lying(now(lobby.services, open_game), XOOD) if asked == "lying" else doubt(EXAMPLE[1])])
        lobby.services.intake.take(1, picture(), "upload")
    assert "/games/1/lifted" in page(lobby.client, open_game)
    lobby.submit("lifted")
    after = now(lobby.services, open_game)
    assert after.belief.to_lift is None
    assert (after.question is not None) == (asked == "play")
    assert "Take off the board" not in page(lobby.client, open_game)


def test_a_reminder_is_a_question_to_programs(lobby: Lobby) -> None:
    open_game = add_played(lobby.services, MOOD, XOOD)
    turn = {"version": open_game.row.version, "kind": "challenge", "upheld": True, "by": "Red"}
    told = lobby.client.post("/api/v1/games/1/turns", json=turn).get_json()
    assert told["to_lift"] == XOOD
    assert told["turns"][1]["challenges"] == [{"by": "Red", "upheld": True, "ruled_by": "list"}]
    lobby.reader.say([still_lying(now(lobby.services, open_game), XOOD)])
    asked = lobby.upload("/api/v1/games/1/photos", jpeg()).get_json()
    assert (asked["question"]["kind"], asked["question"]["lying"]) == ("unclear", XOOD)
    assert [choice["totals"] for choice in asked["question"]["choices"]] == [{"Red": 8, "Blue": 5}]


@pytest.mark.parametrize(
    "turn",
    [
        {"kind": "challenge", "upheld": False},
        {"kind": "challenge", "upheld": False, "by": "Red"},
        {"kind": "challenge", "upheld": True, "by": "Red"},
        {"kind": "challenge", "upheld": True, "by": "Nobody"},
        {"kind": "challenge", "by": "Blue"},
    ],
)
def test_challenges_that_cannot_be_are_one_line_to_programs(lobby: Lobby, turn: dict[str, object]) -> None:
    open_game = add_played(lobby.services, MOOD, failed_challenge_loses_turn=True)
    answer = lobby.client.post("/api/v1/games/1/turns", json={"version": open_game.row.version, **turn})
    assert answer.status_code == 400
    assert len(answer.get_json()["error"].splitlines()) == 1
    assert now(lobby.services, open_game) == open_game


# The ruling on other screens


@pytest.mark.parametrize("screen", ["", "/tv"])
def test_every_screen_tells_the_ruling_until_something_else_is_entered(lobby: Lobby, screen: str) -> None:
    open_game = challenge_off(lobby.client, lobby.services)
    shown = page(lobby.client, open_game, screen)
    assert "XOOD comes off" in shown
    assert "Blue does not get the 5 points." in shown
    assert "lift-off" in shown
    assert '<span class="words">' not in shown
    lobby.services.games.change(now(lobby.services, open_game), lambda game: game.pass_turn())
    assert "XOOD comes off" not in page(lobby.client, open_game, screen)


def test_every_screen_tells_a_ruling_that_comes_after_a_pass(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, WOOD, "pass")
    rule(client, services, open_game, 2, "stands")
    for screen in ("", "/tv"):
        assert "WOOD stands" in page(client, open_game, screen)
    services.games.change(now(services, open_game), lambda game: game.undo())
    for screen in ("", "/tv"):
        assert "WOOD stands" not in page(client, open_game, screen)


def test_the_television_points_to_whose_turn_it_is_and_to_no_winner(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD)
    assert page(client, open_game, "/tv").count("&#9656;") == 1
    services.games.change(now(services, open_game), lambda game: game.end("agreed", (0, 0)))
    assert "&#9656;" not in page(client, open_game, "/tv")


def test_the_television_marks_the_winner_and_says_why_totals_fell(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, EXAMPLE[1])
    assert "&#9733;" not in page(client, open_game, "/tv")
    services.games.change(open_game, lambda game: game.end("stuck", (0, 1)))
    shown = page(client, open_game, "/tv")
    assert shown.count("&#9733;") == shown.count('class="won"') == 1
    assert "one tile left: \N{MINUS SIGN}5" in shown
    assert "Nobody could play any more." in shown
    assert "tiles left" not in shown


def headline(shown: str) -> str:
    """Return the text that a screen reader reads out for the game."""
    found = re.search(r'id="headline">(.*?)</p>', shown, re.DOTALL)
    assert found
    return found[1]


def test_a_ruling_and_a_turn_lost_by_it_are_told_to_screen_readers(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, players=("Red", "Blue", "Green"), failed_challenge_loses_turn=True)
    rule(client, services, open_game, 1, "stands", by="2")
    told = headline(page(client, open_game))
    assert "MOOD stands. Red keeps the 8 points. Green challenged without success and loses the next turn." in told
    after = now(services, open_game)
    enter_plays(services, after, EXAMPLE[1])
    shown = page(client, open_game)
    assert headline(shown) == "Turn 3: Red to play. Blue played DEAR for 8 points. Green loses this turn."
    assert "Green loses this turn." in shown.partition('<div class="now">')[2].partition("</div>")[0]


def test_the_last_play_is_told_once_where_it_can_be_challenged(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD)
    shown = page(client, open_game)
    assert "MOOD" in shown.partition('class="card open-play"')[2].partition("</section>")[0]
    assert "Red played" not in shown.partition('<div class="now">')[2].partition("</div>")[0]
    services.games.change(open_game, lambda game: game.pass_turn())
    assert "Blue passed." in page(client, open_game).partition('<div class="now">')[2].partition("</div>")[0]


def test_the_television_strikes_out_a_word_that_came_off(client: FlaskClient, services: Services) -> None:
    open_game = add_played(services, MOOD, XOOD)
    services.games.change(open_game, lambda game: game.challenge("Red", upheld=True))
    services.games.change(now(services, open_game), lambda game: game.end("agreed"))
    assert '<span class="words"><s>XOOD</s></span>' in page(client, open_game, "/tv")


def test_a_word_taken_back_is_no_turn_in_the_list_of_games(client: FlaskClient, services: Services) -> None:
    open_game = challenge_off(client, services)
    assert "8 \u00d7 8, 1 turn<" in text(client.get("/games"))
    assert "8 \u00d7 8, 1 turn: " in page(client, open_game, "/delete")
