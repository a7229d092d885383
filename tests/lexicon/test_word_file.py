"""A table's own word list: read, checked and reported on."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import LexiconError
from upscore.words.loader import load_lexicon, load_word_file


def write(folder: Path, data: bytes) -> Path:
    path = folder / "ours.txt"
    path.write_bytes(data)
    return path


def test_a_plain_list_with_comments_blanks_and_any_line_ends(tmp_path: Path) -> None:
    lexicon, report = load_word_file(write(tmp_path, b"# our words\r\nquiet\r\n  tea \r\n\r\nseat"))
    assert list(lexicon) == ["QUIET", "SEAT", "TEA"]
    assert lexicon.name == "ours.txt"
    assert report.lines() == ("ours.txt: 3 words (utf-8)",)


def test_a_list_in_capitals(tmp_path: Path) -> None:
    lexicon, report = load_word_file(write(tmp_path, b"QUIET\nTEA\nSEAT\n"))
    assert len(lexicon) == report.words == 3
    assert not report.skipped


def test_what_is_no_word_is_reported_with_its_line(tmp_path: Path) -> None:
    data = "tea\ntea\nisn't\nwell-known\nRome\ncafé\nr2d2\nice cream\nnaïve\nset\n".encode()
    lexicon, report = load_word_file(write(tmp_path, data))
    assert list(lexicon) == ["CAFE", "NAIVE", "SET", "TEA"]
    assert (report.accented, report.duplicates) == (2, 1)
    assert [(entry.line, entry.text) for entry in report.skipped] == [
        (3, "isn't"),
        (4, "well-known"),
        (5, "Rome"),
        (7, "r2d2"),
        (8, "ice cream"),
    ]
    assert report.lines() == (
        "ours.txt: 4 words (utf-8)",
        "ours.txt: 1 lines repeat a word",
        "ours.txt: 2 words taken without their accents",
        'ours.txt: 4 left out, with signs that no tile has: "isn\'t" in line 3, '
        "'well-known' in line 4, 'r2d2' in line 7, ...",
        "ours.txt: 1 left out, with a capital letter, a name: 'Rome' in line 5",
    )


@pytest.mark.parametrize(
    ("encoding", "named"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("latin-1", "latin-1"), ("utf-16", "utf-16")],
)
def test_encodings(tmp_path: Path, encoding: str, named: str) -> None:
    lexicon, report = load_word_file(write(tmp_path, "été\nthé\n".encode(encoding)))
    assert list(lexicon) == ["ETE", "THE"]
    assert report.encoding == named


def test_verbs_are_told_from_plurals_in_any_list(tmp_path: Path) -> None:
    lexicon, _ = load_word_file(write(tmp_path, b"begs\ncats\n"))
    assert [lexicon.is_plural(word) for word in lexicon] == [False, True]


def test_of_a_tables_own_list_words_are_rare_where_it_is_one_of_english(tmp_path: Path) -> None:
    few, _ = load_word_file(write(tmp_path, b"sunwise\nvugs\ntea\n"))
    assert not any(map(few.is_rare, few))
    english, _ = load_word_file(write(tmp_path, "\n".join([*load_lexicon("standard"), "ZZYZXY"]).encode()))
    assert [english.is_rare(word) for word in ("ZZYZXY", "SUNWISE", "TEA")] == [True, True, False]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "holds no words: put one word on each line"),
        (b"# nothing\n12\n", "holds no words"),
        (b"\x7fELF\0\0\0", "is no text file: give a file with one word a line"),
        (b"\xff\xfea", "is damaged: save it as UTF-8 text"),
    ],
)
def test_files_that_are_no_lists(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        load_lexicon(str(write(tmp_path, data)))


def test_a_folder_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="give a text file") as error:
        load_lexicon(str(tmp_path))
    assert "\n" not in str(error.value)
