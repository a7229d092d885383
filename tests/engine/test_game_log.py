"""Logs: what is written comes back the same, and nothing that is read does worse than one clear line."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from enginekit import Words, board_of, make_play, refusal
from hypothesis import given
from hypothesis import strategies as st

from engine import FACES, Game, HouseRules, Play, UpscoreError, find_edition, parse_play
from engine.formats.game_json import game_from_dict, game_to_dict
from engine.formats.notation import format_diagram, format_entry, format_game, parse_diagram, parse_entry, parse_game
from engine.game.events import (
    END_REASONS,
    Authority,
    BoardTaken,
    Challenged,
    Corrected,
    Drawn,
    Ended,
    Entry,
    Event,
    Exchanged,
    Passed,
    Played,
    RackSeen,
    Redone,
    TurnGiven,
    Undone,
)

LEXICON = Words("SEA", "SEAT", "TEA", "AT", "AS", "TA", name="short list")


RULED: tuple[Authority | None, ...] = (None, "list", "table")


def some_play(chance: random.Random) -> Play:
    """Return a play in one line, gaps and all, mostly round the middle."""
    line, start = chance.randrange(2, 6), chance.randrange(6)
    places = [place for place in range(start, min(8, start + 4)) if chance.random() < 0.7] or [start]
    across = chance.random() < 0.5
    return make_play(
        (line, place, chance.choice("AEST")) if across else (place, line, chance.choice("AEST")) for place in places
    )


def some_event(chance: random.Random, players: int) -> Event:
    """Return a random event, usually a play. Many are impossible where they come."""
    face = chance.choice([None, *FACES])
    rack = tuple(chance.choices(FACES, k=chance.randrange(9)))
    others: list[Event] = [
        Passed(),
        Exchanged(face, chance.choice([None, "A"])),
        Challenged(chance.choice([None, *range(players + 1)]), chance.random() < 0.5, chance.choice(RULED)),
        RackSeen(chance.randrange(players + 1), rack),
        TurnGiven(chance.randrange(players + 1)),
        Drawn(tuple(chance.choices([None, *FACES], k=players))),
        BoardTaken(some_play(chance), chance.randrange(players + 1)),
        Ended(chance.choice(END_REASONS), chance.choice([None, (1, 2, 3)[:players]])),
    ]
    return Played(some_play(chance)) if chance.random() < 0.6 else chance.choice(others)


def some_step(chance: random.Random, game: Game) -> Entry:
    """Return a random next step, usually an event, and often a challenge if there is a play."""
    kind = chance.random()
    if kind < 0.1:
        return Undone()
    if kind < 0.15:
        return Redone()
    if kind < 0.3:
        put = chance.choice([None, some_event(chance, len(game.players))])
        others = [
            (chance.randrange(len(game.events) + 1), chance.choice([None, some_event(chance, len(game.players))]))
        ]
        also = tuple(others) if chance.random() < 0.3 else ()
        insert = put is not None and chance.random() < 0.5
        return Corrected(chance.randrange(len(game.events) + 1), put, insert, also)
    if kind < 0.45 and game.state.before_play is not None:
        return Challenged(chance.randrange(len(game.players)), chance.random() < 0.5, chance.choice(RULED))
    return some_event(chance, len(game.players))


def take(game: Game, step: Entry) -> Game:
    """Return the game after a step as a table would take it."""
    if isinstance(step, Undone | Redone):
        return game.undo() if isinstance(step, Undone) else game.redo()
    return game.put_right(step).game if isinstance(step, Corrected) else game.with_event(step)


def some_game(seed: int) -> Game:
    """Return a game after random steps, of which impossible ones were refused. Check that each step can be undone."""
    chance = random.Random(seed)
    players = chance.choice([("Red", "Blue"), ("Red", "Blue", "The green; player")])
    rules = HouseRules(failed_challenge_loses_turn=chance.random() < 0.5, passing_rounds=chance.randrange(1, 4))
    board = chance.choice([None, board_of(8, "c4-TEA; S@c4")])
    scores = chance.choice([None, [chance.randrange(200) for _ in players]])
    game = Game.start(
        *(find_edition("8x8"), players, rules),
        lexicon=LEXICON,
        board=board,
        scores=scores,
        first=chance.choice([0, 0, 1]),
    )
    for _ in range(chance.randrange(16)):
        game = step(game, some_step(chance, game))
    return game


def step(game: Game, step: Entry) -> Game:
    """Return the game after a step, or as it was where the step is refused."""
    before = (game.log, game.events, game.state)
    results: list[Game] = []
    refused = refusal(lambda: results.append(take(game, step)))
    assert (game.log, game.events, game.state) == before
    if refused is not None:
        assert len(refused.splitlines()) == 1
        return game
    (after,) = results
    assert after.log[:-1] == game.log
    back = after.redo() if isinstance(step, Undone) else after.undo()
    assert (back.events, back.state) == (game.events, game.state)
    return after


GAMES = st.integers(0, 2**32).map(some_game)


@given(GAMES)
def test_replaying_the_log_gives_the_same_state(game: Game) -> None:
    again = Game.from_log(game.setup, game.log, LEXICON)
    assert again == game
    assert (again.events, again.state) == (game.events, game.state)


@given(GAMES)
def test_a_game_comes_back_from_json(game: Game) -> None:
    again = game_from_dict(json.loads(json.dumps(game_to_dict(game))), LEXICON)
    assert again == game_from_dict(game_to_dict(game), LEXICON) == game
    assert again.state == game.state


@given(GAMES)
def test_a_game_comes_back_from_its_notation(game: Game) -> None:
    again = parse_game(format_game(game), LEXICON)
    assert again == game
    assert again.state == game.state
    for entry in game.log:
        assert parse_entry(format_entry(entry)) == entry


@given(GAMES)
def test_no_tile_is_lost(game: Game) -> None:
    if game.flags:
        return
    held = [rack.size for rack in game.state.racks]
    assert game.pile is not None
    assert None not in held
    assert game.board.tile_count() + sum(size or 0 for size in held) + game.pile == 64


def test_random_games_have_everything_in_them() -> None:
    games = [some_game(seed) for seed in range(150)]
    kinds = {type(entry) for game in games for entry in game.log}
    events = {Played, Passed, Exchanged, Challenged, RackSeen, Drawn, TurnGiven, BoardTaken, Ended}
    assert kinds == {*events, Undone, Redone, Corrected}
    assert any(turn.kind == "lost" for game in games for turn in game.turns)
    assert any(turn.taken_back for game in games for turn in game.turns)
    assert sum(not game.flags and len(game.turns) > 3 for game in games) > 5


@given(GAMES)
def test_totals_are_the_sum_of_the_lines(game: Game) -> None:
    points = dict(zip(game.players, game.setup.scores, strict=True))
    for record in game.turns:
        points[record.player] += record.points
    for name, penalty in zip(game.players, game.ended.penalties if game.ended else (), strict=False):
        points[name] += penalty
    assert game.totals == points
    known = game.find_known_board(len(game.turns) + 1)
    lines = game.turns[known.place :]
    standing = [turn.play for turn in lines if turn.play is not None and not turn.taken_back]
    assert game.board.tile_count() == known.board.tile_count() + sum(len(play.tiles) for play in standing)


@given(GAMES, st.integers(0, 2**32))
def test_the_changes_of_a_correction_account_for_every_point(game: Game, seed: int) -> None:
    chance = random.Random(seed)
    at, event = chance.randrange(len(game.events) + 1), some_event(chance, len(game.players))
    try:
        rescored = game.insert(at, event)
    except UpscoreError:
        return
    for name in game.players:
        was, now = (sum(turn.points for turn in each.turns if turn.player == name) for each in (game, rescored.game))
        for change in rescored.changes:
            for turn, sign in ((change.before, -1), (change.after, 1)):
                was += sign * turn.points if turn is not None and turn.player == name else 0
        assert was == now
    told = [change.after for change in rescored.changes if change.before is None]
    assert all(rescored.game.events[turn.event] == event for turn in told if turn and turn.kind != "lost")
    if rescored.game.events != (*game.events[:at], event, *game.events[at:]):
        return  # a challenge is put after its play: taking the other word out again doesn't move it back
    removed = rescored.game.remove(at).game
    assert (removed.events, removed.state, removed.totals) == (game.events, game.state, game.totals)


def sample() -> Game:
    game = Game.start(find_edition("8x8"), ["Red", "Blue"], HouseRules(passing_rounds=2), lexicon=LEXICON)
    game = game.draw(["B", "A"]).with_event(RackSeen(1, tuple("SEATTEA"))).play(parse_play("c4-SEAT"))
    game = game.challenge("Red", upheld=False).exchange("E").play(parse_play("T@c4, E@d3"))
    game = game.challenge(None, upheld=True).pass_turn().undo()
    return game.correct(2, Played(parse_play("d4-SEA"))).game.end("agreed", [2, 0])


def test_the_notation_is_for_people() -> None:
    assert format_game(sample()).splitlines() == [
        "upscore game 1",
        "edition 8x8",
        "player Red",
        "player Blue",
        "rule passing_rounds 2",
        "lexicon short list",
        "draw B A",
        "rack 2 SEATTEA",
        "play c4-SEAT",
        "challenge 1 refused by list",
        "exchange E for -",
        "play E@d3 T@c4",
        "challenge - upheld by list",
        "pass",
        "undo",
        "correct 3: play d4-SEA",
        "end agreed 2 0",
        "entries 11",
    ]


def test_a_game_without_corrections_is_written_with_its_score() -> None:
    game = Game.start(find_edition("8x8"), ["Red", "Blue"], lexicon=LEXICON)
    game = game.play(parse_play("c4-SEAT")).pass_turn()
    assert format_game(game).splitlines()[-3:] == ["play c4-SEAT  ; 1 Red 8: SEAT 8", "pass  ; 2 Blue", "entries 2"]


def test_people_may_write_comments_and_empty_lines() -> None:
    text = "upscore game 1\n\n edition 8x8 ; ours\nplayer Solo\n; the first turn\nplay c4-sea\nentries 1 ; one"
    assert parse_game(text, LEXICON).totals == {"Solo": 6}


HEAD = "upscore game 1\nedition 8x8\nplayer Red\nplayer Blue\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", 'the first line must be "upscore game 1"'),
        ("upscore game 2\n", "newer version (format 2): update this program"),
        ("upscore game x\n", "the first line must be"),
        ("upscore game 1\nplayer Red\nentries 0\n", "one edition line"),
        (HEAD, "it was cut off"),
        (HEAD + "play c4-SE", "it was cut off"),
        (HEAD + "play c4-SEA\nentries 2\n", "1 entries are written where 2 should be"),
        (HEAD + "entries 0\npass\n", "line 6: nothing comes after"),
        (HEAD + "redo\nentries 1\n", "log entry 1 is impossible: there is nothing to redo"),
        (HEAD + "turn 3\nentries 1\n", "log entry 1 is impossible: there is no player 3: the game has 2"),
        (HEAD + "turn\nentries 1\n", "line 5: 'turn' isn't an event"),
        (HEAD + "scores 3\nentries 0\n", "1 scores to start with for two players: give one each"),
        (HEAD + "scores 3 x\nentries 0\n", "a score to start with must be a number from 0, not 'x'"),
        (HEAD + "scores 3 99999\nentries 0\n", "Blue cannot start with 99999 points"),
        (HEAD + "scores 3 4\nscores 3 4\nentries 0\n", "at most one of lexicon, scores and first each"),
        (HEAD + "first 3\nentries 0\n", "there is no player 3: the game has 2"),
        (HEAD + "first 0\nentries 0\n", "the player who begins must be a number from 1"),
        (HEAD + "entries many\n", "must be a number"),
        (HEAD + "jump\nentries 1\n", "line 5: 'jump' isn't an event: use draw, rack"),
        (HEAD + "play\nentries 1\n", "line 5: 'play' isn't an event"),
        (HEAD + "play c4-S3A\nentries 1\n", "line 5: '3' (character 2 of 'S3A') is not a tile"),
        (HEAD + "rack 0 A\nentries 1\n", "line 5: the player's number must be a number from 1"),
        (HEAD + "challenge 1 maybe\nentries 1\n", "isn't an event"),
        (HEAD + "correct 1: undo\nentries 1\n", "'undo' isn't an event"),
        (HEAD + "correct 1: pass\nentries 1\n", "log entry 1 is impossible: there is no event 1 to correct"),
        (HEAD + "undo\nentries 1\n", "log entry 1 is impossible: there is nothing to undo"),
        (HEAD + "challenge 2 upheld\nentries 1\n", "log entry 1 is impossible: there is no play to challenge"),
        (HEAD + "play z1-AB\nentries 1\n", "line 5: 'z1' is not a square"),
        (HEAD + "play i1-AB\nentries 1\n", "log entry 1 is impossible: i1 is not on this board"),
        (HEAD + "rule plural true\nentries 0\n", "has no 'plural'"),
        (HEAD + "rule plural_rule yes\nentries 0\n", "value of house rule plural_rule is not readable"),
        (HEAD + "rule plural_rule true\nrule plural_rule true\nentries 0\n", "appears twice"),
        (HEAD + "player Green\nplayer Red\nentries 0\n", "two players have the same name"),
        (HEAD + "row . .\nrow . .\nentries 0\n", "the board has 2 rows, and edition 8x8 has 8"),
        (HEAD + "end tired\nentries 1\n", "'tired' isn't an end of the game"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_in_one_line(text: str, says: str) -> None:
    with pytest.raises(UpscoreError) as caught:
        parse_game(text, None)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def change_data(**changes: Any) -> dict[str, Any]:
    data = json.loads(json.dumps(game_to_dict(sample())))
    data.update(changes)
    return {name: value for name, value in data.items() if value is not ...}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (None, "the game must be an object"),
        ({}, "this is not a saved game"),
        (change_data(version=2), "newer version (format 2): update this program"),
        (change_data(version="1"), "version must be a whole number"),
        (change_data(version=...), "version must be a whole number"),
        (change_data(edition="9x8"), "is not an edition"),
        (change_data(players=[]), "0 players"),
        (change_data(players="Red"), "the players must be a list"),
        (change_data(rules={"plural": True}), "has no 'plural'"),
        (change_data(lexicon=3), "the word list must be a text"),
        (change_data(lexicon="two\nlines"), "isn't a name for a word list"),
        (change_data(colour="red"), "the game has no 'colour'"),
        (change_data(log=game_to_dict(sample())["log"][:5]), "the log has 5 entries of 11: it was cut off"),  # type: ignore[index]
        (change_data(log={}), "the log must be a list"),
        (change_data(entries=1, log=[3]), "log entry 1: an entry must be an object"),
        (change_data(entries=1, log=[{}]), "log entry 1: an entry's type must be a text"),
        (change_data(entries=1, log=[{"type": "jump"}]), "log entry 1: 'jump' isn't an event"),
        (change_data(entries=1, log=[{"type": "pass", "why": 1}]), "log entry 1: a pass event has no 'why'"),
        (change_data(entries=1, log=[{"type": "play"}]), "log entry 1: the tiles must be a text"),
        (change_data(entries=1, log=[{"type": "correct", "at": -1}]), "the event's number must be"),
        (change_data(entries=1, log=[{"type": "insert", "at": 0}]), "log entry 1 is impossible: nothing to insert"),
        (change_data(entries=1, log=[{"type": "undo"}]), "log entry 1 is impossible: there is nothing to undo"),
        (change_data(entries=1, log=[{"type": "end", "reason": "tired"}]), "isn't an end of the game"),
        (change_data(start=[[[]]]), "a board has 2 to 21 rows"),
        (change_data(scores=[1]), "1 scores to start with for two players: give one each"),
        (change_data(scores=[1, -1]), "a score to start with must be a whole number from 0 to 9999, not -1"),
        (change_data(scores=7), "the scores to start with must be a list"),
        (change_data(first=2), "there is no player 3: the game has 2"),
        (change_data(first="Blue"), "the number of the player who begins must be a whole number from 0 to 3"),
        (change_data(entries=1, log=[{"type": "redo"}]), "log entry 1 is impossible: there is nothing to redo"),
        (change_data(entries=1, log=[{"type": "redo", "at": 1}]), "log entry 1: an entry of type redo has no 'at'"),
        (change_data(entries=1, log=[{"type": "turn"}]), "log entry 1: the player's number must be"),
    ],
)
def test_what_is_wrong_with_saved_data_is_said_in_one_line(data: object, says: str) -> None:
    with pytest.raises(UpscoreError) as caught:
        game_from_dict(data, LEXICON)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_a_damaged_text_does_no_worse_than_one_line(seed: int, damages: int) -> None:
    chance = random.Random(seed)
    text = list(format_game(sample()))
    for _ in range(damages):
        at = chance.randrange(len(text))
        text[at] = chance.choice(["", " ", "\n", "0", "9", "A", "@", "-", text[at] * 2])
    refused = refusal(lambda: parse_game("".join(text), LEXICON))
    if refused is None:
        game = parse_game("".join(text), LEXICON)
        assert parse_game(format_game(game), LEXICON) == game
    else:
        assert len(refused.splitlines()) == 1


LEAVES = st.none() | st.booleans() | st.integers(-2, 12) | st.sampled_from(["", "A", "play", "pass", "c4-SEA", "end"])


@given(st.integers(0, 2**32), LEAVES | st.lists(LEAVES, max_size=3))
def test_damaged_data_does_no_worse_than_one_line(seed: int, value: object) -> None:
    chance = random.Random(seed)
    data = change_data()
    spots: list[tuple[Any, Any]] = []
    todo: list[Any] = [data]
    while todo:
        node = todo.pop()
        keys = node if isinstance(node, dict) else range(len(node))
        for key in keys:
            spots.append((node, key))
            if isinstance(node[key], (dict, list)):
                todo.append(node[key])
    node, key = chance.choice(spots)
    node[key] = value
    refused = refusal(lambda: game_from_dict(data, LEXICON))
    if refused is None:
        game = game_from_dict(data, LEXICON)
        assert game_from_dict(game_to_dict(game), LEXICON) == game
    else:
        assert len(refused.splitlines()) == 1


def read_documented(fence: str) -> list[str]:
    """Return the blocks of docs/notation.md with this kind of fence."""
    text = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{fence}\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def test_the_documented_games_are_games() -> None:
    (text,) = [block for block in read_documented("") if block.startswith("upscore game")]
    game = parse_game(text, None)
    assert game.totals == {"Red": 8 - 15, "Blue": 8}
    assert [format_entry(entry) for entry in game.log] == [line.partition("  ;")[0] for line in text.splitlines()[6:-1]]
    (data,) = read_documented("json")
    assert len(game_from_dict(json.loads(data), None).log) == 3


def test_the_documented_diagram_is_a_diagram() -> None:
    (text,) = [block for block in read_documented("") if block.startswith("   a b")]
    assert parse_diagram(text).tile_count() == 10
    assert format_diagram(parse_diagram(text)) == text.rstrip("\n")
