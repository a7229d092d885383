"""What the pages work with, made once for an application."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from flask import current_app

from engine.analysis.solo_record import solo_terms
from engine.editions import Edition
from engine.rules.house_rules import HouseRules
from webui.live.camera import Camera
from webui.live.demo import DemoPlayer, DemoStatus
from webui.live.events import Announcer
from webui.live.hands_free import HandsFree
from webui.live.intake import Intake
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
    """The parts of a running application; `camera`, `hands_free` and `demo` are None without one."""

    config: AppConfig
    store: Store
    shelf: PhotoShelf
    announcer: Announcer
    tables: Tables
    intake: Intake
    camera: Camera | None
    hands_free: HandsFree | None
    demo: DemoPlayer | None

    def view(self, opened: OpenGame) -> GameView:
        """The page of an open game."""
        photos = self.photos(opened)
        camera = self.camera.status if self.camera else None
        followed = self.hands_free is not None and self.hands_free.game_id == opened.row.id
        setup = opened.game.setup
        totals = self.solo_totals(setup.edition, setup.rules) if opened.game.ended else ()
        record = how_it_stands(opened.row.id, totals)
        return view_game(
            opened, photos, kinds=self.shelf.kinds, camera=camera, followed=followed, record=record
        )

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
        if self.hands_free is not None:
            self.hands_free.close()
        if self.camera is not None:
            self.camera.close()


def make_services(config: AppConfig) -> Services:
    """Open the store, start the camera; raises UpscoreError when data folder or camera can't be used."""
    store = Store(config.data_dir)
    shelf = PhotoShelf(config.data_dir)
    _sweep(store, shelf)
    announcer = Announcer()
    tables = Tables(store, config.lexicons, announcer)
    tables.recall_solo_totals()
    intake = Intake(tables, store, shelf, config.reader)
    camera = Camera(config.camera, on_status=announcer.announce_all) if config.camera is not None else None
    demo = DemoPlayer(config, tables, intake, announcer, store, shelf) if config.demos else None
    hands_free = None
    if camera is not None:
        camera.start()
        hands_free = HandsFree(camera, tables, intake, config.reader, announcer)
        hands_free.start()
    return Services(config, store, shelf, announcer, tables, intake, camera, hands_free, demo)


def _sweep(store: Store, shelf: PhotoShelf) -> None:
    """Put pictures that no game knows into the bin; a store without games cannot tell whose they are."""
    began = [datetime.fromisoformat(row.created_at) for row in store.games()]
    if began:
        shelf.sweep(store.photo_keys(), since=min(began).timestamp())


def services() -> Services:
    """The services of the application that answers the present request."""
    return cast(Services, current_app.extensions[KEY])
