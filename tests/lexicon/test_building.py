"""The build of the word data, on sources of a few lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from workshop.words.__main__ import british_words, everyday_words
from workshop.words.closure import (
    Grammar,
    close_words,
    inconsistent,
    of_one_country,
    pool_of,
    with_plurals_on_ses,
    without_forms,
)
from workshop.words.decisions import Decision, Lists, Recent, apply_decisions, list_dropped, read_decisions
from workshop.words.excluded import list_excluded_forms
from workshop.words.growth import Known, grown
from workshop.words.meanings import explain_word, irregular_of, not_plurals, senses_of
from workshop.words.popular import Popular, words_in_use
from workshop.words.scowl import Scowl
from workshop.words.screening import is_awkward, is_for_families
from workshop.words.wordnet import WordNet, short_gloss, whole_phrase


@pytest.fixture
def scowl(tmp_path: Path) -> Scowl:
    folder = tmp_path / "scowl"
    folder.mkdir()
    entries = {
        "english-words.10": "a tea teas isn't café OK kW\n",
        "english-words.80": "zho\n",
        "american-words.20": "color\n",
        "variant_1-words.20": "color grey\n",
        "british-words.20": "colour\n",
        "english-abbreviations.40": "NASA\netc\nNASA's\n",
        "english-contractions.35": "isn't\n",
        "english-upper.50": "Rome\nRome's\n",
    }
    for name, text in entries.items():
        (folder / name).write_text(text, encoding="utf-8")
    return Scowl(folder)


LICENCE = "  1 This software and database is being provided to you\n"

SYNSETS: dict[str, dict[str, tuple[str, ...]]] = {
    "noun": {
        "00000001": ('03 n 02 tea 0 chai 0 000 | a hot drink; "a cup of tea"', "tea", "chai"),
        "00000002": ("03 n 01 Tea 0 001 @i 00000001 n 0000 | a town", "tea"),
        "00000003": ("03 n 01 goose 0 000 | a large bird", "goose"),
        "00000004": ("03 n 01 self-control 0 000 | mastery of oneself", "self-control"),
        "00000005": ("03 n 01 ice_cream 0 000 | a frozen sweet", "ice_cream"),
        "00000008": ("20 n 01 lotus 0 001 @ 00000009 n 0000 | native to eastern Asia", "lotus"),
        "00000009": ("20 n 01 herb 0 000 | a plant that is eaten", "herb"),
        "00000010": ("10 n 02 nonsense 0 drool 0 000 | silly talk", "drool", "nonsense"),
        "00000011": ("08 n 01 drool 0 000 | saliva from the mouth", "drool"),
    },
    "verb": {"00000006": ("30 v 01 go 0 000 01 + 01 00 | move along", "go")},
    "adj": {"00000007": ("00 a 01 galore(ip) 0 000 | in plenty", "galore")},
    "adv": {},
}

EXCEPTIONS = {"noun": "geese goose\n", "verb": "went go\ngoes go\n", "adj": "", "adv": ""}


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name, synsets in SYNSETS.items():
        data, index = [LICENCE], [LICENCE]
        offsets: dict[str, list[str]] = {}
        for offset, (line, *lemmas) in synsets.items():
            data.append(f"{offset} {line}  \n")
            for lemma in lemmas:
                offsets.setdefault(lemma, []).append(offset)
        for lemma, found in offsets.items():
            count = len(found)
            index.append(f"{lemma} {name[0]} {count} 0 {count} 0 {' '.join(found)}  \n")
        (folder / f"data.{name}").write_text("".join(data), encoding="utf-8")
        (folder / f"index.{name}").write_text("".join(index), encoding="utf-8")
        (folder / f"{name}.exc").write_text(EXCEPTIONS[name], encoding="utf-8")
    (folder / "cntlist.rev").write_text("go%2:30:00:: 1 9\n", encoding="utf-8")
    return WordNet(folder)


def table(folder: Path, *lines: str) -> Path:
    path = folder / "table.tsv"
    path.write_text("# a comment\n" + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_words_are_lower_case_entries_without_signs(scowl: Scowl) -> None:
    assert scowl.words(("english", "american"), 70) == {"TEA", "TEAS", "CAFE", "COLOR"}
    assert scowl.words(("english",), 80) == {"TEA", "TEAS", "CAFE", "ZHO"}
    assert scowl.words(("british",), 20) == {"COLOUR"}


def test_words_in_everyday_use_are_those_of_the_smaller_sizes_and_the_short_ones(tmp_path: Path) -> None:
    for name, entries in (("english-words.35", "tea zoo"), ("english-words.70", "teal zax zein")):
        (tmp_path / name).write_text(entries.replace(" ", "\n"), encoding="utf-8")
    large = frozenset({"TEA", "ZAX", "ZEIN", "TEAL"})
    lists = Lists(frozenset(), frozenset(), large)
    assert everyday_words(Scowl(tmp_path), lists) == ["TEA", "ZAX"]
    written = [
        Recent("UMAMI", "n:a taste", (), "Wiktionary 2026"),
        Recent("MOOL", "n:soil", (), "Collins Scrabble Words 2007"),
    ]
    more = Lists(frozenset(), frozenset(), large | {"UMAMI", "MOOL"})
    assert everyday_words(Scowl(tmp_path), more, written) == ["TEA", "UMAMI", "ZAX"]


def test_american_spellings_are_not_british_ones(scowl: Scowl) -> None:
    assert british_words(scowl, 70) == {"TEA", "TEAS", "CAFE", "COLOUR", "GREY"}


def test_senses_are_those_of_lower_case_lemmas(wordnet: WordNet) -> None:
    own = {"GO": "v:leave", "NIX": "n:nothing"}
    words = frozenset(("TEA", "CHAI", "GO", "GALORE"))
    assert senses_of(wordnet, words, own) == {
        "TEA": "n:a hot drink",
        "CHAI": "n:a hot drink",
        "GO": "v:leave",
        "GALORE": "a:in plenty",
    }


def test_a_meaning_of_ours_replaces_only_the_same_part_of_speech(wordnet: WordNet) -> None:
    for name, line in (
        ("noun", "00000021 03 n 01 crab 0 000 | a decapod"),
        ("verb", "00000022 30 v 01 crab 0 000 00 | scurry sideways"),
        ("adj", "00000023 00 a 01 crab 0 000 | of the shape of a crab"),
    ):
        data, index = wordnet.folder / f"data.{name}", wordnet.folder / f"index.{name}"
        data.write_text(f"{data.read_text()}{line}  \n")
        index.write_text(f"{index.read_text()}crab {name[0]} 1 0 1 0 {line[:8]}  \n")

    def told(own: str) -> str:
        return senses_of(wordnet, frozenset({"CRAB"}), {"CRAB": own})["CRAB"]

    assert told("n:a sea animal") == "n:a sea animal|v:scurry sideways"  # nobody has met the adjective
    assert told("v:to creep") == "v:to creep|n:a decapod"
    assert told("d:a word of grammar") == "d:a word of grammar"
    (wordnet.folder / "cntlist.rev").write_text("crab%3:00:00:: 1 4\n", encoding="utf-8")
    assert told("n:a sea animal|v:to creep") == "n:a sea animal|v:to creep|a:of the shape of a crab"
    counts = "crab%3:00:00:: 1 4\ncrab%1:05:00:: 1 20\n"
    (wordnet.folder / "cntlist.rev").write_text(counts, encoding="utf-8")
    assert "a:of the shape of a crab" in told("n:a sea animal")
    (wordnet.folder / "cntlist.rev").write_text(counts.replace("20", "21"), encoding="utf-8")
    assert told("n:a sea animal|v:to creep") == "n:a sea animal|v:to creep"  # people seldom meet the adjective


def test_of_senses_met_as_often_the_one_that_the_word_names_comes_first(wordnet: WordNet) -> None:
    senses = senses_of(wordnet, frozenset({"DROOL"}), {})
    assert senses == {"DROOL": "n:saliva from the mouth|n:silly talk"}


def test_a_sense_that_names_a_learned_base_alone_says_what_that_means() -> None:
    learned = {"UVULA": "n:a flap at the back of the throat"}
    assert explain_word("UVULAR", "a:of the uvula", learned) == "a:of the uvula (a flap at the back of the throat)"
    assert explain_word("UVULA", "n:a kind of uvula", learned) == "n:a kind of uvula"
    assert explain_word("DRABLY", "r:in a drab manner", learned) == "r:in a drab manner"
    assert explain_word("RIVERBED", "n:the bed of a river", {"RIVE": "v:tear"}) == "n:the bed of a river"


def test_a_noun_whose_gloss_names_no_kind_is_told_with_it(wordnet: WordNet) -> None:
    glosses = {entry.lemma: entry.gloss for entry in wordnet.entries()}
    assert glosses["lotus"].strip() == "a herb native to eastern Asia"


def test_only_irregular_forms_are_kept(wordnet: WordNet) -> None:
    words = frozenset(("GOOSE", "GEESE", "GO", "WENT", "GOES"))
    senses = {"GOOSE": "n:a large bird", "GO": "v:move along"}
    assert irregular_of(wordnet, words, senses, {}) == {"GEESE": "n:GOOSE", "WENT": "v:GO"}
    assert irregular_of(wordnet, words, senses, {"WENT": "v:past of go"}) == {"GEESE": "n:GOOSE"}
    assert irregular_of(wordnet, words, senses, {"WENT": "a:left"})["WENT"] == "v:GO"
    assert "GEESE" not in irregular_of(wordnet, words, senses, {"GEESE": "n:silly people"})


def test_a_word_on_s_is_no_plural_where_its_stem_is_no_noun() -> None:
    words = frozenset(("BEG", "BEGS", "CAT", "CATS", "XYL", "XYLS", "AS"))
    assert not_plurals(words, {"BEG": "v", "CAT": "n"}) == {"BEGS"}
    words = frozenset(("VIRAL", "VIRALS", "RUN", "RUNS"))
    assert not_plurals(words, {"VIRAL": "a", "RUN": "nv"}) == frozenset()


def test_reasons_for_forms_outside_the_lists(scowl: Scowl, wordnet: WordNet, tmp_path: Path) -> None:
    decisions = (Decision("drop", "all", "only in a phrase", ("HOC",)),)
    affixes = table(tmp_path, "-ible\ta suffix: that can be")
    assert list_excluded_forms(scowl, wordnet, affixes, decisions) == {
        "HOC": "Donly in a phrase",
        "IBLE": "X-ible, a suffix: that can be",
        "NASA": "ANASA",
        "ETC": "Aetc",
        "ISNT": "Pisn't",
        "ROME": "CRome",
        "SELFCONTROL": "Hself-control",
        "ICECREAM": "Wice cream",
    }


def lists(both: str, large: str) -> Lists:
    held = frozenset(both.split())
    return Lists(held, held, held | frozenset(large.split()))


def test_decisions_are_applied(tmp_path: Path) -> None:
    path = table(tmp_path, "drop\tall\tunit\tkb", "drop\tboth\tdialect\tfer", "add\tboth\tnew\taa za")
    made = apply_decisions(lists("TEA KB FER", "ZA"), read_decisions(path))
    assert made == lists("TEA AA ZA", "FER")


def test_what_was_dropped_never_comes_back_by_a_rule(tmp_path: Path) -> None:
    path = table(tmp_path, "drop\tall\tunit\tkb", "add\tboth\tnew\taa")
    assert list_dropped(read_decisions(path)) == {"KB"}


KNOWN = Known(
    {"WALK": frozenset("nv"), "SAD": frozenset("a"), "OX": frozenset("n"), "ZAX": frozenset("n")},
    {"SANG": frozenset(("SING",))},
)


@pytest.mark.parametrize(
    ("rarer", "joins"),
    [
        ("WALKS REWALK", "WALKS REWALK"),
        ("REWALKED", ""),  # not by way of REWALK, which no source has
        ("REWALKED REWALK", "REWALKED REWALK"),
        ("SADLY SADDER SADED", "SADLY SADDER"),
        ("UNWALK", ""),  # this kind of derivative usually isn't a word
        ("FOOED FOOS", "FOOED FOOS"),  # any regular form of a word that WordNet lacks
        ("ZAX", ""),  # too short: those are looked at one by one
        ("WALKIST XYZZY", ""),
        ("OUTSANG", "OUTSANG"),
    ],
)
def test_rarer_words_join_by_rule(rarer: str, joins: str) -> None:
    words = {"WALK", "SAD", "OX", "FOO", "OUTSING"}
    assert grown(words, rarer.split(), KNOWN) == words | set(joins.split())


def test_the_commonest_sense_comes_first(wordnet: WordNet) -> None:
    data = wordnet.folder / "data.noun"
    data.write_text(data.read_text() + "00000009 03 n 01 go 0 000 | a board game  \n")
    index = wordnet.folder / "index.noun"
    index.write_text(index.read_text() + "go n 1 0 1 0 00000009  \n")
    senses = senses_of(wordnet, frozenset(("GO",)), {})
    assert senses["GO"] == "v:move along|n:a board game"


@pytest.mark.parametrize(
    ("gloss", "kept"),
    [
        ("a hot drink", True),
        ("a term for Blacks that is now considered offensive", False),
        ("people collectively who are mentally retarded", False),
        ("a person who is markedly small", False),
        ('an insult; "an obscene remark"', True),  # only words that are read out count
        ("a race with skin pigmentation different from the white race", False),
        ("(ethnic slur) offensive term", False),
        ("a musical sextet", True),
    ],
)
def test_glosses_are_screened_for_families(gloss: str, kept: bool) -> None:
    assert is_for_families(gloss) == kept


@pytest.mark.parametrize("row", ["drop\tall\tnone\txx", "add\tboth\tthere\ttea", "drop\tboth\tx\txyl"])
def test_a_decision_that_changes_nothing_stops_the_build(tmp_path: Path, row: str) -> None:
    with pytest.raises(ValueError, match=f"change nothing: {row.split()[-1]}"):
        apply_decisions(lists("TEA", "ZA"), read_decisions(table(tmp_path, row)))


@pytest.mark.parametrize("row", ["keep\tall\tx\tkb", "drop\tlarge\tx\tkb", "add\tall\tx\tkb"])
def test_a_malformed_decision_stops_the_build(tmp_path: Path, row: str) -> None:
    with pytest.raises(ValueError, match="no such decision"):
        read_decisions(table(tmp_path, row))


@pytest.mark.parametrize(
    ("gloss", "short"),
    [
        ('a hot drink; "a cup of tea"', "a hot drink"),
        ("one; two | three", "one; two / three"),
        ("first clause; second clause that is long", "first clause"),
        ("a thing (with a long remark in it)", "a thing"),
        ("words that go far which have no end", "words that go far"),
        ("wordswithoutanyplacetoendthem", ""),
    ],
)
def test_glosses_are_cut_to_what_fits(gloss: str, short: str) -> None:
    assert short_gloss(gloss, 20) == short


@pytest.mark.parametrize(
    ("gloss", "part", "wants", "whole"),
    [
        ("hurt the pride of", "v", "somebody", "hurt the pride of somebody"),
        ("remove color from", "v", "", "remove color from something"),
        ("put clothes on", "v", "somebody or something", "put clothes on somebody or something"),
        ("deem to be", "v", "something", "deem to be something"),
        ("urge on", "v", "", "urge on"),
        ("take in", "v", "something", "take in"),
        ("give out", "v", "something", "give out"),
        ("take hold of; grab", "v", "something", "take hold of something; grab"),
        ("remove caffeine from (coffee)", "v", "something", "remove caffeine from coffee"),
        ("make an addition (to)", "v", "something", "make an addition to something"),
        ("a load (of coal)", "n", "", "a load (of coal)"),
        ("fond of", "a", "", "fond of something"),
        ("capable of being atoned for", "a", "", "capable of being atoned for"),
        ("it is sincerely the case that", "r", "", "it is sincerely the case"),
        ("what one sits on", "n", "", "what one sits on"),
    ],
)
def test_a_gloss_that_breaks_off_before_its_object_is_told_with_it(
    gloss: str, part: str, wants: str, whole: str
) -> None:
    assert whole_phrase(gloss, part, wants) == whole


def test_what_a_verb_is_done_to_comes_from_its_sentence_frames(wordnet: WordNet) -> None:
    data = wordnet.folder / "data.verb"
    data.write_text(data.read_text() + "00000012 30 v 01 shame 0 000 02 + 09 00 + 10 00 | hurt the pride of  \n")
    index = wordnet.folder / "index.verb"
    index.write_text(index.read_text() + "shame v 1 0 1 0 00000012  \n")
    assert {entry.wants for entry in wordnet.entries() if entry.lemma == "shame"} == {"somebody"}
    assert senses_of(wordnet, frozenset({"SHAME"}), {}) == {"SHAME": "v:hurt the pride of somebody"}


NO_GRAMMAR = Grammar({}, {})


def test_a_list_is_closed_under_the_regular_forms_that_the_pool_has() -> None:
    pool = frozenset({"STORYLINES", "CARB", "ZIPLINING", "MANGOS", "TEASES", "BUSSED"})
    kept = {"STORYLINE", "CARBS", "ZIPLINE", "ZIPLINED", "MANGO", "MANGOES", "BUS", "BUSED", "BUSING"}
    pairs = {("STORYLINE", "STORYLINES"), ("CARBS", "CARB"), ("ZIPLINED", "ZIPLINING")}
    assert set(inconsistent(kept, pool, NO_GRAMMAR)) == pairs
    assert close_words(kept, pool, NO_GRAMMAR) == kept | {"STORYLINES", "CARB", "ZIPLINING"}


def test_a_list_lacks_no_form_that_a_word_does_not_make() -> None:
    parts = {"HENCE": "r", "ELF": "n", "CLING": "v", "TALL": "a", "WALK": "v", "MAST": "n", "ANALYSIS": "n"}
    irregular = {"ELVES": ("n", "ELF"), "CLUNG": ("v", "CLING"), "ANALYSES": ("n", "ANALYSIS")}
    grammar = Grammar(
        {word: frozenset(each) for word, each in parts.items()},
        {form: frozenset({base}) for form, base in irregular.items()},
    )
    kept = {"HENCE", "ELF", "CLING", "CLINGING", "TALL", "TALLER", "WALK", "WALKER", "MASTS", "ANALYSIS", "ANALYSES"}
    pool = frozenset(
        ["ANALYSISES", "HENCES", "ELFS", "CLINGED", "TALLEST", "WALKEST", "MASTSES", "MAST", "ANALYSE", "CLINGS"]
    )
    lacking = {word for _, word in inconsistent(kept, pool, grammar)}
    assert lacking == {"TALLEST", "MAST", "CLINGS"}


def test_a_country_has_the_forms_of_its_words_and_no_plural_of_the_other_ones_spelling() -> None:
    nouns = Grammar({word: frozenset("n") for word in ("HEMORRHOID", "COUNSELLING", "AETIOLOGY", "BORAGE")}, {})
    both = frozenset({"HAEMORRHOID", "HAEMORRHOIDS", "HEMORRHOID", "HEMORRHOIDS", "MOM", "MOMS", "BORAGE", "BORAGES"})
    assert of_one_country({"HAEMORRHOIDS", "HEMORRHOID"}, both, nouns) == {"HEMORRHOID", "HEMORRHOIDS"}
    assert of_one_country({"MOM", "BORAGES"}, both, nouns) == {"MOM", "MOMS", "BORAGE", "BORAGES"}
    theirs = both | {"COUNSELING", "COUNSELINGS", "ETIOLOGY", "ETIOLOGIES"}
    kept = {"COUNSELLING", "COUNSELINGS", "AETIOLOGY", "ETIOLOGIES"}
    assert of_one_country(kept, theirs, nouns) == {"COUNSELLING", "AETIOLOGY"}
    jewels = frozenset({"JEWELRY", "JEWELRIES", "JEWELLERY", "JEWELLERIES"})
    assert of_one_country({"JEWELLERY", "JEWELRIES"}, jewels, nouns, {"JEWELRY"}) == {"JEWELLERY", "JEWELLERIES"}
    verbs = Grammar({"HYDROLYZE": frozenset("v"), "HYDROLYSE": frozenset("v"), "HYDROLYSIS": frozenset("n")}, {})
    kept = {"HYDROLYSIS", "HYDROLYSES", "HYDROLYZE"}
    assert of_one_country(kept, frozenset({*kept, "HYDROLYSE"}), verbs) == kept


def test_what_is_built_of_a_word_of_the_other_country_leaves_a_list() -> None:
    parts = {"FIBER": "n", "FIBRE": "n", "CENTER": "nv", "CENTRE": "nv", "DECENT": "a", "HUMOR": "n", "HUMOUR": "n"}
    parts |= {"CALK": "v", "HUMORLESS": "a", "HUMOURLESS": "a", "ENTHRALL": "v", "MOLTER": "n", "MOLT": "v"}
    grammar = Grammar({word: frozenset(part) for word, part in parts.items()}, {})
    parts |= {"RESPECT": "v", "SPECTER": "n", "SPECTRE": "n", "ESTHESIA": "n", "AESTHESIA": "n"}
    american = {"FIBER", "CENTER", "HUMOR", "HUMORLESS", "CALK", "ENTHRALL", "MOLT", "SPECTER", "ESTHESIA"}
    built = {
        "MICROFIBER",
        "MICROFIBERS",
        "DECENTER",
        "DECENTERS",
        "DECENTEST",
        "HUMORLESSLY",
        "CALKING",
        "CALKINGS",
        "CALKER",
    }
    kept = {"FIBRE", "CENTRE", "DECENT", "HUMOUR", "HUMOURLESS", "HUMOROUS", "ENTHRALLED", "MOLTER"}
    kept |= {"SPECTRE", "RESPECT", "RESPECTER", "PARAESTHESIA", "AESTHESIA"}
    both = frozenset(american | built | kept)
    assert of_one_country(kept | built, both, grammar, {"CALK"}) == kept


def test_a_noun_on_sis_makes_ses_unless_it_is_a_verb_or_another_word_has_that_plural() -> None:
    words = {"MIMESIS", "MIMESISES", "SYNTHESIS", "SYNTHESISE", "SYNTHESISES", "CASSIS", "CASSISES"}
    words |= {"MISSIS", "MISSISES", "MISS", "GAPOSISES"}
    pool = {"MIMESES", "SYNTHESES", "MISSES", "GAPOSES"}
    assert with_plurals_on_ses(words, pool) == words - {"MIMESISES", "GAPOSISES"} | {"MIMESES"}


def test_the_forms_of_a_word_that_was_dropped_leave_with_it_unless_they_are_words_themselves() -> None:
    words = {"STREETLAMPS", "SITUS", "SITUSES", "ARLES", "PENES", "PENE", "COLDSHOULDERED"}
    dropped = {"STREETLAMP", "SITU", "ARLE", "COLDSHOULDER"}
    assert without_forms(words, dropped, {"ARLES"}) == {"SITUS", "SITUSES", "ARLES", "PENES", "PENE"}


def test_a_list_of_everything_vouches_only_for_an_s_after_a_noun_or_a_verb() -> None:
    parts = {"ALIVE": frozenset("a"), "BRING": frozenset("v"), "TEMPLE": frozenset("n")}
    every = {"ALIVES", "BRINGED", "BRINGS", "TEMPLES", "TEMPLED", "THATS", "CARB"}
    assert pool_of({"CARB"}, every, parts) == {"CARB", "BRINGS", "TEMPLES"}


def test_words_in_use_are_common_or_have_a_regular_form_or_an_english_ending_or_parts_and_are_no_names(
    tmp_path: Path,
) -> None:
    used = "'serena','serenas','fumarate','codec','codecs','dites','achromatic','woodyard','monohull','carraway'"
    (tmp_path / "words.js").write_text(f"var words = [{used}]")
    popular = Popular(tmp_path).words()
    rarer = {*popular, "UNMET"}
    words = {"WOOD", "YARD", "HULL", "CAR", "AWAY"}
    found = words_in_use(rarer, words, popular, frozenset({"SERENA"}), common=3)
    assert found == {"FUMARATE", "CODEC", "ACHROMATIC", "WOODYARD", "MONOHULL"}


@pytest.mark.parametrize(
    ("gloss", "plain"),
    [
        ('a flat slab (as of fired clay) to cover surfaces; "tiles"', "a flat slab to cover surfaces"),
        ("carry out (an event)", "carry out (an event)"),
        ("a low shrub of the genus Ocimum", "a low shrub"),
        ("any of several herbs of the genus Ocimum", "any of several herbs of the genus Ocimum"),
        ("(often used in combination) having ends; often followed by `of'", "having ends"),
        ("(law) a binding promise", "in law: a binding promise"),
        ("(Middle Ages) a large shield", "in the Middle Ages: a large shield"),
        ("(of hair) having curls", "of hair: having curls"),
        ("(British informal) pork sausage", "pork sausage"),
        ("the outermost (and toughest) of the meninges", "the outermost of the meninges"),
        ("someone who calms fears (e.g., of loss)", "someone who calms fears"),
        ('a complete range: "a face that expressed a gamut"', "a complete range"),
        ('strong and sharp;"the pungent taste"; "acrid smoke"', "strong and sharp"),
        ("informal terms for money", "money"),
        ("incongruous;inviting ridicule", "incongruous; inviting ridicule"),
        ("spin,wind, or twist together", "spin, wind, or twist together"),
        ('a demand especially in "the call of duty"', 'a demand especially in "the call of duty"'),
        ("any plant of the genus Silene", "any plant of the genus Silene"),
        ("any of various plants of the genus Aralia; aromatic plants", "any of various plants; aromatic plants"),
        ("any plant of the Eurasian genus Helleborus", "any plant of the Eurasian genus Helleborus"),
        (
            "of or relating to or belonging to the family Cebidae",
            "of or relating to or belonging to the family Cebidae",
        ),
    ],
)
def test_a_gloss_is_told_in_plain_words(gloss: str, plain: str) -> None:
    assert short_gloss(gloss) == plain


def test_a_sense_that_makes_people_blush_is_known() -> None:
    assert is_awkward("(of a woman's body) having a large bosom")
    assert not is_awkward("arranged in a stack")
    assert is_awkward("a person of French descent")
    assert not is_awkward("a steep descent of the water of a river")
    assert not is_awkward("someone who is regarded as contemptible")
