"""What all tests share: a tiny game, and the profile of Hypothesis. In CI examples and luck are always the same."""

import os
import secrets
import signal
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from tests.effort import SOAK

ROOT = str(Path(__file__).parent.parent)
CI = os.environ.get("CI") == "true"

# Before anything asks for the games, and for all processes that tests start.
os.environ["POLYOPOLIS_GAMES"] = "tests.games.tiny.sign"
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (ROOT, os.environ.get("PYTHONPATH"))))
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background of a shell: what tests start hears Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)
import_module("polyopolis.games")  # the door before the rooms: signs are read once, and whole

settings.register_profile(
    "polyopolis",
    max_examples=50 * SOAK,
    deadline=None,
    derandomize=CI,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("polyopolis")

luck = Random()
if CI:
    secrets.token_bytes = lambda nbytes=None: luck.randbytes(nbytes or 32)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What a test leaves to luck follows from its name."""
    luck.seed(item.nodeid)


@pytest.fixture(scope="session")
def new_site() -> Iterator[Callable[[], str]]:
    """The address of a new PostgreSQL database, at each call."""
    from tests.postgres import MISSING, postgres  # noqa: PLC0415 - only for those who need it

    if MISSING:
        pytest.skip(MISSING)
    with postgres() as server:
        yield server.database
