"""The calls of the interface for programs, version 1: one for each button of the page (docs/api.md).

The functions below them make the JSON data of a game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict

from flask import Blueprint, Response, request, url_for

from engine import Game, Lexicon, TurnRecord, format_play, square_name
from engine.formats.game_json import JsonDict, choice_json, stacks_json, words_json
from engine.lexicon.hooks import Hooks, hooks_of
from engine.wording import join_texts, phrase
from webui.access.gate import Permission, needs, takes
from webui.errors import NotThere, WebError
from webui.routes.editors import turn_at
from webui.routes.forms import parse_age, parse_photo, parse_sent_as
from webui.routes.parts import MAX_WORD_LETTERS, answer_stream, last_event
from webui.routes.v1 import messages
from webui.services import app
from webui.table.games import OpenGame
from webui.table.intake import after, answers
from webui.table.question import Question, question_text
from webui.views.analysis import check_over, find_choices
from webui.views.answers import say_reason, view_answers
from webui.views.game import board_before

PREFIX = "/api/v1"

v1 = Blueprint("v1", __name__, url_prefix=PREFIX)


@v1.get("/openapi.json")
def openapi() -> Response:
    """Send the OpenAPI description of the calls."""
    return _json(messages.describe(app.config.lexicons.names()))


@v1.get("/words/<word>")
def word(word: str) -> Response:
    """Say whether a word may be played, what it means, and which words are near it or use a rack's tiles."""
    names = app.config.lexicons.names()
    name = request.args.get("lexicon", names[0])
    if name not in names or len(word) > MAX_WORD_LETTERS:
        raise WebError(f"Ask about a word of up to {MAX_WORD_LETTERS} letters, with a word list of {', '.join(names)}.")
    checked, lexicon = app.config.judge(word, name), app.games.lexicon(name)
    hooks = hooks_of(checked.word, lexicon, app.config.suggest) if isinstance(lexicon, Lexicon) else Hooks()
    verdict = {"playable": checked.playable, "meaning": checked.meaning, "reason": checked.reason}
    return _json({"word": checked.word, **verdict, **asdict(hooks)})


@v1.get("/games")
def games() -> Response:
    """List all games, the newest first."""
    return _json(
        [
            {
                "id": row.id,
                "title": row.title,
                "edition": standing and standing.edition,  # None if the game can't be opened
                "totals": standing and standing.totals,
                "ended": row.finished,
            }
            for row, standing in app.games.standings()
        ]
    )


@v1.post("/games")
@needs(Permission.BEGIN)
def create() -> Response:
    """Begin a game."""
    fields = messages.parse_body(request.get_data(), messages.NEW_GAME_FIELDS)
    new, board = messages.new_game_in(fields, app.config.lexicons.names(), app.config.rules)
    open_game = app.games.start(**vars(new), board=board)
    app.add_begun_game(open_game.row.id)
    answer = _state(open_game)
    answer.status_code = 201
    answer.headers["Location"] = url_for("v1.game", game_id=open_game.row.id)
    return answer


@v1.get("/games/<int:game_id>")
def game(game_id: int) -> Response:
    """Send the state of a game."""
    return _state(app.games.open(game_id))


@v1.get("/games/<int:game_id>/solve")
def solve(game_id: int) -> Response:
    """Weigh what a rack could do on the board of a game that is over, or on the board before one of its turns."""
    game = app.games.open(game_id).game
    check_over(game)
    place = request.args.get("turn", 0, type=int)
    if place:
        turn_at(game, place)
    board = board_before(game, place) if place else game.board
    rack = request.args.get("rack", "")
    if not rack:
        raise WebError("Which tiles are on the rack? Write them one after another, as in solve?rack=AEINSTQu.")
    choices = find_choices(game, board, rack, app.config.suggest)
    return _json([choice_json(choice) for choice in choices])


@v1.post("/games/<int:game_id>/photos")
@takes()
def photos(game_id: int) -> Response:
    """Take a turn from an uploaded photograph."""
    file = request.files.get("photo")
    app.games.open(game_id)
    if file is None:
        raise WebError('No photograph was sent: send it as the file "photo" of a multipart form.')
    sent_as, age_s = parse_sent_as(request.headers), parse_age(request.headers)
    image, digest = parse_photo(file)
    taken = app.intake.take(game_id, image, "upload", digest, sent_as=sent_as, age_s=age_s)
    return _state(taken.open_game)


@v1.post("/games/<int:game_id>/answer")
def answer(game_id: int) -> Response:
    """Answer the question about a photograph, or put it aside."""
    fields = messages.parse_body(request.get_data(), messages.ANSWER_FIELDS)
    open_game = app.games.open(game_id)
    version, choice = messages.version_in(fields), messages.choice_in(fields)
    if choice is None:
        return _state(app.intake.dismiss(open_game, version))
    return _state(app.intake.answer(open_game, choice, version))


@v1.post("/games/<int:game_id>/turns")
def turns(game_id: int) -> Response:
    """Enter a turn by hand, a challenge or the end. A waiting question is dropped."""
    fields = messages.parse_body(request.get_data(), messages.TURN_FIELDS)
    open_game = app.games.open(game_id)
    version, play = messages.version_in(fields), messages.play_in(fields, open_game.game.setup.edition.alphabet)
    if play is not None:
        if open_game.row.version == version:
            messages.check_placing(open_game.game, play, fields)
        return _state(app.intake.enter(open_game, play, version))
    return _state(app.games.change(open_game, messages.turn_in(fields), version=version))


@v1.post("/games/<int:game_id>/undo")
def undo(game_id: int) -> Response:
    """Undo the last entry: a turn, a correction or the end. A waiting question is dropped."""
    games = app.games
    version = messages.version_in(messages.parse_body(request.get_data(), messages.UNDO_FIELDS))
    return _state(games.change(games.open(game_id), Game.undo, version=version))


@v1.get("/games/<int:game_id>/events")
def events(game_id: int) -> Response:
    """Stream the events of a game, one for each change, with the version that it left."""
    games = app.games  # the stream outlives the request
    games.version(game_id)
    stream = app.announcer.versions(game_id, lambda: games.version(game_id), last_event())
    return answer_stream(_end_when_deleted(stream))


def _end_when_deleted(stream: Iterator[str]) -> Iterator[str]:
    with suppress(NotThere):
        yield from stream


def _state(open_game: OpenGame) -> Response:
    return _json(state_json(open_game))


def _json(data: object) -> Response:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Response(text, mimetype="application/json", headers={"Cache-Control": "no-store"})


def state_json(open_game: OpenGame) -> JsonDict:
    """Return the state of a game, with everything that its page shows."""
    game = open_game.game
    lift = open_game.belief.to_lift if game.ended is None else None
    return {
        "id": open_game.row.id,
        "version": open_game.row.version,
        "edition": game.setup.edition.name,
        "players": list(game.players),
        "to_play": game.current_player,
        "turns": [_turn_json(record) for record in game.turns],
        **_sheet_json(game),
        "question": None if open_game.question is None else _question_json(open_game, open_game.question),
        "ended": _end_json(game),
        **({} if lift is None else {"to_lift": format_play(lift)}),
    }


def _sheet_json(game: Game) -> JsonDict:
    return {"totals": game.totals, "stacks": stacks_json(game.board)}


def _turn_json(record: TurnRecord) -> JsonDict:
    turn: JsonDict = {
        "player": record.player,
        "kind": record.kind,
        "tiles": "" if record.play is None else format_play(record.play),
        "words": [] if record.verdict is None else words_json(record.verdict.words),
        "points": record.points,
    }
    if record.taken_back:
        turn["taken_back"] = True
    rulings = [each for each in record.challenges if each.authority is not None]
    if rulings:
        turn["challenges"] = [
            {"by": each.challenger, "upheld": each.upheld, "ruled_by": each.authority} for each in rulings
        ]
    return turn


def _question_json(open_game: OpenGame, question: Question) -> JsonDict:
    """Return the waiting question. Each choice has the whole sheet as that answer would leave it."""
    views = view_answers(open_game, question)
    texts: list[str] = [
        join_texts((each.words, phrase("against the rules") if each.flagged else ""), ", ") for each in views
    ] or [phrase("It was a pass")]
    sheets = [_sheet_json(after(open_game, at)) for at in range(len(answers(open_game)))]
    return {
        "kind": question.kind,
        "text": join_texts((question_text(question), say_reason(question) or "")),
        "square": None if question.square is None else square_name(question.square),
        "choices": [{"text": text, **sheet} for text, sheet in zip(texts, sheets, strict=False)],
        **({} if question.lying is None else {"lying": format_play(question.lying)}),
    }


def _end_json(game: Game) -> JsonDict | None:
    end = game.ended
    if end is None:
        return None
    return {
        "reason": end.reason,
        "left": dict(zip(game.players, end.left, strict=True)),
        "penalties": dict(zip(game.players, end.penalties, strict=True)),
        "winners": list(game.winners),
    }
