"""The page of rules, and the links to it from sentences that name a rule."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from html import unescape

import pytest
from flask.testing import FlaskClient
from webkit import Lobby, Site, start_game, text

from engine import EDITIONS, HouseRules
from engine.rules.house_rules import HOUSE_RULES
from webui.services import Services
from webui.views.rules import link_rules, view_house_rules

PAGE = "/games/1/rules"


def test_every_house_rule_stands_by_its_rule_once(client: FlaskClient) -> None:
    page = unescape(text(client.get("/rules")))
    for shown in view_house_rules(asdict(HouseRules())):
        assert page.count(f"<li>{shown.sentence}: <b>") == 1, shown.rule.name
    assert page.count("<li>") == len(HOUSE_RULES)


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Rule 5, stacking: c6.", '<a href="/r#rule-5">Rule 5</a>, stacking: c6.'),
        ("House rule, plurals: no.", '<a href="/r#rule-5">House rule</a>, plurals: no.'),
        ("= 8 (6A)", '= 8 <a href="/r#rule-6">(6A)</a>'),
        ("<b> in Rule 11", '&lt;b&gt; in <a href="/r#rule-11">Rule 11</a>'),
        ("No rule here", "No rule here"),
    ],
)
def test_a_rule_that_is_named_is_linked(sentence: str, shown: str) -> None:
    assert str(link_rules(sentence, "/r")) == shown


def test_the_page_of_rules_ends_every_sentence_once(client: FlaskClient) -> None:
    page = text(client.get("/rules"))
    assert "Rules not confirmed." in page
    assert ".." not in re.sub(r"<[^>]*>", "", page)


def test_every_link_leads_to_its_rule(site: Site) -> None:
    site.after_plays("X@a1 X@b1", "A@c1")
    anchors = set(re.findall(r'id="(rule-\d+)"', text(site.client.get(PAGE))))
    assert anchors == {f"rule-{number}" for number in range(3, 12)}
    for url in ("/games/1", "/games/1/turns/1", "/games/1/replay?at=2", "/games/1/end"):
        linked = re.findall(rf'href="{PAGE}#(rule-\d+)"', text(site.client.get(url)))
        assert linked, url
        assert set(linked) <= anchors
    assert f'href="{PAGE}#rule-3"' in text(site.client.get("/games/1/turns/1"))
    assert f'href="{PAGE}"' in text(site.client.get("/games/1"))


@pytest.mark.parametrize(
    ("rules", "sheets", "own"),
    [
        ({"leftover_penalty": 1}, "on a rack costs 5 points.", "on a rack costs 1 point."),
        ({"leftover_penalty": 0}, "on a rack costs 5 points.", "tiles left on a rack cost nothing."),
        ({"leftover_penalty": 0}, "Tiles left on the racks are subtracted.", "Whoever has the most points wins."),
        ({"solo_leftover_penalty": False}, "costs 5 points.</p>", "In a solo game it costs nothing."),
        ({"plural_rule": False}, "A turn can't just add an S", "A turn may just add an S"),
        ({"failed_challenge_loses_turn": True}, "Otherwise it stands.", "and whoever challenged loses the next turn."),
        ({"passing_rounds": 3}, "everybody has passed in a row.", "everybody has passed three times in a row."),
        ({"lone_qu_first_play": True}, "at least two tiles and", "at least two tiles, or is the Qu tile alone, and"),
    ],
)
def test_the_rules_follow_the_tables_switches(
    lobby: Lobby, rules: dict[str, bool | int], sheets: str, own: str
) -> None:
    start_game(lobby.services, rules=HouseRules(**rules))  # type: ignore[arg-type]
    before, after = (unescape(text(lobby.client.get(page))) for page in ("/rules", PAGE))
    assert (sheets in before, own in before) == (True, False)
    assert (sheets in after, own in after) == (False, True)


def test_a_set_without_the_plural_rule_has_none_in_its_rules(client: FlaskClient, services: Services) -> None:
    own_set = replace(EDITIONS["8x8"], name="Ours", plural_rule=False)
    start_game(services, edition=own_set)
    assert "A turn may just add an S" in text(client.get(PAGE))


def test_a_tables_own_rules_are_marked(client: FlaskClient, services: Services) -> None:
    rules = HouseRules(leftover_penalty=1, plural_rule=False)
    start_game(services, edition="10x10", rules=rules)
    page = text(client.get(PAGE))
    assert "Points lost per leftover tile: <b>1</b> <span" in page
    assert "No plural by just adding S: <b>no</b> <span" in page
    assert page.count("(your house rule)") == 2
    assert "10 × 10: 100 tiles." in page
    assert "8 × 8" not in page
    preset = text(client.get("/rules"))
    assert "(your house rule)" not in preset
    assert "8 × 8: 64 tiles." in preset
    assert '<a href="/rules"' in text(client.get("/new"))
