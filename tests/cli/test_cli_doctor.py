"""`upscore doctor`: what works here, in lines that can be sent to somebody who helps."""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from clikit import Caller
from presencekit import there

from upscore.commands import doctor
from webui.live import camera


def arguments(**more: object) -> argparse.Namespace:
    return argparse.Namespace(**{"port": 8000, "data": None, "pictures": None, **more})


@pytest.mark.slow
def test_it_says_what_works_here(upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    upscore("doctor", "--port", "0")
    assert (upscore.status, upscore.err) == (0, "")
    lines = upscore.out.splitlines()
    assert all(re.match(r"(ok|note)  +\S", line) for line in lines)
    for told in ("Python 3.", "opencv-python", "Tesseract", "GB are free where games", "of memory are free"):
        assert told in upscore.out
    assert re.search(r"A sample picture is read correctly in \d+\.\d\d s", lines[-1])
    assert str(tmp_path) not in upscore.out


def test_what_is_broken_keeps_nothing_from_being_checked(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    def _memory(_: argparse.Namespace) -> Iterator[tuple[doctor.Mark, str]]:
        raise FileNotFoundError(2, "gone", str(tmp_path / "secret"))

    def _reading(_: argparse.Namespace) -> Iterator[tuple[doctor.Mark, str]]:
        yield "note", "slow"

    monkeypatch.setattr(doctor, "CHECKS", (doctor._disk, _memory, _reading))
    upscore("doctor", "--data", tmp_path / "games" / "new")
    disk, memory, reading = upscore.out.splitlines()
    assert upscore.status == 1
    assert disk.endswith("are free where games are kept")
    assert memory == "bad   memory could not be checked (FileNotFoundError: [Errno 2] gone: '~/secret')"
    assert reading == "note  slow"


def test_a_folder_that_nothing_may_be_written_to_is_bad(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    marks = [mark for mark, _ in doctor._disk(arguments(data=tmp_path))]
    assert marks[0] == "bad"


def test_a_port_in_use_is_told() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        ((mark, text),) = doctor._port(arguments(port=taken.getsockname()[1]))
    assert (mark, "is in use: give another with --port" in text) == ("note", True)


@pytest.mark.parametrize("size", [None, (480, 640)])
def test_cameras_are_tried_by_their_numbers_where_the_system_has_no_list(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, size: tuple[int, int] | None
) -> None:
    class Capture:
        def __init__(self, number: int) -> None:
            self.works = number == 1 and size is not None

        def isOpened(self) -> bool:
            return self.works

        def read(self) -> tuple[bool, np.ndarray]:
            return True, np.zeros((*(size or ()), 3), np.uint8)

        def release(self) -> None:
            pass

    monkeypatch.setattr(cv2, "VideoCapture", Capture)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(camera, "camera_names", dict)
    told = list(doctor._cameras(arguments(pictures=tmp_path / "seen")))
    seen = tmp_path / "seen" / "camera-1.jpg"
    if size:
        assert told == [
            ("ok", "Camera 1 gives pictures of 640 × 480: serve --camera 1"),
            ("ok", f"What camera 1 sees is in {seen}"),
        ]
        assert there(cv2.imread(str(seen))).shape == (480, 640, 3)
    else:
        assert told == [("note", "No webcam gives pictures. A phone can photograph each turn")]


@pytest.mark.parametrize("runs", [True, False])
def test_a_firewall_that_runs_is_told_with_what_lets_phones_in(monkeypatch: pytest.MonkeyPatch, runs: bool) -> None:
    monkeypatch.setattr(doctor, "Path", lambda _: Path("/nowhere"))
    monkeypatch.setattr(doctor, "_runs", lambda program: runs and program == "firewalld")
    told = [text for _, text in doctor._firewall(arguments(port=8123))]
    assert told == (["A firewall is on. To let phones through: sudo firewall-cmd --add-port=8123/tcp"] if runs else [])
