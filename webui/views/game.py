"""The view of a game's page, which the television across the room shows too: players, hands-free play, the question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

from engine import (
    MAX_HEIGHT,
    SQUARES,
    Board,
    Edition,
    Game,
    Play,
    Square,
    TurnRecord,
    UpscoreError,
    format_play,
    square_name,
)
from engine.game.events import Exchanged, Passed, Played
from engine.game.turns import take_lost_turns
from engine.game.undo import redo_text, undo_text
from engine.squares import square_names
from engine.wording import format_points, join_names, join_texts, number_word, phrase, plural
from vision.turn.finding import Retake
from vision.turn.reasons import Doubt, Reason, is_about
from vision.turn.withdrawn import names_of
from webui.live.cameras import CameraView
from webui.live.table_state import WATCHING, Kind, TableState
from webui.live.turn_clock import Clock
from webui.storage.database import PhotoRow
from webui.table.games import OpenGame
from webui.table.question import (
    Question,
    find_framed_square,
    name_asked_square,
    offer_start_again,
    provisional_events,
    question_text,
)
from webui.views.analysis import can_look_back, turns_to_look_back
from webui.views.answers import AnswerView, say_reason, view_answers, without_duplicates
from webui.views.board import BoardView, view_board
from webui.views.challenge import LiftView, RulingView, askers_of, newest_ruling, view_lift
from webui.views.finish import ResultView, TilesView, view_result, view_tiles
from webui.views.new_game import EditionView, unread_text, view_editions
from webui.views.sheet import SheetView, TurnView, view_sheet, view_turns


@dataclass(frozen=True)
class PlayerView:
    """A player in the strip on top. `turn` highlights the player whose turn it is, or who won."""

    name: str
    total: int
    turn: bool


def view_players(game: Game) -> tuple[PlayerView, ...]:
    """Return the players in their order."""
    shown = (game.current_player, *game.winners)
    return tuple(PlayerView(name, total, name in shown) for name, total in game.totals.items())


_STATES: dict[Kind, tuple[str, str, str]] = {
    "connecting": ("calm", phrase("Connecting to the camera"), phrase("One moment.")),
    "live": ("calm", phrase("Watching"), phrase("Play, then take your hands away.")),
    "hand": ("calm", phrase("Hand over the board"), phrase("Done? Take your hand away.")),
    "reading": ("calm", phrase("Reading"), phrase("Keep your hands off for a moment.")),
    "question": ("todo", phrase("Question waiting"), phrase("You can keep playing.")),
    "lift": ("todo", phrase("Take tiles off"), phrase("They no longer count, but they are still on the board.")),
    "sought": ("todo", phrase("Looking for the board"), phrase("Point the camera at the whole board.")),
    "lost": (
        "alarm",
        phrase("The board is out of view"),
        phrase("Point the camera at the whole board. Upscore can't see any plays now."),
    ),
    "gone": ("alarm", phrase("No picture from the camera"), ""),
    "reconnecting": ("alarm", phrase("Reconnecting"), ""),
    "ended": ("calm", phrase("The film has ended"), phrase("Its last picture stays.")),
    "restarted": ("todo", phrase("Started again"), ""),
}
"""The tone of each state of hands-free play, its headline, and its sentence."""


@dataclass(frozen=True)
class StateView:
    """The state of hands-free play.

    `score` is a play and its points, or "", and `player` the one who made it. `provisional` says that it is not on the
    sheet yet.

    `tone` is "calm", "todo" or "alarm". Screen readers announce a state once, unless it is calm.
    """

    kind: Kind
    headline: str
    sentence: str
    tone: str
    score: str = ""
    player: str = ""
    provisional: bool = False

    @property
    def announced(self) -> str:
        """The text for screen readers, "" for a calm state and for a question, which the page announces itself."""
        calm = self.tone == "calm" or self.kind == "question"
        return "" if calm else join_texts((join_texts((self.headline, "."), ""), self.sentence))


def view_state(state: TableState) -> StateView | None:
    """Return the view of a state, None if no camera follows the game."""
    if state.kind == "off":
        return None
    tone, headline, sentence = _STATES[state.kind]
    if state.kind == "lift":
        lift = phrase("Take the tiles on %(squares)s off the board, then go on.", squares=", ".join(state.squares))
        sentence = join_texts((lift, state.text))
    elif state.kind in WATCHING or state.kind in ("sought", "lost"):
        sentence = state.text or sentence
    elif state.kind == "ended":
        sentence = join_texts((sentence, state.text))
    elif state.kind == "question":
        if state.waiting > 1:
            headline = phrase("Question waiting: %(number)s turns", number=number_word(state.waiting))
        if state.squares:
            squares = ", ".join(state.squares)
            lift = phrase("Answer it, and take the tiles on %(squares)s off the board.", squares=squares)
            sentence = join_texts((lift, state.text))
        else:
            sentence = state.text or sentence
    view = StateView(state.kind, headline, sentence or state.text, tone)
    if (score := state.score) is None or state.kind not in WATCHING:
        return view
    words = " + ".join(score.words) or phrase("no word")
    text = join_texts((words, str(score.points), "…" if score.provisional else ""))
    return replace(view, score=text, player=score.player, provisional=score.provisional)


OTHER_SET_NOTE = phrase("These tiles look new to Upscore. For a new set, tap “Forget” on the Games page.")


@dataclass(frozen=True)
class PhotoView:
    """A photograph: its key, the number of the turn that it shows (0 for the start), and which pictures it has.

    `there` is false if its pictures were deleted to save space.
    """

    key: str
    number: int
    there: bool
    overlay: bool
    square: bool


@dataclass(frozen=True)
class StackView:
    """A stack that the play in question counts: its square, its height as counted, and the heights that it may have."""

    square: str
    height: int
    heights: range


@dataclass(frozen=True)
class LookView:
    """The question about a photograph, and its answers.

    `kind` is the kind of the finding, or "lying" for a question about tiles that are still on the board and must be
    lifted. `square` is the square for which people can choose another face, and `framed` the one that the close-up
    shows, or "". `tiles` is the notation of the likeliest answer's play. `stacks` are those whose heights people can
    say, and `check` asks for it, or is "". `start_again` offers to take the board as it lies, or is "". `retake` says
    how another photograph would show more than answers tell.
    """

    kind: str
    question: str
    reason: str | None
    answers: tuple[AnswerView, ...]
    photo: PhotoView
    tiles: str
    square: str
    framed: str
    stacks: tuple[StackView, ...]
    check: str
    start_again: str
    retake: Retake


@dataclass(frozen=True)
class GameView:
    """Everything that the page of a game shows.

    - `look` is the waiting question, or None. `note` is a message above it.
    - `undo` and `redo` say what can be undone and brought back, None for nothing.
    - `seen` compares a finished solo game with the record before it, or is "".
    - `looked_back` are the turns whose best play can be shown once the game is over.
    - `lift` are the tiles to lift off the board, `ruling` the table's newest ruling, `open` the turn whose play can be
    challenged. Each may be None. `challengers` are the players who may challenge it.
    - `other_boards` are the boards to which the game can change: those of the size that the question names, or else
    all. There are none once the game has entries.
    - `newest` is the newest play's line on the sheet, if it lies on the board, else 0.
    - `lost` says whose turn is skipped now because a challenge failed, or is "".
    - `known` says from how many games the tile set was learned, or is "".
    - `clock` is the turn's timer, or None.
    """

    id: int
    version: int
    title: str
    game: Game
    players: tuple[PlayerView, ...]
    headline: str
    last: TurnView | None
    board: BoardView
    sheet: SheetView
    tiles: TilesView | None
    look: LookView | None
    note: str | None
    offers: tuple[str, ...]
    other_boards: tuple[EditionView, ...]
    photo: PhotoView | None
    ended: bool
    undo: str | None
    redo: str | None
    camera: CameraView | None
    record: str
    result: ResultView | None
    looked_back: tuple[TurnView, ...]
    lift: LiftView | None
    ruling: RulingView | None
    open: TurnView | None
    challengers: tuple[str, ...]
    newest: int
    lost: str
    known: str
    clock: Clock | None = None

    @property
    def followed(self) -> bool:
        """True if a camera follows the game, and the game goes on."""
        return self.camera is not None and self.camera.followed and not self.ended

    @property
    def watched(self) -> bool:
        """True if a camera follows the game and sees its board."""
        return self.followed and (self.state is None or self.state.kind in (*WATCHING, "question", "lift"))

    @property
    def state(self) -> StateView | None:
        """The state of hands-free play, None without a camera and once the game is over."""
        if self.camera is None or self.ended:
            return None
        state = self.camera.state
        # it was answered since the watcher looked at the game, perhaps because the watcher is reading the board
        return view_state(TableState("live") if state.kind == "question" and self.look is None else state)

    @property
    def tells_newest(self) -> bool:
        """True if the newest entry is the last turn, so that *Undo* can stand beside it."""
        return bool(self.game.log) and isinstance(self.game.log[-1], Played | Passed | Exchanged)

    @property
    def news(self) -> str:
        """The latest news in sentences: the table's ruling, or else the last turn and who loses the next one."""
        if self.ruling is not None:
            return join_texts((join_texts((self.ruling.headline, "."), ""), *self.ruling.outcome))
        return join_texts((self.last.sentence if self.last else "", self.lost))

    @property
    def due(self) -> str:
        """The player whose turn it is, "" once the game is over."""
        return next((player.name for player in self.players if player.turn and not self.ended), "")


def view_game(
    open_game: OpenGame,
    photos: Mapping[int, PhotoRow],
    *,
    kinds: Callable[[str], Collection[str]],
    camera: CameraView | None = None,
    record: str = "",
    boards: Iterable[Edition] = (),
    known: str = "",
) -> GameView:
    """Return the view of an open game.

    `photos` are by line of the sheet. `kinds` returns which pictures a photograph's key has. `seen` is the sentence
    about a finished solo game. `boards` are those to which the game could change. `known` is the sentence on the
    learned tile set. If this game has other tiles, a note replaces it.
    """
    game = open_game.game
    other_set = bool(known) and open_game.belief.knowledge.other_set
    turns = view_turns(game, photos)
    look = _look(open_game, open_game.asked, kinds) if open_game.asked else None
    lift = view_lift(open_game)
    return GameView(
        id=open_game.row.id,
        version=open_game.row.version,
        title=open_game.row.title,
        game=game,
        players=view_players(game),
        headline=join_texts((_headline(game), record)),
        last=turns[-1] if turns else None,
        board=lift.board if lift is not None else _board(game, open_game.asked),
        sheet=view_sheet(game, photos, provisional_events(game, open_game.question, open_game.belief)),
        tiles=view_tiles(game),
        look=look,
        note=open_game.note or (_set_note(game, known, other_set=other_set) if game.ended is None else None),
        offers=tuple(offer.text for offer in game.end_offers()),
        other_boards=_other_boards(open_game, boards),
        photo=look.photo if look else photo_at(game, max(photos, default=0), photos, kinds),
        ended=game.ended is not None,
        undo=undo_text(game),
        redo=redo_text(game),
        camera=camera,
        record=record,
        result=view_result(game),
        looked_back=turns_to_look_back(game) if can_look_back(game) else (),
        lift=lift,
        ruling=newest_ruling(game),
        open=next((turn for turn in turns if turn.open), None),
        challengers=tuple(name for _, name in askers_of(game, game.open_play)),
        newest=last_lying(game),
        lost=say_lost_turns(game),
        known="" if other_set else known,
    )


def _set_note(game: Game, known: str, *, other_set: bool) -> str | None:
    """Return the note on a set's tiles: that they are others than those learned, or that some can't be read."""
    if other_set:
        return OTHER_SET_NOTE
    return None if known or game.log else unread_text(game.setup.edition) or None


def _board(game: Game, question: Question | None) -> BoardView:
    """Return the board as the sheet has it, or as the likeliest answer would leave it while a play is asked about."""
    if question is not None and question.kind == "play" and question.outcomes:
        with suppress(UpscoreError):
            board = question.outcomes[0].revision.apply(game).board
            pairs = zip(chain(*game.board.stacks), chain(*board.stacks), strict=True)
            squares = chain(*(row[: board.size] for row in SQUARES[: board.size]))
            asked = [square for square, (was, now) in zip(squares, pairs, strict=True) if was != now]
            return view_board(board, start=game.setup.edition.start, asked=asked)
    return view_board(game.board, start=game.setup.edition.start, new=last_squares(game))


def say_lost_turns(game: Game) -> str:
    """Say whose turn is skipped before the player who is due, or return ""."""
    if game.ended is not None:
        return ""
    due = take_lost_turns(game.setup, game.state, len(game.events))
    names = [record.player for record in due.turns[len(game.turns) :]]
    if not names:
        return ""
    return plural("%(players)s loses this turn.", "%(players)s lose this turn.", len(names), players=join_names(names))


def view_photo(key: str, number: int, kinds: Callable[[str], Collection[str]]) -> PhotoView:
    """Return the view of a photograph. `number` is the turn that it shows."""
    kept_kinds = kinds(key)
    return PhotoView(key, number, "photo" in kept_kinds, "overlay" in kept_kinds, "square" in kept_kinds)


def last_lying(game: Game) -> int:
    """Return the line on the sheet, from 1, of the newest play that lies on the board, 0 if there is none."""
    lying = (at for at, turn in enumerate(game.turns, start=1) if turn.play is not None and not turn.taken_back)
    return max(lying, default=0)


def last_squares(game: Game) -> tuple[Square, ...]:
    """Return the squares of the newest play that lies on the board."""
    record = record_at(game, last_lying(game))
    return record.play.squares if record is not None and record.play is not None else ()


def record_at(game: Game, place: int) -> TurnRecord | None:
    """Return the turn on line `place` of the sheet, counted from 1, None if there is no such line."""
    return game.turns[place - 1] if 1 <= place <= len(game.turns) else None


def board_before(game: Game, place: int) -> Board:
    """Return the board on which the turn on line `place` of the sheet is judged, with tiles that came off later."""
    return Game.from_log(game.setup, game.events[: game.turns[place - 1].event], game.lexicon).board


def view_board_after(game: Game, place: int) -> BoardView:
    """Return the board after the turn on line `place` of the sheet (0 for the start), with that turn's tiles marked."""
    record = record_at(game, place)
    new = record.play.squares if record is not None and record.play is not None and not record.taken_back else ()
    return view_board(game.board_after(place), start=game.setup.edition.start, new=new)


def photo_at(
    game: Game, place: int, photos: Mapping[int, PhotoRow], kinds: Callable[[str], Collection[str]]
) -> PhotoView | None:
    """Return the photograph of line `place` of the sheet (0 for the start), or None."""
    record = record_at(game, place)
    return view_photo(photos[place].key, record.number if record else 0, kinds) if place in photos else None


def _other_boards(open_game: OpenGame, boards: Iterable[Edition]) -> tuple[EditionView, ...]:
    others = [each for each in boards if each != open_game.game.setup.edition]
    doubt = open_game.question.reason if open_game.question else None
    size = doubt.details[1] if doubt is not None and doubt.reason is Reason.OTHER_BOARD else ""
    named = [each for each in others if str(each.size) == size]
    return view_editions(named or others)


def _headline(game: Game) -> str:
    if game.ended is None:
        return phrase("Turn %(number)s: %(player)s to play.", number=game.state.number, player=game.current_player)
    if len(game.players) == 1:
        return phrase("Game over: %(points)s points.", points=format_points(game.totals[game.players[0]]))
    return plural(
        "Game over: %(players)s wins with %(points)s points.",
        "Game over: %(players)s share the win with %(points)s points.",
        len(game.winners),
        players=join_names(game.winners),
        points=format_points(game.totals[game.winners[0]]),
    )


def _view_stack(board: Board, play: Play, square: Square) -> StackView:
    played = int(square in play.squares)
    return StackView(square_name(square), board.height(square) + played, range(1 + played, MAX_HEIGHT + 1))


def _look(open_game: OpenGame, question: Question, kinds: Callable[[str], Collection[str]]) -> LookView:
    game = open_game.game
    framed = find_framed_square(question)
    best = question.outcomes[0].play if question.outcomes and question.kind == "play" else None
    lying = open_game.to_lift if question.lying else None
    stacks = open_game.open_stacks
    is_asked = not stacks or is_about(question.reason, Reason.OPEN_STACK, Reason.COUNTED_HEIGHT)
    return LookView(
        kind=question.kind if lying is None else "lying",
        question=question_text(question)
        if lying is None
        else phrase("Still on the board: %(tiles)s", tiles=names_of(lying)),
        reason=say_reason(question),
        answers=without_duplicates(view_answers(open_game, question)),
        photo=view_photo(question.photo, game.state.number, kinds),
        tiles="" if best is None else format_play(best),
        square=name_asked_square(question),
        framed="" if framed is None else square_name(framed),
        stacks=() if best is None else tuple(_view_stack(game.board, best, square) for square in stacks),
        check="" if is_asked else str(Doubt(Reason.OPEN_STACK, (square_names(stacks),))),
        start_again=offer_start_again(question, open_game.plays_expected),
        retake=question.retake,
    )
