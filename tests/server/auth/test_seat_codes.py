"""Seat codes: only digests are stored."""

import sqlite3
from contextlib import closing
from pathlib import Path

from litestar.testing import TestClient

from polyopolis.server.app import create_app
from polyopolis.server.auth.credentials import digest
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.options import Options
from tests.server.support.server_process import ORIGIN, OWN_PAGE


def test_only_the_digest_of_a_seat_code_is_stored(tmp_path: Path) -> None:
    with TestClient(create_app(Options(tmp_path, bot_processes=1)), base_url=ORIGIN) as client:
        client.headers.update(OWN_PAGE)
        seats = [{"type": "me", "name": "Ada"}, {"type": "open"}]
        table = client.post("/api/tables", json={"game": "mycity", "setup": {}, "seats": seats}).json()["table"]
        code = client.post(f"/api/tables/{table}/seats/0/code", json={}).json()["code"]
        with closing(sqlite3.connect(tmp_path / DATABASE)) as db:
            assert db.execute("SELECT code FROM codes").fetchall() == [(digest(code),)]
        assert not [path for path in tmp_path.glob(f"{DATABASE}*") if code.encode() in path.read_bytes()]
        assert client.post("/api/codes", json={"code": f" {code.lower()}"}).json() == {"table": table, "seat": 0}
        assert client.post("/api/codes", json={"code": code}).status_code == 404
