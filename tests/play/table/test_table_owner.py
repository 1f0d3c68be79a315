"""Permissions of the creator of a table: to free seats before the first match, and to turn players away."""

import pytest

from polyopolis.play.errors import Forbidden
from polyopolis.play.wire.requests import Join, Leave, TurnAway
from tests.play.in_memory_site import InMemorySite, act

pytestmark = pytest.mark.anyio


async def test_the_creator_can_free_a_seat_before_the_first_match() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "open")
    ben = await site.arrived(table, "Ben")
    assert table.info("Ben").maker == 0
    await table.change_seat("Ada", 1, Leave())
    assert [seat.kind for seat in table.info("Ada").seats] == ["person", "open", "open"]
    assert (ben.last["type"], ben.last["table"]["yours"], ben.last["table"]["onlookers"]) == ("people", [], 1)
    kept = await site.repository.table(table.id)
    assert kept
    assert (kept.maker, kept.seats[1].person) == ("Ada", None)
    await table.change_seat("Ben", 2, Join("Ben"))
    assert table.info("Ben").yours == (2,), "the link is an invitation"


@pytest.mark.parametrize("person", ["Ben", "Cleo", "Eve"])
async def test_other_players_cannot_free_a_seat(person: str) -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "Cleo", "open")
    for seat in {0, 1, 2} - {["Ada", "Ben", "Cleo", person].index(person)}:
        with pytest.raises(Forbidden, match="not yours"):
            await table.change_seat(person, seat, Leave())


async def test_the_creator_needs_a_seat_and_no_match_to_free_a_seat() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "open")
    await table.change_seat("Ada", 0, Leave())
    assert table.info("Ada").maker is None
    with pytest.raises(Forbidden, match="not yours"):
        await table.change_seat("Ada", 1, Leave())
    for seat in (0, 2):
        await table.change_seat("Ada", seat, Join("Ada"))
    assert table.info("Ada").match
    assert table.info("Ada").maker == 0
    with pytest.raises(Forbidden, match="not yours"):
        await table.change_seat("Ada", 1, Leave())


# Turning players away


async def test_a_player_turned_away_can_only_watch() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "Ben", "open")
    ben = await site.arrived(table, "Ben")
    await table.change_seat("Ada", 1, TurnAway())
    assert [seat.kind for seat in table.info("Ada").seats] == ["person", "open", "open", "open"], "from all seats"
    assert ben.last == {"type": "turned-away"}
    for sit in (table.change_seat("Ben", 3, Join("Ben")), table.give_seat(0, "Ben", None)):
        with pytest.raises(Forbidden, match="has turned you away"):
            await sit
    assert (await site.arrived(table, "Ben")).last == {"type": "turned-away"}, "sent again on return"
    assert "turned-away" not in {each["type"] for each in (await site.arrived(table, "Eve")).messages}
    await table.change_seat("Eve", 1, Join("Eve"))
    assert table.info("Eve").yours == (1,)


async def test_a_bot_can_replace_a_player_turned_away() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", game="pointcity", setup={})
    pages = {name: await site.arrived(table, name) for name in ("Ada", "Ben")}
    assert table.session
    while not table.session.live.match.over:
        (seat,) = table.session.live.due
        await act(table, pages[("Ada", "Ben")[seat]], seat)
    for person in ("Ada", "Ben"):
        await table.rematch(person)
    await table.change_seat("Ada", 1, TurnAway("first"))
    kept = await site.repository.table(table.id)
    assert kept
    assert [match.players for match in kept.matches] == ['["Ada","Ben"]', '["Ada","first"]']
    assert (kept.seats[1].person, kept.seats[1].bot) == (None, "first")


async def test_only_the_creator_turns_away_other_players() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "open")
    for person, seat in (("Ben", 0), ("Ben", 1), ("Eve", 1), ("Ada", 0), ("Ada", 2)):
        with pytest.raises(Forbidden):
            await table.change_seat(person, seat, TurnAway())
    await table.change_seat("Ada", 0, Leave())
    with pytest.raises(Forbidden, match="only the creator"):
        await table.change_seat("Ada", 1, TurnAway())
