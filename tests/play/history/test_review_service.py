"""Reviews: permissions, progress, caching and cancellation."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import msgspec
import pytest

from polyopolis.analysis import EVALUATOR, review_key
from polyopolis.play.entities import StoredMatch
from polyopolis.play.errors import Busy, Forbidden, NotFound, Unreadable
from polyopolis.play.history import match_imports, review_service
from polyopolis.play.history.review_service import CANCEL_AFTER_SECONDS, ReviewService
from polyopolis.play.protocols import ReviewProgress
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.wire.requests import Solution
from polyopolis.records import Record, cache_key, read, record_of, verify
from tests.play.in_memory_site import InMemorySite, ManualClock, settle

pytestmark = pytest.mark.anyio
GAMES = Path(__file__).parents[2] / "records" / "games"
SOLUTION = Solution(move=1, action={}, beside={})


class ManualReviewer:
    """A reviewer that is advanced by the test."""

    evaluator = "by-hand"

    def __init__(self) -> None:
        self.stages: asyncio.Queue[ReviewProgress | Exception] = asyncio.Queue()
        self.begun = 0
        self.judging = asyncio.Event()
        self.cancelled: list[str] = []
        self.asked: list[tuple[int, bytes]] = []

    async def looks_back(
        self, person: str, game: str, kept: StoredMatch, seat: int
    ) -> AsyncGenerator[ReviewProgress, None]:
        self.asked.append((seat, kept.row.seed))
        async for stage in self.reviewed(person, "", game, kept):
            yield stage

    async def reviewed(
        self, person: str, key: str, game: str, kept: StoredMatch
    ) -> AsyncGenerator[ReviewProgress, None]:
        self.begun += 1
        stage = ReviewProgress(0.0)
        try:
            while not stage.final:
                found = await self.stages.get()
                if isinstance(found, Exception):
                    raise found
                stage = found
                yield stage
        finally:
            if not stage.final:
                self.cancelled.append(key)

    async def solved(self, person: str, game: str, kept: StoredMatch, solution: Solution) -> bytes:
        await self.judging.wait()
        return b'{"right": true, "lacks": {"points": {"mean": 0, "error": 0}}}'


class InMemoryReviewCache:
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    async def review(self, key: str) -> bytes | None:
        return self.kept.get(key)

    async def shelve(self, key: str, review: bytes) -> None:
        self.kept[key] = review


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_service, "PROGRESS_INTERVAL_SECONDS", 0.01)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def reviewer() -> ManualReviewer:
    return ManualReviewer()


@pytest.fixture
def shelf() -> InMemoryReviewCache:
    return InMemoryReviewCache()


@pytest.fixture
def desk(reviewer: ManualReviewer, shelf: InMemoryReviewCache, clock: ManualClock) -> ReviewService:
    return ReviewService(reviewer, shelf, clock)


async def opened(name: str) -> TableContext:
    """A table of an imported record."""
    site = InMemorySite()
    found = msgspec.json.decode((GAMES / f"{name}.json").read_bytes())
    arrival = msgspec.json.decode(
        match_imports.verify_record(msgspec.json.encode(found), False), type=match_imports.ImportedRecord
    )
    return (await site.lobby.factory.import_record("ada", arrival)).context


async def test_a_review_is_refined_and_then_cached(
    desk: ReviewService, reviewer: ManualReviewer, shelf: InMemoryReviewCache
) -> None:
    room = await opened("mycity-eternal-2p-1")
    first = await desk.review(room, 0, "ada", 0)
    assert (first.done, first.answer, first.final, first.review) == (0.0, 0, False, None)
    reviewer.stages.put_nowait(ReviewProgress(0.1, b"[1]"))
    rough = await desk.review(room, 0, "ada", 0)
    assert (rough.answer, rough.final, bytes(rough.review)) == (1, False, b"[1]")
    reviewer.stages.put_nowait(ReviewProgress(0.5))
    assert (await desk.review(room, 0, "ben", rough.answer)).review is None, "a known answer is not repeated"
    assert (await desk.review(room, 0, "ben", rough.answer)).done == 0.5
    assert bytes((await desk.review(room, 0, "cleo", 0)).review) == b"[1]", "later clients get the last answer"
    reviewer.stages.put_nowait(ReviewProgress(1.0, b"[2]", final=True))
    whole = await desk.review(room, 0, "ada", rough.answer)
    assert (whole.final, bytes(whole.review)) == (True, b"[2]")
    await settle()
    again = await desk.review(room, 0, "dora", 0)
    assert (again.done, again.final, bytes(again.review)) == (1.0, True, b"[2]")
    assert reviewer.begun == 1
    assert list(shelf.kept.values()) == [b"[2]"]


async def test_equal_matches_share_a_cached_review(
    desk: ReviewService, reviewer: ManualReviewer, shelf: InMemoryReviewCache
) -> None:
    """A record and the table that is imported from it have the same review."""
    reviewer.stages.put_nowait(ReviewProgress(1.0, b"[]", final=True))
    await desk.review(await opened("mycity-eternal-2p-1"), 0, "ada", 0)
    record = read(GAMES / "mycity-eternal-2p-1.json")
    assert isinstance(record, Record)
    (key,) = shelf.kept
    played = review_service.played("mycity", await (await opened("mycity-eternal-2p-1")).chain.stored(0))
    assert key == cache_key("by-hand", [played])
    assert cache_key("another", [played]) != key
    assert review_key(record_of(verify(record))) == cache_key(EVALUATOR, [played])


async def test_hindsight_is_computed_by_seat_and_cached(
    desk: ReviewService, reviewer: ManualReviewer, shelf: InMemoryReviewCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await opened("mycity-eternal-all-stopped")
    for seat in (0, 1):
        reviewer.stages.put_nowait(ReviewProgress(1.0, b"[%d]" % seat, final=True))
        assert bytes((await desk.hindsight(room, 0, "ada", seat, 0)).review) == b"[%d]" % seat
    await settle()
    assert bytes((await desk.hindsight(room, 0, "ben", 1, 0)).review) == b"[1]"
    seed = (await room.chain.stored(0)).row.seed
    assert reviewer.asked == [(0, seed), (1, seed)]
    assert seed
    with pytest.raises(NotFound):
        await desk.hindsight(room, 0, "ada", 4, 0)

    # the deck is secret while other players may still get it
    monkeypatch.setattr(TableContext, "sealed", property(lambda _: True))
    reviewer.stages.put_nowait(ReviewProgress(1.0, b"[]", final=True))
    await desk.hindsight(room, 0, "ada", 0, 0)
    assert reviewer.asked[2:] == [(0, b"")]
    assert len(shelf.kept) == 3


async def test_unfinished_matches_are_not_reviewed(desk: ReviewService) -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    with pytest.raises(Forbidden):
        await desk.review(table.context, 0, "Ada", 0)
    with pytest.raises(Forbidden):
        await desk.solved(table.context, 0, "Ada", SOLUTION)
    with pytest.raises(Forbidden):
        await desk.hindsight(table.context, 0, "Ada", 0, 0)


async def test_a_review_is_cancelled_without_waiting_clients(
    desk: ReviewService, reviewer: ManualReviewer, clock: ManualClock
) -> None:
    room = await opened("mycity-eternal-2p-1")
    await desk.review(room, 0, "ada", 0)
    clock.advance(CANCEL_AFTER_SECONDS - 1)
    await desk.review(room, 0, "ada", 0)
    clock.advance(CANCEL_AFTER_SECONDS - 1)
    await settle()
    assert not reviewer.cancelled, "a client has asked again"
    clock.advance(2)
    await settle()
    assert len(reviewer.cancelled) == 1
    await desk.review(room, 0, "ada", 0)
    assert reviewer.begun == 2, "a later request starts a new review"


async def test_a_failed_review_is_reported(desk: ReviewService, reviewer: ManualReviewer) -> None:
    room = await opened("mycity-eternal-2p-1")
    reviewer.stages.put_nowait(ValueError("no"))
    with pytest.raises(Unreadable):
        await desk.review(room, 0, "ada", 0)
    reviewer.stages.put_nowait(ReviewProgress(1.0, b"[]", final=True))
    assert (await desk.review(room, 0, "ada", 0)).final, "the review can be requested again"


async def test_a_rejected_review_can_be_requested_again(desk: ReviewService, reviewer: ManualReviewer) -> None:
    room = await opened("mycity-eternal-2p-1")
    reviewer.stages.put_nowait(ReviewProgress(0.1, b"[1]"))
    assert (await desk.review(room, 0, "ada", 0)).answer == 1
    reviewer.stages.put_nowait(Busy("too many wait", 7))
    with pytest.raises(Busy) as refused:
        await desk.review(room, 0, "ada", 1)
    assert refused.value.wait == 7
    reviewer.stages.put_nowait(ReviewProgress(1.0, b"[2]", final=True))
    assert (await desk.review(room, 0, "ada", 1)).final, "although the second review has only one answer"
    assert reviewer.begun == 2
