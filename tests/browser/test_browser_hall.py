"""All tables, in a browser: it brings itself up to date, and axe-core has nothing against it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from browserkit import LAPTOP, PHONE, BrowserSite, Look, says, until
from webkit import EXAMPLE
from werkzeug.serving import make_server

from webui.hall import Hall, Source, create_hall

pytestmark = pytest.mark.slow

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
RUN = "axe.run().then((result) => arguments[0](result.violations.map(({ id }) => id)))"


@pytest.fixture
def hall(site: BrowserSite, tmp_path: Path) -> Iterator[tuple[Hall, Source, str]]:
    """The page of a hall with the site and an Upscore that never answered; and where it is served."""
    source, gone = Source("Table 1", f"{site.address}/"), Source("Table 2", "http://127.0.0.1:9/")
    hall = Hall([source, gone], tmp_path)
    server = make_server("127.0.0.1", 0, create_hall(hall), threaded=True)
    serving = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    serving.start()
    yield hall, source, f"http://127.0.0.1:{server.port}/"
    server.shutdown()
    serving.join(timeout=10)
    server.server_close()


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_it_shows_the_newest_play_by_itself(
    site: BrowserSite, hall: tuple[Hall, Source, str], look: Look, size: tuple[int, int]
) -> None:
    following, source, url = hall
    following.look(source)
    browser = look(url, size)
    until(browser, lambda: says(browser, "No turn yet") and says(browser, "No answer yet"))
    site.enter(EXAMPLE[0])
    following.look(source)
    until(browser, "Red: MOOD +8")
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    browser.execute_script(AXE)
    assert browser.execute_async_script(RUN) == []
