"""The kinds of pictures that can be read, in one list: decoders, folders and the page's forms choose by it."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import features


@dataclass(frozen=True)
class PictureKind:
    """A kind of picture.

    Attributes:
        name: what people call it.
        most_pixels: the largest pictures of this kind that are decoded, pixels.
        media_types: what a browser calls its files.
        suffixes: how the names of its files end, in lower case.
        pillow_format: what Pillow calls it.
    """

    name: str
    most_pixels: int
    media_types: tuple[str, ...]
    suffixes: tuple[str, ...]
    pillow_format: str


PICTURE_KINDS = {
    kind.name: kind
    for kind in (
        PictureKind("JPEG", 210_000_000, ("image/jpeg",), (".jpg", ".jpeg", ".mpo"), "JPEG"),
        PictureKind("HEIC", 52_000_000, ("image/heic", "image/heif"), (".heic", ".heif"), "HEIF"),
        PictureKind("PNG", 52_000_000, ("image/png",), (".png",), "PNG"),
        PictureKind("WebP", 24_000_000, ("image/webp",), (".webp",), "WEBP"),
        PictureKind("AVIF", 24_000_000, ("image/avif",), (".avif",), "AVIF"),
        PictureKind("BMP", 52_000_000, ("image/bmp",), (".bmp",), "BMP"),
        PictureKind("TIFF", 52_000_000, ("image/tiff",), (".tif", ".tiff"), "TIFF"),
    )
}
"""All kinds by name. Their limits are what phones take, but no decompression bomb. A JPEG is reduced while it is
decoded. The others stand in memory whole, WebP four times over, and a decoder gets 512 MB. [by hand, large_pictures]
"""

READABLE = tuple(kind for kind in PICTURE_KINDS.values() if kind.name != "AVIF" or features.check("avif"))
"""The kinds that can be read here. Some builds of Pillow decode no AVIF."""
SUFFIXES = frozenset(suffix for kind in READABLE for suffix in kind.suffixes)
"""How the names of readable files end, in lower case."""
MEDIA_TYPES = ",".join(media_type for kind in READABLE for media_type in kind.media_types)
"""The media types for the `accept` attribute of a file field."""
