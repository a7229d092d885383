"""The lines about joining in the terminal: a QR code to watch by, the PIN, and a link for whoever keeps the page."""

from __future__ import annotations

import sys
from typing import TextIO

from webui.access.gate import Gate
from webui.access.invitations import Invitation
from webui.access.permissions import Role
from webui.access.qr import qr_blocks
from webui.hosts import Unreachable

_LIGHT_ON_DARK, _AS_BEFORE = "\x1b[97;40m", "\x1b[0m"


def greet(gate: Gate, out: TextIO | None = None, *, by_other_names: bool = False) -> None:
    """Print how other devices get in, or why they can't yet.

    `by_other_names` says that a proxy may bring some although no address is shown.
    """
    out = out or sys.stdout
    pin = f"{gate.pin.digits[:3]} {gate.pin.digits[3:]}"
    reach = gate.reach()
    if reach.shown is None:
        if reach.problem not in (None, Unreachable.HERE_ALONE):
            print(f"{reach.problem.text} {reach.problem.command}".rstrip(), file=out, flush=True)
        if by_other_names:
            print(f"To keep the score on another device, type the PIN {pin} there.", file=out, flush=True)
        return
    watch, keep = (
        f"{reach.shown.url}join/{gate.invitations.code(Invitation(role))}"
        for role in (Role.VIEWER, Role.KEEPER)
    )
    lines = [
        "",
        "To watch, scan this with a phone in the same network, or open there",
        f"  {watch}",
        *_drawn(watch, out),
        f"To keep the score on a phone, open the page there and type the PIN {pin}.",
        "To keep this page from another device (its codes, its PIN, who is in), open there",
        f"  {keep}",
    ]
    if reach.others:
        others = " and ".join(f"{each.url} ({each.interface})" for each in reach.others)
        lines.append(f"If no phone can open it, choose another address under Phones and QR code: {others}")
    print("\n".join(lines), file=out, flush=True)


def _drawn(text: str, out: TextIO) -> list[str]:
    """A QR code, where somebody looks and the terminal has the characters."""
    try:
        "▄▀█".encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return []
    if not out.isatty():
        return []
    return ["", *(f"  {_LIGHT_ON_DARK}{line}{_AS_BEFORE}" for line in qr_blocks(text).splitlines()), ""]
