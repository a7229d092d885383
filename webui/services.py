"""The services that the pages work with, made once for an application."""

from __future__ import annotations

import logging
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from flask import current_app

from engine import EDITIONS, Edition, HouseRules
from engine.analysis.solo_record import solo_terms
from webui.access.gate import Gate, principal
from webui.access.sessions import Session
from webui.decoder import Decoder, shared_decoder
from webui.errors import StoreError, showable
from webui.live.background import RepeatedChore
from webui.live.camera import parse_sources
from webui.live.cameras import Cameras
from webui.live.choices import CameraChoices
from webui.live.demo import DemoPlayer, DemoStatus
from webui.live.frames import BaseCamera
from webui.live.hands_free import HandsFree
from webui.live.turn_clock import TurnClocks
from webui.ports import AppConfig
from webui.storage.backups import (
    Backups,
    backup_before_migration,
    missing_games_notice,
    other_stores_notice,
    synced_folder_notice,
)
from webui.storage.data_folder import DataFolder
from webui.storage.database import PhotoRow, SoloRow
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.rescue import last_lost, rescue, set_log_aside
from webui.storage.store import FILE_NAME, Store
from webui.table.announcer import Announcer
from webui.table.games import Games, OneTimeForms, OpenGame, by_place
from webui.table.intake import Intake
from webui.table.learned_set import LearnedTileSets
from webui.views.game import GameView, view_game, with_known_tiles
from webui.views.new_game import own_sets
from webui.views.solo import compare_with_record

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


@dataclass(frozen=True)
class Services:
    """The services of a running application. `demo` is None without one.

    `notice` tells people about trouble at the start, as that a damaged store was rescued.
    """

    config: AppConfig
    store: Store
    shelf: PhotoShelf
    announcer: Announcer
    tables: Games
    intake: Intake
    cameras: Cameras
    demo: DemoPlayer | None
    decoder: Decoder
    folder: DataFolder
    housekeeping: RepeatedChore
    gate: Gate
    own_sets: LearnedTileSets
    learning: RepeatedChore
    once: OneTimeForms
    clocks: TurnClocks
    notice: str | None = None
    phone_entries: dict[int, PhoneEntry] = field(default_factory=dict)

    def note_phone_entry(self, changed: OpenGame, player: str, did: str) -> None:
        """Remember who made the newest entry of a game on a phone of their own, and tell the pages."""
        session = principal().session
        if session is not None and player:
            text = f"{player} {did} on “{session.name}”."
            self.phone_entries[changed.row.id] = PhoneEntry(len(changed.game.log), session.id, text)
            self.announcer.announce(changed.row.id)

    def phone_entry(self, opened: OpenGame) -> PhoneEntry | None:
        """Return the newest entry of a game if a player made it on a phone of their own, else None."""
        entry = self.phone_entries.get(opened.row.id)
        return entry if entry is not None and entry.entries == len(opened.game.log) else None

    def seats(self, opened: OpenGame) -> tuple[Session, ...]:
        """Return the devices that have a seat in a game, or ask for one."""
        players = frozenset(opened.game.players)
        seated = ((each, each.seat) for each in self.gate.sessions.all())
        return tuple(each for each, seat in seated if seat and seat.players == players and seat.state != "refused")

    def view(self, opened: OpenGame) -> GameView:
        """Return the page of an open game."""
        photos = self.photos(opened)
        setup = opened.game.setup
        totals = self.solo_totals(setup.edition, setup.rules) if opened.game.ended else ()
        record = compare_with_record(opened.row.id, totals)
        camera = self.cameras.view(opened.row.id)
        known = "" if opened.row.demo else self.own_sets.known(setup.edition.name)
        fresh = opened.game.nothing_entered and not opened.row.demo
        boards = (*EDITIONS.values(), *own_sets(self.tables.rows())) if fresh else ()
        view = view_game(opened, photos, kinds=self.shelf.kinds, camera=camera, record=record, boards=boards)
        turn = f"{view.number}-{len(view.sheet.rounds)}-{view.last.place if view.last else 0}"
        view = replace(view, clock=None if view.ended else self.clocks.of(view.id, turn))
        return with_known_tiles(view, opened, known)

    def solo_totals(self, edition: Edition, rules: HouseRules) -> tuple[SoloRow, ...]:
        """Return the totals of the finished solo games with this edition and these rules."""
        return self.store.solo_totals(solo_terms(edition, rules))

    def photos(self, opened: OpenGame) -> dict[int, PhotoRow]:
        """Return the photographs of a game's turns, by their line on the sheet, from 1; 0 is the start."""
        return by_place(opened.game, self.kept_photos(opened.row.id))

    def kept_photos(self, game_id: int) -> dict[int, PhotoRow]:
        """Return the photographs of a game whose pictures still exist, by the log entry that they show."""
        return {at: row for at, row in self.store.photos(game_id).items() if self.shelf.has(row.key)}

    def demo_status(self, game_id: int) -> DemoStatus | None:
        """Return the progress of the demo if it plays this game, else None."""
        status = self.demo.status if self.demo else None
        return status if status is not None and status.game_id == game_id else None

    def room(self) -> str:
        """Return in words how much room the games take on the disk, and how much is free."""
        used = self.shelf.bytes_used()
        free = ""
        with suppress(OSError):
            used += self.store.path.stat().st_size
            free = f"; {size_text(shutil.disk_usage(self.config.data_dir).free)} of the disk is free"
        much = " That is a lot. You can delete old photos." if used > MUCH_ROOM_BYTES else ""
        return f"All games and their pictures take {size_text(used)}{free}.{much}"

    def close(self) -> None:
        """Stop every thread and end every stream."""
        self.announcer.close()
        self.own_sets.close()
        self.learning.close()
        self.housekeeping.close()
        if self.demo is not None:
            self.demo.close()
        self.cameras.close()
        self.gate.close()
        self.store.close()
        self.folder.close()


def size_text(count: int) -> str:
    """Return a number of bytes in MB or GB."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def make_services(config: AppConfig) -> Services:
    """Open the store and start the cameras; raises UpscoreError if the data folder or a camera can't be used."""
    folder = DataFolder(config.data_dir)
    try:
        return _make_services(config, folder)
    except BaseException:
        folder.close()
        raise


def _make_services(config: AppConfig, folder: DataFolder) -> Services:
    store, backups, notice = _open_store(config)
    shelf = PhotoShelf(config.data_dir)
    if not folder.adopted:
        _sweep(store, shelf, last_lost(config.data_dir))
    decoder = shared_decoder()
    announcer = Announcer(first=int(time.time()))
    tables = Games(store, config.lexicons, announcer)
    with suppress(StoreError):  # the next start tries again
        tables.recall_solo_totals()
    own_sets = LearnedTileSets(store, shelf, tables, config.reader)
    intake = Intake(tables, store, shelf, config.reader, own_sets.lessons)
    learning = RepeatedChore(own_sets.keep_learning, name="learning")
    tour = config.tour
    demo = None if tour is None else DemoPlayer(config, tour, tables, intake, announcer, store, shelf)
    if demo is not None:
        demo.remove_games()  # those of a demo that was killed
    choices = CameraChoices(config.data_dir)

    def watcher(label: str, camera: BaseCamera) -> HandsFree:
        return HandsFree(
            camera,
            tables,
            intake,
            config.reader,
            announcer,
            corners=lambda size: choices.corners(label, size),
            moved=lambda size: choices.give(label, size, None),
        )

    cameras = Cameras(parse_sources(config.cameras), choices, tables, watcher, announcer.announce_all)
    housekeeping = RepeatedChore(lambda: _keep_house(backups, cameras, store, None if folder.adopted else shelf))
    cameras.start()
    housekeeping.start()
    learning.start()
    gate = Gate(config.data_dir, announcer, behind_proxy=config.behind_proxy)
    return Services(
        config=config,
        store=store,
        shelf=shelf,
        announcer=announcer,
        tables=tables,
        intake=intake,
        cameras=cameras,
        demo=demo,
        decoder=decoder,
        folder=folder,
        housekeeping=housekeeping,
        gate=gate,
        own_sets=own_sets,
        learning=learning,
        once=OneTimeForms(store),
        clocks=TurnClocks(),
        notice=notice,
    )


def _open_store(config: AppConfig) -> tuple[Store, Backups, str | None]:
    """Rescue the store if it is damaged, and open it. Return it with its backups and a notice for people, or None."""
    path = config.data_dir / FILE_NAME
    backups = Backups(config.data_dir, path)
    log = set_log_aside(path)
    rescued = rescue(path, backups.all())
    store = Store(config.data_dir, new_id=config.new_game_id, before_migration=backup_before_migration(backups))
    has_games = any(not row.demo for row in store.games())
    empty = None if has_games else missing_games_notice(config.data_dir, backups.all(), log)
    if has_games and log is not None:
        with suppress(OSError):
            log.unlink()
            log.parent.rmdir()  # fails if other files were set aside there, which stay
    look_only = store.look_only and f"{store.look_only} You can look at games, but not change them."
    lines = (rescued and rescued.text, look_only, empty, other_stores_notice(config.data_dir))
    notices = [showable(line) for line in lines if line]
    for line in (*notices, synced_folder_notice(config.data_dir)):
        if line:
            _LOG.warning("%s", line)
    return store, backups, " ".join(notices) or None


def _keep_house(backups: Backups, cameras: Cameras, store: Store, shelf: PhotoShelf | None) -> float:
    """Do the chores that come up from time to time, and return the seconds until the next time.

    Without a `shelf` no bin is emptied.
    """
    cameras.leave_phones()
    if shelf is not None:
        shelf.empty_bin(store.photo_keys())  # before the backup, which may need the room
    backups.make_if_due()
    return _HOUSEKEEPING_S


def _sweep(store: Store, shelf: PhotoShelf, since: float) -> None:
    """Move pictures written after `since` that no game knows to the bin, unless the store has no games at all."""
    began = [datetime.fromisoformat(row.created_at) for row in store.games()]
    if began:
        shelf.sweep(store.photo_keys(), since=max(since, min(began).timestamp()))


def services() -> Services:
    """Return the services of the application that answers the present request."""
    return cast(Services, current_app.extensions[KEY])
