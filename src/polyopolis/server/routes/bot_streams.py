"""API for external bots: streams of JSON lines, and requests with one message each.

A stream receives the same bytes as a page of the same seat, and messages are handled like those of a page.
"""

from contextlib import ExitStack
from typing import Any

import msgspec
from litestar import get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from polyopolis.engine import PolyopolisError
from polyopolis.play.errors import Stale
from polyopolis.play.match.messages import (
    Act,
    AskFor,
    AskReason,
    Consent,
    MessageRefused,
    OwnSeats,
    Preview,
    Retract,
    SeatState,
    ToScreen,
)
from polyopolis.server.auth.bearer_auth import BEARER_SECURITY, SCOPE, STREAM_RETRY_SECONDS
from polyopolis.server.auth.visitors import Visit
from polyopolis.server.limits.client_addresses import client_address
from polyopolis.server.limits.rate_limits import raise_if_limited
from polyopolis.server.ops.metrics import STREAMS, timed_decision
from polyopolis.server.realtime.bot_events import BotEvent
from polyopolis.server.realtime.connection_guard import STREAM
from polyopolis.server.realtime.guests import RequestGuest, StreamEnd, StreamGuest
from polyopolis.server.services import Services
from polyopolis.server.web.dependencies import ApiRequest, BotDep, ServicesDep, TableDep
from polyopolis.server.web.error_handlers import ERROR_RESPONSES

NDJSON = "application/x-ndjson"
STREAM_DESCRIPTION = "Endless JSON lines; an empty line every few seconds"
TABLE = "/bot/stream/{table:str}"
STREAM_OPTIONS = {SCOPE: "watch", "compressed": True}
"""Compression would delay lines."""

BotMessage = Act | Retract | Consent | AskFor | AskReason | Preview
"""Messages that external bots may send to a table."""
_told = msgspec.json.Decoder(ToScreen)


class Answered(Struct, frozen=True):
    """Response to a message; updates for all players arrive in the stream."""

    mine: tuple[SeatState, ...]
    """The state of your own seats."""
    told: tuple[ToScreen, ...]
    """Replies to the message, if any."""


class GuestStreamResponse(ASGIStreamingResponse):
    """Streams the messages of a guest, who leaves when the stream ends."""

    def __init__(self, guest: StreamGuest, leaving: ExitStack) -> None:
        headers = {"x-accel-buffering": "no"}  # proxies must not delay lines either
        super().__init__(iterator=guest.lines(), media_type=NDJSON, headers=headers, status_code=200)
        self._leaving = leaving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"][STREAM] = True
        with self._leaving, STREAMS.track_inprogress():
            await super().__call__(scope, receive, send)


def _register(request: ApiRequest, services: Services, bot_visit: Visit, guest: StreamGuest, stack: ExitStack) -> None:
    """Registers the stream until the stack closes; limits the streams of a token and of an address."""
    if not stack.enter_context(services.limiters.connections.opened(client_address(request.scope))):
        raise_if_limited(STREAM_RETRY_SECONDS)
    stack.enter_context(services.limiters.bearers.streaming(bot_visit))
    stack.enter_context(services.visitors.track(bot_visit, guest))


def _lines(kind: Any) -> dict[int, ResponseSpec]:
    return ERROR_RESPONSES | {
        200: ResponseSpec(kind, description=STREAM_DESCRIPTION, media_type=NDJSON, generate_examples=False)
    }


@get(
    "/stream/event",
    summary="Stream events of an external bot: invitations, tables and turns",
    responses=_lines(BotEvent | StreamEnd),
    opt=STREAM_OPTIONS,
    security=BEARER_SECURITY,
)
async def stream_events(request: ApiRequest, services: ServicesDep, bot_visit: BotDep) -> ASGIStreamingResponse:
    guest = StreamGuest(bot_visit.person)
    with ExitStack() as stack:
        _register(request, services, bot_visit, guest, stack)
        stack.enter_context(services.bot_events.listening(guest))
        return GuestStreamResponse(guest, stack.pop_all())


@get(
    TABLE,
    summary="Stream a table: its current state, then updates",
    responses=_lines(ToScreen | StreamEnd),
    opt=STREAM_OPTIONS,
    security=BEARER_SECURITY,
)
async def stream_table(
    request: ApiRequest, services: ServicesDep, bot_visit: BotDep, at: TableDep
) -> ASGIStreamingResponse:
    guest = StreamGuest(bot_visit.person)
    with ExitStack() as stack:
        _register(request, services, bot_visit, guest, stack)
        stack.callback(at.depart, guest)
        await at.arrive(guest)
        return GuestStreamResponse(guest, stack.pop_all())


@post(
    TABLE,
    summary="Send a decision or another message to a table",
    status_code=200,
    responses=ERROR_RESPONSES
    | {409: ResponseSpec(ERROR_RESPONSES[400].data_container, description="The match has advanced")},
    opt={SCOPE: "play"},
    security=BEARER_SECURITY,
)
async def say(bot_visit: BotDep, at: TableDep, data: JSONBody[BotMessage]) -> Answered:
    guest = RequestGuest(bot_visit.person)
    with timed_decision():
        await at.handle(guest, data)
    if at.session is None:
        raise Stale("no match is being played here")
    told = tuple(_told.decode(message) for message in guest.messages)
    if refused := next((each for each in told if isinstance(each, MessageRefused)), None):
        raise PolyopolisError(str(refused.reason))
    if any(isinstance(each, OwnSeats) for each in told):
        raise Stale("the match has advanced: this turn is over")
    return Answered(at.session.publisher.mine_of(guest), told)


BOT_STREAM_ROUTES = [stream_events, stream_table, say]
