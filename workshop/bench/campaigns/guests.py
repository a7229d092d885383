"""Do guests stay in, and others out? Many devices, proxies, and clocks that are set while the page is served or not.

Guests come from loopback addresses of their own. The server knows 127.0.0.1 alone.
"""

from __future__ import annotations

import http.client
import json
import re
import ssl
import time
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import urlencode

from cryptography import x509

from webui.access.invitations import Invitation, Invitations
from webui.access.sessions import MAX_ABSENCE_S, MAX_DEVICES, Role
from workshop.bench.campaigns.served import NEW, Report, Served

ONLY_HERE = (
    "import webui.access.gate as gate; "
    "gate.is_loopback = lambda host: host in ('localhost', '127.0.0.1', '::ffff:127.0.0.1'); "
)
"""Statements for `Served`, by which other loopback addresses are other computers."""
DEVICE = "127.2.0.1"
"""The address of a device that is in."""
LOOK_ON = 10
"""Devices that join between two looks of those that stay. [by eye]"""
DAY = 86_400.0


def ask(
    port: int,
    method: str,
    path: str,
    body: str = "",
    *,
    https: bool,
    token: str = "",
    source: str = "",
    headers: Mapping[str, str] | None = None,
) -> tuple[int, str, str]:
    """Return the status of an answer, the token that it gives a device, and its text."""
    source = source or (DEVICE if token else "127.0.0.1")
    context = ssl._create_unverified_context() if https else None
    at = ("127.0.0.1", port)
    connection = (
        http.client.HTTPSConnection(*at, timeout=20, source_address=(source, 0), context=context)
        if https
        else http.client.HTTPConnection(*at, timeout=20, source_address=(source, 0))
    )
    kind = "application/json" if body.startswith("{") else "application/x-www-form-urlencoded"
    cookie = {"Cookie": f"upscore-{port}={token}"} if token else {}
    try:
        connection.request(method, path, body or None, {"Content-Type": kind, **cookie, **(headers or {})})
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        given = (answer.getheader("Set-Cookie") or "").partition(";")[0].partition("=")[2]
        return answer.status, given, text
    finally:
        connection.close()


def new_game(port: int, *, https: bool) -> int:
    """Return the number of a new game."""
    _, _, text = ask(port, "POST", "/api/v1/games", json.dumps(NEW), https=https)
    return int(json.loads(text)["id"])


def join(port: int, *, https: bool) -> str:
    """Let a device in by the PIN, and return its token."""
    _, _, text = ask(port, "GET", "/devices", https=https)
    pin = "".join(re.findall(r'class="pin-shown">([\d ]+)<', text)[0].split())
    status, token, _ = ask(port, "POST", "/join", urlencode({"pin": pin, "name": "Anna"}), https=https, source=DEVICE)
    assert token, f"the device was not let in ({status})"
    return token


_CLOCK = """
import datetime, time
real = time.time
def shifted():
    with open({at!r}) as file:
        return real() + float(file.read())
"""
"""Statements for `Served`: a clock that is off by as many seconds as the file says."""
_AGEING = """
import webui.access.sessions as sessions
sessions.Sessions.__init__.__defaults__ = (shifted, {most}, shifted)
"""
"""More statements, by which devices go by that clock, time passes when it is set, and so many devices are kept."""


def many_devices(folder: Path, devices: int, most: int = MAX_DEVICES) -> Report:
    """Let in more devices than are kept, over a month, then as many at once.

    Over a month each gets its first page. The scorekeeper and who watches stay in. At once, no more newcomers are
    turned away than are too many.
    """
    report = Report("many devices", f"{devices} viewers in a month, then {devices} at once, where {most} are kept")
    at = folder / "seconds"
    _set(at, 0.0)
    with Served(folder / "data", before=_CLOCK.format(at=str(at)) + _AGEING.format(most=most) + ONLY_HERE) as served:
        page = f"/games/{new_game(served.port, https=False)}"

        def come(number: int) -> tuple[str, bool]:
            """Let a device in; return its token, and whether it got its first page."""
            source = f"127.3.{number // 250 % 250}.{number % 250 + 1}"
            _, token, _ = ask(served.port, "GET", f"/join/{code}", https=False, source=source)
            return token, ask(served.port, "GET", page, https=False, token=token, source=source)[0] == 200

        def look_again() -> None:
            for who, token in stay.items():
                if ask(served.port, "GET", page, https=False, token=token)[0] != 200:
                    report.wrong.append(f"{who} was put out")

        code = Invitations(folder / "data").code(Invitation(Role.VIEWER))
        stay = {"the scorekeeper": join(served.port, https=False), "who watches": come(0)[0]}
        turned_away = 0
        for number in range(2 * devices):
            in_a_month = number < devices
            if in_a_month:
                _set(at, (number + 1) * 30 * DAY / devices)
            came = come(number)[1]
            turned_away += not came and not in_a_month
            if not came and in_a_month:
                report.wrong.append(f"device {number} was put out at its first page")
            if number % LOOK_ON == 0 or number in (devices - 1, 2 * devices - 1):
                look_again()
    report.figures = {"put out": len(report.wrong), "turned away at once": turned_away}
    too_many = max(0, len(stay) + 1 + devices - most)  # the last one of the month still counts as looking on
    if turned_away > too_many:
        report.wrong.append(f"{turned_away} turned away at once, not {too_many}")
    return report


_PROXIES: dict[str, dict[str, str]] = {
    "nginx": {"X-Real-IP": "203.0.113.9", "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"},
    "Caddy": {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "localhost"},
    "Apache": {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "localhost", "X-Forwarded-Server": "hall"},
    "Traefik": {"X-Forwarded-Port": "443", "X-Forwarded-Server": "hall", "X-Real-Ip": "203.0.113.9"},
    "HAProxy": {"Forwarded": "for=203.0.113.9;proto=https"},
    "Squid": {"Via": "1.1 hall"},
    **{
        f"{name} alone": {name: "127.0.0.1"}
        for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded", "x-real-ip", "VIA")
    },
}
"""The headers that proxies add, and each alone in other cases, with an address that lies."""
_PRIVATE = ("/", "/games", "/devices", "/backup", "/api/v1/games")


def proxies(folder: Path) -> Report:
    """Ask through proxies: nobody there is at the computer, and a device that was let in stays in."""
    report = Report("proxies", f"{len(_PROXIES)} sets of headers, and --behind-proxy without any")
    asked = let_in = 0
    for more, kinds in (((), _PROXIES), (("--behind-proxy",), {"none": {}, **_PROXIES})):
        with Served(folder, *more, before=ONLY_HERE) as served:
            token = _as_keeper(folder, served)
            for kind, headers in kinds.items():
                for path in _PRIVATE:
                    asked += 1
                    status, _, _ = ask(served.port, "GET", path, https=False, headers=headers)
                    if status != 401:
                        let_in += 1
                        report.wrong.append(f"{path} with {kind} {' '.join(more)}: {status}")
                status, _, _ = ask(served.port, "GET", "/devices", https=False, headers=headers, token=token)
                if status != 200:
                    report.wrong.append(f"a device with {kind} {' '.join(more)}: {status}")
    report.figures = {"requests": asked, "let in": let_in}
    return report


def _as_keeper(folder: Path, served: Served) -> str:
    """Let a device in that manages the page, and return its token."""
    code = Invitations(folder).code(Invitation(Role.KEEPER))
    return ask(served.port, "GET", f"/join/{code}", https=False, source=DEVICE)[1]


_WRONG_CLOCK = """
time.time = shifted
import webui.certificate
class Shifted(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
webui.certificate.datetime = Shifted
"""
"""More statements, by which the whole program goes by that clock, but its timers don't."""
JUMPS = {"40 days ahead": 40 * DAY, "an hour back": -3600.0, "two years back": -730 * DAY}


def clocks(folder: Path) -> Report:
    """Set the clock wrong and right again, while the page is served and between two starts, over https.

    A turn can be entered at any time, and the certificate is valid by the clock of the start. If the clock is set while
    the page is served, all stay in. Between starts, those are out who were last seen `MAX_ABSENCE_S` ago by the new
    clock, as after a start 40 days ahead, until the clock is right.
    """
    report = Report("clocks", f"{len(JUMPS)} jumps and back, while it is served and between starts")
    again = 0
    for jump, seconds in JUMPS.items():
        for while_served in (True, False):
            what = f"{jump}, {'while it is served' if while_served else 'at a start'}"
            wrong, out = _jump(folder / what.replace(" ", "-"), seconds, while_served=while_served)
            report.wrong += [f"{what}: {line}" for line in wrong]
            again += out
    report.figures = {"went wrong": len(report.wrong), "had to join again": again}
    return report


def _jump(place: Path, seconds: float, *, while_served: bool) -> tuple[list[str], bool]:
    """Return what went wrong, and whether the device that came while the clock was wrong has to join again."""
    place.mkdir(parents=True)
    at, wrong = place / "seconds", []
    before = _CLOCK.format(at=str(at)) + _WRONG_CLOCK + ONLY_HERE

    def start() -> Served:
        return Served(place / "data", "--https", before=before)

    def is_in(token: str) -> bool:
        return ask(served.port, "GET", f"/games/{game}", https=True, token=token)[0] == 200

    _set(at, 0.0)
    served = start()
    try:
        game, before_it, meanwhile = new_game(served.port, https=True), join(served.port, https=True), ""
        seen_at = 0.0
        for version, off in enumerate((seconds, 0.0), 1):
            if not while_served:
                _end(served)
            _set(at, off)
            if not while_served:
                served = start()
                if not _certificate_is_valid(served.port, time.time() + off):
                    wrong.append("the certificate is not valid")
            meanwhile = meanwhile or join(served.port, https=True)
            stays = while_served or off - seen_at < MAX_ABSENCE_S
            seen_at = off if stays else seen_at
            if is_in(before_it) != stays:
                wrong.append(f"who was in is {'out' if stays else 'in'} when the clock is off by {off:.0f} s")
            play = json.dumps({"version": version, "kind": "exchange"})
            status, _, _ = ask(served.port, "POST", f"/api/v1/games/{game}/turns", play, https=True)
            if status != 200:
                wrong.append(f"{status} for a turn when the clock is off by {off:.0f} s")
        again = not is_in(meanwhile)
        if again and while_served:
            wrong.append("who came meanwhile is out")
    finally:
        served.kill()
    return wrong, again


def _set(at: Path, seconds: float) -> None:
    new = at.with_suffix(".new")
    new.write_text(str(seconds))
    new.replace(at)


def _end(served: Served) -> None:
    served.process.terminate()
    served.process.communicate(timeout=60)


def _certificate_is_valid(port: int, now: float) -> bool:
    certificate = x509.load_pem_x509_certificate(ssl.get_server_certificate(("127.0.0.1", port)).encode())
    moment = datetime.fromtimestamp(now, timezone.utc)
    return certificate.not_valid_before_utc <= moment <= certificate.not_valid_after_utc
