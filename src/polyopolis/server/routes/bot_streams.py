"""What outside bots hear and say: lines of JSON that go on, and one message at a time.

At a table a stream is one more guest: it is told what a page of the same seat is told, to the byte. What is said is one
of the messages of a page, and goes the same way.
"""

from contextlib import ExitStack
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from polyopolis.engine import PolyopolisError
from polyopolis.play.errors import Stale
from polyopolis.play.match.messages import Act, AskFor, Consent, Mine, Preview, Refused, Retract, ToScreen, Why, Yours
from polyopolis.play.table.table import Table
from polyopolis.server.auth.bearer_auth import BEARER_SECURITY, SCOPE, STREAM_RETRY_SECONDS, BearerLimits
from polyopolis.server.auth.visitors import Visit, Visitors
from polyopolis.server.limits.client_addresses import address_in
from polyopolis.server.limits.rate_limits import ConnectionLimiter, demand
from polyopolis.server.ops.metrics import STREAMS, hearing
from polyopolis.server.realtime.bot_events import BotEvent, BotEventStream
from polyopolis.server.realtime.connection_guard import STREAM
from polyopolis.server.realtime.guests import RequestGuest, StreamEnd, StreamGuest
from polyopolis.server.web.error_handlers import PROBLEMS

Asked = Request[Any, Any, State]
Program = NamedDependency[Visit]
"""Who asks, by a token."""
AtTable = NamedDependency[Table]
"""The table that the address names."""
NDJSON = "application/x-ndjson"
ENDLESS = "Lines without an end; an empty one every few seconds"
TABLE = "/bot/stream/{table:str}"
LISTENING = {SCOPE: "watch", "compressed": True}
"""A packer would hold lines back."""

FromBot = Act | Retract | Consent | AskFor | Why | Preview
"""What an outside bot may say at a table."""
_told = msgspec.json.Decoder(ToScreen)


class Answered(Struct, frozen=True):
    """It was heard. What comes of it for all is told in the stream."""

    mine: tuple[Mine, ...]
    """How it stands with one's own seats now."""
    told: tuple[ToScreen, ...]
    """What was answered, if something was asked."""


class Lines(ASGIStreamingResponse):
    """What a guest is told, until one of both has enough; then the guest leaves."""

    def __init__(self, guest: StreamGuest, leaving: ExitStack) -> None:
        headers = {"x-accel-buffering": "no"}  # a proxy would hold lines back, too
        super().__init__(iterator=guest.lines(), media_type=NDJSON, headers=headers, status_code=200)
        self._leaving = leaving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"][STREAM] = True
        with self._leaving, STREAMS.track_inprogress():
            await super().__call__(scope, receive, send)


def _present(request: Asked, program: Visit, guest: StreamGuest, stack: ExitStack) -> None:
    """As long as a stream is open; not more of them than a token may have, and an address."""
    bearers: BearerLimits = request.app.state.bearers
    visitors: Visitors = request.app.state.visitors
    pages: ConnectionLimiter = request.app.state.pages
    if not stack.enter_context(pages.opened(address_in(request.scope))):
        demand(STREAM_RETRY_SECONDS)
    stack.enter_context(bearers.streaming(program))
    stack.enter_context(visitors.here(program, guest))


def _lines(kind: Any) -> dict[int, ResponseSpec]:
    return PROBLEMS | {200: ResponseSpec(kind, description=ENDLESS, media_type=NDJSON, generate_examples=False)}


@get(
    "/stream/event",
    summary="What happens to an outside bot: tables that invite it, its own ones, its turns",
    responses=_lines(BotEvent | StreamEnd),
    opt=LISTENING,
    security=BEARER_SECURITY,
)
async def stream_events(request: Asked, program: Program) -> ASGIStreamingResponse:
    herald: BotEventStream = request.app.state.herald
    guest = StreamGuest(program.person)
    with ExitStack() as stack:
        _present(request, program, guest, stack)
        stack.enter_context(herald.listening(guest))
        return Lines(guest, stack.pop_all())


@get(
    TABLE,
    summary="A table as an outside bot sees it: all of it, then what happens",
    responses=_lines(ToScreen | StreamEnd),
    opt=LISTENING,
    security=BEARER_SECURITY,
)
async def stream_table(request: Asked, program: Program, at: AtTable) -> ASGIStreamingResponse:
    guest = StreamGuest(program.person)
    with ExitStack() as stack:
        _present(request, program, guest, stack)
        stack.callback(at.depart, guest)
        await at.arrive(guest)
        return Lines(guest, stack.pop_all())


@post(
    TABLE,
    summary="An outside bot decides, or says something else that a page can say",
    status_code=200,
    responses=PROBLEMS | {409: ResponseSpec(PROBLEMS[400].data_container, description="It is too late")},
    opt={SCOPE: "play"},
    security=BEARER_SECURITY,
)
async def say(program: Program, at: AtTable, data: JSONBody[FromBot]) -> Answered:
    guest = RequestGuest(program.person)
    with hearing():
        await at.handle(guest, data)
    if at.session is None:
        raise Stale("no match is being played here")
    told = tuple(_told.decode(message) for message in guest.told)
    if refused := next((each for each in told if isinstance(each, Refused)), None):
        raise PolyopolisError(str(refused.reason))
    if any(isinstance(each, Yours) for each in told):
        raise Stale("the match has gone on since: this turn is over")
    return Answered(at.session.publisher.mine_of(guest), told)


FOR_BOTS = [stream_events, stream_table, say]
