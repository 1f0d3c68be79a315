"""Outlines and trials of games over HTTP."""

import httpx
import msgspec
import pytest

from polyopolis.games import BUILTIN_SPECS
from polyopolis.games.game_spec import GameSpec
from tests.server.support.server_process import ServerProcess


@pytest.mark.parametrize("sign", BUILTIN_SPECS, ids=lambda sign: sign.key)
def test_every_game_has_an_outline(house: ServerProcess, sign: GameSpec) -> None:
    newest = httpx.get(f"{house.url}/api/games/{sign.key}/outline")
    assert newest.status_code == 200
    assert sign.outline
    assert newest.content == msgspec.json.encode(sign.outline(sign.versions[-1]))
    for version in sign.versions:
        assert httpx.get(f"{house.url}/api/games/{sign.key}/outline?content={version}").json()["content"] == version


def test_an_unchanged_outline_is_304(house: ServerProcess) -> None:
    first = httpx.get(f"{house.url}/api/games/pointcity/outline?content=1")
    assert first.headers["cache-control"] == "no-cache"
    again = httpx.get(
        f"{house.url}/api/games/pointcity/outline?content=1", headers={"if-none-match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(("path", "status"), [("chess/outline", 404), ("mycity/outline?content=99", 400)])
def test_unknown_outlines_are_errors(house: ServerProcess, path: str, status: int) -> None:
    answer = httpx.get(f"{house.url}/api/games/{path}")
    assert answer.status_code == status
    assert answer.json()["error"]


@pytest.mark.parametrize("sign", BUILTIN_SPECS, ids=lambda sign: sign.key)
def test_every_game_has_trials(house: ServerProcess, sign: GameSpec) -> None:
    answer = httpx.get(f"{house.url}/api/games/{sign.key}/trials")
    assert answer.status_code == 200
    assert [trial["name"] for trial in answer.json()["trials"]] == [
        example.name for example in sign.examples(sign.versions[-1])
    ]
    assert httpx.get(f"{house.url}/api/games/chess/trials").status_code == 404
