"""What words mean, and the way from a form to its base."""

from __future__ import annotations

import pytest
from presencekit import there

from upscore.words.loader import load_meanings
from upscore.words.meanings import Meanings, Sense, shorten

MEANINGS = Meanings(
    {
        "LEAP": "n:a light jump|v:jump lightly",
        "HOP": "v:jump on one foot|n:a plant for beer",
        "HOPE": "v:expect and wish",
        "SEE": "v:use the eyes",
        "SAW": "n:a tool with teeth",
        "SEED": "n:what plants grow from",
        "KIND": "a:gentle",
        "WOMAN": "n:a grown female",
        "GLASS": "n:a vessel to drink from|v:put in glass",
        "GLASSES": "n:lenses before the eyes",
        "GLUE": "v:stick together",
        "AXE": "n:a tool to chop with",
        "AXIS": "n:a line to turn about",
        "HAPPY": "a:glad",
        "WAN": "v:turn pale",
    },
    {"LEAPT": "v:LEAP", "SAW": "v:SEE", "AXES": "n:AXIS"},
)


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("LEAP", "(noun) a light jump; (verb) jump lightly"),
        ("LEAPT", "past of leap: (verb) jump lightly"),
        ("LEAPS", "plural of leap and third person of leap: (noun) a light jump; (verb) jump lightly"),
        ("LEAPING", "present participle of leap: (verb) jump lightly"),
        ("HOPPED", "past of hop: (verb) jump on one foot"),
        ("HOPED", "past of hope: (verb) expect and wish"),
        ("HOPES", "third person of hope: (verb) expect and wish"),
        ("SAW", "(noun) a tool with teeth; past of see"),
        ("SEED", "(noun) what plants grow from"),
        ("WOMEN", "plural of woman: (noun) a grown female"),
        ("GLASSES", "(noun) lenses before the eyes; third person of glass"),
        ("AXES", "plural of axis: (noun) a line to turn about; also plural of axe: (noun) a tool to chop with"),
        ("KINDER", "comparative of kind: (adjective) gentle"),
        ("HAPPIEST", "superlative of happy: (adjective) glad"),
        ("UNKIND", "not kind: (adjective) gentle"),
        ("KINDLY", "adverb of kind: (adjective) gentle"),
        ("REGLUED", "again: glued, past of glue: (verb) stick together"),
        ("GLUERS", "plural of gluer, one that does, from glue: (verb) stick together"),
        ("RESAW", "again: saw, past of see: (verb) use the eyes"),
        ("DEWAN", None),
        ("SEES", "third person of see: (verb) use the eyes"),
        ("XYLYL", None),
        ("S", None),
        ("", None),
    ],
)
def test_the_way_to_the_base(word: str, meaning: str | None) -> None:
    assert MEANINGS.meaning(word) == meaning


def test_senses_are_those_of_the_word_itself() -> None:
    assert MEANINGS.senses("SAW") == (Sense("n", "a tool with teeth"),)
    assert MEANINGS.senses("LEAPT") == ()


def test_a_recent_base_is_the_least_likely_one() -> None:
    senses = {
        "PLY": "v:to work at a trade",
        "PLIE": "v:to bend the knees",
        "CHIV": "v:to stab",
        "PRACTIC": "a:practical",
        "PRACTICE": "v:to do often",
        "JIG": "n:a dance",
        "JIGGY": "a:lively",
        "MASS": "n:a large amount",
        "MASSE": "n:a shot in billiards",
    }
    recent = {"PLIE": "PLIES PLIED", "CHIV": "CHIVS CHIVVED CHIVVING", "PRACTIC": "", "JIGGY": ""}
    likely = Meanings(senses, {}, recent=recent, everyday={"MASS"})
    assert likely.meaning("PLIED") == "past of ply: (verb) to work at a trade"
    assert likely.meaning("CHIVVED") == "past of chiv: (verb) to stab"
    assert likely.meaning("PRACTICER") == "one that does, from practice: (verb) to do often"
    assert likely.meaning("JIGGIER") == "comparative of jiggy: (adjective) lively"
    assert likely.meaning("MASSES") == "plural of mass: (noun) a large amount"
    assert Meanings(senses, {}).meaning("PLIED") == "past of plie: (verb) to bend the knees"


def test_a_sense_that_only_names_a_base_tells_what_the_base_means() -> None:
    dig = {
        "DIG": "v:to make a hole|n:a poke",
        "BIG": "a:large",
        "BETTER": "a:comparative of good: finer",
        "GOOD": "a:nice",
    }
    forms = Meanings(dig | {"DUG": "v:past of dig", "BIGGER": "a:comparative of big", "LAIN": "v:past of lie"}, {})
    assert forms.meaning("DUG") == "(verb) past of dig: to make a hole"
    assert forms.meaning("BIGGER") == "(adjective) comparative of big: large"
    assert forms.meaning("BETTER") == "(adjective) comparative of good: finer"
    assert forms.meaning("LAIN") == "(verb) past of lie"
    be = Meanings({"BE": "v:to exist", "AM": "v:first person of be", "ARE": "v:plural and second person of be"}, {})
    assert be.meaning("AM") == "(verb) first person of be: to exist"
    assert be.meaning("ARE") == "(verb) plural and second person of be: to exist"


def test_a_comparative_is_told_beside_a_noun_only_of_what_is_above_all_an_adjective() -> None:
    senses = {
        "WARM": "a:a little hot|v:to heat",
        "WARMER": "n:a heater",
        "LAY": "v:to put|a:not clergy",
        "LAYER": "n:a sheet",
    }
    forms = Meanings(senses, {})
    assert forms.meaning("WARMER") == "(noun) a heater; comparative of warm"
    assert forms.meaning("LAYER") == "(noun) a sheet"


def test_a_form_that_a_sense_names_is_told_once() -> None:
    senses = {
        "FIND": "v:to come upon",
        "FOUND": "v:to set up; past of find|n:food",
        "SAW": "n:a tool",
        "SEE": "v:to look",
    }
    forms = Meanings(senses, {"FOUND": "v:FIND", "SAW": "v:SEE"})
    assert forms.meaning("FOUND") == "(verb) to set up; past of find; (noun) food"
    assert forms.meaning("SAW") == "(noun) a tool; past of see"


def test_a_long_sense_is_told_in_whole_phrases() -> None:
    weed = "European weed naturalized in the southwestern United States and in Mexico having fernlike leaves and stems"
    long = Meanings({"ALFILERIA": f"n:{weed} and a sweet smell", "XX": f"n:{'x' * 200}"}, {})
    assert shorten(weed, 90) == weed[: weed.index(" having")]
    assert long.meaning("ALFILERIAS") == f"plural of alfileria: (noun) {weed}"
    assert long.meaning("XXS") == "plural of xx"
    assert shorten("the young of a fish which at hatching from the egg is unlike it", 45) == "the young of a fish"
    assert shorten("a painful inflammation caused by defects in uric acid", 31) == "a painful inflammation"


def test_a_form_of_two_parts_of_speech_tells_a_sense_of_each_first() -> None:
    tailor = Meanings({"TAILOR": f"v:cut to fit{' well' * 8}|v:adjust{' well' * 8}|n:one who makes clothes"}, {})
    meaning = tailor.meaning("TAILORS") or ""
    assert meaning.endswith("well; (noun) one who makes clothes")
    decoy = f"a {'d' * 98} decoy"
    shill = Meanings({"SHILL": f"n:{decoy}|v:act as a decoy"}, {})
    assert shill.meaning("SHILLS") == f"plural of shill: (noun) {decoy}"


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("LEAPT", "past of leap: (verb)"),
        ("CHILDREN", "plural of child: (noun)"),
        ("LEAVES", "plural of leaf: (noun)"),
        ("WAS", "(verb) past of be"),
        ("THE", "(determiner)"),
        ("QI", "the life force"),
        ("SINGED", "past of singe"),
        ("RATED", "past of rate"),
        ("BETTER", "comparative of good"),
    ],
)
def test_the_shipped_meanings(word: str, part: str) -> None:
    meaning = there(load_meanings().meaning(word))
    assert part in meaning
    assert "\n" not in meaning
