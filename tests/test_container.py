"""The files for Docker, as far as they can be tested without it: `tools/docker/try.sh` runs their steps, as root."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

from webkit import ScriptedReader, config, empty_position

from upscore.cli import build_parser
from webui.app import create_app, services_of
from webui.hall import Source

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tools" / "docker"
DOCKERFILE = (FOLDER / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
STEPS = [
    (line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in DOCKERFILE.splitlines() if line and line[0].isupper()
]
LAST = dict(STEPS)
"""The rest of the line of each instruction, where it comes last."""


def test_the_wheel_is_made_from_files_that_are_there() -> None:
    ignored = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    kept = [line[1:] for line in ignored if line.startswith("!")]
    assert "*" in ignored
    assert [name for name in kept if not (ROOT / name).exists()] == []
    found = re.search(r"include = \[(.*)\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert found
    assert set(re.findall(r'"(\w+)\*"', found[1])) | {"pyproject.toml", "README.md", "LICENSE"} == set(kept)


def test_it_serves_to_the_network_as_a_user_of_its_own_and_keeps_games_in_the_volume() -> None:
    program, *words = json.loads(LAST["ENTRYPOINT"])
    args = build_parser().parse_args(words)
    assert (program.rsplit("/", 1)[1], words[0], args.host, args.no_browser) == ("upscore", "serve", "0.0.0.0", True)
    assert str(args.data) == LAST["VOLUME"] == LAST["WORKDIR"]
    assert f"useradd --uid 1000 --groups video --no-create-home --home-dir /data {LAST['USER']}" in DOCKERFILE
    assert str(args.port) == LAST["EXPOSE"]
    assert LAST["USER"] != "root"


def test_the_health_check_asks_for_a_page_that_strangers_and_the_computer_itself_get(tmp_path: Path) -> None:
    found = re.search(r"'http://127\.0\.0\.1:(\d+)(/[^']*)'", LAST["HEALTHCHECK"])
    assert found
    assert found[1] == LAST["EXPOSE"]
    for behind_proxy in (False, True):
        folder, reader = tmp_path / str(behind_proxy), ScriptedReader(position=empty_position())
        app = create_app(config(folder, reader, behind_proxy=behind_proxy))
        assert app.test_client().get(found[2], follow_redirects=True).status_code == 200
        services_of(app).close()


def test_the_compose_file_names_the_dockerfile_and_the_volume() -> None:
    compose = (FOLDER / "compose.yaml").read_text(encoding="utf-8")
    context, dockerfile = re.findall(r"(?:context|dockerfile): (\S+)", compose)
    assert (FOLDER / context).resolve() == ROOT
    assert (ROOT / dockerfile).is_file()
    assert f"- games:{LAST['VOLUME']}" in compose
    assert "network_mode: host" in compose


def test_every_step_of_a_hall_finds_its_variables_in_the_file_beside_it() -> None:
    hall = (FOLDER / "hall.yaml").read_text(encoding="utf-8")
    steps = [line.removeprefix("#").strip() for line in hall.splitlines() if line.startswith("#")]
    assert any("a file .env beside this one" in line for line in steps)
    set_there = [line.partition("=")[0] for line in steps if re.match(r"\w+=\S+$", line)]
    assert sorted(set_there) == sorted(set(re.findall(r"\$\{(\w+)", hall)))
    commands = [line for line in steps if "docker compose" in line]
    assert len(commands) == 2
    for line in commands:  # compose fills in the variables of the file in every command
        assert re.match(r"(2\. )?docker compose --file hall\.yaml ", line)


def test_in_a_hall_each_page_answers_to_the_names_that_the_front_and_the_page_of_all_tables_use() -> None:
    hall = (FOLDER / "hall.yaml").read_text(encoding="utf-8").replace("${HALL:?}", "hall.example")
    hall = re.sub(r"\$\{TABLE\d:-\}", "/join/v-0123456789abcdef", hall)
    services = dict(re.findall(r"^  (\w+):\n((?:    .*\n)+)", hall, re.MULTILINE))
    served = {}
    for name in ("table1", "table2", "tables"):
        found = re.search(r"entrypoint: (\[.*\])", services[name])
        words = json.loads(found[1] if found else LAST["ENTRYPOINT"]) + json.loads(
            re.findall(r"command: (\[.*\])", services[name])[0]
        )
        served[name] = build_parser().parse_args(words[1:])
        assert (served[name].host, str(served[name].data)) == ("0.0.0.0", LAST["VOLUME"])
        assert f'["{name}:{LAST["VOLUME"]}"]' in services[name]
    assert served["table1"].behind_proxy
    assert served["table2"].behind_proxy
    front = (FOLDER / "hall.Caddyfile").read_text(encoding="utf-8").replace("{$HALL}", "hall.example")
    routes = re.findall(r"^(\S+) \{\n\treverse_proxy (\w+):(\d+)\n\}", front, re.MULTILINE)
    assert {service for _, service, _ in routes} == set(served)
    for name, service, port in routes:
        assert name in served[service].name
        assert port == str(served[service].port) == LAST["EXPOSE"]
    followed = [Source.parse(text) for text in served["tables"].addresses]
    assert [each.name for each in followed] == ["Table 1", "Table 2"]
    for each in followed:
        service, _, port = urlsplit(each.url).netloc.partition(":")
        assert service in served[service].name
        assert port == LAST["EXPOSE"]
        assert each.link
    assert "./hall.Caddyfile:" in services["front"]
