"""Words and letters of a game carry the language of its word list, so that a voice can pronounce them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient
from webkit import READING, OpenPage, ScriptedReader, Words, enter_plays, finding, picture, start_game, text

from engine import ENGLISH, Alphabet, Square, WordList, parse_play
from engine.editions import edition_from_data
from engine.lexicon.lexicon import WordVerdict
from engine.wording import join_texts, phrase
from upscore.words.loader import word_language
from vision import Outcome
from vision.turn.reasons import Doubt, Reason
from webui import language
from webui.app import services_of

EDITION = edition_from_data(
    {"name": "Ours", "size": 8, "tiles": dict.fromkeys((*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "Ñ"), 4)}
)
MARK = '<span lang="es">GATO</span>'


@dataclass(frozen=True)
class SpanishShelf:
    """A Spanish list of one word."""

    def names(self) -> tuple[str, ...]:
        return ("es",)

    def load(self, name: str, alphabet: Alphabet = ENGLISH) -> WordList:
        return Words(name, frozenset({"GATO"}))


def judge(word: str, lexicon_name: str, alphabet: Alphabet = ENGLISH) -> WordVerdict:
    return WordVerdict(word.upper(), True, phrase("%(word)s is playable.", word=word.upper()), None, None)


@pytest.fixture
def client(open_page: OpenPage) -> FlaskClient:
    """A browser at a page with a game in Spanish after GATO."""
    app = open_page(lexicons=SpanishShelf(), judge=judge, word_language=word_language)
    services = services_of(app)
    enter_plays(services, start_game(services, edition=EDITION, lexicon="es"), "c4-GATO")
    return app.test_client()


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/games/1", 'Red: <span lang="es">gato</span>, 8 points.'),
        ("/games/1", f"<p>{MARK}: "),
        ("/games/1/turns/1", f"<strong>Red played {MARK} for 8 points.</strong>"),
        ("/games/1/turns/1", f"<p>{MARK}: "),
        ("/games/1/replay?at=1", f'<span id="told">Red played {MARK}'),
        ("/games/1/charts", f'<span class="word">{MARK}</span>'),
        ("/games/1/turns/1/challenge", f'<p class="says">{MARK} is playable.</p>'),
        ("/games/1/tv", f'<span class="words">{MARK}</span>'),
        ("/games/1/play", '<button type="button" data-letter="Ñ" lang="es">Ñ</button>'),
        ("/words?word=gato&lexicon=es", f'<p class="says">{MARK} is playable.</p>'),
    ],
)
def test_words_and_letters_of_the_game_are_of_its_language_on_every_page(
    client: FlaskClient, path: str, shown: str
) -> None:
    assert shown in text(client.get(path))


def test_on_a_page_in_the_language_of_the_game_letters_need_no_mark(client: FlaskClient) -> None:
    spanish = {"Accept-Language": "es"}
    assert '<button type="button" data-letter="Ñ">Ñ</button>' in text(client.get("/games/1/play", headers=spanish))
    assert 'lang="es">GATO' not in text(client.get("/games/1/turns/1", headers=spanish))


def test_letters_that_are_asked_about_are_spelt_as_the_language_names_them(
    client: FlaskClient, reader: ScriptedReader
) -> None:
    services = services_of(client.application)
    square = Square(row=4, col=3)
    doubt = Doubt(Reason.LETTER, ("N", "Ñ", "d5"))
    plays = (parse_play(f"{face}@d5", alphabet=EDITION.alphabet) for face in "NÑ")
    outcomes = (Outcome.of(play, replaces=0, share=0.4) for play in plays)
    asked = finding("play", *outcomes, asked=True, square=square, reason=doubt, reading=READING)
    reader.say([asked])
    services.intake.take(1, picture(), "upload")
    look = client.get("/games/1/parts").get_json()["parts"]["look"]["html"]
    assert '<span lang="es">N</span> or <span lang="es">Ñ</span> at d5?' in look
    assert '<span class="letter" lang="es">Ñ</span>' in look


def test_capitals_are_marked_in_any_script() -> None:
    said = phrase("%(player)s played %(words)s for 5 <points>.", player="Ana", words="ÑANDÚ")
    assert language.mark_capitals(said, "es") == 'Ana played <span lang="es">ÑANDÚ</span> for 5 &lt;points&gt;.'
    assert language.mark_capitals("ЖУК + ÄRA 3", "xx") == '<span lang="xx">ЖУК</span> + <span lang="xx">ÄRA</span> 3'
    assert language.mark_capitals("I pass.", "es") == "I pass."
    assert language.mark_capitals("ÑANDÚ", "") == "ÑANDÚ"


def test_names_of_players_in_capitals_are_no_words_of_the_game() -> None:
    said = phrase("%(player)s played %(words)s.", player="ANNA <1>", words="ANNA")
    assert language.mark_capitals(said, "es") == 'ANNA &lt;1&gt; played <span lang="es">ANNA</span>.'
    joined = join_texts([said, phrase("%(name)s has used all tiles.", name="EVA")])
    assert language.mark_capitals(joined, "es").endswith('<span lang="es">ANNA</span>. EVA has used all tiles.')
