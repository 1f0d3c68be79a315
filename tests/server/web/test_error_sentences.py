"""Error messages are short, also if they quote long values."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from websockets.exceptions import ConnectionClosed

from polyopolis.engine import shorten
from polyopolis.engine.core import MAX_SENTENCE_CHARACTERS
from polyopolis.play.table.match_session import invalid_action_reason
from polyopolis.server.app import create_app
from polyopolis.server.options import Options
from polyopolis.server.realtime.connection_guard import uvicorn_protocols
from polyopolis.server.web.error_handlers import MAX_REASON_BYTES
from tests.server.support.server_process import NO_LIMITS, ORIGIN, OWN_PAGE, Visitor
from tests.server.support.threaded_server import ThreadedServer, serve_in_thread

LONG = "é🏰" * 100_000
RECORD = {"format": "polyopolis/1", "game": "mycity", "rules": 1, "content": 1, "setup": {}, "moves": []}


def test_long_text_keeps_its_beginning_and_end() -> None:
    assert shorten("abcdefghij", 10) == "abcdefghij"
    assert shorten("abcdefghijk", 10) == "abcdef…ijk"
    assert shorten(LONG, 300).startswith("é🏰é")
    assert len(shorten(LONG, 300)) == 300


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    options = Options(tmp_path_factory.mktemp("house"), bot_processes=1, limits=NO_LIMITS)
    with TestClient(create_app(options), base_url=ORIGIN, raise_server_exceptions=False) as found:
        found.headers.update(OWN_PAGE)
        yield found


@pytest.mark.parametrize(
    ("path", "body", "beginning"),
    [
        ("/imports", {"record": {"format": LONG}}, "the format is 'é🏰"),
        ("/imports", {"record": RECORD | {"game": LONG}}, "there is no game"),
        ("/imports", {"record": RECORD | {"seed": LONG}}, ""),
        ("/imports", {"record": RECORD | {"setup": {"mode": LONG}}}, "the setup: Invalid enum value 'é🏰"),
        ("/imports", {"record": RECORD | {"setup": {LONG: 1}}}, "the setup: "),
        ("/imports", {"record": RECORD | {LONG: 1}}, "the record: Object contains unknown field"),
        ("/imports", {"record": {}, LONG: 1}, "body: Object contains unknown field"),
        ("/tables", {"game": "mycity", "setup": {"mode": LONG[:5_000]}, "seats": [{"type": "open"}]}, "the setup: "),
        ("/tables", {"game": "mycity", "setup": {}, "seats": [{"type": LONG[:5_000]}]}, "seats"),
    ],
)
def test_errors_truncate_long_values(client: TestClient[Litestar], path: str, body: Any, beginning: str) -> None:
    answer = client.post(f"/api{path}", json=body)
    sentence = answer.json()["error"]
    assert answer.status_code == 400
    assert sentence.startswith(beginning)
    assert len(sentence) <= MAX_SENTENCE_CHARACTERS


def test_errors_truncate_long_paths(client: TestClient[Litestar]) -> None:
    answer = client.get(f"/api/tables/{'é' * 5_000}")
    assert answer.status_code == 404
    assert len(answer.json()["error"]) <= MAX_SENTENCE_CHARACTERS


def test_refusal_reasons_are_short() -> None:
    reason = invalid_action_reason(msgspec.ValidationError(f"Invalid value {LONG!r} - at `$.type`"))
    error = str(reason.about["error"])
    assert len(error) <= MAX_SENTENCE_CHARACTERS
    assert error.endswith("at `$.type`")


@pytest.mark.anyio
async def test_close_reasons_fit_into_their_frame(tmp_path: Path) -> None:
    with serve_in_thread(create_app(Options(tmp_path, bot_processes=1)), **uvicorn_protocols(NO_LIMITS)) as port:
        ada = Visitor(ThreadedServer(tmp_path, port))
        table = await ada.table("Ada", "open")
        async with ada.at(table) as screen:
            await screen.wire.send(msgspec.json.encode({"type": LONG[:2_000]}).decode())
            with pytest.raises(ConnectionClosed) as closed:
                await screen.wire.recv()
        await ada.close()
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4400
    assert closed.value.rcvd.reason.startswith("Invalid value 'é🏰")
    assert closed.value.rcvd.reason.endswith("…")
    assert len(closed.value.rcvd.reason.encode()) <= MAX_REASON_BYTES
