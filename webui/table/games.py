"""Which entry of a game's log each turn on the sheet comes from, whatever was undone or put right since.

The board and points of every game, for the list of games.

Open games: loading, changing and saving them, and telling the pages that show them.

Games begun once, however often the form that begins them is sent: a double tap, or a page gone back to.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

from engine import Board, Game, HouseRules, UpscoreError, WordList, edition_named
from engine.analysis.solo_record import solo_terms, solo_total
from engine.formats.game_json import MAX_ENTRIES, game_from_dict, game_to_dict
from engine.game.events import Corrected, Entry, Event, Redone, Undone
from engine.game.log import apply_correction, undo_stacks
from vision import Belief
from webui.errors import NotThere, Outdated, WebError
from webui.ports import LexiconShelf
from webui.storage.database import GameRow, SoloRow, SoloTotal, summarize
from webui.storage.store import Store
from webui.table.announcer import Announcer
from webui.table.beliefs import belief_after, dump, sheet_belief, stored_belief
from webui.table.question import Pending, dump_pending, load_pending

START = -1
"""Stands for the board that a game started from, which no entry made."""

T = TypeVar("T")


def entries_standing(log: Sequence[Entry]) -> tuple[int, ...]:
    """For each event that stands, the number (from 0) of the log entry that first told of it.

    A corrected event keeps the entry that it had: a photograph taken then still shows that turn.
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
        kept = {now: was for was, now in enumerate(places)}
        entries = tuple(entries[kept[at]] if at in kept else number for at in range(len(events)))
    return entries


def by_place(game: Game, by_entry: Mapping[int, T]) -> dict[int, T]:
    """What belongs to the entries of a game's log, by the line of the sheet, from 1; 0 is the start."""
    entries = entries_standing(game.log)
    found = {0: by_entry[START]} if START in by_entry else {}
    for place, record in enumerate(game.turns, start=1):
        entry = entries[record.event]
        if record.kind != "lost" and entry in by_entry:
            found[place] = by_entry[entry]
    return found


@dataclass(frozen=True)
class Standing:
    """The edition of a game and each player's points, in one of its versions."""

    version: int
    edition: str
    totals: dict[str, int]


class Standings:
    """The standings of all games. Each version of a game is replayed once, and only its standing stays in memory."""

    def __init__(self) -> None:
        self._known: dict[int, Standing] = {}

    def of(
        self, rows: Iterable[GameRow], replay: Callable[[GameRow], Game]
    ) -> list[tuple[GameRow, Standing | None]]:
        """Return each game with its standing, None if `replay` raises WebError."""
        standings = [(row, self._standing(row, replay)) for row in rows]
        self._known = {row.id: standing for row, standing in standings if standing is not None}
        return standings

    def _standing(self, row: GameRow, replay: Callable[[GameRow], Game]) -> Standing | None:
        known = self._known.get(row.id)
        if known is not None and known.version == row.version:
            return known
        with suppress(WebError):  # Whoever opens a damaged game is told what is wrong.
            game = replay(row)
            return Standing(row.version, game.setup.edition.name, game.totals)
        return None


def total_of(game: Game) -> SoloTotal | None:
    """Return the total that a game adds to the solo record, None if it adds none."""
    total = solo_total(game)
    if total is None:
        return None
    return SoloTotal(solo_terms(game.setup.edition, game.setup.rules), game.players[0], total)


HELD = 32
"""Games kept replayed: more than are played at a time in one house; a game of 60 entries takes some 100 kB."""


@dataclass(frozen=True)
class OpenGame:
    """A stored game, replayed: its row, the game itself, the question that waits, and what is believed.

    `judged_by` names the word list that judges it: its own, or the usual one where that is not here. `note` is for the
    table: that it is not, and why what was believed before could not be used.
    """

    row: GameRow
    game: Game
    pending: Pending | None
    belief: Belief
    judged_by: str
    note: str | None = None

    def check_version(self, version: int | None) -> None:
        """Raise Outdated if this is not the version of the game that a person saw."""
        if version != self.row.version:
            raise Outdated("The game has moved on: look at it again, then repeat what is still wanted.")


class _Replayed:
    """The games opened last: each state of a game is replayed once, however many look at it at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[int, OpenGame] = OrderedDict()
        self._replaying: dict[int, threading.Lock] = {}

    def get(self, row: GameRow, replay: Callable[[GameRow], OpenGame]) -> OpenGame:
        """The game of a row, by `replay` unless it was replayed from this very row before."""
        with self._lock:
            mine = self._replaying.setdefault(row.id, threading.Lock())
        with mine:
            held = self._held.get(row.id)
            opened = held if held is not None and held.row == row else replay(row)
        self.hold(opened)
        return opened

    def held(self, row: GameRow) -> OpenGame | None:
        """The game of a row where it is held as this very row has it; that it was asked for does not keep it longer."""
        with self._lock:
            held = self._held.get(row.id)
        return held if held is not None and held.row == row else None

    def hold(self, opened: OpenGame) -> None:
        """Remember a game as its row says it is."""
        with self._lock:
            self._held[opened.row.id] = opened
            self._held.move_to_end(opened.row.id)
            while len(self._held) > HELD:
                self._replaying.pop(self._held.popitem(last=False)[0], None)


class Tables:
    """The games of a store. Every change is saved before it is announced, and saved whole or not at all."""

    def __init__(self, store: Store, lexicons: LexiconShelf, announcer: Announcer) -> None:
        self._store = store
        self._lexicons = lexicons
        self._announcer = announcer
        self._loaded: dict[str, WordList] = {}
        self._loading = threading.Lock()
        self._replayed = _Replayed()
        self._standings = Standings()

    def lexicon(self, name: str) -> WordList:
        """The word list of that name, loaded once; raises UpscoreError when there is none."""
        with self._loading:
            if name not in self._loaded:
                self._loaded[name] = self._lexicons.load(name)
            return self._loaded[name]

    def start(
        self,
        *,
        edition: str,
        players: tuple[str, ...],
        rules: HouseRules,
        lexicon: str,
        board: Board | None = None,
        scores: tuple[int, ...] | None = None,
        first: int = 0,
        demo: bool = False,
    ) -> OpenGame:
        """Begin and store a new game; raises UpscoreError for a set-up that can't be."""
        words = self.lexicon(lexicon)
        game = Game.start(
            *(edition_named(edition), players, rules), lexicon=words, board=board, scores=scores, first=first
        )
        row = self._store.add_game(
            title=" - ".join(players), summary=summarize(game), log=_dump(game), lexicon=lexicon, demo=demo
        )
        return OpenGame(row, game, None, sheet_belief(game), lexicon)

    def take_in(self, game: Game, *, title: str, lexicon: str) -> OpenGame:
        """Store a game that was kept elsewhere, as a new one; `lexicon` names the list that judges it here."""
        row = self._store.add_game(
            title=title, summary=summarize(game), log=_dump(game), lexicon=lexicon, demo=False
        )
        return self.change(OpenGame(row, game, None, sheet_belief(game), lexicon), lambda same: same)

    def rename(self, game_id: int, title: str) -> None:
        """Give a game another title; raises NotThere."""
        self._store.rename_game(game_id, title)
        self._announcer.announce(game_id)

    def open(self, game_id: int) -> OpenGame:
        """The game of that number as it stands; raises NotThere, or WebError when it cannot be replayed."""
        return self._replayed.get(self._store.game(game_id), self._replay)

    def _replay(self, row: GameRow) -> OpenGame:
        try:
            judged_by = self._list_for(row)
            game = game_from_dict(json.loads(row.log), self.lexicon(judged_by))
        except (UpscoreError, ValueError) as error:
            raise WebError(f"This game cannot be opened: {error}") from None
        return _opened(row, game, judged_by)

    def _list_for(self, row: GameRow) -> str:
        """The name of the list that judges a stored game: the usual one where its own, a table's file, is not here."""
        try:
            self.lexicon(row.lexicon)
        except UpscoreError:
            return self._lexicons.names()[0]
        return row.lexicon

    def version(self, game_id: int) -> int:
        """How often the game of that number has been changed; raises NotThere when there is none."""
        return self._store.version(game_id)

    def change(
        self,
        opened: OpenGame,
        act: Callable[[Game], Game],
        *,
        version: int | None = None,
        pending: Pending | None = None,
        photo: str | None = None,
        taken: str | None = None,
        belief: Belief | None = None,
        shown: bool = False,
    ) -> OpenGame:
        """Save what `act` makes of an open game; nothing is saved when it raises.

        `version` is the one that the person saw who asks for the change: Outdated is raised when it is not
        the one opened, and always when the game was changed meanwhile. `pending` is what waits for an answer
        afterwards; `photo` is the key of the photograph that shows the entry made, `taken` of the one that is taken by
        this change. `belief` is what a look made of what is believed; without it the table has decided, and `shown`
        says that the newest look shows what it decided.
        """
        if version is not None:
            opened.check_version(version)
        game = act(opened.game)
        if len(game.log) > MAX_ENTRIES and len(game.log) > len(opened.game.log):
            raise WebError(
                f"This game has {MAX_ENTRIES} entries, as many as one can have: begin a new game from its board."
            )
        believed = belief_after(opened.belief, opened.game, game, belief, shown=shown)
        row = self._store.save_game(
            opened.row.id,
            version=opened.row.version,
            summary=summarize(game),
            log=_dump(game),
            pending=None if pending is None else dump_pending(pending),
            finished=game.ended is not None,
            belief=dump(believed),
            shown_by=None if photo is None else (photo, len(game.log) - 1),
            taken=taken,
            solo=None if opened.row.demo else total_of(game),
            anew=len(game.log) < len(opened.game.log),
        )
        self._replayed.hold(_opened(row, game, opened.judged_by))
        self._announcer.announce(row.id)
        return OpenGame(row, game, pending, believed, opened.judged_by)

    def change_board(self, opened: OpenGame, edition: str, version: int) -> OpenGame:
        """Save an open game, in which nothing is entered, on the board of another edition; raises as `change` does.

        A question that waits was about the other board: it is dropped.
        """
        game = opened.game.on_board_of(edition_named(edition))
        return self.change(opened, lambda _: game, version=version, belief=sheet_belief(game))

    def recall_solo_totals(self) -> None:
        """Take up into the record of solo totals what was played before there was one."""
        for row in self._store.unrecorded_solo_games():
            with contextlib.suppress(WebError):  # a game that can't be opened says so when somebody opens it
                solo = total_of(self.open(row.id).game)
                if solo is not None:
                    found = SoloRow(solo.terms, solo.player, solo.total, row.id, row.updated_at)
                    self._store.add_solo_total(found)

    def newest(self) -> GameRow | None:
        """The unfinished game that was touched last; a demo, only where people have no game of their own."""
        rows = self._store.games()
        own = [row for row in rows if not row.demo]
        return next((row for row in own or rows if not row.finished), None)

    def standings(self) -> list[tuple[GameRow, Standing | None]]:
        """All games and how each stands, None for one that cannot be opened; the newest first.

        None is opened for it: a list of many games pushes out none that is being played.
        """
        rows = sorted(self._store.games(), key=lambda row: row.created_at, reverse=True)
        return self._standings.of(rows, lambda row: (self._replayed.held(row) or self._replay(row)).game)

    def rows(self) -> tuple[GameRow, ...]:
        """All games, the one touched last first."""
        return self._store.games()


def _opened(row: GameRow, game: Game, judged_by: str) -> OpenGame:
    """A game that is what the log of its row replays to, with all else that is stored of it."""
    belief, note = stored_belief(row, game)
    if judged_by != row.lexicon:
        missing = (
            f"The word list {Path(row.lexicon).name} of this game is not here: {Path(judged_by).name} judges its words "
            "until the file is back where it was and Upscore is started again."
        )
        note = missing if note is None else f"{missing} {note}"
    return OpenGame(row, game, load_pending(row.pending), belief, judged_by, note)


def _dump(game: Game) -> str:
    return json.dumps(game_to_dict(game), separators=(",", ":"))


_REMEMBERED = 200


class Once:
    """What each form, or photograph, has begun, as long as the server runs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._begun: OrderedDict[str, int] = OrderedDict()

    def game(self, sent: str | None, begin: Callable[[], int]) -> int:
        """The number of the game that `sent` began, by `begin` where it began none that is there still.

        One that comes while another begins a game waits for it. None is sent by what cannot be told apart.
        """
        with self._lock:
            known = None if sent is None else self._begun.get(sent)
            if known is not None and self._is_there(known):
                return known
            game_id = begin()
            if sent is not None:
                self._begun[sent] = game_id
                while len(self._begun) > _REMEMBERED:
                    self._begun.popitem(last=False)
            return game_id

    def _is_there(self, game_id: int) -> bool:
        try:
            self._store.game(game_id)
        except NotThere:
            return False
        return True
