"""The page of rules, and the links to it from sentences that name a rule."""

from __future__ import annotations

import re
from dataclasses import asdict
from html import unescape

import pytest
from flask.testing import FlaskClient
from webkit import after_plays, start_game, text

from engine import HouseRules
from engine.rules.house_rules import HOUSE_RULES
from webui.services import Services
from webui.table.games import OpenGame
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


def test_every_link_leads_to_its_rule(client: FlaskClient, made: Services, game: OpenGame) -> None:
    after_plays(made, game, "X@a1 X@b1", "A@c1")
    anchors = set(re.findall(r'id="(rule-\d+)"', text(client.get(PAGE))))
    assert anchors == {f"rule-{number}" for number in range(3, 12)}
    for url in ("/games/1", "/games/1/turns/1", "/games/1/replay?at=2", "/games/1/end"):
        linked = re.findall(rf'href="{PAGE}#(rule-\d+)"', text(client.get(url)))
        assert linked, url
        assert set(linked) <= anchors
    assert f'href="{PAGE}#rule-3"' in text(client.get("/games/1/turns/1"))
    assert f'href="{PAGE}"' in text(client.get("/games/1"))


def test_a_tables_own_rules_are_marked(client: FlaskClient, made: Services) -> None:
    rules = HouseRules(leftover_penalty=1, plural_rule=False)
    start_game(made, edition="10x10", rules=rules)
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
