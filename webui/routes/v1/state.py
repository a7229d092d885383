"""The state of a game as JSON data for programs."""

from __future__ import annotations

from engine import Game, TurnRecord, format_play, square_name
from engine.formats.play_json import JsonDict, words_json
from engine.formats.position import stacks_json
from engine.wording import points_text
from webui.storage.database import GameRow
from webui.table.games import OpenGame, Standing
from webui.table.intake import after, answers
from webui.table.question import Question, question_text
from webui.views.answers import AnswerView, reason_shown, view_answers


def state_json(opened: OpenGame) -> JsonDict:
    """Return the state of a game, with everything that its page shows."""
    game = opened.game
    lift = opened.belief.to_lift if game.ended is None else None
    return {
        "id": opened.row.id,
        "version": opened.row.version,
        "edition": game.setup.edition.name,
        "players": list(game.players),
        "to_play": game.current_player,
        "turns": [_turn_json(record) for record in game.turns],
        **_sheet_json(game),
        "question": None if opened.pending is None else _question_json(opened, opened.pending),
        "ended": _end_json(game),
        **({} if lift is None else {"to_lift": format_play(lift)}),
    }


def listed_json(row: GameRow, standing: Standing | None) -> JsonDict:
    """Return a game as an item of the list of games. `standing` is None if the game can't be opened."""
    return {
        "id": row.id,
        "title": row.title,
        "edition": None if standing is None else standing.edition,
        "totals": None if standing is None else standing.totals,
        "ended": row.finished,
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


def _question_json(opened: OpenGame, pending: Question) -> JsonDict:
    """Return the question that waits. Each choice has the whole sheet as its answer would leave it."""
    views = view_answers(opened.game, pending)
    texts = [_answer_text(answer) for answer in views] or ["It was a pass"]
    sheets = [_sheet_json(after(opened, at)) for at in range(len(answers(opened)))]
    return {
        "kind": pending.kind,
        "text": " ".join(filter(None, (question_text(pending), reason_shown(pending)))),
        "square": None if pending.square is None else square_name(pending.square),
        "choices": [{"text": text, **sheet} for text, sheet in zip(texts, sheets, strict=False)],
        **({} if pending.lying is None else {"lying": format_play(pending.lying)}),
    }


def _answer_text(answer: AnswerView) -> str:
    broken = ", against the rules" if answer.flagged else ""
    return f"{answer.words}: {points_text(answer.points)}{broken}"


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
