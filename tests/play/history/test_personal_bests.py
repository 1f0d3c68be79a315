"""Personal bests, titles of solo players, and reasons for practice."""

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from polyopolis.games import GAME_SPECS
from polyopolis.games.content_loader import ContentError
from polyopolis.games.titles import earned_title, read_titles
from polyopolis.play.errors import NotFound
from polyopolis.play.history.personal_bests import best
from polyopolis.play.in_memory import InMemoryMatchRepository
from polyopolis.play.match.messages import AskHint, AskTakeback
from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import Branch
from polyopolis.play.wire.responses import PersonalBest
from tests.play.in_memory_site import InMemorySite, Page, act, send_action, settle

pytestmark = pytest.mark.anyio
ALONE = {"game": "rollwrite", "setup": {"episode": 1}, "seed": "bests"}


async def played(table: Table, page: Page, most: int = 200, builds: int = 99) -> None:
    """Plays a match to its end: Ada builds some times, then stops."""
    for number in range(most):
        assert table.session
        live = table.session.live
        if live.match.over:
            return
        if number < builds:
            await act(table, page, 0)
        else:
            await send_action(table, page, 0, {"type": "stop"})
        await settle()
    raise AssertionError("it did not end")


async def test_the_best_is_that_of_the_other_matches_of_the_same_kind() -> None:
    site = InMemorySite()
    first = await site.table("Ada", **ALONE)
    await played(first, await site.arrived(first, "Ada"), builds=0)
    found = await best(first.context, "Ada", 0)
    assert found == PersonalBest(score=first.session.live.match.result.scores[0], best=None, title=1, next=5)  # type: ignore[union-attr]
    other = await site.table("Ada", **{**ALONE, "setup": {"episode": 2}})
    await played(other, await site.arrived(other, "Ada"), builds=0)
    assert (await best(other.context, "Ada", 0)).best is None
    again = await site.table("Ada", "bot", **ALONE)
    await played(again, await site.arrived(again, "Ada"))
    assert (await best(again.context, "Ada", 0)).best == found.score
    assert (await best(first.context, "Ada", 0)).best == (await best(again.context, "Ada", 0)).score


@pytest.mark.parametrize("broken", [{"setup": "{"}, {"result": '{"scores":[]}'}], ids=["setup", "result"])
async def test_an_unreadable_match_is_not_compared(broken: dict[str, str]) -> None:
    repository = InMemoryMatchRepository()
    site = InMemorySite(repository)
    tables = [await site.table("Ada", **ALONE) for _ in range(3)]
    for table in tables:
        await played(table, await site.arrived(table, "Ada"), builds=0)
    kept = repository.tables[tables[2].id]
    repository.tables[tables[2].id] = replace(kept, matches=(replace(kept.matches[0], **broken),))
    found = await best(tables[0].context, "Ada", 0)
    assert found.best == found.score


async def test_only_a_single_person_among_bots_earns_a_title() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", **ALONE)
    hers, his = await site.arrived(table, "Ada"), await site.arrived(table, "Ben")
    await send_action(table, hers, 0, {"type": "stop"})
    await send_action(table, his, 1, {"type": "stop"})
    found = await best(table.context, "Ben", 0)
    assert (found.title, found.next) == (None, None)
    with pytest.raises(NotFound):
        await best(table.context, "Cleo", 0)


async def test_an_unfinished_match_is_not_compared() -> None:
    site = InMemorySite()
    table = await site.table("Ada", **ALONE)
    with pytest.raises(NotFound):
        await best(table.context, "Ada", 0)


def test_a_title_is_the_last_whose_limit_is_reached() -> None:
    limits = (24, 29, 35)
    assert [earned_title(limits, score) for score in (-3, 23, 24, 34, 35, 90)] == [
        (1, 24), (1, 24), (2, 29), (3, 35), (4, None), (4, None),
    ]  # fmt: skip


def test_limits_that_do_not_rise_are_refused(tmp_path: Path) -> None:
    (tmp_path / "titles.toml").write_text("[limits]\neternal = [24, 24]\n")
    with pytest.raises(ContentError, match="rise"):
        read_titles(cast("Traversable", tmp_path))


def test_every_episode_of_the_sheets_has_titles() -> None:
    assert set(GAME_SPECS["rollwrite"].titles) == {f"episode-{number}" for number in range(1, 13)}
    assert {len(limits) for sign in GAME_SPECS.values() for limits in sign.titles.values()} <= {4}


async def test_practice_has_a_reason() -> None:
    site = InMemorySite()
    table = await site.table("Ada", **ALONE)
    page = await site.arrived(table, "Ada")
    await act(table, page, 0)
    await table.handle(page, AskTakeback(0))
    assert table.session
    assert table.session.live.row.practice_for == "takeback"
    await table.handle(page, AskHint(1, 0))
    assert table.session.live.row.practice_for == "takeback"  # it was practice before
    branched = await site.lobby.factory.branch("Ada", table, 0, Branch(1, 0))
    assert branched.info("Ada").match.practice_for == "position"  # type: ignore[union-attr]
    other = await site.table("Ada", **ALONE)
    await other.handle(await site.arrived(other, "Ada"), AskHint(1, 0))
    assert other.info("Ada").match.practice_for == "hint"  # type: ignore[union-attr]
