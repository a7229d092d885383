"""The requests that rename a game, save it as a file with its photographs, and read such a file again."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from flask import Blueprint, Response, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from engine.errors import UpscoreError
from engine.formats.game_json import game_from_dict
from engine.json_reading import as_mapping
from engine.wording import counted
from vision.images import Image
from webui.access.gate import begun
from webui.access.permissions import Permission, needs, takes
from webui.errors import WebError
from webui.routes.actions import done, game_url
from webui.services import Services, services
from webui.storage.game_file import (
    MAX_FILE,
    MAX_LOG,
    Kept,
    KeptPhoto,
    open_game_file,
    picture_in,
    read_game_file,
    read_log,
    write_game_file,
)
from webui.storage.open_games import OpenGame
from webui.storage.store import PhotoRow, utc_now

game_files = Blueprint("game_files", __name__)

MAX_TITLE_LETTERS = 80
IMPORT_ENDPOINT = "game_files.take_in"
"""The endpoint that accepts larger bodies than others do."""
TOO_LARGE = (
    f"This file is too large for a game: choose one that Upscore wrote, of at most {MAX_FILE // 2**20} MB."
)


@game_files.get("/games/<int:game_id>/keep")
def keep(game_id: int) -> str:
    """Show the page on which people rename, print and save a game."""
    app = services()
    opened = app.tables.open(game_id)
    return render_template(
        "keep.html",
        row=opened.row,
        photographs=len(app.kept_photos(game_id)),
        most=MAX_TITLE_LETTERS,
    )


@game_files.post("/games/<int:game_id>/rename")
def rename(game_id: int) -> ResponseReturnValue:
    """Give a game another title."""
    services().tables.rename(game_id, _title(request.form.get("title", "")))
    return done(url_for("game_files.keep", game_id=game_id), "The game has its new name.")


@game_files.get("/games/<int:game_id>/export.zip")
def export(game_id: int) -> Response:
    """Send the game with its photographs as a zip file."""
    app = services()
    opened = app.tables.open(game_id)
    photos = app.kept_photos(game_id)
    files = {
        row.key: {kind: app.shelf.path(row.key, kind) for kind in app.shelf.kinds(row.key)}
        for row in photos.values()
    }
    out = tempfile.TemporaryFile()  # noqa: SIM115 - Flask closes it with the answer, which deletes it.
    write_game_file(out, opened.game, opened.row.title, photos, files)
    out.seek(0)
    return send_file(out, mimetype="application/zip", as_attachment=True, download_name=_file_name(opened))


@game_files.get("/import")
@needs(Permission.BEGIN)
def choose() -> str:
    """Show the form for importing a game."""
    return render_template("import.html", most=MAX_FILE, too_large=TOO_LARGE)


@game_files.post("/import")
@needs(Permission.BEGIN)
@takes(MAX_FILE)
def take_in() -> ResponseReturnValue:
    """Import a game from a file."""
    file = request.files.get("game")
    if file is None or not file.filename:
        raise WebError("No file was sent: choose the zip, JSON or text file that Upscore wrote.")
    if not zipfile.is_zipfile(file.stream):
        file.stream.seek(0)
        opened, message = _import(services(), read_log(file.stream.read(MAX_LOG + 1)))
        return done(game_url(opened.row.id), message)
    with open_game_file(file.stream) as archive:
        kept = read_game_file(archive)
        opened, message = _import(services(), kept)
        lost = sum(not _take_photo(services(), opened, archive, photo) for photo in kept.photos)
    if lost:
        message = f"{message} But {counted(lost, 'photograph')} could not be read."
    return done(game_url(opened.row.id), message)


def _import(app: Services, kept: Kept) -> tuple[OpenGame, str]:
    """Store a game from a file. Return it with a message, which says if another word list judges it now."""
    asked = as_mapping(kept.game, "the game").get("lexicon")
    names = app.config.lexicons.names()
    known = asked if asked in names else _own_list(names, asked)
    lexicon = names[0] if known is None else known
    game = game_from_dict(kept.game, app.tables.lexicon(lexicon))
    title = kept.title if _is_title(kept.title) else " - ".join(game.players)
    opened = app.tables.take_in(game, title=title, lexicon=lexicon)
    # It may be a friend's game, played with other tiles.
    app.own_sets.leave_out(opened.row.id, game.setup.edition.name)
    begun(app.gate, opened.row.id)
    other = ""
    if asked is not None and known is None:
        other = f" Its word list {asked} is not here: {app.config.list_label(lexicon)} judges it."
    return opened, f"The game is here, with {counted(len(game.turns), 'turn')}.{other}"


def _own_list(names: Sequence[str], asked: object) -> str | None:
    """Return the table's own word list with the file name of the game's, wherever it lies, None without one."""
    if not isinstance(asked, str):
        return None
    files = (name for name in names if Path(name).name != name)
    return next((name for name in files if Path(name).name == Path(asked).name), None)


def _take_photo(app: Services, opened: OpenGame, archive: zipfile.ZipFile, photo: KeptPhoto) -> bool:
    """Store a photograph with its game. Return whether it could be read."""
    try:
        image = _picture(app, archive, photo.photo)
        overlay = _picture(app, archive, photo.overlay) if photo.overlay else None
    except UpscoreError:
        return False
    key = app.shelf.keep(image, overlay)
    taken_at = utc_now()
    with suppress(ValueError):
        taken_at = datetime.fromisoformat(photo.taken_at).isoformat(timespec="microseconds")
    app.store.add_photo(
        PhotoRow(key, opened.row.id, taken_at, photo.source, photo.entry, photo.summary[:200])
    )
    return True


def _picture(app: Services, archive: zipfile.ZipFile, name: str) -> Image:
    """Decode a picture in a game's file. Anybody may have made it, so it is decoded as uploads are."""
    return app.decoder.decode(io.BytesIO(picture_in(archive, name)), name="The photograph")[0]


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not _is_title(title):
        raise WebError(f"What shall the game be called? Give 1 to {MAX_TITLE_LETTERS} letters.")
    return title


def _is_title(text: str) -> bool:
    return 0 < len(text) <= MAX_TITLE_LETTERS and text.isprintable()


def _file_name(opened: OpenGame) -> str:
    name = re.sub(r"[^\w]+", "-", opened.row.title).strip("-").lower() or "game"
    return f"upscore-{name}-{opened.row.id}.zip"
