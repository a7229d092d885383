"""A table's own word list: read, checked and reported on."""

from __future__ import annotations

import gzip
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
        "ours.txt: two words taken without accents",
        'ours.txt: 4 left out, with characters that no tile has: "isn\'t" in line 3, '
        "'well-known' in line 4, 'r2d2' in line 7, ...",
        "ours.txt: 1 left out, with a capital letter, a name: 'Rome' in line 5",
        'ours.txt: 1 capitalised entries left out as names; begin the file with "# capitals: words" to take them',
    )


@pytest.mark.parametrize(
    "data",
    [
        b"tea\ta hot drink\nquiet\tnot loud\n",
        b"tea, a hot drink\nquiet, not loud\n",
        b"tea;3;n\r\nquiet;14;a\r\n",
        b"TEA 3\nQUIET 14\n",
        b"TEA a hot drink [n TEAS]\nQUIET not loud\n",
        b"tea*\nquiet#\n",
        b"*tea\n+quiet\n",
        b"# our words\n#tea\n#quiet\tnot loud\n#1 of 2\n#all of them\n",
        b"word,definition\ntea,a hot drink\nquiet,not loud\n",
        b"# our words\n\nword,definition\ntea,a hot drink\nquiet,not loud\n",
        b'"tea","a hot drink"\n"quiet","not loud"\n',
        b"tea - a hot drink\nquiet = not loud\n",
        b"tea: a hot drink\nquiet: not loud\n",
        b"1. tea\n2. quiet\n",
        b"3 TEA\n14 QUIET\n",
        b"- tea\n- quiet\n",
        b"id,word,definition\n1,tea,a hot drink\n2,quiet,not loud\n",
        b'id,definition,word\n1,"to drink, hot",tea\n2,"calm, still",quiet\n',
        b'id, definition, word\n1, "to drink, hot", tea\n2, "calm, still", "quiet"\n',
        b"rank\tmeaning\tword\n1\ta drink, hot\ttea\n2\tcalm; or still | silent\tquiet\n",
        b"rank\tmeaning\tword\n\ta drink\ttea\n\t\tquiet\n",
        b'"id";"meaning; or meanings";"Word"\n1;hot;tea\n2;"calm; still";quiet\n',
        b",word,count\n0,tea,12\n1,quiet,3\n",
        b"id,definition,word\n# by Anna, thanks, all\n1,hot,tea\n  # later, still, more\n2,calm,quiet\n",
        b'id,definition,word\n1,"to drink,\nhot, or, cold",tea\n2,calm,quiet\n',
        b'word,definition\ntea,"to drink,\nhot"\nquiet,calm\n',
        b'rank\tmeaning\tword\n1\t"Tea" of leaves\ttea\n2\t"calm" or still\tquiet\n',
        b"word,definition\n#tea,hot\nquiet,calm\n",
        b"\x93tea\x94\t\x85\nquiet\t\x85 not loud\n",
        b"\xef\xbb\xbfTea\nQuiet\n",
        gzip.compress(b"tea\r\nquiet\r\n", mtime=0),
    ],
)
def test_the_first_field_of_a_line_is_the_word(tmp_path: Path, data: bytes) -> None:
    assert list(load_word_file(write(tmp_path, data))[0]) == ["QUIET", "TEA"]


def test_rows_with_nothing_in_the_word_column_are_reported(tmp_path: Path) -> None:
    data = b'id,definition,word\n1,hot,tea\n2,quick\n# by Anna\n3,calm,quiet\n4,"loud, very", \n'
    lexicon, report = load_word_file(write(tmp_path, data))
    assert list(lexicon) == ["QUIET", "TEA"]
    assert report.lines() == (
        "ours.txt: 2 words (utf-8)",
        "ours.txt: 2 left out, with nothing in the word column: '2,quick' in line 3, '4,\"loud, very\",' in line 6",
    )


def test_a_quotation_mark_that_is_never_closed_costs_its_own_row_only(tmp_path: Path) -> None:
    data = b'id,definition,word\n1,"hot,set\n2,calm,quiet\n3,a drink,tea\n'
    lexicon, report = load_word_file(write(tmp_path, data))
    assert list(lexicon) == ["QUIET", "TEA"]
    assert [entry.line for entry in report.skipped] == [2]


def test_a_row_of_many_lines_is_reported_once_and_later_rows_keep_their_numbers(tmp_path: Path) -> None:
    data = b'id,definition,word\n\n1,"hot,\n\nor cold"\n2,calm,quiet!x\n3,a drink,tea\n'
    assert [entry.line for entry in load_word_file(write(tmp_path, data))[1].skipped] == [3, 6]


@pytest.mark.parametrize("data", [b"%b\ntea\n", b"id,word\n%b,set\n1,tea\n"])
def test_a_line_longer_than_any_table_has_is_no_word(tmp_path: Path, data: bytes) -> None:
    lexicon, report = load_word_file(write(tmp_path, data % (b"1" * 200_000)))
    assert list(lexicon) == ["TEA"]
    assert len(report.skipped) == 1


def test_a_line_that_begins_with_a_divider_has_no_word(tmp_path: Path) -> None:
    assert list(load_word_file(write(tmp_path, b"tea\n,hot\nquiet\n"))[0]) == ["QUIET", "TEA"]


def test_the_word_word_by_itself_is_no_heading(tmp_path: Path) -> None:
    assert list(load_word_file(write(tmp_path, b"word\nwords\ntea\n"))[0]) == ["TEA", "WORD", "WORDS"]


def test_words_marked_with_a_number_sign_are_counted(tmp_path: Path) -> None:
    _, report = load_word_file(write(tmp_path, b"# our words\n#tea\nquiet\n"))
    assert report.lines() == ("ours.txt: 2 words (utf-8)", "ours.txt: one line with # before a word taken as words")


def test_a_few_words_after_a_number_sign_are_switched_off(tmp_path: Path) -> None:
    words = "".join(f"tea{chr(97 + at)}\n" for at in range(20))
    lexicon, report = load_word_file(write(tmp_path, f"#Wordlist, 2024\n#quiet\n{words}".encode()))
    assert len(lexicon) == 20
    assert not report.notes


@pytest.mark.parametrize("name", ["en.dic", "en.dic.gz", "EN.DIC", "EN.Dic.GZ"])
def test_a_spelling_checkers_list_is_said_to_lack_its_forms(tmp_path: Path, name: str) -> None:
    path, data = tmp_path / name, b"2\ntea/MS\nquiet/TPSMDRYG\n"
    path.write_bytes(gzip.compress(data, mtime=0) if name.lower().endswith(".gz") else data)
    lexicon, report = load_word_file(path)
    assert list(lexicon) == ["QUIET", "TEA"]
    assert report.lines()[-1].startswith(f"{name}: a spelling checker's list: its .aff file is not read")


@pytest.mark.parametrize("name", ["en.aff", "X.AFF", "en.aff.gz"])
def test_the_rules_of_a_spelling_checker_are_no_list(tmp_path: Path, name: str) -> None:
    path, data = tmp_path / name, b"SET UTF-8\nTRY esian\n"
    path.write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
    with pytest.raises(LexiconError, match=r"give the \.dic file beside it"):
        load_word_file(path)


def test_capitalised_entries_are_words_where_they_are_a_fifth_of_the_list(tmp_path: Path) -> None:
    german = b"Haus\nund\noder\naber\nrot\n"
    lexicon, report = load_word_file(write(tmp_path, german))
    assert "HAUS" in lexicon
    assert report.lines()[-1].startswith("ours.txt: 1 capitalised entries taken as words")
    few = german + b"gehen\n"
    assert "HAUS" not in load_word_file(write(tmp_path, few))[0]
    assert "HAUS" in load_word_file(write(tmp_path, b"# Capitals: words\n" + few))[0]
    assert "HAUS" not in load_word_file(write(tmp_path, b"# capitals: names\n" + german))[0]


@pytest.mark.parametrize(
    ("encoding", "named"), [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("latin-1", "latin-1"), ("utf-16", "utf-16")]
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
        (b"\x7fELF\0\0\0", "isn't a text file: give a file with one word a line"),
        (b"\xff\xfea", "is damaged: save it as UTF-8 text"),
        (b"\x1f\x8bnothing", "is damaged: unpack it"),
        ("ねこ\nいぬ\n".encode(), "holds no words of the letters A to Z: give a list in that alphabet"),
        (b"\xe4\xee\xec\n\xea\xee\xf2\n", "is in an unknown encoding: save it as UTF-8 text"),
        (b"%PDF-1.4\nstream\ntea\n", "isn't a text file"),
    ],
)
def test_files_that_are_no_lists(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        load_lexicon(str(write(tmp_path, data)))


def test_a_folder_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="give a text file") as error:
        load_lexicon(str(tmp_path))
    assert "\n" not in str(error.value)
