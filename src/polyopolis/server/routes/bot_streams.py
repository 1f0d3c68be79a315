"""What outside bots hear and say: lines of JSON that go on, and one message at a time.

At a table a stream is one more guest: it is told what a page of the same seat is told, to the byte. What is said is one
of the messages of a page, and goes the same way.
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
from polyopolis.play.match.messages import Act, AskFor, Consent, Mine, Preview, Refused, Retract, ToScreen, Why, Yours
from polyopolis.server.auth.bearer_auth import BY_TOKEN, SCOPE, WAIT
from polyopolis.server.auth.visitors import Visit
from polyopolis.server.limits.client_addresses import address_in
from polyopolis.server.limits.rate_limits import demand
from polyopolis.server.ops.metrics import STREAMS, hearing
from polyopolis.server.realtime.bot_events import Event
from polyopolis.server.realtime.connection_guard import STREAM
from polyopolis.server.realtime.guests import AskingGuest, Bye, StreamGuest
from polyopolis.server.services import Services
from polyopolis.server.web.dependencies import ApiRequest, BotDep, ServicesDep, TableDep
from polyopolis.server.web.error_handlers import PROBLEMS

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


def _present(request: ApiRequest, services: Services, program: Visit, guest: StreamGuest, stack: ExitStack) -> None:
    """As long as a stream is open; not more of them than a token may have, and an address."""
    if not stack.enter_context(services.limiters.connections.opened(address_in(request.scope))):
        demand(WAIT)
    stack.enter_context(services.limiters.bearers.streaming(program))
    stack.enter_context(services.visitors.here(program, guest))


def _lines(kind: Any) -> dict[int, ResponseSpec]:
    return PROBLEMS | {200: ResponseSpec(kind, description=ENDLESS, media_type=NDJSON, generate_examples=False)}


@get(
    "/stream/event",
    summary="What happens to an outside bot: tables that invite it, its own ones, its turns",
    responses=_lines(Event | Bye),
    opt=LISTENING,
    security=BY_TOKEN,
)
async def stream_events(request: ApiRequest, services: ServicesDep, program: BotDep) -> ASGIStreamingResponse:
    guest = StreamGuest(program.person)
    with ExitStack() as stack:
        _present(request, services, program, guest, stack)
        stack.enter_context(services.bot_events.listening(guest))
        return Lines(guest, stack.pop_all())


@get(
    TABLE,
    summary="A table as an outside bot sees it: all of it, then what happens",
    responses=_lines(ToScreen | Bye),
    opt=LISTENING,
    security=BY_TOKEN,
)
async def stream_table(
    request: ApiRequest, services: ServicesDep, program: BotDep, at: TableDep
) -> ASGIStreamingResponse:
    guest = StreamGuest(program.person)
    with ExitStack() as stack:
        _present(request, services, program, guest, stack)
        stack.callback(at.depart, guest)
        await at.arrive(guest)
        return Lines(guest, stack.pop_all())


@post(
    TABLE,
    summary="An outside bot decides, or says something else that a page can say",
    status_code=200,
    responses=PROBLEMS | {409: ResponseSpec(PROBLEMS[400].data_container, description="It is too late")},
    opt={SCOPE: "play"},
    security=BY_TOKEN,
)
async def say(program: BotDep, at: TableDep, data: JSONBody[FromBot]) -> Answered:
    guest = AskingGuest(program.person)
    with hearing():
        await at.hear(guest, data)
    if at.sitting is None:
        raise Stale("no match is being played here")
    told = tuple(_told.decode(message) for message in guest.told)
    if refused := next((each for each in told if isinstance(each, Refused)), None):
        raise PolyopolisError(str(refused.reason))
    if any(isinstance(each, Yours) for each in told):
        raise Stale("the match has gone on since: this turn is over")
    return Answered(at.sitting.writing.mine_of(guest), told)


FOR_BOTS = [stream_events, stream_table, say]
