"""Routes that move a seat to another device: seat codes, and the QR code of a table."""

from io import BytesIO

import segno
from litestar import get, post
from litestar.params import JSONBody

from polyopolis.play.wire.requests import UseSeatCode
from polyopolis.play.wire.responses import SeatCode, SeatTaken
from polyopolis.server.web.dependencies import ApiRequest, GuessDep, PersonDep, ServicesDep, TableDep
from polyopolis.server.web.error_handlers import ERROR_RESPONSES
from polyopolis.server.web.parameter_types import PathInt


@post(
    "/tables/{table:str}/seats/{seat:int}/code",
    summary="Create a one-time code that moves a seat to another device",
    responses=ERROR_RESPONSES,
)
async def seat_code(
    services: ServicesDep, person: PersonDep, at: TableDep, seat: PathInt, guess_limit: GuessDep
) -> SeatCode:
    return SeatCode(await services.seat_codes.make(person, at, seat))


@post("/codes", summary="Use a seat code", responses=ERROR_RESPONSES)
async def use_code(
    services: ServicesDep, person: PersonDep, data: JSONBody[UseSeatCode], guess_limit: GuessDep
) -> SeatTaken:
    return await services.seat_codes.use(person, data)


@get(
    "/tables/{table:str}/qr.svg",
    summary="QR code of the URL of a table",
    responses=ERROR_RESPONSES,
    media_type="image/svg+xml",
)
async def qr(request: ApiRequest, services: ServicesDep, at: TableDep) -> bytes:
    address = f"{services.options.public_url or str(request.base_url).rstrip('/')}/t/{at.id}"
    picture = BytesIO()
    segno.make(address, error="m").save(picture, kind="svg", scale=4, border=2, light="white")
    return picture.getvalue()


DEVICE_ROUTES = [seat_code, use_code, qr]
