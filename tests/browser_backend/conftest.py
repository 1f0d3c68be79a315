"""A browser backend in this process, and a server for comparison."""

import pytest

from tests.server.conftest import anyio_backend, house, visit

__all__ = ["anyio_backend", "house", "visit"]

pytest.register_assert_rewrite("tests.browser_backend.page_visitor")
