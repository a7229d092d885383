"""The requests that write games to files, read them back, back them up, and delete what is kept.

docs/notation.md describes the files.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from types import MappingProxyType

from flask import Blueprint, Response, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from engine import EDITIONS, Game, UpscoreError, format_play
from engine.formats.csv_text import game_csv
from engine.formats.game_json import game_to_dict, log_from_dict
from engine.formats.notation import format_game
from engine.game.events import Corrected, Played
from engine.game.log import replay_log
from engine.json_reading import as_mapping
from engine.wording import is_one_line, join_texts, number_of, phrase
from vision.images import MAX_BYTES, Image
from vision.turn.prior import shows_round
from webui.access.gate import Permission, needs, takes
from webui.errors import NotThere, WebError
from webui.ports import file_name
from webui.routes.actions import game_url, report_done
from webui.routes.editors import turn_at
from webui.routes.forms import parse_every_round, parse_version
from webui.services import app, size_text
from webui.storage.archive import backup_chunks, find_unreplayed
from webui.storage.database import PhotoRow, utc_now
from webui.storage.game_file import MAX_FILE, MAX_LOG, GameFile, PhotoEntry, read_game_file, read_log, write_game_file
from webui.storage.photo_shelf import read_turns
from webui.storage.report_file import Report, Squares, load_reading, report_belief, versions, write_report
from webui.storage.zip_parts import open_zip, read_part
from webui.table.games import OpenGame
from webui.views.game import board_before
from webui.views.games import view_game_line

files = Blueprint("files", __name__)


def _json(game: Game) -> str:
    return json.dumps(game_to_dict(game), ensure_ascii=False, indent=1) + "\n"


FORMATS: Mapping[str, tuple[str, Callable[[Game], str]]] = MappingProxyType(
    {"csv": ("text/csv", game_csv), "txt": ("text/plain", format_game), "json": ("application/json", _json)}
)
"""The file formats of a game by the ending of the file's name: the media type, and the function that writes it."""


@files.get("/games/<int:game_id>/export.<ending>")
def export(game_id: int, ending: str) -> Response:
    """Send a game as a file, finished or not."""
    if ending not in FORMATS:
        raise NotThere(phrase("There is no such format: choose one of %(names)s.", names=", ".join(FORMATS)))
    kind, write = FORMATS[ending]
    response = Response(write(app.games.open(game_id).game), content_type=f"{kind}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="upscore-{game_id}.{ending}"'
    response.headers["Cache-Control"] = "no-store"
    return response


MAX_TITLE_LETTERS = 80
IMPORT_ENDPOINT = "files.take_in"
"""The endpoint that accepts larger bodies than others do."""
TOO_LARGE = phrase(
    "That file is too large for a game. Choose one that Upscore saved, of at most %(most)s MB.", most=MAX_FILE // 2**20
)


@files.get("/games/<int:game_id>/keep")
def keep(game_id: int) -> str:
    """Show the page on which people rename, print and save a game."""
    open_game = app.games.open(game_id)
    return render_template(
        "keep.html",
        row=open_game.row,
        shows_round=shows_round(len(open_game.game.players)),
        every_round=open_game.every_round,
        photographs=len(app.list_kept_photos(game_id)),
        most=MAX_TITLE_LETTERS,
    )


@files.post("/games/<int:game_id>/rename")
def rename(game_id: int) -> ResponseReturnValue:
    """Give a game another title."""
    title = " ".join(request.form.get("title", "").split())
    if not _is_title(title):
        raise WebError(phrase("Give the game a name of 1 to %(most)s letters.", most=MAX_TITLE_LETTERS))
    app.games.rename(game_id, title)
    return report_done(url_for("files.keep", game_id=game_id), phrase("The game has its new name."))


@files.post("/games/<int:game_id>/photographed")
def choose_photographed(game_id: int) -> ResponseReturnValue:
    """Change whether a game is photographed after every turn or once a round."""
    players = len(app.games.open(game_id).game.players)
    every_round = parse_every_round(request.form.get("photographed", ""), players)
    app.store.set(game_id, "every_round", every_round)
    told = phrase("Upscore now expects one photo after every turn.")
    if every_round:
        told = phrase("Upscore now expects one photo after every round.")
    return report_done(url_for("files.keep", game_id=game_id), told)


@files.get("/games/<int:game_id>/export.zip")
def export_zip(game_id: int) -> Response:
    """Send the game with its photographs as a zip file."""
    open_game = app.games.open(game_id)
    out = tempfile.TemporaryFile()  # noqa: SIM115 - Flask closes it with the answer, which deletes it.
    write_game_file(out, open_game.game, open_game.row, app.list_kept_photos(game_id), app.shelf)
    out.seek(0)
    title = re.sub(r"[^\w]+", "-", open_game.row.title).strip("-").lower() or "game"
    name = f"upscore-{title}-{game_id}.zip"
    return send_file(out, mimetype="application/zip", as_attachment=True, download_name=name)


@files.get("/games/<int:game_id>/turns/<int:place>/report.zip")
@needs(Permission.SCORE)
def report(game_id: int, place: int) -> Response:
    """Send a report of a turn that was misread, with its photograph, for the makers of Upscore."""
    open_game = app.games.open(game_id)
    record, photo = turn_at(open_game.game, place), app.photos(open_game).get(place)
    if photo is None:
        raise NotThere(phrase("There is no photograph of this turn to report."))
    photograph = app.shelf.path(photo.key, "photo").read_bytes()
    out = io.BytesIO()
    write_report(out, _report(open_game, place, photo, app.shelf.load(photo.key)), photograph)
    out.seek(0)
    name = f"upscore-report-turn-{record.number}.zip"
    return send_file(out, mimetype="application/zip", as_attachment=True, download_name=name)


def _report(open_game: OpenGame, place: int, photo: PhotoRow, image: Image) -> Report:
    """Return a report on how Upscore read the photograph of a turn, and on what was really played.

    The photograph is read again by this version, with the scoresheet as it was when it was taken. What was read then
    goes with it.
    """
    game, record = open_game.game, turn_at(open_game.game, place)
    assert photo.entry is not None, "a photograph of a turn shows an entry"
    before, entry = board_before(game, place), game.log[photo.entry]
    _, then = replay_log(game.setup, game.log[: photo.entry], game.lexicon)
    _, finding = app.config.reader.read_turn(
        image, app.intake.query(replace(open_game, belief=report_belief(then.board, open_game.belief)))
    )
    entered = entry.put if isinstance(entry, Corrected) else entry
    own_list = file_name(open_game.row.lexicon) != open_game.row.lexicon
    return Report(
        versions=versions(),
        edition=game.setup.edition,
        rules=game.setup.rules,
        lexicon="" if own_list else open_game.row.lexicon,
        plays_expected=open_game.plays_expected,
        said=photo.summary,
        entered=format_play(entered.play) if isinstance(entered, Played) else type(entered).__name__.lower(),
        really=record.kind if record.play is None else format_play(record.play),
        sheet=then.board,
        before=before,
        after=before if record.play is None else before.with_play(record.play),
        squares=None if finding.reading is None else Squares.of(finding.reading),
        belief=open_game.belief,
        first=load_reading(photo.reading),
    )


@files.get("/import")
@needs(Permission.BEGIN)
def choose() -> str:
    """Show the form for importing a game."""
    return render_template("import.html", most=MAX_FILE, too_large=TOO_LARGE)


@files.post("/import")
@needs(Permission.BEGIN)
@takes(MAX_FILE)
def take_in() -> ResponseReturnValue:
    """Import a game from a file."""
    file = request.files.get("game")
    if file is None or not file.filename:
        raise WebError(phrase("Choose a zip, JSON or text file that Upscore saved."))
    if not zipfile.is_zipfile(file.stream):
        file.stream.seek(0)
        open_game, message = _import(read_log(file.stream.read(MAX_LOG + 1)))
        return report_done(game_url(open_game.row.id), message)
    with open_zip(file.stream) as archive:
        kept = read_game_file(archive)
        open_game, message = _import(kept)
        lost = sum(not _take_photo(open_game, archive, photo) for photo in kept.photos)
    if lost:
        message = join_texts((message, phrase("But %(photos)s could not be read.", photos=number_of(lost, "photo"))))
    return report_done(game_url(open_game.row.id), message)


def _import(kept: GameFile) -> tuple[OpenGame, str]:
    """Store a game from a file. Return it with a message, which says if another word list judges it now."""
    asked = as_mapping(kept.game, phrase("the game")).get("lexicon")
    names = app.config.lexicons.names()
    known = asked if asked in names else _own_list(names, asked)
    lexicon = names[0] if known is None else known
    setup, log = log_from_dict(kept.game)
    game = Game.from_log(setup, log, app.games.lexicon(lexicon, setup.edition.alphabet))
    title = kept.title if _is_title(kept.title) else " - ".join(game.players)
    open_game = app.games.take_in(game, title=title, lexicon=lexicon, every_round=kept.every_round)
    # It may be a friend's game, played with other tiles.
    app.learned_sets.leave_out(open_game.row.id, game.setup.edition.name)
    app.add_begun_game(open_game.row.id)
    other = ""
    if asked is not None and known is None:
        other = phrase(
            "Its word list %(list)s is not here, so %(other)s judges it.",
            list=str(asked),
            other=app.config.list_label(lexicon),
        )
    here = phrase("The game is here, with %(turns)s.", turns=number_of(len(game.turns), "turn"))
    return open_game, join_texts((here, other))


def _own_list(names: Sequence[str], asked: object) -> str | None:
    """Return the table's own word list that has the same file name as the game's, in any folder, or None."""
    if not isinstance(asked, str):
        return None
    files = (name for name in names if file_name(name) != name)
    return next((name for name in files if file_name(name) == file_name(asked)), None)


def _take_photo(open_game: OpenGame, archive: zipfile.ZipFile, photo: PhotoEntry) -> bool:
    """Store a photograph with its game. Return whether it could be read."""
    try:
        # Upscore made these pictures, but anybody may have changed the file, so they are decoded where uploads are
        picture = read_part(archive, photo.photo, MAX_BYTES)
        image, _ = app.decoder.decode(io.BytesIO(picture), name=phrase("The photo"), own=True)
        drawn = read_part(archive, photo.overlay, MAX_BYTES) if photo.overlay else None
        overlay = (
            None if drawn is None else app.decoder.decode(io.BytesIO(drawn), name=phrase("The photo"), own=True)[0]
        )
    except UpscoreError:
        return False
    key = app.shelf.keep(image, overlay, turns=read_turns(picture))
    taken_at = utc_now()
    with suppress(ValueError):
        taken_at = datetime.fromisoformat(photo.taken_at).isoformat(timespec="microseconds")
    app.store.add_photo(PhotoRow(key, open_game.row.id, taken_at, photo.source, photo.entry, photo.summary[:200]))
    return True


def _is_title(text: str) -> bool:
    return 0 < len(text) <= MAX_TITLE_LETTERS and is_one_line(text)


THINNING_AGE = timedelta(days=180)
"""A game that nobody has changed for so long no longer needs its pictures. [by eye]"""


@files.get("/backup")
@needs(Permission.SIT)
def backup() -> ResponseReturnValue:
    """Send all games and their pictures as one file, to this computer alone.

    If some games can't be replayed, a page lists them first. Its link asks for the file with `all`.
    """
    games = [(row.id, row.title, row.summary, row.log) for row in app.store.games() if not row.demo]
    if "all" not in request.args and (lines := tuple(find_unreplayed(games).values())):
        return render_template("backup.html", lines=lines), 409
    pieces = backup_chunks(app.config.data_dir)
    first = next(pieces)  # A problem shows here, while the answer can still report it.

    def whole() -> Iterator[bytes]:
        yield first
        yield from pieces

    headers = {
        "Content-Disposition": f'attachment; filename="upscore-{date.today():%Y-%m-%d}.zip"',
        "Cache-Control": "no-store",
    }
    return Response(whole(), mimetype="application/zip", headers=headers)


@files.get("/games/<int:game_id>/delete")
@needs(Permission.SCORE)
def ask_to_delete(game_id: int) -> str:
    """Ask whether to delete a game."""
    row = app.store.game(game_id)
    return render_template("delete.html", row=row, line=view_game_line(row, app.games.standing))


@files.post("/games/<int:game_id>/delete")
def delete(game_id: int) -> ResponseReturnValue:
    """Delete a game, and move its pictures to the bin."""
    keys = app.store.delete_game(game_id, parse_version(request.form))
    if app.demo is not None and app.demo_status(game_id) is not None:
        app.demo.close()
    app.cameras.leave_phones()
    app.shelf.throw_away(keys)
    app.announcer.announce(game_id)
    return report_done(url_for("pages.games"))


@files.get("/pictures/thin")
@needs(Permission.KEEP)
def ask_to_thin() -> str:
    """Ask whether to move the pictures of old games to the bin, and say how much space that frees."""
    used = app.shelf.count_bytes(app.store.keys_before(utc_now(THINNING_AGE.total_seconds())))
    return render_template("thin.html", days=THINNING_AGE.days, size=size_text(used), used=used)


@files.post("/pictures/thin")
@needs(Permission.KEEP)
def thin() -> ResponseReturnValue:
    """Move the pictures of old games to the bin. The games themselves stay."""
    keys = app.store.keys_before(utc_now(THINNING_AGE.total_seconds()))
    app.store.drop_photos(keys)  # First remove the rows, since the next start brings back every picture that has a row.
    app.shelf.throw_away(keys)
    return report_done(url_for("pages.games"))


@files.get("/tiles/forget")
@needs(Permission.KEEP)
def ask_to_forget() -> str:
    """Ask whether to forget the learned tile set of an edition."""
    edition = request.args.get("edition", "")
    known = next((each for each in app.learned_sets.all() if each.edition == edition), None)
    return render_template("forget.html", known=known)


@files.post("/tiles/forget")
@needs(Permission.KEEP)
def forget() -> ResponseReturnValue:
    """Forget the learned tile set of an edition. The games stay."""
    edition, learned_sets = request.form.get("edition", ""), app.learned_sets
    if edition not in EDITIONS and all(each.edition != edition for each in learned_sets.all()):
        raise WebError(phrase("No tiles of this edition are known: there is nothing to forget."))
    learned_sets.forget(edition)
    return report_done(url_for("pages.games"))
