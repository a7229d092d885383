"""The editor in which a play is entered or put right, tile by tile."""

from __future__ import annotations

from dataclasses import dataclass

from flask import render_template, url_for

from engine.analysis.missed_plays import searchable
from engine.errors import UpscoreError
from engine.faces import FACES
from engine.game.events import TurnGiven
from engine.game.game import Game
from engine.game.records import TurnRecord
from engine.play import Play, format_play
from engine.rules.referee import Verdict
from engine.solver.square_plays import plays_on
from webui.errors import NotThere, WebError
from webui.routes.typed_play import parse_typed
from webui.services import services
from webui.storage.open_games import OpenGame
from webui.views.evening.analysis import FoundView, view_found
from webui.views.game.answers import words_text
from webui.views.game.board import BoardView, view_board
from webui.views.game.game import PhotoView, board_before, game_before, record_at, view_photo
from webui.views.game.question import Pending
from webui.views.game.validity import judged

MOST_ALIKE = 12
"""Plays on the same squares that the editor offers."""


@dataclass(frozen=True)
class Editor:
    """What the editor is opened on: `game` as it was before the turn, and where the tiles are sent.

    `photo` is the photograph that shows what was played, None without one; `asked` says that a question about it waits.
    `read` are the plays that it was read as: what else may have been played on their squares is offered.
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


def play_editor(opened: OpenGame) -> Editor:
    """The editor for the turn that is due; raises WebError when the game is over."""
    game, game_id = opened.game, opened.row.id
    if game.current_player is None:
        raise WebError("The game is over: take back its end to go on.")
    return Editor(
        title=f"{game.current_player}'s play",
        game=game,
        view=view_board(game.board),
        tiles="",
        version=opened.row.version,
        action=url_for("actions.play", game_id=game_id),
        verdict_url=url_for("api.verdict", game_id=game_id),
        back=url_for("pages.game", game_id=game_id),
        done="Play it",
        page=url_for("pages.enter", game_id=game_id),
        photo=_photo_asked_about(opened),
        asked=opened.pending is not None,
        read=_read_as(opened.pending),
    )


def correct_editor(opened: OpenGame, place: int) -> Editor:
    """The editor for the turn on line `place` of the sheet; raises NotThere, or WebError for a lost turn."""
    game, game_id = opened.game, opened.row.id
    record = had_turn_at(game, place)

    def sent_to(to: str) -> str:
        return url_for("actions.correct", game_id=game_id, place=place, to=to)

    before, photo = game_before(game, record.event), _photo_of(opened, place)
    return Editor(
        title=f"Turn {record.number}: what {record.player} played",
        game=before,
        view=view_board(board_before(game, place)),
        tiles=format_play(record.play) if record.play is not None else "",
        version=opened.row.version,
        action=sent_to("play"),
        verdict_url=url_for("api.verdict", game_id=game_id, place=place),
        back=url_for("pages.turn", game_id=game_id, place=place),
        done="Put it right",
        page=url_for("pages.correct", game_id=game_id, place=place),
        others=(
            ("It was a pass", sent_to("pass")),
            *_exchanging(before, sent_to("exchange")),
            ("This turn never happened", sent_to("nothing")),
        ),
        photo=photo,
        read=() if photo is None or record.play is None else (record.play,),
    )


def missed_at(game: Game, place: int) -> int:
    """Where a turn that was missed before the one on line `place` of the sheet goes in among the events.

    Whose turn the one on that line was stays said of that one. Raises NotThere, or WebError for a lost turn.
    """
    at = had_turn_at(game, place).event
    while at and isinstance(game.events[at - 1], TurnGiven):
        at -= 1
    return at


def insert_editor(opened: OpenGame, place: int) -> Editor:
    """The editor for a turn that was missed before the one on line `place` of the sheet; raises as `missed_at`."""
    game, game_id = opened.game, opened.row.id
    before = game_before(game, missed_at(game, place))

    def sent_to(to: str) -> str:
        return url_for("actions.insert", game_id=game_id, place=place, to=to)

    return Editor(
        title=f"Missed before turn {game.turns[place - 1].number}: what {before.current_player} played",
        game=before,
        view=view_board(before.board),
        tiles="",
        version=opened.row.version,
        action=sent_to("play"),
        verdict_url=url_for("api.verdict", game_id=game_id, before=place),
        back=url_for("pages.turn", game_id=game_id, place=place),
        done="Put it in",
        page=url_for("pages.insert", game_id=game_id, place=place),
        others=(("It was a pass", sent_to("pass")), *_exchanging(before, sent_to("exchange"))),
        photo=_photo_of(opened, place),
    )


def _exchanging(before: Game, to: str) -> tuple[tuple[str, str], ...]:
    """The offer that a turn was an exchange, where one was possible in the game as it was before."""
    return (("It was an exchange", to),) if before.exchange_problem is None else ()


def turn_at(game: Game, place: int) -> TurnRecord:
    """The turn on line `place` of the sheet, from 1; raises NotThere."""
    record = record_at(game, place)
    if record is None:
        raise NotThere("There is no such turn: look at the scoresheet again.")
    return record


def had_turn_at(game: Game, place: int) -> TurnRecord:
    """The same where the turn was had; raises WebError for a lost one, which no event of its own tells of."""
    record = turn_at(game, place)
    if record.kind == "lost":
        raise WebError("A turn that was lost follows from a challenge: it cannot be corrected by itself.")
    return record


def render_editor(editor: Editor, tiles: str) -> str:
    """The editor's page with these tiles in it and the referee's verdict on them."""
    verdict, accept, problem = _judged(editor.game, tiles)
    return render_template(
        "editor.html",
        **{name: getattr(editor, name) for name in ("title", "view", "version", "action", "verdict_url")},
        **{name: getattr(editor, name) for name in ("back", "done", "others", "page", "photo", "asked")},
        alike=same_squares(editor, tiles),
        tiles=tiles,
        verdict=verdict,
        accept=accept,
        words=words_text(verdict) if verdict else "",
        problem=problem,
        faces=FACES,
    )


def same_squares(editor: Editor, tiles: str) -> tuple[FoundView, ...]:
    """What a photograph may have shown instead of these tiles, those plays first that differ in the fewest letters.

    Empty where it was read as nothing on their squares: while a game goes on, a photograph put right is the one reason
    to tell plays. That of the turn itself is never told, which would say whether its words are in the list. Empty, too,
    where the tiles are no play of the board, or the word list can't be searched.
    """
    game = editor.game
    try:
        play = parse_typed(tiles, game.board)
        if play.squares not in [read.squares for read in editor.read]:
            return ()
        found = plays_on(
            game.board,
            play.squares,
            game.tiles_possible(),
            edition=game.setup.edition,
            lexicon=searchable(game),
            rules=game.setup.rules,
        )
    except UpscoreError:
        return ()
    others = [(_differing(play, scored.play), scored) for scored in found]
    others = [
        (apart, scored) for apart, scored in others if apart and format_play(scored.play) != editor.tiles
    ]
    others.sort(key=lambda pair: pair[0])
    return tuple(view_found(scored) for _, scored in others[:MOST_ALIKE])


def _read_as(pending: Pending | None) -> tuple[Play, ...]:
    """The plays that the photograph about which is asked may show."""
    choices = () if pending is None else pending.choices
    return tuple(choice.play for choice in choices if choice.play is not None)


def _photo_asked_about(opened: OpenGame) -> PhotoView | None:
    if opened.pending is None:
        return None
    return view_photo(opened.pending.photo, opened.game.state.number, services().shelf.kinds)


def _photo_of(opened: OpenGame, place: int) -> PhotoView | None:
    """The photograph of the turn on line `place` of the sheet."""
    made = services()
    row = made.photos(opened).get(place)
    return None if row is None else view_photo(row.key, turn_at(opened.game, place).number, made.shelf.kinds)


def _differing(one: Play, other: Play) -> int:
    return sum(mine != its for mine, its in zip(one.faces, other.faces, strict=True))


def needs_accepting(game: Game, play: Play, form_accept: str) -> bool:
    """Whether the play breaks a rule and the person has not seen the verdict on these very tiles."""
    return not judged(game, play).legal and form_accept != format_play(play)


def _judged(game: Game, tiles: str) -> tuple[Verdict | None, str, str | None]:
    """The verdict on the tiles, their notation in order, and what is wrong where there is no verdict."""
    if not tiles.strip():
        return None, "", None
    try:
        play = parse_typed(tiles, game.board)
        return judged(game, play), format_play(play), None
    except UpscoreError as error:
        return None, "", str(error)
