"""QR codes, as pictures for the page and as blocks for a terminal."""

from __future__ import annotations

from markupsafe import Markup

QUIET = 4
"""Light squares around a code, which those who read it need."""
_BLOCKS = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}


def qr_svg(text: str) -> Markup:
    """A QR code as SVG to stand in a page, dark on light whatever the page's colours are."""
    import segno  # here, since only few starts of the program draw one

    code = segno.make(text, error="m", micro=False)
    drawn = code.svg_inline(
        border=QUIET, omitsize=True, dark="#000", light="#fff", svgclass="qr", lineclass=None
    )
    return Markup(drawn)  # segno's own, with nothing of the text in it


def qr_blocks(text: str) -> str:
    """A QR code as lines of half blocks, light on what is dark: for a terminal, where two rows make a line."""
    import segno

    rows = [
        [1 - bit for bit in row] for row in segno.make(text, error="l", micro=False).matrix_iter(border=QUIET)
    ]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(_BLOCKS[pair] for pair in zip(*both, strict=True)) for both in pairs)
