"""Whom a change at a table concerns: one for each turn and person, none for whoever is left in peace."""

import pytest

from polyopolis.play.entities import LogEntry, MatchEntity, MatchUpdate, PendingNotification, SeatEntity, TableChange
from polyopolis.play.in_memory import InMemoryMatchRepository
from polyopolis.play.match.consent_requests import ChangePace, EndEarly
from polyopolis.play.match.messages import AskFor, AskTakeback, Consent, GiveTime, Look
from polyopolis.play.table.due_notifications import SEEN_DELAY_SECONDS
from polyopolis.play.timing.pace import DAY, UNHURRIED, Correspondence, LivePace
from polyopolis.play.wire.requests import ComeBack, GoAway, PutBot, Return
from tests.play.in_memory_site import House, Page, act, settle

pytestmark = pytest.mark.anyio


class Noting(InMemoryMatchRepository):
    """Remembers what every change owed to whom."""

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
        """What was owed since; by correspondence those of some kinds."""
        found: list[tuple[str, str]] = [
            (notice.person, notice.kind) for notice, _ in self.owed if not kinds or notice.kind in kinds
        ]
        self.owed = []
        return found


async def test_one_for_each_turn_and_person_and_none_for_who_was_due_already() -> None:
    keeper = Noting()
    house = House(keeper)
    table = await house.table("Ada", "Ben", "Cleo")
    assert keeper.taken() == [("Ada", "turn"), ("Ben", "turn"), ("Cleo", "turn")]
    ada, ben, cleo = [await house.arrived(table, name) for name in ("Ada", "Ben", "Cleo")]
    await act(table, ada, 0)
    await act(table, ben, 1)
    assert keeper.taken() == [], "a decision that is not open concerns nobody"
    await act(table, cleo, 2)
    ids = {notice.id for notice, _ in keeper.owed}
    assert [person for person, _ in keeper.taken()] == ["Ada", "Ben", "Cleo"]
    assert len(ids) == 3
    assert not any(name in key for key in ids for name in ("Ada", "Ben", "Cleo", table.id))


async def test_where_one_is_due_at_a_time_the_others_learn_that_it_has_begun_and_that_it_is_over() -> None:
    keeper = Noting()
    house = House(keeper)
    table = await house.table("Ada", "Ben", game="pointcity", setup={})
    assert sorted(kind for _, kind in keeper.taken()) == ["begun", "turn"]
    pages = [await house.arrived(table, name) for name in ("Ada", "Ben")]
    assert table.session
    while not table.session.live.match.over:
        (seat,) = table.session.live.due
        await act(table, pages[seat], seat)
        if not table.session.live.match.over:
            (due,) = table.session.live.due
            assert keeper.taken() == [(("Ada", "Ben")[due], "turn")]
    assert keeper.taken() == [("Ada", "over"), ("Ben", "over")]


async def test_whoever_has_the_table_before_their_eyes_has_more_time_before_they_are_told() -> None:
    keeper = Noting()
    house = House(keeper)
    table = await house.table("Ada", "Ben")
    ada, ben = await house.arrived(table, "Ada"), await house.arrived(table, "Ben")
    keeper.taken()
    await table.handle(ada, Look(here=False))
    assert not await house.lobby.tables.is_watching("Ada", table.id)
    assert await house.lobby.tables.is_watching("Ben", table.id)
    await act(table, ada, 0)
    await act(table, ben, 1)
    assert {notice.person: wait for notice, wait in keeper.owed} == {"Ada": 20, "Ben": SEEN_DELAY_SECONDS}
    await table.handle(ada, Look(here=True))
    assert await house.lobby.tables.is_watching("Ada", table.id)
    table.depart(ada)
    assert not await house.lobby.tables.is_watching("Ada", table.id)


async def test_whoever_plays_with_bots_alone_is_left_in_peace_and_so_is_whoever_lets_one_play_in() -> None:
    keeper = Noting()
    house = House(keeper)
    table = await house.table("Ada", "bot")
    ada = await house.arrived(table, "Ada")
    await act(table, ada, 0)
    await settle()
    assert keeper.taken() == []
    table = await house.table("Ada", "Ben")
    ada = await house.arrived(table, "Ada")
    keeper.taken()
    await table.change_seat("Ben", 1, PutBot("first"))
    await act(table, ada, 0)
    await settle()
    house.clock.go_on()
    await settle()
    assert keeper.taken() == [("Ada", "turn")]
    await table.change_seat("Ben", 1, Return())
    assert keeper.taken() == []


async def test_a_turn_that_was_taken_back_is_owed_anew_by_another_name() -> None:
    keeper = Noting()
    house = House(keeper)
    table = await house.table("Ada", "Ben")
    ada, ben = await house.arrived(table, "Ada"), await house.arrived(table, "Ben")
    first = {notice.id for notice, _ in keeper.owed}
    await act(table, ada, 0)
    await act(table, ben, 1)
    second = {notice.id for notice, _ in keeper.owed} - first
    keeper.taken()
    await table.handle(ada, AskTakeback(0))
    assert keeper.taken() == []
    await table.handle(ben, Consent(yes=True))
    third = {notice.id for notice, _ in keeper.owed}
    assert len(third) == 2
    assert not third & (first | second)


# What waits for an answer


async def test_by_correspondence_each_learns_once_what_somebody_asks_them() -> None:
    keeper = Noting()
    house = House(keeper)
    table = await house.table("Ada", "Ben", "Cleo", pace=Correspondence(2, 1))
    ada, ben, cleo = [await house.arrived(table, name) for name in ("Ada", "Ben", "Cleo")]
    keeper.taken()
    await table.handle(ada, AskFor(0, ChangePace(UNHURRIED)))
    first = {notice.id for notice, _ in keeper.owed}
    assert {notice.seat for notice, _ in keeper.owed} == {0}
    assert keeper.taken() == [("Ben", "asked"), ("Cleo", "asked")]
    await table.handle(ben, Consent(yes=True))
    await table.handle(ada, AskFor(0, ChangePace(UNHURRIED)))
    assert keeper.taken() == [], "whoever asks again asks the same"
    await table.handle(cleo, Consent(yes=False))
    await table.handle(ada, AskFor(0, ChangePace(UNHURRIED)))
    assert not first & {notice.id for notice, _ in keeper.owed}
    assert keeper.taken() == [("Ben", "asked"), ("Cleo", "asked")], "it was refused, and is asked anew"
    await table.handle(cleo, AskFor(2, EndEarly()))
    assert keeper.taken() == [("Ada", "asked"), ("Ben", "asked")]


async def test_others_are_told_of_one_question_of_a_player_an_hour_whatever_it_is() -> None:
    keeper = Noting()
    house = House(keeper)
    table = await house.table("Ada", "Ada", "Ben", pace=Correspondence(2, 1))
    ada, ben = Page("Ada"), Page("Ben")

    def told_in() -> list[int]:
        """Seconds until those who are asked are told."""
        found = [wait for notice, wait in keeper.owed if notice.kind == "asked"]
        keeper.taken()
        return found

    await table.handle(ada, AskFor(0, ChangePace(UNHURRIED)))
    assert told_in() == [20]
    house.clock.pass_by(10)
    await table.handle(ada, AskFor(1, EndEarly()))
    assert told_in() == [10], "nobody was told of the first one"
    for page, seat in ((ada, 0), (ada, 1), (ben, 2)):
        await act(table, page, seat)
    assert table.info("Ben").asked == (), "the question is withdrawn"
    house.clock.pass_by(50)
    await table.handle(ada, AskTakeback(0))
    assert told_in() == [3600 - 40]
    assert table.info("Ben").asked == (2,), "the table shows it at once"
    await table.handle(ben, AskTakeback(2))
    assert told_in() == [20], "one player does not delay what another asks"
    await table.handle(ada, AskFor(0, EndEarly()))
    await table.handle(ben, Consent(yes=True))
    keeper.taken()
    await table.rematch("Ada")
    assert told_in() == [3600 - 40]
    house.clock.pass_by(7200)
    await table.handle(ben, Consent(yes=False))
    await table.rematch("Ada")
    assert told_in() == [20], "the first question after an hour"


async def test_at_a_table_where_all_are_nobody_is_told_elsewhere_what_is_asked() -> None:
    for pace in (UNHURRIED, LivePace(5, 10)):
        keeper = Noting()
        house = House(keeper)
        table = await house.table("Ada", "Ben", pace=pace)
        ada = await house.arrived(table, "Ada")
        keeper.taken()
        await table.handle(ada, AskFor(0, EndEarly()))
        assert keeper.taken() == []


async def test_when_time_is_up_is_written_down_beforehand_for_those_who_wait() -> None:
    keeper = Noting()
    house = House(keeper)
    table = await house.table("Ada", "Ben", pace=Correspondence(2, 1))
    ada, ben = await house.arrived(table, "Ada"), await house.arrived(table, "Ben")
    late = [(notice.person, notice.seat, wait) for notice, wait in keeper.owed if notice.kind == "late"]
    up = 3 * DAY // 1000 + 20
    assert late == [("Ben", 0, up), ("Ada", 1, up)]
    keeper.taken()
    await act(table, ada, 0)
    assert keeper.taken() == [], "no deadline is another one"
    await table.change_seat("Ben", 1, GoAway(3))
    assert [(notice.person, wait) for notice, wait in keeper.owed] == [("Ada", up + 3 * DAY // 1000)]
    keeper.taken()
    house.clock.pass_by(DAY / 1000)
    await table.change_seat("Ben", 1, ComeBack())
    assert [(notice.person, wait) for notice, wait in keeper.owed] == [("Ada", up)], "sooner than was said"
    ids = {notice.id for notice, _ in keeper.owed}
    keeper.taken()
    house.clock.pass_by(3 * DAY / 1000 + 1)
    await table.change_seat("Ben", 1, GoAway(1))
    assert keeper.taken() == [], "it is up, and that was told"
    await table.handle(ada, GiveTime(0, 1))
    assert not ids & {notice.id for notice, _ in keeper.owed}
    assert keeper.taken() == [("Ada", "late")], "and will be up again"
    await act(table, ben, 1)
    assert sorted(keeper.taken("late")) == [("Ada", "late"), ("Ben", "late")]
