"""A served page for tests in a browser, and the browser's settings."""

from __future__ import annotations

import shutil
import sys
import threading
from pathlib import Path

from werkzeug.serving import make_server

sys.path.insert(0, str(Path(__file__).parents[1] / "webui"))

from webkit import ScriptedReader, config, empty_position

from webui.app import create_app, services_of
from webui.services import Services
from webui.tables import OpenGame

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PHONE = (360, 740)
LAPTOP = (1280, 800)


class Site:
    """A served application with a game of Red and Blue on 8x8, and its scripted reader."""

    def __init__(self, data: Path) -> None:
        self.reader = ScriptedReader(position=empty_position())
        self._data = data
        self._port = 0
        self.start()
        self.game = self.made.tables.start(
            edition="8x8", players=("Red", "Blue"), rules=self.made.config.rules, lexicon="standard"
        )

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """The page of the game."""
        return f"{self.address}/games/{self.game.row.id}"

    def now(self) -> OpenGame:
        """The game as it stands."""
        return self.made.tables.open(self.game.row.id)

    def start(self) -> None:
        """Serve, at the same port as before."""
        app = create_app(config(self._data, self.reader))
        self.made: Services = services_of(app)
        self._server = make_server("127.0.0.1", self._port, app, threaded=True)
        self._port = self._server.port
        self._serving = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._serving.start()

    def stop(self) -> None:
        """Stop serving; what was stored stays."""
        self.made.close()
        self._server.shutdown()
        self._serving.join(timeout=10)
        self._server.server_close()
