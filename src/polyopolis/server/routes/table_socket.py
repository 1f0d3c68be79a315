"""WebSocket of a table: receives messages of a page and sends updates."""

import contextlib
from functools import partial
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from polyopolis.engine import decode_json
from polyopolis.play.close_codes import (
    BAD_MESSAGE,
    INTERNAL_ERROR,
    NO_TABLE,
    SEALED,
    TOO_MANY_FRAMES,
    UNREADABLE,
    WRONG_ORIGIN,
)
from polyopolis.play.errors import NotFound, Sealed, Unreadable, Unwritable
from polyopolis.play.match.messages import FromScreen
from polyopolis.play.table.table import Table
from polyopolis.server.auth.session_cookies import COOKIE
from polyopolis.server.auth.visitors import Visit
from polyopolis.server.limits.client_addresses import client_address, networks_of
from polyopolis.server.limits.rate_limits import TokenBucket
from polyopolis.server.ops.metrics import SOCKETS, timed_decision
from polyopolis.server.realtime.connection_guard import MAX_MESSAGE_BYTES, SEND_KEY
from polyopolis.server.realtime.guests import SocketGuest
from polyopolis.server.services import services_of
from polyopolis.server.web.error_handlers import close_reason, log_error
from polyopolis.server.web.guards import is_same_origin
from polyopolis.server.web.parameter_types import OptionalQueryInt

_decoder = msgspec.json.Decoder(FromScreen)


class TooManyMessages(Exception):
    """A page exceeds the message rate."""


class ConnectionRefused(Exception):
    """The connection is closed with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        self.code = code
        self.reason = reason


@websocket("/tables/{table:str}/socket")
async def table_socket(
    socket: WebSocket[Any, Any, State],
    table: FromPath[str],
    since: OptionalQueryInt = None,
    match: OptionalQueryInt = None,
) -> None:
    with services_of(socket.app).limiters.connections.opened(client_address(socket.scope)) as allowed:
        try:
            if not allowed:
                raise ConnectionRefused(TOO_MANY_FRAMES, "too many pages are open at once")
            visit, found = await _admit(socket, table)
        except ConnectionRefused as refused:
            await socket.accept()  # browsers receive a reason only after accept
            await _close(socket, refused.code, refused.reason)
            return
        await socket.accept()
        await _attend(socket, visit, found, since, match)


async def _attend(
    socket: WebSocket[Any, Any, State], visit: Visit | None, found: Table, since: int | None, match: int | None
) -> None:
    services = services_of(socket.app)
    if visit and socket.client:
        services.addresses.seen(visit.person, client_address(socket.scope))
    guest = SocketGuest(visit.person if visit else None, socket.scope["state"][SEND_KEY], partial(_close, socket))
    with services.visitors.track(visit, guest):
        await _run(socket, found, guest, since, match)


async def _admit(socket: WebSocket[Any, Any, State], table: str) -> tuple[Visit | None, Table]:
    """Returns the visit and the table; raises `ConnectionRefused`."""
    if not is_same_origin(socket):
        raise ConnectionRefused(WRONG_ORIGIN, "a socket must come from a page of this server")
    services = services_of(socket.app)
    if socket.client and services.limiters.sockets.spend_all(networks_of(client_address(socket.scope))):
        raise ConnectionRefused(TOO_MANY_FRAMES, "too many pages were opened at once")
    visit = await services.visitors.identify(socket.cookies.get(COOKIE))
    try:
        return visit, await services.lobby.tables.visit(table, visit.person if visit else None)
    except NotFound as error:
        raise ConnectionRefused(NO_TABLE, str(error)) from error
    except Unreadable as error:
        raise ConnectionRefused(UNREADABLE, str(error)) from error
    except Sealed as error:
        raise ConnectionRefused(SEALED, str(error)) from error


async def _run(
    socket: WebSocket[Any, Any, State], table: Table, guest: SocketGuest, since: int | None, match: int | None
) -> None:
    """Runs until the page leaves or is disconnected."""
    SOCKETS.inc()
    try:
        await table.arrive(guest, since, match)
        await _listen(socket, table, guest)
    except WebSocketDisconnect:
        pass
    except TooManyMessages:
        await _close(socket, TOO_MANY_FRAMES, "too many messages")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        await _close(socket, BAD_MESSAGE, str(error))
    except Exception as error:
        log_error(socket, error)
        await _close(socket, INTERNAL_ERROR, "internal error; it was logged")
    finally:
        SOCKETS.dec()
        table.depart(guest)


async def _close(socket: WebSocket[Any, Any, State], code: int, reason: str) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, close_reason(reason))


async def _listen(socket: WebSocket[Any, Any, State], table: Table, guest: SocketGuest) -> None:
    services, address = services_of(socket.app), client_address(socket.scope)
    credit = TokenBucket(services.options.limits.messages)
    while True:
        data = await socket.receive_data("text")
        await services.limiters.connections.wait(address)
        if guest.gone:
            return
        if credit.spend(guest):
            raise TooManyMessages
        if len(data) > MAX_MESSAGE_BYTES:
            raise msgspec.DecodeError("the message is too long")
        message = decode_json(data, _decoder)
        with timed_decision():
            try:
                await table.handle(guest, message)
            except Unwritable:
                table.refuse_unsaved(guest, message)
