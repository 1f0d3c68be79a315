"""What somebody has staged or prepared is in no byte that others get: not on a screen, in a notice, or in a file.

The same match is played several times; only what Ada has decided and not opened is another each time. All that reaches
the others must be the same to the byte.
"""

import secrets
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polyopolis.browser_backend.browser_reviews import CupboardShelf, PageReviewer
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
from polyopolis.play.match.messages import Foresee, Prepare
from polyopolis.play.match.premoves import TURN
from polyopolis.play.table.table import Table
from polyopolis.play.timing.pace import Correspondence
from polyopolis.server.notifications.receivers import HookTarget, MailTarget
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.browser_backend.in_memory_storage import MemoryCupboard
from tests.play.in_memory_site import Page, act
from tests.server.notifications.test_dispatcher import BOX, SECRET, Site
from tests.server.support.notification_sink import Ears, ears
from tests.server.support.smtp_sink import PostOffice, post_office

pytestmark = pytest.mark.anyio
OTHERS = ("Ben", "Cleo", "Eve")
"""Eve has no seat."""
READ = [
    one
    for one in (*TABLE_ENDPOINTS, *EXPORT_ENDPOINTS)
    if one.method == "GET" and (one.path == "/hello" or one.path.startswith(TABLE))
]
"""Whatever can be read, those that are added among them."""
SETUPS: dict[str, dict[str, Any]] = {"mycity": {"mode": "eternal"}, "rollwrite": {"episode": 1}, "pointcity": {}}
LUCKS = 5
"""For which Ada prepares something."""


@pytest.fixture
def heard() -> Iterator[Ears]:
    with ears() as found:
        yield found


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office() as found:
        yield found


async def answered(site: Site, table: Table, person: str, endpoint: HttpEndpoint) -> bytes:
    reviews = ReviewService(PageReviewer(), CupboardShelf(MemoryCupboard()), site.clock)
    context = EndpointContext(site.lobby, MatchArchive(InlineExportWorker()), reviews, person, {})
    parameters = msgspec.convert({"table": table.id, "number": 0}, endpoint.types.parameters)
    try:
        found = await endpoint.respond(context, parameters)
    except (Forbidden, NotFound) as error:
        return str(error).encode()
    return found.data if isinstance(found, EncodedResponse) else msgspec.json.encode(found)


async def told(site: Site, game: str, staged: int, prepared: int | None) -> tuple[dict[str, list[bytes]], bytes]:
    """What comes to others until they decide, screens and files; and what Ada's own screen is told."""
    about: dict[str, Any] = {"game": game, "setup": SETUPS[game], "pace": Correspondence(1, 0), "seed": "pear"}
    table = await site.table("Ada", "Ben", "Cleo", **about)
    ada = await site.arrived(table, "Ada")
    pages = {name: await site.arrived(table, name) for name in OTHERS}
    await site.walk(20)
    for page in pages.values():
        table.depart(page)
        page.forget()
        await table.arrive(page)
    if game == "pointcity":
        await _plan_turn(table, ada, prepared)
    else:
        await act(table, ada, 0, staged)
        await _plan(table, ada, prepared)
    back = [await site.arrived(table, name) for name in OTHERS]
    screens = [b"".join(page.told) for page in (*pages.values(), *back)]
    for page in (*pages.values(), *back):
        table.depart(page)
    for _ in range(26):
        await site.walk(3600)
    files = [await answered(site, table, person, request) for person in OTHERS for request in READ]
    return {"screens": screens, "files": files}, b"".join(ada.told)


async def _plan(table: Table, ada: Page, prepared: int | None) -> None:
    if prepared is None:
        return
    await table.hear(ada, Foresee(1, 0))
    lucks = ada.last["lucks"]
    assert len(lucks) >= LUCKS
    for luck in lucks[:LUCKS]:
        await table.hear(ada, Foresee(2, 0, luck))
        await table.hear(ada, Prepare(0, luck, ada.last["choices"][prepared]))
    assert len(ada.last["mine"][0]["prepared"]) == LUCKS


async def _plan_turn(table: Table, ada: Page, prepared: int | None) -> None:
    """Where seats take turns: Ada's comes later."""
    assert table.sitting
    assert 0 not in table.sitting.live.due
    if prepared is None:
        return
    await table.hear(ada, Foresee(2, 0, TURN))
    await table.hear(ada, Prepare(0, TURN, ada.last["choices"][prepared]))
    assert len(ada.last["mine"][0]["prepared"]) == 1


@pytest.mark.parametrize("game", SETUPS)
async def test_others_get_the_same_whatever_somebody_has_staged_and_prepared(
    game: str, tmp_path: Path, heard: Ears, office: PostOffice, monkeypatch: pytest.MonkeyPatch
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
    assert len(own) == 3, "there is something to be kept from others"
    due = [1, 2] if game == "pointcity" else [3, 3]
    assert sorted(len(found[0][way]) for way in ("notices", "mails")) == due, "turn, again, and who is late"
    for other in found[1:]:
        for way, sent in found[0].items():
            assert sent == other[way], way
