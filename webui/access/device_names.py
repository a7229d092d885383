"""What a device is called that did not say: by the browser that it has."""

from __future__ import annotations

_KINDS = (
    (("iPhone",), "iPhone"),
    (("iPad",), "iPad"),
    (("Android", "Mobile"), "Android phone"),
    (("Android",), "Android tablet"),
    (("CrOS",), "Chromebook"),
    (("Windows",), "Windows computer"),
    (("Macintosh",), "Mac"),
    (("SmartTV",), "Television"),
    (("SMART-TV",), "Television"),
    (("Linux",), "Linux computer"),
)
"""What stands in a browser's User-Agent, all of it, and what that is; the first that fits."""


def device_name(user_agent: str) -> str:
    """A name for the device of a browser."""
    return next((name for signs, name in _KINDS if all(sign in user_agent for sign in signs)), "A device")
