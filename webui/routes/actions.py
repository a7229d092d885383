"""Everything that changes a game: each a POST that names the version of the game it was asked from."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from engine.editions import EDITIONS
from engine.game.events import END_REASONS
from engine.game.game import Game, Rescored
from engine.game.revision import Misfit
from engine.play import format_play
from webui.access.permissions import takes
from webui.errors import NotThere, WebError
from webui.live.intake import take_back as taking_back
from webui.routes.editors import (
    Editor,
    Way,
    correcting_editor,
    correction_of,
    had_turn_at,
    needs_accepting,
    play_editor,
    render_editor,
)
from webui.routes.forms import (
    parse_index,
    parse_left,
    parse_photo,
    parse_sent_as,
    parse_tiles,
    parse_version,
)
from webui.services import services
from webui.storage.open_games import OpenGame
from webui.views.game.lift import told_of
from webui.views.game.sheet import changes_text

actions = Blueprint("actions", __name__)


def wants_json() -> bool:
    """Whether the page's script asks, rather than the browser itself."""
    return request.accept_mimetypes.best == "application/json"


def done(to: str, message: str | None = None) -> ResponseReturnValue:
    """The answer to a change that was made: where to go on."""
    if wants_json():
        return jsonify({"to": to, "message": message})
    return redirect(to, 303)


def game_url(game_id: int) -> str:
    """Where a game is shown."""
    return url_for("pages.game", game_id=game_id)


@actions.post("/games/<int:game_id>/photo")
@takes()
def photo(game_id: int) -> ResponseReturnValue:
    """A turn taken from an uploaded photograph."""
    made = services()
    made.tables.open(game_id)
    sent_as = parse_sent_as(request.headers)
    upload = parse_photo(request.files.get("photo"))
    taken = made.intake.take(game_id, upload.image, "upload", upload.digest, sent_as=sent_as)
    return done(game_url(game_id), told_of(taken))


@actions.post("/games/<int:game_id>/photo/cancel")
def cancel_photo(game_id: int) -> ResponseReturnValue:
    """No turn is taken from the photograph that the header names, unless it was taken already."""
    made = services()
    made.tables.open(game_id)
    sent_as = parse_sent_as(request.headers)
    if sent_as is None:
        raise WebError("Which photograph is meant? Load the page again.")
    late = "Too late to cancel: the photograph was taken in. Undo takes a turn back."
    return done(game_url(game_id), None if made.intake.cancel(game_id, sent_as) else late)


@actions.post("/games/<int:game_id>/capture")
def capture(game_id: int) -> ResponseReturnValue:
    """A turn taken from the camera's newest frame."""
    made = services()
    image = made.cameras.needed(game_id).camera.newest()
    taken = made.intake.take(game_id, image, "camera", corners=made.cameras.corners(game_id, image))
    return done(game_url(game_id), told_of(taken))


@actions.post("/games/<int:game_id>/follow")
def follow(game_id: int) -> ResponseReturnValue:
    """Turns are taken from the camera hands-free from now on, or no longer (`on` is empty)."""
    made = services()
    made.tables.open(game_id)
    made.cameras.follow(game_id, on=bool(request.form.get("on")))
    return done(game_url(game_id))


@actions.post("/games/<int:game_id>/play")
def play(game_id: int) -> ResponseReturnValue:
    """A play entered by hand. One that breaks a rule is entered once its verdict has been seen."""
    made = services()
    opened = made.tables.open(game_id)
    version = parse_version(request.form)
    tiles = parse_tiles(request.form, opened.game.board)
    if needs_accepting(opened.game, tiles, request.form.get("accept", "")):
        return _asked_again(play_editor(opened))
    made.intake.enter(opened, tiles, version)
    return done(game_url(game_id))


@actions.post("/games/<int:game_id>/pass")
def pass_turn(game_id: int) -> ResponseReturnValue:
    """The current player passes."""
    return _change(game_id, lambda game: game.pass_turn())


@actions.post("/games/<int:game_id>/exchange")
def exchange(game_id: int) -> ResponseReturnValue:
    """The current player exchanges a tile."""
    return _change(game_id, lambda game: game.exchange())


@actions.post("/games/<int:game_id>/undo")
def undo(game_id: int) -> ResponseReturnValue:
    """The last entry is taken back, be it a turn, a correction or the end."""
    return _change(game_id, lambda game: game.undo())


@actions.post("/games/<int:game_id>/redo")
def redo(game_id: int) -> ResponseReturnValue:
    """What was undone last is brought back."""
    return _change(game_id, lambda game: game.redo())


@actions.post("/games/<int:game_id>/board")
def change_board(game_id: int) -> ResponseReturnValue:
    """Play on the board of another edition, while nothing is entered."""
    made = services()
    opened = made.tables.open(game_id)
    edition = request.form.get("edition", "")
    if edition not in EDITIONS:
        raise WebError(f"Which board? Choose one of {', '.join(EDITIONS)}.")
    made.tables.change_board(opened, edition, parse_version(request.form))
    return done(game_url(game_id), f"The game is on the {EDITIONS[edition].name} board now. Photograph it.")


@actions.post("/games/<int:game_id>/take-back")
def take_back(game_id: int) -> ResponseReturnValue:
    """The last play comes off the board, and its player plays again."""
    return _change(game_id, lambda game: taking_back(game)(game))


@actions.post("/games/<int:game_id>/end")
def end(game_id: int) -> ResponseReturnValue:
    """The game is over; the form says how many tiles each player has left."""
    reason = request.form.get("reason", "")
    if reason not in END_REASONS:
        raise WebError("Why does the game end? Choose a reason from the list.")

    def finish(game: Game) -> Game:
        return game.end(reason, parse_left(request.form, game.players))

    return _change(game_id, finish)


@actions.post("/games/<int:game_id>/turns/<int:place>/correct")
def correct(game_id: int, place: int) -> ResponseReturnValue:
    """Put a past turn right."""
    return _put_right(game_id, place, "correct")


@actions.post("/games/<int:game_id>/turns/<int:place>/insert")
def insert(game_id: int, place: int) -> ResponseReturnValue:
    """Put in a turn that was missed before a past one."""
    return _put_right(game_id, place, "insert")


@actions.post("/games/<int:game_id>/turns/<int:place>/player")
def assign(game_id: int, place: int) -> ResponseReturnValue:
    """A past turn was another player's; play goes round from there, and everything is rescored."""
    opened = services().tables.open(game_id)
    event = had_turn_at(opened.game, place).event
    number = parse_index(request.form.get("player", ""), "Whose turn was it?")
    if number >= len(opened.game.players):
        raise WebError(f"Whose turn was it? Choose one of {', '.join(opened.game.players)}.")
    return _save(opened, opened.game.assign(event, opened.game.players[number]))


@actions.post("/demo/<action>")
def demo(action: str) -> ResponseReturnValue:
    """Start, pause or step the demo."""
    player = services().demo
    if player is None:
        raise NotThere("There is no demo here: start one with 'upscore demo'.")
    if action == "start":
        which = parse_index(request.form.get("which", ""), "Which demo was meant?")
        return done(game_url(player.start(which)))
    steps: dict[str, Callable[[], None]] = {
        "pause": player.pause,
        "resume": player.resume,
        "step": player.step,
    }
    if action not in steps:
        raise NotThere("The demo can be started, paused, resumed and stepped.")
    steps[action]()
    status = player.status
    return done(game_url(status.game_id) if status else url_for("pages.games"))


def _put_right(game_id: int, place: int, way: Way) -> ResponseReturnValue:
    """Put a turn right, or one in that was missed before it, and rescore everything after it.

    The form holds the play; the address says if it was a pass, an exchange or nothing. If a later turn can't stand
    then, nothing is saved yet: the editor opens on that turn, and takes along what was `said` so far.
    """
    opened = services().tables.open(game_id)
    said, to = request.args.getlist("said"), request.args.get("to", "play")
    version = parse_version(request.form)
    opened.check_version(version)
    editor = correcting_editor(opened, place, way, said)
    if to not in ("pass", "exchange", "nothing"):
        tiles = parse_tiles(request.form, editor.game.board)
        if needs_accepting(editor.game, tiles, request.form.get("accept", "")):
            return _asked_again(editor)
        to = format_play(tiles)
    settled(opened)
    said = [*said, to]
    found = correction_of(opened.game, place, way, said)
    if isinstance(found, Misfit):
        return done(url_for(f"pages.{way}", game_id=game_id, place=place, said=said, version=version))
    return _save(opened, opened.game.put_right(found))


def _asked_again(editor: Editor) -> ResponseReturnValue:
    """The editor with the referee's verdict on a play that breaks a rule, to be sent again."""
    if wants_json():
        raise WebError("The referee has something to say about this play: look, then send it again.")
    return render_editor(editor, request.form["tiles"])


def _save(opened: OpenGame, rescored: Rescored) -> ResponseReturnValue:
    """Save a correction, and say what it changed."""
    settled(opened)
    services().tables.change(opened, lambda _: rescored.game, version=parse_version(request.form))
    return done(game_url(opened.row.id), changes_text(rescored))


def _change(game_id: int, act: Callable[[Game], Game]) -> ResponseReturnValue:
    """Make a change that would leave an open question behind only once that is settled."""
    made = services()
    opened = made.tables.open(game_id)
    version = parse_version(request.form)
    settled(opened)
    made.tables.change(opened, act, version=version)
    return done(game_url(game_id))


def settled(opened: OpenGame) -> None:
    """Raises WebError while a question waits whose answer would change the game: a change would leave it behind.

    Whether it was a pass, and an unclear photograph that nothing is offered for, are answered by any change.
    """
    pending = opened.pending
    if pending is None or pending.kind == "none":
        return
    if pending.kind != "unclear" or pending.choices:
        raise WebError("Answer the question about the last photograph first, or put it aside.")
