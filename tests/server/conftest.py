"""A server for all tests of a pytest worker, and visitors of it."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.server.support.server_process import ServerProcess, Visitor, running_server

HERE = Path(__file__).parent

SERVER_FIXTURES = {"house", "hosted", "server"}
"""Fixtures that start a server process. Tests that use them are slow."""
SLOW_TO_COLLECT = {"test_openapi_fuzz.py"}
"""Modules that are slow to collect and contain slow tests only."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    quick = config.getoption("markexpr") == "not slow"
    return True if quick and collection_path.name in SLOW_TO_COLLECT else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests with a server process as slow."""
    for item in items:
        if HERE in item.path.parents and SERVER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture
async def visit(house: ServerProcess) -> AsyncIterator[Callable[[], Visitor]]:
    """Returns a factory of new visitors."""
    async with AsyncExitStack() as stack:

        def new() -> Visitor:
            visitor = Visitor(house)
            stack.push_async_callback(visitor.close)
            return visitor

        yield new
