"""Imports of records: verified, marked, continued with a new seed, never counted."""

import json
from typing import Any

import msgspec
import pytest

from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.history.personal_bests import kind_of
from polyopolis.play.in_memory import InlineExportWorker
from polyopolis.play.match.messages import AskTakeback
from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import Branch, Fork, Import
from polyopolis.records import CampaignRecord, Record, RecordError, verify, verify_campaign
from tests.play.in_memory_site import InMemorySite, Page, as_dict, send_action, settle

pytestmark = pytest.mark.anyio
LIBRARY = MatchArchive(InlineExportWorker())
ALONE: dict[str, Any] = {"game": "rollwrite", "setup": {"episode": 1}}


def quick() -> InMemorySite:
    """A site whose clock does not pause."""
    site = InMemorySite()
    site.clock.held = False
    return site


async def begun(rounds: int, *seats: str, **wish: Any) -> tuple[InMemorySite, Table]:
    site = quick()
    table = await site.table(*(seats or ("Ada", "bot")), **wish)
    page = await site.arrived(table, "Ada")
    for _ in range(rounds):
        await decided(table, page)
    return site, table


async def decided(table: Table, page: Page, stop: bool = False) -> None:
    """Decides for all due seats of Ada."""
    await settle()
    assert table.session
    live = table.session.live
    for seat in [seat for seat in live.due if table.context.seating.rows[seat].person]:
        legal = [as_dict(action) for action in live.game.legal(live.match.state, seat)]
        await send_action(table, page, seat, legal[-1] if stop else legal[0])
    await settle()


async def ended(table: Table, page: Page) -> None:
    """Ends the match by stopping, which is the last choice."""
    assert table.session
    while not table.session.live.match.over:
        await decided(table, page, stop=True)


async def written(table: Table) -> dict[str, Any]:
    """The exported record."""
    campaign = table.context.chain.plan
    last = table.context.chain.count - 1
    text = await (LIBRARY.campaign_record(table.context) if campaign else LIBRARY.record(table.context, last))
    found: dict[str, Any] = json.loads(text)
    return found


async def brought(site: InMemorySite, record: dict[str, Any], person: str = "Eve", **wish: Any) -> Table:
    return await site.lobby.factory.import_record(
        person, await LIBRARY.verified(Import(msgspec.Raw(msgspec.json.encode(record)), **wish))
    )


async def scores_of(site: InMemorySite, person: str, table: Table, but: tuple[str, int] = ("", 0)) -> set[int | None]:
    """The best scores of a person in the kinds of match at a table."""
    sign, rows = table.context.chain.spec, table.context.chain.rows
    return {await site.repository.best_score(person, sign.key, kind_of(sign, row.setup), but) for row in rows}


def record_of(found: dict[str, Any]) -> Record:
    return msgspec.convert(found, Record)


async def test_an_unfinished_import_continues_with_a_seed_of_this_site() -> None:
    _, there = await begun(3, "Ada", "bot", "Ada", seed="there")
    record = await written(there)
    assert "seed" not in record
    site = quick()
    table = await brought(site, record)
    again = await brought(site, json.loads(json.dumps(record, sort_keys=True)))
    other = await brought(site, record, "Mallory")
    assert again is table, "repeated imports give the same table"
    assert other.id != table.id
    assert [seat.kind for seat in table.info("Eve").seats] == ["person", "bot", "person"]
    assert table.info("Eve").yours == (0, 2)
    match = table.info("Eve").match
    assert match
    assert (match.practice_for, match.imported) == ("import", len(record["moves"]))
    assert there.context.chain.last
    assert table.context.chain.last
    assert table.context.chain.last.seed not in (b"", there.context.chain.last.seed, other.context.chain.rows[0].seed)
    assert table.context.chain.chosen_seed is None
    page = await site.arrived(table, "Eve")
    await decided(table, page)
    await ended(table, page)
    file = await written(table)
    assert file["imported"] == len(record["moves"]) < len(file["moves"])
    assert file["moves"][: file["imported"]] == record["moves"]
    assert verify(record_of(file)).over
    assert await scores_of(site, "Eve", table) == {None}
    # an entered chance event cannot be declared as dealt
    del file["imported"]
    with pytest.raises(RecordError, match="the seed deals"):
        verify(record_of(file))


async def test_a_takeback_into_imported_moves_reduces_their_number() -> None:
    _, there = await begun(3, "Ada", seed="back", **ALONE)
    site, record = quick(), await written(there)
    table = await brought(site, record)
    page = await site.arrived(table, "Eve")
    await table.handle(page, AskTakeback(0))
    match = table.info("Eve").match
    assert match
    assert match.imported == table.session.live.before_last_decision(0) + 2 < len(record["moves"])  # type: ignore[union-attr,operator]
    await ended(table, page)
    assert verify(record_of(await written(table))).over
    branch = await site.lobby.factory.branch("Eve", table, 0, Branch(moves=1, seat=0))
    await ended(branch, await site.arrived(branch, "Eve"))
    file = await written(branch)
    assert file["imported"] == 1
    assert verify(record_of(file)).over


async def test_a_finished_import_keeps_its_seed() -> None:
    old, there = await begun(2, "Ada", seed="over", **ALONE)
    await ended(there, await old.arrived(there, "Ada"))
    record = await written(there)
    table = await brought(old, record, "Ada")
    info = table.info("Ada")
    assert info.match
    assert (info.match.seed, info.match.imported) == (record["seed"], len(record["moves"]))
    assert await written(table) == {**record, "imported": len(record["moves"])}
    assert await scores_of(old, "Ada", there) != {None}
    assert await scores_of(old, "Ada", table, but=(there.id, 0)) == {None}
    record["seed"] = "00" * 32
    with pytest.raises(RecordError, match="the seed deals"):
        await brought(old, record)
    await table.rematch("Ada")
    assert table.context.chain.last
    assert not table.context.chain.last.practice, "the next match is not imported"


async def test_an_imported_campaign_stays_marked_as_imported() -> None:
    old, there = await begun(1, "Ada", "bot", setup={"mode": "episode", "play": "campaign"}, plan=(1, 2, 3))
    page = await old.arrived(there, "Ada")
    await ended(there, page)
    await there.rematch("Ada")
    await decided(there, page)
    record = await written(there)
    site = quick()
    table = await brought(site, record)
    assert [row.standings for row in table.context.chain.rows] == [row.standings for row in there.context.chain.rows]
    assert [seat.city for seat in table.info("Eve").seats] == [seat.city for seat in there.info("Ada").seats]
    page = await site.arrived(table, "Eve")
    await ended(table, page)
    await table.rematch("Eve")
    await ended(table, page)
    assert [row.imported for row in table.context.chain.rows] == [
        *(len(part["moves"]) for part in record["records"]),
        0,
    ]
    assert all(row.practice_for == "import" for row in table.context.chain.rows)
    fork = await site.lobby.factory.fork("Eve", table, 2, Fork(play="campaign", seat=0))
    assert fork.context.chain.last
    assert fork.context.chain.last.imported == 0
    assert await scores_of(site, "Eve", table) == {None}
    file = msgspec.convert(await written(table), CampaignRecord)
    assert verify_campaign(file)[0].over
    assert (await written(fork))["plan"] == [3]
    assert (await brought(quick(), await written(fork))).context.chain.plan == (3,)


async def test_entered_chance_events_continue_after_an_import() -> None:
    old, there = await begun(0, "Ada", luck="typed", **ALONE)
    table = await brought(quick(), await written(there))
    assert table.info("Eve").luck == "typed", "the match is due for chance"
    page = await old.arrived(there, "Ada")
    assert there.session
    live = there.session.live
    await send_action(there, page, -1, live.game.odds(live.match.state)[0][0])
    record = await written(there)
    assert (await brought(quick(), record)).info("Eve").luck == "dealt"
    assert (await brought(quick(), record, luck="typed")).info("Eve").luck == "typed"


async def test_an_import_among_bots_gives_a_seat_to_the_importer() -> None:
    _, there = await begun(0, "Ada", "bot", seed="bots")
    record = await written(there)
    table = await brought(quick(), {**record, "players": ["first", "last"]})
    assert [(seat.kind, seat.bot) for seat in table.info("Eve").seats] == [("person", "first"), ("bot", "last")]
    nameless = await brought(quick(), {name: value for name, value in record.items() if name != "players"})
    assert [seat.name for seat in nameless.info("Eve").seats] == ["1", "2"]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"format": "chess/1"}, "the format is 'chess/1'"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"rules": 99}, "version 99 of the rules"),
        ({"content": 99, "setup": {"seats": 2, "content": 99}}, "content"),
        ({"setup": {"seats": 200, "content": 1}}, "the setup"),
        ({"setup": {"mode": "episode"}}, "the setup"),
        ({"players": ["Ada"] * 9}, "players: there are 2 seats"),
        ({"players": ["A" * 25, "Ben"]}, "players: there are 2 seats, and a name has up to 24 letters"),
        ({"players": ["\u202eAda", "Ben"]}, r"players: the name: it holds U\+202E"),
        ({"scores": [99, 99]}, "not over"),
        ({"seed": "00"}, "the seed deals"),
        ({"imported": 99}, "imported: 99 of"),
        ({"moves": [{"seat": 0, "action": {"type": "pass"}}]}, "move 1"),
        ({"moves": 7}, "the record"),
    ],
)
async def test_invalid_records_are_rejected_with_a_reason(changes: dict[str, Any], problem: str) -> None:
    _, there = await begun(2, "Ada", "bot", seed="refused")
    site, record = quick(), await written(there)
    with pytest.raises(RecordError, match=problem):
        await brought(site, {**record, **changes})
    assert site.repository.tables == {}  # type: ignore[attr-defined]


async def test_an_imported_campaign_must_follow_a_plan_of_its_game() -> None:
    _, there = await begun(1, "Ada", game="rollwrite", setup={}, plan=(1, 2, 3))
    record = await written(there)
    for plan in ([], [1, 1, 1], [1]):
        with pytest.raises(RecordError, match="rollwrite has no plan"):
            await brought(quick(), {**record, "plan": plan})
    record["records"][0]["digest"] = "00"
    with pytest.raises(RecordError, match="record 1: digest"):
        await brought(quick(), record)
