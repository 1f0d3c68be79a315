"""Tables with clocks: what is told of them, what happens when time is up, and what is agreed on."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polyopolis.engine import PolyopolisError
from polyopolis.games import GAME_SPECS, spec_of
from polyopolis.play.errors import Forbidden
from polyopolis.play.history.personal_bests import kind_of
from polyopolis.play.match.consent_requests import ChangePace, EndEarly, Entrust
from polyopolis.play.match.messages import AskFor, AskTakeback, Consent, GiveTime, Retract
from polyopolis.play.protocols import MatchRepository
from polyopolis.play.table.table import Table
from polyopolis.play.timing.pace import DAY, UNHURRIED, Correspondence, LivePace
from polyopolis.play.wire.requests import ComeBack, GoAway, Join, KeepHours, Leave, PutBot, Return
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import ABSENCE, House, Message, Page, act, settle
from tests.play.lobby.test_two_nodes import Town

pytestmark = pytest.mark.anyio
FIVE, DAYS = LivePace(5, 10), Correspondence(2, 1)
MINUTE = 60.0


def left(message: Message) -> dict[int, float]:
    """Seconds by seat, as a message tells them."""
    return {clock["seat"]: clock["left"] / 1000 for clock in message["clocks"]["seats"]}


def runs(message: Message) -> list[int]:
    return [clock["seat"] for clock in message["clocks"]["seats"] if clock["runs"]]


async def seated(house: House, pace: Any, **wish: Any) -> tuple[Table, Page, Page]:
    table = await house.table("Ada", "Ben", pace=pace, **wish)
    return table, await house.arrived(table, "Ada"), await house.arrived(table, "Ben")


def row_of(table: Table) -> Any:
    assert table.context.chain.last
    return table.context.chain.last


def deadlines(table: Table) -> dict[int, int]:
    kept = row_of(table).deadlines
    return msgspec.json.decode(kept, type=dict[int, int]) if kept else {}


async def test_without_a_pace_nothing_is_told_of_time() -> None:
    house = House()
    table, ada, _ = await seated(house, UNHURRIED)
    assert ada.heard[0]["clocks"] is None
    await act(table, ada, 0)
    assert ada.last["clocks"] is None
    assert (row_of(table).timing, row_of(table).deadlines) == (None, None)
    assert table.info("Ada").pace == UNHURRIED


async def test_clocks_run_until_each_has_decided_and_deadlines_stand_beside_the_match() -> None:
    house = House()
    table, ada, ben = await seated(house, FIVE)
    begun = house.clock.time
    assert left(ben.heard[0]) == {0: 300, 1: 300}
    assert deadlines(table) == {0: begun + 300_000, 1: begun + 300_000}
    house.clock.pass_by(30)
    await act(table, ada, 0)
    assert (left(ben.last), runs(ben.last)) == ({0: 270, 1: 270}, [1])
    assert deadlines(table) == {1: begun + 300_000}
    house.clock.pass_by(30)
    await act(table, ben, 1)
    assert (left(ada.last), runs(ada.last)) == ({0: 280, 1: 250}, [0, 1])
    hello = await house.lobby.queries.hello("Ada")
    assert [seat.deadline for seat in hello.tables[0].seats] == [begun + 340_000, begun + 310_000]


async def test_who_thinks_again_and_again_is_taken_to_have_thought_all_the_while() -> None:
    house = House()
    table, ada, ben = await seated(house, LivePace(60, 0))
    assert table.session
    for _ in range(40):
        await act(table, ada, 0)
        house.clock.pass_by(1)
        await table.handle(ada, Retract(0, table.session.live.turns[0]))
    assert len(table.session.live.thought[0]) < 65
    house.clock.pass_by(10)
    await act(table, ben, 1)
    assert 3600 - 50 <= left(ben.last)[0] <= 3600 - 10


async def test_at_one_screen_people_think_one_after_the_other() -> None:
    house = House()
    table = await house.table("Ada", "Ada", pace=FIVE)
    page = await house.arrived(table, "Ada")
    house.clock.pass_by(20)
    await act(table, page, 1)
    house.clock.pass_by(40)
    await act(table, page, 0)
    assert left(page.last) == {0: 270, 1: 290}


async def test_bots_have_no_clock() -> None:
    house = House()
    table = await house.table("Ada", "bot", pace=FIVE)
    page = await house.arrived(table, "Ada")
    await settle()
    assert [clock["seat"] for clock in page.last["clocks"]["seats"]] == [0]
    house.clock.pass_by(6 * MINUTE)
    assert page.last["clocks"]["seats"][0]["left"] == 0, "it says so"
    await act(table, page, 0)
    await settle()
    assert left(page.last) == {0: 10}, "and nothing else happens"


# When time is up


async def late(house: House, pace: Any = DAYS, **wish: Any) -> tuple[Table, Page, Page]:
    """Ada has decided, and Ben's time is up."""
    table, ada, ben = await seated(house, pace, **wish)
    await act(table, ada, 0)
    table.depart(ben)
    house.clock.pass_by(ABSENCE + 1)
    by_mail = isinstance(pace, Correspondence)
    assert table.info("Ada").seats[1].replaceable != by_mail, "by correspondence nobody has to be here"
    house.clock.pass_by(3 * DAY / 1000)
    return table, ada, ben


async def test_all_learn_that_time_is_up_and_nothing_else_happens() -> None:
    house = House()
    table, ada, _ = await late(house)
    assert ada.last["type"] == "people"
    assert left(ada.last)[1] == 0
    assert ada.last["table"]["seats"][1]["replaceable"]
    assert row_of(table).due == "[1]"
    ben = await house.arrived(table, "Ben")
    await act(table, ben, 1)
    assert left(ada.last) == {0: 3 * DAY / 1000, 1: 2 * DAY / 1000}, "who decides late owes nothing"


async def test_one_who_waits_gives_time() -> None:
    house = House()
    table, ada, ben = await late(house)
    await table.handle(ada, GiveTime(0, 1))
    assert left(ada.last)[1] == 2 * DAY / 1000
    assert not table.info("Ada").seats[1].replaceable
    await table.handle(ada, GiveTime(0, 1))
    assert left(ada.last)[1] == 2 * DAY / 1000, "not for somebody who has some"
    house.clock.pass_by(2 * DAY / 1000 + 1)
    await table.arrive(ben)
    await table.handle(ben, GiveTime(1, 1))
    assert left(ben.last)[1] == 0, "nor to oneself"


async def test_a_bot_plays_in_and_who_comes_back_has_some_time() -> None:
    house = House()
    house.clock.held = False
    table, ada, ben = await late(house)
    ben_before = table.session and table.session.live.number
    await table.change_seat("Ada", 1, PutBot("first"))
    await settle()
    assert table.session
    assert table.session.live.number > (ben_before or 0)
    assert [clock["seat"] for clock in ada.last["clocks"]["seats"]] == [0]
    await table.arrive(ben)
    await table.change_seat("Ben", 1, Return())
    assert left(ada.last)[1] > 0
    assert table.context.seating.rows[1].bot is None


async def test_a_bot_places_nothing_that_stays_unless_all_agree() -> None:
    house = House()
    house.clock.held = False
    table, ada, _ = await late(house)
    await table.change_seat("Ada", 1, PutBot("first"))
    await table.handle(ada, AskFor(0, Entrust(0)))
    assert ada.last["reason"]["code"] == "no-bot-plays-in"
    await table.handle(ada, AskFor(0, Entrust(1)))
    assert table.context.seating.rows[1].entrusted, "nobody else is at the table whom one could ask"
    kept = await house.keeper.table(table.id)
    assert kept
    assert kept.seats[1].entrusted
    await table.change_seat("Ben", 1, Return())
    assert not table.context.seating.rows[1].entrusted


async def test_a_match_that_is_given_up_counts_for_nothing_and_another_may_follow() -> None:
    house = House()
    table, ada, ben = await late(house)
    await table.handle(ada, AskFor(0, EndEarly()))
    assert ada.last["scene"]["match"]["ended"]
    assert (ada.last["scene"]["due"], ada.last["mine"]) == ([], [])
    row = row_of(table)
    assert (row.over, row.ended, row.due, row.result, row.deadlines) == (True, True, "[]", None, None)
    assert await house.keeper.best_score("Ada", "mycity", kind_of(spec_of("mycity"), row.setup), ("", 0)) is None
    await table.arrive(ben)
    await act(table, ben, 1)
    assert ben.last["reason"]["code"] in ("ended-early", "not-your-seat")
    for number, person in enumerate(("Ada", "Ben")):
        await table.rematch(person)
        assert row_of(table).number == number, "once both want it"
    assert not row_of(table).ended
    assert deadlines(table), "at the same pace"


async def test_to_end_a_match_takes_all_whose_time_is_not_up() -> None:
    house = House()
    table, ada, ben = await seated(house, FIVE)
    await table.handle(ada, AskFor(0, EndEarly()))
    assert (ben.last["type"], ben.last["waiting"]) == ("asking", [1])
    await table.handle(ben, Consent(False))
    assert not row_of(table).ended
    assert ada.last["waiting"] == []


async def test_whoever_a_bot_plays_in_for_by_correspondence_is_not_waited_for() -> None:
    house = House()
    house.clock.held = False
    table, ada, _ = await late(house)
    await table.change_seat("Ada", 1, PutBot("first"))
    await settle()
    await act(table, ada, 0)
    await settle()
    await table.handle(ada, AskFor(0, EndEarly()))
    assert row_of(table).ended


async def test_an_episode_that_was_given_up_is_played_again() -> None:
    house = House()
    table, ada, _ = await late(
        house, setup=dict(GAME_SPECS["mycity"].planned), plan=GAME_SPECS["mycity"].plans(1)["campaign"]
    )
    await table.handle(ada, AskFor(0, EndEarly()))
    first = row_of(table).setup
    await table.rematch("Ada")
    assert row_of(table).setup == first
    assert table.context.chain.episode(1) == 0
    assert len(table.context.chain.counted) == 1


# What is agreed on


async def test_another_pace_takes_the_consent_of_all_and_waits_for_it() -> None:
    house = House()
    table, ada, ben = await seated(house, UNHURRIED)
    await table.handle(ada, AskFor(0, ChangePace(DAYS)))
    assert (ben.last["type"], ben.last["wish"]["pace"]["days"], ben.last["waiting"]) == ("asking", 2, [1])
    await act(table, ada, 0)
    await act(table, ben, 1)
    back = await house.arrived(table, "Ben")
    assert back.heard[0]["asked"]["waiting"] == [1], "the match goes on, and the question stays"
    house.clock.pass_by(10)
    await table.handle(ben, Consent(True))
    assert table.info("Ada").pace == DAYS
    assert left(next(message for message in reversed(ada.heard) if message["type"] == "people")) == {
        0: 3 * DAY / 1000,
        1: 3 * DAY / 1000,
    }
    await table.handle(ben, AskFor(1, ChangePace(UNHURRIED)))
    await table.handle(ada, Consent(True))
    assert table.info("Ada").pace == UNHURRIED
    assert row_of(table).deadlines is None


async def test_pauses_are_ones_own_and_refill_nothing() -> None:
    house = House()
    table, ada, _ = await seated(house, Correspondence(1, 0))
    before = deadlines(table)
    await table.change_seat("Ben", 1, KeepHours(nights=True, weekends=False, zone="Europe/Berlin"))
    after = deadlines(table)
    assert after[0] == before[0]
    assert after[1] > before[1]
    assert left(ada.last)[1] == DAY / 1000
    with pytest.raises(Forbidden):
        await table.change_seat("Ada", 1, GoAway(3))
    await table.change_seat("Ada", 0, GoAway(3))
    rest = table.info("Ada").rest
    assert rest
    assert rest.until == house.clock.time + 3 * DAY
    assert (await table.seats.vacation("Ada")).days_left == 18
    assert ada.last["clocks"]["seats"][0]["rests"] == "vacation"
    assert b"Berlin" not in b"".join(ada.told), "where somebody lives is nobody's business"
    house.clock.pass_by(DAY / 1000)
    await table.change_seat("Ada", 0, ComeBack())
    assert left(ada.last)[0] == DAY / 1000
    with pytest.raises(PolyopolisError, match="21 days"):
        await table.change_seat("Ada", 0, GoAway(21))


async def test_vacation_is_one_persons_at_all_their_tables(keeper: MatchRepository | None) -> None:
    house = House(keeper)
    one, _, _ = await seated(house, DAYS)
    two, _, _ = await seated(house, DAYS)
    await one.change_seat("Ada", 0, GoAway(14))
    await two.change_seat("Ada", 0, GoAway(10))
    assert [(await table.seats.vacation("Ada")).days_left for table in (one, two)] == [7, 7]
    assert (await one.seats.vacation("Ben")).days_left == 21
    house.clock.pass_by(15 * DAY / 1000)
    with pytest.raises(PolyopolisError, match="21 days"):
        await two.change_seat("Ada", 0, GoAway(10))
    await two.change_seat("Ada", 0, GoAway(7))
    assert (await one.seats.vacation("Ada")).days_left == 0


async def test_ones_own_night_has_the_hours_that_one_says() -> None:
    house = House()
    table, _, _ = await seated(house, Correspondence(1, 0))
    await table.change_seat("Ben", 1, KeepHours(nights=True, weekends=False, zone="UTC", evening=1, morning=9))
    rest = table.info("Ben").rest
    assert rest
    assert (rest.nights, rest.evening, rest.morning) == (True, 1, 9)
    await table.change_seat("Ben", 1, GoAway(1))
    rest = table.info("Ben").rest
    assert rest
    assert (rest.evening, rest.morning) == (1, 9), "also on vacation"
    with pytest.raises(PolyopolisError, match="12 hours"):
        await table.change_seat("Ben", 1, KeepHours(nights=True, weekends=False, zone="UTC", evening=9, morning=8))


async def test_who_sits_down_later_rests_as_they_please() -> None:
    house = House()
    table, _, _ = await seated(house, DAYS)
    await table.change_seat("Ben", 1, KeepHours(nights=True, weekends=True, zone="UTC"))
    await table.change_seat("Ben", 1, PutBot("first"))
    await table.change_seat("Ben", 1, Leave())
    await table.change_seat("Eve", 1, Join("Eve"))
    assert table.context.seating.rows[1].rest is None


async def test_what_was_taken_back_stays_used() -> None:
    house = House()
    table = await house.table("Ada", "bot", pace=FIVE)
    page = await house.arrived(table, "Ada")
    house.clock.pass_by(60)
    await act(table, page, 0)
    await settle()
    assert left(page.last) == {0: 250}
    house.clock.pass_by(30)
    await table.handle(page, AskTakeback(0))
    assert left(page.last) == {0: 210}


# Servers that stop, clocks that jump


async def lived(house: House, seconds: int) -> None:
    """A house is there for so long."""
    for _ in range(seconds // 10):
        house.clock.pass_by(10)
        await house.lobby.deadlines.record_heartbeat()


@pytest.fixture(params=["memory", "file"])
async def keeper(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MatchRepository | None]:
    if request.param == "memory":
        yield None
        return
    store = DatabaseMatchRepository(tmp_path / "polyopolis.sqlite")
    await store.open()
    yield store
    await store.close()


async def test_a_restart_gives_back_the_time_in_which_nobody_was_there(keeper: MatchRepository | None) -> None:
    house = House(keeper)
    await house.lobby.deadlines.record_heartbeat(silence=0)
    table, ada, _ = await seated(house, FIVE)
    await lived(house, 60)
    await act(table, ada, 0)
    again = House(house.keeper)
    again.clock.time = house.clock.time + 3_600_000
    await again.lobby.deadlines.record_heartbeat(silence=0)
    await again.lobby.deadlines.move_deadlines()
    found = await again.lobby.tables.table(table.id)
    page = await again.arrived(found, "Ben")
    assert (left(page.heard[0]), runs(page.heard[0])) == ({0: 240, 1: 240}, [1])
    assert deadlines(found) == {1: again.clock.time + 240_000}
    kept = await again.keeper.table(table.id)
    assert kept
    assert kept.matches[-1].deadlines == row_of(found).deadlines
    await act(found, page, 1)
    assert left(page.last) == {0: 250, 1: 250}


@pytest.mark.parametrize("jump", [DAY / 1000, -DAY / 1000])
async def test_a_clock_that_jumps_steals_nothing(jump: float) -> None:
    house = House()
    await house.lobby.deadlines.record_heartbeat(silence=0)
    table, ada, ben = await seated(house, FIVE)
    await lived(house, 60)
    house.clock.jump(jump)
    await lived(house, 10)
    await house.lobby.deadlines.move_deadlines()
    await act(table, ada, 0)
    time = left(ben.last)[1]
    most = 240 if jump > 0 else 300
    assert 230 - 2 <= time <= most, "70 seconds have passed; what a clock that is set back has not seen is a gift"


async def test_time_passes_at_two_nodes_alike() -> None:
    town = Town()
    here, there = await town.table("Ada", "Ben", pace=FIVE)
    ada, ben = await town.one.arrived(here, "Ada"), await town.two.arrived(there, "Ben")
    for clock in (town.one.clock, town.two.clock):
        clock.pass_by(30)
    await act(here, ada, 0)
    await settle()
    assert left(ben.last) == {0: 270, 1: 270}
    for clock in (town.one.clock, town.two.clock):
        clock.pass_by(300)
    assert left(ben.last)[1] == left(ada.last)[1] == 0, "both houses say so"
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
    assert next(message for message in reversed(ben.heard) if "scene" in message)["scene"]["match"]["ended"]
