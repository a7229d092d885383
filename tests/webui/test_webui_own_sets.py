"""A set of people's own on the page and for programs: typed, as a file, as a table; kept with its games."""

from __future__ import annotations

import io
import json
import re
from html import unescape
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from webkit import BY_SCRIPT, FORM, READING, Lobby, empty_position, finding, jpeg, start_game, text

from engine import EDITIONS, FACES, Alphabet, parse_play
from engine.editions import edition_from_data, edition_table
from engine.faces import MAX_FACES
from vision import Outcome
from vision.images import Image
from vision.letters.eyes import all_faces
from vision.letters.loose_tiles import LooseTile
from webui.errors import WebError
from webui.routes.forms import parse_other_faces, parse_typed
from webui.services import Services
from webui.views.charts import view_bag
from webui.views.finish import view_tiles
from webui.views.new_game import name_laid_tiles

COUNTS = {face: 3 if face in "AEIOU" else 1 for face in FACES}
TABLE: dict[str, Any] = {"name": "Ours", "size": 9, "start": ["a1"], "stack_limit": 3, "tiles": COUNTS}
TYPED = {
    **FORM,
    "edition": "other",
    "set-name": "Ours",
    "set-size": "9",
    "set-start": "a1",
    "set-stack": "3",
    **{f"set-{face}": str(count) for face, count in COUNTS.items()},
}
FILE = 'name = "Ours"\nsize = 9\nstart = ["a1"]\nstack_limit = 3\n[tiles]\n' + "\n".join(
    f"{face} = {count}" for face, count in COUNTS.items()
)


def with_file(data: bytes) -> dict[str, Any]:
    return {**FORM, "edition": "other", "set-file": (io.BytesIO(data), "ours.toml")}


def test_a_typed_set_and_its_file_begin_the_same_game(client: FlaskClient, services: Services) -> None:
    assert client.post("/games", data=TYPED).status_code == 303
    assert client.post("/games", data=with_file(FILE.encode())).status_code == 303
    editions = [services.games.open(row.id).game.setup.edition for row in services.store.games()]
    assert editions == [edition_from_data(TABLE)] * 2


def test_a_set_is_offered_again_and_stands_in_the_form_of_a_game_like_it(lobby: Lobby) -> None:
    lobby.client.post("/games", data=TYPED)
    page = lobby.client.get("/new").get_data(as_text=True)
    [sent] = re.findall(r'name="edition" value="([^"]*Ours[^"]*)"', page)
    assert json.loads(unescape(sent)) == edition_table(edition_from_data(TABLE))
    for url in ("/new", "/new?like=1"):
        assert f'value="{sent}" checked' in lobby.client.get(url).get_data(as_text=True)
    assert lobby.client.post("/games", data={**FORM, "edition": unescape(sent)}).status_code == 303
    assert lobby.services.games.open(2).game.setup.edition == edition_from_data(TABLE)


def test_a_rule_that_is_wrong_leaves_the_set_chosen(client: FlaskClient) -> None:
    sent = json.dumps(edition_table(edition_from_data(TABLE)))
    answer = client.post("/games", data={**FORM, "edition": sent, "rules": "1", "rule-leftover_penalty": "many"})
    assert answer.status_code == 400
    [chosen] = re.findall(r'name="edition" value="([^"]*)" checked', text(answer))
    assert json.loads(unescape(chosen))["name"] == "Ours"


def test_a_photograph_to_start_from_keeps_the_set(lobby: Lobby) -> None:
    lobby.reader.position = empty_position(9)
    page = lobby.client.post("/games", data={**with_file(FILE.encode()), "photo": (io.BytesIO(jpeg()), "board.jpg")})
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.get_data(as_text=True)))
    assert "set-name" not in fields
    begun = lobby.client.post("/games", data={name: unescape(value) for name, value in fields.items()})
    assert begun.status_code == 303
    assert lobby.services.games.open(1).game.setup.edition == edition_from_data(TABLE)


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({**TYPED, "set-size": ""}, "Squares a side: give a whole number."),
        ({**TYPED, "set-size": "22"}, "write one number from 2 to 21"),
        ({**TYPED, "set-Qu": "-1"}, "Tiles with Qu: give a whole number."),
        ({**TYPED, "set-name": "8x8"}, "give this set another name"),
        ({**TYPED, "set-start": "j1"}, "start square j1 is outside the board"),
        ({**FORM, "edition": "{"}, "not readable JSON"),
        (with_file(b"\xff\xfe"), "not a text in UTF-8"),
        (with_file(b"#" * 70_000), "far too large for a set"),
        (with_file(b""), "the edition is empty"),
        (with_file(FILE.encode() + '\n"Ñ!" = 1'.encode()), "Ñ! is not a tile"),
    ],
)
def test_a_faulty_set_is_told_on_the_form(lobby: Lobby, form: dict[str, Any], told: str) -> None:
    answer = lobby.client.post("/games", data=form)
    assert answer.status_code == 400
    assert told in text(answer)
    assert not lobby.services.store.games()


def test_a_game_of_an_own_set_goes_to_another_computer(client: FlaskClient, services: Services) -> None:
    client.post("/games", data=TYPED)
    for kind in ("json", "txt"):
        data = client.get(f"/games/1/export.{kind}").get_data()
        form = {"game": (io.BytesIO(data), f"game.{kind}")}
        assert client.post("/import", data=form, headers=BY_SCRIPT).status_code == 200
        assert services.games.open(services.store.games()[0].id).game.setup.edition == edition_from_data(TABLE)


def test_a_program_sends_the_table_of_a_set(client: FlaskClient, services: Services) -> None:
    answer = client.post("/api/v1/games", json={"edition": TABLE, "players": ["Ada"]})
    assert (answer.status_code, answer.get_json()["edition"]) == (201, "Ours")
    assert services.games.open(1).game.setup.edition == edition_from_data(TABLE)
    position = {"edition": TABLE, "stacks": [[[]] * 9] * 9}
    answer = client.post("/api/v1/games", json={"edition": TABLE, "players": ["Ada"], "position": position})
    assert answer.status_code == 201
    answer = client.post("/api/v1/games", json={"edition": "8x8", "players": ["Ada"], "position": position})
    assert "The position is for Ours, but the game for 8x8" in answer.get_json()["error"]
    answer = client.post("/api/v1/games", json={"edition": {**TABLE, "sizes": 3}, "players": ["Ada"]})
    assert "did you mean size?" in answer.get_json()["error"]


def test_the_rules_page_tells_what_a_set_has_otherwise(client: FlaskClient) -> None:
    table = {**TABLE, "rack_size": 5, "full_rack_bonus": 30, "qu_bonus": 1, "plural_rule": False, "note": "home-made"}
    client.post("/api/v1/games", json={"edition": table, "players": ["Ada"]})
    page = text(client.get("/games/1/rules"))
    assert "Ours: 9 × 9, 36 tiles, first word on a1, stacks up to 3, 5 on a rack, 30 points for a full rack" in page
    assert "1 point for a Qu, no plural rule. Home-made." in page
    assert "Everyone holds five tiles" in page
    assert "covers at least one of these: a1." in page
    assert "No stack is higher than three tiles." in page
    assert "all five tiles in one turn earn 30 points more" in page
    assert "Everyone holds seven tiles" in text(client.get("/rules"))


def test_the_page_names_the_bonus_and_the_racks_of_the_set(client: FlaskClient) -> None:
    table = {**TABLE, "rack_size": 3, "full_rack_bonus": 30}
    client.post("/api/v1/games", json={"edition": table, "players": ["Ada", "Ben"]})
    turn = {"version": 1, "kind": "play", "tiles": "a1-TEN"}
    assert client.post("/api/v1/games/1/turns", json=turn).get_json()["totals"] == {"Ada": 36, "Ben": 0}
    assert "All three tiles in one turn: 30 <a" in client.get("/games/1/turns/1").get_data(as_text=True)
    assert "<small>all three 30</small>" in text(client.get("/games/1"))
    assert "all three <small>30</small>" in text(client.get("/games/1/print"))
    end = client.get("/games/1/end").get_data(as_text=True)
    assert re.findall(r'name="left0" value="(\d)"', end) == ["0", "1", "2", "3"]


def test_a_game_of_an_own_set_is_played_to_its_end(client: FlaskClient) -> None:
    table = {**TABLE, "size": 13, "start": ["m13"], "rack_size": 4, "full_rack_bonus": 30, "qu_bonus": 5}
    client.post("/api/v1/games", json={"edition": table, "players": ["Ada", "Ben"]})

    def turn(**fields: object) -> Any:
        state = client.get("/api/v1/games/1").get_json()
        return client.post("/api/v1/games/1/turns", json={"version": state["version"], **fields}).get_json()

    assert "start square (m13)" in turn(kind="play", tiles="f7-ON")["error"]
    assert turn(kind="play", tiles="j13-QUIT")["error"]
    assert turn(kind="play", tiles="k13-QUIT")["totals"] == {"Ada": 6 + 5, "Ben": 0}
    assert turn(kind="play", tiles="m12-A")["totals"] == {"Ada": 11, "Ben": 4}
    assert turn(kind="pass")["turns"][2]["kind"] == "pass"
    over = turn(kind="end", reason="agreed", racks={"Ada": 4, "Ben": 0})
    assert over["totals"] == {"Ada": 11 - 20, "Ben": 4}
    assert over["ended"] is not None


def test_built_in_boards_stay_names(client: FlaskClient, services: Services) -> None:
    client.post("/games", data=FORM)
    assert '"edition":"8x8"' in services.store.games()[0].log
    assert services.games.open(1).game.setup.edition == EDITIONS["8x8"]


GERMAN = {**TABLE, "tiles": {face: 3 if face in "AEIOU" else 1 for face in (*"AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ", "Ch")}}


def test_other_letters_are_typed_beside_the_usual_ones(client: FlaskClient, services: Services) -> None:
    assert client.post("/games", data={**TYPED, "set-Qu": "0", "set-others": "Ö 2, ch=1 Ä 1"}).status_code == 303
    edition = services.games.open(1).game.setup.edition
    assert edition.alphabet.faces[:5] == ("A", "Ä", "B", "C", "Ch")
    assert edition.distribution is not None
    assert (edition.distribution["Ö"], "Qu" in edition.distribution, edition.tile_total) == (2, False, 39)
    for wrong in ("Ä", "Ä two", "Ä! 1"):
        answer = client.post("/games", data={**TYPED, "set-others": wrong})
        assert answer.status_code == 400, wrong


def test_a_turn_with_an_umlaut_is_typed_told_and_kept(client: FlaskClient, services: Services) -> None:
    client.post("/api/v1/games", json={"edition": GERMAN, "players": ["Ada", "Ben"]})
    enter = client.get("/games/1/play").get_data(as_text=True)
    keys = re.findall(r'data-letter="([^"]+)"', enter)
    assert [face in keys for face in ("Ä", "Ch", "Qu")] == [True, True, False]
    tiles = {"version": 1, "tiles": "käse across from a1", "insist": "on", "accept": "K@a1 Ä@b1 S@c1 E@d1"}
    client.post("/games/1/play", data=tiles)
    game = services.games.open(1).game
    assert [stack[-1] for stack in game.board.stacks[0][:4]] == list("KÄSE")
    assert game.totals == {"Ada": 8, "Ben": 0}
    shown = text(client.get("/games/1"))
    assert "KÄSE" in shown
    assert services.games.open(1).game.board.alphabet == edition_from_data(GERMAN).alphabet
    state = client.get("/api/v1/games/1").get_json()
    answer = client.post("/api/v1/games/1/turns", json={"version": state["version"], "kind": "play", "tiles": "b2-Ñ"})
    assert "is not a tile" in answer.get_json()["error"]


def test_letters_that_no_network_reads_are_named_on_the_page(client: FlaskClient) -> None:
    russian = {**TABLE, "tiles": dict.fromkeys("БДЖИЛФЮЯ", 4)}
    client.post("/api/v1/games", json={"edition": russian, "players": ["Ada"]})
    said = "Photographs of Б, Д, Ж, И, Л, Ф, ... can't be read before"
    assert said in unescape(text(client.get("/games/1")))
    client.post("/api/v1/games", json={"edition": GERMAN, "players": ["Ada"]})
    assert "can't be read" not in unescape(text(client.get("/games/2")))


ALL = all_faces()


def encode(image: Image) -> bytes:
    """Return a picture as the bytes of a JPEG file."""
    return cv2.imencode(".jpg", image)[1].tobytes()


def soft_chequers() -> Image:
    """Return a picture out of focus."""
    rows, cols = np.indices((480, 640)) // 60
    chequers = np.repeat(((rows + cols) % 2 * 200 + 20).astype(np.uint8)[..., None], 3, axis=2)
    return np.asarray(cv2.GaussianBlur(chequers, (0, 0), 12), dtype=np.uint8)


def laid(alphabet: Alphabet = ALL, **chances: float) -> LooseTile:
    """A tile of which these chances are known; the rest is shared by all other faces."""
    rest = (1.0 - sum(chances.values())) / (len(alphabet) - len(chances))
    return LooseTile(tuple(chances.get(face, rest) for face in alphabet.faces), 0.25, 0.5, 0.1, 0.0)


def test_tiles_laid_out_are_told_and_only_the_doubtful_ones_asked(lobby: Lobby) -> None:
    lobby.reader.rack = (laid(A=0.9), laid(Ä=0.9), laid(M=0.5, W=0.4), laid(Ch=0.8))
    answer = lobby.upload("/new/tiles", jpeg()).get_json()
    first, second, third, fourth = (tile["faces"] for tile in answer["tiles"])
    assert (first, second, fourth) == (["A"], ["Ä"], ["Ch"])
    assert (third[:2], len(third)) == (["M", "W"], 4)
    assert answer["tiles"][0] == {"faces": ["A"], "x": 0.25, "y": 0.5, "side": 0.1, "turn": 0.0}
    assert not lobby.services.store.games()


def test_letters_that_the_set_is_not_known_to_have_are_hardly_believed_and_never_taken_for_sure() -> None:
    o, marked = laid(O=0.4, Ő=0.3), laid(O=0.3, Ö=0.4)
    assert name_laid_tiles([o], ALL, ()) == [("O",)]
    assert name_laid_tiles([o, laid(Ő=0.9)], ALL, ())[0][:2] == ("O", "Ő")
    assert name_laid_tiles([o], ALL, ("Ő",))[0][:2] == ("O", "Ő")
    assert name_laid_tiles([marked], ALL, ())[0][:2] == ("Ö", "O")


def test_of_the_faces_typed_already_no_more_count_than_a_set_may_have() -> None:
    many = " ".join(f"{chr(0x410 + at // 26)}{chr(0x410 + at % 26)}" for at in range(200))
    assert len(parse_other_faces({"set-others": f"{many} {many}"})) == MAX_FACES


def test_what_is_typed_already_is_what_looks_alike_in_the_photograph(lobby: Lobby) -> None:
    alphabet = all_faces(("Ş", "Ж"))
    assert ("Ş" in alphabet.faces, "Ș" in alphabet.faces, alphabet.faces[-1]) == (True, False, "Ж")
    lobby.reader.rack = (laid(alphabet, Ş=0.9),)
    answer = lobby.upload("/new/tiles", jpeg(), **{"set-others": "ş 2, Ж=1, 7"}).get_json()
    assert [tile["faces"] for tile in answer["tiles"]] == [["Ş"]]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (jpeg(480, 640), "Lay them in rows on a plain surface"),
        (b"GIF89a", "The photo"),
        (encode(np.zeros((480, 640, 3), dtype=np.uint8)), "too dark: switch on a light"),
        (encode(soft_chequers()), "hold the camera still"),
    ],
    ids=["no tiles", "no picture", "dark", "blurred"],
)
def test_a_photograph_without_tiles_says_in_a_line_what_to_do(lobby: Lobby, sent: bytes, told: str) -> None:
    form = {"photo": (io.BytesIO(sent), "set.jpg")}
    answer = lobby.client.post("/new/tiles", data=form, headers=BY_SCRIPT)
    assert answer.status_code == 400
    error = answer.get_json()["error"]
    assert told in error
    assert "\n" not in error


def test_only_who_may_begin_games_sends_photographs_of_sets(client: FlaskClient) -> None:
    away = {"REMOTE_ADDR": "192.168.1.7"}
    answer = client.post("/new/tiles", data={"photo": (io.BytesIO(jpeg()), "set.jpg")}, environ_base=away)
    assert answer.status_code == 401


TRECE = {
    "name": "Trece", "size": 13, "start": ["f7", "g7"], "stack_limit": 4, "rack_size": 8, "full_rack_bonus": 25,
    "plural_rule": False,
    "tiles": {face: 9 if face in "AEO" else 2 for face in (*"ABCDEFGHIJKLMNÑOPRSTUVXYZ", *"ÁÉÍÚ", "Ch", "Ll")},
}  # fmt: skip


def test_a_set_that_nobody_thought_of_is_played_from_photographs_to_the_end(lobby: Lobby) -> None:
    """Thirteen squares a side, 31 faces, two of them of two letters: photographed, challenged, undone, ended."""
    edition = edition_from_data(TRECE)
    api = "/api/v1/games/1"
    lobby.client.post("/api/v1/games", json={"edition": TRECE, "players": ["Ana", "Eva"]})
    for number, tiles in enumerate(("d7-ChULlO", "f7|.ANO", "Ñ@g7")):
        play = parse_play(tiles, alphabet=edition.alphabet)
        seen = finding("play", Outcome.of(play, replaces=0, share=0.99), reading=READING)
        lobby.reader.say([seen])
        state = lobby.upload(f"{api}/photos", jpeg(120 + number)).get_json()
        assert state["question"] is None

    def turn(**fields: object) -> Any:
        newest = lobby.client.get(api).get_json()["version"]
        return lobby.client.post(f"{api}/turns", json={"version": newest, **fields}).get_json()

    assert [[word["word"] for word in each["words"]] for each in state["turns"]] == [["CHULLO"], ["LLANO"], ["CHULLÑ"]]
    assert (state["stacks"][6][3:7], state["totals"]) == ([["Ch"], ["U"], ["Ll"], ["O", "Ñ"]], {"Ana": 8 + 5, "Eva": 8})
    off = turn(kind="challenge", upheld=True, by="Eva")
    assert (off["stacks"][6][6], off["totals"]["Ana"]) == (["O"], 8)
    back = lobby.client.post(f"{api}/undo", json={"version": off["version"]}).get_json()
    assert back["stacks"] == state["stacks"]
    lobby.reader.rack = (laid(edition.alphabet, Ch=0.9), laid(edition.alphabet, Ñ=0.9))
    rack = lobby.upload("/games/1/end/rack", jpeg()).get_json()
    assert [tile["faces"] for tile in rack["tiles"]] == [["Ch"], ["Ñ"]]
    for page in ("", "/play", "/turns/1", "/charts", "/replay?at=3", "/tv", "/print", "/rules", "/end", "/export.txt"):
        assert lobby.client.get(f"/games/1{page}").status_code == 200, page
    over = turn(kind="end", reason="agreed", racks={"Ana": 2, "Eva": 0})
    assert (over["totals"], over["ended"]["winners"]) == ({"Ana": 3, "Eva": 8}, ["Eva"])


@pytest.mark.parametrize("others", ["Ä 2, Ä 1", "E 3", "ä 1 Ä=1", "Ä 2, A\u0308 1"])
def test_a_tile_that_is_typed_twice_is_told(lobby: Lobby, others: str) -> None:
    answer = lobby.client.post("/games", data={**TYPED, "set-others": others})
    assert answer.status_code == 400
    assert "appears twice: count it once" in text(answer)
    assert not lobby.services.store.games()


def test_vowels_with_marks_are_vowels_that_are_left(services: Services) -> None:
    faces = dict.fromkeys((*"ABCDEFGHIJKLMNOPRSTUVWXYZ", "Ö", "Qu"), 0) | {"Ö": 2, "K": 3, "X": 1}
    game = start_game(services, edition=edition_from_data({"name": "Few", "size": 4, "tiles": faces})).game
    tiles = view_tiles(game)
    assert tiles is not None
    assert "Only two vowels left: Ö twice." in tiles.follows
    (whole, *_), rare = view_bag(game)
    assert (whole.counts, rare) == ((2, 3, 1), "X")
    russian = edition_from_data({"name": "Few", "size": 4, "tiles": {"Ж": 2, "Я": 3}})
    game = start_game(services, edition=russian).game
    tiles = view_tiles(game)
    assert tiles is not None
    assert not any("owel" in each for each in tiles.follows)
    (whole, *_), rare = view_bag(game)
    assert (whole.counts, whole.shares, rare) == ((None, 3, 2), (0, 60, 40), "Ж")


def test_charts_of_a_set_in_another_script_count_no_vowels(lobby: Lobby) -> None:
    russian = edition_from_data({"name": "Few", "size": 4, "tiles": {"Ж": 2, "Я": 3}})
    game = start_game(lobby.services, edition=russian)
    lobby.services.intake.enter(game, parse_play("b2-ЖЯ", alphabet=russian.alphabet), game.row.version)
    page = text(lobby.client.get("/games/1/charts"))
    assert "How many rare letters (Ж) each player has played." in page
    assert "rare 2 (40%)" in page
    assert "vowels and" not in page
    assert not re.search(r"vowels \d", page)


def test_a_play_is_typed_with_marks_of_their_own(client: FlaskClient, services: Services) -> None:
    client.post("/api/v1/games", json={"edition": GERMAN, "players": ["Ada", "Ben"]})
    with pytest.raises(WebError, match="That isn't a play"):
        parse_typed("L" * 700 + " across from a1", services.games.open(1).game.board)
    play = parse_typed("ka\u0308se across from a1", services.games.open(1).game.board)
    assert play.faces == tuple("KÄSE")
