"""Reviews at a real server: who may ask, a first answer and the whole, kept, and answers to exercises."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.support.server_process import House, Visitor, open_house

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
GAMES = Path(__file__).parents[2] / "records" / "games"
FEW = "4"
"""Futures: what is said of them is no more than that it was said."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("reviews"), "--review-futures", FEW) as found:
        yield found


@pytest.fixture
async def ada(house: House) -> AsyncIterator[Visitor]:
    visitor = Visitor(house)
    yield visitor
    await visitor.close()


async def brought(visitor: Visitor, name: str) -> str:
    found = await visitor.post("/imports", {"record": json.loads((GAMES / f"{name}.json").read_text())})
    return f"/tables/{found['table']}/matches/0"


async def whole(visitor: Visitor, match: str) -> list[dict[str, Any]]:
    """All that was told until the last answer."""
    told: list[dict[str, Any]] = [await visitor.get(f"{match}/review")]
    while not told[-1]["final"]:
        told.append(await visitor.get(f"{match}/review?known={told[-1]['answer']}"))
    return told


async def test_a_finished_match_is_reviewed_once_and_its_mistakes_are_tried_again(ada: Visitor) -> None:
    match = await brought(ada, "mycity-eternal-2p-1")
    told = await whole(ada, match)
    assert [each["done"] for each in told] == sorted(each["done"] for each in told)
    review = told[-1]["review"]
    assert {"key", "game", "matches", "futures"} <= review.keys()
    assert review["futures"] == int(FEW)
    ada.http.cookies.clear()
    (again,) = await whole(ada, match)
    assert again["review"] == review, "kept, for whoever may see it"

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


async def test_the_best_city_is_looked_for_and_is_never_below_what_was_built(ada: Visitor) -> None:
    match = await brought(ada, "rollwrite-01-alone")
    told = await ada.get(f"{match}/hindsight")
    while not (told["review"] or {}).get("cards"):
        told = await ada.get(f"{match}/hindsight?seat=0&known={told['answer']}")
    back = told["review"]
    assert back["score"] <= back["best"] == back["cards"][-1]["score"] <= back["bound"]
    assert back["proven"] == (back["best"] == back["bound"])
    assert (await ada.http.get(f"/api{match}/hindsight?seat=1")).status_code == 404
    none = f"/api{await brought(ada, 'pointcity-1p-easy-1')}/hindsight"
    while (answer := await ada.http.get(none)).status_code == 200:
        assert not answer.json()["final"], "how far it is, until it is found that there is none"
    assert "no hindsight" in answer.text


async def test_nobody_learns_from_a_match_that_is_played(ada: Visitor) -> None:
    table = await ada.table("Ada", "bot:random")
    for path in ("review", "hindsight", "exercise?move=1"):
        answer = await ada.http.get(f"/api/tables/{table}/matches/0/{path}")
        assert answer.status_code == 403, path
    answer = await ada.http.get(f"/api/tables/{table}/matches/3/review")
    assert answer.status_code == 404
    solution = {"move": 1, "action": {"type": "pass"}, "beside": {"type": "pass"}}
    assert (await ada.refused(f"/tables/{table}/matches/0/solutions", solution))[0] == 403


async def test_several_are_reviewed_side_by_side(ada: Visitor) -> None:
    names = ["mycity-eternal-all-stopped", "rollwrite-02-alone", "pointcity-1p-easy-won"]
    matches = [await brought(ada, name) for name in names]
    told = await asyncio.gather(*(whole(ada, match) for match in matches))
    assert [each[-1]["review"]["game"] for each in told] == ["mycity", "rollwrite", "pointcity"]
