"""The page of one game, gathered from the game, its photographs, the camera and the demo."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from engine.board import Board
from engine.editions import EDITIONS
from engine.faces import FACES
from engine.game.events import Event
from engine.game.game import Game
from engine.game.records import TurnRecord
from engine.game.undo import redo_text, undo_text
from engine.play import format_play
from engine.squares import Square
from vision.turn.withdrawn import names_of
from webui.live.cameras.cameras import CameraView
from webui.live.provisional import provisional_events
from webui.storage.open_games import OpenGame
from webui.storage.store import PhotoRow
from webui.views.evening.analysis import TurnLabel, can_look_back, turn_labels
from webui.views.evening.result import ResultView, view_result
from webui.views.game.answers import AnswerView, reason_shown, view_answers
from webui.views.game.board import BoardView, view_board
from webui.views.game.challenge import RulingView, newest_ruling
from webui.views.game.letters import square_asked
from webui.views.game.lift import LiftView, view_lift
from webui.views.game.players import PlayerView, view_players
from webui.views.game.question import Pending, question_text
from webui.views.game.sheet import SheetView, TurnView, view_sheet, view_turns
from webui.views.game.table_state import StateView, spoken, view_state
from webui.views.game.tiles import TilesView, view_tiles

OTHER_SET = (
    "These look like other tiles than yours: this game is read without what is known of yours. Is it a new set? Then "
    "have the old one forgotten, on the page of games."
)


@dataclass(frozen=True)
class PhotoView:
    """A photograph: its key, the number of the turn that it shows (0 of the start), and which pictures there are of it.

    `there` is false for one that was thinned out, of which there is none.
    """

    key: str
    number: int
    there: bool
    overlay: bool
    square: bool


@dataclass(frozen=True)
class LookView:
    """The question about a photograph, and its answers.

    `kind` is that of the reading, or "lying" where the question is about tiles to lift that were seen on the board.
    `square` is the name of the one whose letter can be told instead, one of `faces`; "" where there is none. `tiles`
    are those of the likeliest answer.
    """

    kind: str
    question: str
    reason: str | None
    answers: tuple[AnswerView, ...]
    photo: PhotoView
    tiles: str
    square: str
    faces: tuple[str, ...]


@dataclass(frozen=True)
class GameView:
    """Everything that the page of a game shows.

    `note` is said above what needs a look. `undo` and `redo` say what can be taken back and brought back, None for
    nothing. `state` is that of hands-free play, None where it is off; `spoken` is the last turn as it is read out.
    `record` says how a finished solo game stands to the totals before it, "" for nothing to say; `looked_back` are the
    turns whose best play can be looked for, once the game is over. `lift` are tiles to lift off the board, `ruling` is
    the table's newest, `open` the turn whose play can be challenged, None for none. `other_boards` are the editions to
    which the game can change: none once something is entered. `known` says from how many games the tiles are known, ""
    where they are not.
    """

    id: int
    version: int
    title: str
    players: tuple[PlayerView, ...]
    headline: str
    number: int
    last: TurnView | None
    board: BoardView
    sheet: SheetView
    tiles: TilesView | None
    look: LookView | None
    note: str | None
    offers: tuple[str, ...]
    can_exchange: bool
    other_boards: tuple[str, ...]
    flags: tuple[str, ...]
    photo: PhotoView | None
    ended: bool
    undo: str | None
    redo: str | None
    camera: CameraView | None
    edition: str
    lexicon: str
    record: str
    result: ResultView | None
    looked_back: tuple[TurnLabel, ...]
    lift: LiftView | None
    ruling: RulingView | None
    open: TurnView | None
    known: str = ""

    @property
    def followed(self) -> bool:
        """Whether a camera looks on and the game goes on."""
        return self.camera is not None and self.camera.followed and not self.ended

    @property
    def state(self) -> StateView | None:
        """What the camera's table is at, None without a camera and once the game is over."""
        return view_state(self.camera.state) if self.camera is not None and not self.ended else None

    @property
    def spoken(self) -> str:
        """The last turn as it is read out."""
        return spoken(self.last)

    @property
    def due(self) -> str:
        """Who is to play, "" once the game is over."""
        return next((player.name for player in self.players if player.turn and not self.ended), "")


def view_game(
    opened: OpenGame,
    photos: Mapping[int, PhotoRow],
    *,
    kinds: Callable[[str], Collection[str]],
    camera: CameraView | None = None,
    record: str = "",
) -> GameView:
    """The view of an open game; `kinds` tells which pictures there are of the photograph of a key.

    `record` is the sentence about a finished solo game.
    """
    game = opened.game
    turns = view_turns(game, photos)
    look = _look(game, opened.pending, kinds) if opened.pending else None
    lift = view_lift(opened)
    return GameView(
        id=opened.row.id,
        version=opened.row.version,
        title=opened.row.title,
        players=view_players(game),
        headline=f"{_headline(game)} {record}".rstrip(),
        number=game.state.number,
        last=turns[-1] if turns else None,
        board=lift.board if lift is not None else view_board(game.board, new=last_squares(game)),
        sheet=view_sheet(game, photos, provisional_events(game, opened.pending, opened.belief)),
        tiles=view_tiles(game),
        look=look,
        note=opened.note,
        offers=tuple(offer.text for offer in game.end_offers()),
        can_exchange=game.exchange_problem is None,
        other_boards=_other_boards(game) if game.nothing_entered and not opened.row.demo else (),
        flags=game.flags,
        photo=look.photo if look else newest_photo(game, photos, kinds),
        ended=game.ended is not None,
        undo=undo_text(game),
        redo=redo_text(game),
        camera=camera,
        edition=game.setup.edition.name,
        lexicon=opened.judged_by,
        record=record,
        result=view_result(game),
        looked_back=turn_labels(game) if can_look_back(game) else (),
        lift=lift,
        ruling=newest_ruling(game),
        open=next((turn for turn in turns if turn.open), None),
    )


def with_known_tiles(view: GameView, opened: OpenGame, known: str) -> GameView:
    """The view with what is said of the tiles: what is known of them, or that this game is played with others."""
    if known and opened.belief.knowledge.other_set:
        return replace(view, note=view.note or (None if view.ended else OTHER_SET))
    return replace(view, known=known)


def view_photo(key: str, number: int, kinds: Callable[[str], Collection[str]]) -> PhotoView:
    """The view of a photograph."""
    there = kinds(key)
    return PhotoView(key, number, "photo" in there, "overlay" in there, "square" in there)


def last_squares(game: Game) -> tuple[Square, ...]:
    """The squares of the last play, when it lies on the board."""
    for record in reversed(game.turns):
        if record.play is not None and not record.taken_back:
            return record.play.squares
    return ()


def record_at(game: Game, place: int) -> TurnRecord | None:
    """The turn on line `place` of the sheet, from 1; None when there is no such line."""
    return game.turns[place - 1] if 1 <= place <= len(game.turns) else None


def board_before(game: Game, place: int) -> Board:
    """The board before the turn on line `place` of the sheet."""
    board = game.setup.start
    for record in game.turns[: place - 1]:
        if record.play is not None and not record.taken_back:
            board = board.with_play(record.play)
    return board


def game_before(game: Game, event: int) -> Game:
    """The game as it was before its standing event number `event`."""
    kept: tuple[Event, ...] = game.events[:event]
    return Game.from_log(game.setup, kept, game.lexicon)


def newest_photo(
    game: Game, photos: Mapping[int, PhotoRow], kinds: Callable[[str], Collection[str]]
) -> PhotoView | None:
    """The photograph of the newest turn that one shows; the start's where there is none, None without any."""
    place = max(photos, default=-1)
    shown = record_at(game, place)
    return None if place < 0 else view_photo(photos[place].key, shown.number if shown else 0, kinds)


def _other_boards(game: Game) -> tuple[str, ...]:
    return tuple(name for name in EDITIONS if name != game.setup.edition.name)


def _headline(game: Game) -> str:
    if game.ended is None:
        return f"Turn {game.state.number}: {game.current_player} to play."
    if len(game.players) == 1:
        return f"The game is over: {game.totals[game.players[0]]} points."
    who = " and ".join(game.winners)
    verb = "wins" if len(game.winners) == 1 else "share the win"
    return f"The game is over: {who} {verb} with {game.totals[game.winners[0]]} points."


def _look(game: Game, pending: Pending, kinds: Callable[[str], Collection[str]]) -> LookView:
    best = pending.choices[0].play if pending.choices and pending.kind == "play" else None
    lying = pending.lying
    return LookView(
        kind=pending.kind if lying is None else "lying",
        question=question_text(pending) if lying is None else f"Still on the board: {names_of(lying)}",
        reason=reason_shown(pending),
        answers=view_answers(game, pending),
        photo=view_photo(pending.photo, game.state.number, kinds),
        tiles="" if best is None else format_play(best),
        square=square_asked(pending),
        faces=FACES,
    )
