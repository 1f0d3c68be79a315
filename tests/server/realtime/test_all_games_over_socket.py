"""Every game is played at a table over a WebSocket."""

from collections.abc import Callable

import msgspec
import pytest

from polyopolis.games import GAME_SPECS
from polyopolis.games.game_spec import GameSpec
from polyopolis.records import CampaignRecord, Record, verify, verify_campaign
from tests.server.support.server_process import Visitor, seat_of

pytestmark = pytest.mark.anyio
every_game = pytest.mark.parametrize("spec", GAME_SPECS.values(), ids=GAME_SPECS)


@every_game
async def test_a_guest_plays_a_whole_game_against_a_bot(visit: Callable[[], Visitor], spec: GameSpec) -> None:
    ada = visit()
    assert spec.key in [info["game"] for info in (await ada.get("/hello"))["games"]]
    body = {"game": spec.key, "setup": {}, "seats": [seat_of("Ada"), seat_of("bot:greedy")]}
    table = (await ada.post("/tables", body))["table"]
    async with ada.at(table) as screen:
        await screen.play(0)
        assert screen.over
    record = msgspec.convert(await ada.get(f"/tables/{table}/matches/0/record"), Record)
    assert verify(record).over
    assert record.players == ("Ada", "greedy")


@pytest.mark.parametrize("spec", [spec for spec in GAME_SPECS.values() if spec.plans(1)], ids=lambda spec: spec.key)
async def test_the_first_episode_of_a_campaign_is_played(visit: Callable[[], Visitor], spec: GameSpec) -> None:
    ada = visit()
    plan = min(spec.plans(1).values(), key=len)
    setup = {**spec.planned, "episode": plan[0]}
    seats = [seat_of("Ada"), seat_of("bot:random")]
    table = (await ada.post("/tables", {"game": spec.key, "setup": setup, "seats": seats, "plan": plan}))["table"]
    async with ada.at(table) as screen:
        await screen.play(0)
    (episode,) = (await ada.get(f"/tables/{table}/campaign"))["episodes"]
    lasting = {kind.__struct_config__.tag for kind in spec.lasting}
    assert {event["type"] for event in episode["events"]} <= lasting
    record = msgspec.convert(await ada.get(f"/tables/{table}/campaign.json"), CampaignRecord)
    campaign, playing = verify_campaign(record)
    assert (len(campaign.matches), playing) == (1, None)
