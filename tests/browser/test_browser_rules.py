"""The search on the page of rules: as one types, without loading the page anew."""

from __future__ import annotations

import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, find, until
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

pytestmark = pytest.mark.slow


def list_shown(browser: WebDriver) -> list[str]:
    """The headings of the rules that are shown."""
    headings = browser.find_elements(By.CSS_SELECTOR, ".rule h2")
    return [each.text for each in headings if each.is_displayed()]


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_rules_that_have_the_typed_words_are_shown(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    browser = look(f"{site.url}/rules", size)
    assert len(list_shown(browser)) == 9
    field = find(browser, "#search")
    field.send_keys("tile LEFT")
    until(browser, lambda: find(browser, "#matches").text == "2 rules match.")
    assert list_shown(browser) == ["Rule 6: Scoring", "Rule 11: The end and the winner"]
    assert find(browser, "#matches").get_attribute("role") == "status"
    field.clear()
    field.send_keys("exchanging five", Keys.ENTER)
    until(browser, lambda: find(browser, "#matches").text == "1 rule matches.")
    assert list_shown(browser) == ["Rule 10: Exchanging a tile"]
    field.send_keys("x")
    until(browser, "No rule matches.")
    assert list_shown(browser) == []
    field.clear()
    field.send_keys(" ")
    until(browser, lambda: len(list_shown(browser)) == 9)
    assert find(browser, "#matches").text == ""
    assert browser.current_url == f"{site.url}/rules"


def test_without_scripts_there_is_no_search(site: BrowserSite, look: Look) -> None:
    browser = look("about:blank")
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(f"{site.url}/rules")
        assert not find(browser, "#search").is_displayed()
        assert len(list_shown(browser)) == 9
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
