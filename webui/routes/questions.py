"""The answers to a question about a photograph: one of those offered, another letter on one square, or none."""

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
    """The question about a photograph is answered with one of its choices."""
    made = services()
    choice = parse_index(request.form.get("choice", ""), "Which answer was meant?")
    made.intake.answer(made.tables.open(game_id), choice, parse_version(request.form))
    return done(game_url(game_id))


@questions.post("/games/<int:game_id>/dismiss")
def dismiss(game_id: int) -> ResponseReturnValue:
    """The question about a photograph is put aside."""
    made = services()
    made.intake.dismiss(made.tables.open(game_id), parse_version(request.form))
    return done(game_url(game_id))


@questions.post("/games/<int:game_id>/letter")
def letter(game_id: int) -> ResponseReturnValue:
    """The likeliest turn is entered with another letter on the square in question.

    Where that breaks a rule, the editor opens with it, so that the verdict is seen first.
    """
    made = services()
    opened = made.tables.open(game_id)
    version = parse_version(request.form)
    pending = _asked(opened, version)
    lettered = with_letter(pending, parse_face(request.form.get("face", "")))
    if _is_legal(opened.game, lettered):
        made.intake.answer(_with_answer(opened, pending, lettered), 0, version)
        return done(game_url(game_id))
    (play, *more) = lettered.events
    if play is None or more or lettered.replaces:
        raise WebError("With this letter the turns are against the rules: enter them by hand, one by one.")
    return done(url_for("pages.enter", game_id=game_id, tiles=format_play(play)))


def question_waiting(game_id: int) -> str | None:
    """Return the text of the question that waits in a game, None where none does."""
    pending = services().tables.open(game_id).pending
    return None if pending is None else question_text(pending)


def _asked(opened: OpenGame, version: int) -> Pending:
    if opened.pending is None or version != opened.row.version:
        raise Outdated("The game has moved on: look at it again, then repeat what is still wanted.")
    return opened.pending


def _is_legal(game: Game, revision: Revision) -> bool:
    """Whether nothing is to be said against any play of it; raises an UpscoreError where it cannot be."""
    turns = [record.verdict for record in revision.applied(game).turns if record.verdict is not None]
    verdicts = [told_now(verdict, game.setup) for verdict in turns]
    plays = sum(event is not None for event in revision.events)
    return all(verdict.legal for verdict in verdicts[-plays:])


def _with_answer(opened: OpenGame, pending: Pending, revision: Revision) -> OpenGame:
    """The game as though this were the first answer to its question."""
    choices = (Choice(revision, pending.choices[0].confidence), *pending.choices)
    return replace(opened, pending=replace(pending, choices=choices))
