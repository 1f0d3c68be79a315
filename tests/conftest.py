"""Configuration of all tests: a tiny game, Hypothesis profiles, and seeded randomness.

`make check` and `make test` try the same examples in every run. `make soak` explores with a random seed, which it
prints; `make soak SEED=number` repeats its run. Hypothesis stores failing examples in `.hypothesis/`
and tries them first.
"""

import os
import secrets
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

import pytest
from hypothesis import HealthCheck, settings

from tests.support.property_budget import IS_SOAK, SOAK
from tools.processes import Guard

ROOT = str(Path(__file__).parents[1])
KEPT = {"POLYOPOLIS_SOAK", "POLYOPOLIS_PICTURES"}
GUARD = pytest.StashKey[Guard]()

for name in [name for name in os.environ if name.startswith("POLYOPOLIS_") and name not in KEPT]:
    del os.environ[name]  # settings of the developer's own server, which tests do not expect
# Set before the registry of games is read, and for all processes that tests start.
os.environ["POLYOPOLIS_GAMES"] = "tests.games.tiny.spec"
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (ROOT, os.environ.get("PYTHONPATH"))))
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in jobs that a shell runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

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
    """Ends each worker of pytest-xdist with its controlling process, and all processes of a worker with the worker."""
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
    """Seeds the randomness of a test with its name, in a soak also with the seed of the run."""
    seed = item.config.getoption("--hypothesis-seed")
    luck.seed(item.nodeid if seed is None else f"{seed} {item.nodeid}")


@pytest.fixture(scope="session")
def new_site() -> Iterator[Callable[[], str]]:
    """Returns a function that creates a PostgreSQL database and returns its address."""
    from tests.support.postgres_server import MISSING, postgres  # noqa: PLC0415 - only for the tests that need it

    if MISSING:
        pytest.skip(MISSING)
    with postgres() as server:
        yield server.database
