"""What is likely before a picture is looked at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from turnkit import CLASSIC, COMMON, EMPTY, MOOD, NO_LIST, Record, records

from engine import FACES, SQUARES, Lexicon, PlacedTile, Play, find_edition, parse_play
from vision import GameSettings
from vision.turn.prior import (
    ANOTHER,
    FRESH,
    MOST_PLAYS,
    RARE_WORD,
    RUN_OUT,
    UNKNOWN_PACE,
    UNKNOWN_WORD,
    Gap,
    Pace,
    face_share,
    most_plays,
    play_prior,
    plays_prior,
    rules_prior,
    shows_round,
    tile_prior,
)

J_GONE = play_all(EMPTY, "J@d4 O@d5 B@d6")


def test_faces_are_as_frequent_as_there_are_tiles_left() -> None:
    share = face_share(J_GONE, CLASSIC)
    assert share.sum() == pytest.approx(1.0)
    counts = there(CLASSIC.distribution)
    assert share[FACES.index("E")] / share[FACES.index("O")] == pytest.approx(
        (counts["E"] + RUN_OUT) / (counts["O"] - 1 + RUN_OUT)
    )


def test_a_face_that_has_run_out_is_unlikely_and_not_ruled_out() -> None:
    j = FACES.index("J")
    assert 0.0 < face_share(J_GONE, CLASSIC)[j] < 0.2 * face_share(EMPTY, CLASSIC)[j]


def test_more_tiles_than_there_are_count_as_run_out() -> None:
    twice = play_all(J_GONE, "J@d5 J@e5")
    assert face_share(twice, CLASSIC)[FACES.index("J")] > 0.0
    assert face_share(twice, CLASSIC).sum() == pytest.approx(1.0)


def test_of_tiles_that_are_not_known_or_not_counted_all_faces_are_alike() -> None:
    assert np.ptp(face_share(J_GONE.empty(11), find_edition("11x11"))) == 0.0
    assert np.ptp(tile_prior(J_GONE, replace(COMMON, count_tiles=False))) == 0.0
    assert np.ptp(tile_prior(J_GONE, COMMON)) > 1.0


def test_a_lawful_play_is_not_held_against_anybody() -> None:
    assert rules_prior(parse_play("W@b4"), MOOD, COMMON) == 0.0


def test_words_that_no_list_has_are_unlikely_and_each_more_a_little() -> None:
    one, two = parse_play("L@b4"), parse_play("X@b4 X@b5")
    assert rules_prior(one, MOOD, COMMON) == UNKNOWN_WORD
    assert rules_prior(two, MOOD, COMMON) == UNKNOWN_WORD + ANOTHER
    assert rules_prior(one, MOOD, NO_LIST) == 0.0


def test_words_that_are_hardly_in_use_are_unlikelier_than_others_and_likelier_than_none() -> None:
    words = Lexicon.from_words(["MOOD", "WOOD", "ROOD", "RO", "OX"], rare=["ROOD", "RO"])
    settings = GameSettings(CLASSIC, words)
    priors = [rules_prior(parse_play(text), MOOD, settings) for text in ("W@b4", "R@b4", "L@b4")]
    assert priors == [0.0, RARE_WORD, UNKNOWN_WORD]
    assert RARE_WORD > UNKNOWN_WORD
    assert rules_prior(parse_play("R@b4 O@b5"), MOOD, settings) == RARE_WORD
    assert rules_prior(parse_play("R@b4 X@b5"), MOOD, settings) == RARE_WORD + UNKNOWN_WORD


@pytest.mark.parametrize("foul", ["Z@a1 Z@h8", "Z@a1", "O@c4"])
def test_fouls_are_unlikely_with_any_list(foul: str) -> None:
    assert rules_prior(parse_play(foul), MOOD, NO_LIST) <= -5.0


@given(
    st.lists(
        st.builds(
            PlacedTile,
            st.builds(lambda row, col: SQUARES[row][col], st.integers(0, 7), st.integers(0, 7)),
            st.sampled_from(FACES),
        ),
        min_size=1, max_size=7,
    )
)  # fmt: skip
def test_no_play_is_impossible_and_none_likelier_than_a_lawful_one(tiles: list[PlacedTile]) -> None:
    prior = rules_prior(Play(tuple(tiles)), MOOD, COMMON)
    assert -18.0 <= prior <= 0.0
    assert (prior == 0.0) == COMMON.verdict(MOOD, Play(tuple(tiles))).legal


def test_of_two_plays_of_words_the_one_with_more_tiles_left_is_likelier() -> None:
    counts = there(CLASSIC.distribution)
    food, good = (play_prior(parse_play(text), MOOD, COMMON) for text in ("F@b4", "G@b4"))
    assert food - good == pytest.approx(np.log((counts["F"] + RUN_OUT) / (counts["G"] + RUN_OUT)))
    assert play_prior(parse_play("Qu@b4"), MOOD, NO_LIST) < play_prior(parse_play("E@b4"), MOOD, NO_LIST) - 1.0


def test_a_play_of_no_word_is_unlikelier_by_what_a_bluff_is() -> None:
    for text in ("F@b4", "L@b4", "L@b4 E@e4"):
        known = play_prior(parse_play(text), MOOD, COMMON) - play_prior(parse_play(text), MOOD, NO_LIST)
        assert known == pytest.approx(0.0 if text == "F@b4" else UNKNOWN_WORD)


@given(records(least=2))
def test_any_play_is_unlikelier_than_that_nothing_changed(game: Record) -> None:
    settings = GameSettings(CLASSIC, COMMON.lexicon)
    for board, play in zip(game.boards, game.plays, strict=False):
        assert play_prior(play, board, settings) < 0.0


GAPS = [FRESH, Gap(open=True), Gap(unseen=1), Gap(open=True, unseen=2)]


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("is_first", [False, True])
def test_a_gap_has_some_number_of_plays(gap: Gap, is_first: bool) -> None:
    shares = np.exp(plays_prior(gap, is_first=is_first))
    assert len(shares) == MOST_PLAYS + 1
    assert shares.sum() == pytest.approx(1.0, abs=0.05)


def test_an_empty_board_is_often_shown_as_it_lies_there() -> None:
    first, later = plays_prior(FRESH, is_first=True), plays_prior(FRESH)
    assert first[0] > later[0] + 2.0
    assert np.argmax(first) == 1
    assert plays_prior(Gap(open=True), is_first=True) == plays_prior(Gap(open=True))


@pytest.mark.parametrize("gap", GAPS[:2])
@pytest.mark.parametrize("is_first", [False, True])
def test_where_a_camera_watches_a_look_without_a_turn_is_common_and_a_missed_turn_rare(
    gap: Gap, is_first: bool
) -> None:
    watched, photographed = (plays_prior(gap, is_first=is_first, watched=told) for told in (True, False))
    assert np.exp(watched).sum() == pytest.approx(1.0)
    assert watched[0] >= photographed[0]
    assert watched[2] < photographed[2] - 2.0


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("is_first", [False, True])
def test_the_longer_the_board_rested_unread_the_sooner_a_watched_turn_was_missed(is_open: bool, is_first: bool) -> None:
    shares = [
        plays_prior(Gap(open=is_open, rested=rested), is_first=is_first, watched=True)
        for rested in (0.0, 0.2, 0.4, 0.5, 0.7, 1.0, 3.0)
    ]
    assert len({each[0] for each in shares}) == 1
    assert all(np.exp(each).sum() == pytest.approx(1.0) for each in shares)
    missed = [each[2] for each in shares]
    assert missed == sorted(missed)
    assert missed[0] == missed[1], "the next hand may come before the last one leaves"
    assert missed[4] - missed[0] > 3.0


def test_a_rest_matters_only_where_a_camera_watches() -> None:
    assert plays_prior(Gap(rested=0.7)) == plays_prior(FRESH)


def test_after_a_picture_without_a_board_a_watched_turn_may_be_missed_as_any_other() -> None:
    assert plays_prior(Gap(unseen=1), watched=True) == plays_prior(Gap(unseen=1))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("is_first", [False, True])
def test_a_table_that_photographs_once_a_round_makes_a_play_for_each_player_in_between(
    gap: Gap, is_first: bool, players: int
) -> None:
    shares = np.exp(plays_prior(gap, is_first=is_first, plays_between=players))
    assert len(shares) == MOST_PLAYS + 1
    assert np.argmax(shares) == players
    assert shares.sum() == pytest.approx(1.0)


def test_once_a_round_the_same_board_again_is_rare_but_before_the_first_word_and_after_a_doubt() -> None:
    sure, doubt = (plays_prior(gap, plays_between=2) for gap in GAPS[:2])
    assert doubt[0] > sure[0] + 2.0
    assert plays_prior(FRESH, is_first=True, plays_between=2) == doubt


@pytest.mark.parametrize(("players", "shown"), [(1, True), (3, True), (4, False)])
def test_one_picture_shows_a_round_of_up_to_three_players(players: int, shown: bool) -> None:
    assert shows_round(players) == shown


def test_the_plays_of_a_round_are_none_that_were_missed() -> None:
    forgetful = Pace(pictures=10, missed=10)
    assert plays_prior(FRESH, pace=forgetful, plays_between=2) == plays_prior(FRESH, plays_between=2)
    assert plays_prior(FRESH, watched=True, plays_between=2) == plays_prior(FRESH, watched=True)


def test_doubt_makes_the_same_turn_again_likelier_and_a_missed_picture_two_turns() -> None:
    sure, doubt, missed = (plays_prior(gap) for gap in GAPS[:3])
    assert np.argmax(sure) == np.argmax(doubt) == 1
    assert np.argmax(missed) == 2
    assert doubt[0] > missed[0] > sure[0]
    assert missed[2] > doubt[2] > sure[2]


def test_a_table_that_forgets_photographs_is_expected_to_forget_more() -> None:
    forgetful = UNKNOWN_PACE.then(2).then(1).then(2)
    one, two = (plays_prior(FRESH, pace=pace) for pace in (UNKNOWN_PACE, forgetful))
    assert two[2] > one[2] + 1.0
    assert two[1] < one[1]
    assert np.exp(two).sum() == pytest.approx(np.exp(one).sum())


def test_a_table_that_photographs_turns_twice_is_expected_to_do_so_again_up_to_a_limit() -> None:
    twice = Pace(pictures=20).then(0).then(0)
    assert twice.missing == Pace(pictures=20).missing
    shares = [plays_prior(FRESH, pace=pace) for pace in (UNKNOWN_PACE, twice, Pace(repeated=9), Pace(repeated=99))]
    none = [np.exp(each)[0] for each in shares]
    assert none[0] == pytest.approx(0.03)
    assert none == sorted(none)
    assert none[0] < none[1] < none[2] == none[3] == pytest.approx(0.1)
    assert all(np.exp(each).sum() == pytest.approx(np.exp(shares[0]).sum()) for each in shares)
    assert Pace(pictures=100).repeating == UNKNOWN_PACE.repeating, "marks on a board don't become plays"
    assert plays_prior(FRESH, is_first=True, pace=twice)[0] == plays_prior(FRESH, is_first=True)[0]


@given(st.integers(0, 200), st.integers(0, 400), st.integers(0, 200))
def test_whatever_a_table_forgot_one_play_stays_possible(pictures: int, missed: int, repeated: int) -> None:
    prior = plays_prior(FRESH, pace=Pace(pictures, missed, repeated))
    assert np.isfinite(prior).all()
    assert np.exp(prior).sum() == pytest.approx(np.exp(plays_prior(FRESH)).sum())
    assert prior[1] > np.log(0.05)


def test_a_table_that_photographs_every_turn_is_still_not_trusted_to_miss_none() -> None:
    thirty, hundred = Pace(pictures=30), Pace(pictures=100)
    assert UNKNOWN_PACE.missing > thirty.missing == hundred.missing > 0.0
    assert plays_prior(FRESH, pace=thirty)[2] < plays_prior(FRESH)[2]


@pytest.mark.parametrize(
    ("gap", "told", "most"),
    [
        (FRESH, {}, 2),
        (FRESH, {"pace": Pace(pictures=100)}, 2),
        (FRESH, {"pace": Pace(pictures=10, missed=8)}, 3),
        (FRESH, {"plays_between": 3}, 3),
        (Gap(unseen=1), {"pace": Pace(pictures=10)}, 3),
        (Gap(open=True, merged=2), {"pace": Pace(pictures=10)}, 4),
        (FRESH, {"watched": True}, 1),
        (Gap(rested=1.0), {"watched": True}, 2),
    ],
)
def test_as_many_plays_are_thought_of_as_the_gap_may_well_hold(gap: Gap, told: dict[str, Any], most: int) -> None:
    assert most_plays(gap, **told) == most
