"""`upscore judge`, `score` and `solve`: the referee from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clikit import Caller, boards_of
from enginekit import game_after, position_text

from engine import EDITIONS, Board, Game, grid_edition, parse_play
from engine.formats.game_json import Position, game_to_dict
from engine.formats.notation import format_diagram, format_game

BOARDS = boards_of(["b4-MOOD", "e5|EAR", "d5-N.T", "W@b4"])


@pytest.fixture
def position(tmp_path: Path) -> Path:
    """The sheets' example after its fourth turn."""
    path = tmp_path / "position.json"
    path.write_text(position_text(Position(EDITIONS["8x8"], BOARDS[4])))
    return path


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A table's own word list."""
    path = tmp_path / "own.txt"
    path.write_text("# ours\nwool\nleap\nqi\nleap\nit's\ncafé\n", encoding="utf-8")
    return path


def test_judge_says_what_is_playable_what_it_means_and_why_not(upscore: Caller) -> None:
    upscore("judge", "quiet", "NASA", "qzqz", "--json")
    assert upscore.status == 1
    (quiet, nasa, unknown) = upscore.lines()[0]
    assert list(quiet) == ["word", "playable", "meaning", "reason"]
    assert (quiet["word"], quiet["playable"], quiet["reason"]) == ("QUIET", True, None)
    assert "noise" in quiet["meaning"]
    assert (nasa["playable"], nasa["reason"]) == (False, "it is an abbreviation, NASA")
    assert (unknown["playable"], unknown["reason"]) == (False, "it is not in the American and British word list")
    assert upscore.err == ""


def test_judge_ends_with_0_when_all_are_playable(upscore: Caller) -> None:
    assert upscore("judge", "quiet", "leap").status == 0
    assert upscore.out.startswith("QUIET is playable. Quiet: ")
    assert upscore("judge", "quiet", "qzqz").status == 1
    assert upscore.out.splitlines()[1] == "QZQZ is not playable: it is not in the American and British word list."


def test_judge_never_prints_what_steers_a_terminal(upscore: Caller) -> None:
    upscore("judge", "\x1b[31mred", "a\nb", "\udcff")
    assert upscore.status == 1
    assert len(upscore.out.splitlines()) == 3
    assert "\x1b" not in upscore.out


def test_a_tables_own_list_and_what_is_odd_about_it(upscore: Caller, words: Path) -> None:
    upscore("judge", "wool", "cafe", "quiet", "--lexicon", words, "--json")
    assert upscore.status == 1
    assert [verdict["playable"] for verdict in upscore.lines()[0]] == [True, True, False]
    assert all(line.startswith("warning: own.txt: ") for line in upscore.err.splitlines())
    assert '"it\'s" in line 6' in upscore.err


def test_score_of_a_legal_play(upscore: Caller, position: Path) -> None:
    upscore("score", position, "--tiles", "L@e4 P@e7", "--json")
    assert (upscore.status, upscore.err) == (0, "")
    assert upscore.lines() == [
        {
            "legal": True,
            "reasons": [],
            "words": [{"word": "LEAP", "points": 6}, {"word": "WOOL", "points": 6}],
            "points": 12,
            "bonus": 0,
        }
    ]
    upscore("score", position, "--tiles", "L@e4 P@e7")
    assert upscore.out.splitlines()[0] == "legal: 12 points"
    assert len(upscore.out.splitlines()) == 3


def test_an_illegal_play_still_shows_what_it_would_have_scored(upscore: Caller, position: Path) -> None:
    upscore("score", position, "--tiles", "D@e4", "--json")
    (verdict,) = upscore.lines()
    assert upscore.status == 1
    assert (verdict["legal"], verdict["reasons"][0]["rule"]) == (False, "5-same")
    assert verdict["points"] > 0
    upscore("score", position, "--tiles", "D@e4")
    assert upscore.out.startswith("NOT legal: ")


def test_house_rules_are_kept(upscore: Caller, tmp_path: Path, position: Path) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text('{"plural_rule": false}')
    plural = ("score", position, "--tiles", "S@g5", "--json")
    assert [reason["rule"] for reason in upscore(*plural).lines()[0]["reasons"]] == ["5-plural"]
    assert upscore(*plural, "--rules", rules).lines()[0]["legal"]


def test_solve_gives_every_play_best_first(upscore: Caller, position: Path, words: Path) -> None:
    upscore("solve", position, "--rack", "LPQI", "--lexicon", words, "--json")
    (plays,) = upscore.lines()
    points = [play["points"] for play in plays]
    assert points == sorted(points, reverse=True)
    assert plays[0] == {
        "tiles": [{"row": 3, "col": 4, "letter": "L"}, {"row": 6, "col": 4, "letter": "P"}],
        "words": [{"word": "LEAP", "points": 6}, {"word": "WOOL", "points": 6}],
        "points": 12,
        "bonus": 0,
    }
    keys = [json.dumps(play["tiles"]) for play in plays]
    assert len(set(keys)) == len(keys)
    upscore("solve", position, "--rack", "LPQI", "--lexicon", words, "--top", "1")
    assert upscore.out == "  12  L@e4 P@e7  LEAP 6 (6B) + WOOL 6 (6B)\n"


def test_score_ends_with_1_where_the_play_is_not_legal(upscore: Caller, position: Path) -> None:
    upscore("score", position, "--tiles", "X@g4", "--json")
    assert upscore.status == 1
    assert upscore.lines()[0]["reasons"][0]["rule"] == "4-connect"
    assert upscore("score", position, "--tiles", "X@b4").status == 1
    assert upscore.out.splitlines()[:2] == [
        "NOT legal: 6 points",
        "  Rule 7, words: XOOD is not in the word list “both”.",
    ]


def short_rack_calls(upscore: Caller, position: Path, *more: str) -> tuple[list[int], str]:
    """The points of a play of two tiles that were all that was held, by score and by solve; and what score said."""
    call = ("--rack", "LP", "--json", "--rules", str(position.parent / "rules.json"), *more)
    scored = upscore("score", position, "--tiles", "L@e4 P@e7", *call).lines()[0]["points"]
    said = upscore.err
    best = next(p for p in upscore("solve", position, *call).lines()[0] if len(p["tiles"]) == 2)
    return [scored, best["points"]], said


def test_score_and_solve_agree_on_the_bonus_for_a_short_rack(upscore: Caller, position: Path) -> None:
    (position.parent / "rules.json").write_text('{"bonus_for_short_rack": true}')
    assert short_rack_calls(upscore, position)[0] == [12, 12]  # 55 tiles are still to come: no rack is short
    late = {**json.loads(position.read_text()), "remaining": list("LPAEI"), "players": ["Red", "Blue"]}
    position.write_text(json.dumps(late))
    assert short_rack_calls(upscore, position)[0] == [32, 32]
    call = ("score", position, "--tiles", "L@e4 P@e7", "--rules", position.parent / "rules.json")
    assert upscore(*call).out.startswith("legal: 12 points")
    assert "give --rack" in upscore.err
    upscore("score", position, "--tiles", "L@e4 P@e7", "--rack", "LEA")
    upscore.expect_refusal("--tiles plays P, which --rack does not hold")


def test_a_position_that_a_table_insisted_on_is_used_and_what_is_odd_is_said(upscore: Caller, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    board = boards_of(["b4-MOOD", "a8-AXE", "M@b4"])[-1]
    path.write_text(position_text(Position(EDITIONS["8x8"], board)))
    assert upscore("score", path, "--tiles", "S@d8").status == 1
    assert upscore.err.splitlines() == [
        "warning: a8, b8 and c8 are not joined to the other tiles (Rule 4)",
        "warning: a letter lies on the same letter at b4 (Rule 5)",
    ]
    plays = upscore("solve", path, "--rack", "DWL", "--json").lines()[0]
    assert {"AXED", "WOOD"} <= {word["word"] for play in plays for word in play["words"]}


@pytest.mark.parametrize("command", [("read",), ("replay",), ("calibrate", "tiles")])
def test_editions_are_offered_with_what_is_not_refereed(upscore: Caller, command: tuple[str, ...]) -> None:
    assert EDITIONS["11x11"].note in " ".join(upscore(*command, "--help").out.split())


def test_another_games_q_is_a_lone_one(upscore: Caller, words: Path, tmp_path: Path) -> None:
    """QI is a word of two tiles there; where the set has Qu, it is none."""
    grid, path = grid_edition(15), tmp_path / "grid.json"
    board = Board.empty(15).with_play(parse_play("A@h9"))
    path.write_text(position_text(Position(grid, board)))
    upscore("score", path, "--tiles", "Q@h7 I@h8", "--lexicon", words)
    assert upscore.status == 1
    assert "QIA is not in the word list" in upscore.out
    assert "QU" not in upscore.out.upper()
    path.write_text(position_text(Position(grid, Board.empty(15))))
    upscore("score", path, "--tiles", "Q@h8 I@i8", "--lexicon", words, "--json")
    assert [word["word"] for word in upscore.lines()[0]["words"]] == ["QI"]
    assert upscore.status == 0
    upscore("solve", path, "--rack", "QI", "--lexicon", words, "--json")
    (found, *_) = upscore.lines()[0]
    assert ([tile["letter"] for tile in found["tiles"]], found["words"][0]["word"]) == (["Q", "I"], "QI")
    upscore("solve", path, "--rack", "QI", "--lexicon", words)
    assert "Q@" in upscore.out
    assert "Qu" not in upscore.out
    path.write_text(position_text(Position(EDITIONS["8x8"], Board.empty(8))))
    upscore("score", path, "--tiles", "Qu@d4 I@e4", "--lexicon", words)
    assert "QUI is not in the word list" in upscore.out


def test_another_games_q_and_u_are_two_tiles(upscore: Caller, tmp_path: Path) -> None:
    words, path = tmp_path / "QUICK.txt", tmp_path / "grid.json"
    words.write_text("quit\n", encoding="utf-8")
    path.write_text(position_text(Position(grid_edition(15), Board.empty(15))))
    (quit_,) = upscore("score", path, "--tiles", "e8-QUIT", "--lexicon", words, "--json").lines()
    assert (quit_["legal"], quit_["words"]) == (True, [{"word": "QUIT", "points": 10}])
    upscore("score", path, "--tiles", "e8-QUIT", "--rack", "QIT", "--lexicon", words)
    upscore.expect_complaint("--tiles plays U, which --rack does not hold")
    upscore("score", path, "--tiles", "e8-QUIT", "--rack", "UIT", "--lexicon", words)
    upscore.expect_complaint("--tiles plays Q, which --rack does not hold")
    (plays,) = upscore("solve", path, "--rack", "QUIT", "--lexicon", words, "--json").lines()
    assert {len(play["tiles"]) for play in plays} == {4}
    path.write_text(position_text(Position(EDITIONS["8x8"], Board.empty(8))))
    (quit_,) = upscore("score", path, "--tiles", "c4-QUIT", "--lexicon", words, "--json").lines()
    assert (quit_["legal"], quit_["words"]) == (True, [{"word": "QUIT", "points": 8}])


def test_another_games_word_list_keeps_its_name(upscore: Caller, tmp_path: Path) -> None:
    words, path = tmp_path / "QUICK Qu.txt", tmp_path / "grid.json"
    words.write_text("quit\n", encoding="utf-8")
    path.write_text(position_text(Position(grid_edition(15), Board.empty(15))))
    upscore("score", path, "--tiles", "e8-QUA", "--lexicon", words)
    assert "QUA is not in the word list “QUICK Qu.txt”." in upscore.out


@pytest.mark.parametrize("command", [("solve",), ("score", "--tiles", "c3-A")])
def test_an_empty_rack_is_no_rack(upscore: Caller, position: Path, command: tuple[str, ...]) -> None:
    upscore(command[0], position, *command[1:], "--rack", "")
    assert (upscore.status, upscore.out) == (2, "")
    upscore.expect_complaint("--rack has no tiles")


def test_solve_of_a_rack_that_nothing_can_be_played_with(upscore: Caller, position: Path, words: Path) -> None:
    upscore("solve", position, "--rack", "ZZZ", "--lexicon", words)
    assert (upscore.status, upscore.out) == (0, "")
    assert upscore.err.splitlines()[-1] == "There is no legal play."


def test_the_points_of_a_play_add_up(upscore: Caller, tmp_path: Path, words: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_text(format_diagram(Board.empty(8)))
    words.write_text("quilted\nquiltings\n", encoding="utf-8")
    call = ("solve", path, "--rack", "QuILTED", "--lexicon", words, "--top", "1")
    assert upscore(*call).out == "  14  Qu@c4 I@d4 L@e4 T@f4 E@g4 D@h4  QUILTED 14 (6A, 6C)\n"
    call = ("solve", path, "--rack", "QuILTING", "--lexicon", words, "--top", "1")
    words.write_text("quilting\n", encoding="utf-8")
    assert upscore(*call).out.endswith("  QUILTING 16 (6A, 6C) + 20 for all tiles (6D)\n")
    (play,) = upscore(*call, "--json").lines()[0]
    assert (play["points"], play["bonus"], play["words"][0]["points"]) == (36, 20, 16)
    (verdict,) = upscore("score", path, "--tiles", "b4-QUILTING", "--lexicon", words, "--json").lines()
    assert (verdict["points"], verdict["bonus"]) == (36, 20)


@pytest.mark.slow
def test_solve_weighs_what_the_next_player_can_answer(upscore: Caller, position: Path) -> None:
    call = ("solve", position, "--rack", "LPAEITS", "--think")
    (choices,) = upscore(*call, "--json").lines()
    assert [choice["value"] for choice in choices] == sorted((choice["value"] for choice in choices), reverse=True)
    for choice in choices:
        assert choice["value"] == pytest.approx(choice["points"] - choice["reply"] + choice["kept"], abs=0.02)
        assert choice["points"] == choice["bonus"] + sum(word["points"] for word in choice["words"])
    assert {choice["exchange"] for choice in choices if "exchange" in choice} == set("LPAEITS")
    (best,) = upscore(*call, "--top", "1").out.splitlines()
    assert "for the next player, worth " in best
    assert best.startswith(f"{choices[0]['points']:4}  ")
    lines = upscore(*call).out.splitlines()
    assert any("  pass; " in line for line in lines)
    assert any("  exchange S; " in line for line in lines)


def test_solve_stops_thinking_when_its_time_is_up(upscore: Caller, position: Path) -> None:
    call = ("solve", position, "--rack", "LPAEITS", "--think")
    all_choices = upscore(*call).out.splitlines()
    (first,) = upscore(*call, "--seconds", "1e-9").out.splitlines()
    assert first in all_choices
    assert upscore(*call, "--seconds", "1e9").out.splitlines() == all_choices


def test_a_diagram_and_a_game_are_positions_too(upscore: Caller, tmp_path: Path, position: Path) -> None:
    call = ("--tiles", "L@e4 P@e7", "--json")
    told = upscore("score", position, *call).lines()
    game = game_after(Game.start(EDITIONS["8x8"], ["Red", "Blue"]), "b4-MOOD", "e5|EAR", "d5-N.T", "W@b4")
    texts = format_diagram(BOARDS[4]), format_game(game), json.dumps(game_to_dict(game), indent=2)
    for text in texts:
        path = tmp_path / "board.txt"
        path.write_text(text)
        assert upscore("score", path, *call).lines() == told
        assert upscore.err == ""


def test_a_name_that_means_nothing_in_a_position_is_told(upscore: Caller, position: Path) -> None:
    position.write_text(json.dumps({**json.loads(position.read_text()), "remainin": [], "x": 1}))
    upscore("score", position, "--tiles", "L@e4 P@e7")
    assert upscore.status == 0
    assert upscore.err.splitlines() == [
        "warning: 'remainin' in the position means nothing (did you mean remaining?)",
        "warning: 'x' in the position means nothing",
    ]


@pytest.mark.slow
def test_review_tells_what_each_turn_could_have_done_better(upscore: Caller, tmp_path: Path, words: Path) -> None:
    words.write_text("on\nto\ntoo\nonto\n", encoding="utf-8")
    game = game_after(Game.start(EDITIONS["8x8"], ["Red", "Blue"]), "d4-ON", "d3|T.O")
    path = tmp_path / "game.txt"
    for text in (format_game(game), json.dumps(game_to_dict(game))):
        path.write_text(text)
        upscore("review", path, "--lexicon", words, "--json")
        assert upscore.status == 0
        first, second = upscore.lines()
        assert (first["player"], first["points"], first["better"]) == ("Red", 4, None)
        assert (second["player"], second["points"], second["better"]["points"]) == ("Blue", 6, 12)
        assert second["better"]["where"] == "TO across from d3"
        assert second["better"]["why"].startswith("12 points (TO 4 + TO 4 + ON 4) with the same tiles, 6 more")
        assert sum(second["chances"].values()) == pytest.approx(1, abs=0.002)
    lines = upscore("review", path, "--lexicon", words).out.splitlines()
    assert lines[0].startswith("  1  Red: O@d4 N@e4, 4 points, chance to win ")
    assert lines[2].startswith("     better: TO across from d3, 12 points")
    upscore("review", path)
    assert upscore.status == 0
    path.write_text(format_game(game).replace("d3|T.O", "z9-X"))
    upscore("review", path)
    upscore.expect_refusal()


@pytest.mark.parametrize(
    ("stacks", "says"),
    [
        ({(0, 0): ["A"]}, "warning: the board at the start: no tile lies on the centre"),
        ({(3, 3): ["A"], (0, 0): ["B"]}, "warning: the board at the start: d4 is not joined"),
        ({(3, 3): ["Z"], (3, 4): ["Z"]}, "warning: the board at the start: 2 Z tiles where the 8x8 set has 1"),
        ({}, "There is no turn to look back at."),
        ({(3, 3): ["A"]}, "There is no turn to look back at."),
    ],
)
def test_review_says_what_is_odd_about_a_game(
    upscore: Caller, tmp_path: Path, stacks: dict[tuple[int, int], list[str]], says: str
) -> None:
    data = game_to_dict(Game.start(EDITIONS["8x8"], ["Red", "Blue"]))
    data["start"] = [[stacks.get((row, col), []) for col in range(8)] for row in range(8)]
    path = tmp_path / "game.json"
    path.write_text(json.dumps(data))
    upscore("review", path)
    assert upscore.status == 0
    assert says in upscore.err


@pytest.mark.parametrize("tile", [["A"] * 6, ["?"], [""], [5], "A", None])
def test_review_of_an_impossible_start_is_refused_in_one_line(upscore: Caller, tmp_path: Path, tile: object) -> None:
    data = game_to_dict(Game.start(EDITIONS["8x8"], ["Red", "Blue"]))
    data["start"] = [[tile if (row, col) == (3, 3) else [] for col in range(8)] for row in range(8)]
    path = tmp_path / "game.json"
    path.write_text(json.dumps(data))
    upscore("review", path)
    upscore.expect_refusal()


def test_solve_of_squares_finds_what_any_tiles_left_could_have_made(
    upscore: Caller, tmp_path: Path, position: Path, words: Path
) -> None:
    words.write_text("wool\nwoof\nleap\nfeat\nfeal\nlear\n", encoding="utf-8")
    call = ("solve", position, "--squares", "e7,E4", "--lexicon", words)
    assert upscore(*call).out.splitlines() == [
        "  12  F@e4 L@e7  FEAL 6 (6B) + WOOF 6 (6B)",
        "  12  F@e4 T@e7  FEAT 6 (6B) + WOOF 6 (6B)",
        "  12  L@e4 P@e7  LEAP 6 (6B) + WOOL 6 (6B)",
    ]
    assert [play["points"] for play in upscore(*call, "--top", "2", "--json").lines()[0]] == [12, 12]
    assert upscore(*call, "--rack", "PLX").out == "  12  L@e4 P@e7  LEAP 6 (6B) + WOOL 6 (6B)\n"
    data = json.loads(position.read_text())
    (tmp_path / "known.json").write_text(json.dumps({**data, "remaining": ["F", "T", "P"]}))
    call = ("solve", tmp_path / "known.json", "--squares", "e7 e4", "--lexicon", words)
    assert upscore(*call).out == "  12  F@e4 T@e7  FEAT 6 (6B) + WOOF 6 (6B)\n"
    assert upscore("solve", position, "--squares", "a1").err == "There is no legal play.\n"


def test_a_word_that_only_another_list_has_is_explained(upscore: Caller, words: Path) -> None:
    call = ("judge", "mood", "qzqz", "--lexicon", words)
    (mood, unknown) = upscore(*call, "--json").lines()[0]
    assert "how you feel" in mood["meaning"]
    assert (
        mood["reason"] == "it is not in the word list own.txt, but in the American word list and the British word list"
    )
    text = upscore(*call).out.splitlines()
    assert text == [
        f"MOOD is not playable: {mood['reason']}. Mood: {mood['meaning']}.",
        f"QZQZ is not playable: {unknown['reason']}.",
    ]


def test_more_of_a_letter_than_the_set_has_is_warned_about_and_used(upscore: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mixed.json"
    board = boards_of(["b4-JAZZ"])[-1]
    path.write_text(position_text(Position(EDITIONS["8x8"], board)))
    upscore("score", path, "--tiles", "Y@f4", "--json")
    assert upscore.status == 0
    upscore.expect_complaint("warning: 2 Z tiles where the 8x8 set has 1")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (("solve", "--rack", "ZZA", "--json"), "this is the second Z, and the 8x8 set has 1"),
        (("score", "--tiles", "W@b4 W@c4", "--json"), "this is the third W, and the 8x8 set has 1"),
    ],
    ids=["solve", "score"],
)
def test_more_of_a_letter_on_rack_or_play_than_the_set_has_is_warned_about(
    upscore: Caller, position: Path, call: tuple[str, ...], says: str
) -> None:
    upscore(call[0], position, *call[1:])
    assert upscore.status == (1 if call[0] == "score" else 0)
    upscore.expect_complaint(f"warning: {says}")


BAD_POSITIONS = {
    "cut off": '{"edition": "8x8", "stacks": [[[]',
    "no object": "[]",
    "no stacks": '{"edition": "8x8"}',
    "no edition": '{"stacks": []}',
    "an edition unknown": '{"edition": "7x8", "stacks": []}',
    "rows missing": '{"edition": "8x8", "stacks": [[[]]]}',
    "six high": json.dumps({"edition": "8x8", "stacks": [[list("ABCDEF"), *[[]] * 7], *[[[]] * 8] * 7]}),
    "no tile": json.dumps({"edition": "8x8", "stacks": [[["?"], *[[]] * 7], *[[[]] * 8] * 7]}),
    "deep": "[" * 100_000,
    "not text": b"\xff\xfe\x00\x01",
}


@pytest.mark.parametrize("content", BAD_POSITIONS.values(), ids=BAD_POSITIONS)
@pytest.mark.parametrize("words", [("score", "--tiles", "A@d4"), ("solve", "--rack", "A")], ids=["score", "solve"])
def test_positions_that_cannot_be(
    upscore: Caller, tmp_path: Path, content: str | bytes, words: tuple[str, ...]
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    upscore(words[0], path, *words[1:])
    upscore.expect_refusal()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("score", "position.json", "--tiles", "A@z9"), "'z9' is not a square"),
        (("score", "position.json", "--tiles", "A@k11"), "is not on this board"),
        (("score", "position.json", "--tiles", "?@d4"), "'?' is not a tile"),
        (("score", "position.json", "--tiles", ""), "no tiles"),
        (("score", "position.json"), "--tiles"),
        (("score", "nowhere.json", "--tiles", "A@d4"), "There is no file nowhere.json"),
        (("score", ".", "--tiles", "A@d4"), "cannot be read"),
        (("solve", "position.json", "--rack", "ABCDEFGH"), "8 tiles"),
        (("solve", "position.json", "--rack", "A1"), "is not a tile"),
        (("solve", "position.json"), "Give --rack"),
        (("solve", "position.json", "--squares", "b4,d5"), "do not lie in one row or column"),
        (("solve", "position.json", "--squares", "b4,b4"), "appears twice"),
        (("solve", "position.json", "--squares", "b4,?"), "'?' is not a square"),
        (("solve", "position.json", "--squares", ","), "no squares"),
        (("solve", "position.json", "--squares", "k1"), "is not on this board"),
        (("solve", "position.json", "--squares", "b4", "--rack", "ABCDEFGH"), "8 tiles"),
        (("solve", "position.json", "--rack", "AB", "--top", "0"), "--top"),
        (("solve", "position.json", "--squares", "b4", "--think"), "leave out --squares"),
        (("solve", "position.json", "--rack", "AB", "--seconds", "1"), "goes with --think"),
        (("solve", "position.json", "--rack", "AB", "--think", "--seconds", "0"), "a number above 0"),
        (("review", "position.json"), "isn't a game"),
        (("solve", "position.json", "--rack", "AB", "--top", "ten"), "--top"),
        (("judge",), "WORD"),
        (("judge", "quiet", "--lexicon", "nowhere.txt"), "choose both, "),
        (("judge", "quiet", "--lexicon", "."), "cannot be read"),
        (("judge", "quiet", "--lexicon", "empty.txt"), "holds no words"),
        (("judge", "quiet", "--lexicon", "x" * 300), "there is no word list"),
        (("judge", "quiet", "--rules", "rules.json"), "no_such_switch"),
        (("judge", "quiet", "--rules", "nowhere.json"), "There is no file nowhere.json"),
        (("score", "huge.json", "--tiles", "A@d4"), "far too large"),
    ],
)
def test_words_that_are_off(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, position: Path, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(position.parent)
    Path("empty.txt").touch()
    Path("rules.json").write_text('{"no_such_switch": true}')
    with Path("huge.json").open("wb") as huge:
        huge.truncate(1 << 30)
    upscore(*words)
    upscore.expect_refusal(told)
