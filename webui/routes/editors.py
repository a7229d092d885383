"""The editor in which people enter or correct a play, tile by tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import ne
from typing import Literal

from flask import render_template, request, url_for

from engine import Game, Play, TurnRecord, UpscoreError, Verdict, format_play
from engine.analysis.missed_plays import searchable_lexicon
from engine.game.events import Corrected, Event, Exchanged, Passed, Played, TurnGiven
from engine.game.revision import Misfit, fit_correction
from engine.solver.search import plays_on
from engine.wording import phrase
from webui.errors import NotThere, WebError
from webui.routes.forms import parse_notation, parse_typed
from webui.services import app
from webui.table.games import OpenGame
from webui.views.analysis import PossiblePlay, view_play
from webui.views.answers import score_text
from webui.views.board import BoardView, view_board
from webui.views.game import PhotoView, photo_at, record_at, view_photo

CorrectionKind = Literal["correct", "insert"]
"""Two kinds of correction: of a turn, or of the sheet, which lacks a turn that was missed before it."""

_NO_PLAYS: dict[str, Event | None] = {"pass": Passed(), "exchange": Exchanged(), "nothing": None}
"""The events of turns without a play. `nothing` is a turn that never happened."""

MAX_ALTERNATIVES = 12
"""The most plays on the same squares that the editor offers. [by eye]"""


@dataclass(frozen=True)
class Editor:
    """The contents of the editor's page, and the addresses it uses. `game` is the game as it was before the turn.

    `photo` is the photograph that shows what was played, or None. `asked` says that a question about it is waiting.
    `read` are the plays that were read in the photograph; the editor offers other plays on their squares.

    Two texts belong to a turn that no longer fits after a correction of an earlier one, and are empty otherwise. `why`
    says why the turn is asked about. `before` is the address for changing the earlier correction. `start_again` is the
    address for taking the board in a question's photograph as it lies, or "".
    """

    title: str
    game: Game
    view: BoardView
    tiles: str
    version: int
    action: str
    verdict_url: str
    back: str
    done: str
    page: str
    others: tuple[tuple[str, str], ...] = ()
    photo: PhotoView | None = None
    asked: bool = False
    read: tuple[Play, ...] = ()
    why: str = ""
    before: str = ""
    start_again: str = ""


def play_editor(open_game: OpenGame) -> Editor:
    """Return the editor for the turn that is due. Raises WebError if the game is over."""
    game, game_id, question = open_game.game, open_game.row.id, open_game.question
    open_game.check_under_way()
    return Editor(
        title=phrase("%(player)s's play", player=game.current_player),
        game=game,
        view=view_board(game.board, start=game.setup.edition.start),
        tiles="",
        version=open_game.row.version,
        action=url_for("actions.play", game_id=game_id),
        verdict_url=url_for("parts.verdict", game_id=game_id),
        back=url_for("pages.game", game_id=game_id),
        done=phrase("Play it"),
        page=url_for("pages.enter", game_id=game_id),
        photo=view_photo(question.photo, game.state.number, app.shelf.kinds) if question else None,
        asked=question is not None,
        read=tuple(each.play for each in question.outcomes if each.play is not None) if question else (),
        start_again=url_for("starting.start_again", game_id=game_id) if question else "",
    )


def read_correction(game: Game, place: int, way: CorrectionKind, said: Sequence[str]) -> Corrected | Misfit:
    """Return the correction that people made, or a Misfit: the next turn that no longer fits it.

    `said` begins with the corrected or inserted turn. Then come the later turns that didn't fit, as people said they
    were. Each text is tiles in notation, or "pass", "exchange" or "nothing". Raises NotThere, WebError or another
    UpscoreError for an impossible correction.
    """
    alphabet = game.setup.edition.alphabet
    first, *others = (_NO_PLAYS[text] if text in _NO_PLAYS else Played(parse_notation(text, alphabet)) for text in said)
    at = _event_at(game, place, way)
    fit = fit_correction(game, correction := Corrected(at, first, way == "insert"))
    for event in others:
        if isinstance(fit, Misfit):
            correction = replace(correction, also=(*correction.also, (fit.event, event)))
            fit = fit_correction(game, correction)
    return fit


def correcting_editor(open_game: OpenGame, place: int, way: CorrectionKind, said: Sequence[str] = ()) -> Editor:
    """Return the editor for the turn on line `place` of the sheet, or for one that was missed before it.

    With the answers so far (`said`, as `read_correction` takes them) it is the editor for the next turn that no
    longer fits. Raises as `read_correction` does, and WebError if every turn fits.
    """
    misfit = read_correction(open_game.game, place, way, said) if said else None
    if isinstance(misfit, Corrected):
        raise WebError(phrase("The later turns fit. Check the scoresheet again."))
    game, game_id, version = open_game.game, open_game.row.id, open_game.row.version
    record = turn_to_correct(game, place)
    event = _event_at(game, place, way)
    before = Game.from_log(game.setup, game.events[:event], game.lexicon) if misfit is None else misfit.game
    address = partial(url_for, game_id=game_id, place=place, way=way)
    sent_to = partial(address, "actions.correct", said=said)
    # an exchange is offered only if it was possible then
    exchange = ((phrase("It was an exchange"), sent_to(to="exchange")),) if before.exchange_problem is None else ()
    editor = Editor(
        title=phrase("Turn %(number)s: what did %(player)s play?", number=record.number, player=record.player),
        game=before,
        view=view_board(before.board, start=before.setup.edition.start),
        tiles="",
        version=version,
        action=sent_to(to="play"),
        verdict_url=address("parts.verdict", said=said),
        back=url_for("pages.turn", game_id=game_id, place=place),
        done=phrase("Save"),
        page=address("pages.correct", said=said, version=version if said else None),
        others=(
            (phrase("It was a pass"), sent_to(to="pass")),
            *exchange,
            (phrase("This turn never happened"), sent_to(to="nothing")),
        ),
        photo=_photo_of(open_game, place),
    )
    if misfit is not None:
        tiles = "" if said[-1] in _NO_PLAYS else said[-1]
        earlier = address("pages.correct", said=said[:-1], version=version, tiles=tiles)
        at = max(at for at, turn in enumerate(game.turns, start=1) if turn.event == misfit.event)
        editor = replace(
            editor,
            title=phrase(
                "Turn %(number)s: what did %(player)s play?", number=misfit.number, player=before.current_player
            ),
            back=url_for("pages.game", game_id=game_id),
            photo=_photo_of(open_game, at),
            why=_why(game.turns[at - 1], misfit),
            done=phrase("Save all") if len(said) > 1 else phrase("Save both turns"),
            before=earlier,
        )
        return _with_play(editor, misfit.play)
    if way == "insert":
        title = phrase("Missed turn: what did %(player)s play?", player=before.current_player)
        return replace(editor, title=title, done=phrase("Add this turn"), others=editor.others[:-1])
    tapped = "square" in request.args  # on the board of the game's page
    back = url_for("pages.game", game_id=game_id) if tapped else editor.back
    return replace(_with_play(editor, record.play), back=back)


def _with_play(editor: Editor, play: Play | None) -> Editor:
    """Return the editor with the play of a turn, and with the plays that were read in its photograph."""
    if play is None:
        return editor
    return replace(editor, tiles=format_play(play), read=() if editor.photo is None else (play,))


def _why(record: TurnRecord, misfit: Misfit) -> str:
    """Say why a turn is asked about that fitted until an earlier one was corrected."""
    player = misfit.game.current_player
    if record.play is None:
        return phrase(
            "With your correction %(player)s can't have exchanged a tile here. What was this turn?", player=player
        )
    if misfit.play is None:
        return phrase("Your correction uses all the tiles of this turn. What did %(player)s play?", player=player)
    return phrase("With your correction this turn no longer fits. What did %(player)s play?", player=player)


def _event_at(game: Game, place: int, way: CorrectionKind) -> int:
    """Return the number of the event to correct on line `place` of the sheet, or before which a missed one goes in.

    A missed event goes in before an entry that says whose turn line `place` was, so that this still holds for that
    line. Raises NotThere, or WebError for a lost turn.
    """
    at = turn_to_correct(game, place).event
    while way == "insert" and at and isinstance(game.events[at - 1], TurnGiven):
        at -= 1
    return at


def turn_at(game: Game, place: int) -> TurnRecord:
    """Return the turn on line `place` of the sheet, counted from 1. Raises NotThere."""
    record = record_at(game, place)
    if record is None:
        raise NotThere(phrase("That turn no longer exists. Check the scoresheet."))
    return record


def turn_to_correct(game: Game, place: int) -> TurnRecord:
    """Return the turn on line `place` of the sheet if it can be corrected.

    Raises NotThere, or WebError for a turn lost by a challenge, which has no event of its own.
    """
    record = turn_at(game, place)
    if record.kind == "lost":
        raise WebError(phrase("This turn was lost to a challenge. There is no play to correct."))
    return record


def render_editor(editor: Editor, tiles: str) -> str:
    """Return the editor's page with these tiles in it and the referee's verdict on them."""
    verdict, accept, problem = _judge(editor.game, tiles)
    return render_template(
        "editor.html",
        **{**vars(editor), "tiles": tiles},
        alike=alternatives(editor, tiles),
        verdict=verdict,
        accept=accept,
        told=score_text(verdict) if verdict else "",
        problem=problem,
    )


def alternatives(editor: Editor, tiles: str) -> tuple[PossiblePlay, ...]:
    """Return the plays that a photograph may show instead of these tiles, with the fewest different letters first.

    The result is empty if nothing was read on these squares: during a game, a misread photograph is the only reason to
    show plays. The turn's own play is never among them, since that would show whether its words are in the list.
    The result is also empty if the tiles aren't a play on the board, or if the word list can't be searched.
    """
    game = editor.game
    try:
        play = parse_typed(tiles, game.board)
        if play.squares not in [read.squares for read in editor.read]:
            return ()
        candidates = plays_on(
            game.board,
            play.squares,
            game.tiles_possible(),
            edition=game.setup.edition,
            lexicon=searchable_lexicon(game),
            rules=game.setup.rules,
        )
    except UpscoreError:
        return ()
    others = [(sum(map(ne, play.faces, scored.play.faces)), scored) for scored in candidates]
    others = [(apart, scored) for apart, scored in others if apart and format_play(scored.play) != editor.tiles]
    others.sort(key=lambda pair: pair[0])
    return tuple(view_play(scored) for _, scored in others[:MAX_ALTERNATIVES])


def _photo_of(open_game: OpenGame, place: int) -> PhotoView | None:
    return photo_at(open_game.game, place, app.photos(open_game), app.shelf.kinds)


def needs_accepting(game: Game, play: Play, form_accept: str) -> bool:
    """Return whether the play breaks a rule and the person has not seen the verdict on exactly these tiles.

    `form_accept` is the notation of the tiles whose verdict the page showed.
    """
    return not game.shown_verdict(play).legal and form_accept != format_play(play)


def _judge(game: Game, tiles: str) -> tuple[Verdict | None, str, str | None]:
    """Return the verdict on the tiles, their notation in order, and the problem if there is no verdict."""
    if not tiles.strip():
        return None, "", None
    try:
        play = parse_typed(tiles, game.board)
        return game.shown_verdict(play), format_play(play), None
    except UpscoreError as error:
        return None, "", str(error)
