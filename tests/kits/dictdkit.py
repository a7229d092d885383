"""Writes small dictionary databases in the format of dictd."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

ENTRIES = (
    (("zax",), "Zax \\Zax\\ (z[a^]ks), n.\n   A slater's tool. [Also {sax}.]\n   [Test]\n"),
    (("vug", "vugh"), "Vug \\Vug\\, n.; pl. {Vugs}. [Corn.] (Min.)\n   A hollow in a rock.\n"),
    (("air-bed",), 'Air-bed \\Air"bed\\, n.\n   A bed of air.\n'),
    (("nid nod",), "Nid nod \\Nid nod\\, v. i.\n   To nod again and again.\n"),
)
"""Headwords and texts of our own, in GCIDE's form."""


def base64(number: int) -> str:
    """Write a number as in dictd's index: ``base64(64)`` is ``"BA"``."""
    digits = DIGITS[number % 64]
    while number := number // 64:
        digits = DIGITS[number % 64] + digits
    return digits


def write_database(
    folder: Path, entries: Iterable[tuple[Iterable[str], str]] = ENTRIES, *, chunk: int | None = 50, name: str = "gcide"
) -> Path:
    """Write a database of these entries into a folder, in chunks of this many bytes; plain text if `chunk` is None."""
    folder.mkdir(parents=True, exist_ok=True)
    text, lines = b"", []
    for headwords, entry in entries:
        data = entry.encode()
        lines += [f"{headword}\t{base64(len(text))}\t{base64(len(data))}\n" for headword in headwords]
        text += data
    lines.sort(key=lambda line: re.sub(r"[^a-z0-9 ]", "", line.partition("\t")[0].lower()))
    (folder / f"{name}.index").write_text("".join(lines))
    if chunk is None:
        (folder / f"{name}.dict").write_bytes(text)
    else:
        (folder / f"{name}.dict.dz").write_bytes(dictzip(text, chunk))
    return folder


def dictzip(text: bytes, chunk: int, *, comment: bool = True) -> bytes:
    """Text compressed so that each chunk can be read alone."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    chunks = [
        packer.compress(text[at : at + chunk]) + packer.flush(zlib.Z_FULL_FLUSH) for at in range(0, len(text), chunk)
    ]
    lengths = b"".join(struct.pack("<H", len(packed)) for packed in chunks)
    random_access = struct.pack("<3H", 1, chunk, len(chunks)) + lengths
    other = struct.pack("<2sH", b"XX", 3) + b"abc"
    extra = other + struct.pack("<2sH", b"RA", len(random_access)) + random_access
    flags = 4 | 8 | (16 | 2 if comment else 0)
    head = struct.pack("<3sBIBBH", b"\x1f\x8b\x08", flags, 0, 2, 3, len(extra)) + extra + b"gcide.dict\0"
    if comment:
        head += b"a comment\0\0\0"
    tail = packer.flush() + struct.pack("<2I", zlib.crc32(text), len(text))
    return head + b"".join(chunks) + tail
