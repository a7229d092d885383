"""The sentences that people read, and lists and numbers in them: counts in words up to ten, points in figures.

A sentence is made by `phrase`, or by `plural` if a number decides between two forms. It is a string in English that
remembers its template and values, so that the page can translate it. Programs, logs and files get the English string.
`workshop.translations` finds the templates in the calls of these two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

Translate = Callable[[str, str, int], str]
"""Returns a template in another language. It gets the template, that of the plural ("" if there is none) and the number
that decides between them."""


class Phrase(str):
    """A text in English that remembers how it was made.

    `values` fill the `template`, each by its name, and may be texts themselves. `many` is the template for every
    `number` but 1, "" if there is just one. `capital` says that the first letter is made a capital.

    Joining it with other strings, or cutting it, gives a plain string that stays English: use `join_texts` or values.
    """

    template: str
    values: Mapping[str, object]
    many: str
    number: int
    capital: bool

    def __new__(
        cls, template: str, values: Mapping[str, object], many: str = "", number: int = 1, capital: bool = False
    ) -> Phrase:
        """Make the English text."""
        english = _fill(template if number == 1 or not many else many, values, capital)
        made = super().__new__(cls, english)
        made.template, made.values, made.many, made.number, made.capital = template, values, many, number, capital
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, object], str, int, bool]:  # type: ignore[override]
        """Return what a copy is made from."""
        return self.template, self.values, self.many, self.number, self.capital

    def __str__(self) -> str:
        """Return the text itself, so that ``str(error)`` can be translated, too."""
        return self

    def translate_with(self, translate: Translate) -> str:
        """Return the text in another language, with its values."""
        kept = self.values.items()
        values = {name: each.translate_with(translate) if isinstance(each, Phrase) else each for name, each in kept}
        return _fill(translate(self.template, self.many, self.number), values, self.capital)


def _fill(template: str, values: Mapping[str, object], capital: bool) -> str:
    filled = template % values if values else template
    return filled[:1].upper() + filled[1:] if capital else filled


def phrase(template: str, /, **values: object) -> Phrase:
    """Make a text from a template with named values: ``phrase("%(name)s wins", name="Ada")``.

    Without values a percent sign stands for itself; with values it is written twice.
    """
    return Phrase(template, _keep_values(values))


def plural(one: str, many: str, number: int, /, **values: object) -> Phrase:
    """Make a text of which a number decides the form: ``plural("one turn", "%(number)s turns", 3, number="three")``."""
    return Phrase(one, _keep_values(values), many, number)


def _keep_values(values: Mapping[str, object]) -> Mapping[str, object]:
    """Return values as a text keeps them: others than texts and numbers, such as errors, in words."""
    return {name: value if isinstance(value, str | int | float) else str(value) for name, value in values.items()}


def join_texts(parts: Iterable[str], separator: str = " ") -> Phrase:
    """Join texts that can each stand alone, such as sentences. Leave out empty ones."""
    values = {f"part{at}": part for at, part in enumerate(filter(None, parts))}
    return Phrase(separator.replace("%", "%%").join(f"%({name})s" for name in values), values)


def capitalize(words: str) -> Phrase:
    """Return a text with a capital letter at its start, in any language."""
    if isinstance(words, Phrase):
        return Phrase(words.template, words.values, words.many, words.number, capital=True)
    return Phrase("%(words)s", {"words": words}, capital=True)


def text_data(words: str) -> str | dict[str, Any]:
    """Return a text as JSON can hold it, the inverse of `text_from_data`; a plain string stays one."""
    if not isinstance(words, Phrase):
        return words
    values = {name: text_data(value) if isinstance(value, str) else value for name, value in words.values.items()}
    number = {"many": words.many, "number": words.number} if words.many else {}
    return {"text": words.template, "values": values, **number, **({"capital": True} if words.capital else {})}


def text_from_data(data: Any) -> str:
    """Return the text that `text_data` made into JSON; raises ValueError for other data."""
    try:
        if isinstance(data, str):
            return data
        kept = data["values"].items()
        values = {name: text_from_data(value) if isinstance(value, dict) else value for name, value in kept}
        template, many, number = data["text"], data.get("many", ""), data.get("number", 1)
        for form in (template, many):
            _check_form(form, values)
        if type(number) is not int:
            raise TypeError("a form needs a whole number")
        return Phrase(template, values, many, number, bool(data.get("capital", False)))
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"no text: {error}") from None


_FIELD = re.compile(r"%(?:%|\((\w+)\)(?:s|\.0f))")
"""What a template may hold besides plain text: a value by its name, or a percent sign."""


def _check_form(form: str, values: Mapping[str, object]) -> None:
    """Check that a stored form of a text can be filled, in every language; raise ValueError or TypeError if not."""
    names = {name for name in _FIELD.findall(form) if name}
    if (values and "%" in _FIELD.sub("", form)) or names - values.keys():
        raise ValueError("no text: it has other fields than values")
    if not all(isinstance(value, str | int | float) for value in values.values()):
        raise TypeError("a value is neither a text nor a number")
    _fill(form, values, capital=False)


_NUMBERS = (
    phrase("one"), phrase("two"), phrase("three"), phrase("four"), phrase("five"),
    phrase("six"), phrase("seven"), phrase("eight"), phrase("nine"), phrase("ten"),
)  # fmt: skip
_COUNTED: dict[str, tuple[Phrase, Callable[[int, str], Phrase]]] = {
    "count": (phrase("no counts"), lambda n, word: plural("one count", "%(number)s counts", n, number=word)),
    "game": (phrase("no games"), lambda n, word: plural("one game", "%(number)s games", n, number=word)),
    "letter": (phrase("no letters"), lambda n, word: plural("one letter", "%(number)s letters", n, number=word)),
    "line": (phrase("no lines"), lambda n, word: plural("one line", "%(number)s lines", n, number=word)),
    "photo": (phrase("no photos"), lambda n, word: plural("one photo", "%(number)s photos", n, number=word)),
    "stack": (phrase("no stacks"), lambda n, word: plural("one stack", "%(number)s stacks", n, number=word)),
    "picture": (phrase("no pictures"), lambda n, word: plural("one picture", "%(number)s pictures", n, number=word)),
    "player": (phrase("no players"), lambda n, word: plural("one player", "%(number)s players", n, number=word)),
    "tile": (phrase("no tiles"), lambda n, word: plural("one tile", "%(number)s tiles", n, number=word)),
    "turn": (phrase("no turns"), lambda n, word: plural("one turn", "%(number)s turns", n, number=word)),
    "vowel": (phrase("no vowels"), lambda n, word: plural("one vowel", "%(number)s vowels", n, number=word)),
    "word": (phrase("no words"), lambda n, word: plural("one word", "%(number)s words", n, number=word)),
}
"""The things that are counted, by name: none of them, and a number of them."""


def join_names(names: Sequence[str]) -> str:
    """Join names for reading aloud: ``"d4"``, ``"d4 and e4"``, ``"d4, e4 and f4"``; no names give ``""``."""
    if len(names) < 2:
        return names[0] if names else ""
    return phrase("%(names)s and %(name)s", names=join_texts(names[:-1], ", "), name=names[-1])


def number_of(number: int, thing: str) -> str:
    """Write a number of things in words: ``number_of(2, "tile")`` gives ``"two tiles"``."""
    none, some = _COUNTED[thing]
    return some(number, number_word(number)) if number else none


def number_word(number: int) -> str:
    """Write a number in words up to ten: ``"two"``, ``"11"``."""
    return _NUMBERS[number - 1] if 0 < number <= len(_NUMBERS) else str(number)


def points_text(number: int) -> str:
    """Write a number of points: ``"1 point"``, ``"12 points"``, ``"−5 points"``."""
    return plural("%(number)s point", "%(number)s points", number, number=format_points(number))


def turns_text(number: int) -> str:
    """Write a number of turns: ``"1 turn"``, ``"12 turns"``."""
    return plural("%(number)s turn", "%(number)s turns", number, number=number)


def decimal_text(number: float) -> str:
    """Write a number with one decimal place: ``"1.5"``."""
    whole, part = f"{number:.1f}".split(".")
    return phrase("%(whole)s.%(part)s", whole=whole, part=part)


def board_name(edition: str) -> str:
    """Write the name of an edition for people: ``"10 × 10"``."""
    return re.sub(r"(?<=\d)x(?=\d)", " × ", edition)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question in brackets about the nearest known word, or "" if none is near."""
    near = get_close_matches(word, known, 1)
    return phrase(" (did you mean %(word)s?)", word=near[0]) if near else ""


def format_points(points: int | str) -> str:
    """Write points with a minus sign in place of a hyphen: ``"−5"``."""
    return str(points).replace("-", "−")


_JOINERS = {0x200C: None, 0x200D: None}
"""The signs that join letters and emoji, such as those of a family, into one."""


def one_line(text: str) -> str:
    """Return a text with a space for each sign that can't be shown on one line, such as a control character."""
    return "".join(each if each.isprintable() or ord(each) in _JOINERS else " " for each in text)


def is_one_line(text: str) -> bool:
    """Return whether a text shows something, and all of it on one line: letters, signs and emoji."""
    return bool(text.translate(_JOINERS).strip()) and one_line(text) == text
