"""Requests that lead to other devices: codes for seats, and the address of a table to be read by a camera."""

from io import BytesIO
from typing import Any

import segno
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import JSONBody

from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import UseCode
from polyopolis.play.wire.responses import SeatCode, Seated
from polyopolis.server.auth.seat_codes import SeatCodeService
from polyopolis.server.limits.rate_limits import GuessLimiter
from polyopolis.server.web.error_handlers import PROBLEMS
from polyopolis.server.web.parameter_types import PathInt

TheCodes = NamedDependency[SeatCodeService]
AtTable = NamedDependency[Table]
"""The table that the address names."""
Person = NamedDependency[str]
"""Who asks."""
Tried = NamedDependency[GuessLimiter]
"""Not too often."""


@post(
    "/tables/{table:str}/seats/{seat:int}/code",
    summary="A code that moves a seat to another device, once",
    responses=PROBLEMS,
)
async def seat_code(codes: TheCodes, person: Person, at: AtTable, seat: PathInt, tried: Tried) -> SeatCode:
    return SeatCode(await codes.make(person, at, seat))


@post("/codes", summary="Use a code", responses=PROBLEMS)
async def use_code(codes: TheCodes, person: Person, data: JSONBody[UseCode], tried: Tried) -> Seated:
    return await codes.use(person, data)


@get(
    "/tables/{table:str}/qr.svg",
    summary="The address of a table as a QR code",
    responses=PROBLEMS,
    media_type="image/svg+xml",
)
async def qr(request: Request[Any, Any, State], at: AtTable) -> bytes:
    address = f"{request.app.state.options.public_url or str(request.base_url).rstrip('/')}/t/{at.id}"
    picture = BytesIO()
    segno.make(address, error="m").save(picture, kind="svg", scale=4, border=2, light="white")
    return picture.getvalue()


ABOUT_DEVICES = [seat_code, use_code, qr]
