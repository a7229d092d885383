"""A network camera over http: frames come, a stream that stalls or ends is noticed, and opened again."""

from __future__ import annotations

import base64
import hashlib
import io
import socketserver
import struct
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import av
import numpy as np
import pytest
from av.video.frame import VideoFrame
from samples import SAMPLES
from webkit import jpeg, until

from webui.live import network
from webui.live.camera import STALLED_S, Camera, parse_source
from webui.live.network import NoFilm, jpegs, open_network


class Stream(BaseHTTPRequestHandler):
    """Multipart JPEG at twenty frames a second, for as long as `sends` is set and `open` is."""

    sends = threading.Event()
    open = threading.Event()
    connections = 0

    def do_GET(self) -> None:
        type(self).connections += 1
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        picture = jpeg(240, 320)
        try:
            while self.open.is_set():
                if self.sends.is_set():
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                    self.wfile.write(head.encode() + picture + b"\r\n")
                time.sleep(0.05)
        except OSError:
            pass  # the reader has gone

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def camera() -> Iterator[Camera]:
    Stream.sends.set()
    Stream.open.set()
    Stream.connections = 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    source = parse_source(f"http://anna:secret@127.0.0.1:{server.server_port}/video")
    reading = Camera(source, pauses_s=(0.05, 0.1))
    reading.start()
    yield reading
    Stream.open.clear()
    reading.close()
    server.shutdown()
    server.server_close()


@pytest.mark.slow
def test_frames_come_and_a_stream_that_stalls_is_noticed_and_opened_again(camera: Camera) -> None:
    until(lambda: camera.status.state == "live")
    assert camera.newest().shape == (240, 320, 3)
    assert camera.status.text == "Camera on."
    Stream.sends.clear()
    until(lambda: camera.status.state != "live")
    with pytest.raises(Exception, match="No picture from"):
        camera.next(0.0)
    Stream.sends.set()
    until(lambda: camera.status.state == "live")


def test_a_stream_that_ends_is_opened_again(camera: Camera) -> None:
    until(lambda: camera.status.state == "live")
    before = Stream.connections
    Stream.open.clear()
    until(lambda: camera.status.state != "live")
    Stream.open.set()
    until(lambda: camera.status.state == "live")
    assert Stream.connections > before


def test_an_address_where_nothing_answers_is_tried_again_and_not_shown() -> None:
    reading = Camera(parse_source("rtsp://anna:secret@127.0.0.1:9/live"), pauses_s=(0.01, 0.02))
    reading.start()
    until(lambda: reading.status.state == "reconnecting")
    reading.close()
    assert "cannot be reached" in reading.status.text
    assert not {"secret", "127"} & set(reading.status.text.replace(".", " ").split())
    assert STALLED_S < 3.0


class Odd(BaseHTTPRequestHandler):
    """Unusual cameras, by path."""

    def do_GET(self) -> None:
        kind = self.path.strip("/")
        if kind == "silent":
            time.sleep(1)
        elif kind in ("login", "digest") and not self._is_let_in(kind):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            if kind == "digest":
                self.send_header("WWW-Authenticate", 'Digest realm="camera", nonce="123"')
            self.end_headers()
        elif kind == "nothing":
            self.send_error(404)
        elif kind == "broken":
            self.send_error(500)
        else:
            self.send_response(200)
            self.send_header("Content-Type", TYPES.get(kind, "multipart/x-mixed-replace; boundary=frame"))
            self.end_headers()
            self.wfile.write(BODIES[kind]())

    def _is_let_in(self, kind: str) -> bool:
        sent = self.headers.get("Authorization", "")
        return sent == SECRET if kind == "login" else f'response="{DIGEST}"' in sent

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def film_of_two_sizes() -> bytes:
    """Return a film that isn't a series of JPEGs. The camera is turned in the middle of it."""
    data = io.BytesIO()
    for width, height in ((320, 240), (240, 320)):
        part = io.BytesIO()
        with av.open(part, "w", format="mpegts") as container:
            stream = container.add_stream("mpeg2video", rate=25)
            stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
            for number in range(25):
                picture = np.full((height, width, 3), 5 * number, np.uint8)
                container.mux(stream.encode(VideoFrame.from_ndarray(picture, format="bgr24")))
            container.mux(stream.encode(None))
        data.write(part.getvalue())
    return data.getvalue()


def part(picture: bytes, boundary: str = "--frame\r\n") -> bytes:
    return f"{boundary}Content-Type: image/jpeg\r\n\r\n".encode() + picture + b"\r\n"


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


BOARD = (SAMPLES / "classic_8x8" / "05.jpg").read_bytes()
DIGEST = md5(f"{md5('anna:camera:secret')}:123:{md5('GET:/digest')}")
SECRET = "Basic " + base64.b64encode(b"anna:secret").decode()
TYPES = {"page": "text/html", "single": "image/jpeg", "film": "video/mp2t", "unsaid": "application/octet-stream"}
BODIES: dict[str, Callable[[], bytes]] = {
    "page": lambda: b"<!DOCTYPE html><img src=/video>",
    "single": lambda: jpeg(240, 320),
    "first-boundary-missing": lambda: part(jpeg(240, 320), "") + part(jpeg(240, 320)),
    "end-mark-missing": lambda: part(jpeg(240, 320)[:-2]) * 3,
    "turned": lambda: part(jpeg(320, 240)) + part(jpeg(240, 320)),
    "damaged": lambda: part(BOARD) + part(BOARD[: len(BOARD) // 2] + bytes(100) + BOARD[len(BOARD) // 2 + 100 :]),
    "login": lambda: part(jpeg(240, 320)) * 2,
    "digest": lambda: part(jpeg(240, 320)) * 2,
    "unsaid": lambda: jpeg(240, 320) * 2,
    "film": film_of_two_sizes,
}


@pytest.fixture(scope="module")
def odd() -> Iterator[str]:
    """Start the odd cameras, and return their address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Odd)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("address", "shape"),
    [
        ("single", (240, 320, 3)),
        ("first-boundary-missing", (240, 320, 3)),
        ("end-mark-missing", (240, 320, 3)),
        ("turned", (240, 320, 3)),
        ("unsaid", (240, 320, 3)),
        ("film", (320, 240, 3)),
    ],
)
def test_odd_cameras_give_pictures_as_they_are(
    odd: str, address: str, shape: tuple[int, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    source = open_network(f"http://{odd}/{address}")
    shapes: list[tuple[int, ...]] = []
    while len(shapes) < 50 and source.grab():
        is_decoded, image = source.retrieve()
        assert is_decoded
        shapes.append(image.shape)
        if address != "film" and len(shapes) == 2:
            break
    source.release()
    assert shapes[-1] == shape
    assert len(shapes) >= 2, "an address of single pictures is asked again"
    assert capfd.readouterr().err == ""


def test_a_damaged_picture_is_none_though_a_decoder_makes_a_whole_one_of_it(odd: str) -> None:
    source = open_network(f"http://{odd}/damaged")
    decoded = []
    for _ in range(2):
        assert source.grab()
        decoded.append(source.retrieve()[0])
    source.release()
    assert decoded == [True, False]


def test_a_picture_that_is_cut_off_is_none() -> None:
    class Cut(io.BytesIO):
        length: int | None = 200

    assert list(jpegs(Cut(jpeg(240, 320)[:-200]))) == []


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("http://{}/page", "sends a web page, not a video"),
        ("http://{}/login", "asks for a user name and a password, or refused them"),
        ("http://anna:wrong@{}/digest", "asks for a user name and a password, or refused them"),
        ("http://anna:wrong@{}/login", "asks for a user name and a password, or refused them"),
        ("http://{}/nothing", "answers, but has nothing at this address"),
        ("http://{}/broken", "answers with an error (500)"),
        ("http://{}/silent", "answers, but sends nothing"),
        ("rtsp://{}/page", "answers, but sends no video"),
        ("http://127.0.0.1:9/", "cannot be reached"),
        ("http://127.0.0.1:99999/", "cannot be reached"),
        ("rtsp://127.0.0.1:9/", "cannot be reached"),
    ],
)
def test_each_failure_is_told_by_its_cause(odd: str, address: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_OPEN_S", 0.5 if "silent" in address else 5.0)
    with pytest.raises(NoFilm) as reason:
        open_network(address.format(odd))
    assert reason.value.what == what


@pytest.mark.parametrize("kind", ["login", "digest"])
def test_the_right_password_opens_the_camera(odd: str, kind: str) -> None:
    source = open_network(f"http://anna:secret@{odd}/{kind}")
    assert source.grab()
    source.release()


def test_what_fails_and_what_to_do_is_told_at_the_table(odd: str) -> None:
    reading = Camera(parse_source(f"http://anna:wrong@{odd}/nothing"), pauses_s=(0.01, 0.02))
    reading.start()
    until(lambda: reading.status.state == "reconnecting")
    reading.close()
    assert reading.status.text == (
        "The network camera answers, but has nothing at this address. Upscore keeps trying: look up its video address "
        "in the manual."
    )


class Rtsp(socketserver.StreamRequestHandler):
    """A camera that sends its film over rtsp, within the connection, to clients that know the password."""

    def handle(self) -> None:
        while line := self.rfile.readline().decode():
            headers = {}
            while header := self.rfile.readline().decode().strip():
                name, _, value = header.partition(": ")
                headers[name] = value
            method, wanted = line.split()[0], headers.get("Authorization") == SECRET
            status, lines, body = "200 OK", [f"CSeq: {headers['CSeq']}", "Session: 1"], b""
            if method != "OPTIONS" and not wanted:
                status, lines = "401 Unauthorized", [*lines, 'WWW-Authenticate: Basic realm="camera"']
            elif method == "DESCRIBE":
                body = b"v=0\r\ns=film\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track\r\n"
                lines += ["Content-Type: application/sdp", f"Content-Length: {len(body)}"]
            elif method == "SETUP":
                lines.append("Transport: RTP/AVP/TCP;unicast;interleaved=0-1")
            self.wfile.write("\r\n".join([f"RTSP/1.0 {status}", *lines, "", ""]).encode() + body)
            if method == "PLAY" and wanted:
                return self._play()

    def _play(self) -> None:
        film = film_of_two_sizes()
        for number, at in enumerate(range(0, len(film), 7 * 188)):
            packet = struct.pack(">BBHII", 0x80, 33, number & 0xFFFF, 3600 * number, 1) + film[at : at + 7 * 188]
            self.wfile.write(struct.pack(">cBH", b"$", 0, len(packet)) + packet)


@pytest.fixture
def rtsp() -> Iterator[str]:
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Rtsp)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_a_film_over_rtsp_is_shown_and_its_size_followed(rtsp: str) -> None:
    source = open_network(f"rtsp://anna:secret@{rtsp}/film")
    shapes: list[tuple[int, ...]] = []
    while source.grab():
        shapes.append(source.retrieve()[1].shape)
    source.release()
    assert (shapes[0], shapes[-1]) == ((240, 320, 3), (320, 240, 3))
    with pytest.raises(NoFilm, match="asks for a user name and a password, or refused them"):
        open_network(f"rtsp://anna:wrong@{rtsp}/film")
