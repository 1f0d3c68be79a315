"""Every game that hangs out a sign is played at a real table, over a real socket."""

from collections.abc import Callable

import msgspec
import pytest

from polyopolis.games import GAME_SPECS
from polyopolis.games.game_spec import GameSpec
from polyopolis.records import CampaignRecord, Record, verify, verify_campaign
from tests.server.support.server_process import Visitor, seat_of

pytestmark = pytest.mark.anyio
every_sign = pytest.mark.parametrize("sign", GAME_SPECS.values(), ids=GAME_SPECS)


@every_sign
async def test_a_newcomer_plays_a_whole_game_against_a_bot(visit: Callable[[], Visitor], sign: GameSpec) -> None:
    ada = visit()
    assert sign.key in [info["game"] for info in (await ada.get("/hello"))["games"]]
    body = {"game": sign.key, "setup": {}, "seats": [seat_of("Ada"), seat_of("bot:greedy")]}
    table = (await ada.post("/tables", body))["table"]
    async with ada.at(table) as screen:
        await screen.play(0)
        assert screen.over
    record = msgspec.convert(await ada.get(f"/tables/{table}/matches/0/record"), Record)
    assert verify(record).over
    assert record.players == ("Ada", "greedy")


@pytest.mark.parametrize("sign", [sign for sign in GAME_SPECS.values() if sign.plans(1)], ids=lambda sign: sign.key)
async def test_the_first_episode_of_a_campaign_is_played(visit: Callable[[], Visitor], sign: GameSpec) -> None:
    ada = visit()
    plan = min(sign.plans(1).values(), key=len)
    setup = {**sign.planned, "episode": plan[0]}
    seats = [seat_of("Ada"), seat_of("bot:random")]
    table = (await ada.post("/tables", {"game": sign.key, "setup": setup, "seats": seats, "plan": plan}))["table"]
    async with ada.at(table) as screen:
        await screen.play(0)
    (episode,) = (await ada.get(f"/tables/{table}/campaign"))["episodes"]
    lasting = {kind.__struct_config__.tag for kind in sign.lasting}
    assert {event["type"] for event in episode["events"]} <= lasting
    record = msgspec.convert(await ada.get(f"/tables/{table}/campaign.json"), CampaignRecord)
    campaign, playing = verify_campaign(record)
    assert (len(campaign.matches), playing) == (1, None)
