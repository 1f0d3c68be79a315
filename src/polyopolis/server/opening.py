"""The house of a server: everybody who works in it, from the first request to the last."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar

from polyopolis.play.daily import Daily
from polyopolis.play.library import Library
from polyopolis.play.lobby import Lobby
from polyopolis.play.memory import SystemClock
from polyopolis.play.room import House
from polyopolis.server.addresses import Addresses
from polyopolis.server.catching_up import catch_up
from polyopolis.server.codes import Codes
from polyopolis.server.days import draw_ahead, find_pars
from polyopolis.server.housekeeping import settle_in
from polyopolis.server.limits import Credit
from polyopolis.server.metrics import counted
from polyopolis.server.neighbours import neighbours_on
from polyopolis.server.options import Options
from polyopolis.server.retention import DAY, Today, retire
from polyopolis.server.scribes import ProcessScribe
from polyopolis.server.sessions import Sessions
from polyopolis.server.store import Store
from polyopolis.server.thinking import ProcessThinker

logger = logging.getLogger(__name__)


@asynccontextmanager
async def open_house(app: Litestar) -> AsyncIterator[None]:
    options: Options = app.state.options
    store, clock = Store(options.kept_at), SystemClock()
    addresses, scribe = Addresses(), ProcessScribe()
    thinker = ProcessThinker(options.bot_processes, options.data / "kernels", address_of=addresses.of)
    await store.open()
    await catch_up(store)
    neighbours = neighbours_on(options.kept_at, store)
    house = House(counted(store), thinker, clock, neighbours, options.absence, store.almanac)
    lobby = Lobby(house, options.public_url)
    daily = app.state.daily = Daily(house, lobby, store.almanac)
    app.state.sessions = Sessions(await store.secret("sessions"))
    app.state.store, app.state.thinker, app.state.addresses = store, thinker, addresses
    app.state.sockets = Credit(options.limits.sockets)
    app.state.lobby = lobby
    app.state.library = Library(scribe)
    app.state.codes = Codes(store, lobby, clock)
    settle_in()
    await neighbours.open(lobby)
    works = [
        asyncio.create_task(work)
        for work in (
            _retire_daily(store, lobby, Today(clock), options),
            draw_ahead(daily),
            find_pars(daily, lambda: thinker.ready),
        )
    ]
    yield
    for work in works:
        work.cancel()
    await neighbours.close()
    thinker.close()
    scribe.close()
    await store.close()


async def _retire_daily(store: Store, lobby: Lobby, today: Today, options: Options) -> None:
    while options.retention.any:
        try:
            await retire(store, options.data, options.retention, today, lobby.in_use)
        except Exception:
            logger.exception("tables that nobody needs could not be given up")
        await asyncio.sleep(DAY)
