"""Tables with clocks: messages, deadlines and consent."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polyopolis.engine import PolyopolisError
from polyopolis.games import GAME_SPECS, spec_of
from polyopolis.play.errors import Forbidden
from polyopolis.play.history.personal_bests import kind_of
from polyopolis.play.match.consent_requests import AllowBotDecisions, ChangePace, EndEarly
from polyopolis.play.match.messages import AskFor, AskTakeback, Consent, GiveTime, Retract
from polyopolis.play.protocols import MatchRepository
from polyopolis.play.table.table import Table
from polyopolis.play.timing.pace import DAY, UNHURRIED, Correspondence, LivePace
from polyopolis.play.wire.requests import EndVacation, Join, Leave, PutBot, ReclaimSeat, SetRestHours, StartVacation
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import ABSENCE_SECONDS, InMemorySite, Message, Page, act, settle
from tests.play.lobby.test_two_nodes import TwoNodes

pytestmark = pytest.mark.anyio
FIVE, DAYS = LivePace(5, 10), Correspondence(2, 1)
MINUTE = 60.0


def left(message: Message) -> dict[int, float]:
    """Seconds left by seat, from a message."""
    return {clock["seat"]: clock["left"] / 1000 for clock in message["clocks"]["seats"]}


def runs(message: Message) -> list[int]:
    return [clock["seat"] for clock in message["clocks"]["seats"] if clock["runs"]]


async def seated(site: InMemorySite, pace: Any, **wish: Any) -> tuple[Table, Page, Page]:
    table = await site.table("Ada", "Ben", pace=pace, **wish)
    return table, await site.arrived(table, "Ada"), await site.arrived(table, "Ben")


def row_of(table: Table) -> Any:
    assert table.context.chain.last
    return table.context.chain.last


def deadlines(table: Table) -> dict[int, int]:
    kept = row_of(table).deadlines
    return msgspec.json.decode(kept, type=dict[int, int]) if kept else {}


async def test_matches_without_clocks_send_no_times() -> None:
    site = InMemorySite()
    table, ada, _ = await seated(site, UNHURRIED)
    assert ada.messages[0]["clocks"] is None
    await act(table, ada, 0)
    assert ada.last["clocks"] is None
    assert (row_of(table).timing, row_of(table).deadlines) == (None, None)
    assert table.info("Ada").pace == UNHURRIED


async def test_deadlines_are_stored_with_the_match() -> None:
    site = InMemorySite()
    table, ada, ben = await seated(site, FIVE)
    begun = site.clock.time
    assert left(ben.messages[0]) == {0: 300, 1: 300}
    assert deadlines(table) == {0: begun + 300_000, 1: begun + 300_000}
    site.clock.advance(30)
    await act(table, ada, 0)
    assert (left(ben.last), runs(ben.last)) == ({0: 270, 1: 270}, [1])
    assert deadlines(table) == {1: begun + 300_000}
    site.clock.advance(30)
    await act(table, ben, 1)
    assert (left(ada.last), runs(ada.last)) == ({0: 280, 1: 250}, [0, 1])
    hello = await site.lobby.queries.hello("Ada")
    assert [seat.deadline for seat in hello.tables[0].seats] == [begun + 340_000, begun + 310_000]


async def test_many_retractions_are_merged_into_one_thinking_time() -> None:
    site = InMemorySite()
    table, ada, ben = await seated(site, LivePace(60, 0))
    assert table.session
    for _ in range(40):
        await act(table, ada, 0)
        site.clock.advance(1)
        await table.handle(ada, Retract(0, table.session.live.turns[0]))
    assert len(table.session.live.thought[0]) < 65
    site.clock.advance(10)
    await act(table, ben, 1)
    assert 3600 - 50 <= left(ben.last)[0] <= 3600 - 10


async def test_a_player_with_several_seats_uses_one_clock_at_a_time() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ada", pace=FIVE)
    page = await site.arrived(table, "Ada")
    site.clock.advance(20)
    await act(table, page, 1)
    site.clock.advance(40)
    await act(table, page, 0)
    assert left(page.last) == {0: 270, 1: 290}


async def test_bots_have_no_clock() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "bot", pace=FIVE)
    page = await site.arrived(table, "Ada")
    await settle()
    assert [clock["seat"] for clock in page.last["clocks"]["seats"]] == [0]
    site.clock.advance(6 * MINUTE)
    assert page.last["clocks"]["seats"][0]["left"] == 0, "the message contains the clocks"
    await act(table, page, 0)
    await settle()
    assert left(page.last) == {0: 10}, "no other effect"


# Deadlines


async def late(site: InMemorySite, pace: Any = DAYS, **wish: Any) -> tuple[Table, Page, Page]:
    """A table where Ada has decided and Ben's time is up."""
    table, ada, ben = await seated(site, pace, **wish)
    await act(table, ada, 0)
    table.depart(ben)
    site.clock.advance(ABSENCE_SECONDS + 1)
    by_mail = isinstance(pace, Correspondence)
    assert table.info("Ada").seats[1].replaceable != by_mail, "absence does not matter in correspondence play"
    site.clock.advance(3 * DAY / 1000)
    return table, ada, ben


async def test_the_end_of_time_is_sent_and_has_no_other_effect() -> None:
    site = InMemorySite()
    table, ada, _ = await late(site)
    assert ada.last["type"] == "people"
    assert left(ada.last)[1] == 0
    assert ada.last["table"]["seats"][1]["replaceable"]
    assert row_of(table).due == "[1]"
    ben = await site.arrived(table, "Ben")
    await act(table, ben, 1)
    assert left(ada.last) == {0: 3 * DAY / 1000, 1: 2 * DAY / 1000}, "clocks do not fall below zero"


async def test_a_waiting_player_can_give_time() -> None:
    site = InMemorySite()
    table, ada, ben = await late(site)
    await table.handle(ada, GiveTime(0, 1))
    assert left(ada.last)[1] == 2 * DAY / 1000
    assert not table.info("Ada").seats[1].replaceable
    await table.handle(ada, GiveTime(0, 1))
    assert left(ada.last)[1] == 2 * DAY / 1000, "not for a player with time left"
    site.clock.advance(2 * DAY / 1000 + 1)
    await table.arrive(ben)
    await table.handle(ben, GiveTime(1, 1))
    assert left(ben.last)[1] == 0, "not to oneself"


async def test_a_returning_player_gets_time() -> None:
    site = InMemorySite()
    site.clock.held = False
    table, ada, ben = await late(site)
    ben_before = table.session and table.session.live.number
    await table.change_seat("Ada", 1, PutBot("first"))
    await settle()
    assert table.session
    assert table.session.live.number > (ben_before or 0)
    assert [clock["seat"] for clock in ada.last["clocks"]["seats"]] == [0]
    await table.arrive(ben)
    await table.change_seat("Ben", 1, ReclaimSeat())
    assert left(ada.last)[1] > 0
    assert table.context.seating.rows[1].bot is None


async def test_lasting_decisions_of_stand_ins_need_consent() -> None:
    site = InMemorySite()
    site.clock.held = False
    table, ada, _ = await late(site)
    await table.change_seat("Ada", 1, PutBot("first"))
    await table.handle(ada, AskFor(0, AllowBotDecisions(0)))
    assert ada.last["reason"]["code"] == "no-bot-plays-in"
    await table.handle(ada, AskFor(0, AllowBotDecisions(1)))
    assert table.context.seating.rows[1].entrusted, "no other player has to agree"
    kept = await site.repository.table(table.id)
    assert kept
    assert kept.seats[1].entrusted
    await table.change_seat("Ben", 1, ReclaimSeat())
    assert not table.context.seating.rows[1].entrusted


async def test_a_match_can_be_given_up_and_followed_by_another() -> None:
    site = InMemorySite()
    table, ada, ben = await late(site)
    await table.handle(ada, AskFor(0, EndEarly()))
    assert ada.last["scene"]["match"]["ended"]
    assert (ada.last["scene"]["due"], ada.last["mine"]) == ([], [])
    row = row_of(table)
    assert (row.over, row.ended, row.due, row.result, row.deadlines) == (True, True, "[]", None, None)
    assert await site.repository.best_score("Ada", "mycity", kind_of(spec_of("mycity"), row.setup), ("", 0)) is None
    await table.arrive(ben)
    await act(table, ben, 1)
    assert ben.last["reason"]["code"] in ("ended-early", "not-your-seat")
    for number, person in enumerate(("Ada", "Ben")):
        await table.rematch(person)
        assert row_of(table).number == number, "after both agreed"
    assert not row_of(table).ended
    assert deadlines(table), "the pace is kept"


async def test_giving_up_needs_no_consent_of_players_out_of_time() -> None:
    site = InMemorySite()
    table, ada, ben = await seated(site, FIVE)
    await table.handle(ada, AskFor(0, EndEarly()))
    assert (ben.last["type"], ben.last["waiting"]) == ("asking", [1])
    await table.handle(ben, Consent(False))
    assert not row_of(table).ended
    assert ada.last["waiting"] == []


async def test_giving_up_needs_no_consent_of_players_with_a_stand_in() -> None:
    site = InMemorySite()
    site.clock.held = False
    table, ada, _ = await late(site)
    await table.change_seat("Ada", 1, PutBot("first"))
    await settle()
    await act(table, ada, 0)
    await settle()
    await table.handle(ada, AskFor(0, EndEarly()))
    assert row_of(table).ended


async def test_an_episode_that_was_given_up_is_repeated() -> None:
    site = InMemorySite()
    table, ada, _ = await late(
        site, setup=dict(GAME_SPECS["mycity"].planned), plan=GAME_SPECS["mycity"].plans(1)["campaign"]
    )
    await table.handle(ada, AskFor(0, EndEarly()))
    first = row_of(table).setup
    await table.rematch("Ada")
    assert row_of(table).setup == first
    assert table.context.chain.episode(1) == 0
    assert len(table.context.chain.counted) == 1


# Consent


async def test_a_change_of_pace_needs_consent() -> None:
    site = InMemorySite()
    table, ada, ben = await seated(site, UNHURRIED)
    await table.handle(ada, AskFor(0, ChangePace(DAYS)))
    assert (ben.last["type"], ben.last["wish"]["pace"]["days"], ben.last["waiting"]) == ("asking", 2, [1])
    await act(table, ada, 0)
    await act(table, ben, 1)
    back = await site.arrived(table, "Ben")
    assert back.messages[0]["asked"]["waiting"] == [1], "the request stays open after moves"
    site.clock.advance(10)
    await table.handle(ben, Consent(True))
    assert table.info("Ada").pace == DAYS
    assert left(next(message for message in reversed(ada.messages) if message["type"] == "people")) == {
        0: 3 * DAY / 1000,
        1: 3 * DAY / 1000,
    }
    await table.handle(ben, AskFor(1, ChangePace(UNHURRIED)))
    await table.handle(ada, Consent(True))
    assert table.info("Ada").pace == UNHURRIED
    assert row_of(table).deadlines is None


async def test_rest_hours_are_personal_and_add_no_time() -> None:
    site = InMemorySite()
    table, ada, _ = await seated(site, Correspondence(1, 0))
    before = deadlines(table)
    await table.change_seat("Ben", 1, SetRestHours(nights=True, weekends=False, zone="Europe/Berlin"))
    after = deadlines(table)
    assert after[0] == before[0]
    assert after[1] > before[1]
    assert left(ada.last)[1] == DAY / 1000
    with pytest.raises(Forbidden):
        await table.change_seat("Ada", 1, StartVacation(3))
    await table.change_seat("Ada", 0, StartVacation(3))
    rest = table.info("Ada").rest
    assert rest
    assert rest.until == site.clock.time + 3 * DAY
    assert (await table.seats.vacation("Ada")).days_left == 18
    assert ada.last["clocks"]["seats"][0]["rests"] == "vacation"
    assert b"Berlin" not in b"".join(ada.sent), "time zones are private"
    site.clock.advance(DAY / 1000)
    await table.change_seat("Ada", 0, EndVacation())
    assert left(ada.last)[0] == DAY / 1000
    with pytest.raises(PolyopolisError, match="21 days"):
        await table.change_seat("Ada", 0, StartVacation(21))


async def test_vacation_days_are_shared_by_all_tables_of_a_person(repository: MatchRepository | None) -> None:
    site = InMemorySite(repository)
    one, _, _ = await seated(site, DAYS)
    two, _, _ = await seated(site, DAYS)
    await one.change_seat("Ada", 0, StartVacation(14))
    await two.change_seat("Ada", 0, StartVacation(10))
    assert [(await table.seats.vacation("Ada")).days_left for table in (one, two)] == [7, 7]
    assert (await one.seats.vacation("Ben")).days_left == 21
    site.clock.advance(15 * DAY / 1000)
    with pytest.raises(PolyopolisError, match="21 days"):
        await two.change_seat("Ada", 0, StartVacation(10))
    await two.change_seat("Ada", 0, StartVacation(7))
    assert (await one.seats.vacation("Ada")).days_left == 0


async def test_the_hours_of_the_night_can_be_chosen() -> None:
    site = InMemorySite()
    table, _, _ = await seated(site, Correspondence(1, 0))
    await table.change_seat("Ben", 1, SetRestHours(nights=True, weekends=False, zone="UTC", evening=1, morning=9))
    rest = table.info("Ben").rest
    assert rest
    assert (rest.nights, rest.evening, rest.morning) == (True, 1, 9)
    await table.change_seat("Ben", 1, StartVacation(1))
    rest = table.info("Ben").rest
    assert rest
    assert (rest.evening, rest.morning) == (1, 9), "also on vacation"
    with pytest.raises(PolyopolisError, match="12 hours"):
        await table.change_seat("Ben", 1, SetRestHours(nights=True, weekends=False, zone="UTC", evening=9, morning=8))


async def test_a_new_player_chooses_their_own_rest_hours() -> None:
    site = InMemorySite()
    table, _, _ = await seated(site, DAYS)
    await table.change_seat("Ben", 1, SetRestHours(nights=True, weekends=True, zone="UTC"))
    await table.change_seat("Ben", 1, PutBot("first"))
    await table.change_seat("Ben", 1, Leave())
    await table.change_seat("Eve", 1, Join("Eve"))
    assert table.context.seating.rows[1].rest is None


async def test_time_of_a_takeback_stays_used() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "bot", pace=FIVE)
    page = await site.arrived(table, "Ada")
    site.clock.advance(60)
    await act(table, page, 0)
    await settle()
    assert left(page.last) == {0: 250}
    site.clock.advance(30)
    await table.handle(page, AskTakeback(0))
    assert left(page.last) == {0: 210}


# Outages and clock jumps


async def lived(site: InMemorySite, seconds: int) -> None:
    """Runs a site for some time."""
    for _ in range(seconds // 10):
        site.clock.advance(10)
        await site.lobby.deadlines.record_heartbeat()


@pytest.fixture(params=["memory", "file"])
async def repository(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MatchRepository | None]:
    if request.param == "memory":
        yield None
        return
    store = DatabaseMatchRepository(tmp_path / "polyopolis.sqlite")
    await store.open()
    yield store
    await store.close()


async def test_deadlines_move_after_an_outage(repository: MatchRepository | None) -> None:
    site = InMemorySite(repository)
    await site.lobby.deadlines.record_heartbeat(silence=0)
    table, ada, _ = await seated(site, FIVE)
    await lived(site, 60)
    await act(table, ada, 0)
    again = InMemorySite(site.repository)
    again.clock.time = site.clock.time + 3_600_000
    await again.lobby.deadlines.record_heartbeat(silence=0)
    await again.lobby.deadlines.move_deadlines()
    found = await again.lobby.tables.table(table.id)
    page = await again.arrived(found, "Ben")
    assert (left(page.messages[0]), runs(page.messages[0])) == ({0: 240, 1: 240}, [1])
    assert deadlines(found) == {1: again.clock.time + 240_000}
    kept = await again.repository.table(table.id)
    assert kept
    assert kept.matches[-1].deadlines == row_of(found).deadlines
    await act(found, page, 1)
    assert left(page.last) == {0: 250, 1: 250}


@pytest.mark.parametrize("jump", [DAY / 1000, -DAY / 1000])
async def test_jumps_of_the_system_clock_use_no_time(jump: float) -> None:
    site = InMemorySite()
    await site.lobby.deadlines.record_heartbeat(silence=0)
    table, ada, ben = await seated(site, FIVE)
    await lived(site, 60)
    site.clock.shift(jump)
    await lived(site, 10)
    await site.lobby.deadlines.move_deadlines()
    await act(table, ada, 0)
    time = left(ben.last)[1]
    most = 240 if jump > 0 else 300
    assert 230 - 2 <= time <= most, "70 seconds have passed; a clock that is set back may miss some"


async def test_clocks_agree_at_two_nodes() -> None:
    town = TwoNodes()
    here, there = await town.table("Ada", "Ben", pace=FIVE)
    ada, ben = await town.one.arrived(here, "Ada"), await town.two.arrived(there, "Ben")
    for clock in (town.one.clock, town.two.clock):
        clock.advance(30)
    await act(here, ada, 0)
    await settle()
    assert left(ben.last) == {0: 270, 1: 270}
    for clock in (town.one.clock, town.two.clock):
        clock.advance(300)
    assert left(ben.last)[1] == left(ada.last)[1] == 0, "both nodes agree"
    await here.handle(ada, GiveTime(0, 1))
    await settle()
    assert left(ben.last)[1] == 60
    await here.handle(ada, AskFor(0, ChangePace(UNHURRIED)))
    await settle()
    await there.handle(ben, Consent(True))
    await settle()
    assert here.info("Ada").pace == there.info("Ben").pace == UNHURRIED
    await there.handle(ben, AskFor(1, EndEarly()))
    await settle()
    await here.handle(ada, Consent(True))
    await settle()
    assert next(message for message in reversed(ben.messages) if "scene" in message)["scene"]["match"]["ended"]
