"""Inferring turns from readings: the right play, and a question where there is doubt."""

from __future__ import annotations

import pytest
from readings import flat, letters, played, reading_of, torn, veiled

from engine.board import Board
from engine.editions import edition_named
from engine.lexicon import Lexicon
from engine.play import parse_play
from engine.squares import Square
from vision.context import Context
from vision.infer import infer_turn

CLASSIC = edition_named("8x8")
WORDS = Lexicon.from_words(
    ["MOOD", "WOOD", "DEAR", "NET", "ON", "DEAL", "MOON", "FOOD", "GOOD", "WOOL", "LEAP", "MOODY", "COOL"],
    name="test",
)
MOOD = played(Board.empty(8), "M@b4 O@c4 O@d4 D@e4")
DEAR = played(MOOD, "E@e5 A@e6 R@e7")


def context(**changes: object) -> Context:
    return Context(CLASSIC, WORDS, **changes)  # type: ignore[arg-type]


def test_first_play_is_read_without_a_question() -> None:
    seen = infer_turn(reading_of(MOOD), Board.empty(8), context())
    assert seen.kind == "play"
    assert not seen.needs_review
    assert letters(seen.play) == {(3, 1): "M", (3, 2): "O", (3, 3): "O", (3, 4): "D"}


@pytest.mark.parametrize("play", ["W@b4", "E@e5 A@e6 R@e7", "N@d5 T@d6", "L@e4"])
def test_plays_on_and_beside_tiles(play: str) -> None:
    seen = infer_turn(reading_of(played(MOOD, play)), MOOD, context())
    assert (seen.kind, seen.play) == ("play", parse_play(play))


def test_stacking_seen_from_above_is_told_by_the_letter() -> None:
    seen = infer_turn(flat(reading_of(played(DEAR, "W@b4"), sure=0.9999)), DEAR, context())
    assert not seen.needs_review
    assert letters(seen.play) == {(3, 1): "W"}


def test_nothing_changed() -> None:
    seen = infer_turn(flat(reading_of(DEAR)), DEAR, context())
    assert seen.kind == "none"
    assert not seen.needs_review


def test_two_letters_alike_are_asked_about() -> None:
    after = played(MOOD, "N@d5 Z@d6")
    seen = infer_turn(torn(reading_of(after), 5, 3, Z=0.5, N=0.48), MOOD, Context(CLASSIC))
    assert seen.needs_review
    assert seen.question == Square(5, 3)
    assert {letters(a.play).get((5, 3)) for a in seen.alternatives} >= {"N"}
    assert seen.reason is not None
    assert "d6" in seen.reason


def test_the_dictionary_is_only_a_soft_prior() -> None:
    after = played(MOOD, "E@e5 A@e6 Z@e7")
    seen = infer_turn(reading_of(after), MOOD, context())
    assert letters(seen.play)[6, 4] == "Z"
    clear = infer_turn(reading_of(after, sure=0.9999, height_sure=0.9999), MOOD, context())
    assert clear.play == seen.play
    assert not clear.needs_review


def test_a_word_in_no_list_is_asked_about_unless_it_is_read_very_surely() -> None:
    after = played(MOOD, "E@e5 A@e6 Z@e7")
    seen = infer_turn(reading_of(after, sure=0.97), MOOD, context())
    assert seen.needs_review
    assert seen.reason


def test_without_a_list_of_words_letters_must_be_plainer() -> None:
    smudged = torn(reading_of(DEAR), 6, 4, R=0.94, P=0.055)
    assert not infer_turn(smudged, MOOD, context()).needs_review
    seen = infer_turn(smudged, MOOD, Context(CLASSIC))
    assert letters(seen.play)[6, 4] == "R"
    assert 0.9 < seen.confidence < 0.97
    assert seen.needs_review
    assert seen.reason
    plain = infer_turn(reading_of(DEAR, sure=0.9999, height_sure=0.9999), MOOD, Context(CLASSIC))
    assert not plain.needs_review


def test_tiles_taken_back_after_a_challenge() -> None:
    last = parse_play("E@e5 A@e6 R@e7")
    seen = infer_turn(reading_of(MOOD), DEAR, context(last_play=last))
    assert seen.kind == "removed"
    assert seen.play == last


def test_a_hand_over_the_end_of_the_play_makes_it_unclear() -> None:
    seen = infer_turn(veiled(reading_of(played(MOOD, "E@e5 A@e6")), (6, 4)), MOOD, context())
    assert seen.kind == "unclear"
    assert seen.needs_review


def test_a_hand_far_from_the_play_does_no_harm() -> None:
    seen = infer_turn(veiled(reading_of(DEAR), (0, 0), (0, 1)), MOOD, context())
    assert seen.kind == "play"
    assert not seen.needs_review


def test_a_hand_and_no_change_is_unclear() -> None:
    seen = infer_turn(veiled(reading_of(MOOD), (0, 0), (0, 1), (1, 0), (1, 1)), MOOD, context())
    assert seen.kind == "unclear"


def test_a_tile_knocked_askew_keeps_its_place() -> None:
    reading = reading_of(DEAR)
    reading.face_probs[3, 1] = 1 / 26
    reading.height_probs[3, 1] = [0.4, 0.3, 0.1, 0.1, 0.05, 0.05]
    seen = infer_turn(reading, MOOD, context())
    assert letters(seen.play) == {(4, 4): "E", (5, 4): "A", (6, 4): "R"}
    assert not seen.needs_review


@pytest.mark.parametrize("play", ["", "L@e4"])
def test_a_tile_knocked_off_is_named_and_the_play_beside_it_kept(play: str) -> None:
    now = DEAR.without_top([Square(3, 1)])
    seen = infer_turn(
        reading_of(played(now, play) if play else now, sure=0.9999, height_sure=0.9999), DEAR, context()
    )
    assert (seen.kind, seen.needs_review) == ("unclear", True)
    assert seen.reason == "A tile is missing at b4: if knocked off, put it back and look again."
    assert [other.play for other in seen.alternatives] == ([parse_play(play)] if play else [])


def test_tiles_gone_and_others_where_none_may_come_are_not_called_knocked() -> None:
    now = played(DEAR.without_top([Square(3, 1)]), "Z@a1 Z@h8")
    seen = infer_turn(reading_of(now, sure=0.9999, height_sure=0.9999), DEAR, context())
    assert seen.kind == "unclear"
    assert seen.reason == "More has changed than turns can explain: look again, or enter the play by hand."


def test_what_a_hand_hides_is_not_guessed_at() -> None:
    seen = infer_turn(veiled(reading_of(MOOD), (4, 4), (5, 4), (6, 4), (7, 4)), MOOD, context())
    assert seen.kind == "unclear"
    assert seen.alternatives == ()


def test_the_letter_two_below_looks_like_a_tile_taken_back_and_is_not() -> None:
    before = played(MOOD, "T@d4")
    reading = reading_of(played(before, "O@d4 N@d5"), sure=0.9999)
    reading.height_probs[3, 3] = [0.0, 0.4, 0.1, 0.45, 0.03, 0.02]
    seen = infer_turn(reading, before, context())
    assert letters(seen.play) == {(3, 3): "O", (4, 3): "N"}
    assert seen.earlier is None


def test_two_turns_since_the_last_look_are_asked_about() -> None:
    seen = infer_turn(reading_of(played(DEAR, "W@b4")), MOOD, context())
    assert seen.needs_review
    assert seen.earlier is not None
    both = letters(seen.play) | letters(seen.earlier)
    assert both == {(4, 4): "E", (5, 4): "A", (6, 4): "R", (3, 1): "W"}


def test_a_letter_that_has_run_out_counts_against_itself() -> None:
    with_j = played(Board.empty(8), "J@d4 O@d5 B@d6")
    after = played(with_j, "U@e5 T@f5")
    blurred = torn(reading_of(after), 4, 5, J=0.52, T=0.46)
    counting = infer_turn(blurred, with_j, Context(CLASSIC))
    assert letters(counting.play)[4, 5] == "T"
    blind = infer_turn(blurred, with_j, Context(CLASSIC, count_tiles=False))
    assert letters(blind.play)[4, 5] == "J"
