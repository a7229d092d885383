"""The word lists of other languages: found, brought onto the tiles A to Z, and reported on."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from engine import Alphabet, Board, HouseRules, LexiconError, find_edition, parse_play, referee
from upscore.commands.inputs import choose_lexicon
from upscore.commands.serve import Shelf
from upscore.words.judging import family_lexicon, judge_word
from upscore.words.languages import LANGUAGES, list_languages, load_language
from upscore.words.loader import is_own_list, lexicon_names, list_info, load_meanings, load_word_file

GERMAN = "Haus\nStraße\nschon\nschön\nÄpfel\nCafé\nABC\nEs-Dur\na\n"


def install(folder: Path, code: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / LANGUAGES[code].file
    path.write_bytes(text.encode(encoding))
    return path


def test_the_languages_whose_lists_are_in_the_folder(tmp_path: Path) -> None:
    assert list_languages(tmp_path) == ()
    install(tmp_path, "de", GERMAN)
    install(tmp_path, "nl", "fiets\n")
    assert list_languages(tmp_path) == ("nl", "de")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_german_keeps_its_nouns_and_leaves_out_its_own_letters(tmp_path: Path, encoding: str) -> None:
    install(tmp_path, "de", GERMAN, encoding)
    words, said = load_language("de", tmp_path)
    assert words.name == "de"
    assert list(words) == ["CAFE", "HAUS", "SCHON", "STRASSE"]
    assert said == (
        "de: two words taken without accents",
        "de: 2 left out, with letters that no tile has (Ä Ö Ü): 'schön', 'Äpfel'",
        "de: 1 left out, with more capital letters, an abbreviation: 'ABC'",
        "de: 1 left out, with characters that no tile has: 'Es-Dur'",
        "de: 1 left out, of one letter: 'a'",
    )


def test_a_set_with_umlauts_keeps_the_words_that_have_them(tmp_path: Path) -> None:
    install(tmp_path, "de", GERMAN)
    alphabet = Alphabet(tuple("AÄCEFHLNOÖPRSTU"))
    words, said = load_language("de", tmp_path, alphabet)
    assert list(words) == ["CAFE", "HAUS", "SCHON", "SCHÖN", "STRASSE", "ÄPFEL"]
    assert said[0] == "de: two words taken without accents"
    assert judge_word("schön", words, load_meanings()).playable
    assert not judge_word("Äpfels", words, load_meanings()).playable
    without = Alphabet(tuple("AÄCEFHLNOPRSTU"))
    assert "SCHÖN" not in load_language("de", tmp_path, without)[0]
    assert Shelf().load("both", Alphabet(tuple("ÄACT"))).alphabet.letters == frozenset("ÄACT")


def test_other_languages_leave_out_names(tmp_path: Path) -> None:
    install(tmp_path, "fr", "été\nParis\n\nmaison\nHLM\n")
    words, said = load_language("fr", tmp_path)
    assert list(words) == ["ETE", "MAISON"]
    assert said == (
        "fr: one word taken without accents",
        "fr: 1 left out, with a capital letter, a name: 'Paris'",
        "fr: 1 left out, with more capital letters, an abbreviation: 'HLM'",
    )


@pytest.mark.parametrize(
    ("code", "entry", "word"),
    [
        ("nl", "geïnd", "GEIND"),
        ("fr", "cœur", "COEUR"),
        ("it", "perché", "PERCHE"),
        ("es", "pingüino", "PINGUINO"),
        ("es", "año", None),
        ("pt", "avó", "AVO"),
        ("pt", "caça", None),
        ("da", "idé", "IDE"),
        ("da", "ærø", None),
        ("no", "blå", None),
        ("sv", "idé", "IDE"),
        ("sv", "björn", None),
        ("sv", "bjo\N{COMBINING DIAERESIS}rn", None),
        ("pl", "żona", None),
        ("pl", "dom", "DOM"),
    ],
)
def test_accents_fold_but_not_into_another_letter(tmp_path: Path, code: str, entry: str, word: str | None) -> None:
    install(tmp_path, code, f"en\n{entry}\n")
    words, _ = load_language(code, tmp_path)
    assert list(words) == sorted({"EN", word or "EN"})
    assert judge_word(entry, words, load_meanings()).playable is (word is not None)


def test_no_english_table_judges_another_language(tmp_path: Path) -> None:
    install(tmp_path, "nl", "beg\nbegs\nhi\nhis\nslut\n")
    words, _ = load_language("nl", tmp_path)
    assert [words.is_plural(word) for word in ("BEGS", "HIS")] == [True, True]
    assert not words.is_rare("SLUT")
    assert family_lexicon(words) is words
    assert judge_word("slut", words, load_meanings(), for_family=True).line() == (
        "SLUT is playable. No meaning is known here."
    )
    for refused in ("colour", "Rome", "zho"):
        assert judge_word(refused, words, load_meanings()).line() == (
            f"{refused.upper()} is not playable: it is not in the Dutch word list."
        )


def test_the_plural_rule_counts_every_added_s(tmp_path: Path) -> None:
    install(tmp_path, "nl", "al\nals\n")
    words, _ = load_language("nl", tmp_path)
    edition = find_edition("8x8")
    board = Board.empty(8).with_play(parse_play("A@d4 L@e4"))
    play = parse_play("S@f4")
    assert not referee(board, play, edition=edition, lexicon=words).legal
    assert referee(board, play, edition=edition, lexicon=words, rules=HouseRules(plural_rule=False)).legal


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (None, "the Polish word list is not installed: install the package wpolish .* give a file with one word"),
        (b"", "holds no words: install wpolish again"),
        ("żona\n".encode(), "holds no words: install wpolish again"),
        ("dom\nżona\n".encode("iso8859-2"), "is in an unknown encoding: save it as UTF-8 text"),
        ("dom\nżona\n".encode("utf-16-le"), "isn't a text file"),
    ],
)
def test_a_list_that_cannot_be_used_is_one_clear_line(tmp_path: Path, data: bytes | None, told: str) -> None:
    if data is not None:
        (tmp_path / "polish").write_bytes(data)
    with pytest.raises(LexiconError, match=told) as error:
        load_language("pl", tmp_path)
    assert "\n" not in str(error.value)


def test_german_in_a_dos_code_page_is_not_taken_for_latin_1(tmp_path: Path) -> None:
    install(tmp_path, "de", GERMAN, "cp850")
    with pytest.raises(LexiconError, match="unknown encoding"):
        load_language("de", tmp_path)


def test_the_command_tells_what_was_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(tmp_path, "es", "casa\naño\n")
    words = choose_lexicon(Namespace(lexicon="es"), folder=tmp_path)
    assert list(words) == ["CASA"]
    assert capsys.readouterr().err == "warning: es: 1 left out, with letters that no tile has (Ñ): 'año'\n"


def test_the_page_offers_what_is_installed() -> None:
    shelf = Shelf("de", languages=("nl", "de"))
    assert shelf.names() == ("de", *lexicon_names(), "nl")
    assert shelf.labels()["nl"][0] == "Dutch"
    assert shelf.labels()["de"][1] == (
        "Words of Debian's package wngerman, without those with Ä, Ö and Ü. No meanings are shown."
    )


def test_a_file_called_as_a_language_does_not_pass_for_it(tmp_path: Path) -> None:
    (tmp_path / "nl").write_text("fiets\n")
    own, _ = load_word_file(tmp_path / "nl")
    assert own.name == "./nl"
    assert (is_own_list("./nl"), is_own_list("nl")) == (True, False)
    assert list_info("nl").spoken == "the Dutch word list"
