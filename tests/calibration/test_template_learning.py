"""A set's own letters: learning them, and what they change."""

from __future__ import annotations

import numpy as np
from calibkit import logs_of, window_of, windows_of

from calibration.lessons import learn_templates
from engine import FACES
from vision.letters.classifier import FACE_PX, REJECT
from vision.letters.templates import SetFaces

ALL = list(FACES) * 2
OWN = learn_templates(None, windows_of(ALL), ALL)
NO_WINDOWS = np.zeros((0, FACE_PX, FACE_PX, 3), np.uint8)


def test_every_letter_has_a_template_of_unit_length() -> None:
    assert OWN.letters == "".join(FACES)
    assert (OWN.counts == 2).all()
    assert np.allclose(np.linalg.norm(OWN.templates.reshape(26, -1), axis=1), 1.0)
    assert np.abs(OWN.templates.mean(axis=(1, 2))).max() < 1e-3


def test_windows_correlate_best_with_their_own_letter() -> None:
    match = OWN.correlations(windows_of(FACES, seed=500))
    assert (match.argmax(axis=1) == np.arange(26)).all()


def test_a_letter_that_the_network_mistakes_is_put_right() -> None:
    right, mistaken = ["C", "O", "I"], ["G", "Qu", "J"]
    wrong = np.log(0.45 * np.exp(logs_of(right, sure=0.95)) + 0.55 * np.exp(logs_of(mistaken, sure=0.95)))
    weighed = wrong + OWN.log_odds(windows_of(right, seed=900), wrong)
    assert [FACES[k] for k in wrong[:, :REJECT].argmax(axis=1)] == mistaken
    assert [FACES[k] for k in weighed[:, :REJECT].argmax(axis=1)] == right
    assert np.allclose(weighed[:, REJECT], wrong[:, REJECT])
    assert np.allclose(np.exp(weighed).sum(axis=1), 1.0)


def test_what_is_like_no_letter_changes_nothing() -> None:
    blank = np.random.default_rng(1).integers(0, 255, (1, FACE_PX, FACE_PX, 3)).astype(np.uint8)
    told = logs_of(["A"])
    assert np.allclose(OWN.log_odds(blank, told), 0.0)
    assert OWN.log_odds(NO_WINDOWS, np.zeros((0, 27))).shape == (0, 27)


def test_letters_never_shown_are_not_ruled_out() -> None:
    some = learn_templates(None, windows_of(["A", "E"]), ["A", "E"])
    weighed = logs_of(["B"]) + some.log_odds(windows_of(["B"], seed=40), logs_of(["B"]))
    assert FACES[int(weighed[0, :REJECT].argmax())] == "B"


def test_another_set_is_noticed_and_this_one_is_not() -> None:
    faces = list("AEIOSTRN")
    inverted = 255 - windows_of(faces, seed=70)
    assert OWN.disagrees(inverted, logs_of(faces, sure=0.99))
    assert not OWN.disagrees(windows_of(faces, seed=70), logs_of(faces, sure=0.99))
    assert not OWN.disagrees(inverted, logs_of(faces, sure=0.5))


def test_more_examples_add_up_and_odd_ones_are_left_out() -> None:
    more = learn_templates(OWN, np.stack([window_of("A", seed=7), 255 - window_of("A", seed=8)]), ["A", "A"])
    assert more.counts[0] == 3
    assert (more.counts[1:] == 2).all()
    assert np.vdot(more.templates[0], OWN.templates[0]) > 0.9
    assert isinstance(more, SetFaces)
