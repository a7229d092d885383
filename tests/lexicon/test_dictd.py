"""Databases of dictd: finding headwords, reading entries, and files that are none."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from dictdkit import ENTRIES, base64, dictzip, write_database
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples

from engine import LexiconError
from upscore.words.gcide import Gcide

HEADWORDS = [headword for headwords, _ in ENTRIES for headword in headwords]


@pytest.mark.parametrize("chunk", [None, 1, 7, 50, 60_000])
def test_every_entry_is_found_whole(tmp_path: Path, chunk: int | None) -> None:
    database = Gcide(write_database(tmp_path, chunk=chunk))
    for headwords, text in ENTRIES:
        for headword in headwords:
            assert database.entries(headword) == [[text]]
            assert database.entries(headword.upper()) == [[text]]


@pytest.mark.parametrize("missing", ["", "a", "airbed", "vu", "vugs", "zaxx", "zz", "é", "nid", "nid-nod"])
def test_what_is_no_headword_has_no_entries(tmp_path: Path, missing: str) -> None:
    assert Gcide(write_database(tmp_path)).entries(missing) == [[]]


def test_dictzip_is_gzip_that_others_can_read(tmp_path: Path) -> None:
    write_database(tmp_path)
    text = gzip.decompress((tmp_path / "gcide.dict.dz").read_bytes())
    assert text.decode() == "".join(entry for _, entry in ENTRIES)


def test_a_header_without_a_comment(tmp_path: Path) -> None:
    write_database(tmp_path)
    text = "".join(entry for _, entry in ENTRIES).encode()
    (tmp_path / "gcide.dict.dz").write_bytes(dictzip(text, 20, comment=False))
    assert Gcide(tmp_path).entries("zax") == [[ENTRIES[0][1]]]


def test_several_entries_and_an_entry_listed_twice(tmp_path: Path) -> None:
    write_database(tmp_path, [(["Bow", "bow"], "a knot"), (["BOW"], "a weapon")])
    assert sorted(Gcide(tmp_path).entries("bow")[0]) == ["a knot", "a weapon"]


headword = st.text("abcXYZ019 -'.", min_size=1, max_size=6).filter(lambda word: word.strip() == word)


@examples(60)
@given(words=st.lists(headword, min_size=1, max_size=30, unique_by=str.lower))
def test_the_search_finds_what_is_listed(tmp_path_factory: pytest.TempPathFactory, words: list[str]) -> None:
    folder = write_database(tmp_path_factory.mktemp("dictd"), [([word], f"of {word}") for word in words])
    database = Gcide(folder)
    for word in words:
        assert database.entries(word) == [[f"of {word}"]]


@pytest.mark.parametrize(("number", "digits"), [(0, "A"), (63, "/"), (64, "BA"), (27741, "Gxd"), (620, "Js")])
def test_numbers_in_base_64(tmp_path: Path, number: int, digits: str) -> None:
    assert base64(number) == digits
    (tmp_path / "gcide.dict").write_bytes(b"." * number + b"here")
    (tmp_path / "gcide.index").write_text(f"word\t{digits}\tE\n")
    assert Gcide(tmp_path).entries("word") == [["here"]]


@pytest.mark.parametrize(
    "index", [b"zax", b"zax\n", b"zax\t\t\n", b"zax\t?\tB\n", b"zax\tA", b"zax\t" + b"/" * 99 + b"\tB\n", b"\n\n", b""]
)
def test_lines_that_say_nothing(tmp_path: Path, index: bytes) -> None:
    write_database(tmp_path)
    (tmp_path / "gcide.index").write_bytes(index)
    assert Gcide(tmp_path).entries("zax") == [[]]


def test_a_place_beyond_the_text(tmp_path: Path) -> None:
    write_database(tmp_path)
    (tmp_path / "gcide.index").write_bytes(b"zax\t//////////\t//////////\n")
    assert Gcide(tmp_path).entries("zax") == [[""]]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no gzip at all",
        gzip.compress(b"", mtime=0),
        dictzip(b"text", 4)[:30],
        b"\x1f\x8b\x08\x04",
        b"\x1f\x8b\x08",
    ],
)
def test_what_is_no_dictzip(tmp_path: Path, data: bytes) -> None:
    write_database(tmp_path)
    (tmp_path / "gcide.dict.dz").write_bytes(data)
    with pytest.raises(LexiconError, match="install it again"):
        Gcide(tmp_path)


def test_plain_gzip_will_do(tmp_path: Path) -> None:
    write_database(tmp_path)
    text = "".join(entry for _, entry in ENTRIES).encode()
    (tmp_path / "gcide.dict.dz").write_bytes(gzip.compress(text))
    assert Gcide(tmp_path).entries("vug") == [[ENTRIES[1][1]]]


def test_no_such_database(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="install it again"):
        Gcide(tmp_path)


@examples(200)
@given(data=st.data())
def test_damage_is_an_error_of_ours_or_another_text(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = write_database(tmp_path_factory.mktemp("damaged"))
    path = folder / data.draw(st.sampled_from(["gcide.index", "gcide.dict.dz"]))
    content = bytearray(path.read_bytes())
    for at in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=4)):
        content[at] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    try:
        database = Gcide(folder)
        found = database.entries(*HEADWORDS)
    except LexiconError:
        return
    assert all(isinstance(text, str) for entries in found for text in entries)
