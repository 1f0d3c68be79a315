"""The warning about slow kernels."""

import pytest

from polyopolis.cli import console
from polyopolis.cli.hosting import serve
from tests.cli.conftest import Run

SLOW = "levels search in plain Python, with fewer simulations; install polyopolis[fast] for more"


@pytest.mark.parametrize(
    ("command", "times"),
    [
        ("arena rollwrite --bots level-2,random --games 1", 1),
        ("arena rollwrite --bots greedy,random --games 1 --set episode=1", 0),
        ("play mycity --bots level-2,level-3", 1),
        ("play mycity --bots greedy", 0),
    ],
)
def test_commands_that_use_levels_warn_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str, times: int
) -> None:
    monkeypatch.setattr(console, "NOTICE", SLOW)
    assert run(*command.split()).err.count(SLOW) == times


def test_the_server_warns_before_it_starts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "NOTICE", SLOW)
    monkeypatch.setattr(serve, "run_server", lambda _, listener, *__: listener.close())
    assert run("serve").err == f"polyopolis: {SLOW}.\n"
