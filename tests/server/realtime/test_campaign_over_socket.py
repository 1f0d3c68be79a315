"""Campaigns over WebSockets: names of cities, finished episodes, handing over seats, files, forks."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from polyopolis.games import game
from polyopolis.games.city_emblems import ANIMALS
from polyopolis.records import CampaignRecord, read, verify_campaign
from tests.server.support.server_process import Message, Screen, ServerProcess, Visitor, seat_of

pytestmark = pytest.mark.anyio
Visit = Callable[[], Visitor]
PLAN = list(game("mycity").plans()["campaign"])  # type: ignore[attr-defined]
STOP = {"type": "stop"}
SETUP = {"mode": "episode", "play": "campaign", "episode": PLAN[0]}


async def campaign(visitor: Visitor, *seats: str) -> str:
    body = {"game": "mycity", "setup": SETUP, "seats": list(map(seat_of, seats)), "plan": PLAN}
    return str((await visitor.post("/tables", body))["table"])


async def stop(screen: Screen, *seats: int) -> None:
    """Ends the episode: all seats stop and place rewards at the first possible position."""
    while not screen.over:
        due = [seat for seat in seats if screen.may(seat)]
        if not due:
            await screen.hear()
        for seat in due[:1]:
            choices, moves = screen.mine[seat]["choices"], screen.moves
            await screen.act(seat, STOP if STOP in choices else choices[0])
            await screen.until(lambda seat=seat, moves=moves: not screen.may(seat) or screen.moves > moves)  # type: ignore[misc]


async def start_next_episode(visitor: Visitor, screen: Screen, table: str) -> None:
    before = screen.scene and screen.scene["match"]["number"]
    await visitor.post(f"/tables/{table}/matches")
    await screen.until(lambda: bool(screen.scene and screen.scene["match"]["number"] != before))


async def play_episodes(visitor: Visitor, table: str, *seats: int, episodes: int = 1) -> None:
    """Plays the first episodes, each ended at once."""
    async with visitor.at(table) as screen:
        for number in range(episodes):
            if number:
                await start_next_episode(visitor, screen, table)
            await stop(screen, *seats)


async def file_of(visitor: Visitor, table: str, folder: Path) -> CampaignRecord:
    answer = await visitor.http.get(f"/api/tables/{table}/campaign.json")
    answer.raise_for_status()
    assert "attachment" in answer.headers["content-disposition"]
    path = folder / "campaign.json"
    path.write_bytes(answer.content)
    found = read(path)
    assert isinstance(found, CampaignRecord)
    return found


def arms(seats: list[Message]) -> list[tuple[str | None, str | None]]:
    return [(seat["city"], seat["animal"]) for seat in seats]


# Names and animals


@pytest.mark.rule("MC-30")
async def test_every_city_of_a_campaign_has_a_name_and_an_animal_of_its_own(visit: Visit) -> None:
    ada = visit()
    table = await campaign(ada, "Ada", "bot:random", "bot:random", "bot:random")
    found = arms((await ada.get(f"/tables/{table}"))["seats"])
    assert all(city and animal in ANIMALS for city, animal in found)
    assert len({city for city, _ in found}) == len({animal for _, animal in found}) == 4


async def test_cities_outside_of_campaigns_have_no_names(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random")
    assert set(arms((await ada.get(f"/tables/{table}"))["seats"])) == {(None, None)}
    answer = await ada.refused(f"/tables/{table}/seats/0", {"type": "name-city", "city": "Lerida", "animal": "fox"})
    assert answer == (403, "cities have no names at this table")


@pytest.mark.rule("MC-30")
async def test_a_city_is_named_while_the_episode_runs_and_keeps_its_name_in_the_next(visit: Visit) -> None:
    ada = visit()
    table = await campaign(ada, "Ada", "Ben")
    async with ada.at(table) as screen:
        await screen.turn(0)
        await ada.post(f"/tables/{table}/seats/0", {"type": "name-city", "city": " Lerida ", "animal": "owl"})
        await screen.until(lambda: bool(screen.info and screen.info["seats"][0]["city"] == "Lerida"))
        assert screen.table["setup"]["boards"][0]["city"] == "Lerida"
        await stop(screen, 0, 1)
        await start_next_episode(ada, screen, table)
        assert [(board["city"], board["animal"]) for board in screen.table["setup"]["boards"]] == arms(
            (await ada.get(f"/tables/{table}"))["seats"]
        )
        assert screen.table["setup"]["boards"][0]["city"] == "Lerida"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"city": "", "animal": "fox"}, 400),
        ({"city": "   ", "animal": "fox"}, 400),
        ({"city": "x" * 25, "animal": "fox"}, 400),
        ({"city": "Lerida", "animal": "dragon"}, 400),
    ],
    ids=["no name", "blanks", "too long", "no such animal"],
)
async def test_invalid_names_and_animals_are_refused(visit: Visit, change: Message, status: int) -> None:
    ada = visit()
    table = await campaign(ada, "Ada", "Ben")
    before = (await ada.get(f"/tables/{table}"))["seats"]
    assert (await ada.refused(f"/tables/{table}/seats/0", {"type": "name-city", **change}))[0] == status
    assert (await ada.get(f"/tables/{table}"))["seats"] == before


async def test_animals_are_unique_and_cities_are_named_by_their_players(visit: Visit) -> None:
    ada, eve = visit(), visit()
    table = await campaign(ada, "Ada", "Ben")
    taken = (await ada.get(f"/tables/{table}"))["seats"][1]["animal"]
    wish = {"type": "name-city", "city": "Lerida", "animal": taken}
    assert await ada.refused(f"/tables/{table}/seats/0", wish) == (400, f"another city has the {taken}")
    assert await eve.refused(f"/tables/{table}/seats/0", wish) == (403, "seat 0 is not yours")


# Finished episodes


async def test_the_campaign_lists_every_finished_episode(visit: Visit) -> None:
    ada = visit()
    table = await campaign(ada, "Ada", "Ben")
    assert (await ada.get(f"/tables/{table}/campaign"))["episodes"] == []
    await play_episodes(ada, table, 0, 1, episodes=2)
    episodes = (await ada.get(f"/tables/{table}/campaign"))["episodes"]
    assert [(episode["number"], episode["setup"]["episode"]) for episode in episodes] == [(0, 1), (1, 2)]
    assert [episode["players"] for episode in episodes] == [["Ada", "Ben"]] * 2
    for episode in episodes:
        assert episode["view"]["table"]["over"]
        assert episode["result"] == episode["view"]["table"]["result"]
        told = [event["type"] for event in episode["events"]]
        assert "received" in told
        assert "revealed" not in told
        lying = [city["legacy"]["stickers"] for city in episode["view"]["table"]["cities"]]
        for event in episode["events"]:
            if event["type"] == "stuck":
                assert lying[event["seat"]][event["cells"][0]] == event["sticker"]
    circles = [[city["legacy"]["circles"] for city in episode["view"]["table"]["cities"]] for episode in episodes]
    assert [episode["standings"]["scores"] for episode in episodes] == circles
    assert (await ada.get(f"/tables/{table}"))["standings"] == episodes[-1]["standings"]


async def test_a_campaign_contains_no_secrets(visit: Visit) -> None:
    ada, eve = visit(), visit()
    table = await campaign(ada, "Ada", "Ben")
    await play_episodes(ada, table, 0, 1)
    async with ada.at(table) as screen:
        await start_next_episode(ada, screen, table)
        await screen.turn(0)
        await screen.act(0, STOP)
        await screen.until(lambda: screen.decided == [0])
    found = await eve.http.get(f"/api/tables/{table}/campaign")
    seed = (await eve.get(f"/tables/{table}/matches/0/record"))["seed"]
    assert "seed" not in found.text
    assert seed not in found.text
    assert len(found.json()["episodes"]) == 1
    file = (await eve.get(f"/tables/{table}/campaign.json"))["records"]
    assert "seed" not in file[1]
    assert [move["seat"] for move in file[1]["moves"]] == [-1]


async def test_a_table_without_a_campaign_has_no_campaign_page(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random")
    for address in ("campaign", "campaign.json"):
        answer = await ada.http.get(f"/api/tables/{table}/{address}")
        assert (answer.status_code, answer.json()["error"]) == (404, "no campaign is played at this table")


# Seats change hands


@pytest.mark.rule("MC-31")
async def test_a_seat_is_handed_over_between_episodes_and_keeps_its_city(visit: Visit, tmp_path: Path) -> None:
    ada, cleo = visit(), visit()
    table = await campaign(ada, "Ada", "Ben")
    await ada.post(f"/tables/{table}/seats/0", {"type": "name-city", "city": "Lerida", "animal": "owl"})
    await play_episodes(ada, table, 0, 1)
    before = await ada.get(f"/tables/{table}")
    code = (await ada.post(f"/tables/{table}/seats/0/code"))["code"]
    assert await cleo.post("/codes", {"code": code, "name": "Cleo"}) == {"table": table, "seat": 0}
    after = await cleo.get(f"/tables/{table}")
    assert after["yours"] == [0]
    assert arms(after["seats"]) == arms(before["seats"])
    assert after["standings"] == before["standings"]
    await cleo.post(f"/tables/{table}/matches")
    async with ada.at(table) as hers, cleo.at(table) as new:
        await asyncio.gather(stop(hers, 1), stop(new, 0))
    file = await file_of(cleo, table, tmp_path)
    assert [record.players for record in file.records] == [("Ada", "Ben"), ("Cleo", "Ben")]
    assert file.players == ("Cleo", "Ben")
    told = (await cleo.get(f"/tables/{table}/campaign"))["episodes"]
    assert [episode["players"] for episode in told] == [["Ada", "Ben"], ["Cleo", "Ben"]]


@pytest.mark.rule("MC-31")
async def test_a_seat_is_handed_over_on_the_same_device(visit: Visit) -> None:
    ada, eve = visit(), visit()
    table = await campaign(ada, "Ada", "Ben")
    await play_episodes(ada, table, 0, 1)
    wish = {"type": "hand-over", "name": "Dan"}
    assert (await eve.refused(f"/tables/{table}/seats/1", wish))[0] == 403
    found = await ada.post(f"/tables/{table}/seats/1", wish)
    assert [seat["name"] for seat in found["seats"]] == ["Ada", "Dan"]
    assert found["yours"] == [0, 1]
    assert (await ada.get(f"/tables/{table}/matches/0/record"))["players"] == ["Ada", "Ben"]


@pytest.mark.rule("MC-31")
async def test_a_bot_takes_a_city_over_and_its_name_stays(visit: Visit) -> None:
    ada = visit()
    table = await campaign(ada, "Ada", "Ben")
    before = arms((await ada.get(f"/tables/{table}"))["seats"])
    await ada.post(f"/tables/{table}/seats/1", {"type": "put-bot", "bot": "random"})
    assert arms((await ada.get(f"/tables/{table}"))["seats"]) == before
    await ada.post(f"/tables/{table}/seats/1", {"type": "leave"})
    assert arms((await ada.get(f"/tables/{table}"))["seats"]) == before


# Files and forks


@asynccontextmanager
async def keeps_its_campaign(house: ServerProcess) -> AsyncIterator[None]:
    """The campaign page is the same after a power failure, and the file can be replayed."""
    ada = Visitor(house)
    table = await campaign(ada, "Ada", "Ben")
    await ada.post(f"/tables/{table}/seats/1", {"type": "name-city", "city": "Lerida", "animal": "owl"})
    await play_episodes(ada, table, 0, 1, episodes=2)
    told = await ada.get(f"/tables/{table}/campaign")
    yield
    assert await ada.get(f"/tables/{table}/campaign") == told
    await ada.post(f"/tables/{table}/matches")
    file = await file_of(ada, table, house.data)
    await ada.close()
    found, running = verify_campaign(file)
    assert len(found.matches) == 2
    assert running is not None
    assert running.setup.episode == 3
    assert running.setup.boards[1].city == "Lerida"
    assert [record.seed is not None and len(record.moves) > 0 for record in file.records] == [True] * 3


@pytest.mark.parametrize("play", ["practice", "campaign"])
async def test_a_fork_starts_at_the_beginning_of_a_finished_episode(visit: Visit, play: str) -> None:
    ada, eve = visit(), visit()
    table = await campaign(ada, "Ada", "Ben", "bot:random")
    await ada.post(f"/tables/{table}/seats/0", {"type": "name-city", "city": "Lerida", "animal": "owl"})
    await play_episodes(ada, table, 0, 1, episodes=2)
    second = (await ada.get(f"/tables/{table}/matches/1/record"))["setup"]
    forked = (await eve.post(f"/tables/{table}/matches/1/forks", {"play": play, "seat": 0}))["table"]
    found = await eve.get(f"/tables/{forked}")
    assert found["yours"] == [0]
    assert found["seats"][0]["city"] == "Lerida"
    if play == "practice":
        assert (found["plan"], found["match"]["practice"]) == ([], True)
        assert found["match"]["setup"] == second
        assert [seat["kind"] for seat in found["seats"]] == ["person", "bot", "bot"]
    else:
        assert found["plan"] == PLAN[1:]
        assert [seat["kind"] for seat in found["seats"]] == ["person", "open", "bot"]
        found = await eve.post(f"/tables/{forked}/seats/1", {"type": "put-bot", "bot": "random"})
        assert found["match"]["setup"] == second
        assert not found["match"]["practice"]
    own = (await ada.post(f"/tables/{table}/matches/1/forks", {"play": play, "seat": 0}))["table"]
    assert (await ada.get(f"/tables/{own}"))["yours"] == [0, 1]


async def test_a_running_episode_cannot_be_forked(visit: Visit) -> None:
    ada = visit()
    table = await campaign(ada, "Ada", "Ben")
    wish: dict[str, Any] = {"play": "practice", "seat": 0}
    assert (await ada.refused(f"/tables/{table}/matches/0/forks", wish))[0] == 403
    assert (await ada.refused(f"/tables/{table}/matches/7/forks", wish))[0] == 403


async def test_a_forked_campaign_continues_with_its_next_episode(visit: Visit, tmp_path: Path) -> None:
    ada = visit()
    table = await campaign(ada, "Ada", "Ben")
    await play_episodes(ada, table, 0, 1)
    forked = (await ada.post(f"/tables/{table}/matches/0/forks", {"play": "campaign", "seat": 0}))["table"]
    await play_episodes(ada, forked, 0, 1, episodes=2)
    found, running = verify_campaign(await file_of(ada, forked, tmp_path))
    assert [match.setup.episode for match in found.matches] == PLAN[:2]
    assert running is None


# A chapter


@pytest.mark.rule("MC-31")
async def test_a_chapter_is_a_plan_of_its_own(visit: Visit, tmp_path: Path) -> None:
    """A chapter has named cities, three episodes, standings and a file like the whole campaign."""
    ada, plan = visit(), [13, 14, 15]
    body = {"game": "mycity", "setup": {**SETUP, "episode": plan[0]}, "seats": [seat_of("Ada"), seat_of("Ben")]}
    table = str((await ada.post("/tables", {**body, "plan": plan}))["table"])
    await play_episodes(ada, table, 0, 1, episodes=3)
    told = (await ada.get(f"/tables/{table}/campaign"))["episodes"]
    assert [episode["setup"]["episode"] for episode in told] == plan
    assert [board["church"] for board in told[0]["setup"]["boards"]] == ["p5", "p5"]
    assert [line["line"] for line in told[-1]["standings"]["sheets"][0]] == ["before", *(f"episode-{n}" for n in plan)]
    record = await file_of(ada, table, tmp_path)
    going, playing = verify_campaign(record)
    assert (going.over, playing, list(record.plan)) == (True, None, plan)
    code, _ = await ada.refused(f"/tables/{table}/matches")
    assert code in (403, 409)
