"""The house of a server: everybody who works in it, from the first request to the last."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from litestar import Litestar

from polyopolis.play.daily import Daily
from polyopolis.play.library import Library
from polyopolis.play.life import SILENCE
from polyopolis.play.lobby import Lobby
from polyopolis.play.memory import SystemClock
from polyopolis.play.reviews import Reviews
from polyopolis.play.room import House
from polyopolis.server.accounts import Accounts
from polyopolis.server.addresses import Addresses
from polyopolis.server.almanac import StoredAlmanac
from polyopolis.server.bearers import Bearers
from polyopolis.server.catching_up import catch_up
from polyopolis.server.codes import Codes
from polyopolis.server.days import draw_ahead, find_pars
from polyopolis.server.herald import Herald
from polyopolis.server.housekeeping import settle_in
from polyopolis.server.informing import informing
from polyopolis.server.limits import Credit, Tries, Voices
from polyopolis.server.mail import Mailer
from polyopolis.server.metrics import counted
from polyopolis.server.neighbours import neighbours_on
from polyopolis.server.notebook import StoredNotebook
from polyopolis.server.notices import LETTERS
from polyopolis.server.options import Options
from polyopolis.server.outsiders import Outsiders
from polyopolis.server.people import People
from polyopolis.server.results import fill
from polyopolis.server.retention import DAY, Today, retire
from polyopolis.server.reviewing import ProcessReviewer
from polyopolis.server.scribes import ProcessScribe
from polyopolis.server.shelf import StoredShelf
from polyopolis.server.store import Store
from polyopolis.server.thinking import ProcessThinker
from polyopolis.server.visitors import Visitors
from polyopolis.server.whos import Whos

logger = logging.getLogger(__name__)


@asynccontextmanager
async def open_house(app: Litestar) -> AsyncIterator[None]:
    options: Options = app.state.options
    store, clock = Store(options.kept_at), SystemClock()
    addresses, scribe = Addresses(), ProcessScribe()
    thinker = ProcessThinker(options.bot_processes, options.data / "kernels", address_of=addresses.of)
    await store.open()
    await catch_up(store)
    await store.write(fill)
    neighbours = neighbours_on(options.kept_at, store)
    almanac = StoredAlmanac(store)
    whos = app.state.whos = Whos(store)
    house = House(
        counted(store),
        thinker,
        clock,
        neighbours,
        options.absence,
        pause=options.notices.pause,
        almanac=almanac,
        raters=whos,
        notebook=StoredNotebook(store),
        talks=options.talk == "on",
    )
    lobby = Lobby(house, options.public_url)
    daily = app.state.daily = Daily(house, lobby, almanac)
    visitors = Visitors(People(store), clock)
    accounts = Accounts(store, lobby, neighbours, visitors, Mailer(options.smtp))
    app.state.visitors, app.state.accounts, app.state.tries = visitors, accounts, Tries(options.limits)
    app.state.store, app.state.thinker, app.state.addresses = store, thinker, addresses
    app.state.sockets, app.state.voices = Credit(options.limits.sockets), Voices(options.limits)
    app.state.lobby, app.state.bearers = lobby, Bearers(options.limits)
    app.state.outsiders = Outsiders(store, lobby, neighbours, visitors)
    herald = app.state.herald = Herald(store, lobby, clock)
    app.state.library = Library(scribe)
    reviewer = ProcessReviewer(options.data / "kernels", options.review_futures, lambda: thinker.ready)
    reviews = app.state.reviews = Reviews(reviewer, StoredShelf(store, clock), clock)
    app.state.codes = Codes(store, lobby, clock)
    app.state.inform = inform = await informing(store, lobby, clock, neighbours.node, options)
    app.state.letters = Credit(LETTERS)
    settle_in()
    await lobby.sign(silence=0 if isinstance(options.kept_at, Path) else SILENCE)
    await visitors.open()
    await neighbours.open(lobby)
    works = [
        asyncio.create_task(work)
        for work in (
            lobby.live(),
            herald.go_on(),
            _retire_daily(store, lobby, Today(clock), options),
            draw_ahead(daily),
            find_pars(daily, lambda: thinker.ready),
        )
    ]
    inform.postman.open()
    yield
    await inform.postman.close()
    for work in works:
        work.cancel()
    await lobby.sign()
    reviews.close()
    reviewer.close()
    await accounts.close()
    await visitors.close()
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
