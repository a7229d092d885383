"""The shipped lists and what comes with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import upscore.words as words_package
import workshop.words
from engine import LexiconError
from upscore.words.loader import lexicon_names, list_info, load_lexicon, load_meanings
from upscore.words.meanings import LONGEST
from upscore.words.packaged import read_packed_lines, read_packed_table
from workshop.words.closure import Grammar, inconsistent
from workshop.words.decisions import read_decisions, read_recent, rows
from workshop.words.meanings import own_senses
from workshop.words.scowl import letters_of
from workshop.words.wordnet import WordNet

DATA = Path(words_package.__file__).parent / "data"
TABLES = Path(workshop.words.__file__).parent / "tables"
SHORT = TABLES / "short_words.txt"
WORDNET = Path("/usr/share/wordnet")


def test_both_is_the_american_and_the_british_list_and_the_usual_one() -> None:
    assert lexicon_names() == ("both", "standard", "standard-british", "large")
    both, american, british, large = (frozenset(load_lexicon(name)) for name in lexicon_names())
    assert american | british == both
    assert american - british
    assert british - american
    assert both < large
    assert load_lexicon().name == "both"
    sizes = (165_000, 160_000, 165_000, 250_000)
    assert all(len(x) > least for x, least in zip((both, american, british, large), sizes, strict=True))


@pytest.mark.parametrize(
    ("kept", "dropped"),
    [
        ("aa ab ae ag al za qi ok xu ax", "kb lm ln lx mb mf ps cs gs ks ls rs ts"),
        ("axe emu app bro", "csc dkl hhd hoc quo non ert oui gre"),
        ("cafe crepe souffle facade", "nasa rome isnt twas multi"),
        ("grey theatre dialogue judgement colour tyre kerb pyjamas mould", "baguio magnon cesar vedic"),
        ("bits biting bitten quiz quizzes oxes nada pfft tsktsk", "muzak initio wantad neglig hiphop bonjour"),
        ("restack misdeal outsang hatless unlit sadly kinder", "qu a i perspex jurassic labiatae whitepine"),
        ("english german york dutch french polish", "egyptia americans londoner"),
    ],
)
def test_what_the_usual_list_holds(kept: str, dropped: str) -> None:
    both = load_lexicon()
    assert [word for word in kept.upper().split() if word not in both] == []
    assert [word for word in dropped.upper().split() if word in both] == []


@pytest.mark.parametrize("name", lexicon_names())
def test_words_in_everyday_use_and_those_that_word_games_teach_are_not_rare(name: str) -> None:
    words = load_lexicon(name)
    rare = [word for word in words if words.is_rare(word)]
    assert not {"CONGEST", "JOLTS", "QUIET", "QI", "AA", "ZAX"} & {*rare}
    assert {"SUNWISE", "XERIC"} <= {*rare}
    assert 0.5 < len(rare) / len(words) < 0.8
    assert min(map(len, rare)) == 4


def test_each_country_has_its_spellings() -> None:
    american, british = load_lexicon("standard"), load_lexicon("standard-british")
    theirs = ("COLOUR", "TYRE", "KERB", "PYJAMAS", "MOULD", "CENTRE", "REALISE", "COLOURFUL")
    assert [word for word in theirs if word not in british or word in american] == []
    ours = ("COLOR", "COLORFUL")
    assert [word for word in ours if word not in american or word in british] == []


def test_a_verb_stands_with_its_past_form_and_a_plural_on_yses_in_both_countries() -> None:
    american, british = load_lexicon("standard"), load_lexicon("standard-british")
    words = ["SCLEROSE", "TRAMEL", "MIDWIVE", "HOOVE", "HYDROLYSES", "PSYCHOANALYSES"]
    assert [word for word in words if word not in american or word not in british] == []
    assert [word for word in ["JEWELRY", "LICORICE", "ANOXEMIA", "LEUKORRHEA", "DOWNDRAFT"] if word in british] == []
    assert not {"OVEREMPHASISES", "REANALYSE"} & {*american}


def test_no_british_word_is_built_of_an_american_spelling() -> None:
    words = "DECENTER DECENTERS CALKING CALKER MICROFIBER HUMORLESSLY UNSKILLFUL REDISTILL ANTITUMOR"
    assert [word for word in words.split() if word in load_lexicon("standard-british")] == []
    assert [word for word in words.split() if word not in load_lexicon("standard")] == []


def test_nouns_on_sis_have_one_plural() -> None:
    large = load_lexicon("large")
    for word in large:
        stem = word.removesuffix("SISES")
        if word != stem and f"{stem}SISE" not in large and f"{stem}SES" in large:
            assert f"{stem}S" in large, word
    assert "MIMESES" in load_lexicon()


def test_no_meaning_of_a_short_word_names_only_a_kind_of_living_thing_and_its_latin_name() -> None:
    kinds = r"(?:plants?|herbs?|trees?|shrubs?|perennials?|ferns?|fung(?:i|us)|lizards?|beetles?|wildflowers?|mites)"
    vague = re.compile(
        rf"n:any (?:of |the |various |several |numerous |common |[\w]+ ){{0,5}}{kinds}(?: of the \w+ [A-Z]\w+)?"
    )
    words, told = load_lexicon(), read_packed_table("meanings.txt")
    assert [word for word in words if len(word) <= 8 and vague.fullmatch(told.get(word, ""))] == []


def test_every_manual_decision_is_in_the_lists() -> None:
    both, large = load_lexicon(), load_lexicon("large")
    decisions = read_decisions(TABLES / "decisions.tsv")
    assert len(decisions) > 10
    for decision in decisions:
        assert decision.reason
        for word in decision.words:
            assert (word in both) == (decision.action == "add"), word
            assert (word in large) == (decision.place != "all"), word


def test_the_short_words_are_the_reviewed_ones() -> None:
    both = {word for word in load_lexicon() if len(word) < 4}
    large = {word for word in load_lexicon("large") if len(word) < 4}
    reviewed = {(name, int(length)): set(words.upper().split()) for name, length, words in rows(SHORT)}
    for length in (1, 2, 3):
        assert {word for word in both if len(word) == length} == reviewed.get(("both", length), set())
        rest = {word for word in large - both if len(word) == length}
        assert rest == reviewed.get(("large only", length), set())


def test_plurals_and_verbs_are_told_apart() -> None:
    standard = load_lexicon()
    assert [standard.is_plural(word) for word in ("CATS", "BEGS", "RUNS", "OCCURS", "CAT")] == [
        *(True, False, True, False, False)
    ]


def test_a_noun_that_is_not_told_has_a_plural_still() -> None:
    large, told = load_lexicon("large"), read_packed_lines("not_plurals.txt")
    nouns = "midgets peptalks birddogs cheerios eurekas hoorays hos ciaos teflons virals millennials coloreds"
    assert [word for word in nouns.upper().split() if not large.is_plural(word)] == []
    assert [word for word in ("EROTICIZES", "BEGS", "MORES", "LAWKS") if large.is_plural(word)] == []
    assert {"BEGS", "EROTICIZES"} <= {*told}


@pytest.mark.skipif(not WORDNET.is_dir(), reason="needs Debian's package wordnet-base")
def test_no_base_that_wordnet_has_as_a_noun_lacks_its_plural() -> None:
    entries = WordNet(WORDNET).entries()
    nouns = {letters_of(entry.lemma) for entry in entries if entry.part == "n" and entry.lemma.islower()}
    assert len(nouns) > 50_000
    assert [word for word in read_packed_lines("not_plurals.txt") if word[:-1] in nouns] == []


def test_what_people_write_today_is_in_and_what_is_no_word_is_out() -> None:
    both, large = load_lexicon(), load_lexicon("large")
    words = "repurposed strategize probiotics bruschetta umami ebooks kefir declutters vaxxed motorhomes zipline carb"
    words += " xeriscaped shirazes traybakes towbars cybersecurity claymation workshopped staycationer woker ummed hui"
    assert [word for word in words.upper().split() if word not in both] == []
    faults = (
        "quizes superheros embargos mens verey levelest levellest misgived goshes antimales airforce dianetics serena"
    )
    assert [word for word in faults.upper().split() if word in large] == []


def test_every_recent_word_has_a_short_meaning_and_stands_with_its_forms() -> None:
    both, recent = load_lexicon(), read_recent(TABLES / "recent.tsv")
    assert len({each.word for each in recent}) == len(recent) > 3000
    assert sum(not each.source for each in recent) <= 51
    assert all(re.fullmatch(r"(?:[A-Z][\w. -]+ 20\d\d)?", each.source) for each in recent)
    for each in recent:
        assert all(form in both for form in (each.word, *each.forms)), each.word
        assert each.is_known_from_games or not both.is_rare(each.word), each.word
        assert load_meanings().senses(each.word), each.word
        assert len(load_meanings().meaning(each.word) or "") <= LONGEST


def test_no_meaning_of_ours_takes_one_who_does_something_for_a_man() -> None:
    own = own_senses(TABLES / "own_meanings.tsv", read_recent(TABLES / "recent.tsv"))
    man = re.compile(r"\b(?:one|somebody|someone) [^;|]*\b(?:his|he|him|himself)\b")
    assert [word for word, senses in own.items() if man.search(senses)] == []


def test_no_recent_word_has_a_form_that_nobody_makes() -> None:
    recent = read_recent(TABLES / "recent.tsv")
    technologies = {each.word for each in recent if each.word.endswith("ECH")}
    assert {"MECH", "FINTECH", "NANOTECH"} <= technologies
    assert [each for each in recent if each.word in technologies and f"{each.word}ES" in each.forms] == []
    for each in recent:
        verbs = [sense for sense in each.senses.split("|") if sense.startswith("v:")]
        if each.word not in {"NILL"} and not any(sense.startswith("v:to ") for sense in verbs):  # COULDA, PUNKED
            assert not {f"{each.word}{ending}" for ending in ("ED", "ING")} & {*each.forms}, each.word
    large = load_lexicon("large")
    faults = "couldaed shouldaing mightsted punkeding reskining womyns dernys refied finteches meches taoiseaches"
    assert [word for word in faults.upper().split() if word in large] == []
    assert [word for word in "fintechs taoiseachs taoisigh reskinned".upper().split() if word not in large] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "pool"),
    [("both", "large"), ("standard", "both"), ("standard-british", "both"), ("standard", "large"), ("large", "large")],
)
def test_the_lists_are_closed_under_regular_forms_but_for_a_few_with_a_reason(name: str, pool: str) -> None:
    reasons = {word for each in read_decisions(TABLES / "decisions.tsv") if each.action != "add" for word in each.words}
    parts = {
        word: frozenset(sense[0] for sense in raw.split("|")) for word, raw in read_packed_table("meanings.txt").items()
    }
    irregular = {
        form: frozenset((base[0], base[2:]) for base in raw.split())
        for form, raw in read_packed_table("irregular.txt").items()
    }
    others = frozenset(load_lexicon(pool)) | reasons
    pairs = list(inconsistent(frozenset(load_lexicon(name)), others, Grammar(parts, irregular)))
    assert [pair for pair in pairs if pair[1] not in reasons] == []
    assert len(pairs) <= 50


def test_the_data_stay_small() -> None:
    sizes = {path.name: len(path.read_bytes()) for path in DATA.iterdir() if path.is_file()}
    assert sizes["meanings.txt.xz"] + sizes["irregular.txt.xz"] < 2_000_000
    assert sum(sizes.values()) < 6_000_000


def test_the_notices_come_with_the_data() -> None:
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in (DATA / "LICENSE-WORDNET.txt").read_text()
    assert "Copyright 2000-2011 by Kevin Atkinson" in (DATA / "LICENSE-SCOWL.txt").read_text("utf-8")
    assert {row[0] for row in rows(TABLES / "sources.tsv")} == {"scowl", "wordnet", "popular-english-words"}


@pytest.mark.slow
def test_most_words_have_a_meaning_and_none_is_longer_than_a_breath() -> None:
    meanings = load_meanings()
    words = list(load_lexicon())[::10]
    told = [meaning for word in words if (meaning := meanings.meaning(word)) is not None]
    assert len(told) / len(words) >= 0.89
    assert max(map(len, told)) <= LONGEST
    assert not any("..." in meaning for meaning in told)
    short = [word for word in load_lexicon() if len(word) <= 3]
    assert sum(meanings.meaning(word) is not None for word in short) / len(short) > 0.99
    assert [word for word in load_lexicon() if len(word) == 2 and meanings.meaning(word) is None] == []


@pytest.mark.slow
def test_every_meaning_tells_a_part_of_speech() -> None:
    meanings = load_meanings()
    told = ((word, meanings.meaning(word)) for word in load_lexicon())
    assert [word for word, meaning in told if meaning and not re.search(r"\([a-z]+\) ", meaning)] == []


@pytest.mark.parametrize(
    ("word", "says", "never"),
    [
        ("YORK", "bowl out", "royal"),
        ("ENGLISH", "sidespin", "England"),
        ("GERMAN", "dance", "Germany"),
        ("DUTCH", "own share", "Netherlands"),
        ("COLOUR", "red, blue", "race"),
        ("CLOCKS", "(noun) a device that shows the time", "weed"),
        ("DETAILS", "plural of detail", "confidential"),
        ("SEEDS", "plural of seed", "semen"),
        ("EARRING", "worn in the ear", "organ"),
        ("SELFIE", "photograph", "consciousness"),
        ("STACKED", "in a pile", "bosom"),
        ("BODYSUIT", "garment", "GCIDE"),
        ("PIER", "bridge", "comparative"),
        ("PANTS", "trousers", "women"),
        ("MOOD", "feel", "characteristic"),
        ("GENII", "genie", "intellectual"),
        ("LEAPT", "past of leap: ", "gap"),
        ("IOLITE", "mineral", "GCIDE"),
        ("ATAGHAN", "knife", "GCIDE"),
        ("CAIRD", "tinker", "GCIDE"),
        ("MIDGUT", "bowel", "GCIDE"),
        ("ABACUSES", "plural of abacus", "alabaster"),
        ("BIOPSYING", "biopsy", "GCIDE"),
        ("WINTERISER", "prepare for winter", "GCIDE"),
        ("CLIQUED", "adjective or past of clique: ", "having"),
        ("CAMPION", "a wild plant with pink, red or white flowers", "any plant"),
        ("SKUNK", "animal", "person"),
        ("GROUSE", "(noun) a fat bird", "flesh"),
        ("SOCIABLE", "(adjective) friendly", "promote"),
        ("ALCHEMY", "forerunner of chemistry", "GCIDE"),
        ("BOODLE", "money", "terms"),
        ("LETTUCE", "salads", "any of various"),
        ("ASCEND", "go up", '"'),
        ("BRANDY", "made from wine", "(noun) made"),
        ("FROG", "animal", "French"),
        ("BAGGAGE", "bags", "woman"),
        ("JADE", "gemstone", "woman"),
        ("BROAD", "wide", "woman"),
        ("COSTINGS", "what something will cost", "together"),
        ("WHITELISTED", "past of whitelist", "GCIDE"),
        ("HOMELESS", "without a home", "nationality"),
        ("TWINE", "string", "spin,wind"),
        ("TWIRP", "(noun) someone", "GCIDE"),
        ("WALL", "(noun) an upright side", "architectural"),
        ("WALL", "(verb) to put a wall around", "architectural"),
        ("CRABBING", "present participle of crab: (verb) to catch crabs", "animal"),
        ("NEARING", "(verb) to come close", "preposition"),
        ("TAKEN", "past of take", "understood"),
        ("DUG", "past of dig: to make a hole", "GCIDE"),
        ("BOTHER", "trouble", "comparative"),
        ("COLOURED", "hue", "Blacks"),
        ("DISABLED", "unable to use", "crippled"),
        ("BUTTON", "(verb) to fasten a coat", "fastener"),
        ("RETARD", "(verb) to make slower", "person"),
        ("DEVASTATING", "destroys", "making light"),
        ("UNBEKNOWNST", "somebody", "something"),
        ("MINISTRANT", "somebody", "something"),
        ("DOES", "third person of do", "deer or rabbit; third"),
        ("DOES", "plural of doe", "GCIDE"),
        ("FOREDOES", "third person of foredo", "doe:"),
        ("SQUATTER", "comparative of squat", "GCIDE"),
        ("MEETNESS", "fitting", "come together"),
        ("RANKLY", "smelling bad", "order"),
        ("STRAITLY", "narrow", "trouble"),
        ("TOTTY", "good-looking", "GCIDE"),
        ("TRANSEXUAL", "older word", "changed"),
        ("GISM", "semen", "energy"),
    ],
)
def test_meanings_that_were_wrong_once(word: str, says: str, never: str) -> None:
    meaning = load_meanings().meaning(word) or ""
    assert says in meaning
    assert never not in meaning


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("PLIES", "plural of ply and third person of ply"),
        ("PLIED", "past of ply"),
        ("OVERPLIED", "too much: plied, past of ply"),
        ("RETYING", "again: tying, present participle of tie"),
        ("CHIVED", "adjective or past of chive"),
        ("CHIVING", "present participle of chive"),
        ("CHIVVED", "past of chiv"),
        ("DERATED", "past of derate"),
        ("DERATING", "present participle of derate"),
        ("DERATTED", "past of derat"),
        ("DOFFER", "one that does, from doff"),
        ("PRACTICER", "one that does, from practice"),
        ("FILMIER", "comparative of filmy"),
        ("VULCANISM", "(noun) what volcanoes do"),
        ("COSIED", "past of cosy"),
        ("NANNIED", "past of nanny"),
        ("CUTESIER", "comparative of cutesy"),
        ("JUNGLIER", "comparative of jungly"),
        ("ENZYMIC", "of, from enzyme"),
        ("JESSES", "plural of jess"),
        ("BILLIES", "plural of billy"),
        ("SURFIER", "comparative of surfy, full of or like surf"),
        ("RAMMIER", "comparative of rammy, full of or like ram"),
        ("SIPED", "past of sipe"),
        ("REGOES", "again: goes, third person of go"),
        ("BACKSTABBER", "one that does, from backstab"),
        ("JIGGIER", "comparative of jiggy: (adjective) excited"),
        ("WEIRDEST", "superlative of weird"),
        ("MASSES", "plural of mass and third person of mass"),
    ],
)
def test_a_form_leads_to_the_likeliest_base(word: str, meaning: str) -> None:
    told = load_meanings().meaning(word) or ""
    assert re.match(rf"{re.escape(meaning)}(?!\w)", told), told


@pytest.mark.parametrize(
    ("word", "part"),
    [
        *((word, "n") for word in ("MURAL", "CEREAL", "PEDAL", "SABBATICAL", "NUMERAL", "PLURAL", "MIMIC", "TEAL")),
        *((word, "n") for word in ("DIRIGIBLE", "BREAM")),
        *((word, "a") for word in ["SOCIABLE", "HOMELESS"]),
    ],
)
def test_the_usual_part_of_speech_comes_first(word: str, part: str) -> None:
    assert load_meanings().senses(word)[0].part == part


def test_no_meaning_holds_half_a_quotation() -> None:
    table = read_packed_table("meanings.txt")
    assert [word for word, senses in table.items() if any(sense.count('"') % 2 for sense in senses.split("|"))] == []


def test_every_list_is_described_for_the_page_where_it_is_chosen() -> None:
    infos = [list_info(name) for name in lexicon_names()]
    assert not any(info.description == "Your own list." for info in infos)
    assert all(info.description.endswith(".") and info.label and info.spoken for info in infos)
    assert list_info("/home/ann/words.txt").label == "words.txt"


def test_damaged_data_are_named() -> None:
    with pytest.raises(LexiconError, match=r"word data nothing\.txt cannot be read: install"):
        read_packed_lines("nothing.txt")


@pytest.mark.parametrize("name", ["sowpods", "no/such/file.txt", "x" * 5000, "standard.txt.xz"])
def test_a_list_that_is_not_there_is_one_clear_line(name: str) -> None:
    with pytest.raises(LexiconError, match="choose both, standard, standard-british, large, or give a file") as error:
        load_lexicon(name)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 160
