"""docs/cli.md lists all commands, and the examples in all documents are valid."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from polyopolis.cli.app import COMMANDS, app
from polyopolis.cli.hosting.bot_admin import bots_app
from polyopolis.cli.hosting.people_admin import people_app

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "cli.md").read_text("utf-8")
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
EXAMPLES = {
    line for file in DOCUMENTS for line in re.findall(r"^polyopolis .+$", file.read_text("utf-8"), re.MULTILINE)
}


def test_the_manual_lists_all_commands() -> None:
    groups: dict[str, Any] = {name: get_command(group) for name, group in (("people", people_app), ("bots", bots_app))}
    nested = [f"{name} {command}" for name, group in groups.items() for command in group.commands]
    listed = re.findall(r"^\| `((?:people |bots )?[a-z][a-z-]*)[^`]*` \| ", MANUAL, re.MULTILINE)
    assert sorted(listed) == sorted([*COMMANDS, *nested])


@pytest.mark.parametrize("example", sorted(EXAMPLES))
def test_examples_are_valid(example: str) -> None:
    _, *words = shlex.split(example, comments=True)
    command: Any = get_command(app)
    while hasattr(command, "commands"):
        name, *words = words
        command = command.commands[name]
    command.make_context(name, words)
