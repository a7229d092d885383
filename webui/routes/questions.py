"""The requests that answer a question about a photograph: a choice, another letter on one square, or none."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue

from engine.faces import parse_face
from engine.game.challenges import told_now
from engine.game.game import Game
from engine.game.revision import Revision
from engine.play import format_play
from webui.errors import Outdated, WebError
from webui.ports import Choice
from webui.routes.actions import done, game_url
from webui.routes.forms import parse_index, parse_version
from webui.services import services
from webui.storage.open_games import OpenGame
from webui.views.game.letters import with_letter
from webui.views.game.question import Pending, question_text

questions = Blueprint("questions", __name__)


@questions.post("/games/<int:game_id>/answer")
def answer(game_id: int) -> ResponseReturnValue:
    """Answer the question about a photograph with one of its choices."""
    app = services()
    choice = parse_index(request.form.get("choice", ""), "Which answer was meant?")
    app.intake.answer(app.tables.open(game_id), choice, parse_version(request.form))
    return done(game_url(game_id))


@questions.post("/games/<int:game_id>/dismiss")
def dismiss(game_id: int) -> ResponseReturnValue:
    """Put aside the question about a photograph."""
    app = services()
    app.intake.dismiss(app.tables.open(game_id), parse_version(request.form))
    return done(game_url(game_id))


@questions.post("/games/<int:game_id>/letter")
def letter(game_id: int) -> ResponseReturnValue:
    """Enter the likeliest turn with another letter on the square in question.

    If that breaks a rule, open the editor with it instead, so that people see the verdict first.
    """
    app = services()
    opened = app.tables.open(game_id)
    version = parse_version(request.form)
    pending = _asked(opened, version)
    lettered = with_letter(pending, parse_face(request.form.get("face", "")))
    if _is_legal(opened.game, lettered):
        app.intake.answer(_with_answer(opened, pending, lettered), 0, version)
        return done(game_url(game_id))
    (play, *more) = lettered.events
    if play is None or more or lettered.replaces:
        raise WebError("With this letter the turns break a rule: enter them by hand, one by one.")
    return done(url_for("pages.enter", game_id=game_id, tiles=format_play(play)))


def question_waiting(game_id: int) -> str | None:
    """Return the text of the question that waits in a game, None if none does."""
    pending = services().tables.open(game_id).pending
    return None if pending is None else question_text(pending)


def _asked(opened: OpenGame, version: int) -> Pending:
    if opened.pending is None or version != opened.row.version:
        raise Outdated("The game has moved on: look at it again, then repeat what is still wanted.")
    return opened.pending


def _is_legal(game: Game, revision: Revision) -> bool:
    """Return whether every play of a revision is legal, as far as may be told before a challenge.

    Raises UpscoreError for an impossible revision.
    """
    turns = [record.verdict for record in revision.applied(game).turns if record.verdict is not None]
    verdicts = [told_now(verdict, game.setup) for verdict in turns]
    plays = sum(event is not None for event in revision.events)
    return all(verdict.legal for verdict in verdicts[-plays:])


def _with_answer(opened: OpenGame, pending: Pending, revision: Revision) -> OpenGame:
    """Return the game with this revision as the first answer to its question."""
    choices = (Choice(revision, pending.choices[0].confidence), *pending.choices)
    return replace(opened, pending=replace(pending, choices=choices))
