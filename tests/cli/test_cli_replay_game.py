"""The game that a replay writes down: whose points, which turn, and what later sight puts right."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from clikit import EXAMPLE, EXAMPLE_POINTS, boards_of, make_finding, no_play
from enginekit import board_with
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    SHEET_RULES,
    Board,
    Game,
    HouseRules,
    Lexicon,
    Play,
    find_edition,
    format_play,
    parse_play,
    parse_square,
)
from upscore.commands.replay.game import ReplayGame
from upscore.commands.replay.report import final_line, line_of
from vision import Finding, GameSettings, Kind, Outcome
from vision.board.grid_doubt import GridDoubt
from vision.turn.reasons import Doubt, Reason, grid_doubt
from vision.turn.story import CertainBoard, Story

EDITION = find_edition("8x8")
BOARDS = boards_of(EXAMPLE)


class Sheet:
    """Enters findings and keeps the lines; `first` is the number of the board that it starts from.

    `start` is where the outcomes of the next finding begin.
    """

    def __init__(
        self,
        players: str = "Red Blue",
        first: int = 0,
        *,
        turns_a_look: int = 1,
        words: str = "",
        board: Board | None = None,
        rules: HouseRules = SHEET_RULES,
    ) -> None:
        lexicon = Lexicon.from_words(words.split(), name="a few") if words else None
        start = BOARDS[first] if board is None else board
        game = Game.start(EDITION, players.split(), rules, lexicon=lexicon, board=start)
        self.state, self.start, self.rules = ReplayGame(game, turns_a_look), CertainBoard(start), rules

    def enter(
        self, finding: Finding, covered: str = "", *, amends: bool = False, again: bool = False
    ) -> dict[str, Any]:
        """Enter a finding and return its line; `covered` are the squares whose heights aren't seen, by name."""
        hidden = frozenset(map(parse_square, covered.split()))
        before = self.state
        self.state, entry = before.enter(finding, self.start, hidden, amends=amends, again=again)
        return line_of(before, self.state, entry, self.start, GameSettings(EDITION, rules=self.rules))

    def play(self, *plays: str, asked: bool = False) -> None:
        for play in plays:
            self.enter(make_finding(play, asked=asked))

    @property
    def final(self) -> dict[str, Any]:
        return final_line(self.state)


def words(line: dict[str, Any]) -> list[str]:
    return [word["word"] for word in line["words"]]


def test_the_sheets_game() -> None:
    sheet = Sheet()
    lines = [sheet.enter(make_finding(play)) for play in EXAMPLE]
    assert [line["points"] for line in lines] == list(EXAMPLE_POINTS)
    assert [line["turn"] for line in lines] == [1, 2, 3, 4, 5, 6, 7]
    assert [line["player"] for line in lines[:3]] == ["Red", "Blue", "Red"]
    assert lines[4]["tiles"] == [
        {"row": 3, "col": 4, "letter": "L", "height": 2},
        {"row": 6, "col": 4, "letter": "P", "height": 2},
    ]
    assert lines[4]["words"] == [{"word": "LEAP", "points": 6}, {"word": "WOOL", "points": 6}]
    assert lines[-1]["totals"] == {"Red": 46, "Blue": 27}
    assert sheet.final == {"final": {"Red": 46, "Blue": 27}, "turns": 7, "review": 0}


def test_an_illegal_play_scores_and_says_why() -> None:
    line = Sheet().enter(make_finding("a1-CAT"))
    assert (line["legal"], line["points"]) == (False, 6)
    assert line["reasons"][0]["rule"] == "3"


@pytest.mark.parametrize("kind", ["none", "unclear"])
def test_a_turn_without_a_play_passes_to_the_next_player(kind: Kind) -> None:
    sheet = Sheet("Red Blue Green")
    sheet.play(EXAMPLE[0])
    line = sheet.enter(no_play(kind, asked=True))
    assert (line["kind"], line["tiles"], line["words"], line["points"]) == (kind, [], [], 0)
    assert (line["turn"], line["player"]) == (2, "Blue")
    assert (line["needs_review"], line["reason"], line["legal"]) == (True, "Why?", True)
    assert sheet.enter(make_finding(EXAMPLE[1]))["player"] == "Green"
    assert sheet.final == {"final": {"Red": 8, "Blue": 0, "Green": 8}, "turns": 3, "review": 1}


def test_a_turn_without_new_tiles_is_asked_about_and_counts_as_a_pass() -> None:
    sheet = Sheet("Red Blue Green")
    sheet.play(EXAMPLE[0])
    line = sheet.enter(no_play("none"))
    assert (line["player"], line["needs_review"], line["reason"]) == ("Blue", True, str(Doubt(Reason.PASS_OR_AGAIN)))
    assert sheet.enter(make_finding(EXAMPLE[1]))["player"] == "Green"
    assert sheet.final["review"] == 1


@pytest.mark.parametrize("kind", ["none", "unclear"])
def test_the_same_turn_again_is_no_turn(kind: Kind) -> None:
    sheet = Sheet()
    line = sheet.enter(no_play(kind), again=True)
    assert (line["turn"], line["player"], line["needs_review"]) == (1, "Red", False)
    sheet.play(EXAMPLE[0])
    line = sheet.enter(no_play(kind), again=True)
    assert (line["turn"], line["player"], line["tiles"], line["words"], line["points"]) == (1, "Red", [], [], 0)
    assert (line["needs_review"], line["totals"]) == (False, {"Red": 8, "Blue": 0})
    assert sheet.final == {"final": {"Red": 8, "Blue": 0}, "turns": 1, "review": 0}


@pytest.mark.parametrize("kind", ["none", "unclear"])
def test_a_look_in_which_the_same_turn_was_not_seen_was_no_pass(kind: Kind) -> None:
    sheet = Sheet("Red Blue Green")
    sheet.play(EXAMPLE[0])
    sheet.enter(no_play(kind, asked=kind == "unclear"))
    line = sheet.enter(make_finding(EXAMPLE[1]), again=True)
    assert (line["turn"], line["player"], line["totals"]["Blue"]) == (2, "Blue", 8)
    line = sheet.enter(make_finding(EXAMPLE[2]), again=True)
    assert (line["turn"], line["player"]) == (3, "Green")


def test_the_same_turn_again_may_put_it_right() -> None:
    sheet = Sheet()
    sheet.play("b4-MOOQu", asked=True)
    line = sheet.enter(make_finding(EXAMPLE[0], replaces=1, reason=Doubt(Reason.REVISED)), again=True)
    assert (line["turn"], line["kind"], words(line["revised"])) == (1, "none", ["MOOD"])
    assert sheet.final == {"final": {"Red": 8, "Blue": 0}, "turns": 1, "review": 1}


def test_a_film_asks_about_no_pass() -> None:
    sheet = Sheet(turns_a_look=0)
    sheet.play("b4-MOOQu", asked=True)
    line = sheet.enter(make_finding(EXAMPLE[0], replaces=1, reason=Doubt(Reason.REVISED)))
    assert (line["kind"], line["needs_review"]) == ("none", False)
    assert sheet.final["turns"] == 1


def after_an_open_question(*looks: Finding, other: str = "b4-MOOD") -> Sheet:
    """Return a game whose first word, MOO, is in doubt; nobody answered."""
    sheet = Sheet()
    sheet.enter(make_finding("b4-MOO", asked=True, others=(other,)))
    for finding in looks:
        sheet.enter(finding)
    sheet.start = CertainBoard(BOARDS[0].with_play(parse_play("b4-MOO")))
    return sheet


@pytest.mark.parametrize("unseen", [2, 3])
def test_a_play_through_a_stack_that_a_question_left_open_is_provisional(unseen: int) -> None:
    sheet = after_an_open_question(*[no_play("unclear", asked=True)] * unseen)
    line = sheet.enter(make_finding("e4-N"))
    assert (line["points"], line["needs_review"]) == (8, True)
    assert line["reason"] == "Please check what lies on e4. This play counts it."
    assert sheet.enter(make_finding("b5-A"))["needs_review"] is False
    assert sheet.final["review"] == 2 + unseen


def test_a_letter_that_was_open_counts_no_longer_once_another_covers_it() -> None:
    unseen = [no_play("unclear", asked=True)] * 2
    assert after_an_open_question(*unseen, other="b4-MOB").enter(make_finding("e4-N"))["needs_review"] is True
    sheet = after_an_open_question(*unseen, other="b4-MOB")
    assert sheet.enter(make_finding("D@d4 S@e4"))["needs_review"] is False
    sheet.start = CertainBoard(sheet.state.game.board)
    assert sheet.enter(make_finding("f4-Y"))["needs_review"] is False


def test_a_look_that_is_sure_of_an_open_stack_settles_it() -> None:
    sheet = after_an_open_question(no_play("unclear", asked=True))
    assert sheet.enter(make_finding("e4-N"))["needs_review"] is False


def play_unconfirmed(covered: str, words: str = "") -> Sheet:
    """Return a game whose first word, MOO, was asked about with no alternative, while stacks covered some squares."""
    sheet = Sheet(words=words)
    sheet.enter(make_finding("b4-MOO", asked=True), covered)
    sheet.start = CertainBoard(BOARDS[0].with_play(parse_play("b4-MOO")))
    return sheet


def test_a_height_that_no_look_saw_stays_open_after_a_question_that_nobody_answered() -> None:
    sheet = play_unconfirmed(covered="d4 g8")
    line = sheet.enter(make_finding("e4-D"), "d4")
    assert (line["needs_review"], line["reason"]) == (True, "Please check what lies on d4. This play counts it.")
    assert play_unconfirmed(covered="").enter(make_finding("e4-D"), "d4")["needs_review"] is False


@pytest.mark.parametrize(("play", "asked"), [("E@e5 A@e6", True), ("D@e4", True), ("F@a4", True), ("b5-A", False)])
def test_a_play_beside_a_square_that_may_hold_a_tile_is_provisional(play: str, asked: bool) -> None:
    """MOO was entered, but it may have been MOOD: a tile on e4 would be part of every word made there."""
    sheet = after_an_open_question(*[no_play("unclear", asked=True)] * 3)
    assert sheet.enter(make_finding(play))["needs_review"] is asked


@pytest.mark.parametrize("reason", [grid_doubt(GridDoubt.UNLETTERED), grid_doubt(GridDoubt.BORDER)])
def test_no_look_settles_whether_print_on_the_board_was_taken_for_a_play(reason: Doubt) -> None:
    sheet = Sheet()
    sheet.enter(make_finding("b4-MOO", asked=True, reason=reason))
    sheet.start = CertainBoard(sheet.state.game.board)
    assert sheet.enter(make_finding("e4-D"))["needs_review"] is (reason == grid_doubt(GridDoubt.UNLETTERED))


def test_print_that_was_taken_for_a_play_is_of_no_account_once_another_play_took_its_place() -> None:
    sheet = Sheet()
    sheet.enter(make_finding("b4-MOO", asked=True, reason=grid_doubt(GridDoubt.UNLETTERED)))
    sheet.enter(make_finding("d4|TEN", replaces=1, asked=True, reason=Doubt(Reason.REVISED)))
    sheet.start = CertainBoard(sheet.state.game.board)
    assert sheet.enter(make_finding("A@c5 R@e5"))["needs_review"] is False


def test_a_look_past_the_stacks_settles_a_height_that_was_covered() -> None:
    sheet = play_unconfirmed(covered="d4")
    assert sheet.enter(make_finding("e4-D"))["needs_review"] is False


@pytest.mark.parametrize("asked", [True, False])
def test_a_letter_on_one_that_was_asked_about_may_be_that_one_read_rightly_at_last(asked: bool) -> None:
    """Two plays are seen at once, the first of them an N on the O of MOO: or was it MON, and the stack is no higher?"""
    sheet = Sheet()
    sheet.enter(make_finding("b4-MOO", asked=asked))
    sheet.start = CertainBoard(sheet.state.game.board)
    sheet.enter(make_finding("N@d4", "b5-AN", asked=True))
    sheet.start = CertainBoard(sheet.state.game.board)
    assert sheet.enter(make_finding("a8-TO"))["needs_review"] is False
    sheet.start = CertainBoard(sheet.state.game.board)
    line = sheet.enter(make_finding("e4-D"))
    assert line["needs_review"] is asked
    told = "Please check what lies on d4. This play counts it." if asked else None
    assert line.get("reason") == told


@pytest.mark.parametrize(("words", "settled"), [("MOO MOOD", True), ("MOO MOON", False)])
def test_a_play_that_makes_no_word_settles_no_stack_of_it(words: str, settled: bool) -> None:
    sheet = play_unconfirmed(covered="d4", words=words)
    assert sheet.enter(make_finding("e4-D"))["needs_review"] is not settled
    assert (parse_square("d4") in sheet.state.open_stacks.heights) is not settled


def test_a_look_that_leaves_an_open_stack_open_does_not_settle_it() -> None:
    sheet = after_an_open_question()
    sheet.enter(make_finding("b5-A", asked=True, others=("e4-D",)))
    sheet.start = CertainBoard(sheet.state.game.board)
    sheet.enter(make_finding("b6-T", asked=True, others=("e4-D",)))
    sheet.start = CertainBoard(sheet.state.game.board)
    assert sheet.enter(make_finding("e4-N"))["needs_review"] is True


def test_tiles_taken_back_undo_their_turn_which_is_played_again() -> None:
    sheet = Sheet("Red Blue Green")
    sheet.play(*EXAMPLE[:2])
    line = sheet.enter(make_finding(None))
    assert (line["kind"], line["turn"], line["player"], line["points"]) == ("removed", 2, "Blue", 0)
    assert (line["words"], line["legal"]) == ([], True)
    assert line["tiles"][0] == {"row": 4, "col": 4, "letter": "E", "height": 1}
    assert line["totals"] == {"Red": 8, "Blue": 0, "Green": 0}
    again = sheet.enter(make_finding("W@b4"))
    assert (again["turn"], again["player"], again["points"]) == (2, "Blue", 5)


def test_tiles_that_were_asked_about_are_still_in_doubt_when_they_are_taken_back() -> None:
    sheet = Sheet()
    sheet.play(EXAMPLE[0])
    sheet.play(EXAMPLE[1], asked=True)
    line = sheet.enter(make_finding(None))
    assert (line["kind"], line["needs_review"], line["reason"]) == ("removed", True, str(Doubt(Reason.DOUBT)))
    assert line["totals"] == {"Red": 8, "Blue": 0}
    again = sheet.enter(make_finding("W@b4"))
    assert (again["turn"], again["player"], again["needs_review"]) == (2, "Blue", False)


def test_tiles_taken_back_and_others_put_down_at_once() -> None:
    sheet = Sheet()
    sheet.play(*EXAMPLE[:2])
    line = sheet.enter(make_finding(None, "W@b4", asked=True))
    assert (line["kind"], line["turn"], line["player"], line["points"]) == ("play", 2, "Blue", 5)
    assert "earlier" not in line
    assert line["totals"] == {"Red": 8, "Blue": 5}


def test_tiles_taken_back_after_a_photograph_in_which_nothing_happened() -> None:
    sheet = Sheet()
    sheet.play(EXAMPLE[0])
    sheet.enter(no_play("none"))
    line = sheet.enter(make_finding(None))
    assert (line["turn"], line["player"], line["totals"]) == (1, "Red", {"Red": 0, "Blue": 0})


def test_a_covered_tile_taken_back_is_named_at_the_height_it_had() -> None:
    sheet = Sheet(first=3)
    sheet.play("W@b4")
    assert sheet.enter(make_finding(None))["tiles"] == [{"row": 3, "col": 1, "letter": "W", "height": 2}]


def test_tiles_that_were_not_taken_back_after_all() -> None:
    sheet = Sheet()
    sheet.play(*EXAMPLE[:2])
    sheet.enter(make_finding(None, asked=True))
    line = sheet.enter(make_finding(EXAMPLE[2], replaces=1, asked=True))
    assert (line["kind"], line["turn"], line["player"], line["points"]) == ("play", 4, "Blue", 10)
    assert line["revised"] == {
        "turn": 2,
        "player": "Blue",
        "tiles": line["revised"]["tiles"],
        "words": [{"word": "DEAR", "points": 8}],
        "points": 8,
        "needs_review": False,
    }
    assert (line["needs_review"], line["totals"]) == (True, {"Red": 8, "Blue": 18})


def test_two_turns_that_were_one_after_which_another_is_seen() -> None:
    sheet = Sheet()
    sheet.play("b4-MO", "d4-OD")
    line = sheet.enter(make_finding(*EXAMPLE[:2], replaces=2, asked=True, reason=Doubt(Reason.REVISED)))
    assert (line["turn"], line["player"], words(line)) == (3, "Red", ["DEAR"])
    assert (line["revised"]["turn"], words(line["revised"])) == (1, ["MOOD"])
    assert (line["needs_review"], line["totals"]) == (True, {"Red": 16, "Blue": 0})


def test_an_amended_play_replaces_the_one_before() -> None:
    sheet = Sheet(turns_a_look=0)
    sheet.play("b4-MO", asked=True)
    line = sheet.enter(make_finding("b4-MOOD", replaces=1), amends=True)
    assert (line["turn"], line["player"], line["points"]) == (1, "Red", 8)
    assert "revised" not in line
    assert sheet.final == {"final": {"Red": 8, "Blue": 0}, "turns": 1, "review": 0}


def test_a_play_hidden_at_its_turn_is_that_turns_when_it_is_seen() -> None:
    sheet = Sheet()
    sheet.enter(no_play("unclear", asked=True))
    line = sheet.enter(make_finding(*EXAMPLE[:2], asked=True, others=[EXAMPLE[0]]))
    assert (line["turn"], line["player"], line["points"]) == (2, "Blue", 8)
    assert (line["earlier"]["turn"], line["earlier"]["player"]) == (1, "Red")
    assert line["earlier"]["words"] == [{"word": "MOOD", "points": 8}]
    assert line["alternatives"][0]["tiles"][3] == {"row": 3, "col": 4, "letter": "D", "height": 1}
    assert line["alternatives"][0]["points"] == 8
    assert line["totals"] == {"Red": 8, "Blue": 8}


def test_a_pass_that_was_seen_stays_one() -> None:
    sheet = Sheet("Red Blue Green")
    sheet.enter(no_play("none"))
    line = sheet.enter(make_finding(*EXAMPLE[:2]))
    assert (line["player"], line["earlier"]["player"]) == ("Green", "Blue")


def test_two_turns_between_looks_are_two_turns() -> None:
    sheet = Sheet("Red Blue Green")
    sheet.play(EXAMPLE[0])
    line = sheet.enter(make_finding(*EXAMPLE[1:3]))
    assert (line["turn"], line["player"], line["earlier"]["player"]) == (3, "Green", "Blue")
    assert line["totals"] == {"Red": 8, "Blue": 8, "Green": 10}


def test_of_three_turns_between_looks_all_are_told() -> None:
    sheet = Sheet("Red Blue Green")
    for _ in range(3):
        sheet.enter(no_play("unclear", asked=True))
    line = sheet.enter(make_finding(*EXAMPLE[:3], asked=True))
    told = (line, line["earlier"], line["earlier"]["earlier"])
    assert [(turn["turn"], turn["player"]) for turn in told] == [(4, "Red"), (3, "Green"), (2, "Blue")]


def test_a_round_in_one_look_is_a_turn_of_each_player() -> None:
    sheet = Sheet(turns_a_look=2)
    for round_ in (EXAMPLE[:2], EXAMPLE[2:4]):
        line = sheet.enter(make_finding(*round_))
        assert (line["player"], line["earlier"]["player"], line["needs_review"]) == ("Blue", "Red", False)
    assert sheet.final["turns"] == 4


def test_in_a_round_with_too_few_plays_the_others_passed_and_it_is_asked_who() -> None:
    sheet = Sheet("Red Blue Green", turns_a_look=3)
    line = sheet.enter(make_finding(EXAMPLE[0]))
    assert (line["turn"], line["player"], line["needs_review"]) == (1, "Red", True)
    assert line["reason"] == "This round has fewer words than players. Who passed?"
    line = sheet.enter(make_finding(EXAMPLE[1]))
    assert (line["turn"], line["player"]) == (4, "Red")
    assert sheet.final == {"final": {"Red": 16, "Blue": 0, "Green": 0}, "turns": 6, "review": 2}


@pytest.mark.parametrize("kind", ["none", "unclear"])
def test_a_round_without_a_play_is_a_pass_of_everybody(kind: Kind) -> None:
    sheet = Sheet(turns_a_look=2)
    line = sheet.enter(no_play(kind, asked=kind == "unclear"))
    assert (line["kind"], line["turn"], line["needs_review"]) == (kind, 2, True)
    line = sheet.enter(make_finding(*EXAMPLE[:2]))
    assert (line["turn"], line["player"], line["earlier"]["player"]) == (4, "Blue", "Red")


def test_of_a_round_that_was_not_seen_a_later_look_tells_the_plays() -> None:
    sheet = Sheet(turns_a_look=2)
    sheet.enter(no_play("unclear", asked=True))
    line = sheet.enter(make_finding(*EXAMPLE[:4], asked=True))
    assert (line["turn"], line["player"]) == (4, "Blue")
    assert sheet.final["turns"] == 4


def test_a_letter_misread_is_corrected_when_later_sight_shows_it() -> None:
    sheet = Sheet()
    sheet.play("b4-MOOQu", asked=True)
    assert sheet.state.game.totals["Red"] == 10  # a Qu in a flat word is worth two more
    line = sheet.enter(make_finding(*EXAMPLE[:2], replaces=1, asked=True, reason=Doubt(Reason.REVISED)))
    assert line["revised"]["turn"] == 1
    assert words(line["revised"]) == ["MOOD"]
    assert line["totals"] == {"Red": 8, "Blue": 8}
    assert line["needs_review"] is False
    assert "reason" not in line


def test_a_correction_of_a_turn_that_was_taken_for_sure_is_asked_about() -> None:
    sheet = Sheet()
    sheet.play("b4-MOOQu")
    line = sheet.enter(make_finding(*EXAMPLE[:2], replaces=1, asked=True, reason=Doubt(Reason.REVISED)))
    assert words(line["revised"]) == ["MOOD"]
    assert (line["needs_review"], line["reason"]) == (True, str(Doubt(Reason.REVISED)))
    assert sheet.final["review"] == 1
    again = sheet.enter(make_finding("b4-WOOD", *EXAMPLE[1:3], replaces=2, asked=True, reason=Doubt(Reason.REVISED)))
    assert again["needs_review"] is False


def test_a_sure_play_is_not_asked_about_though_the_turn_before_it_is_still_to_check() -> None:
    sheet = Sheet()
    sheet.play("b4-MOOQu", asked=True)
    finding = make_finding(*EXAMPLE[:2], replaces=1, asked=True, reason=Doubt(Reason.REVISED))
    (outcome,) = finding.outcomes
    line = sheet.enter(replace(finding, outcomes=(replace(outcome, share=0.6),)))
    assert (line["needs_review"], words(line["revised"])) == (False, ["MOOD"])
    assert line["revised"]["needs_review"]
    assert sheet.final["review"] == 1


def in_some_turn(play: str, *ways: tuple[str, ...]) -> Finding:
    """Return a sure play after the first two of the example, or after equally likely others in `ways`."""
    sheet = (EXAMPLE[0], EXAMPLE[1])
    outcomes = []
    for way in (sheet, *ways):
        kept = sum(mine == its for mine, its in zip(way, sheet, strict=False))
        story = Story(tuple(map(parse_play, (*way, play))))
        outcomes.append(Outcome(story, kept, len(sheet) - kept, 0.99 / (len(ways) + 1)))
    return replace(
        make_finding(play, asked=True, reason=Doubt(Reason.DOUBT), sure=outcomes[0].share),
        outcomes=tuple(outcomes), play=parse_play(play), play_share=0.99,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ways", "asked", "review"),
    [
        ([(EXAMPLE[0], "e5|EA", "e7-R")], True, False),
        ([(EXAMPLE[0], "e5|E", "e6|AR")], True, False),
        ([(EXAMPLE[0], "e5|EA", "e7-R")], False, True),
        ([("b4-MOO", "e4|DEAR")], True, True),
        ([("b4-MO", "d4-OD", EXAMPLE[1])], True, True),
    ],
)
def test_a_sure_play_is_not_asked_about_where_only_an_open_turn_may_have_been_one_or_two(
    ways: list[tuple[str, ...]], asked: bool, review: bool
) -> None:
    sheet = Sheet()
    sheet.play(EXAMPLE[0])
    sheet.play(EXAMPLE[1], asked=asked)
    line = sheet.enter(in_some_turn("d5-N.T", *ways))
    assert (line["needs_review"], words(line)) == (review, ["NET", "ON"])
    assert line["confidence"] == (0.495 if review else 0.99)


def test_a_correction_that_is_sure_is_not_to_be_checked_again() -> None:
    sheet = Sheet()
    sheet.play("b4-MOOQu", asked=True)
    line = sheet.enter(make_finding(*EXAMPLE[:2], replaces=1, asked=True, reason=Doubt(Reason.REVISED)))
    assert line["revised"]["needs_review"] is False


def with_the_first_in_doubt(sure: float, *, sure_turn: float = 0.99) -> Finding:
    """Return a sure second play of the example. The first play has this share, and WOOD the rest."""
    plays = [tuple(map(parse_play, (first, EXAMPLE[1]))) for first in (EXAMPLE[0], "b4-WOOD")]
    best, other = Outcome(Story(plays[0]), 1, 0, sure), Outcome(Story(plays[1]), 0, 1, sure_turn - sure)
    return replace(make_finding(EXAMPLE[1]), outcomes=(best, other))


def test_a_turn_that_was_asked_about_and_is_certain_now_is_told() -> None:
    sheet = Sheet(turns_a_look=0)
    sheet.play(EXAMPLE[0], asked=True)
    line = sheet.enter(with_the_first_in_doubt(0.97))
    assert line["needs_review"] is False
    assert (line["revised"]["turn"], words(line["revised"])) == (1, ["MOOD"])
    assert line["revised"]["needs_review"] is False


@pytest.mark.parametrize(("turns_a_look", "sure", "told"), [(0, 0.5, False), (0, 0.85, True), (1, 0.5, True)])
def test_a_letter_that_was_open_in_a_film_stays_to_be_checked(turns_a_look: int, sure: float, told: bool) -> None:
    """The camera stands still, and misreads it again. A photograph is taken from another place."""
    sheet, amended = Sheet(turns_a_look=turns_a_look), Sheet(turns_a_look=turns_a_look)
    sheet.enter(make_finding(EXAMPLE[0], asked=True, sure=sure))
    amended.play("b4-MOO", asked=True)
    amended.enter(make_finding(EXAMPLE[0], replaces=1, asked=True, sure=sure), amends=True)
    assert [("revised" in each.enter(with_the_first_in_doubt(0.97))) for each in (sheet, amended)] == [told, told]


@pytest.mark.parametrize(("unseen", "told"), [(2, False), (1, True)])
def test_a_turn_that_counts_a_stack_that_nobody_can_settle_stays_to_be_checked(unseen: int, told: bool) -> None:
    """MOO may be one letter high or two at e4, and N lies on it: the letters are certain, the points are not."""
    sheet = after_an_open_question(*[no_play("unclear", asked=True)] * unseen)
    sheet.enter(make_finding("e4-N", asked=True))
    plays = tuple(map(parse_play, ("e4-N", "b5-A")))
    later = replace(make_finding("b5-A"), outcomes=(Outcome(Story(plays), 1, 0, 0.99),))
    assert ("revised" in sheet.enter(later)) is told


def test_a_turn_that_breaks_a_rule_stays_to_be_checked_however_often_it_is_seen() -> None:
    """Tiles in a row and a column are a breach, or two plays that no picture parted. Later pictures show the same."""
    sheet = Sheet(turns_a_look=0)
    sheet.play(EXAMPLE[0])
    crooked = "d3-N d5-D c6-A"
    sheet.play(crooked, asked=True)
    plays = tuple(map(parse_play, (EXAMPLE[0], crooked, "e5-R")))
    line = sheet.enter(replace(make_finding("e5-R"), outcomes=(Outcome(Story(plays), 2, 0, 0.99),)))
    assert "revised" not in line


def test_a_play_that_was_taken_back_is_not_told_again() -> None:
    sheet = Sheet(turns_a_look=0)
    sheet.play(EXAMPLE[0], asked=True)
    sheet.enter(make_finding(None))
    first = parse_play(EXAMPLE[0])
    line = sheet.enter(replace(make_finding(EXAMPLE[0]), outcomes=(Outcome(Story((first, None, first)), 2, 0, 0.99),)))
    assert "revised" not in line


@pytest.mark.parametrize("asked", [True, False])
def test_a_turn_that_is_not_certain_yet_or_was_never_asked_about_is_not_told_again(asked: bool) -> None:
    sheet = Sheet(turns_a_look=0)
    sheet.play(EXAMPLE[0], asked=asked)
    line = sheet.enter(with_the_first_in_doubt(0.9 if asked else 0.97))
    assert "revised" not in line


@pytest.mark.parametrize(
    "finding",
    [
        make_finding(*EXAMPLE[:2], replaces=1, asked=True, reason=Doubt(Reason.REVISED), sure=0.8),
        make_finding(*EXAMPLE[:3], replaces=1, asked=True, reason=Doubt(Reason.REVISED)),
        make_finding(EXAMPLE[0], "S@h8", replaces=1, asked=True, reason=Doubt(Reason.REVISED)),
        make_finding(EXAMPLE[0], replaces=1, asked=True, reason=Doubt(Reason.REVISED)),
    ],
)
def test_a_correction_beside_which_something_is_odd_is_asked_about(finding: Finding) -> None:
    sheet = Sheet()
    sheet.play("b4-MOOQu", asked=True)
    line = sheet.enter(finding)
    assert line["needs_review"]
    assert words(line["revised"]) == ["MOOD"]


def test_several_turns_that_were_asked_about_may_have_been_others() -> None:
    sheet = Sheet()
    sheet.play(EXAMPLE[0])
    sheet.play("e5|EAT", "b5-B", asked=True)
    line = sheet.enter(make_finding(EXAMPLE[1], "W@b4", "c4-.T", replaces=2, asked=True, reason=Doubt(Reason.REVISED)))
    assert line["needs_review"] is False
    assert (line["revised"]["turn"], words(line["revised"])) == (2, ["DEAR"])
    assert sheet.final["review"] == 2


def test_turns_that_a_correction_moves_are_told_again_and_no_later_line_settles_them() -> None:
    """A line that settles turn 3 would be taken for one about the play that was told as turn 3 before."""
    sheet = Sheet(turns_a_look=0)
    sheet.play(EXAMPLE[0])
    sheet.play("g2|PLUS", asked=True)
    sheet.play("h2-A", asked=True)
    ways = (EXAMPLE[1], "g2|PLUS", "h2-A", "b5-A")
    line = sheet.enter(make_finding(*ways, replaces=2, asked=True, reason=Doubt(Reason.REVISED)))
    assert (line["turn"], line["needs_review"], line["revised"]["turn"]) == (5, True, 2)
    told = line["earlier"]
    assert (told["turn"], told["player"], told["earlier"]["turn"], told["earlier"]["player"]) == (4, "Blue", 3, "Red")
    assert "earlier" not in told["earlier"]
    plays = list(map(parse_play, (EXAMPLE[0], *ways)))
    settled = []
    for play in ("b6-S", "b7-O", "b8-T"):
        plays.append(parse_play(play))
        later = sheet.enter(
            replace(make_finding(play), outcomes=(Outcome(Story(tuple(plays)), len(plays) - 1, 0, 0.99),))
        )
        settled.append(later.get("revised", {}).get("turn"))
    assert settled == [2, 5, None]


def test_a_play_that_was_never_made_was_a_pass() -> None:
    sheet = Sheet()
    sheet.play(EXAMPLE[0])
    sheet.play(EXAMPLE[1], asked=True)
    line = sheet.enter(make_finding(replaces=1, asked=True))
    assert (line["kind"], line["turn"], line["player"], line["needs_review"]) == ("none", 3, "Red", True)
    assert line["revised"] == {
        **{"turn": 2, "player": "Blue", "tiles": [], "words": [], "points": 0}, "needs_review": False,
    }  # fmt: skip
    assert sheet.final == {"final": {"Red": 8, "Blue": 0}, "turns": 3, "review": 2}


def test_alternatives_are_other_plays_or_other_points() -> None:
    others = [EXAMPLE[0], "b4-WOOD", "b4-WOOD", "b4-MOOR"]
    line = Sheet().enter(make_finding(EXAMPLE[0], others=others))
    assert [(told["tiles"][0]["letter"], told["confidence"]) for told in line["alternatives"]] == [
        ("W", 0.2), ("M", 0.1),
    ]  # fmt: skip


def test_alternatives_score_as_the_line_would_with_the_bonus_for_a_short_rack() -> None:
    """Sixteen tiles are not on the board: Red plays seven, draws the last two, and plays these."""
    sheet = Sheet(board=board_with(48), rules=HouseRules(bonus_for_short_rack=True))
    sheet.play("a7-ABCDEFG", "a8-ABCDEFG")
    assert sheet.state.game.state.racks[0].size == 2
    line = sheet.enter(make_finding("h7|XY", others=["h7|XZ", "h7-X"]))
    assert line["points"] > 20
    assert {len(told["tiles"]): told["points"] > 20 for told in line["alternatives"]} == {2: True, 1: False}


def test_alternatives_that_put_a_turn_right_score_as_the_sheet_would_then() -> None:
    sheet = Sheet(turns_a_look=0)
    sheet.play("b4-MOO", asked=True)
    other = make_finding("b4-MOOD", "e5|EAR", replaces=1)
    line = sheet.enter(replace(make_finding("e5|EAR"), outcomes=(*make_finding("e5|EAR").outcomes, *other.outcomes)))
    assert [told["points"] for told in line["alternatives"]] == [8]


@pytest.mark.parametrize("finding", [make_finding(None), make_finding(*EXAMPLE[:2], replaces=1), make_finding("h9-AB")])
def test_what_does_not_fit_is_unclear(finding: Finding) -> None:
    sheet = Sheet()
    line = sheet.enter(finding)
    assert (line["kind"], line["turn"], line["needs_review"], line["reason"]) == (
        "unclear",
        1,
        True,
        str(Doubt(Reason.MISFIT)),
    )
    assert sheet.enter(make_finding(EXAMPLE[0]))["turn"] == 2


@given(st.data())
def test_a_mistake_that_is_corrected_leaves_the_scores_of_one_that_was_never_made(data: st.DataObject) -> None:
    """This holds whichever turn was misread, and however late that is noticed."""
    wrong = data.draw(st.integers(0, 5), label="the turn misread")
    until = data.draw(st.integers(wrong + 1, 6), label="the turn at which it shows")
    tiles = parse_play(EXAMPLE[wrong]).tiles
    at = data.draw(st.integers(0, len(tiles) - 1), label="the tile misread")
    misread = format_play(Play(tuple(type(t)(t.square, "Z" if t is tiles[at] else t.face) for t in tiles)))
    mistaken, right = Sheet(), Sheet()
    for number, play in enumerate(EXAMPLE):
        right.play(play)
        if number == until:
            line = mistaken.enter(make_finding(*EXAMPLE[wrong : until + 1], replaces=until - wrong, asked=True))
            assert line["revised"]["turn"] == wrong + 1
        else:
            line = mistaken.enter(make_finding(misread if number == wrong else play))
            assert "revised" not in line
    assert mistaken.final == {**right.final, "review": 1}
    assert mistaken.state.game.turns == right.state.game.turns


@pytest.mark.parametrize(
    ("face", "asked", "provisional"), [("O", True, True), ("X", True, True), ("S", True, False), ("O", False, False)]
)
def test_what_may_be_the_mark_of_a_centre_square_is_settled_by_no_look(
    face: str, asked: bool, provisional: bool
) -> None:
    sheet = Sheet()
    sheet.enter(make_finding(f"C@a4 O@b4 M@c4 P@d4 {face}@e4", asked=asked, others=["C@a4 O@b4 M@c4 P@d4"]))
    sheet.play("B@b2 E@b3", "H@a5", "E@d5")
    line = sheet.enter(make_finding("N@e5"))
    assert line["needs_review"] is provisional
    assert ("e4" in line.get("reason", "")) is provisional
