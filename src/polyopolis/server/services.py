"""The house of a server: everybody who works in it, from the first request to the last."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from litestar import Litestar
from litestar.datastructures import State

from polyopolis.play.daily.daily_service import DailyService
from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.history.review_service import ReviewService
from polyopolis.play.in_memory import SystemClock
from polyopolis.play.lobby import Lobby
from polyopolis.play.outages import OUTAGE_AFTER_MS
from polyopolis.play.table.room import SiteServices
from polyopolis.server.auth.accounts import Accounts
from polyopolis.server.auth.bearer_auth import BearerLimits
from polyopolis.server.auth.bot_accounts import BotAccountService
from polyopolis.server.auth.people import PersonRepository
from polyopolis.server.auth.seat_codes import SeatCodeService
from polyopolis.server.auth.visitors import Visitors
from polyopolis.server.cluster.cluster import cluster_for
from polyopolis.server.limits.client_addresses import ClientAddressBook, networks_of
from polyopolis.server.limits.rate_limits import ChatLimiter, ConnectionLimiter, GuessLimiter, Letters, TokenBucket
from polyopolis.server.mail.mailer import Mailer
from polyopolis.server.notifications.notification_services import informing
from polyopolis.server.ops.backfill import catch_up, fill_results
from polyopolis.server.ops.gc_tuning import settle_in
from polyopolis.server.ops.metered_repository import MeteredMatchRepository
from polyopolis.server.ops.metrics import measure_loop_lag, register_gauges
from polyopolis.server.ops.quotas import StoredQuotas
from polyopolis.server.ops.retention import DAY, MonotonicDate, retire
from polyopolis.server.options import Options
from polyopolis.server.realtime.bot_events import BotEventStream
from polyopolis.server.routes.daily_routes import draw_ahead, find_pars
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.chat_repository import DatabaseChatRepository
from polyopolis.server.storage.daily_repository import DatabaseDailyRepository
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.match_results import fill_some
from polyopolis.server.storage.review_cache import DatabaseReviewCache
from polyopolis.server.workers.bot_processes import BotProcessPool
from polyopolis.server.workers.export_process import ExportProcess
from polyopolis.server.workers.review_process import ReviewProcess

logger = logging.getLogger(__name__)


@asynccontextmanager
async def run_services(app: Litestar) -> AsyncIterator[None]:
    """Whoever has come leaves in the end, the last one first, even where somebody after them could not come."""
    options: Options = app.state.options
    async with AsyncExitStack() as leaving:
        store, clock, addresses = MeteredMatchRepository(options.kept_at), SystemClock(), ClientAddressBook()
        leaving.push_async_callback(store.close)
        scribe = ExportProcess()
        leaving.callback(scribe.close)
        thinker = BotProcessPool(options.bot_processes, options.data / "kernels", address_of=addresses.of)
        leaving.callback(thinker.close)
        await store.open()
        await catch_up(store)
        filled_to = await store.write(fill_some)
        neighbours = cluster_for(options.kept_at, store)
        almanac, whos = DatabaseDailyRepository(store), ProfileService(store)
        quotas = StoredQuotas(store, options.limits, clock, addresses.of)
        leaving.push_async_callback(quotas.close)
        house = SiteServices(
            store,
            thinker,
            clock,
            neighbours,
            options.absence,
            pause=options.notices.pause,
            almanac=almanac,
            raters=whos,
            quotas=quotas,
            notebook=DatabaseChatRepository(store),
            talks=options.talk == "on",
            networks_of=lambda person: networks_of(addresses.of(person)),
        )
        lobby = Lobby(house, options.public_url)
        visitors = Visitors(PersonRepository(store), clock)
        accounts = Accounts(store, lobby, neighbours, visitors, Mailer(options.smtp))
        leaving.push_async_callback(accounts.close)
        reviewer = ReviewProcess(
            options.data / "kernels", options.review_futures, lambda: thinker.ready, address_of=addresses.of
        )
        leaving.callback(reviewer.close)
        reviews = ReviewService(reviewer, DatabaseReviewCache(store, clock), clock)
        leaving.callback(reviews.close)
        state = app.state
        state.store, state.thinker, state.addresses, state.lobby = store, thinker, addresses, lobby
        state.visitors, state.accounts, state.whos = visitors, accounts, whos
        state.reviews, state.library, state.codes = reviews, MatchArchive(scribe), SeatCodeService(store, lobby, clock)
        state.herald, state.daily = BotEventStream(store, lobby, clock), DailyService(house, lobby, almanac)
        state.outsiders = BotAccountService(store, lobby, neighbours, visitors)
        state.inform = await informing(store, lobby, clock, neighbours.node, options)
        _count(state, options)
        settle_in()
        await lobby.sign(silence=0 if isinstance(options.kept_at, Path) else OUTAGE_AFTER_MS)
        await visitors.open()
        leaving.push_async_callback(visitors.close)
        await neighbours.open(lobby)
        leaving.push_async_callback(neighbours.close)
        leaving.push_async_callback(_sign_off, lobby)
        register_gauges(lambda: thinker.waiting, lambda: len(lobby.in_use))
        for work in (
            measure_loop_lag(),
            fill_results(store, filled_to),
            lobby.live(),
            state.herald.go_on(),
            _retire_daily(store, lobby, MonotonicDate(clock), options),
            draw_ahead(state.daily),
            find_pars(state.daily, lambda: thinker.ready),
        ):
            leaving.callback(asyncio.create_task(work).cancel)
        state.inform.postman.open()
        leaving.push_async_callback(state.inform.postman.close)
        yield


async def _sign_off(lobby: Lobby) -> None:
    """The server ends also where nothing can be written."""
    try:
        await lobby.sign()
    except Exception as error:
        logger.warning("no last sign of life could be kept: %s: %s", type(error).__name__, error)


def _count(state: State, options: Options) -> None:
    """Whoever asks for much waits."""
    state.tries, state.voices = GuessLimiter(options.limits), ChatLimiter(options.limits)
    state.sockets, state.pages = TokenBucket(options.limits.sockets), ConnectionLimiter(options.limits)
    state.letters = Letters(options.limits)
    state.bearers = BearerLimits(options.limits)


async def _retire_daily(store: DatabaseMatchRepository, lobby: Lobby, today: MonotonicDate, options: Options) -> None:
    while options.retention.shortest is not None:
        try:
            await retire(store, options.data, options.retention, today, lambda: lobby.in_use)
        except Exception:
            logger.exception("tables that nobody needs could not be given up")
        await asyncio.sleep(DAY)
