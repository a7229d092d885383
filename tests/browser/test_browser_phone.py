"""A phone's own camera as the game's, in a browser with a made-up camera: started, followed, stopped, or refused."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from browserkit import ASLEEP, CHROMIUM, DRIVER, FLAGS, PHONE, BrowserSite, click, find, says, tap, unreachable, until
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from tablekit import Table
from webkit import EXAMPLE, sure

from webui.ports import Aim

pytestmark = pytest.mark.slow

PLAY_ON = "Play, then take your hands away."


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """A browser whose camera shows a film of one green picture."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("chromium and chromedriver are not installed: the page is not looked at in a browser")
    folder = tmp_path_factory.mktemp("phone")
    green = np.zeros((480, 640, 3), np.uint8)
    green[..., 1] = 180
    _, frame = cv2.imencode(".jpg", green)
    (folder / "green.mjpeg").write_bytes(frame.tobytes() * 10)
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    made_up = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={folder / 'green.mjpeg'}",
        f"--user-data-dir={folder / 'profile'}",
    )
    for flag in (*FLAGS, *made_up):
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield browser
    browser.quit()


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def site(tmp_path: Path, table: Table) -> Iterator[BrowserSite]:
    """The application without a camera of its own."""
    served = BrowserSite(tmp_path, table)
    yield served
    served.stop()


def open_dialog(phone: WebDriver, site: BrowserSite) -> None:
    metrics = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True}
    phone.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    phone.get(site.url)
    click(phone, ".more > summary")
    tap(phone, "Use this device's camera")


def test_a_phone_on_a_glass_is_followed_hands_free(phone: WebDriver, site: BrowserSite, table: Table) -> None:
    open_dialog(phone, site)
    until(phone, "Prop it on a glass")
    tap(phone, "Start the camera", then="Keep this page open")
    until(phone, lambda: site.services.cameras.of(site.game.row.id) is not None)
    until(phone, lambda: site.services.cameras.require(site.game.row.id).camera.status.state == "live")
    seen = site.services.cameras.require(site.game.row.id).camera.newest()
    blue, green, red = seen.reshape(-1, 3).mean(axis=0)
    assert seen.shape[1] > seen.shape[0]
    assert green > 100 > max(blue, red)
    assert unreachable(phone, "#phone button") == []
    click(phone, "#phone [data-do=close]")
    until(phone, "Camera on.")
    table.put(sure(EXAMPLE[0]))
    tap(phone, "Hands free")
    until(phone, lambda: says(phone, "MOOD") and says(phone, PLAY_ON))
    tap(phone, "Camera on", "summary")
    tap(phone, "Use this device's camera")
    tap(phone, "Stop it", then="The camera is off.")
    click(phone, "#phone [data-do=close]")
    until(phone, "No picture from the camera")
    tap(phone, "Start again")
    tap(phone, "Start the camera")
    until(phone, lambda: site.services.cameras.require(site.game.row.id).camera.status.state == "live")
    click(phone, "#phone [data-do=close]")
    until(phone, PLAY_ON)
    phone.get("about:blank")


def test_a_phone_stops_once_another_is_the_camera(phone: WebDriver, site: BrowserSite) -> None:
    open_dialog(phone, site)
    tap(phone, "Start the camera")
    until(phone, lambda: site.services.cameras.of(site.game.row.id) is not None)
    until(phone, lambda: site.services.cameras.require(site.game.row.id).camera.status.state == "live")
    site.services.cameras.phone_begins(site.game.row.id)
    until(phone, "Another phone is the camera now.")
    assert not find(phone, "#phone video").is_displayed()
    tap(phone, "Start the camera", then="Keep this page open")
    phone.get("about:blank")


def test_a_picture_whose_connection_died_keeps_no_later_one_back(phone: WebDriver, site: BrowserSite) -> None:
    ended = threading.Event()
    site.hold("/frame", ended)
    open_dialog(phone, site)
    tap(phone, "Start the camera")
    until(phone, lambda: site.services.cameras.of(site.game.row.id) is not None)
    phone.execute_async_script("setTimeout(arguments[0], 500)")
    assert site.services.cameras.require(site.game.row.id).camera.status.state == "connecting"
    phone.execute_script("document.dispatchEvent(new Event('lost'))")
    until(phone, lambda: site.services.cameras.require(site.game.row.id).camera.status.state == "live")
    phone.get("about:blank")
    ended.set()


SQUARE = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))


def aim(phone: WebDriver, site: BrowserSite) -> None:
    metrics = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True}
    phone.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    phone.get(site.url)
    click(phone, ".more > summary")
    tap(phone, "Automatic photo")


def test_a_phone_in_the_hand_takes_the_photograph_by_itself(phone: WebDriver, site: BrowserSite, table: Table) -> None:
    table.aims.append(Aim(None, "Nearer, please."))
    aim(phone, site)
    until(phone, "Nearer, please.")
    assert find(phone, "#phone path").get_attribute("d") == ""
    assert unreachable(phone, "#phone button") == []
    table.aims.extend([Aim(SQUARE, "Hold still.")])
    until(phone, "Hold still.")
    assert str(find(phone, "#phone path").get_attribute("d")).startswith(
        "M20.00 20.00L20.00 80.00M20.00 20.00L80.00 20.00"
    )
    table.say([sure(EXAMPLE[0])])
    table.aims.extend([Aim(SQUARE, None)])
    until(phone, "MOOD")
    assert not find(phone, "#phone").is_displayed()
    assert table.images[0].shape[:2] == (480, 640), "the photograph is as large as the camera gives it"
    assert len(site.now().game.turns) == 1
    assert site.services.cameras.of(site.game.row.id) is None
    phone.get("about:blank")


def test_letters_of_the_game_lie_over_the_live_picture(phone: WebDriver, site: BrowserSite, table: Table) -> None:
    site.enter(EXAMPLE[0])
    table.aims.append(Aim(SQUARE, "Hold still."))
    aim(phone, site)
    until(phone, lambda: find(phone, "#known span").is_displayed())
    drawn = phone.execute_script(
        "return [...document.querySelectorAll('#known span')].map((e) => [e.textContent, e.style.left, e.style.top])"
    )
    lefts, top = (f"{20 + 60 * (column + 0.25) / 8:g}%" for column in range(1, 5)), f"{20 + 60 * 3.25 / 8:g}%"
    assert drawn == [[letter, left, top] for letter, left in zip("MOOD", lefts, strict=True)]
    table.aims.extend([Aim(None, "Nearer, please.")])
    until(phone, "Nearer, please.")
    assert not phone.find_elements(By.CSS_SELECTOR, "#known span")
    phone.get("about:blank")


def test_a_photograph_from_the_hand_can_be_taken_with_a_tap(phone: WebDriver, site: BrowserSite, table: Table) -> None:
    table.aims.append(Aim(SQUARE, "Take your hand away."))
    table.say([sure(EXAMPLE[0])])
    aim(phone, site)
    until(phone, "Take your hand away.")
    tap(phone, "Take it now", then="MOOD")
    phone.get("about:blank")


def test_a_camera_in_the_hand_stops_with_its_dialog(phone: WebDriver, site: BrowserSite, table: Table) -> None:
    table.aims.append(Aim(None, "Nearer, please."))
    open_dialog(phone, site)
    tap(phone, "Start the camera")
    until(phone, lambda: site.services.cameras.of(site.game.row.id) is not None)
    until(phone, lambda: live(site))
    click(phone, "#phone [data-do=close]")
    click(phone, ".more > summary")
    tap(phone, "Automatic photo", then="Nearer, please.")
    until(phone, lambda: not live(site))
    click(phone, "#phone [data-do=close]")
    until(phone, lambda: live(site))
    until(phone, "Camera on.")
    tap(phone, "Camera on", "summary")
    tap(phone, "Use this device's camera")
    tap(phone, "Stop it")
    assert phone.execute_script("return document.querySelector('#phone video').srcObject") is None
    phone.get("about:blank")


NO_PICTURES = """
  const lend = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  const video = document.querySelector("#phone video");
  navigator.mediaDevices.getUserMedia = () => {
    navigator.mediaDevices.getUserMedia = lend;
    return Promise.resolve(new MediaStream([new MediaStreamTrackGenerator({ kind: "video" })]));
  };
  video.play = () => {
    delete video.play;
    return new Promise((_, reject) => video.addEventListener("emptied", reject, { once: true }));
  };
"""
"""The camera gives no picture the first time. Its film waits for one until it is unloaded, as the standard has it."""


@pytest.mark.parametrize("again", ["start", "aim"])
def test_a_camera_that_was_stopped_before_its_first_picture_can_be_started(
    phone: WebDriver, site: BrowserSite, table: Table, again: str
) -> None:
    table.aims.append(Aim(None, "Nearer, please."))
    open_dialog(phone, site)
    phone.execute_script(NO_PICTURES)
    tap(phone, "Start the camera")
    until(phone, lambda: phone.execute_script("return document.querySelector('#phone video').srcObject !== null"))
    if again == "start":
        tap(phone, "Stop it", then="The camera is off.")
    else:
        phone.execute_script("dispatchEvent(new Event('pagehide'))")
    click(phone, f"#phone [data-do={again}]")
    until(phone, "Keep this page open" if again == "start" else "Nearer, please.")
    phone.get("about:blank")


SLOW_LIST = """
  const { mediaDevices } = navigator, list = mediaDevices.enumerateDevices.bind(mediaDevices);
  const asked = new Promise((answer) => { window.listed = answer; });
  mediaDevices.enumerateDevices = () => asked.then(list);
"""


def test_a_camera_that_was_stopped_before_the_cameras_were_listed_stays_off(
    phone: WebDriver, site: BrowserSite
) -> None:
    open_dialog(phone, site)
    phone.execute_script(SLOW_LIST)
    tap(phone, "Start the camera", then="Keep this page open")
    tap(phone, "Stop it", then="The camera is off.")
    phone.execute_async_script("window.listed(); setTimeout(arguments[0], 500)")
    assert says(phone, "The camera is off.")
    assert phone.execute_script("return document.getElementById('phone-which').length") == 0
    phone.get("about:blank")


AWAKE = """
  window.awake = 0;
  const asked = () => { window.awake += 1; return Promise.resolve({ release: () => {} }); };
  Object.defineProperty(navigator, "wakeLock", { value: { request: asked } });
"""


def count_asked_to_stay_on(phone: WebDriver, *, back: bool = False) -> int:
    """Return how often the page has asked for a screen that stays on. With `back`, it was hidden and is shown again."""
    if back:
        phone.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
    return int(phone.execute_script("return window.awake"))


@pytest.mark.parametrize("answers", ["", "window.fetch = () => new Promise(() => {})"], ids=["answers", "silent"])
def test_the_screen_stays_on_after_the_page_was_hidden(phone: WebDriver, site: BrowserSite, answers: str) -> None:
    """Where the scoresheet is slow, the camera runs before it has a name there."""
    open_dialog(phone, site)
    phone.execute_script(AWAKE)
    phone.execute_script(answers)
    assert count_asked_to_stay_on(phone, back=True) == 0
    tap(phone, "Start the camera")
    until(phone, lambda: count_asked_to_stay_on(phone) == 1)
    count_asked_to_stay_on(phone, back=True)
    until(phone, lambda: count_asked_to_stay_on(phone) == 2)
    tap(phone, "Stop it")
    assert count_asked_to_stay_on(phone, back=True) == 2
    phone.get("about:blank")


def test_where_the_browser_lends_no_camera_it_says_why(phone: WebDriver, site: BrowserSite) -> None:
    script = {"source": "Object.defineProperty(window, 'isSecureContext', { value: false })"}
    added = phone.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
    open_dialog(phone, site)
    until(phone, lambda: says(phone, "share their camera only over https") and says(phone, "Photograph button"))
    assert not find(phone, "#phone [data-do=start]").is_displayed()
    phone.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    phone.get("about:blank")


def test_a_camera_that_is_refused_says_what_to_do(phone: WebDriver, site: BrowserSite) -> None:
    open_dialog(phone, site)
    refuse = "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
    phone.execute_script(refuse)
    tap(phone, "Start the camera", then="The camera is blocked for this page. Allow it")
    phone.get("about:blank")


def test_a_browser_that_keeps_the_pixels_back_offers_no_camera(phone: WebDriver, site: BrowserSite) -> None:
    open_dialog(phone, site)
    click(phone, "#phone [data-do=close]")
    phone.execute_script(
        "const { prototype } = CanvasRenderingContext2D, read = prototype.getImageData;"
        "prototype.getImageData = function (...given) {"
        "const pixels = read.apply(this, given); pixels.data.fill(255); return pixels; };"
    )
    click(phone, ".more > summary")
    tap(phone, "Use this device's camera")
    assert says(phone, "This browser doesn't let the page see the camera's pictures")
    assert not find(phone, "#phone [data-do=start]").is_displayed()


def test_a_canvas_that_gives_no_picture_is_told(phone: WebDriver, site: BrowserSite) -> None:
    open_dialog(phone, site)
    phone.execute_script("HTMLCanvasElement.prototype.toBlob = (done) => done(null)")
    tap(phone, "Start the camera", then="This browser doesn't let the page see the camera's pictures")
    tap(phone, "Stop")


def live(site: BrowserSite) -> bool:
    """Return whether the phone's camera sends its pictures."""
    return site.services.cameras.require(site.game.row.id).camera.status.state == "live"


LET_GO = "for (const track of document.querySelector('#phone video').srcObject.getTracks()) track.stop();"
HELD = "document.querySelector('#phone video').pause();"


@pytest.mark.parametrize("sleeps", [LET_GO, HELD])
def test_a_camera_that_slept_goes_on_when_the_page_is_back(phone: WebDriver, site: BrowserSite, sleeps: str) -> None:
    open_dialog(phone, site)
    tap(phone, "Start the camera")
    until(phone, lambda: site.services.cameras.of(site.game.row.id) is not None)
    until(phone, lambda: live(site))
    phone.execute_script(ASLEEP, True)
    phone.execute_script(sleeps)
    until(phone, lambda: not live(site))
    phone.execute_script(ASLEEP, False)
    until(phone, lambda: live(site) and says(phone, "Keep this page open"))
    seen = site.services.cameras.require(site.game.row.id).camera.newest()
    until(phone, lambda: site.services.cameras.require(site.game.row.id).camera.newest() is not seen)
    tap(phone, "Stop it")
    phone.execute_script(ASLEEP, False)
    until(phone, lambda: not live(site))
    phone.get("about:blank")


BUSY = """
  const lend = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  window.held = true;
  navigator.mediaDevices.getUserMedia = (wish) =>
    window.held ? Promise.reject(new DOMException("", "NotReadableError")) : lend(wish);
"""


def test_a_camera_that_another_program_holds_goes_on_once_it_is_free(phone: WebDriver, site: BrowserSite) -> None:
    """As after a video call: the page is seen again before the camera is free."""
    open_dialog(phone, site)
    tap(phone, "Start the camera")
    until(phone, lambda: site.services.cameras.of(site.game.row.id) is not None)
    until(phone, lambda: live(site))
    phone.execute_script(BUSY)
    phone.execute_script(ASLEEP, True)
    phone.execute_script(LET_GO)
    phone.execute_script(ASLEEP, False)
    until(phone, "Another program is using the camera")
    until(phone, lambda: not live(site))
    phone.execute_script("window.held = false")
    until(phone, lambda: live(site) and says(phone, "Keep this page open"))
    tap(phone, "Stop it")
    phone.get("about:blank")


def test_a_camera_in_the_hand_that_slept_goes_on(phone: WebDriver, site: BrowserSite, table: Table) -> None:
    table.aims.append(Aim(None, "Nearer, please."))
    aim(phone, site)
    until(phone, "Nearer, please.")
    phone.execute_script(ASLEEP, True)
    phone.execute_script(LET_GO)
    table.aims.extend([Aim(SQUARE, "Hold still.")])
    phone.execute_script(ASLEEP, False)
    until(phone, "Hold still.")
    assert site.services.cameras.of(site.game.row.id) is None
    phone.get("about:blank")


def test_a_page_that_was_loaded_anew_is_the_camera_again_unless_another_is(phone: WebDriver, site: BrowserSite) -> None:
    """A phone that is short of memory throws a page away while it sleeps."""
    open_dialog(phone, site)
    tap(phone, "Start the camera")
    until(phone, lambda: site.services.cameras.of(site.game.row.id) is not None)
    until(phone, lambda: live(site))
    phone.get("about:blank")
    until(phone, lambda: not live(site))
    phone.get(site.url)
    until(phone, lambda: live(site))
    phone.get("about:blank")
    site.services.cameras.phone_begins(site.game.row.id)
    phone.get(site.url)
    until(phone, lambda: phone.execute_script("return Object.keys(sessionStorage).length") == 0)
    assert not find(phone, "#phone video").is_displayed()
    phone.get("about:blank")
