"""Keeping the games: a backup of them all, deleting one, the room that they take, and what they taught of the tiles."""

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

OLD = timedelta(days=180)
"""Games that nobody has changed for so long need their pictures no more."""


@keeping.get("/backup")
@needs(Permission.SIT)
def backup() -> ResponseReturnValue:
    """All games and their pictures as one file, for whoever sits at this computer.

    Games that cannot be replayed are told of first, on a page from which the file is asked for with `all`.
    """
    kept = [(row.id, row.title, row.summary, row.log) for row in services().store.games() if not row.demo]
    if "all" not in request.args and (lines := tuple(unreplayed(kept).values())):
        return render_template("backup.html", lines=lines), 409
    pieces = backup_chunks(services().config.data_dir)
    first = next(pieces)  # what is wrong shows here, while it can still be said

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
    """Asks once."""
    row = services().store.game(game_id)
    return render_template("delete.html", row=row)


@keeping.post("/games/<int:game_id>/delete")
def delete(game_id: int) -> ResponseReturnValue:
    """A game is deleted, and its pictures go to the bin."""
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
    """Asks once, saying how much room it makes."""
    app = services()
    used = app.shelf.bytes_used(app.store.keys_before(_old()))
    return render_template("thin.html", days=OLD.days, size=size_text(used), used=used)


@keeping.post("/pictures/thin")
@needs(Permission.KEEP)
def thin() -> ResponseReturnValue:
    """The pictures of old games go to the bin; the games themselves stay."""
    app = services()
    keys = app.store.keys_before(_old())
    app.store.drop_photos(keys)  # what a game still knew would come back out of the bin at the next start
    app.shelf.throw_away(keys)
    return done(url_for("pages.games"))


@keeping.get("/tiles/forget")
@needs(Permission.KEEP)
def ask_to_forget() -> str:
    """Asks once."""
    asked = request.args.get("edition", "")
    known = next((each for each in services().own_sets.all() if each.edition == asked), None)
    return render_template("forget.html", known=known)


@keeping.post("/tiles/forget")
@needs(Permission.KEEP)
def forget() -> ResponseReturnValue:
    """What games have taught of the tiles of an edition is forgotten; the games stay."""
    services().own_sets.forget(edition_named(request.form.get("edition", "")).name)
    return done(url_for("pages.games"))


def _old() -> str:
    return (datetime.now(timezone.utc) - OLD).isoformat(timespec="microseconds")
