"""Computes reviews in the thread of the backend, in slices between which messages are handled."""

import asyncio
from collections.abc import AsyncGenerator, Iterator

from polyopolis.browser_backend.browser_repository import BrowserStorage
from polyopolis.play.entities import StoredMatch
from polyopolis.play.protocols import ReviewProgress
from polyopolis.play.wire.requests import Solution

PAUSE_SECONDS = 0.005


class BrowserReviewEngine:
    """A `ReviewEngine` that delays other work by at most one slice.

    Modules for analysis are imported on the first use, so that pages open sooner.
    """

    @property
    def evaluator(self) -> str:
        from polyopolis.analysis import EVALUATOR  # noqa: PLC0415

        return EVALUATOR

    def reviewed(self, person: str, key: str, game: str, kept: StoredMatch) -> AsyncGenerator[ReviewProgress, None]:
        from polyopolis.analysis.review_jobs import review_stages  # noqa: PLC0415

        return _sliced(review_stages(key, game, kept))

    def looks_back(self, person: str, game: str, kept: StoredMatch, seat: int) -> AsyncGenerator[ReviewProgress, None]:
        from polyopolis.analysis.review_jobs import hindsight_stages  # noqa: PLC0415

        return _sliced(hindsight_stages(game, kept, seat))

    async def solved(self, person: str, game: str, kept: StoredMatch, solution: Solution) -> bytes:
        from polyopolis.analysis.review_jobs import grade_solution  # noqa: PLC0415

        return grade_solution(game, kept, solution)


async def _sliced(stages: Iterator[ReviewProgress]) -> AsyncGenerator[ReviewProgress, None]:
    for stage in stages:
        yield stage
        await asyncio.sleep(PAUSE_SECONDS)


class BrowserReviewCache:
    """A `ReviewCache` in the storage of the browser."""

    def __init__(self, storage: BrowserStorage) -> None:
        self._storage = storage

    async def review(self, key: str) -> bytes | None:
        name = f"review/{key}"
        found = (await self._storage.below(name)).get(name)
        return found.encode() if found else None

    async def shelve(self, key: str, review: bytes) -> None:
        await self._storage.put({f"review/{key}": review.decode()})
