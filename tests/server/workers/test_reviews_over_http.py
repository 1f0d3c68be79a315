"""Reviews on a server process: access, intermediate and final results, caching, exercises."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.support.server_process import ServerProcess, Visitor, running_server

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
GAMES = Path(__file__).parents[2] / "records" / "games"
FEW = "4"
"""Number of sampled futures: few, because the tests do not check the values."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("reviews"), "--review-futures", FEW) as found:
        yield found


@pytest.fixture
async def ada(house: ServerProcess) -> AsyncIterator[Visitor]:
    visitor = Visitor(house)
    yield visitor
    await visitor.close()


async def imported(visitor: Visitor, name: str) -> str:
    found = await visitor.post("/imports", {"record": json.loads((GAMES / f"{name}.json").read_text())})
    return f"/tables/{found['table']}/matches/0"


async def all_responses(visitor: Visitor, match: str) -> list[dict[str, Any]]:
    """Returns all responses until the final one."""
    responses: list[dict[str, Any]] = [await visitor.get(f"{match}/review")]
    while not responses[-1]["final"]:
        responses.append(await visitor.get(f"{match}/review?known={responses[-1]['answer']}"))
    return responses


async def test_a_finished_match_is_reviewed_once_and_has_exercises(ada: Visitor) -> None:
    match = await imported(ada, "mycity-eternal-2p-1")
    responses = await all_responses(ada, match)
    assert [each["done"] for each in responses] == sorted(each["done"] for each in responses)
    review = responses[-1]["review"]
    assert {"key", "game", "matches", "futures"} <= review.keys()
    assert review["futures"] == int(FEW)
    ada.http.cookies.clear()
    (again,) = await all_responses(ada, match)
    assert again["review"] == review, "the result is cached for all viewers"

    decision = next(each for each in review["matches"][0]["decisions"] if each["counts"])
    trial = await ada.get(f"{match}/exercise?move={decision['move']}")
    possible = [each["action"] for each in trial["tries"]]
    assert trial["seat"] == decision["seat"]
    assert decision["played"]["action"] in possible
    best = decision["best"]["action"]
    solution = {"move": decision["move"], "action": best, "beside": best}
    solved = await ada.post(f"{match}/solutions", solution)
    assert solved["right"]
    assert solved["lacks"]["points"]["mean"] == 0

    wrong = [
        (404, solution | {"move": 0}),  # a card
        (404, solution | {"move": 9_999}),
        (400, solution | {"move": -1}),
        (400, solution | {"action": {"type": "fly"}}),
        (400, solution | {"action": {"type": "place", "cells": ["a1"]}}),
        (400, {"move": 1}),
    ]
    for status, body in wrong:
        assert (await ada.refused(f"{match}/solutions", body))[0] == status, body
    for path, status in (("review?known=x", 400), ("exercise?move=-1", 404), ("exercise", 404)):
        answer = await ada.http.get(f"/api{match}/{path}")
        assert answer.status_code == status, path


async def test_hindsight_finds_a_city_at_least_as_good_as_the_one_built(ada: Visitor) -> None:
    match = await imported(ada, "rollwrite-01-alone")
    responses = await ada.get(f"{match}/hindsight")
    while not (responses["review"] or {}).get("cards"):
        responses = await ada.get(f"{match}/hindsight?seat=0&known={responses['answer']}")
    back = responses["review"]
    assert back["score"] <= back["best"] == back["cards"][-1]["score"] <= back["bound"]
    assert back["proven"] == (back["best"] == back["bound"])
    assert (await ada.http.get(f"/api{match}/hindsight?seat=1")).status_code == 404
    none = f"/api{await imported(ada, 'pointcity-1p-easy-1')}/hindsight"
    while (answer := await ada.http.get(none)).status_code == 200:
        assert not answer.json()["final"], "only progress, until it is known that there is no result"
    assert "no hindsight" in answer.text


async def test_a_running_match_cannot_be_reviewed(ada: Visitor) -> None:
    table = await ada.table("Ada", "bot:random")
    for path in ("review", "hindsight", "exercise?move=1"):
        answer = await ada.http.get(f"/api/tables/{table}/matches/0/{path}")
        assert answer.status_code == 403, path
    answer = await ada.http.get(f"/api/tables/{table}/matches/3/review")
    assert answer.status_code == 404
    solution = {"move": 1, "action": {"type": "pass"}, "beside": {"type": "pass"}}
    assert (await ada.refused(f"/tables/{table}/matches/0/solutions", solution))[0] == 403


async def test_several_matches_are_reviewed_concurrently(ada: Visitor) -> None:
    names = ["mycity-eternal-all-stopped", "rollwrite-02-alone", "pointcity-1p-easy-won"]
    matches = [await imported(ada, name) for name in names]
    responses = await asyncio.gather(*(all_responses(ada, match) for match in matches))
    assert [each[-1]["review"]["game"] for each in responses] == ["mycity", "rollwrite", "pointcity"]
