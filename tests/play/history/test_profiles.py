"""Profiles: statistics of a player, and the parts that they share."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.match.messages import AskHint, AskTakeback
from polyopolis.play.wire.requests import BotSeat, OwnSeat, PutBot
from polyopolis.server.auth.account_merge import AccountDataService
from polyopolis.server.auth.people import set_removed
from polyopolis.server.stats.player_stats import MAX_BUCKETS, histogram
from polyopolis.server.stats.profile_types import GameStats, Profile, ScoreBucket
from tests.play.in_memory_site import Page
from tests.play.table.test_rated_play import BOT, Site, built, played, row_of, site, stopped

__all__ = ["site"]
pytestmark = pytest.mark.anyio


def game_of(who: Profile, key: str = "rollwrite") -> GameStats:
    return next(game for game in who.games if game.game == key)


async def test_statistics_count_finished_matches_without_practice(site: Site) -> None:
    assert (await site.whos.mine("Ada")).games == ()
    scores = list[int]()
    for others, rounds in ((("Ben",), 0), ((BOT,), 3), (("Ben", "Cleo"), 1)):
        table, pages = await site.table(*others, rated=False)
        for _ in range(rounds):
            await built(table, pages)
        await stopped(table, pages)
        scores.append(played(table).result.scores[0])
    hinted, pages = await site.table(BOT, rated=False)
    await hinted.handle(pages["Ada"], AskHint(1, 0))
    await stopped(hinted, pages)
    shared, page = await site.wish(OwnSeat("Ada"), OwnSeat("Bea"), rated=False), Page("Ada")
    await shared.arrive(page)
    await stopped(shared, {"Ada": page, "Bea": page})
    await site.table("Ben", rated=False)  # unfinished

    game = game_of(await site.whos.mine("Ada"))
    assert (game.begun, game.finished) == (5, 3)
    (kind,) = game.kinds
    assert (kind.kind, kind.count, kind.best, kind.mean) == ("episode-1", 3, max(scores), round(sum(scores) / 3, 1))
    assert sum(bucket.count for bucket in kind.buckets) == 3
    assert (game.rating, game.rungs[0].bot) == (None, "level-5")
    lines = {(line.name, line.bot): line.won + line.drawn + line.lost for line in game.against}
    assert lines == {("Ben", None): 2, ("Cleo", None): 1, ("", BOT): 1}
    hers, his = game.against[0], game_of(await site.whos.mine("Ben")).against[0]
    assert (hers.name, his.name) == ("Ben", "Ada")
    assert (hers.won, hers.drawn, hers.lost) == (his.lost, his.drawn, his.won)


async def test_a_draw_has_no_winner(site: Site) -> None:
    table, pages = await site.table("Ben", rated=False)
    await stopped(table, pages)
    assert played(table).result.ranks == (1, 1)
    game = game_of(await site.whos.mine("Ada"))
    (ben,) = game.against
    assert (game.won, ben.won, ben.drawn, ben.lost) == (0, 0, 1, 0)


async def test_stand_ins_and_ends_that_were_taken_back_do_not_count(site: Site) -> None:
    table, pages = await site.table("Ben", rated=False)
    await table.change_seat("Ben", 1, PutBot(BOT))
    await stopped(table, {"Ada": pages["Ada"]})
    assert game_of(await site.whos.mine("Ben")).finished == 0
    ada = game_of(await site.whos.mine("Ada"))
    assert (ada.finished, ada.against) == (1, ())

    alone = await site.wish(OwnSeat("Ada"), rated=False)
    page = Page("Ada")
    await alone.arrive(page)
    await stopped(alone, {"Ada": page})
    assert game_of(await site.whos.mine("Ada")).finished == 2
    await alone.handle(page, AskTakeback(0))
    assert not row_of(alone).over
    assert game_of(await site.whos.mine("Ada")).finished == 1
    await stopped(alone, {"Ada": page})
    assert game_of(await site.whos.mine("Ada")).finished == 2


async def test_campaign_statistics_show_progress_and_standing(site: Site) -> None:
    table = await site.wish(OwnSeat("Ada"), BotSeat(BOT), plan=(1, 2, 3), rated=False)
    page = Page("Ada")
    await table.arrive(page)
    await stopped(table, {"Ada": page})
    await table.rematch("Ada")
    (campaign,) = game_of(await site.whos.mine("Ada")).campaigns
    assert (campaign.table, campaign.played, campaign.episodes, campaign.seats) == (table.id, 1, 3, 2)
    standings = table.info("Ada").standings
    assert standings
    assert campaign.score is not None
    assert campaign.rank in (1, 2)
    await site.whos.share("Ada", shared=True)
    shared = (await site.whos.mine("Ada")).shared
    assert shared
    assert game_of(await site.whos.shown(shared)).campaigns[0].table is None, "tables are private"


async def test_a_profile_is_shared_by_choice_and_names_only_shared_opponents(site: Site) -> None:
    table, pages = await site.table("Ben")
    await stopped(table, pages)
    with pytest.raises(Forbidden, match="account"):
        await site.whos.share("Guest", shared=True)
    with pytest.raises(NotFound):
        await site.whos.shown("Ada")
    word = (await site.whos.share("Ada", shared=True)).shared
    assert word
    assert (await site.whos.share("Ada", shared=True)).shared == word
    shown = await site.whos.shown(word)
    assert (shown.name, game_of(shown).finished, game_of(shown).against) == ("Ada", 1, ())
    assert game_of(shown).rating
    his = (await site.whos.share("Ben", shared=True)).shared
    assert [(line.name, line.who) for line in game_of(await site.whos.shown(word)).against] == [("Ben", his)]
    assert (await site.whos.share("Ada", shared=False)).shared is None
    with pytest.raises(NotFound):
        await site.whos.shown(word)
    again = (await site.whos.share("Ada", shared=True)).shared
    assert again
    assert again != word
    await site.store.write(lambda db: set_removed(db, "Ben", 1))
    with pytest.raises(NotFound):
        await site.whos.shown(str(his))
    await AccountDataService(site.store).anonymize("Ada", 1)
    with pytest.raises(NotFound):
        await site.whos.shown(again)
    assert (await site.whos.mine("Ada")).games == ()


# Histograms


def test_buckets_lie_between_round_numbers() -> None:
    assert histogram({7: 2}) == (ScoreBucket(7, 7, 2),)
    assert histogram({-3: 1, 4: 2, 19: 1})[0] == ScoreBucket(-5, -1, 1)
    assert [bucket.count for bucket in histogram({-3: 1, 4: 2, 19: 1})] == [1, 2, 0, 0, 1]


@given(st.dictionaries(st.integers(-300, 300), st.integers(1, 50), min_size=1))
def test_every_score_is_in_one_bucket(scores: dict[int, int]) -> None:
    buckets = histogram(scores)
    assert len(buckets) <= MAX_BUCKETS
    assert all(one.last + 1 == other.first for one, other in pairwise(buckets))
    counted = Counter[ScoreBucket]()
    for score, times in scores.items():
        (own,) = [bucket for bucket in buckets if bucket.first <= score <= bucket.last]
        counted[own] += times
    assert all(counted[bucket] == bucket.count for bucket in buckets)
    assert buckets[0].count > 0 < buckets[-1].count
