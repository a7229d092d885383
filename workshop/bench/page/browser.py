"""A headless browser to measure with, as people's are: a screen of a size, and nothing kept from before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
SCREENS = {"phone": (390, 844), "laptop": (1280, 800), "tour": (1280, 1000)}


def is_there() -> bool:
    """Return whether this computer has a browser for the measurements."""
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


@contextmanager
def browser(screen: str) -> Iterator[webdriver.Chrome]:
    """Start Chromium with a window of one of SCREENS, and close it afterwards."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in FLAGS:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    width, height = SCREENS[screen]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": screen == "phone"}
    try:
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        yield driver
    finally:
        driver.quit()
