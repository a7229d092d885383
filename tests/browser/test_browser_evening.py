"""A whole evening in a browser: set-up, turns by hand and by photograph, the end, charts, replay, saving, importing."""

from __future__ import annotations

import io
import re
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest
from browserkit import LAPTOP, PHONE, TELEVISION, BrowserSite, Look, click, find, later, says, tap, until, until_still
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from webkit import EXAMPLE, after_plays, enter_plays, jpeg, picture, start_game, sure

pytestmark = pytest.mark.slow


def texts(browser: WebDriver, selector: str) -> list[str]:
    return [element.text for element in browser.find_elements(By.CSS_SELECTOR, selector)]


def choose(browser: WebDriver, selector: str) -> None:
    """Tap what belongs to a radio button that is drawn by its label."""
    browser.execute_script("arguments[0].click()", find(browser, selector))


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_an_evening(site: BrowserSite, look: Look, size: tuple[int, int], tmp_path: Path) -> None:
    browser = look(f"{site.address}/new", size)
    tap(browser, "Blue")
    tap(browser, "Red")
    assert find(browser, "#player0").get_attribute("value") == "Blue"
    tap(browser, "Blue")
    assert [find(browser, f"#player{at}").get_attribute("value") for at in range(2)] == ["Red", ""]
    tap(browser, "Blue")
    choose(browser, '[name="edition"][value="8x8"]')
    tap(browser, "Begin")
    until(browser, lambda: browser.current_url.endswith("/games/2"))

    tap(browser, "By hand", "a")
    until(browser, lambda: browser.current_url.endswith("/play"))
    if not find(browser, "#tiles").is_displayed():
        tap(browser, "Type it", "summary")
    find(browser, "#tiles").send_keys("mood across from b4")
    until(browser, "MOOD: 8 points")
    find(browser, "#tiles").send_keys(Keys.ENTER)
    until(browser, lambda: browser.current_url.endswith("/games/2"))

    site.reader.say([sure(EXAMPLE[1])])
    (tmp_path / "turn.jpg").write_bytes(jpeg(480, 640))
    find(browser, 'input[type="file"][capture="environment"]').send_keys(str(tmp_path / "turn.jpg"))
    until(browser, "DEAR")

    browser.get(f"{site.address}/games/2/end")
    choose(browser, '[name="left0"][value="0"]')
    choose(browser, '[name="left1"][value="2"]')
    until(browser, "7 on the board, 2 on the racks; 55 are in the draw pile.")
    tap(browser, "End the game", then="Red wins")
    assert says(browser, "with 8 points, 10 ahead of Blue")

    tap(browser, "Charts", "a", then="Points by turn")
    assert texts(browser, ".bars .word") == ["MOOD", "DEAR"]
    browser.get(f"{site.address}/games/2/replay")
    click(browser, '[data-step="On"]')
    until(browser, "Red played MOOD for 8 points.")
    assert browser.switch_to.active_element.get_attribute("data-step") == "On"

    browser.get(f"{site.address}/games/2/keep")
    box = find(browser, "#title")
    box.clear()
    box.send_keys("Sunday")
    tap(browser, "Rename")
    until(browser, lambda: find(browser, "h1").text == "Sunday")
    saved = tmp_path / "sunday.zip"
    with urllib.request.urlopen(find(browser, "a[download]").get_attribute("href") or "") as response:
        saved.write_bytes(response.read())
    assert "photographs/000-photo.jpg" in zipfile.ZipFile(io.BytesIO(saved.read_bytes())).namelist()
    browser.get(f"{site.address}/import")
    find(browser, 'input[type="file"]').send_keys(str(saved))
    assert says(browser, "sunday.zip")
    tap(browser, "Import")
    until(browser, lambda: browser.current_url.endswith("/games/3"))
    assert "The game is here, with two turns." in find(browser, ".toast").text
    assert says(browser, "Red wins")
    tap(browser, "Another round", "a")
    until(browser, lambda: "/new" in browser.current_url)
    assert find(browser, "#player1").get_attribute("value") == "Blue"


def test_the_fourth_name_takes_the_choice_of_photographing_once_a_round_away(site: BrowserSite, look: Look) -> None:
    def chosen() -> tuple[bool, bool]:
        """Return whether a round is offered, and whether it is chosen."""
        script = "return [!r.closest('label').hidden, r.checked]"
        offered, checked = browser.execute_script(f"const r = document.querySelector('[value=round]'); {script}")
        return offered, checked

    browser = look(f"{site.address}/new", PHONE)
    for at, name in enumerate("ABC"):
        find(browser, f"#player{at}").send_keys(name)
    browser.execute_script("document.querySelector('[value=round]').click()")
    assert chosen() == (True, True)
    find(browser, "#player3").send_keys("D")
    assert chosen() == (False, False)
    assert browser.execute_script("return document.querySelector('[value=turn]').checked")
    find(browser, "#player3").send_keys(Keys.BACKSPACE)
    assert chosen() == (True, False)


def test_who_begins_is_shuffled_and_put_in_order_by_keys(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.address}/new", PHONE)

    def names() -> list[str]:
        return [find(browser, f"#player{at}").get_attribute("value") or "" for at in range(4)]

    assert not find(browser, "#shuffle").is_displayed()
    for at, name in ((0, "Ann"), (1, "Bob"), (3, "Cleo")):
        find(browser, f"#player{at}").send_keys(name)
    find(browser, '[data-earlier="1"]').send_keys(Keys.ENTER)
    assert names() == ["Bob", "Ann", "", "Cleo"]
    assert find(browser, "#begins").text == "Bob begins."
    browser.execute_script("let at = 0; Math.random = () => [0, 0.9][at++ % 2]")
    find(browser, "#shuffle").send_keys(Keys.SPACE)
    assert names() == ["Cleo", "Ann", "Bob", ""]
    assert find(browser, "#begins").text == "Cleo begins."
    orders = set()
    browser.execute_script("Math.random = () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32")
    for _ in range(60):
        browser.execute_script("document.getElementById('shuffle').click()")
        orders.add(tuple(names()))
    assert len(orders) == 6


def test_a_player_is_dragged_to_another_place_at_the_table(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.address}/new", LAPTOP)
    for at, name in enumerate(("Ann", "Bob", "Cleo")):
        find(browser, f"#player{at}").send_keys(name)
    names = [find(browser, f"#player{at}") for at in range(4)]
    handle = find(browser, '[data-earlier="2"]')
    ActionChains(browser).click_and_hold(handle).move_to_element(names[3]).move_to_element(names[0]).release().perform()
    assert [name.get_attribute("value") for name in names] == ["Cleo", "Ann", "Bob", ""]
    assert find(browser, "#begins").text == "Cleo begins."
    find(browser, '[data-earlier="0"]').send_keys(Keys.ENTER)
    assert [name.get_attribute("value") for name in names] == ["Ann", "Bob", "Cleo", ""]


@pytest.mark.parametrize("size", [LAPTOP, (1366, 768), (390, 844), (360, 640), (740, 360)])
def test_the_replay_shows_board_and_explanation_at_once(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    after_plays(site.services, site.now(), *EXAMPLE[:5])
    browser = look("about:blank")
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": True}  # no bars to scroll by
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(f"{site.url}/replay?at=5")
    for shape in ("flat", "board-3d"):
        browser.execute_script(f"document.querySelector('[name=shape][value={shape}]').click()")
        shown = "#replay .board" if shape == "flat" else "#replay .board-3d"
        board, why = (find(browser, selector).rect for selector in (shown, ".shown .why"))
        assert board["y"] + board["height"] <= why["y"] or board["x"] + board["width"] <= why["x"]
        assert board["width"] >= 240
        assert max(each["y"] + each["height"] for each in (board, why)) <= size[1], shape


def test_what_is_focused_does_not_lie_under_the_button_that_begins(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.address}/new", PHONE)
    bar = "return [document.activeElement, document.querySelector('.bar')].map((e) => e.getBoundingClientRect())"
    for _ in range(40):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        focused, begin = browser.execute_script(bar)
        if browser.execute_script("return document.activeElement.matches('.bar *')"):
            return
        name = browser.execute_script("return document.activeElement.outerHTML.slice(0, 90)")
        assert focused["bottom"] <= begin["top"], name
    raise AssertionError("the button was never reached")


def test_the_button_that_begins_fills_its_bar(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.address}/new", LAPTOP)
    bar, button = (find(browser, selector).rect["width"] for selector in (".bar", ".bar .primary"))
    assert button > 0.9 * bar


def test_the_replay_goes_by_keys_and_swipes(site: BrowserSite, look: Look) -> None:
    site.take(sure(EXAMPLE[0]), source="camera", image=picture(480, 640))
    site.enter(EXAMPLE[1])
    browser = look(f"{site.url}/replay")
    assert says(browser, "The board at the start.")
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
    until(browser, "Red played MOOD")
    assert find(browser, ".shot img").is_displayed()
    assert find(browser, "#said").get_attribute("textContent") == "Red played MOOD for 8 points."
    choose(browser, '[value="board-3d"]')
    swipe(browser, -200)
    until(browser, "Blue played DEAR")
    assert browser.current_url.endswith("at=2")
    assert find(browser, ".board-3d").is_displayed()
    assert not find(browser, "#replay .board").is_displayed()
    assert len(browser.find_elements(By.CSS_SELECTOR, ".board-3d .fresh")) == 3
    swipe(browser, 200)
    until(browser, "Red played MOOD")
    ActionChains(browser).send_keys(Keys.END).perform()
    until(browser, "Blue played DEAR")
    assert find(browser, '[data-step="On"]').get_attribute("aria-disabled") == "true"


def test_the_replay_plays_by_itself_until_somebody_steps(site: BrowserSite, look: Look) -> None:
    site.enter(EXAMPLE[0], EXAMPLE[1])
    browser = look(f"{site.url}/replay")
    button = find(browser, "#play")
    assert button.text == "Play"
    browser.execute_script(SOON)
    ActionChains(browser).send_keys(Keys.SPACE).perform()
    assert button.text == "Pause"
    until(browser, lambda: says(browser, "Blue played DEAR") and button.text == "Play")
    assert find(browser, "#said").get_attribute("textContent") == "Blue played DEAR for 8 points."
    click(browser, button)
    until(browser, "Red played MOOD")
    ActionChains(browser).send_keys(Keys.HOME).perform()
    assert button.text == "Play"
    until(browser, "The board at the start.")


SOON = "const wait = setTimeout; setTimeout = (then, ms) => wait(then, ms === 3000 ? 300 : ms);"


def swipe(browser: WebDriver, across: int) -> None:
    """A finger drawn over the replay."""
    browser.execute_script(
        """
        const target = document.getElementById("replay");
        const at = (x) => [new Touch({ identifier: 1, target, clientX: x, clientY: 300 })];
        const send = (type, touches, changedTouches) =>
          target.dispatchEvent(new TouchEvent(type, { touches, changedTouches, bubbles: true }));
        send("touchstart", at(250), at(250));
        send("touchend", [], at(250 + arguments[0]));
        """,
        across,
    )


def test_the_television_follows_the_game_and_is_read_across_the_room(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/tv", TELEVISION)
    until(browser, lambda: site.services.announcer.streams == 1)
    site.enter(EXAMPLE[0])
    until(browser, "MOOD")
    assert find(browser, ".now").text == "Blue to play"
    digits = browser.execute_script(
        "const { fontWeight, fontSize, fontFamily } = getComputedStyle(document.querySelector('.total'));"
        "const context = document.createElement('canvas').getContext('2d');"
        "context.font = `${fontWeight} ${fontSize} ${fontFamily}`;"
        "return context.measureText('8').actualBoundingBoxAscent;"
    )
    assert digits >= TELEVISION[1] / 10
    assert browser.execute_script("return document.documentElement.scrollHeight") <= TELEVISION[1]


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_four_players_fit_a_phone_upright_and_on_its_side(site: BrowserSite, look: Look, size: tuple[int, int]) -> None:
    players = ("Ada", "Ben", "Cleo", "Dmitri the Great")
    open_game = start_game(site.services, *players, edition="10x10")
    for at in range(40):
        tile = f"{'ABCDE'[at % 5]}@{'abcdefgh'[at % 8]}{1 + at // 8}"
        open_game = enter_plays(site.services, open_game, tile)
    browser = look(f"{site.address}/games/2", size)
    browser.execute_script("document.querySelector('.photo')?.remove()")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
    assert browser.execute_script("return document.documentElement.scrollHeight") < 4000
    if size[0] > size[1]:
        rows = browser.find_elements(By.CSS_SELECTOR, ".sheet tbody tr")
        browser.execute_script("arguments[0].scrollIntoView()", rows[2])
        below = [row.rect["y"] - rows[2].rect["y"] for row in rows[2:]]
        assert sum(top < size[1] - 60 for top in below) > 2


def test_the_game_goes_on_from_the_keyboard_alone(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, LAPTOP, live=True)
    find(browser, 'form[action$="/pass"] button').send_keys(Keys.ENTER)
    until(browser, "Blue to play")
    until(browser, lambda: browser.switch_to.active_element.text == "Pass")
    later(browser, 1)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    until(browser, lambda: len(site.now().game.turns) == 2)


def test_scores_are_said_once(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    browser.execute_script(
        "window.heard = []; new MutationObserver(() => heard.push(document.getElementById('said').textContent))"
        ".observe(document.getElementById('said'), { childList: true });"
    )
    site.enter(EXAMPLE[0])
    until(browser, "MOOD")
    site.services.announcer.announce(site.game.row.id)
    site.enter(EXAMPLE[1])
    until(browser, "DEAR")
    assert browser.execute_script("return heard") == [
        "Turn 2: Blue to play. Red played MOOD for 8 points.",
        "Turn 3: Red to play. Blue played DEAR for 8 points.",
    ]


def test_the_timer_is_the_same_on_every_screen_and_restarts_every_turn(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    assert not browser.find_elements(By.CSS_SELECTOR, ".timer")
    find(browser, "#minutes").send_keys("2")
    until(browser, lambda: re.fullmatch(r"2:00|1:5\d", find(browser, ".timer").text))
    site.services.clocks._now = lambda: time.monotonic() + 300
    site.services.announcer.announce(site.game.row.id)
    until(browser, lambda: find(browser, ".timer").text.startswith("over by 3:"))
    assert find(browser, "#said").get_attribute("textContent") == "The time for this turn is up."
    site.enter(EXAMPLE[0])
    until(browser, lambda: says(browser, "MOOD") and re.fullmatch(r"2:00|1:5\d", find(browser, ".timer").text))
    script = "const { timer, left } = document.querySelector('.timer').dataset; return [timer, Number(left)]"
    turn, left = browser.execute_script(script)
    browser.get(f"{site.url}/tv")
    until(browser, lambda: re.fullmatch(r"2:00|1:\d\d", find(browser, ".timer").text))
    same, less = browser.execute_script(script)
    assert (same, less < left) == (turn, True)


SOUNDS = """
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { window.tones += 1; return start.apply(this, at); };
"""


def test_a_score_sounds_where_somebody_switched_that_on(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    browser.execute_script(SOUNDS)
    box = find(browser, "[data-switch=chime]")
    assert not box.is_selected()

    def enter(play: str, word: str) -> int:
        site.enter(play)
        until(browser, word)
        return int(browser.execute_script("return window.tones"))

    assert enter(EXAMPLE[0], "MOOD") == 0
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
    click(browser, box)
    assert browser.execute_script("return window.tones") == 3, "one hears what it is like"
    assert enter(EXAMPLE[1], "DEAR") == 6
    tap(browser, "Pass", then="pass")
    assert browser.execute_script("return window.tones") == 6
    browser.execute_script("localStorage.clear()")


def test_a_message_goes_by_itself_and_covers_no_total(site: BrowserSite, look: Look) -> None:
    browser = look(site.url, live=True)
    browser.execute_script("for (const field of document.querySelectorAll('[name=version]')) field.value = 99")
    browser.execute_script(
        "const real = setTimeout; window.due = [];"
        "window.setTimeout = (act, after) => (after > 3000 ? due.push(act) && 0 : real(act, after))"
    )
    tap(browser, "Pass", then="Someone just changed the game")
    boxes = [find(browser, selector).rect for selector in (".toast", ".players")]
    assert boxes[0]["y"] >= boxes[1]["y"] + boxes[1]["height"]
    browser.execute_script("for (const act of due) act()")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".toast"))


def test_what_the_referee_says_is_not_under_the_bar(site: BrowserSite, look: Look) -> None:
    browser = look(f"{site.url}/play?tiles=A@a1", PHONE)
    until(browser, "Rule 3")
    box, bar = find(browser, "#verdict").rect, find(browser, ".bar")
    assert box["y"] + box["height"] <= browser.execute_script("return arguments[0].getBoundingClientRect().top", bar)
    pad = find(browser, ".pad").rect["y"]
    click(browser, '[data-letter="B"]')
    assert find(browser, ".pad").rect["y"] == pad


@pytest.mark.parametrize("size", [PHONE, (390, 844), (960, 700), LAPTOP])
def test_what_the_referee_says_is_not_under_the_message_that_names_it(
    site: BrowserSite, look: Look, size: tuple[int, int]
) -> None:
    browser = look(f"{site.url}/play", size)
    browser.execute_script("for (const fold of document.querySelectorAll('details')) fold.open = true")
    find(browser, "#tiles").send_keys("A@a1", Keys.ENTER)
    until(browser, lambda: says(browser, "Read why") and says(browser, "Rule 3"))
    until_still(browser)
    told, message = (find(browser, each).rect for each in ("#verdict .note", ".toast"))
    beside = message["x"] >= told["x"] + told["width"]
    below = message["y"] >= told["y"] + told["height"]
    assert beside or below


@pytest.mark.parametrize("page", ["", "/charts", "/replay?at=1", "/tv", "/print", "/keep", "/play"])
def test_a_page_weighs_little_and_asks_nobody_else(site: BrowserSite, look: Look, page: str) -> None:
    site.take(sure(EXAMPLE[0]), source="camera", image=picture(480, 640))
    play_rest(site)
    browser = look(f"{site.url}{page}", LAPTOP)
    loaded = transfers(browser)
    assert all(url.startswith(site.address) for url, _ in loaded)
    assert sum(size for url, size in loaded if "/pictures/" not in url) <= 200_000


def play_rest(site: BrowserSite) -> None:
    site.enter(*EXAMPLE[1:])


def transfers(browser: Chrome) -> list[tuple[str, int]]:
    """Return what the page loaded, with sizes in bytes before compression."""
    return [
        (url, size)
        for url, size in browser.execute_script(
            "return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
            ".filter((each) => each.initiatorType !== 'eventsource').map((each) => [each.name, each.decodedBodySize])"
        )
    ]


SHARING = """
  window.shared = [];
  navigator.canShare = ({ files }) => files.length > 0;
  const told = ({ name, type, size }) => [name, type, size > 1000];
  navigator.share = async ({ files }) => window.shared.push(...files.map(told));
"""


def test_the_result_and_the_replay_are_shared_by_the_device_where_it_can(site: BrowserSite, look: Look) -> None:
    open_game = after_plays(site.services, site.game, *EXAMPLE[:2])
    site.services.games.change(open_game, lambda game: game.end("agreed", (0, 0)))
    browser = look(site.url)
    browser.execute_script(SHARING)
    tap(browser, "Share a picture", "a")
    until(browser, lambda: browser.execute_script("return window.shared") == [["upscore.png", "image/png", True]])
    tap(browser, "Share the replay", "a")
    until(browser, lambda: browser.execute_script("return window.shared[1]") == ["upscore.gif", "image/gif", True])
