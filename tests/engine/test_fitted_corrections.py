"""A person's correction of a turn, and what follows for the turns that were read after it."""

from __future__ import annotations

from random import Random

import pytest
from enginekit import Words
from hypothesis import assume, given
from hypothesis import strategies as st
from propertykit import examples

from engine import (
    FACES,
    Board,
    Game,
    GameError,
    HouseRules,
    Lexicon,
    PlacedTile,
    Play,
    UpscoreError,
    find_edition,
    grid_edition,
    parse_play,
)
from engine.formats.game_json import entry_from_dict, entry_to_dict
from engine.formats.notation import format_entry, parse_entry
from engine.game.events import Challenged, Corrected, Event, Exchanged, Passed, Played
from engine.game.revision import Misfit, fit_correction
from engine.game.undo import undo_text
from engine.solver.search import legal_plays

LEXICON = Words("MOOD", "DEAR", "NET", "ON", "WOOD", "PLUS", "NETS", "NOT", "LAMENT", "FAMINE", "NEAR")
WORDS = "AS AT ATE EAST EAT EATS ETA SAT SEA SEAS SEAT SEATS SEE SET SETS TA TEA TEAS TEASE TEE TEES"
LIST = Lexicon.from_words(WORDS.split(), not_plurals=["EATS", "SETS"])


def tiles(text: str) -> Played:
    return Played(parse_play(text))


def game_of(*happened: str | Event, players: int = 2, rules: HouseRules | None = None) -> Game:
    names = ["Red", "Blue", "Green", "Gold"][:players]
    game = Game.start(find_edition("10x10"), names, rules or HouseRules(), lexicon=LEXICON)
    for each in happened:
        game = game.with_event(tiles(each) if isinstance(each, str) else each)
    return game


def put_right(game: Game, correction: Corrected) -> Game:
    """Return the game after a correction that fits."""
    found = fit_correction(game, correction)
    assert isinstance(found, Corrected)
    return game.put_right(found).game


def misfit(game: Game, correction: Corrected) -> Misfit:
    found = fit_correction(game, correction)
    assert isinstance(found, Misfit)
    return found


def same(one: Game, other: Game) -> bool:
    """Return whether two games show the same board, words, points and totals."""
    return (one.events, one.board, one.turns, one.totals) == (other.events, other.board, other.turns, other.totals)


def test_a_missed_turn_takes_its_tiles_back_from_the_turn_that_they_were_read_into() -> None:
    right = game_of("c5-MOOD", "f6|EAR", "e6-N.T", "W@c5")
    read = game_of("c5-MOOD", "f6|EAR N@e6 T@g6", "W@c5")
    game = put_right(read, Corrected(1, tiles("f6|EAR"), insert=True))
    assert same(game, right)
    assert same(game.undo(), read)
    assert undo_text(game) == "Undo the insertion of turn 2"


def test_a_word_that_covers_the_missed_one_keeps_its_own_tiles_alone() -> None:
    right = game_of("e4|MOOD", "b6-LAM.NT", "F@b6 I@e6 E@g6", rules=HouseRules())
    read = game_of("e4|MOOD", "b6-FAMINE")
    assert same(put_right(read, Corrected(1, tiles("b6-LAM.NT"), insert=True)), right)


def test_a_stack_read_too_high_leaves_room_for_what_was_missed() -> None:
    stacked = ("c5-MOOD", "W@d5", "O@d5", "H@d5")
    right = game_of(*stacked, "A@d5", "d6|NT")
    read = game_of(*stacked, "A@d5 N@d6 T@d7")
    assert same(put_right(read, Corrected(4, tiles("A@d5"), insert=True)), right)


def test_a_letter_read_again_later_comes_off_once_the_earlier_one_is_right() -> None:
    right = game_of("c5-MOOD", "f6|EAR", "e6-N.T")
    read = game_of("c5-WOOD", "f6|EAR", "e6-N.T M@c5")
    assert same(put_right(read, Corrected(0, tiles("c5-MOOD"))), right)


def test_a_letter_on_its_like_that_the_table_insisted_on_stays() -> None:
    game = game_of("c5-MOOD", "O@d5", "W@c5")
    assert same(put_right(game, Corrected(2, tiles("T@g5"))), game_of("c5-MOOD", "O@d5", "T@g5"))


def test_a_turn_of_which_nothing_is_left_is_asked_about() -> None:
    game = game_of("c5-MOOD", "f6|EAR", "e6-N.T", "W@c5")
    missed = Corrected(1, tiles("f6|EAR"), insert=True)
    found = misfit(game, missed)
    assert (found.event, found.play, found.number, found.game.current_player) == (1, None, 3, "Red")
    for really, after in ((Passed(), (Passed(),)), (None, ())):
        right = put_right(game, Corrected(1, tiles("f6|EAR"), True, ((1, really),)))
        assert same(right, game_of("c5-MOOD", "f6|EAR", *after, "e6-N.T", "W@c5"))


def test_a_turn_that_breaks_a_rule_only_now_is_asked_about_and_can_stay() -> None:
    game = game_of("c5-MOOD", "f6|EAR", "e6-N.T")
    found = misfit(game, Corrected(1, tiles("b6-EAR")))
    assert (found.event, found.play) == (2, parse_play("e6-N.T"))
    assert found.game.board == game_of("c5-MOOD", "b6-EAR").board
    also = ((2, tiles("e6-N")),)
    assert same(put_right(game, Corrected(1, tiles("b6-EAR"), also=also)), game_of("c5-MOOD", "b6-EAR", "e6-N"))
    stays = Corrected(1, tiles("b6-EAR"), also=((2, tiles("e6-N.T")),))
    assert fit_correction(game, stays) == stays


def test_turns_are_asked_about_one_after_another() -> None:
    game = game_of("c5-MOOD", "f6|EAR", "e6-N.T", "h3|PLUS")
    first = misfit(game, Corrected(1, None))
    assert first.event == 2
    second = misfit(game, Corrected(1, None, also=((2, None),)))
    assert second.event == 3
    assert same(put_right(game, Corrected(1, None, also=((2, None), (3, Passed())))), game_of("c5-MOOD", Passed()))


def test_what_was_against_the_rules_before_is_not_asked_about_again() -> None:
    game = game_of("c5-MOOD", "f6|EAR", "A@a1", "W@c5")
    assert same(put_right(game, Corrected(1, Passed())), game_of("c5-MOOD", Passed(), "A@a1", "W@c5"))


def test_an_unknown_word_is_told_of_only_where_the_table_wants_to_hear_of_words() -> None:
    missed = Corrected(1, tiles("B@c5"), insert=True)
    assert isinstance(fit_correction(game_of("c5-MOOD", "f6|EAR", "R@f5"), missed), Corrected)
    hears = game_of("c5-MOOD", "f6|EAR", "T@g6 N@e6", rules=HouseRules(words_always_checked=True))
    assert misfit(hears, Corrected(1, tiles("f6|ARE"))).event == 2


def test_a_stack_that_would_be_too_high_names_the_turn() -> None:
    game = game_of("c5-MOOD", *(f"{face}@c5" for face in "WRFH"))
    found = misfit(game, Corrected(3, tiles("B@c5"), insert=True))
    assert (found.event, found.play) == (4, parse_play("H@c5"))


def test_an_exchange_that_cannot_be_is_asked_about() -> None:
    solo = game_of("c5-MOOD", *[Exchanged()] * 5, players=1)
    found = misfit(solo, Corrected(1, Exchanged(), insert=True))
    assert (found.event, found.play) == (5, None)


def test_a_challenge_stays_with_its_play_and_never_becomes_the_players_own() -> None:
    game = game_of("c5-MOOD", "f6|EAR").challenge("Red", upheld=False).play(parse_play("W@c5"))
    missed = Corrected(1, Passed(), insert=True)
    with pytest.raises(GameError, match="Red made the play"):
        game.put_right(missed)
    right = put_right(game, missed)
    assert [(turn.player, turn.refused_challenges) for turn in right.turns] == [
        ("Red", ()),
        ("Blue", ()),
        ("Red", ("Blue",)),
        ("Blue", ()),
    ]
    three = game_of("c5-MOOD", "f6|EAR", players=3).challenge("Green", upheld=True)
    challenged = put_right(three, missed).turns[-1].challenges[0]
    assert (challenged.challenger, challenged.upheld, challenged.authority) == (None, True, "table")


def test_what_else_cannot_be_is_refused() -> None:
    rules = HouseRules(failed_challenge_loses_turn=True)
    game = game_of("c5-MOOD", "f6|EAR", players=3, rules=rules).challenge("Green", upheld=False)
    found = fit_correction(game, Corrected(1, Passed(), insert=True))
    assert isinstance(found, Corrected)
    with pytest.raises(GameError, match="doesn't fit the later turns: the challenge of turn 3"):
        game.put_right(found)


@pytest.mark.parametrize("also", [((4, None),), ((1, None),), ((-1, None),), ((2, None), (2, None))])
def test_each_event_is_put_right_once(also: tuple[tuple[int, Event | None], ...]) -> None:
    with pytest.raises(GameError, match=r"there is no event|corrected twice"):
        game_of("c5-MOOD", "f6|EAR", "e6-N.T", "W@c5").put_right(Corrected(1, Passed(), also=also))


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (
            Corrected(1, tiles("f6|EAR"), True, ((1, tiles("e6-N.T")), (3, None), (4, Passed()))),
            "insert 2: play f6|EAR also correct 2: play e6-N.T also remove 4 also correct 5: pass",
        ),
        (Corrected(1, None, also=((2, Passed()),)), "remove 2 also correct 3: pass"),
        (Corrected(0, Challenged(1, True), also=((1, None),)), "correct 1: challenge 2 upheld also remove 2"),
    ],
)
def test_a_correction_of_several_turns_is_kept(entry: Corrected, line: str) -> None:
    assert format_entry(entry) == line
    assert parse_entry(line) == entry
    assert entry_from_dict(entry_to_dict(entry)) == entry


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("insert 2: pass also insert 3: pass", "only one event is put in at a time"),
        ("remove 2 also pass", "'pass' isn't a correction"),
        ("correct 2 pass", "'correct 2 pass' isn't a correction"),
    ],
)
def test_what_is_no_correction_is_refused(line: str, problem: str) -> None:
    with pytest.raises(UpscoreError, match=problem):
        parse_entry(line)


# Whole games, in which a turn was missed or misread


@st.composite
def legal_games(draw: st.DrawFn) -> Game:
    """Games of legal plays on a small board, with passes and exchanges in between."""
    random = Random(draw(st.integers(0, 1_000_000)))
    edition = grid_edition(draw(st.integers(4, 6)))
    game = Game.start(edition, ["Red", "Blue", "Green"][: draw(st.integers(1, 3))], lexicon=LIST)
    for _ in range(draw(st.integers(2, 8))):
        if random.random() < 0.1:
            game = game.pass_turn()
            continue
        rack = random.choices("AEST", k=5)
        found = legal_plays(game.board, rack, edition=edition, lexicon=LIST)
        if found:
            game = game.play(random.choice(found).play)
    assume(len(game.events) >= 2)
    return game


def join_plays(board: Board, first: Play, second: Play) -> Play:
    """Return two plays as a photograph after both shows them. On a shared square, only the upper tile shows."""
    over = set(second.squares)
    return Play((*second.tiles, *(tile for tile in first.tiles if tile.square not in over)))


def plays_at(game: Game, at: int) -> tuple[Board, Play, Play]:
    """Return the board before the play that is event `at`, that play and the next; other events are assumed away."""
    first, second = game.events[at], game.events[at + 1]
    assume(isinstance(first, Played) and isinstance(second, Played))
    assert isinstance(first, Played)
    assert isinstance(second, Played)
    one, other = first.play, second.play
    board = Game.from_log(game.setup, game.events[:at], game.lexicon).board
    # If a letter was covered and lies on top again, only somebody who looked in between has noticed.
    assume(not any(board.top(tile.square) == tile.face for tile in other.tiles))
    return board, one, other


def possible(game: Game, *events: Event) -> Game:
    """Return the game of other events; one that can't be is assumed away."""
    try:
        return Game.from_log(game.setup, events, game.lexicon)
    except UpscoreError:
        assume(False)
        raise


@examples(200)
@given(legal_games(), st.data())
def test_a_forgotten_photograph_is_made_good_for_by_putting_the_turn_in(game: Game, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(game.events) - 2))
    board, first, second = plays_at(game, at)
    read = possible(game, *game.events[:at], Played(join_plays(board, first, second)), *game.events[at + 2 :])
    assert same(put_right(read, Corrected(at, Played(first), insert=True)), game)


@examples(200)
@given(legal_games(), st.data())
def test_tiles_overlooked_in_one_turn_and_read_into_a_later_one_go_back(game: Game, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(game.events) - 2))
    board, first, second = plays_at(game, at)
    seen = data.draw(st.sets(st.sampled_from(first.tiles), min_size=1))
    overlooked = Play(tuple(tile for tile in first.tiles if tile not in seen))
    later = join_plays(board, overlooked, second)
    read = possible(game, *game.events[:at], Played(Play(tuple(seen))), Played(later), *game.events[at + 2 :])
    assert same(put_right(read, Corrected(at, Played(first))), game)


@examples(200)
@given(legal_games(), st.data())
def test_a_letter_misread_once_and_read_right_later_goes_back(game: Game, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(game.events) - 2))
    _, first, second = plays_at(game, at)
    wrong = data.draw(st.sampled_from(first.tiles))
    assume(wrong.square not in second.squares)
    face = data.draw(st.sampled_from([face for face in FACES if face != wrong.face]))
    misread = tuple(PlacedTile(tile.square, face) if tile == wrong else tile for tile in first.tiles)
    later = second.with_tiles([wrong])
    read = possible(game, *game.events[:at], Played(Play(misread)), Played(later), *game.events[at + 2 :])
    assert same(put_right(read, Corrected(at, Played(first))), game)


@examples(100)
@given(legal_games(), st.data())
def test_whatever_is_put_in_no_later_turn_breaks_a_rule_unasked(game: Game, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(game.events)))
    before = Game.from_log(game.setup, game.events[:at], game.lexicon)
    found = legal_plays(before.board, ["E", "A", "S", "T"], edition=game.setup.edition, lexicon=LIST)
    assume(found)
    missed = Played(data.draw(st.sampled_from(found)).play)
    outcome = fit_correction(game, Corrected(at, missed, insert=True))
    if isinstance(outcome, Misfit):
        assert at <= outcome.event < len(game.events)
        return
    right = game.put_right(outcome).game
    assert not any(turn.verdict.breaches for turn in right.turns if turn.verdict is not None)
