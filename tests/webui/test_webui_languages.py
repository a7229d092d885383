"""The page's languages: no text escapes translation, catalogues are complete and fresh, and each device has its own."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient
from guestkit import guest
from webkit import EXAMPLE, Site, doubt, make_finding, really, start_game, submit, sure, text, upload

from engine import Square
from engine.wording import (
    Phrase,
    capitalize,
    join_names,
    join_texts,
    number_of,
    phrase,
    plural,
    text_data,
    text_from_data,
)
from upscore.words.loader import word_language
from vision import Finding
from vision.turn.reasons import Doubt, Reason
from webui import language
from webui.access.sessions import Role
from webui.views.rules import link_rules
from workshop.translations import extract

ALLOWED = re.compile(
    r"""
    Upscore | Qu | JSON | AEINSTQu
    | \b(?:Red|Blue|Cleo|Dan|Ada|Phone)\b     # names of people and of their devices
    | \b[A-ZÄ·]{2,}\b | \b[A-Z]\b                # words of the game, and letters
    | \b[a-j](?:10|[1-9])?\b                      # squares, and names of columns
    | https?://\S+ | \b\d+\.\ \w+\.?\ \d{4}        # addresses and days
    | It\ is\ not\ certain\.                       # a sentence that an earlier version stored
    | standard | tiny | CSV | ZIP | zip            # names of word lists, which are those of files
    """,
    re.VERBOSE,
)
"""What a page may show in any language as it is."""
SAID = ("aria-label", "title", "placeholder", "alt", "data-busy", "data-announced", "data-broken", "data-legal")
"""The attributes that people read or hear."""


class Marked:
    """A catalogue that puts each text into brackets."""

    def gettext(self, template: str) -> str:
        return f"⟦{template}⟧"

    def ngettext(self, template: str, many: str, number: int) -> str:
        return f"⟦{template if number == 1 else many}⟧"


class Unmarked(HTMLParser):
    """Collects what a page shows outside the brackets of `Marked`."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._depth = 0
        self._hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if (
            tag in ("script", "style", "code")
            or given.get("class") == "languages"
            or "means" in (given.get("class") or "")
        ):
            self._hidden.append(tag)
        for name in SAID:
            depth, self._depth = self._depth, 0
            self._collect(given.get(name) or "")
            self._depth = depth

    def handle_endtag(self, tag: str) -> None:
        if self._hidden and self._hidden[-1] == tag:
            self._hidden.pop()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._collect(data)

    def _collect(self, shown: str) -> None:
        outside = []
        for sign in shown:
            self._depth += (sign == "⟦") - (sign == "⟧")
            outside.append(sign if self._depth == 0 and sign != "⟧" else " ")
        rest = ALLOWED.sub(" ", "".join(outside))
        if re.search(r"[^\W\d_]", rest):
            self.found.append(" ".join(rest.split()))


def find_escaped(page: str) -> list[str]:
    """Return the texts of a page that no catalogue has."""
    unmarked = Unmarked()
    unmarked.feed(page)
    assert "%(" not in page
    return unmarked.found


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch, client: FlaskClient) -> FlaskClient:
    """Return a browser that gets the page with each text in brackets."""
    monkeypatch.setattr(language, "_catalogue", lambda _: Marked())
    client.set_cookie(language.COOKIE, "de")
    return client


def crawl(client: FlaskClient, *begin: str) -> dict[str, list[str]]:
    """Return the texts that escape on every page that links lead to."""
    found: dict[str, list[str]] = {}
    waiting = list(begin)
    while waiting:
        url = waiting.pop()
        if url in found or url.startswith("/language/"):
            continue
        with client.get(url) as answer:
            assert answer.status_code in (200, 302, 404), (url, answer.status_code)
            page = answer.get_data(as_text=True) if answer.mimetype == "text/html" and not answer.location else ""
        found[url] = find_escaped(page)
        waiting += re.findall(r'href="(/[^"#?]*)', page)
    return {url: texts for url, texts in found.items() if texts}


@pytest.mark.slow
def test_no_text_of_a_page_escapes(marked: FlaskClient, site: Site) -> None:
    site.take(sure(EXAMPLE[0]), sure("X@a1"), source="camera")
    submit(marked, "turns/2/challenge", ruling="stands")
    other = start_game(site.services, "Cleo", "Dan")
    site.services.games.change(other, lambda each: each.end("agreed", (1, 2)), version=1)
    alone = start_game(site.services, "Ada")
    site.services.games.change(alone, lambda each: each.pass_turn())
    site.reader.say([sure(EXAMPLE[0])] * 9)  # a report reads the photograph of its turn again
    escaping = crawl(marked, "/games", "/words?word=xood", "/join", "/unreachable", "/games/999x")
    assert "\n".join(f"{url}: {texts}" for url, texts in escaping.items()) == ""


QUESTIONS = {
    "which": doubt("X@a1 O@b1", "X@a1 E@b1"),
    "letter": doubt("X@a1 O@b1", "X@a1 E@b1", question=Square(0, 1)),
    "pass": make_finding("none"),
    "removed": make_finding("removed"),
    "correction": really("N@d4 E@e4 T@f4"),
    **{
        reason.name: Finding.unclear(Doubt(reason, ("d4", "e4", "f4")), make_finding("none").before)
        for reason in Reason
        if reason.name not in ("GRID", "CUT_OFF", "NOT_READ", "OTHER_BOARD", "OTHER")
    },
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
def test_no_text_of_a_question_escapes(marked: FlaskClient, site: Site, question: Finding) -> None:
    site.take(sure(EXAMPLE[0]), question)
    parts = marked.get("/games/1/parts").get_json()["parts"]
    assert {name: texts for name, part in parts.items() if (texts := find_escaped(part["html"]))} == {}


def test_no_text_of_an_answer_escapes(marked: FlaskClient, site: Site) -> None:
    """Errors and messages come as JSON where scripts ask."""
    json_alone = {"Accept": "application/json"}
    asked = [
        marked.post("/games/1/undo", data={"version": "1"}, headers=json_alone),
        marked.post("/games/1/play", data={"version": "1", "tiles": "X@a1"}, headers=json_alone),
        marked.post("/games/1/play", data={"version": "1", "tiles": "X@z99"}, headers=json_alone),
        marked.post("/games/1/verdict", data={"tiles": "X@a1 Y@a3"}),
        marked.post("/join", data={"pin": "000000"}, headers=json_alone),
        upload(marked, "/games/1/photo", b"no picture"),
        marked.get("/games/999", headers=json_alone),
    ]
    for answer in asked:
        data = json.loads(answer.get_data()) if answer.mimetype == "application/json" else {}
        told = [data.get("error"), data.get("message"), data.get("told"), *data.get("reasons", ())]
        assert [find_escaped(each) for each in told if each and find_escaped(each)] == [], told


@pytest.mark.parametrize("code", [code for code in language.LANGUAGES if code != language.ENGLISH])
def test_a_catalogue_is_complete(code: str) -> None:
    """Each text has a translation with the same values, and none is in doubt."""
    catalogue = language.read_catalogue(code)
    for message in catalogue:
        if message.id:
            texts, forms = forms_of(message.id), forms_of(message.string)
            assert all(forms), texts
            assert not message.fuzzy, texts
            assert values_of(forms) == values_of(texts), texts


def forms_of(texts: object) -> tuple[str, ...]:
    """Return the one or two forms of a text or of its translation."""
    return (texts,) if isinstance(texts, str) else tuple(texts) if isinstance(texts, list | tuple) else ()


def values_of(templates: tuple[str, ...]) -> set[str]:
    return {value for template in templates for value in re.findall(r"%\(\w+\)\S*?[sdf]", template)}


@pytest.mark.parametrize("code", [path.name for path in language.TRANSLATIONS.iterdir()])
def test_a_catalogue_has_the_texts_of_the_program(code: str) -> None:
    """``python -m workshop.translations`` brings it up to date."""
    catalogue, texts = language.read_catalogue(code), extract()
    assert {message.id for message in catalogue} == {message.id for message in texts}
    scripts = {
        message.id for message in catalogue if any(file.startswith(language.SCRIPTS) for file, _ in message.locations)
    }
    assert scripts == {
        message.id for message in texts if any(file.startswith(language.SCRIPTS) for file, _ in message.locations)
    }


@pytest.mark.parametrize("code", [code for code in language.LANGUAGES if code != language.ENGLISH])
def test_a_rule_that_a_translation_names_is_found(code: str) -> None:
    """The page links it to the page of rules."""
    catalogue = language.read_catalogue(code)
    strings = {forms_of(message.id)[0]: forms_of(message.string) for message in catalogue if message.id}
    rule, house_rule = strings["Rule"][0], strings["House rule"][0]
    for english, forms in strings.items():
        if named := re.match(r"(Rule [0-9]+|House rule), ", english):
            begins = named[1].replace("House rule", house_rule).replace("Rule", rule)
            assert all(form.startswith(f"{begins},") for form in forms), english
        for number in re.findall(r"\brule ([0-9]+)", english, re.IGNORECASE):
            assert all(re.search(rf"\b{rule}\w* {number}\b", form, re.IGNORECASE) for form in forms), english


def test_a_rule_is_a_link_in_every_language(app: Flask) -> None:
    for code in language.LANGUAGES:
        with app.test_request_context(headers={"Accept-Language": code}):
            named = language.translate(phrase("Rule"))
            for written in (f"{named} 4", f"… ({named.lower()} 4)"):
                assert "#rule-4" in link_rules(written, "/rules"), code


def test_each_device_has_its_own_language(site: Site) -> None:
    """One table is seen in several languages: by what the browser asks for, or by the switch."""
    site.take(sure(EXAMPLE[0]), sure("X@a1"), source="camera")
    english, german = guest(site.app, Role.VIEWER, name="One"), guest(site.app, Role.VIEWER, name="Other")
    assert '<html lang="en">' in text(english.get("/games/1", headers={"Accept-Language": "pt, en;q=0.5"}))
    page = german.get("/games/1", headers={"Accept-Language": "de-AT, en;q=0.5"})
    assert '<html lang="de">' in text(page)
    assert {"Accept-Language", "Cookie"} <= set(page.vary)
    assert "Punktezettel" in text(page)
    assert english.get("/language/de?to=/games/1").location == "/games/1"
    assert "Punktezettel" in text(english.get("/games/1"))
    sheet = german.get("/games/1/parts", headers={"Accept-Language": "de"}).get_json()["parts"]["sheet"]["html"]
    assert "Punktezettel" in sheet
    assert english.get("/language/tlh").status_code == 404
    assert english.get("/language/de?to=//elsewhere.example").location == "/"


def test_programs_get_english_unless_they_ask_for_another(site: Site) -> None:
    refused = {"version": 1, "kind": "challenge", "upheld": True}
    said = site.client.post("/api/v1/games/1/turns", json=refused).get_json()["error"]
    assert (
        said
        == "there is no play to challenge: a challenge comes after a word was played, before the next word is played"
    )
    german = site.client.post("/api/v1/games/1/turns", json=refused, headers={"Accept-Language": "de"}).get_json()[
        "error"
    ]
    assert german.startswith("es gibt keinen Zug zum Anzweifeln: ")


def test_a_stored_question_is_asked_in_each_language(site: Site) -> None:
    site.take(Finding.unclear(Doubt(Reason.TILES_GONE, (join_names(["d4", "e4"]),)), site.game.game.board))
    look = site.client.get("/games/1/parts", headers={"Accept-Language": "de"}).get_json()["parts"]["look"]["html"]
    assert "Die Steine auf d4 und e4 sind weg." in look


def test_the_texts_of_the_scripts_come_with_the_page(client: FlaskClient) -> None:
    page = text(client.get("/games", headers={"Accept-Language": "de"}))
    url = re.search(r'<script src="(/texts/de/[^"]+)"></script>', page)
    assert url is not None
    sent = client.get(url[1])
    assert "immutable" in sent.headers["Cache-Control"]
    assert '"Close": "Schließen"' in text(sent)
    assert "/texts/" not in text(client.get("/games"))
    assert client.get("/texts/de/0.js").status_code == 404


def test_a_phrase_is_english_and_knows_how_it_was_made() -> None:
    tiles = capitalize(phrase("no %(tiles)s", tiles=number_of(2, "tile")))
    made = join_texts((tiles, plural("one turn", "%(number)s turns", 1)))
    assert made == "No two tiles one turn"
    german = {"no %(tiles)s": "nicht %(tiles)s", "one tile": "%(number)s Steine", "two": "zwei", "one turn": "ein Zug"}
    assert (
        made.translate_with(lambda template, many, number: german.get(template, template))
        == "Nicht zwei Steine ein Zug"
    )


def test_a_phrase_is_stored_as_it_was_made() -> None:
    made = phrase(
        "%(words)s: %(points)s", words=join_names(["A", "B"]), points=plural("%(n)s point", "%(n)s points", 3, n=3)
    )
    again = text_from_data(json.loads(json.dumps(text_data(made))))
    assert again == made == "A and B: 3 points"
    assert isinstance(again, Phrase)
    assert again.values == made.values
    assert text_from_data(text_data("plain")) == "plain"
    with pytest.raises(ValueError, match="no text"):
        text_from_data({"text": 1})


def test_words_of_the_game_carry_the_language_of_their_list() -> None:
    """A voice that reads the page in one language pronounces them in theirs."""
    said = phrase(
        "%(player)s played %(words)s for %(points)s.", player="A <b>", words=join_names(["wool", "leap"]), points=12
    )
    assert language.mark_words(said, ["wool", "leap"], "en") == (
        'A &lt;b&gt; played <span lang="en">wool</span> and <span lang="en">leap</span> for 12.'
    )
    assert language.mark_words(said, ["wool"], "") == "A &lt;b&gt; played wool and leap for 12."
    assert language.mark_words("passed", [], "en") == "passed"
    assert language.mark_words("Tom & Ann: amp", ["amp"], "en") == 'Tom &amp; Ann: <span lang="en">amp</span>'


@pytest.mark.parametrize(
    "stored",
    [
        {"text": ["a"], "values": {}},
        {"text": 5, "values": {}},
        {"text": "one", "values": {}, "many": 5},
        {"text": "one", "values": {}, "many": "some", "number": "x"},
        {"text": "one", "values": {}, "many": "%(x)s", "number": 1},
        {"text": "one %(x)s", "values": {}},
        {"text": "%(a)99999999999s", "values": {"a": "b"}},
        {"text": "%(a).0f", "values": {"a": "b"}},
        {"text": "%(a)s", "values": {"a": ["b"]}},
        {"text": "50 %", "values": {"a": "b"}},
        {"text": "a"}, [], 5, None,
    ],
)  # fmt: skip
def test_a_damaged_text_is_refused_in_every_language(stored: object) -> None:
    with pytest.raises(ValueError, match="no text"):
        text_from_data(stored)


@pytest.mark.parametrize("path", ["/words?word=CAT", "/new?like=1", "/games"])
def test_the_switch_leads_back_to_the_same_page(site: Site, path: str) -> None:
    (leads,) = re.findall(r'href="(/language/de[^"]*)"', text(site.client.get(path)))
    assert site.client.get(html.unescape(leads)).headers["Location"] == path


def test_the_answer_to_a_form_has_no_switch(site: Site) -> None:
    page = text(site.submit("/games/1/pass", version="0"))
    assert "/language/" not in page


@pytest.mark.parametrize(("name", "code"), [("both", "en"), ("de", "de"), ("/home/words.txt", "")])
def test_a_list_tells_its_language(name: str, code: str) -> None:
    assert word_language(name) == code
