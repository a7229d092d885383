"""The tiles left, from a photograph: what is plain is told, what is in doubt is asked, and nothing is entered."""

from __future__ import annotations

from collections import Counter

from webkit import Site, jpeg, text

from engine import ENGLISH, FACES
from vision.letters.loose_tiles import LooseTile
from webui.views.finish import likely_faces


def tile(**chances: float) -> LooseTile:
    """A tile of which these chances are known; the rest is shared by all other faces."""
    rest = (1.0 - sum(chances.values())) / (len(FACES) - len(chances))
    return LooseTile(tuple(chances.get(face, rest) for face in FACES), 0.25, 0.5, 0.1, 0.0)


def test_a_plain_letter_is_told_and_one_in_doubt_is_asked() -> None:
    asked = likely_faces(tile(N=0.5, Z=0.4), None, ENGLISH)
    assert likely_faces(tile(E=0.9), None, ENGLISH) == ("E",)
    assert (asked[:2], len(asked)) == (("N", "Z"), 4)


def test_letters_that_all_lie_on_the_board_are_hardly_believed() -> None:
    assert likely_faces(tile(N=0.4, Z=0.55), Counter({"N": 2, "A": 1}), ENGLISH) == ("N",)


def test_a_photograph_of_a_rack_is_read_and_changes_nothing(site: Site) -> None:
    site.reader.rack = (tile(E=0.95), tile(M=0.5, W=0.45))
    answer = site.upload("/games/1/end/rack", jpeg()).get_json()
    first, second = answer["tiles"]
    assert first == {"faces": ["E"], "x": 0.25, "y": 0.5, "side": 0.1, "turn": 0.0}
    assert second["faces"][:2] == ["M", "W"]
    assert site.now().row.version == site.game.row.version


def test_a_photograph_without_tiles_says_what_to_do(site: Site) -> None:
    response = site.upload("/games/1/end/rack", jpeg())
    assert response.status_code == 400
    assert "Lay them in a row" in text(response)
    assert site.upload("/games/77/end/rack", jpeg()).status_code == 404
