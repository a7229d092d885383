from __future__ import annotations

import csv
import io
import json

from enginekit import Words, board_of

from engine import Game, HouseRules, find_edition, parse_play, referee
from engine.formats.csv_text import COLUMNS, game_csv
from engine.formats.game_json import tiles_json, verdict_json


def test_the_scoresheet_as_csv() -> None:
    lexicon = Words("MOOD", "WOOD")
    game = Game.start(find_edition("8x8"), ["=Red", "Blue, the second"], lexicon=lexicon)
    game = game.play(parse_play("c4-MOOD")).play(parse_play("Z@c4")).challenge("=Red", upheld=True)
    game = game.pass_turn().play(parse_play("W@c4")).end("agreed", [1, 2])
    text = game_csv(game)
    assert text.endswith("\r\n")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert tuple(rows[0]) == COLUMNS
    assert rows[1:] == [
        ["1", "'=Red", "play", "M@c4 O@d4 O@e4 D@f4", "MOOD 8", "8", "8", "yes", ""],
        [
            *["2", "Blue, the second", "taken back", "Z@c4", "ZOOD 5", "0", "0", "no"],
            "Rule 7, words: ZOOD is not in the word list “test”. =Red challenged it, and it came off by the word list.",
        ],
        ["2", "Blue, the second", "pass", "", "", "0", "0", "", ""],
        ["3", "'=Red", "play", "W@c4", "WOOD 5", "5", "13", "yes", ""],
        ["", "'=Red", "left over", "", "", "-5", "8", "", ""],
        ["", "Blue, the second", "left over", "", "", "-10", "-10", "", ""],
    ]


def _legal_and_notes(game: Game) -> list[str]:
    """Return the last two columns of the last line of the sheet."""
    return list(csv.reader(io.StringIO(game_csv(game), newline="")))[-1][-2:]


def test_the_csv_of_a_game_that_goes_on_says_nothing_of_a_word_that_nobody_challenged() -> None:
    lexicon, no = Words("MOOD"), ["no", "Rule 7, words: ZOOD is not in the word list “test”."]
    game = Game.start(find_edition("8x8"), ["Red", "Blue"], lexicon=lexicon)
    game = game.play(parse_play("c4-MOOD")).play(parse_play("Z@c4"))
    assert _legal_and_notes(game) == ["yes", ""]
    challenged = game.challenge("Red", upheld=False)
    assert _legal_and_notes(challenged)[0] == "no"
    assert _legal_and_notes(challenged)[1].startswith(no[1])
    over = list(csv.reader(io.StringIO(game_csv(game.end("agreed", [0, 0])), newline="")))
    assert over[2][-2:] == no
    always = Game.start(*(find_edition("8x8"), ["Red", "Blue"], HouseRules(words_always_checked=True)), lexicon=lexicon)
    assert _legal_and_notes(always.play(parse_play("c4-ZOOD"))) == no
    legal, notes = _legal_and_notes(game.play(parse_play("Z@c4")))
    assert (legal, "Rule 5, stacking" in notes, "Rule 7" in notes) == ("no", True, False)


def test_the_command_lines_json() -> None:
    board, play = board_of(8, "c4-MOOD; f5|EAR"), parse_play("M@c4 Y@g4")
    verdict = referee(board, play, edition=find_edition("8x8"), lexicon=None)
    assert json.loads(json.dumps(verdict_json(verdict))) == {
        "legal": False,
        "reasons": [{"rule": "5-same", "text": "Rule 5, stacking: the M on c4 covers another M."}],
        "words": [{"word": "MOODY", "points": 6}],
        "points": 6,
        "bonus": 0,
    }
    assert tiles_json(play, board) == [
        {"row": 3, "col": 2, "letter": "M", "height": 2},
        {"row": 3, "col": 6, "letter": "Y", "height": 1},
    ]
    assert tiles_json(play) == [{"row": 3, "col": 2, "letter": "M"}, {"row": 3, "col": 6, "letter": "Y"}]
