"""Every rule of a turn broken alone and with others, on small boards."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from enginekit import Words, board_of, play_transposed, transpose_board

from engine import SHEET_RULES, Board, Play, Verdict, find_edition, parse_play, referee, square_name
from engine.errors import PositionError, RulesError


@dataclass(frozen=True)
class Case:
    """The board, a play, the rules that it breaks, and the words that it makes. With `known` None any word will do."""

    name: str
    before: str
    play: str
    broken: str
    made: str
    known: str | None = None
    size: int = 8


CASES = [
    # Rule 3
    Case("first play across the centre", "", "c4-MOOD", "", "MOOD"),
    Case("first play down the centre", "", "e2|MOOD", "", "MOOD"),
    Case("first play of two tiles", "", "d4-ON", "", "ON"),
    Case("first play touches one centre square at its end", "", "a5-CATS", "", "CATS"),
    Case("first play of one tile", "", "d4-A", "3", ""),
    Case("first play of a lone Qu", "", "d4-Qu", "3", ""),
    Case("first play off the centre", "", "a1-MOOD", "3", "MOOD"),
    Case("first play beside the centre", "", "c3-MOOD", "3", "MOOD"),
    Case("first play of one tile off the centre", "", "a1-A", "3 3", ""),
    Case("first play with a gap", "", "c4-MO.D", "4-line", "MO"),
    Case("first play over a corner", "", "d4-ON, E@e5", "4-line", "ON NE"),
    Case("first play in pieces off the centre", "", "A@a1 B@c3", "3 4-line", ""),
    Case("first play with two tiles on a square", "", "A@d4 B@d4 N@e4", "5-one", "BN"),
    Case("first play unknown to the list", "", "d4-ZZ", "7", "ZZ", known="MOOD"),
    Case("first play off the centre, unknown", "", "a1-ZZ", "3 7", "ZZ", known="MOOD"),
    Case("first play on 10x10", "", "c5-MOOD", "", "MOOD", size=10),
    Case("first play on 10x10 off its centre", "", "a4-MOOD", "3", "MOOD", size=10),
    Case("first play on 11x11 covers its one centre square", "", "f6-ON", "", "ON", size=11),
    Case("first play on 11x11 off its centre square", "", "e5-ON", "3", "ON", size=11),
    # 4-line
    Case("three tiles round a corner", "c4-MOOD", "E@f5 A@f6 R@e6", "4-line", "RA DEA"),
    Case("two tiles on a diagonal", "c4-MOOD", "N@d5 T@e6", "4-line", "ON"),
    Case("a gap down", "c4-MOOD", "E@f5 R@f7", "4-line", "DE"),
    Case("a gap beyond the word", "c4-MOOD", "b4-S.....T", "4-line", "SMOOD"),
    Case("a gap filled by what stood there", "c4-MOOD; f5|EAR", "e5-N.T", "", "NET ON"),
    Case("tiles at both ends of a word", "c4-OLD", "b4-G...S", "", "GOLDS"),
    Case("two rows", "c4-MOOD", "c5-AA, c6-BB", "4-line", "AA BB MAB OAB"),
    # 4-connect
    Case("far from everything", "c4-MOOD", "a8-AXE", "4-connect", "AXE"),
    Case("touching at a corner only", "c4-MOOD", "g5-AX", "4-connect", "AX"),
    Case("one tile alone", "c4-MOOD", "A@a8", "4-connect", ""),
    Case("far off and on a diagonal", "c4-MOOD", "A@a8 X@b7", "4-line 4-connect", ""),
    Case("far off with a gap", "c4-MOOD", "a8-A.E", "4-line 4-connect", ""),
    Case("far off, unknown", "c4-MOOD", "a8-ZZ", "4-connect 7", "ZZ", known="MOOD"),
    Case("on top of what was there", "c4-MOOD", "W@c4", "", "WOOD"),
    Case("beside what was there", "c4-MOOD", "Y@g4", "", "MOODY"),
    Case("wrapping round the edge does not touch", "h4|ON", "a5-AX", "4-connect", "AX"),
    Case("a single S far away is no plural", "c4-MOOD", "S@a8", "4-connect", ""),
    # 5-one
    Case("two tiles on one square", "c4-MOOD", "E@g4 Y@g4", "5-one", "MOODY"),
    Case("two tiles on one stack", "c4-MOOD", "B@c4 W@c4", "5-one", "WOOD"),
    Case("three tiles on one square", "c4-MOOD", "A@g4 B@g4 Y@g4", "5-one", "MOODY"),
    Case("two alike on one square", "c4-MOOD", "Y@g4 Y@g4", "5-one 5-same", "MOODY"),
    Case("the same letter through two tiles", "c4-MOOD", "W@c4 W@c4", "5-one 5-same", "WOOD"),
    # 5-same
    Case("the same letter", "c4-MOOD", "M@c4", "5-same", "MOOD"),
    Case("the same letter among others", "c4-MOOD", "c4-WO.K", "5-same", "WOOK"),
    Case("two same letters", "c4-MOOD", "c4-MO", "5-same 5-same", "MOOD"),
    Case("the letter underneath is no matter", "c4-MOOD; W@c4", "M@c4", "", "MOOD"),
    Case("Qu on Qu", "c4-Qu; d4-IT", "Qu@c4", "5-same", "QUIT"),
    Case("the same letter, unknown", "c4-MXD", "M@c4", "5-same 7", "MXD", known="MOOD"),
    # 5-five
    Case("five high", "c4-MOOD; W@c4; F@c4; H@c4", "G@c4", "", "GOOD"),
    Case("six high", "c4-MOOD; W@c4; F@c4; H@c4; G@c4", "R@c4", "5-five", "ROOD"),
    Case("six high on the same letter", "c4-MOOD; W@c4; F@c4; H@c4; G@c4", "G@c4", "5-same 5-five", "GOOD"),
    Case("two tiles make six", "c4-MOOD; W@c4; F@c4; H@c4", "B@c4 R@c4", "5-one 5-five", "ROOD"),
    Case("six high twice", "d4-ON; d4-AB; d4-CD; d4-EF; d4-GH", "d4-IJ", "5-five 5-five 5-cover", "IJ"),
    # 5-cover
    Case("the whole word", "d4-CAT", "d4-DOG", "5-cover", "DOG"),
    Case("all but one letter", "d4-CAT", "d4-DO", "", "DOT"),
    Case("the whole word and more", "d4-CAT", "d4-HORSE", "5-cover", "HORSE"),
    Case("the whole of a word of two", "d4-ON", "d4-AT", "5-cover", "AT"),
    Case("one of two joined words whole", "c4-AT; f4-DO", "c4-BIG", "5-cover", "BIGDO"),
    Case("a lone tile is no word", "d4-ON; A@c6", "c6-BE", "", "BE"),
    Case("a crossing word keeps its letters", "d4-CAT; e5|RE", "d4-BI", "", "BIT IRE"),
    Case("covered down", "d4|CAT", "d4|DOG", "5-cover", "DOG"),
    Case("the whole word, a letter on itself", "d4-CAT", "d4-DAG", "5-same 5-cover", "DAG"),
    Case("the whole word, unknown", "d4-CAT", "d4-ZZZ", "5-cover 7", "ZZZ", known="CAT"),
    Case("the whole word and a crossing one", "c4-CAT; c5|OB", "c4|TUX", "5-cover", "TUX TAT"),
    # 5-plural
    Case("S at the end", "d4-CAT", "S@g4", "5-plural", "CATS"),
    Case("S at the end, down", "d4|CAT", "S@d7", "5-plural", "CATS"),
    Case("S at the end of two words", "e2|CAT; b5-DOG", "S@e5", "5-plural", "DOGS CATS"),
    Case("S before a word", "d4-CAT", "S@c4", "", "SCAT"),
    Case("S between two words", "c4-CA; f4-T", "S@e4", "", "CAST"),
    Case("S after a lone letter makes another word", "d4-ON; A@d5", "S@e5", "", "AS NS"),
    Case("S that ends one word and crosses another", "d4-CAT; g5-O", "S@g4", "", "CATS SO"),
    Case("S on another letter", "d4-HAT", "S@f4", "", "HAS"),
    Case("S and more", "d4-BOX", "g4-ES", "", "BOXES"),
    Case("S at both ends", "d4-CAT", "c4-S...S", "", "SCATS"),
    Case("another letter and S at the end", "d4-CAT", "d4-H..S", "", "HATS"),
    Case("S that belongs to another word", "d4-NET", "g1|PLUS", "", "PLUS NETS"),
    Case("S that makes no word", "d4-CXT", "S@g4", "7", "CXTS", known="CAT"),
    Case("S that makes no word of a word", "d4-BELATED", "S@k4", "7", "BELATEDS", known="BELATED", size=11),
    Case("S that makes a word of what was none", "d4-THI", "S@g4", "", "THIS", known="THIS"),
    Case("S after S makes no plural", "b5-PRINCES", "S@i5", "", "PRINCESS", size=10),
    Case("S after S on a short word", "d4-PAS", "S@g4", "", "PASS"),
    Case("S after S that is no word", "d4-CATS", "S@h4", "7", "CATSS", known="CATS"),
    Case("S that ends a plural and a word that is none", "f1|CAT; c4-PAS", "S@f4", "", "PASS CATS"),
    Case("another letter at the end", "d4-MOO", "D@g4", "", "MOOD"),
    # 5-all and 7
    Case("no word", "A@d4", "B@d4", "5-all", ""),
    Case("an unknown word", "d4-CAT", "Y@g4", "7", "CATY", known="CAT"),
    Case("an unknown crossing word", "d4-CAT", "d5-BE", "7 7", "BE CB AE", known="CAT BE"),
    Case("known words", "d4-CAT", "f5-ON", "", "ON TO", known="CAT ON TO"),
    Case("Qu counts as QU in the list", "", "d4-QuIT", "", "QUIT", known="QUIT"),
    # the rack
    Case("seven tiles", "", "a4-CATTERY", "", "CATTERY"),
    Case("eight tiles", "", "a4-CATTERYS", "equipment", "CATTERYS"),
    # many at once
    Case(
        "everything that can be wrong with two squares",
        "d4-ON; d4-AB; d4-CD; d4-EF; d4-GH",
        "G@d4 X@d4 Y@e5",
        "4-line 5-one 5-same 5-five 7 7",
        "XH HY",
        known="ON",
    ),
    Case("a broken line that buries a word", "d4-CAT", "d4-DOG.S", "4-line 5-cover", "DOG"),
    Case("unknown and disconnected round a corner", "d4-CAT", "a8-XY, A@a7", "4-line 4-connect 7 7", "XY AX", known=""),
]


def judge(case: Case, *, turned_over: bool = False) -> Verdict:
    words = None if case.known is None else Words(*case.known.split())
    board, play = board_of(case.size, case.before), parse_play(case.play)
    if turned_over:
        board, play = transpose_board(board), play_transposed(play)
    return referee(board, play, edition=find_edition(f"{case.size}x{case.size}"), lexicon=words)


@pytest.mark.parametrize("turned_over", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_breach_is_found(case: Case, turned_over: bool) -> None:
    verdict = judge(case, turned_over=turned_over)
    assert sorted(broken.rule for broken in verdict.violations) == sorted(case.broken.split())
    assert sorted(word.word for word in verdict.words) == sorted(case.made.split())
    assert verdict.legal == (not case.broken)
    assert verdict.points == sum(word.points for word in verdict.words) + verdict.bonus


@pytest.mark.parametrize("case", [case for case in CASES if case.broken], ids=lambda case: case.name)
def test_every_breach_can_be_read_aloud(case: Case) -> None:
    for broken in judge(case).violations:
        head = "Equipment: " if broken.rule == "equipment" else f"Rule {broken.rule[0]}, "
        assert broken.text.startswith(head)
        assert broken.text.endswith(".")
        assert "\n" not in broken.text
        assert broken.squares


def test_the_table_is_large_and_names_each_case_once() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)
    rules = {rule for case in CASES for rule in case.broken.split()}
    sheet = {"3", "4-line", "4-connect", "5-one", "5-same", "5-five", "5-cover", "5-plural", "5-all", "7"}
    assert rules == sheet | {"equipment"}


@pytest.mark.parametrize(
    ("before", "play", "squares", "text"),
    [
        ("", "a1-ON", "a1 b1", "it must cover at least one of the centre squares (d4, e4, d5 and e5)"),
        ("c4-MOOD", "E@f5 R@f7", "f6", "the tiles leave a gap at f6."),
        ("c4-MOOD", "M@c4", "c4", "the M on c4 covers another M."),
        ("d4-CAT", "d4-DOG", "d4 e4 f4", "covers all of CAT"),
        ("d4-CAT", "S@g4", "g4", "a turn can't simply add an S to make CATS."),
        ("d4-CAT", "E@g4 S@g4", "g4", "two tiles went on g4 in one turn"),
    ],
)
def test_breaches_name_their_squares(before: str, play: str, squares: str, text: str) -> None:
    board = board_of(8, before)
    verdict = referee(board, parse_play(play), edition=find_edition("8x8"), lexicon=None)
    (broken,) = verdict.violations
    assert [square_name(square) for square in broken.squares] == squares.split()
    assert text in broken.text


@pytest.mark.parametrize(
    ("before", "play", "words", "text"),
    [
        # a square with two tiles is named once
        ("c4-MOOD", "W@c4 B@c4 A@f5", None, "Rule 4, one line: c4 and f5 are not in one row or one column."),
        ("", "d4-ZZ", Words(name="short list"), "Rule 7, words: ZZ is not in the word list “short list”."),
    ],
)
def test_a_breach_is_said_in_full(before: str, play: str, words: Words | None, text: str) -> None:
    verdict = referee(board_of(8, before), parse_play(play), edition=find_edition("8x8"), lexicon=words)
    assert verdict.violations[0].text == text


def test_questions_that_make_no_sense_are_refused() -> None:
    edition = find_edition("8x8")
    with pytest.raises(PositionError, match="i4 is not on this board"):
        referee(Board.empty(8), parse_play("d4-ABCDEF"), edition=edition, lexicon=None)
    with pytest.raises(RulesError, match="at least one tile"):
        referee(Board.empty(8), Play(()), edition=edition, lexicon=None)
    with pytest.raises(RulesError, match="the board has 10 rows"):
        referee(Board.empty(10), parse_play("d4-AB"), edition=edition, lexicon=None, rules=SHEET_RULES)
