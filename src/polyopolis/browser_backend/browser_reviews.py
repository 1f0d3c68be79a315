"""Reviews in the thread of the house: in slices, between which everything else is heard and answered."""

import asyncio
from collections.abc import AsyncGenerator, Iterator

from polyopolis.browser_backend.browser_repository import BrowserStorage
from polyopolis.play.entities import StoredMatch
from polyopolis.play.protocols import ReviewProgress
from polyopolis.play.wire.requests import Solution

BREATH = 0.005
"""Seconds between two slices."""


class PageReviewer:
    """A `Reviewer`: whoever plays meanwhile waits for one slice at most. What it needs is imported when somebody wants
    a review: whoever opens a page wants to play."""

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
        await asyncio.sleep(BREATH)


class CupboardShelf:
    """A `Shelf` in the browser."""

    def __init__(self, cupboard: BrowserStorage) -> None:
        self._cupboard = cupboard

    async def review(self, key: str) -> bytes | None:
        name = f"review/{key}"
        found = (await self._cupboard.below(name)).get(name)
        return found.encode() if found else None

    async def shelve(self, key: str, review: bytes) -> None:
        await self._cupboard.put({f"review/{key}": review.decode()})
