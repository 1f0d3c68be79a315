"""The browser backend computes reviews in slices and caches them."""

import json
from pathlib import Path
from typing import Any

import pytest

from polyopolis.analysis import Precision, hindsight_report, review_jobs
from polyopolis.kernels.runtime.jit import BACKEND
from tests.browser_backend.page_visitor import PageVisitor

pytestmark = pytest.mark.anyio
GAME = Path(__file__).parents[1] / "records" / "games" / "rollwrite-01-alone.json"


@pytest.fixture(autouse=True)
def rough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_jobs, "default_precisions", lambda: (Precision(2, 1), Precision(4, 1)))
    monkeypatch.setattr(hindsight_report, "BEAM_WIDTHS", (2,))
    monkeypatch.setitem(hindsight_report.PAR_GAMES, BACKEND, 0)


@pytest.mark.slow
async def test_reviews_are_computed_and_cached_in_the_browser() -> None:
    ada = PageVisitor()
    _, made = await ada.ask("POST", "/imports", {"record": json.loads(GAME.read_text())})
    match = f"/tables/{made['table']}/matches/0"
    told: list[dict[str, Any]] = []
    while not told or not told[-1]["final"]:
        status, answer = await ada.ask("GET", f"{match}/review?known={told[-1]['answer'] if told else 0}")
        assert status == 200
        told.append(answer)
    reviews = [each["review"] for each in told if each["review"]]
    assert [each["futures"] for each in reviews] == [2, 4], "a rough one first"
    assert (await PageVisitor(ada.storage).ask("GET", f"{match}/review"))[1]["review"] == reviews[-1]

    back: dict[str, Any] = {"answer": 0, "final": False}
    while not back["final"]:
        _, back = await ada.ask("GET", f"{match}/hindsight?seat=0&known={back['answer']}")
    assert back["review"]["score"] <= back["review"]["best"] <= back["review"]["bound"]
    assert (await PageVisitor(ada.storage).ask("GET", f"{match}/hindsight"))[1]["review"] == back["review"]

    decision = next(each for each in reviews[-1]["matches"][0]["decisions"] if each["counts"])
    solution = {"move": decision["move"], "action": decision["best"]["action"], "beside": decision["best"]["action"]}
    assert (await ada.ask("POST", f"{match}/solutions", solution))[1]["right"]
    assert (await ada.ask("POST", f"{match}/solutions", solution | {"move": 9_999}))[0] == 404
