"""Set-up, tiles left, provisional turns, the result: what the pages of an evening are told."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples
from webkit import EXAMPLE, FORM, Site, example, new_game, picture, really, sure, text

from engine import EDITIONS, Game, HouseRules, find_edition, parse_play
from engine.rules.house_rules import HOUSE_RULES
from vision import certain
from vision.turn.story import Story
from webui.services import Services
from webui.storage.database import GameRow
from webui.table.question import provisional_events
from webui.views.finish import view_finish, view_result, view_tiles
from webui.views.new_game import list_remembered_players, view_editions
from webui.views.rules import COMMON_RULES, view_house_rules


def row(number: int, log: str, *, demo: bool = False) -> GameRow:
    return GameRow(number, "", "", 1, "", "", log, "standard", None, demo, False)


def test_players_are_remembered_by_how_often_they_played() -> None:
    rows = [
        row(5, '{"players": ["Cleo"]}', demo=True),
        row(4, '{"players": ["Ben", "Ada"]}'),
        row(3, "cut off"),
        row(2, '{"players": ["Ada"]}'),
        row(1, '{"players": 7}'),
    ]
    assert list_remembered_players(rows) == ("Ada", "Ben")


def test_every_board_has_its_picture() -> None:
    for view, edition in zip(view_editions(EDITIONS.values()), EDITIONS.values(), strict=True):
        assert view.edition is edition
        assert all(0 <= x < edition.size and 0 <= y < edition.size for x, y, _ in view.tiles)
        assert str(edition.tile_total) in view.summary


def test_house_rules_are_sentences_and_none_is_left_out() -> None:
    values = {rule.name: rule.default for rule in HOUSE_RULES}
    shown = view_house_rules(values)
    assert [each.rule for each in shown] == list(HOUSE_RULES)
    assert [each.rule.name for each in shown if each.usual] == list(COMMON_RULES)
    assert not any(each.sentence.endswith("?") or each.changed for each in shown)
    names = [each.rule.name for each in shown]
    assert {each.of for each in shown if each.of} <= set(COMMON_RULES) <= set(names)
    (changed,) = (each for each in view_house_rules(values | {"passing_rounds": "3"}) if each.changed)
    assert changed.rule.name == "passing_rounds"


def test_the_form_offers_players_and_begins_another_round(client: FlaskClient, services: Services) -> None:
    form = FORM | {"edition": "10x10", "rules": "1", "rule-stacked_s": "on"}
    form |= {"rule-passing_rounds": "3", "rule-leftover_penalty": "7"}
    assert client.post("/games", data=form).status_code == 303
    page = text(client.get("/new?like=1"))
    assert 'data-player="Red"' in page
    assert (
        'name="player1" maxlength="40" autocomplete="off" autocapitalize="words" spellcheck="false" value="Blue"'
        in page
    )
    assert 'value="10x10" checked' in page
    again = {"player0": "Red", "player1": "Blue", "edition": "10x10", "lexicon": "standard", "rules": "1"}
    again |= {"rule-stacked_s": "on", "rule-passing_rounds": "3", "rule-leftover_penalty": "7"}
    client.post("/games", data=again)
    assert services.games.open(2).game.setup == services.games.open(1).game.setup
    assert services.games.open(1).game.setup.rules == replace(
        HouseRules(**{rule.name: False for rule in HOUSE_RULES if rule.kind == "bool"}),
        stacked_s=True,
        passing_rounds=3,
        leftover_penalty=7,
    )
    assert client.get("/new?like=99").status_code == 404


def test_tiles_left_and_what_follows() -> None:
    view = there(view_tiles(example()))
    left = {each.face: each.left for each in view.faces}
    assert (left["O"], left["Qu"], left["W"]) == (2, 1, 0)
    assert sum(left.values()) == 64 - example().board.tile_count()
    assert view.follows == ("The K and W are on the board.",)
    game = example().play(parse_play("O@a1 O@b1"))
    told = there(view_tiles(game))
    assert told.follows[0] == "All four O's are on the board."
    assert view_tiles(example(edition="11x11")) is None


@examples(40)
@given(st.lists(st.sampled_from("AEIOUBX"), max_size=30))
def test_what_follows_is_true(faces: list[str]) -> None:
    game = new_game("Red")
    for at, face in enumerate(faces):
        game = game.play(parse_play(f"{face}@{'abcdefgh'[at % 8]}{1 + at // 8}"))
    view = there(view_tiles(game))
    lines = " ".join(line for line in view.follows if "on the board" in line)
    gone = re.findall(r"\b([A-Z]u?)(?='s|, | and | is | are )", lines)
    for each in view.faces:
        assert (each.face in gone) == (each.left == 0)
    vowels = sum(each.left for each in view.faces if each.face in "AEIOU")
    assert any("vowel" in line for line in view.follows) == (vowels <= 3)


def test_a_turn_is_provisional_while_a_question_may_put_it_right(site: Site) -> None:
    site.reader.say([sure(EXAMPLE[0]), really("M@b4 O@c4 O@d4 N@e4", EXAMPLE[1])])
    site.services.intake.take(1, picture(), "camera")
    assert "provisional" not in text(site.client.get("/games/1"))
    site.services.intake.take(1, picture(), "camera")
    open_game = site.now()
    assert provisional_events(open_game.game, open_game.question, open_game.belief) == {0}
    view = site.services.view(open_game)
    assert [turn.provisional for turns in view.sheet.rounds[0] for turn in turns] == [True]
    assert view.sheet.provisional == {"Red"}
    assert "Answer the question to settle it." in text(site.client.get("/games/1"))
    site.submit("dismiss")
    assert "provisional" not in text(site.client.get("/games/1"))


def test_a_turn_is_provisional_where_the_looks_tell_otherwise() -> None:
    game = new_game().play(parse_play(EXAMPLE[0]))
    sheet = certain(game.setup.start)
    play, other = parse_play(EXAMPLE[0]), parse_play("M@b4 O@c4 O@d4 N@e4")
    agreed = replace(sheet, entered=((play, 0),), stories=(Story((play,)), Story((other,))))
    assert provisional_events(game, None, agreed) == frozenset()
    assert provisional_events(game, None, replace(agreed, stories=(Story((other,)),))) == {0}
    assert provisional_events(game.pass_turn(), None, replace(agreed, stories=(Story(()),))) == {0}


def test_the_winner_comes_first() -> None:
    over = example().end("agreed", (1, 3))
    view = there(view_result(over))
    assert (view.won, view.by) == ("Red wins", "with 41 points, 29 ahead of Blue")
    assert [(each.place, each.name, each.total, each.penalty) for each in view.ranking] == [
        (1, "Red", 41, -5),
        (2, "Blue", 12, -15),
    ]
    assert view_result(example()) is None


def test_a_tie_is_shared_or_decided_as_the_house_has_it() -> None:
    rules = HouseRules(joint_winners=False)
    start = new_game("Red", "Blue", "Cleo")
    tied = there(view_result(start.end("agreed", (0, 0, 1))))
    assert (tied.won, tied.by) == ("Red and Blue share the win", "with 0 points, 5 ahead of Cleo")
    assert [each.place for each in tied.ranking] == [1, 1, 3]
    game = new_game(rules=rules, scores=(10, 5))
    view = there(view_result(game.end("agreed", (1, 0))))
    assert view.by == "with 5 points, more of them before the tiles left were counted"
    assert [(each.place, each.name) for each in view.ranking] == [(1, "Red"), (2, "Blue")]


def test_a_solo_game_has_points_and_no_winner() -> None:
    view = there(view_result(example("Ada").end("stuck", (2,))))
    assert (view.won, view.by, len(view.ranking)) == ("63 points", "", 1)


def test_the_end_is_asked_for_with_what_is_known() -> None:
    view = view_finish(example())
    assert view.racks == (("Red", 7), ("Blue", 7))
    assert (view.penalty, view.offered) == (5, "agreed")
    assert "Qu" in view.missing
    free = Game.start(find_edition("11x11"), ("Ada",), HouseRules(solo_leftover_penalty=False))
    assert (view_finish(free).penalty, view_finish(free).missing) == (0, "")


def test_the_pages_count_the_tiles_that_are_left(site: Site) -> None:
    site.after_plays(*EXAMPLE)
    end = text(site.client.get("/games/1/end"))
    assert "43 of the 64 tiles are not on the board." in end
    assert 'data-total="64" data-board="21"' in end
    assert re.search(r"Tiles left: 43<span[^>]*>29 in the pile<", text(site.client.get("/games/1")))


@pytest.mark.parametrize("left", ["0", "3"])
def test_the_result_is_on_the_page(site: Site, left: str) -> None:
    site.submit("end", reason="agreed", left0=left, left1="1")
    page = text(site.client.get("/games/1"))
    assert ("Red wins" if left == "0" else "Blue wins") in page
    assert page.index('id="won"') < page.index("Another round, same players")
