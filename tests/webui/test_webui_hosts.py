"""Under which names the server answers."""

from __future__ import annotations

import socket
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient
from webkit import OpenPage, Site, read_error

from webui.security import Reach, Unreachable, host_of, is_own, local_url, own_names, reach


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("localhost:8000", "localhost"),
        ("LOCALHOST", "localhost"),
        ("board.local.:80", "board.local"),
        ("127.0.0.1:8000", "127.0.0.1"),
        ("[::1]:8000", "::1"),
        ("[::1", None),
        ("[x]", None),
        ("a b", None),
        ("a/b", None),
        ("", None),
        ("a@b", None),
        ("a:99999999", None),
    ],
)
def test_the_host_of_a_header(header: str, host: str | None) -> None:
    assert host_of(header) == host


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("192.168.1.5", True),
        ("192.168.1.6", False),
        ("board", True),
        ("board.local", True),
        ("board.evil.example", False),
        ("other.local", False),
        ("evil.example", False),
        ("0.0.0.0", False),
        ("games.example", True),
        ("board.fritz.box", True),
        ("fritz.box", False),
        ("other.fritz.box", False),
        ("board.speedport.ip", True),
        ("board.station", True),
        ("board.attlocal.net", True),
        ("board.evil.attlocal.net", False),
        ("board.tail1a2b.ts.net", False),
    ],
)
def test_its_own_names_and_addresses(monkeypatch: pytest.MonkeyPatch, host: str, own: bool) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Board")
    names = own_names(("Games.Example",))
    assert is_own(host, names, "192.168.1.5") is own
    assert is_own(host, names, "::ffff:192.168.1.5") is own


@pytest.mark.parametrize(
    ("host", "arrived_at", "own"),
    [
        ("board.tail1a2b.ts.net", "100.101.102.103", True),
        ("board.tail1a2b.ts.net", "fd7a:115c:a1e0::1", True),
        ("board.tail1a2b.ts.net", "::ffff:100.101.102.103", True),
        ("board.tail1a2b.ts.net", "127.0.0.1", False),
        ("board.tail1a2b.ts.net", "192.168.1.5", False),
        ("other.tail1a2b.ts.net", "100.101.102.103", False),
        ("board.ts.net", "100.101.102.103", False),
        ("board.a.b.ts.net", "100.101.102.103", False),
        ("board.tail1a2b.ts.net.evil.example", "100.101.102.103", False),
        ("100.101.102.103", "100.101.102.103", True),
    ],
)
def test_a_name_of_tailscale_counts_at_its_own_addresses_alone(
    monkeypatch: pytest.MonkeyPatch, host: str, arrived_at: str, own: bool
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "board")
    assert is_own(host, own_names(), arrived_at) is own


def test_the_full_name_that_this_computer_has_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Board.club.example")
    assert {"board.club.example", "board", "board.fritz.box"} <= own_names()


WIFI = ("wlan0", "192.168.178.40")
VPN = ("tun0", "10.8.0.6")
DOCKER = ("docker0", "172.17.0.1")
IPV6 = ("wlan0", "2001:db8::40")


def has(monkeypatch: pytest.MonkeyPatch, *addresses: tuple[str, str], flags: str = "up,running") -> None:
    """Let this computer have these addresses at these interfaces, and no way to the internet."""
    interfaces: dict[str, list[SimpleNamespace]] = {}
    for name, ip in addresses:
        family = socket.AF_INET6 if ":" in ip else socket.AF_INET
        interfaces.setdefault(name, []).append(SimpleNamespace(family=family, address=ip))
    stats = {
        name: SimpleNamespace(isup=not name.startswith("down"), flags="loopback" if name == "lo" else flags)
        for name in interfaces
    }
    monkeypatch.setattr("psutil.net_if_addrs", lambda: interfaces)
    monkeypatch.setattr("psutil.net_if_stats", lambda: stats)
    monkeypatch.setattr("webui.security._find_routed_address", lambda: None)


def urls(found: Reach) -> list[str | None]:
    """Return the address that is shown, and the others."""
    return [found.shown.url if found.shown else None, *(each.url for each in found.others)]


@pytest.mark.parametrize(
    ("addresses", "shown", "others"),
    [
        ([VPN, WIFI], "http://192.168.178.40:80/", ["http://10.8.0.6:80/"]),
        ([DOCKER, VPN, WIFI], "http://192.168.178.40:80/", ["http://10.8.0.6:80/", "http://172.17.0.1:80/"]),
        ([DOCKER, WIFI], "http://192.168.178.40:80/", ["http://172.17.0.1:80/"]),
        ([("lo", "127.0.0.1"), ("lo", "10.255.255.254"), WIFI, IPV6], "http://192.168.178.40:80/", []),
        ([("wlan0", "169.254.7.7"), ("wlan0", "fe80::1%wlan0"), WIFI], "http://192.168.178.40:80/", []),
        ([("down0", "10.0.0.9"), WIFI], "http://192.168.178.40:80/", []),
        ([("eth0", "8.8.4.4"), WIFI], "http://192.168.178.40:80/", ["http://8.8.4.4:80/"]),
        (
            [("tailscale0", "100.101.102.103"), ("wg0", "10.1.1.1"), ("en0", "10.0.0.9")],
            "http://10.0.0.9:80/",
            ["http://10.1.1.1:80/", "http://100.101.102.103:80/"],
        ),
        (
            [
                ("virbr0", "192.168.122.1"),
                ("br-12ab", "172.18.0.1"),
                ("veth3", "10.9.9.9"),
                ("utun4", "10.8.0.6"),
                ("ppp0", "10.64.0.1"),
                ("en0", "192.168.1.2"),
            ],
            "http://192.168.1.2:80/",
            [
                "http://10.8.0.6:80/",
                "http://10.64.0.1:80/",
                "http://192.168.122.1:80/",
                "http://172.18.0.1:80/",
                "http://10.9.9.9:80/",
            ],
        ),
    ],
)
def test_the_address_that_a_phone_at_the_table_can_open_is_shown(
    monkeypatch: pytest.MonkeyPatch, addresses: list[tuple[str, str]], shown: str, others: list[str]
) -> None:
    has(monkeypatch, *addresses)
    assert urls(reach("0.0.0.0", 80, https=False)) == [shown, *others]


def test_a_line_between_two_points_is_no_wifi_whatever_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, ("office", "10.8.0.6"), flags="up,pointopoint,running")
    assert reach("0.0.0.0", 80, https=False).problem is Unreachable.NO_NETWORK


def test_of_two_networks_the_one_on_the_way_to_the_internet_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, ("eth0", "192.168.0.9"), WIFI)
    assert urls(reach("0.0.0.0", 80, https=True))[0] == "https://192.168.0.9:80/"
    monkeypatch.setattr("webui.security._find_routed_address", lambda: "192.168.178.40")
    assert urls(reach("0.0.0.0", 80, https=True))[0] == "https://192.168.178.40:80/"


@pytest.mark.parametrize(
    ("addresses", "problem", "others"),
    [
        ([], Unreachable.NO_NETWORK, []),
        ([("lo", "127.0.0.1"), ("wlan0", "169.254.7.7")], Unreachable.NO_NETWORK, []),
        ([VPN, DOCKER], Unreachable.NO_NETWORK, ["http://10.8.0.6:80/", "http://172.17.0.1:80/"]),
        ([IPV6], Unreachable.IPV6_ALONE, []),
    ],
)
def test_without_a_network_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch, addresses: list[tuple[str, str]], problem: Unreachable, others: list[str]
) -> None:
    has(monkeypatch, *addresses)
    found = reach("0.0.0.0", 80, https=False)
    assert (urls(found), found.problem) == ([None, *others], problem)


def test_served_at_all_addresses_of_ipv6_those_are_shown_too(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, IPV6)
    assert urls(reach("::", 80, https=False)) == ["http://[2001:db8::40]:80/"]
    has(monkeypatch, IPV6, WIFI)
    assert urls(reach("::", 80, https=False)) == ["http://192.168.178.40:80/", "http://[2001:db8::40]:80/"]


def test_served_at_one_address_no_other_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, WIFI, VPN)
    assert urls(reach("10.8.0.6", 80, https=False)) == ["http://10.8.0.6:80/"]
    assert urls(reach("board.example", 80, https=False)) == ["http://board.example:80/"]
    for own in ("127.0.0.1", "localhost", "::1"):
        assert reach(own, 80, https=False) == Reach(None, (), Unreachable.HERE_ALONE)


def test_where_no_interface_is_told_the_way_to_the_internet_tells_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise PermissionError("no /proc")

    monkeypatch.setattr("psutil.net_if_stats", refuse)
    monkeypatch.setattr("webui.security._find_routed_address", lambda: "192.168.1.5")
    found = reach("0.0.0.0", 80, https=False)
    assert urls(found) == [str(found.shown)] == ["http://192.168.1.5:80/"], "no empty brackets for an interface"
    monkeypatch.setattr("webui.security._find_routed_address", lambda: None)
    assert reach("0.0.0.0", 80, https=False).problem is Unreachable.NO_NETWORK


def test_the_page_on_this_computer() -> None:
    assert local_url("127.0.0.1", 80, https=False) == "http://127.0.0.1:80/"
    assert local_url("::1", 80, https=True) == "https://[::1]:80/"
    assert local_url("0.0.0.0", 80, https=False) == "http://127.0.0.1:80/"


@pytest.mark.parametrize("url", ["/", "/games", "/games/1", "/games/1/events", "/static/style.css", "/nowhere"])
def test_a_page_is_shown_under_its_own_name_alone(site: Site, url: str) -> None:
    response = site.client.get(url, headers={"Host": "rebound.example:8000"})
    assert response.status_code == 403
    assert "--name rebound.example" in read_error(response)
    with site.client.get(url, headers={"Host": "127.0.0.1:8000"}) as own:
        assert own.status_code != 403


def test_a_rebound_name_changes_nothing(site: Site) -> None:
    own = {"Host": "rebound.example", "Origin": "http://rebound.example"}
    assert site.client.post("/games/1/pass", data={"version": "1"}, headers=own).status_code == 403


@pytest.mark.parametrize("host", ["[::1", "a b", "a\tb", "@", "x" * 64, "x" * 300, "a..b"])
def test_a_host_that_is_none_is_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/games", headers={"Host": host}).status_code == 403


def test_a_name_that_was_given_is_known(open_page: OpenPage) -> None:
    client = open_page(names=("club.example",)).test_client()
    answer = client.get("/games", headers={"Host": "club.example"})
    assert answer.status_code == 401, "it is answered, with how to get in: the name is not this computer's own"
    assert client.get("/join", headers={"Host": "club.example"}).status_code == 200
