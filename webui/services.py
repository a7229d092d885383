"""The services that the pages work with, made once for an application."""

from __future__ import annotations

import logging
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from flask import current_app
from werkzeug.local import LocalProxy

from engine import EDITIONS, Edition, HouseRules
from engine.analysis.solo_record import solo_terms
from engine.wording import decimal_text, join_texts, phrase
from webui.access.gate import Gate, principal
from webui.access.sessions import Session
from webui.decoder import shared_decoder
from webui.errors import StoreError, showable
from webui.live.background import RepeatedChore
from webui.live.camera import BaseCamera, parse_sources
from webui.live.cameras import CameraChoices, Cameras
from webui.live.demo import DemoPlayer, DemoStatus
from webui.live.hands_free import HandsFree
from webui.live.turn_clock import TurnClocks
from webui.ports import AppConfig
from webui.storage.backups import Backups, missing_games_notice, other_stores_notice, warn_of_synced_folder
from webui.storage.data_folder import DataFolder
from webui.storage.database import PhotoRow, SoloRow
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.rescue import find_last_loss, rescue, set_log_aside
from webui.storage.store import FILE_NAME, Store
from webui.table.announcer import HOUSE, Announcer
from webui.table.games import Games, OneTimeForms, OpenGame, by_place
from webui.table.intake import Intake
from webui.table.learned_set import LearnedTileSets
from webui.views.game import GameView, view_game
from webui.views.games import compare_with_record
from webui.views.new_game import own_sets

KEY = "upscore"
MUCH_ROOM_BYTES = 2_000_000_000
"""Room, of about two hundred games, above which the page offers to delete old photos. [by eye]"""
_HOUSEKEEPING_S = 1800.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class PhoneEntry:
    """An entry that a player made on a phone of their own. `entries` is the length of the game's log with it."""

    entries: int
    session_id: str
    text: str


class Services:
    """The services of a running application: the opened store, the running cameras, and everything that uses them.

    `demo` may be None. `notice` tells people about trouble at the start, such as a damaged store that was rescued.

    :raises UpscoreError: on construction, if the data folder or a camera can't be used.
    """

    def __init__(self, config: AppConfig) -> None:
        self.config = config
        self.phone_entries: dict[int, PhoneEntry] = {}
        self.folder = DataFolder(config.data_dir)
        try:
            self._open_store()
            self._start()
        except BaseException:
            self.folder.close()
            raise

    def _open_store(self) -> None:
        """Rescue the store if it is damaged, open it, and note what people should know about it."""
        data_dir, new_id = self.config.data_dir, self.config.new_game_id
        path = data_dir / FILE_NAME
        self._backups = Backups(data_dir)
        log = set_log_aside(path)
        rescued = rescue(path, self._backups.all())
        others = other_stores_notice(data_dir)
        self.store = Store(data_dir, new_id=new_id, before_migration=self._backups.make_before_migration)
        has_games = any(not row.demo for row in self.store.games())
        empty = None if has_games else missing_games_notice(data_dir, self._backups.all(), log)
        if has_games and log is not None:
            with suppress(OSError):
                log.unlink()
                log.parent.rmdir()  # fails if other files were set aside there, which stay
        look_only = self.store.look_only and join_texts(
            (self.store.look_only, phrase("You can look at games, but not change them."))
        )
        lines = (rescued and rescued.text, look_only, empty, others)
        notices = [showable(line) for line in lines if line]
        for line in (*notices, warn_of_synced_folder(data_dir)):
            if line:
                _LOG.warning("%s", line)
        self.notice = join_texts(notices) or None

    def _start(self) -> None:
        config, store = self.config, self.store
        self.shelf = PhotoShelf(config.data_dir)
        began = [datetime.fromisoformat(row.created_at) for row in store.games()]
        if began and not self.folder.adopted:  # a store without games knows no picture
            since = max(find_last_loss(config.data_dir), min(began).timestamp())
            self.shelf.sweep(store.photo_keys(), since=since)
        self.decoder = shared_decoder()
        self.announcer = Announcer(first=int(time.time()))
        self.games = Games(store, config.lexicons, self.announcer)
        with suppress(StoreError):  # the next start tries again
            self.games.recall_solo_totals()
        self.learned_sets = LearnedTileSets(store, self.shelf, self.games, config.reader)
        self.intake = Intake(self.games, store, self.shelf, config.reader, self.learned_sets.lessons)
        self.learning = RepeatedChore(self.learned_sets.keep_learning, name="learning")
        self.demo: DemoPlayer | None = None
        if config.tour is not None:
            self.demo = DemoPlayer(config, config.tour, self.games, self.intake, self.announcer, store, self.shelf)
            self.demo.remove_games()  # games of a demo that was killed
        self._choices = CameraChoices(config.data_dir)
        sources = parse_sources(config.cameras)
        self.cameras = Cameras(sources, self._choices, self.games, self._watcher, self.announcer.announce_all)
        self.housekeeping = RepeatedChore(self._keep_house)
        self.cameras.start()
        self.housekeeping.start()
        self.learning.start()
        self.gate = Gate(config.data_dir, behind_proxy=config.behind_proxy)
        self.one_time_forms, self.clocks = OneTimeForms(store), TurnClocks()

    def _watcher(self, label: str, camera: BaseCamera) -> HandsFree:
        return HandsFree(
            camera,
            self.games,
            self.intake,
            self.config.reader,
            self.announcer,
            corners=lambda size: self._choices.corners(label, size),
            moved=lambda size: self._choices.give(label, size, None),
        )

    def _keep_house(self) -> float:
        """Do the regular chores, and return the seconds until the next time."""
        self.cameras.leave_phones()
        if not self.folder.adopted:
            self.shelf.empty_bin(self.store.photo_keys())  # before the backup, which may need the space
        self._backups.make_if_due()
        return _HOUSEKEEPING_S

    def add_begun_game(self, game_id: int) -> None:
        """Let the device that began this game keep its score, if it scores only single games."""
        session = principal().session
        if session is not None:
            self.gate.sessions.add_game(session.id, game_id)
            self.announcer.announce(HOUSE)

    def note_phone_entry(self, changed: OpenGame, player: str, did: Literal["passed", "challenged"]) -> None:
        """Remember who made the newest entry of a game on a phone of their own, and tell the pages."""
        session = principal().session
        if session is not None and player:
            if did == "passed":
                text = phrase("%(player)s passed on “%(device)s”.", player=player, device=session.name)
            else:
                text = phrase("%(player)s challenged on “%(device)s”.", player=player, device=session.name)
            self.phone_entries[changed.row.id] = PhoneEntry(len(changed.game.log), session.id, text)
            self.announcer.announce(changed.row.id)

    def phone_entry(self, open_game: OpenGame) -> PhoneEntry | None:
        """Return the newest entry of a game if a player made it on a phone of their own, else None."""
        entry = self.phone_entries.get(open_game.row.id)
        return entry if entry is not None and entry.entries == len(open_game.game.log) else None

    def seats(self, open_game: OpenGame) -> tuple[Session, ...]:
        """Return the devices that have a seat in a game, or ask for one."""
        players = frozenset(open_game.game.players)
        seated = ((each, each.seat) for each in self.gate.sessions.all())
        return tuple(each for each, seat in seated if seat and seat.players == players and seat.state != "refused")

    def view(self, open_game: OpenGame) -> GameView:
        """Return the page of an open game."""
        photos = self.photos(open_game)
        setup = open_game.game.setup
        totals = self.solo_totals(setup.edition, setup.rules) if open_game.game.ended else ()
        record = compare_with_record(open_game.row.id, totals)
        camera = self.cameras.view(open_game.row.id)
        known = "" if open_game.row.demo else self.learned_sets.describe(setup.edition.name)
        fresh = open_game.game.nothing_entered and not open_game.row.demo
        boards = (*EDITIONS.values(), *own_sets(self.store.games())) if fresh else ()
        kinds = self.shelf.kinds
        view = view_game(open_game, photos, kinds=kinds, camera=camera, record=record, boards=boards, known=known)
        turn = f"{open_game.game.state.number}-{len(view.sheet.rounds)}-{view.last.place if view.last else 0}"
        return replace(view, clock=None if view.ended else self.clocks.of(view.id, turn))

    def solo_totals(self, edition: Edition, rules: HouseRules) -> tuple[SoloRow, ...]:
        """Return the totals of the finished solo games with this edition and these rules."""
        return self.store.solo_totals(solo_terms(edition, rules))

    def photos(self, open_game: OpenGame) -> dict[int, PhotoRow]:
        """Return the photographs of a game's turns, by their line on the sheet, from 1; 0 is the start."""
        return by_place(open_game.game, self.list_kept_photos(open_game.row.id))

    def list_kept_photos(self, game_id: int) -> dict[int, PhotoRow]:
        """Return the photographs of a game whose pictures still exist, by the log entry that they show."""
        return {at: row for at, row in self.store.photos(game_id).items() if self.shelf.has(row.key)}

    def demo_status(self, game_id: int) -> DemoStatus | None:
        """Return the progress of the demo if it plays this game, else None."""
        status = self.demo.status if self.demo else None
        return status if status is not None and status.game_id == game_id else None

    def room(self) -> str:
        """Say how much space the games take on the disk, and how much is free."""
        used = self.shelf.count_bytes()
        free = None
        with suppress(OSError):
            used += self.store.path.stat().st_size
            free = shutil.disk_usage(self.config.data_dir).free
        taken = phrase("All games and their pictures take %(size)s.", size=size_text(used))
        if free is not None:
            taken = phrase(
                "All games and their pictures take %(size)s; %(free)s of the disk is free.",
                size=size_text(used),
                free=size_text(free),
            )
        much = phrase("That is a lot. You can delete old photos.") if used > MUCH_ROOM_BYTES else ""
        return join_texts((taken, much))

    def close(self) -> None:
        """Stop every thread and end every stream."""
        for part in (self.announcer, self.learned_sets, self.learning, self.housekeeping, self.demo, self.cameras):
            if part is not None:
                part.close()
        for kept in (self.gate, self.store, self.folder):
            kept.close()


def size_text(count: int) -> str:
    """Return a number of bytes in MB or GB."""
    size = decimal_text(count / 1e9 if count >= 1e9 else count / 1e6)
    return phrase("%(size)s GB", size=size) if count >= 1e9 else phrase("%(size)s MB", size=size)


app: Services = LocalProxy(lambda: current_app.extensions[KEY])  # type: ignore[assignment]
"""The services of the application that answers the present request."""
