"""A house in a page, in this process, and a server to compare it with."""

import pytest

from tests.server.conftest import anyio_backend, house, visit

__all__ = ["anyio_backend", "house", "visit"]

pytest.register_assert_rewrite("tests.browser_backend.page_visitor")
