"""Notifications caused by changes of a table."""

import pytest

from polyopolis.play.entities import LogEntry, MatchEntity, MatchUpdate, PendingNotification, SeatEntity, TableChange
from polyopolis.play.in_memory import InMemoryMatchRepository
from polyopolis.play.match.consent_requests import ChangePace, EndEarly
from polyopolis.play.match.messages import AskFor, AskTakeback, Consent, GiveTime, PageVisibility
from polyopolis.play.table.due_notifications import SEEN_DELAY_SECONDS
from polyopolis.play.timing.pace import DAY, UNHURRIED, Correspondence, LivePace
from polyopolis.play.wire.requests import EndVacation, PutBot, ReclaimSeat, StartVacation
from tests.play.in_memory_site import InMemorySite, Page, act, settle

pytestmark = pytest.mark.anyio


class RecordingRepository(InMemoryMatchRepository):
    """Records the notifications of all changes."""

    def __init__(self) -> None:
        super().__init__()
        self.owed: list[tuple[PendingNotification, int]] = []

    async def start(self, table: str, row: MatchEntity, log: tuple[LogEntry, ...], entry: TableChange) -> None:
        await super().start(table, row, log, entry)
        self._note(entry)

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None:
        await super().append(table, happened, entry)
        self._note(entry)

    async def seat(self, table: str, row: SeatEntity, playing: MatchEntity | None, entry: TableChange) -> None:
        await super().seat(table, row, playing, entry)
        self._note(entry)

    def _note(self, entry: TableChange) -> None:
        self.owed += [(notice, (notice.look - entry.now) // 1000) for notice in entry.notices]

    def taken(self, *kinds: str) -> list[tuple[str, str]]:
        """The notifications since the last call, optionally of some kinds."""
        found: list[tuple[str, str]] = [
            (notice.person, notice.kind) for notice, _ in self.owed if not kinds or notice.kind in kinds
        ]
        self.owed = []
        return found


async def test_each_turn_causes_one_notification_per_player() -> None:
    repository = RecordingRepository()
    site = InMemorySite(repository)
    table = await site.table("Ada", "Ben", "Cleo")
    assert repository.taken() == [("Ada", "turn"), ("Ben", "turn"), ("Cleo", "turn")]
    ada, ben, cleo = [await site.arrived(table, name) for name in ("Ada", "Ben", "Cleo")]
    await act(table, ada, 0)
    await act(table, ben, 1)
    assert repository.taken() == [], "staged decisions cause no notification"
    await act(table, cleo, 2)
    ids = {notice.id for notice, _ in repository.owed}
    assert [person for person, _ in repository.taken()] == ["Ada", "Ben", "Cleo"]
    assert len(ids) == 3
    assert not any(name in key for key in ids for name in ("Ada", "Ben", "Cleo", table.id))


async def test_waiting_players_are_notified_of_start_and_end() -> None:
    repository = RecordingRepository()
    site = InMemorySite(repository)
    table = await site.table("Ada", "Ben", game="pointcity", setup={})
    assert sorted(kind for _, kind in repository.taken()) == ["begun", "turn"]
    pages = [await site.arrived(table, name) for name in ("Ada", "Ben")]
    assert table.session
    while not table.session.live.match.over:
        (seat,) = table.session.live.due
        await act(table, pages[seat], seat)
        if not table.session.live.match.over:
            (due,) = table.session.live.due
            assert repository.taken() == [(("Ada", "Ben")[due], "turn")]
    assert repository.taken() == [("Ada", "over"), ("Ben", "over")]


async def test_notifications_are_delayed_for_players_who_watch() -> None:
    repository = RecordingRepository()
    site = InMemorySite(repository)
    table = await site.table("Ada", "Ben")
    ada, ben = await site.arrived(table, "Ada"), await site.arrived(table, "Ben")
    repository.taken()
    await table.handle(ada, PageVisibility(here=False))
    assert not await site.lobby.tables.is_watching("Ada", table.id)
    assert await site.lobby.tables.is_watching("Ben", table.id)
    await act(table, ada, 0)
    await act(table, ben, 1)
    assert {notice.person: wait for notice, wait in repository.owed} == {"Ada": 20, "Ben": SEEN_DELAY_SECONDS}
    await table.handle(ada, PageVisibility(here=True))
    assert await site.lobby.tables.is_watching("Ada", table.id)
    table.depart(ada)
    assert not await site.lobby.tables.is_watching("Ada", table.id)


async def test_no_notifications_among_bots_or_with_a_stand_in() -> None:
    repository = RecordingRepository()
    site = InMemorySite(repository)
    table = await site.table("Ada", "bot")
    ada = await site.arrived(table, "Ada")
    await act(table, ada, 0)
    await settle()
    assert repository.taken() == []
    table = await site.table("Ada", "Ben")
    ada = await site.arrived(table, "Ada")
    repository.taken()
    await table.change_seat("Ben", 1, PutBot("first"))
    await act(table, ada, 0)
    await settle()
    site.clock.release()
    await settle()
    assert repository.taken() == [("Ada", "turn")]
    await table.change_seat("Ben", 1, ReclaimSeat())
    assert repository.taken() == []


async def test_a_repeated_turn_has_another_notification_id() -> None:
    repository = RecordingRepository()
    site = InMemorySite(repository)
    table = await site.table("Ada", "Ben")
    ada, ben = await site.arrived(table, "Ada"), await site.arrived(table, "Ben")
    first = {notice.id for notice, _ in repository.owed}
    await act(table, ada, 0)
    await act(table, ben, 1)
    second = {notice.id for notice, _ in repository.owed} - first
    repository.taken()
    await table.handle(ada, AskTakeback(0))
    assert repository.taken() == []
    await table.handle(ben, Consent(yes=True))
    third = {notice.id for notice, _ in repository.owed}
    assert len(third) == 2
    assert not third & (first | second)


# Requests


async def test_requests_are_notified_once_in_correspondence_play() -> None:
    repository = RecordingRepository()
    site = InMemorySite(repository)
    table = await site.table("Ada", "Ben", "Cleo", pace=Correspondence(2, 1))
    ada, ben, cleo = [await site.arrived(table, name) for name in ("Ada", "Ben", "Cleo")]
    repository.taken()
    await table.handle(ada, AskFor(0, ChangePace(UNHURRIED)))
    first = {notice.id for notice, _ in repository.owed}
    assert {notice.seat for notice, _ in repository.owed} == {0}
    assert repository.taken() == [("Ben", "asked"), ("Cleo", "asked")]
    await table.handle(ben, Consent(yes=True))
    await table.handle(ada, AskFor(0, ChangePace(UNHURRIED)))
    assert repository.taken() == [], "a repeated request is the same"
    await table.handle(cleo, Consent(yes=False))
    await table.handle(ada, AskFor(0, ChangePace(UNHURRIED)))
    assert not first & {notice.id for notice, _ in repository.owed}
    assert repository.taken() == [("Ben", "asked"), ("Cleo", "asked")], "a refused request can be repeated"
    await table.handle(cleo, AskFor(2, EndEarly()))
    assert repository.taken() == [("Ada", "asked"), ("Ben", "asked")]


async def test_requests_of_a_player_are_notified_once_an_hour() -> None:
    repository = RecordingRepository()
    site = InMemorySite(repository)
    table = await site.table("Ada", "Ada", "Ben", pace=Correspondence(2, 1))
    ada, ben = Page("Ada"), Page("Ben")

    def told_in() -> list[int]:
        """Seconds until the request is notified."""
        found = [wait for notice, wait in repository.owed if notice.kind == "asked"]
        repository.taken()
        return found

    await table.handle(ada, AskFor(0, ChangePace(UNHURRIED)))
    assert told_in() == [20]
    site.clock.advance(10)
    await table.handle(ada, AskFor(1, EndEarly()))
    assert told_in() == [10], "the first request was replaced"
    for page, seat in ((ada, 0), (ada, 1), (ben, 2)):
        await act(table, page, seat)
    assert table.info("Ben").asked == (), "the request is closed"
    site.clock.advance(50)
    await table.handle(ada, AskTakeback(0))
    assert told_in() == [3600 - 40]
    assert table.info("Ben").asked == (2,), "the table shows it at once"
    await table.handle(ben, AskTakeback(2))
    assert told_in() == [20], "players do not delay each other"
    await table.handle(ada, AskFor(0, EndEarly()))
    await table.handle(ben, Consent(yes=True))
    repository.taken()
    await table.rematch("Ada")
    assert told_in() == [3600 - 40]
    site.clock.advance(7200)
    await table.handle(ben, Consent(yes=False))
    await table.rematch("Ada")
    assert told_in() == [20], "the first request after an hour"


async def test_requests_are_not_notified_in_live_play() -> None:
    for pace in (UNHURRIED, LivePace(5, 10)):
        repository = RecordingRepository()
        site = InMemorySite(repository)
        table = await site.table("Ada", "Ben", pace=pace)
        ada = await site.arrived(table, "Ada")
        repository.taken()
        await table.handle(ada, AskFor(0, EndEarly()))
        assert repository.taken() == []


async def test_deadline_notifications_are_created_in_advance() -> None:
    repository = RecordingRepository()
    site = InMemorySite(repository)
    table = await site.table("Ada", "Ben", pace=Correspondence(2, 1))
    ada, ben = await site.arrived(table, "Ada"), await site.arrived(table, "Ben")
    late = [(notice.person, notice.seat, wait) for notice, wait in repository.owed if notice.kind == "late"]
    up = 3 * DAY // 1000 + 20
    assert late == [("Ben", 0, up), ("Ada", 1, up)]
    repository.taken()
    await act(table, ada, 0)
    assert repository.taken() == [], "no new deadline"
    await table.change_seat("Ben", 1, StartVacation(3))
    assert [(notice.person, wait) for notice, wait in repository.owed] == [("Ada", up + 3 * DAY // 1000)]
    repository.taken()
    site.clock.advance(DAY / 1000)
    await table.change_seat("Ben", 1, EndVacation())
    assert [(notice.person, wait) for notice, wait in repository.owed] == [("Ada", up)], "earlier than before"
    ids = {notice.id for notice, _ in repository.owed}
    repository.taken()
    site.clock.advance(3 * DAY / 1000 + 1)
    await table.change_seat("Ben", 1, StartVacation(1))
    assert repository.taken() == [], "the deadline has passed and was notified"
    await table.handle(ada, GiveTime(0, 1))
    assert not ids & {notice.id for notice, _ in repository.owed}
    assert repository.taken() == [("Ada", "late")], "a new deadline"
    await act(table, ben, 1)
    assert sorted(repository.taken("late")) == [("Ada", "late"), ("Ben", "late")]
