"""What is there to run a server with says nothing that the server does not know."""

import re
import shlex
import tomllib
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import yaml

from polyopolis.server.options import Options
from polyopolis.server.settings import FILE, gathered, settings_of

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
SETTINGS = tuple(settings_of(Options))
VARIABLES = {setting.variable for setting in SETTINGS} | {FILE}
FLAGS = {setting.flag for setting in SETTINGS} | {"--config"}
NODES = ("first", "second")


def test_they_name_options_that_there_are() -> None:
    for path in DEPLOY.iterdir():
        named = set(re.findall(r"POLYOPOLIS_[A-Z_]+", path.read_text()))
        assert named <= VARIABLES, path.name
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    assert set(re.findall(r"POLYOPOLIS_[A-Z_]*[A-Z]", page)) <= VARIABLES | {"POLYOPOLIS_GAMES"}
    assert set(re.findall(r"polyopolis serve(?: (--[a-z-]+) [^-\n]+)", page)) <= FLAGS


def test_the_file_of_options_can_be_meant() -> None:
    assert gathered(Options, DEPLOY / "polyopolis.toml", {}, {}).public_url == "https://cities.example"


def test_the_unit_starts_the_server_as_somebody_who_can_do_little() -> None:
    unit = RawConfigParser(strict=False, comment_prefixes="#", delimiters="=")
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "polyopolis.service")
    service = dict(unit["Service"])
    _, command, *arguments = shlex.split(service["ExecStart"])
    assert command == "serve"
    assert {word for word in arguments if word.startswith("-")} <= FLAGS
    assert service["User"] == service["StateDirectory"] == "polyopolis"
    assert (service["ProtectSystem"], service["NoNewPrivileges"]) == ("strict", "yes")
    assert not service["CapabilityBoundingSet"]
    assert service["KillMode"] == "mixed", "bots are ended by the server, which may still need them"
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_the_container_is_built_from_what_is_there_and_runs_as_nobody() -> None:
    lines = [line.split() for line in _joined((DEPLOY / "Containerfile").read_text())]
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text().splitlines()
    sent = {line[1:] for line in ignored if line.startswith("!")}
    stages = {line[3] for line in lines if line[0] == "FROM" and len(line) == 4}
    for _, *words in (line for line in lines if line[0] == "COPY"):
        if words[0].startswith("--from="):
            assert words[0].partition("=")[2] in stages
            continue
        for source in words[:-1]:
            assert (ROOT / source).exists(), source
            assert source.partition("/")[0] in sent, source
    last = lines[[number for number, line in enumerate(lines) if line[0] == "FROM"][-1] :]
    said = {line[0]: " ".join(line[1:]) for line in last}
    assert int(said["USER"]) > 0
    assert "/ready" in said["HEALTHCHECK"]
    (extras,) = [line[1].partition("=")[2].split(",") for line in last if line[0] == "ARG"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(extras) <= project["optional-dependencies"].keys()


def _joined(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [line for line in "\n".join(lines).replace("\\\n", " ").splitlines() if line.strip()]


def test_two_nodes_share_a_database_behind_a_proxy_that_they_trust() -> None:
    compose: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services, proxy = compose["services"], compose["services"]["proxy"]
    first, second = (services[name] for name in NODES)
    assert first["environment"] == second["environment"]
    assert first["volumes"] != second["volumes"]
    assert first["environment"]["POLYOPOLIS_DATABASE"].startswith("postgresql://")
    assert first["environment"]["POLYOPOLIS_TRUSTED_PROXY"] == proxy["networks"]["default"]["ipv4_address"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert (DEPLOY / first["build"]["context"] / first["build"]["dockerfile"]).samefile(DEPLOY / "Containerfile")
    named = {volume.partition(":")[0] for service in services.values() for volume in service["volumes"]}
    assert {volume for volume in named if not volume.startswith(".")} == set(compose["volumes"])
    assert f"reverse_proxy {' '.join(f'{node}:8000' for node in NODES)} {{" in (DEPLOY / "Caddyfile").read_text()
