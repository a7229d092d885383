"""The views of a challenge and of what comes off the board: verdicts, the table's ruling, and tiles to lift."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Game, TurnRecord, UpscoreError, square_name
from engine.errors import PositionError
from engine.game.records import Challenge
from engine.lexicon.lexicon import WordVerdict
from engine.wording import capitalize, join_names, join_texts, phrase, plural, points_text
from vision.turn.withdrawn import names_of
from webui.ports import Judge
from webui.table.games import OpenGame
from webui.table.intake import next_up
from webui.views.board import BoardView, view_board


@dataclass(frozen=True)
class RulingView:
    """The table's ruling on the play on line `place` of the sheet.

    `asked` says who challenged, `headline` how the table ruled, and `authority` who decided that. `outcome` says in
    sentences what follows.
    """

    place: int
    upheld: bool
    asked: str
    headline: str
    authority: str
    outcome: tuple[str, ...]


@dataclass(frozen=True)
class ChallengeView:
    """The challenge of a play.

    `words` are the verdicts on its words, `reasons` the rules of placing that it breaks. `problem` says why the word
    list can't be asked. `comes_off` is what the list suggests, None if it can't be asked. `askers` are the numbers and
    names of the players who may challenge. `penalty` says what a failed challenge costs, "" for nothing. With a
    penalty, the challenger must be named. `ruling` is the table's ruling, None before it.
    """

    words: tuple[WordVerdict, ...]
    reasons: tuple[str, ...]
    problem: str | None
    comes_off: bool | None
    askers: tuple[tuple[int, str], ...]
    penalty: str
    ruling: RulingView | None

    @property
    def headline(self) -> str:
        """The advice in a line."""
        if self.comes_off is None:
            return phrase("What does your dictionary say?")
        refused = [word.word for word in self.words if not word.playable]
        if refused:
            return plural(
                "%(words)s is not playable", "%(words)s are not playable", len(refused), words=join_names(refused)
            )
        if self.reasons:
            return phrase("The play breaks a rule")
        words = [word.word for word in self.words]
        return plural("%(words)s is playable", "%(words)s are playable", len(words), words=join_names(words))


def view_challenge(game: Game, place: int, record: TurnRecord, judge: Judge, lexicon: str) -> ChallengeView:
    """Return the challenge of the play on line `place` of the sheet, with the verdicts of the word list `lexicon`."""
    assert record.verdict is not None
    words: tuple[WordVerdict, ...] = ()
    problem = None
    try:
        words = tuple(judge(word.word, lexicon, game.setup.edition.alphabet) for word in record.verdict.words)
    except UpscoreError as error:
        message = capitalize(str(error))
        end = "" if message.endswith(".") else "."
        problem = join_texts((join_texts((message, end), ""), phrase("Rule by your own dictionary.")))
    reasons = tuple(broken.text for broken in record.verdict.breaches)
    comes_off = bool(reasons) or any(not word.playable for word in words)
    rules = game.setup.rules
    costs = rules.failed_challenge_loses_turn and not game.setup.solo
    return ChallengeView(
        words=words,
        reasons=reasons,
        problem=problem,
        comes_off=None if problem else comes_off,
        askers=askers_of(game, record),
        penalty=phrase("If it stands, the challenger loses the next turn.") if costs else "",
        ruling=_ruling(game, place, record.challenges[-1]) if record.challenges else None,
    )


def newest_ruling(game: Game) -> RulingView | None:
    """Return the table's ruling if it is the newest entry, else None."""
    for place, record in enumerate(game.turns, start=1):
        if record.challenges and record.challenges[-1].event == len(game.events) - 1:
            return _ruling(game, place, record.challenges[-1])
    return None


def askers_of(game: Game, record: TurnRecord | None) -> tuple[tuple[int, str], ...]:
    """Return the players who may challenge the play and have not done so yet, with their numbers."""
    if record is None or record is not game.open_play or game.setup.solo:
        return ()
    excluded = {record.player, *record.refused_challenges}
    return tuple((at, name) for at, name in enumerate(game.players) if name not in excluded)


def _ruling(game: Game, place: int, challenge: Challenge) -> RulingView:
    record = game.turns[place - 1]
    verdict = record.verdict
    assert verdict is not None
    words = join_names([word.word for word in verdict.words]) or phrase("The play")
    number = max(1, len(verdict.words))
    scored = points_text(verdict.points)
    authority = {
        "list": phrase("The word list agrees."),
        "table": phrase("Your table decided; the word list disagrees."),
        "rules": phrase("The play breaks a rule, whatever the words are."),
        None: "",
    }[challenge.authority]
    if challenge.upheld:
        headline = plural("%(words)s comes off", "%(words)s come off", number, words=words)
        outcome = [phrase("%(player)s does not get the %(points)s.", player=record.player, points=scored)]
        if game.state.again is not None and game.ended is None:
            outcome.append(phrase("%(name)s plays another word or passes.", name=record.player))
    else:
        headline = plural("%(words)s stands", "%(words)s stand", number, words=words)
        outcome = [phrase("%(player)s keeps the %(points)s.", player=record.player, points=scored)]
    if challenge.costs_turn:
        outcome.append(
            phrase("%(player)s challenged without success and loses the next turn.", player=challenge.challenger)
        )
    elif not challenge.upheld and game.setup.rules.failed_challenge_loses_turn and not game.setup.solo:
        outcome.append(
            phrase(
                "%(player)s challenged without success. The next turn was already lost.", player=challenge.challenger
            )
        )
    asked = "" if challenge.challenger is None else phrase("challenged by %(player)s", player=challenge.challenger)
    return RulingView(place, challenge.upheld, asked, headline, authority, tuple(outcome))


@dataclass(frozen=True)
class LiftView:
    """The tiles to lift, each a face with its square. `text` names them, `board` shows them where they lay.

    `seen` says that the newest photograph still shows them. `next_up` says who is next once they are off.
    """

    tiles: tuple[tuple[str, str], ...]
    text: str
    board: BoardView
    seen: bool
    next_up: str

    @property
    def headline(self) -> str:
        """What to do with the tiles, in a few words."""
        return phrase("Still on the board") if self.seen else phrase("Take off the board")


def view_lift(open_game: OpenGame) -> LiftView | None:
    """Return the tiles to lift now, or None.

    A game that is over needs none lifted: no play will go on top of them. Once another turn is entered, the page shows
    the tiles only if a photograph still does. Upscore watches for them in any case.
    """
    if open_game.game.ended is not None:
        return None
    tiles = open_game.to_lift
    seen = open_game.question is not None and open_game.question.lying is not None
    if tiles is None or not (seen or open_game.game.state.again is not None):
        return None
    try:
        board = view_board(open_game.game.board.with_play(tiles), lift=tiles.squares)
    except PositionError:
        board = view_board(open_game.game.board)
    return LiftView(
        tiles=tuple((tile.face, square_name(tile.square)) for tile in tiles.tiles),
        text=names_of(tiles),
        board=board,
        seen=seen,
        next_up=next_up(open_game.game),
    )
