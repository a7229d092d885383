from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files

import pytest
from enginekit import board_of, play_all, refusal
from presencekit import there
from solverkit import brute_force, standard

from engine import EDITIONS, FACES, Board, Edition, Game, parse_play, referee
from engine.editions import MAX_RACK, edition_data, edition_from_data, edition_table, parse_edition, toml_table
from engine.errors import NotationError, RulesError
from engine.formats.game_json import game_from_dict, game_to_dict, parse_position, stacks_json
from engine.formats.notation import format_game, parse_game
from engine.rules.house_rules import HouseRules
from engine.solver.search import legal_plays
from engine.squares import parse_squares
from engine.tiles import first_racks

TILES = "\n".join(f"{face} = {2 if face in 'AEIOU' else 1}" for face in FACES)
NINE = f"""
name = "Our 9 x 9; set"
size = 9
start = ["a1", "b2"]
stack_limit = 3
rack_size = 5
full_rack_bonus = 30
qu_bonus = 9
plural_rule = false
lexicon = "large"
note = "made at home"
[tiles]
{TILES}
""".replace("; set", " set")


def _nine(old: str = "", new: str = "") -> str:
    assert old in NINE
    return NINE.replace(old, new, 1)


def test_a_file_describes_every_part_of_an_edition() -> None:
    nine = parse_edition(NINE)
    assert (nine.name, nine.size, nine.tile_total) == ("Our 9 x 9 set", 9, 31)
    assert nine.start == frozenset(parse_squares("a1 b2"))
    assert (nine.stack_limit, nine.rack_size, nine.full_rack_bonus, nine.qu_bonus) == (3, 5, 30, 9)
    assert (nine.plural_rule, nine.lexicon, nine.note) == (False, "large", "made at home")
    assert nine.distribution is not None
    assert (nine.distribution["A"], nine.distribution["Qu"]) == (2, 1)


def test_what_a_file_leaves_out_is_as_the_rule_sheets_have_it() -> None:
    plain = parse_edition(f'name = "Plain"\nsize = 10\n[tiles]\n{TILES}')
    sheet = EDITIONS["10x10"]
    assert plain == replace(sheet, name="Plain", distribution=plain.distribution, tile_total=31)


@pytest.mark.parametrize("name", EDITIONS)
def test_the_shipped_files_are_read_and_written_alike(name: str) -> None:
    table = toml_table(files("engine.sets").joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    assert edition_table(EDITIONS[name]) == table
    assert edition_data(EDITIONS[name]) == name


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the edition is empty"),
        ("# nothing\n", "the edition is empty"),
        ("name = ", "not readable TOML"),
        ("a = " + "[" * 3000, "not readable TOML"),
        (_nine("size = 9", ""), "the edition has no size"),
        (_nine("size = 9", "size = [9, 13]"), "isn't a square board"),
        (_nine("size = 9", 'size = "9x13"'), "isn't a square board"),
        (_nine("size = 9", "size = 22"), "from 2 to 21"),
        (_nine("size = 9", "sizes = 9"), "'sizes' (did you mean size?)"),
        (_nine("size = 9", "zzz = 9"), "'zzz': use name, size, start"),
        (_nine('"b2"', '"j2"'), "start square j2 is outside the board of 9 × 9 squares"),
        (_nine('["a1", "b2"]', "[]"), "start has no squares"),
        (_nine('["a1", "b2"]', '["99"]'), "'99' is not a square"),
        (_nine("stack_limit = 3", "stack_limit = 6"), "stack_limit must be a whole number from 1 to 5"),
        (_nine("rack_size = 5", f"rack_size = {MAX_RACK + 1}"), "rack_size must be a whole number from 2 to"),
        (_nine("plural_rule = false", 'plural_rule = "no"'), "plural_rule must be true or false"),
        (_nine("B = 1", 'B = "one"'), "the number of B tiles must be a whole number from 0 to 99"),
        (_nine("B = 1", "B = true"), "the number of B tiles"),
        (_nine("B = 1", "B = -1"), "the number of B tiles"),
        (_nine("B = 1", "B = 1\nb = 2"), "the tile B appears twice"),
        (_nine("B = 1", "B = 1\nB = 2"), "not readable TOML"),
        (_nine("B = 1\nC = 1\n"), "tiles says nothing about B and C: write 0"),
        (_nine("B = 1", "B = 1\nCH = 1\nCh = 1"), "the tile Ch appears twice"),
        (_nine("B = 1", "B = 1\nABCD = 1"), "ABCD is not a tile: write one to 3 letters"),
        (_nine("B = 1", "B = 1\n7 = 1"), "7 is not a tile"),
        (_nine("B = 1", "B = 1\n" + "\n".join(f"B{one}{two} = 1" for one in "abc" for two in "klmnopqrstuv")), "60"),
        (NINE.replace("= 2\n", "= 0\n"), "the set has no vowels"),
        (NINE.partition("[tiles]")[0], "the edition has no [tiles]"),
        (_nine("size = 9", "size = 9\ntile_total = 30"), "tile_total is 30, but the tiles add up to 31"),
        (_nine("Our 9 x 9 set", "8x8"), "is the name of an edition of Upscore's own"),
        (_nine("Our 9 x 9 set", "Red, Blue"), "cannot be used"),
        (_nine("Our 9 x 9 set", " "), "cannot be used"),
        (_nine("Our 9 x 9 set", "n" * 41), "1 to 40 letters"),
        (_nine('"made at home"', '"made\\nat home"'), "note must be one line"),
    ],
)  # fmt: skip
def test_a_faulty_file_is_refused_in_one_line_that_says_what_to_do(text: str, says: str) -> None:
    said = there(refusal(lambda: parse_edition(text)))
    assert says in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("data", [None, 8, [], ["8x8"]])
def test_an_edition_is_a_name_or_a_table(data: object) -> None:
    with pytest.raises(NotationError, match="its name, or a table"):
        edition_from_data(data)


def test_a_name_of_upscore_s_own_is_not_taken_by_another_table() -> None:
    with pytest.raises(RulesError, match="give this set another name"):
        edition_from_data({**edition_table(EDITIONS["8x8"]), "rack_size": 6})


def _with_a_turn(nine: Edition) -> Game:
    return Game.start(nine, ["Red", "Blue"]).play(parse_play("a1-TEN"))


@pytest.mark.parametrize(
    "copy",
    [
        lambda game: game_from_dict(json.loads(json.dumps(game_to_dict(game))), None),
        lambda game: parse_game(format_game(game), None),
    ],
)
def test_a_game_keeps_a_copy_of_its_edition(copy: Callable[[Game], Game]) -> None:
    game = _with_a_turn(parse_edition(NINE))
    again = copy(game)
    assert again.setup.edition == game.setup.edition
    assert again.totals == {"Red": 6, "Blue": 0}


def test_a_position_keeps_a_copy_of_its_edition() -> None:
    nine = parse_edition(NINE)
    position = parse_position({"edition": edition_data(nine), "stacks": stacks_json(Board.empty(9))})
    assert position.edition == nine


def test_the_referee_reads_the_edition() -> None:
    nine, board = parse_edition(NINE), Board.empty(9)

    def find_broken(play: str, before: Board = board, rules: HouseRules = HouseRules()) -> list[str]:  # noqa: B008
        verdict = referee(before, parse_play(play), edition=nine, lexicon=None, rules=rules)
        return [violation.text for violation in verdict.violations]

    assert find_broken("e5-TEN") == ["Rule 3, first play: it must cover at least one of the start squares (a1 and b2)."]
    assert find_broken("b2-TEN") == []
    assert find_broken("a1-TENDER") == ["Equipment: a rack holds five tiles, and this turn plays six tiles."]
    high = play_all(board, "b2-TEN", "b2-DEN", "B@b2")
    assert find_broken("P@b2", high) == ["Rule 5, stacking: b2 would be four tiles high, and three is the most."]
    assert find_broken("S@e2", board.with_play(parse_play("b2-NET"))) == []
    assert referee(board, parse_play("a1-TENDS"), edition=nine, lexicon=None).points == 10 + 30
    quit_word = referee(board, parse_play("a1-QUIT"), edition=nine, lexicon=None)
    assert quit_word.points == 6 + 9
    assert quit_word.words[0].explanation.endswith("+ 9 for the Qu = 15 (6A, 6C)")


def test_racks_are_as_large_as_the_edition_says() -> None:
    racks, pile = first_racks(parse_edition(NINE), 2, 0)
    assert [rack.size for rack in racks] == [5, 5]
    assert pile == 21


@pytest.mark.parametrize(
    ("plays", "rack"),
    [
        pytest.param("", ("Qu", "I", "T"), id="empty, three tiles"),
        pytest.param("", ("Qu", "I", "N", "T"), id="empty", marks=pytest.mark.slow),
        pytest.param("a1-TEN", ("Qu", "I", "N", "T"), marks=pytest.mark.slow),
        pytest.param("a1-TEN; a1-DEN; Qu@a1", ("Qu", "I", "N", "T"), marks=pytest.mark.slow),
        pytest.param("b2-QUIT", ("Qu", "I", "N", "T"), marks=pytest.mark.slow),
    ],
)
def test_the_solver_finds_what_the_referee_allows(plays: str, rack: tuple[str, ...]) -> None:
    board, words = board_of(9, plays), standard()
    nine = parse_edition(_nine("rack_size = 5", f"rack_size = {len(rack)}"))
    lawful = legal_plays(board, rack, edition=nine, lexicon=words)
    assert lawful
    assert {found.play: found.points for found in lawful} == brute_force(board, rack, nine, words)
    assert all(found.points == sum(word.points for word in found.words) + found.bonus for found in lawful)
