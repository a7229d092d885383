"""Turns given to another player than the one who was due, and games that start in the middle."""

from __future__ import annotations

import random

import pytest
from enginekit import Words, board_of, game_after
from hypothesis import given
from hypothesis import strategies as st

from engine import Game, GameError, HouseRules, find_edition, parse_play
from engine.analysis.solo_record import solo_total
from engine.formats.csv_text import game_csv
from engine.formats.game_json import game_from_dict, game_to_dict
from engine.formats.notation import format_game, parse_game
from engine.game.events import Event, Exchanged, Passed, Played, TurnGiven

LEXICON = Words("CAT", "ON", "TO", "HAT", name="short list")
THREE = ("Red", "Blue", "Green")
LOSES = HouseRules(failed_challenge_loses_turn=True)
HARSH = HouseRules(passing_rounds=9)


def game_of(*players: str, rules: HouseRules | None = None) -> Game:
    return Game.start(find_edition("8x8"), players or THREE, rules or HouseRules(), lexicon=LEXICON)


def turn_to(game: Game, player: int) -> Game:
    return game.with_event(TurnGiven(player))


def lines(game: Game) -> list[tuple[int, str, str]]:
    return [(turn.number, turn.player, turn.kind) for turn in game.turns]


def test_play_goes_round_from_the_player_who_was_given_the_turn() -> None:
    game = turn_to(game_of().pass_turn(), 2)
    assert game.current_player == "Green"
    assert lines(game) == [(1, "Red", "pass")]
    game = game.play(parse_play("c4-CAT")).pass_turn()
    assert lines(game) == [(1, "Red", "pass"), (2, "Green", "play"), (3, "Red", "pass")]
    assert game.totals == {"Red": 0, "Blue": 0, "Green": 6}


def test_a_turn_is_given_to_a_player_of_the_game_while_it_goes_on() -> None:
    with pytest.raises(GameError, match="there is no player 4: the game has 3"):
        turn_to(game_of(), 3)
    with pytest.raises(GameError, match="the game is over"):
        turn_to(game_of().end("agreed"), 1)


def test_a_turn_given_is_no_pass() -> None:
    game = turn_to(turn_to(game_of("Red", "Blue"), 1), 0)
    assert game.end_offers() == ()
    assert turn_to(game.pass_turn(), 0).pass_turn().end_offers() == ()
    assert [offer.reason for offer in game.pass_turn().pass_turn().end_offers()] == ["passes"]


def test_all_must_have_passed_whatever_the_order() -> None:
    game = turn_to(turn_to(game_of().pass_turn(), 0).pass_turn(), 2).pass_turn()
    assert game.end_offers() == ()
    assert [offer.reason for offer in turn_to(game, 1).pass_turn().end_offers()] == ["passes"]


def test_a_play_can_be_challenged_after_another_player_was_given_the_turn() -> None:
    game = turn_to(game_of().play(parse_play("c4-CXT")), 2)
    back = game.challenge("Blue", upheld=True)
    assert back.board.is_empty
    assert (back.current_player, back.state.number) == ("Red", 1)


def test_who_is_given_a_turn_after_one_was_taken_back_has_the_next_number_and_may_exchange() -> None:
    back = game_of().play(parse_play("c4-CXT")).challenge("Blue", upheld=True)
    game = turn_to(back, 2)
    assert game.state.number == 2
    assert lines(game.exchange())[-1] == (2, "Green", "exchange")
    assert turn_to(game, 0).state.number == 1
    with pytest.raises(GameError, match="play another word or pass"):
        turn_to(game, 0).exchange()


def test_a_turn_given_to_who_has_it_changes_nothing() -> None:
    game = game_of(rules=LOSES).play(parse_play("c4-CAT")).challenge("Blue", upheld=False)
    assert game.current_player == "Green"
    assert turn_to(game, 2).state == game.state


def test_a_turn_that_was_lost_is_had_after_all_when_it_is_given() -> None:
    game = game_of(rules=LOSES).play(parse_play("c4-CAT")).challenge("Blue", upheld=False)
    for player in (1, 0):
        assert turn_to(game, player).current_player == THREE[player]
    had = turn_to(game, 1).pass_turn().pass_turn().pass_turn()
    assert [turn[1:] for turn in lines(had)][1:] == [("Blue", "pass"), ("Green", "pass"), ("Red", "pass")]
    assert had.current_player == "Blue"


def test_a_turn_that_is_lost_stays_lost_when_another_player_is_given_theirs() -> None:
    game = game_of(rules=LOSES).play(parse_play("c4-CAT")).challenge("Blue", upheld=False)
    later = turn_to(game, 0).pass_turn().pass_turn()
    assert [turn[1:] for turn in lines(later)][1:] == [("Red", "pass"), ("Blue", "lost"), ("Green", "pass")]


def test_a_turn_that_was_anothers_is_put_right_with_all_after_it() -> None:
    game = game_after(game_of("Red", "Blue"), "c4-CAT", "c4-H", "f4-S")
    rescored = game.assign(1, "Red")
    assert [change.text for change in rescored.changes] == [
        "Blue's HAT (4) is Red's now.",
        "Red's HATS (5) is Blue's now.",
    ]
    assert rescored.totals_before == {"Red": 11, "Blue": 4}
    assert rescored.game.totals == {"Red": 10, "Blue": 5}
    assert rescored.game.current_player == "Red"


def test_a_turn_given_gives_way_to_the_next_and_goes_when_the_order_says_the_same() -> None:
    game = game_of().pass_turn().pass_turn()
    first = game.assign(1, "Red").game
    assert first.events == (Passed(), TurnGiven(0), Passed())
    second = first.assign(2, "Green").game
    assert second.events == (Passed(), TurnGiven(2), Passed())
    assert second.assign(2, "Green").game == second
    assert second.assign(2, "Blue").game.events == game.events


def test_a_turn_stays_with_the_player_who_has_it() -> None:
    game = game_of(rules=LOSES).play(parse_play("c4-CAT")).challenge("Blue", upheld=False).pass_turn()
    rescored = game.assign(2, "Green")
    assert (rescored.game, rescored.changes) == (game, ())
    had = game.assign(2, "Blue")
    assert [change.text for change in had.changes] == ["Removed Blue's lost turn.", "Green's pass is Blue's now."]


@pytest.mark.parametrize("at", [-1, 1, 2])
def test_only_a_turn_can_have_been_anothers(at: int) -> None:
    game = game_of().play(parse_play("c4-CAT")).challenge("Blue", upheld=False)
    with pytest.raises(GameError, match=f"event {at + 1} isn't a turn: choose a play, a pass or an exchange"):
        game.assign(at, "Blue")
    with pytest.raises(GameError, match="'Pink' does not play: use Red, Blue, Green"):
        game.assign(0, "Pink")


def some_game(seed: int) -> Game:
    """Return a game of plays, passes, exchanges and challenges, with turns given to anybody now and then."""
    chance = random.Random(seed)
    game = game_of(*THREE[: chance.choice([2, 3])], rules=chance.choice([LOSES, HARSH]))
    for _ in range(chance.randrange(1, 12)):
        happenings: list[Event] = [Passed(), Exchanged(), Played(parse_play(f"A@d4 {chance.choice('BCDE')}@e4"))]
        happenings.append(TurnGiven(chance.randrange(len(game.players))))
        try:
            game = game.with_event(chance.choice(happenings))
            if game.state.before_play is not None and chance.random() < 0.5:
                others = [name for name in game.players if name != game.turns[-1].player]
                game = game.challenge(chance.choice(others), upheld=chance.random() < 0.5)
        except GameError:
            continue
    return game


@given(st.integers(0, 2**32), st.integers(0, 30), st.integers(0, 2))
def test_a_turn_assigned_and_assigned_back_leaves_the_game_as_it_was(seed: int, which: int, to: int) -> None:
    game = some_game(seed)
    turns = [turn for turn in game.turns if turn.kind != "lost"]
    if not turns:
        return
    turn, player = turns[which % len(turns)], game.players[to % len(game.players)]
    try:
        assigned = game.assign(turn.event, player).game
    except GameError:
        return
    at = turn.event + len(assigned.events) - len(game.events)
    assert next(now.player for now in assigned.turns if now.event == at and now.kind != "lost") == player
    back = assigned.assign(at, turn.player).game
    assert (back.totals, lines(back), back.board) == (game.totals, lines(game), game.board)


def test_a_game_starts_in_the_middle_with_its_points_and_who_is_next() -> None:
    board = board_of(8, "c4-CAT")
    game = Game.start(*(find_edition("8x8"), ("Red", "=Blue")), lexicon=LEXICON, board=board, scores=[6, 34], first=1)
    assert game.current_player == "=Blue"
    assert game.totals == {"Red": 6, "=Blue": 34}
    game = game.play(parse_play("c4-H")).pass_turn()
    assert [turn.player for turn in game.turns] == ["=Blue", "Red"]
    assert game.totals == {"Red": 6, "=Blue": 38}
    assert game.end("agreed", (0, 0)).winners == ("=Blue",)
    assert game.undo().undo().totals == {"Red": 6, "=Blue": 34}
    assert game_csv(game.end("agreed", (1, 0))).splitlines()[1:] == [
        ",Red,start,,,6,6,,",
        ",'=Blue,start,,,34,34,,",
        "1,'=Blue,play,H@c4,HAT 4,4,38,yes,",
        "2,Red,pass,,,0,6,,",
        ",Red,left over,,,-5,1,,",
        ",'=Blue,left over,,,0,38,,",
    ]


def test_a_draw_says_who_begins_whoever_was_next() -> None:
    game = Game.start(find_edition("8x8"), THREE, first=2)
    assert game.draw(["A", "B", "C"]).current_player == "Red"


def test_what_a_game_starts_with_is_written_where_there_is_anything_to_say() -> None:
    plain = game_of()
    assert not {"scores", "first", "start"} & game_to_dict(plain).keys()
    assert "scores" not in format_game(plain)
    middle = Game.start(find_edition("8x8"), THREE, lexicon=LEXICON, scores=(0, 12, 7), first=2)
    data = game_to_dict(middle)
    assert (data["scores"], data["first"]) == ([0, 12, 7], 2)
    assert format_game(middle).splitlines()[5:8] == ["lexicon short list", "scores 0 12 7", "first 3"]
    for again in (game_from_dict(data, LEXICON), parse_game(format_game(middle), LEXICON)):
        assert again == middle
        assert (again.totals, again.current_player) == (middle.totals, "Green")


def test_points_or_a_player_that_cannot_be_are_refused() -> None:
    def start(scores: list[int], first: int = 0) -> Game:
        return Game.start(find_edition("8x8"), ("Red", "Blue"), scores=scores, first=first)

    with pytest.raises(GameError, match="1 scores to start with for two players: give one each"):
        start([1])
    with pytest.raises(GameError, match="Blue cannot start with -1 points: give a score from 0 to 9999"):
        start([0, -1])
    with pytest.raises(GameError, match="there is no player 3: the game has 2"):
        start([0, 0], 2)


def test_a_solo_game_that_brought_points_along_sets_no_record() -> None:
    for scores, total in (([0], 6), ([3], None)):
        game = Game.start(find_edition("8x8"), ["Red"], lexicon=LEXICON, scores=scores)
        assert solo_total(game.play(parse_play("c4-CAT")).end("agreed", (0,))) == total
