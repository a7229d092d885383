"""What the pages work with, made once for an application."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from flask import current_app

from engine.editions import Edition
from engine.game.solo_record import solo_terms
from engine.rules.house_rules import HouseRules
from webui.live.camera_choices import CameraChoices
from webui.live.cameras import Cameras
from webui.live.demo import DemoPlayer, DemoStatus
from webui.live.events import Announcer
from webui.live.frames import Watched
from webui.live.hands_free import HandsFree
from webui.live.intake import Intake
from webui.live.sources import parse_sources
from webui.ports import AppConfig
from webui.storage.open_games import OpenGame, Tables
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.provenance import by_place
from webui.storage.store import PhotoRow, SoloRow, Store
from webui.views.game import GameView, view_game
from webui.views.solo import how_it_stands

KEY = "upscore"


@dataclass(frozen=True)
class Services:
    """The parts of a running application; `demo` is None without one."""

    config: AppConfig
    store: Store
    shelf: PhotoShelf
    announcer: Announcer
    tables: Tables
    intake: Intake
    cameras: Cameras
    demo: DemoPlayer | None

    def view(self, opened: OpenGame) -> GameView:
        """The page of an open game."""
        photos = self.photos(opened)
        setup = opened.game.setup
        totals = self.solo_totals(setup.edition, setup.rules) if opened.game.ended else ()
        record = how_it_stands(opened.row.id, totals)
        camera = self.cameras.view(opened.row.id)
        return view_game(opened, photos, kinds=self.shelf.kinds, camera=camera, record=record)

    def solo_totals(self, edition: Edition, rules: HouseRules) -> tuple[SoloRow, ...]:
        """The totals of the finished solo games that one of this edition and these rules is compared with."""
        return self.store.solo_totals(solo_terms(edition, rules))

    def photos(self, opened: OpenGame) -> dict[int, PhotoRow]:
        """The photographs of a game's turns, by their line on the sheet, from 1; 0 is the start."""
        return by_place(opened.game, self.store.photos(opened.row.id))

    def demo_status(self, game_id: int) -> DemoStatus | None:
        """How the demo stands, when it plays this game."""
        status = self.demo.status if self.demo else None
        return status if status is not None and status.game_id == game_id else None

    def close(self) -> None:
        """Stop every thread and end every stream."""
        self.announcer.close()
        if self.demo is not None:
            self.demo.close()
        self.cameras.close()


def make_services(config: AppConfig) -> Services:
    """Open the store, start the cameras; raises UpscoreError when data folder or cameras can't be used."""
    store = Store(config.data_dir)
    shelf = PhotoShelf(config.data_dir)
    _sweep(store, shelf)
    announcer = Announcer()
    tables = Tables(store, config.lexicons, announcer)
    tables.recall_solo_totals()
    intake = Intake(tables, store, shelf, config.reader)
    demo = DemoPlayer(config, tables, intake, announcer, store, shelf) if config.demos else None
    choices = CameraChoices(config.data_dir)

    def watcher(label: str, camera: Watched) -> HandsFree:
        return HandsFree(
            camera, tables, intake, config.reader, announcer,
            corners=lambda size: choices.corners(label, size),
            moved=lambda size: choices.give(label, size, None),
        )  # fmt: skip

    cameras = Cameras(parse_sources(config.cameras), choices, tables, watcher, announcer.announce_all)
    cameras.start()
    return Services(config, store, shelf, announcer, tables, intake, cameras, demo)


def _sweep(store: Store, shelf: PhotoShelf) -> None:
    """Put pictures that no game knows into the bin; a store without games cannot tell whose they are."""
    began = [datetime.fromisoformat(row.created_at) for row in store.games()]
    if began:
        shelf.sweep(store.photo_keys(), since=min(began).timestamp())


def services() -> Services:
    """The services of the application that answers the present request."""
    return cast(Services, current_app.extensions[KEY])
