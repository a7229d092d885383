"""The short form of the campaigns: each holds, on a server of its own."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from workshop.bench.campaigns import (
    addresses,
    broken,
    guests,
    keeping,
    losses,
    photographs,
    pictures,
    strangers,
    viewers,
)
from workshop.bench.campaigns.served import Report

pytestmark = pytest.mark.slow

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits on another process are Linux's")


@pytest.fixture
def rng() -> random.Random:
    return random.Random(5)


def check_held(report: Report) -> Report:
    assert report.wrong == []
    return report


def test_a_server_that_is_killed_loses_nothing_it_acknowledged(tmp_path: Path, rng: random.Random) -> None:
    assert check_held(losses.kills(tmp_path / "data", 2, rng)).figures["lost"] == 0


def test_a_server_that_is_killed_while_it_reads_takes_the_photograph_once(tmp_path: Path, rng: random.Random) -> None:
    check_held(photographs.kill_while_reading(tmp_path / "data", 2, rng))


def test_a_power_cut_loses_nothing_that_was_acknowledged(tmp_path: Path, rng: random.Random) -> None:
    report = check_held(losses.power_cuts(tmp_path / "data", 5, rng))
    assert report.figures["opened"]


@linux
def test_a_full_disk_is_told_and_everything_still_shown(tmp_path: Path) -> None:
    assert "told" in check_held(losses.full_disk(tmp_path / "data")).figures


def test_a_locked_store_is_told_and_everything_still_shown(tmp_path: Path) -> None:
    assert "told" in check_held(losses.lock_store(tmp_path / "data")).figures


def test_a_damaged_store_is_mended(tmp_path: Path, rng: random.Random) -> None:
    assert check_held(losses.damage_stores(tmp_path, 3, rng)).figures["with its daily copy"] == "120 of 120"


def test_flipped_bytes_cost_no_game_that_a_copy_has(tmp_path: Path, rng: random.Random) -> None:
    assert check_held(keeping.flip_bytes(tmp_path, 2, rng)).figures["games as they were"] == "80 of 80"


def test_a_copy_of_the_main_file_alone_holds_every_entry(tmp_path: Path, rng: random.Random) -> None:
    assert check_held(keeping.copy_stores(tmp_path, 2, rng)).figures["entries"]


def test_a_folder_with_an_odd_name_has_its_own_copies(tmp_path: Path) -> None:
    check_held(keeping.odd_folders(tmp_path, ["club #1", "club %231"]))


def test_what_was_packed_again_is_taken_whole_or_refused(tmp_path: Path) -> None:
    figures = check_held(keeping.pack_again(tmp_path)).figures
    assert (figures["taken whole"], figures["refused with the reason"]) == (22, 8)


def test_a_further_device_puts_nobody_out_who_watches(tmp_path: Path) -> None:
    check_held(guests.many_devices(tmp_path, 30, 20))


def test_nobody_behind_a_proxy_is_at_the_computer(tmp_path: Path) -> None:
    assert check_held(guests.proxies(tmp_path)).figures["requests"]


def test_a_clock_that_is_set_puts_nobody_out(tmp_path: Path) -> None:
    check_held(guests.clocks(tmp_path))


def test_large_photographs_keep_to_their_memory(tmp_path: Path) -> None:
    assert "0 of them as they were taken" in check_held(photographs.of_phone_size(tmp_path, 2)).did


def test_photographs_of_a_folder_are_sent_as_they_were_taken(tmp_path: Path) -> None:
    folder = tmp_path / "photographs" / "IMG"
    folder.mkdir(parents=True)
    sample = Image.open(photographs.TURN)
    sample.resize((3264, 2448)).save(folder / "1.JPG", exif=sample.getexif())
    report = check_held(photographs.of_phone_size(tmp_path / "data", 2, folder.parent))
    assert report.did == "2 at one table, 1 of them as they were taken, the others enlarged"
    with pytest.raises(FileNotFoundError, match="no photographs"):
        photographs.of_phone_size(tmp_path / "none", 1, tmp_path / "data" / "photos" / "bin")


def test_mutated_pictures_are_pictures_or_one_line(rng: random.Random) -> None:
    check_held(pictures.pictures(150, rng))


def test_no_address_fails_whatever_is_sent_to_it() -> None:
    check_held(addresses.every_address(250))


def test_no_broken_request_fails_or_is_logged(tmp_path: Path, rng: random.Random) -> None:
    figures = check_held(broken.send_broken_requests(tmp_path, 150, rng)).figures
    assert {"200", "400", "401"} <= set(figures), "some are whole enough to be answered, and some are not"


def test_every_viewer_hears_of_every_turn(tmp_path: Path) -> None:
    assert check_held(viewers.viewers(tmp_path / "data", each=10, tables=2, seconds=1.0)).figures["events"]


@pytest.mark.parametrize("campaign", [viewers.slow_clients, viewers.dripping_bodies])
def test_connections_that_send_little_keep_nobody_out(campaign: Callable[[Path, int], Report], tmp_path: Path) -> None:
    import resource  # Windows has none

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    check_held(campaign(tmp_path / "data", min(450, soft - 200)))


@linux
@pytest.mark.parametrize("https", [False, True])
def test_strangers_keep_nobody_out(tmp_path: Path, https: bool) -> None:
    check_held(strangers.strangers(tmp_path, [strangers.Attack("short body", 200, https, 4.0)]))
