"""The requests by which a device joins, with a code or the PIN, and those of its own page."""

from __future__ import annotations

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from webui.access.device_names import device_name
from webui.access.gate import Gate, cookie_name, hand_out, principal
from webui.access.invitations import Invitation
from webui.access.permissions import Permission, Role, needs
from webui.access.sessions import MAX_NAME, Session, tidy_name
from webui.errors import WebError
from webui.routes.actions import done, game_url
from webui.security import is_own_path
from webui.services import services

joining = Blueprint("joining", __name__)


@joining.get("/join")
@needs(Permission.NONE)
def this_device() -> ResponseReturnValue:
    """Show how to join, or what this device may do. At the computer itself, show who has joined."""
    if principal().at_computer:
        return redirect(url_for("devices.house"))
    return render_join(None)


@joining.get("/join/<code>")
@needs(Permission.NONE)
def by_code(code: str) -> Response:
    """Exchange the code of a QR code for a cookie, then go on to an address without the code."""
    gate = services().gate
    invitation = gate.invitations.read(code)
    to = redirect(url_for("pages.home") if invitation.game is None else game_url(invitation.game), 303)
    if request.method == "GET" and not principal().at_computer:
        _let_in(gate, invitation, "", to)
    return to


@joining.post("/join")
@needs(Permission.NONE)
def by_pin() -> Response:
    """Let a device keep the score of every game, if the PIN is right."""
    gate = services().gate
    typed = request.form.get("pin", "").strip()
    if not typed:
        raise WebError("Type the six digits of the PIN: the computer that keeps the score shows them.")
    gate.pin.check(typed, request.remote_addr or "")
    to = make_response(done(_way_on() or url_for("pages.home")))
    if not principal().at_computer:
        _let_in(gate, Invitation(Role.SCORER), request.form.get("name", ""), to)
    return to


@joining.post("/join/name")
@needs(Permission.WATCH)
def rename() -> ResponseReturnValue:
    """Give this device another name."""
    gate, session = services().gate, principal().session
    name = tidy_name(request.form.get("name", ""))
    if not name:
        raise WebError("What is this device called? Type a name, such as Anna's phone.")
    if session is not None:
        gate.sessions.rename(session.id, name)
        gate.joined()
    return done(url_for("joining.this_device"))


@joining.post("/join/leave")
@needs(Permission.WATCH)
def leave() -> Response:
    """Let this device leave."""
    gate, session = services().gate, principal().session
    if session is not None:
        gate.sessions.end(session.id)
        gate.changed()
    response = make_response(done(url_for("joining.this_device")))
    response.delete_cookie(cookie_name(request), httponly=True, secure=request.is_secure, samesite="Lax")
    return response


def render_join(problem: str | None) -> str:
    """Return the page on which a device joins, or sees what it may do, with the problem if there is one.

    Only this page's own form is read: whoever is refused at another address could send a body without end.
    """
    return render_template(
        "join.html",
        problem=problem,
        to=_way_on(),
        name=tidy_name(request.form.get("name", "")) if request.path == "/join" else "",
        usual=device_name(request.user_agent.string),
        longest=MAX_NAME,
        game_titles=_titles(principal().session),
    )


def _let_in(gate: Gate, invitation: Invitation, name: str, response: Response) -> None:
    """Let a device do what an invitation allows, besides what it could do. A new device gets its cookie."""
    session = principal().session
    game = invitation.game if invitation.role is Role.SCORER else None
    if session is None:
        new_name = tidy_name(name) or device_name(request.user_agent.string)
        token, _ = gate.sessions.begin(new_name, invitation.role, None if game is None else (game,))
        hand_out(response, token)
        gate.joined()
        return
    if tidy_name(name) and tidy_name(name) != session.name:
        session = gate.sessions.rename(session.id, tidy_name(name))
    if gate.sessions.admit(session.id, invitation.role, game) != session:
        gate.changed()


def _way_on() -> str:
    """Return the address to which the device wanted to go, "" if that is not known."""
    if request.path == "/join":
        wanted = (request.args if request.method == "GET" else request.form).get("to", "")
    else:
        wanted = request.path if request.method == "GET" else ""
    return wanted if is_own_path(wanted) and not f"{wanted}/".startswith("/join/") else ""


def _titles(session: Session | None) -> tuple[str, ...]:
    """Return the titles of the games whose score a device keeps, none if it keeps all or has not joined."""
    if session is None or session.games is None:
        return ()
    return tuple(row.title for row in services().store.games() if row.id in session.games)
