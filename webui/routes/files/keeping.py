"""The requests that back up all games, delete one, free disk space, and forget a learned tile set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.editions import edition_named
from webui.access.permissions import Permission, needs
from webui.routes.actions import done
from webui.routes.forms import parse_version
from webui.services import services, size_text
from webui.storage.archive import backup_chunks, unreplayed

keeping = Blueprint("keeping", __name__)

THINNING_AGE = timedelta(days=180)
"""A game that nobody has changed for so long no longer needs its pictures. [by eye]"""


@keeping.get("/backup")
@needs(Permission.SIT)
def backup() -> ResponseReturnValue:
    """Send all games and their pictures as one file to whoever sits at this computer.

    If some games can't be replayed, a page lists them first. Its link asks for the file with `all`.
    """
    games = [(row.id, row.title, row.summary, row.log) for row in services().store.games() if not row.demo]
    if "all" not in request.args and (lines := tuple(unreplayed(games).values())):
        return render_template("backup.html", lines=lines), 409
    pieces = backup_chunks(services().config.data_dir)
    first = next(pieces)  # A problem shows here, while the answer can still report it.

    def whole() -> Iterator[bytes]:
        yield first
        yield from pieces

    headers = {
        "Content-Disposition": f'attachment; filename="upscore-{date.today():%Y-%m-%d}.zip"',
        "Cache-Control": "no-store",
    }
    return Response(whole(), mimetype="application/zip", headers=headers)


@keeping.get("/games/<int:game_id>/delete")
@needs(Permission.SCORE)
def ask_to_delete(game_id: int) -> str:
    """Ask whether to delete a game."""
    row = services().store.game(game_id)
    return render_template("delete.html", row=row)


@keeping.post("/games/<int:game_id>/delete")
def delete(game_id: int) -> ResponseReturnValue:
    """Delete a game, and move its pictures to the bin."""
    app = services()
    keys = app.store.delete_game(game_id, parse_version(request.form))
    if app.demo is not None and app.demo_status(game_id) is not None:
        app.demo.close()
    app.cameras.leave_phones()
    app.shelf.throw_away(keys)
    app.announcer.announce(game_id)
    return done(url_for("pages.games"))


@keeping.get("/pictures/thin")
@needs(Permission.KEEP)
def ask_to_thin() -> str:
    """Ask whether to move the pictures of old games to the bin, and say how much room that makes."""
    app = services()
    used = app.shelf.bytes_used(app.store.keys_before(_thinning_date()))
    return render_template("thin.html", days=THINNING_AGE.days, size=size_text(used), used=used)


@keeping.post("/pictures/thin")
@needs(Permission.KEEP)
def thin() -> ResponseReturnValue:
    """Move the pictures of old games to the bin. The games themselves stay."""
    app = services()
    keys = app.store.keys_before(_thinning_date())
    app.store.drop_photos(
        keys
    )  # First the rows: the next start brings back from the bin every picture that has one.
    app.shelf.throw_away(keys)
    return done(url_for("pages.games"))


@keeping.get("/tiles/forget")
@needs(Permission.KEEP)
def ask_to_forget() -> str:
    """Ask whether to forget the learned tile set of an edition."""
    edition = request.args.get("edition", "")
    known = next((each for each in services().own_sets.all() if each.edition == edition), None)
    return render_template("forget.html", known=known)


@keeping.post("/tiles/forget")
@needs(Permission.KEEP)
def forget() -> ResponseReturnValue:
    """Forget the learned tile set of an edition. The games stay."""
    services().own_sets.forget(edition_named(request.form.get("edition", "")).name)
    return done(url_for("pages.games"))


def _thinning_date() -> str:
    return (datetime.now(timezone.utc) - THINNING_AGE).isoformat(timespec="microseconds")
