from __future__ import annotations

from collections.abc import Sequence

import pytest
from enginekit import Words, board_of, board_with, game_after

from engine import Board, Game, GameError, HouseRules, Play, UpscoreError, find_edition, grid_edition, parse_play
from engine.game.events import RackSeen

CLASSIC = find_edition("8x8")


def game_of(*players: str, edition: str = "8x8", **switches: bool | int) -> Game:
    rules = HouseRules(**switches)  # type: ignore[arg-type]
    return Game.start(find_edition(edition), players or ("Red", "Blue"), rules, lexicon=Words("CAT", "ON", "TO"))


def lines(game: Game) -> list[tuple[int, str, str, int]]:
    return [(turn.number, turn.player, turn.kind, turn.points) for turn in game.turns]


def test_play_goes_round() -> None:
    game = game_after(game_of("Red", "Blue", "Green"), "c4-CAT", "pass", "e5-ON", "O@f4")
    assert lines(game) == [
        (1, "Red", "play", 6),
        (2, "Blue", "pass", 0),
        (3, "Green", "play", 8),
        (4, "Red", "play", 12),
    ]
    assert game.current_player == "Blue"
    assert game.totals == {"Red": 18, "Blue": 0, "Green": 8}


def test_a_new_game_has_a_board_full_racks_and_a_pile() -> None:
    game = game_of()
    assert game.board == Board.empty(8)
    assert game.current_player == "Red"
    assert game.pile == 64 - 14
    assert [rack.size for rack in game.state.racks] == [7, 7]
    assert game.totals == {"Red": 0, "Blue": 0}
    assert game.winners == ()
    assert game.ended is None


@pytest.mark.parametrize(
    ("players", "says"),
    [
        ([], "0 players"),
        (list("abcde"), "5 players"),
        (["Red", "Red"], "two players have the same name"),
        ([""], "can't be a player's name"),
        ([" Red"], "can't be a player's name"),
        (["R\ned"], "can't be a player's name"),
        (["x" * 41], "can't be a player's name"),
        (["\u200d"], "can't be a player's name"),
        (["A\u202eB"], "can't be a player's name"),
    ],
)
def test_players_who_cannot_be_are_refused(players: Sequence[str], says: str) -> None:
    with pytest.raises(GameError, match=says):
        Game.start(CLASSIC, players)


@pytest.mark.parametrize(
    "name", ["Ada", "Zoë 2", "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "\N{HEAVY BLACK HEART}\ufe0f"]
)
def test_names_may_have_emoji_that_are_joined(name: str) -> None:
    assert game_of(name).players == (name,)


def test_the_letter_nearest_to_a_starts() -> None:
    assert game_of("Red", "Blue", "Green").draw(["T", "B", "Qu"]).current_player == "Blue"
    assert game_of("Red", "Blue", "Green").draw([None, "T", "Qu"]).current_player == "Green"
    after = game_of().draw(["T", "B"])
    assert lines(game_after(after, "c4-CAT", "pass")) == [(1, "Blue", "play", 6), (2, "Red", "pass", 0)]


def test_a_tie_draws_again() -> None:
    game = game_of("Red", "Blue", "Green")
    with pytest.raises(GameError, match="Red and Green drew the same letter, B: draw again"):
        game.draw(["B", "C", "B"])
    assert game.draw(["C", "D", "D"]).current_player == "Red"


def test_a_draw_that_cannot_be_is_refused() -> None:
    with pytest.raises(GameError, match="comes before the first turn"):
        game_after(game_of(), "c4-CAT").draw(["A", "B"])
    with pytest.raises(GameError, match="1 faces drawn by 2 players"):
        game_of().draw(["A"])
    with pytest.raises(GameError, match="nobody drew"):
        game_of().draw([None, None])
    with pytest.raises(GameError, match="'Q' is not a tile"):
        game_of().draw(["Q", "A"])


def test_an_illegal_play_is_recorded_flagged_and_scores() -> None:
    game = game_after(game_of(), "c4-CXT", "S@h8")
    first, second = (turn.verdict for turn in game.turns)
    assert first is not None
    assert second is not None
    assert [broken.rule for broken in first.violations] == ["7"]
    assert [broken.rule for broken in second.violations] == ["4-connect"]
    assert game.totals == {"Red": 6, "Blue": 0}
    assert game.board.tile_count() == 4


def test_the_same_letter_on_itself_is_recorded_as_it_was_played() -> None:
    game = game_after(game_of(), "c4-CAT", "C@c4")
    assert game.board.height(parse_play("C@c4").squares[0]) == 2
    assert game.turns[1].points == 4


@pytest.mark.parametrize(
    ("play", "says"),
    [
        ("A@i4", "i4 is not on this board"),
        ("A@b4 B@b4", "two tiles went on b4 in one turn"),
        ("R@d4", "d4 would be six tiles high"),
    ],
)
def test_a_play_that_leaves_no_possible_board_is_refused(play: str, says: str) -> None:
    game = game_after(game_of(), "d4-ON", "A@d4", "B@d4", "C@d4", "D@d4")
    before = (game.log, game.state)
    with pytest.raises(UpscoreError, match=says):
        game.play(parse_play(play))
    with pytest.raises(UpscoreError, match="at least one tile"):
        game.play(Play(()))
    assert (game.log, game.state) == before


def test_judging_records_nothing() -> None:
    game = game_of()
    assert game.judge(parse_play("c4-CAT")).legal
    assert game.turns == ()


def test_an_upheld_challenge_takes_the_tiles_off() -> None:
    game = game_after(game_of("Red", "Blue", "Green"), "c4-CAT", "c4-HX")
    after = game.challenge("Green", upheld=True)
    assert after.board == board_of(8, "c4-CAT")
    assert after.current_player == "Blue"
    assert after.totals == {"Red": 6, "Blue": 0, "Green": 0}
    assert after.pile == 64 - 21 - 3
    assert after.turns[1].taken_back
    again = game_after(after, "e5-ON", "pass")
    assert lines(again) == [
        (1, "Red", "play", 6),
        (2, "Blue", "play", 0),
        (2, "Blue", "play", again.turns[2].points),
        (3, "Green", "pass", 0),
    ]


def test_a_first_play_taken_back_is_followed_by_a_first_play() -> None:
    game = game_after(game_of(), "c4-CXT").challenge("Blue", upheld=True)
    verdict = game.judge(parse_play("a1-ON"))
    assert [broken.rule for broken in verdict.violations] == ["3"]


def test_a_failed_challenge_costs_nothing_by_the_sheets() -> None:
    game = game_after(game_of(), "c4-CAT").challenge("Blue", upheld=False)
    assert game.current_player == "Blue"
    assert game.turns[0].refused_challenges == ("Blue",)
    assert game.challenge(None, upheld=True).board.is_empty


def test_a_failed_challenge_costs_the_next_turn_by_house_rule() -> None:
    game = game_of("Red", "Blue", "Green", failed_challenge_loses_turn=True)
    game = game_after(game, "c4-CAT").challenge("Blue", upheld=False)
    assert game.current_player == "Green"
    game = game_after(game, "e5-ON", "pass", "pass")
    assert lines(game)[1:] == [
        (2, "Blue", "lost", 0),
        (3, "Green", "play", game.turns[2].points),
        (4, "Red", "pass", 0),
        (5, "Blue", "pass", 0),
    ]


def test_everybody_may_lose_a_turn() -> None:
    game = game_of("Red", "Blue", "Green", failed_challenge_loses_turn=True)
    game = game_after(game, "c4-CAT").challenge("Blue", upheld=False).challenge("Green", upheld=False)
    assert game.current_player == "Red"
    game = game_after(game, "pass")
    assert [turn.kind for turn in game.turns] == ["play", "lost", "lost", "pass"]
    assert game.current_player == "Blue"


def test_a_challenge_upheld_after_one_that_failed_leaves_the_penalty() -> None:
    game = game_of("Red", "Blue", "Green", failed_challenge_loses_turn=True)
    game = game_after(game, "c4-CXT").challenge("Blue", upheld=False).challenge("Green", upheld=True)
    assert game.current_player == "Red"
    assert game_after(game, "pass").current_player == "Green"


def test_a_failed_challenge_that_costs_a_turn_has_a_challenger() -> None:
    with pytest.raises(GameError, match="say who challenged"):
        game_after(game_of(failed_challenge_loses_turn=True), "c4-CAT").challenge(None, upheld=False)


def test_an_exchange_costs_the_turn() -> None:
    game = game_of().exchange("A", "B")
    assert lines(game) == [(1, "Red", "exchange", 0)]
    assert game.current_player == "Blue"
    assert game.pile == 50
    assert game.state.racks[0].known == ("B",)
    assert game.state.racks[0].size == 7


def test_an_exchange_needs_a_pile_and_a_tile() -> None:
    assert Game.start(CLASSIC, ["Red", "Blue"], board=board_with(49)).exchange().pile == 1
    with pytest.raises(GameError, match="draw pile is empty"):
        Game.start(CLASSIC, ["Red", "Blue"], board=board_with(50)).exchange()
    with pytest.raises(GameError, match="has no tile to exchange"):
        game_of().with_event(RackSeen(0, ())).exchange()
    with pytest.raises(GameError, match="'9' is not a tile"):
        game_of().exchange("9")


def test_solo_has_five_exchanges() -> None:
    game = game_of("Solo")
    for _ in range(5):
        game = game.exchange()
    assert game.current_player == "Solo"
    with pytest.raises(GameError, match="5 exchanges of a solo game are used"):
        game.exchange()


def test_a_game_on_any_grid_knows_no_tiles() -> None:
    game = Game.start(grid_edition(15), ["Red"])
    game = game_after(game, "h8-CAT").exchange()
    assert game.pile is None
    assert game.count_tiles_left() is None
    assert game.state.racks[0].size is None
    assert game.flags == ()
