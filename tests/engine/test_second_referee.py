"""The engine against the second referee: rule ids, words, points and bonus, on random turns and in whole games."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from random import Random

import pytest
import second_referee as second
from enginekit import Words, boards, make_play, play_transposed, plays, transpose_board
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples

from engine import (
    EDITIONS,
    FACES,
    MAX_HEIGHT,
    SHEET_RULES,
    SQUARES,
    Board,
    Game,
    GameError,
    HouseRules,
    Lexicon,
    PlacedTile,
    Play,
    Verdict,
    grid_edition,
    referee,
)
from engine.solver.search import legal_plays

WORDS = (
    "AS AT ATE EAST EAT EATS EST ETA ETAS SAT SEA SEAS SEAT SEATS SEE SEES SET SETS TA TAS TEA TEAS TEASE TEE TEES "
    "QUA QUAT QUATS"
)
LIST = Lexicon.from_words(WORDS.split(), not_plurals=["EATS", "SETS"], not_inflections=["TAS"])
HOUSES = {
    second.Switches(): SHEET_RULES,
    second.Switches(lone_s="allowed", bonus_for_short_rack=True): HouseRules(
        plural_rule=False, bonus_for_short_rack=True
    ),
    second.Switches(lone_s="plurals", lone_qu_first=True): HouseRules(verb_s_plural=False, lone_qu_first_play=True),
}


def plain(board: Board) -> dict[second.Spot, str]:
    """Return the board as the second referee has it."""
    signs = {(square.row, square.col): board.stack(square) for square in board.list_occupied()}
    return {spot: "".join("Q" if face == "Qu" else face for face in stack) for spot, stack in signs.items()}


def plain_tiles(play: Play) -> list[tuple[second.Spot, str]]:
    return [((tile.square.row, tile.square.col), tile.face[0]) for tile in play.tiles]


def compare(board: Board, play: Play, switches: second.Switches, held: int) -> Verdict:
    """Return the engine's verdict, which must be the second referee's."""
    verdict = referee(
        board, play, edition=grid_edition(board.size), lexicon=LIST, rules=HOUSES[switches], rack_size=held
    )
    ruling = second.rule_on(
        board.size,
        plain(board),
        plain_tiles(play),
        is_word=LIST.__contains__,
        plural=lambda before, word: {before, word} <= set(LIST) and LIST.is_plural(word),
        inflection=lambda before, word: {before, word} <= set(LIST) and LIST.is_inflection(word),
        switches=switches,
        held=held,
    )
    words = tuple(sorted((word.word, word.points) for word in verdict.words))
    lone_qu = switches.lone_qu_first and board.is_empty and play.faces == ("Qu",)
    if lone_qu:  # the house alone makes it a word: the sheets have no points for it
        assert words == (("QU", 4),)
    else:
        assert words == ruling.words
        assert {tuple((sq.row, sq.col) for sq in word.squares) for word in verdict.words} == ruling.made
        assert verdict.points == ruling.points
    assert verdict.bonus == ruling.bonus
    found = Counter(broken.rule for broken in verdict.violations)
    if found.pop("5-all", 0):  # reported only if no other rule explains it; the sheets have no number for it
        assert not ruling.words
        assert not ruling.broken
    assert found == ruling.broken + Counter({"7": int(lone_qu)})
    assert verdict.legal == (not verdict.violations)
    return verdict


def near_play(board: Board, random: Random) -> Play:
    """Return a turn near tiles on the board: a few tiles in a line, rarely with a gap, askew, or a square twice."""
    size = board.size
    faces = random.choice(("AEST", "AESTQ", "SSSAT"))
    starts = list(board.list_occupied()) or [SQUARES[size // 2][size // 2]]
    start = random.choice(starts)
    down, right = random.choice(((0, 1), (1, 0)))
    row, col = start.row + random.randint(-2, 2), start.col + random.randint(-2, 2)
    tiles: list[tuple[int, int, str]] = []
    for _ in range(random.choice((1, 1, 2, 2, 3, 4, 7))):
        if 0 <= row < size and 0 <= col < size:
            letter = random.choice(faces)
            tiles.append((row, col, "Qu" if letter == "Q" else letter))
        step = random.choice((1, 1, 1, 1, 1, 1, 2, 0))
        row, col = row + down * step, col + right * step
        if random.random() < 0.03:
            row += 1
    return make_play(tiles or [(size // 2, size // 2, "A")])


def some_turn(board: Board, random: Random) -> Play:
    """Return a legal turn, perhaps with one letter changed, or a turn that nearly is."""
    if random.random() < 0.5:
        return near_play(board, random)
    rack = random.choices(["A", "E", "S", "T", "Qu"], weights=[3, 3, 4, 3, 1], k=random.randint(1, 4))
    found = legal_plays(
        board, rack, edition=grid_edition(board.size), lexicon=LIST, rules=HouseRules(plural_rule=False)
    )
    if not found:
        return near_play(board, random)
    play = random.choice(found).play
    if random.random() < 0.6:
        return play
    at = random.randrange(len(play.tiles))
    other = PlacedTile(play.tiles[at].square, random.choice("AEST"))
    return Play((*play.tiles[:at], other, *play.tiles[at + 1 :]))


def grown(size: int, turns: int, random: Random) -> Board:
    """Return a board that grew by turns, most of them by the rules, with a stack or two as high as they get."""
    board = Board.empty(size)
    for _ in range(turns):
        play = some_turn(board, random)
        verdict = referee(board, play, edition=grid_edition(size), lexicon=LIST)
        rules = {broken.rule for broken in verdict.violations}
        if not rules & {"5-one", "5-five"} and (not rules or random.random() < 0.2):
            board = board.with_play(play)
    for square in random.sample(list(board.list_occupied()), min(2, turns // 4, board.tile_count() // 4)):
        while board.height(square) < MAX_HEIGHT:
            letter = random.choice([face for face in "AEST" if face != board.top(square)])
            board = board.with_play(Play((PlacedTile(square, letter),)))
    return board


@pytest.mark.parametrize(
    "switches",
    [*list(HOUSES)[:1], *(pytest.param(each, marks=pytest.mark.slow) for each in list(HOUSES)[1:])],
    ids=("sheets", "no plural rule, short racks", "plurals, lone Qu"),
)
def test_thousands_of_turns_are_ruled_alike(switches: second.Switches) -> None:
    random = Random(20)
    seen: Counter[str] = Counter()
    for _ in range(50):
        board = grown(random.choice((5, 6, 7, 8)), random.randint(0, 14), random)
        for _ in range(25):
            verdict = compare(board, some_turn(board, random), switches, random.randint(1, 7))
            seen.update({broken.rule for broken in verdict.violations} or {"legal"})
    rules = {"legal", "3", "4-line", "4-connect", "5-one", "5-same", "5-five", "5-cover", "7"}
    rules |= set() if switches.lone_s == "allowed" else {"5-plural"}
    assert rules <= set(seen), seen
    assert seen["legal"] > 200


@given(
    st.integers(4, 8).flatmap(lambda size: st.tuples(boards(size), plays(size))),
    st.sampled_from(list(HOUSES)),
    st.integers(1, 7),
)
@examples(200)
def test_turns_on_any_board_are_ruled_alike(case: tuple[Board, Play], switches: second.Switches, held: int) -> None:
    compare(*case, switches, held)


@pytest.mark.parametrize("letter", "SE")
def test_every_lone_letter_on_a_crowded_board_is_ruled_alike(letter: str) -> None:
    random = Random(3)
    for _ in range(5):
        board = grown(7, 14, random)
        for square in board.squares():
            for switches in HOUSES:
                compare(board, Play((PlacedTile(square, letter),)), switches, 7)


@pytest.mark.parametrize(
    ("seed", "players", "table"),
    [
        (1, ("Red", "Blue"), second.Table()),
        (2, ("Red", "Blue", "Green"), second.Table(rounds_of_passing=2, left_over=1)),
        (3, ("Red", "Blue"), second.Table(exchange_is_pass=True)),
        (4, ("Solo",), second.Table(solo_left_over=False)),
        (5, ("Red", "Blue", "Green", "Gold"), second.Table()),
    ],
)
def test_whole_games_come_to_the_same_sheet(seed: int, players: tuple[str, ...], table: second.Table) -> None:
    random = Random(seed)
    for _ in range(6):
        edition = EDITIONS[random.choice(("8x8", "10x10"))]
        rules = HouseRules(
            passing_rounds=table.rounds_of_passing,
            leftover_penalty=table.left_over,
            solo_leftover_penalty=table.solo_left_over,
            exchange_counts_as_pass=table.exchange_is_pass,
        )
        game = Game.start(edition, players, rules, lexicon=LIST)
        sheet = second.Sheet(len(players), edition.tile_total - 7 * len(players), table)
        for _ in range(40):
            assert game.current_player == players[sheet.to_move]
            kind = random.choice(("play", "play", "pass", "exchange"))
            before = game
            if kind == "play":
                play = some_turn(game.board, random)
                if {"5-one", "5-five"} & {broken.rule for broken in game.judge(play).violations}:
                    with pytest.raises(GameError):  # no board can hold it: the turn is still to come
                        game.play(play)
                    continue
                game = game.play(play)
                ruling = second.rule_on(
                    edition.size,
                    plain(before.board),
                    plain_tiles(play),
                    is_word=LIST.__contains__,
                    plural=lambda one, word: {one, word} <= set(LIST) and LIST.is_plural(word),
                    inflection=lambda one, word: {one, word} <= set(LIST) and LIST.is_inflection(word),
                )
                assert game.turns[-1].points == ruling.points
                sheet.take("play", ruling.points, len(play.tiles))
            elif kind == "pass":
                game = game.pass_turn()
                sheet.take("pass")
            elif game.exchange_problem is None:
                game = game.exchange()
                sheet.take("exchange")
            assert game.pile == sheet.pile
            assert dict(zip(players, sheet.points, strict=True)) == game.totals
            passed = any(offer.reason == "passes" for offer in game.end_offers(lambda board, rack: True))
            assert passed == (len(players) > 1 and sheet.have_all_passed())
        left = [random.randint(0, 7) for _ in players]
        over = game.end("agreed", left)
        assert list(over.totals.values()) == sheet.final(left)
        assert list(over.winners) == [players[number] for number in sheet.winners(left)]


def test_the_witness_knows_every_face() -> None:
    assert {face[0] for face in FACES} == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert asdict(second.Switches()) == {"lone_s": "refused", "lone_qu_first": False, "bonus_for_short_rack": False}


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
    turned = referee(transpose_board(board), play_transposed(play), edition=edition, lexicon=SOME_WORDS)
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
