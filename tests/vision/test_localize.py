"""Finding the board in the whole picture, however small it lies there, and saying what to do where it is too small."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from samples import photograph, squares_off

from vision import BoardNotFound
from vision.board import detect, localize, lookalikes
from vision.board.detect import Location, locate_beside, locate_in_parts, locate_in_whole, locate_outline
from vision.board.lattice import LOST, Lattice, is_board, may_be_board
from vision.board.localize import SearchTime, find_lattice
from vision.board.lookalikes import OtherEdition, is_rivalled_by_other_edition, refuse_other_edition
from vision.geometry.camera import corners_of
from vision.geometry.rectify import Reductions
from vision.images import Image

pytestmark = pytest.mark.slow


def from_afar(name: str, share: float) -> tuple[Image, np.ndarray]:
    """Return a sample in the middle of a picture, with `share` of its width, and the true corners (4, 2) there."""
    image, true = photograph(name)
    height, width = image.shape[:2]
    around = np.full((round(height / share), round(width / share), 3), (90, 110, 120), np.uint8)
    top, left = (around.shape[0] - height) // 2, (around.shape[1] - width) // 2
    around[top : top + height, left : left + width] = image
    return around, np.add(true, (left, top))


@pytest.mark.parametrize(
    ("name", "size"), [("classic_8x8/03.jpg", 8), ("classic_8x8/06.jpg", 8), ("classic_8x8/13.jpg", 8)]
)
def test_a_board_that_is_small_in_the_picture_is_found_in_a_part_of_it(name: str, size: int) -> None:
    image, true = from_afar(name, 0.3)
    assert not locate_in_whole(image)
    assert squares_off(corners_of(find_lattice(image, size).fit.camera, size), true, size) < 0.2


def test_parts_tell_where_in_the_picture_the_board_lies() -> None:
    image, true = from_afar("classic_8x8/03.jpg", 0.4)
    shifted = np.pad(image, ((0, 0), (700, 0), (0, 0)), mode="edge")
    found = [place.corners for place in locate_in_parts(shifted)]
    assert min(squares_off(corners, np.add(true, (700, 0)), 8) for corners in found) < 0.5


def test_another_network_looks_where_the_first_one_is_led_astray(monkeypatch: pytest.MonkeyPatch) -> None:
    image, true = photograph("classic_8x8/03.jpg")
    astray = [Location(np.array([(0.0, 0.0), (90.0, 0.0), (90.0, 90.0), (0.0, 90.0)]), 0.9)]
    monkeypatch.setattr(localize, "locate_in_whole", lambda _: astray)
    monkeypatch.setattr(localize, "locate_closer", lambda *_: astray)
    monkeypatch.setattr(localize, "locate_in_parts", lambda *_: astray)
    assert squares_off(corners_of(find_lattice(image, 8).fit.camera, 8), true, 8) < 0.2
    monkeypatch.setattr(localize, "locate_again", lambda _: astray)
    with pytest.raises(BoardNotFound):
        find_lattice(image, 8)


def test_a_board_whose_outline_misleads_is_found_by_its_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    image, true = photograph("classic_8x8/03.jpg")
    middle, reach = np.mean(true, axis=0), 0.5 * float(np.ptp(true, axis=0).max())
    box = Location(middle + reach * np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]), 0.9)
    for name in ("locate_in_whole", "locate_closer", "locate_again", "locate_in_parts"):
        monkeypatch.setattr(localize, name, lambda *_: [box])
    assert squares_off(corners_of(find_lattice(image, 8).fit.camera, 8), true, 8) < 0.2
    monkeypatch.setattr(localize, "poses_at", lambda *_: [])
    with pytest.raises(BoardNotFound):
        find_lattice(image, 8)


def test_squares_that_go_on_beyond_the_border_are_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    image, _ = photograph("classic_8x8/05.jpg")
    board = find_lattice(image, 8)
    place = Location(corners_of(board.fit.camera, 8), 0.9)
    aslant = replace(board, border_error=0.2, beyond=0.2)
    assert is_board(aslant)
    for posed, taken in ((aslant, None), (board, board)):
        monkeypatch.setattr(localize, "search_lattice", lambda *_, posed=posed, **__: posed)
        assert localize._search_from_poses(Reductions(image), [place], 8, None, np.inf) is taken


def test_a_larger_board_given_as_this_one_has_plain_squares_so_no_outline_has_misled() -> None:
    found = find_lattice(photograph("classic_8x8/06.jpg")[0], 8)
    larger = replace(found, spread=0.02, border_error=1.3)
    assert not localize._outline_may_have_misled(larger)
    assert not localize._outline_may_have_misled(found)
    assert localize._outline_may_have_misled(None)
    assert localize._outline_may_have_misled(replace(larger, spread=0.1))
    assert localize._outline_may_have_misled(replace(found, spread=0.07, border_error=0.0))


def test_where_a_hand_leaves_no_quadrilateral_the_outline_is_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    mask = np.zeros((64, 64), np.float32)
    mask[20:50, 20:26] = mask[44:50, 20:50] = 1.0
    monkeypatch.setattr(detect, "_maps", lambda *_: (np.zeros_like(mask), mask))
    image = np.zeros((detect.LOCATE_INNER, detect.LOCATE_INNER, 3), np.uint8)
    assert not locate_in_whole(image)
    (place,) = locate_outline(image)
    bitten = np.array([(20, 20), (26, 20), (50, 44), (50, 50), (20, 50)]) * detect.STRIDE
    aside = (detect.LOCATE_SIDE - detect.LOCATE_INNER) / 2
    outline = np.add(place.corners, aside).astype(np.float32)
    assert all(cv2.pointPolygonTest(outline, (float(x), float(y)), True) > -2 * detect.STRIDE for x, y in bitten)
    monkeypatch.setattr(detect, "_maps", lambda *_: (np.zeros_like(mask), np.zeros_like(mask)))
    assert not locate_outline(image)


def test_words_do_not_tell_which_squares_are_out_of_the_picture() -> None:
    image, _ = photograph("classic_8x8/06.jpg")
    faint = replace(find_lattice(image, 8), spread=0.025, border_error=0.0, outside=0.45)
    assert may_be_board(faint)
    with pytest.raises(BoardNotFound, match=r"Go back, and get all four corners in"):
        localize._accept(Reductions(image), faint, [], 8, given_up=False)
    less = replace(faint, outside=0.38, spread=0.03)
    assert localize._accept(Reductions(image), less, [], 8, given_up=False).unproven


def test_a_grid_smaller_than_the_windows_of_its_squares_can_be_looked_for() -> None:
    image, _ = photograph("classic_8x8/03.jpg")
    with pytest.raises(BoardNotFound):
        find_lattice(image, 2)


def test_it_does_not_look_where_the_board_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Image) -> list[Location]:
        raise AssertionError("nobody asked")

    monkeypatch.setattr(localize, "locate_again", refuse)
    monkeypatch.setattr(localize, "GOOD", 0.0)  # the first look never suffices
    image, true = photograph("classic_8x8/06.jpg")
    assert squares_off(corners_of(find_lattice(image, 8).fit.camera, 8), true, 8) < 0.2


def test_a_lattice_that_hangs_out_of_the_picture_must_be_good_to_end_the_search() -> None:
    found = find_lattice(photograph("classic_8x8/06.jpg")[0], 8)
    fair = replace(found, spread=0.03, border_error=0.0, outside=0.0)
    assert localize._is_settled(fair)
    hanging = replace(fair, outside=0.2)
    assert hanging.doubt < LOST
    assert not localize._is_settled(hanging)
    assert localize._is_settled(replace(hanging, spread=0.015))


def side_by_side(left: str, right: str) -> Image:
    """Two samples as one picture, as high as the first."""
    one, other = photograph(left)[0], photograph(right)[0]
    width = round(other.shape[1] * one.shape[0] / other.shape[0])
    beside = cv2.resize(other, (width, one.shape[0]), interpolation=cv2.INTER_AREA)
    return np.hstack([one, np.asarray(beside, dtype=np.uint8)])


def test_two_boards_in_one_picture_are_refused_with_what_to_do() -> None:
    image = side_by_side("classic_8x8/03.jpg", "classic_8x8/06.jpg")
    with pytest.raises(BoardNotFound, match=r"two boards .* one beside the other. Show only"):
        find_lattice(image, 8)
    with pytest.raises(BoardNotFound, match="one above the other"):
        find_lattice(np.ascontiguousarray(np.rot90(image)), 8)


def test_a_second_board_is_told_that_one_look_at_the_whole_takes_for_nothing() -> None:
    one, other = photograph("classic_8x8/06.jpg")[0], photograph("classic_8x8/13.jpg")[0]
    less = cv2.resize(other, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    around = np.full((one.shape[0], less.shape[1], 3), 120, np.uint8)
    around[-less.shape[0] :] = less
    image = np.hstack([one, around])
    first = corners_of(find_lattice(one, 8).fit.camera, 8)
    assert not any(place.corners[:, 0].min() > one.shape[1] for place in locate_in_whole(image))
    assert any(place.corners[:, 0].min() > one.shape[1] for place in locate_beside(image, first))
    with pytest.raises(BoardNotFound, match="two boards"):
        find_lattice(image, 8)


def test_a_board_of_another_edition_beside_the_board_does_not_count_as_a_second() -> None:
    image = side_by_side("classic_8x8/03.jpg", "blue_10x10/11.jpg")
    corners = corners_of(find_lattice(image, 8).fit.camera, 8)
    assert corners[:, 0].max() < image.shape[1] / 2


@pytest.mark.parametrize(
    ("name", "given", "true"),
    [("classic_8x8/05.jpg", 10, 8), ("blue_10x10/04.jpg", 8, 10), ("blue_10x10/08.jpg", 8, 10)],
)
def test_a_board_of_another_edition_is_told_by_its_own_size(name: str, given: int, true: int) -> None:
    image, _ = photograph(name)
    with pytest.raises(BoardNotFound, match=rf"looks {true} × {true}. The game is set up for {given} × {given}"):
        find_lattice(image, given)


def test_a_chequered_cloth_that_only_a_hand_would_make_a_board_gives_way_to_one_in_a_part_of_the_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image, _ = photograph("classic_8x8/05.jpg")
    board = find_lattice(image, 8)
    cloth = replace(board, spread=0.029, border_error=0.7, beyond=0.2)
    assert is_board(cloth)
    searched: Iterator[Lattice] = iter([cloth, cloth, board])
    monkeypatch.setattr(localize, "search_lattice", lambda *_, **__: next(searched, None))
    monkeypatch.setattr(localize, "refuse_other_edition", lambda *_: None)
    monkeypatch.setattr(localize, "is_rivalled_by_other_edition", lambda *_: False)
    assert find_lattice(image, 8).spread == board.spread
    searched = iter([cloth, cloth])
    assert find_lattice(image, 8).spread == cloth.spread


@pytest.mark.parametrize(("doubt", "told"), [(0.8, True), (0.9, False)])
def test_the_other_edition_must_fit_clearly_better(monkeypatch: pytest.MonkeyPatch, doubt: float, told: bool) -> None:
    image, _ = photograph("classic_8x8/05.jpg")
    found = find_lattice(image, 8)
    doubtful = replace(found, spread=0.03, border_error=0.1)
    other = replace(found, spread=doubt * doubtful.doubt, border_error=0.0)
    for room in (localize, lookalikes):
        monkeypatch.setattr(room, "search_lattice", lambda _, __, size, **___: doubtful if size == 8 else other)
    if told:
        with pytest.raises(BoardNotFound, match="The game is set up for"):
            find_lattice(image, 8)
    else:
        assert find_lattice(image, 8).spread == doubtful.spread


def test_a_faint_grid_gives_way_to_another_editions_that_fits_clearly_better(monkeypatch: pytest.MonkeyPatch) -> None:
    image, _ = photograph("classic_8x8/05.jpg")
    found = find_lattice(image, 8)
    faint = replace(found, spread=0.03, border_error=0.0, outside=0.35)
    assert may_be_board(faint)
    assert not is_board(faint)
    other = replace(found, spread=0.035, border_error=0.0)
    monkeypatch.setattr(lookalikes, "search_lattice", lambda *_, **__: other)
    with pytest.raises(OtherEdition, match=r"looks 10 × 10\. The game is set up for 8 × 8"):
        refuse_other_edition(Reductions(image), [], 8, faint)
    # a lattice that isn't a board's at all is refused for that, unless the other edition's fits beyond doubt
    refuse_other_edition(Reductions(image), [], 8, replace(faint, border_error=0.5))


@pytest.mark.parametrize(("aside", "doubt", "rivalled"), [(1.5, 1.05, True), (0.0, 1.05, False), (1.5, 1.3, False)])
def test_a_grid_aside_from_where_the_board_was_located_is_in_doubt_if_another_editions_fits_as_well(
    monkeypatch: pytest.MonkeyPatch, aside: float, doubt: float, rivalled: bool
) -> None:
    image, _ = photograph("classic_8x8/05.jpg")
    found = find_lattice(image, 8)
    assert not found.rivalled
    other = replace(found, spread=doubt * found.doubt, border_error=0.0)
    monkeypatch.setattr(lookalikes, "search_lattice", lambda *_, **__: other)
    grid = corners_of(found.fit.camera, 8)
    place = Location(grid + aside * (grid[1] - grid[0]) / 8, 0.9)
    told = is_rivalled_by_other_edition(Reductions(image), [place], 8, found)
    assert told is rivalled


def test_what_drowns_in_noise_is_refused_with_what_to_do() -> None:
    image, _ = from_afar("classic_8x8/03.jpg", 0.35)
    small = cv2.resize(image, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(30.0, 40.0, small.shape)
    drowned = np.clip(0.3 * small + noise, 0, 255).astype(np.uint8)
    with pytest.raises(BoardNotFound, match="Come nearer"):
        find_lattice(drowned, 8)


@pytest.mark.parametrize(("share", "told"), [(1.0, "Take your hand away"), (0.25, "Come nearer")])
def test_only_where_a_board_is_small_people_are_told_to_come_nearer(
    monkeypatch: pytest.MonkeyPatch, share: float, told: str
) -> None:
    monkeypatch.setattr(localize, "search_lattice", lambda *_, **__: None)
    image, _ = photograph("classic_8x8/03.jpg") if share == 1.0 else from_afar("classic_8x8/03.jpg", share)
    with pytest.raises(BoardNotFound) as refused:
        find_lattice(image, 8, limit=SearchTime(60.0, 60.0))
    assert [each for each in ("Take your hand away", "Come nearer") if each in str(refused.value)] == [told]
    assert ("choose another board" in str(refused.value)) is (share == 1.0)


@pytest.mark.parametrize(("patience", "enough"), [(-1.0, 60.0), (60.0, -1.0), (60.0, 60.0)])
def test_a_search_that_ran_out_of_time_says_so(patience: float, enough: float) -> None:
    bare = np.full((900, 1200, 3), 128, np.uint8)
    with pytest.raises(BoardNotFound, match="Come nearer") as refused:
        find_lattice(bare, 8, limit=SearchTime(patience, enough))
    assert ("in time" in str(refused.value)) is (min(patience, enough) < 0)


@pytest.mark.parametrize(("patience", "enough"), [(-1.0, 60.0), (60.0, -1.0), (60.0, 60.0)])
@pytest.mark.parametrize("share", [1.0, 0.25])
def test_what_has_another_grid_is_refused_and_the_edition_asked_for(
    monkeypatch: pytest.MonkeyPatch, share: float, patience: float, enough: float
) -> None:
    image, _ = photograph("classic_8x8/03.jpg") if share == 1.0 else from_afar("classic_8x8/03.jpg", share)
    for name in ("is_board", "may_be_board"):
        monkeypatch.setattr(localize, name, lambda _: False)
    for name in ("GOOD", "LOST"):
        monkeypatch.setattr(localize, name, 0.0)
    monkeypatch.setattr(localize, "refuse_other_edition", lambda *_: None)
    with pytest.raises(BoardNotFound, match="another board") as refused:
        find_lattice(image, 8, limit=SearchTime(patience, enough))
    # coming nearer, with more time, doesn't help where the board is large
    assert ("in time. Come nearer" in str(refused.value)) is (share < 1.0 and min(patience, enough) < 0)
