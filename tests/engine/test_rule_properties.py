"""The referee against the symmetry of the board, and with and without a word list."""

from __future__ import annotations

from collections import Counter

from enginekit import Words, board_transposed, boards, play_transposed, plays
from hypothesis import given
from hypothesis import strategies as st

from engine import Board, Play, grid_edition, referee

CASES = st.integers(4, 8).flatmap(lambda size: st.tuples(boards(size), plays(size)))
SOME_WORDS = Words("SEA", "SEAT", "TEA", "QUA", "QUAT", "EAST", "AT", "AS", "TA")


@given(CASES)
def test_an_unknown_word_is_the_only_difference_a_word_list_makes(case: tuple[Board, Play]) -> None:
    board, play = case
    edition = grid_edition(board.size)
    without = referee(board, play, edition=edition, lexicon=None)
    checked = referee(board, play, edition=edition, lexicon=SOME_WORDS)
    unknown = [word.word for word in checked.words if word.word not in SOME_WORDS]
    assert len(checked.violations) == len(without.violations) + len(unknown)
    assert checked.violations[: len(without.violations)] == without.violations
    assert (checked.words, checked.points) == (without.words, without.points)


@given(CASES)
def test_the_board_turned_over_changes_neither_legality_nor_score(case: tuple[Board, Play]) -> None:
    board, play = case
    edition = grid_edition(board.size)
    verdict = referee(board, play, edition=edition, lexicon=SOME_WORDS)
    turned = referee(board_transposed(board), play_transposed(play), edition=edition, lexicon=SOME_WORDS)
    assert turned.legal == verdict.legal
    assert turned.points == verdict.points
    assert Counter(broken.rule for broken in turned.violations) == Counter(broken.rule for broken in verdict.violations)
    assert Counter((word.word, word.points) for word in turned.words) == Counter(
        (word.word, word.points) for word in verdict.words
    )


@given(CASES)
def test_a_legal_play_leaves_a_board_that_can_be(case: tuple[Board, Play]) -> None:
    board, play = case
    if referee(board, play, edition=grid_edition(board.size), lexicon=None).legal:
        after = board.with_play(play)
        assert Board.of(after.stacks) == after
        assert after.tile_count() == board.tile_count() + len(play.tiles)
