"""Challenges (Rule 8): open until another word is played, in every edition, whatever is put right meanwhile."""

from __future__ import annotations

import random

import pytest
from enginekit import Words, game_after, refusal
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there

from engine import EDITIONS, Game, GameError, HouseRules, TurnRecord, find_edition, parse_play
from engine.formats.game_json import game_from_dict, game_to_dict
from engine.formats.notation import format_game, parse_game
from engine.game.events import Challenged, Event, Exchanged, Passed, Played, RackSeen
from engine.game.turns import challenge_text

LEXICON = Words("MOOD", "WOOD", "DEAR", "ON", "NET", name="short list")
NAMES = ("Red", "Blue", "Green", "Gold")
LOSES = HouseRules(failed_challenge_loses_turn=True)


def game_of(players: int = 3, rules: HouseRules | None = None, edition: str = "8x8") -> Game:
    return Game.start(find_edition(edition), NAMES[:players], rules or HouseRules(), lexicon=LEXICON)


def lines(game: Game) -> list[tuple[int, str, str, int]]:
    return [(turn.number, turn.player, turn.kind, turn.points) for turn in game.turns]


def challenges(game: Game) -> list[tuple[str | None, ...]]:
    """Who challenged each turn."""
    return [tuple(each.challenger for each in turn.challenges) for turn in game.turns]


def open_line(game: Game) -> TurnRecord:
    assert game.open_play is not None
    return game.open_play


@pytest.mark.parametrize("edition", list(EDITIONS))
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("between", [(), ("pass",), ("exchange",), ("pass", "exchange"), ("pass", "pass", "pass")])
def test_a_challenge_is_open_until_another_word_is_played(edition: str, players: int, between: tuple[str, ...]) -> None:
    game = game_after(game_of(players, edition=edition), "e5-MOOD", "e5-X", *between)
    off = game.challenge("Red", upheld=True)
    assert off.board == game_after(game_of(players, edition=edition), "e5-MOOD").board
    assert (off.totals["Blue"], off.turns[1].taken_back) == (0, True)
    assert off.current_player == "Blue"
    again = game_after(off, "e5-W", "pass")
    assert again.current_player == NAMES[3 % players]
    closed = game_after(game, "h6|EAR")
    with pytest.raises(GameError, match="made the play"):
        closed.challenge(closed.turns[-1].player, upheld=True)
    assert open_line(closed).play == parse_play("h6|EAR")


def test_whose_turn_it_is_after_tiles_came_off_late() -> None:
    game = game_after(game_of(), "c4-MOOD", "c4-X", "pass").challenge("Red", upheld=True)
    game = game_after(game, "c4-W", "pass", "pass")
    assert lines(game) == [
        (1, "Red", "play", 8),
        (2, "Blue", "play", 0),
        (3, "Green", "pass", 0),
        (4, "Blue", "play", 5),
        (5, "Green", "pass", 0),
        (6, "Red", "pass", 0),
    ]


def test_what_was_exchanged_meanwhile_stays_exchanged() -> None:
    game = game_of(2).with_event(RackSeen(0, tuple("MXOODAB"))).with_event(RackSeen(1, tuple("EEEEEEE")))
    game = game_after(game, "c4-MOOD").exchange("E", "S").exchange("A", "T")
    back = game.challenge("Blue", upheld=True)
    assert sorted(back.state.racks[0].known) == sorted("MXOODBT")
    assert sorted(back.state.racks[1].known) == sorted("EEEEEES")
    assert back.pile == 64 - 14


@pytest.mark.parametrize(("between", "next_player"), [((), "Red"), (("pass",), "Green")])
def test_after_tiles_came_off_their_player_does_not_exchange(between: tuple[str, ...], next_player: str) -> None:
    off = game_after(game_of(2 if not between else 3), "c4-MOOD", "c4-X", *between).challenge("Red", upheld=True)
    with pytest.raises(GameError, match="play another word or pass"):
        off.exchange()
    assert off.pass_turn().exchange().turns[-1].player == next_player


def test_a_failed_challenge_after_a_pass_costs_the_next_turn() -> None:
    game = game_after(game_of(rules=LOSES), "c4-MOOD", "c4-W", "pass").challenge("Red", upheld=False)
    assert game.current_player == "Blue"
    (made,) = game.turns[1].challenges
    assert (made.challenger, made.upheld, made.authority, made.costs_turn) == ("Red", False, "list", True)
    assert [turn.kind for turn in game_after(game, "pass").turns] == ["play", "play", "pass", "lost", "pass"]


@pytest.mark.parametrize(
    ("tiles", "upheld", "authority"),
    [("c4-X", True, "list"), ("c4-X", False, "table"), ("c4-W", True, "table"), ("c4-W", False, "list")],
)
def test_the_word_list_is_advice(tiles: str, upheld: bool, authority: str) -> None:
    game = game_after(game_of(), "c4-MOOD", tiles).challenge("Red", upheld=upheld)
    (made,) = game.turns[1].challenges
    assert (made.upheld, made.authority) == (upheld, authority)
    assert game.turns[1].taken_back is upheld
    assert parse_game(format_game(game), LEXICON).turns == game.turns
    assert game_from_dict(game_to_dict(game), LEXICON).turns == game.turns


@pytest.mark.parametrize(
    ("tiles", "upheld", "authority"),
    [("b1-MOOD", True, "rules"), ("b1-MOOD", False, "list"), ("b1-MOOX", True, "list"), ("b1-MOOX", False, "table")],
)
def test_a_play_that_comes_off_for_its_placing_alone_is_not_the_lists_word(
    tiles: str, upheld: bool, authority: str
) -> None:
    """It lies beside the centre: that is no question of words, which the list has."""
    game = game_after(game_of(), tiles).challenge("Blue", upheld=upheld)
    (made,) = game.turns[0].challenges
    assert made.authority == authority
    says = {"rules": "by the rules of placing", "list": "by the word list", "table": "by the table's own dictionary"}
    assert challenge_text(made) == f"Blue challenged it, and it {'came off' if upheld else 'stands'} {says[authority]}."
    assert parse_game(format_game(game), LEXICON).turns == game.turns
    assert game_from_dict(game_to_dict(game), LEXICON).turns == game.turns


def test_the_next_turn_is_lost_once_and_only_the_first_challenge_says_so() -> None:
    game = game_after(game_of(rules=LOSES), "c4-MOOD").challenge("Green", upheld=False)
    game = game_after(game, "c4-W").challenge("Green", upheld=False)
    assert [turn.challenges[0].costs_turn for turn in game.turns] == [True, False]
    assert "loses" not in challenge_text(game.turns[1].challenges[0])
    after = game_after(game, "pass", "pass", "pass")
    assert [(turn.player, turn.kind) for turn in after.turns[2:]] == [
        ("Green", "lost"),
        ("Red", "pass"),
        ("Blue", "pass"),
        ("Green", "pass"),
    ]
    later = game_after(after, "d5-N").challenge("Green", upheld=False)
    assert later.turns[-1].challenges[0].costs_turn


def test_without_a_word_list_the_table_rules() -> None:
    game = Game.start(find_edition("8x8"), ["Red", "Blue"]).play(parse_play("c4-MOOD"))
    (made,) = game.challenge("Blue", upheld=False).turns[0].challenges
    assert made.authority == "table"


def test_a_play_taken_back_by_agreement_is_nobodys_challenge() -> None:
    game = game_after(game_of(), "c4-MOOD", "pass").take_back()
    (made,) = game.turns[0].challenges
    assert (made.challenger, made.upheld, made.authority, game.current_player) == (None, True, None, "Red")


@pytest.mark.parametrize(
    ("before", "by", "says"),
    [
        ((), "Red", "no play to challenge"),
        (("pass",), "Red", "no play to challenge"),
        (("c4-MOOD",), "Red", "Red made the play"),
        (("c4-MOOD", "pass"), "Red", "Red made the play"),
        (("c4-MOOD",), "Nobody", "'Nobody' does not play"),
    ],
)
@pytest.mark.parametrize("upheld", [True, False])
def test_challenges_that_cannot_be(before: tuple[str, ...], by: str, says: str, upheld: bool) -> None:
    game = game_after(game_of(), *before)
    log, state = game.log, game.state
    said = there(refusal(lambda: game.challenge(by, upheld=upheld)))
    assert says in said
    assert len(said.splitlines()) == 1
    assert (game.log, game.state) == (log, state)


def test_nobody_challenges_a_play_twice() -> None:
    stands = game_after(game_of(), "c4-MOOD").challenge("Blue", upheld=False)
    with pytest.raises(GameError, match="Blue challenged turn 1 already, and it stands: undo that challenge"):
        stands.challenge("Blue", upheld=True)
    with pytest.raises(GameError, match="turn 1 was challenged already, and it stands"):
        stands.challenge(None, upheld=False)
    off = game_after(game_of(), "c4-MOOD").challenge("Blue", upheld=True)
    with pytest.raises(GameError, match="no play to challenge"):
        off.challenge("Blue", upheld=True)


def test_after_the_end_nothing_is_challenged() -> None:
    ended = game_after(game_of(2), "c4-MOOD").end("agreed", [0, 0])
    assert ended.open_play is None
    with pytest.raises(GameError, match="the game is over: undo its end"):
        ended.challenge("Blue", upheld=True)
    assert ended.undo().challenge("Blue", upheld=True).board.is_empty


def test_a_challenge_stays_with_the_play_that_a_correction_changes() -> None:
    game = game_after(game_of(), "c4-MOOD", "c4-X", "pass").challenge("Red", upheld=True)
    rescored = game.correct(1, Played(parse_play("c4-Z")))
    assert rescored.game.turns[1].play == parse_play("c4-Z")
    assert rescored.game.turns[1].taken_back
    assert challenges(rescored.game) == [(), ("Red",), ()]


@pytest.mark.parametrize("upheld", [True, False])
@pytest.mark.parametrize("put", [None, Passed()])
def test_a_challenge_goes_with_its_play_and_says_so(put: Event | None, upheld: bool) -> None:
    game = game_after(game_of(), "c4-MOOD", "c4-W").challenge("Red", upheld=upheld)
    rescored = game.remove(1) if put is None else game.correct(1, put)
    assert not any(isinstance(event, Challenged) for event in rescored.game.events)
    assert challenges(rescored.game) == [()] * len(rescored.game.turns)
    assert rescored.game.totals["Red"] == 8
    assert "and with it the challenge by Red" in " ".join(change.text for change in rescored.changes)
    assert rescored.game.undo().state == game.state


def test_a_missed_word_before_a_challenge_comes_after_it() -> None:
    """The challenge was of MOOD: so it was made before another word, whatever else was played."""
    game = game_after(game_of(), "c4-MOOD", "pass").challenge("Green", upheld=False)
    put = game.insert(1, Played(parse_play("f5|EAR"))).game
    assert challenges(put) == [("Green",), (), ()]
    assert [turn.kind for turn in put.turns] == ["play", "play", "pass"]
    changed = game.correct(1, Played(parse_play("f5|EAR"))).game
    assert challenges(changed) == [("Green",), ()]
    assert game.insert(1, Passed()).game.events[-1] == game.events[-1]


def test_a_challenge_of_an_earlier_play_is_left_alone() -> None:
    game = game_after(game_of(), "c4-MOOD").challenge("Green", upheld=False)
    game = game_after(game, "c4-W").challenge("Green", upheld=False)
    removed = game.remove(2).game
    assert challenges(removed) == [("Green",)]
    assert challenges(game.remove(3).game) == [("Green",), ()]


def test_only_those_who_passed_end_the_game_by_passing() -> None:
    game = game_after(game_of(rules=LOSES), "c4-MOOD").challenge("Blue", upheld=False)
    game = game_after(game, "pass", "pass")
    assert [turn.kind for turn in game.turns] == ["play", "lost", "pass", "pass"]
    assert game.end_offers() == ()
    (offer,) = game_after(game, "pass").end_offers()
    assert offer.reason == "passes"


def test_passes_before_tiles_came_off_still_count_and_a_turn_lost_between_does_not() -> None:
    rules = HouseRules(failed_challenge_loses_turn=True, passing_rounds=2)
    game = game_after(game_of(2, rules), "c4-MOOD").challenge("Blue", upheld=False)
    game = game_after(game, "pass", "pass", "pass")
    assert [turn.player for turn in game.turns if turn.kind == "pass"] == ["Red", "Blue", "Red"]
    assert game.end_offers() == ()
    assert [offer.reason for offer in game_after(game, "pass").end_offers()] == ["passes"]


# What a table does in any order, against a count made by hand

PLAYS = ("c4-MOOD", "c4-W", "c4-X", "f5|EAR", "e5-ON", "f4-N", "c3-A", "d5-T", "g4-S")


def let_happen(chance: random.Random, game: Game) -> Game:
    """Return the game after one more thing, or as it was where that can't be."""
    kind, after = chance.random(), [game]
    others = [name for name in game.players if game.open_play is None or name != game.open_play.player]

    def act() -> Game:
        if kind < 0.35:
            return game.play(parse_play(chance.choice(PLAYS)))
        if kind < 0.5:
            return game.pass_turn()
        if kind < 0.6:
            return game.exchange()
        if kind < 0.8:
            return game.challenge(chance.choice(others), upheld=chance.random() < 0.5)
        if kind < 0.85:
            return game.undo()
        if kind < 0.88:
            return game.redo()
        at = chance.randrange(len(game.events) + 1)
        puts: tuple[Event, ...] = (Passed(), Exchanged(), Played(parse_play(chance.choice(PLAYS))))
        put = chance.choice(puts)
        if kind < 0.92:
            return game.insert(at, put).game
        return game.correct(at, put).game if kind < 0.96 else game.remove(at).game

    refusal(lambda: after.append(act()))
    return after[-1]


@st.composite
def games(draw: st.DrawFn) -> Game:
    chance = random.Random(draw(st.integers(0, 2**32)))
    rules = HouseRules(failed_challenge_loses_turn=chance.random() < 0.5)
    game = game_of(chance.randrange(2, 5), rules, chance.choice(list(EDITIONS)))
    for _ in range(chance.randrange(4, 24)):
        game = let_happen(chance, game)
    return game


@given(games())
def test_every_point_and_every_turn_is_accounted_for(game: Game) -> None:
    """An account by hand: who played what, what came off, who lost a turn, who is next."""
    points = dict.fromkeys(game.players, 0)
    board, turn, skips = game.setup.start, 0, set[int]()
    last: tuple[int, int] | None = None
    before = board
    for number, event in enumerate(game.events):
        if isinstance(event, Challenged):
            assert last is not None
            if event.upheld:
                board, turn = before, last[0]
                points[game.players[last[0]]] -= last[1]
                last = None
            elif game.setup.rules.failed_challenge_loses_turn:
                assert event.challenger is not None
                skips.add(event.challenger)
            continue
        while turn in skips:
            skips.remove(turn)
            turn = (turn + 1) % len(game.players)
        record = next(each for each in game.turns if each.event == number and each.kind != "lost")
        assert record.player == game.players[turn]
        if isinstance(event, Played):
            assert record.verdict is not None
            before, board = board, board.with_play(event.play)
            last = (turn, record.verdict.points)
            points[record.player] += last[1]
        turn = (turn + 1) % len(game.players)
    while turn in skips:
        skips.remove(turn)
        turn = (turn + 1) % len(game.players)
    assert (game.board, game.totals, game.current_player) == (board, points, game.players[turn])


@given(games())
def test_a_log_with_challenges_replays_to_the_same_game(game: Game) -> None:
    again = Game.from_log(game.setup, game.log, LEXICON)
    assert (again.events, again.state) == (game.events, game.state)
    assert parse_game(format_game(game), LEXICON).state == game.state
    assert game_from_dict(game_to_dict(game), LEXICON).state == game.state


@given(games(), st.integers(0, 2**32))
def test_what_is_put_right_never_moves_a_challenge_to_another_play(game: Game, seed: int) -> None:
    chance = random.Random(seed)
    at = chance.randrange(len(game.events) + 1)
    put = chance.choice([Passed(), Played(parse_play("a1-TO")), None])
    insert = put is not None and chance.random() < 0.5
    results: list[Game] = []
    if insert and put is not None:
        refusal(lambda: results.append(game.insert(at, put).game))
    elif put is not None:
        refusal(lambda: results.append(game.correct(at, put).game))
    else:
        refusal(lambda: results.append(game.remove(at).game))
    touched = set() if insert else {at}
    kept = [turn.play for turn in game.turns if turn.challenges and turn.event not in touched]
    for after in results:
        mine = {each.event for turn in game.turns for each in turn.challenges}
        if not touched & mine:
            assert [turn.play for turn in after.turns if turn.challenges and turn.play != put_play(put)] == kept


def put_play(put: Event | None) -> object:
    return put.play if isinstance(put, Played) else None
