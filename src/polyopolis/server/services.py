"""Builds and starts all services of a server, and stops them in reverse order."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from litestar import Litestar

from polyopolis.play.daily.daily_service import DailyService
from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.history.review_service import ReviewService
from polyopolis.play.in_memory import SystemClock
from polyopolis.play.lobby import Lobby
from polyopolis.play.lobby.deadline_service import DeadlineService
from polyopolis.play.outages import OUTAGE_AFTER_MS
from polyopolis.play.table.table_context import SiteServices
from polyopolis.server.auth.accounts import Accounts
from polyopolis.server.auth.bearer_auth import BearerLimits
from polyopolis.server.auth.bot_accounts import BotAccountService
from polyopolis.server.auth.people import PersonRepository
from polyopolis.server.auth.seat_codes import SeatCodeService
from polyopolis.server.auth.visitors import Visitors
from polyopolis.server.cluster.cluster import cluster_for
from polyopolis.server.limits.client_addresses import ClientAddressBook, networks_of
from polyopolis.server.limits.rate_limits import (
    ChatLimiter,
    ConnectionLimiter,
    GuessLimiter,
    Limits,
    MailLimiter,
    TokenBucket,
)
from polyopolis.server.mail.mailer import Mailer
from polyopolis.server.notifications.notification_services import NotificationServices, build_notification_services
from polyopolis.server.ops.backfill import backfill_derived_columns, backfill_results
from polyopolis.server.ops.daily_jobs import draw_ahead, find_pars
from polyopolis.server.ops.gc_tuning import tune_garbage_collector
from polyopolis.server.ops.metered_repository import MeteredMatchRepository
from polyopolis.server.ops.metrics import measure_loop_lag, register_gauges
from polyopolis.server.ops.quotas import StoredQuotas
from polyopolis.server.ops.retention import DAY, MonotonicDate, delete_unused_tables
from polyopolis.server.options import Options
from polyopolis.server.realtime.bot_events import BotEventStream
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.chat_repository import DatabaseChatRepository
from polyopolis.server.storage.daily_repository import DatabaseDailyRepository
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.match_results import store_missing_results_page
from polyopolis.server.storage.review_cache import DatabaseReviewCache
from polyopolis.server.workers.bot_processes import BotProcessPool
from polyopolis.server.workers.export_process import ExportProcess
from polyopolis.server.workers.review_process import ReviewProcess

logger = logging.getLogger(__name__)


class Limiters:
    """The rate limits that handlers apply themselves; others are middleware."""

    def __init__(self, limits: Limits) -> None:
        self.guesses = GuessLimiter(limits)
        self.chat = ChatLimiter(limits)
        self.letters = MailLimiter(limits)
        self.bearers = BearerLimits(limits)
        self.sockets = TokenBucket(limits.sockets)
        self.connections = ConnectionLimiter(limits)


@dataclass(frozen=True)
class Services:
    """All services that handlers of requests use; `services_of` returns those of an application."""

    options: Options
    repository: DatabaseMatchRepository
    bots: BotProcessPool
    lobby: Lobby
    daily: DailyService
    archive: MatchArchive
    reviews: ReviewService
    visitors: Visitors
    accounts: Accounts
    profiles: ProfileService
    bot_accounts: BotAccountService
    seat_codes: SeatCodeService
    bot_events: BotEventStream
    notifications: NotificationServices
    addresses: ClientAddressBook
    limiters: Limiters


def services_of(app: Litestar) -> Services:
    """Returns the services of a running application; they exist from the end of its startup on."""
    services: Services = app.state.services
    return services


@asynccontextmanager
async def run_services(options: Options) -> AsyncIterator[Services]:
    """Runs all services of a server; if one fails to start, those before it are stopped."""
    async with AsyncExitStack() as stack:
        services = await _start_services(options, stack)
        yield services


async def _start_services(options: Options, stack: AsyncExitStack) -> Services:
    """Starts the services in order and pushes what stops each of them onto the stack."""
    repository, clock, addresses = MeteredMatchRepository(options.database_location), SystemClock(), ClientAddressBook()
    stack.push_async_callback(repository.close)
    exports = ExportProcess()
    stack.callback(exports.close)
    bots = BotProcessPool(options.bot_processes, options.data / "kernels", address_of=addresses.of)
    stack.callback(bots.close)
    await repository.open()
    await backfill_derived_columns(repository)
    filled_to = await repository.write(store_missing_results_page)
    cluster = cluster_for(options.database_location, repository)
    daily_repository, profiles = DatabaseDailyRepository(repository), ProfileService(repository)
    quotas = StoredQuotas(repository, options.limits, clock, addresses.of)
    stack.push_async_callback(quotas.close)
    site = SiteServices(
        repository,
        bots,
        clock,
        cluster,
        options.absence,
        notification_delay=options.notices.pause,
        daily_repository=daily_repository,
        ratings=profiles,
        quotas=quotas,
        chat_repository=DatabaseChatRepository(repository),
        chat_enabled=options.talk == "on",
        networks_of=lambda person: networks_of(addresses.of(person)),
    )
    lobby = Lobby(site, options.public_url)
    visitors = Visitors(PersonRepository(repository), clock)
    accounts = Accounts(repository, lobby.nodes, cluster, visitors, Mailer(options.smtp))
    stack.push_async_callback(accounts.close)
    review_process = ReviewProcess(
        options.data / "kernels", options.review_futures, lambda: bots.ready, address_of=addresses.of
    )
    stack.callback(review_process.close)
    reviews = ReviewService(review_process, DatabaseReviewCache(repository, clock), clock)
    stack.callback(reviews.close)
    services = Services(
        options,
        repository,
        bots,
        lobby,
        DailyService(site, lobby, daily_repository),
        MatchArchive(exports),
        reviews,
        visitors,
        accounts,
        profiles,
        BotAccountService(repository, lobby.nodes, cluster, visitors),
        SeatCodeService(repository, lobby.tables, clock),
        BotEventStream(repository, lobby.queries, clock),
        await build_notification_services(repository, lobby, clock, cluster.node, options),
        addresses,
        Limiters(options.limits),
    )
    tune_garbage_collector()
    await lobby.deadlines.record_heartbeat(
        silence=0 if isinstance(options.database_location, Path) else OUTAGE_AFTER_MS
    )
    await visitors.open()
    stack.push_async_callback(visitors.close)
    await cluster.open(lobby.nodes)
    stack.push_async_callback(cluster.close)
    stack.push_async_callback(_record_shutdown, lobby.deadlines)
    register_gauges(lambda: bots.waiting, lambda: len(lobby.tables.in_use))
    for job in (
        measure_loop_lag(),
        backfill_results(repository, filled_to),
        lobby.deadlines.run(),
        services.bot_events.go_on(),
        _delete_expired_data(services, MonotonicDate(clock)),
        draw_ahead(services.daily),
        find_pars(services.daily, lambda: bots.ready),
    ):
        stack.callback(asyncio.create_task(job).cancel)
    services.notifications.dispatcher.open()
    stack.push_async_callback(services.notifications.dispatcher.close)
    return services


async def _record_shutdown(deadlines: DeadlineService) -> None:
    """Stores the time of the shutdown. A failed write must not prevent the shutdown itself."""
    try:
        await deadlines.record_heartbeat()
    except Exception as error:
        logger.warning("the time of the shutdown could not be stored: %s: %s", type(error).__name__, error)


async def _delete_expired_data(services: Services, today: MonotonicDate) -> None:
    options, tables = services.options, services.lobby.tables
    while options.retention.shortest is not None:
        try:
            await delete_unused_tables(
                services.repository, options.data, options.retention, today, lambda: tables.in_use
            )
        except Exception:
            logger.exception("expired data could not be deleted")
        await asyncio.sleep(DAY)
