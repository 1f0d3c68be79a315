"""Configuration of all tests: a tiny game, Hypothesis, and luck that is the same in every run.

`make check` and `make test` try the same examples every time. `make soak` explores: it draws a seed, which it prints,
and `make soak SEED=number` repeats its run. Hypothesis keeps failing examples in `.hypothesis/` and tries them first.
"""

import os
import secrets
import signal
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

import pytest
from hypothesis import HealthCheck, settings

from tests.effort import IS_SOAK, SOAK
from tools.processes import Guard

ROOT = str(Path(__file__).parent.parent)
KEPT = {"POLYOPOLIS_SOAK", "POLYOPOLIS_PICTURES"}
GUARD = pytest.StashKey[Guard]()

for name in [name for name in os.environ if name.startswith("POLYOPOLIS_") and name not in KEPT]:
    del os.environ[name]  # settings of a server or a player, which tests do not expect
# Before the games are imported, and for all processes that tests start.
os.environ["POLYOPOLIS_GAMES"] = "tests.games.tiny.sign"
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (ROOT, os.environ.get("PYTHONPATH"))))
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in jobs that a shell runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
import_module("polyopolis.games")  # before any submodule: the list of games is read once

settings.register_profile(
    "polyopolis",
    max_examples=50 * SOAK,
    deadline=None,
    derandomize=not IS_SOAK,
    print_blob=IS_SOAK,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("polyopolis")

luck = Random()
secrets.token_bytes = lambda nbytes=None: luck.randbytes(nbytes or 32)


def pytest_configure(config: pytest.Config) -> None:
    """Ends each worker of pytest-xdist with the process that controls it, and all processes of a worker with it."""
    if hasattr(config, "workerinput"):
        os.setpgid(0, 0)
        config.stash[GUARD] = Guard.of_group(os.getpid())
        Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)


def pytest_unconfigure(config: pytest.Config) -> None:
    if guard := config.stash.get(GUARD, None):
        guard.release()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not IS_SOAK:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("soak")])
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seeds the luck of a test with its name, and with the seed of the run in a soak."""
    seed = item.config.getoption("--hypothesis-seed")
    luck.seed(item.nodeid if seed is None else f"{seed} {item.nodeid}")


@pytest.fixture(scope="session")
def new_site() -> Iterator[Callable[[], str]]:
    """The address of a new PostgreSQL database, at each call."""
    from tests.postgres import MISSING, postgres  # noqa: PLC0415 - only for the tests that need it

    if MISSING:
        pytest.skip(MISSING)
    with postgres() as server:
        yield server.database
