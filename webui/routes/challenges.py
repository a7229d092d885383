"""The requests about challenges: the verdict on a play across the whole screen, and the table's ruling."""

from __future__ import annotations

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine import Game, TurnRecord
from engine.wording import phrase
from webui.access.gate import Permission, asking_player, needs, principal
from webui.errors import NotThere, WebError
from webui.routes.actions import check_no_question, report_done
from webui.routes.editors import turn_at
from webui.routes.forms import parse_player, parse_version
from webui.services import app
from webui.table.games import OpenGame
from webui.views.challenge import view_challenge, view_lift

challenges = Blueprint("challenges", __name__)

_RULINGS = {"off": True, "stands": False}


@challenges.get("/games/<int:game_id>/turns/<int:place>/challenge")
def challenge(game_id: int, place: int) -> str:
    """Show the word list's verdict on a play, so that the table can rule. After the ruling, show what follows."""
    open_game = app.games.open(game_id)
    record = _find_played(open_game, place)
    is_open = record is open_game.game.open_play
    if not record.challenges:
        _check_open(open_game, record)
    view = view_challenge(open_game.game, place, record, app.config.judge, open_game.judged_by)
    mine = principal().player(game_id, open_game.game.players)
    return render_template(
        "challenge.html",
        game_id=game_id,
        version=open_game.row.version,
        place=place,
        record=record,
        view=view,
        lexicon=open_game.judged_by,
        mine=next((at for at, name in view.askers if name == mine), None),
        again=is_open and (not record.challenges or ("again" in request.args and view.askers)),
        lift=view_lift(open_game) if record.taken_back else None,
        right_again=record.taken_back and open_game.game.state.again is not None and open_game.belief.to_lift is None,
    )


@challenges.post("/games/<int:game_id>/turns/<int:place>/challenge")
@needs(Permission.PLAY)
def rule(game_id: int, place: int) -> ResponseReturnValue:
    """Enter the table's ruling on a challenged play: it comes off, or it stands.

    A player's own device sends only the challenge, and the word list rules.
    """
    open_game = app.games.open(game_id)
    open_game.check_version(parse_version(request.form))
    player = asking_player(game_id, open_game.game.players)
    ruling = request.form.get("ruling", "")
    if ruling not in _RULINGS and not player:
        raise WebError(phrase("Does the play come off or stand? Choose one."))
    check_no_question(open_game)
    record = _find_played(open_game, place)
    _check_open(open_game, record)
    by = player or _challenger(open_game.game)
    upheld = _comes_off_by_list(open_game, place, record, player) if player else _RULINGS[ruling]
    changed = app.games.change(open_game, lambda game: game.challenge(by, upheld=upheld))
    app.note_phone_entry(changed, player, "challenged")
    return report_done(url_for("challenges.challenge", game_id=game_id, place=place))


def _comes_off_by_list(open_game: OpenGame, place: int, record: TurnRecord, player: str) -> bool:
    """Return whether a challenged play comes off, by the word list and the rules."""
    view = view_challenge(open_game.game, place, record, app.config.judge, open_game.judged_by)
    if player not in dict(view.askers).values():
        raise WebError(phrase("You can challenge another player's word, and only once."))
    if view.comes_off is None:
        raise WebError(phrase("The word list can't be asked. Ask the scorekeeper to rule."))
    return view.comes_off


def _find_played(open_game: OpenGame, place: int) -> TurnRecord:
    record = turn_at(open_game.game, place)
    if record.play is None:
        raise NotThere(phrase("Only a word can be challenged, and that turn played none."))
    return record


def _check_open(open_game: OpenGame, record: TurnRecord) -> None:
    """Raise WebError if the play can't be challenged any more."""
    if open_game.game.ended is not None:
        raise WebError(phrase("The game has ended. Undo the end to challenge."))
    if record.taken_back:
        raise WebError(phrase("This play has already come off the board."))
    if record is not open_game.game.open_play:
        raise WebError(phrase("Too late: another word has been played since."))


def _challenger(game: Game) -> str | None:
    """Return the challenger that the form names. In a game of two it can only be the other player."""
    record = game.open_play
    sent = request.form.get("by", "")
    if sent:
        return parse_player(sent, game.players, phrase("Who challenges?"))
    others = [name for name in game.players if record is None or name != record.player]
    if len(others) == 1:
        return others[0]
    if game.setup.rules.failed_challenge_loses_turn and not game.setup.solo:
        raise WebError(phrase("Who challenges? Tap a name, since a failed challenge costs the next turn."))
    return None
