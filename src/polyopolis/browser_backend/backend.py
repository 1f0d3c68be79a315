"""The backend in the browser: the same endpoints and messages as the server, without a network."""

import asyncio
import logging
import re
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from polyopolis.browser_backend.browser_bots import BrowserBotService
from polyopolis.browser_backend.browser_repository import BrowserMatchRepository, BrowserStorage
from polyopolis.browser_backend.browser_reviews import BrowserReviewCache, BrowserReviewEngine
from polyopolis.browser_backend.connections import PageCallbacks, PageConnection
from polyopolis.engine import PolyopolisError, decode_json
from polyopolis.play.endpoints import ENDPOINTS, EncodedResponse, EndpointContext, HttpEndpoint
from polyopolis.play.errors import NotFound, status_of
from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.history.review_service import ReviewService
from polyopolis.play.in_memory import InlineExportWorker, NoCluster, SystemClock
from polyopolis.play.lobby import Lobby
from polyopolis.play.protocols import BotService, Clock
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.wire.responses import Problem, UnreadableTable

logger = logging.getLogger(__name__)

ABSENCE_SECONDS = 86_400.0
"""Long, because a player who leaves the page returns to the same game: bots need not stand in soon."""
FIRST_ERROR_STATUS = 400
PARAMETER_PATTERNS = {"str": "[^/]+", "int": "[0-9]+"}


class BrowserBackend:
    def __init__(
        self, repository: BrowserMatchRepository, person: str, bots: BotService, clock: Clock, reviews: ReviewService
    ) -> None:
        self._repository, self._person = repository, person
        self._lobby = Lobby(SiteServices(repository, bots, clock, NoCluster(), ABSENCE_SECONDS))
        self._heartbeat: asyncio.Task[None] | None = None
        self._archive = MatchArchive(InlineExportWorker())
        self._reviews = reviews

    async def open(self) -> None:
        """Starts the backend; the time since it was last open counts as an outage, in which clocks stood."""
        await self._lobby.deadlines.record_heartbeat(silence=0)
        self._heartbeat = asyncio.create_task(self._lobby.deadlines.run())

    async def import_inbox(self) -> None:
        """Imports games that pages of the server have left in the inbox.

        Unreadable ones stay and are listed as such: this backend may be older than the server.
        """
        for name, text in (await self._repository.inbox()).items():
            status, answer = await self.request("POST", "/imports", text)
            if status < FIRST_ERROR_STATUS:
                await self._repository.empty(name)
            else:
                problem = msgspec.json.decode(answer, type=Problem).error
                left = UnreadableTable(name.removeprefix("inbox/"), "", problem)
                self._lobby.queries.unreadable = (*self._lobby.queries.unreadable, left)

    async def request(self, method: str, address: str, body: str | bytes = b"") -> tuple[int, bytes]:
        """Handles a request; returns the HTTP status and the response body."""
        try:
            url = urlsplit(address)
            endpoint, path = _route_for(method, url.path)
            types, query = endpoint.types, dict(parse_qsl(url.query))
            parameters = msgspec.convert({**query, **path}, types.parameters, strict=False)
            data = decode_json(body, msgspec.json.Decoder(types.body)) if types.body else None
            context = EndpointContext(self._lobby, self._archive, self._reviews, self._person, query)
            response = await endpoint.respond(context, parameters, data)
        except PolyopolisError as error:
            return status_of(error), _error_body(str(error))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return 400, _error_body(str(error))
        except RecursionError:
            return 400, _error_body("body: nested too deeply")
        except Exception:
            logger.exception("%s %s", method, address)
            return 500, _error_body("internal error; it was logged")
        return endpoint.status, response.data if isinstance(response, EncodedResponse) else msgspec.json.encode(
            response
        )

    def connect(self, address: str, page: PageCallbacks) -> PageConnection:
        """Opens a connection to the table in the path of a WebSocket URL."""
        url = urlsplit(address)
        table = unquote(url.path.split("/")[2])
        query = {name: int(value) for name, value in parse_qsl(url.query)}
        connection = PageConnection(self._lobby.tables, self._person, page)
        connection.open(table, query.get("since"), query.get("match"))
        return connection


async def open_backend(
    storage: BrowserStorage, bots: BotService | None = None, clock: Clock | None = None
) -> BrowserBackend:
    repository, clock = BrowserMatchRepository(storage), clock or SystemClock()
    reviews = ReviewService(BrowserReviewEngine(), BrowserReviewCache(storage), clock)
    backend = BrowserBackend(repository, await repository.open(), bots or BrowserBotService(), clock, reviews)
    await backend.open()
    await backend.import_inbox()
    return backend


def _route_for(method: str, path: str) -> tuple[HttpEndpoint, dict[str, str]]:
    for pattern, endpoint in ROUTES:
        if endpoint.method == method and (named := pattern.fullmatch(path)):
            return endpoint, {name: unquote(value) for name, value in named.groupdict().items()}
    raise NotFound(f"there is no {path}")


def _path_pattern(path: str) -> re.Pattern[str]:
    """Compiles a path with parameters to a regular expression."""
    parts = [re.fullmatch(r"\{(\w+):(\w+)\}", part) or part for part in path.split("/")]
    return re.compile(
        "/".join(
            re.escape(part) if isinstance(part, str) else f"(?P<{part[1]}>{PARAMETER_PATTERNS[part[2]]})"
            for part in parts
        )
    )


def _error_body(sentence: str) -> bytes:
    return msgspec.json.encode(Problem(sentence))


ROUTES = [(_path_pattern(endpoint.path), endpoint) for endpoint in ENDPOINTS]
