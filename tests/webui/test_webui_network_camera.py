"""A network camera over http: frames come, a stream that stalls or ends is noticed, and opened again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from webkit import jpeg

from webui.live.camera import Camera, parse_source
from webui.live.frames import STALLED_S


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
    threading.Thread(target=server.serve_forever, daemon=True).start()
    source = parse_source(f"http://anna:secret@127.0.0.1:{server.server_port}/video")
    reading = Camera(source, pauses_s=(0.05, 0.1))
    reading.start()
    yield reading
    Stream.open.clear()
    reading.close()
    server.shutdown()
    server.server_close()


def until(condition: Callable[[], bool], seconds: float = 15.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"it did not come about within {seconds:.0f} seconds"
        time.sleep(0.01)


def test_frames_come_and_a_stream_that_stalls_is_noticed_and_opened_again(camera: Camera) -> None:
    until(lambda: camera.status.state == "live")
    assert camera.newest().shape == (240, 320, 3)
    assert camera.status.text == "The network camera is live."
    Stream.sends.clear()
    until(lambda: camera.status.state != "live")
    with pytest.raises(Exception, match="no more pictures"):
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
    assert "cannot be opened" in reading.status.text
    assert not {"secret", "127"} & set(reading.status.text.replace(".", " ").split())
    assert STALLED_S < 3.0
