"""No connection is held for ever, and those that ask for nothing keep nobody out."""

from __future__ import annotations

import http.client
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from clockkit import Clock
from flask import Flask
from guestkit import guest
from presencekit import there
from webkit import OpenPage
from werkzeug.serving import DechunkedInput

from webui.access.gate import FORM_BYTES
from webui.access.sessions import Role
from webui.app import RepeatFilter, services_of
from webui.security import is_loopback
from webui.wsgi_server import (
    ANSWER_S,
    BODY_DELAY_S,
    HEADERS_S,
    MIN_BYTES_PER_S,
    STRANGER_ANSWER_S,
    STRANGER_BODY_S,
    Connection,
    Connections,
    Server,
    _Leftover,
)

Pairs = list[tuple[socket.socket, socket.socket]]
"""Connections: the server's end of each, and the other."""


@pytest.fixture
def clock() -> Clock:
    return Clock(100.0)


@pytest.fixture
def pairs() -> Iterator[Pairs]:
    made = [socket.socketpair() for _ in range(6)]
    yield made
    for pair in made:
        for end in pair:
            end.close()


def is_cut(far: socket.socket) -> bool:
    far.setblocking(False)
    try:
        return far.recv(1) == b""
    except BlockingIOError:
        return False


def admit(connections: Connections, near: socket.socket, **more: Any) -> Connection:
    return there(connections.admit(near, **more))


def test_headers_that_drip_in_are_waited_for_just_so_long(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(clock=clock)
    admit(connections, pairs[0][0])
    clock.now += HEADERS_S - 0.1
    assert connections.drop_overdue() == 0
    clock.now += 0.1
    assert connections.drop_overdue() == 1
    assert is_cut(pairs[0][1])
    assert len(connections) == 0


def test_a_body_gets_time_by_what_has_come_of_it_and_an_answer_its_own(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(clock=clock)
    one = admit(connections, pairs[0][0], known=True)
    connections.enter(one, "answering")
    connections.note_body(one, 0)
    connections.note_body(one, int(5 * MIN_BYTES_PER_S))
    clock.now += BODY_DELAY_S + 4.9
    assert connections.drop_overdue() == 0
    connections.enter(one, "answering")
    clock.now += ANSWER_S - 0.1
    assert connections.drop_overdue() == 0
    clock.now += 0.2
    assert connections.drop_overdue() == 1


def test_a_body_that_drips_is_dropped_however_long_it_says_that_it_is(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(clock=clock)
    one = admit(connections, pairs[0][0], known=True)
    connections.enter(one, "answering")
    for _ in range(int(BODY_DELAY_S)):
        connections.note_body(one, 1)
        clock.now += 1.0
    assert connections.drop_overdue() == 0
    clock.now += 0.1
    assert connections.drop_overdue() == 1
    assert is_cut(pairs[0][1])


def test_a_strangers_body_gets_little_time(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(clock=clock)
    connections.note_body(admit(connections, pairs[0][0], address=STRANGER), 0)
    clock.now += STRANGER_BODY_S
    assert connections.drop_overdue() == 1


def test_strangers_at_one_address_have_few_places(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(clock=clock, per_address=2)
    _first, *others = [admit(connections, near, address=f"2001:db8::{at}") for at, (near, _) in enumerate(pairs[:3])]
    assert [is_cut(far) for _, far in pairs[:3]] == [True, False, False]
    assert connections.admit(pairs[3][0], address="2001:db8:0:1::1"), "of another network"
    for one in others:
        connections.enter(one, "answering")
    assert connections.admit(pairs[4][0], address="2001:db8::9") is None
    assert connections.admit(pairs[4][0], address="2001:db8::9", known=True)


def test_a_stream_is_held_for_as_long_as_it_lasts(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(clock=clock)
    one = admit(connections, pairs[0][0])
    connections.enter(one, "answering")
    connections.enter(one, "streaming")
    clock.now += 1e6
    assert connections.drop_overdue() == 0
    assert not is_cut(pairs[0][1])


def test_the_one_that_waited_longest_without_asking_makes_room(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(most=3, clock=clock)
    busy, _silent, later = (admit(connections, near, known=True) for near, _ in pairs[:3])
    connections.enter(busy, "answering")
    newest = admit(connections, pairs[3][0], known=True)
    assert [is_cut(far) for _, far in pairs[:4]] == [False, True, False, False]
    connections.enter(later, "answering")
    connections.enter(newest, "answering")
    assert connections.admit(pairs[4][0], known=True) is None, "all have asked for something"
    connections.leave(newest)
    assert connections.admit(pairs[4][0], known=True) is not None


def test_a_body_still_to_come_makes_room_as_headers_do(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(most=2, clock=clock)
    for near, _ in pairs[:2]:
        one = admit(connections, near, known=True)
        connections.enter(one, "answering")
        connections.note_body(one, 0)
    admit(connections, pairs[2][0], known=True)
    assert [is_cut(far) for _, far in pairs[:3]] == [True, False, False]


def test_strangers_take_neither_the_last_places_nor_those_of_others(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(most=4, clock=clock)
    known = admit(connections, pairs[0][0], known=True)
    connections.enter(known, "answering")
    connections.note_body(known, 0)
    for near, _ in pairs[1:4]:
        connections.enter(admit(connections, near), "answering")
    assert connections.admit(pairs[4][0]) is None, "a quarter of the places is no stranger's"
    clock.now += STRANGER_ANSWER_S
    admit(connections, pairs[4][0])
    assert [is_cut(far) for _, far in pairs[:5]] == [False, True, False, False, False]


def test_a_stranger_makes_room_before_a_device_that_is_in(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(most=3, clock=clock)
    admit(connections, pairs[0][0], known=True)
    let_in = admit(connections, pairs[1][0])
    connections.let_in(let_in)
    admit(connections, pairs[2][0])
    admit(connections, pairs[3][0], known=True)
    assert [is_cut(far) for _, far in pairs[:4]] == [False, False, True, False]


def test_what_still_comes_after_the_answer_makes_room(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(most=1, clock=clock)
    one = admit(connections, pairs[0][0], known=True)
    connections.enter(one, "answering")
    assert connections.admit(pairs[1][0], known=True) is None
    connections.enter(one, "asking")
    assert connections.admit(pairs[1][0], known=True) is not None


def test_a_server_that_stops_waits_for_answers_alone(clock: Clock, pairs: Pairs) -> None:
    connections = Connections(clock=clock)
    _silent, busy, stream, sending = (admit(connections, near) for near, _ in pairs[:4])
    connections.enter(busy, "answering")
    connections.note_body(sending, 0)
    connections.enter(stream, "streaming")
    connections.drop_waiting()
    assert [is_cut(far) for _, far in pairs[:4]] == [True, False, False, False]
    assert not connections.wait_until_answered(0.01)
    connections.leave(busy)
    assert not connections.wait_until_answered(0.01)
    connections.leave(sending)
    assert connections.wait_until_answered(0.01)


# Over real sockets, with 127.0.0.2 as a stranger's device, since all of 127 leads to this computer

STRANGER = "127.0.0.2"
PLACES = 40
PHOTO = "/games/1/photo"


def is_known(address: str) -> bool:
    """Return whether an address is another than the one that stands for strangers."""
    return is_loopback(address) and address != STRANGER


@pytest.fixture
def app(open_page: OpenPage) -> Flask:
    app = open_page()
    app.test_client().post("/games", data={"player0": "Red", "edition": "8x8", "lexicon": "standard"})
    return app


@pytest.fixture
def serve(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], int]]:
    """Start a server with this many places; return its port."""
    monkeypatch.setattr("webui.access.gate.is_loopback", is_known)
    with ExitStack() as running:

        def start(most: int) -> int:
            listener = running.enter_context(socket.create_server(("127.0.0.1", 0), backlog=128))
            server = Server(listener, app, None, is_known)
            server.connections = Connections(most)
            serving = threading.Thread(target=server.run, daemon=True)
            serving.start()
            running.callback(serving.join, 20)
            running.callback(server.stop)
            return server.port

        yield start


def dripping(port: int, address: str, path: str = PHOTO, length: int = 60_000_000) -> socket.socket:
    """Return a connection that announces a long body, and sends a few bytes of it."""
    one = socket.create_connection(("127.0.0.1", port), 20, source_address=(address, 0))
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n"
    one.sendall(f"{head}Content-Type: multipart/form-data; boundary=x\r\n\r\n--x".encode())
    return one


def page(port: int, address: str = "127.0.0.1") -> int:
    """Return the status of a page, asked for from an address."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(address, 0))
    with closing(asking):
        asking.request("GET", "/join", headers={"Host": "localhost"})
        return asking.getresponse().status


@pytest.mark.parametrize(
    ("address", "path", "length"),
    [("127.0.0.1", PHOTO, 60_000_000), (STRANGER, PHOTO, 60_000_000), (STRANGER, "/join", FORM_BYTES)],
)
def test_bodies_that_drip_keep_nobody_out(serve: Callable[[int], int], address: str, path: str, length: int) -> None:
    port = serve(PLACES)
    with ExitStack() as held:
        for _ in range(2 * PLACES):
            held.enter_context(dripping(port, address, path, length))
        assert [page(port) for _ in range(5)] == [302] * 5, "the computer is led on to the list of devices"
        assert [page(port, STRANGER) for _ in range(5)] == [200] * 5


def test_a_photograph_on_its_way_is_not_dropped_for_a_stranger(serve: Callable[[int], int]) -> None:
    port = serve(PLACES)
    with ExitStack() as held:
        photograph = held.enter_context(dripping(port, "127.0.0.1", length=100))
        for _ in range(2 * PLACES):
            held.enter_context(dripping(port, STRANGER, "/join", FORM_BYTES))
        assert page(port) == 302
        photograph.sendall(b" " * 97)
        assert photograph.recv(100).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("known", [False, True])
def test_what_strangers_send_after_their_answer_is_read_in_turns(clock: Clock, pairs: Pairs, known: bool) -> None:
    connections, turn = Connections(clock=clock), threading.Lock()
    (near, far), *_ = pairs
    place = admit(connections, near)
    leftover = _Leftover(near, place, turn, lambda: connections.enter(place, "asking"))
    if known:
        connections.let_in(place)  # as while its request was answered
    far.sendall(b"more")
    with turn:
        assert leftover.read() == (b"more" if known else b"")
    far.sendall(b"more")
    assert leftover.read().startswith(b"more")
    assert not turn.locked()


@pytest.mark.parametrize(
    ("path", "length"), [("/games/1/pass", FORM_BYTES + 1), ("/join", FORM_BYTES + 1), (PHOTO, 10**12)]
)
def test_a_longer_body_than_a_route_takes_is_refused(app: Flask, path: str, length: int) -> None:
    asked = app.test_client().post(path, data={"pin": "1"}, environ_overrides={"CONTENT_LENGTH": str(length)})
    assert asked.status_code == 413


class Unread:
    """A body of which nothing may be read."""

    def read(self, _: int = -1) -> bytes:
        raise AssertionError("the body was read")


@pytest.mark.parametrize("path", [PHOTO, "/games", "/import", "/games/1/pass", "/api/v1/games", "/nowhere"])
def test_nothing_is_read_of_what_a_stranger_or_a_viewer_may_not_send(app: Flask, path: str) -> None:
    viewer = guest(app, Role.VIEWER)
    stranger = guest(app, Role.VIEWER)
    stranger.delete_cookie("upscore-8000", domain="192.168.1.5")
    unread = {"CONTENT_LENGTH": "1000", "wsgi.input": Unread()}
    for phone, status in ((stranger, 401), (viewer, 403)):
        answer = phone.post(path, content_type="multipart/form-data; boundary=x", environ_overrides=unread)
        assert answer.status_code == status


def answer(port: int, head: str, body: bytes = b"", address: str = "127.0.0.1") -> bytes:
    """Send a request as it stands; return all that comes back."""
    with socket.create_connection(("127.0.0.1", port), 20, source_address=(address, 0)) as one:
        one.sendall(head.encode() + body)
        return b"".join(iter(lambda: one.recv(65_536), b""))


@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize(("lines", "length"), [(1, 40_000), (90, 400), (32, 1024)])
def test_headers_are_bounded_in_all(serve: Callable[[int], int], version: str, lines: int, length: int) -> None:
    more = "".join(f"X-{at}: {'x' * length}\r\n" for at in range(lines))
    port = serve(PLACES)
    assert b" 431 " in answer(port, f"GET /join HTTP/{version}\r\nHost: localhost\r\n{more}\r\n")
    assert b" 431 " in answer(port, f"GET /join?{'x' * 33_000} HTTP/{version}\r\nHost: localhost\r\n\r\n")
    fits = f"GET /join HTTP/{version}\r\nHost: localhost\r\nX: {'x' * 30_000}\r\n\r\n"
    assert b" 302 " in answer(port, fits)


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD"])
@pytest.mark.parametrize("address", ["http://[::1", "http://localhost:99999/", "http://%zz:0x/join"])
def test_an_address_that_is_none_is_refused_without_a_line_in_the_log(
    serve: Callable[[int], int], caplog: pytest.LogCaptureFixture, method: str, address: str
) -> None:
    asked = f"{method} {address} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
    assert answer(serve(PLACES), asked, address=STRANGER).startswith(b"HTTP/1.1 400")
    assert caplog.records == []


def test_errors_that_repeat_are_counted_and_long_addresses_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    written, bounded, clock = [], RepeatFilter(), Clock(100.0)
    monkeypatch.setattr("webui.app.time.monotonic", clock)
    for wait in (0.0, 61.0):
        clock.now += wait
        for at in range(50):
            record = logging.LogRecord("x", 40, "", 0, "Exception on %s", (f"/{at}{'x' * 60_000}",), None)
            if bounded.filter(record):
                written.append(record.getMessage())
    assert len(written) == 6
    assert all(len(line) < 400 for line in written)
    assert written[3].endswith("(and 47 like those before, which are not shown)")


def test_a_body_is_asked_for_only_from_those_who_may_send_it(serve: Callable[[int], int]) -> None:
    port = serve(PLACES)
    head = "Host: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n"
    head += "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    refused = answer(port, f"POST /games/1/pass HTTP/1.1\r\n{head}", address=STRANGER)
    assert refused.startswith(b"HTTP/1.1 401")
    taken = answer(port, f"POST /games/1/pass HTTP/1.1\r\n{head}", b"version=1")
    assert taken.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 303")


@pytest.mark.parametrize(
    ("length", "status"),
    # only as many bytes of chunks are read as a PIN may have, and they aren't a PIN
    [("Content-Length: 5000", b" 413 "), ("Transfer-Encoding: chunked", b" 400 ")],
)
def test_a_strangers_body_is_short(serve: Callable[[int], int], length: str, status: bytes) -> None:
    port = serve(PLACES)
    head = f"POST /join HTTP/1.1\r\nHost: localhost\r\n{length}\r\n"
    head += "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    body = b"pin=" + b"1" * 4996
    if "chunked" in length:
        body = b"1388\r\n" + body + b"\r\n0\r\n\r\n"
    assert status in answer(port, head, body, STRANGER)


@pytest.mark.parametrize("path", [PHOTO, "/import", "/api/v1/games/1/photos", "/games/1/frame"])
def test_a_form_without_files_is_no_longer_than_forms_are(app: Flask, path: str) -> None:
    at_computer = app.test_client()
    assert at_computer.post(path, data={"photo": "x" * FORM_BYTES}).status_code == 413
    fields = {f"field{at}": "x" * 1000 for at in range(300)}
    for data in (fields, {"photo": "x" * 160_000}):
        if path != "/games/1/frame":  # this address takes no form
            sent = at_computer.post(path, data=data, content_type="multipart/form-data")
            assert sent.status_code == 413


@pytest.mark.parametrize("tiles", ["A@a1 " * 50, "A@a1 " * 40_000])
def test_a_play_of_more_tiles_than_any_is_refused_before_it_is_parsed(app: Flask, tiles: str) -> None:
    client = app.test_client()
    asked = {"version": 1, "kind": "play", "tiles": tiles}
    sent = client.post("/api/v1/games/1/turns", json=asked)
    assert sent.status_code == 400
    assert sent.get_json() == {"error": "That isn't a play: send at most 49 tiles."}


def test_a_body_in_chunks_is_taken(serve: Callable[[int], int]) -> None:
    port = serve(PLACES)
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    kind = {"Content-Type": "application/json"}
    with closing(asking):
        body = iter([b'{"edition": "8x8", ', b'"players": ["Red", "Blue"]}'])
        asking.request("POST", "/api/v1/games", body, headers=kind, encode_chunked=True)
        assert asking.getresponse().status == 201


@pytest.mark.parametrize("body", [b"0", b"1\r\nx"])
def test_a_line_between_chunks_is_short(
    serve: Callable[[int], int], monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    lengths: list[int] = []

    class Source:
        """Reads lines to their end, as Werkzeug does before 3.1.9."""

        def __init__(self, source: Any) -> None:
            self._source, self.read = source, source.read

        def readline(self, _: int = -1) -> bytes:
            line = self._source.readline()
            lengths.append(len(line))
            return bytes(line)

    monkeypatch.setattr("webui.wsgi_server.DechunkedInput", lambda source: DechunkedInput(Source(source)))  # type: ignore[arg-type]
    head = "POST /join HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
    head += "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    assert b" 400 " in answer(serve(PLACES), head, body + b"0" * 100_000 + b"\r\n", STRANGER)
    assert lengths
    assert max(lengths) <= 100


def test_a_place_is_kept_for_a_device_while_it_is_in(app: Flask) -> None:
    gate = services_of(app).gate
    phone = guest(app, Role.VIEWER)
    assert gate.knows("127.0.0.1")
    assert not gate.knows(phone.address)
    phone.get("/games")
    assert gate.knows(phone.address)
    gate.sessions.end(gate.sessions.all()[0].id)
    assert not gate.knows(phone.address)
