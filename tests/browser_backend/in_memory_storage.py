"""A `BrowserStorage` in memory for tests of killed tabs and full disks."""

import asyncio
from collections.abc import Mapping


class Full(Exception):
    """The storage is full."""


class MemoryStorage:
    def __init__(self, rows: Mapping[str, str] = {}) -> None:
        self.rows = dict(rows)
        self.history: list[dict[str, str]] = []
        """The rows after each transaction, as they are if the tab is killed then."""
        self.full = False

    async def put(self, rows: Mapping[str, str | None]) -> None:
        await asyncio.sleep(0)
        if self.full:
            raise Full
        kept = {**self.rows, **rows}
        self.rows = {name: text for name, text in kept.items() if text is not None}
        self.history.append(self.rows)

    async def below(self, folder: str) -> Mapping[str, str]:
        await asyncio.sleep(0)
        return {name: self.rows[name] for name in sorted(self.rows) if name.startswith(folder)}
