"""Hands-free play: what the camera's frames settle is entered, asked about, amended; people come first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from flask.testing import FlaskClient
from webkit import EXAMPLE, ScriptedReader, doubt, picture, play_of, really, seen, sure

from engine.board import Board
from engine.game.events import Passed
from vision.images import Image
from webui.errors import CameraError
from webui.live.hands_free import HandsFree
from webui.ports import Facts, Followed, Sighting
from webui.services import Services
from webui.storage.open_games import OpenGame


@dataclass
class Script:
    """Follows by script: what each frame settles, None where it settles nothing."""

    events: list[Followed | None]

    def feed(self, frame: Image, time: float) -> Followed | None:
        return self.events.pop(0) if self.events else None


@dataclass
class Reader(ScriptedReader):
    """Follows by the next script each time, and remembers from where."""

    scripts: list[Script] = field(default_factory=list)
    followed: list[Facts] = field(default_factory=list)

    def follow(self, facts: Facts) -> Script:
        self.followed.append(facts)
        return self.scripts.pop(0) if self.scripts else Script([])


@dataclass
class Lens:
    """A camera that has a new frame at every look, unless it is lost."""

    lost: bool = False

    def newest(self) -> Image:
        if self.lost:
            raise CameraError("The camera gives no picture.")
        return picture().copy()


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def watch(made: Services, reader: Reader, game: OpenGame) -> Iterator[Callable[..., OpenGame]]:
    """Look so many times at the game, and return it as it then stands."""
    hands = HandsFree(Lens(), made.tables, made.intake, reader, made.announcer)  # type: ignore[arg-type]
    hands.follow(game.row.id)

    def looks(times: int) -> OpenGame:
        for _ in range(times):
            hands.look()
        return made.tables.open(game.row.id)

    yield looks
    hands.close()


def board_of(tiles: str) -> Board:
    return Board.empty(8).with_play(play_of(tiles))


def found(sighting: Sighting) -> Followed:
    return Followed(sighting, picture())


def test_turns_are_entered_as_they_are_found(reader: Reader, watch: Callable[..., OpenGame]) -> None:
    reader.scripts = [Script([None, found(sure(EXAMPLE[0])), None, found(sure(EXAMPLE[1]))])]
    after = watch(5)
    assert [turn.points for turn in after.game.turns] == [8, 8]
    assert len(reader.followed) == 1


def test_nothing_is_entered_while_a_question_waits(
    made: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    reader.scripts = [
        Script([found(doubt(EXAMPLE[0], "M@b4 O@c4")), found(sure(EXAMPLE[1]))]),
        Script([found(sure(EXAMPLE[1]))]),
    ]
    asked = watch(3)
    assert asked.pending is not None
    assert not asked.game.turns
    made.intake.answer(asked, 0, asked.row.version)
    after = watch(2)
    assert [turn.points for turn in after.game.turns] == [8, 8]
    assert reader.followed[1].belief.board == board_of(EXAMPLE[0])


def test_a_play_that_goes_on_takes_the_place_of_what_was_entered(
    made: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    begun, whole = "M@b4 O@c4", EXAMPLE[0]
    reader.scripts = [Script([found(sure(begun)), found(really(whole, asked=False))])]
    after = watch(2)
    assert [turn.points for turn in after.game.turns] == [8]
    assert after.game.board == board_of(whole)
    assert len(reader.followed) == 1
    newest = made.store.newest_photo(after.row.id)
    assert newest is not None
    assert made.photos(after)[1].key == newest.key


def test_a_play_that_may_have_gone_on_is_put_right_with_a_tap(
    made: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    reader.scripts = [Script([found(sure("M@b4 O@c4")), found(really(EXAMPLE[0]))])]
    asked = watch(2)
    assert asked.pending is not None
    assert len(asked.game.turns[0].play.tiles) == 2  # type: ignore[union-attr]
    after = made.intake.answer(asked, 0, asked.row.version)
    assert [turn.play for turn in after.game.turns] == [play_of(EXAMPLE[0])]
    assert made.photos(after)[1].key == asked.pending.photo


def test_what_cannot_be_amended_is_asked_about(reader: Reader, watch: Callable[..., OpenGame]) -> None:
    two = really(EXAMPLE[0], EXAMPLE[1], replaces=2, asked=False)
    reader.scripts = [Script([found(sure(EXAMPLE[0])), found(two)])]
    after = watch(2)
    assert len(after.game.turns) == 1
    assert after.pending is not None
    assert (after.pending.kind, after.pending.choices) == ("unclear", ())
    assert "does not fit the scoresheet" in str(after.pending.reason)


def test_an_earlier_turn_that_looks_like_another_is_put_right_with_a_tap(
    made: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    misread = "M@b4 O@c4 O@d4 N@e4"
    reader.scripts = [Script([found(sure(misread)), found(really(EXAMPLE[0], EXAMPLE[1]))])]
    asked = watch(2)
    assert asked.pending is not None
    assert "earlier turn" in str(asked.pending.reason)
    after = made.intake.answer(made.tables.open(asked.row.id), 0, asked.row.version)
    assert [turn.points for turn in after.game.turns] == [8, 8]
    assert after.game.board == board_of(EXAMPLE[0]).with_play(play_of(EXAMPLE[1]))


def test_tiles_taken_back_and_two_turns_at_once_are_asked_about_and_followed_on(
    made: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    both = replace(really(*EXAMPLE[:2], replaces=0), reason="Two plays.")
    reader.scripts = [Script([found(both)]), Script([found(seen("removed"))]), Script([])]
    asked = watch(1)
    after = made.intake.answer(asked, 0, asked.row.version)
    assert [turn.player for turn in after.game.turns] == ["Red", "Blue"]
    asked = watch(2)
    assert asked.pending is not None
    after = made.intake.answer(asked, 0, asked.row.version)
    assert (after.game.current_player, after.game.board) == ("Blue", board_of(EXAMPLE[0]))
    watch(1)
    assert reader.followed[2].belief.sheet_board == board_of(EXAMPLE[0])


def test_a_change_by_hand_is_followed_from_there(
    made: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    reader.scripts = [Script([]), Script([found(sure(EXAMPLE[0]))])]
    before = watch(1)
    made.tables.change(before, lambda game: game.with_event(Passed()))
    after = watch(2)
    assert after.game.turns[-1].points == 8
    assert len(reader.followed) == 2


def test_a_game_that_is_over_is_left_alone(
    made: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    reader.scripts = [Script([found(sure(EXAMPLE[0]))])]
    game = made.tables.newest()
    assert game is not None
    made.tables.change(made.tables.open(game.id), lambda begun: begun.end("agreed", (0, 0)))
    assert not watch(3).game.turns
    assert not reader.followed


def test_a_lost_camera_is_said_and_does_no_harm(made: Services, reader: Reader, game: OpenGame) -> None:
    hands = HandsFree(Lens(lost=True), made.tables, made.intake, reader, made.announcer)  # type: ignore[arg-type]
    hands.follow(game.row.id)
    with pytest.raises(CameraError):
        hands.look()
    hands.start()
    hands.follow(None)
    hands.close()
    assert hands.game_id is None


def test_the_page_needs_a_camera_for_it(client: FlaskClient, game: OpenGame) -> None:
    answer = client.post(f"/games/{game.row.id}/follow", data={"on": "1"})
    assert answer.status_code == 503
    assert "--camera" in answer.get_data(as_text=True)


def test_frames_that_stay_the_same_are_not_looked_at_again(
    made: Services, reader: Reader, game: OpenGame
) -> None:
    class Frozen:
        frame = np.zeros((4, 4, 3), np.uint8)

        def newest(self) -> Image:
            return self.frame

    reader.scripts = [Script([None, found(sure(EXAMPLE[0]))])]
    hands = HandsFree(Frozen(), made.tables, made.intake, reader, made.announcer)  # type: ignore[arg-type]
    hands.follow(game.row.id)
    for _ in range(4):
        hands.look()
    assert not made.tables.open(game.row.id).game.turns
