"""The requests that change a game, and those that answer its question.

Each is a POST that names the version of the game that the page showed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from flask import Blueprint, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from engine import Game, Revision, format_play
from engine.game.events import END_REASONS
from engine.game.game import Rescored
from engine.game.revision import Misfit
from engine.game.turns import shown_verdict
from engine.wording import board_name, phrase
from vision import Outcome
from webui.access.gate import Permission, asking_player, needs, principal, takes
from webui.errors import NotThere, Outdated, Refused, WebError
from webui.routes import editors, forms
from webui.services import app
from webui.table.games import OpenGame
from webui.table.question import Question, question_text, with_letter
from webui.views.sheet import changes_text

actions = Blueprint("actions", __name__)


def wants_json() -> bool:
    """Return whether the page's script sent the request, rather than the browser itself."""
    return request.accept_mimetypes.best == "application/json"


def report_done(
    to: str, message: str | None = None, undo: Mapping[str, object] | None = None, report: str | None = None
) -> ResponseReturnValue:
    """Answer a successful change: redirect the browser to `to`, with a message for the script to show.

    `undo` has the address and the game's version with which the script can undo the change. `report` is the address of
    the report on the misread photograph.
    """
    if wants_json():
        more = {"undo": undo, "report": report}
        extras = {name: value for name, value in more.items() if value is not None}
        return jsonify({"to": to, "message": message, **extras})
    return redirect(to, 303)


def game_url(game_id: int) -> str:
    """Return the address of a game's page."""
    return url_for("pages.game", game_id=game_id)


@actions.post("/games/<int:game_id>/photo")
@takes()
def photo(game_id: int) -> ResponseReturnValue:
    """Take a turn from an uploaded photograph."""
    app.games.open(game_id)
    sent_as, age_s = forms.parse_sent_as(request.headers), forms.parse_age(request.headers)
    image, digest = forms.parse_one_photo(request.files.getlist("photo"))
    taken = app.intake.take(game_id, image, "upload", digest, sent_as=sent_as, age_s=age_s)
    return report_done(game_url(game_id), taken.message)


@actions.get("/games/<int:game_id>/photo")
def report_arrival(game_id: int) -> ResponseReturnValue:
    """Say whether the photograph that the header names has arrived, since a browser can't know that."""
    sent_as = forms.parse_sent_as(request.headers)
    return jsonify({"arrived": sent_as is not None and app.intake.has_arrived(game_id, sent_as)})


@actions.post("/games/<int:game_id>/photo/cancel")
def cancel_photo(game_id: int) -> ResponseReturnValue:
    """Cancel the photograph that the header names. Say so if its turn was already entered."""
    app.games.open(game_id)
    sent_as = forms.parse_sent_as(request.headers)
    if sent_as is None:
        raise WebError(phrase("It isn't clear which photo to cancel. Reload the page."))
    late = phrase("Too late to cancel: the photo has been read. Undo its turn if you don't want it.")
    return report_done(game_url(game_id), None if app.intake.cancel(game_id, sent_as) else late)


@actions.post("/games/<int:game_id>/capture")
def capture(game_id: int) -> ResponseReturnValue:
    """Take a turn from the camera's newest frame."""
    image = app.cameras.require(game_id).camera.newest()
    taken = app.intake.take(game_id, image, "camera", corners=app.cameras.corners(game_id, image))
    return report_done(game_url(game_id), taken.message)


@actions.post("/games/<int:game_id>/follow")
def follow(game_id: int) -> ResponseReturnValue:
    """Start hands-free play with the game's camera, or stop it if the form's `on` is empty."""
    app.games.open(game_id)
    app.cameras.follow(game_id, on=bool(request.form.get("on")))
    return report_done(game_url(game_id))


@actions.post("/games/<int:game_id>/play")
def play(game_id: int) -> ResponseReturnValue:
    """Enter a play by hand. If it breaks a rule, show the verdict first, and enter it when it is sent again."""
    open_game = app.games.open(game_id)
    version = forms.parse_version(request.form)
    tiles = forms.parse_tiles(request.form, open_game.game.board)
    if editors.needs_accepting(open_game.game, tiles, request.form.get("accept", "")):
        return _ask_again(editors.play_editor(open_game))
    app.intake.enter_and_read_on(open_game, tiles, version)
    return report_done(game_url(game_id))


@actions.post("/games/<int:game_id>/clock")
def clock(game_id: int) -> ResponseReturnValue:
    """Give every turn of a game some minutes, shown on all screens, or none."""
    app.games.open(game_id).check_under_way()
    app.clocks.choose(game_id, request.form.get("minutes", type=int))
    app.announcer.announce(game_id)
    return report_done(game_url(game_id))


@actions.post("/games/<int:game_id>/pass")
@needs(Permission.PLAY)
def pass_turn(game_id: int) -> ResponseReturnValue:
    """Enter a pass of the current player. That player's own device may send it, too."""
    open_game = app.games.open(game_id)
    open_game.check_version(forms.parse_version(request.form))
    player = asking_player(game_id, open_game.game.players)
    if player and player != open_game.game.current_player:
        raise Refused(phrase("It is %(player)s's turn, not yours.", player=open_game.game.current_player))
    check_no_question(open_game)
    app.note_phone_entry(app.games.change(open_game, Game.pass_turn), player, "passed")
    return report_done(game_url(game_id))


@actions.post("/games/<int:game_id>/exchange")
def exchange(game_id: int) -> ResponseReturnValue:
    """Enter an exchange of the current player."""
    return _change(game_id, lambda game: game.exchange())


@actions.post("/games/<int:game_id>/undo")
@needs(Permission.PLAY)
def undo(game_id: int) -> ResponseReturnValue:
    """Undo the last entry: a turn, a correction or the end. A player's own device may undo what it entered itself."""
    open_game = app.games.open(game_id)
    session, entry = principal().session, app.phone_entry(open_game)
    if asking_player(game_id, open_game.game.players) and (not session or not entry or entry.session_id != session.id):
        raise Refused(phrase("You can undo only what you entered last. Ask the scorekeeper."))
    return _change_and_read_again(game_id, lambda game: game.undo())


@actions.post("/games/<int:game_id>/redo")
def redo(game_id: int) -> ResponseReturnValue:
    """Bring back the entry that was undone last."""
    return _change_and_read_again(game_id, lambda game: game.redo())


@actions.post("/games/<int:game_id>/board")
def change_board(game_id: int) -> ResponseReturnValue:
    """Change to the board of another edition, while the game has no entries."""
    open_game = app.games.open(game_id)
    edition = forms.parse_edition(request.form)
    app.games.change_board(open_game, edition, forms.parse_version(request.form))
    return report_done(
        game_url(game_id),
        phrase("The game is now on the %(board)s board. Photograph it.", board=board_name(edition.name)),
    )


@actions.post("/games/<int:game_id>/take-back")
def take_back(game_id: int) -> ResponseReturnValue:
    """Take the last play off the board, and let its player play again."""

    def take_off(game: Game) -> Game:
        if game.open_play is None:
            raise WebError(phrase("There is no play to take back. Correct the turn on the scoresheet instead."))
        return game.take_back()

    return _change(game_id, take_off)


@actions.post("/games/<int:game_id>/end")
def end(game_id: int) -> ResponseReturnValue:
    """End the game. The form says why, and how many tiles each player has left."""
    reason = request.form.get("reason", "")
    if reason not in END_REASONS:
        raise WebError(phrase("Why does the game end? Choose a reason from the list."))
    return _change(game_id, lambda game: game.end(reason, forms.parse_left(request.form, game.players)))


@actions.post("/games/<int:game_id>/turns/<int:place>/<any(correct, insert):way>")
def correct(game_id: int, place: int, way: editors.CorrectionKind) -> ResponseReturnValue:
    """Correct a past turn, or insert one that was missed before it, and rescore everything after it.

    The form holds the play. The address says if the turn was a pass, an exchange or nothing. If a later turn no longer
    fits, nothing is saved yet: the editor opens on that turn, with the answers so far (`said`) in its address.
    """
    open_game = app.games.open(game_id)
    said, to = request.args.getlist("said"), request.args.get("to", "play")
    version = forms.parse_version(request.form)
    open_game.check_version(version)
    editor = editors.correcting_editor(open_game, place, way, said)
    if to not in ("pass", "exchange", "nothing"):
        tiles = forms.parse_tiles(request.form, editor.game.board)
        if editors.needs_accepting(editor.game, tiles, request.form.get("accept", "")):
            return _ask_again(editor)
        to = format_play(tiles)
    said = [*said, to]
    corrected = editors.read_correction(open_game.game, place, way, said)
    if isinstance(corrected, Misfit):
        return report_done(url_for("pages.correct", game_id=game_id, place=place, way=way, said=said, version=version))
    photo = app.photos(open_game).get(place)
    return _save(open_game, open_game.game.put_right(corrected), None if photo is None else photo.key)


@actions.post("/games/<int:game_id>/turns/<int:place>/player")
def assign(game_id: int, place: int) -> ResponseReturnValue:
    """Give a past turn to another player. Play goes round from there, and everything is rescored."""
    open_game = app.games.open(game_id)
    event = editors.turn_to_correct(open_game.game, place).event
    player = forms.parse_player(request.form.get("player", ""), open_game.game.players, phrase("Whose turn was it?"))
    open_game.check_version(forms.parse_version(request.form))
    return _save(open_game, open_game.game.assign(event, player))


@actions.post("/demo/<action>")
def demo(action: str) -> ResponseReturnValue:
    """Start, pause, resume or step the demo."""
    demo_player = app.demo
    if demo_player is None:
        raise NotThere(phrase("There is no demo here: start one with 'upscore demo'."))
    if action == "start":
        return report_done(game_url(demo_player.start()))
    if action not in ("pause", "resume", "step"):
        raise NotThere(phrase("The demo can be started, paused, resumed and stepped."))
    getattr(demo_player, action)()
    status = demo_player.status
    return report_done(game_url(status.game_id) if status else url_for("pages.games"))


def _ask_again(editor: editors.Editor) -> ResponseReturnValue:
    """Show the editor with the referee's verdict on a play that breaks a rule, so that people can send it again."""
    if wants_json():
        raise WebError(phrase("This play breaks a rule. Read why, then send it again if you still want it."))
    return editors.render_editor(editor, request.form["tiles"])


def _save(open_game: OpenGame, rescored: Rescored, misread: str | None = None) -> ResponseReturnValue:
    """Save a correction, and say what it changed. Read the photograph of a waiting question again.

    `misread` is the key of the photograph of the turn, which can be reported. A correction that changes nothing is not
    saved, since its *Undo* would undo something else.
    """
    if rescored.game.events == open_game.game.events:
        return report_done(game_url(open_game.row.id), changes_text(rescored))
    saved = app.games.change(open_game, lambda _: rescored.game)
    now = app.intake.read_again(open_game, saved)
    undo = {"url": url_for("actions.undo", game_id=now.row.id), "version": now.row.version}
    can_undo = now.game.log == saved.game.log and now.question is None
    places = [place for place, photo in app.photos(now).items() if place and photo.key == misread]
    report = url_for("files.report", game_id=now.row.id, place=places[0]) if places else None
    return report_done(game_url(open_game.row.id), changes_text(rescored), undo if can_undo else None, report)


def _change(game_id: int, act: Callable[[Game], Game]) -> ResponseReturnValue:
    """Change a game, unless there is a waiting question whose answer would change it, too."""
    open_game = app.games.open(game_id)
    version = forms.parse_version(request.form)
    check_no_question(open_game)
    app.games.change(open_game, act, version=version)
    return report_done(game_url(game_id))


def _change_and_read_again(game_id: int, act: Callable[[Game], Game]) -> ResponseReturnValue:
    """Change a game. If a question waits, read its photograph again, since it shows what was played."""
    open_game = app.games.open(game_id)
    changed = app.games.change(open_game, act, version=forms.parse_version(request.form))
    if open_game.question is not None and open_game.question.kind != "none" and changed.game.ended is None:
        app.intake.read_again(open_game, changed)
    return report_done(game_url(game_id))


def check_no_question(open_game: OpenGame) -> None:
    """Raise WebError while there is a waiting question whose answer would change the game: a change would drop it.

    Two kinds of questions may be dropped, since any change answers them: "Was it a pass?", and an unclear photograph
    without choices.
    """
    question = open_game.question
    if question is None or question.kind == "none":
        return
    if question.kind != "unclear" or question.outcomes:
        raise WebError(phrase("Answer the question about the last photo first."))


@actions.post("/games/<int:game_id>/answer")
def answer(game_id: int) -> ResponseReturnValue:
    """Answer the question about a photograph with one of its choices."""
    choice = forms.parse_index(request.form.get("choice", ""), phrase("Which answer was meant?"))
    app.intake.answer(app.games.open(game_id), choice, forms.parse_version(request.form))
    return report_done(game_url(game_id))


@actions.post("/games/<int:game_id>/dismiss")
def dismiss(game_id: int) -> ResponseReturnValue:
    """Put aside the question about a photograph."""
    app.intake.dismiss(app.games.open(game_id), forms.parse_version(request.form))
    return report_done(game_url(game_id))


@actions.post("/games/<int:game_id>/lifted")
def confirm_lifted(game_id: int) -> ResponseReturnValue:
    """Record that the tiles to lift are not on the board."""
    app.intake.confirm_lifted(app.games.open(game_id), forms.parse_version(request.form))
    return report_done(game_url(game_id))


@actions.post("/games/<int:game_id>/letter")
def letter(game_id: int) -> ResponseReturnValue:
    """Enter the likeliest turn with another letter on the square in question.

    If that breaks a rule, open the editor with it instead, so that people see the verdict first.
    """
    open_game = app.games.open(game_id)
    version = forms.parse_version(request.form)
    question = open_game.question
    if question is None or version != open_game.row.version:
        raise Outdated
    alphabet = open_game.game.setup.edition.alphabet
    lettered = with_letter(question, alphabet.parse_face(request.form.get("face", "")))
    if _is_legal(open_game.game, lettered):
        app.intake.answer(_with_answer(open_game, question, lettered), 0, version)
        return report_done(game_url(game_id))
    (play, *more) = lettered.events
    if play is None or more or lettered.replaces:
        raise WebError(phrase("With this letter the turns break a rule. Enter them by hand, one at a time."))
    return report_done(url_for("pages.enter", game_id=game_id, tiles=format_play(play)))


def question_waiting(game_id: int) -> str | None:
    """Return the text of the waiting question of a game, or None."""
    question = app.games.open(game_id).asked
    return None if question is None else question_text(question)


def _is_legal(game: Game, revision: Revision) -> bool:
    """Return whether every play of a revision is legal, as far as people may know before a challenge.

    Raises UpscoreError for an impossible revision.
    """
    turns = [record.verdict for record in revision.apply(game).turns if record.verdict is not None]
    verdicts = [shown_verdict(verdict, game.setup) for verdict in turns]
    plays = sum(event is not None for event in revision.events)
    return all(verdict.legal for verdict in verdicts[-plays:])


def _with_answer(open_game: OpenGame, question: Question, revision: Revision) -> OpenGame:
    answer = Outcome.of(*revision.events, replaces=revision.replaces, share=question.outcomes[0].share)
    return replace(open_game, question=replace(question, outcomes=(answer, *question.outcomes)))
