"""Network cameras: films of JPEGs, single pictures, other films, and why there is none."""

from __future__ import annotations

import base64
import http.client
import socket
import ssl
import time
import urllib.request
from collections.abc import Iterator
from typing import Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit

import cv2
import numpy as np
import numpy.typing as npt

from engine.wording import phrase
from vision import VideoError
from vision.images import is_damaged

_OPEN_S, _READ_S = 5.0, 2.5
"""Seconds after which a network camera counts as lost: without an answer, and without a picture. [by eye]"""
_POLL_S = 0.2
"""Seconds before an address of single pictures is asked again. [by eye]"""
_PIECE_BYTES = 65_536
_MAX_PICTURE_BYTES = 32 * 1024 * 1024
"""Most bytes in which a picture must be found. [by eye]"""
_PEEK_BYTES = 512
_SOI, _SOS, _EOI = b"\xff\xd8\xff", b"\xda", b"\xff\xd9"
"""Marks in a JPEG: its beginning (with the next mark's first byte), where its data begin, and its end."""


class NoFilm(Exception):
    """The reason why a camera gives no pictures: what it does, and what people can do about it."""

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(what)
        self.what, self.advice = what, advice


_UNREACHABLE = phrase("cannot be reached"), phrase("check that it is on and in this network, and its address")
_REFUSED = (
    phrase("asks for a user name and a password, or refused them"),
    phrase("put the right ones before its address, as in http://NAME:PASSWORD@ADDRESS"),
)
_NOTHING_THERE = phrase("answers, but has nothing at this address"), phrase("look up its video address in the manual")
_WEB_PAGE = phrase("sends a web page, not a video"), phrase("give the address of its video or picture, not of its page")
_SILENT = phrase("answers, but sends nothing"), phrase("check its address, or switch it off and on")
_NO_PICTURES = (
    phrase("answers, but sends no video"),
    phrase("check its address, and look up its video address in the manual"),
)


class FrameSource(Protocol):
    """The interface of cv2.VideoCapture that we use."""

    def isOpened(self) -> bool: ...

    def grab(self) -> bool: ...

    def retrieve(self) -> tuple[bool, npt.NDArray[np.uint8]]: ...

    def release(self) -> None: ...


def open_network(address: str) -> FrameSource:
    """Return the pictures at an http or rtsp address. Raises NoFilm with the reason if there are none."""
    if address.lower().startswith("http"):
        answer = _ask(address)
        if _is_jpeg(answer):
            return JpegSource(address, answer)
        answer.close()
    from vision.video.film import LiveFilm  # PyAV takes 0.1 s to load, and most cameras need none

    try:
        return LiveFilm(address, open_s=_OPEN_S, read_s=_READ_S)
    except VideoError:
        raise NoFilm(*_why_no_film(urlsplit(address))) from None


class JpegSource:
    """The JPEGs at an http address.

    If the answer ends after a picture, it asks again: the camera sends single pictures.
    """

    def __init__(self, address: str, answer: http.client.HTTPResponse) -> None:
        self._address, self._answer = address, answer
        self._pictures = jpegs(answer)
        self._picture, self._count = b"", 0

    def isOpened(self) -> bool:
        """Return whether the camera answered."""
        return True

    def grab(self) -> bool:
        """Wait for the next picture; return whether it came."""
        try:
            self._picture = next(self._pictures, b"") or self._next_answer()
        except (NoFilm, OSError, http.client.HTTPException):
            return False
        self._count += 1
        return bool(self._picture)

    def retrieve(self) -> tuple[bool, npt.NDArray[np.uint8]]:
        """Decode the picture. Return False if it is damaged."""
        if is_damaged(self._picture):
            return False, np.empty(0, np.uint8)
        image = cv2.imdecode(np.frombuffer(self._picture, np.uint8), cv2.IMREAD_COLOR)
        return image is not None, np.asarray(image, np.uint8)

    def release(self) -> None:
        """Close the connection."""
        self._answer.close()

    def _next_answer(self) -> bytes:
        """Return the first picture of another answer, or nothing if the last one had none."""
        self._answer.close()
        if not self._count:
            return b""
        time.sleep(_POLL_S)
        self._answer, self._count = _ask(self._address), 0
        self._pictures = jpegs(self._answer)
        return next(self._pictures, b"")


class Body(Protocol):
    """The interface of an http answer that we use.

    `length` is the number of bytes to come, None if the camera did not say.
    """

    length: int | None

    def read1(self, n: int, /) -> bytes: ...


def jpegs(body: Body) -> Iterator[bytes]:
    """Yield each JPEG of a stream as soon as it is complete, whatever comes between them.

    Cameras differ in the boundaries between pictures, and some leave out boundaries, lengths, or a picture's end mark.
    """
    data = b""
    while piece := body.read1(_PIECE_BYTES):
        data += piece
        while (found := _first_jpeg(data)) is not None:
            picture, end = found
            yield picture
            data = data[end:]
        if len(data) > _MAX_PICTURE_BYTES:
            raise NoFilm(*_NO_PICTURES)
    if body.length == 0 and (start := data.find(_SOI)) >= 0:
        yield data[start:] + _EOI


def _first_jpeg(data: bytes) -> tuple[bytes, int] | None:
    """Return the first complete JPEG and where it ends: at its end mark, or before the next picture."""
    start = data.find(_SOI)
    if start < 0:
        return None
    at = start + 2
    while data[at : at + 1] == b"\xff" and data[at + 1 : at + 2] not in (b"", _SOS):
        # segments are skipped by their length: a small picture in one of them has marks of its own
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    end, following = data.find(_EOI, at), data.find(_SOI, at)
    if 0 <= end < following or (end >= 0 > following):
        return data[start : end + 2], end + 2
    if following < 0:
        return None
    return data[start:following].partition(b"\r\n--")[0] + _EOI, following


def _ask(address: str) -> http.client.HTTPResponse:
    """Return the answer of a camera over http. Raises NoFilm if it gives none that may hold pictures."""
    parts = urlsplit(address)
    request = urllib.request.Request(parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl())
    try:
        try:
            return _open(request)
        except HTTPError as error:
            error.close()
            if error.code != 401 or parts.username is None:
                raise
            name, password = unquote(parts.username), unquote(parts.password or "")
            challenges = error.headers.get_all("WWW-Authenticate", [])
            request.add_unredirected_header("Authorization", _authorization(request, challenges, name, password))
            return _open(request)
    except HTTPError as error:
        error.close()
        raise NoFilm(*_why(error.code)) from None
    except (URLError, http.client.InvalidURL, OverflowError, UnicodeError):
        raise NoFilm(*_UNREACHABLE) from None
    except (OSError, http.client.HTTPException):
        raise NoFilm(*_SILENT) from None


def _open(request: urllib.request.Request) -> http.client.HTTPResponse:
    # most cameras sign their certificates themselves
    unverified = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=unverified)
    )
    answer: http.client.HTTPResponse = opener.open(request, timeout=_OPEN_S)
    return answer


def _authorization(request: urllib.request.Request, challenges: list[str], name: str, password: str) -> str:
    """Return the header with the password, as a digest if the camera takes one."""
    for challenge in challenges:
        scheme, _, details = challenge.partition(" ")
        if scheme.lower() == "digest":
            passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
            passwords.add_password(None, request.full_url, name, password)
            handler = urllib.request.AbstractDigestAuthHandler(passwords)
            asked = urllib.request.parse_keqv_list(urllib.request.parse_http_list(details))
            return f"Digest {handler.get_authorization(request, asked)}"
    return f"Basic {base64.b64encode(f'{name}:{password}'.encode()).decode()}"


def _is_jpeg(answer: http.client.HTTPResponse) -> bool:
    """Return whether an answer holds JPEGs, rather than another film. Raises NoFilm for a web page."""
    kind = answer.headers.get_content_type()
    if kind in ("text/html", "application/xhtml+xml"):
        answer.close()
        raise NoFilm(*_WEB_PAGE)
    if kind == "image/jpeg" or kind.startswith("multipart/"):
        return True
    try:
        return _SOI in answer.peek(_PEEK_BYTES)
    except OSError:
        answer.close()
        raise NoFilm(*_SILENT) from None


def _why(status: int) -> tuple[str, str]:
    """Explain a status other than 200, of http or rtsp."""
    if status in (401, 403):
        return _REFUSED
    if status in (404, 410, 454):
        return _NOTHING_THERE
    return phrase("answers with an error (%(status)s)", status=status), _NO_PICTURES[1]


def _why_no_film(parts: SplitResult) -> tuple[str, str]:
    """Ask an rtsp camera why there is no film. About others we know only that they answer."""
    if parts.scheme.lower() != "rtsp":
        return _NO_PICTURES
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    try:
        connection = socket.create_connection((parts.hostname or "", parts.port or 554), timeout=_OPEN_S)
    except (OSError, OverflowError, ValueError):
        return _UNREACHABLE
    try:
        with connection:
            connection.sendall(f"DESCRIBE {plain} RTSP/1.0\r\nCSeq: 1\r\n\r\n".encode())
            words = connection.recv(_PEEK_BYTES).split()
    except OSError:
        return _SILENT
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    return _why(status) if status >= 400 else _NO_PICTURES
