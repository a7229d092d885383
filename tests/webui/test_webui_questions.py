"""The question about a photograph on the page: its answers, another letter, another picture, the editor beside it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from presencekit import there
from readings import veil
from webkit import (
    BY_SCRIPT,
    EXAMPLE,
    READING,
    Site,
    because,
    doubt,
    finding,
    make_finding,
    outcome,
    picture,
    read_error,
    really,
    sure,
    text,
    version,
)

from engine import Play, parse_play, parse_square
from engine.game.events import Played
from vision import Finding, Outcome
from vision.turn.reasons import Doubt, Reason
from webui.errors import WebError
from webui.services import Services
from webui.table.games import OpenGame
from webui.table.question import Question, dump_question, load_question, name_asked_square, with_letter
from webui.views.answers import view_answers
from webui.views.game import GameView

ASKED = doubt("M@b4 O@c4 O@d4 B@e4", "M@b4 O@c4 O@d4 P@e4", question=parse_square("e4"))


def ask(services: Services, found: Finding) -> OpenGame:
    """The game with a question."""
    services.config.reader.say([found])  # type: ignore[attr-defined]
    return services.intake.take(1, picture(), "upload").open_game


def card(client: FlaskClient) -> str:
    """The HTML of the question."""
    found = re.search(r'<section class="card ask".*?</section>', text(client.get("/games/1")), re.DOTALL)
    assert found
    return found[0]


def list_answers(html: str) -> list[str]:
    """What the answers say, in order."""
    return [re.sub(r"<[^>]+>|&\w+;", "", shown).strip() for shown in re.findall(r'"say">(.*)</span>', html)]


# Answers


def test_tiles_laid_anew_where_the_last_play_lies_were_misspelt(site: Site) -> None:
    open_game = ask(site.services, sure(EXAMPLE[0]))
    corrected = open_game.game.correct(open_game.game.turns[0].event, Played(parse_play("M@b4 A@c4 O@d4 D@e4")))
    open_game = site.services.games.change(open_game, lambda _: corrected.game)
    assert open_game.belief.typed == parse_play("M@b4 A@c4 O@d4 D@e4")
    found = finding("play", outcome(None, *EXAMPLE[:2], share=0.5), asked=True, reason=because("Two plays."))
    asked = ask(site.services, found)
    (answer,) = view_answers(asked, there(asked.question))
    assert answer.words == "turn 1 was MOOD 8, not MAOD 8, then DEAR: 8 points"
    after = site.services.intake.answer(asked, 0, asked.row.version)
    assert [record.play for record in after.game.turns] == [parse_play(text) for text in EXAMPLE[:2]]
    assert after.game.totals == {"Red": 8, "Blue": 8}


def test_tiles_taken_back_are_confirmed_or_it_was_something_else(site: Site) -> None:
    other = outcome("M@b4 O@c4", replaces=1, share=0.2)
    removed = make_finding("removed")
    ask(site.services, sure(EXAMPLE[0]))
    ask(site.services, removed)
    html = card(site.client)
    assert "Yes, take it back" in html
    assert list_answers(html) == []
    ask(site.services, replace(removed, outcomes=(*removed.outcomes, other)))
    html = card(site.client)
    assert "Or was it this?" in html
    assert list_answers(html) == ["turn 1 was MO 4, not MOOD 8"]
    site.submit("answer", choice="1")
    assert [turn.play for turn in site.now().game.turns] == [parse_play("M@b4 O@c4")]


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (Reason.SEVERAL, "It looks like two words were played. Was a turn missed?"),
        (Reason.WHICH_FIRST, "Was a turn missed? Which of the two words came first?"),
        (Reason.TWO, "It looks like two words were played. Which came first?"),
    ],
)
def test_a_reason_that_asks_is_the_only_question(site: Site, reason: Reason, told: str) -> None:
    ask(site.services, finding("play", outcome(*EXAMPLE[:2]), asked=True, reason=Doubt(reason, ("two",))))
    shown = re.sub(r"<[^>]+>", "", card(site.client))
    assert shown.count(told) == 1
    assert shown.count("?") == told.count("?")
    assert site.client.get("/api/v1/games/1").get_json()["question"]["text"] == told


def test_what_an_unclear_photograph_may_show_is_offered(site: Site) -> None:
    ask(site.services, make_finding("unclear", "A hand lies over the board."))
    assert "Maybe:" not in card(site.client)
    assert "Enter by hand" in card(site.client)
    ask(site.services, make_finding("unclear", "A hand lies over the board.", EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4"))
    html = card(site.client)
    assert "Maybe:" in html
    assert list_answers(html) == ["MOOD: 8 points", "MOOB: 8 points"]
    site.submit("answer", choice="0")
    assert site.now().game.totals == {"Red": 8, "Blue": 0}


@pytest.mark.parametrize("what", ["pass", "exchange", "end", "take-back"])
@pytest.mark.parametrize(
    ("found", "first"),
    [
        (doubt(EXAMPLE[1]), True),
        (make_finding("removed"), True),
        (replace(make_finding("unclear", "Still there.", EXAMPLE[1]), lying=parse_play(EXAMPLE[0])), True),
        (make_finding("unclear", "A hand lies over the board.", EXAMPLE[1]), True),
        (make_finding("unclear", "A hand lies over the board."), False),
        (make_finding("none"), False),
    ],
    ids=["play", "removed", "lying", "unclear", "nothing to choose", "none"],
)
def test_a_question_with_an_answer_is_settled_before_anything_else(
    site: Site, what: str, found: Finding, first: bool
) -> None:
    open_game = site.services.games.change(site.game, lambda each: each.play(parse_play(EXAMPLE[0])))
    if found.lying:
        site.services.games.change(open_game, lambda each: each.take_back())
    before = ask(site.services, found)
    answer = site.submit(what, reason="agreed")
    after = site.now()
    assert (after.row == before.row, after.question == before.question) == (first, first)
    if first:
        assert read_error(answer) == "Answer the question about the last photo first."


@pytest.mark.parametrize(("what", "left"), [("undo", []), ("redo", ["play", "pass"])])
def test_a_button_settles_a_question_by_reading_its_photograph_again(site: Site, what: str, left: list[str]) -> None:
    """Nobody is sent to answer first: what was played is asked about as the changed scoresheet has it.

    A pass or an exchange would give the play that is asked about to the next player: they wait for the answer.
    """
    site.services.games.change(site.game, lambda each: each.play(parse_play(EXAMPLE[0])))
    if what == "redo":
        site.services.games.change(site.now(), lambda each: each.pass_turn().undo())
    ask(site.services, doubt(EXAMPLE[1]))
    site.reader.say([doubt(EXAMPLE[1], EXAMPLE[2])])
    answer = site.submit(what)
    after = site.now()
    assert (answer.status_code, site.reader.script) == (303, [])
    assert [turn.kind for turn in after.game.turns] == left
    assert len(there(after.question).outcomes) == 2


def test_a_pass_answers_whether_it_was_one(site: Site) -> None:
    site.services.games.change(site.game, lambda each: each.play(parse_play(EXAMPLE[0])))
    ask(site.services, make_finding("none"))
    site.submit("pass")
    after = site.now()
    assert ([turn.kind for turn in after.game.turns], after.question) == (["play", "pass"], None)


def test_an_answer_says_what_it_puts_right_and_that_it_enters_two_turns(site: Site) -> None:
    ask(site.services, sure("M@b4 O@c4 O@d4 B@e4"))
    ask(site.services, really(*EXAMPLE[:3]))
    assert list_answers(card(site.client)) == ["turn 1 was MOOD 8, not MOOB 8, then Blue DEAR 8, then Red NET 6 + ON 4"]


@pytest.mark.parametrize(
    ("found", "again"), [(ASKED, True), (make_finding("unclear"), True), (make_finding("none"), False)]
)
def test_a_second_picture_is_asked_for_where_it_tells_more(site: Site, found: Finding, again: bool) -> None:
    ask(site.services, found)
    html = card(site.client)
    assert ("Photograph again" in html) is again
    assert ("Upscore uses both photos" in html) is again
    assert ('action="/games/1/photo"' in html) is again


HAND = "Take the hand or glare away, then photograph again"


def photographed_first(html: str) -> bool:
    """Return whether the card offers another photograph before the answers."""
    return html.index('action="/games/1/photo"') < html.index('class="answers"')


def test_a_tile_under_a_hand_is_photographed_again_before_anybody_answers(site: Site) -> None:
    ask(site.services, ASKED)
    html = card(site.client)
    assert (photographed_first(html), HAND in html) == (False, False)
    open_game = ask(site.services, replace(ASKED, reading=veil(READING, (3, 4))))
    html = card(site.client)
    assert (photographed_first(html), HAND in html) == (True, True)
    assert html.count('action="/games/1/photo"') == 1
    assert list_answers(html)
    question = there(open_game.question)
    assert load_question(dump_question(question)) == question


def test_a_camera_that_watches_looks_again_once_the_hand_is_away(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(site.services, replace(ASKED, reading=veil(READING, (3, 4))))
    monkeypatch.setattr(GameView, "watched", property(lambda _: True))
    html = card(site.client)
    advice = "Take the hand or glare away first. The camera then looks again by itself."
    assert html.index(advice) < html.index('class="answers"')
    assert (photographed_first(html), HAND in html) == (False, False)


def test_a_question_of_an_earlier_version_is_read(site: Site) -> None:
    open_game = ask(site.services, replace(ASKED, reading=veil(READING, (3, 4))))
    stored = json.loads(dump_question(there(open_game.question)))
    del stored["retake"]
    assert there(load_question(json.dumps(stored))).retake == ""
    with pytest.raises(WebError, match="can't be read any more"):
        load_question(json.dumps({**stored, "retake": "foot"}))


# Another letter


def test_what_hides_the_square_in_question_is_told(site: Site) -> None:
    asked = doubt("M@b4 O@c4 O@d4 B@e4", "M@b4 O@c4 O@d4 P@e4", question=parse_square("e4"))
    ask(site.services, asked)
    assert "hidden" not in re.sub("<input[^>]*>|aria-hidden", "", card(site.client))
    said = "e4 can't be seen. Something lies over it, or it is outside the picture."
    ask(site.services, replace(asked, reading=veil(READING, (3, 4))))
    assert f"<p>{escape(said)}</p>" in card(site.client)
    assert said in site.client.get("/api/v1/games/1").get_json()["question"]["text"]


def test_another_letter_that_is_legal_is_entered_with_the_photograph(site: Site) -> None:
    asked = ask(site.services, ASKED)
    html = card(site.client)
    assert "Another letter at e4" in html
    assert re.findall(r'name="face" value="(\w+)"', html) == [*"ABCDEFGHIJKLMNOP", "Qu", *"RSTUVWXYZ"]
    response = site.submit("letter", face="D")
    assert (response.status_code, response.location) == (303, "/games/1")
    after = site.now()
    assert [turn.play for turn in after.game.turns] == [parse_play(EXAMPLE[0])]
    assert (after.question, asked.question is not None) == (None, True)
    assert site.services.photos(after)[1].key == asked.question.photo  # type: ignore[union-attr]


def test_a_letter_is_put_where_the_likeliest_answer_has_none(site: Site) -> None:
    ask(site.services, doubt("C@b4 A@c4 T@d4", "C@b4 A@c4 T@d4 B@e4", question=parse_square("e4")))
    site.submit("letter", face="s")
    assert site.now().game.turns[0].play == parse_play("C@b4 A@c4 T@d4 S@e4")


def test_another_letter_that_breaks_a_rule_opens_the_editor(site: Site) -> None:
    open_game = ask(site.services, sure(EXAMPLE[0]))
    before = ask(site.services, doubt("W@b4", "F@b4", question=parse_square("b4")))
    response = site.submit("letter", face="M")
    assert response.status_code == 303
    where = urlsplit(response.location)
    assert (where.path, parse_qs(where.query)) == ("/games/1/play", {"tiles": ["M@b4"]})
    assert site.now() == before != open_game
    page = text(site.client.get(response.location))
    assert "covers another M" in page
    answer = site.submit("letter", BY_SCRIPT, face="M").get_json()
    assert answer["to"] == response.location


def test_another_letter_in_two_turns_at_once_enters_both(site: Site) -> None:
    both = replace(really(EXAMPLE[0], "P@b4", replaces=0), square=parse_square("b4"))
    before = ask(site.services, both)
    refused = site.submit("letter", face="M")
    assert (refused.status_code, site.now()) == (400, before)
    assert "one at a time" in read_error(refused)
    site.submit("letter", face="W")
    assert [turn.points for turn in site.now().game.turns] == [8, 5]


@pytest.mark.parametrize(
    ("face", "line"), [("", "is not a tile"), ("1", "is not a tile"), ("QUX", "is not a tile"), ("é", "not a tile")]
)
def test_what_is_no_letter_gives_one_clear_line(site: Site, face: str, line: str) -> None:
    before = ask(site.services, ASKED)
    response = site.submit("letter", face=face)
    assert response.status_code == 400
    assert line in read_error(response)
    assert site.now() == before


def test_a_letter_for_a_question_that_has_gone_changes_nothing(site: Site) -> None:
    form = {"version": version(site.services, ask(site.services, ASKED)), "face": "D"}
    before = ask(site.services, ASKED)
    for late in (form, {"face": "D"}):
        assert site.client.post("/games/1/letter", data=late).status_code == 409
    assert site.now() == before
    settled = site.services.intake.dismiss(before, before.row.version)
    late = {**form, "version": version(site.services, site.game)}
    assert site.client.post("/games/1/letter", data=late).status_code == 409
    assert site.now() == settled


def test_a_question_about_no_one_square_has_no_letters(site: Site) -> None:
    ask(site.services, doubt(EXAMPLE[0]))
    assert "Another letter" not in card(site.client)
    response = site.submit("letter", face="D")
    assert "about one letter" in read_error(response)


def test_the_letter_belongs_to_the_last_play_on_the_square() -> None:
    square = parse_square("b4")
    first, over, last = parse_play(EXAMPLE[0]), parse_play("W@b4"), parse_play(EXAMPLE[1])

    def make_question(*events: Play | None) -> Question:
        return Question("0", "play", (Outcome.of(*events, share=0.9),), square, None)

    assert with_letter(make_question(first, over, last), "T").events == (first, parse_play("T@b4"), last)
    assert with_letter(make_question(first, last), "T").events[0] == parse_play("T@b4 O@c4 O@d4 D@e4")
    assert with_letter(make_question(None, last), "T").events == (None, parse_play("T@b4 E@e5 A@e6 R@e7"))
    assert name_asked_square(make_question(None)) == ""
    assert name_asked_square(replace(make_question(first), square=None)) == ""


# The editor beside the photograph


def pictures(page: str) -> set[str]:
    return set(re.findall(r"/pictures/([0-9a-f]{24})-(?:photo|overlay)\.jpg", page))


def test_the_editor_shows_the_photograph_that_is_asked_about(site: Site) -> None:
    assert pictures(text(site.client.get("/games/1/play"))) == set()
    asked = ask(site.services, ASKED)
    assert asked.question is not None
    page = text(site.client.get("/games/1/play?tiles=M@b4"))
    assert pictures(page) == {asked.question.photo}
    assert '<details class="card fold photo" open>' in page
    assert "What was read" in page


def test_a_past_turn_is_put_right_beside_its_own_photograph(site: Site) -> None:
    for tiles in EXAMPLE[:2]:
        ask(site.services, sure(tiles))
    open_game = ask(site.services, ASKED)
    photos = site.services.photos(open_game)
    for what in ("correct", "insert"):
        page = text(site.client.get(f"/games/1/turns/1/{what}"))
        assert pictures(page) == {photos[1].key}
        assert '<details class="card fold photo">' in page
    tiles = "X@a1 X@b1"
    page = text(site.submit("turns/2/correct", tiles=tiles))
    assert pictures(page) == {photos[2].key}
