"""Requests that lead to other devices: codes for seats, and the address of a table to be read by a camera."""

from io import BytesIO

import segno
from litestar import get, post
from litestar.params import JSONBody

from polyopolis.play.wire.requests import UseCode
from polyopolis.play.wire.responses import SeatCode, Seated
from polyopolis.server.web.dependencies import ApiRequest, GuessDep, PersonDep, ServicesDep, TableDep
from polyopolis.server.web.error_handlers import PROBLEMS
from polyopolis.server.web.parameter_types import PathInt


@post(
    "/tables/{table:str}/seats/{seat:int}/code",
    summary="A code that moves a seat to another device, once",
    responses=PROBLEMS,
)
async def seat_code(services: ServicesDep, person: PersonDep, at: TableDep, seat: PathInt, tried: GuessDep) -> SeatCode:
    return SeatCode(await services.seat_codes.make(person, at, seat))


@post("/codes", summary="Use a code", responses=PROBLEMS)
async def use_code(services: ServicesDep, person: PersonDep, data: JSONBody[UseCode], tried: GuessDep) -> Seated:
    return await services.seat_codes.use(person, data)


@get(
    "/tables/{table:str}/qr.svg",
    summary="The address of a table as a QR code",
    responses=PROBLEMS,
    media_type="image/svg+xml",
)
async def qr(request: ApiRequest, services: ServicesDep, at: TableDep) -> bytes:
    address = f"{services.options.public_url or str(request.base_url).rstrip('/')}/t/{at.id}"
    picture = BytesIO()
    segno.make(address, error="m").save(picture, kind="svg", scale=4, border=2, light="white")
    return picture.getvalue()


ABOUT_DEVICES = [seat_code, use_code, qr]
