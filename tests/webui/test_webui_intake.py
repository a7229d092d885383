"""From photographs to turns: what is certain is entered, what is not is asked, nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from presencekit import there
from readings import write_over
from webkit import (
    EXAMPLE,
    EXAMPLE_POINTS,
    READING,
    ScriptedReader,
    Site,
    because,
    doubt,
    enter_plays,
    finding,
    make_finding,
    make_tracked,
    outcome,
    picture,
    really,
    sure,
    text,
)

from engine import Game, Revision, format_play, parse_play, parse_square
from vision import Belief, Finding, Kind, Outcome
from vision.hidden.occlusion import CutOff
from vision.images import Image
from vision.turn.look import Look
from vision.turn.prior import FRESH, Gap
from vision.turn.reasons import Doubt, Reason
from vision.turn.story import Story
from webui.errors import Outdated, WebError
from webui.ports import TurnQuery
from webui.services import Services
from webui.table.games import OpenGame
from webui.table.intake import is_asked_about, repeats_question
from webui.table.question import Question, dump_question, load_question, question_text
from webui.views.answers import view_answers
from webui.views.game import view_game


def take(services: Services, game: OpenGame, *script: Finding | tuple[Belief, Finding]) -> OpenGame:
    """Take a photograph for each finding; the game afterwards."""
    for said in script:
        services.config.reader.say([said])  # type: ignore[attr-defined]
        services.intake.take(game.row.id, picture(), "upload")
    return services.games.open(game.row.id)


def test_the_sheets_example_is_entered_from_its_photographs(site: Site) -> None:
    after = take(site.services, site.game, *map(sure, EXAMPLE))
    assert tuple(record.points for record in after.game.turns) == EXAMPLE_POINTS
    assert after.game.totals == {"Red": 8 + 10 + 12 + 16, "Blue": 8 + 5 + 14}
    assert sorted(site.services.photos(after)) == [1, 2, 3, 4, 5, 6, 7]
    assert after.question is None


def test_the_reader_is_told_the_board_before_and_the_play_that_may_come_off(site: Site) -> None:
    after = take(site.services, site.game, sure(EXAMPLE[0]), sure(EXAMPLE[1]))
    before, between = (query.belief for query in site.reader.queries)
    assert (before.board.is_empty, before.last_play) == (True, None)
    assert between.board == between.sheet_board == before.board.with_play(parse_play(EXAMPLE[0]))
    assert between.last_play == parse_play(EXAMPLE[0])
    assert after.game.board.top(parse_square("e7")) == "R"
    assert site.reader.queries[1].settings.edition.name == "8x8"


@pytest.mark.parametrize(("passed", "words", "asked"), [(0, 1, True), (1, 1, False), (0, 2, False)])
def test_a_round_with_fewer_words_than_players_is_asked_about(site: Site, passed: int, words: int, asked: bool) -> None:
    site.services.store.set(site.game.row.id, "every_round", True)
    first, second = ([finding("play", outcome(*tiles), reading=READING)] for tiles in (EXAMPLE[:2], EXAMPLE[2:4]))
    for said in (first, second):  # two whole rounds
        assert take(site.services, site.now(), *said).question is None
    for _ in range(passed):
        site.services.games.change(site.now(), Game.pass_turn)
    after = take(site.services, site.game, finding("play", outcome(*EXAMPLE[4 : 4 + words]), reading=READING))
    assert (after.question is not None) == asked
    assert len(after.game.turns) == 4 + passed + (0 if asked else words)


def test_after_a_pass_that_was_entered_the_next_round_is_whole_again(site: Site) -> None:
    site.services.store.set(site.game.row.id, "every_round", True)
    asked = take(site.services, site.game, sure(EXAMPLE[0]))
    assert question_text(there(asked.question)) == "Is this what was played?"
    assert "If Red passed, tap Skip" in str(there(asked.question).reason)
    answered = site.services.intake.answer(asked, 0, asked.row.version)
    assert [turn.player for turn in answered.game.turns] == ["Red"]
    site.services.games.change(answered, Game.pass_turn)
    again = take(site.services, site.game, sure(EXAMPLE[1]))  # Red passed this time, or Blue
    assert again.question is not None
    assert len(again.game.turns) == 2


def test_a_doubtful_play_waits_for_its_answer(site: Site) -> None:
    asked = take(site.services, site.game, doubt(EXAMPLE[0], "M@b4 O@c4 O@d4", question=parse_square("e4")))
    assert asked.game.turns == ()
    assert asked.question is not None
    assert question_text(asked.question) == "Was D put on e4 this turn?"
    answered = site.services.intake.answer(asked, 0, asked.row.version)
    assert [record.points for record in answered.game.turns] == [8]
    assert answered.question is None
    assert site.services.photos(answered)[1].key == asked.question.photo


def test_an_answer_given_twice_is_entered_once(site: Site) -> None:
    asked = take(site.services, site.game, doubt(*EXAMPLE[:1]))
    site.services.intake.answer(asked, 0, asked.row.version)
    with pytest.raises(Outdated):
        site.services.intake.answer(asked, 0, asked.row.version)
    with pytest.raises(Outdated):
        site.services.intake.answer(site.now(), 0, asked.row.version)
    assert len(site.now().game.turns) == 1


def test_an_answer_that_was_not_offered_is_refused(site: Site) -> None:
    asked = take(site.services, site.game, doubt(EXAMPLE[0]))
    with pytest.raises(WebError, match="isn't one of the answers"):
        site.services.intake.answer(asked, 1, asked.row.version)


def test_a_newer_photograph_takes_the_place_of_an_open_question(site: Site) -> None:
    after = take(site.services, site.game, doubt(EXAMPLE[0]), sure(EXAMPLE[0]))
    assert after.question is None
    assert len(after.game.turns) == 1


def test_a_play_entered_by_hand_settles_the_question_and_keeps_its_photograph(site: Site) -> None:
    asked = take(site.services, site.game, doubt("M@b4 O@c4 O@d4"))
    after = enter_plays(site.services, asked, EXAMPLE[0])
    assert after.question is None
    assert after.game.turns[0].play == parse_play(EXAMPLE[0])
    assert site.services.photos(after)[1].key == there(asked.question).photo


def test_a_question_put_aside_leaves_the_game_as_it_is(site: Site) -> None:
    asked = take(site.services, site.game, make_finding("unclear", "A hand lies over the board."))
    assert question_text(there(asked.question)) == "A hand lies over the board."
    after = site.services.intake.dismiss(asked, asked.row.version)
    assert (after.question, after.game) == (None, site.game.game)


def test_tiles_taken_back_take_back_the_last_play(site: Site) -> None:
    asked = take(site.services, site.game, sure(EXAMPLE[0]), make_finding("removed"))
    after = site.services.intake.answer(asked, 0, asked.row.version)
    assert asked.question is not None
    assert load_question(dump_question(asked.question)) == asked.question
    assert after.game.board.is_empty
    assert after.game.turns[0].taken_back
    assert after.game.current_player == "Red"


def look_as_entered(
    services: Services, game: OpenGame, kind: Kind = "none", *, asked: bool = False
) -> tuple[Belief, Finding]:
    """The board as the scoresheet has it, by a look at what is believed now."""
    belief = services.games.open(game.row.id).belief
    outcomes = (outcome(None, EXAMPLE[0]),) if kind == "play" else ()
    return belief, finding(kind, *outcomes, asked=asked)


@pytest.mark.parametrize("follows", [False, True])
def test_tiles_surely_taken_back_count_as_entered_until_the_table_answers(site: Site, follows: bool) -> None:
    played = take(site.services, site.game, sure(EXAMPLE[0]))
    belief, found = replace(played.belief, entered=((None, 0),)), finding("removed", outcome(None))
    if follows:
        asked = site.services.intake.take_followed(1, make_tracked(found, belief), played.row.version)
    else:
        asked = take(site.services, site.game, (belief, found))
    assert there(asked.question).kind == "removed"
    assert (asked.belief.sheet_board, asked.belief.gap) == (played.game.board, Gap(open=True))


@pytest.mark.parametrize("kind", ["none", "play"])
def test_a_photograph_of_tiles_laid_again_settles_the_question_about_them(site: Site, kind: Kind) -> None:
    asked = take(site.services, site.game, sure(EXAMPLE[0]), make_finding("removed"))
    after = take(site.services, site.game, look_as_entered(site.services, site.game, kind, asked=kind == "play"))
    assert after.question is None
    assert after.game == asked.game


@pytest.mark.parametrize("before", ["nothing", "unclear", "none", "doubtful"])
def test_a_photograph_without_a_change_may_be_of_a_pass(site: Site, before: str) -> None:
    first = {"nothing": [], "unclear": [make_finding("unclear", "A hand.")], "none": [make_finding("none")]}
    take(site.services, site.game, sure(EXAMPLE[0]), *first.get(before, [make_finding("removed")]))
    after = take(site.services, site.game, look_as_entered(site.services, site.game, asked=before == "doubtful"))
    assert there(after.question).kind == "none"


def test_two_plays_in_one_photograph_are_entered_in_order(site: Site) -> None:
    both = outcome(*EXAMPLE[:2], share=0.5)
    asked = take(site.services, site.game, finding("play", both, asked=True, reason=because("Two plays.")))
    after = site.services.intake.answer(asked, 0, asked.row.version)
    assert [record.player for record in after.game.turns] == ["Red", "Blue"]
    assert after.game.totals == {"Red": 8, "Blue": 8}


WINE = ("W@b4 I@c4 N@d4", "E@e4")
"""Plays that cover the whole first word, one after the other."""


@pytest.mark.parametrize(
    ("looks", "later", "said"),
    [
        (1, ["W@b4"], "first Red ·OOD 8, then Blue WOOD 5"),
        (2, ["W@b4"], "first Red MOOD 8, then Blue WOOD 5"),
        (1, WINE, "first Red four letters, 8 points, then Blue WIN· 7, then Red WINE 8"),
        (2, WINE, "first Red MOOD 8, then Blue WIND 7, then Red WINE 8"),
    ],
)
def test_letters_that_no_picture_showed_are_left_open_in_an_answer(
    site: Site, looks: int, later: list[str], said: str
) -> None:
    both = finding("play", outcome(EXAMPLE[0], *later, share=0.5), asked=True, reason=because("Two plays."))
    asked = take(site.services, site.game, both)
    assert asked.question is not None
    look = Look(8, b"")
    seen = replace(asked, belief=replace(asked.belief, looks=(look,) * looks, gaps=(FRESH,) * looks))
    (answer,) = view_answers(seen, asked.question)
    assert (answer.words, answer.covered) == (said, "·" in said)


def test_answers_that_differ_in_a_letter_nobody_saw_are_one_button(site: Site) -> None:
    letters = (outcome(f"{face}@b4 O@c4 O@d4 D@e4", "W@b4", share=0.4) for face in "MFG")
    found = finding("play", *letters, outcome("M@b4 W@c4", share=0.1), asked=True, reason=because("Two plays."))
    asked = take(site.services, site.game, found)
    open_game = replace(asked, belief=replace(asked.belief, looks=(Look(8, b""),), gaps=(FRESH,)))
    look = there(view_game(open_game, {}, kinds=lambda key: ()).look)
    assert [answer.index for answer in look.answers] == [0, 3]
    assert look.answers[0].covered


def test_an_earlier_turn_is_put_right_by_a_photograph_and_a_tap(site: Site) -> None:
    asked = take(site.services, site.game, sure("M@b4 O@c4 O@d4 N@e4"), really(EXAMPLE[0], EXAMPLE[1]))
    assert asked.question is not None
    assert load_question(dump_question(asked.question)) == asked.question
    (answer,) = view_answers(asked, asked.question)
    assert answer.words == "turn 1 was MOOD 8, not MOON 8, then DEAR: 8 points"
    after = site.services.intake.answer(asked, 0, asked.row.version)
    assert [record.play for record in after.game.turns] == [parse_play(EXAMPLE[0]), parse_play(EXAMPLE[1])]


def test_a_sure_play_that_no_board_can_hold_is_asked_about_instead(site: Site) -> None:
    asked = take(site.services, site.game, sure("M@b4 O@b4"))
    assert asked.game.turns == ()
    assert there(asked.question).kind == "unclear"


def test_choices_that_no_board_can_hold_are_left_out(site: Site) -> None:
    asked = take(site.services, site.game, doubt("M@b4 O@b4", EXAMPLE[0]))
    assert asked.question is not None
    assert [each.play for each in asked.question.outcomes] == [parse_play(EXAMPLE[0])]
    assert question_text(asked.question) == "Is this what was played?"


def test_a_word_that_nobody_challenges_stands(site: Site) -> None:
    after = take(site.services, site.game, sure("X@b4 X@c4 X@d4"))
    (record,) = after.game.turns
    assert record.points == 6
    assert record.verdict is not None
    assert [violation.rule for violation in record.verdict.violations] == ["7"]


def meanwhile(
    services: Services, reader: ScriptedReader, monkeypatch: pytest.MonkeyPatch, *acts: Callable[[Game], Game]
) -> None:
    """Let somebody act during each of the next looks, at which FIRST is seen, or that nothing is new once it stands."""
    left = list(acts)

    def slow(image: Image, query: TurnQuery) -> tuple[Belief, Finding]:
        if left:
            services.games.change(services.games.open(1), left.pop(0))
        return query.belief, finding("none") if query.belief.board.tile_count() else sure(EXAMPLE[0])

    monkeypatch.setattr(reader, "read_turn", slow)


def test_a_photograph_on_its_way_while_something_is_entered_is_weighed_against_that(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody types the very play: no pass is asked about."""
    meanwhile(site.services, site.reader, monkeypatch, lambda before: before.play(parse_play(EXAMPLE[0])))
    taken = site.services.intake.take(site.game.row.id, picture(), "upload")
    assert (taken.open_game.question, len(taken.open_game.game.turns)) == (None, 1)
    assert "already on the scoresheet" in str(taken.message)


def test_a_photograph_on_its_way_while_somebody_passes_is_taken_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may show what was played before the pass."""
    meanwhile(site.services, site.reader, monkeypatch, lambda before: before.pass_turn())
    with pytest.raises(Outdated, match="Take it again"):
        site.services.intake.take(site.game.row.id, picture(), "upload")
    assert [record.kind for record in site.now().game.turns] == ["pass"]


def test_a_game_changed_twice_while_its_photograph_is_read_is_left_as_it_is(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays = [parse_play(text) for text in EXAMPLE[:2]]
    meanwhile(site.services, site.reader, monkeypatch, *(lambda before, play=play: before.play(play) for play in plays))
    with pytest.raises(Outdated, match="Take it again"):
        site.services.intake.take(site.game.row.id, picture(), "upload")
    assert len(site.now().game.turns) == 2


def test_no_turn_is_taken_once_the_game_is_over(site: Site) -> None:
    site.services.games.change(site.game, lambda before: before.end("agreed", (0, 0)))
    with pytest.raises(WebError, match="has ended"):
        site.services.intake.take(site.game.row.id, picture(), "upload")


@pytest.mark.parametrize(
    ("tiles", "text"),
    [
        (("D@e4 O@c4", "D@e4 Qu@c4"), "Is this O or Qu at c4?"),
        (("D@e4 O@c4", "D@e4 Qu@c4", "D@e4 C@c4"), "Is this O, Qu or C at c4?"),
        (("D@e4 O@c4", "D@e4"), "Was O put on c4 this turn?"),
        (("D@e4 O@c4", "A@e4 O@c4"), "Which of these was played?"),
    ],
)
def test_the_question_names_the_letters_and_the_square(site: Site, tiles: tuple[str, ...], text: str) -> None:
    asked = take(site.services, site.game, doubt(*tiles, question=parse_square("c4")))
    assert asked.question is not None
    assert question_text(asked.question) == text
    assert load_question(dump_question(asked.question)) == asked.question


def test_a_question_about_a_hidden_square_points_at_no_letter_of_the_picture() -> None:
    offered = tuple(outcome(tiles, share=0.5) for tiles in ("D@e4 O@c4", "D@e4 Qu@c4"))
    question = Question("a", "play", offered, parse_square("c4"), None, None, "c4 is hidden behind the stack on c5.")
    assert question_text(question) == "What is on c4: O or Qu?"


@pytest.mark.parametrize(
    ("choices", "typed", "asked"),
    [
        ([["M@b4 O@c4"], ["M@b4 A@c4"]], "W@b4 O@c4", True),
        ([["M@b4 O@c4"], ["M@b4"]], "M@b4 O@c4 W@d4", True),
        ([["M@b4 O@c4"]], "M@b5", False),
        ([["M@b4 O@c4"], ["M@b4", "O@c4"]], "M@b4", False),
        ([["M@b4 O@c4"], ["M@b4", "O@c4"]], "M@b4 O@c4", True),
        ([["M@b4", "O@c4"]], "M@b4", False),
    ],
)
def test_a_typed_play_is_what_was_asked_about_unless_it_is_the_first_of_two(
    choices: list[list[str]], typed: str, asked: bool
) -> None:
    offered = tuple(outcome(*events, share=0.5) for events in choices)
    assert is_asked_about(parse_play(typed), Question("a", "play", offered, None, None)) == asked


def test_the_first_of_two_turns_told_by_hand_has_the_second_read_again(site: Site) -> None:
    """The photograph shows both, and only the first was told."""
    asked = take(site.services, site.game, finding("play", outcome(*EXAMPLE[:2]), asked=True))
    site.reader.say([sure(EXAMPLE[1])])
    first = "W@b4 O@c4 O@d4 D@e4"
    after = site.services.intake.enter_and_read_on(asked, parse_play(first), asked.row.version)
    assert [turn.play for turn in after.game.turns] == [parse_play(first), parse_play(EXAMPLE[1])]
    assert (after.question, sorted(site.services.photos(after))) == (None, [1, 2])


def test_a_phones_photograph_of_what_a_camera_has_just_entered_is_of_no_pass(site: Site) -> None:
    same = finding("none")
    site.reader.say([sure(EXAMPLE[0]), same, same])
    site.services.intake.take(site.game.row.id, picture(), "camera")
    again = site.services.intake.take(site.game.row.id, picture(), "upload")
    assert again.open_game.question is None
    assert "already on the scoresheet" in str(again.message)
    asked = site.services.intake.take(site.game.row.id, picture(), "camera")
    assert asked.open_game.question is not None


@pytest.mark.parametrize("photographed", [0, 1])
def test_whether_a_play_goes_on_no_photograph_tells(site: Site, photographed: int) -> None:
    """The same again, or the next play seen: the question stays until somebody answers it."""
    first, rest = "M@b4 O@c4", "O@d4 D@e4"
    asked = replace(doubt(rest, "T@b5"), reason=Doubt(Reason.GOES_ON))
    after = take(site.services, site.game, sure(first), asked, sure((rest, "T@b5")[photographed]))
    assert after.question is not None
    assert after.question.reason == Doubt(Reason.GOES_ON)
    assert [format_play(turn.play) for turn in after.game.turns if turn.play] == [first]
    assert len(after.question.outcomes) == (1 if photographed else 2)


def test_a_question_that_an_earlier_version_stored_still_counts_by_its_reason() -> None:
    question = Question("0" * 24, "play", (), None, Doubt(Reason.GOES_ON))
    stored = json.loads(dump_question(question))
    assert stored["reason"] == {"name": "GOES_ON", "details": []}
    older = {**stored, "reason": "One turn or two? This may be the rest of the last play."}
    assert load_question(json.dumps(older)) == question
    unknown = there(load_question(json.dumps({**stored, "reason": "Was it so?"})))
    assert unknown.reason == because("Was it so?")


def test_a_question_is_the_same_once_it_was_stored() -> None:
    """It tells what changes on the scoresheet, not what stays there."""
    first, second = map(parse_play, EXAMPLE[:2])
    answers = (Outcome(Story((first, second)), 1, 0, 0.6), outcome(*reversed(EXAMPLE[:2]), replaces=1, share=0.4))
    asked = finding("play", *answers, asked=True, square=parse_square("e4"), reason=because("Was it so?"))
    question = Question.of(asked, "0" * 24)
    assert [each.revision for each in question.outcomes] == [Revision((second,)), Revision((second, first), replaces=1)]
    assert load_question(dump_question(question)) == question
    assert repeats_question(asked, question)


def test_a_question_of_an_earlier_version_is_loaded() -> None:
    choices = [{"events": ["M@b4 O@c4", None], "replaces": 1, "confidence": 0.75}]
    stored = {"photo": "0" * 24, "kind": "play", "choices": choices, "question": "b4", "reason": None}
    answer = Outcome.of(parse_play("M@b4 O@c4"), None, replaces=1, share=0.75)
    assert load_question(json.dumps(stored)) == Question("0" * 24, "play", (answer,), parse_square("b4"), None)


def test_only_what_is_in_doubt_has_more_than_one_answer() -> None:
    plays = outcome(EXAMPLE[0], share=0.9), outcome(EXAMPLE[1], share=0.1)
    assert finding("play", *plays).answers == plays[:1]
    assert finding("play", *plays, asked=True).answers == plays
    assert finding("none", *plays, asked=True).answers == ()


def test_a_photograph_is_kept_with_pictures_to_check_its_reading_with(site: Site) -> None:
    asked = doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4", question=parse_square("e4"))
    question = there(take(site.services, site.game, replace(asked, play=parse_play(EXAMPLE[0]))).question)
    assert site.services.shelf.kinds(question.photo) == ("photo", "overlay", "square")
    close = there(cv2.imread(str(site.services.shelf.path(question.photo, "square"))))
    assert close.shape == (400, 400, 3)
    question = there(take(site.services, site.game, make_finding("unclear", "No board was found.")).question)
    assert site.services.shelf.kinds(question.photo) == ("photo",)


@pytest.mark.parametrize(
    ("plays", "square"),
    [
        (("M@b4 O@c4 O@d4 D@e4", "F@b4 O@c4 O@d4 T@e4", "W@b4 O@c4 O@d4 D@e4"), "b4"),
        (("M@b4 O@c4 O@d4", "M@b4 O@c4 O@d4 S@e4"), "e4"),
        (("M@b4 O@c4 O@d4 D@e4",), None),
    ],
)
def test_a_close_up_shows_the_square_that_decides_most(site: Site, plays: tuple[str, ...], square: str | None) -> None:
    question = there(take(site.services, site.game, replace(doubt(*plays), play=parse_play(plays[0]))).question)
    assert ("square" in site.services.shelf.kinds(question.photo)) == (square is not None)
    assert (f"{square} is framed" in text(site.client.get("/games/1"))) == (square is not None)


def test_what_is_out_of_the_picture_is_told_once(site: Site) -> None:
    """The question may tell it, and then the notice does not."""
    cut_off = CutOff(np.eye(8, dtype=bool), ("right",))
    asked = make_finding("unclear", "A hand.")
    for reason, notice in ((asked.reason, cut_off.text()), (Doubt(Reason.CUT_OFF, (cut_off.text(),)), None)):
        cut = replace(asked, reason=reason, reading=replace(READING, cut_off=cut_off))
        site.reader.say([cut])
        assert site.services.intake.take(1, picture(), "upload").message == notice
    site.reader.say([replace(asked, reading=READING)])
    assert site.services.intake.take(1, picture(), "upload").message is None


def test_text_of_the_camera_is_told_beside_what_is_out_of_the_picture(site: Site) -> None:
    cut_off = CutOff(np.eye(8, dtype=bool), ("right",))
    reading = replace(write_over(READING, (0, 1)), cut_off=cut_off)
    assert reading.camera_text is not None
    site.reader.say([replace(make_finding("unclear", "A hand."), reading=reading)])
    notice = site.services.intake.take(1, picture(), "upload").message
    assert notice == f"{cut_off.text()} {reading.camera_text.text()}"


def test_one_thing_is_said_at_a_time(site: Site) -> None:
    """The next photograph says what to watch out for."""
    reading = write_over(READING, (0, 1))
    site.reader.say([finding("none", reading=reading), replace(sure(EXAMPLE[0]), reading=reading)])
    messages = [site.services.intake.take(1, picture(), "upload").message for _ in range(2)]
    assert reading.camera_text is not None
    assert messages == [
        "The board is still empty. Photograph it again after the first word.",
        reading.camera_text.text(),
    ]
