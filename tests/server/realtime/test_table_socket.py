"""A table over WebSockets: playing, watching, reconnecting, takebacks."""

import asyncio
from collections.abc import Callable
from hashlib import sha256

import msgspec
import pytest

from polyopolis.engine import derive_seed, seed_of
from polyopolis.records import Record, verify
from tests.server.support.server_process import Visitor

pytestmark = pytest.mark.anyio
Visit = Callable[[], Visitor]


async def record_of(visitor: Visitor, table: str, number: int = 0) -> Record:
    return msgspec.convert(await visitor.get(f"/tables/{table}/matches/{number}/record"), Record)


async def test_a_guest_plays_a_whole_game_against_a_bot(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:greedy")
    async with ada.at(table) as screen:
        await screen.play(0)
        assert screen.scene
        match = screen.scene["match"]
    record = await record_of(ada, table)
    assert verify(record).over
    assert record.players == ("Ada", "greedy")
    assert record.seed == match["seed"]
    assert sha256(bytes.fromhex(match["seed"])).hexdigest() == match["commitment"]


async def test_the_seed_is_committed_at_the_start_and_revealed_at_the_end(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as screen:
        await screen.turn(0)
        assert screen.info
        announced = screen.info["match"]["commitment"]
        assert screen.info["match"]["seed"] is None
        assert "seed" not in await ada.get(f"/tables/{table}/matches/0/record")
        await screen.play(0)
        assert screen.scene
        assert screen.scene["match"]["commitment"] == announced


async def test_a_table_with_a_chosen_seed_shows_and_uses_it(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random", seed="harvest moon")
    async with ada.at(table) as screen:
        assert screen.info
        assert screen.info["chosen_seed"] == "harvest moon"
        await screen.play(0)
    assert (await record_of(ada, table)).seed == derive_seed(seed_of("harvest moon"), "match", 0).hex()


async def test_a_friend_joins_by_link_and_the_match_starts(visit: Visit) -> None:
    ada, ben = visit(), visit()
    table = await ada.table("Ada", "open")
    async with ada.at(table) as hers:
        assert hers.info
        assert hers.info["match"] is None
        await ben.join(table, 1, "Ben")
        async with ben.at(table) as his:
            await asyncio.gather(hers.play(0), his.play(1))
            assert hers.table["result"] == his.table["result"]
    assert (await record_of(ben, table)).players == ("Ada", "Ben")


async def test_decisions_are_hidden_until_the_round_closes(visit: Visit) -> None:
    ada, ben = visit(), visit()
    table = await ada.table("Ada", "open")
    await ben.join(table, 1, "Ben")
    async with ada.at(table) as hers, ben.at(table) as his, visit().at(table) as watching:
        choice = (await hers.turn(0))[5]
        await his.turn(1)
        await hers.act(0, choice)
        for screen in (his, watching):
            await screen.until(lambda screen=screen: screen.decided == [0])  # type: ignore[misc]
            assert [message["type"] for message in screen.heard if message["type"] != "people"] == [
                "welcome",
                "decided",
            ]
            assert 0 not in screen.mine
        await hers.until(lambda: hers.mine[0]["staged"] == choice)
        begun = watching.moves
        await his.act(1, (await his.turn(1))[0])
        await watching.until(lambda: watching.moves > begun)
        assert {"type": "built", "seat": 0, "card": "-", "cells": choice["cells"]} in [
            {**event, "card": "-"} for event in watching.events
        ]


async def test_a_decision_is_taken_back_until_the_round_closes(visit: Visit) -> None:
    ada, ben = visit(), visit()
    table = await ada.table("Ada", "open")
    await ben.join(table, 1, "Ben")
    async with ada.at(table) as hers, ben.at(table) as his:
        choices = await hers.turn(0)
        await his.turn(1)
        await hers.act(0, choices[0])
        await his.until(lambda: his.decided == [0])
        await hers.until(lambda: hers.mine[0]["turn"] == 1)
        await hers.say(type="retract", seat=0, turn=1)
        await his.until(lambda: his.decided == [])
        await hers.until(lambda: hers.may(0))
        begun = hers.moves
        await hers.act(0, choices[1])
        await his.act(1, (await his.turn(1))[0])
        await hers.until(lambda: hers.moves > begun)
        assert hers.table["cities"][0]["buildings"][0]["cells"] == choices[1]["cells"]


async def test_a_double_click_is_harmless(visit: Visit) -> None:
    ada, ben = visit(), visit()
    table = await ada.table("Ada", "open")
    await ben.join(table, 1, "Ben")
    async with ada.at(table) as hers, ben.at(table) as his:
        choices = await hers.turn(0)
        await hers.say(type="act", seat=0, turn=0, action=choices[0])
        await hers.say(type="act", seat=0, turn=0, action=choices[1])
        await hers.ask(type="why", seat=0, action=choices[0])
        assert (hers.mine[0]["turn"], hers.mine[0]["staged"]) == (1, choices[0])
        await his.turn(1)
        await hers.say(type="act", seat=0, turn=9, action=choices[1])
        assert (await hers.heard_of("refused"))["reason"]["code"] == "out-of-step"


async def test_only_the_holder_of_a_seat_can_play_it(visit: Visit) -> None:
    ada, eve = visit(), visit()
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as hers, eve.at(table) as watching:
        await hers.turn(0)
        assert watching.mine == {}
        for seat in (0, 1, 7):
            await watching.say(type="act", seat=seat, turn=0, action={"type": "stop"})
            assert (await watching.heard_of("refused"))["reason"]["code"] == "not-your-seat"
        assert not hers.table["cities"][0]["stopped"]


async def test_an_illegal_action_is_refused_with_its_reason_and_changes_nothing(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as screen:
        await screen.turn(0)
        for action, code in [
            ({"type": "place", "cells": ["z9"]}, "off-board"),
            ({"type": "place", "cells": ["a3", "a4"]}, None),
            ({"type": "reveal", "card": "red-i2"}, "not-an-action"),
            ({"type": "dance"}, "not-an-action"),
            ("nonsense", "not-an-action"),
        ]:
            await screen.act(0, action)  # type: ignore[arg-type]
            reason = (await screen.heard_of("refused"))["reason"]
            assert code is None or reason["code"] == code
        assert screen.mine[0]["turn"] == 0


async def test_why_and_preview_answer_without_playing(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as screen:
        choices = await screen.turn(0)
        assert (await screen.ask(type="why", seat=0, action=choices[0]))["reason"] is None
        mountain = {"type": "place", "cells": ["a3", "a4"]}
        assert (await screen.ask(type="why", seat=0, action=mountain))["reason"]["code"]
        changes = (await screen.ask(type="preview", seat=0, action=choices[0]))["changes"]
        assert "empty" in {change["line"] for change in changes}
        illegal = await screen.ask(type="preview", seat=0, action=mountain)
        assert (illegal["changes"], illegal["events"], illegal["view"]) == ([], [], None)
        assert screen.mine[0]["turn"] == 0


async def test_a_reconnecting_page_gets_the_events_it_has_missed(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:greedy")
    async with ada.at(table) as screen:
        await screen.play(0, rounds=2)
        assert screen.scene
        seen = screen.scene["number"]
        await screen.play(0, rounds=3)
        whole = screen.events
    async with ada.at(table, f"since={seen}") as again:
        await again.until(lambda: again.scene is not None)
        missed = again.events
        assert len(missed) >= 3 * 2
        assert missed == whole[-len(missed) :]
    async with ada.at(table) as fresh:
        await fresh.until(lambda: fresh.scene is not None)
        assert fresh.events == []
        assert fresh.table == screen.table


async def test_a_takeback_among_bots_makes_practice_and_repeats_the_chance_events(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:greedy", seed="pear")
    async with ada.at(table) as screen:
        await screen.play(0, rounds=3)
        await screen.turn(0)
        cards = list(screen.table["revealed"])
        assert len(cards) == 4
        await screen.say(type="ask-takeback", seat=0)
        await screen.until(lambda: bool(screen.scene and screen.scene["back"]))
        assert screen.scene
        assert screen.scene["match"]["practice"]
        assert list(screen.table["revealed"]) == cards[:-1]
        await screen.act(0, (await screen.turn(0))[1])
        await screen.until(lambda: len(screen.table["revealed"]) == len(cards))
        assert list(screen.table["revealed"]) == cards
        await screen.play(0)
    assert verify(await record_of(ada, table)).over


async def test_a_takeback_needs_the_consent_of_the_other_people(visit: Visit) -> None:
    ada, ben = visit(), visit()
    table = await ada.table("Ada", "open")
    await ben.join(table, 1, "Ben")
    async with ada.at(table) as hers, ben.at(table) as his:
        await asyncio.gather(hers.play(0, rounds=2), his.play(1, rounds=2))
        moves = hers.moves
        for yes in (False, True):
            await hers.say(type="ask-takeback", seat=0)
            asked = await his.heard_of("asking")
            assert (asked["seat"], asked["waiting"]) == (0, [1])
            await hers.say(type="consent", yes=True)  # the own consent does not count
            await his.say(type="consent", yes=yes)
            if yes:
                assert (await his.heard_of("news"))["scene"]["back"]
            else:
                assert (await his.heard_of("asking"))["waiting"] == []
            await hers.ask(type="why", seat=0, action={"type": "pass"})
            assert (hers.moves < moves) == yes


async def test_one_session_holds_several_seats(visit: Visit) -> None:
    both = visit()
    table = await both.table("Ada", "Ben", "bot:random")
    async with both.at(table) as screen:
        assert screen.info
        assert screen.info["yours"] == [0, 1]
        await screen.play(0, 1)
        assert screen.over


async def test_a_code_moves_a_seat_to_another_device_once(visit: Visit) -> None:
    laptop, phone, thief = visit(), visit(), visit()
    table = await laptop.table("Ada", "bot:greedy")
    code = (await laptop.post(f"/tables/{table}/seats/0/code"))["code"]
    assert (await phone.post("/codes", {"code": code.lower()})) == {"table": table, "seat": 0}
    assert (await thief.refused("/codes", {"code": code}))[0] == 404
    async with phone.at(table) as screen, laptop.at(table) as old:
        assert screen.info
        assert old.info
        assert (screen.info["yours"], old.info["yours"]) == ([0], [])
        assert screen.info["seats"][0]["name"] == "Ada"
        await screen.play(0, rounds=1)
    assert (await laptop.refused(f"/tables/{table}/seats/0/code"))[0] == 403


async def test_a_bot_replaces_an_absent_player_who_can_return(visit: Visit) -> None:
    ada, ben, eve = visit(), visit(), visit()
    table = await ada.table("Ada", "open")
    await ben.join(table, 1, "Ben")
    async with ada.at(table) as hers:
        async with ben.at(table):
            put = {"type": "put-bot", "bot": "random"}
            assert (await ada.refused(f"/tables/{table}/seats/1", put))[0] == 403, "Ben is present"
        await hers.until(lambda: bool(hers.info and hers.info["seats"][1]["replaceable"]))
        assert (await eve.refused(f"/tables/{table}/seats/1", put))[0] == 403, "Eve has no seat"
        await ada.post(f"/tables/{table}/seats/1", put)
        await hers.play(0, rounds=3)
        assert (await ada.refused(f"/tables/{table}/seats/1", {"type": "return"}))[0] == 403
        await ben.post(f"/tables/{table}/seats/1", {"type": "return"})
        async with ben.at(table) as his:
            await asyncio.gather(hers.play(0, rounds=2), his.play(1, rounds=2))
            assert his.info
            assert (his.info["seats"][1]["name"], his.info["seats"][1]["bot"]) == ("Ben", None)


async def test_a_seat_that_was_left_can_be_taken(visit: Visit) -> None:
    ada, ben, eve = visit(), visit(), visit()
    table = await ada.table("Ada", "open")
    await ben.join(table, 1, "Ben")
    assert await eve.refused(f"/tables/{table}/seats/1", {"type": "join", "name": "Eve"}) == (403, "seat 1 is taken")
    assert (await eve.refused(f"/tables/{table}/seats/1", {"type": "leave"}))[0] == 403
    await ben.post(f"/tables/{table}/seats/1", {"type": "leave"})
    await eve.join(table, 1, "Eve")
    async with ada.at(table) as hers, eve.at(table) as his:
        await asyncio.gather(hers.play(0, rounds=2), his.play(1, rounds=2))


async def test_a_rematch_follows_at_the_same_table(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random")
    assert await ada.refused(f"/tables/{table}/matches") == (403, "the match is not over")
    async with ada.at(table) as screen:
        await screen.turn(0)
        await screen.act(0, {"type": "stop"})
        await screen.until(lambda: screen.over)
        assert (await visit().refused(f"/tables/{table}/matches"))[0] == 403
        await ada.post(f"/tables/{table}/matches")
        await screen.until(lambda: bool(screen.scene and screen.scene["match"]["number"] == 1))
        await screen.play(0)
    first, second = await record_of(ada, table, 0), await record_of(ada, table, 1)
    assert verify(first).over
    assert verify(second).over
    assert first.seed != second.seed


async def test_a_finished_match_can_be_played_on_from_any_position(visit: Visit) -> None:
    ada, eve = visit(), visit()
    table = await ada.table("Ada", "bot:greedy")
    async with ada.at(table) as screen:
        await screen.play(0, rounds=3)
        assert (await eve.refused(f"/tables/{table}/matches/0/branches", {"moves": 3, "seat": 0}))[0] == 403
        await screen.play(0)
    replay = await eve.get(f"/tables/{table}/matches/0/replay")
    frame = replay["frames"][-1]
    branch = (await eve.post(f"/tables/{table}/matches/0/branches", {"moves": frame["moves"], "seat": 1}))["table"]
    async with eve.at(branch) as hers:
        await hers.until(lambda: hers.scene is not None)
        assert hers.info
        assert hers.info["match"]["practice"]
        assert hers.info["yours"] == [1]
        assert hers.table["cities"] == frame["view"]["table"]["cities"]
        await hers.play(1)
    old, new = await record_of(eve, table), await record_of(eve, branch)
    assert verify(new).over
    assert new.moves[: frame["moves"]] == old.moves[: frame["moves"]]
    assert new.seed == old.seed


async def test_a_replay_stops_after_every_round(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as screen:
        await screen.play(0)
        final = screen.table
    replay = await ada.get(f"/tables/{table}/matches/0/replay")
    assert replay["names"] == ["Ada", "random"]
    assert replay["stops"] == sorted(set(replay["stops"]))
    frames = replay["frames"]
    while len(frames) < len(replay["stops"]):
        piece = await ada.get(f"/tables/{table}/matches/0/frames?first={len(frames)}")
        assert piece["first"] == len(frames)
        frames += piece["frames"]
    assert [frame["moves"] for frame in frames] == replay["stops"]
    assert frames[0]["moves"] == 0
    assert frames[-1]["view"]["table"] == final
    assert frames[-1]["result"] == final["result"]


async def test_the_home_page_lists_own_tables_and_the_name(visit: Visit) -> None:
    ada = visit()
    assert (await ada.get("/hello"))["tables"] == []
    first = await ada.table("Ada", "bot:random")
    second = await ada.table("Ada", "open")
    hello = await ada.get("/hello")
    assert all({game["usual"], game["first"]} <= {*game["bots"]} for game in hello["games"])
    assert hello["name"] == "Ada"
    assert {table["table"] for table in hello["tables"]} == {first, second}
    assert (await visit().get("/hello"))["tables"] == []


async def test_a_table_has_a_qr_code(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "open")
    picture = await ada.http.get(f"/api/tables/{table}/qr.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "http://www.w3.org/2000/svg" in picture.text


async def test_the_beginning_of_a_match_is_available_without_a_table(visit: Visit) -> None:
    ada = visit()
    shown = await ada.get("/games/rollwrite/beginning?episode=7")
    assert shown["setup"]["episode"] == 7
    assert shown["setup"]["seats"] == 1
    assert shown["view"]["table"]["rolls"] == 0
    for path, status, wrong in (
        ("chess/beginning", 404, "there is no game 'chess'"),
        ("rollwrite/beginning?episode=13", 400, "13"),
        ("rollwrite/beginning?episode=two", 400, "the setup: Expected `int`, got `str` - at `$.episode`"),
        ("rollwrite/beginning?episode=1&dice=9", 400, "the setup: Object contains unknown field `dice`"),
    ):
        refused = await ada.http.get(f"/api/games/{path}")
        assert refused.status_code == status
        assert wrong in refused.json()["error"]


async def test_a_setup_of_the_wrong_type_is_refused(visit: Visit) -> None:
    ada = visit()
    body = {"game": "rollwrite", "setup": {"episode": "3"}, "seats": [{"type": "me", "name": "Ada"}]}
    refused = await ada.http.post("/api/tables", json=body)
    assert refused.status_code == 400
    assert refused.json()["error"] == "the setup: Expected `int`, got `str` - at `$.episode`"


async def test_with_real_cards_players_enter_the_chance_events(visit: Visit) -> None:
    ada, ben = visit(), visit()
    seats = [{"type": "me", "name": "Ada"}, {"type": "open"}]
    body = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": seats, "luck": "typed"}
    table = (await ada.post("/tables", body))["table"]
    await ben.join(table, 1, "Ben")
    async with ada.at(table) as hers, ben.at(table) as his, visit().at(table) as watching:
        assert hers.info
        assert (hers.info["luck"], hers.info["match"]["commitment"]) == ("typed", None)
        cards = [choice["card"] for choice in await his.turn(-1)]
        assert len(cards) == 28
        assert watching.mine == {}
        await his.act(-1, {"type": "reveal", "card": "red-u5"})
        assert await hers.turn(0)
        assert hers.table["card"] == "red-u5"
        await hers.act(0, {"type": "stop"})
        await his.turn(1)
        await his.act(1, {"type": "stop"})
        await hers.until(lambda: hers.over)
    record = await record_of(ada, table)
    assert "seed" not in msgspec.to_builtins(record)
    assert verify(record).over


async def test_a_campaign_continues_to_its_last_episode(visit: Visit) -> None:
    ada = visit()
    chapter = [10, 11, 12]
    body = {"game": "rollwrite", "setup": {}, "seats": [{"type": "me", "name": "Ada"}], "plan": chapter}
    table = (await ada.post("/tables", body))["table"]
    async with ada.at(table) as screen:
        assert screen.info
        assert (screen.info["plan"], screen.info["standings"]) == (chapter, None)
        for number, episode in enumerate(chapter):
            await screen.until(lambda number=number: bool(screen.scene and screen.scene["match"]["number"] == number))  # type: ignore[misc]
            assert screen.table["setup"]["episode"] == episode
            await screen.play(0, rounds=3)
            await screen.turn(0)
            await screen.act(0, {"type": "stop"})
            await screen.until(lambda: screen.over)
            found = await ada.get(f"/tables/{table}")
            assert f"episode-{episode}" in {line["line"] for line in found["standings"]["sheets"][0]}
            if episode != chapter[-1]:
                await ada.post(f"/tables/{table}/matches")
    assert found["standings"]["sheets"][0][-1]["line"] == "chapter-title-4"
    assert await ada.refused(f"/tables/{table}/matches") == (403, "the campaign is over")


async def test_a_plan_that_cannot_be_played_is_refused(visit: Visit) -> None:
    seats = [{"type": "me", "name": "Ada"}, {"type": "bot", "bot": "random"}]
    for game, plan in (("rollwrite", [12, 3]), ("rollwrite", [1, 99]), ("mycity", [1])):
        body = {"game": game, "setup": {}, "seats": seats, "plan": plan}
        assert await visit().refused("/tables", body) == (400, f"{game} has no plan {', '.join(map(str, plan))}")


async def test_a_page_gets_no_events_of_another_match(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as screen:
        await screen.play(0, rounds=2)
    async with ada.at(table, "since=1&match=7") as again:
        assert again.events == []
    async with ada.at(table, "since=1&match=0") as again:
        assert again.events != []


async def test_a_decision_can_be_undone_within_the_turn_before_a_chance_event(visit: Visit) -> None:
    ada = visit()
    body = {"game": "pointcity", "setup": {"automa": "easy"}, "seats": [{"type": "me", "name": "Ada"}]}
    table = (await ada.post("/tables", body))["table"]
    async with ada.at(table) as screen:
        first = await screen.turn(0)
        assert not screen.mine[0]["free"]
        await screen.act(0, first[0])
        await screen.until(lambda: len(screen.table["line"]) == 1)
        await screen.turn(0)
        assert screen.mine[0]["free"]
        await screen.say(type="ask-takeback", seat=0)
        await screen.until(lambda: bool(screen.scene and screen.scene["back"]))
        assert screen.scene
        assert not screen.scene["match"]["practice"]
        assert screen.table["line"] == []
        assert await screen.turn(0) == first


async def test_messages_of_a_round_with_twelve_seats_are_small(visit: Visit) -> None:
    ada = visit()
    seats = [{"type": "me", "name": f"P{seat}"} for seat in range(12)]
    body = {"game": "rollwrite", "setup": {"episode": 12}, "seats": seats, "seed": "harvest moon"}
    table = (await ada.post("/tables", body))["table"]
    async with ada.at(table) as screen:
        await screen.play(*range(12), rounds=4)  # the message limit of one page
        assert screen.scene
        news = len(msgspec.json.encode(screen.scene))
        await screen.turn(11)
        private = max(len(msgspec.json.encode(mine)) for mine in screen.mine.values())
        decided = 12 * 64
        assert 12 * (news + private + decided) < 420_000
