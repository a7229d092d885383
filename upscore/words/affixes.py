"""The prefixes and endings that make words from others: a table for `upscore.words.wordforms`.

Its columns are the affix, the parts of speech that the word it is put to may have, that of the word that is made
(nothing where it stays), and what the affix says. An exchanged ending stands with what it takes the place of.
"""

from __future__ import annotations

ENDINGS = """\
LY|a|r|adverb of
INGLY|v|r|adverb from
EDLY|v|r|adverb from
NESS|a|n|state of being
ER|v|n|one that does, from
OR|v|n|one that does, from
ABLE|v|a|that one can, from
ING|v|n|act or work of, from
LESS|n|a|without
LIKE|n|a|like
SHIP|n|n|state or office of, from
ISH|n|a|somewhat like
ISH|a|a|somewhat
Y|n|a|full of or like
ED|n|a|having
ITY|a|n|state of being
IZE|a|v|to make
IZE|n|v|to make into or treat with
MENT|v|n|act or result of, from
ATION|v|n|act or result of, from
ION|v|n|act or result of, from
ISM|n|n|practice or belief from
ISM|a|n|practice or belief from
IST|n|n|one who works at or believes in, from
IST|a|n|one who works at or believes in, from
AL|n|a|of, from
IC|n|a|of, from
FUL|n|a|full of
OUS|n|a|having or full of
IVE|v|a|tending to, from
ATIVE|v|a|tending to, from
ANCE|v|n|act or state, from
ENCE|v|n|act or state, from
AGE|v|n|act, amount or place, from
AGE|n|n|amount or state of, from
EE|v|n|one to whom it is done, from
IBLE|v|a|that can be, from
ATE|n|v|to treat with, or having,
IFY|n|v|to make into
IFY|a|v|to make
OID|n|a|shaped like
ICAL|n|a|of or like
ARY|n|a|of or for
ERY|n|n|place, work or manner of, from
ERY|v|n|place or work of, from
ESS|n|n|female
ETTE|n|n|small or female
LET|n|n|small
LING|n|n|small or young
STER|n|n|one who deals with, from
HOOD|n|n|state of being a
DOM|n|n|state or realm of
WISE|n|r|in the manner of
WARD|n|r|towards
WARDS|n|r|towards
SOME|n|a|full of or giving
SOME|v|a|apt to
ER|n|n|one who works with, from
EER|n|n|one who works with, from
MAN|n|n|man of the
WOMAN|n|n|woman of the
ANT|v|a|that does, from
ENT|v|a|that does, from
IST|v|n|one who practises, from
EN|a|v|to make more
"""

EXCHANGED = """\
NCE|NT|a|n|quality of being
NCY|NT|a|n|quality of being
CY|TE|a|n|the state of being
ABILITY|ABLE|a|n|quality of being
IBILITY|IBLE|a|n|quality of being
ABILITY||v|n|power to be the object of
ISTIC|IST|n|a|of, or of one who is a
ISTIC|ISM|n|a|of or like
ISM|IST|n|n|belief or work of a
ISM|IZE|v|n|the practice of, from
IST|ISM|n|n|one who follows
IST|Y|n|n|one who works at
IC|Y|n|a|of or like
ICAL|Y|n|a|of or like
ICAL|IC|a|a|another form of
IC|ICAL|a|a|another form of
ICITY|IC|a|n|quality of being
ATOR|ATE|v|n|one that is there to
ATORY|ATE|v|a|serving to
ATIVE|ATE|v|a|tending to
ATION|ATE|v|n|act or result, from
ATION|IZE|v|n|act or result, from
ATE|ATION|n|v|to carry out
FICATION|FY|v|n|act of making, from
SIVE|SION|n|a|of or causing
TIVE|TION|n|a|of or causing
TIONAL|TION|n|a|of or for
IZE|ISM|n|v|to practise or treat by
IZE|Y|n|v|to practise or treat by
TIC|SIS|n|a|of or like
TICAL|SIS|n|a|of or like
MATIC|M|n|a|of or like
ACEOUS|A|n|a|of the group of
INAL|EN|n|a|of or like
ULAR|LE|n|a|of or like
ULAR|ULE|n|a|of or like
IAL|Y|n|a|of or like
IAL|ION|n|a|of or like
IC|IA|n|a|of or like
OUS|Y|n|a|full of or having
EOUS||n|a|full of or having
UOUS||n|a|full of or having
OUS|IUM|n|a|of or like
AE|A|n|n|plural of
I|US|n|n|plural of
I|O|n|n|plural of
IA|IUM|n|n|plural of
A|UM|n|n|plural of
A|ON|n|n|plural of
ATA|A|n|n|plural of
ES|IS|n|n|plural of
ICES|EX|n|n|plural of
ICES|IX|n|n|plural of
X||n|n|plural of
WIVES|WIFE|n|n|plural of
VES|F|n|n|plural of
FEET|FOOT|n|n|plural of
TEETH|TOOTH|n|n|plural of
CHILDREN|CHILD|n|n|plural of
CKED|C|v|v|past of
CKING|C|v|v|present participle of
ISH|Y|n|a|somewhat like
"""

PREFIXES = """\
UN|a|not
UN|v|the reverse of
NON|an|not
RE|v|again:
OVER|va|too much:
MIS|v|wrongly:
OUT|v|to surpass at:
PRE|vna|before:
SUB|nav|under:
SUPER|na|above:
ANTI|na|against:
FORE|nv|before:
UNDER|vn|too little or under:
INTER|anv|between:
MULTI|an|many:
MICRO|n|very small:
SEMI|an|half:
DIS|v|the reverse of
DE|v|to undo:
UP|vn|up:
BACK|vn|back:
SIDE|nv|side:
OFF|vn|off:
DOWN|vn|down:
CO|vna|together:
IN|a|not, with in-,
IM|a|not, with im-,
IR|a|not, with ir-,
IL|a|not, with il-,
EN|na|to put in or make:
EM|na|to put in or make:
BE|vna|all over, or to treat with:
AUTO|na|self:
AERO|na|air:
BI|na|two:
BIO|na|life:
CARDIO|na|heart:
CHEMO|na|chemical:
CIRCUM|nav|around:
CONTRA|na|against:
COUNTER|nav|in answer:
CROSS|nv|across:
CYBER|na|of computers:
ECO|na|of nature:
ELECTRO|nav|electric:
EXTRA|na|outside:
GEO|na|earth:
HAEMO|na|blood:
HEMO|na|blood:
HEPTA|na|seven:
HETERO|na|different:
HEXA|na|six:
HOMO|na|same:
HYDRO|na|water or hydrogen:
HYPER|na|more than usual:
HYPO|na|less or below:
INFRA|na|below:
INTRA|na|within:
ISO|na|equal:
KILO|n|a thousand:
MACRO|na|large:
MAXI|n|large:
MEGA|n|a million, or very large:
META|na|beyond:
MID|n|middle:
MILLI|n|a thousandth:
MINI|n|small:
MONO|na|one:
NANO|n|a billionth, or tiny:
NEO|na|new:
NEURO|na|nerve:
OMNI|na|all:
ORTHO|na|straight:
PALEO|na|ancient:
PARA|na|beside:
PENTA|na|five:
PERI|na|around:
PETRO|na|rock or oil:
PHOTO|nav|light:
POLY|na|many:
POST|nav|after:
PROTO|na|first:
PSEUDO|na|false:
PSYCHO|na|mind:
PYRO|na|fire:
QUADRI|na|four:
RADIO|na|radiation or radio:
STEREO|na|solid:
SUPRA|na|higher:
TELE|na|far:
TERA|n|a trillion:
GIGA|n|a billion:
TETRA|na|four:
THERMO|na|heat:
TRANS|nav|across:
TRI|na|three:
ULTRA|na|beyond:
UNI|na|one:
VICE|n|deputy:
"""
