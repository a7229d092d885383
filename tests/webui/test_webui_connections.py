"""No connection is held for ever, and those that ask for nothing keep nobody out."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from webui.connections import ANSWERING_S, ASKING_S, LEAST_RATE, Connections


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pairs() -> Iterator[list[tuple[socket.socket, socket.socket]]]:
    """Six connections: the server's end of each, and the other."""
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


def test_headers_that_drip_in_are_waited_for_just_so_long(
    clock: Clock, pairs: list[tuple[socket.socket, socket.socket]]
) -> None:
    connections = Connections(clock=clock)
    assert connections.admit(pairs[0][0]) is not None
    clock.now += ASKING_S - 0.1
    assert connections.drop_overdue() == 0
    clock.now += 0.1
    assert connections.drop_overdue() == 1
    assert is_cut(pairs[0][1])
    assert len(connections) == 0


def test_a_body_gets_time_by_its_size_and_an_answer_its_own(
    clock: Clock, pairs: list[tuple[socket.socket, socket.socket]]
) -> None:
    connections = Connections(clock=clock)
    one = connections.admit(pairs[0][0])
    assert one is not None
    connections.asked(one, int(5 * LEAST_RATE))
    clock.now += ASKING_S + 4.9
    assert connections.drop_overdue() == 0
    connections.heard(one)
    clock.now += ANSWERING_S - 0.1
    assert connections.drop_overdue() == 0
    clock.now += 0.2
    assert connections.drop_overdue() == 1


def test_a_stream_is_held_for_as_long_as_it_lasts(
    clock: Clock, pairs: list[tuple[socket.socket, socket.socket]]
) -> None:
    connections = Connections(clock=clock)
    one = connections.admit(pairs[0][0])
    assert one is not None
    connections.asked(one, 0)
    connections.streams(one)
    clock.now += 1e6
    assert connections.drop_overdue() == 0
    assert not is_cut(pairs[0][1])


def test_the_one_that_waited_longest_without_asking_makes_room(
    clock: Clock, pairs: list[tuple[socket.socket, socket.socket]]
) -> None:
    connections = Connections(most=3, clock=clock)
    busy, _silent, later = (connections.admit(near) for near, _ in pairs[:3])
    assert busy is not None
    assert later is not None
    connections.asked(busy, 0)
    assert connections.admit(pairs[3][0]) is not None
    assert [is_cut(far) for _, far in pairs[:4]] == [False, True, False, False]
    connections.asked(later, 0)
    newest = connections.admit(pairs[4][0])
    assert newest is not None
    connections.asked(newest, 0)
    assert is_cut(pairs[3][1])
    assert connections.admit(pairs[5][0]) is None, "all have asked for something"
    connections.leave(newest)
    assert connections.admit(pairs[5][0]) is not None


def test_a_server_that_stops_waits_for_answers_alone(
    clock: Clock, pairs: list[tuple[socket.socket, socket.socket]]
) -> None:
    connections = Connections(clock=clock)
    _silent, busy, stream = (connections.admit(near) for near, _ in pairs[:3])
    assert busy is not None
    assert stream is not None
    connections.asked(busy, 0)
    connections.streams(stream)
    connections.drop_waiting()
    assert [is_cut(far) for _, far in pairs[:3]] == [True, False, False]
    assert not connections.wait_until_answered(0.01)
    connections.leave(busy)
    assert connections.wait_until_answered(0.01)
