"""A photograph on its way from a phone: made smaller, kept until it is answered for, cancelled, taken once."""

from __future__ import annotations

import gc
import io
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from browserkit import BrowserSite, Look, click, find, forget_complaints, later, says, tap, until, wire_is_up
from flask import Flask, request
from PIL import Image as PillowImage
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from webkit import EXAMPLE, ScriptedReader, after_plays, doubt, empty_position, jpeg, make_finding, picture, sure

from engine import parse_play
from vision import Belief, Finding
from vision.images import Image, decode_image
from vision.picture_quality import has_missing_part
from webui.ports import TurnQuery

pytestmark = pytest.mark.slow

WAITING = """
  const done = arguments[arguments.length - 1];
  const request = indexedDB.open("upscore", 1);
  request.onsuccess = () => {
    const all = request.result.transaction("photographs").objectStore("photographs").getAllKeys();
    all.onsuccess = () => { request.result.close(); done(all.result.length); };
  };
"""


REMEMBER = """
  window.connections = [];
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (...given) {
    const request = open.apply(this, given);
    request.addEventListener("success", () => connections.push(request.result));
    return request;
  };
"""
"""Has the page's connections to what it keeps at hand."""


class SlowReader(ScriptedReader):
    """Says what the script has once it may; `began` tells that it is at it."""

    def __init__(self) -> None:
        super().__init__(position=empty_position())
        self.may, self.began = threading.Event(), threading.Event()

    def read_turn(self, image: Image, query: TurnQuery) -> tuple[Belief, Finding]:
        self.began.set()
        assert self.may.wait(20)
        return super().read_turn(image, query)


class Stalling(BrowserSite):
    """Its connection stalls in the middle of the first photograph; `stalled` tells of it."""

    def start(self) -> None:
        super().start()
        self.stalled, self.goes_on = threading.Event(), threading.Event()
        assert isinstance(self._server.app, Flask)
        self._server.app.before_request_funcs.setdefault(None, []).insert(0, self._stall)

    def _stall(self) -> str | None:
        if request.method != "POST" or self.stalled.is_set():
            return None
        self.stalled.set()
        self.goes_on.wait(60)
        return "nobody hears this any more"


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[BrowserSite, SlowReader]]:
    """A served page whose reader takes its time."""
    reader = SlowReader()
    served = BrowserSite(tmp_path / "slow", reader)
    reader.say([sure(EXAMPLE[0])])
    yield served, reader
    reader.may.set()
    served.stop()


def with_time(data: bytes, time: str) -> bytes:
    """A JPEG file that says when it was taken, in EXIF."""
    picture, out = PillowImage.open(io.BytesIO(data)), io.BytesIO()
    exif = picture.getexif()
    exif[306] = time
    picture.save(out, "JPEG", exif=exif)
    return out.getvalue()


def just_taken(data: bytes) -> bytes:
    """Return a JPEG file as a camera writes it now."""
    return with_time(data, f"{datetime.now():%Y:%m:%d %H:%M:%S}")


def choose(browser: Chrome, path: Path, data: bytes | None = None) -> None:
    """Photograph: the phone's camera gives this file."""
    if data is not None or not path.exists():
        path.write_bytes(jpeg(480, 640) if data is None else data)
    find(browser, 'input[type="file"][capture="environment"]').send_keys(str(path))


def waiting(browser: Chrome) -> int:
    """Return how many photographs this device keeps."""
    return int(browser.execute_async_script(WAITING))


def go_by(browser: Chrome, seconds: int) -> None:
    """Let this much time pass on the page's clock, in which it hears from the scoresheet.

    Its timers keep their own time.
    """
    for _ in range(seconds // 5):
        later(browser, 5)
        browser.execute_async_script("setTimeout(arguments[0], 300)")


def network(browser: Chrome, *, offline: bool = False, upload: int = -1) -> None:
    """Set the phone's connection: none, or one with this many bytes a second."""
    conditions = {"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": upload}
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)


@pytest.fixture(autouse=True)
def well_connected(look: Look) -> Iterator[None]:
    """The next test has its connection back."""
    yield
    browser = look("about:blank")
    network(browser)
    forget_complaints(browser)


def test_a_large_photograph_is_made_smaller_and_upright_on_the_phone(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    exif, turned = PillowImage.Exif(), io.BytesIO()
    exif[0x0112] = 6
    PillowImage.fromarray(picture(2250, 3000)).save(turned, "JPEG", exif=exif)
    site.reader.say([sure(EXAMPLE[0])])
    browser = look(site.url)
    choose(browser, tmp_path / "turn.jpg", just_taken(turned.getvalue()))
    until(browser, "MOOD")
    assert site.reader.images[0].shape == (2048, 1536, 3)
    assert waiting(browser) == 0


@pytest.mark.parametrize("time", [None, "2026:01:02 12:00:00"], ids=["without a time", "taken long ago"])
def test_a_damaged_copy_is_sent_as_it_is_so_that_its_damage_is_found(
    site: BrowserSite, look: Look, tmp_path: Path, time: str | None
) -> None:
    whole = jpeg(2250, 3000) if time is None else with_time(jpeg(2250, 3000), time)
    at = len(whole) * 7 // 10
    damaged = whole[:at] + bytes(100) + whole[at + 100 :]
    site.reader.say([sure(EXAMPLE[0])])
    browser = look(site.url)
    network(browser, offline=True)
    choose(browser, tmp_path / "turn.jpg", damaged)
    until(browser, lambda: waiting(browser) == 1)
    network(browser)
    until(browser, "MOOD")
    assert np.array_equal(site.reader.images[0], decode_image(damaged)[0])
    assert has_missing_part(site.reader.images[0])


def test_what_the_browser_cannot_open_is_sent_as_it_is(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    PillowImage.fromarray(picture(1200, 2400)).save(tmp_path / "turn.tif")
    site.reader.say([sure(EXAMPLE[0])])
    browser = look(site.url)
    choose(browser, tmp_path / "turn.tif")
    until(browser, "MOOD")
    assert site.reader.images[0].shape == (1200, 2400, 3)


SPOIL = """
  const { prototype } = CanvasRenderingContext2D, draw = prototype.drawImage;
  prototype.drawImage = function (...given) {
    draw.apply(this, given);
    const { width, height } = this.canvas, pixels = this.getImageData(0, 0, width, height);
    for (let at = 0; at < pixels.data.length; at += 1) if (at % 4 !== 3) pixels.data[at] = SPOILT;
    this.putImageData(pixels, 0, 0);
  };
"""
BITMAP = "const open = createImageBitmap; window.createImageBitmap = (...given) =>"
TO_BLOB = "HTMLCanvasElement.prototype.toBlob ="
FAULTS = {
    "random pixels": SPOIL.replace("SPOILT", "Math.random() * 255"),
    "nothing is drawn": "CanvasRenderingContext2D.prototype.drawImage = () => {};",
    "only bitmaps are not drawn": "const { prototype } = CanvasRenderingContext2D, draw = prototype.drawImage;"
    "prototype.drawImage = function (...given) { given[0] instanceof ImageBitmap || draw.apply(this, given); };",
    "no context": "HTMLCanvasElement.prototype.getContext = () => null;",
    "refused": f"{TO_BLOB} () => {{ throw new DOMException('blocked', 'SecurityError'); }};",
    "no data": f"{TO_BLOB} (done) => done(null);",
    "another picture": f"const make = HTMLCanvasElement.prototype.toBlob; {TO_BLOB} function (...given) {{"
    "this.getContext('2d').fillRect(0, 0, this.width, this.height); make.apply(this, given); };",
    "no answer from the canvas": f"{TO_BLOB} () => {{}};",
    "no answer from the decoder": f"{BITMAP} new Promise(() => {{}});",
    "no decoder": "delete window.createImageBitmap;",
}
"""What keeps a page from a photograph's pixels, each as a script that brings it about."""


@pytest.fixture
def spoilt(look: Look) -> Iterator[Callable[[str, str], Chrome]]:
    """Opens an address in a browser whose pages run a script before their own."""
    browser = look("about:blank")
    scripts = []

    def open_(url: str, source: str) -> Chrome:
        scripts.append(browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source}))
        return look(url)

    yield open_
    for script in scripts:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_browser_that_keeps_the_pixels_back_sends_the_file_as_it_is(
    site: BrowserSite, spoilt: Callable[[str, str], Chrome], tmp_path: Path, fault: str
) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    browser = spoilt(site.url, fault)
    choose(browser, tmp_path / "turn.jpg", just_taken(jpeg(1200, 2400)))
    until(browser, "MOOD")
    assert site.reader.images[0].shape == (1200, 2400, 3)
    until(browser, lambda: waiting(browser) == 0)


def test_faint_noise_on_a_canvas_is_no_reason_to_send_the_large_file(
    site: BrowserSite, spoilt: Callable[[str, str], Chrome], tmp_path: Path
) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    browser = spoilt(site.url, SPOIL.replace("SPOILT", "pixels.data[at] ^ (at % 50 === 0)"))
    choose(browser, tmp_path / "turn.jpg", just_taken(jpeg(1200, 2400)))
    until(browser, "MOOD")
    assert site.reader.images[0].shape == (1024, 2048, 3)


def test_a_store_that_never_answers_keeps_no_photograph_back(
    site: BrowserSite, spoilt: Callable[[str, str], Chrome], tmp_path: Path
) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    browser = spoilt(site.url, "IDBFactory.prototype.open = () => ({});")
    choose(browser, tmp_path / "turn.jpg")
    until(browser, "MOOD")
    assert len(site.reader.images) == 1


def test_one_that_cannot_be_prepared_at_all_is_told_and_the_next_one_goes(
    site: BrowserSite, spoilt: Callable[[str, str], Chrome], tmp_path: Path
) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    browser = spoilt(site.url, "crypto.getRandomValues = () => { delete crypto.getRandomValues; throw 0; };")
    choose(browser, tmp_path / "turn.jpg")
    until(browser, "Something went wrong with the photo. Take it again.")
    assert not find(browser, ".sending").is_displayed()
    choose(browser, tmp_path / "turn.jpg")
    until(browser, "MOOD")


def test_one_that_is_cancelled_while_it_is_prepared_is_not_sent(
    site: BrowserSite, spoilt: Callable[[str, str], Chrome], tmp_path: Path
) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    slow = f"{BITMAP} new Promise((go) => (window.go = go)).then(() => open(...given));"
    browser = spoilt(site.url, slow)
    choose(browser, tmp_path / "turn.jpg", just_taken(jpeg(480, 640)))
    until(browser, "Preparing the photo")
    click(browser, ".sending [data-stop]")
    until(browser, "Cancelled. Nothing was scored.")
    assert not find(browser, ".sending").is_displayed()
    browser.execute_script("const first = window.go; delete window.go; first()")
    choose(browser, tmp_path / "next.jpg", just_taken(jpeg(400, 640)))
    until(browser, lambda: browser.execute_script("return Boolean(window.go)"))
    browser.execute_script("window.go()")
    until(browser, "MOOD")
    assert [image.shape[0] for image in site.reader.images] == [400]


def test_several_chosen_at_once_are_read_in_the_order_in_which_they_were_taken(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    site.reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[1])])
    browser = look(site.url)
    for name, size, time in (("b.jpg", 400, "2026:01:02 12:00:01"), ("a.jpg", 480, "2026:01:02 12:00:02")):
        (tmp_path / name).write_bytes(with_time(jpeg(size, 640), time))
    field = find(browser, 'input[type="file"]:not([capture])')
    field.send_keys(f"{tmp_path / 'a.jpg'}\n{tmp_path / 'b.jpg'}")
    until(browser, lambda: len(site.now().game.turns) == 2)
    assert [image.shape[0] for image in site.reader.images] == [400, 480]


def test_an_earlier_photograph_from_another_phone_takes_nothing_back(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    site.reader.say([sure(EXAMPLE[0]), make_finding("removed")])
    browser = look(site.url)
    choose(browser, tmp_path / "turn.jpg")
    until(browser, "MOOD")
    choose(browser, tmp_path / "old.jpg", with_time(jpeg(400, 640), "2026:01:02 12:00:01"))
    until(browser, "This is an earlier photo")
    assert (site.now().question, len(site.now().game.turns)) == (None, 1)


def test_the_question_of_ones_own_photograph_comes_into_sight_and_is_a_tap_away(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    after_plays(site.services, site.now(), *EXAMPLE[:4])
    browser = look(site.url)

    def in_sight() -> bool:
        return bool(
            browser.execute_script(
                "const box = document.getElementById('question').getBoundingClientRect();"
                "return box.top > 0 && box.bottom < innerHeight"
            )
        )

    browser.execute_script("scrollTo(0, document.body.scrollHeight)")
    site.reader.say([doubt(EXAMPLE[4])])
    choose(browser, tmp_path / "turn.jpg")
    until(browser, lambda: find(browser, "#question") and in_sight())
    assert not find(browser, ".waits").is_displayed()
    browser.execute_script("scrollTo(0, document.body.scrollHeight)")
    until(browser, lambda: find(browser, ".waits").is_displayed())
    click(browser, ".waits")
    until(browser, in_sight)
    tap(browser, "Skip")
    until(browser, lambda: not browser.find_elements(By.ID, "question"))
    assert not find(browser, ".waits").is_displayed()


def test_photographs_go_in_the_order_in_which_they_were_taken(
    site: BrowserSite, spoilt: Callable[[str, str], Chrome], tmp_path: Path
) -> None:
    site.reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[1])])
    first_is_slow = (
        "let more = 500; "
        + BITMAP
        + (" new Promise((go) => setTimeout(go, more, (more = 0))).then(() => open(...given));")
    )
    browser = spoilt(site.url, first_is_slow)
    for size in (400, 480):
        choose(browser, tmp_path / f"{size}.jpg", just_taken(jpeg(size, 640)))
    until(browser, "DEAR")
    assert [image.shape[0] for image in site.reader.images] == [400, 480]


def test_a_photograph_to_start_from_is_made_smaller_too(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    PillowImage.fromarray(picture(1500, 3000)).save(tmp_path / "start.png")
    browser = look(f"{site.address}/new")
    tap(browser, "Start in the middle", "summary")
    find(browser, 'input[name="photo"]').send_keys(str(tmp_path / "start.png"))
    size = "return createImageBitmap(document.querySelector('input[name=photo]').files[0]).then((it) => it.width)"
    until(browser, lambda: browser.execute_script(size) == 2048)
    assert says(browser, "start.png")


def test_how_far_it_is_is_told_and_it_can_be_cancelled_on_its_way(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    browser = look(site.url, live=True)
    network(browser, upload=20_000)
    noise = PillowImage.effect_noise((2000, 1500), 90)
    noise.save(tmp_path / "turn.jpg", quality=90)
    choose(browser, tmp_path / "turn.jpg")
    until(
        browser,
        lambda: says(browser, "Sending") and float(find(browser, ".sending progress").get_attribute("value") or 0) > 0,
    )
    click(browser, ".sending [data-stop]")
    until(browser, "Cancelled")
    until(browser, lambda: not find(browser, ".sending").is_displayed())
    assert (waiting(browser), site.reader.images, site.now().row.version) == (0, [], site.game.row.version)


def test_it_can_be_cancelled_while_it_is_read(slow: tuple[BrowserSite, SlowReader], look: Look, tmp_path: Path) -> None:
    site, reader = slow
    browser = look(site.url)
    choose(browser, tmp_path / "turn.jpg")
    until(browser, "Reading")
    assert reader.began.wait(10)
    click(browser, ".sending [data-stop]")
    until(browser, "Cancelled. Nothing was scored.")
    reader.may.set()
    until(browser, lambda: not reader.script)
    assert (waiting(browser), site.now().row.version) == (0, site.game.row.version)


def test_without_a_connection_it_waits_and_goes_when_there_is_one(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    browser = look(site.url, live=True)
    network(browser, offline=True)
    choose(browser, tmp_path / "turn.jpg")
    until(browser, "No connection. The photo is kept here and sent again")
    assert waiting(browser) == 1
    network(browser)
    until(browser, "MOOD")
    until(browser, lambda: not find(browser, ".sending").is_displayed())
    assert (waiting(browser), len(site.now().game.turns)) == (0, 1)


def test_while_the_server_is_stopped_it_waits_and_goes_when_it_is_back(
    site: BrowserSite, look: Look, tmp_path: Path
) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    browser = look(site.url, live=True)
    site.stop()
    choose(browser, tmp_path / "turn.jpg")
    until(browser, "Can't reach the computer. The photo is kept here")
    site.start()
    until(browser, "MOOD")
    assert (waiting(browser), len(site.now().game.turns), len(site.reader.images)) == (0, 1, 1)


def test_one_that_waits_can_be_thrown_away(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    browser = look(site.url, live=True)
    network(browser, offline=True)
    choose(browser, tmp_path / "turn.jpg")
    until(browser, lambda: find(browser, ".sending [data-now]").is_displayed())
    tap(browser, "Delete photo")
    until(browser, lambda: not find(browser, ".sending").is_displayed())
    network(browser)
    assert (waiting(browser), site.reader.images) == (0, [])


def test_one_whose_connection_stalls_on_its_way_is_sent_again(look: Look, tmp_path: Path) -> None:
    site = Stalling(tmp_path / "stalling")

    def has_given_up() -> bool:
        assert not says(browser, "Reading")
        go_by(browser, 10)
        return says(browser, "Not sent yet. The photo is kept here")

    try:
        site.reader.say([sure(EXAMPLE[0])])
        PillowImage.fromarray(picture(2400, 3600)).save(tmp_path / "turn.tif")  # more than buffers on the way hold
        site.services.announcer._heartbeat_s = 0.1
        browser = look(site.url)
        choose(browser, tmp_path / "turn.tif")
        assert site.stalled.wait(10)
        until(browser, has_given_up)
        assert (waiting(browser), site.reader.images) == (1, [])
        site.goes_on.set()
        until(browser, "MOOD")
        until(browser, lambda: waiting(browser) == 0)
        assert (len(site.now().game.turns), len(site.reader.images)) == (1, 1)
        look("about:blank")
    finally:
        site.goes_on.set()
        site.stop()


def test_one_that_never_left_the_phone_is_not_said_to_be_read(look: Look, tmp_path: Path) -> None:
    """The browser holds all of a small photograph to be sent; the computer has not got it."""
    site = Stalling(tmp_path / "stalling")
    try:
        site.reader.say([sure(EXAMPLE[0])])
        site.services.announcer._heartbeat_s = 0.1
        browser = look(site.url)
        browser.execute_script(
            """window.shown = [];
            new MutationObserver(() => shown.push(document.querySelector(".sending p")?.textContent))
              .observe(document.body, { subtree: true, childList: true, characterData: true });"""
        )
        choose(browser, tmp_path / "turn.jpg")
        assert site.stalled.wait(10)
        until(browser, "Sending …")
        go_by(browser, 15)
        until(browser, "Not sent yet. The photo is kept here and sent again")
        assert not any("Reading" in (text or "") for text in browser.execute_script("return shown"))
        site.goes_on.set()
        until(browser, "MOOD")
        until(browser, lambda: waiting(browser) == 0)
        look("about:blank")
    finally:
        site.goes_on.set()
        site.stop()


def test_one_that_is_read_for_ever_is_sent_again_and_taken_once(
    slow: tuple[BrowserSite, SlowReader], look: Look, tmp_path: Path
) -> None:
    site, reader = slow
    site.services.announcer._heartbeat_s = 0.1
    browser = look(site.url)
    choose(browser, tmp_path / "turn.jpg")
    until(browser, "Reading")
    assert reader.began.wait(10)
    go_by(browser, 60)
    assert says(browser, "Reading")
    go_by(browser, 35)
    until(browser, "Can't reach the computer. The photo is kept here")
    reader.may.set()
    until(browser, "MOOD")
    until(browser, lambda: waiting(browser) == 0)
    assert (len(site.now().game.turns), len(reader.images)) == (1, 1)


def close_while_reading(site: BrowserSite, reader: SlowReader, look: Look, tmp_path: Path) -> Chrome:
    """The browser whose page was closed while its photograph was read, which was then taken."""
    browser = look(site.url)
    choose(browser, tmp_path / "turn.jpg")
    assert reader.began.wait(10)
    look("about:blank")
    reader.may.set()
    until(browser, lambda: site.now().game.turns)
    return browser


def test_a_page_closed_while_it_is_read_loses_nothing_and_enters_one_turn(
    slow: tuple[BrowserSite, SlowReader], look: Look, tmp_path: Path
) -> None:
    site, reader = slow
    browser = close_while_reading(site, reader, look, tmp_path)
    look(site.url)
    until(browser, "MOOD")
    until(browser, lambda: waiting(browser) == 0)
    assert (len(site.now().game.turns), len(reader.images)) == (1, 1)


def test_a_server_that_was_started_anew_in_between_takes_it_once(
    slow: tuple[BrowserSite, SlowReader], look: Look, tmp_path: Path
) -> None:
    site, reader = slow
    browser = close_while_reading(site, reader, look, tmp_path)
    site.stop()
    site.start()
    look(site.url)
    until(browser, lambda: waiting(browser) == 0)
    assert (len(site.now().game.turns), len(reader.images)) == (1, 1)


def test_several_go_one_after_the_other(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    site.reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[1])])
    browser = look(site.url, live=True)
    network(browser, offline=True)
    for size in (400, 480):
        choose(browser, tmp_path / f"{size}.jpg", jpeg(size, 640))
        until(browser, "The photo is kept here")
    until(browser, lambda: waiting(browser) == 2)
    network(browser)
    until(browser, "DEAR")
    assert [image.shape[0] for image in site.reader.images] == [400, 480]


def test_two_tabs_that_answer_the_same_question_settle_it_once(site: BrowserSite, look: Look) -> None:
    site.take(doubt(EXAMPLE[0], "M@b4 O@c4 O@d4 B@e4"), source="camera")
    browser = look(site.url)
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/parts"]})  # it isn't told what others do
    browser.get(site.url)
    second = browser.current_window_handle
    try:
        browser.switch_to.window(first)
        tap(browser, "MOOD")
        until(browser, lambda: len(site.now().game.turns) == 1)
        browser.switch_to.window(second)
        tap(browser, "MOOB", then="That question has already been answered")
        assert [record.play for record in site.now().game.turns] == [parse_play(EXAMPLE[0])]
    finally:
        browser.switch_to.window(second)
        browser.close()
        browser.switch_to.window(first)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_page_closed_in_mid_upload_loses_nothing(site: BrowserSite, look: Look, tmp_path: Path) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    browser = look(site.url, live=True)
    network(browser, upload=30_000)
    PillowImage.effect_noise((1500, 1200), 90).save(tmp_path / "turn.jpg", quality=90)
    choose(browser, tmp_path / "turn.jpg")
    until(browser, lambda: float(find(browser, ".sending progress").get_attribute("value") or 0) > 0)
    look("about:blank")
    network(browser)
    assert site.reader.images == []
    look(site.url)
    until(browser, "MOOD")
    until(browser, lambda: waiting(browser) == 0)
    assert (len(site.now().game.turns), len(site.reader.images)) == (1, 1)
    gc.collect()  # the file of the upload that was cut off is closed here, with a warning, not in a test after this one


@pytest.fixture
def offline(site: BrowserSite, look: Look, tmp_path: Path) -> Iterator[Chrome]:
    """The page of a game on a phone that keeps a photograph, without a connection; its store is at hand."""
    site.reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[1])])
    browser = look("about:blank")
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": REMEMBER})
    look(site.url)
    wire_is_up(browser, site)
    network(browser, offline=True)
    choose(browser, tmp_path / "400.jpg", jpeg(400, 640))
    until(browser, lambda: waiting(browser) == 1)
    yield browser
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@pytest.mark.parametrize("event", ["", "close"], ids=["in silence", "told"])
def test_a_store_that_the_browser_closed_is_opened_again(
    site: BrowserSite, offline: Chrome, tmp_path: Path, event: str
) -> None:
    """As iOS does with those of pages that are out of sight."""
    offline.execute_script(
        "for (const each of connections) each.close();"
        "if (arguments[0]) for (const each of connections) each.dispatchEvent(new Event(arguments[0]));",
        event,
    )
    choose(offline, tmp_path / "480.jpg", jpeg(480, 640))
    until(offline, lambda: waiting(offline) == 2)
    network(offline)
    until(offline, "DEAR")
    until(offline, lambda: waiting(offline) == 0)
    assert [image.shape[0] for image in site.reader.images] == [400, 480]


def test_what_waits_stays_in_sight_while_the_browser_does_not_give_it(site: BrowserSite, offline: Chrome) -> None:
    offline.execute_script(
        "const { prototype } = IDBDatabase; const asked = prototype.transaction;"
        "window.mend = () => (prototype.transaction = asked);"
        "prototype.transaction = () => {"
        'window.asked += 1; throw new DOMException("Connection lost", "UnknownError"); };'
        "window.asked = 0;"
        "document.querySelector('.sending [data-stop]')"
        ".addEventListener('click', () => (window.asked = 0), true);"
    )
    tap(offline, "Send now", then="The browser lost the photo. The photo is kept")
    tap(offline, "Delete photo")
    until(offline, lambda: offline.execute_script("return window.asked") == 2)
    until(offline, "The browser lost the photo. The photo is kept")
    offline.execute_script("mend()")
    network(offline)
    until(offline, "MOOD")
    until(offline, lambda: waiting(offline) == 0)


def test_a_store_of_another_version_is_not_stood_in_the_way_of(offline: Chrome) -> None:
    gone = offline.execute_async_script(
        'const request = indexedDB.deleteDatabase("upscore");'
        'request.onsuccess = () => arguments[0]("gone");'
        'request.onblocked = () => arguments[0]("blocked");'
    )
    assert gone == "gone"
