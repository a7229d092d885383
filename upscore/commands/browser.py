"""The browser that opens by itself, where somebody sits before a screen."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Mapping


def has_screen(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> bool:
    """Return whether the command was started from a terminal on this computer's own screen, by a person."""
    if not sys.stdout.isatty() or {"SSH_CONNECTION", "SSH_TTY", "CI"} & environment.keys():
        return False
    return system in ("win32", "darwin") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & environment.keys())


def open_browser(url: str) -> None:
    """Open an address in a browser with windows, if there is one. The command goes on meanwhile."""

    def show() -> None:
        try:
            browser = webbrowser.get()
        except webbrowser.Error:
            return
        if type(browser) is not webbrowser.GenericBrowser:  # one of those would take the terminal
            browser.open(url)

    threading.Thread(target=show, name="browser", daemon=True).start()
