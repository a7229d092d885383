"""Finds the glosses that a family would rather not read aloud."""

from __future__ import annotations

import re

_COARSE = re.compile(
    r"""\b(?:
    sexual\w*|sex(?!tet|ton)|erotic\w*|copulat\w*|coit\w+|fornicat\w*|masturbat\w*|orgasm\w*|ejaculat\w*|intercourse|
    penis|penile|phallus|vagina\w*|vulva\w*|clitori\w*|testicles?|scrotum|genital\w*|genitals|semen|anus|pubic|
    prostitut\w*|whores?|harlot|brothel|pimp|rape[ds]?|incest\w*|sodom\w*|pederast\w*|buggery|porn\w*|
    excrement|excreta|defecat\w*|farts?|flatus|turds?|
    homosexuals?|lesbians?|transvestite|prophylactic|condom|
    slurs?|derogatory|disparag\w+|obscen\w+|vulgar\w*|offensive\ (?:term|name|word|slang)|ethnic\ slur|
    considered\ offensive|mentally\ retarded|crippled|markedly\ small|
    negro\w*|mulatto|skin\ pigmentation|white\ race|black\ (?:person|people|man|woman)
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)


_BLUSHING = re.compile(
    r"\b(?:bosom|breasts?|buttocks|nude|naked|nak\w+ness|lewd\w*|lasciv\w+|lust\w*|lecher\w*|prurient|salacious|bawdy|mistress"
    r"|concubine|menstru\w+|urin\w+|f(?:a)?eces|bowels?|toilet|excret\w+|vomit\w*|underpants|marijuana|cocaine|heroin"
    r"|despicable|(?<!regarded as )contemptible|obnoxious|incompetent fool"
    r"|of \w+ descent|immoral woman|adulterer|slang term for a woman"
    r"|milk-secreting|illegitimate|stupid person|not very bright|subnormal|uncivilized|insulting terms?|deaf person"
    r"|bowel|rotund|toilets?|striptease|undress\w*|necrophil\w+|impoten\w+|castrat\w+)\b",
    re.IGNORECASE,
)


def is_awkward(gloss: str) -> bool:
    """Return whether a gloss would make somebody blush: told only if a word has no other sense."""
    return _BLUSHING.search(gloss.partition('; "')[0]) is not None


def is_for_families(gloss: str) -> bool:
    """Return whether a gloss, its examples left aside, has no word that a parent would rather not read out."""
    definition = gloss.partition('; "')[0]
    return _COARSE.search(definition) is None
