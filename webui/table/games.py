"""Games of the page: open, change and save them, list them, and tell the pages that show them.

A form that is sent twice begins one game. The belief is kept with its game. The functions at the end bring it in line
with the scoresheet after every change.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from engine import (
    ENGLISH,
    Alphabet,
    Board,
    Edition,
    Game,
    HouseRules,
    Play,
    Revision,
    Square,
    UpscoreError,
    WordList,
    find_edition,
    square_name,
)
from engine.analysis.solo_record import solo_terms, solo_total
from engine.formats.game_json import MAX_ENTRIES, game_to_dict, log_from_dict
from engine.game.events import BoardTaken, Corrected, Entry, Event, Exchanged, Passed, Played, Redone, Undone
from engine.game.log import apply_correction, undo_stacks
from engine.json_reading import load_own_json
from engine.wording import join_names, join_texts, phrase
from vision import Belief, certain
from vision.errors import BeliefError
from vision.turn.belief import anew, dump_belief, load_belief
from vision.turn.prior import shows_round
from vision.turn.reasons import Reason
from vision.turn.steps import decide
from vision.turn.withdrawn import on_squares
from webui.errors import NotThere, Outdated, WebError
from webui.ports import LexiconShelf, file_name
from webui.storage.database import GameRow, SoloRow, SoloTotal, Summary, dump_summary, summarize
from webui.storage.store import Store
from webui.table.announcer import Announcer
from webui.table.question import Question, dump_question, load_question

START = -1
"""The entry number of the board that a game started from, which no entry made."""

T = TypeVar("T")


def entries_standing(log: Sequence[Entry]) -> tuple[int, ...]:
    """Return for each event that stands the number (from 0) of the log entry that first entered it.

    A corrected event keeps its first entry, since the photograph taken then still shows that turn.
    """
    entries: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    for number in undo_stacks(log)[0]:
        entry = log[number]
        if not isinstance(entry, Corrected):
            assert not isinstance(entry, (Undone, Redone))
            events, entries = (*events, entry), (*entries, number)
            continue
        events, places = apply_correction(events, entry)
        old_places = {new: old for old, new in enumerate(places)}
        entries = tuple(entries[old_places[at]] if at in old_places else number for at in range(len(events)))
    return entries


def by_place(game: Game, by_entry: Mapping[int, T]) -> dict[int, T]:
    """Turn values by log entry into values by line of the sheet: from 1, with 0 for the start."""
    entries = entries_standing(game.log)
    by_line = {0: by_entry[START]} if START in by_entry else {}
    for place, record in enumerate(game.turns, start=1):
        entry = entries[record.event]
        if record.kind != "lost" and entry in by_entry:
            by_line[place] = by_entry[entry]
    return by_line


def entry_of(game: Game, line: int) -> int | None:
    """Return the number of the log entry that made a line of the sheet (0: `START`), None for a lost turn."""
    if line == 0:
        return START
    record = game.turns[line - 1]
    return None if record.kind == "lost" else entries_standing(game.log)[record.event]


@dataclass(frozen=True)
class Standing(Summary):
    """The summary of a game in one of its versions, with the best words, each with its points and its player.

    `best_turn` is the best turn in the same way, or None if no word was played.
    """

    version: int
    words: tuple[tuple[str, int, str], ...]
    best_turn: tuple[str, int, str] | None


MAX_BEST_WORDS = 5
"""The most words that a list of best words has. [by eye]"""


def best_words(game: Game) -> tuple[tuple[str, int, str], ...]:
    """Return all words that were played and not taken back, each with its points and its player, the best first."""
    verdicts = ((turn.player, turn.verdict) for turn in game.turns if turn.verdict is not None and not turn.taken_back)
    words = [(word.word, word.points, player) for player, verdict in verdicts for word in verdict.words]
    return tuple(sorted(words, key=lambda word: -word[1]))


def best_turn(game: Game) -> tuple[str, int, str] | None:
    """Return the words of the best turn that was not taken back, its points and its player, None if there is none."""
    plays = [(turn, turn.verdict) for turn in game.turns if turn.verdict is not None and not turn.taken_back]
    turns = [(join_names([word.word for word in verdict.words]), turn.points, turn.player) for turn, verdict in plays]
    return max(turns, key=lambda turn: turn[1], default=None)


def total_of(game: Game) -> SoloTotal | None:
    """Return the total that a game adds to the solo record, None if it adds none."""
    total = solo_total(game)
    if total is None:
        return None
    return SoloTotal(solo_terms(game.setup.edition, game.setup.rules), game.players[0], total)


MAX_REPLAYED_GAMES = 32
"""Games kept replayed: more than one house plays at a time. A game of 60 entries takes about 100 kB. [by eye]"""


@dataclass(frozen=True)
class OpenGame:
    """A stored game, replayed: its row, the game itself, the waiting question, and the belief.

    `judged_by` names the word list that judges it: its own, or the usual one if its own is missing. `note` is a message
    for the table: a list is missing, or the stored belief couldn't be used.
    """

    row: GameRow
    game: Game
    question: Question | None
    belief: Belief
    judged_by: str
    note: str | None = None

    def check_under_way(self) -> None:
        """Raise WebError if the game is over."""
        if self.game.ended is not None:
            raise WebError(phrase("The game has ended. Undo the end to go on."))

    @property
    def every_round(self) -> bool:
        """True if the table photographs once a round. More players than a picture can show count as after every turn.

        Earlier versions let four players choose it.
        """
        return self.row.every_round and shows_round(len(self.game.players))

    @property
    def plays_expected(self) -> int:
        """How many plays are expected between two photographs: 1, or one for each player."""
        return len(self.game.players) if self.every_round else 1

    @property
    def to_lift(self) -> Play | None:
        """The tiles to lift off the board: those of plays taken back or challenged off, or None.

        The tiles of an undone play may lie there correctly: an undo only says that the entry was wrong.
        """
        lying = None if self.question is None else self.question.lying
        return self.find_taken_off(lying or self.belief.to_lift)

    def find_taken_off(self, tiles: Play | None) -> Play | None:
        """Return those of some tiles that were taken back or challenged off, or None.

        Tiles of an undone play are not among them, even if they came off long before, since that play may have put them
        there again.
        """
        off = {tile for turn in self.game.turns if turn.taken_back and turn.play for tile in turn.play.tiles}
        for number in undo_stacks(self.game.log)[1]:
            undone = self.game.log[number]
            off -= {*undone.play.tiles} if isinstance(undone, Played) else set()
        lifted = () if tiles is None else tuple(tile for tile in tiles.tiles if tile in off)
        return Play(lifted) if lifted else None

    @property
    def open_stacks(self) -> tuple[Square, ...]:
        """The stacks whose heights the table may say: the likeliest answer counts them, and they aren't known."""
        question = self.question
        best = question.outcomes[0].revision if question is not None and question.outcomes else Revision(())
        play = best.events[0] if len(best.events) == 1 and not best.replaces else None
        if question is None or question.kind != "play" or play is None:
            return ()
        doubt, of_height = question.reason, (Reason.COUNTED_HEIGHT, Reason.HIGHER_NEIGHBOUR)
        asked = doubt.details[:1] if doubt is not None and doubt.reason in of_height else ()
        counted = {square for word in self.game.judge(play).words for square in word.squares}
        return tuple(sorted(s for s in counted if s in self.belief.assumed or square_name(s) in asked))

    @property
    def asked(self) -> Question | None:
        """The question as the page asks it. If only tiles of an undone play lie there, it asks what was played."""
        question = self.question
        if question is None or question.lying is None or self.to_lift is not None:
            return question
        return replace(question, kind="play", lying=None, reason=None)

    def check_version(self, version: int | None) -> None:
        """Raise Outdated if `version`, which a person saw, is not this one."""
        if version != self.row.version:
            raise Outdated


class _Replayed:
    """The games opened last.

    Each state of a game is replayed only once, even if many requests ask for it at the same time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[int, OpenGame] = OrderedDict()
        self._replaying: dict[int, threading.Lock] = {}

    def get(self, row: GameRow, replay: Callable[[GameRow], OpenGame]) -> OpenGame:
        """Return the game of a row. Call `replay` unless the held game is from this very row."""
        with self._lock:
            mine = self._replaying.setdefault(row.id, threading.Lock())
        with mine:
            with self._lock:
                held = self._held.get(row.id)
                if held is not None and held.row == row:
                    self._held.move_to_end(row.id)
                    return held
            open_game = replay(row)
            self.hold(open_game)
            return open_game

    def find(self, row: GameRow) -> OpenGame | None:
        """Return the held game if it is from this exact row, or None. Asking does not keep the game longer."""
        with self._lock:
            held = self._held.get(row.id)
        return held if held is not None and held.row == row else None

    def hold(self, open_game: OpenGame) -> None:
        """Hold a game, and drop the one used longest ago if there are too many."""
        with self._lock:
            self._held[open_game.row.id] = open_game
            self._held.move_to_end(open_game.row.id)
            while len(self._held) > MAX_REPLAYED_GAMES:
                self._replaying.pop(self._held.popitem(last=False)[0], None)


class Games:
    """The games of a store. Every change is saved before it is announced, and saved whole or not at all."""

    def __init__(self, store: Store, lexicons: LexiconShelf, announcer: Announcer) -> None:
        self._store, self._lexicons, self._announcer = store, lexicons, announcer
        self._loaded: dict[tuple[str, Alphabet], WordList] = {}
        self._loading = threading.Lock()
        self._replayed = _Replayed()
        self._standings: dict[int, Standing] = {}

    def lexicon(self, name: str, alphabet: Alphabet = ENGLISH) -> WordList:
        """Return the word list of that name as tiles spell it, loaded once; raises UpscoreError if there is none."""
        with self._loading:
            if (name, alphabet) not in self._loaded:
                self._loaded[name, alphabet] = self._lexicons.load(name, alphabet)
            return self._loaded[name, alphabet]

    def start(
        self,
        *,
        edition: Edition | str,
        players: tuple[str, ...],
        rules: HouseRules,
        lexicon: str,
        board: Board | None = None,
        assumed: frozenset[Square] = frozenset(),
        scores: tuple[int, ...] | None = None,
        first: int = 0,
        demo: bool = False,
        every_round: bool = False,
    ) -> OpenGame:
        """Begin and store a new game on an edition or one's name; raises UpscoreError for an impossible set-up.

        The heights of the stacks on `assumed` squares of its board are in doubt.
        """
        board_of = find_edition(edition) if isinstance(edition, str) else edition
        words = self.lexicon(lexicon, board_of.alphabet)
        game = Game.start(board_of, players, rules, lexicon=words, board=board, scores=scores, first=first)
        open_game = self._add(game, " - ".join(players), lexicon, demo=demo, every_round=every_round)
        if assumed:
            open_game = self.change(open_game, lambda same: same, belief=replace(open_game.belief, assumed=assumed))
        self._announcer.announce_all()
        return open_game

    def take_in(self, game: Game, *, title: str, lexicon: str, every_round: bool) -> OpenGame:
        """Store a game from elsewhere as a new one. `lexicon` names the word list that judges it here."""
        taken_in = self._add(game, title, lexicon, demo=False, every_round=every_round)
        return self.change(taken_in, lambda same: same)

    def _add(self, game: Game, title: str, lexicon: str, *, demo: bool, every_round: bool) -> OpenGame:
        summary, log = dump_summary(summarize(game)), _text(game_to_dict(game))
        row = self._store.add_game(
            title=title, summary=summary, log=log, lexicon=lexicon, demo=demo, every_round=every_round
        )
        return OpenGame(row, game, None, sheet_belief(game), lexicon)

    def rename(self, game_id: int, title: str) -> None:
        """Give a game another title; raises NotThere."""
        self._store.set(game_id, "title", title)
        self._announcer.announce(game_id)

    def open(self, game_id: int) -> OpenGame:
        """Return the game of that number as it stands; raises NotThere, or WebError if it can't be replayed."""
        return self._replayed.get(self._store.game(game_id), self._replay)

    def _replay(self, row: GameRow) -> OpenGame:
        try:
            judged_by = self._list_for(row)
            setup, log = log_from_dict(load_own_json(row.log))
            game = Game.from_log(setup, log, self.lexicon(judged_by, setup.edition.alphabet))
        except (UpscoreError, ValueError) as error:
            raise WebError(phrase("This game cannot be opened: %(error)s", error=error)) from None
        return _open_game(row, game, judged_by)

    def _list_for(self, row: GameRow) -> str:
        """Return the name of the list that judges a stored game: its own, or the usual one if that file is missing."""
        try:
            self.lexicon(row.lexicon)
        except UpscoreError:
            return self._lexicons.names()[0]
        return row.lexicon

    def version(self, game_id: int) -> int:
        """Return how often the game of that number was saved; raises NotThere."""
        return self._store.version(game_id)

    def change(
        self,
        open_game: OpenGame,
        act: Callable[[Game], Game],
        *,
        version: int | None = None,
        question: Question | None = None,
        photo: str | None = None,
        taken: str | None = None,
        belief: Belief | None = None,
        shown: bool = False,
    ) -> OpenGame:
        """Apply `act` to an open game, and save and return the result. If `act` raises, nothing is saved.

        `version` is the version that the person who asks for the change saw. `question` waits for an answer afterwards.
        The photograph `photo` shows the new entry, and the handling of `taken` ends. `belief` is the belief after a
        look, None if the table has decided; `shown` says that the newest look shows this decision. Raises Outdated if
        `version` is not the opened one, or if the game was changed meanwhile, and WebError if the game would get too
        many entries.
        """
        if version is not None:
            open_game.check_version(version)
        game = act(open_game.game)
        if len(game.log) > MAX_ENTRIES and len(game.log) > len(open_game.game.log):
            raise WebError(
                phrase(
                    "This game has %(most)s entries, as many as one can have: begin a new game from its board.",
                    most=MAX_ENTRIES,
                )
            )
        believed = belief_after(open_game.belief, open_game.game, game, belief, shown=shown)
        changed = replace(
            open_game.row,
            summary=dump_summary(summarize(game)),
            log=_text(game_to_dict(game)),
            pending=None if question is None else dump_question(question),
            finished=game.ended is not None,
            belief=_text(dump_belief(believed)),
        )
        row = self._store.save_game(
            changed,
            shown_by=None if photo is None else (photo, len(game.log) - 1),
            taken=taken,
            solo=None if open_game.row.demo else total_of(game),
            anew=len(game.log) < len(open_game.game.log),
        )
        self._replayed.hold(_open_game(row, game, open_game.judged_by))
        self._announcer.announce(row.id)
        return OpenGame(row, game, question, believed, open_game.judged_by)

    def hold_belief(self, open_game: OpenGame, belief: Belief) -> OpenGame:
        """Return the game with this belief. It is held until the game changes, and isn't saved.

        The version stays, so that a page can still answer the question that it shows.
        """
        held = replace(open_game, belief=belief)
        self._replayed.hold(held)
        return held

    def change_board(self, open_game: OpenGame, edition: Edition, version: int) -> OpenGame:
        """Move an open game without entries to the board of another edition; raises Outdated like `change`.

        A waiting question is dropped, since it is about the other board.
        """
        game = open_game.game.on_board_of(edition)
        return self.change(open_game, lambda _: game, version=version, belief=sheet_belief(game))

    def recall_solo_totals(self) -> None:
        """Add the solo games that were played before there was a record of totals."""
        for row in self._store.list_unrecorded_solo_games():
            with suppress(WebError):  # a game that can't be opened says so when somebody opens it
                solo = total_of(self.open(row.id).game)
                if solo is not None:
                    total = SoloRow(solo.terms, solo.player, solo.total, row.id, row.updated_at)
                    self._store.add_solo_total(total)

    def newest(self) -> GameRow | None:
        """Return the unfinished game that was touched last, or None. The tour counts only if there is no other game."""
        rows = self._store.games()
        own = [row for row in rows if not row.demo]
        return next((row for row in own or rows if row.demo or not row.finished), None)

    def standings(self) -> list[tuple[GameRow, Standing | None]]:
        """Return all games with their standings, newest first."""
        rows = sorted(self._store.games(), key=lambda row: row.created_at, reverse=True)
        standings = [(row, self.standing(row)) for row in rows]
        self._standings = {row.id: standing for row, standing in standings if standing is not None}
        return standings

    def standing(self, row: GameRow) -> Standing | None:
        """Return the standing of a stored game, None if it cannot be replayed: opening it says why.

        Each version of a game is replayed once for this, and only its standing stays in memory. So a long list doesn't
        push out games that are being played.
        """
        known = self._standings.get(row.id)
        if known is not None and known.version == row.version:
            return known
        try:
            game = (self._replayed.find(row) or self._replay(row)).game
        except WebError:
            return None
        words = best_words(game)[:MAX_BEST_WORDS]
        standing = Standing(**vars(summarize(game)), version=row.version, words=words, best_turn=best_turn(game))
        self._standings[row.id] = standing
        return standing


def _open_game(row: GameRow, game: Game, judged_by: str) -> OpenGame:
    """Return a replayed game together with the rest of its row."""
    missing = None
    if judged_by != row.lexicon:
        missing = phrase(
            "The word list %(list)s of this game is not here, so %(other)s judges its words until "
            "you put the file back and start Upscore again.",
            list=file_name(row.lexicon),
            other=file_name(judged_by),
        )
    belief, forgotten = restore_belief(row, game)
    question, damaged = restore_question(row, game.setup.edition.alphabet)
    note = join_texts(filter(None, (missing, forgotten, damaged)))
    return OpenGame(row, game, question, belief, judged_by, note or None)


def _text(data: object) -> str:
    """Return JSON data as the text that is stored."""
    return json.dumps(data, separators=(",", ":"))


_MAX_FORMS = 200
"""Forms remembered; the oldest are forgotten first. [by eye]"""


class OneTimeForms:
    """The games that forms and photographs have begun, remembered while the server runs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._begun: OrderedDict[str, int] = OrderedDict()

    def game(self, sent: str | None, begin: Callable[[], int]) -> int:
        """Return the number of the game that the form `sent` began. Call `begin` if there is none, or it is gone.

        Without `sent`, for a form that has no key of its own, a game is begun in any case. Calls wait for one another.
        """
        with self._lock:
            known = None if sent is None else self._begun.get(sent)
            with suppress(NotThere):
                if known is not None:
                    return self._store.game(known).id
            game_id = begin()
            if sent is not None:
                self._begun[sent] = game_id
                while len(self._begun) > _MAX_FORMS:
                    self._begun.popitem(last=False)
            return game_id


_LOG = logging.getLogger(__name__)


def sheet_belief(game: Game) -> Belief:
    """Return the belief that the board lies as on the scoresheet, and nothing more."""
    return certain(game.board, play_to_take_back(game))


def restore_belief(row: GameRow, game: Game) -> tuple[Belief, str | None]:
    """Return the belief stored with a game. If it can't be used, return the scoresheet's, and why."""
    if row.belief is None:
        return sheet_belief(game), None
    try:
        data = load_own_json(row.belief)
    except ValueError:  # it was cut off
        data = None
    try:
        belief = load_belief(data)
    except BeliefError as error:
        _LOG.warning("Game %d: %s", row.id, error)
        return sheet_belief(game), str(error)
    return (belief if belief.sheet_board == game.board else sheet_belief(game)), None


def restore_question(row: GameRow, alphabet: Alphabet) -> tuple[Question | None, str | None]:
    """Return the question stored with a game. If it can't be read, return none, and say so."""
    try:
        return load_question(row.pending, alphabet), None
    except WebError as error:
        _LOG.warning("Game %d: %s", row.id, error)
        return None, str(error)


def belief_after(before: Belief, was: Game, now: Game, looked: Belief | None, *, shown: bool) -> Belief:
    """Return the belief after a change of a game, by a look or by a decision of the table."""
    if looked is not None and looked.sheet_board == now.board:
        return looked
    if was.board == now.board and not shown:
        return _count_passes(before, was, now)
    last = play_to_take_back(now)
    after = decide(before, now.board, last, shown=shown)
    if not _is_corrected(was, now):
        return after
    lift = None if after.to_lift is None else on_squares(after.to_lift, before.to_lift)
    typed = after.typed if last == play_to_take_back(was) else last
    return replace(after, to_lift=lift, typed=typed)


def _is_corrected(was: Game, now: Game) -> bool:
    """Return whether a game was corrected or its board taken as it lies, or either was undone or redone.

    Such a change says what was played. It takes nothing off the board, so it leaves no new tiles to lift.
    """
    last = now.log[-1] if now.log else None
    if isinstance(last, Undone):
        last = was.log[undo_stacks(was.log)[0][-1]]
    elif isinstance(last, Redone):
        last = now.log[undo_stacks(now.log)[0][-1]]
    return isinstance(last, Corrected | BoardTaken)


def confirm_belief(belief: Belief, game: Game) -> Belief:
    """Return the belief after the table said that the board lies as the scoresheet has it."""
    return anew(belief, game.board, play_to_take_back(game))


def _count_passes(belief: Belief, was: Game, now: Game) -> Belief:
    """Return the belief after a change that leaves the board as it was.

    A pass may be entered after a play that no look showed. Without this, that play would count as the next player's.
    """
    more = len(now.events) - len(was.events)
    longer, shorter = (now.events, was.events) if more > 0 else (was.events, now.events)
    newest = longer[len(shorter) :]
    passed = bool(newest) and all(isinstance(event, Passed | Exchanged) for event in newest)
    if not belief.in_doubt or not passed or longer[: len(shorter)] != shorter or isinstance(now.log[-1], Corrected):
        return belief
    return replace(belief, gap=replace(belief.gap, passed=max(belief.gap.passed + more, 0)))


def play_to_take_back(game: Game) -> Play | None:
    """Return the last word played if it can still be taken off the board, or None."""
    return None if game.open_play is None else game.open_play.play
