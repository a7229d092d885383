"""Getting in: by the code of a QR code, by PIN; and the list of who is in."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import numpy as np
import pytest
from clockkit import Clock
from flask import Flask
from flask.testing import FlaskClient
from guestkit import SERVER, find_session, guest, leads_to, read_qr, stranger
from hypothesis import given
from hypothesis import strategies as st
from webkit import BY_SCRIPT, Lobby, OpenPage, Site, read_error, start_game, text

from webui import server
from webui.access.gate import Gate
from webui.access.invitations import (
    FREE_TRIES_HERE,
    FREE_TRIES_OVERALL,
    LONGEST_WAIT_S,
    Invitation,
    Invitations,
    Pin,
    qr_blocks,
    qr_svg,
)
from webui.access.sessions import MAX_ABSENCE_S, MAX_NAME, Role, Sessions, device_name, tidy_name
from webui.app import services_of
from webui.errors import InvitationOver, NotThere, TooManyTries, WrongPin
from webui.security import Reach, Unreachable
from webui.services import Services

DAY = 86_400.0


EVENING = datetime(2026, 11, 14, 22, 0, tzinfo=timezone.utc).timestamp()


@pytest.fixture
def clock() -> Clock:
    return Clock(EVENING)


def code(services: Services, role: Role, game: int | None = None) -> str:
    return f"/join/{services.gate.invitations.code(Invitation(role, game))}"


def test_a_code_is_exchanged_for_a_cookie_and_leaves_the_address(site: Site) -> None:
    phone = stranger(site.app)
    answer = phone.get(code(site.services, Role.VIEWER, 1))
    assert (answer.status_code, answer.headers["Location"]) == (303, "/games/1")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("upscore-8000=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert phone.get("/games/1").status_code == 200
    assert phone.post("/games/1/pass", data={"version": "1"}).status_code == 403
    (session,) = site.services.gate.sessions.all()
    assert (session.name, session.role, session.games) == ("Android phone", Role.VIEWER, None)
    secret = cookie.partition("=")[2].partition(";")[0]
    kept = (site.services.config.data_dir / "devices.json").read_text()
    assert session.digest in kept
    assert secret not in kept
    for name in ("devices.json", "join.json"):
        assert (site.services.config.data_dir / name).stat().st_mode & 0o777 == 0o600


def test_over_https_the_cookie_stays_there(site: Site) -> None:
    answer = stranger(site.app).get(code(site.services, Role.VIEWER), base_url=f"https://{SERVER}:8000")
    assert "Secure" in answer.headers["Set-Cookie"]


def test_scanning_again_is_the_same_device_and_never_takes_away(site: Site) -> None:
    phone = guest(site.app, Role.VIEWER)
    phone.get(code(site.services, Role.VIEWER, 1))
    phone.get(code(site.services, Role.SCORER, 1))
    assert (find_session(site.app, "Phone").role, find_session(site.app, "Phone").games) == (Role.SCORER, (1,))
    phone.get(code(site.services, Role.VIEWER, 1))
    phone.get(code(site.services, Role.SCORER, 2))
    assert find_session(site.app, "Phone").games == (1, 2)
    phone.post("/join", data={"pin": site.services.gate.pin.digits})
    phone.get(code(site.services, Role.SCORER, 1))
    assert (find_session(site.app, "Phone").role, find_session(site.app, "Phone").games) == (Role.SCORER, None)
    phone.get(code(site.services, Role.KEEPER))
    phone.post("/join", data={"pin": site.services.gate.pin.digits})
    assert find_session(site.app, "Phone").role == Role.KEEPER
    assert len(site.services.gate.sessions.all()) == 1


def test_a_glance_at_a_link_lets_nobody_in(lobby: Lobby) -> None:
    assert stranger(lobby.app).head(code(lobby.services, Role.VIEWER)).status_code == 303
    assert lobby.client.get(code(lobby.services, Role.VIEWER)).status_code == 303, (
        "the computer has all rights as it is"
    )
    assert lobby.services.gate.sessions.all() == ()


@pytest.mark.parametrize("bad", ["x", "v-", "v-0123456789abcdef", "v1-0123456789abcdef", "z-0123456789abcdef"])
def test_what_is_no_code_says_what_to_do(site: Site, bad: str) -> None:
    answer = stranger(site.app).get(f"/join/{bad}")
    assert answer.status_code == 410
    assert "ask the scorekeeper" in read_error(answer)
    assert "Set-Cookie" not in answer.headers


def test_a_code_of_another_table_or_role_is_no_code(services: Services) -> None:
    ours = services.gate.invitations.code(Invitation(Role.VIEWER, 36))
    for forged in (f"s{ours[1:]}", f"k{ours[1:]}", ours.replace("v10-", "v11-"), ours.replace("v10-", "v-")):
        assert forged != ours
        with pytest.raises(InvitationOver):
            services.gate.invitations.read(forged)


def test_codes_hold_for_a_day_also_after_a_restart_and_then_say_so(tmp_path: Path, clock: Clock) -> None:
    wanted = Invitation(Role.SCORER, 2**53 - 1)
    made = Invitations(tmp_path, clock).code(wanted)
    clock.now += 25 * 3600
    again = Invitations(tmp_path, clock)
    assert again.read(made) == wanted
    assert again.code(wanted) != made
    clock.now += 7 * DAY
    with pytest.raises(InvitationOver, match="This QR code is from 14 November and has expired: ask the scorekeeper"):
        again.read(made)
    clock.now += 400 * DAY
    with pytest.raises(InvitationOver, match="does not belong to this scoresheet"):
        again.read(made)


def test_new_codes_make_old_ones_void(tmp_path: Path, clock: Clock) -> None:
    invitations = Invitations(tmp_path, clock)
    made = invitations.code(Invitation(Role.VIEWER))
    invitations.renew()
    for each in (invitations, Invitations(tmp_path, clock)):
        with pytest.raises(InvitationOver, match="was replaced by a new one"):
            each.read(made)
        assert each.read(each.code(Invitation(Role.VIEWER))) == Invitation(Role.VIEWER)


@given(
    role=st.sampled_from(Role), game=st.none() | st.integers(0, 2**53 - 1), at=st.integers(0, 60), sign=st.characters()
)
def test_a_code_says_what_it_was_made_for_and_no_other_does(
    tmp_path_factory: pytest.TempPathFactory, role: Role, game: int | None, at: int, sign: str
) -> None:
    invitations = Invitations(tmp_path_factory.getbasetemp(), Clock(EVENING))
    made = invitations.code(Invitation(role, game))
    assert invitations.read(made) == Invitation(role, game)
    other = f"{made[: at % len(made)]}{sign}{made[at % len(made) + 1 :]}"
    if other != made:
        with pytest.raises(InvitationOver):
            invitations.read(other)


@given(st.text(max_size=90))
def test_a_name_is_short_and_can_be_seen(name: str) -> None:
    tidy = tidy_name(name)
    assert len(tidy) <= MAX_NAME
    assert tidy.isprintable()
    assert tidy_name(tidy) == tidy


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"key": "x", "epoch": 0}', '{"devices": [{}]}', "[" * 100_000])
def test_damaged_files_let_nobody_in(tmp_path: Path, clock: Clock, damage: str) -> None:
    made = Invitations(tmp_path, clock).code(Invitation(Role.VIEWER))
    token, _ = Sessions(tmp_path, clock, steady=clock).begin("Phone", Role.VIEWER)
    for name in ("join.json", "devices.json"):
        (tmp_path / name).write_text(damage)
    with pytest.raises(InvitationOver):
        Invitations(tmp_path, clock).read(made)
    assert Sessions(tmp_path, clock, steady=clock).find(token) is None


def test_tables_of_one_name_are_told_apart_by_when_they_began(client: FlaskClient, services: Services) -> None:
    for players in (("Red", "Blue"), ("Red", "Blue"), ("Ann", "Bo")):
        start_game(services, *players)
    shown = re.findall(r"#join\"/></svg><span>(.*?)</span>", text(client.get("/devices")))
    assert [each.partition("<br>")[0] for each in shown] == ["Ann - Bo", "Red - Blue", "Red - Blue"]
    assert ["begun" in each for each in shown] == [False, True, True]


def test_the_pin_lets_a_device_keep_the_score(site: Site) -> None:
    phone = stranger(site.app)
    page = text(phone.get("/games/1"))
    assert 'name="to" value="/games/1"' in page
    digits = site.services.gate.pin.digits
    form = {"pin": f"{digits[:3]} {digits[3:]}", "name": "  Anna's\tphone ", "to": "/games/1"}
    answer = phone.post("/join", data=form)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/games/1")
    assert phone.post("/games/1/pass", data={"version": "1"}).status_code == 303
    assert find_session(site.app, "Anna's phone").role == Role.SCORER


@pytest.mark.parametrize("to", ["https://evil.example/", "//evil.example", "/\\evil.example", "/join", "", "x"])
def test_the_pin_leads_to_this_page_alone(app: Flask, services: Services, to: str) -> None:
    answer = stranger(app).post("/join", data={"pin": services.gate.pin.digits, "to": to})
    assert answer.headers["Location"] == "/"


def test_a_wrong_pin_says_how_long_to_wait(site: Site) -> None:
    right = site.services.gate.pin.digits
    wrong = "0" * 6 if right != "0" * 6 else "1" * 6
    phone = stranger(site.app)
    empty = phone.post("/join", data={"pin": " "})
    assert (empty.status_code, "six digits" in read_error(empty)) == (400, True)
    slip = phone.post("/join", data={"pin": "12a 456"})
    assert (slip.status_code, "six digits" in read_error(slip)) == (400, True), "it costs no try"
    told = [read_error(phone.post("/join", data={"pin": wrong, "name": "Anna"})) for _ in range(2)]
    assert told == ["Wrong PIN. 2 tries left.", "Wrong PIN. 1 try left."]
    locked = phone.post("/join", data={"pin": wrong, "name": "Anna"})
    assert (locked.status_code, locked.headers["Retry-After"]) == (429, "30")
    assert "Too many wrong PINs. Try again in 30 seconds" in read_error(locked)
    assert 'value="Anna"' in text(locked)
    assert phone.post("/join", data={"pin": right}).status_code == 429, "the right one is not looked at, either"
    assert stranger(site.app, "192.168.1.78").post("/join", data={"pin": right}).status_code == 303
    as_json = phone.post("/join", data={"pin": right}, headers=BY_SCRIPT)
    assert list(as_json.get_json()) == ["error"]


def guess(pin: Pin, address: str) -> float:
    """A wrong PIN; seconds of the wait that it brings."""
    try:
        pin.check("no", address)
    except WrongPin:
        return 0.0
    except TooManyTries as error:
        return error.wait_s
    raise AssertionError("it was the PIN")


def test_the_wait_grows_with_every_guess_and_is_forgotten_in_the_end(clock: Clock) -> None:
    pin = Pin(clock)
    assert [guess(pin, "10.0.0.1") for _ in range(FREE_TRIES_HERE)] == [0.0, 0.0, 30.0]
    waits = []
    for _ in range(10):
        clock.now += LONGEST_WAIT_S
        waits.append(guess(pin, "10.0.0.1"))
    assert waits == [60.0, 120.0, 240.0, 480.0, 960.0, 1920.0, *[LONGEST_WAIT_S] * 4]
    clock.now += 10.0
    assert guess(pin, "10.0.0.1") == LONGEST_WAIT_S - 10.0, "asking while the wait is on makes it no longer"
    pin.check(pin.digits, "10.0.0.2")
    clock.now += LONGEST_WAIT_S
    pin.check(pin.digits, "10.0.0.1")
    clock.now += 2 * DAY
    assert [guess(pin, "10.0.0.1") for _ in range(FREE_TRIES_HERE)] == [0.0, 0.0, 30.0]


def test_guesses_from_many_addresses_make_all_wait(clock: Clock) -> None:
    pin = Pin(clock)
    waits = [guess(pin, f"10.0.0.{at}") for at in range(FREE_TRIES_OVERALL)]
    assert waits == [0.0] * (FREE_TRIES_OVERALL - 1) + [30.0]
    with pytest.raises(TooManyTries):
        pin.check(pin.digits, "10.0.1.1")
    tried, end = 0, clock.now + DAY
    while clock.now < end:
        clock.now += guess(pin, f"10.{tried % 250}.2.1")
        tried += 1
    assert tried < 40, "so many of a million can be tried in a day"


def test_addresses_of_one_network_of_ipv6_are_one(clock: Clock) -> None:
    pin = Pin(clock)
    waits = [guess(pin, f"2001:db8::{at}") for at in range(1, FREE_TRIES_HERE + 1)]
    assert waits[-1] > 0.0
    assert guess(pin, "::ffff:10.0.0.1") == guess(pin, "::ffff:10.0.0.2") == 0.0


def test_many_guesses_at_once_are_looked_at_one_by_one() -> None:
    pin = Pin()

    def try_pin(_: int) -> str:
        try:
            pin.check("no", "10.0.0.1")
        except (WrongPin, TooManyTries) as error:
            return type(error).__name__
        return "in"

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(try_pin, range(200)))
    assert answers.count("WrongPin") == FREE_TRIES_HERE - 1
    assert answers.count("TooManyTries") == 200 - FREE_TRIES_HERE + 1


def test_a_pin_is_six_digits_and_another_each_time() -> None:
    pins = {Pin().digits for _ in range(20)}
    assert len(pins) > 15
    assert all(re.fullmatch(r"\d{6}", each) for each in pins)
    pin = Pin()
    before = pin.digits
    pin.renew()
    with pytest.raises(WrongPin):
        pin.check(before if before != pin.digits else "no", "10.0.0.1")


def test_devices_survive_a_restart_and_can_be_ended(app: Flask, services: Services, open_page: OpenPage) -> None:
    phone, other = guest(app, Role.VIEWER, name="One"), guest(app, Role.SCORER, (7,), name="Two")
    services.close()
    again = open_page()
    for each in (phone, other):
        each.application = again
        assert each.get("/games").status_code == 200
    assert find_session(again, "Two").games == (7,)
    ended = find_session(again, "One").id
    assert again.test_client().post(f"/devices/{ended}/end").status_code == 303
    answer = phone.get("/games")
    assert answer.status_code == 401
    assert "This device was removed" in read_error(answer)
    assert other.get("/games").status_code == 200


def test_a_device_that_stayed_away_has_to_join_again(tmp_path: Path, clock: Clock) -> None:
    sessions = Sessions(tmp_path, clock, steady=clock)
    token, _ = sessions.begin("Phone", Role.VIEWER)
    clock.now += MAX_ABSENCE_S - 1
    assert sessions.find(token) is not None
    clock.now += MAX_ABSENCE_S - 1
    assert sessions.find(token) is not None, "being seen is what counts"
    clock.now += MAX_ABSENCE_S + 1
    assert sessions.find(token) is None
    assert sessions.all() == ()


def test_more_devices_than_are_kept_put_the_oldest_viewer_out(tmp_path: Path, clock: Clock) -> None:
    most = 30
    sessions = Sessions(tmp_path, clock, most, clock)
    scorer, _ = sessions.begin("Scorer", Role.SCORER)
    first, _ = sessions.begin("Phone", Role.VIEWER)
    second, _ = sessions.begin("Phone", Role.VIEWER)
    clock.now += 1
    assert sessions.find(second) is not None
    for _ in range(most - 1):
        clock.now += 1
        sessions.begin("Phone", Role.VIEWER)
    assert sessions.find(first) is None
    assert sessions.find(second) is not None, "it came back, as those that are looking on do"
    assert sessions.find(scorer) is not None
    assert len({each.name for each in sessions.all()}) == most


def test_a_device_that_was_just_let_in_or_is_looking_on_is_never_forgotten(tmp_path: Path, clock: Clock) -> None:
    most = 20
    sessions = Sessions(tmp_path, clock, most, clock)
    tokens = []
    for _ in range(most):
        tokens.append(sessions.begin("Phone", Role.VIEWER)[0])
        clock.now += 60
        assert sessions.find(tokens[-1]) is not None
    clock.now += DAY
    assert sessions.find(tokens[0]) is not None, "it looks on"
    for away in range(1, 10):
        new, _ = sessions.begin("Phone", Role.VIEWER)
        clock.now += 1
        assert sessions.find(new) is not None
        assert sessions.find(tokens[0]) is not None
        assert sessions.find(tokens[away]) is None, "the one that was away longest"
        clock.now += 1
    assert all(sessions.find(token) is not None for token in tokens[10:])


@pytest.mark.parametrize("jump", [40 * DAY, -2 * 365 * DAY])
def test_a_clock_that_is_put_right_ends_no_session(tmp_path: Path, clock: Clock, jump: float) -> None:
    steady = Clock(EVENING)
    sessions = Sessions(tmp_path, clock, steady=steady)
    before, _ = sessions.begin("Phone", Role.VIEWER)
    for by in (jump, -jump):
        clock.now += by
        new, _ = sessions.begin("Tablet", Role.VIEWER)
        assert sessions.find(before) is not None
        again = Sessions(tmp_path, clock, steady=steady)
        assert again.find(before) is not None
        assert again.find(new) is not None
    clock.now += MAX_ABSENCE_S + 1
    steady.now += MAX_ABSENCE_S + 1
    assert sessions.find(before) is None, "this time has passed"


def test_a_clock_that_was_ahead_at_the_start_and_is_put_right_puts_nobody_out(tmp_path: Path, clock: Clock) -> None:
    steady = Clock(EVENING)
    token, _ = Sessions(tmp_path, clock, steady=steady).begin("Phone", Role.VIEWER)
    clock.now += MAX_ABSENCE_S + 86_400
    ahead = Sessions(tmp_path, clock, steady=steady)
    assert ahead.find(token) is None  # as if it had been away for so long
    met, _ = ahead.begin("Tablet", Role.VIEWER)
    clock.now -= MAX_ABSENCE_S + 86_400
    for sessions in (ahead, Sessions(tmp_path, clock, steady=steady)):
        assert sessions.find(token) is not None
        assert sessions.find(met) is not None


def test_a_clock_that_is_wrong_for_a_run_sends_nobody_out_for_good(tmp_path: Path, clock: Clock) -> None:
    token, _ = Sessions(tmp_path, clock, steady=clock).begin("Phone", Role.VIEWER)
    clock.now += 40 * DAY
    wrong = Sessions(tmp_path, clock, steady=clock)
    wrong.begin("Tablet", Role.VIEWER)
    wrong.close()
    clock.now -= 40 * DAY
    assert Sessions(tmp_path, clock, steady=clock).find(token) is not None


def test_a_code_holds_when_the_clock_is_put_back_over_midnight(tmp_path: Path, clock: Clock) -> None:
    clock.now = 20_000 * DAY + 600
    invitations = Invitations(tmp_path, clock)
    made = invitations.code(Invitation(Role.VIEWER))
    clock.now -= 3600
    assert invitations.read(made) == Invitation(Role.VIEWER)


def test_guesses_slow_only_those_who_guess(clock: Clock) -> None:
    pin = Pin(clock)
    wrong = "0" if pin.digits != "0" else "1"
    for at in range(40):
        with pytest.raises((WrongPin, TooManyTries)):
            pin.check(wrong, f"10.0.0.{at % 10}")
    pin.check(pin.digits, "10.0.0.77")
    pin.check(pin.digits, "10.0.0.1", "a device")
    with pytest.raises(TooManyTries):
        pin.check(pin.digits, "10.0.0.1")
    pin.renew()
    pin.check(pin.digits, "10.0.0.1")


def test_a_folder_that_takes_no_file_keeps_nobody_out(tmp_path: Path, clock: Clock) -> None:
    nowhere = tmp_path / "gone"
    sessions, invitations = Sessions(nowhere, clock, steady=clock), Invitations(nowhere, clock)
    token, session = sessions.begin("Phone", Role.VIEWER)
    found = sessions.find(token)
    assert found == session
    assert invitations.read(invitations.code(Invitation(Role.VIEWER))) == Invitation(Role.VIEWER)
    with pytest.raises(NotThere):
        sessions.end("x")


@pytest.fixture
def phones(app: Flask) -> dict[str, str]:
    """The numbers of two devices that are in, by name."""
    for name in ("Anna's phone", "Ben's phone"):
        guest(app, Role.VIEWER, name=name)
    return {each.name: each.id for each in services_of(app).gate.sessions.all()}


def test_the_list_of_devices(site: Site, phones: dict[str, str]) -> None:
    anna = phones["Anna's phone"]
    page = text(site.client.get("/games/1/join"))
    assert page.count("data-device=") == 2
    assert page.count("watches, ") == 2
    assert "here now" in page
    answer = site.client.post(f"/devices/{anna}/role", data={"role": "scorer", "game": "1", "to": "/games/1/join"})
    assert answer.headers["Location"] == "/games/1/join"
    assert "keeps the score of this table" in text(site.client.get("/games/1/join"))
    assert "keeps the score of Red - Blue" in text(site.client.get("/devices"))
    elsewhere = text(site.client.get("/devices"))
    assert all(f"{button}</button>" in elsewhere for button in ("Let it score", "Watch only"))
    site.client.post(f"/devices/{anna}/role", data={"role": "viewer"})
    assert find_session(site.app, "Anna's phone").role == Role.VIEWER
    site.client.post(f"/devices/{anna}/role", data={"role": "scorer"})
    site.client.post(f"/devices/{anna}/role", data={"role": "scorer", "game": "1"})
    assert find_session(site.app, "Anna's phone").games is None
    assert "keeps the score of all tables" in text(site.client.get("/devices"))
    assert site.client.post(f"/devices/{anna}/role", data={"role": "keeper"}).status_code == 400
    assert site.client.post(f"/devices/{anna}/role", data={"role": "scorer", "game": "9"}).status_code == 404
    assert site.client.post("/devices/x/end").status_code == 404
    assert site.client.post(f"/devices/{anna}/end", data={"to": "//evil.example"}).headers["Location"] == "/devices"
    assert "Anna" not in text(site.client.get("/devices"))


def test_a_device_names_itself_and_leaves(site: Site) -> None:
    phone = guest(site.app, Role.VIEWER)
    assert phone.post("/join/name", data={"name": "\u200b \n"}).status_code == 400
    assert phone.post("/join/name", data={"name": "<b>Tablet</b>"}).status_code == 303
    assert "&lt;b&gt;Tablet" in text(phone.get("/join"))
    left = phone.post("/join/leave")
    assert left.status_code == 303
    assert phone.get("/games/1").status_code == 401
    assert site.services.gate.sessions.all() == ()


def test_new_codes_and_a_new_pin_from_the_list(lobby: Lobby) -> None:
    leads_to(lobby.services.gate, f"http://{SERVER}:8000/")
    before, url, pin = (
        text(lobby.client.get("/devices")),
        code(lobby.services, Role.VIEWER),
        lobby.services.gate.pin.digits,
    )
    assert f"http://{SERVER}:8000{url}" in before
    assert f"{pin[:3]} {pin[3:]}" in before
    lobby.client.post("/devices/renew")
    after = text(lobby.client.get("/devices"))
    assert url not in after
    assert stranger(lobby.app).get(url).status_code == 410
    assert pin != lobby.services.gate.pin.digits or pytest.skip("one in a million")


def test_every_table_has_a_code_of_its_own(site: Site) -> None:
    leads_to(site.services.gate, f"http://{SERVER}:8000/")
    other = start_game(site.services, "Cleo", "Dan")
    page = text(site.client.get("/devices"))
    assert 'href="/games/1/join"' in page
    assert f'href="/games/{other.row.id}/join"' in page
    codes = {code(site.services, Role.VIEWER, each) for each in (None, 1, other.row.id)}
    assert len(codes) == 3
    assert code(site.services, Role.VIEWER, other.row.id) in text(site.client.get(f"/games/{other.row.id}/join"))


def test_a_scorer_shows_the_code_for_viewers_and_no_more(site: Site, phones: dict[str, str]) -> None:
    page = text(guest(site.app, Role.SCORER).get("/games/1/join"))
    assert f"http://{SERVER}:8000{code(site.services, Role.VIEWER, 1)}" in page, (
        "the address by which it came is the one"
    )
    digits = site.services.gate.pin.digits
    assert f"{digits[:3]} {digits[3:]}" not in page
    assert digits not in page
    assert "Anna" not in page
    assert "/join/s" not in page


def test_without_an_address_for_others_the_page_says_how_to_get_one(site: Site) -> None:
    page = text(site.client.get("/games/1/join"))
    assert "upscore serve --host 0.0.0.0" in page
    assert "<svg viewBox" not in page


def test_the_page_says_that_there_is_no_network_yet(client: FlaskClient, services: Services) -> None:
    services.gate.look_around = lambda: Reach(None, (), Unreachable.NO_NETWORK)
    page = text(client.get("/devices"))
    assert "No network yet" in page
    assert "--host" not in page
    leads_to(services.gate, f"http://{SERVER}:8000/")
    assert f"http://{SERVER}:8000/join/" in text(client.get("/devices")), "it is looked at again"


def test_another_address_can_be_chosen_for_the_codes(site: Site) -> None:
    usual, vpn = f"http://{SERVER}:8000/", "http://10.8.0.6:8000/"
    leads_to(site.services.gate, usual, vpn)
    assert f"{vpn}join/" not in text(site.client.get("/devices"))
    assert site.client.post("/devices/address", data={"address": vpn}).status_code == 303
    for page in ("/devices", "/games/1/join"):
        shown = text(site.client.get(page))
        assert f"{vpn}join/" in shown
        assert f"{usual}join/" not in shown
        assert f'value="{usual}"' in shown, "the way back"
    keeper = guest(site.app, Role.KEEPER)
    assert f"{vpn}join/" in text(keeper.get("/devices")), "whichever address a keeper opened"
    leads_to(site.services.gate, usual)
    assert f"{usual}join/" in text(site.client.get("/devices")), "the chosen one is gone"


@pytest.mark.parametrize("address", ["", "http://evil.example/", "http://10.8.0.6:8000"])
def test_an_address_that_this_computer_does_not_have_is_no_choice(lobby: Lobby, address: str) -> None:
    leads_to(lobby.services.gate, f"http://{SERVER}:8000/", "http://10.8.0.6:8000/")
    refused = lobby.client.post("/devices/address", data={"address": address})
    assert (refused.status_code, "choose another" in read_error(refused)) == (400, True)
    assert lobby.services.gate.chosen == ""


def decode(dark: np.ndarray) -> str:
    """What a picture of a QR code says, (h, w), True where it is dark."""
    picture = np.kron(np.where(dark, 0, 255), np.ones((8, 8))).astype(np.uint8)
    return read_qr(picture)


def test_the_qr_code_in_the_terminal_says_its_address() -> None:
    address = "http://192.168.178.123:8000/join/v1y2p0ij32e7-AbCdEfGhIjKlMnOp"
    halves = {" ": (1, 1), "▀": (0, 1), "▄": (1, 0), "█": (0, 0)}
    rows: list[list[int]] = []
    for line in qr_blocks(address).splitlines():
        rows += [[halves[sign][half] for sign in line] for half in (0, 1)]
    dark = np.array(rows, dtype=bool)
    assert decode(dark[: dark.shape[1]]) == address


def test_the_qr_code_on_the_page_says_its_address() -> None:
    address = "http://192.168.1.5:8000/join/v-AbCdEfGhIjKlMnOp"
    drawn = str(qr_svg(address))
    assert "style=" not in drawn
    assert address not in drawn
    side = int(re.findall(r'viewBox="0 0 (\d+) \1"', drawn)[0])
    dark = np.zeros((side, side), dtype=bool)
    x, y = 0.0, -0.5
    for letter, *numbers in re.findall(r"([Mmh])(-?[\d.]+)(?:[ ,]?(-?[\d.]+))?", drawn.partition("stroke=")[2]):
        first, second = (float(each) if each else 0.0 for each in numbers)
        if letter == "h":
            dark[int(y), int(x) : int(x + first)] = True
            x += first
        else:
            x, y = (first, second) if letter == "M" else (x + first, y + second)
            x = float(int(x))
    assert decode(dark) == address


class Terminal:
    """Takes what is printed; `encoding` and `seen` are those of the terminal."""

    def __init__(self, encoding: str, seen: bool) -> None:
        self.encoding, self.seen, self.text = encoding, seen, ""

    def isatty(self) -> bool:
        return self.seen

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""


@pytest.mark.parametrize(
    ("encoding", "seen", "drawn"), [("utf-8", True, True), ("utf-8", False, False), ("ascii", True, False)]
)
def test_what_the_terminal_says(tmp_path: Path, encoding: str, seen: bool, drawn: bool) -> None:
    gate = Gate(tmp_path)
    silent = Terminal(encoding, seen)
    server.greet(gate, silent)  # type: ignore[arg-type]
    assert silent.text == ""
    server.greet(gate, silent, by_other_names=True)  # type: ignore[arg-type]
    assert f"{gate.pin.digits[:3]} {gate.pin.digits[3:]}" in silent.text
    behind = Terminal(encoding, seen)
    server.greet(Gate(tmp_path, behind_proxy=True), behind)  # type: ignore[arg-type]
    (code,) = re.findall(r"open this address there: /join/(\S+)", behind.text)
    assert gate.invitations.read(code).role == Role.KEEPER
    gate.look_around = lambda: Reach(None, (), Unreachable.NO_NETWORK)
    waiting = Terminal(encoding, seen)
    server.greet(gate, waiting)  # type: ignore[arg-type]
    assert waiting.text.startswith("No network yet: ")
    leads_to(gate, "http://192.168.1.5:8000/", "http://10.8.0.6:8000/")
    terminal = Terminal(encoding, seen)
    server.greet(gate, terminal)  # type: ignore[arg-type]
    assert ("█" in terminal.text) is drawn
    assert f"{gate.pin.digits[:3]} {gate.pin.digits[3:]}." in terminal.text
    codes = re.findall(r"http://192\.168\.1\.5:8000/join/(\S+)", terminal.text)
    assert [gate.invitations.read(each).role for each in codes] == [Role.VIEWER, Role.KEEPER]


@pytest.mark.parametrize(
    ("browser", "name"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)", "iPhone"),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile Safari", "Android phone"),
        ("Mozilla/5.0 (Linux; Android 14; SM-X200) Safari", "Android tablet"),
        ("Mozilla/5.0 (X11; Linux x86_64)", "Linux computer"),
        ("curl/8", "A device"),
        ("", "A device"),
    ],
)
def test_what_a_device_is_called_that_did_not_say(browser: str, name: str) -> None:
    assert device_name(browser) == name
    assert tidy_name(name) == name


def test_a_stream_ends_when_its_device_is_sent_out(site: Site) -> None:
    stream = guest(site.app, Role.VIEWER).get("/games/1/events").iter_encoded()
    assert next(stream) == b"retry: 2000\n\n"
    assert b"event: change" in next(stream)
    assert site.services.announcer.streams == 1
    site.services.gate.sessions.end(site.services.gate.sessions.all()[0].id)
    site.services.announcer.announce_all()
    assert list(stream) == []
    assert site.services.announcer.streams == 0


def test_what_is_kept_of_a_device(tmp_path: Path, clock: Clock) -> None:
    sessions = Sessions(tmp_path, clock, steady=clock)
    sessions.begin("Phone", Role.VIEWER)
    (kept,) = json.loads((tmp_path / "devices.json").read_text())["devices"]
    assert set(kept) == {"id", "digest", "name", "role", "games", "began", "seen", "ended", "seat"}
