"""The requests by which devices join, with a code or the PIN, and by which the keeper of the page manages them."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as BaseResponse

from engine.wording import join_texts, phrase, plural
from webui.access.gate import Permission, cookie_name, hand_out, needs, principal
from webui.access.invitations import DIGITS, Invitation, qr_svg
from webui.access.sessions import MAX_NAME, Role, Seat, Session, device_name, tidy_name
from webui.errors import NotThere, Refused, WebError
from webui.language import COOKIE, LANGUAGES, translate
from webui.routes.actions import game_url, report_done
from webui.routes.forms import parse_player
from webui.routes.parts import answer_stream
from webui.security import PageAddress, Reach, host_of, is_loopback, is_own_path
from webui.services import app
from webui.table.announcer import HOUSE

devices = Blueprint("devices", __name__)
_LANGUAGE_S = 400 * 86_400
"""Seconds for which a browser keeps the chosen language: the longest time that browsers allow."""

_MAX_GAMES_OFFERED = 20
"""The page links to the codes of at most so many unfinished games, those touched last. [by eye]"""
_PRESENT_S = 45.0
"""A device seen within so many seconds is here: an open page is in touch at least as often. [by eye]"""


_LOOKS_LIKE_A_PIN = re.compile(rf"(?:[- \u00a0]*[0-9]){{{DIGITS}}}")


@dataclass(frozen=True)
class DeviceView:
    """A device in the list: what it may do, and when it was here last.

    `scores` says whether it keeps the score of the list's game, `own` whether it is the device that shows the list.
    """

    session: Session
    summary: str
    seen: str
    here: bool
    scores: bool
    own: bool


@devices.get("/devices")
@needs(Permission.KEEP)
def house() -> str:
    """Show the codes and devices of the whole page."""
    return _render(None)


@devices.get("/games/<int:game_id>/join")
@needs(Permission.SCORE)
def table(game_id: int) -> str:
    """Show the codes that lead to one game. A keeper also sees the PIN and the devices."""
    return _render(game_id)


@devices.get("/devices/events")
@needs(Permission.KEEP)
def events() -> Response:
    """Stream an event whenever somebody joins or leaves."""
    return answer_stream(app.announcer.stream(HOUSE))


@devices.post("/devices/<session_id>/role")
@needs(Permission.KEEP)
def give_role(session_id: str) -> ResponseReturnValue:
    """Let a device keep the score of one game or of all, or only watch."""
    role = request.form.get("role", "")
    if role not in ("scorer", "viewer"):
        raise WebError(phrase("What may that device do? Choose one of the buttons."))
    game = request.form.get("game", type=int)
    if game is not None:
        app.store.game(game)
    if role == "viewer":
        session = app.gate.sessions.grant(session_id, Role.VIEWER, None)
    else:
        session = app.gate.sessions.admit(session_id, Role.SCORER, game)
    app.announcer.announce_all()
    if role == "viewer":
        return report_done(_way_back(), phrase("%(device)s only watches now.", device=session.name))
    return report_done(_way_back(), phrase("%(device)s keeps the score now.", device=session.name))


@devices.post("/devices/<session_id>/end")
@needs(Permission.KEEP)
def end(session_id: str) -> ResponseReturnValue:
    """Remove a device."""
    session = app.gate.sessions.end(session_id)
    app.announcer.announce_all()
    return report_done(_way_back(), phrase("%(device)s is removed.", device=session.name))


@devices.post("/devices/address")
@needs(Permission.KEEP)
def choose_address() -> ResponseReturnValue:
    """Show the codes with another address of this computer. Raises WebError if it no longer has that address."""
    known, chosen = app.gate.reach(), request.form.get("address", "")
    if not any(each.url == chosen for each in (known.shown, *known.others) if each is not None):
        raise WebError(phrase("This computer no longer has that address: choose another."))
    app.gate.chosen = chosen
    app.announcer.announce_all()
    return report_done(_way_back(), phrase("The codes now use that address."))


@devices.post("/devices/renew")
@needs(Permission.KEEP)
def renew() -> ResponseReturnValue:
    """Replace all codes and the PIN. Devices that have joined stay in."""
    app.gate.invitations.renew()
    app.gate.pin.renew()
    app.announcer.announce_all()
    return report_done(_way_back(), phrase("There are new codes and a new PIN. The old ones no longer work."))


def _render(game_id: int | None) -> str:
    gate, me = app.gate, principal()
    row = None if game_id is None else app.store.game(game_id)
    reach = _reach()
    watch = Invitation(Role.VIEWER, game_id)
    score = Invitation(Role.SCORER, game_id)
    codes = {}
    if reach.shown is not None:
        offered = {"watch": watch, "score": score} if me.keeps else {"watch": watch}
        codes = {name: f"{reach.shown.url}join/{gate.invitations.code(each)}" for name, each in offered.items()}
    return render_template(
        "devices.html",
        row=row,
        codes=codes,
        reach=reach,
        qr_codes={name: qr_svg(url) for name, url in codes.items()},
        pin=f"{gate.pin.digits[:3]} {gate.pin.digits[3:]}" if me.keeps else None,
        devices=_views(game_id) if me.keeps else (),
        tables=[each for each in app.store.games() if not each.finished][:_MAX_GAMES_OFFERED] if me.keeps else (),
        here=request.path,
    )


def _reach() -> Reach:
    """Return the addresses at which other devices find the page.

    First comes the address that was chosen, or else the one that this request came to.
    """
    reach = app.gate.reach()
    chosen = reach.shown is not None and reach.shown.url == app.gate.chosen
    if chosen or is_loopback(host_of(request.host) or ""):
        return reach
    return reach.preferring(PageAddress(request.host_url))


def _views(game_id: int | None) -> tuple[DeviceView, ...]:
    titles = {row.id: row.title for row in app.store.games()}
    own, now = principal().session, time.time()
    return tuple(
        DeviceView(
            each,
            _summary(each, game_id, titles),
            _ago(now - each.seen),
            now - each.seen < _PRESENT_S,
            each.games is None or game_id in each.games,
            own is not None and own.id == each.id,
        )
        for each in app.gate.sessions.all()
    )


def _summary(session: Session, game_id: int | None, titles: Mapping[int, str]) -> str:
    if session.role == Role.VIEWER:
        seat = session.seat
        return (
            phrase("is %(player)s", player=seat.player)
            if seat is not None and seat.state == "granted"
            else phrase("watches")
        )
    if session.role == Role.KEEPER:
        return phrase("manages Upscore")
    if session.games is None:
        return phrase("keeps the score of all tables")
    others = [titles[game] for game in session.games if game != game_id and game in titles]
    names = [*([phrase("this table")] if game_id in session.games else []), *others]
    return phrase("keeps the score of %(games)s", games=join_texts(names, ", ") or phrase("a game that is gone"))


def _ago(seconds: float) -> str:
    if seconds < _PRESENT_S:
        return phrase("here now")
    days, hours, minutes = (int(seconds // length) for length in (86_400, 3600, 60))
    if days:
        return plural("seen %(number)s day ago", "seen %(number)s days ago", days, number=days)
    if hours:
        return plural("seen %(number)s hour ago", "seen %(number)s hours ago", hours, number=hours)
    return plural("seen %(number)s minute ago", "seen %(number)s minutes ago", minutes, number=minutes)


def _way_back() -> str:
    to = request.form.get("to", "")
    return to if is_own_path(to) else url_for("devices.house")


@devices.get("/language/<code>")
@needs(Permission.NONE)
def choose_language(code: str) -> BaseResponse:
    """Show this device the page in a language from now on, and go back to where it was."""
    if code not in LANGUAGES:
        raise NotThere(phrase("There is no such language. Choose one from the list."))
    to = request.args.get("to", "")
    response = redirect(to if is_own_path(to.partition("?")[0]) else url_for("pages.home"))
    response.set_cookie(COOKIE, code, max_age=_LANGUAGE_S, secure=request.is_secure, httponly=True, samesite="Lax")
    return response


@devices.get("/join")
@needs(Permission.NONE)
def this_device() -> ResponseReturnValue:
    """Show how to join, or what this device may do. On the computer itself, show who has joined."""
    if principal().at_computer:
        return redirect(url_for("devices.house"))
    return render_join(None)


@devices.get("/join/<code>")
@needs(Permission.NONE)
def by_code(code: str) -> BaseResponse:
    """Exchange the code of a QR code for a cookie, then go on to an address without the code."""
    invitation = app.gate.invitations.read(code)
    to = redirect(url_for("pages.home") if invitation.game is None else game_url(invitation.game), 303)
    if request.method == "GET" and not principal().at_computer:
        _let_in(invitation, "", to)
    return to


@devices.post("/join")
@needs(Permission.NONE)
def by_pin() -> BaseResponse:
    """Let a device keep the score of every game, if the PIN is right."""
    typed = request.form.get("pin", "").strip()
    if not typed:
        raise WebError(phrase("Type the six digits of the PIN. They are on the scorekeeper's screen."))
    if not _LOOKS_LIKE_A_PIN.fullmatch(typed):
        raise WebError(phrase("A PIN has six digits and nothing else. Look at the scorekeeper's screen."))
    session = principal().session
    app.gate.pin.check(typed, request.remote_addr or "", None if session is None else session.id)
    to = make_response(report_done(_way_on() or url_for("pages.home")))
    if not principal().at_computer:
        _let_in(Invitation(Role.SCORER), request.form.get("name", ""), to)
    return to


@devices.post("/join/name")
@needs(Permission.WATCH)
def rename() -> ResponseReturnValue:
    """Give this device another name."""
    session = principal().session
    name = tidy_name(request.form.get("name", ""))
    if not name:
        raise WebError(phrase("Give this device a name, such as Anna's phone."))
    if session is not None:
        app.gate.sessions.rename(session.id, name)
        app.announcer.announce(HOUSE)
    return report_done(url_for("devices.this_device"))


@devices.post("/games/<int:game_id>/seat")
@needs(Permission.WATCH)
def ask_for_seat(game_id: int) -> ResponseReturnValue:
    """Ask for a player's seat for this device, which a scorekeeper grants. Without a player, give the seat back."""
    asking = principal()
    players = app.games.open(game_id).game.players
    seat = asking.seat(players)
    sent = request.form.get("player", "")
    if asking.session is None or asking.scores(game_id):
        raise WebError(phrase("This device keeps the score: it needs no player."))
    if seat is not None and seat.state == "refused":
        raise Refused(phrase("The scorekeeper said no. Ask at the table."))
    player = parse_player(sent, players, phrase("Which player are you?")) if sent else None
    app.gate.sessions.sit(asking.session.id, None if player is None else Seat(player, frozenset(players)))
    app.announcer.announce_all()
    return report_done(game_url(game_id))


@devices.post("/games/<int:game_id>/seats/<session_id>")
def give_seat(game_id: int, session_id: str) -> ResponseReturnValue:
    """Grant a device the seat that it asked for, or refuse it, even later."""
    session = next((each for each in app.seats(app.games.open(game_id)) if each.id == session_id), None)
    if session is None or session.seat is None:
        raise NotThere(phrase("That phone has gone, or asks no longer."))
    state = "granted" if request.form.get("grant") else "refused"
    app.gate.sessions.sit(session_id, replace(session.seat, state=state))
    app.announcer.announce_all()
    return report_done(game_url(game_id))


@devices.post("/join/leave")
@needs(Permission.WATCH)
def leave() -> BaseResponse:
    """Let this device leave."""
    session = principal().session
    if session is not None:
        app.gate.sessions.end(session.id)
        app.announcer.announce_all()
    response = make_response(report_done(url_for("devices.this_device")))
    response.delete_cookie(cookie_name(request), httponly=True, secure=request.is_secure, samesite="Lax")
    return response


def render_join(problem: str | None) -> str:
    """Return the page on which a device joins, or sees what it may do, with the problem if there is one.

    It reads only this page's own form, since a device that is refused elsewhere could send an endless body.
    """
    session = principal().session
    games = None if session is None else session.games
    return render_template(
        "join.html",
        problem=problem,
        to=_way_on(),
        name=tidy_name(request.form.get("name", "")) if request.path == "/join" else "",
        usual=device_name(request.user_agent.string),
        longest=MAX_NAME,
        game_titles=tuple(row.title for row in app.store.games() if row.id in games) if games else (),
    )


def _let_in(invitation: Invitation, name: str, response: BaseResponse) -> None:
    """Let a device do what an invitation allows, besides what it could do. A new device gets its cookie."""
    session = principal().session
    game = invitation.game if invitation.role is Role.SCORER else None
    if session is None:
        new_name = tidy_name(name) or translate(device_name(request.user_agent.string))
        token, _ = app.gate.sessions.begin(new_name, invitation.role, None if game is None else (game,))
        hand_out(response, token)
        app.announcer.announce(HOUSE)
        return
    if tidy_name(name) and tidy_name(name) != session.name:
        session = app.gate.sessions.rename(session.id, tidy_name(name))
    if app.gate.sessions.admit(session.id, invitation.role, game) != session:
        app.announcer.announce_all()


def _way_on() -> str:
    """Return the address to which the device wanted to go, "" if that is unknown."""
    if request.path == "/join":
        wanted = (request.args if request.method == "GET" else request.form).get("to", "")
    else:
        wanted = request.path if request.method == "GET" else ""
    return wanted if is_own_path(wanted) and not f"{wanted}/".startswith("/join/") else ""
