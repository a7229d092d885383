"""Zip files as people's computers and programs pack them again after unpacking."""

from __future__ import annotations

import io
import zipfile

REPACKED = {
    "as it is": ("", "/"),
    "stored": ("", "/"),
    "mac": ("upscore-games/", "/"),
    "mac, several files": ("", "/"),
    "folder": ("upscore-games/", "/"),
    "folder, listed": ("upscore-games/", "/"),
    "folder in a folder": ("My games/upscore-games/", "/"),
    "dot": ("./", "/"),
    "backslash": ("", "\\"),
    "backslash and folder": ("upscore games\\", "\\"),
    "windows": ("spiele-übrig/", "/"),
}
"""Ways that work: the folder that is put before each name, and what stands for the slash."""

REFUSED = {
    "password": "has a password",
    "bzip2": "packed in a way that is not read here",
    "zip in a zip": r"holds another one \(games.zip\): unpack it",
    "two in one": "holds several of them",
}
"""Ways that are refused, and why."""


def repack(data: bytes, way: str, without: str = "") -> bytes:
    """Return a zip file packed again in a way of `REPACKED` or `REFUSED`, `without` one of its files."""
    out = io.BytesIO()
    folder, slash = REPACKED.get(way, ("", "/"))
    method = {"stored": zipfile.ZIP_STORED, "bzip2": zipfile.ZIP_BZIP2}.get(way, zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w", method) as after:
        if way == "zip in a zip":
            after.writestr("games.zip", data)
            return _write_archive(after, out)
        if way == "folder, listed":
            after.mkdir("upscore-games")
        for name in before.namelist():
            if name == without:
                continue
            for top in ("a/", "b/") if way == "two in one" else (folder,):
                after.writestr(_info(f"{top}{name}".replace("/", slash), method), before.read(name))
            if way.startswith("mac"):
                after.writestr(f"__MACOSX/{folder}._{name.rpartition('/')[2]}", b"\0\5\x16\7")
        if way.startswith("mac"):
            after.writestr(f"{folder}.DS_Store", b"\0\0\0\1Bud1")
        if way == "windows":
            after.writestr(f"{folder}Thumbs.db", b"x")
            after.writestr(f"{folder}desktop.ini", b"x")
    packed = out.getvalue()
    return _with_password(packed) if way == "password" else packed


def _info(name: str, method: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = method
    return info


def _write_archive(archive: zipfile.ZipFile, out: io.BytesIO) -> bytes:
    archive.close()
    return out.getvalue()


def _with_password(data: bytes) -> bytes:
    """Mark each file as encrypted, in its own header and in the list of names."""
    changed = bytearray(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        at = archive.start_dir
        for info in archive.infolist():
            changed[info.header_offset + 6] |= 1
            changed[at + 8] |= 1
            at += 46 + len(info.filename.encode()) + len(info.extra) + len(info.comment)
    return bytes(changed)
