"""Staged and prepared decisions appear in no byte that others receive: messages, notifications or files.

The same match is played several times with different staged decisions of Ada; all output for others must be identical.
"""

import secrets
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polyopolis.browser_backend.browser_reviews import BrowserReviewCache, BrowserReviewEngine
from polyopolis.play.endpoints import (
    EXPORT_ENDPOINTS,
    TABLE,
    TABLE_ENDPOINTS,
    EncodedResponse,
    EndpointContext,
    HttpEndpoint,
)
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.history.review_service import ReviewService
from polyopolis.play.in_memory import InlineExportWorker
from polyopolis.play.match.messages import AskFuture, PreparePremove
from polyopolis.play.match.premoves import TURN
from polyopolis.play.table.table import Table
from polyopolis.play.timing.pace import Correspondence
from polyopolis.server.notifications.receivers import HookTarget, MailTarget
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.browser_backend.in_memory_storage import MemoryStorage
from tests.play.in_memory_site import Page, act
from tests.server.notifications.test_dispatcher import BOX, SECRET, Site
from tests.server.support.notification_sink import NotificationSink, notification_sink
from tests.server.support.smtp_sink import SmtpSink, smtp_sink

pytestmark = pytest.mark.anyio
OTHERS = ("Ben", "Cleo", "Eve")
"""Eve has no seat."""
READ = [
    one
    for one in (*TABLE_ENDPOINTS, *EXPORT_ENDPOINTS)
    if one.method == "GET" and (one.path == "/hello" or one.path.startswith(TABLE))
]
"""All readable endpoints, including future ones."""
SETUPS: dict[str, dict[str, Any]] = {"mycity": {"mode": "eternal"}, "rollwrite": {"episode": 1}, "pointcity": {}}
LUCKS = 5
"""Number of possible draws for which Ada prepares a decision."""


@pytest.fixture
def heard() -> Iterator[NotificationSink]:
    with notification_sink() as found:
        yield found


@pytest.fixture
def office() -> Iterator[SmtpSink]:
    with smtp_sink() as found:
        yield found


async def answered(site: Site, table: Table, person: str, endpoint: HttpEndpoint) -> bytes:
    reviews = ReviewService(BrowserReviewEngine(), BrowserReviewCache(MemoryStorage()), site.clock)
    context = EndpointContext(site.lobby, MatchArchive(InlineExportWorker()), reviews, person, {})
    parameters = msgspec.convert({"table": table.id, "number": 0}, endpoint.types.parameters)
    try:
        found = await endpoint.respond(context, parameters)
    except (Forbidden, NotFound) as error:
        return str(error).encode()
    return found.data if isinstance(found, EncodedResponse) else msgspec.json.encode(found)


async def told(site: Site, game: str, staged: int, prepared: int | None) -> tuple[dict[str, list[bytes]], bytes]:
    """Returns the messages and files that others receive until they decide, and the messages that Ada receives."""
    about: dict[str, Any] = {"game": game, "setup": SETUPS[game], "pace": Correspondence(1, 0), "seed": "pear"}
    table = await site.table("Ada", "Ben", "Cleo", **about)
    ada = await site.arrived(table, "Ada")
    pages = {name: await site.arrived(table, name) for name in OTHERS}
    await site.walk(20)
    for page in pages.values():
        table.depart(page)
        page.clear()
        await table.arrive(page)
    if game == "pointcity":
        await _plan_turn(table, ada, prepared)
    else:
        await act(table, ada, 0, staged)
        await _plan(table, ada, prepared)
    back = [await site.arrived(table, name) for name in OTHERS]
    screens = [b"".join(page.sent) for page in (*pages.values(), *back)]
    for page in (*pages.values(), *back):
        table.depart(page)
    for _ in range(26):
        await site.walk(3600)
    files = [await answered(site, table, person, request) for person in OTHERS for request in READ]
    return {"screens": screens, "files": files}, b"".join(ada.sent)


async def _plan(table: Table, ada: Page, prepared: int | None) -> None:
    if prepared is None:
        return
    await table.handle(ada, AskFuture(1, 0))
    lucks = ada.last["lucks"]
    assert len(lucks) >= LUCKS
    for luck in lucks[:LUCKS]:
        await table.handle(ada, AskFuture(2, 0, luck))
        await table.handle(ada, PreparePremove(0, luck, ada.last["choices"][prepared]))
    assert len(ada.last["mine"][0]["prepared"]) == LUCKS


async def _plan_turn(table: Table, ada: Page, prepared: int | None) -> None:
    """In a game with turns: Ada is due later."""
    assert table.session
    assert 0 not in table.session.live.due
    if prepared is None:
        return
    await table.handle(ada, AskFuture(2, 0, TURN))
    await table.handle(ada, PreparePremove(0, TURN, ada.last["choices"][prepared]))
    assert len(ada.last["mine"][0]["prepared"]) == 1


@pytest.mark.parametrize("game", SETUPS)
async def test_staged_and_prepared_decisions_change_no_byte_for_others(
    game: str, tmp_path: Path, heard: NotificationSink, office: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, own = list[dict[str, list[bytes]]](), set[bytes]()
    for number, (staged, prepared) in enumerate([(0, 0), (1, -1), (0, None)]):
        names = count()
        monkeypatch.setattr(secrets, "token_urlsafe", lambda *_, names=names: f"name-{next(names)}")
        store = DatabaseMatchRepository(tmp_path / f"{number}.sqlite")
        await store.open()
        site = Site(store, office.smtp)
        await site.told("Ben", "hook", HookTarget(f"{heard.url}/ben", SECRET))
        await site.told("Cleo", "mail", MailTarget(BOX))
        others, ada = await told(site, game, staged, prepared)
        others["notices"] = [each.body for each in heard.heard]
        others["mails"] = [f"{mail['Subject']}\n{mail.get_content()}".encode() for mail in office.taken]
        heard.heard.clear()
        office.taken.clear()
        found.append(others)
        own.add(ada)
        await store.close()
    assert len(own) == 3, "the secret differs"
    due = [1, 2] if game == "pointcity" else [3, 3]
    assert sorted(len(found[0][way]) for way in ("notices", "mails")) == due, "turn, again, and who is late"
    for other in found[1:]:
        for way, sent in found[0].items():
            assert sent == other[way], way
