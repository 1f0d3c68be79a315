"""Invalid values in requests; see also tests/hostile_input."""

from itertools import product
from pathlib import Path

import pytest
from litestar.testing import TestClient
from websockets.exceptions import InvalidStatus

from polyopolis.server.app import create_app
from polyopolis.server.options import Options
from polyopolis.server.realtime.connection_guard import uvicorn_protocols
from tests.server.support.server_process import NO_LIMITS, ORIGIN, OWN_PAGE, Visitor
from tests.server.support.threaded_server import ThreadedServer, serve_in_thread

TOO_LARGE = (2**63, -(2**63) - 1, 10**30)
"""Integers outside of the range of database columns."""


def test_errors_name_the_field(tmp_path: Path) -> None:
    table = {"game": "mycity", "setup": {}, "seats": [{"type": "me", "name": "Ada"}, {"type": "open"}]}
    app = create_app(Options(tmp_path, bot_processes=1, limits=NO_LIMITS))
    with TestClient(app, base_url=ORIGIN) as client:
        client.headers.update(OWN_PAGE)
        made = client.post("/api/tables", json=table).json()["table"]
        answer = client.post(f"/api/tables/{made}/seats/0", json={"type": "go-away", "days": 22})
    assert (answer.status_code, answer.json()) == (400, {"error": "days: Expected `int` <= 21"})


@pytest.mark.anyio
async def test_out_of_range_query_integers_of_sockets_are_refused(tmp_path: Path) -> None:
    with serve_in_thread(create_app(Options(tmp_path, bot_processes=1)), **uvicorn_protocols(NO_LIMITS)) as port:
        house = ThreadedServer(tmp_path, port)
        ada = Visitor(house)
        table = await ada.table("Ada", "open")
        for name, number in product(("since", "match"), (*TOO_LARGE, "x")):
            with pytest.raises(InvalidStatus) as refused:
                async with ada.at(table, f"{name}={number}"):
                    raise AssertionError("it was accepted")
            assert refused.value.response.status_code == 403
        async with ada.at(table, "since=0&match=0"):
            pass
        await ada.close()
