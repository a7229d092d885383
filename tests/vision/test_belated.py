"""A word that a hand half covered: the rest of it shows only when the next play lies there, too."""

from __future__ import annotations

from readings import played, reading_of, veiled

from engine.board import Board
from engine.editions import edition_named
from engine.lexicon import Lexicon
from engine.play import parse_play
from vision.pipeline import BoardReader
from vision.reading import BoardReading
from vision.session import GameWatch, Observation

CLASSIC = edition_named("8x8")
WORDS = Lexicon.from_words(["WOOD", "WOODY", "ON", "YES", "NO", "DON"], name="test")
START = Board.empty(8)
WOOD, WOODY = "W@d3 O@d4 O@d5 D@d6", "W@d3 O@d4 O@d5 D@d6 Y@d7"
ON = "N@e4"


def watched(*seen: BoardReading) -> list[Observation]:
    watch = GameWatch(BoardReader(second_opinion=False), START, edition=CLASSIC, lexicon=WORDS)
    return [watch.take(reading) for reading in seen]


def test_the_rest_of_a_word_is_no_turn_of_its_own() -> None:
    under_a_hand = veiled(reading_of(played(START, WOOD)), (6, 3), (7, 3))
    first, second = watched(under_a_hand, reading_of(played(START, WOODY, ON), 0.999, 0.9999))
    assert first.inference.needs_review
    assert second.before == played(START, WOODY)
    assert second.repaired
    assert second.inference.play == parse_play(ON)
    assert second.inference.earlier is None
    assert not second.inference.needs_review


def test_what_was_seen_whole_and_told_is_not_added_to() -> None:
    first, second = watched(reading_of(played(START, WOOD)), reading_of(played(START, WOODY, ON)))
    assert not first.inference.needs_review
    assert second.inference.earlier is not None
    assert second.inference.needs_review


def test_only_what_makes_one_lawful_play_with_it_belongs_to_it() -> None:
    under_a_hand = veiled(reading_of(played(START, WOOD)), (6, 3), (7, 3))
    _, second = watched(under_a_hand, reading_of(played(START, WOOD, "S@d7", ON)))
    assert second.before != played(START, WOOD, "S@d7")
    assert second.inference.needs_review
