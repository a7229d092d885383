"""The referee against a second one written the plainest way, and against the symmetry of the board."""

from __future__ import annotations

from collections import Counter

from enginekit import Words, board_transposed, boards, play_transposed, plays
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples

from engine import Board, Play, grid_edition, referee
from engine.board import stacks_after

CASES = st.integers(4, 8).flatmap(lambda size: st.tuples(boards(size), plays(size)))
SOME_WORDS = Words("SEA", "SEAT", "TEA", "QUA", "QUAT", "EAST", "AT", "AS", "TA")
Place = tuple[int, int]


def near(place: Place) -> set[Place]:
    row, col = place
    return {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}


def runs(occupied: set[Place], size: int) -> list[frozenset[Place]]:
    """Every run of two or more occupied places, across and down."""
    found: list[frozenset[Place]] = []
    lines = [[(row, col) for col in range(size)] for row in range(size)]
    lines += [[(row, col) for row in range(size)] for col in range(size)]
    for line in lines:
        run: set[Place] = set()
        for place in [*line, (-9, -9)]:
            if place in occupied:
                run.add(place)
                continue
            if len(run) > 1:
                found.append(frozenset(run))
            run = set()
    return found


def plain_rules(board: Board, play: Play) -> Counter[str]:
    """Return the rules that a play breaks, words and plurals left out."""
    size = board.size
    before = {(sq.row, sq.col) for sq in board.occupied()}
    placed = [(tile.square.row, tile.square.col) for tile in play.tiles]
    after = before | set(placed)
    broken: Counter[str] = Counter()
    if not before:
        middle = {size // 2} if size % 2 else {size // 2 - 1, size // 2}
        broken["3"] += len(placed) < 2
        broken["3"] += not any(row in middle and col in middle for row, col in placed)
    else:
        broken["4-connect"] += not any(place in before or near(place) & before for place in placed)
    rows, cols = [row for row, _ in placed], [col for _, col in placed]
    between = {(row, col) for row in range(min(rows), max(rows) + 1) for col in range(min(cols), max(cols) + 1)}
    in_line = len(set(rows)) == 1 or len(set(cols)) == 1
    broken["4-line"] += not in_line or not between <= after
    stacks = stacks_after(board, play)
    for (row, col), count in Counter(placed).items():
        stack = stacks[row][col]
        broken["5-one"] += count > 1
        broken["5-five"] += len(stack) > 5
        for step in range(count):
            level = len(stack) - 1 - step
            broken["5-same"] += level > 0 and stack[level] == stack[level - 1]
    broken["5-cover"] += sum(run <= set(placed) for run in runs(before, size))
    broken["equipment"] += len(placed) > 7
    return +broken


@given(CASES)
@examples(300)
def test_breaches_are_those_of_the_plain_referee(case: tuple[Board, Play]) -> None:
    board, play = case
    verdict = referee(board, play, edition=grid_edition(board.size), lexicon=None)
    found = Counter(broken.rule for broken in verdict.violations)
    for rule in ("5-all", "5-plural"):
        del found[rule]
    assert found == plain_rules(board, play)


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
