from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from enginekit import Words, board_of, board_with

from engine import FACES, Board, Edition, Game, GameError, HouseRules, Lexicon, find_edition, grid_edition, parse_play
from engine.game.events import Ended, RackSeen

CLASSIC = find_edition("8x8")


def game_of(*players: str, left: int = 64, **switches: bool | int) -> Game:
    """Return a game in which `left` tiles of 64 are not on the board yet."""
    rules = HouseRules(**switches)  # type: ignore[arg-type]
    return Game.start(CLASSIC, players or ("Red", "Blue"), rules, board=board_with(64 - left))


def reasons(game: Game) -> list[str]:
    return [offer.reason for offer in game.end_offers()]


def test_a_round_of_passing_ends_the_game() -> None:
    game = game_of().pass_turn()
    assert reasons(game) == []
    game = game.pass_turn()
    (offer,) = game.end_offers()
    assert (offer.reason, offer.text) == ("passes", "Rule 11: all players have passed in a row.")
    ended = game.end()
    assert ended.ended is not None
    assert ended.ended.reason == "passes"
    assert ended.end_offers() == ()


def test_passes_must_be_in_a_row() -> None:
    game = game_of().pass_turn().play(parse_play("d4-ON")).pass_turn()
    assert reasons(game) == []
    assert reasons(game_of().pass_turn().exchange().pass_turn()) == []


def test_an_exchange_counts_as_a_pass_by_house_rule() -> None:
    assert reasons(game_of(exchange_counts_as_pass=True).pass_turn().exchange()) == ["passes"]


def test_a_play_taken_back_does_not_break_the_passes() -> None:
    game = game_of().pass_turn().play(parse_play("d4-ON")).challenge("Red", upheld=True)
    assert reasons(game.pass_turn()) == ["passes"]


def test_passes_before_a_play_came_off_end_nothing_while_its_player_has_the_turn_again() -> None:
    game = game_of().play(parse_play("d4-ON")).pass_turn().pass_turn()
    assert reasons(game) == ["passes"]
    off = game.challenge("Blue", upheld=True)
    assert (off.current_player, reasons(off)) == ("Red", [])
    assert reasons(off.play(parse_play("d4-NO"))) == []
    assert reasons(off.pass_turn()) == ["passes"]


def test_three_rounds_of_passing_by_house_rule() -> None:
    game = game_of(passing_rounds=3)
    for _ in range(5):
        game = game.pass_turn()
    assert reasons(game) == []
    assert game.pass_turn().end_offers()[0].text.endswith("passed in a row three times.")


def test_passing_ends_no_solo_game() -> None:
    game = game_of("Solo")
    for _ in range(3):
        game = game.pass_turn()
        assert reasons(game) == []
    assert reasons(game_of("Solo", exchange_counts_as_pass=True).exchange().pass_turn()) == []


def test_all_tiles_used_and_no_pile_ends_the_game() -> None:
    game = game_of(left=16).play(parse_play("g8-XY"))
    assert game.pile == 0
    assert reasons(game) == []
    game = game.play(parse_play("a8-EFGIJKL"))
    (offer,) = game.end_offers()
    assert (offer.reason, offer.text) == ("out", "Rule 11: Blue has used all tiles, and the draw pile is empty.")
    ended = game.end()
    assert ended.ended is not None
    assert ended.ended.left == (7, 0)
    assert ended.ended.penalties == (-35, 0)
    assert ended.ended.notes == ()
    assert ended.totals == {"Red": game.totals["Red"] - 35, "Blue": game.totals["Blue"]}


def no_play(board: Board, faces: Sequence[str]) -> bool:
    return False


def late_game(left: int) -> tuple[Game, list[str]]:
    """Return a game of two in which `left` tiles are not on the board, none in the pile, and these tiles."""
    assert CLASSIC.distribution is not None
    tiles = [face for face, count in CLASSIC.distribution.items() for _ in range(count)]
    lying = [
        [tuple(tiles[at : at + 1]) if at < 64 - left else () for at in range(8 * row, 8 * row + 8)] for row in range(8)
    ]
    return Game.start(CLASSIC, ["Red", "Blue"], board=Board.of(lying)), tiles[64 - left :]


def test_nobody_can_play_ends_the_game() -> None:
    game, unseen = late_game(14)
    known = game.with_event(RackSeen(0, tuple(unseen[:7]))).with_event(RackSeen(1, tuple(unseen[7:])))
    (offer,) = known.end_offers(no_play)
    assert (offer.reason, offer.text) == ("stuck", "Rule 11: the draw pile is empty, and nobody can play.")
    assert known.end_offers() == ()
    assert game_of().end_offers(no_play) == ()


@pytest.mark.parametrize(
    ("words", "seen", "reasons_told"),
    [
        (["XYZZY"], True, ["stuck"]),
        (["MOODY"], True, []),
        (["MOODY"], False, []),  # 14 tiles unseen on two racks: who holds the Y is not known
    ],
)
def test_the_solver_looks_whether_anybody_can_play(words: list[str], seen: bool, reasons_told: list[str]) -> None:
    board = board_of(8, "c4-MOOD")
    tiles = Counter("MOODXXMMDDDOOXXYYY")
    edition = Edition("8x8", 8, {face: tiles[face] for face in FACES}, 18)
    game = Game.start(edition, ["Red", "Blue"], lexicon=Lexicon.from_words(words), board=board)
    if seen:
        game = game.with_event(RackSeen(0, tuple("XXMMDDD"))).with_event(RackSeen(1, tuple("OOXXYYY")))
    assert reasons(game) == reasons_told


def test_each_rack_that_is_known_is_asked_about() -> None:
    game, unseen = late_game(14)
    asked: list[list[str]] = []

    def only_z(board: Board, faces: Sequence[str]) -> bool:
        asked.append(sorted(faces))
        return "Z" in faces

    known = game.with_event(RackSeen(0, tuple(unseen[:7]))).with_event(RackSeen(1, tuple(unseen[7:])))
    assert known.end_offers(only_z) == ()
    assert asked == [sorted(unseen[:7]), sorted(unseen[7:])]


def test_racks_not_known_are_taken_with_all_unseen_tiles() -> None:
    game, unseen = late_game(7)
    assert [offer.reason for offer in game.end_offers(lambda board, faces: sorted(faces) != sorted(unseen))] == [
        "stuck"
    ]
    too_many, _ = late_game(8)
    assert too_many.end_offers(no_play) == ()


def test_nothing_is_said_of_a_mixed_set() -> None:
    board = late_game(6)[0].board
    assert [offer.reason for offer in late_game(6)[0].end_offers(no_play)] == ["stuck"]
    stacks = [[("J",), *board.stacks[0][1:]], *board.stacks[1:]]
    mixed = Game.start(CLASSIC, ["Red", "Blue"], board=Board.of(stacks))
    assert mixed.flags
    assert mixed.end_offers(no_play) == ()


def test_a_solo_game_is_stuck_once_its_exchanges_are_used() -> None:
    game = Game.start(CLASSIC, ["Solo"]).with_event(RackSeen(0, tuple(["X"] * 1)))
    assert game.end_offers(no_play) == ()
    for _ in range(5):
        game = game.exchange("X", "X")
    (offer,) = game.end_offers(no_play)
    assert (offer.reason, offer.text) == ("stuck", "Rule 11: no play and no exchange is possible any more.")


def test_tiles_left_may_be_said() -> None:
    game = game_of().end("agreed", [3, 1])
    assert game.totals == {"Red": -15, "Blue": -5}
    assert game.winners == ("Blue",)
    assert game.current_player is None


def test_tiles_left_cost_what_the_table_says() -> None:
    assert game_of(leftover_penalty=1).end("agreed", [3, 1]).totals == {"Red": -3, "Blue": -1}
    assert game_of("Solo").end("agreed", [3]).totals == {"Solo": -15}
    assert game_of("Solo", solo_leftover_penalty=False).end("agreed", [3]).totals == {"Solo": 0}


def test_a_tie_stays_a_tie() -> None:
    assert game_of().end("agreed", [2, 2]).winners == ("Red", "Blue")


def test_a_tie_is_broken_by_house_rule() -> None:
    for joint, winners in ((True, ("Red", "Blue")), (False, ("Red",))):
        game = game_of(joint_winners=joint, leftover_penalty=4).play(parse_play("d4-ON"))
        assert game.end("agreed", [1, 0]).winners == winners
    assert game_of(joint_winners=False).end("agreed", [2, 2]).winners == ("Red", "Blue")


@pytest.mark.parametrize(
    ("reason", "left", "says"),
    [
        ("tired", [0, 0], "'tired' isn't an end of the game: use out, stuck, passes, agreed"),
        ("agreed", [0], "one count of tiles left for two players"),
        ("agreed", [0, 8], "8 tiles left on a rack"),
        ("agreed", [0, -1], "-1 tiles left on a rack"),
        ("out", [1, 3], "nobody has used all tiles"),
        ("out", None, "nobody has used all tiles"),
    ],
)
def test_ends_that_cannot_be_are_refused(reason: str, left: list[int] | None, says: str) -> None:
    with pytest.raises(GameError, match=says):
        game_of().end(reason, left)


def test_an_end_that_was_entered_before_is_replayed_though_nobody_was_out() -> None:
    game = game_of()
    log = (Ended("out", (1, 3)),)
    assert Game.from_log(game.setup, log, None).totals == {"Red": -5, "Blue": -15}


def test_tiles_left_must_be_said_where_nobody_counts_them() -> None:
    game = Game.start(grid_edition(15), ["Red", "Blue"], lexicon=Words())
    with pytest.raises(GameError, match="the number of tiles that each player has left"):
        game.end()
    assert game.end("agreed", [1, 2]).totals == {"Red": -5, "Blue": -10}


def test_an_empty_rack_ends_nothing_where_the_pile_is_not_known() -> None:
    game = Game.start(grid_edition(15), ["Red", "Blue"]).with_event(RackSeen(0, ()))
    assert game.end_offers(no_play) == ()


def test_counts_that_do_not_add_up_are_flagged() -> None:
    game = game_of(left=14).end("out", [0, 3])
    assert any(flag.startswith("53 tiles are on the board and the racks, and the set has 64") for flag in game.flags)


def test_after_the_end_nothing_happens_but_undo() -> None:
    game = game_of().end("agreed", [0, 0])
    for happen in (game.pass_turn, game.exchange, game.end):
        with pytest.raises(GameError, match="the game is over: undo its end"):
            happen()
    assert game.undo().pass_turn().current_player == "Blue"
