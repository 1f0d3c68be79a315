"""The list of commands, their help, `show` and `check-content`."""

from dataclasses import replace

import pytest

from polyopolis.cli.app import COMMANDS
from polyopolis.cli.terminal import mycity, pointcity, rollwrite
from polyopolis.cli.terminal.box_drawing import plain_text
from polyopolis.cli.terminal.screen import Screen, screen_of
from polyopolis.games import BUILTIN_SPECS, GAME_SPECS, content_digest
from tests.cli.conftest import Run


def test_without_a_command_the_help_lists_all_commands(run: Run) -> None:
    result = run()
    assert result.code == 0
    listed = [line.split()[0] for line in result.out.partition("Commands:\n")[2].splitlines()]
    assert listed == [*COMMANDS, "people", "bots"]


@pytest.mark.parametrize("command", [*COMMANDS, "people", "bots"])
def test_every_command_has_help(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.code == 0
    assert f"Usage: polyopolis {command}" in result.out


def test_version(run: Run) -> None:
    assert run("--version").out.startswith("polyopolis 0.")


def members(protocol: type) -> set[str]:
    """Returns the names that a module needs to implement a protocol."""
    own = {name for name in vars(protocol) if not name.startswith("_")}
    return own | set(protocol.__annotations__)


@pytest.mark.parametrize("key", [key for key, spec in GAME_SPECS.items() if spec.terminal])
def test_every_screen_implements_the_protocol(key: str) -> None:
    assert {"words", "page", "contents"} <= members(Screen) <= set(dir(screen_of(key)))


def test_builtin_screens_have_the_type_of_the_protocol() -> None:
    """Specs name screens as text, which no type checker follows; this assignment is type-checked."""
    screens: tuple[Screen, ...] = (mycity, pointcity, rollwrite)
    assert [spec.terminal for spec in BUILTIN_SPECS] == [screen.__name__ for screen in screens]  # type: ignore[attr-defined]


def test_a_game_without_a_screen_can_be_checked_but_not_drawn(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAME_SPECS, "mycity", replace(GAME_SPECS["mycity"], terminal=None))
    result = run("play", "mycity")
    assert (result.code, result.err) == (2, "polyopolis: mycity is not drawn in the terminal.\n")
    assert run("check-content", "mycity").out == f"mycity v1: {content_digest('mycity', 1)}\n"
    assert "mycity" not in run("show", "nowhere").err


@pytest.mark.parametrize("name", ["mycity/eternal", "eternal"])
def test_show(run: Run, name: str) -> None:
    result = run("show", name)
    assert result.out.splitlines()[2] == " 1 │ ·   ·  ♣ ♣  ·   · ┃ ·   ·   ·   ·   ·   $ │"
    drawn = plain_text(mycity.drawn(mycity.boards(1)["eternal"]))
    assert [line.rstrip() for line in result.out.splitlines()] == drawn.splitlines()


@pytest.mark.parametrize("args", [(), ("mycity",)])
def test_check_content(run: Run, args: tuple[str, ...]) -> None:
    out = run("check-content", *args).out
    assert "mycity v1 board front: 11 x 11, 95 buildable cells, 37 + 58 on its banks\n" in out
    assert "mycity v1 episode-01: 24 cards on board front; counting trees, rocks, empty\n" in out
