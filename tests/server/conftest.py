"""One server for all tests of a worker, and visitors to it."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.server.support.server_process import House, Visitor, open_house

HERE = Path(__file__).parent

SERVED = {"house", "hosted", "server"}
"""Fixtures that are a server in a process of its own."""


LONG_TO_READ = {"test_openapi_fuzz.py"}
"""What is tried there is found out when it is read; all of it needs a server."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    quick = config.getoption("markexpr") == "not slow"
    return True if quick and collection_path.name in LONG_TO_READ else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The quick part goes without such a server."""
    for item in items:
        if HERE in item.path.parents and SERVED & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture
async def visit(house: House) -> AsyncIterator[Callable[[], Visitor]]:
    """Makes a new visitor, who has been nowhere before."""
    async with AsyncExitStack() as stack:

        def new() -> Visitor:
            visitor = Visitor(house)
            stack.push_async_callback(visitor.close)
            return visitor

        yield new
