"""Event streams: an event at once, one a change, a sign of life in between, and an end."""

from __future__ import annotations

import threading
from collections.abc import Generator

from webui.table.announcer import Announcer


def open_game(announcer: Announcer, game: int, seen: int | None = None, told: int = 0) -> Generator[str, None, None]:
    """A stream of a game that has already sent `told` and can be closed as a server closes it."""
    stream = announcer.stream(game, seen=seen)
    assert isinstance(stream, Generator)
    for _ in range(told):
        next(stream)
    return stream


def test_a_stream_begins_with_how_to_come_back_and_an_event() -> None:
    stream = open_game(Announcer(), 1)
    assert next(stream) == "retry: 2000\n\n"
    assert next(stream) == 'id: 0\nevent: change\ndata: {"tick": 0}\n\n'
    stream.close()


def test_only_changes_of_its_own_game_wake_a_stream() -> None:
    announcer = Announcer(heartbeat_s=0.05)
    stream = open_game(announcer, 1, told=2)
    announcer.announce(2)
    assert next(stream) == "event: alive\ndata: {}\n\n"
    announcer.announce(1)
    assert next(stream).startswith("id: 1\nevent: change\n")
    stream.close()


def test_changes_between_two_looks_come_as_one_event() -> None:
    announcer = Announcer(heartbeat_s=0.05)
    stream = open_game(announcer, 1, told=2)
    announcer.announce(1)
    announcer.announce(1)
    assert next(stream).startswith("id: 2\n")
    assert next(stream).startswith("event: alive\n")
    stream.close()


def test_a_waiting_stream_is_woken_by_another_thread() -> None:
    announcer = Announcer(heartbeat_s=30)
    stream = open_game(announcer, 7, told=2)
    got: list[str] = []
    waiting = threading.Thread(target=lambda: got.append(next(stream)))
    waiting.start()
    announcer.announce(7)
    waiting.join(timeout=5)
    assert got == ['id: 1\nevent: change\ndata: {"tick": 1}\n\n']
    stream.close()


def test_closing_ends_every_stream_and_opens_no_more() -> None:
    announcer = Announcer(heartbeat_s=30)
    stream = open_game(announcer, 1, told=2)
    announcer.close()
    assert list(stream) == []
    assert announcer.streams == 0
    assert list(announcer.stream(1)) == ["retry: 2000\n\n"]


def test_when_all_places_are_taken_a_browser_asks_again_and_again() -> None:
    announcer = Announcer(max_streams=1, first=7)
    first = open_game(announcer, 1, told=1)
    assert list(announcer.stream(1)) == ["retry: 2000\n\n", 'id: 7\nevent: change\ndata: {"tick": 7}\n\n']
    assert list(announcer.stream(1, seen=7)) == ["retry: 2000\n\n"]
    announcer.announce(1)
    assert [text.partition("\n")[0] for text in announcer.stream(1, seen=7)] == ["retry: 2000", "id: 8"]
    first.close()
    again = open_game(announcer, 1, seen=8)
    assert next(again) == "retry: 2000\n\n"
    assert next(again).startswith("id: 8\n")
    again.close()
    assert announcer.streams == 0


def test_a_game_is_watched_while_a_page_of_it_is_open() -> None:
    announcer = Announcer()
    pages = [open_game(announcer, 1, told=1) for _ in range(2)]
    assert (announcer.is_watched(1), announcer.is_watched(2)) == (True, False)
    pages[0].close()
    assert announcer.is_watched(1)
    pages[1].close()
    assert not announcer.is_watched(1)


def test_programs_that_find_no_place_are_told_every_version_once() -> None:
    announcer = Announcer(max_streams=0)
    assert list(announcer.versions(1, lambda: 5, seen=3)) == [
        "retry: 2000\n\n",
        'id: 4\ndata: {"version": 4}\n\n',
        'id: 5\ndata: {"version": 5}\n\n',
    ]
    assert list(announcer.versions(1, lambda: 5, seen=5)) == ["retry: 2000\n\n"]


def test_what_concerns_every_page_wakes_every_stream() -> None:
    announcer = Announcer(heartbeat_s=0.05)
    streams = [open_game(announcer, game, told=2) for game in (1, 2)]
    announcer.announce_all()
    for stream in streams:
        assert next(stream).startswith("id: 1\n")
        stream.close()
