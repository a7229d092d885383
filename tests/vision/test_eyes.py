"""Reading an alphabet: only the outputs of its faces count, and it names faces that the network was never taught."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine import ENGLISH, FACES, Alphabet
from engine.faces import alphabetical
from vision.letters import classifier
from vision.letters.classifier import FACE_PX, REJECT, is_legible, read_faces, read_twice
from vision.letters.eyes import LATIN, eyes_of, unreadable_faces

GERMAN = Alphabet((*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *"ÄÖÜ"))
RUSSIAN = Alphabet(tuple("БДЖИЛ"))


def logits(**chances: float) -> np.ndarray:
    """The network's logits (1, 131) for faces of these chances; "none" is no upright face."""
    table = np.full((1, len(LATIN) + 1), np.log(1e-4), dtype=np.float32)
    for face, chance in chances.items():
        table[0, len(LATIN) if face == "none" else LATIN.index(face)] = np.log(chance)
    return table


def read(alphabet: Alphabet, monkeypatch: pytest.MonkeyPatch, **chances: float) -> dict[str, float]:
    monkeypatch.setattr(classifier, "network", lambda name: {"latin_faces": lambda planes: logits(**chances)}[name])
    (row,) = np.exp(read_faces(np.zeros((1, 32, 32, 3), dtype=np.uint8), alphabet))
    assert row.sum() == pytest.approx(1.0, abs=1e-5)
    return dict(zip((*alphabet.faces, "none"), map(float, row), strict=True))


def test_the_network_knows_each_face_once_and_english_ones_first() -> None:
    assert LATIN[:26] == FACES
    assert len(set(LATIN)) == len(LATIN)


def test_only_faces_of_the_alphabet_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    chances = read(GERMAN, monkeypatch, O=0.2, Ö=0.3, Ő=0.4, none=0.1)
    assert chances["Ö"] == pytest.approx(0.5, abs=0.02)
    assert chances["O"] == pytest.approx(0.33, abs=0.02)
    assert chances["none"] == pytest.approx(0.17, abs=0.02)
    assert "Ő" not in chances


def test_letters_that_look_alike_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    turkish = Alphabet((*"AEIOS", "Ş"))
    assert read(turkish, monkeypatch, S=0.1, Ș=0.9)["Ş"] == pytest.approx(0.9, abs=0.01)
    assert unreadable_faces(turkish) == ()


def test_faces_that_no_network_knows_are_named_and_hardly_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = Alphabet(("A", "Ж", "Abc"))
    assert unreadable_faces(mixed) == ("Ж", "Abc")
    assert unreadable_faces(ENGLISH) == ()
    assert unreadable_faces(RUSSIAN) == RUSSIAN.faces
    chances = read(mixed, monkeypatch, A=0.9, none=0.1)
    assert chances["Ж"] < 1e-4


def test_english_sets_are_read_by_their_own_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def spied(name: str) -> object:
        asked.append(name)
        return lambda planes: np.zeros((len(planes), len(FACES) + 1), dtype=np.float32)

    monkeypatch.setattr(classifier, "network", spied)
    windows, covered = np.zeros((2, 32, 32, 3), dtype=np.uint8), np.zeros((2, 32, 32), dtype=bool)
    assert read_twice(windows, covered).shape == (2, len(FACES) + 1)
    assert asked == ["faces", "close_faces"]
    eyes = eyes_of(GERMAN)
    assert eyes.count == len(GERMAN) + 1


def test_rings_and_crosses_are_never_plain_in_any_alphabet() -> None:
    norse = Alphabet((*"ANOX", "Ø"))
    sure = np.eye(len(norse)) * 0.96 + 0.008
    assert is_legible(sure, norse).tolist() == [True, True, False, False, False]


FROM_GAMES = 17
"""Faces at the start of the picture that were cut from simulated games; the others are drawn, many of them soft."""


def test_letters_beyond_a_to_z_are_read_among_all_of_them() -> None:
    """96 faces in typefaces that no training picture shows, any of 81 faces possible."""
    folder = Path(__file__).parent
    picture = np.asarray(cv2.imread(str(folder / "other_letters.png")), dtype=np.uint8)
    named = (folder / "other_letters.txt").read_text(encoding="utf-8").split()
    windows = picture.reshape(6, FACE_PX, 16, FACE_PX, 3).swapaxes(1, 2).reshape(96, FACE_PX, FACE_PX, 3)
    alphabet = Alphabet(tuple(sorted({*FACES, *named}, key=alphabetical)))
    chances = read_faces(windows, alphabet)[:, :REJECT]
    right = [alphabet.faces[int(best)] == face for best, face in zip(chances.argmax(axis=1), named, strict=True)]
    assert all(right[:FROM_GAMES])
    assert sum(right) >= 76
    closely = read_twice(windows, np.zeros(windows.shape[:3], dtype=bool), alphabet)
    assert np.allclose(closely[:, :REJECT], chances)
