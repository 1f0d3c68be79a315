"""The house as a page speaks with it: the same addresses, answers and messages as over a network."""

import asyncio
import logging
import re
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from polyopolis.browser_backend.browser_bots import PageThinker
from polyopolis.browser_backend.browser_repository import BrowserMatchRepository, BrowserStorage
from polyopolis.browser_backend.browser_reviews import CupboardShelf, PageReviewer
from polyopolis.browser_backend.connections import PageConnection, PageEnd
from polyopolis.engine import PolyopolisError, decode_json
from polyopolis.play.endpoints import ENDPOINTS, EncodedResponse, EndpointContext, HttpEndpoint
from polyopolis.play.errors import NotFound, status_of
from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.history.review_service import ReviewService
from polyopolis.play.in_memory import InlineExportWorker, NoCluster, SystemClock
from polyopolis.play.lobby import Lobby
from polyopolis.play.protocols import BotService, Clock
from polyopolis.play.table.room import SiteServices
from polyopolis.play.wire.responses import Problem, UnreadableTable

logger = logging.getLogger(__name__)

ABSENCE = 86_400.0
"""Whoever leaves the screen of a page comes back to it: bots are in no hurry to play in."""
BAD = 400
KINDS = {"str": "[^/]+", "int": "[0-9]+"}


class BrowserBackend:
    def __init__(
        self, keeper: BrowserMatchRepository, person: str, thinker: BotService, clock: Clock, reviews: ReviewService
    ) -> None:
        self._keeper, self._person = keeper, person
        self._lobby = Lobby(SiteServices(keeper, thinker, clock, NoCluster(), ABSENCE))
        self._signs: asyncio.Task[None] | None = None
        self._archive = MatchArchive(InlineExportWorker())
        self._reviews = reviews

    async def open(self) -> None:
        """Since the page was closed no clock has run."""
        await self._lobby.sign(silence=0)
        self._signs = asyncio.create_task(self._lobby.live())

    async def unpack(self) -> None:
        """Takes in what pages of the server have left. What cannot be read yet stays, and is named: the house may be an
        older one than the server."""
        for name, text in (await self._keeper.inbox()).items():
            status, answer = await self.request("POST", "/imports", text)
            if status < BAD:
                await self._keeper.empty(name)
            else:
                problem = msgspec.json.decode(answer, type=Problem).error
                left = UnreadableTable(name.removeprefix("inbox/"), "", problem)
                self._lobby.unreadable = (*self._lobby.unreadable, left)

    async def request(self, method: str, address: str, body: str | bytes = b"") -> tuple[int, bytes]:
        """The status and the answer, as the web knows them."""
        try:
            url = urlsplit(address)
            endpoint, path = _found(method, url.path)
            types, query = endpoint.types, dict(parse_qsl(url.query))
            parameters = msgspec.convert({**query, **path}, types.parameters, strict=False)
            data = decode_json(body, msgspec.json.Decoder(types.body)) if types.body else None
            context = EndpointContext(self._lobby, self._archive, self._reviews, self._person, query)
            answer = await endpoint.respond(context, parameters, data)
        except PolyopolisError as error:
            return status_of(error), _problem(str(error))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return 400, _problem(str(error))
        except RecursionError:
            return 400, _problem("the body: it is nested too deep")
        except Exception:
            logger.exception("%s %s", method, address)
            return 500, _problem("something went wrong here; it was written down")
        return endpoint.status, answer.data if isinstance(answer, EncodedResponse) else msgspec.json.encode(answer)

    def connect(self, address: str, told: PageEnd) -> PageConnection:
        """A line to the table that the address of a socket names."""
        url = urlsplit(address)
        table = unquote(url.path.split("/")[2])
        query = {name: int(value) for name, value in parse_qsl(url.query)}
        line = PageConnection(self._lobby, self._person, told)
        line.open(table, query.get("since"), query.get("match"))
        return line


async def open_backend(
    cupboard: BrowserStorage, thinker: BotService | None = None, clock: Clock | None = None
) -> BrowserBackend:
    keeper, clock = BrowserMatchRepository(cupboard), clock or SystemClock()
    reviews = ReviewService(PageReviewer(), CupboardShelf(cupboard), clock)
    house = BrowserBackend(keeper, await keeper.open(), thinker or PageThinker(), clock, reviews)
    await house.open()
    await house.unpack()
    return house


def _found(method: str, path: str) -> tuple[HttpEndpoint, dict[str, str]]:
    for pattern, endpoint in ROUTES:
        if endpoint.method == method and (named := pattern.fullmatch(path)):
            return endpoint, {name: unquote(value) for name, value in named.groupdict().items()}
    raise NotFound(f"there is no {path}")


def _pattern(path: str) -> re.Pattern[str]:
    """An address of the table as something to compare with."""
    parts = [re.fullmatch(r"\{(\w+):(\w+)\}", part) or part for part in path.split("/")]
    return re.compile(
        "/".join(re.escape(part) if isinstance(part, str) else f"(?P<{part[1]}>{KINDS[part[2]]})" for part in parts)
    )


def _problem(sentence: str) -> bytes:
    return msgspec.json.encode(Problem(sentence))


ROUTES = [(_pattern(endpoint.path), endpoint) for endpoint in ENDPOINTS]
