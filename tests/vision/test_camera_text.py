"""Text that a camera writes over its picture: where it is found, where it isn't, and which squares it hides."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from readings import camera, reading_of, write_over

import sample_images
from engine import Board, parse_square
from vision import BoardReader, load_image
from vision.geometry.camera import Camera
from vision.hidden.camera_text import CameraText, find_camera_text, find_hidden_by_text
from vision.images import Image
from vision.turn.finding import explain_hidden

PICTURES = Path(sample_images.__file__).parent
SIZE = 8
ELEVATIONS = np.linspace(0.0, 1.25, 6)
WHITE, BLACK, YELLOW = (255, 255, 255), (0, 0, 0), (0, 255, 255)
LEFT = 40


def photograph() -> Image:
    return load_image(PICTURES / "classic_8x8" / "03.jpg")[0]


def with_clock(
    image: Image,
    bottom: int,
    *,
    text: str = "2026-11-27 19:42:05",
    height: int = 30,
    colour: tuple[int, int, int] = WHITE,
    outline: tuple[int, int, int] | None = BLACK,
    left: int = LEFT,
) -> tuple[Image, int]:
    """Return the picture with a clock on it, compressed as by a camera; and the clock's right end."""
    scale, thick = height / 22, max(1, round(height / 10))
    picture = image.copy()
    for ink, width in ((outline, thick + 4), (colour, thick)):
        if ink is not None:
            cv2.putText(picture, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, scale, ink, width, cv2.LINE_AA)
    right = left + cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)[0][0]
    sent = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    return np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), dtype=np.uint8), right


@pytest.mark.parametrize(
    ("colour", "outline"), [(WHITE, BLACK), (WHITE, None), (BLACK, None), (BLACK, WHITE), (YELLOW, BLACK)]
)
@pytest.mark.parametrize("place", [0.06, 0.97])
def test_a_clock_is_found_from_end_to_end(
    place: float, colour: tuple[int, int, int], outline: tuple[int, int, int] | None
) -> None:
    image = photograph()
    bottom = round(place * len(image))
    picture, right = with_clock(image, bottom, colour=colour, outline=outline)
    lines = find_camera_text(picture)
    assert len(lines) >= 1
    assert lines[:, 0].min() < LEFT + 5
    assert lines[:, 2].max() > right - 5
    assert (lines[:, 1] > bottom - 60).all()
    assert (lines[:, 3] < bottom + 30).all()


@pytest.mark.parametrize("height", [16, 45, 60])
def test_small_and_large_clocks_are_found(height: int) -> None:
    picture, _ = with_clock(photograph(), 900, height=height, text="19:42:05 27.11.26")
    assert len(find_camera_text(picture)) >= 1


def test_a_clock_is_found_in_a_picture_of_many_pixels() -> None:
    image = cv2.resize(photograph(), None, fx=2.5, fy=2.5)
    picture, right = with_clock(np.asarray(image, dtype=np.uint8), 300, height=90, left=100)
    lines = find_camera_text(picture)
    assert lines[:, 0].min() < 110
    assert lines[:, 2].max() > right - 10


@pytest.mark.parametrize("path", sorted(PICTURES.glob("*/*.jpg")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_photographs_without_text_of_a_camera_show_none(path: Path) -> None:
    assert len(find_camera_text(load_image(path)[0])) == 0


def test_text_that_was_photographed_askew_is_no_cameras() -> None:
    """A newspaper lies on the table a little askew: its lines rise."""
    image = np.full((1080, 1440, 3), 150, dtype=np.uint8)
    picture, _ = with_clock(image, 500, outline=None, colour=BLACK)
    turn = cv2.getRotationMatrix2D((400.0, 500.0), 1.5, 1.0)
    askew = np.asarray(cv2.warpAffine(picture, turn, (1440, 1080), borderValue=(150, 150, 150)), dtype=np.uint8)
    assert len(find_camera_text(picture)) == 1
    assert len(find_camera_text(askew)) == 0


def test_faint_print_is_no_cameras() -> None:
    """Black print on a nearly black square, seen from straight above."""
    image = np.full((1080, 1440, 3), 45, dtype=np.uint8)
    for word, bottom in (("TRIPLE", 500), ("LETTER", 530), ("SCORES", 560)):
        cv2.putText(image, word, (300, bottom), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (14, 14, 14), 1, cv2.LINE_AA)
    assert len(find_camera_text(image)) == 0


def test_letters_of_a_word_on_the_board_are_no_text() -> None:
    """From straight above, a word's letters stand on one line and are equally high, but far apart."""
    image = np.full((1080, 1440, 3), 225, dtype=np.uint8)
    for at, letter in enumerate("HESITATE"):
        cv2.putText(image, letter, (100 + 110 * at, 500), cv2.FONT_HERSHEY_DUPLEX, 2.4, BLACK, 5, cv2.LINE_AA)
    assert len(find_camera_text(image)) == 0


def from_above() -> Camera:
    return camera(SIZE, tilt=0.0, turn=0.0)


def stacks(**heights: int) -> np.ndarray:
    """Return certain probabilities of heights (8, 8, 6), 0 except on the named squares."""
    probs = np.zeros((SIZE, SIZE, 6))
    probs[..., 0] = 1.0
    for name, height in heights.items():
        square = parse_square(name)
        probs[square.row, square.col] = np.eye(6)[height]
    return probs


def line_over(view: Camera, left: float, right: float, row: float, elevation: float = 0.0) -> np.ndarray:
    """Return a line of text (1, 4), a fifth of a square high, whose middle lies at `row` on a plane of the board."""
    ends = view.project([(left, row, elevation), (right, row, elevation)])
    half = 0.1 * float(np.linalg.norm(ends[1] - ends[0])) / (right - left)
    return np.array([[ends[0, 0], ends[0, 1] - half, ends[1, 0], ends[1, 1] + half]])


def squares_of(text: CameraText | None) -> set[tuple[int, int]]:
    return set() if text is None else {(int(row), int(col)) for row, col in np.argwhere(text.squares)}


def test_squares_under_a_line_are_hidden_and_no_others() -> None:
    view = from_above()
    text = find_hidden_by_text(line_over(view, 2.0, 5.0, 3.5), view, stacks(), ELEVATIONS)
    assert squares_of(text) == {(3, 2), (3, 3), (3, 4)}


def test_text_beside_the_board_hides_nothing() -> None:
    view = from_above()
    assert find_hidden_by_text(line_over(view, 1.0, 6.0, -1.0), view, stacks(), ELEVATIONS) is None
    assert find_hidden_by_text(np.zeros((0, 4)), view, stacks(), ELEVATIONS) is None


def test_a_face_is_hidden_where_the_stack_may_raise_it() -> None:
    """From the side a line at the height of a tall stack's face lies over it, though not over its square."""
    view = camera(SIZE, tilt=1.0, turn=0.0)
    line = line_over(view, 3.1, 3.9, 5.5, elevation=1.25)
    assert (5, 3) not in squares_of(find_hidden_by_text(line, view, stacks(), ELEVATIONS))
    for height in (4, 5):
        hidden = squares_of(find_hidden_by_text(line, view, stacks(d6=height), ELEVATIONS))
        assert (5, 3) in hidden, "one tile more than is seen may lie there"


def test_the_sentence_names_few_squares_and_counts_many() -> None:
    few = np.zeros((SIZE, SIZE), dtype=bool)
    few[3, 1:3] = True
    assert CameraText(few).text().startswith("The camera writes text over b4 and c4, so")
    few[5] = True
    assert CameraText(few).text().startswith("The camera writes text over 10 squares, so")


def test_letters_under_a_clock_are_not_believed() -> None:
    reader, image = BoardReader(without={"tesseract"}), photograph()
    clear = reader.read(image, SIZE)
    row, col = np.argwhere((clear.heights() > 0) & (clear.confidence() > 0.9))[0]
    place = clear.camera.project([(col + 0.5, row + 0.5, clear.face_elevations(int(clear.heights()[row, col])))])[0]
    picture, _ = with_clock(image, round(place[1]) + 15, left=max(round(place[0]) - 300, 10))
    read = reader.read(picture, SIZE)
    assert clear.camera_text is None
    assert read.camera_text is not None
    assert read.camera_text.squares[row, col]
    assert read.find_occluded()[row, col]
    assert read.confidence()[row, col] < 0.1
    assert read.under_hand[row, col] == 0.0, "the text stays: nobody waits for it to go"
    away = ~read.camera_text.squares & (clear.confidence() > 0.95)
    assert (np.array(read.letters())[away] == np.array(clear.letters())[away]).all()


def test_a_question_says_that_text_hides_the_square() -> None:
    reading = write_over(reading_of(Board.empty(SIZE)), (3, 4))
    said = explain_hidden(reading, Board.empty(SIZE), parse_square("e4"))
    assert said == "e4 can't be read. The camera writes text over it."
