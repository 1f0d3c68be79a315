"""The files in deploy/ and docs/hosting.md agree with the options of the server and with each other."""

import re
import shlex
import subprocess
import tomllib
from configparser import RawConfigParser
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import yaml

from polyopolis.cli.hosting.serve import MAX_OPEN_FILES
from polyopolis.server.options import Options
from polyopolis.server.settings import CONFIG_FILE_VARIABLE, load_settings, settings_of

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SETTINGS = tuple(settings_of(Options))
VARIABLES = {setting.variable for setting in SETTINGS} | {CONFIG_FILE_VARIABLE}
FLAGS = {setting.flag for setting in SETTINGS} | {"--config"}
NEEDED_BYTES = (1_500 + 16 * 160 + 200) * 1024**2
"""Memory of a server under load, 16 bot processes, and the processes for replays and reviews."""
NEEDED_TASKS = 14 + 16 * 4 + 2 * 4
"""Threads of the same processes."""
COMPOSE_FILES = ("compose.yaml", "compose.single.yaml")
NODES = ("first", "second")


def test_files_and_page_name_existing_options() -> None:
    for path in DEPLOY.iterdir():
        named = set(re.findall(r"POLYOPOLIS_[A-Z_]+", path.read_text()))
        assert named <= VARIABLES, path.name
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    assert set(re.findall(r"POLYOPOLIS_[A-Z_]*[A-Z]", page)) <= VARIABLES | {"POLYOPOLIS_GAMES"}
    assert set(re.findall(r"polyopolis serve(?: (--[a-z-]+) [^-\n]+)", page)) <= FLAGS


def test_configuration_file_is_valid() -> None:
    assert load_settings(Options, DEPLOY / "polyopolis.toml", {}, {}).public_url == "https://cities.example"


def test_systemd_unit_runs_the_server_with_few_rights() -> None:
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
    assert service["KillMode"] == "mixed", "the server ends its bots, which it may still need"
    assert service["OOMPolicy"] == "continue", "the server replaces a bot that was killed"
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_systemd_unit_limits_memory_and_tasks_and_allows_enough_open_files() -> None:
    unit = RawConfigParser(strict=False, comment_prefixes="#", delimiters="=")
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "polyopolis.service")
    service = dict(unit["Service"])
    assert NEEDED_BYTES < bytes_of(service["MemoryHigh"]) < bytes_of(service["MemoryMax"])
    assert int(service["TasksMax"]) >= NEEDED_TASKS
    assert int(service["LimitNOFILE"]) >= MAX_OPEN_FILES


@pytest.mark.skipif(not which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "polyopolis.service").read_text()
    unit = tmp_path / "polyopolis.service"
    unit.write_text(re.sub("^(ExecStart=)[^ ]+", r"\1/bin/true", text, flags=re.MULTILINE))
    found = subprocess.run(["systemd-analyze", "verify", unit], check=False, capture_output=True, text=True)
    assert [line for line in found.stderr.splitlines() if unit.name in line] == []


def test_container_is_built_from_files_of_the_context_and_does_not_run_as_root() -> None:
    lines = [line.split() for line in _joined((DEPLOY / "Containerfile").read_text())]
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text().splitlines()
    sent = {line[1:] for line in ignored if line.startswith("!")}
    sources = [source for line in lines if line[0] == "COPY" for source in line[1:-1]]
    for source in sources:
        assert (ROOT / source).exists(), source
        assert source.partition("/")[0] in sent, source
    assert sent <= set(sources)
    assert ["RUN", "make", "dist"] in lines
    last = lines[[number for number, line in enumerate(lines) if line[0] == "FROM"][-1] :]
    said = {line[0]: " ".join(line[1:]) for line in last}
    assert int(said["USER"]) > 0
    assert "/ready" in said["HEALTHCHECK"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (extras,) = [line[1].partition("=")[2].split(",") for line in last if line[0] == "ARG"]
    assert set(extras) <= project["optional-dependencies"].keys()


def test_container_copies_the_files_that_the_build_reads() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    copied = set((DEPLOY / "Containerfile").read_text().split())
    assert {"Makefile", "pyproject.toml", "hatch_build.py", project["readme"], *project["license-files"]} <= copied


def bytes_of(size: str) -> int:
    """Converts a size as written in systemd and Compose files."""
    return int(size[:-1]) * {"M": 1024**2, "G": 1024**3}[size[-1].upper()]


def default_of(value: str) -> str:
    """Returns the default value of `${NAME:-default}`."""
    found = re.fullmatch(r"\$\{[A-Z_]+:-([^}]+)\}", value)
    assert found, value
    return found[1]


def _joined(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [line for line in "\n".join(lines).replace("\\\n", " ").splitlines() if line.strip()]


def _compose(name: str) -> dict[str, Any]:
    compose: dict[str, Any] = yaml.safe_load((DEPLOY / name).read_text())
    return compose


@pytest.mark.parametrize("name", COMPOSE_FILES)
def test_compose_file_limits_memory_and_tasks_of_each_container(name: str) -> None:
    for key, service in _compose(name)["services"].items():
        assert bytes_of(default_of(service["mem_limit"])) > (NEEDED_BYTES if "build" in service else 0), key
        assert int(default_of(service["pids_limit"])) > (NEEDED_TASKS if "build" in service else 0), key


@pytest.mark.parametrize("name", COMPOSE_FILES)
def test_compose_file_runs_servers_with_few_rights_and_declares_its_volumes(name: str) -> None:
    compose = _compose(name)
    servers = [service for service in compose["services"].values() if service["image"] == "polyopolis"]
    assert servers
    for server in servers:
        assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).samefile(DEPLOY / "Containerfile")
        assert server["read_only"] is True
        assert server["cap_drop"] == ["ALL"]
        assert server["security_opt"] == ["no-new-privileges:true"]
        (volume,) = server["volumes"]
        assert volume.endswith(":/data")
    named = {volume.partition(":")[0] for service in compose["services"].values() for volume in service["volumes"]}
    assert {volume for volume in named if not volume.startswith(".")} == set(compose["volumes"])


def test_compose_files_do_not_share_a_name_or_a_network() -> None:
    found = [_compose(name) for name in COMPOSE_FILES]
    assert len({compose["name"] for compose in found}) == len(found)
    assert len({compose["networks"]["default"]["ipam"]["config"][0]["subnet"] for compose in found}) == len(found)


def test_two_nodes_share_a_database_behind_a_proxy_that_they_trust() -> None:
    compose = _compose("compose.yaml")
    services, proxy = compose["services"], compose["services"]["proxy"]
    first, second = (services[name] for name in NODES)
    assert first["environment"] == second["environment"]
    assert first["volumes"] != second["volumes"]
    assert first["environment"]["POLYOPOLIS_DATABASE"].startswith("postgresql://")
    assert first["environment"]["POLYOPOLIS_TRUSTED_PROXY"] == proxy["networks"]["default"]["ipv4_address"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert f"reverse_proxy {' '.join(f'{node}:8000' for node in NODES)} {{" in (DEPLOY / "Caddyfile").read_text()


def test_single_container_uses_sqlite_and_is_published_on_localhost_only() -> None:
    compose = _compose("compose.single.yaml")
    (server,) = compose["services"].values()
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    assert "POLYOPOLIS_DATABASE" not in server["environment"]
    assert server["environment"]["POLYOPOLIS_TRUSTED_PROXY"] == network["gateway"]
    assert server["ports"] == ["127.0.0.1:8000:8000"]
