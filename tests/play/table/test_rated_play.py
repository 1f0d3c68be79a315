"""Rated matches: conditions, events that end the rating, and ratings that can be recomputed."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, delete, insert, select, update

from polyopolis.bots.tournaments.ladder_ratings import format_ratings, parse_ratings, ratings_folder, ratings_for
from polyopolis.engine import Match, PolyopolisError
from polyopolis.games import GAME_SPECS
from polyopolis.play.entities import MatchEntity
from polyopolis.play.errors import Forbidden
from polyopolis.play.in_memory import NoCluster
from polyopolis.play.lobby import Lobby
from polyopolis.play.match.consent_requests import EndEarly
from polyopolis.play.match.messages import AskFor, AskHint, AskTakeback, Consent
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.wire.requests import (
    BotSeat,
    Branch,
    CreateTable,
    HandOver,
    Join,
    Leave,
    OpenSeat,
    OwnSeat,
    PutBot,
    ReclaimSeat,
)
from polyopolis.server.auth.account_merge import AccountDataService
from polyopolis.server.auth.bot_tokens import add_bot
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.match_results import refresh_results, store_missing_results
from polyopolis.server.storage.player_ratings import (
    BEGINNER,
    Rating,
    bot_rating,
    rating_of,
    rebuild_ratings,
    updated_ratings,
)
from polyopolis.server.storage.schema import people, results
from tests.play.in_memory_site import FirstActionBots, ManualClock, Page, act, send_action, until

pytestmark = pytest.mark.anyio
DOCS = Path(__file__).parents[3] / "docs" / "games"
STOP = {"type": "stop"}
ACCOUNTS = ("Ada", "Ben", "Cleo")
BOT = "level-3"


class FixedLevels(FirstActionBots):
    """Bots with the names of a server, which choose the first legal action."""

    def opponents(self, game: str) -> tuple[str, ...]:
        return ("novice", BOT)

    def check(self, bot: str) -> None:
        return


class Site:
    """A site where all people but Guest have accounts."""

    def __init__(self, store: DatabaseMatchRepository) -> None:
        self.store, self.clock, self.bot_service, self.whos = store, ManualClock(), FixedLevels(), ProfileService(store)
        self.clock.held = False
        self.lobby = Lobby(SiteServices(store, self.bot_service, self.clock, NoCluster(), 60, ratings=self.whos))

    async def open(self) -> "Site":
        await self.store.open()
        known = [{"id": name, "name": name, "joined": 1 if name in ACCOUNTS else None} for name in (*ACCOUNTS, "Guest")]
        await self.store.write(lambda db: db.execute(insert(people), known))
        return self

    async def wish(self, *seats: OwnSeat | OpenSeat | BotSeat, **wish: Any) -> Table:
        fields = {"game": "rollwrite", "setup": {"episode": 1}, "rated": True, **wish}
        return await self.lobby.factory.create("Ada", CreateTable(**fields, seats=seats))

    async def table(self, *others: str, **wish: Any) -> tuple[Table, dict[str, Page]]:
        """A table of Ada and others, who join; `level-3` is a bot."""
        seats = [BotSeat(name) if name.startswith("level") else OpenSeat() for name in others]
        table = await self.wish(OwnSeat("Ada"), *seats, **wish)
        for seat, name in enumerate(others, start=1):
            if not name.startswith("level"):
                await table.change_seat(name, seat, Join(name))
        names = ("Ada", *(name for name in others if not name.startswith("level")))
        pages = {name: Page(name) for name in names}
        for page in pages.values():
            await table.arrive(page)
        return table, pages

    async def ratings(self, game: str = "rollwrite") -> dict[str, Rating]:
        return await self.store.read(lambda db: {name: rating_of(db, name, game) for name in ACCOUNTS})

    async def kept(self) -> list[dict[str, Any]]:
        rows = select(results).order_by(results.c.table, results.c.match, results.c.seat)
        return await self.store.read(lambda db: [dict(row) for row in db.execute(rows).mappings()])


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
async def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    """All its matches have the same seeds."""
    seeds = iter(range(1_000))
    monkeypatch.setattr(
        "polyopolis.play.match.match_chain.secrets.token_bytes", lambda size: next(seeds).to_bytes(size)
    )
    place = tmp_path / "polyopolis.sqlite" if request.param == "file" else request.getfixturevalue("new_site")()
    found = await Site(DatabaseMatchRepository(place)).open()
    yield found
    await found.store.close()


def row_of(table: Table) -> MatchEntity:
    assert table.session
    return table.session.live.row


def played(table: Table) -> Match:
    assert table.session
    return table.session.live.match


async def built(table: Table, pages: dict[str, Page]) -> None:
    """Plays a round of first legal actions."""
    before = len(played(table).moves)
    for seat, page in enumerate(pages.values()):
        await act(table, page, seat)
    await until(lambda: len(played(table).moves) > before)


async def stopped(table: Table, pages: dict[str, Page]) -> None:
    """Ends a match: all people stop, and bots play on."""
    for seat, page in enumerate(pages.values()):
        await send_action(table, page, seat, STOP)
    await until(lambda: row_of(table).over)


# Conditions


@pytest.mark.parametrize(
    ("seats", "wish", "why"),
    [
        ([OwnSeat("Ada"), OpenSeat()], {"seed": "chosen"}, "must not be chosen"),
        ([OwnSeat("Ada"), OpenSeat()], {"luck": "typed"}, "must not be chosen"),
        ([OwnSeat("Ada"), OpenSeat()], {"plan": (1, 2, 3)}, "only single matches"),
        ([OwnSeat("Ada")], {}, "two or more"),
        ([OwnSeat("Ada"), OwnSeat("Bea")], {}, "one seat"),
        ([OwnSeat("Ada"), BotSeat("novice")], {}, "strength of novice"),
    ],
)
async def test_tables_that_cannot_be_rated_are_rejected(site: Site, seats: Any, wish: Any, why: str) -> None:
    with pytest.raises(PolyopolisError, match=why):
        await site.wish(*seats, **wish)


async def test_a_rated_table_requires_accounts_and_one_seat_per_player(site: Site) -> None:
    with pytest.raises(Forbidden, match="requires accounts"):
        await site.lobby.factory.create(
            "Guest", CreateTable("rollwrite", {"episode": 1}, (OwnSeat("Guest"), OpenSeat()), rated=True)
        )
    table = await site.wish(OwnSeat("Ada"), OpenSeat(), OpenSeat())
    assert table.info("Guest").rated, "guests can see it"
    for person, why in (("Guest", "requires accounts"), ("Ada", "one seat")):
        with pytest.raises(Forbidden, match=why):
            await table.change_seat(person, 1, Join("Somebody"))
    with pytest.raises(Forbidden, match="novice"):
        await table.change_seat("Ada", 1, PutBot("novice"))
    await table.change_seat("Ben", 1, Join("Ben"))
    with pytest.raises(Forbidden, match="requires accounts"):
        await table.give_seat(1, "Guest", None)
    assert table.session is None
    await table.change_seat("Ada", 2, PutBot(BOT))
    assert row_of(table).rated == "yes"
    hello = await site.lobby.queries.hello("Ada")
    assert {info.measured for info in hello.games if info.game in ("mycity", "rollwrite", "pointcity")} == {(BOT,)}


async def outside_bots(site: Site, owner: str | None, count: int = 1) -> list[str]:
    names = [f"bot {number}" for number in range(count)]
    return await site.store.write(lambda db: [add_bot(db, name, owner, 1) for name in names])


async def test_rated_matches_exclude_bots_of_a_player(site: Site) -> None:
    first, second = await outside_bots(site, "Ben", 2)
    (of_host,), (another,) = await outside_bots(site, None), await outside_bots(site, None)
    table = await site.wish(OwnSeat("Ada"), OpenSeat(), OpenSeat(), outsiders=True)
    await table.change_seat(first, 1, Join("First"))
    for person in ("Ben", second):
        with pytest.raises(Forbidden, match="their own bot"):
            await table.change_seat(person, 2, Join("Somebody"))
    await table.change_seat(of_host, 2, Join("Of the host"))
    assert row_of(table).rated == "yes", "bots of other people are allowed"
    table = await site.wish(OwnSeat("Ada"), OpenSeat(), OpenSeat(), outsiders=True)
    for seat, bot in enumerate((of_host, another), start=1):
        await table.change_seat(bot, seat, Join(f"Bot {seat}"))
    assert row_of(table).rated == "yes", "bots of the host have no owner in common"


async def test_the_next_match_with_an_own_bot_is_not_rated(site: Site) -> None:
    (bot,) = await outside_bots(site, "Ada")
    table, pages = await site.table("Ben", outsiders=True)
    await stopped(table, pages)
    assert len({row["rated"] for row in await site.kept()}) == 1
    stored = await site.kept()
    await table.change_seat("Ben", 1, Leave())
    await table.change_seat(bot, 1, Join("Bot"))
    for person in ("Ada", bot):
        await table.rematch(person)
    assert (row_of(table).number, row_of(table).rated) == (1, "owner")
    assert await site.kept() == stored, "earlier ratings stay"


async def test_a_match_with_a_bot_that_becomes_the_players_own_is_not_rated(site: Site) -> None:
    """An account takes over the belongings of a guest, including bots."""
    (bot,) = await outside_bots(site, "Guest")
    table, _ = await site.table("Ben", outsiders=True)
    other = await site.wish(OwnSeat("Ada"), OpenSeat(), outsiders=True)
    await other.change_seat(bot, 1, Join("Bot"))
    bots = {"Ada": Page("Ada"), bot: Page(bot)}
    for page in bots.values():
        await other.arrive(page)
    await built(other, bots)
    assert (row_of(table).rated, row_of(other).rated) == ("yes", "yes")
    await site.lobby.nodes.follow(await AccountDataService(site.store).merge_guest("Guest", "Ada"))
    assert (row_of(table).rated, row_of(other).rated) == ("yes", "owner")
    owners = select(people.c.owner).where(people.c.id == bot)
    assert await site.store.read(lambda db: db.execute(owners).scalar()) == "Ada"
    await stopped(other, bots)
    assert {row["rated"] for row in await site.kept()} == {None}


async def test_a_match_that_ends_with_an_own_bot_changes_no_rating(site: Site) -> None:
    """Also if the ratings are recomputed."""
    (bot,) = await outside_bots(site, None)
    table = await site.wish(OwnSeat("Ada"), OpenSeat(), outsiders=True)
    await table.change_seat(bot, 1, Join("Bot"))
    pages = {"Ada": Page("Ada"), bot: Page(bot)}
    for page in pages.values():
        await table.arrive(page)
    await site.store.write(lambda db: db.execute(update(people).where(people.c.id == bot).values(owner="Ada")))
    await stopped(table, pages)
    assert {row["rated"] for row in await site.kept()} == {None}
    assert await site.store.write(rebuild_ratings) == 0


async def test_a_site_without_ratings_has_no_rated_tables() -> None:
    lobby = Lobby(SiteServices(None, FixedLevels(), ManualClock(), NoCluster(), 60))  # type: ignore[arg-type]
    with pytest.raises(Forbidden, match="has no ratings"):
        await lobby.factory.create(
            "Ada", CreateTable("rollwrite", {"episode": 1}, (OpenSeat(), OpenSeat()), rated=True)
        )


# End of the rating

Event = Callable[[Site, Table, dict[str, Page]], Awaitable[None]]


async def take_back(site: Site, table: Table, pages: dict[str, Page]) -> None:
    await table.handle(pages["Ada"], AskTakeback(0))
    await table.handle(pages["Ben"], Consent(yes=True))


async def play_in(site: Site, table: Table, pages: dict[str, Page]) -> None:
    """A bot stands in for a while, of which no trace remains in the seat."""
    await table.change_seat("Ben", 1, PutBot(BOT))
    await table.change_seat("Ben", 1, ReclaimSeat())


async def hand_over(site: Site, table: Table, pages: dict[str, Page]) -> None:
    await table.change_seat("Ben", 1, HandOver("Ben's sister"))


async def give_seat(site: Site, table: Table, pages: dict[str, Page]) -> None:
    await table.give_seat(1, "Cleo", None)
    pages["Ben"].person = "Cleo"


async def leave(site: Site, table: Table, pages: dict[str, Page]) -> None:
    await table.change_seat("Ben", 1, Leave())
    await table.change_seat("Cleo", 1, Join("Cleo"))
    pages["Ben"].person = "Cleo"


async def go_for_good(site: Site, table: Table, pages: dict[str, Page]) -> None:
    await site.lobby.nodes.follow(await AccountDataService(site.store).anonymize("Ben", 1))
    await table.change_seat("Cleo", 1, Join("Cleo"))
    pages["Ben"].person = "Cleo"


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (take_back, "takeback"),
        (play_in, "substitute"),
        (hand_over, "substitute"),
        (give_seat, "substitute"),
        (leave, "substitute"),
        (go_for_good, "substitute"),
    ],
)
async def test_changes_that_end_the_rating_of_a_match(site: Site, event: Event, why: str) -> None:
    table, pages = await site.table("Ben")
    await built(table, pages)
    assert row_of(table).rated == "yes"
    await event(site, table, pages)
    assert row_of(table).rated == why
    assert table.info("Ada").match.rated == why  # type: ignore[union-attr]
    await stopped(table, pages)
    assert {row["rated"] for row in await site.kept()} <= {None}
    assert set((await site.ratings()).values()) == {BEGINNER}


async def test_hints_and_other_bots_end_the_rating(site: Site) -> None:
    table, pages = await site.table(BOT)
    await table.handle(pages["Ada"], AskHint(1, 0))
    assert (row_of(table).rated, row_of(table).practice_for) == ("hint", "hint")
    site.bot_service.decides = "greedy"
    other, pages = await site.table(BOT)
    await until(lambda: row_of(other).rated == "substitute")
    await stopped(other, pages)
    assert {row["rated"] for row in await site.kept()} == {None}


async def test_a_match_that_was_given_up_changes_no_rating(site: Site) -> None:
    table, pages = await site.table("Ben")
    await table.handle(pages["Ada"], AskFor(0, EndEarly()))
    await table.handle(pages["Ben"], Consent(yes=True))
    assert row_of(table).ended
    assert await site.kept() == []


async def test_branches_of_a_rated_match_are_not_rated(site: Site) -> None:
    table, pages = await site.table("Ben")
    await stopped(table, pages)
    branch = await site.lobby.factory.branch("Ada", table, 0, Branch(0, 0))
    assert (row_of(branch).rated, branch.info("Ada").rated) == (None, False)


async def test_the_end_of_a_rated_match_is_final_and_the_next_is_checked_again(site: Site) -> None:
    table, pages = await site.table("Ben")
    await stopped(table, pages)
    await table.handle(pages["Ada"], AskTakeback(0))
    assert (pages["Ada"].last["type"], pages["Ada"].last["reason"]["code"]) == ("refused", "rating-stands")
    assert row_of(table).over
    await table.rematch("Ada")
    await table.rematch("Ben")
    assert (row_of(table).number, row_of(table).rated) == (1, "yes")
    await table.change_seat("Ben", 1, PutBot(BOT))
    await stopped(table, {"Ada": pages["Ada"]})
    await table.rematch("Ada")
    assert row_of(table).rated == "substitute"
    await table.change_seat("Ben", 1, Leave())
    with pytest.raises(Forbidden, match="requires accounts"):
        await table.change_seat("Guest", 1, Join("Guest"))
    await table.change_seat("Cleo", 1, Join("Cleo"))
    await table.give_seat(1, "Guest", None)
    await stopped(table, pages | {"Ben": Page("Guest")})
    await table.rematch("Ada")
    await table.rematch("Guest")
    assert row_of(table).rated == "guest"


# Changes of ratings


async def test_ratings_of_people_change_and_those_of_bots_do_not(site: Site) -> None:
    table, pages = await site.table("Ben")
    await stopped(table, pages)
    equal = updated_ratings([BEGINNER, BEGINNER], [1, 1])
    assert await site.ratings() == {"Ada": equal[0], "Ben": equal[1], "Cleo": BEGINNER}
    assert equal[0].mu == pytest.approx(25) == pytest.approx(equal[1].mu)

    table, pages = await site.table(BOT)
    await stopped(table, pages)
    ranks = played(table).result.ranks
    bot = bot_rating("rollwrite", 2, BOT)
    assert bot
    now = updated_ratings([equal[0], bot], ranks)[0]
    assert (await site.ratings())["Ada"] == now
    assert now.sigma < equal[0].sigma < BEGINNER.sigma
    line = next(row for row in await site.kept() if row["bot"])
    assert (line["from_mu"], line["mu"]) == (bot.mu, bot.mu)
    seats = (await site.whos.at(table.context)).seats
    assert [(seat.seat, seat.rating, seat.games) for seat in seats] == [(0, round(now.mu, 1), 2), (1, bot.mu, 0)]
    assert (seats[0].change, seats[1].change) == (round(now.mu - equal[0].mu, 1), None)
    assert (await site.ratings("mycity"))["Ada"] == BEGINNER, "each game has its own"


async def some_matches(site: Site) -> None:
    for others in (("Ben",), (BOT,), ("Ben", "Cleo"), ("Cleo",), ("Ben",)):
        table, pages = await site.table(*others)
        await built(table, pages)
        await stopped(table, pages)


def anew(db: Connection) -> None:
    refresh_results(db)
    store_missing_results(db)
    rebuild_ratings(db)


async def test_all_ratings_can_be_recomputed(site: Site) -> None:
    await some_matches(site)
    kept = await site.kept()
    assert [row["rated"] for row in kept if row["rated"] is None] == []
    await site.store.write(
        lambda db: db.execute(update(results).values(mu=0.0, sigma=1.0, from_mu=2.0, score=0, kind="none"))
    )
    assert await site.kept() != kept
    await site.store.write(anew)
    assert await site.kept() == kept
    await site.store.write(lambda db: db.execute(delete(results)))
    await site.store.write(store_missing_results)
    numbered = [{**row, "rated": None} for row in kept]
    assert [{**row, "rated": None} for row in await site.kept()] == numbered, "also from the matches only"

    await AccountDataService(site.store).anonymize("Ben", 1)
    before = await site.ratings()
    await site.store.write(anew)
    assert await site.ratings() == before, "ratings of others stay after a deletion"
    assert "Ben" not in {row["person"] for row in await site.kept()}


def test_bot_ratings_agree_with_the_documentation() -> None:
    for key in ("mycity", "rollwrite", "pointcity"):
        found = parse_ratings((DOCS / f"{key}.md").read_text("utf-8"))
        assert format_ratings(key, found) == (ratings_folder() / f"{key}.toml").read_text("utf-8"), "make rungs"
        assert list(ratings_for(key)) == [f"level-{level}" for level in (5, 4, 3, 2, 1)]
        assert ratings_for(key, 3) == found.get(3, found[2])
    assert {key for key in GAME_SPECS if not ratings_for(key)} == {"tiny"}
